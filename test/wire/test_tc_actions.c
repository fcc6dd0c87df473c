// SPDX-License-Identifier: GPL-2.0-or-later
/* The stream of actions: many in a message, kind by kind, and its ends. */
#include "tc_msgs.h"

#define LARGE 1u
#define TERSE 2u

#define ONE(_kind, _index) { .kind = (_kind), .index = (_index) }
#define BRIEF(_kind, _index)                                                   \
	{ .kind = (_kind), .index = (_index), .terse = true, .cookie = "\n\v" }

static const struct nsteer_tc_actions_opts gact = { .kind = "gact" };
static const struct nsteer_tc_actions_opts pedit = { .kind = "pedit" };
static const struct nsteer_tc_actions_opts odd = { .kind = "\033" };
static const struct nsteer_tc_actions_opts other = { .kind = "o\033ther" };
static const struct nsteer_tc_actions_opts terse = {
	.kind = "gact",
	.terse = NSTEER_TC_TERSE_ON,
};

static const struct tc_act three[] = { ONE("gact", 1), ONE("gact", 2),
				       ONE("gact", 9) };
static const struct tc_act brief[] = { BRIEF("gact", 1), BRIEF("gact", 2) };

static void next_is(struct nsteer_tc_actions *d, const char *kind,
		    uint32_t index)
{
	const struct nsteer_tc_action *a = NULL;
	int ret = nsteer_tc_actions_next(d, &a);
	uint32_t is = 0;

	ck_assert_msg(ret == 1, "%d where %s %u was due", ret, kind, index);
	ck_assert_str_eq(nsteer_tc_action_kind(a), kind);
	ck_assert_int_eq(nsteer_tc_action_index(a, &is), 0);
	ck_assert_uint_eq(is, index);
	ck_assert_uint_eq(nsteer_tc_action_order(a), 0);
}

static void ends(struct script *s, struct nsteer_tc_actions *d, int err,
		 const char *words)
{
	const struct nsteer_tc_action *a = NULL;

	ck_assert_int_eq(nsteer_tc_actions_next(d, &a), err);
	ck_assert_ptr_null(a);
	if (!err)
		ck_assert_str_eq(nsteer_errmsg(s->ns), "");
	else
		ck_assert_msg(strstr(nsteer_errmsg(s->ns), words), "\"%s\"",
			      nsteer_errmsg(s->ns));
	/* And that was that. */
	ck_assert_int_eq(nsteer_tc_actions_next(d, &a), err ? -EBADFD : 0);
	nsteer_tc_actions_close(d);
	script_end(s);
}

/* Of the last request: the kind, and an index, 0: none. */
static const char *asked_for(struct script *s, uint32_t *index)
{
	const struct nlattr *root[TCA_ROOT_MAX + 1], *tab[2],
		*entry[TCA_ACT_MAX + 1];

	NST_NLA_PARSE_MSG(script_sent(s), sizeof(struct tcamsg), root,
			  TCA_ROOT_MAX);
	nst_nla_parse_nested(root[TCA_ACT_TAB], tab, 1);
	nst_nla_parse_nested(tab[1], entry, TCA_ACT_MAX);
	ck_assert_ptr_nonnull(entry[TCA_ACT_KIND]);
	*index = 0;
	nst_nla_u32(entry[TCA_ACT_INDEX], index);
	return mnl_attr_get_str(entry[TCA_ACT_KIND]);
}

static void asked_dump(struct script *s, const char *kind, uint32_t flags)
{
	const struct nlmsghdr *nlh = script_sent(s);
	const struct nlattr *root[TCA_ROOT_MAX + 1];
	struct nla_bitfield32 bits;
	uint32_t index;

	ck_assert_uint_eq(nlh->nlmsg_type, RTM_GETACTION);
	ck_assert_uint_eq(nlh->nlmsg_flags, NLM_F_REQUEST | NLM_F_DUMP);
	ck_assert_str_eq(asked_for(s, &index), kind);
	ck_assert_uint_eq(index, 0);
	NST_NLA_PARSE_MSG(nlh, sizeof(struct tcamsg), root, TCA_ROOT_MAX);
	ck_assert_uint_eq(mnl_attr_get_payload_len(root[TCA_ROOT_FLAGS]),
			  sizeof(bits));
	memcpy(&bits, mnl_attr_get_payload(root[TCA_ROOT_FLAGS]), sizeof(bits));
	ck_assert_uint_eq(bits.value, flags);
	ck_assert_uint_eq(bits.selector, flags);
}

