/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The context, its error record, its log. */
#ifndef NST_CTX_H
#define NST_CTX_H

#include <errno.h>
#include <stdarg.h>
#include <sys/types.h>

#include <nsteer/nsteer.h>

#include "opts.h"

struct nst_nl;

/* Fixed buffers: telling -ENOMEM must not need memory. */
struct nst_err {
	char msg[768];
	char extack[1024];
	char attr[48];
	char cap[64];
};

/* What an object keeps in the context between calls. */
enum nst_slot_id {
	NST_SLOT_TUN_INSPECT,
	NST_SLOT_TUN_HOLDER,
	NST_SLOT_COUNT,
};

struct nst_slot {
	void *data;
	void (*free)(void *data);
};

struct nsteer {
	struct nst_err err;
	nsteer_log_fn log;
	void *log_data;
	int netns_fd; /* -1: /proc is not there, never switch */
	bool netns_asked; /* not just where the thread was */
	bool netns_stay;  /* the thread was moved there for good */
	dev_t netns_dev;
	ino_t netns_ino;
	struct nst_nl *rtnl; /* made by nst_rtnl() */
	struct nst_slot slot[NST_SLOT_COUNT];
};

/* Every public call with a context starts with this. */
void nst_err_clear(struct nsteer *ns);

/*
 * Record why and return err, a negative errno, so that a failing function ends
 * in one line: return nst_fail(ns, -ENODEV, "no device %s", name).
 */
int nst_fail(struct nsteer *ns, int err, const char *fmt, ...)
	NSTEER_PRINTF(3, 4);

/* The kernel's words beside the sentence; NULL and "" are ignored. */
void nst_err_set_extack(struct nsteer *ns, const char *text);
void nst_err_set_attr(struct nsteer *ns, const char *fmt, ...)
	NSTEER_PRINTF(2, 3);

void nst_warn(struct nsteer *ns, const char *fmt, ...) NSTEER_PRINTF(2, 3);
void nst_debug(struct nsteer *ns, const char *fmt, ...) NSTEER_PRINTF(2, 3);

#endif /* NST_CTX_H */
