/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A filter and its actions, out of a message that stays where it is. */
#include <arpa/inet.h>
#include <string.h>

#include "tc/tc.h"

#ifndef TCA_ACT_IN_HW_COUNT
#define TCA_ACT_IN_HW_COUNT 10
#endif

/* Names are short: there is no call that would be worth it. */
static inline bool is_same(const unsigned char *a, const char *b, size_t len)
{
	uint32_t u, v;

	for (; len >= sizeof(u); len -= sizeof(u)) {
		memcpy(&u, a, sizeof(u));
		memcpy(&v, b, sizeof(v));
		if (u != v)
			return false;
		a += sizeof(u);
		b += sizeof(v);
	}
	while (len--)
		if (*a++ != (unsigned char)*b++)
			return false;
	return true;
}

static __attribute__((noinline)) void
new_kind(struct nst_tc_name *name, const void *p, size_t len)
{
	const size_t max = sizeof(name->s) - 1;

	memset(name->s, 0, sizeof(name->s));
	memcpy(name->s, p, strnlen(p, len < max ? len : max));
	/* What does not fit is looked at anew each time. */
	name->len = len <= sizeof(name->s) ? len : 0;
}

/*
 * Keep a name that is as it was, which it is nearly always; false: it is another
 * one now.
 */
static inline bool same_kind(struct nst_tc_name *name,
			     const struct nlattr *attr)
{
	const void *p = "";
	size_t len = 0;

	nst_tc_payload(attr, 0, &p, &len);
	if (len && len == name->len && is_same(p, name->s, len))
		return true;
	new_kind(name, p, len);
	return false;
}

/* ---- actions ---- */

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
	if (!same_kind(&a->kind, kind))
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

