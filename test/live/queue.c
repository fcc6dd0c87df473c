// SPDX-License-Identifier: GPL-2.0-or-later
/* Opening a queue: what the device is stays, what does not fit is explained. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "live.h"

static struct nsteer *begin(unsigned int flags, uint32_t *ifindex)
{
	nst_need_root();
	fx_netns();
	*ifindex = fx_tun_make("t0", flags);
	return lv_open(NULL);
}

static unsigned int flags_of(int fd)
{
	unsigned char ifr[40] = { 0 }; /* struct ifreq */
	short flags;

	ck_assert_int_eq(ioctl(fd, TUNGETIFF, ifr), 0);
	memcpy(&flags, ifr + 16, sizeof(flags));
	return (unsigned short)flags;
}

/* mode, multi_queue, pi, vnet_hdr by the bits of i */
static unsigned int flags_by_bits(int i)
{
	unsigned int flags = i & 1 ? IFF_TUN : IFF_TAP;

	flags |= i & 2 ? IFF_MULTI_QUEUE : 0;
	flags |= i & 4 ? 0 : IFF_NO_PI;
	flags |= i & 8 ? IFF_VNET_HDR : 0;
	return flags;
}

START_TEST(keeps_flags_of_idle_device)
{
	struct lv_link before, open, after;
	struct nsteer *ns;
	uint32_t ifindex;
	int fd;

	ns = begin(flags_by_bits(_i), &ifindex);
	ck_assert(lv_link("t0", &before));
	lv_ok(ns, nsteer_tun_queue_open(ns, ifindex, NULL, &fd));
	ck_assert(lv_link("t0", &open));
	close(fd);
	ck_assert(lv_link("t0", &after));
	open.queues = before.queues; /* the one that was opened */
	before.flags = open.flags = after.flags = 0;
	ck_assert_mem_eq(&before, &open, sizeof(before));
	ck_assert_mem_eq(&before, &after, sizeof(before));
	nsteer_close(ns);
}
END_TEST

/* Flags that rtnetlink does not tell. */
START_TEST(keeps_napi_of_idle_device)
{
	const unsigned int napi = IFF_NAPI | IFF_NAPI_FRAGS;
	struct nsteer *ns;
	uint32_t ifindex;
	int fd;

	ns = begin(TAP_MQ | napi, &ifindex);
	lv_ok(ns, nsteer_tun_queue_open(ns, ifindex, NULL, &fd));
	ck_assert_uint_eq(flags_of(fd) & napi, napi);
	close(fd);
	lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_CPU, 0));
	lv_ok(ns, nsteer_tun_queue_open(ns, ifindex, NULL, &fd));
	ck_assert_uint_eq(flags_of(fd) & napi, napi);
	close(fd);
	nsteer_close(ns);
}
END_TEST

START_TEST(opens_queues_of_held_device)
{
	struct fx_readers *r;
	struct nsteer *ns;
	uint32_t ifindex;
	int fd;

	ns = begin(TAP_MQ, &ifindex);
	r = fx_read_open("t0", TAP_MQ, 2);
	lv_ok(ns, nsteer_tun_queue_open(ns, ifindex, NULL, &fd));
	ck_assert_uint_eq(lv_active("t0"), 3);
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
	ck_assert_uint_eq(lv_active("t0"), 2);
	nsteer_close(ns);
	fx_readers_end(r);
}
END_TEST

START_TEST(opens_detached)
{
	NSTEER_OPTS(nsteer_tun_queue_opts, o, .detached = true);
	struct lv_link link;
	struct nsteer *ns;
	uint32_t ifindex;
	int fd;

	ns = begin(TAP_MQ, &ifindex);
	lv_ok(ns, nsteer_tun_queue_open(ns, ifindex, &o, &fd));
	ck_assert(lv_link("t0", &link));
	ck_assert_uint_eq(link.queues, 0);
	ck_assert_uint_eq(link.disabled, 1);
	ck_assert_uint_ne(flags_of(fd) & IFF_DETACH_QUEUE, 0);
	ck_assert_int_eq(fx_queue(fd, true), 0);
	ck_assert_uint_eq(lv_active("t0"), 1);
	close(fd);
	nsteer_close(ns);
}
END_TEST

