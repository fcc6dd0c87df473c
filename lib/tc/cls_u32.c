/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * u32: a selector with its keys, 32 bits each in the packet's byte order. The
 * counters come as one block: of the filter, then of each key [tc_u32_pcnt].
 */
#include <arpa/inet.h>
#include <linux/pkt_cls.h>
#include <stddef.h>
#include <string.h>

#include "tc/cls.h"

static const struct nst_tc_word sel_words[] = {
	{ 0, "terminal" }, /* TC_U32_TERMINAL */
	{ 3, "eat" },	   /* TC_U32_EAT */
	NST_TC_WORDS_END,
};

#define MEMBER(_struct, _member, _name, _type, ...)                            \
	{                                                                      \
		.name = (_name), .type = NSTEER_TC_##_type,                    \
		.offset = offsetof(struct _struct, _member),                   \
		.width = sizeof(((struct _struct *)0)->_member), __VA_ARGS__   \
	}

static const struct nst_tc_field key_members[] = {
	MEMBER(tc_u32_key, val, "value", HEX, NST_TC_BE),
	MEMBER(tc_u32_key, mask, "mask", HEX, NST_TC_BE),
	/* What of the offset found by the selector is added; -1: all. */
	MEMBER(tc_u32_key, offmask, "offmask", HEX, .nonzero = 1),
	MEMBER(tc_u32_key, off, "off", SINT),
};

/* Where the next header begins: what is read there, shifted, and a constant. */
static const struct nst_tc_field var_offset_members[] = {
	MEMBER(tc_u32_sel, offmask, "offset_mask", HEX, NST_TC_BE),
	MEMBER(tc_u32_sel, offshift, "offset_shift", UINT),
	MEMBER(tc_u32_sel, offoff, "offset_off", SINT),
};

static const struct nst_tc_field offset_members[] = {
	MEMBER(tc_u32_sel, off, "plus", UINT),
};

static const struct nst_tc_field hash_members[] = {
	MEMBER(tc_u32_sel, hmask, "hash_mask", HEX, NST_TC_BE),
	MEMBER(tc_u32_sel, hoff, "hash_off", SINT),
};

#define STRUCT(_walk, _members, _data, _len)                                   \
	nst_tc_tell_struct(_walk, _members, NST_TC_COUNT(_members), _data, _len)

/* How often key n matched; false: not counted. */
static bool key_hits(const struct nst_tc_walk *walk, size_t n, uint64_t *hits)
{
	size_t off = offsetof(struct tc_u32_pcnt, kcnts) + n * sizeof(*hits);
	const void *data;
	size_t len;

	if (!nst_tc_payload(walk->tb[TCA_U32_PCNT], off + sizeof(*hits), &data,
			    &len))
		return false;
	memcpy(hits, (const unsigned char *)data + off, sizeof(*hits));
	return true;
}

static int tell_key(struct nst_tc_walk *walk, const void *key, size_t n)
{
	uint64_t hits;
	int ret;

	ret = nst_tc_tell_open(walk, NULL, NSTEER_TC_OBJECT);
	ret = ret ? ret
		  : STRUCT(walk, key_members, key, sizeof(struct tc_u32_key));
	if (!ret && key_hits(walk, n, &hits))
		ret = nst_tc_tell_counter(walk, "success", hits);
	return ret ? ret : nst_tc_tell_end(walk);
}

