/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The search in BTF, on blobs made by hand. Each is copied into memory of just
 * its size, so that the address sanitizer sees a step beyond it.
 */
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

#include "core/btf.h"
#include "core/btf_view.h"
#include "harness.h"

#define MAX_WORDS 4096
#define NONE NST_BTF_NONE

struct maker {
	uint32_t words[MAX_WORDS];
	size_t n_words;
	char strs[4096];
	size_t strs_len;
	uint32_t base_strs; /* a split blob: length of its base's strings */
	uint32_t last_id;
	unsigned char *blob;
	size_t len;
};

static void start(struct maker *m, const struct maker *base)
{
	memset(m, 0, sizeof(*m));
	if (base) {
		m->base_strs = base->strs_len;
		m->last_id = base->last_id;
	} else {
		m->strs_len = 1;
	}
}

static uint32_t str(struct maker *m, const char *s)
{
	uint32_t at = m->base_strs + m->strs_len;

	if (!s)
		return 0;
	strcpy(m->strs + m->strs_len, s);
	m->strs_len += strlen(s) + 1;
	return at;
}

static void word(struct maker *m, uint32_t w)
{
	ck_assert_uint_lt(m->n_words, MAX_WORDS);
	m->words[m->n_words++] = w;
}

static uint32_t type(struct maker *m, const char *name, uint32_t kind,
		     uint32_t vlen, uint32_t size)
{
	word(m, str(m, name));
	word(m, kind << 24 | vlen);
	word(m, size);
	return ++m->last_id;
}

static void member(struct maker *m, const char *name, uint32_t id, uint32_t bit)
{
	word(m, str(m, name));
	word(m, id);
	word(m, bit);
}

/* A type that is in the way. */
static uint32_t filler(struct maker *m)
{
	return type(m, NULL, BTF_KIND_PTR, 0, 0);
}

static void finish(struct maker *m)
{
	struct btf_header hdr = {
		.magic = BTF_MAGIC,
		.version = 1,
		.hdr_len = sizeof(hdr),
		.type_len = m->n_words * 4,
		.str_off = m->n_words * 4,
		.str_len = m->strs_len,
	};

	m->len = sizeof(hdr) + hdr.type_len + hdr.str_len;
	m->blob = malloc(m->len);
	memcpy(m->blob, &hdr, sizeof(hdr));
	memcpy(m->blob + sizeof(hdr), m->words, hdr.type_len);
	memcpy(m->blob + sizeof(hdr) + hdr.type_len, m->strs, m->strs_len);
}

static struct btf_header *header(struct maker *m)
{
	return (struct btf_header *)m->blob;
}

/* 16 bytes: "first" at 0, "second" at 8. */
static uint32_t simple(struct maker *m, const char *name)
{
	uint32_t id = type(m, name, BTF_KIND_STRUCT, 2, 16);

	member(m, "first", 0, 0);
	member(m, "second", 0, 64);
	return id;
}

static int find(const struct maker *base, const struct maker *split,
		const char *name, const char *mem, uint32_t *value)
{
	struct nst_btf_want want = { name, mem, value, false };

	return nst_btf_find_in(base->blob, base->len,
			       split ? split->blob : NULL,
			       split ? split->len : 0, &want, 1);
}

#define FOUND(base, split, name, mem, expect)                                  \
	do {                                                                   \
		uint32_t v_;                                                   \
		ck_assert_int_eq(find(base, split, name, mem, &v_), 0);        \
		ck_assert_uint_eq(v_, expect);                                 \
	} while (0)

#define LACKS(base, split, name, mem)                                          \
	do {                                                                   \
		uint32_t v_;                                                   \
		ck_assert_int_eq(find(base, split, name, mem, &v_),            \
				 -EOPNOTSUPP);                                 \
		ck_assert_uint_eq(v_, NONE);                                   \
	} while (0)

#define MALFORMED(base, split)                                                 \
	do {                                                                   \
		uint32_t v_;                                                   \
		ck_assert_int_eq(find(base, split, "t", "nothing", &v_),       \
				 -EPROTO);                                     \
	} while (0)

