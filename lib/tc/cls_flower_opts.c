/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The nests of flower: tunnel options and stacks of MPLS labels. */
#include <linux/pkt_cls.h>

#include "tc/cls.h"
#include "tc/uapi.h"

/* ---- tunnel options ---- */

static int put_numbers(struct nst_tc_walk *walk,
		       const struct nst_tc_field *field,
		       const struct nlattr *attr)
{
	const void *data = NULL;
	const unsigned char *p;
	size_t len = 0;
	int ret;

	nst_tc_payload(attr, 0, &data, &len);
	ret = nst_tc_tell_open(walk, field->name, NSTEER_TC_ARRAY);
	for (p = data; !ret && len--; p++)
		ret = nst_tc_tell_uint(walk, NULL, *p, NULL);
	return ret ? ret : nst_tc_tell_end(walk);
}

static const struct nst_tc_field geneve_fields[] = {
	[TCA_FLOWER_KEY_ENC_OPT_GENEVE_CLASS] =
		NST_TC_FIELD("class", UINT, 2, NST_TC_BE),
	[TCA_FLOWER_KEY_ENC_OPT_GENEVE_TYPE] =
		NST_TC_FIELD("opt_type", UINT, 1),
	[TCA_FLOWER_KEY_ENC_OPT_GENEVE_DATA] =
		NST_TC_FIELD("data", ARRAY, 0, .put = put_numbers),
};

static const struct nst_tc_field vxlan_fields[] = {
	[TCA_FLOWER_KEY_ENC_OPT_VXLAN_GBP] = NST_TC_FIELD("gbp", UINT, 4),
};

static const struct nst_tc_field erspan_fields[] = {
	[TCA_FLOWER_KEY_ENC_OPT_ERSPAN_VER] = NST_TC_FIELD("ver", UINT, 1),
	[TCA_FLOWER_KEY_ENC_OPT_ERSPAN_INDEX] =
		NST_TC_FIELD("index", UINT, 4, NST_TC_BE),
	[TCA_FLOWER_KEY_ENC_OPT_ERSPAN_DIR] = NST_TC_FIELD("dir", UINT, 1),
	[TCA_FLOWER_KEY_ENC_OPT_ERSPAN_HWID] = NST_TC_FIELD("hwid", UINT, 1),
};

static const struct nst_tc_field gtp_fields[] = {
	[TCA_FLOWER_KEY_ENC_OPT_GTP_PDU_TYPE] =
		NST_TC_FIELD("pdu_type", UINT, 1),
	[TCA_FLOWER_KEY_ENC_OPT_GTP_QFI] = NST_TC_FIELD("qfi", UINT, 1),
};

static const struct nst_tc_field pfcp_fields[] = {
	[NST_FLOWER_KEY_ENC_OPT_PFCP_TYPE] = NST_TC_FIELD("opt_type", UINT, 1),
	[NST_FLOWER_KEY_ENC_OPT_PFCP_SEID] =
		NST_TC_FIELD("seid", HEX, 8, NST_TC_BE),
};

/* An unnamed object of a table by attribute number. */
static int tell_object(struct nst_tc_walk *walk,
		       const struct nst_tc_field *fields, uint16_t n_fields,
		       const void *data, size_t len)
{
	int ret = nst_tc_tell_open(walk, NULL, NSTEER_TC_OBJECT);

	ret = ret ? ret
		  : nst_tc_tell_attrs(walk, fields, n_fields - 1, data, len);
	return ret ? ret : nst_tc_tell_end(walk);
}

/* A tunnel that has one option at most. */
static int put_opt(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		   const struct nlattr *attr)
{
	const void *data = NULL;
	size_t len = 0;
	int ret;

	nst_tc_payload(attr, 0, &data, &len);
	ret = nst_tc_tell_open(walk, field->name, NSTEER_TC_ARRAY);
	ret = ret ? ret
		  : tell_object(walk, field->members, field->n_members, data,
				len);
	return ret ? ret : nst_tc_tell_end(walk);
}

/*
 * geneve has many, their attributes one after the other with nothing around
 * each option: one begins with its class [fl_dump_key_geneve_opt], and at the
 * latest where an attribute comes again.
 */
