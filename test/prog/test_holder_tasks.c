/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who holds a queue: threads, pid namespaces, many processes. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"
#include "harness.h"
#include "seek.h"

/* ---- threads ---- */

static int thread_out;

static void *own_table(void *arg)
{
	(void)arg;
	/* A copy of the table, so the queues in it are there twice. */
	if (unshare(CLONE_FILES))
		_exit(1);
	child_tell(thread_out, walk_tap("t0"));
	child_wait();
}

static void *same_table(void *arg)
{
	(void)arg;
	child_wait();
}

static void start_thread(void *(*run)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, NULL))
		_exit(1);
}

static void threads(int out, int in)
{
	(void)in;
	thread_out = out;
	start_thread(same_table);
	child_tell(out, walk_tap("t0"));
	start_thread(own_table);
}

START_TEST(thread_with_own_table)
{
	struct nsteer *ns = walk_begin();
	struct child c = child_start(threads);
	int all = child_hear(c.from), own = child_hear(c.from);
	struct found f;

	ck_assert_int_ne(all, own);
	seek(ns, "t0", &f);
	ck_assert_int_eq(f.count, 2);
	seek_one(&f, c.pid, all);
	ck_assert_uint_ne(seek_one(&f, c.pid, all)->index,
			  seek_one(&f, c.pid, own)->index);
	/* /proc shows those of the process. */
	seek_in_proc(&ns);
	seek(ns, "t0", &f);
	ck_assert_int_eq(f.count, 1);
	seek_one(&f, c.pid, all);
	nsteer_close(ns);
}
END_TEST

static void thread_alone(int out, int in)
{
	(void)in;
	thread_out = out;
	start_thread(own_table);
}

/* A queue that only a thread has can be taken since Linux 6.9. */
START_TEST(copy_of_a_thread)
{
	struct nsteer *ns = walk_begin();
	struct child c = child_start(thread_alone);
	struct take t = { .instead = -1, .fd = -1 };
	struct nst_holder_hidden hidden = { 0 };
	int own = child_hear(c.from);
	char why[NST_HOLDER_WHY];
	struct nst_tun_link link = seek_link(ns, "t0");
	struct found f;

	seek(ns, "t0", &f);
	ck_assert_int_eq(f.count, 1);
	seek_one(&f, c.pid, own);
	ck_assert_int_eq(nst_holder_walk(ns, &link, seek_take, &t, &hidden), 0);
	if (t.fd >= 0) {
		ck_assert(t.sure);
		ck_assert_uint_eq(hidden.count, 0);
	} else {
		ck_assert_int_eq(t.fd, -EINVAL);
		ck_assert_uint_eq(hidden.count, 1);
		ck_assert_ptr_nonnull(
			strstr(nst_holder_why(&hidden, why), "6.9"));
	}
	nsteer_close(ns);
}
END_TEST

static void leader_ends(int out, int in)
{
	(void)in;
	child_tell(out, walk_tap("t0"));
	start_thread(same_table);
	start_thread(same_table);
	start_thread(same_table);
	/* exit(2), not exit_group(2) */
	pthread_exit(NULL);
}

/* The process lives on in its threads. */
START_TEST(leader_has_ended)
{
	struct nsteer *ns = walk_begin();
	struct child c = child_start(leader_ends);
	int fd = child_hear(c.from);
	struct found f;
	char path[64], state = 0;
	FILE *stat;

	snprintf(path, sizeof(path), "/proc/%d/stat", c.pid);
	while (state != 'Z') {
		stat = fopen(path, "re");
		if (!stat || fscanf(stat, "%*d (%*[^)]) %c", &state) != 1)
			fx_die("%s", path);
		fclose(stat);
	}
	seek(ns, "t0", &f);
	ck_assert_int_eq(f.count, 1);
	seek_one(&f, c.pid, fd);
	nsteer_close(ns);
}
END_TEST

/* ---- pid namespaces ---- */

static void in_pid_namespace(int out, int in)
{
	struct nsteer *ns;
	struct found f;
	pid_t pid;

	if (unshare(CLONE_NEWPID))
		_exit(1);
	pid = fork();
	if (pid) {
		/* The number out here. */
		child_tell(out, pid);
		return;
	}
	fx_end_with_parent();
	child_hear(in);
	ns = raw_open();
	child_tell(out, walk_tap("t0"));
	seek(ns, "t0", &f);
	child_tell(out, f.count);
	child_tell(out, f.holders[0].pid);
	nsteer_close(ns);
	child_wait();
}

START_TEST(pid_namespace)
{
	struct nsteer *ns = walk_begin();
	struct child c;
	pid_t pid;
	int mine, fd;
	struct found f;

	c = child_start(in_pid_namespace);
	mine = walk_tap("t0");
	pid = child_hear(c.from);
	child_tell(c.to, 0);
	fd = child_hear(c.from);
	/* In there: the process itself, and nobody outside. */
	ck_assert_int_eq(child_hear(c.from), 1);
	ck_assert_int_eq(child_hear(c.from), 1);
	seek(ns, "t0", &f);
	ck_assert_int_eq(f.count, 2);
	ck_assert_int_ne(pid, 1);
	seek_one(&f, getpid(), mine);
	seek_one(&f, pid, fd);
	nsteer_close(ns);
}
END_TEST

/* ---- a busy host ---- */

START_TEST(crowd)
{
	enum { PROCESSES = 2000, DESCRIPTORS = 20 };
	struct nsteer *ns = walk_begin();
	uint64_t start, first_ns, next_ns, proc_ns;
	int i, fd;
	struct found f;

	for (i = 0; i < DESCRIPTORS; i++)
		if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
			fx_die("/dev/null: %s", strerror(errno));
	for (i = 0; i < PROCESSES; i++)
		if (!fx_fork())
			child_wait();
	fd = walk_tap("t0");
	start = fx_now_ns();
	seek(ns, "t0", &f);
	first_ns = fx_now_ns() - start;
	ck_assert_int_eq(f.count, 1);
	seek_one(&f, getpid(), fd);
	start = fx_now_ns();
	seek(ns, "t0", &f);
	next_ns = fx_now_ns() - start;
	ck_assert_int_eq(f.count, 1);
	ck_assert(f.hidden.all_seen);
	seek_in_proc(&ns);
	start = fx_now_ns();
	seek(ns, "t0", &f);
	proc_ns = fx_now_ns() - start;
	ck_assert_int_eq(f.count, 1);
	ck_assert(!f.hidden.all_seen);
	printf("%d processes: iterator %.1f ms, then %.1f ms; /proc %.1f ms\n",
	       PROCESSES, first_ns / 1e6, next_ns / 1e6, proc_ns / 1e6);
	nsteer_close(ns);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("holder, tasks");
	TCase *tc = tcase_create("tasks");

	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, thread_with_own_table);
	tcase_add_test(tc, copy_of_a_thread);
	tcase_add_test(tc, leader_has_ended);
	tcase_add_test(tc, pid_namespace);
	suite_add_tcase(s, tc);
	/* It measures. */
	tc = tcase_create("crowd");
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, crowd);
	suite_add_tcase(s, tc);
	return s;
}
NST_REGISTER(suite);
