/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "utf8.h"

void json_init(struct json *json, FILE *f, bool pretty)
{
	*json = (struct json){ .f = f, .pretty = pretty };
}

static void put_bytes(struct json *json, const char *s)
{
	size_t len = strlen(s), plain = 0, n;
	uint32_t cp = 0;

	putc('"', json->f);
	for (; len; s += n, len -= n) {
		n = utf8_decode(s, len, &cp);
		if (n && !utf8_is_control(cp) && cp != '"' && cp != '\\') {
			plain += n;
			continue;
		}
		/* One write for all that needs no escape. */
		fwrite(s - plain, 1, plain, json->f);
		plain = 0;
		if (!n) {
			fputs("\xef\xbf\xbd", json->f);
			n = 1;
		} else if (utf8_is_control(cp)) {
			fprintf(json->f, "\\u%04" PRIx32, cp);
		} else {
			fprintf(json->f, "\\%c", (int)cp);
		}
	}
	fwrite(s - plain, 1, plain, json->f);
	putc('"', json->f);
}

static void put_indent(struct json *json)
{
	unsigned int i;

	if (!json->pretty || !json->depth)
		return;
	putc('\n', json->f);
	for (i = 0; i < json->depth; i++)
		fputs("    ", json->f);
}

static void put_key(struct json *json, const char *key, const char *suffix)
{
	if (json->used)
		putc(',', json->f);
	put_indent(json);
	json->used = true;
	/* Keys are words of ours, nothing in them needs an escape. */
	if (key)
		fprintf(json->f, json->pretty ? "\"%s%s\": " : "\"%s%s\":", key,
			suffix);
}

static void open_nest(struct json *json, const char *key, const char *pair)
{
	assert(json->depth < JSON_DEPTH);
	put_key(json, key, "");
	putc(pair[0], json->f);
	json->close[json->depth++] = pair[1];
	json->used = false;
}

void json_open_array(struct json *json, const char *key)
{
	open_nest(json, key, "[]");
}

void json_open_object(struct json *json, const char *key)
{
	open_nest(json, key, "{}");
}

void json_close(struct json *json)
{
	bool used = json->used;

	assert(json->depth > 0);
	json->depth--;
	if (used && json->pretty && !json->depth)
		putc('\n', json->f);
	else if (used)
		put_indent(json);
	putc(json->close[json->depth], json->f);
	json->used = true;
}

void json_end(struct json *json)
{
	putc('\n', json->f);
}

void json_bool(struct json *json, const char *key, bool v)
{
	put_key(json, key, "");
	fputs(v ? "true" : "false", json->f);
}

void json_u64(struct json *json, const char *key, uint64_t v)
{
	put_key(json, key, "");
	fprintf(json->f, "%" PRIu64, v);
}

void json_s64(struct json *json, const char *key, int64_t v)
{
	put_key(json, key, "");
	fprintf(json->f, "%" PRId64, v);
}

void json_str(struct json *json, const char *key, const char *s)
{
	put_key(json, key, "");
	put_bytes(json, s);
	if (!key || utf8_valid(s, strlen(s)))
		return;
	put_key(json, key, "_hex");
	putc('"', json->f);
	for (; *s; s++)
		fprintf(json->f, "%02x", (unsigned char)*s);
	putc('"', json->f);
}
