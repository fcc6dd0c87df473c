// SPDX-License-Identifier: GPL-2.0-or-later
/* The stream of filters: terse, the fall back to full, and how it can end. */
#include "tc_msgs.h"

static const struct tc_where flower10 = { 7, TC_INGRESS, 0, 10, "flower" };
static const struct tc_where u32_20 = { 7, TC_INGRESS, 0, 20, "u32" };
static const struct tc_where bpf30 = { 7, TC_INGRESS, 0, 30, "bpf" };
static const struct tc_where flower40 = { 7, TC_INGRESS, 0, 40, "flower" };
static const struct tc_where other_chain = { 7, TC_INGRESS, 5, 1, "flower" };

static const struct tc_where mall2 = { 7, TC_INGRESS, 0, 2, "matchall" };
static const struct tc_where mall11 = { 7, TC_INGRESS, 4, 11, "matchall" };
static const struct tc_where fw5 = { 7, TC_INGRESS, 0, 5, "fw" };

static const struct nsteer_tc_dump_opts terse = {
	.ifindex = 7,
	.hook = NSTEER_TC_HOOK_INGRESS,
	.terse = NSTEER_TC_TERSE_ON,
};

static void ends(struct script *s, struct nsteer_tc_dump *d, int err, const char *words)
{
	const struct nsteer_tc_filter *f = NULL;

	ck_assert_int_eq(nsteer_tc_dump_next(d, &f), err);
	ck_assert_ptr_null(f);
	if (!err)
		return;
	ck_assert_ptr_nonnull(strstr(nsteer_errmsg(s->ns), words));
	/* And that was that. */
	ck_assert_int_eq(nsteer_tc_dump_next(d, &f), -EBADFD);
}

static void finish(struct script *s, struct nsteer_tc_dump *d)
{
	nsteer_tc_dump_close(d);
	script_end(s);
}

static bool asked_terse(struct script *s)
{
	const struct nlattr *tb[TCA_DUMP_FLAGS + 1];

	NST_NLA_PARSE_MSG(script_sent(s), sizeof(struct tcmsg), tb,
			  TCA_DUMP_FLAGS);
	return tb[TCA_DUMP_FLAGS];
}

/* The first dump of a hook with a u32 between two flowers, as far as it goes. */
static void say_first(struct script *s)
{
	say_datagram(s);
	put_tp(s, &flower10);
	put_filter(s, &flower10, 1, NULL);
	put_filter(s, &flower10, 2, NULL);
	put_tp(s, &u32_20);
	say_datagram(s);
	put_done(s, 0, -EMSGSIZE);
}

START_TEST(plain)
{
	struct script *s = script_new(false);
	const struct nsteer_tc_filter *f;
	struct nsteer_tc_dump *d;
	const struct tcmsg *tcm;

	say_datagram(s);
	put_tp(s, &flower10);
	put_filter(s, &flower10, 1, NULL);
	say_datagram(s);
	put_filter(s, &flower10, 2, NULL);
	put_done(s, 0, 0);
	d = tc_open(s, &terse);
	f = tc_next_is(d, 10, 1);
	ck_assert(asked_terse(s));
	tcm = mnl_nlmsg_get_payload(script_sent(s));
	ck_assert_int_eq(tcm->tcm_ifindex, 7);
	ck_assert_uint_eq(tcm->tcm_parent, TC_INGRESS);
	ck_assert_uint_eq(tcm->tcm_info, 0);
	ck_assert_uint_eq(nsteer_tc_filter_ifindex(f), 7);
	ck_assert_uint_eq(nsteer_tc_filter_block(f), 0);
	ck_assert_uint_eq(nsteer_tc_filter_parent(f), TC_INGRESS);
	ck_assert_int_eq(nsteer_tc_filter_hook(f), NSTEER_TC_HOOK_INGRESS);
	ck_assert_uint_eq(nsteer_tc_filter_protocol(f), ETH_P_IP);
	ck_assert_str_eq(nsteer_tc_filter_kind(f), "flower");
	ck_assert(nsteer_tc_filter_is_terse(f));
	ck_assert_uint_eq(nsteer_tc_filter_flags(f), NSTEER_TC_NOT_IN_HW);
	tc_next_is(d, 10, 2);
	ends(s, d, 0, "");
	ends(s, d, 0, "");
	finish(s, d);
}
END_TEST

