/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where filters can stand: hooks, queueing disciplines, classes, shared blocks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tc/tc.h"

/* Asks for those that are there without having been added [TCA_DUMP_INVISIBLE].
 * A root that the kernel chose itself can have filters, too. */
struct collect {
	struct nst_tc_places *places;
	uint32_t ifindex; /* 0: any */
	/* Those whose classes have filters of their own, devices and handles. */
	struct nst_tc_places classful;
	bool no_memory;
};

/* Each class has a block [tcf_block() of their cl_ops]; elsewhere a class is
 * where filters lead to. */
static const char *const class_kinds[] = { "htb", "hfsc", "cbq", "atm" };

void *nst_tc_grow(void *all, size_t count, size_t *room, size_t size)
{
	size_t more = *room ? 2 * *room : 4;
	void *grown;

	if (count < *room)
		return all;
	grown = reallocarray(all, more, size);
	if (grown)
		*room = more;
	return grown;
}

int nst_tc_places_add(struct nst_tc_places *places, uint32_t ifindex,
		      uint32_t parent)
{
	struct nst_tc_place *grown;

	grown = nst_tc_grow(places->all, places->count, &places->room,
			    sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	places->all = grown;
	places->all[places->count++] =
		(struct nst_tc_place){ ifindex, parent, false, false };
	return 0;
}

void nst_tc_places_free(struct nst_tc_places *places)
{
	free(places->all);
	free(places->bound);
	memset(places, 0, sizeof(*places));
}

static int add(struct collect *c, struct nst_tc_places *places,
	       uint32_t ifindex, uint32_t parent)
{
	if (!nst_tc_places_add(places, ifindex, parent))
		return 0;
	c->no_memory = true;
	return -ENOMEM;
}

static int add_bound(struct collect *c, uint32_t ifindex, uint32_t parent,
		     uint32_t block)
{
	struct nst_tc_places *places = c->places;
	struct nst_tc_bound *grown;

	grown = nst_tc_grow(places->bound, places->n_bound,
			    &places->bound_room, sizeof(*grown));
	if (!grown) {
		c->no_memory = true;
		return -ENOMEM;
	}
	places->bound = grown;
	grown = &places->bound[places->n_bound++];
	*grown = (struct nst_tc_bound){ block, ifindex, parent };
	return 0;
}

static bool is_asked_for(const struct collect *c, uint32_t ifindex)
{
	return !c->ifindex || c->ifindex == ifindex;
}

/* A hook, or the block that is shared there. */
static int add_hook(struct collect *c, uint32_t ifindex, uint32_t parent,
		    bool plain, const struct nlattr *shared)
{
	bool keep = c->places->with_bound, is_shared;
	uint32_t block = 0;
	size_t i;

	is_shared = nst_nla_u32(shared, &block) && block;
	if (is_shared && keep && add_bound(c, ifindex, parent, block))
		return -ENOMEM;
	if (!is_asked_for(c, ifindex))
		return 0;
	if (!is_shared || (c->ifindex && !keep)) {
		if (add(c, c->places, ifindex, parent))
			return -ENOMEM;
		c->places->all[c->places->count - 1].plain = plain;
		return 0;
	}
	/* Few enough to be looked through. */
	for (i = 0; i < c->places->count; i++)
		if (c->places->all[i].ifindex == TCM_IFINDEX_MAGIC_BLOCK &&
		    c->places->all[i].parent == block)
			return 0;
	return add(c, c->places, TCM_IFINDEX_MAGIC_BLOCK, block);
}

static bool has_class_blocks(const char *kind)
{
	size_t i;

	for (i = 0; i < sizeof(class_kinds) / sizeof(class_kinds[0]); i++)
		if (!strcmp(kind, class_kinds[i]))
			return true;
	return false;
}

static int take_qdisc(const struct nlmsghdr *nlh, void *data)
{
	const struct tcmsg *tcm = mnl_nlmsg_get_payload(nlh);
	const struct nlattr *tb[TCA_EGRESS_BLOCK + 1];
	char kind[NST_TC_KIND_LEN];
	struct collect *c = data;
	uint32_t ifindex;
	int err = 0;

	if (nlh->nlmsg_type != RTM_NEWQDISC ||
	    mnl_nlmsg_get_payload_len(nlh) < sizeof(*tcm))
		return 0;
	ifindex = tcm->tcm_ifindex;
	NST_NLA_PARSE_MSG(nlh, sizeof(*tcm), tb, TCA_EGRESS_BLOCK);
	if ((!is_asked_for(c, ifindex) && !c->places->with_bound) ||
	    !nst_nla_str(tb[TCA_KIND], kind, sizeof(kind)))
		return 0;
	if (tcm->tcm_parent == TC_H_INGRESS) {
		bool plain = strcmp(kind, "clsact");

		err = add_hook(c, ifindex, NST_TC_INGRESS, plain,
			       tb[TCA_INGRESS_BLOCK]);
		if (!err && !plain)
			err = add_hook(c, ifindex, NST_TC_EGRESS, plain,
				       tb[TCA_EGRESS_BLOCK]);
		return err;
	}
	/* Nothing can be added to one without a handle [qdisc_lookup]. */
	if (!tcm->tcm_handle || !is_asked_for(c, ifindex))
		return 0;
	err = add(c, c->places, ifindex, tcm->tcm_handle);
	if (!err && has_class_blocks(kind))
		err = add(c, &c->classful, ifindex, tcm->tcm_handle);
	return err;
}

static void reset_all(void *data)
{
	struct collect *c = data;

	c->places->count = 0;
	c->places->n_bound = 0;
	c->classful.count = 0;
}

/* ---- classes ---- */

struct classes {
	struct collect *c;
	struct nst_tc_place of;
	size_t before;
};

static int take_class(const struct nlmsghdr *nlh, void *data)
{
	const struct tcmsg *tcm = mnl_nlmsg_get_payload(nlh);
	const struct classes *classes = data;

	if (nlh->nlmsg_type != RTM_NEWTCLASS ||
	    mnl_nlmsg_get_payload_len(nlh) < sizeof(*tcm))
		return 0;
	/* Of hfsc the root class is the qdisc itself. */
	if (TC_H_MAJ(tcm->tcm_handle) != TC_H_MAJ(classes->of.parent) ||
	    !TC_H_MIN(tcm->tcm_handle))
		return 0;
	return add(classes->c, classes->c->places, classes->of.ifindex,
		   tcm->tcm_handle);
}

static void reset_classes(void *data)
{
	struct classes *classes = data;

	classes->c->places->count = classes->before;
}

static int fail(struct nsteer *ns, const struct nst_nl *nl,
		const struct collect *c, int err, const char *what)
{
	const char *why;

	if (c->no_memory)
		return nst_fail(ns, -ENOMEM, "out of memory");
	why = nst_nl_why(nl, err);
	return nst_fail(ns, err, "cannot list the %s: %s", what,
			why ? why : strerror(-err));
}

static int take_classes(struct nsteer *ns, struct nst_nl *nl, struct collect *c)
{
	char buf[NST_NL_REQSIZE] __attribute__((aligned(8)));
	size_t i;
	int err;

	for (i = 0; i < c->classful.count; i++) {
		const struct nst_tc_place *of = &c->classful.all[i];
		struct classes classes = { c, *of, c->places->count };
		struct nst_nl_dump dump = { take_class, reset_classes,
					    &classes };
		struct tcmsg tcm = { .tcm_family = AF_UNSPEC,
				     .tcm_ifindex = of->ifindex };

		err = nst_nl_dump(nl,
				  nst_nl_request(buf, RTM_GETTCLASS, 0, &tcm,
						 sizeof(tcm)),
				  &dump);
		/* The device went meanwhile, and its filters with it. */
		if (err && (err != -ENODEV || c->no_memory))
			return fail(ns, nl, c, err, "classes");
	}
	return 0;
}

static int by_device(const void *a, const void *b)
{
	const struct nst_tc_place *x = a, *y = b;
	bool x_hook = TC_H_MAJ(x->parent) == TC_H_MAJ(TC_H_CLSACT);
	bool y_hook = TC_H_MAJ(y->parent) == TC_H_MAJ(TC_H_CLSACT);

	if (x->ifindex != y->ifindex)
		return x->ifindex < y->ifindex ? -1 : 1;
	if (x->ifindex != TCM_IFINDEX_MAGIC_BLOCK && x_hook != y_hook)
		return x_hook ? -1 : 1;
	return x->parent < y->parent ? -1 : x->parent > y->parent;
}

void nst_tc_places_sort(struct nst_tc_places *places)
{
	if (places->count)
		qsort(places->all, places->count, sizeof(*places->all),
		      by_device);
}

int nst_tc_places(struct nsteer *ns, struct nst_nl *nl, uint32_t ifindex,
		  struct nst_tc_places *out)
{
	struct collect c = { .places = out, .ifindex = ifindex };
	struct nst_nl_dump dump = { take_qdisc, reset_all, &c };
	char buf[NST_NL_REQSIZE] __attribute__((aligned(8)));
	struct tcmsg tcm = { .tcm_family = AF_UNSPEC,
			     .tcm_ifindex = ifindex };
	struct nlmsghdr *req;
	int err;

	req = nst_nl_request(buf, RTM_GETQDISC, 0, &tcm, sizeof(tcm));
	mnl_attr_put(req, TCA_DUMP_INVISIBLE, 0, NULL);
	err = nst_nl_dump(nl, req, &dump);
	if (err)
		err = fail(ns, nl, &c, err, "queueing disciplines");
	else
		err = take_classes(ns, nl, &c);
	nst_tc_places_free(&c.classful);
	return err;
}

/* ---- one place ---- */

const char *nst_tc_place_print(struct nsteer *ns, const struct nst_tc_place *p,
			       char buf[NST_TC_PLACE_PRINT])
{
	char name[NSTEER_IFNAME_SIZE], print[NST_NAME_PRINT], at[32] = "";
	struct nst_err kept = ns->err;

	if (p->ifindex == TCM_IFINDEX_MAGIC_BLOCK) {
		snprintf(buf, NST_TC_PLACE_PRINT, "block %u", p->parent);
		return buf;
	}
	if (p->parent == NST_TC_INGRESS)
		strcpy(at, "ingress");
	else if (p->parent == NST_TC_EGRESS)
		strcpy(at, "egress");
	else if (!p->parent)
		strcpy(at, "root");
	else if (!TC_H_MIN(p->parent))
		snprintf(at, sizeof(at), "parent %x:", p->parent >> 16);
	else
		snprintf(at, sizeof(at), "parent %x:%x", p->parent >> 16,
			 TC_H_MIN(p->parent));
	if (nsteer_link_name(ns, p->ifindex, name))
		snprintf(print, sizeof(print), "device %u", p->ifindex);
	else
		nst_name_print(name, print);
	ns->err = kept;
	snprintf(buf, NST_TC_PLACE_PRINT, "%s %s", print, at);
	return buf;
}

static bool is_place(const struct nst_tc_place *asked,
		     const struct nst_tc_place *there)
{
	/* The qdisc ingress answers to its handle, too; clsact [clsact_find]
	 * to its hooks alone. */
	return asked->ifindex == there->ifindex &&
	       (asked->parent == there->parent ||
		(asked->parent == TC_H_MAJ(TC_H_CLSACT) && there->plain));
}

int nst_tc_place_absent(struct nsteer *ns, const struct nst_tc_place *asked)
{
	char place[NST_TC_PLACE_PRINT];

	nst_tc_place_print(ns, asked, place);
	if (asked->ifindex == TCM_IFINDEX_MAGIC_BLOCK)
		return nst_fail(ns, -ENOENT, "no device shares a %s", place);
	if (asked->parent == NST_TC_INGRESS || asked->parent == NST_TC_EGRESS)
		return nst_fail(ns, -ENOENT,
				"there is no hook %s: it comes with the qdisc "
				"clsact%s", place,
				asked->parent == NST_TC_INGRESS ? " or ingress"
								: "");
	return nst_fail(ns, -ENOENT,
			"there is no qdisc or class %s that could have filters",
			place);
}

int nst_tc_place_check(struct nsteer *ns, struct nst_nl *nl,
		       const struct nst_tc_place *asked)
{
	bool is_block = asked->ifindex == TCM_IFINDEX_MAGIC_BLOCK;
	char name[NSTEER_IFNAME_SIZE];
	struct nst_tc_places there = { 0 };
	/* A device has a root. */
	bool found = !is_block && !asked->parent;
	size_t i;
	int err = 0;

	if (!is_block)
		err = nsteer_link_name(ns, asked->ifindex, name);
	if (!err && !found)
		err = nst_tc_places(ns, nl, is_block ? 0 : asked->ifindex,
				    &there);
	for (i = 0; !err && i < there.count; i++)
		found = found || is_place(asked, &there.all[i]);
	nst_tc_places_free(&there);
	return err || found ? err : nst_tc_place_absent(ns, asked);
}