static void refused(struct nsteer *ns, uint32_t ifindex,
		    const struct nsteer_tun_queue_opts *o, const char *is,
		    const char *wants)
{
	int fd = -77;

	lv_fails(ns, nsteer_tun_queue_open(ns, ifindex, o, &fd), -EINVAL, is);
	lv_says(nsteer_errmsg(ns), wants);
	ck_assert_int_eq(fd, -77);
}

START_TEST(wishes_that_do_not_fit)
{
	NSTEER_OPTS(nsteer_tun_queue_opts, tun, .mode = NSTEER_TUN_MODE_TUN);
	NSTEER_OPTS(nsteer_tun_queue_opts, tap, .mode = NSTEER_TUN_MODE_TAP);
	NSTEER_OPTS(nsteer_tun_queue_opts, one, .queues = 1);
	NSTEER_OPTS(nsteer_tun_queue_opts, four, .queues = 4);
	NSTEER_OPTS(nsteer_tun_queue_opts, detached, .detached = true);
	uint32_t many, single;
	struct nsteer *ns;
	int fd;

	ns = begin(TAP_MQ, &many);
	single = fx_tun_make("t1", IFF_TUN | IFF_NO_PI);
	refused(ns, many, &tun, "t0 is a tap", "wants a tun");
	refused(ns, single, &tap, "t1 is a tun", "wants a tap");
	refused(ns, many, &one, "t0 is multi_queue", "one queue");
	refused(ns, single, &four, "t1 is not multi_queue", "wants 4 queues");
	refused(ns, single, &detached, "t1 is not multi_queue", "detached");

	lv_ok(ns, nsteer_tun_queue_open(ns, many, &tap, &fd));
	close(fd);
	lv_ok(ns, nsteer_tun_queue_open(ns, many, &four, &fd));
	close(fd);
	lv_ok(ns, nsteer_tun_queue_open(ns, single, &one, &fd));
	close(fd);
	lv_ok(ns, nsteer_tun_queue_open(ns, single, &tun, &fd));
	close(fd);
	nsteer_close(ns);
}
END_TEST

START_TEST(wishes_that_exceed_the_kernel)
{
	NSTEER_OPTS(nsteer_tun_queue_opts, mode, .mode = 7);
	NSTEER_OPTS(nsteer_tun_queue_opts, most, .queues = 256);
	struct nsteer *ns;
	uint32_t ifindex;
	int fd = -77;

	ns = begin(TAP_MQ, &ifindex);
	lv_fails(ns, nsteer_tun_queue_open(ns, ifindex, &mode, &fd), -EINVAL,
		 "");
	ck_assert_int_eq(fd, -77);
	lv_ok(ns, nsteer_tun_queue_open(ns, ifindex, &most, &fd));
	close(fd);
	nsteer_close(ns);
}
END_TEST

START_TEST(busy)
{
	struct fx_readers *r;
	struct nsteer *ns;
	uint32_t ifindex;
	int fd = -77;

	ns = begin(TAP_ONE, &ifindex);
	r = fx_read_open("t0", TAP_ONE, 1);
	lv_fails(ns, nsteer_tun_queue_open(ns, ifindex, NULL, &fd), -EBUSY,
		 "t0 has one queue");
	ck_assert_int_eq(fd, -77);
	fx_readers_end(r);
	lv_ok(ns, nsteer_tun_queue_open(ns, ifindex, NULL, &fd));
	close(fd);
	nsteer_close(ns);
}
END_TEST

