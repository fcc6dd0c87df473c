/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "utf8.h"

size_t utf8_decode(const char *s, size_t len, uint32_t *cp)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)s;
	uint32_t v;
	size_t n, i;

	if (!len)
		return 0;
	if (p[0] < 0x80) {
		*cp = p[0];
		return 1;
	}
	if (p[0] >= 0xf0 && p[0] < 0xf8)
		n = 4;
	else if (p[0] >= 0xe0)
		n = 3;
	else
		n = 2;
	if (p[0] < 0xc0 || p[0] >= 0xf8 || n > len)
		return 0;
	v = p[0] & (0xff >> (n + 1));
	for (i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		v = v << 6 | (p[i] & 0x3f);
	}
	if (v < least[n] || v > 0x10ffff || (v >= 0xd800 && v < 0xe000))
		return 0;
	*cp = v;
	return n;
}

bool utf8_valid(const char *s, size_t len)
{
	uint32_t cp;
	size_t n;

	for (; len; s += n, len -= n) {
		n = utf8_decode(s, len, &cp);
		if (!n)
			return false;
	}
	return true;
}
