// SPDX-License-Identifier: GPL-2.0-or-later
/* Programs, in the order in which they run. */
#include "tc_hooks_kernel.h"

/* Read in full from there on, each counted once, and nothing said of it. */
START_TEST(not_terse)
{
	const struct tc_where flower1 = { 2, TC_INGRESS, 0, 1, "flower" };
	const struct tc_where bpf2 = { 2, TC_INGRESS, 0, 2, "bpf" };
	const struct tc_where flower3 = { 2, TC_INGRESS, 0, 3, "flower" };
	const struct nsteer_tc_program *g;
	const struct nsteer_tc_place *p;
	uint32_t chain, pref, handle;
	struct kernel k;

	kernel_new(&k);
	k.progs.gone = 56;
	say_one(&k);
	say_datagram(k.s);
	put_tp(k.s, &flower1);
	put_filter(k.s, &flower1, 1, NULL);
	put_tp(k.s, &bpf2);
	say_datagram(k.s);
	put_done(k.s, 0, -EMSGSIZE);
	say_datagram(k.s);
	put_tp(k.s, &flower1);
	put_filter(k.s, &flower1, 1, NULL);
	put_tp(k.s, &bpf2);
	put_bpf(k.s, &bpf2, 7, 55, "x.o:[y]");
	put_bpf(k.s, &bpf2, 3, 56, NULL);
	put_tp(k.s, &flower3);
	put_filter(k.s, &flower3, 1, NULL);
	put_done(k.s, 0, 0);
	say_empty(k.s, 1);
	list_ok(&k, 0, false);
	p = place_is(&k, 0, 2, IN, 0, 4);
	classifier_is(p, 0, 0, 1, "flower", 1);
	classifier_is(p, 1, 0, 2, "bpf", 2);
	classifier_is(p, 2, 0, 3, "flower", 1);
	g = program_is(p, 0, "clsact", 55);
	ck_assert_str_eq(nsteer_prog_name(nsteer_tc_program_prog(g)), "prog55");
	ck_assert_str_eq(nsteer_tc_program_filter_name(g), "x.o:[y]");
	ck_assert(nsteer_tc_program_direct_action(g));
	ck_assert_int_eq(nsteer_tc_program_link(g, &handle), -ENODATA);
	ck_assert_int_eq(nsteer_tc_program_filter(g, &chain, &pref, &handle),
			 0);
	ck_assert_uint_eq(chain, 0);
	ck_assert_uint_eq(pref, 2);
	ck_assert_uint_eq(handle, 7);
	/* One that has gone. */
	g = program_is(p, 1, "clsact", 56);
	ck_assert_str_eq(nsteer_prog_name(nsteer_tc_program_prog(g)), "");
	ck_assert_str_eq(nsteer_prog_tag(nsteer_tc_program_prog(g)),
			 "a0ff00010203045b");
	ck_assert_str_eq(nsteer_tc_program_filter_name(g), "");
	ck_assert(!nsteer_tc_program_direct_action(g));
	ck_assert_str_eq(k.links->log, "");
	ck_assert_str_eq(k.s->log, "");
	kernel_end(&k);
}
END_TEST

