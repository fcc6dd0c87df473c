/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flower: from attributes as the kernel writes them to values. */
#include <linux/pkt_cls.h>
#include <stdio.h>

#include "harness.h"
#include "tc/uapi.h"
#include "tc_lines.h"

#define F(_attr) TCA_FLOWER_KEY_##_attr

struct tc_case {
	struct tc_attr attrs[16];
	const char *lines; /* what is in the object of keys */
};

/* ---- one key after the other ---- */

static const struct tc_case keys[] = {
	{ { { F(ETH_DST), "mac:02:00:00:00:00:01" },
	    { F(ETH_DST_MASK), "mac:ff:ff:ff:ff:ff:ff" },
	    { F(ETH_SRC), "mac:02:00:00:00:00:02" },
	    { F(ETH_SRC_MASK), "mac:ff:ff:ff:00:00:00" } },
	  "dst_mac mac 02:00:00:00:00:01\n"
	  "src_mac mac 02:00:00:00:00:02/ff:ff:ff:00:00:00\n" },
	{ { { F(ETH_TYPE), "be16:0x0800" } }, "eth_type hex 0x800 ipv4\n" },
	{ { { F(ETH_TYPE), "be16:0x86dd" } }, "eth_type hex 0x86dd ipv6\n" },
	{ { { F(ETH_TYPE), "be16:0x8847" } }, "eth_type hex 0x8847 mpls_uc\n" },
	{ { { F(ETH_TYPE), "be16:0x1234" } }, "eth_type hex 0x1234\n" },
	{ { { F(IP_PROTO), "u8:6" } }, "ip_proto uint 6 tcp\n" },
	{ { { F(IP_PROTO), "u8:47" } }, "ip_proto uint 47\n" },
	{ { { F(IPV4_SRC), "ip:10.0.0.0" },
	    { F(IPV4_SRC_MASK), "ip:255.0.0.0" },
	    { F(IPV4_DST), "ip:10.0.0.1" },
	    { F(IPV4_DST_MASK), "ip:255.255.255.255" } },
	  "src_ip ipv4 10.0.0.0/255.0.0.0\ndst_ip ipv4 10.0.0.1\n" },
	{ { { F(IPV6_SRC), "ip6:2001:db8::1" },
	    { F(IPV6_SRC_MASK), "ip6:ffff:ffff::" },
	    { F(IPV6_DST), "ip6:::2" },
	    { F(IPV6_DST_MASK),
	      "ip6:ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" } },
	  "src_ip ipv6 2001:db8::1/ffff:ffff::\ndst_ip ipv6 ::2\n" },
	{ { { F(TCP_SRC), "be16:1024" },
	    { F(TCP_SRC_MASK), "be16:0xfc00" },
	    { F(TCP_DST), "be16:443" },
	    { F(TCP_DST_MASK), "be16:0xffff" },
	    { F(TCP_FLAGS), "be16:0x2" },
	    { F(TCP_FLAGS_MASK), "be16:0x12" } },
	  "src_port uint 1024/0xfc00\ndst_port uint 443\n"
	  "tcp_flags hex 0x2/0x12\n" },
	{ { { F(UDP_SRC), "be16:1" },
	    { F(UDP_SRC_MASK), "be16:0xffff" },
	    { F(UDP_DST), "be16:4789" },
	    { F(UDP_DST_MASK), "be16:0xfff0" } },
	  "src_port uint 1\ndst_port uint 4789/0xfff0\n" },
	{ { { F(SCTP_SRC), "be16:2" },
	    { F(SCTP_SRC_MASK), "be16:0xffff" },
	    { F(SCTP_DST), "be16:3" },
	    { F(SCTP_DST_MASK), "be16:0xffff" } },
	  "src_port uint 2\ndst_port uint 3\n" },
	{ { { F(PORT_DST_MIN), "be16:80" },
	    { F(PORT_DST_MAX), "be16:90" },
	    { F(PORT_SRC_MIN), "be16:1000" },
	    { F(PORT_SRC_MAX), "be16:65535" } },
	  "dst_port_range range 80-90\nsrc_port_range range 1000-65535\n" },
	{ { { F(IP_TOS), "u8:0x10" },
	    { F(IP_TOS_MASK), "u8:0xfc" },
	    { F(IP_TTL), "u8:64" },
	    { F(IP_TTL_MASK), "u8:255" } },
	  "ip_tos hex 0x10/0xfc\nip_ttl uint 64\n" },
	{ { { F(FLAGS), "be32:1" }, { F(FLAGS_MASK), "be32:3" } },
	  "ip_flags bits 0x1/0x3 +frag -firstfrag\n" },
	{ { { F(ICMPV4_TYPE), "u8:8" },
	    { F(ICMPV4_TYPE_MASK), "u8:255" },
	    { F(ICMPV4_CODE), "u8:0" },
	    { F(ICMPV4_CODE_MASK), "u8:15" } },
	  "icmp_type uint 8\nicmp_code uint 0/0xf\n" },
	{ { { F(ICMPV6_TYPE), "u8:135" },
	    { F(ICMPV6_TYPE_MASK), "u8:255" },
	    { F(ICMPV6_CODE), "u8:1" },
	    { F(ICMPV6_CODE_MASK), "u8:255" } },
	  "icmp_type uint 135\nicmp_code uint 1\n" },
	{ { { F(ARP_SIP), "ip:10.0.0.1" },
	    { F(ARP_SIP_MASK), "ip:255.255.255.255" },
	    { F(ARP_TIP), "ip:10.0.0.0" },
	    { F(ARP_TIP_MASK), "ip:255.255.255.0" },
	    { F(ARP_OP), "u8:2" },
	    { F(ARP_OP_MASK), "u8:255" },
	    { F(ARP_SHA), "mac:02:00:00:00:00:01" },
	    { F(ARP_SHA_MASK), "mac:ff:ff:ff:ff:ff:ff" },
	    { F(ARP_THA), "mac:02:00:00:00:00:02" },
	    { F(ARP_THA_MASK), "mac:ff:00:00:00:00:00" } },
	  "arp_sip ipv4 10.0.0.1\narp_tip ipv4 10.0.0.0/255.255.255.0\n"
	  "arp_op uint 2 reply\narp_sha mac 02:00:00:00:00:01\n"
	  "arp_tha mac 02:00:00:00:00:02/ff:00:00:00:00:00\n" },
	/* A word is one for a whole number only. */
	{ { { F(ARP_OP), "u8:1" }, { F(ARP_OP_MASK), "u8:1" } },
	  "arp_op uint 1/0x1\n" },
	{ { { F(ARP_OP), "u8:1" }, { F(ARP_OP_MASK), "u8:255" } },
	  "arp_op uint 1 request\n" },
	{ { { NST_FLOWER_KEY_SPI, "be32:0x1234" },
	    { NST_FLOWER_KEY_SPI_MASK, "be32:0xffff" } },
	  "spi hex 0x1234/0xffff\n" },
	{ { { F(VLAN_ID), "u16:100" },
	    { F(VLAN_PRIO), "u8:3" },
	    { F(VLAN_ETH_TYPE), "be16:0x8100" },
	    { F(CVLAN_ID), "u16:200" },
	    { F(CVLAN_PRIO), "u8:4" },
	    { F(CVLAN_ETH_TYPE), "be16:0x0800" },
	    { F(NUM_OF_VLANS), "u8:2" } },
	  "vlan_id uint 100\nvlan_prio uint 3\n"
	  "vlan_ethtype hex 0x8100 802.1Q\ncvlan_id uint 200\n"
	  "cvlan_prio uint 4\ncvlan_ethtype hex 0x800 ip\n"
	  "num_of_vlans uint 2\n" },
	{ { { F(MPLS_TTL), "u8:64" },
	    { F(MPLS_BOS), "u8:1" },
	    { F(MPLS_TC), "u8:5" },
	    { F(MPLS_LABEL), "u32:1048575" } },
	  "mpls_ttl uint 64\nmpls_bos uint 1\nmpls_tc uint 5\n"
	  "mpls_label uint 1048575\n" },
	{ { { F(PPPOE_SID), "be16:1234" }, { F(PPP_PROTO), "be16:0x21" } },
	  "pppoe_sid uint 1234\nppp_proto hex 0x21 ip\n" },
	{ { { F(L2TPV3_SID), "be32:4000000000" } },
	  "l2tpv3_sid uint 4000000000\n" },
	{ { { NST_FLOWER_L2_MISS, "u8:1" } }, "l2_miss uint 1\n" },
	{ { { NST_FLOWER_KEY_CFM, "{" },
	    { NST_FLOWER_KEY_CFM_MD_LEVEL, "u8:5" },
	    { NST_FLOWER_KEY_CFM_OPCODE, "u8:10" },
	    { 0, "}" } },
	  "cfm {\nmdl uint 5\nop uint 10\n}\n" },
	{ { { F(HASH), "u32:0x12345678" }, { F(HASH_MASK), "u32:0xff" } },
	  "hash hex 0x12345678/0xff\n" },
	{ { { F(ENC_KEY_ID), "be32:100" },
	    { F(ENC_UDP_SRC_PORT), "be16:1000" },
	    { F(ENC_UDP_SRC_PORT_MASK), "be16:0xffff" },
	    { F(ENC_UDP_DST_PORT), "be16:4789" },
	    { F(ENC_UDP_DST_PORT_MASK), "be16:0xffff" },
	    { F(ENC_IP_TOS), "u8:4" },
	    { F(ENC_IP_TOS_MASK), "u8:255" },
	    { F(ENC_IP_TTL), "u8:63" },
	    { F(ENC_IP_TTL_MASK), "u8:127" } },
	  "enc_key_id uint 100\nenc_src_port uint 1000\n"
	  "enc_dst_port uint 4789\nenc_tos hex 0x4\nenc_ttl uint 63/0x7f\n" },
	{ { { F(ENC_IPV4_SRC), "ip:192.0.2.1" },
	    { F(ENC_IPV4_SRC_MASK), "ip:255.255.255.255" },
	    { F(ENC_IPV4_DST), "ip:192.0.2.0" },
	    { F(ENC_IPV4_DST_MASK), "ip:255.255.255.0" } },
	  "enc_src_ip ipv4 192.0.2.1\n"
	  "enc_dst_ip ipv4 192.0.2.0/255.255.255.0\n" },
	{ { { F(ENC_IPV6_SRC), "ip6:::1" },
	    { F(ENC_IPV6_SRC_MASK), "ip6:::ff" },
	    { F(ENC_IPV6_DST), "ip6:::2" },
	    { F(ENC_IPV6_DST_MASK), "ip6:::f0" } },
	  "enc_src_ip ipv6 ::1/::ff\nenc_dst_ip ipv6 ::2/::f0\n" },
	{ { { NST_FLOWER_KEY_ENC_FLAGS, "be32:0x4" },
	    { NST_FLOWER_KEY_ENC_FLAGS_MASK, "be32:0x3c" } },
	  "enc_flags bits 0x4/0x3c +tuncsum -tundf -tunoam -tuncrit\n" },
	{ { { F(CT_STATE), "u16:0x9" },
	    { F(CT_STATE_MASK), "u16:0x3f" },
	    { F(CT_ZONE), "u16:5" },
	    { F(CT_ZONE_MASK), "u16:0xffff" },
	    { F(CT_MARK), "u32:0x10" },
	    { F(CT_MARK_MASK), "u32:0xf0" },
	    { F(CT_LABELS), "hex:000102030405060708090a0b0c0d0e0f" },
	    { F(CT_LABELS_MASK), "hex:ffffffff000000000000000000000000" } },
	  "ct_state bits 0x9/0x3f +new -est -rel +trk -inv -rpl\n"
	  "ct_zone uint 5\n"
	  "ct_mark hex 0x10/0xf0\n"
	  "ct_label bytes 000102030405060708090a0b0c0d0e0f/"
	  "ffffffff000000000000000000000000\n" },
};