static void say_done(struct script *s, int code)
{
	say_datagram(s);
	put_done(s, 0, code);
}

/* A whole dump. */
static void say_all(struct script *s, const struct tc_act *acts, size_t n)
{
	say_datagram(s);
	if (n)
		put_actions(s, acts, n, n);
	put_done(s, 0, 0);
}

static int count_values(const struct nsteer_tc_value *v, void *data)
{
	(void)v;
	++*(int *)data;
	return 0;
}

START_TEST(many_in_a_message)
{
	struct script *s = script_new(false);
	const struct nsteer_tc_action *a;
	struct nsteer_tc_actions *d;
	int values = 0;
	size_t len;

	say_datagram(s);
	put_actions(s, three, 3, 3);
	put_actions(s, three, 1, 1);
	say_datagram(s);
	put_actions(s, three + 2, 1, 1);
	say_done(s, 0);
	d = tc_actions(s, &gact);
	ck_assert_int_eq(nsteer_tc_actions_next(d, &a), 1);
	asked_dump(s, "gact", LARGE);
	ck_assert(!nsteer_tc_action_is_terse(a));
	ck_assert_ptr_null(nsteer_tc_action_cookie(a, &len));
	nsteer_tc_action_values(a, count_values, &values);
	ck_assert_int_gt(values, 0);
	next_is(d, "gact", 2);
	next_is(d, "gact", 9);
	next_is(d, "gact", 1);
	next_is(d, "gact", 9);
	ends(s, d, 0, "");
}
END_TEST

/* 0: on, 1: strict, which is the same */
START_TEST(terse_has_index_and_cookie)
{
	struct script *s = script_new(false);
	struct nsteer_tc_actions_opts o = terse;
	const struct nsteer_tc_action *a;
	struct nsteer_tc_actions *d;
	uint32_t index = 0;
	size_t len = 0;

	if (_i)
		o.terse = NSTEER_TC_TERSE_STRICT;
	say_all(s, brief, 2);
	d = tc_actions(s, &o);
	ck_assert_int_eq(nsteer_tc_actions_next(d, &a), 1);
	asked_dump(s, "gact", LARGE | TERSE);
	ck_assert(nsteer_tc_action_is_terse(a));
	ck_assert_int_eq(nsteer_tc_action_index(a, &index), 0);
	ck_assert_uint_eq(index, 1);
	ck_assert_mem_eq(nsteer_tc_action_cookie(a, &len), "\n\v", 2);
	ck_assert_uint_eq(len, 2);
	next_is(d, "gact", 2);
	ends(s, d, 0, "");
}
END_TEST

/* Linux below 5.11 refuses a flag that it does not know. */
START_TEST(terse_is_made_here)
{
	struct script *s = script_new(false);
	const struct nsteer_tc_action *a;
	struct nsteer_tc_actions *d;
	uint32_t index = 0;
	int values = 0;

	say_done(s, -EINVAL);
	say_all(s, three, 2);
	d = tc_actions(s, &terse);
	ck_assert_int_eq(nsteer_tc_actions_next(d, &a), 1);
	asked_dump(s, "gact", LARGE);
	ck_assert(nsteer_tc_action_is_terse(a));
	ck_assert_int_eq(nsteer_tc_action_index(a, &index), 0);
	ck_assert_uint_eq(index, 1);
	nsteer_tc_action_values(a, count_values, &values);
	ck_assert_int_eq(values, 0);
	next_is(d, "gact", 2);
	ends(s, d, 0, "");
}
END_TEST

START_TEST(refused_twice)
{
	struct script *s = script_new(false);

	say_done(s, -EINVAL);
	say_done(s, -EINVAL);
	ends(s, tc_actions(s, &terse), -EINVAL,
	     "cannot read the actions of kind gact: Invalid argument");
}
END_TEST