START_TEST(one_more_than_256)
{
	struct nsteer *ns;
	uint32_t ifindex;
	int fds[256], fd = -77, i;

	ns = begin(TAP_MQ, &ifindex);
	for (i = 0; i < 256; i++)
		lv_ok(ns, nsteer_tun_queue_open(ns, ifindex, NULL, &fds[i]));
	ck_assert_int_eq(fx_queue(fds[17], false), 0);
	lv_fails(ns, nsteer_tun_queue_open(ns, ifindex, NULL, &fd), -E2BIG,
		 "255 active, 1 disabled");
	lv_says(nsteer_errmsg(ns), "256");
	ck_assert_int_eq(fd, -77);
	/* A policy needs no queue more: the caller holds some. */
	lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_CPU, 0));
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_CPU, 0);
	close(fds[3]);
	lv_ok(ns, nsteer_tun_queue_open(ns, ifindex, NULL, &fd));
	nsteer_close(ns);
}
END_TEST

/* No queue can be opened, but one can be taken: the test's own. */
START_TEST(set_through_what_is_taken)
{
	struct fx_readers *r;
	struct nsteer *ns;
	uint32_t ifindex;
	int fds[256], i;

	ns = begin(TAP_MQ, &ifindex);
	for (i = 0; i < 256; i++)
		fds[i] = fx_tun_open("t0", TAP_MQ);
	ck_assert_int_ge(fds[255], 0);
	r = fx_read_fds(fds, 1, TAP_MQ);
	lv_drop(CAP_SYS_PTRACE);
	lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_CPU, 0));
	fx_readers_end(r);
	nsteer_close(ns);
}
END_TEST

/* Another user's process holds all queues there can be; one is disabled. */
static void hold_all(int ready)
{
	int fd = -1, i;

	for (i = 0; i < 256; i++)
		fd = fx_tun_open("t0", TAP_MQ);
	if (fd < 0 || fx_queue(fd, false))
		fx_die("256 queues: %s", strerror(errno));
	lv_become(1000, 1000);
	if (write(ready, "", 1) != 1)
		fx_die("pipe: %s", strerror(errno));
	for (;;)
		pause();
}

/* The setter may neither take a queue nor open one. */
START_TEST(set_on_a_full_device)
{
	struct nsteer *ns;
	uint32_t ifindex;
	int ready[2];
	char byte;

	ns = begin(TAP_MQ, &ifindex);
	if (pipe(ready))
		fx_die("pipe: %s", strerror(errno));
	if (!fx_fork())
		hold_all(ready[1]);
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	lv_drop(CAP_SYS_PTRACE);
	lv_fails(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_CPU, 0), -E2BIG,
		 "t0 has 256 queues (255 active, 1 disabled)");
	lv_says(nsteer_errmsg(ns), "cap_sys_ptrace");
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_AUTOMQ, 0);
	nsteer_close(ns);
}
END_TEST

START_TEST(gone)
{
	struct nsteer *ns;
	uint32_t ifindex;
	int fd = -77;

	ns = begin(TAP_MQ, &ifindex);
	ck_assert_int_eq(lv_link_del(ifindex), 0);
	lv_fails(ns, nsteer_tun_queue_open(ns, ifindex, NULL, &fd), -ENODEV,
		 "");
	ck_assert_uint_ne(fx_tun_make("t0", TAP_MQ), ifindex);
	lv_fails(ns, nsteer_tun_queue_open(ns, ifindex, NULL, &fd), -ENODEV,
		 "");
	ck_assert_int_eq(fd, -77);
	nsteer_close(ns);
}
END_TEST

/* ---- other users ---- */

START_TEST(owner_without_caps)
{
	NSTEER_OPTS(nsteer_tun_add_opts, add, .multi_queue = true,
		    .has_user = true, .user = 1000);
	NSTEER_OPTS(nsteer_tun_queue_opts, two, .queues = 2);
	struct nsteer *ns;
	uint32_t ifindex;
	int fd;

	nst_need_root();
	fx_netns();
	fx_private_dev(0666);
	ns = lv_open(NULL);
	lv_ok(ns, nsteer_tun_add(ns, "t0", &add, &ifindex));
	nsteer_close(ns);
	lv_become(1000, 1000);
	ns = lv_open(NULL);
	lv_ok(ns, nsteer_tun_queue_open(ns, ifindex, &two, &fd));
	lv_ok(ns, nsteer_tun_queue_open(ns, ifindex, &two, &fd));
	ck_assert_uint_eq(lv_active("t0"), 2);
	nsteer_close(ns);
}
END_TEST

