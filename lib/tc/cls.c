/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The classifiers; those with many keys have files of their own. */
#include <linux/filter.h>
#include <linux/pkt_cls.h>
#include <stddef.h>
#include <string.h>

#include "tc/cls.h"
#include "tc/uapi.h"

#define EMATCH NST_TC_FIELD("ematch", ARRAY, 0, .put = nst_tc_put_ematch)
#define POLICE NST_TC_FIELD("police", OBJECT, 0, .put = nst_tc_put_police)

/* Its number among the policers, which of an action is no value. */
static int tell_index(struct nst_tc_walk *walk, uint16_t parms,
		      const struct nlattr *nest)
{
	const struct nlattr *tb[NST_TC_ATTRS_MAX + 1];
	uint32_t index;

	nst_nla_parse_nested(nest, tb, NST_TC_ATTRS_MAX);
	if (parms > NST_TC_ATTRS_MAX || !nst_nla_u32(tb[parms], &index))
		return 0;
	return nst_tc_tell_uint(walk, "index", index, NULL);
}

/*
 * A policer from before there were actions, which the kernel still tells as it
 * was set [tcf_exts_dump, TCA_OLD_COMPAT].
 */
int nst_tc_put_police(struct nst_tc_walk *walk,
		      const struct nst_tc_field *field,
		      const struct nlattr *attr)
{
	const struct nst_tc_kind *police = nst_tc_act_find("police");
	int ret;

	if (!police)
		return nst_tc_tell_unknown(walk, attr);
	ret = nst_tc_tell_open(walk, field->name, NSTEER_TC_OBJECT);
	ret = ret ? ret : tell_index(walk, police->parms, attr);
	ret = ret ? ret : nst_tc_values(police, attr, walk->fn, walk->data);
	return ret ? ret : nst_tc_tell_end(walk);
}

/* ---- matchall ---- */

static const struct nst_tc_field matchall_fields[] = {
	[TCA_MATCHALL_CLASSID] = NST_TC_FIELD("flowid", CLASSID, 4),
	[TCA_MATCHALL_ACT] = NST_TC_NOT_TOLD,
	[TCA_MATCHALL_FLAGS] = NST_TC_NOT_TOLD,
	[TCA_MATCHALL_PCNT] = NST_TC_FIELD("rule_hit", UINT, 8, .counter = 1),
	[TCA_MATCHALL_PAD] = NST_TC_NOT_TOLD,
};

/* ---- bpf ---- */

static const struct nst_tc_word bpf_flag_words[] = {
	{ 0, "direct-action" }, /* TCA_BPF_FLAG_ACT_DIRECT */
	NST_TC_WORDS_END,
};

static int put_bpf_flags(struct nst_tc_walk *walk,
			 const struct nst_tc_field *field,
			 const struct nlattr *attr)
{
	uint32_t flags;

	if (!nst_nla_u32(attr, &flags))
		return nst_tc_tell_unknown(walk, attr);
	return nst_tc_tell_flags(walk, flags, field->words);
}

#define INSN(_member)                                                          \
	{                                                                      \
		.name = #_member, .type = NSTEER_TC_UINT,                      \
		.offset = offsetof(struct sock_filter, _member),               \
		.width = sizeof(((struct sock_filter *)0)->_member)            \
	}

static const struct nst_tc_field insn_members[] = {
	INSN(code),
	INSN(jt),
	INSN(jf),
	INSN(k),
};

static int tell_insns(struct nst_tc_walk *walk, const unsigned char *p,
		      size_t n)
{
	int ret = nst_tc_tell_open(walk, "insns", NSTEER_TC_ARRAY);

	for (; !ret && n--; p += sizeof(struct sock_filter)) {
		ret = nst_tc_tell_open(walk, NULL, NSTEER_TC_OBJECT);
		ret = ret ? ret
			  : nst_tc_tell_struct(walk, insn_members,
					       NST_TC_COUNT(insn_members), p,
					       sizeof(struct sock_filter));
		ret = ret ? ret : nst_tc_tell_end(walk);
	}
	return ret ? ret : nst_tc_tell_end(walk);
}

/* A classic program; how long it is another attribute says too. */
int nst_tc_put_bytecode(struct nst_tc_walk *walk,
			const struct nst_tc_field *field,
			const struct nlattr *attr)
{
	const void *data = NULL;
	size_t len = 0, n;
	int ret;

	nst_tc_payload(attr, 0, &data, &len);
	n = len / sizeof(struct sock_filter);
	if (len % sizeof(struct sock_filter))
		return nst_tc_tell_unknown(walk, attr);
	ret = nst_tc_tell_open(walk, field->name, NSTEER_TC_OBJECT);
	ret = ret ? ret : nst_tc_tell_uint(walk, "length", n, NULL);
	ret = ret ? ret : tell_insns(walk, data, n);
	return ret ? ret : nst_tc_tell_end(walk);
}

static int tell_tag(struct nst_tc_walk *walk, const struct nlattr *tag)
{
	const void *data;
	size_t len;

	if (!nst_tc_payload(tag, 0, &data, &len))
		return 0;
	return nst_tc_tell_bytes(walk, "tag", data, len);
}

