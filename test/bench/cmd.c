// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench_cmd [-p] [-u] ROUNDS LABEL COMMAND ARG... [-- LABEL COMMAND ARG...]...
 *
 * Runs the commands in turn, all of them in each round, output thrown away, and
 * tells for each the wall and CPU time of a run in milliseconds, and both as
 * multiples of the first one's and its wall time above it.
 * -p: the output goes through a pipe first.
 * -u: user time instead, how many times less it is than the first one's, and
 * the most memory that a run had at once.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/stat.h"

#define MAX_COMMANDS 16

extern char **environ;

struct command {
	const char *label;
	char **argv;
	struct stat_series wall, cpu, user;
	long peak; /* KiB */
};

static struct command commands[MAX_COMMANDS];
static int n_commands;
static bool by_pipe, by_user;

static void __attribute__((noreturn)) die(const char *what)
{
	fprintf(stderr, "bench_cmd: %s: %s\n", what, strerror(errno));
	exit(1);
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static double ms(const struct timeval *t)
{
	return t->tv_sec * 1e3 + t->tv_usec / 1e3;
}

/* What the commands said on standard error, most of it not asked for. */
static int complaints;

static void fail(const struct command *c, int status)
{
	char text[4096];
	ssize_t n = pread(complaints, text, sizeof(text), 0);

	if (n > 0)
		fwrite(text, 1, n, stderr);
	fprintf(stderr, "bench_cmd: %s: status 0x%x\n", c->label, status);
	exit(1);
}

/* Where the output of the next command goes; to is what it has open for it. */
static int output(int *to)
{
	int ends[2] = { -1, -1 };

	if (by_pipe && pipe2(ends, O_CLOEXEC))
		die("pipe");
	if (!by_pipe)
		ends[1] = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (ends[1] < 0)
		die("/dev/null");
	*to = ends[1];
	return ends[0];
}

static void drain(int fd)
{
	static char buf[65536];

	if (fd < 0)
		return;
	while (read(fd, buf, sizeof(buf)) > 0)
		;
	close(fd);
}

static void run(struct command *c)
{
	posix_spawn_file_actions_t files;
	struct rusage usage;
	int status, from, to;
	double start;
	pid_t pid;

	from = output(&to);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, to, 1);
	posix_spawn_file_actions_adddup2(&files, complaints, 2);
	start = now_ms();
	errno = posix_spawnp(&pid, c->argv[0], &files, NULL, c->argv, environ);
	if (errno)
		die(c->argv[0]);
	posix_spawn_file_actions_destroy(&files);
	close(to);
	drain(from);
	if (wait4(pid, &status, 0, &usage) != pid)
		die(c->argv[0]);
	stat_add(&c->wall, now_ms() - start);
	stat_add(&c->cpu, ms(&usage.ru_utime) + ms(&usage.ru_stime));
	stat_add(&c->user, ms(&usage.ru_utime));
	if (usage.ru_maxrss > c->peak)
		c->peak = usage.ru_maxrss;
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		fail(c, status);
	if (ftruncate(complaints, 0) || lseek(complaints, 0, SEEK_SET))
		die("memfd");
}

static void parse(char **argv)
{
	while (*argv && n_commands < MAX_COMMANDS) {
		struct command *c = &commands[n_commands++];

		c->label = argv[0];
		c->argv = argv + 1;
		while (*argv && strcmp(*argv, "--"))
			argv++;
		if (*argv)
			*argv++ = NULL;
		if (!c->argv[0])
			errno = EINVAL, die(c->label);
	}
}

static void tell(void)
{
	double wall0 = stat_at(&commands[0].wall, 0.5);
	double cpu0 = stat_at(&commands[0].cpu, 0.5);
	int i;

	printf("%-34s %8s %17s %8s %7s %7s %8s\n", "", "wall ms", "min-max",
	       "CPU ms", "x wall", "x CPU", "+ ms");
	for (i = 0; i < n_commands; i++) {
		struct command *c = &commands[i];
		double wall = stat_at(&c->wall, 0.5);
		double cpu = stat_at(&c->cpu, 0.5);

		printf("%-34s %8.2f %8.2f-%8.2f %8.2f %7.2f %7.2f %8.2f\n",
		       c->label, wall, stat_at(&c->wall, 0),
		       stat_at(&c->wall, 1), cpu, wall / wall0,
		       cpu0 ? cpu / cpu0 : 0, wall - wall0);
	}
}

static void tell_user(void)
{
	double user0 = stat_at(&commands[0].user, 0.5);
	int i;

	printf("%-34s %8s %17s %8s %8s %9s %8s\n", "", "user ms", "min-max",
	       "CPU ms", "wall ms", "peak KiB", "x less");
	for (i = 0; i < n_commands; i++) {
		struct command *c = &commands[i];
		double user = stat_at(&c->user, 0.5);

		printf("%-34s %8.1f %8.1f-%8.1f %8.1f %8.1f %9ld %8.1f\n",
		       c->label, user, stat_at(&c->user, 0),
		       stat_at(&c->user, 1), stat_at(&c->cpu, 0.5),
		       stat_at(&c->wall, 0.5), c->peak,
		       user ? user0 / user : 0);
	}
}

int main(int argc, char **argv)
{
	int rounds, option, i, k;

	while ((option = getopt(argc, argv, "+pu")) != -1) {
		by_pipe |= option == 'p';
		by_user |= option == 'u';
	}
	if (argc - optind < 3) {
		fputs("usage: bench_cmd [-p] [-u] ROUNDS LABEL COMMAND ARG... "
		      "[-- LABEL COMMAND ARG...]...\n", stderr);
		return 1;
	}
	complaints = memfd_create("stderr", MFD_CLOEXEC);
	if (complaints < 0)
		die("memfd");
	rounds = atoi(argv[optind]);
	parse(argv + optind + 1);
	for (i = 0; i < rounds; i++)
		for (k = 0; k < n_commands; k++)
			run(&commands[k]);
	(by_user ? tell_user : tell)();
	return 0;
}
