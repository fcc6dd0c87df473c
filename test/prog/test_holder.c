/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who holds a queue, found by the iterator and through /proc. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "fixture.h"
#include "harness.h"
#include "seek.h"

/* ---- the same by both ways ---- */

static void three_queues(int out, int in)
{
	int i, fds[3];

	(void)in;
	prctl(PR_SET_NAME, "three (q) 1");
	for (i = 0; i < 3; i++)
		fds[i] = walk_tap("t0");
	fx_queue(fds[1], false);
	for (i = 0; i < 3; i++)
		child_tell(out, fds[i]);
}

START_TEST(both_ways)
{
	struct nsteer *ns = walk_begin();
	int mine = walk_tap("t0"), other = walk_tap("t1"), fd, i;
	const struct nst_holder *h;
	uint32_t indices = 0;
	struct child c = child_start(three_queues);
	struct found f;

	if (_i)
		seek_in_proc(&ns);
	for (i = 0; i < 3; i++) {
		fd = child_hear(c.from);
		seek(ns, "t0", &f);
		h = seek_one(&f, c.pid, fd);
		ck_assert_str_eq(h->comm, "three (q) 1");
		if (i == 2) {
			ck_assert_int_eq(h->detached, 0);
			ck_assert_int_eq(f.hidden.all_seen, !_i);
			/* The child's copy of mine is one more. */
			ck_assert_int_eq(f.count, 5);
		}
		ck_assert_int_eq(h->detached, i == 1);
		ck_assert_int_eq(h->has_index, !_i && i != 1);
		indices |= h->has_index ? 1u << h->index : 0;
	}
	h = seek_one(&f, getpid(), mine);
	indices |= h->has_index ? 1u << h->index : 0;
	ck_assert_uint_eq(indices, _i ? 0 : 7);
	ck_assert_uint_eq(f.hidden.count, 0);
	seek(ns, "t1", &f);
	seek_one(&f, getpid(), other);
	seek_one(&f, c.pid, other);
	ck_assert_int_eq(f.count, 2);
	seek(ns, NULL, &f);
	ck_assert_int_eq(f.count, 7);
	nsteer_close(ns);
}
END_TEST

/* The same names and numbers in another namespace are other devices. */
START_TEST(other_netns)
{
	struct nsteer *there = walk_begin(), *here;
	int fds[2], i;
	struct found f;

	fds[0] = walk_tap("t0");
	fx_netns();
	here = raw_open();
	fds[1] = walk_tap("t0");
	ck_assert_uint_eq(seek_link(there, "t0").ifindex,
			  seek_link(here, "t0").ifindex);
	if (_i)
		raw_drop_cap(CAP_BPF);
	for (i = 0; i < 4; i++) {
		seek(i & 1 ? here : there, i & 2 ? "t0" : NULL, &f);
		ck_assert_int_eq(f.count, 1);
		ck_assert_int_eq(f.holders[0].fd, fds[i & 1]);
		ck_assert_int_eq(f.hidden.all_seen, !_i);
	}
	nsteer_close(there);
	nsteer_close(here);
}
END_TEST

/* Callbacks that have enough. */
static int first(const struct nst_holder *holder, void *data)
{
	seek_keep(holder, data);
	return 1;
}

START_TEST(stops)
{
	struct nsteer *ns = walk_begin();
	struct found f = { .count = 0 };
	int a = walk_tap("t0"), b = walk_tap("t0");

	if (_i)
		seek_in_proc(&ns);
	ck_assert_int_eq(nst_holder_walk(ns, NULL, first, &f, &f.hidden), 0);
	ck_assert_int_eq(f.count, 1);
	/* And the next one begins at the beginning. */
	seek(ns, NULL, &f);
	ck_assert_int_eq(f.count, 2);
	seek_one(&f, getpid(), a);
	seek_one(&f, getpid(), b);
	nsteer_close(ns);
}
END_TEST

/* What is open and no queue of a device. */
START_TEST(no_queues)
{
	struct nsteer *ns = walk_begin();
	int fd = walk_tap("t0");
	struct found f;

	ck_assert_int_ge(open("/dev/net/tun", O_RDWR | O_CLOEXEC), 0);
	ck_assert_int_ge(open("/dev/net/tun", O_PATH | O_CLOEXEC), 0);
	if (_i)
		seek_in_proc(&ns);
	seek(ns, NULL, &f);
	ck_assert_int_eq(f.count, 1);
	seek_one(&f, getpid(), fd);
	/* The device goes, its queue stays open. */
	if (!_i && fx_sh("ip link del t0"))
		fx_die("t0 cannot be deleted");
	seek(ns, NULL, &f);
	ck_assert_int_eq(f.count, _i);
	nsteer_close(ns);
}
END_TEST

