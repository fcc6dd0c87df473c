// SPDX-License-Identifier: GPL-2.0-or-later
/* Where filters can stand, from a kernel that follows a script. */
#include "tc_msgs.h"

static void put_class(struct script *s, uint32_t ifindex, uint32_t handle)
{
	struct tcmsg tcm = { .tcm_ifindex = ifindex, .tcm_handle = handle };

	put_msg(s, RTM_NEWTCLASS, NLM_F_MULTI, &tcm, sizeof(tcm));
	put_attr(s, TCA_KIND, "htb", 4);
}

static void is(const struct nst_tc_places *p, size_t i, uint32_t ifindex,
	       uint32_t parent)
{
	ck_assert_uint_lt(i, p->count);
	ck_assert_uint_eq(p->all[i].ifindex, ifindex);
	ck_assert_uint_eq(p->all[i].parent, parent);
}

static void say_namespace(struct script *s)
{
	say_datagram(s);
	put_qdisc(s, 1, 0, TC_H_ROOT, "noqueue");
	put_qdisc(s, 2, TC_H_CLSACT, TC_H_INGRESS, "clsact");
	put_qdisc(s, 3, TC_H_MAJ(TC_H_CLSACT), TC_H_INGRESS, "ingress");
	/* The same block at two hooks. */
	put_qdisc(s, 4, TC_H_CLSACT, TC_H_INGRESS, "clsact");
	put_attr_u32(s, TCA_INGRESS_BLOCK, 9);
	put_attr_u32(s, TCA_EGRESS_BLOCK, 9);
	put_qdisc(s, 5, 1 << 16, TC_H_ROOT, "htb");
	put_qdisc(s, 5, 0, 1 << 16 | 1, "pfifo_fast");
	put_qdisc(s, 6, 2 << 16, TC_H_ROOT, "prio");
	put_done(s, 0, 0);
	say_datagram(s);
	put_class(s, 5, 1 << 16 | 1);
	put_class(s, 5, 1 << 16);
	put_class(s, 5, 7 << 16 | 1);
	put_class(s, 5, 1 << 16 | 0x10);
	put_done(s, 0, 0);
}

START_TEST(all_of_a_namespace)
{
	struct script *s = script_new(false);
	struct nst_tc_places p = { 0 };

	say_namespace(s);
	ck_assert_int_eq(nst_tc_places(s->ns, s->nl, 0, &p), 0);
	is(&p, 0, 2, TC_INGRESS);
	is(&p, 1, 2, TC_EGRESS);
	is(&p, 2, 3, TC_INGRESS);
	is(&p, 3, TCM_IFINDEX_MAGIC_BLOCK, 9);
	is(&p, 4, 5, 1 << 16);
	is(&p, 5, 6, 2 << 16);
	is(&p, 6, 5, 1 << 16 | 1);
	is(&p, 7, 5, 1 << 16 | 0x10);
	ck_assert_uint_eq(p.count, 8);
	nst_tc_places_free(&p);
	script_end(s);
}
END_TEST

/* The qdiscs of one device; a block stands where it is bound. */
START_TEST(one_device)
{
	struct script *s = script_new(false);
	struct nst_tc_places p = { 0 };

	say_datagram(s);
	put_qdisc(s, 4, TC_H_CLSACT, TC_H_INGRESS, "clsact");
	put_attr_u32(s, TCA_INGRESS_BLOCK, 9);
	put_qdisc(s, 5, 1 << 16, TC_H_ROOT, "htb");
	put_done(s, 0, 0);
	ck_assert_int_eq(nst_tc_places(s->ns, s->nl, 4, &p), 0);
	is(&p, 0, 4, TC_INGRESS);
	is(&p, 1, 4, TC_EGRESS);
	ck_assert_uint_eq(p.count, 2);
	nst_tc_places_free(&p);
	script_end(s);
}
END_TEST