/* In the order of chain and preference, each as in its list. */
START_TEST(order_of_filters)
{
	const struct tc_where chain2 = { 2, TC_INGRESS, 2, 1, "bpf" };
	const struct tc_where pref1 = { 2, TC_INGRESS, 0, 1, "bpf" };
	const struct tc_where pref9 = { 2, TC_INGRESS, 0, 9, "bpf" };
	static const uint32_t ids[] = { 77, 78, 14, 13, 12, 31, 21 };
	const struct nsteer_tc_program *g;
	const struct nsteer_tc_place *p;
	struct kernel k;
	uint32_t link;
	size_t i;

	kernel_new(&k);
	k.progs.hook[0] = (struct hook){ 2, TCX_INGRESS, 0, 2, 77, 5 };
	say_one(&k);
	say_datagram(k.s);
	put_bpf(k.s, &chain2, 1, 21, NULL);
	put_bpf(k.s, &pref1, 5, 14, NULL);
	put_bpf(k.s, &pref1, 1, 13, NULL);
	put_bpf(k.s, &pref1, 2, 12, NULL);
	put_bpf(k.s, &pref9, 1, 31, NULL);
	put_done(k.s, 0, 0);
	say_empty(k.s, 1);
	list_ok(&k, 0, false);
	p = place_is(&k, 0, 2, IN, 0, 5);
	for (i = 0; i < 7; i++) {
		g = program_is(p, i, i < 2 ? "tcx" : "clsact", ids[i]);
		ck_assert_int_eq(nsteer_tc_program_link(g, &link),
				 i ? -ENODATA : 0);
	}
	ck_assert_uint_eq(nsteer_tc_place_program_count(p), 7);
	ck_assert_ptr_null(nsteer_tc_place_program(p, 7));
	ck_assert_uint_eq(link, 5);
	kernel_end(&k);
}
END_TEST

START_TEST(hostile_filters)
{
	const struct tc_where bpf = { 2, TC_INGRESS, 0, 1, "bpf" };
	const struct nsteer_tc_program *g;
	const struct nsteer_tc_place *p;
	struct kernel k;
	struct attrs o;

	kernel_new(&k);
	k.progs.gone = 9;
	say_one(&k);
	say_datagram(k.s);
	/* Numbers, a tag and a name that are too short, or not ended. */
	attrs_new(&o);
	mnl_attr_put((struct nlmsghdr *)o.buf, TCA_BPF_NAME, 4, "abcd");
	mnl_attr_put((struct nlmsghdr *)o.buf, TCA_BPF_ID, 2, "ab");
	mnl_attr_put((struct nlmsghdr *)o.buf, TCA_BPF_FLAGS, 1, "a");
	put_filter(k.s, &bpf, 1, &o);
	attrs_new(&o);
	mnl_attr_put((struct nlmsghdr *)o.buf, TCA_BPF_NAME, 0, "");
	mnl_attr_put_u32((struct nlmsghdr *)o.buf, TCA_BPF_ID, 9);
	mnl_attr_put((struct nlmsghdr *)o.buf, TCA_BPF_TAG, 7, "0123456");
	put_filter(k.s, &bpf, 2, &o);
	put_done(k.s, 0, 0);
	say_empty(k.s, 1);
	list_ok(&k, 0, false);
	p = place_is(&k, 0, 2, IN, 0, 2);
	g = nsteer_tc_place_program(p, 0);
	ck_assert_ptr_null(nsteer_tc_program_prog(g));
	ck_assert_str_eq(nsteer_tc_program_filter_name(g), "abcd");
	g = program_is(p, 1, "clsact", 9);
	ck_assert_str_eq(nsteer_prog_tag(nsteer_tc_program_prog(g)), "");
	ck_assert_str_eq(nsteer_tc_program_filter_name(g), "");
	/* What is none has no name to be asked for. */
	ck_assert_uint_eq(k.progs.infos, 1);
	kernel_end(&k);
}
END_TEST

/* ---- tcx and netkit ---- */