START_TEST(members_and_sizes)
{
	struct maker m;

	start(&m, NULL);
	simple(&m, "t");
	finish(&m);
	FOUND(&m, NULL, "t", "first", 0);
	FOUND(&m, NULL, "t", "second", 8);
	FOUND(&m, NULL, "t", NULL, 16);
	LACKS(&m, NULL, "t", "third");
	LACKS(&m, NULL, "t", "sec");
	LACKS(&m, NULL, "tt", NULL);
	free(m.blob);
}
END_TEST

START_TEST(many_wants_in_one_pass)
{
	uint32_t v[6];
	const struct nst_btf_want want[] = {
		{ "u", "second", &v[0], false }, { "t", NULL, &v[1], false },
		{ "t", "third", &v[2], true },	 { "w", "first", &v[3], true },
		{ "t", "second", &v[4], false }, { "v", NULL, &v[5], true },
	};
	struct maker m;

	start(&m, NULL);
	simple(&m, "t");
	simple(&m, "u");
	finish(&m);
	ck_assert_int_eq(nst_btf_find_in(m.blob, m.len, NULL, 0, want, 6), 0);
	ck_assert_uint_eq(v[0], 8);
	ck_assert_uint_eq(v[1], 16);
	ck_assert_uint_eq(v[2], NONE);
	ck_assert_uint_eq(v[3], NONE);
	ck_assert_uint_eq(v[4], 8);
	ck_assert_uint_eq(v[5], NONE);
	ck_assert_int_eq(nst_btf_find_in(m.blob, m.len, NULL, 0, want, 0),
			 -EINVAL);
	free(m.blob);
}
END_TEST

/* One of each kind in front, with its own length. */
START_TEST(every_kind_is_stepped_over)
{
	static const struct {
		uint32_t kind, vlen, words;
	} kinds[] = {
		{ BTF_KIND_INT, 0, 1 },	     { BTF_KIND_PTR, 0, 0 },
		{ BTF_KIND_ARRAY, 0, 3 },    { BTF_KIND_STRUCT, 3, 9 },
		{ BTF_KIND_UNION, 2, 6 },    { BTF_KIND_ENUM, 3, 6 },
		{ BTF_KIND_FWD, 0, 0 },	     { BTF_KIND_TYPEDEF, 0, 0 },
		{ BTF_KIND_VOLATILE, 0, 0 }, { BTF_KIND_CONST, 0, 0 },
		{ BTF_KIND_RESTRICT, 0, 0 }, { BTF_KIND_FUNC, 1, 0 },
		{ BTF_KIND_FUNC_PROTO, 3, 6 }, { BTF_KIND_VAR, 0, 1 },
		{ BTF_KIND_DATASEC, 2, 6 },  { BTF_KIND_FLOAT, 0, 0 },
		{ BTF_KIND_DECL_TAG, 0, 1 }, { BTF_KIND_TYPE_TAG, 0, 0 },
		{ BTF_KIND_ENUM64, 3, 9 },
	};
	struct maker m;
	size_t i, k;

	start(&m, NULL);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		type(&m, NULL, kinds[i].kind, kinds[i].vlen, 4);
		for (k = 0; k < kinds[i].words; k++)
			word(&m, 0xffffffff);
	}
	simple(&m, "t");
	finish(&m);
	FOUND(&m, NULL, "t", "second", 8);
	free(m.blob);
}
END_TEST

START_TEST(only_structs_count)
{
	struct maker m;

	start(&m, NULL);
	type(&m, "t", BTF_KIND_FWD, 0, 0);
	type(&m, "t", BTF_KIND_TYPEDEF, 0, 0);
	type(&m, "t", BTF_KIND_UNION, 1, 4);
	member(&m, "second", 0, 0);
	simple(&m, "t");
	finish(&m);
	FOUND(&m, NULL, "t", "second", 8);
	free(m.blob);
}
END_TEST

START_TEST(the_first_of_a_name_counts)
{
	struct maker m;

	start(&m, NULL);
	simple(&m, "t");
	type(&m, "t", BTF_KIND_STRUCT, 2, 4);
	member(&m, "second", 0, 0);
	member(&m, "third", 0, 8);
	finish(&m);
	FOUND(&m, NULL, "t", "second", 8);
	LACKS(&m, NULL, "t", "third");
	free(m.blob);
}
END_TEST

