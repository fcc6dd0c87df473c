/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Constant strings as they are written, made once. Which one it is its address
 * tells, so what is at it must never change.
 */
#ifndef TOOL_MEMO_H
#define TOOL_MEMO_H

#include "sink.h"

#define MEMO_SIZE 512 /* see memo_find() */

struct memo_entry {
	const char *s; /* NULL: a free one */
	struct sink_word word;
};

struct memo {
	const char *before;
	const char *after;
	/* What is written for a string; NULL: before alone. */
	const char *(*text)(const char *s);
	struct memo_entry table[MEMO_SIZE];
};

void memo_init(struct memo *memo, const char *before, const char *after,
	       const char *(*text)(const char *s));
const struct sink_word *memo_find_slow(struct memo *memo, const char *s,
				       uint32_t i);

static inline const struct sink_word *memo_find(struct memo *memo,
						const char *s)
{
	uint32_t i = (uint32_t)(uintptr_t)s * UINT32_C(2654435769) >> 23;

	return __builtin_expect(memo->table[i].s == s, 1) ?
		       &memo->table[i].word :
		       memo_find_slow(memo, s, i);
}

#endif /* TOOL_MEMO_H */
