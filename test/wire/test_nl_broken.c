/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What disturbs an exchange, and that the socket survives it. */
#include "script.h"

/*
 * The exchange before this broke off: the next one begins with a fresh socket
 * and sees nothing of the old reply.
 */
static void next_one_is_fresh(struct script *s)
{
	struct numbers got = { 0 };
	unsigned int reopens = s->reopens;

	nst_err_clear(s->ns);
	say_reopen(s, 0);
	say_datagram(s);
	put_number(s, NLM_F_MULTI, 99);
	put_done(s, 0, 0);
	ck_assert_int_eq(script_dump(s, &got), 0);
	ck_assert_uint_eq(got.n, 1);
	ck_assert_uint_eq(got.v[0], 99);
	ck_assert_uint_eq(s->reopens, reopens + 1);
	script_end(s);
}

static void next_one_needs_nothing(struct script *s)
{
	say_ack(s);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), 0);
	ck_assert_uint_eq(s->reopens, 0);
	script_end(s);
}

static void broke(struct script *s, int err, int expect, const char *word)
{
	ck_assert_int_eq(err, expect);
	ck_assert_msg(strstr(nsteer_errmsg(s->ns), word), "\"%s\" lacks \"%s\"",
		      nsteer_errmsg(s->ns), word);
	ck_assert_ptr_nonnull(strstr(nst_nl_why(s->nl, err), word));
}

/* ---- messages that make no sense ---- */

START_TEST(header_cut)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };
	const size_t lens[] = { 0, 1, 8, 15 };

	say_datagram(s);
	if (_i)
		put_number(s, NLM_F_MULTI, 1);
	s->last = NULL;
	put_raw(s, "\x10\0\0\0\3\0\2\0\0\0\0\0\0\0\0", lens[_i]);
	broke(s, script_dump(s, &got), -EPROTO, "header");
	next_one_is_fresh(s);
}
END_TEST

START_TEST(impossible_length)
{
	static const uint32_t lens[] = { 0, 15, 21, 0x7fffffff, UINT32_MAX };
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_datagram(s);
	put_msg(s, 16, NLM_F_MULTI, "abcd", 4)->nlmsg_len = lens[_i];
	broke(s, script_dump(s, &got), -EPROTO, "length");
	ck_assert_uint_eq(got.n, 0);
	next_one_is_fresh(s);
}
END_TEST

START_TEST(error_cut)
{
	struct script *s = script_new(false);
	const int code = 0;

	say_datagram(s);
	put_msg(s, NLMSG_ERROR, 0, &code, _i ? sizeof(code) : 2);
	broke(s, script_talk(s, NLM_F_ACK, NULL), -EPROTO, "cut short");
	next_one_is_fresh(s);
}
END_TEST

/* ---- control messages ---- */

START_TEST(noop_and_unknown_control)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_datagram(s);
	put_msg(s, NLMSG_NOOP, 0, NULL, 0);
	put_msg(s, 9, 0, "abcd", 4);
	put_number(s, NLM_F_MULTI, 1);
	say_datagram(s);
	put_msg(s, NLMSG_NOOP, 0, NULL, 0);
	put_done(s, 0, 0);
	ck_assert_int_eq(script_dump(s, &got), 0);
	ck_assert_uint_eq(got.n, 1);
	next_one_needs_nothing(s);
}
END_TEST

START_TEST(overrun)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_datagram(s);
	put_number(s, NLM_F_MULTI, 1);
	put_msg(s, NLMSG_OVERRUN, 0, NULL, 0);
	broke(s, script_dump(s, &got), -ENOBUFS, "lost");
	next_one_is_fresh(s);
}
END_TEST

/* ---- other people's messages ---- */

START_TEST(wrong_seq)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_datagram(s);
	put_number(s, NLM_F_MULTI, 1); /* of an older request */
	s->last->nlmsg_seq = -1;
	put_done(s, 0, -EIO);
	s->last->nlmsg_seq = -1;
	put_number(s, NLM_F_MULTI, 2);
	put_done(s, 0, 0);
	ck_assert_int_eq(script_dump(s, &got), 0);
	ck_assert_uint_eq(got.n, 1);
	ck_assert_uint_eq(got.v[0], 2);
	next_one_needs_nothing(s);
}
END_TEST

