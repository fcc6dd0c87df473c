/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The keys of flower. A mask always comes along with its key, and a key that
 * does not count at all is not sent [fl_dump_key_val]. VLAN_ETH_TYPE may come
 * twice; the second is the one that was asked for [fl_dump_key].
 */
#include <linux/pkt_cls.h>
#include <linux/ppp_defs.h>

#include "tc/cls.h"
#include "tc/uapi.h"

static const struct nst_tc_word arp_op_words[] = {
	{ 1, "request" },
	{ 2, "reply" },
	NST_TC_WORDS_END,
};

static const struct nst_tc_word ip_flag_words[] = {
	{ 0, "frag" },
	{ 1, "firstfrag" },
	NST_TC_WORDS_END,
};

/* They go on where the others end [TCA_FLOWER_KEY_FLAGS_TUNNEL_CSUM]. */
static const struct nst_tc_word enc_flag_words[] = {
	{ 2, "tuncsum" },
	{ 3, "tundf" },
	{ 4, "tunoam" },
	{ 5, "tuncrit" },
	NST_TC_WORDS_END,
};

/* TCA_FLOWER_KEY_CT_FLAGS_* */
static const struct nst_tc_word ct_state_words[] = {
	{ 0, "new" },
	{ 1, "est" },
	{ 2, "rel" },
	{ 3, "trk" },
	{ 4, "inv" },
	{ 5, "rpl" },
	NST_TC_WORDS_END,
};

static const struct nst_tc_word ppp_words[] = {
	{ PPP_IP, "ip" },
	{ PPP_IPV6, "ipv6" },
	{ PPP_MPLS_UC, "mpls_uc" },
	{ PPP_MPLS_MC, "mpls_mc" },
	{ PPP_AT, "at" },
	{ PPP_IPX, "ipx" },
	{ PPP_VJC_COMP, "vjc_comp" },
	{ PPP_VJC_UNCOMP, "vjc_uncomp" },
	{ PPP_MP, "mp" },
	{ PPP_COMPFRAG, "compfrag" },
	{ PPP_COMP, "comp" },
	{ PPP_IPCP, "ipcp" },
	{ PPP_ATCP, "atcp" },
	{ PPP_IPXCP, "ipxcp" },
	{ PPP_IPV6CP, "ipv6cp" },
	{ PPP_CCPFRAG, "ccpfrag" },
	{ PPP_CCP, "ccp" },
	{ 0x8281, "mplscp" }, /* the headers of Linux 6.1 have CCP's number */
	{ PPP_LCP, "lcp" },
	{ PPP_PAP, "pap" },
	{ PPP_LQR, "lqr" },
	{ PPP_CHAP, "chap" },
	{ PPP_CBCP, "cbcp" },
	NST_TC_WORDS_END,
};

/* A class, or one of the 16 that stand for a device's hardware queues. */
static int put_classid(struct nst_tc_walk *walk,
		       const struct nst_tc_field *field,
		       const struct nlattr *attr)
{
	struct nsteer_tc_value v = { .name = field->name, .type = field->type };
	uint32_t id;

	if (!nst_nla_u32(attr, &id))
		return nst_tc_tell_unknown(walk, attr);
	if (TC_H_MIN(id) >= TC_H_MIN_PRIORITY &&
	    TC_H_MIN(id) < TC_H_MIN_PRIORITY + TC_QOPT_MAX_QUEUE)
		return nst_tc_tell_uint(walk, "hw_tc",
					TC_H_MIN(id) - TC_H_MIN_PRIORITY, NULL);
	nst_tc_payload(attr, sizeof(id), &v.data, &v.len);
	v.u64 = id;
	return nst_tc_tell(walk, &v);
}

static const struct nst_tc_field cfm_fields[] = {
	[NST_FLOWER_KEY_CFM_MD_LEVEL] = NST_TC_FIELD("mdl", UINT, 1),
	[NST_FLOWER_KEY_CFM_OPCODE] = NST_TC_FIELD("op", UINT, 1),
};

#define NEST(_name, _table, _put)                                              \
	NST_TC_FIELD(_name, OBJECT, 0, .members = (_table),                    \
		     .n_members = NST_TC_COUNT(_table), .put = (_put))

