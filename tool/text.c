/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text.h"

#include <string.h>

#include "utf8.h"

void text_init(struct text *text, FILE *f, bool oneline, bool columns)
{
	*text = (struct text){ .f = f, .oneline = oneline, .columns = columns };
}

unsigned int text_escape(FILE *f, const char *s, bool keep_backslash)
{
	size_t len = strlen(s), plain = 0, n;
	unsigned int width = 0;
	uint32_t cp = 0;

	for (; len; s += n, len -= n) {
		n = utf8_decode(s, len, &cp);
		if (n && !utf8_is_control(cp) &&
		    (cp != '\\' || keep_backslash)) {
			plain += n;
			width++;
			continue;
		}
		fwrite(s - plain, 1, plain, f);
		plain = 0;
		/* U+0080 to U+009F have two bytes, and the second one is what
		 * a terminal that knows no UTF-8 obeys. */
		if (!n)
			n = 1;
		for (size_t i = 0; i < n; i++)
			width += fprintf(f, "\\x%02x", (unsigned char)s[i]);
	}
	fwrite(s - plain, 1, plain, f);
	return width;
}

static void put_column(struct text *text, unsigned int width, const char *value)
{
	unsigned int n;

	if (text->begun)
		fprintf(text->f, "%*s", (int)text->pad + 1, "");
	text->begun = true;
	n = text_escape(text->f, value, false);
	text->pad = n < width ? width - n : 0;
}

void text_item(struct text *text, const char *template, unsigned int width,
	       const char *value)
{
	const char *mark = strchr(template, '%');

	if (text->columns) {
		if (value)
			put_column(text, width, value);
		return;
	}
	if (text->begun)
		putc(' ', text->f);
	text->begun = true;
	if (!mark || !value) {
		fputs(template, text->f);
		return;
	}
	fwrite(template, 1, mark - template, text->f);
	text_escape(text->f, value, false);
	fputs(mark + 1, text->f);
}

void text_line(struct text *text)
{
	if (text->columns)
		return;
	fputs(text->oneline ? "\\\t" : "\n\t", text->f);
	text->begun = false;
}

void text_record_end(struct text *text)
{
	putc('\n', text->f);
	text->begun = false;
	text->pad = 0;
}
