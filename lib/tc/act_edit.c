/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Actions that change a packet's headers, or what the kernel knows of it. */
#include <arpa/inet.h>

#include <linux/if_packet.h>
#include <linux/tc_act/tc_mpls.h>
#include <linux/tc_act/tc_skbedit.h>
#include <linux/tc_act/tc_skbmod.h>
#include <linux/tc_act/tc_vlan.h>

#include "tc/act.h"

/* ---- vlan ---- */

static const struct nst_tc_word vlan_actions[] = {
	{ TCA_VLAN_ACT_POP, "pop" },
	{ TCA_VLAN_ACT_PUSH, "push" },
	{ TCA_VLAN_ACT_MODIFY, "modify" },
	{ TCA_VLAN_ACT_POP_ETH, "pop_eth" },
	{ TCA_VLAN_ACT_PUSH_ETH, "push_eth" },
	NST_TC_WORDS_END,
};

static const struct nst_tc_field vlan_members[] = {
	NST_ACT_MEMBER(struct tc_vlan, v_action, "vlan_action", UINT,
		       .words = vlan_actions),
};

static const struct nst_tc_field vlan_fields[] = {
	[TCA_VLAN_TM] = NST_TC_NOT_TOLD,
	[TCA_VLAN_PARMS] = NST_ACT_PARMS_MEMBERS(struct tc_vlan, vlan_members),
	[TCA_VLAN_PUSH_VLAN_ID] = NST_TC_FIELD("id", UINT, 2),
	[TCA_VLAN_PUSH_VLAN_PROTOCOL] =
		NST_TC_FIELD("protocol", HEX, 2, NST_TC_BE,
			     .words = nst_tc_word_ethertype),
	[TCA_VLAN_PAD] = NST_TC_NOT_TOLD,
	[TCA_VLAN_PUSH_VLAN_PRIORITY] = NST_TC_FIELD("priority", UINT, 1),
	[TCA_VLAN_PUSH_ETH_DST] = NST_TC_FIELD("dst_mac", MAC, 6),
	[TCA_VLAN_PUSH_ETH_SRC] = NST_TC_FIELD("src_mac", MAC, 6),
};

const struct nst_tc_kind nst_tc_act_vlan = {
	NST_TC_TABLE("vlan", vlan_fields),
	.parms = TCA_VLAN_PARMS,
	.times = TCA_VLAN_TM,
	.tail = nst_tc_act_tail,
};

/* ---- mpls ---- */

static const struct nst_tc_word mpls_actions[] = {
	{ TCA_MPLS_ACT_POP, "pop" },
	{ TCA_MPLS_ACT_PUSH, "push" },
	{ TCA_MPLS_ACT_MODIFY, "modify" },
	{ TCA_MPLS_ACT_DEC_TTL, "dec_ttl" },
	{ TCA_MPLS_ACT_MAC_PUSH, "mac_push" },
	NST_TC_WORDS_END,
};

static const struct nst_tc_field mpls_members[] = {
	NST_ACT_MEMBER(struct tc_mpls, m_action, "mpls_action", UINT,
		       .words = mpls_actions),
};

/* The kernel has one whether it means anything or not [tcf_mpls_init]. */
static int tell_mpls_protocol(struct nst_tc_walk *walk,
			      const struct nst_tc_field *field,
			      const struct nlattr *attr)
{
	struct nsteer_tc_value v = { .name = field->name,
				     .type = field->type,
				     .words = nst_tc_word_ethertype };
	uint16_t protocol = 0;
	struct tc_mpls mpls;

	nst_tc_act_copy(&protocol, sizeof(protocol), attr);
	if (nst_tc_act_copy(&mpls, sizeof(mpls), walk->tb[TCA_MPLS_PARMS]) &&
	    (mpls.m_action == TCA_MPLS_ACT_MODIFY ||
	     mpls.m_action == TCA_MPLS_ACT_DEC_TTL))
		return 0;
	v.u64 = ntohs(protocol);
	return nst_tc_tell(walk, &v);
}

static const struct nst_tc_field mpls_fields[] = {
	[TCA_MPLS_TM] = NST_TC_NOT_TOLD,
	[TCA_MPLS_PARMS] = NST_ACT_PARMS_MEMBERS(struct tc_mpls, mpls_members),
	[TCA_MPLS_PAD] = NST_TC_NOT_TOLD,
	[TCA_MPLS_PROTO] =
		NST_TC_FIELD("protocol", HEX, 2, .put = tell_mpls_protocol),
	[TCA_MPLS_LABEL] = NST_TC_FIELD("label", UINT, 4),
	[TCA_MPLS_TC] = NST_TC_FIELD("tc", UINT, 1),
	[TCA_MPLS_TTL] = NST_TC_FIELD("ttl", UINT, 1),
	[TCA_MPLS_BOS] = NST_TC_FIELD("bos", UINT, 1),
};

