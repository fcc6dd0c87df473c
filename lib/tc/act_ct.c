/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Actions of connection tracking: ct, connmark, ctinfo. */
#include <sys/socket.h>

#include <linux/tc_act/tc_connmark.h>
#include <linux/tc_act/tc_ct.h>
#include <linux/tc_act/tc_ctinfo.h>

#include "tc/act.h"

/* ---- ct ---- */

/* Since Linux 6.2. */
enum {
	CT_HELPER_NAME = 16,
	CT_HELPER_FAMILY = 17,
	CT_HELPER_PROTO = 18,
};

#define CT_DOES (TCA_CT_ACT_COMMIT | TCA_CT_ACT_FORCE | TCA_CT_ACT_CLEAR)
#define CT_NAT_TYPE (TCA_CT_ACT_NAT_SRC | TCA_CT_ACT_NAT_DST)

static int tell_ct_action(struct nst_tc_walk *walk,
			  const struct nst_tc_field *field,
			  const struct nlattr *attr)
{
	static const struct nst_tc_word words[] = {
		{ TCA_CT_ACT_COMMIT, "commit" },
		{ TCA_CT_ACT_COMMIT | TCA_CT_ACT_FORCE, "commit force" },
		{ TCA_CT_ACT_CLEAR, "clear" },
		NST_TC_WORDS_END,
	};
	uint16_t action;

	if (!nst_tc_act_copy(&action, sizeof(action), attr) ||
	    !(action & CT_DOES))
		return 0;
	return nst_tc_tell_uint(walk, field->name, action & CT_DOES, words);
}

/* From and, where it is another one, to. */
struct ct_range {
	uint16_t min;
	uint16_t max;
	enum nsteer_tc_type type;
	const char *min_name;
	const char *max_name;
};

static const struct ct_range ct_ranges[] = {
	{ TCA_CT_NAT_IPV4_MIN, TCA_CT_NAT_IPV4_MAX, NSTEER_TC_IPV4, "addr",
	  "addr_max" },
	{ TCA_CT_NAT_IPV6_MIN, TCA_CT_NAT_IPV6_MAX, NSTEER_TC_IPV6, "addr",
	  "addr_max" },
	{ TCA_CT_NAT_PORT_MIN, TCA_CT_NAT_PORT_MAX, NSTEER_TC_UINT, "port",
	  "port_max" },
};

static int tell_ct_end(struct nst_tc_walk *walk, const char *name,
		       enum nsteer_tc_type type, const struct nlattr *attr)
{
	struct nsteer_tc_value v = { .name = name, .type = type };
	const unsigned char *port;

	nst_tc_payload(attr, 0, &v.data, &v.len);
	if (type == NSTEER_TC_UINT) {
		port = v.data;
		v.u64 = (uint64_t)port[0] << 8 | port[1];
	}
	return nst_tc_tell(walk, &v);
}

/* An end that is not told here was told as unknown: see its field's len. */
static int tell_ct_range(struct nst_tc_walk *walk, const struct ct_range *r)
{
	const struct nlattr *min = walk->tb[r->min], *max = walk->tb[r->max];
	uint16_t len = nst_tc_act_ct.fields[r->min].len;
	bool has_min = min && min->nla_len == NLA_HDRLEN + len;
	bool has_max = max && max->nla_len == NLA_HDRLEN + len;
	int ret = 0;

	if (has_min)
		ret = tell_ct_end(walk, r->min_name, r->type, min);
	/* One that is the same differs in nothing but its type. */
	if (ret || !has_max || (has_min && !memcmp(min + 1, max + 1, len)))
		return ret;
	return tell_ct_end(walk, r->max_name, r->type, max);
}

/* With neither source nor destination: as the connection has it. */
static int tell_ct_nat(struct nst_tc_walk *walk)
{
	static const struct nst_tc_word types[] = {
		{ TCA_CT_ACT_NAT_SRC, "src" },
		{ TCA_CT_ACT_NAT_DST, "dst" },
		NST_TC_WORDS_END,
	};
	uint16_t action = 0;
	size_t i;
	int ret;

	nst_tc_act_copy(&action, sizeof(action), walk->tb[TCA_CT_ACTION]);
	if (!(action & TCA_CT_ACT_NAT))
		return 0;
	ret = nst_tc_tell_open(walk, "nat", NSTEER_TC_OBJECT);
	if (!ret && (action & CT_NAT_TYPE))
		ret = nst_tc_tell_uint(walk, "type", action & CT_NAT_TYPE,
				       types);
	for (i = 0; i < NST_TC_COUNT(ct_ranges) && !ret; i++)
		ret = tell_ct_range(walk, &ct_ranges[i]);
	return ret ? ret : nst_tc_tell_end(walk);
}

static int ct_tail(struct nst_tc_walk *walk, const struct nst_tc_kind *kind)
{
	int ret = tell_ct_nat(walk);

	return ret ? ret : nst_tc_act_tail(walk, kind);
}

