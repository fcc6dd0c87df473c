/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * Layouts that the BPF programs and the library share. Only fixed-width
 * members, naturally aligned, sizes asserted on both sides.
 *
 * struct nst_cfg is more than that: it is how one version of nsteer recognises
 * in the kernel what another one placed. Members are only ever added at the
 * end, under a new NST_CFG_VERSION.
 */
#ifndef NST_SHARED_H
#define NST_SHARED_H

#include <linux/types.h>

#define NST_CFG_MAGIC 0x7274736e /* "nstr", little endian */
#define NST_CFG_VERSION 1

enum nst_cfg_what {
	NST_CFG_TUN_STEERING = 1,
};

/* The entry of the map nst_cfg of every program that nsteer loads. */
struct nst_cfg {
	__u32 magic;
	__u16 version;
	__u16 what;
	__u32 ifindex; /* 0: made to be pinned, for any device */
	__u32 policy;  /* tun: enum nsteer_tun_policy */
	__u64 netns_cookie; /* 0: not told (before 5.14) */
	__u32 queue;	    /* tun, fixed */
	__u32 pad;
};

/* cfg.ifindex of a program set through a queue of an unknown device. */
#define NST_CFG_IFINDEX_UNKNOWN 0xffffffff

_Static_assert(sizeof(struct nst_cfg) == 32, "nst_cfg is shared");

#define NST_CFG_SIZE_MAX 64 /* as much of a newer one is read */
#define NST_PROG_NAME 16    /* BPF_OBJ_NAME_LEN */
#define NST_PROG_TAG 8	    /* BPF_TAG_SIZE */

/* ---- where the kernel keeps things (bytes), from its BTF ---- */
#define NST_INSPECT_NONE 0xffffffffU

struct nst_inspect_offsets {
	__u32 task_nsproxy;
	__u32 task_files;
	/* From here to inode_rdev for tun_holder alone, may be NONE. */
	__u32 task_comm;
	__u32 task_group_leader;
	__u32 task_thread_pid;
	__u32 pid_level;
	__u32 pid_numbers;
	__u32 upid_size;
	__u32 file_inode;
	__u32 inode_rdev;
	__u32 files_fdt;
	__u32 fdtable_max_fds;
	__u32 fdtable_fd;
	__u32 file_private_data;
	__u32 nsproxy_net_ns;
	__u32 net_dev_base_head;
	__u32 net_dev_base_seq;
	__u32 net_dev_index_head; /* may be NONE */
	__u32 dev_list;
	__u32 dev_index_hlist; /* likewise */
	__u32 dev_ifindex;
	__u32 dev_link_ops;
	__u32 dev_nd_net;
	__u32 dev_priv;
	__u32 net_cookie; /* may be NONE */
	__u32 link_ops_kind;
	__u32 tun_dev;
	__u32 tun_flags;
	__u32 tun_numqueues;
	__u32 tun_numdisabled;
	__u32 tun_steering_prog;
	__u32 tun_filter_prog;
	__u32 tun_file_tun;
	__u32 tun_file_detached;
	__u32 tun_file_queue_index;
	__u32 tun_prog_prog;
	__u32 prog_aux;
	__u32 prog_tag;
	__u32 aux_id;
	__u32 aux_name;
	__u32 aux_used_maps;
	__u32 aux_used_map_cnt;
	__u32 map_name;
	__u32 map_type;
	__u32 map_value_size;
	__u32 array_value;
};

/* ---- tun_inspect ---- */

/*
 * Where the walk stands. Here and not on the program's stack, because the
 * verifier does not follow what is in here: every turn of a loop then looks
 * the same to it and one look is enough (1 ms and not 80).
 */
struct nst_inspect_walk {
	__u64 net;
	__u64 pos; /* a list node, linked by its first member */
	__u64 end;
	__u64 node_off; /* of the node in net_device */
	__u64 tun_ops;	/* rtnl_link_ops of kind tun, once seen */
	__u64 maps;	/* the next one in an array of pointers */
	__u64 cfg_map;
	__u64 tun_file; /* of queue_fd */
	__u64 tun;	/* its device when the walk began */
};

/* The context of the program, in and out. */
struct nst_inspect_ctx {
	struct nst_inspect_offsets off;
	__s32 queue_fd;	   /* in: the device of this queue; -1: walk */
	__u32 ifindex;	   /* in: walk for only this one; 0: all */
	__u32 max_records; /* in: entries of the result map */
	__u32 records;	   /* out: devices found, also beyond max_records */
	__u32 seq_before;  /* out: dev_base_seq when the walk began */
	__u32 seq_after;   /* out: and when it ended; not the same: again */
	__s32 error;	   /* out: 0, or a negative errno */
	/* of queue_fd, out */
	__u32 queue_index;
	__u32 detached;
	__u32 in_netns; /* the device is in the caller's namespace */
	__u64 netns_cookie; /* out: of the devices' namespace; 0: not told */
	struct nst_inspect_walk walk; /* the program's own */
};

struct nst_inspect_prog {
	__u32 id; /* 0: none */
	__u8 tag[NST_PROG_TAG];
	char name[NST_PROG_NAME];
	__u32 cfg_size; /* 0: no map nst_cfg */
	__u8 cfg[NST_CFG_SIZE_MAX];
};

/* One device, an entry of the map nst_inspect_out. */
struct nst_inspect_record {
	__u32 ifindex;
	__u32 flags; /* IFF_* of tun_struct */
	__u32 numqueues;
	__u32 numdisabled;
	__u32 changed; /* something was replaced while it was read: again */
	__u32 pad;
	struct nst_inspect_prog steering;
	struct nst_inspect_prog filter;
};

/* ---- tun_holder ---- */

/*
 * What stands in the program until it is loaded: in the place of the map's
 * address, and of the offsets of what the verifier has to know the type of.
 */
#define NST_MARK_MAP 0x6e73745f6d61703fULL
#define NST_MARK_FILE_INODE 0x7a08
#define NST_MARK_INODE_RDEV 0x7a10

/* A descriptor that holds a queue. */
struct nst_holder_record {
	__u32 pid;
	__u32 tid; /* whose descriptors they are: not always the process's */
	__u32 fd;
	__u32 ifindex;
	__u32 queue_index; /* means nothing when it is detached */
	__u32 detached;
	char comm[16]; /* the process's */
};

/* The one entry of the map, mapped by who reads the iterator. */
struct nst_holder_map {
	struct nst_inspect_offsets off;
	__u32 ifindex; /* in: for only this device; 0: all */
	__u32 found;   /* out: there is a record; the reader takes it */
	struct nst_holder_record record;
};

_Static_assert(sizeof(struct nst_holder_record) == 40, "shared");
_Static_assert(sizeof(struct nst_inspect_prog) == 96, "shared");
_Static_assert(sizeof(struct nst_inspect_record) == 216, "shared");

#endif /* NST_SHARED_H */
