/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a command found, told once: a table names the fields of a record, one
 * function walks it, and here that becomes JSON, lines or columns.
 */
#ifndef TOOL_OUT_H
#define TOOL_OUT_H

#include "json.h"
#include "sink.h"
#include "text.h"

struct out_field {
	struct sink_word key;  /* in JSON */
	struct sink_word lead; /* in text, before the value; empty: JSON only */
	const char *tail;      /* behind it */
	bool brief;	       /* also with --brief */
	unsigned int width;    /* of its column there */
};

/* The value in text stands between lead, a string with its blank, and tail. */
#define OUT_FIELD(name, lead_, tail_, brief_, width_)                          \
	{                                                                      \
		.key = JSON_WORD(name), .lead = TEXT_WORD(lead_),              \
		.tail = (tail_), .brief = (brief_), .width = (width_)          \
	}
#define OUT_JSON(name) { .key = JSON_WORD(name) }

struct out_opts {
	bool json;
	bool pretty;
	bool brief;
	bool oneline;
};

struct out {
	struct sink *sink;
	struct out_opts opts;
	unsigned int skip; /* nests that --brief leaves out */
	struct json json;
	struct text text;
};

/* Nothing is written before out_begin(). */
void out_init(struct out *out, struct sink *sink, const struct out_opts *opts);
/* Before it: text as columns, whatever the options were. */
void out_columns(struct out *out);

/* Whether all of it could be written is asked of the sink, once, by main(). */
void out_begin(struct out *out);
void out_end(struct out *out);

void out_record(struct out *out);
void out_record_end(struct out *out);

/* In text an object is a word, and its members follow it. */
void out_object(struct out *out, const struct out_field *field);
/* void out_object_end(struct out *out); below */

/* In text each item of a list has a line. */
void out_list(struct out *out, const struct out_field *field);
/* void out_list_end(struct out *out); */
void out_item(struct out *out);
/* void out_item_end(struct out *out); */

/* Text only: the record goes on on a new line. */
void out_line(struct out *out);
/* Text only, between records: a line for a person. */
void out_note(struct out *out, const char *sentence);

/* An empty string is told in JSON only. */
void out_str(struct out *out, const struct out_field *field, const char *v);
void out_u64(struct out *out, const struct out_field *field, uint64_t v);
void out_s64(struct out *out, const struct out_field *field, int64_t v);
/* A number in JSON, hex in text. */
void out_x64(struct out *out, const struct out_field *field, uint64_t v);
/* Bytes as a string of hex digits. */
void out_hex(struct out *out, const struct out_field *field, const void *bytes,
	     size_t len);
/* In text a flag that is not set is not told. */
void out_flag(struct out *out, const struct out_field *field, bool v);
/* Not known: no key, no word, "-" in its column. */
void out_unknown(struct out *out, const struct out_field *field);

/* Columns only: the names of the fields, as JSON has them, on a line. */
void out_heading(struct out *out, const struct out_field *field);
void out_heading_end(struct out *out);

/* The name of a field, without a NUL. */
static inline const char *out_field_name(const struct out_field *field,
					 size_t *len)
{
	return json_key_name(&field->key, len);
}

/* An object of numbers, whose fields follow one another in their table. */
void out_u64s(struct out *out, const struct out_field *object,
	      const struct out_field *fields, const uint64_t *v, size_t n);

/*
 * A value of a name that is in no table, made as JSON_WORD() and TEXT_WORD()
 * make theirs; NULL: none. The caller writes it where this points to, see
 * json_begin(), in quotes if it is a string in JSON.
 */
static inline char *out_value(struct out *out, const struct sink_word *name)
{
	static const struct sink_word blank = SINK_WORD(" ");

	if (out->opts.json)
		return json_begin(&out->json, name);
	return text_begin(&out->text, name ? name : &blank);
}

/*
 * What is the same in many records is made once and then copied. Up to
 * OUT_COPY_SIZE bytes may be written between begin and end. out_copy() is false
 * where it would not be the same, and has to be made (again).
 */
#define OUT_COPY_SIZE 768

struct out_state {
	unsigned int depth;
	bool used;
	bool begun;
};

struct out_copy {
	size_t from;
	size_t len; /* 0: there is none yet */
	struct out_state before;
	struct out_state after;
	char close[JSON_DEPTH];
	char buf[OUT_COPY_SIZE];
};

void out_copy_begin(struct out *out, struct out_copy *copy);
void out_copy_end(struct out *out, struct out_copy *copy);
bool out_copy(struct out *out, const struct out_copy *copy);

/* Each nest that is hidden counts, so that its end is hidden too. */
static inline void out_object_end(struct out *out)
{
	if (out->skip)
		out->skip--;
	else if (out->opts.json)
		json_close(&out->json);
}

static inline void out_list_end(struct out *out)
{
	out_object_end(out);
}

static inline void out_item_end(struct out *out)
{
	if (!out->skip && out->opts.json)
		json_close(&out->json);
}

#endif /* TOOL_OUT_H */
