// SPDX-License-Identifier: GPL-2.0-or-later
/* Where filters are, and how many. */
#include "tc_hooks_kernel.h"

START_TEST(counts)
{
	const struct nlattr *tb[TCA_DUMP_FLAGS + 1];
	const struct nsteer_tc_place *p;
	struct kernel k;

	kernel_new(&k);
	say_devices(&k);
	say_places(k.s);
	say_filters(k.s);
	list_ok(&k, 0, false);
	NST_NLA_PARSE_MSG(script_sent(k.s), sizeof(struct tcmsg), tb,
			  TCA_DUMP_FLAGS);
	ck_assert(tb[TCA_DUMP_FLAGS]);
	p = place_is(&k, 0, 3, NSTEER_TC_HOOK_ANY, 0, 1);
	ck_assert_uint_eq(nsteer_tc_place_parent(p), 1 << 16);
	classifier_is(p, 0, 0, 1, "flower", 1);
	p = place_is(&k, 1, 0, NSTEER_TC_HOOK_ANY, 9, 13);
	ck_assert_uint_eq(nsteer_tc_place_parent(p), 0);
	classifier_is(p, 0, 0, 10, "flower", 10);
	classifier_is(p, 1, 0, 20, "flower", 1);
	classifier_is(p, 2, 5, 3, "flower", 2);
	ck_assert_uint_eq(nsteer_tc_place_classifier_count(p), 3);
	ck_assert_ptr_null(nsteer_tc_place_classifier(p, 3));
	bound_is(p, 0, 5, IN);
	bound_is(p, 1, 2, IN);
	ck_assert_uint_eq(nsteer_tc_place_device_count(p), 2);
	ck_assert_uint_eq(nsteer_tc_place_program_count(p), 0);
	ck_assert_uint_eq(nsteer_tc_hooks_count(k.hooks), 2);
	ck_assert_ptr_null(nsteer_tc_hooks_get(k.hooks, 2));
	ck_assert(!nsteer_tc_hooks_hidden(k.hooks));
	kernel_end(&k);
}
END_TEST

START_TEST(empty_ones)
{
	const struct nsteer_tc_place *p;
	struct kernel k;

	kernel_new(&k);
	say_devices(&k);
	say_places(k.s);
	say_filters(k.s);
	list_ok(&k, 0, true);
	place_is(&k, 0, 2, IN, 9, 0);
	p = place_is(&k, 1, 2, OUT, 0, 0);
	ck_assert_uint_eq(nsteer_tc_place_parent(p), TC_EGRESS);
	place_is(&k, 2, 3, NSTEER_TC_HOOK_ANY, 0, 1);
	place_is(&k, 3, 5, IN, 9, 0);
	place_is(&k, 4, 5, OUT, 8, 0);
	p = place_is(&k, 5, 0, NSTEER_TC_HOOK_ANY, 8, 0);
	bound_is(p, 0, 5, OUT);
	place_is(&k, 6, 0, NSTEER_TC_HOOK_ANY, 9, 13);
	ck_assert_uint_eq(nsteer_tc_hooks_count(k.hooks), 7);
	kernel_end(&k);
}
END_TEST

/* Its own places, and blocks with all that use them. */
START_TEST(one_device)
{
	const struct nsteer_tc_place *p;
	struct kernel k;

	kernel_new(&k);
	say_datagram(k.links);
	put_device(k.links, 2, "veth");
	say_places(k.s);
	say_datagram(k.s);
	put_filter(k.s, &block9, 1, NULL);
	put_done(k.s, 0, 0);
	say_empty(k.s, 1);
	list_ok(&k, 2, true);
	place_is(&k, 0, 2, IN, 9, 0);
	place_is(&k, 1, 2, OUT, 0, 0);
	p = place_is(&k, 2, 0, NSTEER_TC_HOOK_ANY, 9, 1);
	bound_is(p, 0, 5, IN);
	bound_is(p, 1, 2, IN);
	ck_assert_uint_eq(nsteer_tc_hooks_count(k.hooks), 3);
	kernel_end(&k);
}
END_TEST

/* Nothing is kept of the first try. */
START_TEST(interrupted)
{
	const struct nsteer_tc_place *p;
	struct kernel k;

	kernel_new(&k);
	say_datagram(k.links);
	put_device(k.links, 2, NULL);
	put_done(k.links, NLM_F_DUMP_INTR, 0);
	say_devices(&k);
	say_datagram(k.s);
	put_qdisc(k.s, 2, TC_H_CLSACT, TC_H_INGRESS, "clsact");
	put_attr_u32(k.s, TCA_INGRESS_BLOCK, 9);
	put_done(k.s, NLM_F_DUMP_INTR, 0);
	say_places(k.s);
	say_filters(k.s);
	list_ok(&k, 0, false);
	p = place_is(&k, 1, 0, NSTEER_TC_HOOK_ANY, 9, 13);
	ck_assert_uint_eq(nsteer_tc_place_device_count(p), 2);
	/* Of four devices the two hooks of tcx, of one those of netkit. */
	ck_assert_uint_eq(k.progs.queries, 10);
	kernel_end(&k);
}
END_TEST

/* ---- lists that break off ---- */

