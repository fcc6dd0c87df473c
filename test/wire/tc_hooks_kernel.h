/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A kernel of two sockets and of programs that follow a script. */
#ifndef NST_TC_HOOKS_KERNEL_H
#define NST_TC_HOOKS_KERNEL_H

#include "tc/hooks.h"
#include "tc_msgs.h"

#define TCX_INGRESS 46
#define TCX_EGRESS 47
#define NETKIT_PRIMARY 54
#define NETKIT_PEER 55

struct hook {
	uint32_t ifindex;
	uint32_t type;
	int err;
	uint32_t n;
	uint32_t first; /* the ids that follow from it */
	uint32_t link;	/* of the first one */
};

struct progs {
	struct hook hook[8];
	int other; /* the errno of a hook that is none of these */
	int info;
	bool lacks;    /* what is refused is not there */
	uint32_t gone; /* the id of a program */
	unsigned int queries;
	unsigned int infos;
};

/* Devices come over the context's socket, the rest over the other one. */
struct kernel {
	struct script *links;
	struct script *s;
	struct progs progs;
	struct nsteer_tc_hooks *hooks;
};

void kernel_new(struct kernel *k);
void kernel_end(struct kernel *k);

/* ---- what it says ---- */

/* kind NULL: none */
void put_device(struct script *s, uint32_t ifindex, const char *kind);
/* 5, 2, 3 (netkit), 4. */
void say_devices(struct kernel *k);
/* 5 uses the blocks 9 and 8, 2 the block 9; 3 has a qdisc. */
void say_places(struct script *s);
/* Those of blocks 9 and 8, 2 egress, the qdisc. */
void say_filters(struct script *s);
extern const struct tc_where block9;
/* Places without filters. */
void say_empty(struct script *s, int n);
/* The device 2 with clsact alone. */
void say_one(struct kernel *k);
/* A filter of the kind bpf; with a name it decides. */
void put_bpf(struct script *s, const struct tc_where *w, uint32_t handle,
	     uint32_t id, const char *name);

/* ---- what is told of it ---- */

int list(struct kernel *k, uint32_t ifindex, bool empty);
void list_ok(struct kernel *k, uint32_t ifindex, bool empty);
void list_fails(struct kernel *k, int err, const char *words);

const struct nsteer_tc_place *
place_is(const struct kernel *k, size_t i, uint32_t ifindex,
	 enum nsteer_tc_hook hook, uint32_t block, uint64_t filters);
void classifier_is(const struct nsteer_tc_place *p, size_t i, uint32_t chain,
		   uint32_t pref, const char *kind, uint64_t filters);
void bound_is(const struct nsteer_tc_place *p, size_t i, uint32_t ifindex,
	      enum nsteer_tc_hook hook);
const struct nsteer_tc_program *
program_is(const struct nsteer_tc_place *p, size_t i, const char *backend,
	   uint32_t id);

#define IN NSTEER_TC_HOOK_INGRESS
#define OUT NSTEER_TC_HOOK_EGRESS

#endif /* NST_TC_HOOKS_KERNEL_H */