/* The tag goes with the id; kernels before 4.13 have no id [TCA_BPF_ID]. */
static int put_prog(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		    const struct nlattr *attr)
{
	uint32_t id;
	int ret;

	if (!nst_nla_u32(attr, &id))
		return nst_tc_tell_unknown(walk, attr);
	ret = nst_tc_tell_open(walk, field->name, NSTEER_TC_OBJECT);
	ret = ret ? ret : nst_tc_tell_uint(walk, "id", id, NULL);
	ret = ret ? ret : tell_tag(walk, walk->tb[TCA_BPF_TAG]);
	return ret ? ret : nst_tc_tell_end(walk);
}

static int put_tag(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		   const struct nlattr *attr)
{
	uint32_t id;

	(void)field;
	if (nst_nla_u32(walk->tb[TCA_BPF_ID], &id))
		return 0;
	return tell_tag(walk, attr);
}

static const struct nst_tc_field bpf_fields[] = {
	[TCA_BPF_ACT] = NST_TC_NOT_TOLD,
	[TCA_BPF_POLICE] = POLICE,
	[TCA_BPF_CLASSID] = NST_TC_FIELD("flowid", CLASSID, 4),
	[TCA_BPF_OPS_LEN] = NST_TC_NOT_TOLD,
	[TCA_BPF_OPS] =
		NST_TC_FIELD("bytecode", OBJECT, 0, .put = nst_tc_put_bytecode),
	[TCA_BPF_NAME] = NST_TC_FIELD("bpf_name", STRING, 0),
	[TCA_BPF_FLAGS] = NST_TC_FIELD(NULL, BITS, 4, .words = bpf_flag_words,
				       .put = put_bpf_flags),
	[TCA_BPF_FLAGS_GEN] = NST_TC_NOT_TOLD,
	[TCA_BPF_TAG] = NST_TC_FIELD("tag", BYTES, 8, .put = put_tag),
	[TCA_BPF_ID] = NST_TC_FIELD("prog", OBJECT, 4, .put = put_prog),
};

/* ---- basic ---- */

static const struct nst_tc_field basic_pcnt_members[] = {
	{ .name = "rule_hit",
	  .type = NSTEER_TC_UINT,
	  .offset = offsetof(struct tc_basic_pcnt, rcnt),
	  .width = 8,
	  .counter = 1 },
	{ .name = "success",
	  .type = NSTEER_TC_UINT,
	  .offset = offsetof(struct tc_basic_pcnt, rhit),
	  .width = 8,
	  .counter = 1 },
};

static const struct nst_tc_field basic_fields[] = {
	[TCA_BASIC_CLASSID] = NST_TC_FIELD("flowid", CLASSID, 4),
	[TCA_BASIC_EMATCHES] = EMATCH,
	[TCA_BASIC_ACT] = NST_TC_NOT_TOLD,
	[TCA_BASIC_POLICE] = POLICE,
	[TCA_BASIC_PCNT] =
		NST_TC_FIELD(NULL, BYTES, sizeof(struct tc_basic_pcnt),
			     .members = basic_pcnt_members,
			     .n_members = NST_TC_COUNT(basic_pcnt_members)),
	[TCA_BASIC_PAD] = NST_TC_NOT_TOLD,
};

/* ---- fw, whose handle is the mark ---- */

static const struct nst_tc_field fw_fields[] = {
	[TCA_FW_CLASSID] = NST_TC_FIELD("classid", CLASSID, 4),
	[TCA_FW_POLICE] = POLICE,
	[TCA_FW_INDEV] = NST_TC_FIELD("indev", STRING, 0),
	[TCA_FW_ACT] = NST_TC_NOT_TOLD,
	[TCA_FW_MASK] = NST_TC_FIELD("mask", HEX, 4),
};

/* ---- flow ---- */

static const struct nst_tc_word flow_key_words[] = {
	{ FLOW_KEY_SRC, "src" },
	{ FLOW_KEY_DST, "dst" },
	{ FLOW_KEY_PROTO, "proto" },
	{ FLOW_KEY_PROTO_SRC, "proto-src" },
	{ FLOW_KEY_PROTO_DST, "proto-dst" },
	{ FLOW_KEY_IIF, "iif" },
	{ FLOW_KEY_PRIORITY, "priority" },
	{ FLOW_KEY_MARK, "mark" },
	{ FLOW_KEY_NFCT, "nfct" },
	{ FLOW_KEY_NFCT_SRC, "nfct-src" },
	{ FLOW_KEY_NFCT_DST, "nfct-dst" },
	{ FLOW_KEY_NFCT_PROTO_SRC, "nfct-proto-src" },
	{ FLOW_KEY_NFCT_PROTO_DST, "nfct-proto-dst" },
	{ FLOW_KEY_RTCLASSID, "rt-classid" },
	{ FLOW_KEY_SKUID, "sk-uid" },
	{ FLOW_KEY_SKGID, "sk-gid" },
	{ FLOW_KEY_VLAN_TAG, "vlan-tag" },
	{ FLOW_KEY_RXHASH, "rxhash" },
	NST_TC_WORDS_END,
};

