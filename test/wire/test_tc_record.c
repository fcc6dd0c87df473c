// SPDX-License-Identifier: GPL-2.0-or-later
/* One record: its actions, what they counted, and bytes that make no sense. */
#include <linux/tc_act/tc_mirred.h>

#include "tc_msgs.h"

static const struct tc_where flower = { 7, TC_EGRESS, 3, 10, "flower" };
static const struct nsteer_tc_dump_opts full = {
	.ifindex = 7,
	.hook = NSTEER_TC_HOOK_EGRESS,
};

static void basic(struct attrs *a, uint16_t type, uint64_t bytes,
		  uint32_t packets)
{
	struct gnet_stats_basic b = { .bytes = bytes, .packets = packets };

	mnl_attr_put((struct nlmsghdr *)a->buf, type, sizeof(b), &b);
}

static void pkt64(struct attrs *a, uint64_t packets)
{
	mnl_attr_put_u64((struct nlmsghdr *)a->buf, TCA_STATS_PKT64, packets);
}

/* The first action of a flower whose one action has these statistics. */
static const struct nsteer_tc_action *
first_action(struct script *s, const struct attrs *stats,
	     struct nsteer_tc_dump **d)
{
	const struct nsteer_tc_action *a;
	struct attrs act, acts, options;

	mnl_attr_put_strz(attrs_new(&act), TCA_ACT_KIND, "gact");
	attrs_nest(&act, TCA_ACT_STATS, stats);
	attrs_new(&acts);
	attrs_nest(&acts, 1, &act);
	attrs_new(&options);
	attrs_nest(&options, TCA_FLOWER_ACT, &acts);
	say_datagram(s);
	put_filter(s, &flower, 1, &options);
	put_done(s, 0, 0);
	*d = tc_open(s, &full);
	a = nsteer_tc_filter_action(tc_next_is(*d, 10, 1), 0);
	ck_assert_ptr_nonnull(a);
	return a;
}

/* Which of the two a 64-bit count belongs to is told by the order alone. */
START_TEST(counts_by_order)
{
	struct gnet_stats_queue q = { .qlen = 1, .backlog = 2, .drops = 3,
				      .requeues = 4, .overlimits = 5 };
	struct script *s = script_new(false);
	const struct nsteer_tc_stats *st;
	struct nsteer_tc_dump *d;
	uint64_t bytes, packets;
	struct attrs a;

	attrs_new(&a);
	/* Before anything that it could belong to. */
	pkt64(&a, 77);
	basic(&a, TCA_STATS_BASIC, 1000, 5);
	pkt64(&a, 0x100000005);
	basic(&a, TCA_STATS_BASIC_HW, 600, 2);
	pkt64(&a, 0x100000002);
	mnl_attr_put((struct nlmsghdr *)a.buf, TCA_STATS_QUEUE, sizeof(q), &q);
	st = nsteer_tc_action_stats(first_action(s, &a, &d));
	ck_assert_uint_eq(nsteer_tc_stats_bytes(st), 1000);
	ck_assert_uint_eq(nsteer_tc_stats_packets(st), 0x100000005);
	ck_assert(nsteer_tc_stats_hw(st, &bytes, &packets));
	ck_assert_uint_eq(bytes, 600);
	ck_assert_uint_eq(packets, 0x100000002);
	ck_assert_uint_eq(nsteer_tc_stats_qlen(st), 1);
	ck_assert_uint_eq(nsteer_tc_stats_backlog(st), 2);
	ck_assert_uint_eq(nsteer_tc_stats_drops(st), 3);
	ck_assert_uint_eq(nsteer_tc_stats_requeues(st), 4);
	ck_assert_uint_eq(nsteer_tc_stats_overlimits(st), 5);
	nsteer_tc_dump_close(d);
	script_end(s);
}
END_TEST

START_TEST(counts_without_hardware)
{
	struct script *s = script_new(false);
	const struct nsteer_tc_stats *st;
	uint64_t bytes = 9, packets = 9;
	struct nsteer_tc_dump *d;
	struct attrs a;

	attrs_new(&a);
	basic(&a, TCA_STATS_BASIC, 1000, 5);
	basic(&a, TCA_STATS_BASIC_HW, 0, 0);
	st = nsteer_tc_action_stats(first_action(s, &a, &d));
	ck_assert(!nsteer_tc_stats_hw(st, &bytes, &packets));
	ck_assert_uint_eq(bytes + packets, 18);
	nsteer_tc_dump_close(d);
	script_end(s);
}
END_TEST