START_TEST(wrong_port)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_datagram(s);
	put_number(s, NLM_F_MULTI, 1);
	s->last->nlmsg_pid = 1;
	put_error(s, 0, -EIO);
	s->last->nlmsg_pid = -SCRIPT_PORTID;
	say_datagram(s);
	put_number(s, NLM_F_MULTI, 2);
	put_done(s, 0, 0);
	ck_assert_int_eq(script_dump(s, &got), 0);
	ck_assert_uint_eq(got.n, 1);
	ck_assert_uint_eq(got.v[0], 2);
	next_one_needs_nothing(s);
}
END_TEST

/* Another process forges a refusal: seq and port right, sender not. */
START_TEST(wrong_sender)
{
	struct script *s = script_new(false);
	struct step *step;

	step = say_datagram(s);
	step->from_pid = 1234;
	put_error(s, 0, -EIO);
	step = say_datagram(s);
	step->from_pid = 1234;
	step->flags = MSG_TRUNC;
	step = say_datagram(s);
	step->from_groups = 1;
	put_error(s, 0, -EIO);
	say_ack(s);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), 0);
	next_one_needs_nothing(s);
}
END_TEST

START_TEST(notification_between_parts)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_datagram(s);
	put_number(s, NLM_F_MULTI, 1);
	say_datagram(s);
	put_number(s, 0, 50);
	/* seq 0 and port 0, sent to nobody in particular */
	s->step[1].n_live = 0;
	say_datagram(s);
	put_number(s, NLM_F_MULTI, 2);
	put_done(s, 0, 0);
	ck_assert_int_eq(script_dump(s, &got), 0);
	ck_assert_uint_eq(got.n, 2);
	ck_assert_uint_eq(got.v[1], 2);
	next_one_needs_nothing(s);
}
END_TEST

/* ---- the socket's own errors ---- */

START_TEST(interrupted_calls)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_send_fail(s, -EINTR);
	say_send_fail(s, -EINTR);
	say_errno(s, -EINTR);
	say_datagram(s);
	put_number(s, NLM_F_MULTI, 1);
	say_errno(s, -EINTR);
	say_datagram(s);
	put_done(s, 0, 0);
	ck_assert_int_eq(script_dump(s, &got), 0);
	ck_assert_uint_eq(got.n, 1);
	ck_assert_uint_eq(s->sends, 1);
	next_one_needs_nothing(s);
}
END_TEST

START_TEST(lost_replies)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_datagram(s);
	put_number(s, NLM_F_MULTI, 1);
	say_errno(s, -ENOBUFS);
	broke(s, script_dump(s, &got), -ENOBUFS, "lost replies");
	/* What was queued all the same is not the next one's. */
	say_datagram(s);
	put_done(s, 0, -EIO);
	next_one_is_fresh(s);
}
END_TEST

/* The same errno as the kernel's answer: other words. */
START_TEST(why_is_of_this_error)
{
	struct script *s = script_new(false);

	say_errno(s, -ENOBUFS);
	broke(s, script_talk(s, NLM_F_ACK, NULL), -ENOBUFS, "lost replies");
	say_reopen(s, 0);
	say_datagram(s);
	put_error(s, 0, -ENOBUFS);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), -ENOBUFS);
	ck_assert_str_eq(nst_nl_why(s->nl, -ENOBUFS), strerror(ENOBUFS));
	script_end(s);
}
END_TEST

START_TEST(truncated_datagram)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };
	struct step *step = say_datagram(s);

	step->flags = MSG_TRUNC;
	put_number(s, NLM_F_MULTI, 1);
	put_done(s, 0, 0);
	broke(s, script_dump(s, &got), -EMSGSIZE, "cut");
	ck_assert_uint_eq(got.n, 0);
	next_one_is_fresh(s);
}
END_TEST

START_TEST(no_reply)
{
	struct script *s = script_new(false);

	say_errno(s, -EAGAIN);
	broke(s, script_talk(s, NLM_F_ACK, NULL), -ETIMEDOUT, "did not reply");
	next_one_is_fresh(s);
}
END_TEST

START_TEST(read_fails)
{
	struct script *s = script_new(false);

	say_errno(s, -ENOTCONN);
	broke(s, script_talk(s, NLM_F_ACK, NULL), -ENOTCONN, "read");
	next_one_is_fresh(s);
}
END_TEST

START_TEST(send_fails)
{
	struct script *s = script_new(false);

	say_send_fail(s, _i ? 3 : -ECONNREFUSED);
	broke(s, script_talk(s, NLM_F_ACK, NULL), _i ? -EPROTO : -ECONNREFUSED,
	      "sent");
	ck_assert_uint_eq(s->sends, 0);
	next_one_is_fresh(s);
}
END_TEST

/* ---- dumps that the kernel calls inconsistent ---- */

