/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <linux/tc_act/tc_bpf.h>
#include <linux/tc_act/tc_connmark.h>
#include <linux/tc_act/tc_csum.h>
#include <linux/tc_act/tc_ct.h>
#include <linux/tc_act/tc_ctinfo.h>
#include <linux/tc_act/tc_defact.h>
#include <linux/tc_act/tc_gact.h>
#include <linux/tc_act/tc_gate.h>
#include <linux/tc_act/tc_mirred.h>
#include <linux/tc_act/tc_mpls.h>
#include <linux/tc_act/tc_nat.h>
#include <linux/tc_act/tc_pedit.h>
#include <linux/tc_act/tc_sample.h>
#include <linux/tc_act/tc_skbedit.h>
#include <linux/tc_act/tc_skbmod.h>
#include <linux/tc_act/tc_tunnel_key.h>
#include <linux/tc_act/tc_vlan.h>

#include "tc_act_cases.h"

/* index, capab, action pipe, refcnt, bindcnt */
#define GEN "host:u32 5 0 3 2 1"
/* The lines of that, and those of a time at which it was made. */
#define GEN_LINES                                                              \
	"control_action {\ntype sint 3 pipe\n}\nref sint 2\nbind sint 1\n"
#define TM "host:u64 70s 70s 0 0"
#define TM_LINES "installed uint 70\n"

