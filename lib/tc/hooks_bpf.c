/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Programs of tcx and netkit, and what programs are called. */
#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/btf.h"
#include "core/caps.h"
#include "core/netns.h"
#include "tc/hooks.h"

/* enum bpf_attach_type */
#define TCX_INGRESS 46
#define TCX_EGRESS 47
#define NETKIT_PRIMARY 54
#define NETKIT_PEER 55

/* More than any kernel has at a hook [BPF_MPROG_MAX]. */
#define ROOM_AT_FIRST 64
#define ROOM_AT_MOST (1U << 16)

/* ---- the kernel ---- */

/* The head of union bpf_attr for BPF_PROG_QUERY, Linux 6.6. */
struct query_attr {
	uint32_t target_ifindex;
	uint32_t attach_type;
	uint32_t query_flags;
	uint32_t attach_flags;
	uint64_t prog_ids;
	uint32_t count;
	uint32_t pad;
	uint64_t prog_attach_flags;
	uint64_t link_ids;
	uint64_t link_attach_flags;
	uint64_t revision;
};

static int kernel_query(void *priv, uint32_t ifindex, uint32_t type,
			struct nst_tc_progs *progs)
{
	struct query_attr attr = {
		.target_ifindex = ifindex,
		.attach_type = type,
		.prog_ids = (uintptr_t)progs->ids,
		.link_ids = (uintptr_t)progs->links,
		.count = progs->room,
	};
	int err = 0;

	(void)priv;
	if (syscall(SYS_bpf, BPF_PROG_QUERY, &attr, sizeof(attr)))
		err = -errno;
	progs->count = attr.count;
	return err;
}

/* A kernel that has them has their links; none may be in a module. */
static bool kernel_may_have(void *priv, struct nsteer *ns)
{
	uint32_t tcx, netkit;
	const struct nst_btf_want want[] = {
		{ "tcx_link", NULL, &tcx, true },
		{ "netkit_link", NULL, &netkit, true },
	};
	int err;

	(void)priv;
	err = nst_btf_find(ns, NULL, want, sizeof(want) / sizeof(want[0]));
	nst_err_clear(ns);
	return err || tcx != NST_BTF_NONE || netkit != NST_BTF_NONE;
}

static int kernel_info(void *priv, struct nsteer_prog *prog)
{
	struct bpf_prog_info info = { 0 };
	uint32_t len = sizeof(info);
	int fd, err;

	(void)priv;
	fd = bpf_prog_get_fd_by_id(prog->id);
	if (fd < 0)
		return fd;
	err = bpf_obj_get_info_by_fd(fd, &info, &len);
	close(fd);
	if (err)
		return err;
	memcpy(prog->name, info.name, sizeof(prog->name) - 1);
	nst_prog_set_tag(prog, info.tag);
	return 0;
}

const struct nst_tc_prog_io nst_tc_prog_kernel = {
	.query = kernel_query,
	.may_have = kernel_may_have,
	.info = kernel_info,
};

/* ---- hooks ---- */

static const struct kind {
	enum nsteer_tc_hook hook;
	uint32_t type;
	bool is_netkit;
	const char *backend;
} kinds[] = {
	{ NSTEER_TC_HOOK_INGRESS, TCX_INGRESS, false, "tcx" },
	{ NSTEER_TC_HOOK_EGRESS, TCX_EGRESS, false, "tcx" },
	{ NSTEER_TC_HOOK_PRIMARY, NETKIT_PRIMARY, true, "netkit" },
	{ NSTEER_TC_HOOK_PEER, NETKIT_PEER, true, "netkit" },
};

#define N_KINDS (sizeof(kinds) / sizeof(kinds[0]))

struct reading {
	struct nsteer *ns;
	const struct nst_tc_prog_io *io;
	struct nsteer_tc_hooks *hooks;
	size_t n_sorted; /* of its places */
	struct nst_tc_progs progs;
	bool lacks[N_KINDS]; /* the kernel has no such hooks */
};

static bool make_room(struct nst_tc_progs *progs, uint32_t room)
{
	uint32_t *grown;

	grown = reallocarray(progs->ids, room, sizeof(*grown));
	if (!grown)
		return false;
	progs->ids = grown;
	grown = reallocarray(progs->links, room, sizeof(*grown));
	if (!grown)
		return false;
	progs->links = grown;
	progs->room = room;
	return true;
}

static struct nsteer_tc_place *find(struct reading *r, uint32_t ifindex,
				    enum nsteer_tc_hook hook)
{
	struct nsteer_tc_place key = { .ifindex = ifindex, .hook = hook };
	struct nsteer_tc_hooks *h = r->hooks;
	struct nsteer_tc_place *p = NULL;

	if (hook == NSTEER_TC_HOOK_INGRESS)
		key.parent = NST_TC_INGRESS;
	else if (hook == NSTEER_TC_HOOK_EGRESS)
		key.parent = NST_TC_EGRESS;
	if (r->n_sorted)
		p = bsearch(&key, h->places, r->n_sorted, sizeof(key),
			    nst_tc_hooks_order);
	return p ? p : nst_tc_hooks_add(h, ifindex, hook);
}

