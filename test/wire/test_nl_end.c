/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How replies end: acks, errors, DONE, and the kernel's words in them. */
#include <limits.h>
#include <stdlib.h>

#include "script.h"

START_TEST(request_and_ack)
{
	struct script *s = script_new(false);
	const struct nlmsghdr *req = script_sent(s);
	uint32_t seq;

	say_ack(s);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), 0);
	ck_assert_uint_eq(req->nlmsg_len, 32);
	ck_assert_int_eq(req->nlmsg_type, 18);
	ck_assert_int_eq(req->nlmsg_flags, NLM_F_REQUEST | NLM_F_ACK);
	ck_assert_int_eq(s->sent[20], 1);
	seq = req->nlmsg_seq;
	ck_assert_uint_ne(seq, 0);

	/* A counter, not a clock: it moves within the second. */
	say_ack(s);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), 0);
	ck_assert_uint_eq(req->nlmsg_seq, seq + 1);
	ck_assert_str_eq(nsteer_errmsg(s->ns), "");
	script_end(s);
}
END_TEST

START_TEST(reads_offer_32k)
{
	struct script *s = script_new(false);

	say_ack(s);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), 0);
	ck_assert_uint_ge(s->least_offered, 32 * 1024);
	script_end(s);
}
END_TEST

START_TEST(one_message_is_enough)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_datagram(s);
	put_number(s, 0, 7);
	ck_assert_int_eq(script_talk(s, 0, &got), 0);
	ck_assert_uint_eq(got.n, 1);
	ck_assert_uint_eq(got.v[0], 7);
	script_end(s);
}
END_TEST

START_TEST(with_ack_the_message_is_not_the_end)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_datagram(s);
	put_number(s, 0, 7);
	say_datagram(s);
	put_number(s, 0, 8);
	put_error(s, 0, 0);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, &got), 0);
	ck_assert_uint_eq(got.n, 2);
	script_end(s);
}
END_TEST

/* A refusal ends the exchange, the socket goes on without a fresh start. */
START_TEST(refusal)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_datagram(s);
	put_error(s, 0, -ENODEV);
	ck_assert_int_eq(script_talk(s, 0, &got), -ENODEV);
	ck_assert_uint_eq(got.n, 0);
	ck_assert_ptr_null(nsteer_err_extack(s->ns));
	ck_assert_str_eq(nst_nl_why(s->nl, -ENODEV), strerror(ENODEV));
	say_ack(s);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), 0);
	ck_assert_uint_eq(s->reopens, 0);
	script_end(s);
}
END_TEST

START_TEST(extack_message_and_offset)
{
	struct script *s = script_new(false);

	say_datagram(s);
	put_error(s, NLM_F_ACK_TLVS, -EINVAL);
	put_attr(s, NLMSGERR_ATTR_MSG, "No way", 7);
	put_attr_u32(s, NLMSGERR_ATTR_OFFS, 36);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), -EINVAL);
	ck_assert_str_eq(nsteer_err_extack(s->ns), "No way");
	ck_assert_str_eq(nsteer_err_attr(s->ns), "offset 36");
	script_end(s);
}
END_TEST

START_TEST(extack_missing_type)
{
	struct script *s = script_new(false);

	say_datagram(s);
	put_error(s, NLM_F_ACK_TLVS, -EINVAL);
	put_attr_u32(s, NLMSGERR_ATTR_MISS_TYPE, 3);
	put_attr_u32(s, NLMSGERR_ATTR_MISS_NEST, 32);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), -EINVAL);
	ck_assert_ptr_null(nsteer_err_extack(s->ns));
	ck_assert_str_eq(nsteer_err_attr(s->ns), "missing type 3");
	script_end(s);
}
END_TEST

/* Without NETLINK_CAP_ACK the whole request stands before the TLVs. */
START_TEST(extack_behind_the_request)
{
	struct script *s = script_new(false);
	const struct nlmsgerr e = { .error = -EPERM,
				    .msg = { .nlmsg_len = 32 } };
	unsigned char rest[16];

	memset(rest, 0xff, sizeof(rest));
	say_datagram(s);
	put_msg(s, NLMSG_ERROR, NLM_F_ACK_TLVS, &e, sizeof(e));
	put_raw(s, rest, sizeof(rest));
	put_attr(s, NLMSGERR_ATTR_MSG, "Mine", 5);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), -EPERM);
	ck_assert_str_eq(nsteer_err_extack(s->ns), "Mine");
	script_end(s);
}
END_TEST

/* The request's length is the kernel's word, not to be believed. */
START_TEST(extack_request_length_lies)
{
	static const uint32_t lens[] = { 0, 15, 0x7fffffff, UINT32_MAX };
	struct script *s = script_new(false);
	struct nlmsgerr e = { .error = -EPERM };

	e.msg.nlmsg_len = lens[_i];
	say_datagram(s);
	put_msg(s, NLMSG_ERROR, NLM_F_ACK_TLVS, &e, sizeof(e));
	put_attr(s, NLMSGERR_ATTR_MSG, "Mine", 5);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), -EPERM);
	ck_assert_ptr_null(nsteer_err_extack(s->ns));
	script_end(s);
}
END_TEST

