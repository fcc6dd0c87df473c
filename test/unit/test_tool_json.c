/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command's writers: JSON, lines, columns. Expected bytes, whole. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness.h"
#include "json.h"
#include "out.h"
#include "text.h"
#include "utf8.h"
#include "word.h"

/* What was written, in a file in memory. */
struct kept {
	struct sink sink;
	int fd;
	char buf[SINK_SIZE_MIN];
};

static struct sink *kept_open(struct kept *kept)
{
	kept->fd = memfd_create("kept", MFD_CLOEXEC);
	ck_assert_int_ge(kept->fd, 0);
	sink_init(&kept->sink, kept->fd, kept->buf, sizeof(kept->buf));
	return &kept->sink;
}

static void kept_is(struct kept *kept, const char *want)
{
	char got[4096];
	ssize_t len;

	ck_assert_int_eq(sink_flush(&kept->sink), 0);
	len = pread(kept->fd, got, sizeof(got) - 1, 0);
	ck_assert_int_ge(len, 0);
	got[len] = '\0';
	ck_assert_str_eq(got, want);
	ck_assert_uint_eq(len, strlen(want));
	ck_assert_int_eq(close(kept->fd), 0);
}

static void json_of(const char *s, const char *want)
{
	struct json json;
	struct kept kept;

	json_init(&json, kept_open(&kept), false);
	json_open_object(&json, NULL);
	json_str(&json, JSON_KEY("k"), s);
	json_close(&json);
	kept_is(&kept, want);
}

START_TEST(json_strings)
{
	json_of("", "{\"k\":\"\"}");
	json_of("tap0", "{\"k\":\"tap0\"}");
	json_of("q\"\\x", "{\"k\":\"q\\\"\\\\x\"}");
	json_of("a\x01" "b", "{\"k\":\"a\\u0001b\"}");
	json_of("\x1b[31m", "{\"k\":\"\\u001b[31m\"}");
	json_of("\x7f", "{\"k\":\"\\u007f\"}");
	json_of("/</>", "{\"k\":\"/</>\"}");
	json_of("\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xa7",
		"{\"k\":\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xa7\"}");
	/* U+009B starts a control sequence on some terminals. */
	json_of("\xc2\x9b", "{\"k\":\"\\u009b\"}");
}
END_TEST

#define FFFD "\xef\xbf\xbd"

START_TEST(json_no_utf8)
{
	json_of("\xffz", "{\"k\":\"" FFFD "z\",\"k_hex\":\"ff7a\"}");
	/* Cut short; overlong; a surrogate; beyond U+10FFFF; a lone tail. */
	json_of("a\xc3", "{\"k\":\"a" FFFD "\",\"k_hex\":\"61c3\"}");
	json_of("\xc0\xaf", "{\"k\":\"" FFFD FFFD "\",\"k_hex\":\"c0af\"}");
	json_of("\xed\xa0\x80",
		"{\"k\":\"" FFFD FFFD FFFD "\",\"k_hex\":\"eda080\"}");
	json_of("\xf4\x90\x80\x80", "{\"k\":\"" FFFD FFFD FFFD FFFD
				    "\",\"k_hex\":\"f4908080\"}");
	json_of("\x80", "{\"k\":\"" FFFD "\",\"k_hex\":\"80\"}");
	json_of("\xf8", "{\"k\":\"" FFFD "\",\"k_hex\":\"f8\"}");
	json_of("\x01\xff", "{\"k\":\"\\u0001" FFFD "\",\"k_hex\":\"01ff\"}");
}
END_TEST

/* Every byte between two letters, as a string and as its hex. */
START_TEST(json_every_byte)
{
	char in[4] = "a?b", want[64], hex[16];
	int c;

	for (c = 1; c < 256; c++) {
		in[1] = c;
		if (c >= 0x80) {
			snprintf(hex, sizeof(hex), "61%02x62", c);
			snprintf(want, sizeof(want),
				 "{\"k\":\"a" FFFD "b\",\"k_hex\":\"%s\"}",
				 hex);
		} else if (c < 0x20 || c == 0x7f) {
			snprintf(want, sizeof(want), "{\"k\":\"a\\u%04xb\"}",
				 c);
		} else {
			snprintf(want, sizeof(want), "{\"k\":\"a%s%cb\"}",
				 c == '"' || c == '\\' ? "\\" : "", c);
		}
		json_of(in, want);
	}
}
END_TEST