START_TEST(counts_cut_short)
{
	struct script *s = script_new(false);
	const struct nsteer_tc_stats *st;
	struct nsteer_tc_dump *d;
	struct attrs a;
	char few[11] = "0123456789";

	mnl_attr_put(attrs_new(&a), TCA_STATS_BASIC, sizeof(few), few);
	mnl_attr_put((struct nlmsghdr *)a.buf, TCA_STATS_PKT64, 4, few);
	mnl_attr_put((struct nlmsghdr *)a.buf, TCA_STATS_QUEUE, 4, "\7\0\0\0");
	st = nsteer_tc_action_stats(first_action(s, &a, &d));
	ck_assert_uint_eq(nsteer_tc_stats_bytes(st), 0);
	ck_assert_uint_eq(nsteer_tc_stats_packets(st), 0);
	ck_assert_uint_eq(nsteer_tc_stats_qlen(st), 7);
	ck_assert_uint_eq(nsteer_tc_stats_drops(st), 0);
	nsteer_tc_dump_close(d);
	script_end(s);
}
END_TEST

/* ---- actions ---- */

/* Of every other one the index stands where a full dump has it. */
static void an_action(struct attrs *acts, uint16_t order, const char *kind)
{
	struct tc_gact parms = { .index = 100 + order };
	struct attrs act, options;

	mnl_attr_put_strz(attrs_new(&act), TCA_ACT_KIND, kind);
	if (order % 2) {
		mnl_attr_put_u32((struct nlmsghdr *)act.buf, TCA_ACT_INDEX,
				 parms.index);
	} else {
		mnl_attr_put(attrs_new(&options), TCA_MIRRED_PARMS,
			     sizeof(parms), &parms);
		attrs_nest(&act, TCA_ACT_OPTIONS, &options);
	}
	mnl_attr_put((struct nlmsghdr *)act.buf, TCA_ACT_COOKIE, 2, "\xab\xcd");
	attrs_nest(acts, order, &act);
}

START_TEST(actions)
{
	struct script *s = script_new(false);
	struct nsteer_tc_dump_opts o = full;
	const struct nsteer_tc_action *a = NULL;
	const struct nsteer_tc_filter *f;
	struct attrs acts, options;
	struct nsteer_tc_dump *d;
	const void *cookie;
	uint32_t index, i;
	size_t len;

	if (_i)
		o.terse = NSTEER_TC_TERSE_ON;
	attrs_new(&acts);
	/* One more than the kernel has. */
	for (i = 1; i <= NSTEER_TC_ACTIONS_MAX + 1; i++)
		an_action(&acts, i, i % 2 ? "gact" : "mirred");
	attrs_new(&options);
	attrs_nest(&options, TCA_FLOWER_ACT | NLA_F_NESTED, &acts);
	say_datagram(s);
	put_filter(s, &flower, 1, &options);
	put_filter(s, &flower, 2, NULL);
	put_done(s, 0, 0);
	d = tc_open(s, &o);
	f = tc_next_is(d, 10, 1);
	ck_assert_int_eq(nsteer_tc_filter_hook(f), NSTEER_TC_HOOK_EGRESS);
	ck_assert_uint_eq(nsteer_tc_filter_chain(f), 3);
	for (i = 1; (a = nsteer_tc_filter_action(f, i - 1)); i++) {
		ck_assert_uint_eq(nsteer_tc_action_order(a), i);
		ck_assert_str_eq(nsteer_tc_action_kind(a),
				 i % 2 ? "gact" : "mirred");
		cookie = nsteer_tc_action_cookie(a, &len);
		ck_assert_uint_eq(len, 2);
		ck_assert_mem_eq(cookie, "\xab\xcd", 2);
		ck_assert_ptr_null(nsteer_tc_action_stats(a));
		ck_assert_int_eq(nsteer_tc_action_is_terse(a), _i);
		/* A terse dump has no options: theirs is not told either. */
		index = 100 + i;
		ck_assert_int_eq(nsteer_tc_action_index(a, &index),
				 _i && !(i % 2) ? -ENODATA : 0);
		ck_assert_uint_eq(index, 100 + i);
	}
	ck_assert_uint_eq(i, NSTEER_TC_ACTIONS_MAX + 1);
	/* They stay, and may be asked for in any order. */
	a = nsteer_tc_filter_action(f, 0);
	ck_assert_uint_eq(nsteer_tc_action_order(a), 1);
	ck_assert_ptr_eq(nsteer_tc_filter_action(f, 0), a);
	ck_assert_ptr_nonnull(nsteer_tc_filter_action(f, 31));
	ck_assert_ptr_null(nsteer_tc_filter_action(f, UINT32_MAX));
	ck_assert_str_eq(nsteer_tc_action_kind(a), "gact");
	/* Nothing of them is left over. */
	ck_assert_ptr_null(nsteer_tc_filter_action(tc_next_is(d, 10, 2), 0));
	nsteer_tc_dump_close(d);
	script_end(s);
}
END_TEST