START_TEST(extack_only_where_flagged)
{
	struct script *s = script_new(false);

	say_datagram(s);
	put_error(s, 0, -EINVAL);
	put_attr(s, NLMSGERR_ATTR_MSG, "No way", 7);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), -EINVAL);
	ck_assert_ptr_null(nsteer_err_extack(s->ns));
	script_end(s);
}
END_TEST

START_TEST(extack_without_nul_and_too_long)
{
	struct script *s = script_new(false);
	char text[3000];

	memset(text, 'x', sizeof(text));
	say_datagram(s);
	put_error(s, NLM_F_ACK_TLVS, -EINVAL);
	put_attr(s, NLMSGERR_ATTR_MSG, "No way", 6);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), -EINVAL);
	ck_assert_str_eq(nsteer_err_extack(s->ns), "No way");

	say_datagram(s);
	put_error(s, NLM_F_ACK_TLVS, -EINVAL);
	put_attr(s, NLMSGERR_ATTR_MSG, text, sizeof(text));
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), -EINVAL);
	ck_assert_uint_eq(strlen(nsteer_err_extack(s->ns)), 1023);
	script_end(s);
}
END_TEST

/* Words about an earlier attempt do not stay beside a later error. */
START_TEST(extack_is_of_this_error)
{
	struct script *s = script_new(false);

	say_datagram(s);
	put_error(s, NLM_F_ACK_TLVS, -EINVAL);
	put_attr(s, NLMSGERR_ATTR_MSG, "No way", 7);
	put_attr_u32(s, NLMSGERR_ATTR_OFFS, 36);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), -EINVAL);
	say_datagram(s);
	put_error(s, 0, -EPERM);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), -EPERM);
	ck_assert_ptr_null(nsteer_err_extack(s->ns));
	ck_assert_ptr_null(nsteer_err_attr(s->ns));
	script_end(s);
}
END_TEST

START_TEST(warning_with_success)
{
	struct script *s = script_new(false);

	say_datagram(s);
	put_error(s, NLM_F_ACK_TLVS, 0);
	put_attr(s, NLMSGERR_ATTR_MSG, "Mind the gap", 13);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), 0);
	ck_assert_str_eq(s->log, "1 Mind the gap");
	ck_assert_ptr_null(nsteer_err_extack(s->ns));
	script_end(s);
}
END_TEST

START_TEST(error_with_a_number_that_is_no_errno)
{
	static const int codes[] = { 1, INT_MAX, INT_MIN, -4096 };
	struct script *s = script_new(false);

	say_datagram(s);
	put_error(s, 0, codes[_i]);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), -EPROTO);
	script_end(s);
}
END_TEST

/* ---- dumps ---- */

START_TEST(dump_of_several_datagrams)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_datagram(s);
	put_number(s, NLM_F_MULTI, 1);
	put_number(s, NLM_F_MULTI, 2);
	say_datagram(s);
	put_number(s, NLM_F_MULTI, 3);
	say_datagram(s);
	put_done(s, 0, 0);
	ck_assert_int_eq(script_dump(s, &got), 0);
	ck_assert_uint_eq(got.n, 3);
	ck_assert_uint_eq(got.v[2], 3);
	ck_assert_uint_eq(got.resets, 0);
	ck_assert_int_eq(script_sent(s)->nlmsg_flags,
			 NLM_F_REQUEST | NLM_F_DUMP);
	script_end(s);
}
END_TEST

START_TEST(dump_that_is_empty)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_datagram(s);
	put_done(s, 0, 0);
	ck_assert_int_eq(script_dump(s, &got), 0);
	ck_assert_uint_eq(got.n, 0);
	script_end(s);
}
END_TEST

/* The last message of a datagram may lack its padding. */
START_TEST(dump_with_an_unpadded_message)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_datagram(s);
	put_number(s, NLM_F_MULTI, 1);
	put_raw(s, "x", 1);
	say_datagram(s);
	put_number(s, NLM_F_MULTI, 2);
	put_raw(s, "x", 1);
	put_done(s, 0, 0);
	ck_assert_int_eq(script_dump(s, &got), 0);
	ck_assert_uint_eq(got.n, 2);
	script_end(s);
}
END_TEST

