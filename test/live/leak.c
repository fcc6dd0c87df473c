// SPDX-License-Identifier: GPL-2.0-or-later
/* Long use of one context, and two at once. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "live.h"

/* A guest is emulated, and what leaks there is seen sooner. */
#define ROUNDS (getenv("NSTEER_GUEST") ? 100 : 500)
#define WARM_UP 50
#define SLACK_KB 160

static int count_fds(void)
{
	int fd, n = 0;
	char path[32];

	for (fd = 0; fd < 1024; fd++) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		n += !access(path, F_OK) || errno != ENOENT;
	}
	return n;
}

static void flat(int fds, long kb)
{
	ck_assert_int_eq(count_fds(), fds);
#ifndef __SANITIZE_ADDRESS__ /* which keeps what was freed for a while */
	ck_assert_int_lt(lv_rss_kb(), kb + SLACK_KB);
#else
	(void)kb;
#endif
}

/* Everything that can be called, also what fails. */
static void use(struct nsteer *ns, uint32_t ifindex, int i)
{
	NSTEER_OPTS(nsteer_tun_list_opts, all, .steering = true, .stats = true,
		    .processes = true);
	struct nsteer_tun_steering *st;
	struct nsteer_tun_list *l;
	uint32_t other;
	int fd;

	lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_FIXED, i));
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_FIXED, i);
	lv_ok(ns, nsteer_tun_list(ns, &all, &l));
	ck_assert_uint_eq(nsteer_tun_list_count(l), 2);
	nsteer_tun_list_free(l);
	lv_ok(ns, nsteer_tun_queue_open(ns, ifindex, NULL, &fd));
	lv_ok(ns, lv_set_fd(ns, fd, NSTEER_TUN_POLICY_CPU, 0));
	lv_ok(ns, nsteer_tun_steering_get_fd(ns, fd, &st));
	nsteer_tun_steering_free(st);
	close(fd);
	ck_assert_int_eq(lv_set(ns, 999, NSTEER_TUN_POLICY_CPU, 0), -ENODEV);
	ck_assert_int_eq(lv_set(ns, 1, NSTEER_TUN_POLICY_CPU, 0), -EOPNOTSUPP);
	ck_assert_int_eq(lv_set_fd(ns, 0, NSTEER_TUN_POLICY_CPU, 0), -EBADF);
	ck_assert_int_eq(nsteer_tun_add(ns, "t0", NULL, &other), -EEXIST);
	ck_assert_int_eq(nsteer_tun_del(ns, ifindex, NULL), -EBUSY);
}

START_TEST(one_context)
{
	struct fx_readers *r;
	struct nsteer *ns;
	uint32_t ifindex;
	int i, fds = 0;
	long kb = 0;

	nst_need_root();
	fx_netns();
	ifindex = fx_tun_make("t0", TAP_MQ);
	fx_tun_make("t1", TAP_ONE);
	r = fx_read_open("t0", TAP_MQ, 2);
	fx_up("t0", 1);
	ns = lv_open(NULL);
	for (i = 0; i < ROUNDS; i++) {
		use(ns, ifindex, i);
		if (i == WARM_UP) {
			fds = count_fds();
			kb = lv_rss_kb();
		}
	}
	flat(fds, kb);
	nsteer_close(ns);
	fx_readers_end(r);
}
END_TEST

START_TEST(many_contexts)
{
	struct fx_readers *r;
	struct nsteer *ns;
	uint32_t ifindex;
	int i, fds, other;
	long kb = 0;

	nst_need_root();
	fx_netns();
	fx_tun_make("t0", TAP_MQ);
	other = fx_netns_fd();
	fx_netns();
	ifindex = fx_tun_make("t0", TAP_MQ);
	fx_tun_make("t1", TAP_ONE);
	r = fx_read_open("t0", TAP_MQ, 2);
	fx_up("t0", 1);
	fds = count_fds();
	for (i = 0; i < ROUNDS / 2; i++) {
		NSTEER_OPTS(nsteer_open_opts, o, .netns_fd = other);
		NSTEER_OPTS(nsteer_open_opts, bad, .netns = "no-such-name");

		ns = lv_open(NULL);
		use(ns, ifindex, i);
		nsteer_close(ns);
		ns = lv_open_opts(&o);
		lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_FIXED, i));
		nsteer_close(ns);
		ck_assert_int_eq(nsteer_open(&bad, &ns), -ENOENT);
		nsteer_close(ns);
		if (i == WARM_UP)
			kb = lv_rss_kb();
	}
	flat(fds, kb);
	fx_readers_end(r);
}
END_TEST

/* ---- threads ---- */

/* Each in a namespace of its own, on a device of the same name and index. */
static void *work(void *arg)
{
	const int first = *(int *)arg;
	struct nsteer *ns;
	uint32_t ifindex;
	int i, fd;

	fx_netns();
	ifindex = fx_tun_make("t0", TAP_MQ);
	fx_tun_make("t1", TAP_MQ);
	fd = fx_tun_open("t0", TAP_MQ);
	ns = lv_open(NULL);
	for (i = first; i < first + ROUNDS / 4; i++)
		use(ns, ifindex, i);
	lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_FIXED, first));
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_FIXED, first);
	nsteer_close(ns);
	close(fd);
	return NULL;
}

START_TEST(two_threads)
{
	int first[2] = { 1000, 2000 }, i;
	pthread_t thread[2];

	nst_need_root();
	for (i = 0; i < 2; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, work,
						&first[i]), 0);
	for (i = 0; i < 2; i++)
		ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("leak");
	TCase *tc = tcase_create("leak");

	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, one_context);
	suite_add_tcase(s, tc);
	tc = tcase_create("contexts");
	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, many_contexts);
	tcase_add_test(tc, two_threads);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