/* ---- copies ---- */

static void lose(cap_value_t cap)
{
	const cap_value_t drop[] = { cap, CAP_SYS_ADMIN };
	cap_t caps = cap_get_proc();

	/* To pidfd_getfd() what is permitted counts. */
	if (!caps || cap_set_flag(caps, CAP_EFFECTIVE, 2, drop, CAP_CLEAR) ||
	    cap_set_flag(caps, CAP_PERMITTED, 2, drop, CAP_CLEAR) ||
	    cap_set_proc(caps))
		fx_die("capability %d: %s", cap, strerror(errno));
	cap_free(caps);
}

START_TEST(copies)
{
	struct nsteer *ns = walk_begin();
	struct take t = { .instead = -1, .fd = -1 };
	int fd = walk_tap("t0"), other = walk_tap("t1");
	struct nst_tun_link link = seek_link(ns, "t0");
	struct nst_holder_hidden hidden = { 0 };
	struct nst_tun_queue queue;

	ck_assert_int_eq(nst_holder_walk(ns, &link, seek_take, &t, &hidden), 0);
	ck_assert_int_ge(t.fd, 0);
	ck_assert_int_ne(t.fd, fd);
	ck_assert(t.sure);
	ck_assert_int_eq(fcntl(t.fd, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(nst_tun_inspect_queue(ns, t.fd, &queue), 0);
	ck_assert_uint_eq(queue.state.ifindex, link.ifindex);
	close(t.fd);
	/* It was closed, and the number is another's by now. */
	t.instead = other;
	ck_assert_int_eq(nst_holder_walk(ns, &link, seek_take, &t, &hidden), 0);
	ck_assert_int_eq(t.fd, -ENODEV);
	ck_assert_uint_eq(hidden.count, 0);
	nsteer_close(ns);
}
END_TEST

START_TEST(copies_through_proc)
{
	struct nsteer *ns = walk_begin();
	struct take t = { .instead = -1, .fd = -1, .sure = true };
	struct nst_holder_hidden hidden = { 0 };
	struct nst_tun_link link;

	walk_tap("t0");
	link = seek_link(ns, "t0");
	seek_in_proc(&ns);
	ck_assert_int_eq(nst_holder_walk(ns, &link, seek_take, &t, &hidden), 0);
	ck_assert_int_ge(t.fd, 0);
	ck_assert(!t.sure);
	nsteer_close(ns);
}
END_TEST

static void one_queue(int out, int in)
{
	(void)in;
	child_tell(out, walk_tap("t0"));
}

/* To list holders takes no cap_sys_ptrace, to take from them does. */
START_TEST(without_ptrace)
{
	struct nsteer *ns = walk_begin();
	struct child c = child_start(one_queue);
	struct take t = { .instead = -1, .fd = -1 };
	struct nst_holder_hidden hidden = { 0 };
	char why[NST_HOLDER_WHY];
	struct nst_tun_link link;
	int fd = child_hear(c.from);
	struct found f;

	link = seek_link(ns, "t0");
	lose(CAP_SYS_PTRACE);
	seek(ns, "t0", &f);
	ck_assert_int_eq(f.count, 1);
	seek_one(&f, c.pid, fd);
	ck_assert_uint_eq(f.hidden.count, 0);
	ck_assert_int_eq(nst_holder_walk(ns, &link, seek_take, &t, &hidden), 0);
	ck_assert_int_eq(t.fd, -EPERM);
	ck_assert_uint_eq(hidden.count, 1);
	ck_assert_int_eq(hidden.pid, c.pid);
	ck_assert_int_eq(hidden.fd, fd);
	ck_assert_str_eq(nst_holder_why(&hidden, why),
			 "missing: cap_sys_ptrace");
	/* The other way finds the process, and may not look at it. */
	seek_in_proc(&ns);
	seek(ns, "t0", &f);
	ck_assert_int_eq(f.count, 0);
	ck_assert(!f.hidden.all_seen);
	nsteer_close(ns);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("holder");
	TCase *tc = tcase_create("ways");

	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, both_ways, 0, 2);
	tcase_add_loop_test(tc, other_netns, 0, 2);
	tcase_add_loop_test(tc, stops, 0, 2);
	tcase_add_loop_test(tc, no_queues, 0, 2);
	tcase_add_test(tc, copies);
	tcase_add_test(tc, copies_through_proc);
	tcase_add_test(tc, without_ptrace);
	suite_add_tcase(s, tc);
	return s;
}
NST_REGISTER(suite);
