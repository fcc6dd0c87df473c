/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Device names: which are possible, and how they look in a sentence. */
#include <linux/if.h>
#include <string.h>

#include "core/link.h"
#include "harness.h"

START_TEST(valid)
{
	static const char *const names[] = {
		"a",	   "lo",	  "fifteen-bytes-x",
		"t%d",	   "a\001b",	  "\xffz",
		"q\"u\\o", "\x1b[31m",	  "...",
		".a",	   "-x",	  "--",
		"\x85",	   "b\xc3\xbcro",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		ck_assert_msg(nst_link_name_valid(names[i], IFNAMSIZ), "%s",
			      names[i]);
}
END_TEST

START_TEST(invalid)
{
	static const char *const names[] = {
		"",	"sixteen-bytes-xy",
		".",	"..",
		"a/b",	"a:b",
		"a b",	"a\tb",
		"a\nb", "a\vb",
		"a\fb", "a\rb",
		"\xa0", " ",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		ck_assert_msg(!nst_link_name_valid(names[i], IFNAMSIZ), "%s",
			      names[i]);
}
END_TEST

/* Of an alternative name the kernel checks the length alone. */
START_TEST(alternative)
{
	char name[130];

	memset(name, 'x', sizeof(name));
	name[128] = '\0';
	ck_assert(!nst_link_name_valid(name, ALTIFNAMSIZ));
	name[127] = '\0';
	ck_assert(nst_link_name_valid(name, ALTIFNAMSIZ));
	ck_assert(!nst_link_name_valid(name, IFNAMSIZ));
	ck_assert(nst_link_name_valid("a b/c:d", ALTIFNAMSIZ));
	ck_assert(!nst_link_name_valid("", ALTIFNAMSIZ));
}
END_TEST

START_TEST(print)
{
	static const struct {
		const char *name;
		const char *text;
	} cases[] = {
		{ "", "" },
		{ "tap0", "tap0" },
		{ "~ !\"'", "~ !\"'" },
		{ "\\", "\\x5c" },
		{ "\x1b[31m", "\\x1b[31m" },
		{ "a\x01\x7f", "a\\x01\\x7f" },
		/* beyond ASCII it may be anything, and stays */
		{ "t\xc3\xa4p\xff", "t\xc3\xa4p\xff" },
		/* the worst that fits a device name is not cut */
		{ "\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f"
		  "\x7f",
		  "\\x7f\\x7f\\x7f\\x7f\\x7f\\x7f\\x7f\\x7f\\x7f\\x7f\\x7f"
		  "\\x7f\\x7f\\x7f\\x7f" },
	};
	char buf[NST_NAME_PRINT];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_str_eq(nst_name_print(cases[i].name, buf),
				 cases[i].text);
}
END_TEST

START_TEST(print_cut)
{
	char buf[NST_NAME_PRINT + 1];
	char name[200], expect[NST_NAME_PRINT];

	memset(buf, '#', sizeof(buf));
	memset(name, 'n', sizeof(name));
	name[71] = '\0';
	ck_assert_str_eq(nst_name_print(name, buf), name);

	memset(expect, 'n', sizeof(expect));
	strcpy(expect + 68, "...");
	name[71] = 'n';
	name[72] = '\0';
	ck_assert_str_eq(nst_name_print(name, buf), expect);
	ck_assert_int_eq(buf[NST_NAME_PRINT], '#');
	name[72] = 'n';
	name[199] = '\0';
	ck_assert_str_eq(nst_name_print(name, buf), expect);

	/* Not in the middle of an escape. */
	memset(name, '\n', 100);
	name[100] = '\0';
	nst_name_print(name, buf);
	ck_assert_uint_eq(strlen(buf), 17 * 4 + 3);
	ck_assert_str_eq(buf + 16 * 4, "\\x0a...");
	memmove(name + 1, name, 101);
	name[0] = 'x';
	nst_name_print(name, buf);
	ck_assert_uint_eq(strlen(buf), 1 + 16 * 4 + 3);
	ck_assert_int_eq(buf[NST_NAME_PRINT], '#');
}
END_TEST

static Suite *suite_link_name(void)
{
	Suite *suite = suite_create("link names");
	TCase *tc = tcase_create("names");

	tcase_add_test(tc, valid);
	tcase_add_test(tc, invalid);
	tcase_add_test(tc, alternative);
	tcase_add_test(tc, print);
	tcase_add_test(tc, print_cut);
	suite_add_tcase(suite, tc);
	return suite;
}

NST_REGISTER(suite_link_name);
