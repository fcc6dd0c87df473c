/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "btf_maker.h"

#include <stdlib.h>
#include <string.h>

#include "harness.h"

void start(struct maker *m, const struct maker *base)
{
	memset(m, 0, sizeof(*m));
	if (base) {
		m->base_strs = base->strs_len;
		m->last_id = base->last_id;
	} else {
		m->strs_len = 1;
	}
}

uint32_t str(struct maker *m, const char *s)
{
	uint32_t at = m->base_strs + m->strs_len;

	if (!s)
		return 0;
	strcpy(m->strs + m->strs_len, s);
	m->strs_len += strlen(s) + 1;
	return at;
}

void word(struct maker *m, uint32_t w)
{
	ck_assert_uint_lt(m->n_words, MAX_WORDS);
	m->words[m->n_words++] = w;
}

uint32_t type(struct maker *m, const char *name, uint32_t kind, uint32_t vlen,
	      uint32_t size)
{
	word(m, str(m, name));
	word(m, kind << 24 | vlen);
	word(m, size);
	return ++m->last_id;
}

void member(struct maker *m, const char *name, uint32_t id, uint32_t bit)
{
	word(m, str(m, name));
	word(m, id);
	word(m, bit);
}

void finish(struct maker *m)
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

uint32_t simple(struct maker *m, const char *name)
{
	uint32_t id = type(m, name, BTF_KIND_STRUCT, 2, 16);

	member(m, "first", 0, 0);
	member(m, "second", 0, 64);
	return id;
}

int find(const struct maker *base, const struct maker *split, const char *name,
	 const char *mem, uint32_t *value)
{
	struct nst_btf_want want = { name, mem, value, false };

	return nst_btf_find_in(base->blob, base->len,
			       split ? split->blob : NULL,
			       split ? split->len : 0, &want, 1);
}

void make_split(struct maker *base, struct maker *split)
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
