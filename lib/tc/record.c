/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A filter, out of a message that stays where it is. */
#include <arpa/inet.h>
#include <string.h>

#include "tc/tc.h"

void nst_tc_new_kind(struct nst_tc_name *name, const void *p, size_t len)
{
	const size_t max = sizeof(name->s) - 1;

	memset(name->s, 0, sizeof(name->s));
	memcpy(name->s, p, strnlen(p, len < max ? len : max));
	/* What does not fit is looked at anew each time. */
	name->len = len <= sizeof(name->s) ? len : 0;
}

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
	if (!nst_tc_same_kind(&f->kind, kind))
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
