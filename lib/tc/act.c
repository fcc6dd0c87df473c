/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Actions: which there are, what all have in common, and the short ones. */
#include <asm/param.h>
#include <linux/tc_act/tc_csum.h>
#include <linux/tc_act/tc_defact.h>
#include <linux/tc_act/tc_gact.h>
#include <linux/tc_act/tc_mirred.h>
#include <linux/tc_act/tc_nat.h>
#include <linux/tc_act/tc_sample.h>

#include "tc/act.h"

/* ---- values ---- */

int nst_tc_act_flag(struct nst_tc_walk *walk, const char *name)
{
	return nst_tc_tell_open(walk, name, NSTEER_TC_FLAG);
}

int nst_tc_act_sint(struct nst_tc_walk *walk, const char *name, int64_t n)
{
	const struct nsteer_tc_value v = { .name = name,
					   .type = NSTEER_TC_SINT,
					   .u64 = (uint64_t)n };

	return nst_tc_tell(walk, &v);
}

int nst_tc_act_hex(struct nst_tc_walk *walk, const char *name, uint64_t n)
{
	const struct nsteer_tc_value v = { .name = name,
					   .type = NSTEER_TC_HEX,
					   .u64 = n };

	return nst_tc_tell(walk, &v);
}

int nst_tc_act_told_later(struct nst_tc_walk *walk,
			  const struct nst_tc_field *field,
			  const struct nlattr *attr)
{
	(void)walk;
	(void)field;
	(void)attr;
	return 0;
}

/* ---- what all have in common ---- */

static const struct nst_tc_word extended[] = { { TC_ACT_JUMP, "jump" },
					       { TC_ACT_GOTO_CHAIN, "goto" },
					       NST_TC_WORDS_END };

int nst_tc_act_control(struct nst_tc_walk *walk, const char *name,
		       uint32_t action)
{
	struct nsteer_tc_value type = { .name = "type",
					.type = NSTEER_TC_SINT,
					.u64 = (uint64_t)(int32_t)action,
					.words = nst_tc_word_action };
	const char *arg = NULL;
	int ret;

	if (TC_ACT_EXT_CMP(action, TC_ACT_GOTO_CHAIN))
		arg = "chain";
	else if (TC_ACT_EXT_CMP(action, TC_ACT_JUMP))
		arg = "jump";
	if (arg) {
		type.u64 = TC_ACT_EXT_OPCODE(action);
		type.words = extended;
	}
	ret = nst_tc_tell_open(walk, name, NSTEER_TC_OBJECT);
	ret = ret ? ret : nst_tc_tell(walk, &type);
	if (!ret && arg)
		ret = nst_tc_tell_uint(walk, arg, action & TC_ACT_EXT_VAL_MASK,
				       NULL);
	return ret ? ret : nst_tc_tell_end(walk);
}

int nst_tc_act_refs(struct nst_tc_walk *walk, int32_t ref, int32_t bind)
{
	int ret = nst_tc_act_sint(walk, "ref", ref);

	return ret ? ret : nst_tc_act_sint(walk, "bind", bind);
}

/*
 * Seconds ago. What was never used was "last used" when it was made, give or
 * take a tick between two looks at the clock; and the hardware's use does not
 * set firstuse [tcf_idr_create, tcf_tm_dump, tcf_lastuse_update].
 */
int nst_tc_act_times(struct nst_tc_walk *walk, const struct nlattr *attr)
{
	struct tcf_t t = { 0 };
	int ret;

	if (!attr)
		return 0;
	/* Before Linux 4.8 it ends there. */
	if (!nst_tc_act_copy(&t, sizeof(t), attr) &&
	    !nst_tc_act_copy(&t, offsetof(struct tcf_t, firstuse), attr))
		return nst_tc_tell_unknown(walk, attr);
	ret = nst_tc_tell_counter(walk, "installed", t.install / HZ);
	if (!ret && (t.firstuse || t.lastuse + 1 < t.install))
		ret = nst_tc_tell_counter(walk, "last_used", t.lastuse / HZ);
	if (!ret && t.firstuse)
		ret = nst_tc_tell_counter(walk, "first_used", t.firstuse / HZ);
	if (!ret && t.expires)
		ret = nst_tc_tell_counter(walk, "expires", t.expires / HZ);
	return ret;
}

/* A structure that is too short for its kind was told as unknown. */
int nst_tc_act_tail(struct nst_tc_walk *walk, const struct nst_tc_kind *kind)
{
	uint16_t at = kind->parms;
	struct tc_gact gen;
	const void *data;
	size_t len;
	int ret = 0;

	if (!walk->tb[at] && kind->parms_alt)
		at = kind->parms_alt;
	if (nst_tc_payload(walk->tb[at], kind->fields[at].width, &data, &len) &&
	    len >= sizeof(gen)) {
		memcpy(&gen, data, sizeof(gen));
		ret = nst_tc_act_control(walk, "control_action",
					 (uint32_t)gen.action);
		ret = ret ? ret
			  : nst_tc_act_refs(walk, gen.refcnt, gen.bindcnt);
	}
	return ret ? ret : nst_tc_act_times(walk, walk->tb[kind->times]);
}

