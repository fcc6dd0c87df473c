/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Network devices by name and by index, over rtnetlink. */
#ifndef NST_LINK_H
#define NST_LINK_H

#include "nl.h"

/*
 * Ask for one device, by index or, when that is 0, by name or altname; the
 * reply (RTM_NEWLINK with a whole struct ifinfomsg) goes to cb. -ENODEV when
 * there is none. A sentence on every failure; one that cb left is kept.
 */
int nst_link_get(struct nsteer *ns, uint32_t ifindex, const char *name,
		 nst_nl_cb cb, void *data);

/*
 * Dump the devices of one kind (IFLA_INFO_KIND), chosen by the kernel where it
 * can (not while the module of that kind is absent): cb still checks the kind,
 * and the type and length of the message. Kind NULL: all devices. A sentence on
 * every failure; one that cb left is kept.
 */
int nst_link_dump_kind(struct nsteer *ns, const char *kind,
		       const struct nst_nl_dump *dump);

/* Delete by index. No sentence on a refusal: the caller knows what it is. */
int nst_link_del(struct nsteer *ns, uint32_t ifindex);

/*
 * Could a device have this name? size_max: IFNAMSIZ for a name, as the kernel
 * checks it; ALTIFNAMSIZ for what may be an alternative name, of which the
 * kernel checks nothing but the length.
 */
bool nst_link_name_valid(const char *name, size_t size_max);

/*
 * A name for a sentence: control bytes and backslashes as \xNN. What is beyond
 * ASCII stays: who shows the sentence knows which encoding it may be in.
 * buf has NST_NAME_PRINT bytes, which is enough for IFNAMSIZ; longer names are
 * cut with "...".
 */
#define NST_NAME_PRINT 72
const char *nst_name_print(const char *name, char buf[NST_NAME_PRINT]);

#endif /* NST_LINK_H */