static void json_sample(struct json *json)
{
	json_open_array(json, NULL);
	json_open_object(json, NULL);
	json_bool(json, JSON_KEY("t"), true);
	json_bool(json, JSON_KEY("f"), false);
	json_open_array(json, JSON_KEY("none"));
	json_close(json);
	json_open_array(json, JSON_KEY("list"));
	json_u64(json, NULL, 0);
	json_u64(json, NULL, UINT64_MAX);
	json_s64(json, NULL, INT64_MIN);
	json_str(json, NULL, "\xff");
	json_close(json);
	json_close(json);
	json_open_object(json, NULL);
	json_close(json);
	json_close(json);
	json_end(json);
}

START_TEST(json_nests)
{
	struct json json;
	struct kept kept;

	json_init(&json, kept_open(&kept), false);
	json_sample(&json);
	kept_is(&kept, "[{\"t\":true,\"f\":false,\"none\":[],\"list\":[0,"
		       "18446744073709551615,-9223372036854775808,\"" FFFD
		       "\"]},{}]\n");
	json_init(&json, kept_open(&kept), true);
	json_sample(&json);
	kept_is(&kept, "[\n    {\n        \"t\": true,\n        \"f\": false,\n"
		       "        \"none\": [],\n        \"list\": [\n"
		       "            0,\n            18446744073709551615,\n"
		       "            -9223372036854775808,\n"
		       "            \"" FFFD "\"\n        ]\n    },\n    {}\n"
		       "]\n");
}
END_TEST

START_TEST(text_escapes)
{
	static const struct {
		const char *in, *out;
		bool keep;
	} cases[] = {
		{ "tap0", "tap0", false },
		{ "\x1b[31m", "\\x1b[31m", false },
		{ "a\\b", "a\\x5cb", false },
		{ "a\\x1bb", "a\\x1bb", true },
		{ "\xffz\x7f\n", "\\xffz\\x7f\\x0a", false },
		{ "\xff\n", "\\xff\\x0a", true },
		{ "\xc3\xa4", "\xc3\xa4", false },
		{ "\xc2\x9b", "\\xc2\\x9b", false },
	};
	struct kept kept;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		text_escape(kept_open(&kept), cases[i].in,
			    strlen(cases[i].in), cases[i].keep);
		kept_is(&kept, cases[i].out);
	}
	ck_assert_uint_eq(text_escape(kept_open(&kept), "\xc3\xa4\x01",
				      3, false), 5);
	kept_is(&kept, "\xc3\xa4\\x01");
}
END_TEST

static const struct out_field f_name = OUT_FIELD("name", "", ":", true, 6);
static const struct out_field f_kind = OUT_JSON("kind");
static const struct out_field f_on = OUT_FIELD("on", "on", "", false, 0);
static const struct out_field f_off = OUT_FIELD("off", "off", "", false, 0);
static const struct out_field f_n = OUT_FIELD("n", "", " left", true, 3);
static const struct out_field f_obj = OUT_FIELD("obj", "obj", "", true, 0);
static const struct out_field f_policy = OUT_FIELD("policy", "", "", true, 0);
static const struct out_field f_prog = OUT_FIELD("prog", "prog", "", false, 0);
static const struct out_field f_id = OUT_FIELD("id", "id ", "", true, 0);
static const struct out_field f_list = OUT_JSON("list");
static const struct out_field f_item = OUT_FIELD("item", "item ", "", true, 0);

static void record(struct out *out, const char *name, bool known)
{
	out_record(out);
	out_str(out, &f_name, name);
	out_str(out, &f_kind, "k");
	out_flag(out, &f_on, true);
	out_flag(out, &f_off, false);
	if (known)
		out_u64(out, &f_n, 7);
	else
		out_unknown(out, &f_n);
	out_line(out);
	out_object(out, &f_obj);
	out_str(out, &f_policy, "p");
	/* Its members are brief, but it is not. */
	out_object(out, &f_prog);
	out_u64(out, &f_id, 1);
	out_object_end(out);
	out_object_end(out);
	out_list(out, &f_list);
	out_item(out);
	out_s64(out, &f_item, -1);
	out_item_end(out);
	out_list_end(out);
	out_record_end(out);
}

static void out_of(const struct out_opts *opts, const char *want)
{
	struct kept kept;
	struct out out;

	out_init(&out, kept_open(&kept), opts);
	out_begin(&out);
	record(&out, "tap0", true);
	record(&out, "a\x1b", false);
	out_note(&out, "note");
	out_end(&out);
	kept_is(&kept, want);
}