/* ---- gact ---- */

static const struct nst_tc_word prob_words[] = { { PGACT_NONE, "none" },
						 { PGACT_NETRAND, "netrand" },
						 { PGACT_DETERM, "determ" },
						 NST_TC_WORDS_END };

static int tell_prob(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		     const struct nlattr *attr)
{
	struct tc_gact_p prob;
	int ret;

	if (!nst_tc_act_copy(&prob, sizeof(prob), attr))
		return 0;
	ret = nst_tc_tell_open(walk, field->name, NSTEER_TC_OBJECT);
	ret = ret ? ret
		  : nst_tc_tell_uint(walk, "random_type", prob.ptype,
				     prob_words);
	ret = ret ? ret
		  : nst_tc_act_control(walk, "control_action",
				       (uint32_t)prob.paction);
	ret = ret ? ret : nst_tc_tell_uint(walk, "val", prob.pval, NULL);
	return ret ? ret : nst_tc_tell_end(walk);
}

static const struct nst_tc_field gact_fields[] = {
	[TCA_GACT_TM] = NST_TC_NOT_TOLD,
	[TCA_GACT_PARMS] = NST_ACT_PARMS(struct tc_gact),
	[TCA_GACT_PROB] =
		NST_ACT_PUT("prob", sizeof(struct tc_gact_p), tell_prob),
	[TCA_GACT_PAD] = NST_TC_NOT_TOLD,
};

static const struct nst_tc_kind gact = {
	NST_TC_TABLE("gact", gact_fields),
	.parms = TCA_GACT_PARMS,
	.times = TCA_GACT_TM,
	.tail = nst_tc_act_tail,
};

/* ---- mirred ---- */

/* Since Linux 6.8. */
enum { MIRRED_BLOCKID = 4 };

static const struct nst_tc_word mirred_actions[] = {
	{ TCA_EGRESS_REDIR, "redirect" },
	{ TCA_EGRESS_MIRROR, "mirror" },
	{ TCA_INGRESS_REDIR, "redirect" },
	{ TCA_INGRESS_MIRROR, "mirror" },
	NST_TC_WORDS_END,
};

static const struct nst_tc_word mirred_directions[] = {
	{ TCA_EGRESS_REDIR, "egress" },
	{ TCA_EGRESS_MIRROR, "egress" },
	{ TCA_INGRESS_REDIR, "ingress" },
	{ TCA_INGRESS_MIRROR, "ingress" },
	NST_TC_WORDS_END,
};

/* 0: the device is gone, or it is a block. */
static int tell_to_dev(struct nst_tc_walk *walk,
		       const struct nst_tc_field *field,
		       const struct nlattr *attr)
{
	struct nsteer_tc_value v = { .name = field->name, .type = field->type };
	struct tc_mirred m;

	if (!nst_tc_act_copy(&m, sizeof(m), attr) ||
	    (!m.ifindex && walk->tb[MIRRED_BLOCKID]))
		return 0;
	v.u64 = m.ifindex;
	return nst_tc_tell(walk, &v);
}

static const struct nst_tc_field mirred_members[] = {
	NST_ACT_MEMBER(struct tc_mirred, eaction, "direction", UINT,
		       .words = mirred_directions),
	NST_ACT_MEMBER(struct tc_mirred, eaction, "mirred_action", UINT,
		       .words = mirred_actions),
	NST_ACT_MEMBER(struct tc_mirred, ifindex, "to_dev", IFINDEX,
		       .put = tell_to_dev),
};

static const struct nst_tc_field mirred_fields[] = {
	[TCA_MIRRED_TM] = NST_TC_NOT_TOLD,
	[TCA_MIRRED_PARMS] =
		NST_ACT_PARMS_MEMBERS(struct tc_mirred, mirred_members),
	[TCA_MIRRED_PAD] = NST_TC_NOT_TOLD,
	[MIRRED_BLOCKID] = NST_TC_FIELD("to_blockid", UINT, 4),
};

static const struct nst_tc_kind mirred = {
	NST_TC_TABLE("mirred", mirred_fields),
	.parms = TCA_MIRRED_PARMS,
	.times = TCA_MIRRED_TM,
	.tail = nst_tc_act_tail,
};

/* ---- csum ---- */

/* TCA_CSUM_UPDATE_FLAG_* */
static const struct nst_tc_word csum_bits[] = {
	{ 0, "iph" }, { 1, "icmp" },	{ 2, "igmp" }, { 3, "tcp" },
	{ 4, "udp" }, { 5, "udplite" }, { 6, "sctp" }, NST_TC_WORDS_END
};

static const struct nst_tc_field csum_members[] = {
	NST_ACT_MEMBER(struct tc_csum, update_flags, "csum_update", BITS,
		       .words = csum_bits),
};

static const struct nst_tc_field csum_fields[] = {
	[TCA_CSUM_PARMS] = NST_ACT_PARMS_MEMBERS(struct tc_csum, csum_members),
	[TCA_CSUM_TM] = NST_TC_NOT_TOLD,
	[TCA_CSUM_PAD] = NST_TC_NOT_TOLD,
};

