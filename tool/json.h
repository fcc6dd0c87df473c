/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A JSON text, written as it comes. */
#ifndef TOOL_JSON_H
#define TOOL_JSON_H

#include "sink.h"

#define JSON_DEPTH 32

struct json {
	struct sink *sink;
	bool pretty;
	bool used; /* the innermost array or object has a member */
	unsigned int depth;
	char close[JSON_DEPTH];
};

void json_init(struct json *json, struct sink *sink, bool pretty);

/* A key as it is written. Nothing in it may need an escape. */
#define JSON_WORD(name) SINK_WORD(",\"" name "\":")
#define JSON_KEY(name) (&(const struct sink_word)JSON_WORD(name))

/* What it is the key of, without a NUL. */
static inline const char *json_key_name(const struct sink_word *key,
					size_t *len)
{
	*len = key->len - 4; /* ,"name": */
	return key->text + 2;
}

/* Such a key, and something more behind its name. */
static inline void json_key_more(struct sink_word *key,
				 const struct sink_word *than, const char *more)
{
	char after[SINK_WORD_SIZE / 2];
	const char *name;
	size_t len;

	name = json_key_name(than, &len);
	strcpy(stpcpy(after, more), "\":");
	sink_word_make(key, ",\"", name, len, after);
}

/* The key is NULL inside of an array and for the outermost value. */
void json_open_array(struct json *json, const struct sink_word *key);
void json_open_object(struct json *json, const struct sink_word *key);
/* void json_close(struct json *json); below */
/* Ends the text with a newline. */
void json_end(struct json *json);

void json_bool(struct json *json, const struct sink_word *key, bool v);
void json_u64(struct json *json, const struct sink_word *key, uint64_t v);
void json_s64(struct json *json, const struct sink_word *key, int64_t v);
/* A string of hex digits. */
void json_hex(struct json *json, const struct sink_word *key,
	      const void *bytes, size_t len);

/*
 * Any bytes. JSON is UTF-8: each byte that is none becomes U+FFFD, and a
 * second member, KEY_hex, then has all of the bytes in hex. Control characters
 * are escaped, also those that JSON would let through (U+007F to U+009F).
 */
void json_str(struct json *json, const struct sink_word *key, const char *s);
void json_strn(struct json *json, const struct sink_word *key, const char *s,
	       size_t len);

/*
 * A value that is neither: what comes before it, then the caller writes it
 * where this points to, room for two addresses, and the end of it into the
 * sink's pos.
 */
char *json_begin_slow(struct json *json, const struct sink_word *key);
static inline char *json_begin(struct json *json, const struct sink_word *key)
{
	char *p;

	if (__builtin_expect(!key || json->pretty, 0))
		return json_begin_slow(json, key);
	p = sink_word(sink_room(json->sink, SINK_WORD_SIZE + SINK_ROOM), key,
		      !json->used);
	json->used = true;
	return p;
}

void json_close_slow(struct json *json);
static inline void json_close(struct json *json)
{
	if (json->pretty)
		json_close_slow(json);
	json->used = true;
	sink_char(json->sink, json->close[--json->depth]);
}

#endif /* TOOL_JSON_H */