/* Terse: nothing more is asked for kinds whose actions may be large. */
START_TEST(every_kind_by_name)
{
	struct script *s = script_new(false);
	struct nsteer_tc_actions_opts o = { .terse = NSTEER_TC_TERSE_ON };
	struct nsteer_tc_actions *d;
	const char *kind, *before = "";
	struct tc_act act = { .terse = true };
	unsigned int n;

	for (n = 0; (kind = nsteer_tc_actions_known(n)); n++) {
		ck_assert_int_gt(strcmp(kind, before), 0);
		before = act.kind = kind;
		act.index = n + 1;
		say_all(s, &act, n % 3 ? 1 : 0);
	}
	ck_assert_uint_eq(n, 21);
	ck_assert_ptr_null(nsteer_tc_actions_known(n));
	d = tc_actions(s, &o);
	for (n = 0; (kind = nsteer_tc_actions_known(n)); n++) {
		if (!(n % 3))
			continue;
		next_is(d, kind, n + 1);
		asked_dump(s, kind, LARGE | TERSE);
	}
	ends(s, d, 0, "");
}
END_TEST

/* A kind that is in no table, and of which there are none. */
static void say_no_others(struct script *s)
{
	say_all(s, NULL, 0);
	say_all(s, NULL, 0);
}

START_TEST(no_such_kind)
{
	struct script *s = script_new(false);
	const struct nsteer_tc_action *a;
	struct nsteer_tc_actions *d;
	uint32_t index;

	say_no_others(s);
	say_datagram(s);
	put_error(s, 0, -EINVAL);
	d = tc_actions(s, &other);
	ck_assert_int_eq(nsteer_tc_actions_next(d, &a), -ENOENT);
	/* What a terminal would obey is not told. */
	ck_assert_ptr_nonnull(strstr(nsteer_errmsg(s->ns),
				     "no actions of kind o\\x1bther"));
	ck_assert_uint_eq(script_sent(s)->nlmsg_type, RTM_GETACTION);
	ck_assert_uint_eq(script_sent(s)->nlmsg_flags, NLM_F_REQUEST);
	ck_assert_str_eq(asked_for(s, &index), other.kind);
	ck_assert_uint_eq(index, 1);
	nsteer_tc_actions_close(d);
	script_end(s);
}
END_TEST

/* 0: there is such a kind; 1: and an action has come; 2: it cannot be said. */
START_TEST(a_kind_of_no_table)
{
	static const struct tc_act one[] = { ONE("other", 1) };
	struct script *s = script_new(false);

	say_no_others(s);
	say_datagram(s);
	if (_i == 1)
		put_actions(s, one, 1, 0);
	else
		put_error(s, 0, _i ? -ENOMEM : -ENOENT);
	ends(s, tc_actions(s, &other), _i == 2 ? -ENOMEM : 0,
	     "cannot read the actions of kind o\\x1bther");
}
END_TEST

/* One of the table that the kernel has not loaded. */
START_TEST(none_of_a_known_kind)
{
	struct script *s = script_new(false);

	say_all(s, NULL, 0);
	ends(s, tc_actions(s, &gact), 0, "");
}
END_TEST

/* ---- what does not fit into a message ends the kernel's list ---- */

static const struct tc_act edits[] = { ONE("pedit", 1), ONE("pedit", 2),
				       ONE("pedit", 3) };
static const struct tc_act edits_brief[] = { BRIEF("pedit", 1),
					     BRIEF("pedit", 2),
					     BRIEF("pedit", 3) };

START_TEST(one_does_not_fit)
{
	struct script *s = script_new(false);
	struct nsteer_tc_actions *d;

	say_all(s, edits, 1);
	say_all(s, edits_brief, 3);
	say_all(s, edits, 1);
	say_all(s, edits_brief, 3);
	d = tc_actions(s, &pedit);
	next_is(d, "pedit", 1);
	ends(s, d, -EMSGSIZE, "the action pedit index 2 does not fit");
}
END_TEST