static const struct nst_tc_kind csum = {
	NST_TC_TABLE("csum", csum_fields),
	.parms = TCA_CSUM_PARMS,
	.times = TCA_CSUM_TM,
	.tail = nst_tc_act_tail,
};

/* ---- nat ---- */

static const struct nst_tc_word nat_directions[] = {
	{ 0, "ingress" }, { TCA_NAT_FLAG_EGRESS, "egress" }, NST_TC_WORDS_END
};

/* The kernel keeps whatever bits it was given, and looks at this one. */
static int tell_nat_direction(struct nst_tc_walk *walk,
			      const struct nst_tc_field *field,
			      const struct nlattr *attr)
{
	struct tc_nat nat;

	if (!nst_tc_act_copy(&nat, sizeof(nat), attr))
		return 0;
	return nst_tc_tell_uint(walk, field->name,
				nat.flags & TCA_NAT_FLAG_EGRESS,
				nat_directions);
}

static const struct nst_tc_field nat_members[] = {
	NST_ACT_PUT("direction", 0, tell_nat_direction),
	NST_ACT_MEMBER(struct tc_nat, old_addr, "old_addr", IPV4,
		       .mask_offset = offsetof(struct tc_nat, mask)),
	NST_ACT_MEMBER(struct tc_nat, new_addr, "new_addr", IPV4),
};

static const struct nst_tc_field nat_fields[] = {
	[TCA_NAT_PARMS] = NST_ACT_PARMS_MEMBERS(struct tc_nat, nat_members),
	[TCA_NAT_TM] = NST_TC_NOT_TOLD,
	[TCA_NAT_PAD] = NST_TC_NOT_TOLD,
};

static const struct nst_tc_kind nat_kind = {
	NST_TC_TABLE("nat", nat_fields),
	.parms = TCA_NAT_PARMS,
	.times = TCA_NAT_TM,
	.tail = nst_tc_act_tail,
};

/* ---- sample ---- */

static const struct nst_tc_field sample_fields[] = {
	[TCA_SAMPLE_TM] = NST_TC_NOT_TOLD,
	[TCA_SAMPLE_PARMS] = NST_ACT_PARMS(struct tc_sample),
	[TCA_SAMPLE_RATE] = NST_TC_FIELD("rate", UINT, 4),
	[TCA_SAMPLE_TRUNC_SIZE] = NST_TC_FIELD("trunc_size", UINT, 4),
	[TCA_SAMPLE_PSAMPLE_GROUP] = NST_TC_FIELD("group", UINT, 4),
	[TCA_SAMPLE_PAD] = NST_TC_NOT_TOLD,
};

static const struct nst_tc_kind sample = {
	NST_TC_TABLE("sample", sample_fields),
	.parms = TCA_SAMPLE_PARMS,
	.times = TCA_SAMPLE_TM,
	.tail = nst_tc_act_tail,
};

/* ---- simple ---- */

static const struct nst_tc_field simple_fields[] = {
	[TCA_DEF_TM] = NST_TC_NOT_TOLD,
	[TCA_DEF_PARMS] = NST_ACT_PARMS(struct tc_defact),
	[TCA_DEF_DATA] = NST_TC_FIELD("sdata", STRING, 0),
	[TCA_DEF_PAD] = NST_TC_NOT_TOLD,
};

static const struct nst_tc_kind simple = {
	NST_TC_TABLE("simple", simple_fields),
	.parms = TCA_DEF_PARMS,
	.times = TCA_DEF_TM,
	.tail = nst_tc_act_tail,
};

/* ---- which there are ---- */

/* The usual ones first. */
static const struct nst_tc_kind *const all[] = {
	&mirred,
	&gact,
	&nst_tc_act_tunnel_key,
	&nst_tc_act_vlan,
	&nst_tc_act_pedit,
	&csum,
	&nst_tc_act_ct,
	&nst_tc_act_skbedit,
	&nst_tc_act_police,
	&nst_tc_act_bpf,
	&nst_tc_act_mpls,
	&sample,
	&nat_kind,
	&nst_tc_act_skbmod,
	&nst_tc_act_connmark,
	&nst_tc_act_ctinfo,
	&nst_tc_act_gate,
	&simple,
};

/* What Linux has or had besides, without a table. */
static const char *const others[] = { "ife", "ipt", "xt" };

const char *nst_tc_act_after(const char *name)
{
	const char *next = NULL, *try;
	size_t i;

	for (i = 0; i < NST_TC_COUNT(all) + NST_TC_COUNT(others); i++) {
		try = i < NST_TC_COUNT(all) ? all[i]->name :
					      others[i - NST_TC_COUNT(all)];
		if (strcmp(try, name) > 0 && (!next || strcmp(try, next) < 0))
			next = try;
	}
	return next;
}

const struct nst_tc_kind *nst_tc_act_find(const char *name)
{
	size_t i;

	for (i = 0; i < NST_TC_COUNT(all); i++)
		if (all[i]->name[0] == name[0] && !strcmp(all[i]->name, name))
			return all[i];
	return NULL;
}