/* In front of the filters. */
static int put(struct nsteer_tc_place *p, const struct kind *kind,
	       const struct nst_tc_progs *progs)
{
	size_t n = progs->count, total = p->n_programs + n, i;
	struct nsteer_tc_program *all;

	all = calloc(total, sizeof(*all));
	if (!all)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		all[i].prog.id = progs->ids[i];
		all[i].link = progs->links[i];
		all[i].backend = kind->backend;
	}
	if (p->n_programs)
		memcpy(all + n, p->programs, p->n_programs * sizeof(*all));
	free(p->programs);
	p->programs = all;
	p->n_programs = total;
	p->program_room = total;
	return 0;
}

static int query(struct reading *r, uint32_t ifindex, const struct kind *kind)
{
	struct nst_tc_progs *progs = &r->progs;
	int err;

	for (;;) {
		memset(progs->links, 0, progs->room * sizeof(*progs->links));
		progs->count = progs->room;
		err = r->io->query(r->io->priv, ifindex, kind->type, progs);
		if (err != -ENOSPC)
			break;
		/* There may be more by the time of the next try. */
		if (progs->count <= progs->room || progs->count > ROOM_AT_MOST)
			return -E2BIG;
		if (!make_room(progs, progs->count + 8))
			return -ENOMEM;
	}
	if (!err && progs->count > progs->room)
		return -E2BIG;
	return err;
}

/*
 * The device has gone; it has none [-ENOENT before Linux 6.7]; it is no netkit
 * device, or the second one of a pair.
 */
static bool is_none(int err, const struct kind *kind)
{
	return err == -ENODEV || err == -ENOENT ||
	       (kind->is_netkit && (err == -ENXIO || err == -EACCES));
}

/* 0, -ENOMEM, or why the kernel does not tell. */
static int read_hook(struct reading *r, const struct nst_tc_dev *dev, size_t k)
{
	const struct kind *kind = &kinds[k];
	struct nsteer_tc_place *p;
	int err;

	if (r->lacks[k] || (kind->is_netkit && !dev->is_netkit))
		return 0;
	err = query(r, dev->ifindex, kind);
	/* The attach type is unknown, or all of bpf() is. */
	r->lacks[k] = err == -EINVAL || err == -ENOSYS || err == -EOPNOTSUPP;
	if (r->lacks[k] || is_none(err, kind))
		return 0;
	if (err || !r->progs.count)
		return err;
	p = find(r, dev->ifindex, kind->hook);
	return p ? put(p, kind, &r->progs) : -ENOMEM;
}

static int read_all(struct reading *r, const struct nst_tc_devs *devs)
{
	size_t i, k;
	int err = 0;

	for (i = 0; i < devs->count && !err; i++)
		for (k = 0; k < N_KINDS && !err; k++)
			err = read_hook(r, &devs->all[i], k);
	return err;
}

/* ---- what cannot be had ---- */

/* Why says the sentence that is there. */
static void hide(struct nsteer *ns, struct nsteer_tc_hooks *h)
{
	char reason[sizeof(ns->err.msg)];
	struct nsteer_tc_place *p;
	size_t i;

	memcpy(reason, ns->err.msg, sizeof(reason));
	nst_err_clear(ns);
	nst_warn(ns, "programs of tcx and netkit are unknown: %s", reason);
	h->hidden = true;
	for (i = 0; i < h->count; i++) {
		p = &h->places[i];
		p->hidden = p->hook == NSTEER_TC_HOOK_INGRESS ||
			    p->hook == NSTEER_TC_HOOK_EGRESS;
	}
}

/* ---- names ---- */

/* What goes in the midst of it keeps its id alone. */
static void read_names(const struct nst_tc_prog_io *io,
		       struct nsteer_tc_hooks *h)
{
	struct nsteer_prog *prog;
	size_t i, k;

	for (i = 0; i < h->count; i++)
		for (k = 0; k < h->places[i].n_programs; k++) {
			prog = &h->places[i].programs[k].prog;
			if (!prog->id)
				continue;
			/* Needs cap_sys_admin, for one as for all. */
			if (io->info(io->priv, prog) == -EPERM)
				return;
		}
}

int nst_tc_hooks_programs(struct nsteer *ns, const struct nst_tc_prog_io *io,
			  const struct nst_tc_devs *devs,
			  struct nsteer_tc_hooks *h)
{
	struct reading r = { ns, io, h, h->count, .progs = { 0 } };
	struct nst_netns_guard guard;
	int err;

	if (!make_room(&r.progs, ROOM_AT_FIRST)) {
		free(r.progs.ids);
		return nst_fail(ns, -ENOMEM, "out of memory");
	}
	err = nst_netns_enter(ns, &guard);
	if (err) {
		hide(ns, h);
		goto out;
	}
	err = read_all(&r, devs);
	if (err == -ENOMEM) {
		nst_fail(ns, err, "out of memory");
	} else if (err) {
		if (io->may_have(io->priv, ns)) {
			nst_fail_cap(ns, err, NST_CAPS(CAP_NET_ADMIN),
				     "cannot ask for them: %s", strerror(-err));
			hide(ns, h);
		}
		err = 0;
	}
	err = nst_netns_leave(ns, &guard, err);
	if (err)
		goto out_free;
out:
	read_names(io, h);
	err = 0;
out_free:
	free(r.progs.ids);
	free(r.progs.links);
	return err;
}
