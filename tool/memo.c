/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "memo.h"

/* Where to look, from the place on where it belongs. */
#define TRIES 8

void memo_init(struct memo *memo, const char *before, const char *after,
	       const char *(*text)(const char *s))
{
	*memo = (struct memo){ .before = before, .after = after, .text = text };
}

SELDOM const struct sink_word *memo_find_slow(struct memo *memo, const char *s,
					      uint32_t i)
{
	struct memo_entry *e;
	const char *text;
	uint32_t n;

	for (n = 0; n < TRIES; n++) {
		e = &memo->table[(i + n) % MEMO_SIZE];
		if (e->s == s)
			return &e->word;
		if (!e->s)
			break;
	}
	/* It is new; with nowhere to go it takes the place of another one. */
	text = memo->text ? memo->text(s) : s;
	e->s = s;
	sink_word_make(&e->word, memo->before, text ? text : "",
		       text ? strlen(text) : 0, text ? memo->after : "");
	return &e->word;
}