static int put_opts(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		    const struct nlattr *attr)
{
	struct nst_tc_attrs attrs = { 0 };
	const unsigned char *begin;
	const void *data = NULL;
	uint64_t seen = 0;
	int ret;

	nst_tc_payload(attr, 0, &data, &attrs.len);
	begin = attrs.pos = data;
	ret = nst_tc_tell_open(walk, field->name, NSTEER_TC_ARRAY);
	while (!ret) {
		const unsigned char *pos = attrs.pos;
		const struct nlattr *a = nst_tc_attr_next(&attrs);
		uint16_t type = a ? a->nla_type & NLA_TYPE_MASK : 0;
		uint64_t bit = type < 64 ? 1ULL << type : 0;

		if (pos != begin &&
		    (!a || (seen & bit) ||
		     type == TCA_FLOWER_KEY_ENC_OPT_GENEVE_CLASS)) {
			ret = tell_object(walk, field->members,
					  field->n_members, begin,
					  (size_t)(pos - begin));
			begin = pos;
			seen = 0;
		}
		if (!a)
			break;
		seen |= bit;
	}
	return ret ? ret : nst_tc_tell_end(walk);
}

#define OPTION(_name, _table, _put)                                            \
	NST_TC_FIELD(_name, ARRAY, 0, .members = (_table),                     \
		     .n_members = NST_TC_COUNT(_table), .put = (_put))

/* clang-format off */
#define OPTIONS(_what)							\
	[TCA_FLOWER_KEY_ENC_OPTS_GENEVE] =				\
		OPTION("geneve_opt_" _what, geneve_fields, put_opts),	\
	[TCA_FLOWER_KEY_ENC_OPTS_VXLAN] =				\
		OPTION("vxlan_opt_" _what, vxlan_fields, put_opt),	\
	[TCA_FLOWER_KEY_ENC_OPTS_ERSPAN] =				\
		OPTION("erspan_opt_" _what, erspan_fields, put_opt),	\
	[TCA_FLOWER_KEY_ENC_OPTS_GTP] =					\
		OPTION("gtp_opt_" _what, gtp_fields, put_opt),		\
	[NST_FLOWER_KEY_ENC_OPTS_PFCP] =				\
		OPTION("pfcp_opt_" _what, pfcp_fields, put_opt)
/* clang-format on */

const struct nst_tc_field nst_tc_enc_key[NST_TC_ENC_OPTS] = { OPTIONS("key") };
const struct nst_tc_field nst_tc_enc_mask[NST_TC_ENC_OPTS] = {
	OPTIONS("mask")
};

/* ---- MPLS ---- */

static const struct nst_tc_field lse_fields[] = {
	[TCA_FLOWER_KEY_MPLS_OPT_LSE_DEPTH] = NST_TC_FIELD("depth", UINT, 1),
	[TCA_FLOWER_KEY_MPLS_OPT_LSE_TTL] = NST_TC_FIELD("ttl", UINT, 1),
	[TCA_FLOWER_KEY_MPLS_OPT_LSE_BOS] = NST_TC_FIELD("bos", UINT, 1),
	[TCA_FLOWER_KEY_MPLS_OPT_LSE_TC] = NST_TC_FIELD("tc", UINT, 1),
	[TCA_FLOWER_KEY_MPLS_OPT_LSE_LABEL] = NST_TC_FIELD("label", UINT, 4),
};

static const struct nst_tc_field lse_field = {
	.members = lse_fields,
	.n_members = NST_TC_COUNT(lse_fields),
};

int nst_tc_put_mpls(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		    const struct nlattr *attr)
{
	struct nst_tc_attrs attrs = { 0 };
	const struct nlattr *lse;
	const void *data = NULL;
	int ret;

	nst_tc_payload(attr, 0, &data, &attrs.len);
	attrs.pos = data;
	ret = nst_tc_tell_open(walk, field->name, NSTEER_TC_ARRAY);
	while (!ret && (lse = nst_tc_attr_next(&attrs))) {
		bool known = (lse->nla_type & NLA_TYPE_MASK) ==
			     TCA_FLOWER_KEY_MPLS_OPTS_LSE;

		ret = nst_tc_tell_open(walk, NULL, NSTEER_TC_OBJECT);
		if (!ret)
			ret = known ? nst_tc_put_nest(walk, &lse_field, lse)
				    : nst_tc_tell_unknown(walk, lse);
		ret = ret ? ret : nst_tc_tell_end(walk);
	}
	return ret ? ret : nst_tc_tell_end(walk);
}