/* Two actions, one after the other at the same place. */
static const struct repeated {
	const char *kind[2];
	uint32_t gact[2][5]; /* struct tc_gact: index, 0, action, ref, bind */
	size_t len;	     /* of it, 0: no options */
	size_t more[2];	     /* bytes of an attribute that nobody knows */
	uint32_t hw_count[2];
	bool terse;
	bool repeats;
} repeated[] = {
	{ { "gact", "gact" },
	  { { 1, 0, 2, 1, 1 }, { 1, 0, 2, 1, 1 } },
	  .len = 20,
	  .repeats = true },
	/* The index is none of the values. */
	{ { "gact", "gact" },
	  { { 1, 0, 2, 1, 1 }, { 9, 0, 2, 1, 1 } },
	  .len = 20,
	  .repeats = true },
	{ { "gact", "gact" },
	  { { 1, 0, 2, 1, 1 }, { 1, 0, 3, 1, 1 } },
	  .len = 20 },
	{ { "gact", "gact" },
	  { { 1, 0, 2, 1, 1 }, { 1, 4, 2, 1, 1 } },
	  .len = 20 },
	{ { "gact", "gact" },
	  { { 1, 0, 2, 1, 1 }, { 1, 0, 2, 1, 2 } },
	  .len = 20 },
	{ { "gact", "simple" },
	  { { 1, 0, 2, 1, 1 }, { 1, 0, 2, 1, 1 } },
	  .len = 20 },
	/* One that is too short is told as bytes, index and all. */
	{ { "gact", "gact" }, { { 1, 0, 2 }, { 9, 0, 2 } }, .len = 12 },
	{ { "gact", "gact" },
	  { { 1, 0, 2 }, { 1, 0, 2 } },
	  .len = 12,
	  .repeats = true },
	/* The same of a kind that is not known. */
	{ { "odd", "odd" },
	  { { 1, 0, 2, 1, 1 }, { 9, 0, 2, 1, 1 } },
	  .len = 20 },
	{ { "odd", "odd" },
	  { { 1, 0, 2, 1, 1 }, { 1, 0, 2, 1, 1 } },
	  .len = 20,
	  .repeats = true },
	{ { "gact", "gact" }, { { 0 }, { 0 } }, .len = 0, .repeats = true },
	{ { "gact", "gact" },
	  { { 1, 0, 2, 1, 1 }, { 1, 0, 2, 1, 1 } },
	  .len = 20,
	  .more = { 16, 16 },
	  .repeats = true },
	/* More than is kept; and what is told beside the options. */
	{ { "gact", "gact" },
	  { { 1, 0, 2, 1, 1 }, { 1, 0, 2, 1, 1 } },
	  .len = 20,
	  .more = { NST_TC_TOLD_MAX, NST_TC_TOLD_MAX } },
	{ { "gact", "gact" },
	  { { 1, 0, 2, 1, 1 }, { 1, 0, 2, 1, 1 } },
	  .len = 20,
	  .more = { 16, 0 } },
	{ { "gact", "gact" },
	  { { 1, 0, 2, 1, 1 }, { 1, 0, 2, 1, 1 } },
	  .len = 20,
	  .hw_count = { 0, 1 } },
	{ { "gact", "gact" },
	  { { 1, 0, 2, 1, 1 }, { 1, 0, 2, 1, 1 } },
	  .len = 20,
	  .hw_count = { 1, 0 } },
	{ { "gact", "gact" },
	  { { 1, 0, 2, 1, 1 }, { 1, 0, 3, 1, 1 } },
	  .len = 20,
	  .terse = true,
	  .repeats = true },
	{ { "gact", "mirred" }, { { 0 }, { 0 } }, .len = 0, .terse = true },
};

static void put_repeated(struct script *s, const struct repeated *r, int n)
{
	static const char zeros[NST_TC_TOLD_MAX];
	struct attrs act, acts, values, options;

	attrs_new(&values);
	if (r->len)
		mnl_attr_put((struct nlmsghdr *)values.buf, TCA_GACT_PARMS,
			     r->len, r->gact[n]);
	if (r->more[n])
		mnl_attr_put((struct nlmsghdr *)values.buf, 99, r->more[n],
			     zeros);
	mnl_attr_put_strz(attrs_new(&act), TCA_ACT_KIND, r->kind[n]);
	if (r->len)
		attrs_nest(&act, TCA_ACT_OPTIONS, &values);
	mnl_attr_put_u32((struct nlmsghdr *)act.buf, TCA_ACT_IN_HW_COUNT,
			 r->hw_count[n]);
	attrs_new(&acts);
	attrs_nest(&acts, 1, &act);
	attrs_new(&options);
	attrs_nest(&options, TCA_FLOWER_ACT, &acts);
	put_filter(s, &flower, n + 1, &options);
}

