// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tun as a module that comes and goes: only in guests, where nobody else has a
 * device of it.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "live.h"

static bool is_loaded(void)
{
	return !access("/sys/module/tun", F_OK);
}

/* A device that has just been deleted holds it for a moment more. */
static void unload(void)
{
	uint64_t end = fx_now_ns() + 20000000000ull;

	while (is_loaded()) {
		if (fx_now_ns() > end)
			fx_die("tun cannot be unloaded");
		if (fx_sh("modprobe -r tun 2>/dev/null"))
			usleep(100000);
	}
}

static size_t count(struct nsteer *ns)
{
	NSTEER_OPTS(nsteer_tun_list_opts, o, .steering = true, .stats = true,
		    .processes = true);
	struct nsteer_tun_list *l;
	size_t n;

	lv_ok(ns, nsteer_tun_list(ns, &o, &l));
	n = nsteer_tun_list_count(l);
	nsteer_tun_list_free(l);
	return n;
}

/* What a context knows of the kernel's types outlives the module. */
START_TEST(a_context_outlives_it)
{
	NSTEER_OPTS(nsteer_tun_add_opts, o, .multi_queue = true);
	struct nsteer_tun_steering *st;
	struct lv_log log;
	struct nsteer *ns;
	uint32_t ifindex;
	int i;

	if (!getenv("NSTEER_GUEST"))
		nst_skip("machine: not a guest, where tun may be unloaded");
	unload();
	fx_netns();
	ns = lv_open(&log);
	for (i = 0; i < 3; i++) {
		ck_assert_uint_eq(count(ns), 0);
		ck_assert(!is_loaded());
		/* lo: a device, and none of tun's. */
		lv_fails(ns, nsteer_tun_steering_get(ns, 1, &st), -EOPNOTSUPP,
			 "lo");
		lv_ok(ns, nsteer_tun_add(ns, "t0", &o, &ifindex));
		ck_assert(is_loaded());
		lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_AUTOMQ, 0);
		lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_FIXED, i));
		lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_FIXED, i);
		ck_assert_uint_eq(count(ns), 1);
		ck_assert_int_eq(lv_link_del(ifindex), 0);
		unload();
	}
	/* That the device has no queue yet, each time. */
	ck_assert_int_eq(log.count, 3);
	nsteer_close(ns);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("module");
	TCase *tc = tcase_create("module");

	tcase_set_tags(tc, NST_GUEST_ONLY);
	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, a_context_outlives_it);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