START_TEST(owner_group_without_caps)
{
	NSTEER_OPTS(nsteer_tun_add_opts, add, .has_group = true,
		    .group = 1234);
	struct nsteer *ns;
	uint32_t ifindex;
	int fd;

	nst_need_root();
	fx_netns();
	fx_private_dev(0666);
	ns = lv_open(NULL);
	lv_ok(ns, nsteer_tun_add(ns, "t0", &add, &ifindex));
	nsteer_close(ns);
	lv_become(1000, 1234);
	ns = lv_open(NULL);
	lv_ok(ns, nsteer_tun_queue_open(ns, ifindex, NULL, &fd));
	nsteer_close(ns);
}
END_TEST

START_TEST(other_user_without_caps)
{
	NSTEER_OPTS(nsteer_tun_add_opts, add, .has_user = true, .user = 1000);
	uint32_t owned, unowned;
	struct nsteer *ns;
	int fd = -77;

	nst_need_root();
	fx_netns();
	fx_private_dev(0666);
	ns = lv_open(NULL);
	lv_ok(ns, nsteer_tun_add(ns, "t0", &add, &owned));
	lv_ok(ns, nsteer_tun_add(ns, "t1", NULL, &unowned));
	nsteer_close(ns);
	lv_become(1001, 1001);
	ns = lv_open(NULL);
	lv_fails(ns, nsteer_tun_queue_open(ns, owned, NULL, &fd), -EPERM,
		 "user 1000");
	ck_assert_ptr_nonnull(nsteer_err_cap(ns));
	ck_assert_str_eq(nsteer_err_cap(ns), "cap_net_admin");
	/* Before 6.x a device without an owner was anybody's. */
	if (nsteer_tun_queue_open(ns, unowned, NULL, &fd))
		ck_assert_str_eq(nsteer_err_cap(ns), "cap_net_admin");
	nsteer_close(ns);
}
END_TEST

START_TEST(chardev_not_ours)
{
	struct nsteer *ns;
	uint32_t ifindex;
	int fd = -77;

	nst_need_root();
	fx_netns();
	fx_private_dev(0600);
	fx_tun_make("t0", TAP_MQ);
	ifindex = fx_ifindex("t0");
	lv_become(1000, 1000);
	ns = lv_open(NULL);
	lv_fails(ns, nsteer_tun_queue_open(ns, ifindex, NULL, &fd), -EACCES,
		 "/dev/net/tun");
	lv_fails(ns, nsteer_tun_add(ns, "t1", NULL, &ifindex), -EACCES,
		 "/dev/net/tun");
	ck_assert_int_eq(fd, -77);
	nsteer_close(ns);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("queue");
	TCase *tc = tcase_create("queue");

	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, keeps_flags_of_idle_device, 0, 16);
	tcase_add_test(tc, keeps_napi_of_idle_device);
	tcase_add_test(tc, opens_queues_of_held_device);
	tcase_add_test(tc, opens_detached);
	tcase_add_test(tc, wishes_that_do_not_fit);
	tcase_add_test(tc, wishes_that_exceed_the_kernel);
	tcase_add_test(tc, busy);
	tcase_add_test(tc, one_more_than_256);
	tcase_add_test(tc, set_through_what_is_taken);
	tcase_add_test(tc, set_on_a_full_device);
	tcase_add_test(tc, gone);
	tcase_add_test(tc, owner_without_caps);
	tcase_add_test(tc, owner_group_without_caps);
	tcase_add_test(tc, other_user_without_caps);
	tcase_add_test(tc, chardev_not_ours);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