/*
 * struct t { a; union { x; struct { y; z; }; }; }, the unnamed ones so far
 * behind that the index of types is needed, and another one that is asked for
 * in between: looking ahead must not skip it.
 */
START_TEST(unnamed_members_behind)
{
	uint32_t z, a, second;
	const struct nst_btf_want want[] = {
		{ "t", "z", &z, false },
		{ "t", "a", &a, false },
		{ "between", "second", &second, false },
	};
	struct maker m;
	uint32_t u, s;
	int i;

	start(&m, NULL);
	type(&m, "t", BTF_KIND_STRUCT, 2, 32);
	member(&m, "a", 0, 0);
	member(&m, NULL, 302, 128);
	simple(&m, "between");
	for (i = 0; i < 298; i++)
		filler(&m);
	s = type(&m, NULL, BTF_KIND_STRUCT, 2, 16);
	ck_assert_uint_eq(s, 301);
	member(&m, "y", 0, 0);
	member(&m, "z", 0, 32);
	u = type(&m, NULL, BTF_KIND_UNION, 2, 16);
	ck_assert_uint_eq(u, 302);
	member(&m, "x", 0, 0);
	member(&m, NULL, s, 64);
	finish(&m);
	ck_assert_int_eq(nst_btf_find_in(m.blob, m.len, NULL, 0, want, 3), 0);
	ck_assert_uint_eq(a, 0);
	ck_assert_uint_eq(z, 16 + 8 + 4);
	ck_assert_uint_eq(second, 8);
	free(m.blob);
}
END_TEST

START_TEST(unnamed_members_in_front)
{
	struct maker m;
	uint32_t in;

	start(&m, NULL);
	filler(&m);
	in = type(&m, NULL, BTF_KIND_STRUCT, 1, 8);
	member(&m, "x", 0, 32);
	type(&m, "t", BTF_KIND_STRUCT, 2, 24);
	member(&m, NULL, 1, 0); /* an unnamed bitfield of old: no structure */
	member(&m, NULL, in, 128);
	finish(&m);
	FOUND(&m, NULL, "t", "x", 20);
	free(m.blob);
}
END_TEST

START_TEST(bitfields)
{
	struct maker m;

	start(&m, NULL);
	type(&m, "t", BTF_KIND_STRUCT, 4, 16);
	m.words[m.n_words - 2] |= 1U << 31; /* kind_flag */
	member(&m, "plain", 0, 64);
	member(&m, "bits", 0, 3U << 24 | 96);
	member(&m, "odd", 0, 1U << 24 | 99);
	member(&m, "after", 0, 104);
	/* Without kind_flag all 32 bits are the offset. */
	type(&m, "old", BTF_KIND_STRUCT, 2, 4);
	member(&m, "far", 0, 1U << 27);
	member(&m, "odd", 0, 3);
	finish(&m);
	FOUND(&m, NULL, "t", "plain", 8);
	LACKS(&m, NULL, "t", "bits");
	LACKS(&m, NULL, "t", "odd");
	FOUND(&m, NULL, "t", "after", 13);
	FOUND(&m, NULL, "old", "far", 1U << 24);
	LACKS(&m, NULL, "old", "odd");
	free(m.blob);
}
END_TEST

/* A module's types count on from vmlinux's, and so do its strings. */
static void make_split(struct maker *base, struct maker *split)
{
	uint32_t in_base, in_split, name;

	start(base, NULL);
	name = str(base, "shared_name");
	in_base = type(base, NULL, BTF_KIND_STRUCT, 1, 8);
	member(base, "b", 0, 32);
	simple(base, "t");
	simple(base, "both");
	finish(base);

	start(split, base);
	type(split, "mod", BTF_KIND_STRUCT, 4, 64);
	member(split, "own", 0, 64);
	member(split, NULL, in_base, 128);
	in_split = split->last_id + 2;
	member(split, NULL, in_split, 256);
	word(split, name);
	word(split, 0);
	word(split, 384);
	type(split, "both", BTF_KIND_STRUCT, 1, 4);
	member(split, "second", 0, 16);
	ck_assert_uint_eq(type(split, NULL, BTF_KIND_STRUCT, 1, 8), in_split);
	member(split, "s", 0, 8);
	finish(split);
}

