/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attribute parsing on bytes that no honest kernel would send. */
#include <stdlib.h>
#include <string.h>

#include "core/nl.h"
#include "harness.h"

#define MAX 4
#define ALIGNED __attribute__((aligned(8)))

/* A copy that ends where the heap block ends, for ASan and valgrind. */
static void *tight(const void *bytes, size_t len)
{
	void *copy = malloc(len ? len : 1);

	ck_assert_ptr_nonnull(copy);
	if (len)
		memcpy(copy, bytes, len);
	return copy;
}

static void attr_hdr(unsigned char *at, uint16_t len, uint16_t type)
{
	const struct nlattr attr = { .nla_len = len, .nla_type = type };

	memcpy(at, &attr, sizeof(attr));
}

START_TEST(table)
{
	unsigned char bytes[32] ALIGNED = { 0 };
	const struct nlattr *tb[MAX + 1];
	uint32_t v;

	attr_hdr(bytes, 8, 1);
	bytes[4] = 1;
	attr_hdr(bytes + 8, 8, MAX);
	attr_hdr(bytes + 16, 8, MAX + 1); /* unknown */
	attr_hdr(bytes + 24, 8, 1);	  /* again: the last one counts */
	bytes[28] = 2;
	nst_nla_parse(bytes, sizeof(bytes), tb, MAX);
	ck_assert_ptr_eq(tb[1], bytes + 24);
	ck_assert_ptr_eq(tb[MAX], bytes + 8);
	ck_assert_ptr_null(tb[0]);
	ck_assert_ptr_null(tb[2]);
	ck_assert(nst_nla_u32(tb[MAX], &v));
	ck_assert_uint_eq(v, 0);
}
END_TEST

/* Flags in the type: NLA_F_NESTED and NLA_F_NET_BYTEORDER. */
START_TEST(type_flags)
{
	static const uint16_t flags[] = { 0x8000, 0x4000, 0xc000 };
	unsigned char bytes[8] ALIGNED = { 0 };
	const struct nlattr *tb[MAX + 1];

	attr_hdr(bytes, 8, flags[_i] | 2);
	nst_nla_parse(bytes, sizeof(bytes), tb, MAX);
	ck_assert_ptr_eq(tb[2], bytes);
}
END_TEST

/* A length that cannot be ends the parse, what stood before it counts. */
START_TEST(bad_length)
{
	static const uint16_t lens[] = { 0, 1, 2, 3, 13, 0xffff };
	unsigned char bytes[28] ALIGNED = { 0 };
	const struct nlattr *tb[MAX + 1];
	unsigned char *copy;

	attr_hdr(bytes, 8, 1);
	attr_hdr(bytes + 8, lens[_i], 2);
	attr_hdr(bytes + 16, 8, 3);
	copy = tight(bytes, 20);
	nst_nla_parse(copy, 20, tb, MAX);
	ck_assert_ptr_eq(tb[1], copy);
	ck_assert_ptr_null(tb[2]);
	ck_assert_ptr_null(tb[3]);
	free(copy);
}
END_TEST

START_TEST(short_tail)
{
	unsigned char bytes[12] ALIGNED = { 0 };
	const struct nlattr *tb[MAX + 1];
	unsigned char *copy;
	size_t len;

	attr_hdr(bytes, 5, 1); /* one byte, unpadded when it ends there */
	attr_hdr(bytes + 8, 4, 2);
	for (len = 0; len <= sizeof(bytes); len++) {
		copy = tight(bytes, len);
		nst_nla_parse(copy, len, tb, MAX);
		ck_assert_int_eq(tb[1] != NULL, len >= 5);
		ck_assert_int_eq(tb[2] != NULL, len >= 12);
		free(copy);
		/* What stands behind the end is not looked at. */
		nst_nla_parse(bytes, len, tb, MAX);
		ck_assert_int_eq(tb[2] != NULL, len >= 12);
	}
}
END_TEST

START_TEST(nested)
{
	unsigned char bytes[20] ALIGNED = { 0 };
	const struct nlattr *tb[MAX + 1];
	const struct nlattr *nest = (const struct nlattr *)bytes;

	attr_hdr(bytes, 12, 1);
	attr_hdr(bytes + 4, 8, 2);
	attr_hdr(bytes + 12, 8, 3);
	nst_nla_parse_nested(nest, tb, MAX);
	ck_assert_ptr_eq(tb[2], bytes + 4);
	/* What follows the nest is not in it. */
	ck_assert_ptr_null(tb[3]);

	/* A child longer than its nest, though not than the buffer. */
	attr_hdr(bytes + 4, 9, 2);
	nst_nla_parse_nested(nest, tb, MAX);
	ck_assert_ptr_null(tb[2]);

	/* empty; not there */
	attr_hdr(bytes, 4, 1);
	nst_nla_parse_nested(nest, tb, MAX);
	ck_assert_ptr_null(tb[2]);
	tb[2] = nest;
	nst_nla_parse_nested(NULL, tb, MAX);
	ck_assert_ptr_null(tb[2]);
}
END_TEST