static void one_filter(struct kernel *k)
{
	const struct tc_where w = { 2, TC_INGRESS, 0, 1, "flower" };

	say_one(k);
	say_datagram(k->s);
	put_tp(k->s, &w);
	put_filter(k->s, &w, 1, NULL);
	/* Its name, for the sentence. */
	say_datagram(k->links);
	put_error(k->links, 0, -ENODEV);
}

START_TEST(filters_break_off)
{
	struct kernel k;

	kernel_new(&k);
	one_filter(&k);
	say_errno(k.s, -ENOBUFS);
	list_fails(&k, -ENOBUFS, "cannot read the filters of ");
	kernel_end(&k);
}
END_TEST

/* The others are there, and the place says of itself that it is not whole. */
START_TEST(a_place_breaks_off)
{
	const struct tc_where out = { 2, TC_EGRESS, 0, 3, "flower" };
	const struct nsteer_tc_place *p;
	struct kernel k;

	kernel_new(&k);
	k.progs.hook[0] = (struct hook){ 2, TCX_INGRESS, 0, 1, 77, 5 };
	one_filter(&k);
	put_done(k.s, 0, -EMSGSIZE);
	say_datagram(k.s);
	put_filter(k.s, &out, 1, NULL);
	put_done(k.s, 0, 0);
	ck_assert_int_eq(list(&k, 0, false), 1);
	ck_assert_ptr_nonnull(
		strstr(nsteer_errmsg(k.links->ns),
		       "ingress, chain 0, pref 1: a filter (flower)"));
	ck_assert_ptr_nonnull(k.hooks);
	p = place_is(&k, 0, 2, IN, 0, 1);
	ck_assert(nsteer_tc_place_incomplete(p));
	program_is(p, 0, "tcx", 77);
	p = place_is(&k, 1, 2, OUT, 0, 1);
	ck_assert(!nsteer_tc_place_incomplete(p));
	ck_assert_uint_eq(nsteer_tc_hooks_count(k.hooks), 2);
	kernel_end(&k);
}
END_TEST

/* Not even a filter of it is known: it is there all the same. */
START_TEST(all_of_a_place_is_missing)
{
	const struct nsteer_tc_place *p;
	struct kernel k;

	kernel_new(&k);
	say_one(&k);
	say_empty(k.s, 1);
	say_datagram(k.s);
	put_done(k.s, 0, -ENOMEM);
	/* Its name, for the sentence. */
	say_datagram(k.links);
	put_error(k.links, 0, -ENODEV);
	ck_assert_int_eq(list(&k, 0, false), 1);
	ck_assert_ptr_nonnull(strstr(nsteer_errmsg(k.links->ns),
				     "cannot read the filters of "));
	p = place_is(&k, 0, 2, OUT, 0, 0);
	ck_assert(nsteer_tc_place_incomplete(p));
	ck_assert_uint_eq(nsteer_tc_hooks_count(k.hooks), 1);
	kernel_end(&k);
}
END_TEST

START_TEST(places_break_off)
{
	struct kernel k;
	int i;

	kernel_new(&k);
	say_devices(&k);
	for (i = 0; i < NST_NL_DUMP_TRIES; i++) {
		say_datagram(k.s);
		put_qdisc(k.s, 2, TC_H_CLSACT, TC_H_INGRESS, "clsact");
		put_attr_u32(k.s, TCA_INGRESS_BLOCK, 9);
		put_done(k.s, NLM_F_DUMP_INTR, 0);
	}
	list_fails(&k, -EINTR, "cannot list the queueing disciplines");
	kernel_end(&k);
}
END_TEST

START_TEST(devices_break_off)
{
	struct ifinfomsg ifi = { .ifi_index = 0 };
	struct kernel k;

	kernel_new(&k);
	say_datagram(k.links);
	put_device(k.links, 2, NULL);
	put_done(k.links, 0, -ENOMEM);
	list_fails(&k, -ENOMEM, "cannot list the devices: ");
	kernel_end(&k);
	/* No device has this index. */
	kernel_new(&k);
	say_datagram(k.links);
	put_msg(k.links, RTM_NEWLINK, NLM_F_MULTI, &ifi, sizeof(ifi));
	list_fails(&k, -EPROTO, "cannot list the devices: ");
	kernel_end(&k);
	kernel_new(&k);
	say_datagram(k.links);
	put_msg(k.links, RTM_NEWLINK, NLM_F_MULTI, &ifi, sizeof(ifi) - 4);
	list_fails(&k, -EPROTO, "cannot list the devices: ");
	kernel_end(&k);
}
END_TEST

START_TEST(no_such_device)
{
	struct kernel k;

	kernel_new(&k);
	say_datagram(k.links);
	put_error(k.links, 0, -ENODEV);
	ck_assert_int_eq(list(&k, 77, false), -ENODEV);
	ck_assert_ptr_nonnull(strstr(nsteer_errmsg(k.links->ns), "77"));
	kernel_end(&k);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("tc hooks");
	TCase *tc = tcase_create("hooks");

	tcase_add_test(tc, counts);
	tcase_add_test(tc, empty_ones);
	tcase_add_test(tc, one_device);
	tcase_add_test(tc, interrupted);
	tcase_add_test(tc, filters_break_off);
	tcase_add_test(tc, a_place_breaks_off);
	tcase_add_test(tc, all_of_a_place_is_missing);
	tcase_add_test(tc, places_break_off);
	tcase_add_test(tc, devices_break_off);
	tcase_add_test(tc, no_such_device);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