START_TEST(repeats)
{
	const struct repeated *r = &repeated[_i];
	struct script *s = script_new(false);
	struct nsteer_tc_dump_opts o = full;
	const struct nsteer_tc_action *a;
	struct nsteer_tc_dump *d;
	int n;

	if (r->terse)
		o.terse = NSTEER_TC_TERSE_ON;
	say_datagram(s);
	put_repeated(s, r, 0);
	put_repeated(s, r, 1);
	put_done(s, 0, 0);
	d = tc_open(s, &o);
	for (n = 0; n < 2; n++) {
		a = nsteer_tc_filter_action(tc_next_is(d, 10, n + 1), 0);
		ck_assert_int_eq(nsteer_tc_action_repeats(a), n && r->repeats);
	}
	/* It is the one before then. */
	ck_assert_int_eq(nsteer_tc_action_repeats(a),
			 !r->hw_count[1] && r->more[1] < NST_TC_TOLD_MAX);
	nsteer_tc_dump_close(d);
	script_end(s);
}
END_TEST

static int count_values(const struct nsteer_tc_value *v, void *data)
{
	size_t len;

	nsteer_tc_value_data(v, &len);
	nsteer_tc_value_name(v);
	++*(int *)data;
	return 0;
}

static void look_at_all_of_it(const struct nsteer_tc_filter *f)
{
	const struct nsteer_tc_action *a;
	unsigned int i;
	int n = 0;

	nsteer_tc_filter_values(f, count_values, &n);
	for (i = 0; (a = nsteer_tc_filter_action(f, i)); i++) {
		nsteer_tc_action_repeats(a);
		nsteer_tc_action_values(a, count_values, &n);
	}
}

static int add_name(const struct nsteer_tc_value *v, void *data)
{
	char *names = data;
	size_t used = strlen(names);

	snprintf(names + used, 256 - used, "%s%s", used ? " " : "",
		 nsteer_tc_value_name(v));
	return 0;
}

/* What all actions have: a name stands for what it is, or it is not told. */
static const struct {
	size_t shift; /* bytes too many, or (if negative) too few */
	const char *names;
} common[] = {
	{ 0, "no_percpu skip_sw hw_stats used_hw_stats in_hw_count" },
	{ (size_t)-2, "attr_7 attr_8 attr_9 attr_10" },
	{ (size_t)-4, "attr_7 attr_8 attr_9 attr_10" },
	{ 4, "attr_7 attr_8 attr_9 attr_10" },
};

START_TEST(common_lengths)
{
	/* Of each of their 8 bytes the first 4, and of 4 these. */
	static const uint32_t bits[4] = { 5, 5 };
	struct script *s = script_new(false);
	const struct nsteer_tc_filter *f;
	size_t shift = common[_i].shift;
	struct attrs act, acts, options;
	struct nlmsghdr *to;
	struct nsteer_tc_dump *d;
	char names[256] = "";

	to = attrs_new(&act);
	mnl_attr_put_strz(to, TCA_ACT_KIND, "gact");
	mnl_attr_put(to, 7 /* TCA_ACT_FLAGS */, 8 + shift, bits);
	mnl_attr_put(to, 8 /* TCA_ACT_HW_STATS */, 8 + shift, bits);
	mnl_attr_put(to, 9 /* TCA_ACT_USED_HW_STATS */, 8 + shift, bits);
	mnl_attr_put(to, 10 /* TCA_ACT_IN_HW_COUNT */, 4 + shift, bits);
	attrs_new(&acts);
	attrs_nest(&acts, 1, &act);
	attrs_new(&options);
	attrs_nest(&options, TCA_FLOWER_ACT, &acts);
	say_datagram(s);
	put_filter(s, &flower, 1, &options);
	put_done(s, 0, 0);
	d = tc_open(s, &full);
	f = tc_next_is(d, 10, 1);
	nsteer_tc_action_values(nsteer_tc_filter_action(f, 0), add_name,
				names);
	ck_assert_str_eq(names, common[_i].names);
	nsteer_tc_dump_close(d);
	script_end(s);
}
END_TEST