const struct nst_tc_kind nst_tc_act_mpls = {
	NST_TC_TABLE("mpls", mpls_fields),
	.parms = TCA_MPLS_PARMS,
	.times = TCA_MPLS_TM,
	.tail = nst_tc_act_tail,
};

/* ---- skbedit ---- */

static const struct nst_tc_word packet_types[] = {
	{ PACKET_HOST, "host" },
	{ PACKET_BROADCAST, "broadcast" },
	{ PACKET_MULTICAST, "multicast" },
	{ PACKET_OTHERHOST, "otherhost" },
	NST_TC_WORDS_END,
};

static int tell_skbedit_flags(struct nst_tc_walk *walk,
			      const struct nst_tc_field *field,
			      const struct nlattr *attr)
{
	/* SKBEDIT_F_* of what has no attribute of its own. */
	static const struct nst_tc_word words[] = { { 5, "inheritdsfield" },
						    { 6, "skbhash" },
						    NST_TC_WORDS_END };
	uint64_t bits;

	(void)field;
	if (!nst_tc_act_copy(&bits, sizeof(bits), attr))
		return 0;
	return nst_tc_tell_flags(walk, bits, words);
}

static const struct nst_tc_field skbedit_fields[] = {
	[TCA_SKBEDIT_TM] = NST_TC_NOT_TOLD,
	[TCA_SKBEDIT_PARMS] = NST_ACT_PARMS(struct tc_skbedit),
	[TCA_SKBEDIT_PRIORITY] = NST_TC_FIELD("skbedit_priority", CLASSID, 4),
	[TCA_SKBEDIT_QUEUE_MAPPING] = NST_TC_FIELD("queue_mapping", UINT, 2),
	[TCA_SKBEDIT_MARK] =
		NST_TC_FIELD("mark", UINT, 4, .mask = TCA_SKBEDIT_MASK),
	[TCA_SKBEDIT_PAD] = NST_TC_NOT_TOLD,
	[TCA_SKBEDIT_PTYPE] =
		NST_TC_FIELD("ptype", UINT, 2, .words = packet_types),
	[TCA_SKBEDIT_MASK] = { .known = NST_TC_MASK, .mask = TCA_SKBEDIT_MARK },
	[TCA_SKBEDIT_FLAGS] = NST_ACT_PUT(NULL, 8, tell_skbedit_flags),
	[TCA_SKBEDIT_QUEUE_MAPPING_MAX] =
		NST_TC_FIELD("queue_mapping_max", UINT, 2),
};

const struct nst_tc_kind nst_tc_act_skbedit = {
	NST_TC_TABLE("skbedit", skbedit_fields),
	.parms = TCA_SKBEDIT_PARMS,
	.times = TCA_SKBEDIT_TM,
	.tail = nst_tc_act_tail,
};

/* ---- skbmod ---- */

/* What has an attribute of its own is told by that. */
#define SKBMOD_TOLD (SKBMOD_F_DMAC | SKBMOD_F_SMAC | SKBMOD_F_ETYPE)

static int tell_skbmod_flags(struct nst_tc_walk *walk,
			     const struct nst_tc_field *field,
			     const struct nlattr *attr)
{
	/* SKBMOD_F_* */
	static const struct nst_tc_word words[] = { { 3, "swap_mac" },
						    { 4, "ecn" },
						    NST_TC_WORDS_END };
	struct tc_skbmod mod;

	(void)field;
	if (!nst_tc_act_copy(&mod, sizeof(mod), attr))
		return 0;
	return nst_tc_tell_flags(walk, mod.flags & ~(uint64_t)SKBMOD_TOLD,
				 words);
}

static const struct nst_tc_field skbmod_fields[] = {
	[TCA_SKBMOD_TM] = NST_TC_NOT_TOLD,
	[TCA_SKBMOD_PARMS] =
		NST_ACT_PUT(NULL, sizeof(struct tc_skbmod), tell_skbmod_flags),
	[TCA_SKBMOD_DMAC] = NST_TC_FIELD("dmac", MAC, 6),
	[TCA_SKBMOD_SMAC] = NST_TC_FIELD("smac", MAC, 6),
	/* In the kernel's byte order, unlike others [tcf_skbmod_dump]. */
	[TCA_SKBMOD_ETYPE] = NST_TC_FIELD("etype", HEX, 2),
	[TCA_SKBMOD_PAD] = NST_TC_NOT_TOLD,
};

const struct nst_tc_kind nst_tc_act_skbmod = {
	NST_TC_TABLE("skbmod", skbmod_fields),
	.parms = TCA_SKBMOD_PARMS,
	.times = TCA_SKBMOD_TM,
	.tail = nst_tc_act_tail,
};
