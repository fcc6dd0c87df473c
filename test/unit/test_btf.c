/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The search in BTF, on blobs made by hand. */
#include <stdlib.h>
#include <string.h>

#include "btf_maker.h"
#include "core/btf_view.h"
#include "harness.h"

/* A type that is in the way. */
static void filler(struct maker *m)
{
	type(m, NULL, BTF_KIND_PTR, 0, 0);
}

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
		{ BTF_KIND_INT, 0, 1 },	       { BTF_KIND_PTR, 0, 0 },
		{ BTF_KIND_ARRAY, 0, 3 },      { BTF_KIND_STRUCT, 3, 9 },
		{ BTF_KIND_UNION, 2, 6 },      { BTF_KIND_ENUM, 3, 6 },
		{ BTF_KIND_FWD, 0, 0 },	       { BTF_KIND_TYPEDEF, 0, 0 },
		{ BTF_KIND_VOLATILE, 0, 0 },   { BTF_KIND_CONST, 0, 0 },
		{ BTF_KIND_RESTRICT, 0, 0 },   { BTF_KIND_FUNC, 1, 0 },
		{ BTF_KIND_FUNC_PROTO, 3, 6 }, { BTF_KIND_VAR, 0, 1 },
		{ BTF_KIND_DATASEC, 2, 6 },    { BTF_KIND_FLOAT, 0, 0 },
		{ BTF_KIND_DECL_TAG, 0, 1 },   { BTF_KIND_TYPE_TAG, 0, 0 },
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

/*
 * The id counts every type in front, also when an answer has made the search
 * look ahead; a structure of that name and a module's function are others.
 */
START_TEST(ids_of_functions)
{
	uint32_t z, id, other, second;
	const struct nst_btf_want want[] = {
		{ "t", "z", &z, false },
		{ "f", nst_btf_func_id, &id, false },
		{ "t", nst_btf_func_id, &other, true },
		{ "f", "second", &second, false },
	};
	struct maker base, split;
	int i;

	start(&base, NULL);
	simple(&base, "f");
	type(&base, "t", BTF_KIND_STRUCT, 1, 8);
	member(&base, NULL, 200, 0);
	type(&base, "ff", BTF_KIND_FUNC, 1, 0);
	for (i = 0; i < 96; i++)
		filler(&base);
	ck_assert_uint_eq(type(&base, "f", BTF_KIND_FUNC, 1, 0), 100);
	type(&base, "f", BTF_KIND_FUNC, 1, 0);
	for (i = 0; i < 98; i++)
		filler(&base);
	ck_assert_uint_eq(type(&base, NULL, BTF_KIND_STRUCT, 1, 8), 200);
	member(&base, "z", 0, 32);
	finish(&base);
	start(&split, &base);
	type(&split, "f", BTF_KIND_FUNC, 1, 0);
	type(&split, "mod", BTF_KIND_FUNC, 1, 0);
	finish(&split);
	ck_assert_int_eq(nst_btf_find_in(base.blob, base.len, NULL, 0, want, 4),
			 0);
	ck_assert_uint_eq(z, 4);
	ck_assert_uint_eq(second, 8);
	ck_assert_uint_eq(id, 100);
	ck_assert_uint_eq(other, NONE);
	FOUND(&base, &split, "f", nst_btf_func_id, 100);
	FOUND(&base, NULL, "f", "second", 8);
	LACKS(&base, NULL, "ff", "second");
	LACKS(&base, &split, "mod", nst_btf_func_id);
	free(base.blob);
	free(split.blob);
}
END_TEST

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
	struct pieces p = { .fill = { piece },
			    .from = m->blob,
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
	tcase_add_test(tc, ids_of_functions);
	tcase_add_test(tc, split_continues_its_base);
	tcase_add_test(tc, in_pieces);
	suite_add_tcase(s, tc);
	return s;
}
NST_REGISTER(suite);