/* Of nothing else than a count of zero nothing is told, if that is what it is. */
START_TEST(zero_lengths)
{
	static const uint32_t zeros[2];
	struct nsteer_tc_action a = { 0 };
	char names[256] = "";
	struct attrs act, acts;
	struct nlmsghdr *to;

	to = attrs_new(&act);
	mnl_attr_put_strz(to, TCA_ACT_KIND, "gact");
	mnl_attr_put(to, 10 /* TCA_ACT_IN_HW_COUNT */, _i ? 8 : 4, zeros);
	to = attrs_new(&acts);
	attrs_nest(&acts, 1, &act);
	nst_tc_action_read(&a, 1, mnl_nlmsg_get_payload(to));
	nsteer_tc_action_values(&a, add_name, names);
	ck_assert_str_eq(names, _i ? "attr_10" : "");
}
END_TEST

/* Attributes that lie about their length: what is before them is shown. */
START_TEST(lies)
{
	static const struct nlattr odd[] = {
		{ .nla_len = 3, .nla_type = TCA_FLOWER_ACT },
		{ .nla_len = 0, .nla_type = 1 },
		{ .nla_len = 65535, .nla_type = TCA_FLOWER_ACT },
		{ .nla_len = 5, .nla_type = 1 },
		{ .nla_len = 8, .nla_type = 0x7fff },
	};
	struct script *s = script_new(false);
	const struct nsteer_tc_filter *f;
	struct attrs options, acts;
	struct nsteer_tc_dump *d;

	mnl_attr_put_u32(attrs_new(&options), TCA_FLOWER_FLAGS,
			 NSTEER_TC_IN_HW);
	attrs_new(&acts);
	mnl_attr_put((struct nlmsghdr *)acts.buf, 1, sizeof(odd[_i]), &odd[_i]);
	attrs_nest(&options, TCA_FLOWER_ACT, &acts);
	mnl_attr_put((struct nlmsghdr *)options.buf, TCA_FLOWER_INDEV,
		     sizeof(odd[_i]), &odd[_i]);
	memcpy(options.buf + ((struct nlmsghdr *)options.buf)->nlmsg_len,
	       &odd[_i], sizeof(odd[_i]));
	((struct nlmsghdr *)options.buf)->nlmsg_len += sizeof(odd[_i]);
	say_datagram(s);
	put_filter(s, &flower, 1, &options);
	put_filter(s, &flower, 2, NULL);
	put_done(s, 0, 0);
	d = tc_open(s, &full);
	f = tc_next_is(d, 10, 1);
	ck_assert_uint_eq(nsteer_tc_filter_flags(f), NSTEER_TC_IN_HW);
	look_at_all_of_it(f);
	/* And the list goes on. */
	tc_next_is(d, 10, 2);
	nsteer_tc_dump_close(d);
	script_end(s);
}
END_TEST

/* No filter's message, and a kind that is longer than kinds are. */
START_TEST(what_is_no_filter)
{
	const struct tc_where odd = { 7, TC_EGRESS, 0, 11,
				      "a kind of more than fifteen bytes" };
	struct script *s = script_new(false);
	const struct nsteer_tc_filter *f;
	struct nsteer_tc_dump *d;

	say_datagram(s);
	put_msg(s, RTM_NEWTFILTER, NLM_F_MULTI, "short", 5);
	put_msg(s, RTM_NEWQDISC, NLM_F_MULTI, NULL, 0);
	put_filter(s, &odd, 9, NULL);
	put_done(s, 0, 0);
	d = tc_open(s, &full);
	f = tc_next_is(d, 11, 9);
	ck_assert_str_eq(nsteer_tc_filter_kind(f), "a kind of more ");
	look_at_all_of_it(f);
	ck_assert_int_eq(nsteer_tc_dump_next(d, &f), 0);
	nsteer_tc_dump_close(d);
	script_end(s);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("tc record");
	TCase *tc = tcase_create("record");

	tcase_add_test(tc, counts_by_order);
	tcase_add_test(tc, counts_without_hardware);
	tcase_add_test(tc, counts_cut_short);
	tcase_add_loop_test(tc, actions, 0, 2);
	tcase_add_loop_test(tc, repeats, 0,
			    sizeof(repeated) / sizeof(repeated[0]));
	tcase_add_loop_test(tc, common_lengths, 0,
			    sizeof(common) / sizeof(common[0]));
	tcase_add_loop_test(tc, zero_lengths, 0, 2);
	tcase_add_loop_test(tc, lies, 0, 5);
	tcase_add_test(tc, what_is_no_filter);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