START_TEST(key)
{
	tc_check_keys(keys[_i].attrs, keys[_i].lines);
}
END_TEST

#define VLAN_TYPE F(VLAN_ETH_TYPE)

/* Numbers of IANA and IEEE. */
static const struct {
	uint16_t type;
	const char *payload, *line;
} words[] = {
	{ F(PPP_PROTO), "be16:0x57", "ppp_proto hex 0x57 ipv6\n" },
	{ F(PPP_PROTO), "be16:0x281", "ppp_proto hex 0x281 mpls_uc\n" },
	{ F(PPP_PROTO), "be16:0x283", "ppp_proto hex 0x283 mpls_mc\n" },
	{ F(PPP_PROTO), "be16:0x80fd", "ppp_proto hex 0x80fd ccp\n" },
	{ F(PPP_PROTO), "be16:0x8281", "ppp_proto hex 0x8281 mplscp\n" },
	{ F(PPP_PROTO), "be16:0xc021", "ppp_proto hex 0xc021 lcp\n" },
	{ F(PPP_PROTO), "be16:0xc223", "ppp_proto hex 0xc223 chap\n" },
	{ VLAN_TYPE, "be16:0x86dd", "vlan_ethtype hex 0x86dd ipv6\n" },
	{ VLAN_TYPE, "be16:0x88a8", "vlan_ethtype hex 0x88a8 802.1ad\n" },
	{ VLAN_TYPE, "be16:0x8848", "vlan_ethtype hex 0x8848 mpls_mc\n" },
	{ VLAN_TYPE, "be16:0x8864", "vlan_ethtype hex 0x8864 ppp_ses\n" },
	{ VLAN_TYPE, "be16:0x88cc", "vlan_ethtype hex 0x88cc LLDP\n" },
	{ F(ETH_TYPE), "be16:0x8100", "eth_type hex 0x8100 802.1Q\n" },
	{ F(ETH_TYPE), "be16:0x8035", "eth_type hex 0x8035 rarp\n" },
	{ F(IP_PROTO), "u8:1", "ip_proto uint 1 icmp\n" },
	{ F(IP_PROTO), "u8:17", "ip_proto uint 17 udp\n" },
	{ F(IP_PROTO), "u8:50", "ip_proto uint 50 esp\n" },
	{ F(IP_PROTO), "u8:51", "ip_proto uint 51 ah\n" },
	{ F(IP_PROTO), "u8:58", "ip_proto uint 58 icmpv6\n" },
	{ F(IP_PROTO), "u8:115", "ip_proto uint 115 l2tp\n" },
	{ F(IP_PROTO), "u8:132", "ip_proto uint 132 sctp\n" },
};

