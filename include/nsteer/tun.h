/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tun and tap devices, and how they choose the queue of a packet.
 *
 * A packet that the host sends into a tun/tap device of several queues lands
 * on one of them. The kernel's own choice ("automq") follows flows; a steering
 * program (TUNSETSTEERINGEBPF, Linux 4.16) replaces it. Each policy here but
 * automq is such a program, embedded in this library, and stays on the device
 * until it is replaced or the device goes, whoever placed it.
 *
 * What the kernel does with the choice [drivers/net/tun.c]:
 *  - the program's result is cut to 16 bits and taken modulo the active
 *    queues; a queue that its reader detaches (IFF_DETACH_QUEUE) is not active
 *    and its going changes the modulus;
 *  - with one active queue the program is not asked at all;
 *  - frames that XDP redirects into the device bypass it: their queue is the
 *    CPU modulo the active queues, whatever the policy.
 *
 * macvtap and ipvtap devices are another driver, which has no steering.
 */
#ifndef NSTEER_TUN_H
#define NSTEER_TUN_H

#include <sys/types.h>

#include <nsteer/nsteer.h>

#ifdef __cplusplus
extern "C" {
#endif

/** enum nsteer_tun_mode - what the device carries. */
enum nsteer_tun_mode {
	/** IP packets (IFF_TUN). */
	NSTEER_TUN_MODE_TUN = 1,
	/** Ethernet frames (IFF_TAP). */
	NSTEER_TUN_MODE_TAP = 2,
};

/** enum nsteer_tun_policy - how a device chooses the queue. */
enum nsteer_tun_policy {
	/** Not known: the kernel could not be asked. */
	NSTEER_TUN_POLICY_UNKNOWN = 0,
	/** The kernel's own flow cache; no program. */
	NSTEER_TUN_POLICY_AUTOMQ = 1,
	/** The sending CPU modulo the active queues. */
	NSTEER_TUN_POLICY_CPU = 2,
	/** Always one queue. */
	NSTEER_TUN_POLICY_FIXED = 3,
	/** A program that is none of this library's policies. */
	NSTEER_TUN_POLICY_BPF = 255,
};

/**
 * nsteer_tun_policy_name - the word for a policy on a command line
 * @policy: the policy
 *
 * Return: "automq", "cpu", "fixed", "bpf"; NULL when it is none.
 *
 * Since: 0.1
 */
NSTEER_API const char *nsteer_tun_policy_name(enum nsteer_tun_policy policy);

/**
 * nsteer_tun_policy_by_name - the policy of a word
 * @name: the word, whole
 *
 * Return: the policy, NSTEER_TUN_POLICY_UNKNOWN when there is none.
 *
 * Since: 0.1
 */
NSTEER_API enum nsteer_tun_policy nsteer_tun_policy_by_name(const char *name);

/* ------------------------------------------------------------------ */
/* devices                                                             */

/**
 * struct nsteer_tun_add_opts - a device to be made
 * @sz:          size of this struct
 * @mode:        tun or tap; 0: tap
 * @multi_queue: up to 256 queues (IFF_MULTI_QUEUE); else one
 * @pi:          4 bytes of packet information before each packet (no IFF_NO_PI)
 * @vnet_hdr:    a virtio-net header before each packet (IFF_VNET_HDR)
 * @has_user:    @user is given
 * @has_group:   @group is given
 * @user:        who may open queues beside cap_net_admin (TUNSETOWNER)
 * @group:       a group that has to be the opener's (TUNSETGROUP); with @user
 *               too, both have to match [tun_not_capable]
 *
 * With neither @user nor @group whoever may open /dev/net/tun may open queues
 * of the device, and delete it. Some kernels want cap_net_admin there, too;
 * Debian's 6.12.117 does, 6.1.192 and 6.18.44 do not.
 *
 * @pi and @vnet_hdr are what the device starts with: the first process that
 * opens a queue of a device that nobody holds silently replaces both by its
 * own [tun_set_iff].
 */
struct nsteer_tun_add_opts {
	size_t sz;
	enum nsteer_tun_mode mode;
	bool multi_queue;
	bool pi;
	bool vnet_hdr;
	bool has_user;
	bool has_group;
	uid_t user;
	gid_t group;
	size_t : 0;
};

/**
 * nsteer_tun_add - make a persistent tun/tap device
 * @ns:      the context
 * @name:    1 to 15 bytes; with one "%d" the kernel puts the first free number
 * @opts:    options or NULL
 * @ifindex: index of the new device
 *
 * Nothing is left behind when it fails.
 *
 * Return: 0; -EEXIST the name is taken (the sentence tells what that device
 * is); -EINVAL bad name or mode; -EPERM (cap_net_admin); -ENOENT no
 * /dev/net/tun; -ENODEV, -ENXIO nothing or something else than tun answers for
 * it; -EACCES it may not be opened; -EAGAIN the new device is renamed faster
 * than it can be found (it is taken away again).
 *
 * Since: 0.1
 */
NSTEER_API int nsteer_tun_add(struct nsteer *ns, const char *name,
			      const struct nsteer_tun_add_opts *opts,
			      uint32_t *ifindex);

/**
 * struct nsteer_tun_del_opts - options of nsteer_tun_del()
 * @sz:    size of this struct
 * @force: also a device whose queues a process holds; its descriptors stay
 *         open and answer EBADFD from then on
 */
struct nsteer_tun_del_opts {
	size_t sz;
	bool force;
	size_t : 0;
};

/**
 * nsteer_tun_del - delete a tun/tap device
 * @ns:      the context
 * @ifindex: the device
 * @opts:    options or NULL
 *
 * By index (RTM_DELLINK), so a device that takes the name in the meantime is
 * not hit. The device's owner may do it without cap_net_admin.
 *
 * Return: 0; -ENODEV no such device; -EOPNOTSUPP no tun/tap; -EBUSY a process
 * holds it (the sentence names it, as far as it may be seen); -EPERM.
 *
 * Since: 0.1
 */
NSTEER_API int nsteer_tun_del(struct nsteer *ns, uint32_t ifindex,
			      const struct nsteer_tun_del_opts *opts);

/**
 * struct nsteer_tun_queue_opts - options of nsteer_tun_queue_open()
 * @sz:          size of this struct
 * @mode:        refuse a device of the other mode; 0: take what it is
 * @queues:      how many queues the caller is going to open: 1 refuses a
 *               multi_queue device, more refuses any other; 0: take what it is
 * @detached:    detach the queue at once, so that no packets land on it;
 *               needs a multi_queue device
 */
struct nsteer_tun_queue_opts {
	size_t sz;
	enum nsteer_tun_mode mode;
	uint32_t queues;
	bool detached;
	size_t : 0;
};

/**
 * nsteer_tun_queue_open - open a queue of an existing device
 * @ns:      the context
 * @ifindex: the device
 * @opts:    options or NULL
 * @fd:      the queue, the caller's
 *
 * Opened with exactly the flags that the device has, so nothing about it
 * changes (the kernel would take the pi and vnet_hdr flags of the first
 * opener; its NAPI flags too, which can only be seen with cap_bpf and
 * cap_perfmon, and are off otherwise). The descriptor is O_NONBLOCK. On a device
 * that nobody holds the carrier goes up, and down again with the last queue's
 * close. Never makes a device: when the device goes away in the meantime the
 * answer is -ENODEV.
 *
 * Return: 0; -ENODEV; -EOPNOTSUPP no tun/tap; -EINVAL @mode or @queues does
 * not fit the device (both sides are told); -EBUSY a device of one queue
 * whose queue is taken; -E2BIG 256 queues exist (active and disabled ones
 * count) or @queues is more than that; -EPERM neither owner nor cap_net_admin;
 * -EAGAIN it is renamed faster than it can be opened; -ENOENT, -ENXIO, -EACCES
 * as for nsteer_tun_add(); -EOPNOTSUPP also before Linux 4.17.
 *
 * Since: 0.1
 */
NSTEER_API int nsteer_tun_queue_open(struct nsteer *ns, uint32_t ifindex,
				     const struct nsteer_tun_queue_opts *opts,
				     int *fd);

/* ------------------------------------------------------------------ */
/* steering                                                            */

/**
 * struct nsteer_tun_steering - what steers a device, a snapshot.
 *
 * Read from the kernel itself: a BPF program of type SYSCALL walks the
 * namespace's devices and reads the tun structure by offsets from the kernel's
 * BTF. Needs Linux 5.17, BTF, cap_bpf and cap_perfmon; no queue, no
 * cap_sys_admin.
 */
struct nsteer_tun_steering;

/**
 * nsteer_tun_steering_free - free a snapshot
 * @st: from nsteer_tun_steering_get(), may be NULL
 *
 * Since: 0.1
 */
NSTEER_API void nsteer_tun_steering_free(struct nsteer_tun_steering *st);

/**
 * nsteer_tun_steering_policy - the policy in force
 * @st: the snapshot
 *
 * Return: AUTOMQ when there is no program; BPF for a program that carries no
 * nst_cfg map, or one of a policy that this version does not know.
 *
 * Since: 0.1
 */
NSTEER_API enum nsteer_tun_policy
nsteer_tun_steering_policy(const struct nsteer_tun_steering *st);

/**
 * nsteer_tun_steering_queue - the argument of the policy fixed
 * @st:    the snapshot
 * @queue: the queue
 *
 * Return: 0; -ENODATA the policy has no such argument.
 *
 * Since: 0.1
 */
NSTEER_API int nsteer_tun_steering_queue(const struct nsteer_tun_steering *st,
					 uint32_t *queue);

/**
 * nsteer_tun_steering_backend - what does the steering
 * @st: the snapshot
 *
 * Return: "kernel" for automq, "bpf-steering" for a program.
 *
 * Since: 0.1
 */
NSTEER_API const char *
nsteer_tun_steering_backend(const struct nsteer_tun_steering *st);

/**
 * nsteer_tun_steering_owner - whose the program is
 * @st: the snapshot
 *
 * Since: 0.1
 */
NSTEER_API enum nsteer_owner
nsteer_tun_steering_owner(const struct nsteer_tun_steering *st);

/**
 * nsteer_tun_steering_prog - the program that steers
 * @st: the snapshot
 *
 * Return: the program, borrowed from @st; NULL when there is none.
 *
 * Since: 0.1
 */
NSTEER_API const struct nsteer_prog *
nsteer_tun_steering_prog(const struct nsteer_tun_steering *st);

/**
 * nsteer_tun_filter_prog - the packet filter program (TUNSETFILTEREBPF)
 * @st: the snapshot
 *
 * Return: the program, borrowed from @st; NULL when there is none.
 *
 * Since: 0.1
 */
NSTEER_API const struct nsteer_prog *
nsteer_tun_filter_prog(const struct nsteer_tun_steering *st);

/**
 * nsteer_tun_steering_get - read what steers a device
 * @ns:      the context
 * @ifindex: the device
 * @out:     the snapshot, to be freed with nsteer_tun_steering_free()
 *
 * Return: 0; -ENODEV; -EOPNOTSUPP no tun/tap, or the kernel cannot be asked
 * (no BTF, before 5.17); -EPERM (cap_bpf, cap_perfmon); -EAGAIN devices came
 * and went so fast that no quiet moment was found.
 *
 * Since: 0.1
 */
NSTEER_API int nsteer_tun_steering_get(struct nsteer *ns, uint32_t ifindex,
				       struct nsteer_tun_steering **out);

/**
 * nsteer_tun_steering_get_fd - the same for a caller that holds a queue
 * @ns:       the context
 * @queue_fd: a queue of the device, attached or detached, borrowed
 * @out:      the snapshot, to be freed with nsteer_tun_steering_free()
 *
 * The device is found through the queue itself: it may be in another network
 * namespace than the context, and be renamed meanwhile.
 *
 * Return: as nsteer_tun_steering_get(); -EBADF @queue_fd is not open or no
 * queue; -EBADFD it is a queue of no device; -EOPNOTSUPP it is a macvtap's.
 *
 * Since: 0.1
 */
NSTEER_API int nsteer_tun_steering_get_fd(struct nsteer *ns, int queue_fd,
					  struct nsteer_tun_steering **out);

/**
 * struct nsteer_tun_steering_opts - a policy to be set
 * @sz:         size of this struct
 * @policy:     AUTOMQ, CPU or FIXED
 * @queue:      FIXED: the queue, 0 to 65535; one beyond the active queues is
 *              taken modulo their number by the kernel, and warned about
 * @replace_id: replace exactly this program, whosever it is; 0: only what
 *              nsteer placed, or nothing
 * @force:      replace whatever is there, also when it cannot be seen
 */
struct nsteer_tun_steering_opts {
	size_t sz;
	enum nsteer_tun_policy policy;
	uint32_t queue;
	uint32_t replace_id;
	bool force;
	size_t : 0;
};

/**
 * nsteer_tun_steering_set - choose how a device picks its queue
 * @ns:      the context
 * @ifindex: the device
 * @opts:    the policy
 *
 * Traffic is not disturbed where that can be had: the program goes in through
 * a queue that some process holds (found as nsteer_tun_process_count() tells,
 * taken with pidfd_getfd, which needs cap_sys_ptrace for another user's
 * process); only where there is none, or it may not be taken, through a queue
 * of its own that is detached at once. On a device that
 * nobody holds the carrier goes up and down once.
 *
 * The kernel has no compare-and-swap here: the present program is looked at
 * before and right before the exchange, and the result after it.
 *
 * A device with one active queue takes the program, and a warning says that
 * the kernel does not ask it yet.
 *
 * Return: 0; -EINVAL bad options; -ENODEV; -EOPNOTSUPP no tun/tap, macvtap, or
 * the kernel has no steering programs; -EEXIST another owner's program is
 * there (named) or @replace_id is not what is there; -EAGAIN somebody else put
 * another program there at the same moment; -EPERM (cap_bpf to load,
 * cap_perfmon to look, cap_net_admin or the device's owner to open a queue);
 * -EBUSY, -E2BIG no queue could be had, see nsteer_tun_queue_open().
 *
 * A policy that nsteer placed and that is set already is left as it is.
 *
 * Since: 0.1
 */
NSTEER_API int
nsteer_tun_steering_set(struct nsteer *ns, uint32_t ifindex,
			const struct nsteer_tun_steering_opts *opts);

/**
 * nsteer_tun_steering_set_fd - the same for a caller that holds a queue
 * @ns:       the context
 * @queue_fd: a queue of the device, attached or detached, borrowed
 * @opts:     the policy
 *
 * Disturbs nothing, and needs no capability but those to look and to load.
 *
 * Return: as nsteer_tun_steering_set() and nsteer_tun_steering_get_fd().
 *
 * Since: 0.1
 */
NSTEER_API int
nsteer_tun_steering_set_fd(struct nsteer *ns, int queue_fd,
			   const struct nsteer_tun_steering_opts *opts);

/* ------------------------------------------------------------------ */
/* list                                                                */

/** struct nsteer_tun_list - devices, a snapshot in order of ifindex. */
struct nsteer_tun_list;

/** struct nsteer_tun - one device, borrowed from its list. */
struct nsteer_tun;

/**
 * struct nsteer_tun_list_opts - what a list is to hold
 * @sz:        size of this struct
 * @ifindex:   only this device; 0: every tun/tap of the namespace
 * @steering:  also what steers each one
 * @stats:     also packets per queue
 * @processes: also who holds the queues
 * @strict:    what @steering and @stats ask for and cannot be had is an error,
 *             and not left out with a warning
 */
struct nsteer_tun_list_opts {
	size_t sz;
	uint32_t ifindex;
	bool steering;
	bool stats;
	bool processes;
	bool strict;
	size_t : 0;
};

/**
 * nsteer_tun_list - the tun/tap devices of the namespace
 * @ns:   the context
 * @opts: options or NULL
 * @out:  the list, to be freed with nsteer_tun_list_free()
 *
 * From rtnetlink alone (Linux 4.17 tells the flags), never from sysfs. What
 * @opts asks for beyond it and cannot be had is left out and said as a
 * warning, see nsteer_tun_steering().
 *
 * Return: 0; -ENODEV @ifindex is no device; -EOPNOTSUPP it is no tun/tap;
 * -EINTR the dump was interrupted three times (incomplete); with @strict also
 * as nsteer_tun_steering_get().
 *
 * Since: 0.1
 */
NSTEER_API int nsteer_tun_list(struct nsteer *ns,
			       const struct nsteer_tun_list_opts *opts,
			       struct nsteer_tun_list **out);

/**
 * nsteer_tun_list_free - free a list and all that was borrowed from it
 * @list: the list, may be NULL
 *
 * Since: 0.1
 */
NSTEER_API void nsteer_tun_list_free(struct nsteer_tun_list *list);

/**
 * nsteer_tun_list_count - how many devices
 * @list: the list
 *
 * Since: 0.1
 */
NSTEER_API size_t nsteer_tun_list_count(const struct nsteer_tun_list *list);

/**
 * nsteer_tun_list_get - a device of the list
 * @list: the list
 * @i:    0 to count - 1
 *
 * Return: the device, borrowed; NULL when @i is beyond the end.
 *
 * Since: 0.1
 */
NSTEER_API const struct nsteer_tun *
nsteer_tun_list_get(const struct nsteer_tun_list *list, size_t i);

/** nsteer_tun_ifindex - its index. Since: 0.1 */
NSTEER_API uint32_t nsteer_tun_ifindex(const struct nsteer_tun *tun);

/**
 * nsteer_tun_ifname - its name
 * @tun: the device
 *
 * Return: 1 to 15 bytes, not necessarily UTF-8; borrowed.
 *
 * Since: 0.1
 */
NSTEER_API const char *nsteer_tun_ifname(const struct nsteer_tun *tun);

/** nsteer_tun_mode - tun or tap; 0: not told (before 4.17). Since: 0.1 */
NSTEER_API enum nsteer_tun_mode nsteer_tun_mode(const struct nsteer_tun *tun);

/** nsteer_tun_pi - packet information before each packet. Since: 0.1 */
NSTEER_API bool nsteer_tun_pi(const struct nsteer_tun *tun);

/** nsteer_tun_vnet_hdr - a virtio-net header before each. Since: 0.1 */
NSTEER_API bool nsteer_tun_vnet_hdr(const struct nsteer_tun *tun);

/** nsteer_tun_persist - stays when nobody holds it. Since: 0.1 */
NSTEER_API bool nsteer_tun_persist(const struct nsteer_tun *tun);

/** nsteer_tun_multi_queue - takes more than one queue. Since: 0.1 */
NSTEER_API bool nsteer_tun_multi_queue(const struct nsteer_tun *tun);

/**
 * nsteer_tun_user - who may open queues
 * @tun:  the device
 * @user: the user id, as seen from the caller's user namespace (65534 when it
 *        has no number there)
 *
 * Return: 0; -ENODATA nobody was named.
 *
 * Since: 0.1
 */
NSTEER_API int nsteer_tun_user(const struct nsteer_tun *tun, uid_t *user);

/**
 * nsteer_tun_group - which group may open queues
 * @tun:   the device
 * @group: the group id
 *
 * Return: 0; -ENODATA none was named.
 *
 * Since: 0.1
 */
NSTEER_API int nsteer_tun_group(const struct nsteer_tun *tun, gid_t *group);

/**
 * nsteer_tun_queues - how many queues are open
 * @tun:      the device
 * @active:   queues that take packets; may be NULL
 * @disabled: queues that their holders detached; may be NULL
 *
 * Return: 0; -ENODATA not told (rtnetlink tells it of multi_queue devices
 * only; with opts.steering it is known of all).
 *
 * Since: 0.1
 */
NSTEER_API int nsteer_tun_queues(const struct nsteer_tun *tun,
				 uint32_t *active, uint32_t *disabled);

/**
 * nsteer_tun_steering - what steers it
 * @tun: the device
 *
 * Return: borrowed; NULL when it was not asked for or cannot be known.
 *
 * Since: 0.1
 */
NSTEER_API const struct nsteer_tun_steering *
nsteer_tun_steering(const struct nsteer_tun *tun);

/**
 * nsteer_tun_stats_count - for how many queues there are counts
 * @tun: the device
 *
 * Packets that the host sent into the device, counted by the classes of an mq
 * root queueing discipline (the default of a multi_queue device): as many as
 * there are active queues, and further ones that once took packets.
 *
 * Return: the count; 0 when it was not asked for or the root is not mq.
 *
 * Since: 0.1
 */
NSTEER_API size_t nsteer_tun_stats_count(const struct nsteer_tun *tun);

/**
 * nsteer_tun_stats_get - counts of a queue
 * @tun:     the device
 * @i:       0 to count - 1
 * @queue:   the queue's number
 * @packets: since the queueing discipline was made
 * @bytes:   likewise
 *
 * Return: 0; -ERANGE @i is beyond the end.
 *
 * Since: 0.1
 */
NSTEER_API int nsteer_tun_stats_get(const struct nsteer_tun *tun, size_t i,
				    uint32_t *queue, uint64_t *packets,
				    uint64_t *bytes);

/** struct nsteer_tun_process - a descriptor that holds a queue, borrowed. */
struct nsteer_tun_process;

/**
 * nsteer_tun_process_count - how many descriptors were found
 * @tun: the device
 *
 * With cap_bpf and cap_perfmon those of all processes in the caller's pid
 * namespace, by a BPF iterator (Linux 5.8, BTF). Else found in /proc: only of
 * processes whose descriptors the caller may see (the same user, or
 * cap_sys_ptrace and cap_dac_read_search), not of a thread that shares none
 * with its process, and each checked to be a queue of this device (with
 * cap_net_admin).
 *
 * Since: 0.1
 */
NSTEER_API size_t nsteer_tun_process_count(const struct nsteer_tun *tun);

/**
 * nsteer_tun_process_hidden - is it held by processes that were not found?
 * @tun: the device
 *
 * Return: true when fewer descriptors were found than queues are open, so that
 * there are further holders; a warning says why.
 *
 * Since: 0.1
 */
NSTEER_API bool nsteer_tun_process_hidden(const struct nsteer_tun *tun);

/**
 * nsteer_tun_process_get - one of them
 * @tun: the device
 * @i:   0 to count - 1
 *
 * Return: borrowed; NULL when @i is beyond the end.
 *
 * Since: 0.1
 */
NSTEER_API const struct nsteer_tun_process *
nsteer_tun_process_get(const struct nsteer_tun *tun, size_t i);

/** nsteer_tun_process_pid - the process. Since: 0.1 */
NSTEER_API pid_t nsteer_tun_process_pid(const struct nsteer_tun_process *p);

/** nsteer_tun_process_name - its comm, up to 15 bytes. Since: 0.1 */
NSTEER_API const char *
nsteer_tun_process_name(const struct nsteer_tun_process *p);

/** nsteer_tun_process_fd - its descriptor. Since: 0.1 */
NSTEER_API int nsteer_tun_process_fd(const struct nsteer_tun_process *p);

/** nsteer_tun_process_detached - the queue is disabled. Since: 0.1 */
NSTEER_API bool
nsteer_tun_process_detached(const struct nsteer_tun_process *p);

/**
 * nsteer_tun_process_queue - the queue's number
 * @p:     the descriptor
 * @queue: the number
 *
 * Return: 0; -ENODATA the queue is detached, or the kernel could not be asked
 * (as for nsteer_tun_steering_get()).
 *
 * Since: 0.1
 */
NSTEER_API int nsteer_tun_process_queue(const struct nsteer_tun_process *p,
					uint32_t *queue);

#ifdef __cplusplus
}
#endif

#endif /* NSTEER_TUN_H */
