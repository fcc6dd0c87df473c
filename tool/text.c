/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text.h"

#include "utf8.h"

void text_init(struct text *text, struct sink *sink, bool oneline, bool columns)
{
	*text = (struct text){
		.sink = sink,
		.oneline = oneline,
		.columns = columns,
	};
}

static bool is_plain(uint32_t cp, bool keep_backslash)
{
	return !utf8_is_control(cp) && (cp != '\\' || keep_backslash);
}

unsigned int text_escape(struct sink *sink, const char *s, size_t len,
			 bool keep_backslash)
{
	const char *end = s + len, *plain = s;
	unsigned int width = 0;
	uint32_t cp = 0;
	size_t n, i;
	char *p;

	/* Names are short and plain. */
	if (len <= SINK_WORD_SIZE) {
		p = sink_at(sink);
		if (sink_plain(p, s, len) == p + len) {
			sink->pos = p + len;
			return len;
		}
	}
	for (; s < end; s += n) {
		n = utf8_decode(s, end - s, &cp);
		if (n && is_plain(cp, keep_backslash)) {
			width++;
			continue;
		}
		sink_put(sink, plain, s - plain);
		/* U+0080 to U+009F have two bytes, and the second one is what
		 * a terminal that knows no UTF-8 obeys. */
		if (!n)
			n = 1;
		for (i = 0; i < n; i++) {
			p = sink_at(sink);
			*p++ = '\\';
			*p++ = 'x';
			sink->pos = sink_x8(p, s[i]);
			width += 4;
		}
		plain = s + n;
	}
	sink_put(sink, plain, s - plain);
	return width;
}

void text_column(struct text *text, unsigned int width, const char *value,
		 size_t len)
{
	unsigned int n;

	if (text->begun)
		for (n = 0; n < text->pad + 1; n++)
			sink_char(text->sink, ' ');
	text->begun = true;
	n = text_escape(text->sink, value, len, false);
	text->pad = n < width ? width - n : 0;
}

void text_line(struct text *text)
{
	if (text->columns)
		return;
	sink_put(text->sink, text->oneline ? "\\\t" : "\n\t", 2);
	text->begun = false;
}

void text_record_end(struct text *text)
{
	sink_char(text->sink, '\n');
	text->begun = false;
	text->pad = 0;
}