START_TEST(selection_is_the_kernels)
{
	struct script *s = script_new(false);
	struct nsteer_tc_dump_opts o = { .block = 9,
					 .pref = 300,
					 .protocol = ETH_P_IPV6,
					 .has_chain = true };
	const struct tc_where w = { TCM_IFINDEX_MAGIC_BLOCK, 9, 0, 300,
				    "flower" };
	const struct nlattr *tb[TCA_CHAIN + 1];
	const struct nsteer_tc_filter *f;
	struct nsteer_tc_dump *d;
	const struct tcmsg *tcm;
	uint32_t chain = 1;

	say_datagram(s);
	put_filter(s, &w, 1, NULL);
	put_done(s, 0, 0);
	d = tc_open(s, &o);
	f = tc_next_is(d, 300, 1);
	ck_assert(!asked_terse(s));
	tcm = mnl_nlmsg_get_payload(script_sent(s));
	ck_assert_uint_eq((uint32_t)tcm->tcm_ifindex, TCM_IFINDEX_MAGIC_BLOCK);
	ck_assert_uint_eq(tcm->tcm_block_index, 9);
	ck_assert_uint_eq(tcm->tcm_info, 300 << 16 | htons(ETH_P_IPV6));
	NST_NLA_PARSE_MSG(script_sent(s), sizeof(*tcm), tb, TCA_CHAIN);
	ck_assert(nst_nla_u32(tb[TCA_CHAIN], &chain) && !chain);
	ck_assert_uint_eq(nsteer_tc_filter_block(f), 9);
	ck_assert_uint_eq(nsteer_tc_filter_ifindex(f), 0);
	ck_assert_uint_eq(nsteer_tc_filter_parent(f), 0);
	ck_assert(!nsteer_tc_filter_is_terse(f));
	ends(s, d, 0, "");
	finish(s, d);
}
END_TEST

START_TEST(kind_is_selected_here)
{
	struct script *s = script_new(false);
	struct nsteer_tc_dump_opts o = terse;
	struct nsteer_tc_dump *d;

	o.terse = NSTEER_TC_TERSE_OFF;
	o.kind = "u32";
	say_datagram(s);
	put_tp(s, &flower10);
	put_filter(s, &flower10, 1, NULL);
	put_tp(s, &u32_20);
	put_filter(s, &u32_20, 0x800, NULL);
	put_done(s, 0, 0);
	d = tc_open(s, &o);
	tc_next_is(d, 20, 0x800);
	ends(s, d, 0, "");
	finish(s, d);
}
END_TEST

/* Nothing twice, nothing lost, and all of it in the terse shape. */
START_TEST(the_rest_comes_from_a_full_dump)
{
	struct script *s = script_new(false);
	const struct nsteer_tc_filter *f;
	struct nsteer_tc_dump *d;

	say_first(s);
	say_datagram(s);
	put_tp(s, &flower10);
	put_filter(s, &flower10, 1, NULL);
	put_filter(s, &flower10, 2, NULL);
	put_tp(s, &u32_20);
	put_filter(s, &u32_20, 0x80000000, NULL);
	put_filter(s, &u32_20, 0x80000800, NULL);
	say_datagram(s);
	put_tp(s, &bpf30);
	put_filter(s, &bpf30, 1, NULL);
	put_tp(s, &flower40);
	put_filter(s, &flower40, 1, NULL);
	put_tp(s, &other_chain);
	put_filter(s, &other_chain, 1, NULL);
	put_done(s, 0, 0);
	d = tc_open(s, &terse);
	tc_next_is(d, 10, 1);
	tc_next_is(d, 10, 2);
	ck_assert_str_eq(s->log, "");
	f = tc_next_is(d, 20, 0x80000000);
	ck_assert(!asked_terse(s));
	ck_assert_ptr_nonnull(strstr(s->log, "u32"));
	ck_assert_ptr_nonnull(strstr(s->log, "pref 20"));
	ck_assert(nsteer_tc_filter_is_terse(f));
	s->log[0] = '\0';
	tc_next_is(d, 20, 0x80000800);
	tc_next_is(d, 30, 1);
	tc_next_is(d, 40, 1);
	f = tc_next_is(d, 1, 1);
	ck_assert_uint_eq(nsteer_tc_filter_chain(f), 5);
	ck_assert_str_eq(s->log, "");
	ends(s, d, 0, "");
	finish(s, d);
}
END_TEST

