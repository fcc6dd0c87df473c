/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records as lines of words, or as columns, for a person at a terminal. */
#ifndef TOOL_TEXT_H
#define TOOL_TEXT_H

#include <stdbool.h>
#include <stdio.h>

struct text {
	FILE *f;
	bool oneline; /* a record is one line, its lines joined by "\" */
	bool columns;
	bool begun; /* something stands on the line */
	unsigned int pad; /* blanks owed to the column before */
};

void text_init(struct text *text, FILE *f, bool oneline, bool columns);

/*
 * One item of a line. The first '%' of the template is where the value goes;
 * NULL values are for templates without one. Columns show the bare value, at
 * least width wide.
 */
void text_item(struct text *text, const char *template, unsigned int width,
	       const char *value);

/* The record goes on on the next line, a tab before it. */
void text_line(struct text *text);
void text_record_end(struct text *text);

/*
 * Write s so that a terminal obeys none of it: control characters and what is
 * no UTF-8 as \xNN; backslashes too, so that what is printed means one name
 * only, unless keep_backslash: s is a sentence that has such escapes already.
 * Returns how many characters it takes.
 */
unsigned int text_escape(FILE *f, const char *s, bool keep_backslash);

#endif /* TOOL_TEXT_H */