NSTEER_API const struct nsteer_tc_action *
nsteer_tc_filter_action(const struct nsteer_tc_filter *filter, unsigned int i)
{
	/* Read when they are asked for, into the dump's record. */
	struct nsteer_tc_filter *f = (struct nsteer_tc_filter *)filter;
	const struct nlattr *attr;
	struct nsteer_tc_action *a;

	while (i >= f->n_actions) {
		if (f->n_actions == NSTEER_TC_ACTIONS_MAX)
			return NULL;
		attr = nst_tc_attr_next(&f->actions_left);
		if (!attr)
			return NULL;
		a = &f->action[f->n_actions++];
		a->terse = f->terse;
		nst_tc_action_read(a, attr->nla_type & NLA_TYPE_MASK, attr);
	}
	return &f->action[i];
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

/* ---- filters ---- */

/* Of a terse one there are few attributes, and nothing else is asked for. */
static void read_few(struct nsteer_tc_filter *f)
{
	const struct nst_tc_kind *kind = f->table;
	const struct nlattr *attr;
	struct nst_tc_attrs attrs;

	if (!nst_tc_attrs_of(&attrs, f->options))
		return;
	while ((attr = nst_tc_attr_next(&attrs))) {
		uint16_t type = attr->nla_type & NLA_TYPE_MASK;

		if (!type)
			; /* which is how a kind says that it has none */
		else if (type == kind->act)
			f->actions = attr;
		else if (type == kind->flags)
			nst_nla_u32(attr, &f->flags);
	}
}

/* What a getter tells of the options. */
static void read_options(struct nsteer_tc_filter *f)
{
	const struct nst_tc_kind *kind = f->table;

	f->flags = 0;
	f->actions = NULL;
	f->has_hw_count = false;
	if (!kind)
		return;
	if (f->terse) {
		read_few(f);
		return;
	}
	nst_tc_parse(&f->parsed, kind, f->options);
	/* No kind has anything at 0, which says that it does not have it. */
	f->actions = f->parsed.tb[kind->act];
	nst_nla_u32(f->parsed.tb[kind->flags], &f->flags);
	f->has_hw_count =
		nst_nla_u32(f->parsed.tb[kind->hw_count], &f->hw_count);
}

static void read_attrs(struct nsteer_tc_filter *f, struct nst_tc_attrs *attrs)
{
	const struct nlattr *kind = NULL, *attr;

	f->chain = 0;
	f->options = NULL;
	while ((attr = nst_tc_attr_next(attrs)))
		switch (attr->nla_type & NLA_TYPE_MASK) {
		case TCA_KIND:
			kind = attr;
			break;
		case TCA_OPTIONS:
			f->options = attr;
			break;
		case TCA_CHAIN:
			nst_nla_u32(attr, &f->chain);
			break;
		}
	if (!same_kind(&f->kind, kind))
		f->table = nst_tc_cls_find(f->kind.s);
}

bool nst_tc_filter_read(struct nsteer_tc_filter *f, const struct nlmsghdr *nlh)
{
	const unsigned char *payload = (const unsigned char *)nlh + NLMSG_HDRLEN;
	struct nst_tc_attrs attrs;
	struct tcmsg tcm;

	if (nlh->nlmsg_type != RTM_NEWTFILTER ||
	    nlh->nlmsg_len < NLMSG_LENGTH(sizeof(tcm)))
		return false;
	memcpy(&tcm, payload, sizeof(tcm));
	attrs.pos = payload + NLMSG_ALIGN(sizeof(tcm));
	attrs.len = nst_nlmsg_attrs_len(nlh, sizeof(tcm));
	read_attrs(f, &attrs);
	if ((uint32_t)tcm.tcm_ifindex == TCM_IFINDEX_MAGIC_BLOCK) {
		f->ifindex = 0;
		f->parent = 0;
		f->block = tcm.tcm_parent;
	} else {
		f->ifindex = tcm.tcm_ifindex;
		f->parent = tcm.tcm_parent;
		f->block = 0;
	}
	f->handle = tcm.tcm_handle;
	f->pref = TC_H_MAJ(tcm.tcm_info) >> 16;
	f->protocol = ntohs(TC_H_MIN(tcm.tcm_info));
	read_options(f);
	f->n_actions = 0;
	if (!nst_tc_attrs_of(&f->actions_left, f->actions))
		f->actions_left.len = 0;
	return true;
}

NSTEER_API int nsteer_tc_filter_values(const struct nsteer_tc_filter *f,
				       nsteer_tc_value_fn fn, void *data)
{
	if (f->terse)
		return 0;
	if (!f->table)
		return nst_tc_values(NULL, f->options, fn, data);
	return nst_tc_values_parsed(f->table, f->options, &f->parsed, fn, data);
}

NSTEER_API uint32_t nsteer_tc_filter_ifindex(const struct nsteer_tc_filter *f)
{
	return f->ifindex;
}

NSTEER_API uint32_t nsteer_tc_filter_block(const struct nsteer_tc_filter *f)
{
	return f->block;
}

NSTEER_API uint32_t nsteer_tc_filter_parent(const struct nsteer_tc_filter *f)
{
	return f->parent;
}

NSTEER_API enum nsteer_tc_hook
nsteer_tc_filter_hook(const struct nsteer_tc_filter *f)
{
	/* The qdisc ingress answers to any minor number [ingress_find]. */
	if (TC_H_MAJ(f->parent) != TC_H_MAJ(TC_H_CLSACT))
		return NSTEER_TC_HOOK_ANY;
	return f->parent == NST_TC_EGRESS ? NSTEER_TC_HOOK_EGRESS :
					    NSTEER_TC_HOOK_INGRESS;
}

NSTEER_API uint32_t nsteer_tc_filter_chain(const struct nsteer_tc_filter *f)
{
	return f->chain;
}

NSTEER_API uint32_t nsteer_tc_filter_pref(const struct nsteer_tc_filter *f)
{
	return f->pref;
}

NSTEER_API uint16_t nsteer_tc_filter_protocol(const struct nsteer_tc_filter *f)
{
	return f->protocol;
}

NSTEER_API const char *nsteer_tc_filter_kind(const struct nsteer_tc_filter *f)
{
	return f->kind.s;
}

NSTEER_API uint32_t nsteer_tc_filter_handle(const struct nsteer_tc_filter *f)
{
	return f->handle;
}

NSTEER_API uint32_t nsteer_tc_filter_flags(const struct nsteer_tc_filter *f)
{
	return f->flags;
}

NSTEER_API int nsteer_tc_filter_hw_count(const struct nsteer_tc_filter *f,
					 uint32_t *count)
{
	if (!f->has_hw_count)
		return -ENODATA;
	*count = f->hw_count;
	return 0;
}

NSTEER_API bool nsteer_tc_filter_is_terse(const struct nsteer_tc_filter *f)
{
	return f->terse;
}