/* A hook may have nothing else, and netkit is asked at its own kind alone. */
START_TEST(without_filters)
{
	const struct nsteer_tc_place *p;
	struct kernel k;

	kernel_new(&k);
	say_devices(&k);
	say_datagram(k.s);
	put_done(k.s, 0, 0);
	k.progs.hook[0] = (struct hook){ 5, TCX_EGRESS, 0, 1, 50, 0 };
	k.progs.hook[1] = (struct hook){ 3, TCX_INGRESS, 0, 1, 31, 0 };
	k.progs.hook[2] = (struct hook){ 3, NETKIT_PRIMARY, 0, 1, 33, 8 };
	k.progs.hook[3] = (struct hook){ 3, NETKIT_PEER, 0, 1, 30, 0 };
	k.progs.hook[4] = (struct hook){ 3, TCX_EGRESS, 0, 1, 32, 0 };
	list_ok(&k, 0, false);
	/* As a packet comes by. */
	p = place_is(&k, 0, 3, NSTEER_TC_HOOK_PEER, 0, 0);
	program_is(p, 0, "netkit", 30);
	ck_assert_uint_eq(nsteer_tc_place_parent(p), 0);
	program_is(place_is(&k, 1, 3, IN, 0, 0), 0, "tcx", 31);
	program_is(place_is(&k, 2, 3, OUT, 0, 0), 0, "tcx", 32);
	program_is(place_is(&k, 3, 3, NSTEER_TC_HOOK_PRIMARY, 0, 0), 0,
		   "netkit", 33);
	p = place_is(&k, 4, 5, OUT, 0, 0);
	program_is(p, 0, "tcx", 50);
	ck_assert_uint_eq(nsteer_tc_place_parent(p), TC_EGRESS);
	ck_assert_uint_eq(nsteer_tc_hooks_count(k.hooks), 5);
	ck_assert_uint_eq(k.progs.queries, 10);
	kernel_end(&k);
}
END_TEST

/* Beside the block that is used there. */
START_TEST(at_a_bound_hook)
{
	const struct nsteer_tc_place *p;
	struct kernel k;

	kernel_new(&k);
	say_devices(&k);
	say_places(k.s);
	say_filters(k.s);
	k.progs.hook[0] = (struct hook){ 5, TCX_INGRESS, 0, 1, 50, 0 };
	list_ok(&k, 0, false);
	p = place_is(&k, 1, 5, IN, 9, 0);
	program_is(p, 0, "tcx", 50);
	ck_assert_uint_eq(nsteer_tc_place_classifier_count(p), 0);
	place_is(&k, 2, 0, NSTEER_TC_HOOK_ANY, 9, 13);
	ck_assert_uint_eq(nsteer_tc_hooks_count(k.hooks), 3);
	kernel_end(&k);
}
END_TEST

/* More than there is room for at first: asked again. */
START_TEST(many_programs)
{
	const struct nsteer_tc_place *p;
	struct kernel k;

	kernel_new(&k);
	say_one(&k);
	say_empty(k.s, 2);
	k.progs.hook[0] = (struct hook){ 2, TCX_INGRESS, 0, 1000, 1, 4 };
	list_ok(&k, 0, false);
	p = place_is(&k, 0, 2, IN, 0, 0);
	ck_assert_uint_eq(nsteer_tc_place_program_count(p), 1000);
	program_is(p, 0, "tcx", 1);
	program_is(p, 999, "tcx", 1000);
	ck_assert_uint_eq(k.progs.queries, 3);
	ck_assert_uint_eq(k.progs.infos, 1000);
	kernel_end(&k);
}
END_TEST

START_TEST(what_the_kernel_lacks)
{
	static const int errs[] = { -EINVAL, -ENOSYS, -EOPNOTSUPP };
	struct kernel k;
	size_t i;

	for (i = 0; i < 3; i++) {
		kernel_new(&k);
		k.progs.other = errs[i];
		say_devices(&k);
		say_empty(k.s, 1);
		list_ok(&k, 0, false);
		ck_assert_uint_eq(nsteer_tc_hooks_count(k.hooks), 0);
		ck_assert(!nsteer_tc_hooks_hidden(k.hooks));
		ck_assert_str_eq(k.links->log, "");
		/* Each type once. */
		ck_assert_uint_eq(k.progs.queries, 4);
		kernel_end(&k);
	}
}
END_TEST

