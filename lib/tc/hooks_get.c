/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading a snapshot of hooks. */
#include "tc/hooks.h"

NSTEER_API size_t nsteer_tc_hooks_count(const struct nsteer_tc_hooks *h)
{
	return h->count;
}

NSTEER_API const struct nsteer_tc_place *
nsteer_tc_hooks_get(const struct nsteer_tc_hooks *h, size_t i)
{
	return i < h->count ? &h->places[i] : NULL;
}

NSTEER_API bool nsteer_tc_hooks_hidden(const struct nsteer_tc_hooks *h)
{
	return h->hidden;
}

/* ---- places ---- */

NSTEER_API uint32_t nsteer_tc_place_ifindex(const struct nsteer_tc_place *p)
{
	return p->ifindex;
}

NSTEER_API uint32_t nsteer_tc_place_block(const struct nsteer_tc_place *p)
{
	return p->block;
}

NSTEER_API uint32_t nsteer_tc_place_parent(const struct nsteer_tc_place *p)
{
	return p->parent;
}

NSTEER_API enum nsteer_tc_hook
nsteer_tc_place_hook(const struct nsteer_tc_place *p)
{
	return p->hook;
}

NSTEER_API uint64_t nsteer_tc_place_filters(const struct nsteer_tc_place *p)
{
	return p->filters;
}

NSTEER_API size_t nsteer_tc_place_device_count(const struct nsteer_tc_place *p)
{
	return p->n_bound;
}

NSTEER_API int nsteer_tc_place_device(const struct nsteer_tc_place *p, size_t i,
				      uint32_t *ifindex,
				      enum nsteer_tc_hook *hook)
{
	if (i >= p->n_bound)
		return -ERANGE;
	*ifindex = p->bound[i].ifindex;
	*hook = p->bound[i].parent == NST_TC_EGRESS ? NSTEER_TC_HOOK_EGRESS :
						      NSTEER_TC_HOOK_INGRESS;
	return 0;
}

NSTEER_API size_t
nsteer_tc_place_classifier_count(const struct nsteer_tc_place *p)
{
	return p->n_classifiers;
}

NSTEER_API const struct nsteer_tc_classifier *
nsteer_tc_place_classifier(const struct nsteer_tc_place *p, size_t i)
{
	return i < p->n_classifiers ? &p->classifiers[i] : NULL;
}

NSTEER_API size_t nsteer_tc_place_program_count(const struct nsteer_tc_place *p)
{
	return p->n_programs;
}

NSTEER_API const struct nsteer_tc_program *
nsteer_tc_place_program(const struct nsteer_tc_place *p, size_t i)
{
	return i < p->n_programs ? &p->programs[i] : NULL;
}

NSTEER_API bool nsteer_tc_place_hidden(const struct nsteer_tc_place *p)
{
	return p->hidden;
}

NSTEER_API bool nsteer_tc_place_incomplete(const struct nsteer_tc_place *p)
{
	return p->incomplete;
}

/* ---- classifiers ---- */

NSTEER_API uint32_t
nsteer_tc_classifier_chain(const struct nsteer_tc_classifier *c)
{
	return c->chain;
}

NSTEER_API uint32_t
nsteer_tc_classifier_pref(const struct nsteer_tc_classifier *c)
{
	return c->pref;
}

NSTEER_API uint16_t
nsteer_tc_classifier_protocol(const struct nsteer_tc_classifier *c)
{
	return c->protocol;
}

NSTEER_API const char *
nsteer_tc_classifier_kind(const struct nsteer_tc_classifier *c)
{
	return c->kind;
}

NSTEER_API uint64_t
nsteer_tc_classifier_filters(const struct nsteer_tc_classifier *c)
{
	return c->filters;
}

/* ---- programs ---- */

NSTEER_API const char *
nsteer_tc_program_backend(const struct nsteer_tc_program *p)
{
	return p->backend;
}

NSTEER_API const struct nsteer_prog *
nsteer_tc_program_prog(const struct nsteer_tc_program *p)
{
	return p->prog.id ? &p->prog : NULL;
}

NSTEER_API int nsteer_tc_program_link(const struct nsteer_tc_program *p,
				      uint32_t *id)
{
	if (!p->link)
		return -ENODATA;
	*id = p->link;
	return 0;
}

NSTEER_API int nsteer_tc_program_filter(const struct nsteer_tc_program *p,
					uint32_t *chain, uint32_t *pref,
					uint32_t *handle)
{
	if (!p->is_filter)
		return -ENODATA;
	*chain = p->chain;
	*pref = p->pref;
	*handle = p->handle;
	return 0;
}

NSTEER_API const char *
nsteer_tc_program_filter_name(const struct nsteer_tc_program *p)
{
	return p->filter_name ? p->filter_name : "";
}

NSTEER_API bool
nsteer_tc_program_direct_action(const struct nsteer_tc_program *p)
{
	return p->direct_action;
}
