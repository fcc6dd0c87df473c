// SPDX-License-Identifier: GPL-2.0-or-later
#include "tc_hooks_kernel.h"

#include <linux/if_link.h>

static int fake_query(void *priv, uint32_t ifindex, uint32_t type,
		      struct nst_tc_progs *progs)
{
	struct progs *p = priv;
	const struct hook *h;
	uint32_t i;

	p->queries++;
	progs->count = 0;
	for (h = p->hook; h < p->hook + 8; h++)
		if (h->type == type && h->ifindex == ifindex)
			break;
	if (h == p->hook + 8 || h->err)
		return h == p->hook + 8 ? p->other : h->err;
	for (i = 0; i < h->n && i < progs->room; i++) {
		progs->ids[i] = h->first + i;
		progs->links[i] = i ? 0 : h->link;
	}
	progs->count = h->n;
	return h->n > progs->room ? -ENOSPC : 0;
}

static bool fake_may_have(void *priv, struct nsteer *ns)
{
	(void)ns;
	return !((struct progs *)priv)->lacks;
}

static int fake_info(void *priv, struct nsteer_prog *prog)
{
	struct progs *p = priv;

	p->infos++;
	if (p->info)
		return p->info;
	if (prog->id == p->gone)
		return -ENOENT;
	snprintf(prog->name, sizeof(prog->name), "prog%u", prog->id);
	strcpy(prog->tag, "0123456789abcdef");
	return 0;
}

void put_device(struct script *s, uint32_t ifindex, const char *kind)
{
	struct ifinfomsg ifi = { .ifi_index = ifindex };
	struct attrs info;

	put_msg(s, RTM_NEWLINK, NLM_F_MULTI, &ifi, sizeof(ifi));
	if (!kind)
		return;
	mnl_attr_put_strz(attrs_new(&info), IFLA_INFO_KIND, kind);
	put_attrs(s, IFLA_LINKINFO, &info);
}

void kernel_new(struct kernel *k)
{
	memset(k, 0, sizeof(*k));
	k->links = script_new(false);
	k->s = script_new(false);
}

void say_devices(struct kernel *k)
{
	say_datagram(k->links);
	put_device(k->links, 5, NULL);
	put_device(k->links, 2, "veth");
	put_device(k->links, 3, "netkit");
	put_device(k->links, 4, "netkits");
	put_done(k->links, 0, 0);
}

void say_empty(struct script *s, int n)
{
	while (n--) {
		say_datagram(s);
		put_done(s, 0, 0);
	}
}

int list(struct kernel *k, uint32_t ifindex, bool empty)
{
	const struct nst_tc_prog_io io = { fake_query, fake_may_have, fake_info,
					   &k->progs };
	const struct nsteer_tc_hooks_opts o = { .ifindex = ifindex,
						.empty = empty };

	return nst_tc_hooks_list(k->links->ns, &o, give_away(k->s), NULL, &io,
				 &k->hooks);
}

void list_ok(struct kernel *k, uint32_t ifindex, bool empty)
{
	int err = list(k, ifindex, empty);

	ck_assert_msg(!err, "%d: %s", err, nsteer_errmsg(k->links->ns));
}

void list_fails(struct kernel *k, int err, const char *words)
{
	ck_assert_int_eq(list(k, 0, false), err);
	ck_assert_ptr_null(k->hooks);
	ck_assert_msg(strstr(nsteer_errmsg(k->links->ns), words) != NULL,
		      "%s", nsteer_errmsg(k->links->ns));
}

void kernel_end(struct kernel *k)
{
	nsteer_tc_hooks_free(k->hooks);
	script_end(k->links);
	script_end(k->s);
}

void say_places(struct script *s)
{
	say_datagram(s);
	put_qdisc(s, 5, TC_H_CLSACT, TC_H_INGRESS, "clsact");
	put_attr_u32(s, TCA_INGRESS_BLOCK, 9);
	put_attr_u32(s, TCA_EGRESS_BLOCK, 8);
	put_qdisc(s, 2, TC_H_CLSACT, TC_H_INGRESS, "clsact");
	put_attr_u32(s, TCA_INGRESS_BLOCK, 9);
	put_qdisc(s, 3, 1 << 16, TC_H_ROOT, "prio");
	put_done(s, 0, 0);
}

const struct tc_where block9 = { TCM_IFINDEX_MAGIC_BLOCK, 9, 0, 10,
					"flower" };
static const struct tc_where chain5 = { TCM_IFINDEX_MAGIC_BLOCK, 9, 5, 3,
					"flower" };
