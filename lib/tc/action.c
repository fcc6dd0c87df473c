/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An action, out of a message that stays where it is. */
#include <string.h>

#include "tc/tc.h"

#ifndef TCA_ACT_IN_HW_COUNT
#define TCA_ACT_IN_HW_COUNT 10
#endif

/* Every action's structure begins with the index [tc_gen]. */
static const struct nlattr *find_parms(const struct nsteer_tc_action *a)
{
	const struct nst_tc_kind *kind = a->table;
	const struct nlattr *attr;
	struct nst_tc_attrs attrs;

	if (!kind || !kind->parms || !nst_tc_attrs_of(&attrs, a->options))
		return NULL;
	while ((attr = nst_tc_attr_next(&attrs))) {
		uint16_t type = attr->nla_type & NLA_TYPE_MASK;

		if (type && (type == kind->parms || type == kind->parms_alt))
			return attr;
	}
	return NULL;
}

void nst_tc_action_read(struct nsteer_tc_action *a, uint32_t order,
			const struct nlattr *entry)
{
	const struct nlattr *kind = NULL, *stats = NULL, *index = NULL,
			    *cookie = NULL, *attr;
	struct nst_tc_attrs attrs;
	uint32_t count;

	a->options = NULL;
	a->has_more = false;
	if (nst_tc_attrs_of(&attrs, entry))
		while ((attr = nst_tc_attr_next(&attrs)))
			switch (attr->nla_type & NLA_TYPE_MASK) {
			case TCA_ACT_KIND:
				kind = attr;
				break;
			case TCA_ACT_OPTIONS:
				a->options = attr;
				break;
			case TCA_ACT_INDEX:
				index = attr;
				break;
			case TCA_ACT_STATS:
				stats = attr;
				break;
			case TCA_ACT_COOKIE:
				cookie = attr;
				break;
			case TCA_ACT_IN_HW_COUNT:
				/* Always there, and mostly a zero. */
				if (attr->nla_len == NLA_HDRLEN + 4 &&
				    nst_nla_u32(attr, &count) && !count)
					break;
				/* fall through */
			default:
				a->has_more = true;
			}
	if (!nst_tc_same_kind(&a->kind, kind))
		a->table = nst_tc_act_find(a->kind.s);
	a->order = order;
	a->entry = entry;
	a->has_stats = nst_tc_stats_read(&a->stats, stats);
	if (!nst_tc_payload(cookie, 1, &a->cookie, &a->cookie_len)) {
		a->cookie = NULL;
		a->cookie_len = 0;
	}
	a->parms = a->terse ? NULL : find_parms(a);
	/* A terse dump of actions has it on its own, one of filters has none. */
	a->has_index = nst_nla_u32(index, &a->index) ||
		       nst_nla_u32(a->parms, &a->index);
}

/* Where the index stands that is not told as a value; len: nowhere. */
static size_t index_place(const struct nsteer_tc_action *a,
			  const unsigned char *options, size_t len)
{
	const struct nst_tc_field *field;
	const void *data;
	size_t n;

	if (!nst_tc_payload(a->parms, sizeof(uint32_t), &data, &n))
		return len;
	field = &a->table->fields[a->parms->nla_type & NLA_TYPE_MASK];
	/* One that is too short is told as bytes, all of it. */
	if (n < field->width)
		return len;
	return (const unsigned char *)data - options;
}

static bool is_told(const struct nst_tc_told *told, const char *kind,
		    const unsigned char *options, size_t len, size_t index)
{
	size_t behind = index < len ? index + sizeof(uint32_t) : len;

	if (!told->is_kept || told->len != len ||
	    memcmp(told->kind, kind, sizeof(told->kind)))
		return false;
	return !len || (!memcmp(told->options, options, index) &&
			!memcmp(told->options + behind, options + behind,
				len - behind));
}