#define KEY(_attr, ...) [TCA_FLOWER_KEY_##_attr] = NST_TC_FIELD(__VA_ARGS__)

#define PAIR(_key, _mask, ...)                                                 \
	[_key] = NST_TC_FIELD(__VA_ARGS__, .mask = (_mask)), [_mask] = {       \
		.known = NST_TC_MASK, .mask = (_key)                           \
	}

#define MASKED(_attr, ...)                                                     \
	PAIR(TCA_FLOWER_KEY_##_attr, TCA_FLOWER_KEY_##_attr##_MASK, __VA_ARGS__)

#define PORTS(_attr, _name)                                                    \
	[TCA_FLOWER_KEY_##_attr##_MIN] =                                       \
		NST_TC_FIELD(_name, RANGE, 2, NST_TC_BE,                       \
			     .to = TCA_FLOWER_KEY_##_attr##_MAX),              \
	[TCA_FLOWER_KEY_##_attr##                                              \
		_MAX] = { .known = NST_TC_MASK,                                \
			  .mask = TCA_FLOWER_KEY_##_attr##_MIN }

static const struct nst_tc_field fields[] = {
	[TCA_FLOWER_CLASSID] = NST_TC_FIELD("classid", CLASSID, 4, .outer = 1,
					    .put = put_classid),
	[TCA_FLOWER_INDEV] = NST_TC_FIELD("indev", STRING, 0, .outer = 1),
	[TCA_FLOWER_ACT] = NST_TC_NOT_TOLD,
	[TCA_FLOWER_FLAGS] = NST_TC_NOT_TOLD,
	[TCA_FLOWER_IN_HW_COUNT] = NST_TC_NOT_TOLD,

	MASKED(ETH_DST, "dst_mac", MAC, 6),
	MASKED(ETH_SRC, "src_mac", MAC, 6),
	KEY(ETH_TYPE, "eth_type", HEX, 2, NST_TC_BE,
	    .words = nst_tc_word_eth_type),
	KEY(IP_PROTO, "ip_proto", UINT, 1, .words = nst_tc_word_ip_proto),
	MASKED(IPV4_SRC, "src_ip", IPV4, 4),
	MASKED(IPV4_DST, "dst_ip", IPV4, 4),
	MASKED(IPV6_SRC, "src_ip", IPV6, 16),
	MASKED(IPV6_DST, "dst_ip", IPV6, 16),
	MASKED(TCP_SRC, "src_port", UINT, 2, NST_TC_BE),
	MASKED(TCP_DST, "dst_port", UINT, 2, NST_TC_BE),
	MASKED(UDP_SRC, "src_port", UINT, 2, NST_TC_BE),
	MASKED(UDP_DST, "dst_port", UINT, 2, NST_TC_BE),
	MASKED(SCTP_SRC, "src_port", UINT, 2, NST_TC_BE),
	MASKED(SCTP_DST, "dst_port", UINT, 2, NST_TC_BE),
	PORTS(PORT_SRC, "src_port_range"),
	PORTS(PORT_DST, "dst_port_range"),
	MASKED(TCP_FLAGS, "tcp_flags", HEX, 2, NST_TC_BE),
	MASKED(FLAGS, "ip_flags", BITS, 4, NST_TC_BE, .words = ip_flag_words),
	MASKED(IP_TOS, "ip_tos", HEX, 1),
	MASKED(IP_TTL, "ip_ttl", UINT, 1),
	MASKED(ICMPV4_CODE, "icmp_code", UINT, 1),
	MASKED(ICMPV4_TYPE, "icmp_type", UINT, 1),
	MASKED(ICMPV6_CODE, "icmp_code", UINT, 1),
	MASKED(ICMPV6_TYPE, "icmp_type", UINT, 1),
	MASKED(ARP_SIP, "arp_sip", IPV4, 4),
	MASKED(ARP_TIP, "arp_tip", IPV4, 4),
	MASKED(ARP_OP, "arp_op", UINT, 1, .words = arp_op_words),
	MASKED(ARP_SHA, "arp_sha", MAC, 6),
	MASKED(ARP_THA, "arp_tha", MAC, 6),
	PAIR(NST_FLOWER_KEY_SPI, NST_FLOWER_KEY_SPI_MASK, "spi", HEX, 4,
	     NST_TC_BE),

	/* Of these the kernel stores and sends host order. */
	KEY(VLAN_ID, "vlan_id", UINT, 2),
	KEY(VLAN_PRIO, "vlan_prio", UINT, 1),
	KEY(VLAN_ETH_TYPE, "vlan_ethtype", HEX, 2, NST_TC_BE,
	    .words = nst_tc_word_ethertype),
	KEY(CVLAN_ID, "cvlan_id", UINT, 2),
	KEY(CVLAN_PRIO, "cvlan_prio", UINT, 1),
	KEY(CVLAN_ETH_TYPE, "cvlan_ethtype", HEX, 2, NST_TC_BE,
	    .words = nst_tc_word_ethertype),
	KEY(NUM_OF_VLANS, "num_of_vlans", UINT, 1),
	KEY(MPLS_TTL, "mpls_ttl", UINT, 1),
	KEY(MPLS_BOS, "mpls_bos", UINT, 1),
	KEY(MPLS_TC, "mpls_tc", UINT, 1),
	KEY(MPLS_LABEL, "mpls_label", UINT, 4),
	KEY(MPLS_OPTS, "mpls", ARRAY, 0, .put = nst_tc_put_mpls),
	KEY(PPPOE_SID, "pppoe_sid", UINT, 2, NST_TC_BE),
	KEY(PPP_PROTO, "ppp_proto", HEX, 2, NST_TC_BE, .words = ppp_words),
	KEY(L2TPV3_SID, "l2tpv3_sid", UINT, 4, NST_TC_BE),
	[NST_FLOWER_L2_MISS] = NST_TC_FIELD("l2_miss", UINT, 1),
	[NST_FLOWER_KEY_CFM] = NEST("cfm", cfm_fields, nst_tc_put_nest),
	MASKED(HASH, "hash", HEX, 4),

	KEY(ENC_KEY_ID, "enc_key_id", UINT, 4, NST_TC_BE),
	MASKED(ENC_IPV4_SRC, "enc_src_ip", IPV4, 4),
	MASKED(ENC_IPV4_DST, "enc_dst_ip", IPV4, 4),
	MASKED(ENC_IPV6_SRC, "enc_src_ip", IPV6, 16),
	MASKED(ENC_IPV6_DST, "enc_dst_ip", IPV6, 16),
	MASKED(ENC_UDP_SRC_PORT, "enc_src_port", UINT, 2, NST_TC_BE),
	MASKED(ENC_UDP_DST_PORT, "enc_dst_port", UINT, 2, NST_TC_BE),
	MASKED(ENC_IP_TOS, "enc_tos", HEX, 1),
	MASKED(ENC_IP_TTL, "enc_ttl", UINT, 1),
	KEY(ENC_OPTS, NULL, BYTES, 0, .members = nst_tc_enc_key,
	    .n_members = NST_TC_ENC_OPTS, .put = nst_tc_put_nest),
	KEY(ENC_OPTS_MASK, NULL, BYTES, 0, .members = nst_tc_enc_mask,
	    .n_members = NST_TC_ENC_OPTS, .put = nst_tc_put_nest),
	PAIR(NST_FLOWER_KEY_ENC_FLAGS, NST_FLOWER_KEY_ENC_FLAGS_MASK,
	     "enc_flags", BITS, 4, NST_TC_BE, .words = enc_flag_words),

	MASKED(CT_STATE, "ct_state", BITS, 2, .words = ct_state_words),
	MASKED(CT_ZONE, "ct_zone", UINT, 2),
	MASKED(CT_MARK, "ct_mark", HEX, 4),
	MASKED(CT_LABELS, "ct_label", BYTES, 16),
};

const struct nst_tc_kind nst_tc_cls_flower = {
	NST_TC_TABLE("flower", fields),
	.act = TCA_FLOWER_ACT,
	.flags = TCA_FLOWER_FLAGS,
	.hw_count = TCA_FLOWER_IN_HW_COUNT,
	.keys = "keys",
};
