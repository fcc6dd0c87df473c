/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names come from the kernel as bytes; here is what of them is text. */
#ifndef TOOL_UTF8_H
#define TOOL_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Decode one character of the len bytes at s. Returns how many bytes it has,
 * 0 when they are no UTF-8 (overlong forms and surrogates are none).
 */
size_t utf8_decode(const char *s, size_t len, uint32_t *cp);

bool utf8_valid(const char *s, size_t len);

/*
 * A control character of ASCII or of ISO 8859-1, or one that changes the
 * direction of writing: a terminal may obey it.
 */
static inline bool utf8_is_control(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == 0x61c ||
	       cp == 0x200e || cp == 0x200f || (cp >= 0x202a && cp <= 0x202e) ||
	       (cp >= 0x2066 && cp <= 0x2069);
}

#endif /* TOOL_UTF8_H */
