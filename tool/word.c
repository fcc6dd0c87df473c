/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "word.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "utf8.h"

#define WORD_MAX 31 /* nothing longer is like any word of ours */
#define QUOTE_BYTES 50 /* of the word, each up to four in the message */

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int m = a < b ? a : b;

	return m < c ? m : c;
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Letters to insert, delete, change or swap with a neighbour. */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int d[WORD_MAX + 1][WORD_MAX + 1];
	size_t la = strlen(a), lb = strlen(b), i, j;

	for (i = 0; i <= la; i++)
		d[i][0] = i;
	for (j = 0; j <= lb; j++)
		d[0][j] = j;
	for (i = 1; i <= la; i++) {
		for (j = 1; j <= lb; j++) {
			d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1,
				       d[i - 1][j - 1] +
					       !same(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) &&
			    same(a[i - 2], b[j - 1]))
				d[i][j] = min3(d[i][j], d[i][j],
					       d[i - 2][j - 2] + 1);
		}
	}
	return d[la][lb];
}

void word_near_init(struct word_near *near, const char *word)
{
	near->word = word;
	near->best = NULL;
	near->distance = UINT_MAX;
}

void word_near_try(struct word_near *near, const char *candidate)
{
	size_t len = strlen(near->word);
	unsigned int d;

	if (len < 2 || len > WORD_MAX || strlen(candidate) > WORD_MAX)
		return;
	d = distance(near->word, candidate);
	/* The beginning of a word is a likely slip, however much is missing. */
	if (!strncasecmp(near->word, candidate, len))
		d = 1;
	else if (d > (len < 5 ? 1u : 2u) + (len > 8))
		return;
	if (d < near->distance) {
		near->distance = d;
		near->best = candidate;
	}
}

const char *word_quote(const char *word, char buf[WORD_QUOTE])
{
	size_t len = strlen(word), n, pos = 0;
	const char *end;
	uint32_t cp;
	bool cut;

	cut = len > QUOTE_BYTES;
	end = word + (cut ? QUOTE_BYTES : len);
	buf[pos++] = '"';
	while (word < end) {
		n = utf8_decode(word, strlen(word), &cp);
		if (!n || utf8_is_control(cp) || cp == '\\') {
			pos += snprintf(buf + pos, 5, "\\x%02x",
					(unsigned char)*word++);
			continue;
		}
		memcpy(buf + pos, word, n);
		pos += n;
		word += n;
	}
	snprintf(buf + pos, WORD_QUOTE - pos, "%s\"", cut ? "..." : "");
	return buf;
}
