/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes on their way to a descriptor, in large writes. A list may have a
 * million records: what is known when this is compiled is copied in fixed
 * sizes, numbers are written without the help of the C library.
 */
#ifndef TOOL_SINK_H
#define TOOL_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What is not met in every record: kept out of the code of what is. */
#define SELDOM __attribute__((cold, noinline))

struct sink {
	char *pos;
	char *end;
	char *buf;
	int fd;
	int err; /* of the first write that failed; what follows is dropped */
};

/* What sink_at() has room for: two words and a number, or two addresses. */
#define SINK_ROOM 128

/* The buffer is the caller's and has room for SINK_SIZE_MIN at least. */
#define SINK_SIZE_MIN 2048
void sink_init(struct sink *sink, int fd, void *buf, size_t size);
/* Write what is there. 0, or the negative errno of the first failure. */
int sink_flush(struct sink *sink);

/* Any number of bytes. */
void sink_put(struct sink *sink, const void *bytes, size_t len);
void sink_str(struct sink *sink, const char *s);
void sink_hex(struct sink *sink, const void *bytes, size_t len);

/*
 * Where room bytes may be written, if the buffer is that large at all. The end
 * of what was goes into pos: kept in a local variable up to then, it stays in a
 * register.
 */
static inline char *sink_room(struct sink *sink, size_t room)
{
	if (__builtin_expect((size_t)(sink->end - sink->pos) < room, 0))
		sink_flush(sink);
	return sink->pos;
}

static inline char *sink_at(struct sink *sink)
{
	return sink_room(sink, SINK_ROOM);
}

static inline void sink_char(struct sink *sink, char c)
{
	char *p = sink_at(sink);

	*p = c;
	sink->pos = p + 1;
}

/* ---- at p, which the caller made room at; they return the end ---- */

/* Bytes that are known beforehand, as a whole in one copy of fixed size. */
#define SINK_WORD_SIZE 40

struct sink_word {
	char text[SINK_WORD_SIZE + 7];
	unsigned char len;
};

/* One that is longer does not compile. */
#define SINK_WORD(s)                                                           \
	{                                                                      \
		s, sizeof(s) - 1 + 0 * sizeof(char[SINK_WORD_SIZE + 2 -        \
						   (int)sizeof(s)])            \
	}

/* One that is made when this runs; s is cut when all of it is too long. */
void sink_word_make(struct sink_word *w, const char *before, const char *s,
		    size_t len, const char *after);

/* All of it but the first skip bytes, 0 or 1. */
static inline char *sink_word(char *p, const struct sink_word *w, size_t skip)
{
	memcpy(p, w->text + skip, SINK_WORD_SIZE);
	return p + w->len - skip;
}

#define SINK_U64_SIZE 20

extern const char sink_pairs[201]; /* 00 to 99 */
char *sink_u64_large(char *p, uint64_t v);

static inline char *sink_u64(char *p, uint64_t v)
{
	if (v >= 10)
		return sink_u64_large(p, v);
	*p = '0' + v;
	return p + 1;
}

/* Up to three digits. */
static inline char *sink_u8(char *p, uint8_t v)
{
	if (v >= 100) {
		*p++ = '0' + v / 100;
		memcpy(p, sink_pairs + v % 100 * 2, 2);
		return p + 2;
	}
	if (v >= 10) {
		memcpy(p, sink_pairs + v * 2, 2);
		return p + 2;
	}
	*p = '0' + v;
	return p + 1;
}

static inline char *sink_s64(char *p, int64_t v)
{
	if (v >= 0)
		return sink_u64(p, v);
	*p = '-';
	return sink_u64(p + 1, -(uint64_t)v);
}

/* Up to the first byte that may need an escape, in JSON or on a terminal. */
static inline char *sink_plain(char *p, const char *s, size_t len)
{
	for (; len--; s++) {
		/* Below that is also what is no ASCII. */
		if ((signed char)*s < ' ' || *s == 0x7f || *s == '"' ||
		    *s == '\\')
			break;
		*p++ = *s;
	}
	return p;
}

/* Without zeros before it. */
char *sink_x64(char *p, uint64_t v);
/* The same behind "0x". */
char *sink_0x64(char *p, uint64_t v);
/* Two digits. */
char *sink_x8(char *p, uint8_t v);

#endif /* TOOL_SINK_H */
