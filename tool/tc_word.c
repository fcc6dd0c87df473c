/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tc_word.h"

#include <nsteer/tc.h>
#include <string.h>

#include "args.h"
#include "sink.h"

char *tc_word_protocol(char *p, uint16_t protocol)
{
	const char *word = nsteer_tc_protocol_word(protocol);

	return word ? stpcpy(p, word) : sink_0x64(p, protocol);
}

bool tc_word_parse_protocol(const char *word, uint16_t *protocol)
{
	uint32_t v;

	if (!nsteer_tc_protocol_find(word, protocol))
		return true;
	if (!args_u32(word, &v) || !v || v > UINT16_MAX)
		return false;
	*protocol = v;
	return true;
}

char *tc_word_handle(char *p, uint32_t handle)
{
	if (handle == UINT32_MAX)
		return stpcpy(p, "root");
	p = sink_x64(p, handle >> 16);
	*p++ = ':';
	return handle & 0xffff ? sink_x64(p, handle & 0xffff) : p;
}

/* Up to four hex digits; where they end. */
static const char *parse_half(const char *p, uint32_t *v)
{
	static const char hex[] = "0123456789abcdef0123456789ABCDEF";
	const char *digit;
	int n;

	*v = 0;
	for (n = 0; n < 4 && *p && (digit = strchr(hex, *p)); n++, p++)
		*v = *v << 4 | ((digit - hex) & 0xf);
	return p;
}

bool tc_word_parse_handle(const char *word, uint32_t *handle)
{
	uint32_t major, minor;
	const char *p;

	p = parse_half(word, &major);
	if (*p++ != ':' || !major)
		return false;
	p = parse_half(p, &minor);
	if (*p)
		return false;
	*handle = major << 16 | minor;
	return true;
}