/*
 * A filter that the kernel lost between two messages is asked for again; 1: also
 * by a kernel that knows nothing of terse.
 */
START_TEST(lost_between_messages)
{
	struct script *s = script_new(false), *aside = script_new(false);
	struct nsteer_tc_dump_opts o = terse;
	const struct nlattr *tb[TCA_CHAIN + 1];
	const struct tcmsg *tcm;
	struct nsteer_tc_dump *d;
	uint32_t chain = 9;

	o.terse = _i ? NSTEER_TC_TERSE_ON : NSTEER_TC_TERSE_OFF;
	say_datagram(s);
	put_tp(s, &mall2);
	say_datagram(s);
	put_tp(s, &flower10);
	put_filter(s, &flower10, 1, NULL);
	put_tp(s, &mall11);
	put_done(s, 0, 0);
	say_datagram(aside);
	put_tp(aside, &mall2);
	put_filter(aside, &mall2, 1, NULL);
	put_done(aside, 0, 0);
	/* This one was about to go. */
	say_datagram(aside);
	put_tp(aside, &mall11);
	put_done(aside, 0, 0);
	say_datagram(aside);
	put_done(aside, 0, 0);
	d = tc_open_both(s, aside, &o);
	tc_next_is(d, 2, 1);
	tcm = mnl_nlmsg_get_payload(script_sent(aside));
	ck_assert_uint_eq(tcm->tcm_parent, TC_INGRESS);
	ck_assert_uint_eq(tcm->tcm_info, 2 << 16);
	NST_NLA_PARSE_MSG(script_sent(aside), sizeof(*tcm), tb, TCA_CHAIN);
	ck_assert(nst_nla_u32(tb[TCA_CHAIN], &chain) && !chain);
	tc_next_is(d, 10, 1);
	ends(s, d, 0, "");
	ck_assert_uint_eq(tcm->tcm_info, 11 << 16);
	nsteer_tc_dump_close(d);
	script_end(s);
	script_end(aside);
}
END_TEST

/*
 * One that is lost when it is asked for on its own, twice, is too large: what
 * stands behind it comes all the same, and then it is told. 1: terse
 */
START_TEST(lost_and_too_large)
{
	struct script *s = script_new(false), *aside = script_new(false);
	struct nsteer_tc_dump_opts o = terse;
	struct nsteer_tc_dump *d;
	int i;

	o.terse = _i ? NSTEER_TC_TERSE_ON : NSTEER_TC_TERSE_OFF;
	say_datagram(s);
	put_tp(s, &mall2);
	say_datagram(s);
	put_tp(s, &flower10);
	put_filter(s, &flower10, 1, NULL);
	put_tp(s, &mall11);
	put_done(s, 0, 0);
	for (i = 0; i < 4; i++) {
		say_datagram(aside);
		put_tp(aside, i < 2 ? &mall2 : &mall11);
		put_done(aside, 0, 0);
	}
	d = tc_open_both(s, aside, &o);
	tc_next_is(d, 10, 1);
	ck_assert_str_eq(nsteer_errmsg(s->ns), "");
	ends(s, d, -EMSGSIZE,
	     "ingress, chain 0, pref 2: a filter (matchall) does not "
	     "fit into a message of the kernel, so it is missing "
	     "(the first of 2 losses, in 1 place)");
	nsteer_tc_dump_close(d);
	script_end(s);
	script_end(aside);
}
END_TEST

