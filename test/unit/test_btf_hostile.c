/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BTF that lies, or is cut, or spoilt: an error, and nothing else happens. */
#include <stdlib.h>
#include <string.h>

#include "btf_maker.h"
#include "harness.h"

#define MALFORMED(base, split)                                                 \
	do {                                                                   \
		uint32_t v_;                                                   \
		ck_assert_int_eq(find(base, split, "t", "nothing", &v_),       \
				 -EPROTO);                                     \
	} while (0)

static struct btf_header *header(struct maker *m)
{
	return (struct btf_header *)m->blob;
}

START_TEST(header_that_lies)
{
	struct maker m;
	struct btf_header good;

	start(&m, NULL);
	simple(&m, "t");
	finish(&m);
	LACKS(&m, NULL, "t", "nothing");
	good = *header(&m);
#define LIE(field, value)                                                      \
	do {                                                                   \
		header(&m)->field = value;                                     \
		MALFORMED(&m, NULL);                                           \
		*header(&m) = good;                                            \
	} while (0)
	LIE(magic, 0x9feb);
	LIE(version, 2);
	LIE(hdr_len, 20);
	LIE(hdr_len, m.len + 1);
	LIE(hdr_len, 0xffffffff);
	LIE(type_off, m.len);
	LIE(type_off, 0xfffffff0);
	LIE(type_len, m.len);
	LIE(type_len, 0xffffffff);
	LIE(type_len, good.type_len - 4);
	LIE(str_off, 0xffffff00);
	LIE(str_len, good.str_len + 1);
	LIE(str_len, 0xffffffff);
	LIE(str_len, good.str_len - 1); /* no NUL at its end */
	LIE(str_len, 0);
#undef LIE
	free(m.blob);
}
END_TEST

static void expect_malformed(struct maker *m)
{
	finish(m);
	MALFORMED(m, NULL);
	free(m->blob);
}

START_TEST(types_that_lie)
{
	struct maker m;

	start(&m, NULL);
	type(&m, "t", BTF_KIND_STRUCT, 3, 8); /* more members than there are */
	member(&m, "a", 0, 0);
	expect_malformed(&m);

	start(&m, NULL);
	type(&m, NULL, 31, 0, 0); /* a kind that nobody knows */
	simple(&m, "t");
	expect_malformed(&m);

	start(&m, NULL);
	type(&m, NULL, BTF_KIND_UNKN, 0, 0);
	simple(&m, "t");
	expect_malformed(&m);

	start(&m, NULL);
	type(&m, "t", BTF_KIND_STRUCT, 1, 8);
	member(&m, NULL, 77, 0); /* a type that is not there */
	expect_malformed(&m);

	start(&m, NULL);
	type(&m, "t", BTF_KIND_STRUCT, 1, 8);
	member(&m, NULL, 0, 0);
	expect_malformed(&m);

	start(&m, NULL);
	simple(&m, "t");
	m.words[3] = 4000; /* the name of a member is not there */
	expect_malformed(&m);

	start(&m, NULL);
	simple(&m, "t");
	m.words[0] = 0xffffffff;
	expect_malformed(&m);
}
END_TEST

/* A structure inside itself, many times: an end has to be found. */
START_TEST(endless_nesting)
{
	struct maker m;
	int i;

	start(&m, NULL);
	type(&m, "t", BTF_KIND_STRUCT, 1000, 8);
	for (i = 0; i < 1000; i++)
		member(&m, NULL, 1, 0xfffffff8);
	expect_malformed(&m);

	/* Deep, but with an end: just not found. */
	start(&m, NULL);
	type(&m, "t", BTF_KIND_STRUCT, 1, 8);
	member(&m, NULL, 1, 0xfffffff8);
	finish(&m);
	LACKS(&m, NULL, "t", "nothing");
	free(m.blob);
}
END_TEST

/* Whatever is found in it, nothing outside of it is touched. */
static void try_all(const unsigned char *base, size_t base_len,
		    const unsigned char *split, size_t split_len)
{
	uint32_t v[4];
	const struct nst_btf_want want[] = {
		{ "mod", "s", &v[0], true },
		{ "both", "second", &v[1], true },
		{ "t", NULL, &v[2], true },
		{ "nothing", "x", &v[3], true },
	};
	int err = nst_btf_find_in(base, base_len, split, split_len, want, 4);

	ck_assert(!err || err == -EPROTO);
}

START_TEST(cut_anywhere)
{
	struct maker base, split;
	unsigned char *cut;
	size_t n;

	make_split(&base, &split);
	for (n = 0; n < base.len; n++) {
		cut = malloc(n + !n);
		memcpy(cut, base.blob, n);
		try_all(cut, n, split.blob, split.len);
		free(cut);
	}
	for (n = 0; n < split.len; n++) {
		cut = malloc(n + !n);
		memcpy(cut, split.blob, n);
		try_all(base.blob, base.len, cut, n);
		free(cut);
	}
	free(base.blob);
	free(split.blob);
}
END_TEST

static void spoil(struct maker *m, struct maker *base, struct maker *split)
{
	static const unsigned char with[] = { 0,    1,	  2,	3,   8,
					      0x10, 0x7f, 0x80, 0xff };
	unsigned char was;
	size_t i, k;

	for (i = 0; i < m->len; i++) {
		was = m->blob[i];
		for (k = 0; k < sizeof(with); k++) {
			m->blob[i] = with[k];
			try_all(base->blob, base->len, split->blob, split->len);
		}
		m->blob[i] = was;
	}
}

START_TEST(spoilt_anywhere)
{
	struct maker base, split;

	make_split(&base, &split);
	spoil(&base, &base, &split);
	spoil(&split, &base, &split);
	free(base.blob);
	free(split.blob);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("btf, hostile");
	TCase *tc = tcase_create("hostile");

	tcase_add_test(tc, header_that_lies);
	tcase_add_test(tc, types_that_lie);
	tcase_add_test(tc, endless_nesting);
	tcase_add_test(tc, cut_anywhere);
	tcase_add_test(tc, spoilt_anywhere);
	suite_add_tcase(s, tc);
	return s;
}
NST_REGISTER(suite);
