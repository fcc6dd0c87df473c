/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json.h"

#include <assert.h>

#include "utf8.h"

void json_init(struct json *json, struct sink *sink, bool pretty)
{
	*json = (struct json){ .sink = sink, .pretty = pretty };
}

static void put_indent(struct json *json)
{
	unsigned int i;

	if (!json->pretty || !json->depth)
		return;
	sink_char(json->sink, '\n');
	for (i = 0; i < json->depth; i++)
		sink_put(json->sink, "    ", 4);
}

static void put_comma(struct json *json)
{
	if (json->used)
		sink_char(json->sink, ',');
	put_indent(json);
	json->used = true;
}

SELDOM char *json_begin_slow(struct json *json, const struct sink_word *key)
{
	char *p;

	put_comma(json);
	p = sink_room(json->sink, SINK_WORD_SIZE + SINK_ROOM);
	if (!key)
		return p;
	p = sink_word(p, key, 1);
	if (json->pretty)
		*p++ = ' ';
	return p;
}

static void open_nest(struct json *json, const struct sink_word *key,
		      const char *pair)
{
	char *p = json_begin(json, key);

	assert(json->depth < JSON_DEPTH);
	*p = pair[0];
	json->sink->pos = p + 1;
	json->close[json->depth++] = pair[1];
	json->used = false;
}

void json_open_array(struct json *json, const struct sink_word *key)
{
	open_nest(json, key, "[]");
}

void json_open_object(struct json *json, const struct sink_word *key)
{
	open_nest(json, key, "{}");
}

/* Up to the bracket. */
void json_close_slow(struct json *json)
{
	if (!json->used)
		return;
	if (json->depth > 1) {
		json->depth--;
		put_indent(json);
		json->depth++;
	} else {
		sink_char(json->sink, '\n');
	}
}

void json_end(struct json *json)
{
	sink_char(json->sink, '\n');
}

void json_bool(struct json *json, const struct sink_word *key, bool v)
{
	static const struct sink_word words[] = { SINK_WORD("false"),
						  SINK_WORD("true") };
	char *p = json_begin(json, key);

	json->sink->pos = sink_word(p, &words[v], 0);
}

void json_u64(struct json *json, const struct sink_word *key, uint64_t v)
{
	char *p = json_begin(json, key);

	json->sink->pos = sink_u64(p, v);
}

void json_s64(struct json *json, const struct sink_word *key, int64_t v)
{
	char *p = json_begin(json, key);

	json->sink->pos = sink_s64(p, v);
}

static void put_hex(struct sink *sink, const void *bytes, size_t len)
{
	sink_char(sink, '"');
	sink_hex(sink, bytes, len);
	sink_char(sink, '"');
}

void json_hex(struct json *json, const struct sink_word *key,
	      const void *bytes, size_t len)
{
	json->sink->pos = json_begin(json, key);
	put_hex(json->sink, bytes, len);
}

/* ---- strings ---- */

static void put_escaped(struct sink *sink, uint32_t cp)
{
	char *p = sink_at(sink);

	*p++ = '\\';
	if (utf8_is_control(cp)) {
		*p++ = 'u';
		p = sink_x8(p, cp >> 8);
		p = sink_x8(p, cp & 0xff);
	} else {
		*p++ = cp;
	}
	sink->pos = p;
}

static bool is_plain(uint32_t cp)
{
	return !utf8_is_control(cp) && cp != '"' && cp != '\\';
}

/* False: some of it was no UTF-8. */
static bool put_bytes(struct sink *sink, const char *s, size_t len)
{
	const char *end = s + len, *plain = s;
	bool valid = true;
	uint32_t cp = 0;
	size_t n;

	for (; s < end; s += n) {
		n = utf8_decode(s, end - s, &cp);
		if (n && is_plain(cp))
			continue;
		/* One copy for all that needs no escape. */
		sink_put(sink, plain, s - plain);
		if (n) {
			put_escaped(sink, cp);
		} else {
			sink_put(sink, "\xef\xbf\xbd", 3);
			valid = false;
			n = 1;
		}
		plain = s + n;
	}
	sink_put(sink, plain, s - plain);
	sink_char(sink, '"');
	return valid;
}

static void put_hex_member(struct json *json, const struct sink_word *key,
			   const char *s, size_t len)
{
	struct sink_word hex;

	json_key_more(&hex, key, "_hex");
	json_hex(json, &hex, s, len);
}

void json_strn(struct json *json, const struct sink_word *key, const char *s,
	       size_t len)
{
	char *p = json_begin(json, key), *begin;

	*p++ = '"';
	begin = p;
	/* Names are short and plain. */
	if (len <= SINK_WORD_SIZE)
		p = sink_plain(p, s, len);
	if ((size_t)(p - begin) == len) {
		*p = '"';
		json->sink->pos = p + 1;
		return;
	}
	json->sink->pos = begin;
	if (!put_bytes(json->sink, s, len) && key)
		put_hex_member(json, key, s, len);
}

void json_str(struct json *json, const struct sink_word *key, const char *s)
{
	json_strn(json, key, s, strlen(s));
}