START_TEST(split_continues_its_base)
{
	struct maker base, split;

	make_split(&base, &split);
	FOUND(&base, &split, "mod", "own", 8);
	FOUND(&base, &split, "mod", "b", 16 + 4);
	FOUND(&base, &split, "mod", "s", 32 + 1);
	FOUND(&base, &split, "mod", "shared_name", 48);
	FOUND(&base, &split, "t", "second", 8);
	FOUND(&base, &split, "both", "second", 2);
	LACKS(&base, NULL, "mod", "own");
	free(base.blob);
	free(split.blob);
}
END_TEST

/* ---- blobs that lie ---- */

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

/* ---- a blob that comes in pieces ---- */

struct pieces {
	struct nst_btf_fill fill;
	const unsigned char *from;
	unsigned char *to;
	int calls;
	int fail_at;
};

/* No byte more than was asked for. */
static int piece(struct nst_btf_fill *fill, struct nst_btf_section *s,
		 uint32_t upto)
{
	struct pieces *p = (struct pieces *)fill;
	size_t at = s->data - p->to;

	if (++p->calls == p->fail_at)
		return -EIO;
	ck_assert_uint_le(upto, s->len);
	ck_assert_uint_gt(upto, s->have);
	memcpy(p->to + at + s->have, p->from + at + s->have, upto - s->have);
	s->have = upto;
	return 0;
}

static int find_in_pieces(const struct maker *m, int fail_at, uint32_t *value,
			  struct nst_btf_view *v)
{
	const struct nst_btf_want want = { "t", "second", value, false };
	struct pieces p = { .fill = { piece }, .from = m->blob,
			    .fail_at = fail_at };
	struct nst_btf_search s;
	int err;

	p.to = calloc(1, m->len + 1);
	memcpy(p.to, m->blob, sizeof(struct btf_header));
	ck_assert_int_eq(nst_btf_search_start(&s, &want, 1), 0);
	ck_assert_int_eq(nst_btf_view_open(v, p.to, m->len, &p.fill), 0);
	err = nst_btf_search_view(&s, v);
	nst_btf_view_close(v);
	free(p.to);
	return err;
}

START_TEST(in_pieces)
{
	struct nst_btf_view v;
	struct maker m;
	uint32_t value;
	int i;

	start(&m, NULL);
	simple(&m, "tt");
	simple(&m, "t");
	for (i = 0; i < 100; i++)
		simple(&m, "u");
	finish(&m);
	ck_assert_int_eq(find_in_pieces(&m, 0, &value, &v), 0);
	ck_assert_uint_eq(value, 8);
	/* What is behind the last one was not asked for. */
	ck_assert_uint_eq(v.types.have, 2 * (3 + 2 * 3) * 4);
	ck_assert_uint_lt(v.strs.have, v.strs.len);
	for (i = 1; i < 4; i++)
		ck_assert_int_lt(find_in_pieces(&m, i, &value, &v), 0);
	free(m.blob);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("btf");
	TCase *tc = tcase_create("find");

	tcase_add_test(tc, members_and_sizes);
	tcase_add_test(tc, many_wants_in_one_pass);
	tcase_add_test(tc, every_kind_is_stepped_over);
	tcase_add_test(tc, only_structs_count);
	tcase_add_test(tc, the_first_of_a_name_counts);
	tcase_add_test(tc, unnamed_members_behind);
	tcase_add_test(tc, unnamed_members_in_front);
	tcase_add_test(tc, bitfields);
	tcase_add_test(tc, split_continues_its_base);
	tcase_add_test(tc, in_pieces);
	suite_add_tcase(s, tc);

	tc = tcase_create("hostile");
	tcase_add_test(tc, header_that_lies);
	tcase_add_test(tc, types_that_lie);
	tcase_add_test(tc, endless_nesting);
	tcase_add_test(tc, cut_anywhere);
	tcase_add_test(tc, spoilt_anywhere);
	suite_add_tcase(s, tc);
	return s;
}
NST_REGISTER(suite);
