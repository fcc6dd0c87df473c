/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a command found, told once: a table names the fields of a record, one
 * function walks it, and here that becomes JSON, lines or columns.
 */
#ifndef TOOL_OUT_H
#define TOOL_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "json.h"
#include "text.h"

struct out_field {
	const char *key;    /* in JSON */
	const char *text;   /* template of text_item(); NULL: JSON only */
	bool brief;	    /* also with --brief */
	unsigned int width; /* of its column there */
};

struct out_opts {
	bool json;
	bool pretty;
	bool brief;
	bool oneline;
};

struct out {
	FILE *f;
	struct out_opts opts;
	unsigned int skip; /* nests that --brief leaves out */
	struct json json;
	struct text text;
};

/* Nothing is written before out_begin(). */
void out_init(struct out *out, FILE *f, const struct out_opts *opts);

/* Whether all of it could be written is asked of the file, once, by main(). */
void out_begin(struct out *out);
void out_end(struct out *out);

void out_record(struct out *out);
void out_record_end(struct out *out);

/* In text an object is a word, and its members follow it. */
void out_object(struct out *out, const struct out_field *field);
void out_object_end(struct out *out);

/* In text each item of a list has a line. */
void out_list(struct out *out, const struct out_field *field);
void out_list_end(struct out *out);
void out_item(struct out *out);
void out_item_end(struct out *out);

/* Text only: the record goes on on a new line. */
void out_line(struct out *out);
/* Text only, between records: a line for a person. */
void out_note(struct out *out, const char *sentence);

/* An empty string is told in JSON only. */
void out_str(struct out *out, const struct out_field *field, const char *v);
void out_u64(struct out *out, const struct out_field *field, uint64_t v);
void out_s64(struct out *out, const struct out_field *field, int64_t v);
/* In text a flag that is not set is not told. */
void out_flag(struct out *out, const struct out_field *field, bool v);
/* Not known: no key, no word, "-" in its column. */
void out_unknown(struct out *out, const struct out_field *field);

#endif /* TOOL_OUT_H */