static void say_interrupted(struct script *s, uint32_t v, bool only_done)
{
	say_datagram(s);
	put_number(s, NLM_F_MULTI | (only_done ? 0 : NLM_F_DUMP_INTR), v);
	put_number(s, NLM_F_MULTI, v + 1);
	say_datagram(s);
	put_done(s, only_done ? NLM_F_DUMP_INTR : 0, 0);
}

START_TEST(interrupted_once)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };
	uint32_t seq;

	say_ack(s);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), 0);
	seq = s->seq;
	say_interrupted(s, 1, _i);
	say_datagram(s);
	put_number(s, NLM_F_MULTI, 11);
	put_done(s, 0, 0);
	ck_assert_int_eq(script_dump(s, &got), 0);
	ck_assert_uint_eq(got.resets, 1);
	ck_assert_uint_eq(got.n, 1);
	ck_assert_uint_eq(got.v[0], 11);
	/* The second try is a request of its own. */
	ck_assert_uint_eq(s->seq, seq + 2);
	next_one_needs_nothing(s);
}
END_TEST

START_TEST(interrupted_thrice)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_interrupted(s, 1, false);
	say_interrupted(s, 11, false);
	say_interrupted(s, 21, true);
	broke(s, script_dump(s, &got), -EINTR, "incomplete");
	ck_assert_uint_eq(s->sends, 3);
	/* What there is remains with the caller. */
	ck_assert_uint_eq(got.resets, 2);
	ck_assert_uint_eq(got.n, 2);
	ck_assert_uint_eq(got.v[0], 21);
	next_one_needs_nothing(s);
}
END_TEST

/* An error is not tried again. */
START_TEST(interrupted_and_refused)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_datagram(s);
	put_number(s, NLM_F_MULTI | NLM_F_DUMP_INTR, 1);
	put_done(s, 0, -EPERM);
	ck_assert_int_eq(script_dump(s, &got), -EPERM);
	next_one_needs_nothing(s);
}
END_TEST

/* ---- callbacks that fail ---- */

START_TEST(callback_fails_in_a_dump)
{
	struct script *s = script_new(false);
	struct numbers got = { .fail_at = 2, .fail_with = -ENOMEM };

	say_datagram(s);
	put_number(s, NLM_F_MULTI, 1);
	put_number(s, NLM_F_MULTI, 2);
	put_number(s, NLM_F_MULTI, 3);
	say_datagram(s);
	put_number(s, NLM_F_MULTI, 4);
	put_done(s, 0, -EIO);
	ck_assert_int_eq(script_dump(s, &got), -ENOMEM);
	ck_assert_uint_eq(got.n, 2);
	ck_assert_ptr_null(nst_nl_why(s->nl, -ENOMEM));
	next_one_is_fresh(s);
}
END_TEST

START_TEST(callback_fails_before_the_ack)
{
	struct script *s = script_new(false);
	struct numbers got = { .fail_at = 1, .fail_with = -EPROTO };

	say_datagram(s);
	put_number(s, 0, 1);
	say_ack(s);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, &got), -EPROTO);
	next_one_is_fresh(s);
}
END_TEST

/* One message was the whole reply: nothing is left to be thrown away. */
START_TEST(callback_fails_at_the_end)
{
	struct script *s = script_new(false);
	struct numbers got = { .fail_at = 1, .fail_with = -EPROTO };

	say_datagram(s);
	put_number(s, 0, 1);
	ck_assert_int_eq(script_talk(s, 0, &got), -EPROTO);
	next_one_needs_nothing(s);
}
END_TEST

START_TEST(callback_returns_more_than_zero)
{
	struct script *s = script_new(false);
	struct numbers got = { .fail_at = 1, .fail_with = 5 };

	say_datagram(s);
	put_number(s, NLM_F_MULTI, 1);
	put_number(s, NLM_F_MULTI, 2);
	put_done(s, 0, 0);
	ck_assert_int_eq(script_dump(s, &got), 0);
	ck_assert_uint_eq(got.n, 2);
	next_one_needs_nothing(s);
}
END_TEST