/* Not even the first one does. */
START_TEST(the_first_does_not_fit)
{
	struct script *s = script_new(false);

	say_all(s, NULL, 0);
	say_all(s, edits_brief, 3);
	say_all(s, NULL, 0);
	say_all(s, edits_brief, 3);
	ends(s, tc_actions(s, &pedit), -EMSGSIZE,
	     "the action pedit index 1 does not fit");
}
END_TEST

/* They were new, or memory was short: each comes once. */
START_TEST(it_fits_the_second_time)
{
	struct script *s = script_new(false);
	struct nsteer_tc_actions *d;

	say_all(s, edits, 1);
	say_all(s, edits_brief, 3);
	say_all(s, edits, 3);
	say_all(s, edits_brief, 3);
	d = tc_actions(s, &pedit);
	next_is(d, "pedit", 1);
	next_is(d, "pedit", 2);
	next_is(d, "pedit", 3);
	ends(s, d, 0, "");
}
END_TEST

/* Linux below 5.11 cannot tell; 1: what was asked for breaks off. */
START_TEST(nobody_can_tell)
{
	struct script *s = script_new(false);
	struct nsteer_tc_actions *d;

	say_all(s, edits, 1);
	say_done(s, _i ? -ENOMEM : -EINVAL);
	d = tc_actions(s, &pedit);
	next_is(d, "pedit", 1);
	ends(s, d, _i ? -ENOMEM : 0, "cannot read the actions of kind pedit");
}
END_TEST

/* The other kinds come all the same, and it is told at the end. */
START_TEST(one_kind_of_many)
{
	struct script *s = script_new(false);
	struct nsteer_tc_actions_opts o = { .terse = NSTEER_TC_TERSE_ON };
	struct nsteer_tc_actions *d;
	const char *kind;
	struct tc_act act = { .terse = true, .index = 4 };
	unsigned int n;

	for (n = 0; (kind = nsteer_tc_actions_known(n)); n++) {
		act.kind = kind;
		if (!strcmp(kind, "csum") || (_i && !strcmp(kind, "nat")))
			say_done(s, -ENOMEM);
		else
			say_all(s, &act, !strcmp(kind, "vlan"));
	}
	d = tc_actions(s, &o);
	next_is(d, "vlan", 4);
	ends(s, d, -ENOMEM,
	     _i ? "of kind csum: Cannot allocate memory (the first of 2 "
		  "losses, "
		  "in 2 kinds)"
		: "cannot read the actions of kind csum");
}
END_TEST

/* ---- a kind whose index cannot be read ---- */

static const struct nsteer_tc_actions_opts ife = { .kind = "ife" };
static const struct tc_act encode[] = { ONE("ife", 1), ONE("ife", 5),
					ONE("ife", 9) };
static const struct tc_act encode_brief[] = { BRIEF("ife", 1), BRIEF("ife", 5),
					      BRIEF("ife", 9) };

static void next_is_blind(struct nsteer_tc_actions *d)
{
	const struct nsteer_tc_action *a = NULL;
	uint32_t index;

	ck_assert_int_eq(nsteer_tc_actions_next(d, &a), 1);
	ck_assert_str_eq(nsteer_tc_action_kind(a), "ife");
	ck_assert_int_eq(nsteer_tc_action_index(a, &index), -ENODATA);
}

/* None is lost, and none comes twice. */
START_TEST(without_an_index)
{
	struct script *s = script_new(false);
	struct nsteer_tc_actions *d;
	int i;

	say_all(s, encode, 3);
	say_all(s, encode_brief, 3);
	d = tc_actions(s, &ife);
	for (i = 0; i < 3; i++)
		next_is_blind(d);
	ends(s, d, 0, "");
}
END_TEST

/* 0: the third is too large; 1: it was new; 2: it has gone again */
START_TEST(without_an_index_and_too_few)
{
	static const struct {
		size_t full, terse;
		int err;
		const char *words;
	} ways[] = {
		{ 2, 3, -EMSGSIZE, "the action ife index 9 does not fit" },
		{ 3, 3, -EINTR, "the actions of kind ife is incomplete" },
		{ 2, 2, 0, "" },
	};
	struct script *s = script_new(false);
	struct nsteer_tc_actions *d;

	say_all(s, encode, 2);
	say_all(s, encode_brief, 3);
	say_all(s, encode, ways[_i].full);
	say_all(s, encode_brief, ways[_i].terse);
	d = tc_actions(s, &ife);
	next_is_blind(d);
	next_is_blind(d);
	ends(s, d, ways[_i].err, ways[_i].words);
}
END_TEST

