/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which places have filters and programs: a snapshot while it is made. */
#ifndef NST_TC_HOOKS_H
#define NST_TC_HOOKS_H

#include "core/prog.h"
#include "tc/tc.h"

struct nsteer_tc_classifier {
	uint64_t filters;
	size_t seq; /* where it came */
	uint32_t chain;
	uint32_t pref;
	uint16_t protocol;
	char kind[NST_TC_KIND_LEN];
};

struct nsteer_tc_program {
	struct nsteer_prog prog; /* id 0: there is none */
	const char *backend;
	char *filter_name; /* NULL: none */
	size_t seq;
	uint32_t link; /* 0: none */
	uint32_t chain;
	uint32_t pref;
	uint32_t handle;
	bool is_filter;
	bool direct_action;
};

struct nsteer_tc_place {
	uint32_t ifindex;
	uint32_t block;
	uint32_t parent;
	enum nsteer_tc_hook hook;
	bool hidden;
	bool incomplete;
	uint64_t filters;
	struct nsteer_tc_classifier *classifiers;
	size_t n_classifiers;
	size_t classifier_room;
	struct nsteer_tc_program *programs;
	size_t n_programs;
	size_t program_room;
	struct nst_tc_bound *bound; /* to a block */
	size_t n_bound;
};

struct nsteer_tc_hooks {
	struct nsteer_tc_place *places;
	size_t count;
	size_t room;
	bool hidden;
};

struct nst_tc_dev {
	uint32_t ifindex;
	bool is_netkit;
};

struct nst_tc_devs {
	struct nst_tc_dev *all;
	size_t count;
	size_t room;
};

/* What the kernel has at a hook, in the order in which they run. */
struct nst_tc_progs {
	uint32_t *ids;
	uint32_t *links; /* 0: none */
	uint32_t count;
	uint32_t room;
};

/* How programs are asked for; a test puts a script here. */
struct nst_tc_prog_io {
	/*
	 * At this hook of a device (BPF_TCX_INGRESS and so on). With -ENOSPC
	 * count says how many there are.
	 */
	int (*query)(void *priv, uint32_t ifindex, uint32_t type,
		     struct nst_tc_progs *progs);
	/*
	 * Asked when that is refused: may the kernel have such hooks at all?
	 * False only where that is known.
	 */
	bool (*may_have)(void *priv, struct nsteer *ns);
	/* Name and tag of the id in prog. */
	int (*info)(void *priv, struct nsteer_prog *prog);
	void *priv;
};

extern const struct nst_tc_prog_io nst_tc_prog_kernel;

/*
 * nsteer_tc_hooks_list() on sockets, both of which are closed: the second one
 * is that of nst_tc_dump_open().
 */
int nst_tc_hooks_list(struct nsteer *ns, const struct nsteer_tc_hooks_opts *o,
		      struct nst_nl *nl, struct nst_nl *aside,
		      const struct nst_tc_prog_io *io,
		      struct nsteer_tc_hooks **out);

/*
 * Add the programs of tcx and netkit, and names to all. What the kernel lacks
 * is not there, what it refuses is hidden, and a warning; a failure is one of
 * memory, or that the thread did not come back. The places are in order before,
 * and no more after it.
 */
int nst_tc_hooks_programs(struct nsteer *ns, const struct nst_tc_prog_io *io,
			  const struct nst_tc_devs *devs,
			  struct nsteer_tc_hooks *hooks);

/* Count a filter there; a program is kept. -ENOMEM */
int nst_tc_hooks_take(struct nsteer_tc_place *p,
		      const struct nsteer_tc_filter *f);

/* A new place, zero but for these; NULL: no memory. */
struct nsteer_tc_place *nst_tc_hooks_add(struct nsteer_tc_hooks *hooks,
					 uint32_t ifindex,
					 enum nsteer_tc_hook hook);
/* By device, hook and parent, then blocks. */
int nst_tc_hooks_order(const void *a, const void *b);

#endif /* NST_TC_HOOKS_H */
