/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A JSON text, written as it comes. */
#ifndef TOOL_JSON_H
#define TOOL_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_DEPTH 32

struct json {
	FILE *f;
	bool pretty;
	bool used; /* the innermost array or object has a member */
	unsigned int depth;
	char close[JSON_DEPTH];
};

void json_init(struct json *json, FILE *f, bool pretty);

/* The key is NULL inside of an array and for the outermost value. */
void json_open_array(struct json *json, const char *key);
void json_open_object(struct json *json, const char *key);
void json_close(struct json *json);
/* Ends the text with a newline. */
void json_end(struct json *json);

void json_bool(struct json *json, const char *key, bool v);
void json_u64(struct json *json, const char *key, uint64_t v);
void json_s64(struct json *json, const char *key, int64_t v);

/*
 * Any bytes. JSON is UTF-8: each byte that is none becomes U+FFFD, and a
 * second member, KEY_hex, then has all of the bytes in hex. Control characters
 * are escaped, also those that JSON would let through (U+007F to U+009F).
 */
void json_str(struct json *json, const char *key, const char *s);

#endif /* TOOL_JSON_H */
