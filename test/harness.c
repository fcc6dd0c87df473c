/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static Suite *(*makers[64])(void);
static int n_makers;
static int skip_pipe[2];

void nst_register(Suite *(*make)(void))
{
	if (n_makers == (int)(sizeof(makers) / sizeof(makers[0])))
		abort();
	makers[n_makers++] = make;
}

void nst_skip(const char *fmt, ...)
{
	char line[512];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line) - 1, fmt, ap);
	va_end(ap);
	if (n > (int)sizeof(line) - 2)
		n = sizeof(line) - 2;
	line[n++] = '\n';
	/* One write below PIPE_BUF is one line, whoever else writes. */
	if (write(skip_pipe[1], line, n) != n)
		_exit(1);
	/* Check takes an exit status of 0 for a test that passed. */
	exit(0);
}

void nst_need_root(void)
{
	if (geteuid())
		nst_skip("needs root");
}

void nst_need_closed_bpf(void)
{
	char c = '?';
	int fd = open("/proc/sys/kernel/unprivileged_bpf_disabled",
		      O_RDONLY | O_CLOEXEC);

	/* Without the file there is no way to close it. */
	if (fd >= 0 && read(fd, &c, 1) == 1 && c != '0') {
		close(fd);
		return;
	}
	nst_skip("machine: bpf() is open to everybody");
}

static int count_skips(const char *tier)
{
	char line[512];
	int n = 0;
	FILE *f;

	f = fdopen(skip_pipe[0], "r");
	while (f && fgets(line, sizeof(line), f)) {
		printf("%s: skipped: %s", tier, line);
		n++;
	}
	if (f)
		fclose(f);
	return n;
}

int main(int argc, char **argv)
{
	const char *tier = argc > 1 ? argv[1] : "test";
	int i, run, failed, skipped;
	SRunner *sr = srunner_create(NULL);

	/* Not to block: a stray child may still have the other end. */
	if (pipe2(skip_pipe, O_CLOEXEC | O_NONBLOCK))
		return 2;
	for (i = 0; i < n_makers; i++)
		srunner_add_suite(sr, makers[i]());
	srunner_run_all(sr, CK_ENV);
	run = srunner_ntests_run(sr);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	skipped = count_skips(tier);
	printf("%s: %d passed, %d failed, %d skipped\n", tier,
	       run - failed - skipped, failed, skipped);
	return failed || !run;
}