/* What the kernel refuses there does not end the list either. */
START_TEST(refused_on_its_own)
{
	struct script *s = script_new(false), *aside = script_new(false);
	struct nsteer_tc_dump *d;

	say_datagram(s);
	put_tp(s, &mall2);
	put_tp(s, &flower10);
	put_filter(s, &flower10, 1, NULL);
	put_done(s, 0, 0);
	say_datagram(aside);
	put_done(aside, 0, -ENOMEM);
	d = tc_open_both(s, aside, &terse);
	tc_next_is(d, 10, 1);
	ends(s, d, -ENOMEM, "cannot read the filters of");
	nsteer_tc_dump_close(d);
	script_end(s);
	script_end(aside);
}
END_TEST

/* But a socket that broke does. */
START_TEST(broken_on_its_own)
{
	struct script *s = script_new(false), *aside = script_new(false);
	struct nsteer_tc_dump *d;

	say_datagram(s);
	put_tp(s, &mall2);
	put_tp(s, &flower10);
	put_filter(s, &flower10, 1, NULL);
	say_errno(aside, -ENOBUFS);
	d = tc_open_both(s, aside, &terse);
	ends(s, d, -ENOBUFS, "lost");
	nsteer_tc_dump_close(d);
	script_end(s);
	script_end(aside);
}
END_TEST

/* It is asked for if it is wanted. */
START_TEST(lost_and_not_asked_for)
{
	struct script *s = script_new(false), *aside = script_new(false);
	struct nsteer_tc_dump_opts o = terse;
	struct nsteer_tc_dump *d;

	o.kind = "flower";
	o.terse = NSTEER_TC_TERSE_STRICT;
	say_datagram(s);
	put_tp(s, &mall2);
	put_tp(s, &flower10);
	put_filter(s, &flower10, 1, NULL);
	put_done(s, 0, 0);
	d = tc_open_both(s, aside, &o);
	tc_next_is(d, 10, 1);
	ends(s, d, 0, "");
	ck_assert_uint_eq(aside->sends, 0);
	nsteer_tc_dump_close(d);
	script_end(s);
	script_end(aside);
}
END_TEST

/* The classifier went meanwhile: what stands behind it comes all the same. */
START_TEST(it_is_gone_in_the_full_dump)
{
	struct script *s = script_new(false);
	struct nsteer_tc_dump *d;

	say_first(s);
	say_datagram(s);
	put_tp(s, &flower10);
	put_filter(s, &flower10, 1, NULL);
	put_tp(s, &flower40);
	put_filter(s, &flower40, 1, NULL);
	put_done(s, 0, 0);
	d = tc_open(s, &terse);
	tc_next_is(d, 10, 1);
	tc_next_is(d, 10, 2);
	tc_next_is(d, 40, 1);
	ends(s, d, 0, "");
	finish(s, d);
}
END_TEST

START_TEST(all_of_it_is_gone_in_the_full_dump)
{
	struct script *s = script_new(false);
	struct nsteer_tc_dump *d;

	say_first(s);
	say_datagram(s);
	put_tp(s, &other_chain);
	put_filter(s, &other_chain, 1, NULL);
	put_done(s, 0, 0);
	d = tc_open(s, &terse);
	tc_next_is(d, 10, 1);
	tc_next_is(d, 10, 2);
	ends(s, d, -EINTR, "incomplete");
	finish(s, d);
}
END_TEST

START_TEST(strict)
{
	struct script *s = script_new(false);
	struct nsteer_tc_dump_opts o = terse;
	struct nsteer_tc_dump *d;

	o.terse = NSTEER_TC_TERSE_STRICT;
	say_first(s);
	d = tc_open(s, &o);
	tc_next_is(d, 10, 1);
	tc_next_is(d, 10, 2);
	ends(s, d, -EOPNOTSUPP, "u32");
	finish(s, d);
}
END_TEST

