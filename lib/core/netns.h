/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stepping into a network namespace and back. */
#ifndef NST_NETNS_H
#define NST_NETNS_H

#include "ctx.h"

/* Where the thread was; -1: it was there already, nothing to undo. */
struct nst_netns_guard {
	int back_fd;
};

/*
 * For nsteer_open(): settle which namespace the context acts in. stay: move the
 * thread there for good.
 */
int nst_netns_open(struct nsteer *ns, const char *spec, int fd, bool stay);

/*
 * Enter the context's namespace; refused when the thread could not come back.
 * Each successful enter needs a leave.
 */
int nst_netns_enter(struct nsteer *ns, struct nst_netns_guard *guard);

/*
 * Bring the thread back. Returns err, or, when the way back is barred after
 * all, that: a thread in the wrong namespace must not go unnoticed, so it is a
 * warning too.
 */
int nst_netns_leave(struct nsteer *ns, struct nst_netns_guard *guard, int err);

/* Is the namespace behind netns_fd the context's? */
bool nst_netns_is_ours(const struct nsteer *ns, int netns_fd);

#endif /* NST_NETNS_H */
