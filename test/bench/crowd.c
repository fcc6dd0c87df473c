// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench_crowd PROCESSES DESCRIPTORS
 *
 * So many idle processes with so many descriptors each, as on a busy host. Says
 * "ready", and ends with its standard input.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static void idle(int descriptors)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (descriptors--)
		open("/dev/null", O_RDONLY);
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	int i, processes = argc == 3 ? atoi(argv[1]) : 0;
	pid_t pid;
	char c;

	if (processes <= 0)
		return 1;
	for (i = 0; i < processes; i++) {
		pid = fork();
		if (pid < 0) {
			perror("bench_crowd: fork");
			return 1;
		}
		if (!pid)
			idle(atoi(argv[2]));
	}
	puts("ready");
	fflush(stdout);
	return read(STDIN_FILENO, &c, 1) < 0;
}