/* matchall does not end the kernel's list. */
START_TEST(strict_on_its_own)
{
	struct script *s = script_new(false), *aside = script_new(false);
	struct nsteer_tc_dump_opts o = terse;
	struct nsteer_tc_dump *d;

	o.terse = NSTEER_TC_TERSE_STRICT;
	say_datagram(s);
	put_tp(s, &flower10);
	put_filter(s, &flower10, 1, NULL);
	put_tp(s, &mall11);
	put_done(s, 0, 0);
	say_datagram(aside);
	put_tp(aside, &mall11);
	put_filter(aside, &mall11, 1, NULL);
	d = tc_open_both(s, aside, &o);
	tc_next_is(d, 10, 1);
	ends(s, d, -EOPNOTSUPP,
	     "ingress, chain 4, pref 11: the classifier matchall has no terse "
	     "form");
	nsteer_tc_dump_close(d);
	script_end(s);
	script_end(aside);
}
END_TEST

/* The classifier itself ends the list; 1: it has a filter, so that does. */
START_TEST(it_ends_at_fw)
{
	struct script *s = script_new(false);
	struct nsteer_tc_dump_opts o = terse;
	struct nsteer_tc_dump *d;

	o.terse = NSTEER_TC_TERSE_OFF;
	say_datagram(s);
	put_tp(s, &fw5);
	if (_i)
		put_filter(s, &fw5, 1, NULL);
	say_datagram(s);
	put_done(s, 0, -EMSGSIZE);
	d = tc_open(s, &o);
	if (_i)
		tc_next_is(d, 5, 1);
	ends(s, d, -EMSGSIZE,
	     _i ? "chain 0, pref 5: a filter (fw) does not fit"
		: "chain 0, pref 5: the kernel ended the list at the "
		  "classifier fw");
	finish(s, d);
}
END_TEST

/* 0: terse, in flower; 1: terse, after some; 2: full */
START_TEST(a_filter_that_does_not_fit)
{
	struct script *s = script_new(false);
	struct nsteer_tc_dump_opts o = terse;
	struct nsteer_tc_dump *d;

	if (_i == 2)
		o.terse = NSTEER_TC_TERSE_OFF;
	say_datagram(s);
	put_tp(s, _i ? &bpf30 : &flower10);
	if (_i == 1)
		put_filter(s, &bpf30, 1, NULL);
	put_done(s, 0, -EMSGSIZE);
	d = tc_open(s, &o);
	if (_i == 1)
		tc_next_is(d, 30, 1);
	ends(s, d, -EMSGSIZE, "does not fit");
	finish(s, d);
}
END_TEST

START_TEST(refused)
{
	struct script *s = script_new(false);
	struct nsteer_tc_dump *d;

	say_datagram(s);
	put_done(s, 0, -EINVAL);
	d = tc_open(s, &terse);
	ends(s, d, -EINVAL, "cannot read the filters of");
	finish(s, d);
}
END_TEST

START_TEST(cut_and_lost)
{
	static const struct {
		int err;
		const char *words;
	} ways[] = {
		{ -ENOBUFS, "lost" },
		{ -EAGAIN, "did not reply" },
	};
	struct script *s = script_new(false);
	struct nsteer_tc_dump *d;

	say_datagram(s);
	put_filter(s, &flower10, 1, NULL);
	say_errno(s, ways[_i].err);
	d = tc_open(s, &terse);
	tc_next_is(d, 10, 1);
	ends(s, d, ways[_i].err == -EAGAIN ? -ETIMEDOUT : ways[_i].err,
	     ways[_i].words);
	finish(s, d);
}
END_TEST

/* A dump is closed in the midst. */
START_TEST(closed_early)
{
	struct script *s = script_new(false);
	struct nsteer_tc_dump *d;

	say_datagram(s);
	put_filter(s, &flower10, 1, NULL);
	put_filter(s, &flower10, 2, NULL);
	d = tc_open(s, &terse);
	tc_next_is(d, 10, 1);
	finish(s, d);
}
END_TEST

