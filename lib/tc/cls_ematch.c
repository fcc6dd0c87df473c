/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Extended matches, of basic, flow and cgroup: how they hang together is told,
 * what each compares is told as the bytes it is [tcf_em_tree_dump].
 */
#include <linux/pkt_cls.h>
#include <string.h>

#include "tc/cls.h"

static const struct nst_tc_word kind_words[] = {
	{ TCF_EM_CONTAINER, "container" },
	{ TCF_EM_CMP, "cmp" },
	{ TCF_EM_NBYTE, "nbyte" },
	{ TCF_EM_U32, "u32" },
	{ TCF_EM_META, "meta" },
	{ TCF_EM_TEXT, "text" },
	{ TCF_EM_VLAN, "vlan" },
	{ TCF_EM_CANID, "canid" },
	{ TCF_EM_IPSET, "ipset" },
	{ TCF_EM_IPT, "ipt" },
	NST_TC_WORDS_END,
};

/* To the next one; the last one has none. */
static const struct nst_tc_word relation_words[] = {
	{ TCF_EM_REL_AND, "and" },
	{ TCF_EM_REL_OR, "or" },
	NST_TC_WORDS_END,
};

static const struct nst_tc_word flag_words[] = {
	{ 2, "not" },	 /* TCF_EM_INVERT */
	{ 3, "simple" }, /* TCF_EM_SIMPLE */
	NST_TC_WORDS_END,
};

static int tell_match(struct nst_tc_walk *walk, const struct nlattr *attr)
{
	struct tcf_ematch_hdr hdr;
	unsigned int relation;
	const void *data;
	size_t len;
	int ret;

	if (!nst_tc_payload(attr, sizeof(hdr), &data, &len))
		return nst_tc_tell_unknown(walk, attr);
	memcpy(&hdr, data, sizeof(hdr));
	relation = hdr.flags & TCF_EM_REL_MASK;
	ret = nst_tc_tell_uint(walk, "kind", hdr.kind, kind_words);
	if (!ret && hdr.matchid)
		ret = nst_tc_tell_uint(walk, "matchid", hdr.matchid, NULL);
	ret = ret ? ret
		  : nst_tc_tell_flags(walk,
				      hdr.flags ^ relation, flag_words);
	ret = ret ? ret
		  : nst_tc_tell_bytes(walk, "payload",
				      (const unsigned char *)data + sizeof(hdr),
				      len - sizeof(hdr));
	if (!ret && relation)
		ret = nst_tc_tell_uint(walk, "relation", relation,
				       relation_words);
	return ret;
}

int nst_tc_put_ematch(struct nst_tc_walk *walk,
		      const struct nst_tc_field *field,
		      const struct nlattr *attr)
{
	const struct nlattr *tb[TCA_EMATCH_TREE_MAX + 1], *match;
	struct nst_tc_attrs list = { 0 };
	const void *data;
	int ret;

	nst_nla_parse_nested(attr, tb, TCA_EMATCH_TREE_MAX);
	if (!nst_tc_payload(tb[TCA_EMATCH_TREE_LIST], 0, &data, &list.len))
		return nst_tc_tell_unknown(walk, attr);
	/* A filter without any has the tree all the same. */
	if (!list.len)
		return 0;
	list.pos = data;
	ret = nst_tc_tell_open(walk, field->name, NSTEER_TC_ARRAY);
	while (!ret && (match = nst_tc_attr_next(&list))) {
		ret = nst_tc_tell_open(walk, NULL, NSTEER_TC_OBJECT);
		ret = ret ? ret : tell_match(walk, match);
		ret = ret ? ret : nst_tc_tell_end(walk);
	}
	return ret ? ret : nst_tc_tell_end(walk);
}