START_TEST(word)
{
	const struct tc_case c = {
		{ { words[_i].type, words[_i].payload } }, words[_i].line
	};

	tc_check_keys(c.attrs, c.lines);
}
END_TEST

/* ---- outside of the keys ---- */

START_TEST(beside_the_keys)
{
	static const struct tc_attr attrs[] = {
		{ TCA_FLOWER_CLASSID, "u32:0x10002" },
		{ TCA_FLOWER_INDEV, "str:eth0" },
		{ F(ETH_TYPE), "be16:0x0806" },
		{ TCA_FLOWER_FLAGS, "u32:8" },
		{ TCA_FLOWER_IN_HW_COUNT, "u32:1" },
		{ TCA_FLOWER_ACT, "hex:00112233" },
		{ 0, NULL },
	};

	tc_check("flower", attrs,
		 "keys {\neth_type hex 0x806 arp\n}\n"
		 "classid classid 1:2\nindev string \"eth0\"\n");
}
END_TEST

/* TC_H_MIN_PRIORITY and the 16 of them */
START_TEST(hardware_queue)
{
	static const struct {
		const char *id, *lines;
	} all[] = {
		{ "u32:0xffffffdf", "classid classid ffff:ffdf\n" },
		{ "u32:0xffffffe0", "hw_tc uint 0\n" },
		{ "u32:0xffffffef", "hw_tc uint 15\n" },
		{ "u32:0xfffffff0", "classid classid ffff:fff0\n" },
	};
	const struct tc_attr attrs[] = { { TCA_FLOWER_CLASSID, all[_i].id },
					 { 0, NULL } };
	char want[64];

	snprintf(want, sizeof(want), "keys {\n}\n%s", all[_i].lines);
	tc_check("flower", attrs, want);
}
END_TEST

