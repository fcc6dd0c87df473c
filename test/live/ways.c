// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * By index the library finds its way to a queue: a copy of a holder's, else one
 * of its own. Which one it took is seen from the device: a queue more is a
 * uevent, the first queue of an idle device brings the carrier.
 */
#include <errno.h>
#include <unistd.h>

#include "live.h"

/* ---- a holder's ---- */

START_TEST(holder_fd)
{
	static const struct {
		unsigned int flags;
		int queues;
	} shapes[] = {
		{ TAP_MQ, 2 },
		{ TUN_MQ, 2 },
		{ (TAP_MQ | IFF_VNET_HDR) & ~IFF_NO_PI, 2 },
		{ TAP_ONE, 1 },
	};
	const unsigned int flags = shapes[_i].flags;
	const int queues = shapes[_i].queues;
	struct lv_link before, after;
	struct fx_readers *r;
	struct lv_watch w;
	struct nsteer *ns;
	uint32_t ifindex;
	int i;

	nst_need_root();
	fx_netns();
	ifindex = fx_tun_make("t0", flags);
	r = fx_read_open("t0", flags, queues);
	fx_up("t0", 1);
	fx_wait_running("t0");
	ns = lv_open(NULL);
	ck_assert(lv_link("t0", &before));
	lv_watch_start(&w, "t0");
	for (i = 0; i < 20; i++) {
		lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_FIXED, i));
		lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_FIXED, i);
		lv_lands_on(r, 1, i % queues);
	}
	lv_watch_settle();
	lv_watch_read(&w, "t0");
	ck_assert_uint_eq(w.queues_added, 0);
	ck_assert_uint_eq(w.queues_removed, 0);
	ck_assert_uint_eq(w.carrier_up + w.carrier_down, 0);
	lv_watch_end(&w);
	ck_assert(lv_link("t0", &after));
	ck_assert_mem_eq(&before, &after, sizeof(before));
	nsteer_close(ns);
	fx_readers_end(r);
}
END_TEST

/* A holder whose only queue is a detached one. */
START_TEST(holder_fd_detached)
{
	struct fx_readers *r;
	struct lv_watch w;
	struct nsteer *ns;
	uint32_t ifindex;

	nst_need_root();
	fx_netns();
	ifindex = fx_tun_make("t0", TAP_MQ);
	r = fx_read_open("t0", TAP_MQ, 2);
	fx_up("t0", 1);
	fx_readers_detach(r, 1);
	fx_readers_detach(r, 0);
	ns = lv_open(NULL);
	lv_watch_start(&w, "t0");
	lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_FIXED, 1));
	lv_watch_read(&w, "t0");
	ck_assert_uint_eq(w.queues_added, 0);
	lv_watch_end(&w);
	fx_readers_attach(r, 0);
	fx_readers_attach(r, 1);
	lv_lands_on(r, 1, 1);
	nsteer_close(ns);
	fx_readers_end(r);
}
END_TEST

/* The same name elsewhere is another device, and its holder nobody here. */
START_TEST(holder_in_other_netns_is_none)
{
	struct nsteer *ns, *there;
	struct fx_readers *r;
	uint32_t ifindex;

	nst_need_root();
	fx_netns();
	ifindex = fx_tun_make("t0", TAP_MQ);
	r = fx_read_open("t0", TAP_MQ, 2);
	there = lv_open(NULL);
	fx_netns();
	ck_assert_uint_eq(fx_tun_make("t0", TAP_MQ), ifindex);
	ns = lv_open(NULL);
	lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_FIXED, 1));
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_FIXED, 1);
	lv_policy_is(there, ifindex, NSTEER_TUN_POLICY_AUTOMQ, 0);
	nsteer_close(there);
	nsteer_close(ns);
	fx_readers_end(r);
}
END_TEST

/* The holder sits in another namespace than the device that it holds. */
START_TEST(holder_elsewhere_is_found)
{
	struct fx_readers *r;
	struct lv_watch w;
	struct nsteer *ns;
	uint32_t ifindex;
	int here, fds[2];

	nst_need_root();
	fx_netns();
	here = fx_netns_fd();
	ifindex = fx_tun_make("t0", TAP_MQ);
	lv_open_queues(fds, 2, "t0", TAP_MQ);
	fx_netns();
	r = fx_read_fds(fds, 2, TAP_MQ);
	close(fds[0]);
	close(fds[1]);
	fx_enter_netns(here);
	fx_up("t0", 1);
	ns = lv_open(NULL);
	lv_watch_start(&w, "t0");
	lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_FIXED, 1));
	lv_watch_read(&w, "t0");
	ck_assert_uint_eq(w.queues_added, 0);
	lv_watch_end(&w);
	lv_lands_on(r, 1, 1);
	nsteer_close(ns);
	fx_readers_end(r);
}
END_TEST

