/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of devices, each asked for once. */
#ifndef TOOL_NAMES_H
#define TOOL_NAMES_H

#include <nsteer/nsteer.h>

struct names_entry {
	uint32_t ifindex; /* 0: a free one */
	bool known;
	char name[NSTEER_IFNAME_SIZE];
};

struct names {
	struct nsteer *ns;
	struct names_entry *table; /* a hash by ifindex, at most half full */
	uint32_t room;		   /* a power of two, or 0 */
	uint32_t count;
	struct names_entry last;
};

static inline void names_init(struct names *names, struct nsteer *ns)
{
	*names = (struct names){ .ns = ns };
}

void names_free(struct names *names);

/* NULL: there is no such device (any more). Valid until the next call. */
const char *names_find(struct names *names, uint32_t ifindex);

#endif /* TOOL_NAMES_H */