/* ---- what does not fit ---- */

static const struct tc_case odd[] = {
	/* the last one counts, and is told where it stands */
	{ { { F(VLAN_ETH_TYPE), "be16:0x88a8" },
	    { F(VLAN_ID), "u16:1" },
	    { F(VLAN_ETH_TYPE), "be16:0x0800" } },
	  "vlan_id uint 1\nvlan_ethtype hex 0x800 ip\n" },
	/* flag bits in types */
	{ { { F(IPV4_DST) | 0x8000, "ip:10.0.0.1" },
	    { F(IPV4_DST_MASK) | 0x4000, "ip:255.255.0.0" } },
	  "dst_ip ipv4 10.0.0.1/255.255.0.0\n" },
	/* unknown ones, those too that come more than once */
	{ { { 0, "u8:1" }, { 150, "be16:2" }, { 150, "hex:" } },
	  "attr_0 bytes 01\nattr_150 bytes 0002\nattr_150 bytes \n" },
	/* shorter, longer */
	{ { { F(ETH_TYPE), "u8:8" }, { F(IP_PROTO), "be32:6" } },
	  "attr_8 bytes 08\nattr_9 bytes 00000006\n" },
	{ { { F(IPV4_DST), "hex:0a0000" },
	    { F(IPV4_DST_MASK), "ip:255.0.0.0" } },
	  "attr_12 bytes 0a0000\nattr_13 bytes ff000000\n" },
	/* both of one length, which is a wrong one */
	{ { { F(IPV4_SRC), "hex:0a00000000000001" },
	    { F(IPV4_SRC_MASK), "hex:ffffffffffffff00" } },
	  "attr_10 bytes 0a00000000000001\n"
	  "attr_11 bytes ffffffffffffff00\n" },
	{ { { F(PORT_SRC_MIN), "be32:1" }, { F(PORT_SRC_MAX), "be32:2" } },
	  "attr_87 bytes 00000001\nattr_88 bytes 00000002\n" },
	/* a mask that is none is told, as bytes; one without its key too */
	{ { { F(IPV4_DST), "ip:10.0.0.1" }, { F(IPV4_DST_MASK), "hex:ff" } },
	  "dst_ip ipv4 10.0.0.1\nattr_13 bytes ff\n" },
	{ { { F(TCP_DST_MASK), "be16:0xff00" } }, "attr_36 bytes ff00\n" },
	/* half a range */
	{ { { F(PORT_SRC_MIN), "be16:1" } }, "attr_87 bytes 0001\n" },
	{ { { F(PORT_SRC_MAX), "be16:1" } }, "attr_88 bytes 0001\n" },
	/* bits that have no name */
	{ { { F(CT_STATE), "u16:0x81" }, { F(CT_STATE_MASK), "u16:0x80" } },
	  "ct_state bits 0x81/0x80\n" },
	/* without a mask all of them count [fl_set_key_val] */
	{ { { F(CT_STATE), "u16:0x81" } },
	  "ct_state bits 0x81/0xffff +new -est -rel -trk -inv -rpl\n" },
	/* with a mask they are told with it, also when all of them count */
	{ { { F(CT_STATE), "u16:0x1" }, { F(CT_STATE_MASK), "u16:0xffff" } },
	  "ct_state bits 0x1/0xffff +new -est -rel -trk -inv -rpl\n" },
};