/* A transport that cannot begin afresh: the seq alone tells old from new. */
START_TEST(stale_reply_never_matches)
{
	struct script *s = script_new(true);
	struct numbers got = { .fail_at = 1, .fail_with = -ENOMEM };
	uint32_t old;

	say_datagram(s);
	put_number(s, NLM_F_MULTI, 1);
	ck_assert_int_eq(script_dump(s, &got), -ENOMEM);
	old = s->seq;

	say_datagram(s);
	put_number(s, NLM_F_MULTI, 2);
	s->last->nlmsg_seq = -1;
	put_done(s, 0, -EIO);
	s->last->nlmsg_seq = -1;
	say_datagram(s);
	put_number(s, NLM_F_MULTI, 3);
	put_done(s, 0, 0);
	got = (struct numbers){ 0 };
	ck_assert_int_eq(script_dump(s, &got), 0);
	ck_assert_uint_eq(s->seq, old + 1);
	ck_assert_uint_eq(got.n, 1);
	ck_assert_uint_eq(got.v[0], 3);
	script_end(s);
}
END_TEST

/* What was read once is read on a fresh socket, too. */
START_TEST(a_fresh_one_is_wide_again)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_ack(s);
	ck_assert_int_eq(nst_nl_widen(s->nl), 0);
	ck_assert_uint_eq(script_sent(s)->nlmsg_type, NLMSG_NOOP);
	ck_assert_uint_ge(s->least_offered, NST_NL_BUFSIZE);
	say_errno(s, -ENOBUFS);
	ck_assert_int_eq(script_dump(s, &got), -ENOBUFS);
	ck_assert_uint_eq(s->sends, 2);
	say_reopen(s, 0);
	say_ack(s);
	say_datagram(s);
	put_number(s, NLM_F_MULTI, 99);
	put_done(s, 0, 0);
	ck_assert_int_eq(script_dump(s, &got), 0);
	ck_assert_uint_eq(s->sends, 4);
	ck_assert_uint_eq(got.v[got.n - 1], 99);
	/* And it may fail there. */
	say_errno(s, -ENOBUFS);
	ck_assert_int_eq(script_dump(s, &got), -ENOBUFS);
	say_reopen(s, 0);
	say_errno(s, -EAGAIN);
	broke(s, script_dump(s, &got), -ETIMEDOUT, "did not reply");
	say_reopen(s, 0);
	say_datagram(s);
	put_error(s, 0, -ENOMEM);
	broke(s, script_dump(s, &got), -ENOMEM, "does not answer");
	script_end(s);
}
END_TEST

START_TEST(fresh_start_fails_then_works)
{
	struct script *s = script_new(false);

	say_errno(s, -ENOBUFS);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), -ENOBUFS);
	say_reopen(s, -EMFILE);
	broke(s, script_talk(s, NLM_F_ACK, NULL), -EMFILE, "opened anew");
	ck_assert_uint_eq(s->sends, 1);
	next_one_is_fresh(s);
}
END_TEST

static void add_hostile(Suite *suite)
{
	TCase *tc = tcase_create("hostile");

	tcase_add_loop_test(tc, header_cut, 0, 4);
	tcase_add_loop_test(tc, impossible_length, 0, 5);
	tcase_add_loop_test(tc, error_cut, 0, 2);
	tcase_add_test(tc, noop_and_unknown_control);
	tcase_add_test(tc, overrun);
	tcase_add_test(tc, wrong_seq);
	tcase_add_test(tc, wrong_port);
	tcase_add_test(tc, wrong_sender);
	tcase_add_test(tc, notification_between_parts);
	suite_add_tcase(suite, tc);
}

static Suite *suite_nl_broken(void)
{
	Suite *suite = suite_create("nl: broken exchanges");
	TCase *tc = tcase_create("socket");

	add_hostile(suite);
	tcase_add_test(tc, interrupted_calls);
	tcase_add_test(tc, lost_replies);
	tcase_add_test(tc, why_is_of_this_error);
	tcase_add_test(tc, truncated_datagram);
	tcase_add_test(tc, no_reply);
	tcase_add_test(tc, read_fails);
	tcase_add_loop_test(tc, send_fails, 0, 2);
	tcase_add_loop_test(tc, interrupted_once, 0, 2);
	tcase_add_test(tc, interrupted_thrice);
	tcase_add_test(tc, interrupted_and_refused);
	suite_add_tcase(suite, tc);

	tc = tcase_create("callback");
	tcase_add_test(tc, callback_fails_in_a_dump);
	tcase_add_test(tc, callback_fails_before_the_ack);
	tcase_add_test(tc, callback_fails_at_the_end);
	tcase_add_test(tc, callback_returns_more_than_zero);
	tcase_add_test(tc, stale_reply_never_matches);
	tcase_add_test(tc, a_fresh_one_is_wide_again);
	tcase_add_test(tc, fresh_start_fails_then_works);
	suite_add_tcase(suite, tc);
	return suite;
}

NST_REGISTER(suite_nl_broken);