START_TEST(contradictions)
{
	static const struct nsteer_tc_dump_opts bad[] = {
		{ .block = 1, .ifindex = 1 },
		{ .block = 1, .hook = NSTEER_TC_HOOK_EGRESS },
		{ .block = 1, .parent = 1 << 16 },
		{ .ifindex = 1, .hook = NSTEER_TC_HOOK_ROOT, .parent = 1 },
		{ .hook = NSTEER_TC_HOOK_INGRESS },
		{ .parent = 1 << 16 },
		{ .ifindex = 1, .hook = 6 },
		{ .terse = 3 },
		{ .pref = 65536 },
		{ .kind = "0123456789abcdef" },
		{ .kind = "" },
		{ .ifindex = 1, .hook = NSTEER_TC_HOOK_PEER },
	};
	struct script *s = script_new(false);
	struct nsteer_tc_dump_opts o = bad[_i];
	struct nsteer_tc_dump *d = NULL;

	o.sz = sizeof(o);
	ck_assert_int_eq(nsteer_tc_dump_open(s->ns, &o, &d), -EINVAL);
	ck_assert_str_ne(nsteer_errmsg(s->ns), "");
	ck_assert_ptr_null(d);
	if (o.hook == NSTEER_TC_HOOK_PEER)
		ck_assert_ptr_nonnull(strstr(nsteer_errmsg(s->ns), "netkit"));
	script_end(s);
}
END_TEST

/* A device without places, that is no device at all. */
START_TEST(no_such_device)
{
	struct script *s = script_new(false);
	struct nsteer_tc_dump_opts o = { .ifindex = 0x7ffffff0 };
	struct nsteer_tc_dump *d;

	say_datagram(s);
	put_done(s, 0, 0);
	d = tc_open(s, &o);
	ends(s, d, -ENODEV, "2147483632");
	finish(s, d);
}
END_TEST

/*
 * The qdisc ingress answers for egress, too: a block that is shared there is
 * not the block of egress. 1: it is
 */
START_TEST(egress_of_ingress)
{
	static const struct tc_where here = { 7, TC_INGRESS, 0, 1, "flower" };
	static const struct tc_where block = { TCM_IFINDEX_MAGIC_BLOCK, 9, 0, 1,
					       "flower" };
	struct script *s = script_new(false), *aside = script_new(false);
	struct nsteer_tc_dump_opts o = { .ifindex = 1,
					 .hook = NSTEER_TC_HOOK_EGRESS };
	struct nsteer_tc_dump *d;

	say_datagram(s);
	put_filter(s, _i ? &block : &here, 1, NULL);
	if (_i) {
		say_datagram(aside);
		put_qdisc(aside, 1, TC_H_CLSACT, TC_H_INGRESS,
			  _i == 1 ? "ingress" : "clsact");
		put_attr_u32(aside, TCA_INGRESS_BLOCK, 9);
		put_done(aside, 0, 0);
	}
	if (_i == 2)
		put_done(s, 0, 0);
	d = tc_open_both(s, aside, &o);
	if (_i == 2)
		tc_next_is(d, 1, 1);
	ends(s, d, _i == 2 ? 0 : -ENOENT, "there is no hook ");
	nsteer_tc_dump_close(d);
	script_end(s);
	script_end(aside);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("tc dump");
	TCase *tc = tcase_create("dump");

	tcase_add_test(tc, plain);
	tcase_add_test(tc, selection_is_the_kernels);
	tcase_add_test(tc, kind_is_selected_here);
	tcase_add_test(tc, the_rest_comes_from_a_full_dump);
	tcase_add_loop_test(tc, lost_between_messages, 0, 2);
	tcase_add_loop_test(tc, lost_and_too_large, 0, 2);
	tcase_add_test(tc, refused_on_its_own);
	tcase_add_test(tc, broken_on_its_own);
	tcase_add_test(tc, lost_and_not_asked_for);
	tcase_add_test(tc, it_is_gone_in_the_full_dump);
	tcase_add_test(tc, all_of_it_is_gone_in_the_full_dump);
	tcase_add_test(tc, strict);
	tcase_add_test(tc, strict_on_its_own);
	tcase_add_loop_test(tc, it_ends_at_fw, 0, 2);
	tcase_add_loop_test(tc, a_filter_that_does_not_fit, 0, 3);
	tcase_add_test(tc, refused);
	tcase_add_loop_test(tc, cut_and_lost, 0, 2);
	tcase_add_test(tc, closed_early);
	tcase_add_loop_test(tc, contradictions, 0, 12);
	tcase_add_test(tc, no_such_device);
	tcase_add_loop_test(tc, egress_of_ingress, 0, 3);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
