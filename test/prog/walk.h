/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asking what is on a device, and what has to come of it. */
#ifndef NST_TEST_WALK_H
#define NST_TEST_WALK_H

#include <linux/if_tun.h>

#include "raw.h"
#include "tun/inspect.h"

#define MQ_TAP (IFF_TAP | IFF_NO_PI | IFF_MULTI_QUEUE)

/* A namespace of its own, and a context in it. */
struct nsteer *walk_begin(void);
struct nst_tun_state walk_one(struct nsteer *ns, uint32_t ifindex);
/* Sorted, which is checked; returns how many. */
size_t walk_all(struct nsteer *ns, size_t expect, struct nst_tun_state **out);
/* A queue of a device that goes with it. */
int walk_tap(const char *name);
/* What was seen is this program; is none. */
void walk_is_prog(const struct nst_tun_prog *got, int prog_fd);
void walk_is_none(const struct nst_tun_prog *got);

#endif /* NST_TEST_WALK_H */