static const struct nst_tc_word families[] = { { AF_INET, "ipv4" },
					       { AF_INET6, "ipv6" },
					       NST_TC_WORDS_END };

/* The tail's, if it has the right length. */
#define CT_LATER(_len)                                                         \
	NST_TC_FIELD(NULL, BYTES, _len, .put = nst_tc_act_told_later)

static const struct nst_tc_field ct_fields[] = {
	[TCA_CT_PARMS] = NST_ACT_PARMS(struct tc_ct),
	[TCA_CT_TM] = NST_TC_NOT_TOLD,
	[TCA_CT_ACTION] =
		NST_TC_FIELD("action", UINT, 2, .put = tell_ct_action),
	[TCA_CT_ZONE] = NST_TC_FIELD("zone", UINT, 2),
	[TCA_CT_MARK] = NST_TC_FIELD("mark", UINT, 4, .mask = TCA_CT_MARK_MASK),
	[TCA_CT_MARK_MASK] = { .known = NST_TC_MASK, .mask = TCA_CT_MARK },
	[TCA_CT_LABELS] =
		NST_TC_FIELD("ct_label", BYTES, 0, .mask = TCA_CT_LABELS_MASK),
	[TCA_CT_LABELS_MASK] = { .known = NST_TC_MASK, .mask = TCA_CT_LABELS },
	[TCA_CT_NAT_IPV4_MIN] = CT_LATER(4),
	[TCA_CT_NAT_IPV4_MAX] = CT_LATER(4),
	[TCA_CT_NAT_IPV6_MIN] = CT_LATER(16),
	[TCA_CT_NAT_IPV6_MAX] = CT_LATER(16),
	[TCA_CT_NAT_PORT_MIN] = CT_LATER(2),
	[TCA_CT_NAT_PORT_MAX] = CT_LATER(2),
	[TCA_CT_PAD] = NST_TC_NOT_TOLD,
	[CT_HELPER_NAME] = NST_TC_FIELD("helper", STRING, 0),
	[CT_HELPER_FAMILY] =
		NST_TC_FIELD("helper_family", UINT, 1, .words = families),
	[CT_HELPER_PROTO] = NST_TC_FIELD("helper_protocol", UINT, 1,
					 .words = nst_tc_word_ip_proto),
};

const struct nst_tc_kind nst_tc_act_ct = {
	NST_TC_TABLE("ct", ct_fields),
	.parms = TCA_CT_PARMS,
	.times = TCA_CT_TM,
	.tail = ct_tail,
};

/* ---- connmark ---- */

static const struct nst_tc_field connmark_members[] = {
	NST_ACT_MEMBER(struct tc_connmark, zone, "zone", UINT),
};

static const struct nst_tc_field connmark_fields[] = {
	[TCA_CONNMARK_PARMS] =
		NST_ACT_PARMS_MEMBERS(struct tc_connmark, connmark_members),
	[TCA_CONNMARK_TM] = NST_TC_NOT_TOLD,
	[TCA_CONNMARK_PAD] = NST_TC_NOT_TOLD,
};

const struct nst_tc_kind nst_tc_act_connmark = {
	NST_TC_TABLE("connmark", connmark_fields),
	.parms = TCA_CONNMARK_PARMS,
	.times = TCA_CONNMARK_TM,
	.tail = nst_tc_act_tail,
};

/* ---- ctinfo ---- */

#define COUNTER(_name) NST_TC_FIELD(_name, UINT, 8, .counter = 1)

static const struct nst_tc_field ctinfo_fields[] = {
	[TCA_CTINFO_PAD] = NST_TC_NOT_TOLD,
	[TCA_CTINFO_TM] = NST_TC_NOT_TOLD,
	[TCA_CTINFO_ACT] = NST_ACT_PARMS(struct tc_ctinfo),
	[TCA_CTINFO_ZONE] = NST_TC_FIELD("zone", UINT, 2),
	[TCA_CTINFO_PARMS_DSCP_MASK] = NST_TC_FIELD("dscpmask", HEX, 4),
	[TCA_CTINFO_PARMS_DSCP_STATEMASK] =
		NST_TC_FIELD("dscpstatemask", HEX, 4),
	[TCA_CTINFO_PARMS_CPMARK_MASK] = NST_TC_FIELD("cpmark", HEX, 4),
	[TCA_CTINFO_STATS_DSCP_SET] = COUNTER("dscpset"),
	[TCA_CTINFO_STATS_DSCP_ERROR] = COUNTER("dscperror"),
	[TCA_CTINFO_STATS_CPMARK_SET] = COUNTER("cpmarkset"),
};

const struct nst_tc_kind nst_tc_act_ctinfo = {
	NST_TC_TABLE("ctinfo", ctinfo_fields),
	.parms = TCA_CTINFO_ACT,
	.times = TCA_CTINFO_TM,
	.tail = nst_tc_act_tail,
};