NSTEER_API bool nsteer_tc_action_repeats(const struct nsteer_tc_action *action)
{
	/* It is the dump's. */
	struct nsteer_tc_action *a = (struct nsteer_tc_action *)action;
	struct nst_tc_told *told = &a->told;
	const void *options = "";
	size_t len = 0, index;

	if (!a->terse)
		nst_tc_payload(a->options, 0, &options, &len);
	index = index_place(a, options, len);
	if (!a->has_more && is_told(told, a->kind.s, options, len, index))
		return true;
	told->is_kept = !a->has_more && len <= sizeof(told->options);
	if (!told->is_kept)
		return false;
	memcpy(told->kind, a->kind.s, sizeof(told->kind));
	memcpy(told->options, options, len);
	told->len = len;
	return false;
}

static const struct nst_tc_word hw_stats_words[] = {
	{ 0, "immediate" }, { 1, "delayed" }, NST_TC_WORDS_END
};

/* TCA_ACT_FLAGS_* [pkt_cls.h] */
static const struct nst_tc_word flag_words[] = { { 0, "no_percpu" },
						 { 1, "skip_hw" },
						 { 2, "skip_sw" },
						 NST_TC_WORDS_END };

static int put_flags(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		     const struct nlattr *attr)
{
	uint32_t bits = 0;

	(void)field;
	nst_nla_u32(attr, &bits);
	return nst_tc_tell_flags(walk, bits, flag_words);
}

/* What is told of an action whatever its kind is; struct nla_bitfield32. */
static const struct nst_tc_field common[] = {
	[TCA_ACT_KIND] = { .known = NST_TC_SILENT },
	[TCA_ACT_OPTIONS] = { .known = NST_TC_SILENT },
	[TCA_ACT_INDEX] = { .known = NST_TC_SILENT },
	[TCA_ACT_STATS] = { .known = NST_TC_SILENT },
	[TCA_ACT_PAD] = { .known = NST_TC_SILENT },
	[TCA_ACT_COOKIE] = { .known = NST_TC_SILENT },
	[TCA_ACT_FLAGS] = { .known = NST_TC_TOLD,
			    .len = sizeof(struct nla_bitfield32),
			    .put = put_flags },
	[TCA_ACT_HW_STATS] = { .known = NST_TC_TOLD,
			       .name = "hw_stats",
			       .type = NSTEER_TC_BITS,
			       .len = sizeof(struct nla_bitfield32),
			       .width = 4,
			       .words = hw_stats_words },
	[TCA_ACT_USED_HW_STATS] = { .known = NST_TC_TOLD,
				    .name = "used_hw_stats",
				    .type = NSTEER_TC_BITS,
				    .len = sizeof(struct nla_bitfield32),
				    .width = 4,
				    .words = hw_stats_words },
	[TCA_ACT_IN_HW_COUNT] = { .known = NST_TC_TOLD,
				  .name = "in_hw_count",
				  .type = NSTEER_TC_UINT,
				  .len = 4,
				  .nonzero = 1 },
};

NSTEER_API int nsteer_tc_action_values(const struct nsteer_tc_action *a,
				       nsteer_tc_value_fn fn, void *data)
{
	struct nst_tc_walk walk = { .fn = fn, .data = data };
	int ret;

	if (a->terse)
		return 0;
	ret = nst_tc_values(a->table, a->options, fn, data);
	if (ret || !a->has_more)
		return ret;
	return nst_tc_tell_nest(&walk, common, TCA_ACT_IN_HW_COUNT, a->entry);
}

NSTEER_API uint32_t nsteer_tc_action_order(const struct nsteer_tc_action *a)
{
	return a->order;
}

NSTEER_API const char *nsteer_tc_action_kind(const struct nsteer_tc_action *a)
{
	return a->kind.s;
}

NSTEER_API int nsteer_tc_action_index(const struct nsteer_tc_action *a,
				      uint32_t *index)
{
	if (!a->has_index)
		return -ENODATA;
	*index = a->index;
	return 0;
}

NSTEER_API const void *
nsteer_tc_action_cookie(const struct nsteer_tc_action *a, size_t *len)
{
	*len = a->cookie_len;
	return a->cookie;
}

NSTEER_API const struct nsteer_tc_stats *
nsteer_tc_action_stats(const struct nsteer_tc_action *a)
{
	return a->has_stats ? &a->stats : NULL;
}

NSTEER_API bool nsteer_tc_action_is_terse(const struct nsteer_tc_action *a)
{
	return a->terse;
}
