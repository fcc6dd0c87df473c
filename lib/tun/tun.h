/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of lib/tun share. */
#ifndef NST_TUN_H
#define NST_TUN_H

#include <net/if.h>
#include <nsteer/tun.h>

#include "core/bpf.h"
#include "core/caps.h"
#include "core/ctx.h"
#include "core/link.h"
#include "tun/inspect.h"

#define NST_TUN_QUEUES_MAX 256 /* MAX_TAP_QUEUES [drivers/net/tun.c] */

/* IFF_* that the first opener sets too, and rtnetlink does not tell. */
#define NST_TUN_UNTOLD_FLAGS (IFF_NAPI | IFF_NAPI_FRAGS)

/* A device as rtnetlink tells it. */
struct nst_tun_link {
	uint32_t ifindex;
	char name[IFNAMSIZ];
	char kind[16]; /* IFLA_INFO_KIND, "" for a physical device */
	enum nsteer_tun_mode mode;
	bool pi;
	bool vnet_hdr;
	bool persist;
	bool multi_queue;
	bool carrier; /* on while a process holds a queue, if that lets it */
	bool has_user;
	bool has_group;
	bool has_queues; /* told of multi_queue devices only */
	uid_t user;
	gid_t group;
	uint32_t numqueues;
	uint32_t numdisabled;
};

/* device.c: from a RTM_NEWLINK; false when the message makes no sense. */
bool nst_tun_link_from_nl(const struct nlmsghdr *nlh, struct nst_tun_link *out);
/* -ENODEV; -EOPNOTSUPP and why when it is no tun/tap. */
int nst_tun_link_get(struct nsteer *ns, uint32_t ifindex,
		     struct nst_tun_link *out);
/*
 * How many queues are open? rtnetlink tells it of multi_queue devices only, the
 * device itself is asked for the rest; false: no telling.
 */
bool nst_tun_count_queues(struct nsteer *ns, const struct nst_tun_link *link,
			  uint32_t *count);
/* The next best then: false does not rule it out. */
bool nst_tun_looks_held(const struct nst_tun_link *link);
/* "tap multi_queue vnet_hdr", for sentences. */
#define NST_TUN_FLAGS_TEXT 48
const char *nst_tun_flags_text(const struct nst_tun_link *link,
			       char buf[NST_TUN_FLAGS_TEXT]);

/* The character device of tun (Documentation/admin-guide/devices.txt). */
#define NST_TUN_RDEV makedev(10, 200)

/* queue.c: /dev/net/tun, opened inside the context's namespace. */
int nst_tun_chardev_open(struct nsteer *ns);
/*
 * A queue of this very device; extra_flags: IFF_* that rtnetlink does not
 * tell. Never makes a device.
 */
int nst_tun_queue_open(struct nsteer *ns, const struct nst_tun_link *link,
		       unsigned int extra_flags, bool detached, int *fd);
/*
 * Is fd a queue of this very device? 1: it is another's, or one of the two was
 * renamed meanwhile; link then has the device's name of now.
 */
int nst_tun_queue_compare(struct nsteer *ns, int fd, struct nst_tun_link *link);
/* Which device is it a queue of? Of one in the context's namespace. */
int nst_tun_queue_ifindex(struct nsteer *ns, int fd, uint32_t *ifindex);
/* IFF_* by which a queue of such a device is opened. */
unsigned int nst_tun_open_flags(const struct nst_tun_link *link);

/* How often a device that is renamed while we look is looked at. */
#define NST_TUN_RENAME_TRIES 10

struct nst_holder_walk;

/* holder.c: a descriptor of some process that holds a queue. */
struct nst_holder {
	pid_t pid;
	int fd;
	char comm[16];
	char ifname[IFNAMSIZ]; /* "": not told, but the ifindex is */
	uint32_t ifindex;      /* 0: not told */
	bool detached;
	bool has_index;
	uint32_t index; /* the queue's number */
	struct nst_holder_walk *walk;
};

/* Returns 0 to go on, 1 to stop. */
typedef int (*nst_holder_cb)(const struct nst_holder *holder, void *data);

struct nst_holder_hidden {
	bool all_seen; /* every descriptor in this pid namespace was looked at */
	unsigned int count; /* may hold it, could not be checked or taken */
	pid_t pid;	    /* one of them */
	int fd;
	char comm[16];
	cap_value_t cap; /* what it would have taken, or NST_HOLDER_* */
	int err;	 /* with NST_HOLDER_ERRNO */
};

/*
 * Walk the descriptors of all processes that hold a queue of the device (NULL:
 * of any) in the context's namespace. By a BPF iterator or, where that cannot
 * be had, through /proc, which finds what a copy of the descriptor can be taken
 * of; what could not be checked is counted in *hidden.
 */
int nst_holder_walk(struct nsteer *ns, const struct nst_tun_link *link,
		    nst_holder_cb cb, void *data,
		    struct nst_holder_hidden *hidden);

/*
 * For the callback of a walk for one device: a copy of the descriptor in this
 * process, the caller's, which is still one of the device. sure: not by its
 * name alone. A negative errno when there is none to be had; the walk's hidden
 * has what is not permitted.
 */
int nst_holder_take(const struct nst_holder *holder, bool *sure);

/*
 * Why a holder may not have been found, for a sentence: the capabilities that
 * are missing, or where else it may be.
 */
#define NST_HOLDER_WHY 128
const char *nst_holder_why(const struct nst_holder_hidden *hidden,
			   char buf[NST_HOLDER_WHY]);

/* policy.c */
struct nst_tun_policy {
	enum nsteer_tun_policy id;
	const char *name;
	const char *prog; /* in tun_steer.bpf.o; NULL: none is needed */
	bool settable; /* else it is only told */
};

const struct nst_tun_policy *nst_tun_policy(enum nsteer_tun_policy id);

/* steering.c: what a policy and its arguments are, read from the kernel. */
struct nsteer_tun_steering {
	struct nst_tun_state state;
	enum nsteer_tun_policy policy;
	enum nsteer_owner owner;
	uint32_t queue;
};

void nst_tun_steering_derive(const struct nst_tun_state *state,
			     struct nsteer_tun_steering *out);

/* Is it a queue of a tun or tap device? Its name and flags, by TUNGETIFF. */
int nst_tun_queue_check(struct nsteer *ns, int queue_fd, struct ifreq *ifr);

/* stats.c: packets per queue from the classes of an mq root. */
struct nst_tun_stats {
	uint32_t queue;
	uint64_t packets;
	uint64_t bytes;
};

int nst_tun_stats_read(struct nsteer *ns, uint32_t ifindex, uint32_t active,
		       struct nst_tun_stats **out, size_t *count);

#endif /* NST_TUN_H */