static int put_sel(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		   const struct nlattr *attr)
{
	const unsigned char *keys;
	struct tc_u32_sel sel;
	const void *data;
	size_t len, i;
	int ret;

	if (!nst_tc_payload(attr, sizeof(sel), &data, &len))
		return nst_tc_tell_unknown(walk, attr);
	memcpy(&sel, data, sizeof(sel));
	if (sel.nkeys > (len - sizeof(sel)) / sizeof(struct tc_u32_key))
		return nst_tc_tell_unknown(walk, attr);
	keys = (const unsigned char *)data + sizeof(sel);
	ret = nst_tc_tell_open(walk, field->name, NSTEER_TC_ARRAY);
	for (i = 0; !ret && i < sel.nkeys; i++)
		ret = tell_key(walk, keys + i * sizeof(struct tc_u32_key), i);
	ret = ret ? ret : nst_tc_tell_end(walk);
	ret = ret ? ret
		  : nst_tc_tell_flags(walk,
				      sel.flags & ~(TC_U32_OFFSET |
						    TC_U32_VAROFFSET),
				      sel_words);
	if (!ret && (sel.flags & TC_U32_VAROFFSET))
		ret = STRUCT(walk, var_offset_members, data, len);
	if (!ret && (sel.flags & (TC_U32_OFFSET | TC_U32_VAROFFSET)))
		ret = STRUCT(walk, offset_members, data, len);
	if (!ret && sel.hmask)
		ret = STRUCT(walk, hash_members, data, len);
	return ret;
}

/* The table and bucket that it is in, out of a handle [TC_U32_HTID]. */
static int put_hash(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		    const struct nlattr *attr)
{
	struct nsteer_tc_value v = { .name = field->name, .type = field->type };
	uint32_t id;
	int ret;

	if (!nst_nla_u32(attr, &id))
		return nst_tc_tell_unknown(walk, attr);
	v.u64 = TC_U32_USERHTID(id);
	ret = nst_tc_tell(walk, &v);
	v.name = "bkt";
	v.u64 = TC_U32_HASH(id);
	return ret ? ret : nst_tc_tell(walk, &v);
}

static const struct nst_tc_field pcnt_members[] = {
	MEMBER(tc_u32_pcnt, rcnt, "rule_hit", UINT, .counter = 1),
	MEMBER(tc_u32_pcnt, rhit, "success", UINT, .counter = 1),
};

static int put_pcnt(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		    const struct nlattr *attr)
{
	const void *data;
	size_t len;

	(void)field;
	if (!nst_tc_payload(attr, sizeof(struct tc_u32_pcnt), &data, &len))
		return nst_tc_tell_unknown(walk, attr);
	return STRUCT(walk, pcnt_members, data, len);
}

static const struct nst_tc_field mark_members[] = {
	MEMBER(tc_u32_mark, val, "fwmark_value", HEX),
	MEMBER(tc_u32_mark, mask, "fwmark_mask", HEX),
	MEMBER(tc_u32_mark, success, "fwmark_success", UINT, .counter = 1),
};

static const struct nst_tc_field fields[] = {
	[TCA_U32_CLASSID] = NST_TC_FIELD("flowid", CLASSID, 4),
	[TCA_U32_HASH] = NST_TC_FIELD("key_ht", HEX, 4, .put = put_hash),
	[TCA_U32_LINK] = NST_TC_FIELD("link", HEX, 4),
	[TCA_U32_DIVISOR] = NST_TC_FIELD("ht_divisor", UINT, 4),
	[TCA_U32_SEL] = NST_TC_FIELD("match", ARRAY, 0, .put = put_sel),
	[TCA_U32_POLICE] =
		NST_TC_FIELD("police", OBJECT, 0, .put = nst_tc_put_police),
	[TCA_U32_ACT] = NST_TC_NOT_TOLD,
	[TCA_U32_INDEV] = NST_TC_FIELD("input_dev", STRING, 0),
	[TCA_U32_PCNT] = NST_TC_FIELD(NULL, BYTES, 0, .put = put_pcnt),
	[TCA_U32_MARK] = NST_TC_FIELD(NULL, BYTES, sizeof(struct tc_u32_mark),
				      .members = mark_members,
				      .n_members = NST_TC_COUNT(mark_members)),
	[TCA_U32_FLAGS] = NST_TC_NOT_TOLD,
	[TCA_U32_PAD] = NST_TC_NOT_TOLD,
};

const struct nst_tc_kind nst_tc_cls_u32 = {
	NST_TC_TABLE("u32", fields),
	.act = TCA_U32_ACT,
	.flags = TCA_U32_FLAGS,
};