const struct tc_act_case tc_act_cases[] = {
	{ "gact",
	  { { TCA_GACT_PARMS, "host:u32 5 0 2 1 1" },
	    { TCA_GACT_PAD, "hex:" },
	    { TCA_GACT_TM, "host:u64 90s 3s 0 60s" } },
	  "control_action {\ntype sint 2 drop\n}\nref sint 1\nbind sint 1\n"
	  "installed uint 90\nlast_used uint 3\nfirst_used uint 60\n" },
	/* Verdicts that say where to, -1, and one that there is not. */
	{ "gact",
	  { { TCA_GACT_PARMS, "host:u32 5 0 0x2000002a 1 0" } },
	  "control_action {\ntype sint 536870912 goto\nchain uint 42\n}\n"
	  "ref sint 1\nbind sint 0\n" },
	{ "gact",
	  { { TCA_GACT_PARMS, "host:u32 5 0 0x10000002 1 0" } },
	  "control_action {\ntype sint 268435456 jump\njump uint 2\n}\n"
	  "ref sint 1\nbind sint 0\n" },
	{ "gact",
	  { { TCA_GACT_PARMS, "host:u32 5 0 0xffffffff 1 0" } },
	  "control_action {\ntype sint -1 continue\n}\n"
	  "ref sint 1\nbind sint 0\n" },
	{ "gact",
	  { { TCA_GACT_PARMS, "host:u32 5 0 77 0xfffffffe 0" } },
	  "control_action {\ntype sint 77\n}\nref sint -2\nbind sint 0\n" },
	{ "gact",
	  { { TCA_GACT_PARMS, GEN }, { TCA_GACT_PROB, "host:u16 1 10 u32 2" } },
	  "prob {\nrandom_type uint 1 netrand\n"
	  "control_action {\ntype sint 2 drop\n}\nval uint 10\n}\n" GEN_LINES },
	/* Times: used by hardware, at once, never; expires; before Linux 4.8. */
	{ "gact",
	  { { TCA_GACT_TM, "host:u64 90s 40s 0 0" } },
	  "installed uint 90\nlast_used uint 40\n" },
	{ "gact",
	  { { TCA_GACT_TM, "host:u64 90s 90s 0 90s" } },
	  "installed uint 90\nlast_used uint 90\nfirst_used uint 90\n" },
	{ "gact",
	  { { TCA_GACT_TM, "host:u64 9001 9000 0 0" } },
	  "installed uint 90\n" },
	{ "gact",
	  { { TCA_GACT_TM, "host:u64 0 0 8s 0" } },
	  "installed uint 0\nexpires uint 8\n" },
	{ "gact",
	  { { TCA_GACT_TM, "host:u64 90s 40s 8s" } },
	  "installed uint 90\nlast_used uint 40\nexpires uint 8\n" },

	{ "mirred",
	  { { TCA_MIRRED_PARMS, "host:u32 5 0 4 1 1 1 7" },
	    { TCA_MIRRED_TM, TM } },
	  "direction uint 1 egress\nmirred_action uint 1 redirect\n"
	  "to_dev ifindex 7\ncontrol_action {\ntype sint 4 stolen\n}\n"
	  "ref sint 1\nbind sint 1\n" TM_LINES },
	{ "mirred",
	  { { TCA_MIRRED_PARMS, "host:u32 5 0 3 2 1 4 7" } },
	  "direction uint 4 ingress\nmirred_action uint 4 mirror\n"
	  "to_dev ifindex 7\n" GEN_LINES },
	/* A device that is gone; a block; what there is not. */
	{ "mirred",
	  { { TCA_MIRRED_PARMS, "host:u32 5 0 3 2 1 2 0" } },
	  "direction uint 2 egress\nmirred_action uint 2 mirror\n"
	  "to_dev ifindex 0\n" GEN_LINES },
	{ "mirred",
	  { { TCA_MIRRED_PARMS, "host:u32 5 0 3 2 1 3 0" }, { 4, "u32:22" } },
	  "direction uint 3 ingress\nmirred_action uint 3 redirect\n"
	  "to_blockid uint 22\n" GEN_LINES },
	{ "mirred",
	  { { TCA_MIRRED_PARMS, "host:u32 5 0 3 2 1 9 1" } },
	  "direction uint 9\nmirred_action uint 9\nto_dev ifindex "
	  "1\n" GEN_LINES },

	{ "tunnel_key",
	  { { TCA_TUNNEL_KEY_PARMS, "host:u32 5 0 3 2 1 1" },
	    { TCA_TUNNEL_KEY_ENC_KEY_ID, "be32:5001" },
	    { TCA_TUNNEL_KEY_ENC_IPV4_SRC, "ip:10.0.0.1" },
	    { TCA_TUNNEL_KEY_ENC_IPV4_DST, "ip:10.0.0.2" },
	    { TCA_TUNNEL_KEY_ENC_DST_PORT, "be16:4789" },
	    { TCA_TUNNEL_KEY_NO_CSUM, "u8:0" },
	    { TCA_TUNNEL_KEY_ENC_TOS, "u8:0x18" },
	    { TCA_TUNNEL_KEY_ENC_TTL, "u8:64" },
	    { TCA_TUNNEL_KEY_PAD, "hex:" },
	    { TCA_TUNNEL_KEY_TM, TM } },
	  "mode uint 1 set\nkey_id uint 5001\nsrc_ip ipv4 10.0.0.1\n"
	  "dst_ip ipv4 10.0.0.2\ndst_port uint 4789\ncsum flag\n"
	  "tos hex 0x18\nttl uint 64\n" GEN_LINES TM_LINES },
	{ "tunnel_key",
	  { { TCA_TUNNEL_KEY_PARMS, "host:u32 5 0 3 2 1 2" } },
	  "mode uint 2 unset\n" GEN_LINES },
	{ "tunnel_key",
	  { { TCA_TUNNEL_KEY_ENC_IPV6_SRC, "ip6:fd00::1" },
	    { TCA_TUNNEL_KEY_ENC_IPV6_DST, "ip6:fd00::2" },
	    { TCA_TUNNEL_KEY_NO_CSUM, "u8:1" },
	    { 14, "hex:" },
	    { TCA_TUNNEL_KEY_ENC_OPTS, "{" },
	    { TCA_TUNNEL_KEY_ENC_OPTS_GENEVE, "{" },
	    { TCA_TUNNEL_KEY_ENC_OPT_GENEVE_CLASS, "be16:0x102" },
	    { TCA_TUNNEL_KEY_ENC_OPT_GENEVE_TYPE, "u8:0x80" },
	    { TCA_TUNNEL_KEY_ENC_OPT_GENEVE_DATA, "hex:00ff0102" },
	    { TCA_TUNNEL_KEY_ENC_OPT_GENEVE_CLASS, "be16:3" },
	    { TCA_TUNNEL_KEY_ENC_OPT_GENEVE_TYPE, "u8:4" },
	    { TCA_TUNNEL_KEY_ENC_OPT_GENEVE_DATA, "hex:" },
	    { 0, "}" },
	    { 0, "}" } },
	  "src_ip ipv6 fd00::1\ndst_ip ipv6 fd00::2\nnocsum flag\n"
	  "nofrag flag\ngeneve_opts [\n- {\nclass uint 258\nopt_type uint 128\n"
	  "data [\n- uint 0\n- uint 255\n- uint 1\n- uint 2\n]\n}\n"
	  "- {\nclass uint 3\nopt_type uint 4\ndata [\n]\n}\n]\n" },
	{ "tunnel_key",
	  { { TCA_TUNNEL_KEY_ENC_OPTS, "{" },
	    { TCA_TUNNEL_KEY_ENC_OPTS_VXLAN, "{" },
	    { TCA_TUNNEL_KEY_ENC_OPT_VXLAN_GBP, "u32:700000" },
	    { 0, "}" },
	    { TCA_TUNNEL_KEY_ENC_OPTS_ERSPAN, "{" },
	    { TCA_TUNNEL_KEY_ENC_OPT_ERSPAN_VER, "u8:2" },
	    { TCA_TUNNEL_KEY_ENC_OPT_ERSPAN_DIR, "u8:1" },
	    { TCA_TUNNEL_KEY_ENC_OPT_ERSPAN_HWID, "u8:63" },
	    { 0, "}" },
	    { 9, "hex:abcd" },
	    { 0, "}" } },
	  "vxlan_opts [\n- {\ngbp uint 700000\n}\n]\n"
	  "erspan_opts [\n- {\nver uint 2\ndir uint 1\nhwid uint 63\n}\n]\n"
	  "attr_9 bytes abcd\n" },

	{ "vlan",
	  { { TCA_VLAN_PARMS, "host:u32 5 0 3 2 1 2" },
	    { TCA_VLAN_PUSH_VLAN_ID, "u16:100" },
	    { TCA_VLAN_PUSH_VLAN_PROTOCOL, "be16:0x88a8" },
	    { TCA_VLAN_PUSH_VLAN_PRIORITY, "u8:0" },
	    { TCA_VLAN_TM, TM } },
	  "vlan_action uint 2 push\nid uint 100\n"
	  "protocol hex 0x88a8 802.1ad\npriority uint 0\n" GEN_LINES TM_LINES },
	{ "vlan",
	  { { TCA_VLAN_PARMS, "host:u32 5 0 3 2 1 5" },
	    { TCA_VLAN_PUSH_ETH_DST, "mac:02:00:00:00:00:01" },
	    { TCA_VLAN_PUSH_ETH_SRC, "mac:02:00:00:00:00:02" } },
	  "vlan_action uint 5 push_eth\ndst_mac mac 02:00:00:00:00:01\n"
	  "src_mac mac 02:00:00:00:00:02\n" GEN_LINES },

	{ "skbedit",
	  { { TCA_SKBEDIT_PARMS, GEN },
	    { TCA_SKBEDIT_PRIORITY, "u32:0x10020" },
	    { TCA_SKBEDIT_QUEUE_MAPPING, "u16:3" },
	    { TCA_SKBEDIT_MARK, "u32:0x17" },
	    { TCA_SKBEDIT_PTYPE, "u16:3" },
	    { TCA_SKBEDIT_MASK, "u32:0xff" },
	    { TCA_SKBEDIT_QUEUE_MAPPING_MAX, "u16:6" },
	    { TCA_SKBEDIT_FLAGS, "u64:0x160" },
	    { TCA_SKBEDIT_TM, TM } },
	  "skbedit_priority classid 1:20\nqueue_mapping uint 3\n"
	  "mark uint 23/0xff\n"
	  "ptype uint 3 otherhost\nqueue_mapping_max uint 6\n"
	  "inheritdsfield flag\nskbhash flag\nother_flags hex 0x100\n" GEN_LINES
		  TM_LINES },
	{ "skbedit",
	  { { TCA_SKBEDIT_MARK, "u32:1" },
	    { TCA_SKBEDIT_MASK, "u32:0xffffffff" } },
	  "mark uint 1\n" },

	{ "pedit",
	  { { TCA_PEDIT_KEYS_EX, "{" },
	    { TCA_PEDIT_KEY_EX, "{" },
	    { TCA_PEDIT_KEY_EX_HTYPE, "u16:2" },
	    { TCA_PEDIT_KEY_EX_CMD, "u16:0" },
	    { 0, "}" },
	    { TCA_PEDIT_KEY_EX, "{" },
	    { TCA_PEDIT_KEY_EX_HTYPE, "u16:5" },
	    { TCA_PEDIT_KEY_EX_CMD, "u16:1" },
	    { 0, "}" },
	    { 0, "}" },
	    { TCA_PEDIT_PARMS_EX, "host:u32 5 0 3 2 1 u8 2 0 0 0 "
				  "be32 0 0x0a000001 u32 16 0 0 0 "
				  "be32 0xffff0000 0x50 u32 0xfffffffe 0 0 0" },
	    { TCA_PEDIT_TM, TM } },
	  "nkeys uint 2\npedit_keys [\n"
	  "- {\nhtype uint 2 ipv4\noffset sint 16\ncmd uint 0 set\n"
	  "val hex 0xa000001\nmask hex 0x0\n}\n"
	  "- {\nhtype uint 5 udp\noffset sint -2\ncmd uint 1 add\n"
	  "val hex 0x50\nmask hex 0xffff0000\n}\n]\n" GEN_LINES TM_LINES },
	/* Without KEYS_EX, and where the packet says where. */
	{ "pedit",
	  { { TCA_PEDIT_PARMS, "host:u32 5 0 3 2 1 u8 1 0 0 0 "
			       "be32 0xffffff00 0x1f u32 1 2 0xf 4" } },
	  "nkeys uint 1\npedit_keys [\n"
	  "- {\nhtype uint 0 network\noffset sint 1\nat uint 2\n"
	  "offmask hex 0xf\nshift uint 4\ncmd uint 0 set\n"
	  "val hex 0x1f\nmask hex 0xffffff00\n}\n]\n" GEN_LINES },

	/* 1 MB/s for 10 ms; the structure of rates is 12 bytes. */
	{ "police",
	  { { TCA_POLICE_TBF, "host:u32 5 2 0 156250 1500 "
			      "u8 0 1 u16 24 0 64 u32 1000000 "
			      "u8 0 0 u16 0 0 0 u32 2000000 u32 2 1 0" },
	    { TCA_POLICE_RESULT, "u32:3" },
	    { TCA_POLICE_AVRATE, "u32:9000" },
	    { TCA_POLICE_TM, TM } },
	  "rate uint 1000000\nburst uint 10000\nmtu uint 1500\n"
	  "peakrate uint 2000000\noverhead uint 24\nmpu uint 64\n"
	  "avrate uint 9000\n"
	  "control_action {\ntype sint 2 drop\n}\n"
	  "conform_action {\ntype sint 3 pipe\n}\n"
	  "ref sint 2\nbind sint 1\n" TM_LINES },
	/* 64 bits: 100 Gbit/s for 1.5 s; packets, a burst that is rounded. */
	{ "police",
	  { { TCA_POLICE_RATE64, "u64:12500000000" },
	    { TCA_POLICE_PEAKRATE64, "u64:12500000001" },
	    { TCA_POLICE_TBF, "host:u32 5 3 0 23437500 1500 "
			      "u8 0 2 u16 0 0 0 u32 0xffffffff "
			      "u8 0 0 u16 0 0 0 u32 0xffffffff u32 2 1 0" } },
	  "rate uint 12500000000\nburst uint 18750000000\nmtu uint 1500\n"
	  "peakrate uint 12500000001\noverhead uint 0\n"
	  "linklayer uint 2 atm\n" GEN_LINES },
	{ "police",
	  { { TCA_POLICE_PKTRATE64, "u64:1000000" },
	    { TCA_POLICE_PKTBURST64, "u64:156" },
	    { TCA_POLICE_TBF, "host:u32 5 3 0 0 0xffffffff "
			      "u8 0 0 u16 0 0 0 u32 0 u8 0 0 u16 0 0 0 u32 0 "
			      "u32 2 1 0" } },
	  "mtu uint 4294967295\npkts_rate uint 1000000\npkts_burst uint 10\n"
	  "overhead uint 0\n" GEN_LINES },

	{ "ct",
	  { { TCA_CT_ACTION, "u16:0x1b" },
	    { TCA_CT_MARK, "u32:1" },
	    { TCA_CT_MARK_MASK, "u32:0xffffffff" },
	    { TCA_CT_LABELS, "hex:01000000000000000000000000000000" },
	    { TCA_CT_LABELS_MASK, "hex:ff000000000000000000000000000000" },
	    { TCA_CT_ZONE, "u16:7" },
	    { TCA_CT_NAT_IPV4_MIN, "ip:10.0.0.1" },
	    { TCA_CT_NAT_IPV4_MAX, "ip:10.0.0.9" },
	    { TCA_CT_NAT_PORT_MIN, "be16:1024" },
	    { TCA_CT_NAT_PORT_MAX, "be16:65535" },
	    { 16, "str:ftp" },
	    { 17, "u8:2" },
	    { 18, "u8:6" },
	    { TCA_CT_PARMS, GEN },
	    { TCA_CT_TM, TM } },
	  "action uint 3 commit force\nmark uint 1\n"
	  "ct_label bytes 01000000000000000000000000000000"
	  "/ff000000000000000000000000000000\nzone uint 7\n"
	  "helper string \"ftp\"\nhelper_family uint 2 ipv4\n"
	  "helper_protocol uint 6 tcp\n"
	  "nat {\ntype uint 16 src\naddr ipv4 10.0.0.1\n"
	  "addr_max ipv4 10.0.0.9\nport uint 1024\nport_max uint "
	  "65535\n}\n" GEN_LINES TM_LINES },
	{ "ct",
	  { { TCA_CT_ACTION, "u16:0x29" },
	    { TCA_CT_MARK, "u32:1" },
	    { TCA_CT_MARK_MASK, "u32:0xf" },
	    { TCA_CT_NAT_IPV6_MIN, "ip6:fd00::1" },
	    { TCA_CT_NAT_IPV6_MAX, "ip6:fd00::1" },
	    { TCA_CT_NAT_PORT_MIN, "be16:80" },
	    { TCA_CT_NAT_PORT_MAX, "be16:80" } },
	  "action uint 1 commit\nmark uint 1/0xf\n"
	  "nat {\ntype uint 32 dst\naddr ipv6 fd00::1\nport uint 80\n}\n" },
	{ "ct",
	  { { TCA_CT_ACTION, "u16:4" }, { TCA_CT_PARMS, GEN } },
	  "action uint 4 clear\n" GEN_LINES },
	/* NAT as the connection has it, and neither of them. */
	{ "ct", { { TCA_CT_ACTION, "u16:8" } }, "nat {\n}\n" },
	{ "ct",
	  { { TCA_CT_ACTION, "u16:0" }, { TCA_CT_ZONE, "u16:0" } },
	  "zone uint 0\n" },

	{ "csum",
	  { { TCA_CSUM_PARMS, "host:u32 5 0 3 2 1 0x199" },
	    { TCA_CSUM_TM, TM } },
	  "csum_update bits 0x199 +iph +tcp +udp\n" GEN_LINES TM_LINES },

	{ "mpls",
	  { { TCA_MPLS_PARMS, "host:u32 5 0 3 2 1 2" },
	    { TCA_MPLS_LABEL, "u32:1048575" },
	    { TCA_MPLS_TC, "u8:0" },
	    { TCA_MPLS_TTL, "u8:64" },
	    { TCA_MPLS_BOS, "u8:1" },
	    { TCA_MPLS_PROTO, "be16:0x8847" },
	    { TCA_MPLS_TM, TM } },
	  "mpls_action uint 2 push\nlabel uint 1048575\ntc uint 0\n"
	  "ttl uint 64\nbos uint 1\nprotocol hex 0x8847 mpls_uc\n" GEN_LINES
		  TM_LINES },
	{ "mpls",
	  { { TCA_MPLS_PARMS, "host:u32 5 0 3 2 1 4" },
	    { TCA_MPLS_PROTO, "be16:0x8847" } },
	  "mpls_action uint 4 dec_ttl\n" GEN_LINES },

	{ "nat",
	  { { TCA_NAT_PARMS, "host:u32 5 0 3 2 1 "
			     "be32 0x0a010000 0xc0a80000 0xffff0000 u32 1" },
	    { TCA_NAT_TM, TM } },
	  "direction uint 1 egress\nold_addr ipv4 10.1.0.0/255.255.0.0\n"
	  "new_addr ipv4 192.168.0.0\n" GEN_LINES TM_LINES },
	{ "nat",
	  { { TCA_NAT_PARMS,
	      "host:u32 5 0 3 2 1 "
	      "be32 0x0a010001 0xc0a80001 0xffffffff u32 0x80000000" } },
	  "direction uint 0 ingress\nold_addr ipv4 10.1.0.1\n"
	  "new_addr ipv4 192.168.0.1\n" GEN_LINES },

	{ "sample",
	  { { TCA_SAMPLE_PARMS, GEN },
	    { TCA_SAMPLE_TM, TM },
	    { TCA_SAMPLE_RATE, "u32:100" },
	    { TCA_SAMPLE_TRUNC_SIZE, "u32:128" },
	    { TCA_SAMPLE_PSAMPLE_GROUP, "u32:12" } },
	  "rate uint 100\ntrunc_size uint 128\ngroup uint 12\n" GEN_LINES
		  TM_LINES },

	{ "bpf",
	  { { TCA_ACT_BPF_PARMS, GEN },
	    { TCA_ACT_BPF_NAME, "str:a.o:[sec]" },
	    { TCA_ACT_BPF_ID, "u32:519" },
	    { TCA_ACT_BPF_TAG, "hex:0011223344556677" },
	    { TCA_ACT_BPF_TM, TM } },
	  "bpf_name string \"a.o:[sec]\"\n"
	  "prog {\nid uint 519\ntag bytes 0011223344556677\n}\n" GEN_LINES
		  TM_LINES },
	{ "bpf",
	  { { TCA_ACT_BPF_OPS_LEN, "u16:2" },
	    { TCA_ACT_BPF_OPS,
	      "host:u16 0x30 u8 0 1 u32 9 u16 6 u8 2 3 u32 0xffffffff" } },
	  "bytecode {\nlength uint 2\ninsns [\n"
	  "- {\ncode uint 48\njt uint 0\njf uint 1\nk uint 9\n}\n"
	  "- {\ncode uint 6\njt uint 2\njf uint 3\nk uint 4294967295\n}\n"
	  "]\n}\n" },

	{ "skbmod",
	  { { TCA_SKBMOD_PARMS, "host:u32 5 0 3 2 1 0 u64 0x3f" },
	    { TCA_SKBMOD_DMAC, "mac:02:00:00:00:00:01" },
	    { TCA_SKBMOD_SMAC, "mac:02:00:00:00:00:02" },
	    { TCA_SKBMOD_ETYPE, "u16:0x800" },
	    { TCA_SKBMOD_TM, TM } },
	  "swap_mac flag\necn flag\nother_flags hex 0x20\n"
	  "dmac mac 02:00:00:00:00:01\nsmac mac 02:00:00:00:00:02\n"
	  "etype hex 0x800\n" GEN_LINES TM_LINES },

	{ "connmark",
	  { { TCA_CONNMARK_PARMS, "host:u32 5 0 3 2 1 u16 9 0" },
	    { TCA_CONNMARK_TM, TM } },
	  "zone uint 9\n" GEN_LINES TM_LINES },

	{ "ctinfo",
	  { { TCA_CTINFO_TM, TM },
	    { TCA_CTINFO_ACT, GEN },
	    { TCA_CTINFO_ZONE, "u16:1" },
	    { TCA_CTINFO_PARMS_DSCP_MASK, "u32:0xfc000000" },
	    { TCA_CTINFO_PARMS_DSCP_STATEMASK, "u32:0x1000000" },
	    { TCA_CTINFO_PARMS_CPMARK_MASK, "u32:0xff" },
	    { TCA_CTINFO_STATS_DSCP_SET, "u64:4294967296" },
	    { TCA_CTINFO_STATS_DSCP_ERROR, "u64:1" },
	    { TCA_CTINFO_STATS_CPMARK_SET, "u64:2" } },
	  "zone uint 1\ndscpmask hex 0xfc000000\n"
	  "dscpstatemask hex 0x1000000\ncpmark hex 0xff\n"
	  "dscpset uint 4294967296\ndscperror uint 1\ncpmarkset uint "
	  "2\n" GEN_LINES TM_LINES },

	{ "gate",
	  { { TCA_GATE_PARMS, GEN },
	    { TCA_GATE_BASE_TIME, "u64:200000000000" },
	    { TCA_GATE_CYCLE_TIME, "u64:0xffffffffffffffff" },
	    { TCA_GATE_CYCLE_TIME_EXT, "u64:0" },
	    { TCA_GATE_CLOCKID, "u32:11" },
	    { TCA_GATE_FLAGS, "u32:1" },
	    { TCA_GATE_PRIORITY, "u32:0xffffffff" },
	    { TCA_GATE_ENTRY_LIST, "{" },
	    { TCA_GATE_ONE_ENTRY, "{" },
	    { TCA_GATE_ENTRY_INDEX, "u32:0" },
	    { TCA_GATE_ENTRY_GATE, "hex:" },
	    { TCA_GATE_ENTRY_INTERVAL, "u32:200000000" },
	    { TCA_GATE_ENTRY_MAX_OCTETS, "u32:0xffffffff" },
	    { TCA_GATE_ENTRY_IPV, "u32:5" },
	    { 0, "}" },
	    { TCA_GATE_ONE_ENTRY, "{" },
	    { TCA_GATE_ENTRY_INDEX, "u32:1" },
	    { 0, "}" },
	    { 0, "}" },
	    { TCA_GATE_TM, TM } },
	  "base_time sint 200000000000\ncycle_time sint -1\n"
	  "cycle_time_ext sint 0\nclockid sint 11 TAI\ngate_flags hex 0x1\n"
	  "priority sint -1\nschedule [\n- {\ngate_state uint 1 open\n"
	  "number uint 0\ninterval uint 200000000\nmax_octets sint -1\n"
	  "ipv sint 5\n}\n- {\ngate_state uint 0 close\nnumber uint 1\n}\n"
	  "]\n" GEN_LINES TM_LINES },

	{ "simple",
	  { { TCA_DEF_PARMS, GEN },
	    { TCA_DEF_DATA, "str:Hello <you>" },
	    { TCA_DEF_TM, TM } },
	  "sdata string \"Hello <you>\"\n" GEN_LINES TM_LINES },
};

const unsigned int tc_act_n_cases =
	sizeof(tc_act_cases) / sizeof(tc_act_cases[0]);
