/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tally {
	int passed;
	int failed;
	int skipped;
};

static struct {
	const char *file;
	Suite *(*make)(void);
} suites[64];
static int n_suites;
static int skip_pipe[2];

void nst_register(const char *file, Suite *(*make)(void))
{
	if (n_suites == (int)(sizeof(suites) / sizeof(suites[0])))
		abort();
	suites[n_suites].file = file;
	suites[n_suites++].make = make;
}

void nst_skip_in(const char *function, const char *fmt, ...)
{
	char reason[400], line[512];
	size_t name = strlen(function);
	va_list ap;
	int n;

	va_start(ap, fmt);
	vsnprintf(reason, sizeof(reason), fmt, ap);
	va_end(ap);
	/* START_TEST(name) makes a function of name_fn. */
	if (name > 3 && !strcmp(function + name - 3, "_fn"))
		name -= 3;
	n = snprintf(line, sizeof(line), "%s (%.*s)\n", reason,
		     (int)(name < 80 ? name : 80), function);
	/* One write below PIPE_BUF is one line, whoever else writes. */
	if (write(skip_pipe[1], line, n) != n)
		_exit(1);
	/* Check takes an exit status of 0 for a test that passed. */
	exit(0);
}

const char *nst_no_closed_bpf(void)
{
	char c = '?';
	int fd = open("/proc/sys/kernel/unprivileged_bpf_disabled",
		      O_RDONLY | O_CLOEXEC);

	/* Without the file there is no way to close it. */
	if (fd >= 0 && read(fd, &c, 1) == 1 && c != '0') {
		close(fd);
		return NULL;
	}
	return "machine: bpf() is open to everybody";
}

/* Those since the last time. */
static int count_skips(FILE *skips, const char *suite)
{
	char line[512];
	int n = 0;

	while (fgets(line, sizeof(line), skips)) {
		printf("%s: skipped: %s", suite, line);
		n++;
	}
	clearerr(skips);
	return n;
}

static void print_tally(const char *name, const struct tally *t)
{
	printf("%s: %d passed, %d failed, %d skipped\n", name, t->passed,
	       t->failed, t->skipped);
	fflush(stdout);
}

/* TIER/FILE, of test/TIER/test_FILE.c */
static void suite_name(const char *tier, const char *file, char name[64])
{
	const char *base = strrchr(file, '/');
	int len;

	base = base ? base + 1 : file;
	if (!strncmp(base, "test_", 5))
		base += 5;
	len = strcspn(base, ".");
	snprintf(name, 64, "%s/%.*s", tier, len, base);
}

static void run_suite(const char *tier, int i, FILE *skips, struct tally *sum)
{
	SRunner *sr = srunner_create(suites[i].make());
	struct tally t;
	char name[64];
	int run;

	suite_name(tier, suites[i].file, name);
	/* Without the summary, unless the user wants it. */
	srunner_run_all(sr, getenv("CK_VERBOSITY") ? CK_ENV : CK_SILENT);
	run = srunner_ntests_run(sr);
	t.failed = srunner_ntests_failed(sr);
	if (t.failed && !getenv("CK_VERBOSITY"))
		srunner_print(sr, CK_NORMAL);
	srunner_free(sr);
	t.skipped = count_skips(skips, name);
	t.passed = run - t.failed - t.skipped;
	/* CK_RUN_SUITE, CK_INCLUDE_TAGS and the like leave some out. */
	if (run)
		print_tally(name, &t);
	sum->passed += t.passed;
	sum->failed += t.failed;
	sum->skipped += t.skipped;
}

int main(int argc, char **argv)
{
	const char *tier = argc > 1 ? argv[1] : "test";
	struct tally sum = { 0 };
	FILE *skips;
	int i;

	/* Not to block: a stray child may still have the other end. */
	if (pipe2(skip_pipe, O_CLOEXEC | O_NONBLOCK))
		return 2;
	skips = fdopen(skip_pipe[0], "r");
	if (!skips)
		return 2;
	if (!getenv("NSTEER_GUEST"))
		setenv("CK_EXCLUDE_TAGS", NST_GUEST_ONLY, 0);
	for (i = 0; i < n_suites; i++)
		run_suite(tier, i, skips, &sum);
	fclose(skips);
	print_tally(tier, &sum);
	return sum.failed || !(sum.passed + sum.skipped);
}