START_TEST(out_renders)
{
	static const struct out_opts text = { 0 },
		oneline = { .oneline = true },
		brief = { .brief = true }, json = { .json = true },
		brief_json = { .json = true, .brief = true };

	out_of(&text, "tap0: on 7 left\n\tobj p prog id 1\n\titem -1\n"
		      "a\\x1b: on\n\tobj p prog id 1\n\titem -1\n"
		      "note\n");
	out_of(&oneline, "tap0: on 7 left\\\tobj p prog id 1\\\titem -1\n"
			 "a\\x1b: on\\\tobj p prog id 1\\\titem -1\n"
			 "note\n");
	out_of(&brief, "tap0   7   p\n"
		       "a\\x1b  -   p\n");
	out_of(&json,
	       "[{\"name\":\"tap0\",\"kind\":\"k\",\"on\":true,\"off\":false,"
	       "\"n\":7,\"obj\":{\"policy\":\"p\",\"prog\":{\"id\":1}},"
	       "\"list\":[{\"item\":-1}]},"
	       "{\"name\":\"a\\u001b\",\"kind\":\"k\",\"on\":true,"
	       "\"off\":false,\"obj\":{\"policy\":\"p\",\"prog\":{\"id\":1}},"
	       "\"list\":[{\"item\":-1}]}]\n");
	out_of(&brief_json,
	       "[{\"name\":\"tap0\",\"n\":7,\"obj\":{\"policy\":\"p\"}},"
	       "{\"name\":\"a\\u001b\",\"obj\":{\"policy\":\"p\"}}]\n");
}
END_TEST

START_TEST(out_empty)
{
	static const struct out_opts json = { .json = true },
		pretty = { .json = true, .pretty = true }, text = { 0 };
	const struct out_opts *opts[] = { &json, &pretty, &text };
	const char *want[] = { "[]\n", "[]\n", "" };
	struct kept kept;
	struct out out;
	size_t i;

	for (i = 0; i < 3; i++) {
		out_init(&out, kept_open(&kept), opts[i]);
		out_begin(&out);
		out_end(&out);
		kept_is(&kept, want[i]);
	}
}
END_TEST

static const struct out_field f_word = OUT_FIELD("word", "", "", true, 6);
static const struct out_field f_hex = OUT_FIELD("hex", "hex ", "", true, 4);
static const struct out_field f_bytes = OUT_FIELD("bytes", "bytes ", "", true,
						  4);
static const struct out_field f_sums = OUT_FIELD("sums", "sums", "", true, 0);
static const struct out_field f_sum[] = {
	OUT_FIELD("a", "a ", "", true, 2),
	OUT_FIELD("b", "b ", "", true, 2),
};

static void numbers(struct out *out, const char *word)
{
	static const uint64_t sums[] = { 0, UINT64_MAX };

	out_record(out);
	out_str(out, &f_word, word);
	out_x64(out, &f_hex, 0xabc);
	out_hex(out, &f_bytes, "\x00\xff", 2);
	out_u64s(out, &f_sums, f_sum, sums, 2);
	out_record_end(out);
}

static void numbers_of(const struct out_opts *opts, bool columns,
		       const char *want)
{
	struct kept kept;
	struct out out;

	out_init(&out, kept_open(&kept), opts);
	if (columns)
		out_columns(&out);
	out_begin(&out);
	out_heading(&out, &f_word);
	out_heading(&out, &f_hex);
	out_heading_end(&out);
	numbers(&out, "w");
	out_end(&out);
	kept_is(&kept, want);
}

#define MAX "18446744073709551615"

START_TEST(out_numbers)
{
	static const struct out_opts text = { 0 }, json = { .json = true },
		pretty = { .json = true, .pretty = true };

	numbers_of(&text, false, "w hex 0xabc bytes 00ff sums a 0 b " MAX "\n");
	numbers_of(&text, true, "word   hex\nw      0xabc 00ff 0  " MAX "\n");
	numbers_of(&json, false,
		   "[{\"word\":\"w\",\"hex\":2748,\"bytes\":\"00ff\","
		   "\"sums\":{\"a\":0,\"b\":" MAX "}}]\n");
	numbers_of(&json, true,
		   "[{\"word\":\"w\",\"hex\":2748,\"bytes\":\"00ff\","
		   "\"sums\":{\"a\":0,\"b\":" MAX "}}]\n");
	numbers_of(&pretty, false,
		   "[\n    {\n        \"word\": \"w\",\n"
		   "        \"hex\": 2748,\n        \"bytes\": \"00ff\",\n"
		   "        \"sums\": {\n            \"a\": 0,\n"
		   "            \"b\": " MAX "\n        }\n    }\n]\n");
}
END_TEST

