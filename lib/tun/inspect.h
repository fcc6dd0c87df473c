/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is on a tun device, read from the kernel by tun_inspect.bpf.c. */
#ifndef NST_TUN_INSPECT_H
#define NST_TUN_INSPECT_H

#include "bpf/shared.h"
#include "core/ctx.h"
#include "core/prog.h"

struct nst_tun_prog {
	struct nsteer_prog prog;
	/*
	 * It looks like one of ours, by its name and its map nst_cfg. Of a
	 * newer cfg as much as this version knows.
	 */
	bool has_cfg;
	struct nst_cfg cfg;
};

struct nst_tun_state {
	uint32_t ifindex;
	uint32_t flags; /* IFF_* of tun_struct */
	uint32_t numqueues;
	uint32_t numdisabled;
	uint64_t netns_cookie; /* of the device's namespace; 0: not told */
	struct nst_tun_prog steering;
	struct nst_tun_prog filter;
};

/*
 * One device of the context's namespace. -ENODEV: there is no such tun device;
 * -EOPNOTSUPP: this kernel cannot be asked; -EPERM: cap_bpf or cap_perfmon is
 * missing; -EAGAIN: try after try something changed while it was read.
 */
int nst_tun_inspect(struct nsteer *ns, uint32_t ifindex,
		    struct nst_tun_state *out);

/* A queue that this process has open, and its device. */
struct nst_tun_queue {
	struct nst_tun_state state;
	uint32_t index; /* means nothing when it is detached */
	bool detached;
	bool in_netns; /* the device is in the context's namespace */
};

/*
 * By a descriptor of /dev/net/tun, in whatever namespace its device is.
 * -EBADFD: it is a queue of no device; else as nst_tun_inspect().
 */
int nst_tun_inspect_queue(struct nsteer *ns, int queue_fd,
			  struct nst_tun_queue *out);

/*
 * All of them, sorted by ifindex, to be freed with free(). expect: about how
 * many there are, if known.
 */
int nst_tun_inspect_all(struct nsteer *ns, size_t expect,
			struct nst_tun_state **out, size_t *count);

/* Where this kernel keeps things; the context's. */
int nst_tun_offsets(struct nsteer *ns, const struct nst_inspect_offsets **out);

#endif /* NST_TUN_INSPECT_H */
