/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words of the command line: which one was meant, and how to quote one. */
#ifndef TOOL_WORD_H
#define TOOL_WORD_H

#include <stdbool.h>

/* Looks for the word most like @word among those tried. */
struct word_near {
	const char *word;
	const char *best; /* NULL: none is like it */
	unsigned int distance;
};

void word_near_init(struct word_near *near, const char *word);
void word_near_try(struct word_near *near, const char *candidate);

/*
 * The word in quotes for a message: control bytes, backslashes and what is no
 * UTF-8 as \xNN, a long word cut.
 */
#define WORD_QUOTE 224
const char *word_quote(const char *word, char buf[WORD_QUOTE]);

#endif /* TOOL_WORD_H */
