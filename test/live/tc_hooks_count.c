// SPDX-License-Identifier: GPL-2.0-or-later
/* How many filters are where, of the kernel's own. */
#include <errno.h>
#include <nsteer/tc.h>

#include "live.h"

static struct nsteer_tc_hooks *list(struct nsteer *ns, uint32_t ifindex)
{
	NSTEER_OPTS(nsteer_tc_hooks_opts, o, .ifindex = ifindex);
	struct nsteer_tc_hooks *h = NULL;

	lv_ok(ns, nsteer_tc_hooks_list(ns, &o, &h));
	return h;
}

static const struct nsteer_tc_place *
find_block(const struct nsteer_tc_hooks *h, uint32_t block)
{
	const struct nsteer_tc_place *p;
	size_t i;

	for (i = 0; (p = nsteer_tc_hooks_get(h, i)); i++)
		if (!nsteer_tc_place_ifindex(p) &&
		    nsteer_tc_place_block(p) == block)
			return p;
	ck_abort_msg("no block %u", block);
}

static void tc(const char *line)
{
	ck_assert_msg(!fx_sh("tc %s", line), "tc %s", line);
}

static void begin(void)
{
	nst_need_root();
	if (fx_sh("command -v tc >/dev/null"))
		nst_skip("machine: no tc");
	fx_netns();
	fx_tun_make("t0", TAP_ONE);
	if (fx_sh("tc qdisc add dev t0 clsact 2>/dev/null"))
		nst_skip("kernel: no clsact");
}

#define need_kind(kind)                                                        \
	do {                                                                   \
		if (fx_sh("tc filter add dev t0 ingress pref 9999 protocol ip "\
			  "%s 2>/dev/null && tc filter del dev t0 ingress "    \
			  "pref 9999", kind))                                  \
			nst_skip("kernel: no %s", kind);                       \
	} while (0)

START_TEST(shared_block)
{
	const struct nsteer_tc_place *p;
	enum nsteer_tc_hook hook;
	struct nsteer_tc_hooks *h;
	uint32_t dev, t1, t2;
	struct nsteer *ns;

	begin();
	t1 = fx_tun_make("t1", TAP_ONE);
	t2 = fx_tun_make("t2", TAP_ONE);
	need_kind("u32 match u8 0 0");
	tc("qdisc add dev t1 ingress_block 22 egress_block 23 clsact");
	tc("qdisc add dev t2 egress_block 22 clsact");
	tc("filter add block 22 pref 3 protocol ip u32 match u8 0 0");
	tc("filter add block 22 pref 3 protocol ip u32 match u8 1 1");
	tc("filter add block 22 pref 1 protocol ip chain 4 u32 match u8 0 0");
	ns = lv_open(NULL);
	h = list(ns, t2);
	ck_assert_uint_eq(nsteer_tc_hooks_count(h), 1);
	p = find_block(h, 22);
	/* Two tables and three filters. */
	ck_assert_uint_eq(nsteer_tc_place_filters(p), 5);
	ck_assert_uint_eq(nsteer_tc_classifier_filters(
				  nsteer_tc_place_classifier(p, 0)), 3);
	ck_assert_uint_eq(nsteer_tc_classifier_chain(
				  nsteer_tc_place_classifier(p, 1)), 4);
	ck_assert_uint_eq(nsteer_tc_place_device_count(p), 2);
	lv_ok(ns, nsteer_tc_place_device(p, 0, &dev, &hook));
	ck_assert_uint_eq(dev, t1);
	ck_assert_int_eq(hook, NSTEER_TC_HOOK_INGRESS);
	lv_ok(ns, nsteer_tc_place_device(p, 1, &dev, &hook));
	ck_assert_uint_eq(dev, t2);
	ck_assert_int_eq(hook, NSTEER_TC_HOOK_EGRESS);
	ck_assert_int_eq(nsteer_tc_place_device(p, 2, &dev, &hook), -ERANGE);
	nsteer_tc_hooks_free(h);
	nsteer_close(ns);
}
END_TEST

/* Many in few classifiers, of a kind that is terse and of one that is not. */
START_TEST(many)
{
	const struct nsteer_tc_place *p;
	struct nsteer_tc_hooks *h;
	struct lv_log log;
	struct nsteer *ns;

	begin();
	need_kind("flower");
	need_kind("u32 match u8 0 0");
	ck_assert(!fx_sh("seq 300 | sed 's/.*/filter add dev t0 ingress "
			 "pref 10 protocol ip flower ip_proto udp dst_port &/' "
			 "| tc -b -"));
	ck_assert(!fx_sh("seq 200 | sed 's/.*/filter add dev t0 ingress "
			 "chain 7 pref 30 protocol ip flower ip_proto tcp "
			 "dst_port &/' | tc -b -"));
	tc("filter add dev t0 ingress pref 20 protocol ip u32 match u8 0 0");
	ns = lv_open(&log);
	h = list(ns, 0);
	p = nsteer_tc_hooks_get(h, 0);
	ck_assert_uint_eq(nsteer_tc_place_ifindex(p), fx_ifindex("t0"));
	ck_assert_int_eq(nsteer_tc_place_hook(p), NSTEER_TC_HOOK_INGRESS);
	ck_assert_uint_eq(nsteer_tc_place_filters(p), 502);
	ck_assert_uint_eq(nsteer_tc_place_classifier_count(p), 3);
	ck_assert_uint_eq(nsteer_tc_classifier_filters(
				  nsteer_tc_place_classifier(p, 0)), 300);
	ck_assert_uint_eq(nsteer_tc_classifier_filters(
				  nsteer_tc_place_classifier(p, 2)), 200);
	ck_assert_str_eq(nsteer_tc_classifier_kind(
				 nsteer_tc_place_classifier(p, 1)), "u32");
	ck_assert_int_eq(log.count, 0);
	nsteer_tc_hooks_free(h);
	nsteer_close(ns);
}
END_TEST

START_TEST(no_such_device)
{
	NSTEER_OPTS(nsteer_tc_hooks_opts, o, .ifindex = 9999);
	struct nsteer_tc_hooks *h = NULL;
	struct nsteer *ns;

	begin();
	ns = lv_open(NULL);
	lv_fails(ns, nsteer_tc_hooks_list(ns, &o, &h), -ENODEV, "9999");
	ck_assert_ptr_null(h);
	nsteer_close(ns);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("tc hooks count");
	TCase *tc = tcase_create("count");

	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, shared_block);
	tcase_add_test(tc, many);
	tcase_add_test(tc, no_such_device);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
