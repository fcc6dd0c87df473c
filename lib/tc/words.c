/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Words that several kinds share; what is asked for most stands first. */
#include <linux/if_ether.h>
#include <linux/pkt_cls.h>
#include <errno.h>
#include <netinet/in.h>
#include <strings.h>

#include "tc/uapi.h"
#include "tc/value.h"

/* A verdict is an int; of jump and goto the rest is where to, see gact. */
const struct nst_tc_word nst_tc_word_action[] = {
	{ TC_ACT_OK, "pass" },
	{ TC_ACT_SHOT, "drop" },
	{ TC_ACT_PIPE, "pipe" },
	{ (uint64_t)TC_ACT_UNSPEC, "continue" },
	{ (uint32_t)TC_ACT_UNSPEC, "continue" },
	{ TC_ACT_RECLASSIFY, "reclassify" },
	{ TC_ACT_STOLEN, "stolen" },
	{ TC_ACT_QUEUED, "queued" },
	{ TC_ACT_REPEAT, "repeat" },
	{ TC_ACT_REDIRECT, "redirect" },
	{ TC_ACT_TRAP, "trap" },
	NST_TC_WORDS_END,
};

/* All but IPv4, which is "ip" as a protocol and "ipv4" as a flower key. */
/* clang-format off */
#define ETHERTYPES							\
	{ ETH_P_IPV6, "ipv6" },						\
	{ ETH_P_ALL, "all" },						\
	{ ETH_P_ARP, "arp" },						\
	{ ETH_P_8021Q, "802.1Q" },					\
	{ ETH_P_8021AD, "802.1ad" },					\
	{ ETH_P_MPLS_UC, "mpls_uc" },					\
	{ ETH_P_MPLS_MC, "mpls_mc" },					\
	{ ETH_P_PPP_SES, "ppp_ses" },					\
	{ ETH_P_PPP_DISC, "ppp_disc" },					\
	{ ETH_P_RARP, "rarp" },						\
	{ ETH_P_TEB, "teb" },						\
	{ ETH_P_LLDP, "LLDP" },						\
	{ ETH_P_LOOP, "loop" },						\
	{ ETH_P_PUP, "pup" },						\
	{ ETH_P_PUPAT, "pupat" },					\
	{ ETH_P_X25, "x25" },						\
	{ ETH_P_BPQ, "bpq" },						\
	{ ETH_P_IEEEPUP, "ieeepup" },					\
	{ ETH_P_IEEEPUPAT, "ieeepupat" },				\
	{ ETH_P_DEC, "dec" },						\
	{ ETH_P_DNA_DL, "dna_dl" },					\
	{ ETH_P_DNA_RC, "dna_rc" },					\
	{ ETH_P_DNA_RT, "dna_rt" },					\
	{ ETH_P_LAT, "lat" },						\
	{ ETH_P_DIAG, "diag" },						\
	{ ETH_P_CUST, "cust" },						\
	{ ETH_P_SCA, "sca" },						\
	{ ETH_P_ATALK, "atalk" },					\
	{ ETH_P_AARP, "aarp" },						\
	{ ETH_P_IPX, "ipx" },						\
	{ ETH_P_ATMMPOA, "atmmpoa" },					\
	{ ETH_P_ATMFATE, "atmfate" },					\
	{ ETH_P_TIPC, "tipc" },						\
	{ ETH_P_PROFINET, "profinet" },					\
	{ ETH_P_AOE, "aoe" },						\
	{ ETH_P_ETHERCAT, "ethercat" },					\
	{ ETH_P_802_3, "802_3" },					\
	{ ETH_P_AX25, "ax25" },						\
	{ ETH_P_802_2, "802_2" },					\
	{ ETH_P_SNAP, "snap" },						\
	{ ETH_P_DDCMP, "ddcmp" },					\
	{ ETH_P_WAN_PPP, "wan_ppp" },					\
	{ ETH_P_PPP_MP, "ppp_mp" },					\
	{ ETH_P_LOCALTALK, "localtalk" },				\
	{ ETH_P_CAN, "can" },						\
	{ ETH_P_PPPTALK, "ppptalk" },					\
	{ ETH_P_TR_802_2, "tr_802_2" },					\
	{ ETH_P_MOBITEX, "mobitex" },					\
	{ ETH_P_CONTROL, "control" },					\
	{ ETH_P_IRDA, "irda" },						\
	{ ETH_P_ECONET, "econet" }
/* clang-format on */

const struct nst_tc_word nst_tc_word_ethertype[] = {
	{ ETH_P_IP, "ip" },
	ETHERTYPES,
	NST_TC_WORDS_END,
};

const struct nst_tc_word nst_tc_word_eth_type[] = {
	{ ETH_P_IP, "ipv4" },
	ETHERTYPES,
	NST_TC_WORDS_END,
};

NSTEER_API const char *nsteer_tc_protocol_word(uint16_t protocol)
{
	const struct nst_tc_word *w = nst_tc_word_ethertype;

	while (w->word && w->v != protocol)
		w++;
	return w->word;
}

NSTEER_API int nsteer_tc_protocol_find(const char *word, uint16_t *protocol)
{
	/* The second one has "ipv4", too. */
	static const struct nst_tc_word *const tables[] = {
		nst_tc_word_ethertype, nst_tc_word_eth_type
	};
	const struct nst_tc_word *w;
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		for (w = tables[i]; w->word; w++) {
			if (strcasecmp(w->word, word))
				continue;
			*protocol = (uint16_t)w->v;
			return 0;
		}
	}
	return -ENOENT;
}

const struct nst_tc_word nst_tc_word_ip_proto[] = {
	{ IPPROTO_TCP, "tcp" },
	{ IPPROTO_UDP, "udp" },
	{ IPPROTO_ICMP, "icmp" },
	{ IPPROTO_ICMPV6, "icmpv6" },
	{ IPPROTO_SCTP, "sctp" },
	{ IPPROTO_ESP, "esp" },
	{ IPPROTO_AH, "ah" },
	{ NST_IPPROTO_L2TP, "l2tp" },
	NST_TC_WORDS_END,
};
