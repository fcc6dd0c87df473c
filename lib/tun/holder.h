/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The two ways to who holds a queue: holder_iter.c and holder_proc.c. */
#ifndef NST_TUN_HOLDER_H
#define NST_TUN_HOLDER_H

#include "tun/tun.h"

struct nst_holder_walk {
	struct nsteer *ns;
	const struct nst_tun_link *link; /* NULL: any device */
	nst_holder_cb cb;
	void *data;
	struct nst_holder_hidden *hidden;
	bool told;  /* the callback was called */
	bool blind; /* nst_tun_inspect_queue() does not work here */
	/* What the callback is told of: */
	struct nst_holder holder;
	pid_t tid;   /* whose descriptor it is */
	int copy_fd; /* a copy of it; -1: none was made */
};

int nst_holder_iterate(struct nst_holder_walk *w);
int nst_holder_walk_proc(struct nst_holder_walk *w);

/* pidfd_getfd(), in two steps; a negative errno. */
int nst_holder_pidfd(pid_t pid, pid_t tid);
int nst_holder_getfd(int pidfd, int fd);

/*
 * Is the copy a queue of the device, or of any one in our namespace? What it
 * tells goes to h, the ifindex only when it is certain. 1: yes; 0: no;
 * negative: no telling.
 */
int nst_holder_verify(struct nst_holder_walk *w, int copy_fd,
		      struct nst_holder *h);

/* In the place of a capability: */
#define NST_HOLDER_THREAD (-1)	   /* a thread's own, which takes Linux 6.9 */
#define NST_HOLDER_OLD_KERNEL (-2) /* there is no pidfd_getfd() yet */
#define NST_HOLDER_ERRNO (-3)	   /* hidden->err tells */

void nst_holder_hide(struct nst_holder_walk *w, cap_value_t cap);

/* Its descriptor could not be copied: is it hidden, or has it gone meanwhile? */
void nst_holder_refused(struct nst_holder_walk *w, int err);

#endif /* NST_TUN_HOLDER_H */