START_TEST(done_with_an_error)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_datagram(s);
	put_number(s, NLM_F_MULTI, 1);
	put_done(s, NLM_F_ACK_TLVS, -EMSGSIZE);
	put_attr(s, NLMSGERR_ATTR_MSG, "Too big", 8);
	put_attr_u32(s, NLMSGERR_ATTR_OFFS, 16);
	ck_assert_int_eq(script_dump(s, &got), -EMSGSIZE);
	ck_assert_uint_eq(got.n, 1);
	ck_assert_str_eq(nsteer_err_extack(s->ns), "Too big");
	ck_assert_str_eq(nsteer_err_attr(s->ns), "offset 16");
	/* The kernel's answer, not the cut datagram of the same errno. */
	ck_assert_str_eq(nst_nl_why(s->nl, -EMSGSIZE), strerror(EMSGSIZE));
	say_ack(s);
	ck_assert_int_eq(script_talk(s, NLM_F_ACK, NULL), 0);
	ck_assert_uint_eq(s->reopens, 0);
	script_end(s);
}
END_TEST

START_TEST(done_tlvs_only_where_flagged)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_datagram(s);
	put_done(s, 0, -EINVAL);
	put_attr(s, NLMSGERR_ATTR_MSG, "Too big", 8);
	ck_assert_int_eq(script_dump(s, &got), -EINVAL);
	ck_assert_ptr_null(nsteer_err_extack(s->ns));
	script_end(s);
}
END_TEST

START_TEST(done_with_a_warning)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_datagram(s);
	put_done(s, NLM_F_ACK_TLVS, 0);
	put_attr(s, NLMSGERR_ATTR_MSG, "Mind the gap", 13);
	ck_assert_int_eq(script_dump(s, &got), 0);
	ck_assert_str_eq(s->log, "1 Mind the gap");
	script_end(s);
}
END_TEST

START_TEST(done_without_code)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_datagram(s);
	put_number(s, NLM_F_MULTI, 1);
	put_msg(s, NLMSG_DONE, NLM_F_MULTI, "\0\0\0", _i);
	ck_assert_int_eq(script_dump(s, &got), -EPROTO);
	ck_assert_ptr_nonnull(strstr(nsteer_errmsg(s->ns), "without an errno"));
	script_end(s);
}
END_TEST

START_TEST(done_with_a_number_that_is_no_errno)
{
	static const int codes[] = { 5, INT_MIN };
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_datagram(s);
	put_done(s, 0, codes[_i]);
	ck_assert_int_eq(script_dump(s, &got), -EPROTO);
	script_end(s);
}
END_TEST

START_TEST(dump_refused)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_datagram(s);
	put_error(s, NLM_F_ACK_TLVS, -EOPNOTSUPP);
	put_attr(s, NLMSGERR_ATTR_MSG, "Not here", 9);
	ck_assert_int_eq(script_dump(s, &got), -EOPNOTSUPP);
	ck_assert_str_eq(nsteer_err_extack(s->ns), "Not here");
	script_end(s);
}
END_TEST

/* An empty list must come from DONE, not from an ack. */
START_TEST(dump_acknowledged)
{
	struct script *s = script_new(false);
	struct numbers got = { 0 };

	say_ack(s);
	ck_assert_int_eq(script_dump(s, &got), -EPROTO);
	script_end(s);
}
END_TEST

static Suite *suite_nl_end(void)
{
	Suite *suite = suite_create("nl: ends of replies");
	TCase *tc = tcase_create("talk");

	tcase_add_test(tc, request_and_ack);
	tcase_add_test(tc, reads_offer_32k);
	tcase_add_test(tc, one_message_is_enough);
	tcase_add_test(tc, with_ack_the_message_is_not_the_end);
	tcase_add_test(tc, refusal);
	tcase_add_test(tc, extack_message_and_offset);
	tcase_add_test(tc, extack_missing_type);
	tcase_add_test(tc, extack_behind_the_request);
	tcase_add_loop_test(tc, extack_request_length_lies, 0, 4);
	tcase_add_test(tc, extack_only_where_flagged);
	tcase_add_test(tc, extack_without_nul_and_too_long);
	tcase_add_test(tc, extack_is_of_this_error);
	tcase_add_test(tc, warning_with_success);
	tcase_add_loop_test(tc, error_with_a_number_that_is_no_errno, 0, 4);
	suite_add_tcase(suite, tc);

	tc = tcase_create("dump");
	tcase_add_test(tc, dump_of_several_datagrams);
	tcase_add_test(tc, dump_that_is_empty);
	tcase_add_test(tc, dump_with_an_unpadded_message);
	tcase_add_test(tc, done_with_an_error);
	tcase_add_test(tc, done_tlvs_only_where_flagged);
	tcase_add_test(tc, done_with_a_warning);
	tcase_add_loop_test(tc, done_without_code, 0, 4);
	tcase_add_loop_test(tc, done_with_a_number_that_is_no_errno, 0, 2);
	tcase_add_test(tc, dump_refused);
	tcase_add_test(tc, dump_acknowledged);
	suite_add_tcase(suite, tc);
	return suite;
}

NST_REGISTER(suite_nl_end);
