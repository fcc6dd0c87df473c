/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tc_word.h"

#include <linux/if_ether.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "args.h"
#include "sink.h"

/* As tc has them; of two words for one type the first is printed. */
static const struct {
	uint16_t protocol;
	const char *word;
} protocols[] = {
	{ ETH_P_ALL, "all" },
	{ ETH_P_IP, "ip" },
	{ ETH_P_IP, "ipv4" },
	{ ETH_P_IPV6, "ipv6" },
	{ ETH_P_ARP, "arp" },
	{ ETH_P_8021Q, "802.1Q" },
	{ ETH_P_8021AD, "802.1ad" },
	{ ETH_P_MPLS_UC, "mpls_uc" },
	{ ETH_P_MPLS_MC, "mpls_mc" },
	{ ETH_P_PPP_DISC, "ppp_disc" },
	{ ETH_P_PPP_SES, "ppp_ses" },
	{ ETH_P_RARP, "rarp" },
	{ ETH_P_LLDP, "LLDP" },
	{ ETH_P_TIPC, "tipc" },
	{ ETH_P_PROFINET, "profinet" },
	{ ETH_P_ETHERCAT, "ethercat" },
	{ ETH_P_AOE, "aoe" },
	{ ETH_P_LOOP, "loop" },
	{ ETH_P_802_3, "802_3" },
	{ ETH_P_802_2, "802_2" },
	{ ETH_P_SNAP, "snap" },
	{ ETH_P_CAN, "can" },
	{ ETH_P_X25, "x25" },
	{ ETH_P_IPX, "ipx" },
	{ ETH_P_ATALK, "atalk" },
	{ ETH_P_AARP, "aarp" },
};

#define COUNT (sizeof(protocols) / sizeof(protocols[0]))

char *tc_word_protocol(char *p, uint16_t protocol)
{
	size_t i;

	for (i = 0; i < COUNT; i++) {
		if (protocols[i].protocol == protocol)
			return stpcpy(p, protocols[i].word);
	}
	*p++ = '0';
	*p++ = 'x';
	return sink_x64(p, protocol);
}

bool tc_word_parse_protocol(const char *word, uint16_t *protocol)
{
	uint32_t v;
	size_t i;

	for (i = 0; i < COUNT; i++) {
		if (strcasecmp(word, protocols[i].word))
			continue;
		*protocol = protocols[i].protocol;
		return true;
	}
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
