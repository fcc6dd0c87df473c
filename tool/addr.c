/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "addr.h"

#include <stdbool.h>
#include <stdint.h>

#include "sink.h"

static char *put_ipv4(char *p, const unsigned char *addr)
{
	int i;

	for (i = 0; i < 4; i++) {
		if (i)
			*p++ = '.';
		p = sink_u8(p, addr[i]);
	}
	return p;
}

static unsigned int group(const unsigned char *addr, int i)
{
	return addr[2 * i] << 8 | addr[2 * i + 1];
}

/* The longest run of zeros, the first of those that are as long; none of 1. */
static int find_zeros(const unsigned char *addr, int *len)
{
	int at = -1, run = 0, i;

	*len = 1;
	for (i = 0; i < 8; i++) {
		run = group(addr, i) ? 0 : run + 1;
		if (run > *len) {
			*len = run;
			at = i - run + 1;
		}
	}
	return at;
}

/* As inet_ntop() writes it, IPv4 at its end too. */
static char *put_ipv6(char *p, const unsigned char *addr)
{
	int len, at = find_zeros(addr, &len), i;

	for (i = 0; i < 8; i++) {
		if (i == at) {
			*p++ = ':';
			i += len - 1;
			if (i == 7)
				*p++ = ':';
			continue;
		}
		if (i)
			*p++ = ':';
		if (i == 6 && !at &&
		    (len == 6 || (len == 5 && group(addr, 5) == 0xffff)))
			return put_ipv4(p, addr + 12);
		p = sink_x64(p, group(addr, i));
	}
	return p;
}

static char *put_mac(char *p, const unsigned char *addr)
{
	int i;

	for (i = 0; i < 6; i++) {
		if (i)
			*p++ = ':';
		p = sink_x8(p, addr[i]);
	}
	return p;
}

/* How many bits of a mask are set, from the first on; -1: it has gaps. */
static int prefix_len(const unsigned char *mask, int len)
{
	int bits = 0, i;

	for (i = 0; i < len && mask[i] == 0xff; i++)
		bits += 8;
	if (i < len) {
		int ones = __builtin_clz(~((unsigned int)mask[i] << 24));

		bits += ones;
		if ((mask[i] << ones) & 0xff)
			return -1;
		while (++i < len)
			if (mask[i])
				return -1;
	}
	return bits;
}

static char *put_mask(char *p, const unsigned char *mask, int len,
		      char *(*put)(char *p, const unsigned char *addr))
{
	int bits = prefix_len(mask, len);

	*p++ = '/';
	return bits < 0 ? put(p, mask) : sink_u64(p, bits);
}

char *addr_ipv4(char *p, const unsigned char *addr, const unsigned char *mask)
{
	p = put_ipv4(p, addr);
	return mask ? put_mask(p, mask, 4, put_ipv4) : p;
}

char *addr_ipv6(char *p, const unsigned char *addr, const unsigned char *mask)
{
	p = put_ipv6(p, addr);
	return mask ? put_mask(p, mask, 16, put_ipv6) : p;
}

char *addr_mac(char *p, const unsigned char *addr, const unsigned char *mask)
{
	p = put_mac(p, addr);
	return mask ? put_mask(p, mask, 6, put_mac) : p;
}