START_TEST(does_not_fit)
{
	tc_check_keys(odd[_i].attrs, odd[_i].lines);
}
END_TEST

/* ---- cut, stopped ---- */

#define EACH(_fn, _table)                                                      \
	for (i = 0; i < sizeof(_table) / sizeof((_table)[0]); i++)             \
	_fn("flower", (_table)[i].attrs)

START_TEST(cut_anywhere)
{
	size_t i;

	EACH(tc_cut, keys);
	EACH(tc_cut, odd);
}
END_TEST

START_TEST(stopped)
{
	size_t i;

	EACH(tc_stop, keys);
	EACH(tc_stop, odd);
}
END_TEST

static Suite *suite_tc_flower(void)
{
	Suite *suite = suite_create("tc_flower");
	TCase *tc = tcase_create("tc_flower");

#define LOOP(_test, _table)                                                    \
	tcase_add_loop_test(tc, _test, 0, sizeof(_table) / sizeof((_table)[0]))
	LOOP(key, keys);
	LOOP(word, words);
	LOOP(does_not_fit, odd);
#undef LOOP
	tcase_add_test(tc, beside_the_keys);
	tcase_add_test(tc, cut_anywhere);
	tcase_add_test(tc, stopped);
	tcase_add_loop_test(tc, hardware_queue, 0, 4);
	suite_add_tcase(suite, tc);
	return suite;
}

NST_REGISTER(suite_tc_flower);