START_TEST(interrupted)
{
	struct script *s = script_new(false);
	struct nst_tc_places p = { 0 };

	say_datagram(s);
	put_qdisc(s, 4, TC_H_CLSACT, TC_H_INGRESS, "clsact");
	put_done(s, NLM_F_DUMP_INTR, 0);
	say_namespace(s);
	ck_assert_int_eq(nst_tc_places(s->ns, s->nl, 0, &p), 0);
	ck_assert_uint_eq(p.count, 8);
	nst_tc_places_free(&p);
	script_end(s);
}
END_TEST

/* Each place is a dump of its own; one that is empty by now is passed over. */
START_TEST(the_dump_walks_them)
{
	static const struct tc_where in = { 2, TC_INGRESS, 0, 1, "flower" };
	static const struct tc_where shared = { TCM_IFINDEX_MAGIC_BLOCK, 9, 0, 2,
						"flower" };
	struct script *s = script_new(false);
	struct nsteer_tc_dump_opts o = { 0 };
	const struct nsteer_tc_filter *f;
	struct nsteer_tc_dump *d;
	int i;

	say_namespace(s);
	for (i = 0; i < 8; i++) {
		say_datagram(s);
		if (i == 0)
			put_filter(s, &in, 1, NULL);
		if (i == 3)
			put_filter(s, &shared, 2, NULL);
		put_done(s, 0, 0);
	}
	d = tc_open(s, &o);
	tc_next_is(d, 1, 1);
	f = tc_next_is(d, 2, 2);
	ck_assert_uint_eq(nsteer_tc_filter_block(f), 9);
	ck_assert_int_eq(nsteer_tc_dump_next(d, &f), 0);
	ck_assert_int_eq(nsteer_tc_dump_next(d, &f), 0);
	nsteer_tc_dump_close(d);
	script_end(s);
}
END_TEST

/*
 * A place that cannot be read does not hide the others, and which it was is
 * told at the end; 1: of two; 2: but without a socket there is nothing more.
 */
START_TEST(one_of_them_breaks_off)
{
	static const struct tc_where fw = { 2, TC_EGRESS, 0, 1, "fw" };
	static const struct tc_where late = { 6, 2 << 16, 0, 3, "flower" };
	struct script *s = script_new(false);
	struct nsteer_tc_dump_opts o = { 0 };
	const struct nsteer_tc_filter *f;
	struct nsteer_tc_dump *d;
	int i;

	say_namespace(s);
	for (i = 0; i < (_i == 2 ? 2 : 8); i++) {
		if (_i == 2 && i == 1) {
			say_errno(s, -ENOBUFS);
			break;
		}
		say_datagram(s);
		if (i == 1)
			put_tp(s, &fw);
		if (i == 5)
			put_filter(s, &late, 2, NULL);
		put_done(s, _i == 1 && i == 4 ? NLM_F_DUMP_INTR : 0,
			 i == 1 ? -EMSGSIZE : 0);
	}
	d = tc_open(s, &o);
	if (_i < 2)
		tc_next_is(d, 3, 2);
	ck_assert_int_eq(nsteer_tc_dump_next(d, &f),
			 _i == 2 ? -ENOBUFS : -EMSGSIZE);
	if (_i < 2)
		ck_assert_ptr_nonnull(strstr(nsteer_errmsg(s->ns),
					     "egress, chain 0, pref 1: "));
	ck_assert_int_eq(!strstr(nsteer_errmsg(s->ns),
				 "(the first of 2 losses, in 2 places)"),
			 _i != 1);
	ck_assert_int_eq(nsteer_tc_dump_next(d, &f), -EBADFD);
	nsteer_tc_dump_close(d);
	script_end(s);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("tc place");
	TCase *tc = tcase_create("place");

	tcase_add_test(tc, all_of_a_namespace);
	tcase_add_test(tc, one_device);
	tcase_add_test(tc, interrupted);
	tcase_add_test(tc, the_dump_walks_them);
	tcase_add_loop_test(tc, one_of_them_breaks_off, 0, 3);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
