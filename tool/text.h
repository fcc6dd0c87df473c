/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records as lines of words, or as columns, for a person at a terminal. */
#ifndef TOOL_TEXT_H
#define TOOL_TEXT_H

#include "sink.h"

struct text {
	struct sink *sink;
	bool oneline; /* a record is one line, its lines joined by "\" */
	bool columns;
	bool begun; /* something stands on the line */
	unsigned int pad; /* blanks owed to the column before */
};

void text_init(struct text *text, struct sink *sink, bool oneline,
	       bool columns);

/* What stands before a value, after a blank. */
#define TEXT_WORD(lead) SINK_WORD(" " lead)

/*
 * The next item of a line up to its value, which the caller writes where this
 * points to, room for two numbers at least, and the end of it into the sink's
 * pos.
 */
static inline char *text_begin(struct text *text, const struct sink_word *lead)
{
	char *p = sink_word(sink_room(text->sink, SINK_WORD_SIZE + SINK_ROOM),
			    lead, !text->begun);

	text->begun = true;
	return p;
}

/* The same, the value being part of a column at least width wide. */
void text_column(struct text *text, unsigned int width, const char *value,
		 size_t len);

/* The record goes on on the next line, a tab before it. */
void text_line(struct text *text);
void text_record_end(struct text *text);

/*
 * Write s so that a terminal obeys none of it: control characters and what is
 * no UTF-8 as \xNN; backslashes too, so that what is printed means one name
 * only, unless keep_backslash: s is a sentence that has such escapes already.
 * Returns how many characters it takes.
 */
unsigned int text_escape(struct sink *sink, const char *s, size_t len,
			 bool keep_backslash);

#endif /* TOOL_TEXT_H */