static const struct nst_tc_word flow_mode_words[] = {
	{ FLOW_MODE_MAP, "map" },
	{ FLOW_MODE_HASH, "hash" },
	NST_TC_WORDS_END,
};

static const struct nst_tc_field flow_fields[] = {
	[TCA_FLOW_KEYS] =
		NST_TC_FIELD("flow_keys", BITS, 4, .words = flow_key_words),
	[TCA_FLOW_MODE] =
		NST_TC_FIELD("mode", UINT, 4, .words = flow_mode_words),
	[TCA_FLOW_BASECLASS] = NST_TC_FIELD("baseclass", CLASSID, 4),
	[TCA_FLOW_RSHIFT] = NST_TC_FIELD("rshift", UINT, 4),
	[TCA_FLOW_ADDEND] = NST_TC_FIELD("addend", HEX, 4),
	[TCA_FLOW_MASK] = NST_TC_FIELD("mask", HEX, 4),
	[TCA_FLOW_XOR] = NST_TC_FIELD("xor", HEX, 4),
	[TCA_FLOW_DIVISOR] = NST_TC_FIELD("divisor", UINT, 4),
	[TCA_FLOW_ACT] = NST_TC_NOT_TOLD,
	[TCA_FLOW_POLICE] = POLICE,
	[TCA_FLOW_EMATCHES] = EMATCH,
	[TCA_FLOW_PERTURB] = NST_TC_FIELD("perturb", UINT, 4),
};

/* ---- route ---- */

static const struct nst_tc_field route_fields[] = {
	[TCA_ROUTE4_CLASSID] = NST_TC_FIELD("flowid", CLASSID, 4),
	[TCA_ROUTE4_TO] = NST_TC_FIELD("to", UINT, 4),
	[TCA_ROUTE4_FROM] = NST_TC_FIELD("from", UINT, 4),
	[TCA_ROUTE4_IIF] = NST_TC_FIELD("fromif", IFINDEX, 4),
	[TCA_ROUTE4_POLICE] = POLICE,
	[TCA_ROUTE4_ACT] = NST_TC_NOT_TOLD,
};

/* ---- cgroup ---- */

static const struct nst_tc_field cgroup_fields[] = {
	[TCA_CGROUP_ACT] = NST_TC_NOT_TOLD,
	[TCA_CGROUP_POLICE] = POLICE,
	[TCA_CGROUP_EMATCHES] = EMATCH,
};

/* ---- tcindex ---- */

/* Either of two flags. */
static int put_fall_through(struct nst_tc_walk *walk,
			    const struct nst_tc_field *field,
			    const struct nlattr *attr)
{
	struct nsteer_tc_value v = { .type = NSTEER_TC_FLAG };
	uint32_t on;

	if (!nst_nla_u32(attr, &on))
		return nst_tc_tell_unknown(walk, attr);
	v.name = on ? field->name : "pass_on";
	return nst_tc_tell(walk, &v);
}

static const struct nst_tc_field tcindex_fields[] = {
	[NST_TCINDEX_HASH] = NST_TC_FIELD("hash", UINT, 4),
	[NST_TCINDEX_MASK] = NST_TC_FIELD("mask", HEX, 2),
	[NST_TCINDEX_SHIFT] = NST_TC_FIELD("shift", UINT, 4),
	[NST_TCINDEX_FALL_THROUGH] =
		NST_TC_FIELD("fall_through", FLAG, 4, .put = put_fall_through),
	[NST_TCINDEX_CLASSID] = NST_TC_FIELD("classid", CLASSID, 4),
	[NST_TCINDEX_POLICE] = POLICE,
	[NST_TCINDEX_ACT] = NST_TC_NOT_TOLD,
};

/* ---- all of them ---- */

#define KIND(_name, ...)                                                       \
	static const struct nst_tc_kind _name = {                              \
		NST_TC_TABLE(#_name, _name##_fields), __VA_ARGS__              \
	}

KIND(matchall, .act = TCA_MATCHALL_ACT, .flags = TCA_MATCHALL_FLAGS);
KIND(bpf, .act = TCA_BPF_ACT, .flags = TCA_BPF_FLAGS_GEN);
KIND(basic, .act = TCA_BASIC_ACT);
KIND(fw, .act = TCA_FW_ACT);
KIND(flow, .act = TCA_FLOW_ACT);
KIND(route, .act = TCA_ROUTE4_ACT);
KIND(cgroup, .act = TCA_CGROUP_ACT);
KIND(tcindex, .act = NST_TCINDEX_ACT);

static const struct nst_tc_kind *const kinds[] = {
	&nst_tc_cls_flower,
	&nst_tc_cls_u32,
	&matchall,
	&bpf,
	&basic,
	&fw,
	&flow,
	&route,
	&cgroup,
	&tcindex,
};

const struct nst_tc_kind *nst_tc_cls_find(const char *name)
{
	size_t i;

	for (i = 0; i < NST_TC_COUNT(kinds); i++)
		if (!strcmp(kinds[i]->name, name))
			return kinds[i];
	return NULL;
}