/* ---- what is not as it should be ---- */

START_TEST(fewer_than_told)
{
	struct script *s = script_new(false);
	struct nsteer_tc_actions *d;

	say_datagram(s);
	put_actions(s, three, 3, 4);
	d = tc_actions(s, &gact);
	next_is(d, "gact", 1);
	next_is(d, "gact", 2);
	next_is(d, "gact", 9);
	ends(s, d, -EPROTO, "fewer than it says");
}
END_TEST

/* A terminal obeys no kind, whatever the sentence. */
START_TEST(kinds_are_escaped)
{
	static const struct tc_act one[] = { ONE("\033", 1) };
	static const struct tc_act one_brief[] = { BRIEF("\033", 1),
						   BRIEF("\033", 2) };
	struct script *s = script_new(false);
	const struct nsteer_tc_action *a;
	struct nsteer_tc_actions *d;

	say_datagram(s);
	put_actions(s, one, 1, _i ? 1 : 2);
	if (_i) {
		put_done(s, 0, 0);
		say_all(s, one_brief, 2);
		say_all(s, one, 1);
		say_all(s, one_brief, 2);
	}
	d = tc_actions(s, &odd);
	ck_assert_int_eq(nsteer_tc_actions_next(d, &a), 1);
	ends(s, d, _i ? -EMSGSIZE : -EPROTO,
	     _i ? "the action \\x1b index 2" : "of kind \\x1b broke off");
}
END_TEST

/* Messages without actions, and actions without what they should have. */
START_TEST(hostile)
{
	static const struct tcamsg tca = { 0 };
	static const unsigned char past_the_end[] = { 200, 0, 1, 0, 1, 2, 3 };
	static const unsigned char hollow[] = { 4, 0, 0, 0, 4, 0, 1, 0 };
	struct script *s = script_new(false);
	const struct nsteer_tc_action *a;
	struct nsteer_tc_actions *d;
	uint32_t index;
	size_t len;
	int i;

	say_datagram(s);
	put_msg(s, RTM_GETACTION, NLM_F_MULTI, NULL, 0);
	put_msg(s, RTM_GETACTION, NLM_F_MULTI, &tca, 2);
	put_msg(s, RTM_GETACTION, NLM_F_MULTI, &tca, sizeof(tca));
	put_msg(s, RTM_GETACTION, NLM_F_MULTI, &tca, sizeof(tca));
	put_attr(s, TCA_ACT_TAB, NULL, 0);
	put_msg(s, RTM_GETACTION, NLM_F_MULTI, &tca, sizeof(tca));
	put_attr(s, TCA_ACT_TAB, past_the_end, sizeof(past_the_end));
	put_attr(s, TCA_ROOT_COUNT, "\1", 1);
	put_msg(s, RTM_NEWQDISC, NLM_F_MULTI, &tca, sizeof(tca));
	put_attr(s, TCA_ACT_TAB, hollow, sizeof(hollow));
	put_msg(s, RTM_NEWACTION, NLM_F_MULTI, &tca, sizeof(tca));
	put_attr(s, TCA_ACT_TAB | NLA_F_NESTED, hollow, sizeof(hollow));
	put_done(s, 0, 0);
	d = tc_actions(s, &gact);
	for (i = 0; i < 2; i++) {
		ck_assert_int_eq(nsteer_tc_actions_next(d, &a), 1);
		ck_assert_str_eq(nsteer_tc_action_kind(a), "");
		ck_assert_int_eq(nsteer_tc_action_index(a, &index), -ENODATA);
		ck_assert_ptr_null(nsteer_tc_action_cookie(a, &len));
		ck_assert_ptr_null(nsteer_tc_action_stats(a));
	}
	ends(s, d, 0, "");
}
END_TEST