static const struct tc_where later = { TCM_IFINDEX_MAGIC_BLOCK, 9, 0, 20,
				       "flower" };
static const struct tc_where prio = { 3, 1 << 16, 0, 1, "flower" };

void say_filters(struct script *s)
{
	int i;

	say_datagram(s);
	put_tp(s, &chain5);
	put_filter(s, &chain5, 1, NULL);
	put_tp(s, &block9);
	for (i = 1; i <= 9; i++)
		put_filter(s, &block9, i, NULL);
	say_datagram(s);
	put_filter(s, &block9, 10, NULL);
	put_tp(s, &later);
	put_filter(s, &later, 1, NULL);
	/* Left and come back to. */
	put_filter(s, &chain5, 2, NULL);
	put_done(s, 0, 0);
	say_empty(s, 2);
	say_datagram(s);
	put_filter(s, &prio, 1, NULL);
	put_done(s, 0, 0);
}

void say_one(struct kernel *k)
{
	say_datagram(k->links);
	put_device(k->links, 2, NULL);
	put_done(k->links, 0, 0);
	say_datagram(k->s);
	put_qdisc(k->s, 2, TC_H_CLSACT, TC_H_INGRESS, "clsact");
	put_done(k->s, 0, 0);
}

void put_bpf(struct script *s, const struct tc_where *w, uint32_t handle,
	     uint32_t id, const char *name)
{
	static const unsigned char tag[8] = { 0xa0, 0xff, 0, 1, 2, 3, 4, 0x5b };
	struct attrs o;

	attrs_new(&o);
	mnl_attr_put_u32((struct nlmsghdr *)o.buf, TCA_BPF_ID, id);
	mnl_attr_put((struct nlmsghdr *)o.buf, TCA_BPF_TAG, sizeof(tag), tag);
	if (name)
		mnl_attr_put_strz((struct nlmsghdr *)o.buf, TCA_BPF_NAME, name);
	mnl_attr_put_u32((struct nlmsghdr *)o.buf, TCA_BPF_FLAGS,
			 name ? TCA_BPF_FLAG_ACT_DIRECT : 0);
	put_filter(s, w, handle, &o);
}

const struct nsteer_tc_place *
place_is(const struct kernel *k, size_t i, uint32_t ifindex,
	 enum nsteer_tc_hook hook, uint32_t block, uint64_t filters)
{
	const struct nsteer_tc_place *p = nsteer_tc_hooks_get(k->hooks, i);

	ck_assert_ptr_nonnull(p);
	ck_assert_uint_eq(nsteer_tc_place_ifindex(p), ifindex);
	ck_assert_int_eq(nsteer_tc_place_hook(p), hook);
	ck_assert_uint_eq(nsteer_tc_place_block(p), block);
	ck_assert_uint_eq(nsteer_tc_place_filters(p), filters);
	return p;
}

void classifier_is(const struct nsteer_tc_place *p, size_t i, uint32_t chain,
		   uint32_t pref, const char *kind, uint64_t filters)
{
	const struct nsteer_tc_classifier *c = nsteer_tc_place_classifier(p, i);

	ck_assert_ptr_nonnull(c);
	ck_assert_uint_eq(nsteer_tc_classifier_chain(c), chain);
	ck_assert_uint_eq(nsteer_tc_classifier_pref(c), pref);
	ck_assert_uint_eq(nsteer_tc_classifier_protocol(c), ETH_P_IP);
	ck_assert_str_eq(nsteer_tc_classifier_kind(c), kind);
	ck_assert_uint_eq(nsteer_tc_classifier_filters(c), filters);
}

void bound_is(const struct nsteer_tc_place *p, size_t i, uint32_t ifindex,
	      enum nsteer_tc_hook hook)
{
	enum nsteer_tc_hook h = NSTEER_TC_HOOK_ANY;
	uint32_t dev = 0;

	ck_assert_int_eq(nsteer_tc_place_device(p, i, &dev, &h), 0);
	ck_assert_uint_eq(dev, ifindex);
	ck_assert_int_eq(h, hook);
}

const struct nsteer_tc_program *
program_is(const struct nsteer_tc_place *p, size_t i, const char *backend,
	   uint32_t id)
{
	const struct nsteer_tc_program *g = nsteer_tc_place_program(p, i);

	ck_assert_ptr_nonnull(g);
	ck_assert_str_eq(nsteer_tc_program_backend(g), backend);
	ck_assert_uint_eq(nsteer_prog_id(nsteer_tc_program_prog(g)), id);
	return g;
}
