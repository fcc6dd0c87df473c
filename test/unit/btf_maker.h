/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BTF blobs made by hand. Each is in memory of just its size, so that the
 * address sanitizer sees a step beyond it.
 */
#ifndef NST_TEST_BTF_MAKER_H
#define NST_TEST_BTF_MAKER_H

#include <linux/btf.h>

#include "core/btf.h"

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

/* base: NULL, or what the new one continues. */
void start(struct maker *m, const struct maker *base);
uint32_t str(struct maker *m, const char *s);
void word(struct maker *m, uint32_t w);
/* Returns its id; vlen members, or what the kind has, follow. */
uint32_t type(struct maker *m, const char *name, uint32_t kind, uint32_t vlen,
	      uint32_t size);
void member(struct maker *m, const char *name, uint32_t id, uint32_t bit);
/* 16 bytes: "first" at 0, "second" at 8. */
uint32_t simple(struct maker *m, const char *name);
void finish(struct maker *m);

/* A module's types count on from vmlinux's, and so do its strings. */
void make_split(struct maker *base, struct maker *split);

int find(const struct maker *base, const struct maker *split, const char *name,
	 const char *mem, uint32_t *value);

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

#endif /* NST_TEST_BTF_MAKER_H */