/* A device that has gone, no programs on an older kernel, a netkit peer. */
START_TEST(none_there)
{
	struct kernel k;

	kernel_new(&k);
	say_devices(&k);
	say_empty(k.s, 1);
	k.progs.hook[0] = (struct hook){ 5, TCX_INGRESS, -ENODEV, 0, 0, 0 };
	k.progs.hook[1] = (struct hook){ 2, TCX_INGRESS, -ENOENT, 0, 0, 0 };
	k.progs.hook[2] = (struct hook){ 3, NETKIT_PRIMARY, -EACCES, 0, 0, 0 };
	k.progs.hook[3] = (struct hook){ 3, NETKIT_PEER, -ENXIO, 0, 0, 0 };
	k.progs.hook[4] = (struct hook){ 4, TCX_EGRESS, 0, 1, 40, 0 };
	list_ok(&k, 0, false);
	program_is(place_is(&k, 0, 4, OUT, 0, 0), 0, "tcx", 40);
	ck_assert_uint_eq(k.progs.queries, 10);
	ck_assert_str_eq(k.links->log, "");
	kernel_end(&k);
}
END_TEST

/* Unknown is not none: told, once, and what filters say is there. */
START_TEST(refused)
{
	const struct tc_where bpf = { 2, TC_INGRESS, 0, 1, "bpf" };
	const struct nsteer_tc_place *p;
	struct kernel k;

	kernel_new(&k);
	k.progs.other = -EPERM;
	k.progs.info = -EPERM;
	say_devices(&k);
	say_places(k.s);
	say_empty(k.s, 2);
	say_datagram(k.s);
	put_bpf(k.s, &bpf, 1, 12, "n");
	put_bpf(k.s, &bpf, 2, 13, "n");
	put_done(k.s, 0, 0);
	say_empty(k.s, 1);
	list_ok(&k, 0, true);
	ck_assert_uint_eq(k.progs.queries, 1);
	ck_assert_uint_eq(k.progs.infos, 1);
	ck_assert(nsteer_tc_hooks_hidden(k.hooks));
	ck_assert_ptr_nonnull(strstr(k.links->log, "tcx"));
	ck_assert_ptr_nonnull(strstr(k.links->log, "cap_net_admin"));
	ck_assert_str_eq(nsteer_errmsg(k.links->ns), "");
	p = place_is(&k, 0, 2, IN, 9, 0);
	ck_assert(nsteer_tc_place_hidden(p));
	p = place_is(&k, 1, 2, OUT, 0, 2);
	ck_assert(nsteer_tc_place_hidden(p));
	program_is(p, 0, "clsact", 12);
	p = place_is(&k, 2, 3, NSTEER_TC_HOOK_ANY, 0, 0);
	ck_assert(!nsteer_tc_place_hidden(p));
	kernel_end(&k);
}
END_TEST

/* A kernel without them refuses all the same, and hides nothing. */
START_TEST(refused_where_there_are_none)
{
	const struct tc_where bpf = { 2, TC_INGRESS, 0, 1, "bpf" };
	const struct nsteer_tc_place *p;
	struct kernel k;

	kernel_new(&k);
	k.progs.other = -EPERM;
	k.progs.lacks = true;
	say_one(&k);
	say_datagram(k.s);
	put_bpf(k.s, &bpf, 1, 12, "n");
	put_done(k.s, 0, 0);
	say_empty(k.s, 1);
	list_ok(&k, 0, false);
	ck_assert(!nsteer_tc_hooks_hidden(k.hooks));
	ck_assert_str_eq(k.links->log, "");
	ck_assert_str_eq(nsteer_errmsg(k.links->ns), "");
	p = place_is(&k, 0, 2, IN, 0, 1);
	ck_assert(!nsteer_tc_place_hidden(p));
	program_is(p, 0, "clsact", 12);
	kernel_end(&k);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("tc hooks bpf");
	TCase *tc = tcase_create("hooks");

	tcase_add_test(tc, not_terse);
	tcase_add_test(tc, order_of_filters);
	tcase_add_test(tc, hostile_filters);
	tcase_add_test(tc, without_filters);
	tcase_add_test(tc, at_a_bound_hook);
	tcase_add_test(tc, many_programs);
	tcase_add_test(tc, what_the_kernel_lacks);
	tcase_add_test(tc, none_there);
	tcase_add_test(tc, refused);
	tcase_add_test(tc, refused_where_there_are_none);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