/* As container runtimes do it: the device goes, its holder stays. */
START_TEST(holder_of_a_moved_device)
{
	struct fx_readers *r;
	struct lv_watch w;
	struct nsteer *ns;
	int from, to;
	pid_t pid;

	nst_need_root();
	fx_netns();
	to = fx_netns_fd();
	pid = fx_fork();
	if (!pid)
		for (;;)
			pause();
	fx_netns();
	from = fx_netns_fd();
	fx_tun_make("t0", TAP_MQ);
	r = fx_read_open("t0", TAP_MQ, 2);
	if (fx_sh("ip link set t0 netns %d", pid))
		fx_die("t0 cannot be moved");
	fx_enter_netns(to);
	fx_up("t0", 1);
	ns = lv_open(NULL);
	lv_watch_start(&w, "t0");
	lv_ok(ns, lv_set(ns, fx_ifindex("t0"), NSTEER_TUN_POLICY_FIXED, 1));
	lv_watch_read(&w, "t0");
	ck_assert_uint_eq(w.queues_added, 0);
	lv_watch_end(&w);
	lv_lands_on(r, 1, 1);
	close(from);
	nsteer_close(ns);
	fx_readers_end(r);
}
END_TEST

/* ---- the library's own ---- */

START_TEST(own_queue_beside_holder)
{
	struct fx_readers *r;
	struct lv_watch w;
	struct nsteer *ns;
	uint32_t ifindex;

	nst_need_root();
	fx_netns();
	ifindex = fx_tun_make("t0", TAP_MQ);
	r = fx_read_open("t0", TAP_MQ, 2);
	fx_up("t0", 1);
	lv_drop(CAP_SYS_PTRACE);
	ns = lv_open(NULL);
	lv_watch_start(&w, "t0");
	lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_FIXED, 1));
	lv_watch_read(&w, "t0");
	/* This is what the tests above would have seen. */
	ck_assert_uint_eq(w.queues_added, 1);
	ck_assert_uint_eq(w.queues_removed, 1);
	ck_assert_uint_eq(w.carrier_up + w.carrier_down, 0);
	lv_watch_end(&w);
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_FIXED, 1);
	ck_assert_uint_eq(lv_active("t0"), 2);
	lv_lands_on(r, 1, 1);
	nsteer_close(ns);
	fx_readers_end(r);
}
END_TEST

START_TEST(own_queue_of_single_queue_device)
{
	struct fx_readers *r;
	struct nsteer *ns;
	uint32_t ifindex;

	nst_need_root();
	fx_netns();
	ifindex = fx_tun_make("t0", TAP_ONE);
	r = fx_read_open("t0", TAP_ONE, 1);
	lv_drop(CAP_SYS_PTRACE);
	ns = lv_open(NULL);
	lv_fails(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_CPU, 0), -EBUSY,
		 "cap_sys_ptrace");
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_AUTOMQ, 0);
	nsteer_close(ns);
	fx_readers_end(r);
}
END_TEST

/* The device that nobody holds: what it is set to it stays. */
START_TEST(own_queue_of_idle_device)
{
	static const unsigned int flags[] = {
		TAP_MQ,
		TUN_MQ,
		TAP_MQ | IFF_VNET_HDR,
		TAP_MQ & ~IFF_NO_PI,
		(TUN_MQ & ~IFF_NO_PI) | IFF_VNET_HDR,
		TAP_ONE,
		(TAP_ONE & ~IFF_NO_PI) | IFF_VNET_HDR,
		IFF_TUN,
	};
	struct lv_link before, after;
	struct lv_watch w;
	struct nsteer *ns;
	uint32_t ifindex;

	nst_need_root();
	fx_netns();
	ifindex = fx_tun_make("t0", flags[_i]);
	fx_up("t0", 1);
	ns = lv_open(NULL);
	ck_assert(lv_link("t0", &before));
	lv_watch_start(&w, "t0");
	ck_assert(!w.running);
	lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_CPU, 0));
	lv_watch_settle();
	lv_watch_read(&w, "t0");
	ck_assert_uint_le(w.carrier_up, 1);
	ck_assert_uint_eq(w.carrier_up, w.carrier_down);
	lv_watch_end(&w);
	ck_assert(lv_link("t0", &after));
	after.flags = before.flags; /* IFF_RUNNING before the first carrier */
	ck_assert_mem_eq(&before, &after, sizeof(before));
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_CPU, 0);
	nsteer_close(ns);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("ways");
	TCase *tc = tcase_create("ways");

	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, holder_fd, 0, 4);
	tcase_add_test(tc, holder_fd_detached);
	tcase_add_test(tc, holder_in_other_netns_is_none);
	tcase_add_test(tc, holder_elsewhere_is_found);
	tcase_add_test(tc, holder_of_a_moved_device);
	tcase_add_test(tc, own_queue_beside_holder);
	tcase_add_test(tc, own_queue_of_single_queue_device);
	tcase_add_loop_test(tc, own_queue_of_idle_device, 0, 8);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
