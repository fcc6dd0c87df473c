/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Options structs that grow: what a caller of another version hands in. */
#ifndef NST_OPTS_H
#define NST_OPTS_H

#include <stddef.h>

struct nsteer;

/*
 * Copy opts, a struct of whatever version starting with its size, over *known,
 * which has size known_sz: what the caller's struct lacks stays zero. NULL
 * leaves all of it zero. -EINVAL: shorter than its own size member; -E2BIG:
 * longer, and something in the tail is set.
 */
int nst_opts_read(struct nsteer *ns, const void *opts, void *known,
		  size_t known_sz);

#define NST_OPTS_READ(ns, opts, known)                                         \
	nst_opts_read(ns, opts, known, sizeof(*(known)))

#endif /* NST_OPTS_H */