START_TEST(behind_the_fixed_part)
{
	struct nlmsghdr nlh = { 0 };

	nlh.nlmsg_len = NLMSG_HDRLEN + 16 + 8;
	ck_assert_uint_eq(nst_nlmsg_attrs_len(&nlh, 16), 8);
	ck_assert_uint_eq(nst_nlmsg_attrs_len(&nlh, 13), 8);
	ck_assert_uint_eq(nst_nlmsg_attrs_len(&nlh, 24), 0);
	ck_assert_uint_eq(nst_nlmsg_attrs_len(&nlh, 28), 0);
	nlh.nlmsg_len = NLMSG_HDRLEN;
	ck_assert_uint_eq(nst_nlmsg_attrs_len(&nlh, 16), 0);
}
END_TEST

static const struct nlattr *with_payload(unsigned char *buf, const void *data,
					 size_t len)
{
	attr_hdr(buf, NLA_HDRLEN + len, 1);
	memcpy(buf + NLA_HDRLEN, data, len);
	return (const struct nlattr *)buf;
}

START_TEST(numbers)
{
	static const unsigned char data[9] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
	unsigned char buf[16] ALIGNED;
	uint8_t v8;
	uint32_t v32, expect32;
	uint64_t v64, expect64;
	size_t len;

	memcpy(&expect32, data, sizeof(expect32));
	memcpy(&expect64, data, sizeof(expect64));
	for (len = 0; len <= sizeof(data); len++) {
		const struct nlattr *attr = with_payload(buf, data, len);

		v8 = 77;
		v32 = 77;
		v64 = 77;
		ck_assert_int_eq(nst_nla_u8(attr, &v8), len >= 1);
		ck_assert_int_eq(nst_nla_u32(attr, &v32), len >= 4);
		ck_assert_int_eq(nst_nla_u64(attr, &v64), len >= 8);
		ck_assert_uint_eq(v8, len >= 1 ? 1 : 77);
		ck_assert_uint_eq(v32, len >= 4 ? expect32 : 77);
		ck_assert_uint_eq(v64, len >= 8 ? expect64 : 77);
	}
	ck_assert(!nst_nla_u8(NULL, &v8));
	ck_assert(!nst_nla_u32(NULL, &v32));
	ck_assert(!nst_nla_u64(NULL, &v64));
}
END_TEST

START_TEST(strings)
{
	unsigned char raw[16] ALIGNED;
	char buf[5] = "old";

	ck_assert(!nst_nla_str(NULL, buf, sizeof(buf)));
	ck_assert(!nst_nla_str(with_payload(raw, "12345", 6), buf, 5));
	ck_assert(!nst_nla_str(with_payload(raw, "12345", 5), buf, 5));
	ck_assert_str_eq(buf, "old");
	ck_assert(nst_nla_str(with_payload(raw, "1234", 5), buf, 5));
	ck_assert_str_eq(buf, "1234");
	/* without NUL; with bytes behind it; empty */
	ck_assert(nst_nla_str(with_payload(raw, "abcd", 4), buf, 5));
	ck_assert_str_eq(buf, "abcd");
	ck_assert(nst_nla_str(with_payload(raw, "a\0bcdefg", 8), buf, 5));
	ck_assert_str_eq(buf, "a");
	ck_assert(nst_nla_str(with_payload(raw, "", 0), buf, 5));
	ck_assert_str_eq(buf, "");
}
END_TEST

static Suite *suite_nla(void)
{
	Suite *suite = suite_create("nla");
	TCase *tc = tcase_create("nla");

	tcase_add_test(tc, table);
	tcase_add_loop_test(tc, type_flags, 0, 3);
	tcase_add_loop_test(tc, bad_length, 0, 6);
	tcase_add_test(tc, short_tail);
	tcase_add_test(tc, nested);
	tcase_add_test(tc, behind_the_fixed_part);
	tcase_add_test(tc, numbers);
	tcase_add_test(tc, strings);
	suite_add_tcase(suite, tc);
	return suite;
}

NST_REGISTER(suite_nla);
