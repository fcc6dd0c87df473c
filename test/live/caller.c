// SPDX-License-Identifier: GPL-2.0-or-later
/* Through the caller's own descriptor, wherever its device is. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "live.h"

START_TEST(attached)
{
	static const unsigned int flags[] = { TAP_MQ, TUN_MQ };
	struct fx_readers *r;
	struct lv_watch w;
	struct nsteer *ns;
	int fds[3], i;

	nst_need_root();
	fx_netns();
	lv_open_queues(fds, 3, "t0", flags[_i]);
	r = fx_read_fds(fds, 3, flags[_i]);
	fx_up("t0", 1);
	ns = lv_open(NULL);
	lv_watch_start(&w, "t0");
	for (i = 0; i < 6; i++) {
		lv_ok(ns,
		      lv_set_fd(ns, fds[i % 3], NSTEER_TUN_POLICY_FIXED, i));
		lv_policy_is(ns, fx_ifindex("t0"), NSTEER_TUN_POLICY_FIXED, i);
		lv_lands_on(r, 1, i % 3);
	}
	lv_ok(ns, lv_set_fd(ns, fds[1], NSTEER_TUN_POLICY_AUTOMQ, 0));
	lv_policy_is(ns, fx_ifindex("t0"), NSTEER_TUN_POLICY_AUTOMQ, 0);
	lv_watch_read(&w, "t0");
	ck_assert_uint_eq(w.queues_added, 0);
	ck_assert_uint_eq(w.queues_removed, 0);
	lv_watch_end(&w);
	nsteer_close(ns);
	fx_readers_end(r);
}
END_TEST

START_TEST(detached)
{
	struct nsteer_tun_steering *st;
	struct fx_readers *r;
	struct nsteer *ns;
	int fds[3];

	nst_need_root();
	fx_netns();
	lv_open_queues(fds, 3, "t0", TAP_MQ);
	ck_assert_int_eq(fx_queue(fds[2], false), 0);
	r = fx_read_fds(fds, 2, TAP_MQ);
	fx_up("t0", 1);
	ns = lv_open(NULL);
	lv_ok(ns, lv_set_fd(ns, fds[2], NSTEER_TUN_POLICY_FIXED, 1));
	lv_lands_on(r, 1, 1);
	lv_ok(ns, nsteer_tun_steering_get_fd(ns, fds[2], &st));
	ck_assert_int_eq(nsteer_tun_steering_policy(st),
			 NSTEER_TUN_POLICY_FIXED);
	nsteer_tun_steering_free(st);
	/* It is still detached. */
	ck_assert_int_eq(fx_queue(fds[2], false), -EINVAL);
	ck_assert_uint_eq(lv_active("t0"), 2);
	nsteer_close(ns);
	fx_readers_end(r);
}
END_TEST

/* Two namespaces with a t0 of the same index: the descriptor decides. */
START_TEST(other_netns)
{
	struct nsteer_tun_steering *st;
	struct nsteer *ns, *there;
	struct fx_readers *r;
	uint32_t ifindex;
	int here, fds[2];

	nst_need_root();
	fx_netns();
	here = fx_netns_fd();
	ifindex = fx_tun_make("t0", TAP_MQ);
	ns = lv_open(NULL);

	fx_netns();
	lv_open_queues(fds, 2, "t0", TAP_MQ);
	r = fx_read_fds(fds, 2, TAP_MQ);
	fx_up("t0", 1);
	there = lv_open(NULL);
	ck_assert_uint_eq(fx_ifindex("t0"), ifindex);

	lv_ok(ns, lv_set_fd(ns, fds[0], NSTEER_TUN_POLICY_FIXED, 1));
	ck_assert(!fx_in_netns(here));
	lv_policy_is(there, ifindex, NSTEER_TUN_POLICY_FIXED, 1);
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_AUTOMQ, 0);
	lv_lands_on(r, 1, 1);
	fx_enter_netns(here);
	lv_ok(ns, lv_set_fd(ns, fds[0], NSTEER_TUN_POLICY_FIXED, 0));
	ck_assert(fx_in_netns(here));
	lv_ok(ns, nsteer_tun_steering_get_fd(ns, fds[1], &st));
	ck_assert_int_eq(nsteer_tun_steering_policy(st),
			 NSTEER_TUN_POLICY_FIXED);
	nsteer_tun_steering_free(st);
	lv_policy_is(there, ifindex, NSTEER_TUN_POLICY_FIXED, 0);
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_AUTOMQ, 0);
	ck_assert(fx_in_netns(here));
	nsteer_close(there);
	nsteer_close(ns);
	fx_readers_end(r);
}
END_TEST

/* A caller that runs without standard input: its next descriptor is 0. */
START_TEST(other_netns_without_stdin)
{
	struct nsteer *ns, *there;
	uint32_t ifindex, there_ifindex;
	int here, fd;

	nst_need_root();
	fx_netns();
	ifindex = fx_tun_make("t0", TAP_MQ);
	ns = lv_open(NULL);
	here = fx_netns_fd();
	fx_netns();
	fd = fx_tun_open("t0", TAP_MQ);
	there = lv_open(NULL);
	there_ifindex = fx_ifindex("t0");
	fx_enter_netns(here);
	close(0);
	lv_ok(ns, lv_set_fd(ns, fd, NSTEER_TUN_POLICY_FIXED, 1));
	lv_policy_is(there, there_ifindex, NSTEER_TUN_POLICY_FIXED, 1);
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_AUTOMQ, 0);
	nsteer_close(there);
	nsteer_close(ns);
	close(fd);
}
END_TEST

START_TEST(bad)
{
	struct nsteer_tun_steering *st = NULL;
	struct nsteer *ns;
	int fd, other;

	nst_need_root();
	fx_netns();
	ns = lv_open(NULL);
	lv_fails(ns, lv_set_fd(ns, -1, NSTEER_TUN_POLICY_CPU, 0), -EBADF, "-1");
	lv_fails(ns, nsteer_tun_steering_get_fd(ns, 999, &st), -EBADF, "999");
	other = open("/dev/null", O_RDWR | O_CLOEXEC);
	lv_fails(ns, lv_set_fd(ns, other, NSTEER_TUN_POLICY_CPU, 0), -EBADF,
		 "no queue");
	close(other);
	other = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	lv_fails(ns, lv_set_fd(ns, other, NSTEER_TUN_POLICY_CPU, 0), -EBADF,
		 "no queue");
	close(other);
	other = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
	lv_fails(ns, lv_set_fd(ns, other, NSTEER_TUN_POLICY_CPU, 0), -EBADFD,
		 "not attached yet");
	close(other);

	fx_tun_make("t0", TAP_MQ);
	fd = fx_tun_open("t0", TAP_MQ);
	ck_assert_int_eq(fx_sh("ip link del t0"), 0);
	lv_fails(ns, lv_set_fd(ns, fd, NSTEER_TUN_POLICY_CPU, 0), -EBADFD,
		 "gone");
	lv_fails(ns, nsteer_tun_steering_get_fd(ns, fd, &st), -EBADFD, "gone");
	ck_assert_ptr_null(st);
	close(fd);
	nsteer_close(ns);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("caller");
	TCase *tc = tcase_create("caller");

	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, attached, 0, 2);
	tcase_add_test(tc, detached);
	tcase_add_test(tc, other_netns);
	tcase_add_test(tc, other_netns_without_stdin);
	tcase_add_test(tc, bad);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
