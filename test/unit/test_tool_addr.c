/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses with their masks, and words that are made once. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "addr.h"
#include "harness.h"
#include "memo.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void ipv6_is(const unsigned char *addr)
{
	char want[INET6_ADDRSTRLEN], got[ADDR_SIZE];

	inet_ntop(AF_INET6, addr, want, sizeof(want));
	*addr_ipv6(got, addr, NULL) = '\0';
	ck_assert_str_eq(got, want);
}

/* Each pattern of groups that are zero, small, large or all ones. */
START_TEST(as_inet_ntop)
{
	static const unsigned char kinds[][2] = { { 0, 0 }, { 0, 1 },
						  { 0x20, 1 }, { 0xff, 0xff } };
	char want[INET_ADDRSTRLEN], got[ADDR_SIZE];
	unsigned char addr[16];
	unsigned int n, i;

	for (n = 0; n < 1 << 16; n++) {
		for (i = 0; i < 8; i++)
			memcpy(addr + 2 * i, kinds[n >> 2 * i & 3], 2);
		ipv6_is(addr);
	}
	for (n = 0; n < 256; n++) {
		memset(addr, n, 4);
		addr[1] = 255 - n;
		inet_ntop(AF_INET, addr, want, sizeof(want));
		*addr_ipv4(got, addr, NULL) = '\0';
		ck_assert_str_eq(got, want);
	}
	*addr_mac(got, (const unsigned char *)"\0\1\x0f\x10\xff\x80", NULL) = 0;
	ck_assert_str_eq(got, "00:01:0f:10:ff:80");
}
END_TEST

#define U(s) ((const unsigned char *)(s))

START_TEST(masks)
{
	static const struct {
		char *(*put)(char *p, const unsigned char *addr,
			     const unsigned char *mask);
		const char *mask, *want;
	} cases[] = {
		{ addr_ipv4, "\xff\0\0\0", "10.0.0.1/8" },
		{ addr_ipv4, "\0\0\0\0", "10.0.0.1/0" },
		{ addr_ipv4, "\xff\xff\xff\xfe", "10.0.0.1/31" },
		{ addr_ipv4, "\xff\xff\xff\xff", "10.0.0.1/32" },
		{ addr_ipv4, "\xff\0\xff\0", "10.0.0.1/255.0.255.0" },
		{ addr_ipv4, "\x7f\xff\xff\xff", "10.0.0.1/127.255.255.255" },
		{ addr_ipv4, "\xff\xfd\0\0", "10.0.0.1/255.253.0.0" },
		{ addr_mac, "\xff\xff\xff\0\0\0", "0a:00:00:01:00:00/24" },
		{ addr_mac, "\1\0\0\0\0\0",
		  "0a:00:00:01:00:00/01:00:00:00:00:00" },
		{ addr_ipv6, "\xff\xff\xff\xfc\0\0\0\0\0\0\0\0\0\0\0\0",
		  "a00:1::/30" },
		{ addr_ipv6, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1",
		  "a00:1::/::1" },
	};
	static const unsigned char addr[16] = { 10, 0, 0, 1 };
	char got[ADDR_SIZE];
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		*cases[i].put(got, addr, U(cases[i].mask)) = '\0';
		ck_assert_str_eq(got, cases[i].want);
	}
	/* The longest there is. */
	i = addr_ipv6(got, U("\x11\x11\x11\x11\x11\x11\x11\x11"
			     "\x11\x11\x11\x11\x11\x11\x11\x11"),
		      U("\x7f\xff\xff\xff\xff\xff\xff\xff"
			"\xff\xff\xff\xff\xff\xff\xff\xff")) - got;
	ck_assert_uint_eq(i, 2 * 39 + 1);
}
END_TEST

static int made;

static const char *text_of(const char *s)
{
	made++;
	return *s == '-' ? NULL : s;
}

START_TEST(memo_words)
{
	static char strings[1000][4];
	static struct memo memo;
	char want[16], got[2 * SINK_WORD_SIZE];
	size_t round, i;

	memo_init(&memo, "<", ">", text_of);
	*sink_word(got, memo_find(&memo, "a"), 0) = '\0';
	ck_assert_str_eq(got, "<a>");
	memo_find(&memo, "a");
	ck_assert_int_eq(made, 1);
	*sink_word(got, memo_find(&memo, "-"), 0) = '\0';
	ck_assert_str_eq(got, "<");
	*sink_word(got, memo_find(&memo, "a word that is longer than there is "
					 "room for"), 0) = '\0';
	ck_assert_str_eq(got, "<a word that is longer than there is ro>");
	/* More than it has room for, so that they take turns. */
	for (i = 0; i < COUNT(strings); i++)
		snprintf(strings[i], sizeof(strings[i]), "%zu", i);
	for (round = 0; round < 3; round++) {
		for (i = 0; i < COUNT(strings); i++) {
			*sink_word(got, memo_find(&memo, strings[i]), 0) = '\0';
			snprintf(want, sizeof(want), "<%zu>", i);
			ck_assert_str_eq(got, want);
		}
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("tool_addr");
	TCase *tc = tcase_create("write");

	tcase_add_test(tc, as_inet_ntop);
	tcase_add_test(tc, masks);
	tcase_add_test(tc, memo_words);
	suite_add_tcase(s, tc);
	return s;
}
NST_REGISTER(suite);
