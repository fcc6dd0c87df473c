/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which capability was it? Asked of libcap, only after something failed. */
#ifndef NST_CAPS_H
#define NST_CAPS_H

#include <sys/capability.h>

#include "ctx.h"

/*
 * nst_fail() for an error that a lack of these capabilities explains: when err
 * is -EPERM or -EACCES and some of them are not effective in this thread, they
 * are named in the record and appended to the sentence; when all of them are
 * effective, the sentence says so (a user namespace, a security module, or
 * lockdown then refused). Any other err: just nst_fail(). caps ends in -1.
 */
int nst_fail_cap(struct nsteer *ns, int err, const cap_value_t *caps,
		 const char *fmt, ...) NSTEER_PRINTF(4, 5);

#define NST_CAPS(...) ((const cap_value_t[]){ __VA_ARGS__, -1 })

/* Is it, or what stands for it, effective in this thread? */
bool nst_cap_have(cap_value_t cap);

#endif /* NST_CAPS_H */
