/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A filter more: of which classifier, and is it a program? */
#include <stdlib.h>
#include <string.h>

#include "tc/hooks.h"

static bool is_of(const struct nsteer_tc_classifier *c,
		  const struct nsteer_tc_filter *f)
{
	return c->chain == f->chain && c->pref == f->pref &&
	       c->protocol == f->protocol && !strcmp(c->kind, f->kind.s);
}

static struct nsteer_tc_classifier *
add_classifier(struct nsteer_tc_place *p, const struct nsteer_tc_filter *f)
{
	struct nsteer_tc_classifier *c;

	c = nst_tc_grow(p->classifiers, p->n_classifiers,
			&p->classifier_room, sizeof(*c));
	if (!c)
		return NULL;
	p->classifiers = c;
	c += p->n_classifiers;
	memset(c, 0, sizeof(*c));
	c->seq = p->n_classifiers++;
	c->chain = f->chain;
	c->pref = f->pref;
	c->protocol = f->protocol;
	memcpy(c->kind, f->kind.s, sizeof(c->kind));
	return c;
}

static int read_name(struct nsteer_tc_program *prog, const struct nlattr *name)
{
	const void *data;
	size_t len;

	if (!nst_tc_payload(name, 1, &data, &len))
		return 0;
	prog->filter_name = strndup(data, len);
	return prog->filter_name ? 0 : -ENOMEM;
}

/* A filter of the kind bpf [cls_bpf_dump]. */
static int add_bpf(struct nsteer_tc_place *p, const struct nsteer_tc_filter *f)
{
	bool is_qdisc = !p->block && !p->hook;
	const struct nlattr *tb[TCA_BPF_ID + 1];
	struct nsteer_tc_program *prog;
	uint32_t flags = 0;
	const void *tag;
	size_t len;

	prog = nst_tc_grow(p->programs, p->n_programs, &p->program_room,
			   sizeof(*prog));
	if (!prog)
		return -ENOMEM;
	p->programs = prog;
	prog += p->n_programs;
	memset(prog, 0, sizeof(*prog));
	prog->seq = p->n_programs++;
	prog->is_filter = true;
	prog->backend = is_qdisc ? "qdisc" : "clsact";
	prog->chain = f->chain;
	prog->pref = f->pref;
	prog->handle = f->handle;
	nst_nla_parse_nested(f->options, tb, TCA_BPF_ID);
	nst_nla_u32(tb[TCA_BPF_ID], &prog->prog.id);
	nst_nla_u32(tb[TCA_BPF_FLAGS], &flags);
	prog->direct_action = flags & TCA_BPF_FLAG_ACT_DIRECT;
	if (nst_tc_payload(tb[TCA_BPF_TAG], NST_PROG_TAG, &tag, &len))
		nst_prog_set_tag(&prog->prog, tag);
	return read_name(prog, tb[TCA_BPF_NAME]);
}

/* Filters of a classifier come one after the other. */
int nst_tc_hooks_take(struct nsteer_tc_place *p,
		      const struct nsteer_tc_filter *f)
{
	struct nsteer_tc_classifier *c = NULL;

	if (p->n_classifiers)
		c = &p->classifiers[p->n_classifiers - 1];
	if (!c || !is_of(c, f))
		c = add_classifier(p, f);
	if (!c)
		return -ENOMEM;
	c->filters++;
	p->filters++;
	return strcmp(c->kind, "bpf") ? 0 : add_bpf(p, f);
}
