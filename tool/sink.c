/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sink.h"

#include <errno.h>
#include <unistd.h>

void sink_init(struct sink *sink, int fd, void *buf, size_t size)
{
	*sink = (struct sink){
		.pos = buf,
		.end = (char *)buf + size,
		.buf = buf,
		.fd = fd,
	};
}

static void write_all(struct sink *sink, const char *p, size_t len)
{
	ssize_t n;

	while (len && !sink->err) {
		n = write(sink->fd, p, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			sink->err = n ? -errno : -EIO;
			return;
		}
		p += n;
		len -= n;
	}
}

int sink_flush(struct sink *sink)
{
	write_all(sink, sink->buf, sink->pos - sink->buf);
	sink->pos = sink->buf;
	return sink->err;
}

void sink_put(struct sink *sink, const void *bytes, size_t len)
{
	if ((size_t)(sink->end - sink->pos) < len)
		sink_flush(sink);
	if ((size_t)(sink->end - sink->pos) < len) {
		write_all(sink, bytes, len);
		return;
	}
	/* Of nothing there need be no address. */
	if (!len)
		return;
	memcpy(sink->pos, bytes, len);
	sink->pos += len;
}

void sink_str(struct sink *sink, const char *s)
{
	sink_put(sink, s, strlen(s));
}

void sink_hex(struct sink *sink, const void *bytes, size_t len)
{
	const unsigned char *b = bytes;
	size_t part, i;
	char *p;

	for (; len; len -= part, b += part) {
		part = len < SINK_ROOM / 2 ? len : SINK_ROOM / 2;
		p = sink_at(sink);
		for (i = 0; i < part; i++)
			p = sink_x8(p, b[i]);
		sink->pos = p;
	}
}

void sink_word_make(struct sink_word *w, const char *before, const char *s,
		    size_t len, const char *after)
{
	size_t room = SINK_WORD_SIZE - strlen(before) - strlen(after);
	char *p = stpcpy(w->text, before);

	p = mempcpy(p, s, len < room ? len : room);
	p = mempcpy(p, after, strlen(after));
	w->len = p - w->text;
}

const char sink_pairs[] =
	"00010203040506070809101112131415161718192021222324252627282930313233"
	"34353637383940414243444546474849505152535455565758596061626364656667"
	"6869707172737475767778798081828384858687888990919293949596979899";

static const uint64_t powers[] = {
	0,
	10,
	100,
	1000,
	10000,
	100000,
	1000000,
	10000000,
	100000000,
	1000000000,
	10000000000,
	100000000000,
	1000000000000,
	10000000000000,
	100000000000000,
	1000000000000000,
	10000000000000000,
	100000000000000000,
	1000000000000000000,
	10000000000000000000u,
};

/* log10(2) is a little more than 1233 / 4096. */
static size_t count_digits(uint64_t v)
{
	size_t n = (64 - __builtin_clzll(v | 1)) * 1233 >> 12;

	return n + (v >= powers[n]);
}

char *sink_u64_large(char *p, uint64_t v)
{
	char *end = p + count_digits(v), *at = end;

	while (v >= 100) {
		at -= 2;
		memcpy(at, sink_pairs + v % 100 * 2, 2);
		v /= 100;
	}
	if (v >= 10)
		memcpy(p, sink_pairs + v * 2, 2);
	else
		*p = '0' + v;
	return end;
}

static const char digits[] = "0123456789abcdef";

char *sink_x64(char *p, uint64_t v)
{
	int shift = v ? (63 - __builtin_clzll(v)) & ~3 : 0;

	for (; shift >= 0; shift -= 4)
		*p++ = digits[v >> shift & 0xf];
	return p;
}

char *sink_0x64(char *p, uint64_t v)
{
	*p++ = '0';
	*p++ = 'x';
	return sink_x64(p, v);
}

char *sink_x8(char *p, uint8_t v)
{
	p[0] = digits[v >> 4];
	p[1] = digits[v & 0xf];
	return p + 2;
}
