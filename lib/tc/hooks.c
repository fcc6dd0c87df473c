/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Filters, counted: which places have any, and of what kind. */
#include <linux/if_link.h>
#include <stdlib.h>
#include <string.h>

#include "tc/hooks.h"

static int no_memory(struct nsteer *ns)
{
	return nst_fail(ns, -ENOMEM, "out of memory");
}

/* ---- devices ---- */

static int take_device(const struct nlmsghdr *nlh, void *data)
{
	const struct ifinfomsg *ifi = mnl_nlmsg_get_payload(nlh);
	const struct nlattr *tb[IFLA_LINKINFO + 1];
	const struct nlattr *info[IFLA_INFO_KIND + 1];
	struct nst_tc_devs *devs = data;
	struct nst_tc_dev *grown;
	char kind[16] = "";

	if (nlh->nlmsg_type != RTM_NEWLINK ||
	    mnl_nlmsg_get_payload_len(nlh) < sizeof(*ifi) ||
	    ifi->ifi_index <= 0)
		return -EPROTO;
	grown = nst_tc_grow(devs->all, devs->count, &devs->room,
			    sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	devs->all = grown;
	NST_NLA_PARSE_MSG(nlh, sizeof(*ifi), tb, IFLA_LINKINFO);
	nst_nla_parse_nested(tb[IFLA_LINKINFO], info, IFLA_INFO_KIND);
	nst_nla_str(info[IFLA_INFO_KIND], kind, sizeof(kind));
	grown += devs->count++;
	grown->ifindex = ifi->ifi_index;
	grown->is_netkit = !strcmp(kind, "netkit");
	return 0;
}

static void forget_devices(void *data)
{
	((struct nst_tc_devs *)data)->count = 0;
}

static int read_devices(struct nsteer *ns, uint32_t ifindex,
			struct nst_tc_devs *devs)
{
	struct nst_nl_dump dump = { take_device, forget_devices, devs };

	return ifindex ? nst_link_get(ns, ifindex, NULL, take_device, devs)
		       : nst_link_dump_kind(ns, NULL, &dump);
}

/* ---- places ---- */

struct nsteer_tc_place *nst_tc_hooks_add(struct nsteer_tc_hooks *h,
					 uint32_t ifindex,
					 enum nsteer_tc_hook hook)
{
	struct nsteer_tc_place *p;

	p = nst_tc_grow(h->places, h->count, &h->room, sizeof(*p));
	if (!p)
		return NULL;
	h->places = p;
	p += h->count++;
	memset(p, 0, sizeof(*p));
	p->ifindex = ifindex;
	p->hook = hook;
	if (hook == NSTEER_TC_HOOK_INGRESS)
		p->parent = NST_TC_INGRESS;
	else if (hook == NSTEER_TC_HOOK_EGRESS)
		p->parent = NST_TC_EGRESS;
	return p;
}

static enum nsteer_tc_hook hook_of(uint32_t parent)
{
	return parent == NST_TC_INGRESS ? NSTEER_TC_HOOK_INGRESS :
	       parent == NST_TC_EGRESS	? NSTEER_TC_HOOK_EGRESS :
					  NSTEER_TC_HOOK_ANY;
}

/* The hooks that use a block, as they came. */
static int keep_bound(struct nsteer_tc_place *p,
		      const struct nst_tc_places *from)
{
	struct nst_tc_bound *grown;
	size_t i, room = 0;

	for (i = 0; i < from->n_bound; i++) {
		if (from->bound[i].block != p->block)
			continue;
		grown = nst_tc_grow(p->bound, p->n_bound, &room,
				    sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		p->bound = grown;
		p->bound[p->n_bound++] = from->bound[i];
	}
	return 0;
}

static int add_place(struct nsteer_tc_hooks *h,
		     const struct nst_tc_places *from,
		     const struct nst_tc_place *place)
{
	bool is_block = place->ifindex == TCM_IFINDEX_MAGIC_BLOCK;
	struct nsteer_tc_place *p;

	p = nst_tc_hooks_add(h, is_block ? 0 : place->ifindex,
			     is_block ? 0 : hook_of(place->parent));
	if (!p)
		return -ENOMEM;
	if (is_block) {
		p->block = place->parent;
		return keep_bound(p, from);
	}
	p->parent = place->parent;
	return 0;
}

/* Those of the dump first, in its order, then the hooks that use blocks. */
static int add_places(struct nsteer_tc_hooks *h, uint32_t ifindex,
		      const struct nst_tc_places *from)
{
	struct nsteer_tc_place *p;
	size_t i;

	for (i = 0; i < from->count; i++)
		if (add_place(h, from, &from->all[i]))
			return -ENOMEM;
	for (i = 0; i < from->n_bound; i++) {
		if (ifindex && from->bound[i].ifindex != ifindex)
			continue;
		p = nst_tc_hooks_add(h, from->bound[i].ifindex,
				     hook_of(from->bound[i].parent));
		if (!p)
			return -ENOMEM;
		p->block = from->bound[i].block;
	}
	return 0;
}

/* ---- order ---- */

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_chain(uint32_t chain_a, uint32_t pref_a, size_t seq_a,
		    uint32_t chain_b, uint32_t pref_b, size_t seq_b)
{
	if (chain_a != chain_b)
		return compare(chain_a, chain_b);
	return pref_a != pref_b ? compare(pref_a, pref_b) :
				  compare(seq_a, seq_b);
}

static int order_classifiers(const void *a, const void *b)
{
	const struct nsteer_tc_classifier *x = a, *y = b;

	return by_chain(x->chain, x->pref, x->seq, y->chain, y->pref, y->seq);
}

static int order_programs(const void *a, const void *b)
{
	const struct nsteer_tc_program *x = a, *y = b;

	return by_chain(x->chain, x->pref, x->seq, y->chain, y->pref, y->seq);
}

int nst_tc_hooks_order(const void *a, const void *b)
{
	static const unsigned char rank[] = {
		[NSTEER_TC_HOOK_PEER] = 0,   [NSTEER_TC_HOOK_INGRESS] = 1,
		[NSTEER_TC_HOOK_EGRESS] = 2, [NSTEER_TC_HOOK_ANY] = 3,
		[NSTEER_TC_HOOK_ROOT] = 3,   [NSTEER_TC_HOOK_PRIMARY] = 4,
	};
	const struct nsteer_tc_place *x = a, *y = b;

	/* A block has no device, and comes last. */
	if (x->ifindex != y->ifindex)
		return compare(x->ifindex - 1, y->ifindex - 1);
	if (!x->ifindex)
		return compare(x->block, y->block);
	if (rank[x->hook] != rank[y->hook])
		return compare(rank[x->hook], rank[y->hook]);
	return compare(x->parent, y->parent);
}

/* A classifier that was left and come back to is one all the same. */
static void merge(struct nsteer_tc_place *p)
{
	struct nsteer_tc_classifier *c = p->classifiers, *last;
	size_t i, kept = 0;

	for (i = 0; i < p->n_classifiers; i++) {
		last = kept ? &c[kept - 1] : NULL;
		if (last && last->chain == c[i].chain &&
		    last->pref == c[i].pref &&
		    last->protocol == c[i].protocol &&
		    !strcmp(last->kind, c[i].kind))
			last->filters += c[i].filters;
		else
			c[kept++] = c[i];
	}
	p->n_classifiers = kept;
}

static void put_in_order(struct nsteer_tc_hooks *h)
{
	struct nsteer_tc_place *p;
	size_t i;

	for (i = 0; i < h->count; i++) {
		p = &h->places[i];
		if (p->n_classifiers)
			qsort(p->classifiers, p->n_classifiers,
			      sizeof(*p->classifiers), order_classifiers);
		if (p->n_programs)
			qsort(p->programs, p->n_programs, sizeof(*p->programs),
			      order_programs);
		merge(p);
	}
	if (h->count)
		qsort(h->places, h->count, sizeof(*h->places),
		      nst_tc_hooks_order);
}

/* ---- all of it ---- */

static void free_place(struct nsteer_tc_place *p)
{
	size_t i;

	for (i = 0; i < p->n_programs; i++)
		free(p->programs[i].filter_name);
	free(p->programs);
	free(p->classifiers);
	free(p->bound);
}

static void leave_out_empty(struct nsteer_tc_hooks *h)
{
	size_t i, kept = 0;

	for (i = 0; i < h->count; i++) {
		if (h->places[i].n_classifiers || h->places[i].n_programs ||
		    h->places[i].incomplete)
			h->places[kept++] = h->places[i];
		else
			free_place(&h->places[i]);
	}
	h->count = kept;
}

static int count_incomplete(const struct nsteer_tc_hooks *h)
{
	int count = 0;
	size_t i;

	for (i = 0; i < h->count; i++)
		count += h->places[i].incomplete;
	return count;
}

static int count_all(struct nsteer *ns, struct nsteer_tc_hooks *h,
		     struct nsteer_tc_dump *dump, struct nst_tc_lost *lost)
{
	const struct nsteer_tc_filter *f;
	size_t i, count;
	int ret;

	while ((ret = nsteer_tc_dump_next(dump, &f)) == 1)
		if (nst_tc_hooks_take(&h->places[nst_tc_dump_place(dump)], f))
			return no_memory(ns);
	count = nst_tc_dump_all_read(dump);
	if (!ret || !count)
		return ret;
	for (i = 0; i < count; i++)
		h->places[i].incomplete = nst_tc_dump_broke(dump, i);
	return nst_tc_lost_add(ns, lost, ret, true);
}

/* Closes the sockets. */
static int read_filters(struct nsteer *ns, uint32_t ifindex, struct nst_nl *nl,
			struct nst_nl *aside, struct nsteer_tc_hooks *h,
			struct nst_tc_lost *lost)
{
	struct nst_tc_places places = { .with_bound = true };
	struct nsteer_tc_dump *dump;
	int err;

	err = nst_tc_places(ns, nl, ifindex, &places);
	if (!err && add_places(h, ifindex, &places))
		err = no_memory(ns);
	if (err) {
		nst_tc_places_free(&places);
		nst_nl_close(nl);
		nst_nl_close(aside);
		return err;
	}
	err = nst_tc_dump_open_places(ns, &places, nl, aside, &dump);
	if (err) {
		nst_tc_places_free(&places);
		return err;
	}
	err = count_all(ns, h, dump, lost);
	nsteer_tc_dump_close(dump);
	return err;
}

int nst_tc_hooks_list(struct nsteer *ns, const struct nsteer_tc_hooks_opts *o,
		      struct nst_nl *nl, struct nst_nl *aside,
		      const struct nst_tc_prog_io *io,
		      struct nsteer_tc_hooks **out)
{
	struct nsteer_tc_hooks *h = calloc(1, sizeof(*h));
	struct nst_tc_devs devs = { 0 };
	struct nst_tc_lost lost = { 0 };
	int err;

	err = h ? read_devices(ns, o->ifindex, &devs) : no_memory(ns);
	if (err) {
		nst_nl_close(nl);
		nst_nl_close(aside);
	} else {
		err = read_filters(ns, o->ifindex, nl, aside, h, &lost);
	}
	if (!err) {
		put_in_order(h);
		err = nst_tc_hooks_programs(ns, io, &devs, h);
	}
	free(devs.all);
	if (err) {
		nsteer_tc_hooks_free(h);
		return err;
	}
	if (h->count)
		qsort(h->places, h->count, sizeof(*h->places),
		      nst_tc_hooks_order);
	if (!o->empty)
		leave_out_empty(h);
	*out = h;
	nst_tc_lost_tell(ns, &lost, "place");
	return count_incomplete(h);
}

NSTEER_API int nsteer_tc_hooks_list(struct nsteer *ns,
				    const struct nsteer_tc_hooks_opts *opts,
				    struct nsteer_tc_hooks **out)
{
	struct nsteer_tc_hooks_opts o;
	struct nst_nl *nl;
	int err;

	nst_err_clear(ns);
	err = NST_OPTS_READ(ns, opts, &o);
	if (!err)
		err = nst_nl_open_wide(ns, NETLINK_ROUTE, &nl);
	if (err)
		return err;
	return nst_tc_hooks_list(ns, &o, nl, NULL, &nst_tc_prog_kernel, out);
}

NSTEER_API void nsteer_tc_hooks_free(struct nsteer_tc_hooks *h)
{
	size_t i;

	if (!h)
		return;
	for (i = 0; i < h->count; i++)
		free_place(&h->places[i]);
	free(h->places);
	free(h);
}