/* The first record of a list has no comma before it: no copy for the second. */
START_TEST(out_copies)
{
	static const struct out_opts json = { .json = true };
	static const bool made[] = { true, true, false, false };
	struct out_copy copy = { .len = 0 };
	struct kept kept;
	struct out out;
	size_t i;

	out_init(&out, kept_open(&kept), &json);
	out_begin(&out);
	for (i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
		bool copied = out_copy(&out, &copy);

		ck_assert_int_eq(copied, !made[i]);
		if (!copied) {
			out_copy_begin(&out, &copy);
			out_record(&out);
			out_str(&out, &f_kind, "k");
			out_object(&out, &f_obj);
			out_copy_end(&out, &copy);
		}
		out_u64(&out, &f_n, i);
		out_object_end(&out);
		out_record_end(&out);
	}
	out_end(&out);
	kept_is(&kept, "[{\"kind\":\"k\",\"obj\":{\"n\":0}},"
		       "{\"kind\":\"k\",\"obj\":{\"n\":1}},"
		       "{\"kind\":\"k\",\"obj\":{\"n\":2}},"
		       "{\"kind\":\"k\",\"obj\":{\"n\":3}}]\n");
}
END_TEST

static const char *nearest(const char *word)
{
	static const char *const known[] = { "show", "list", "lst", "add",
		"del", "delete", "set", "get", "policy", "steering" };
	struct word_near near;
	size_t i;

	word_near_init(&near, word);
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		word_near_try(&near, known[i]);
	return near.best;
}

START_TEST(word_nearest)
{
	char *huge = malloc(100001);

	ck_assert_str_eq(nearest("shwo"), "show");
	ck_assert_str_eq(nearest("SHOW"), "show");
	ck_assert_str_eq(nearest("poli"), "policy");
	ck_assert_str_eq(nearest("streering"), "steering");
	ck_assert_str_eq(nearest("delte"), "delete");
	ck_assert_ptr_null(nearest("tap0"));
	ck_assert_ptr_null(nearest(""));
	ck_assert_ptr_null(nearest("s"));
	memset(huge, 's', 100000);
	huge[100000] = '\0';
	ck_assert_ptr_null(nearest(huge));
	free(huge);
}
END_TEST

START_TEST(word_quotes)
{
	char buf[WORD_QUOTE], in[200];

	ck_assert_str_eq(word_quote("", buf), "\"\"");
	ck_assert_str_eq(word_quote("a b", buf), "\"a b\"");
	ck_assert_str_eq(word_quote("\x1b\\\xff", buf), "\"\\x1b\\x5c\\xff\"");
	ck_assert_str_eq(word_quote("\xc3\xa4", buf), "\"\xc3\xa4\"");
	memset(in, 0xff, sizeof(in) - 1);
	in[sizeof(in) - 1] = '\0';
	word_quote(in, buf);
	ck_assert_uint_eq(strlen(buf), 1 + 50 * 4 + 3 + 1);
	ck_assert_str_eq(buf + strlen(buf) - 8, "\\xff...\"");
	/* A character across the cut stays whole. */
	memset(in, 'a', sizeof(in) - 1);
	memcpy(in + 49, "\xf0\x9f\x90\xa7", 4);
	word_quote(in, buf);
	ck_assert(utf8_valid(buf, strlen(buf)));
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("tool_json");
	TCase *tc = tcase_create("write");

	tcase_add_test(tc, json_strings);
	tcase_add_test(tc, json_no_utf8);
	tcase_add_test(tc, json_every_byte);
	tcase_add_test(tc, json_nests);
	tcase_add_test(tc, text_escapes);
	tcase_add_test(tc, out_renders);
	tcase_add_test(tc, out_empty);
	tcase_add_test(tc, out_numbers);
	tcase_add_test(tc, out_copies);
	tcase_add_test(tc, word_nearest);
	tcase_add_test(tc, word_quotes);
	suite_add_tcase(s, tc);
	return s;
}
NST_REGISTER(suite);
