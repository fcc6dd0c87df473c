/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a list of devices holds: filled by list.c, read by record.c. */
#ifndef NST_TUN_LIST_H
#define NST_TUN_LIST_H

#include "tun/tun.h"

struct nsteer_tun_process {
	pid_t pid;
	int fd;
	char name[16];
	bool detached;
	bool has_queue;
	uint32_t queue;
};

struct nsteer_tun {
	struct nst_tun_link link;
	bool has_steering;
	struct nsteer_tun_steering steering;
	struct nst_tun_stats *stats;
	size_t n_stats;
	struct nsteer_tun_process *processes;
	size_t n_processes;
	bool unseen; /* fewer descriptors were found than queues are open */
};

struct nsteer_tun_list {
	struct nsteer_tun *tuns;
	size_t count;
	size_t room;
};

#endif /* NST_TUN_LIST_H */