START_TEST(broken_off)
{
	static const struct {
		int say, err;
		const char *words;
	} ways[] = {
		{ -ENOBUFS, -ENOBUFS, "lost" },
		{ -EAGAIN, -ETIMEDOUT, "did not reply" },
	};
	struct script *s = script_new(false);
	struct nsteer_tc_actions *d;

	say_datagram(s);
	put_actions(s, three, 1, 1);
	say_errno(s, ways[_i].say);
	d = tc_actions(s, &gact);
	next_is(d, "gact", 1);
	ends(s, d, ways[_i].err, ways[_i].words);
}
END_TEST

START_TEST(interrupted)
{
	struct script *s = script_new(false);
	struct nsteer_tc_actions *d;

	say_datagram(s);
	put_actions(s, three, 1, 1);
	put_done(s, NLM_F_DUMP_INTR, 0);
	d = tc_actions(s, &gact);
	next_is(d, "gact", 1);
	ends(s, d, -EINTR, "incomplete");
}
END_TEST

/* Also with a refusal that says why; terse: after an action it is none. */
START_TEST(refused_late)
{
	struct script *s = script_new(false);
	const struct nsteer_tc_action *a;
	struct nsteer_tc_actions *d;

	say_datagram(s);
	put_actions(s, brief, 1, 1);
	say_datagram(s);
	put_done(s, NLM_F_ACK_TLVS, -EINVAL);
	put_attr(s, NLMSGERR_ATTR_MSG, "no more of it", 14);
	d = tc_actions(s, &terse);
	next_is(d, "gact", 1);
	ck_assert_int_eq(nsteer_tc_actions_next(d, &a), -EINVAL);
	ck_assert_str_eq(nsteer_err_extack(s->ns), "no more of it");
	nsteer_tc_actions_close(d);
	script_end(s);
}
END_TEST

START_TEST(closed_early)
{
	struct script *s = script_new(false);
	struct nsteer_tc_actions *d;

	say_datagram(s);
	put_actions(s, three, 3, 3);
	d = tc_actions(s, &gact);
	next_is(d, "gact", 1);
	nsteer_tc_actions_close(d);
	nsteer_tc_actions_close(NULL);
	script_end(s);
}
END_TEST

START_TEST(no_such_options)
{
	static const struct nsteer_tc_actions_opts bad[] = {
		{ .kind = "" },
		{ .kind = "0123456789abcdef" },
		{ .terse = 3 },
	};
	struct script *s = script_new(false);
	struct nsteer_tc_actions_opts o = bad[_i];
	struct nsteer_tc_actions *d = NULL;

	o.sz = sizeof(o);
	ck_assert_int_eq(nsteer_tc_actions_open(s->ns, &o, &d), -EINVAL);
	ck_assert_str_ne(nsteer_errmsg(s->ns), "");
	ck_assert_ptr_null(d);
	script_end(s);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("tc actions");
	TCase *tc = tcase_create("actions");

	tcase_add_test(tc, many_in_a_message);
	tcase_add_loop_test(tc, terse_has_index_and_cookie, 0, 2);
	tcase_add_test(tc, terse_is_made_here);
	tcase_add_test(tc, refused_twice);
	tcase_add_test(tc, every_kind_by_name);
	tcase_add_test(tc, no_such_kind);
	tcase_add_loop_test(tc, a_kind_of_no_table, 0, 3);
	tcase_add_test(tc, none_of_a_known_kind);
	tcase_add_test(tc, one_does_not_fit);
	tcase_add_test(tc, the_first_does_not_fit);
	tcase_add_test(tc, it_fits_the_second_time);
	tcase_add_loop_test(tc, nobody_can_tell, 0, 2);
	tcase_add_loop_test(tc, one_kind_of_many, 0, 2);
	tcase_add_test(tc, without_an_index);
	tcase_add_loop_test(tc, without_an_index_and_too_few, 0, 3);
	tcase_add_test(tc, fewer_than_told);
	tcase_add_loop_test(tc, kinds_are_escaped, 0, 2);
	tcase_add_test(tc, hostile);
	tcase_add_loop_test(tc, broken_off, 0, 2);
	tcase_add_test(tc, interrupted);
	tcase_add_test(tc, refused_late);
	tcase_add_test(tc, closed_early);
	tcase_add_loop_test(tc, no_such_options, 0, 3);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
