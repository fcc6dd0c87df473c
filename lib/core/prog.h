/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef NST_PROG_H
#define NST_PROG_H

#include <nsteer/nsteer.h>

#include "bpf/shared.h"

struct nsteer_prog {
	uint32_t id; /* 0: there is none, which no caller gets to see */
	char name[NST_PROG_NAME];
	char tag[2 * NST_PROG_TAG + 1]; /* hex */
};

/* NST_PROG_TAG bytes. */
void nst_prog_set_tag(struct nsteer_prog *prog, const void *tag);

#endif /* NST_PROG_H */
