/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * The getter that TUNSETSTEERINGEBPF lacks: what is on the tun devices of the
 * caller's network namespace, read from the kernel's own structures.
 *
 * All offsets come in with the context, so the program loads without CO-RE. A
 * SYSCALL program may sleep and holds no lock, so what it stands on can go
 * away under it: every read is one that may fail, every loop has an end, and
 * the caller gets what it needs to notice (seq_before, seq_after, changed).
 */
#include <linux/bpf.h>
#include <linux/errno.h>
#include <bpf/bpf_helpers.h>

#include "tun_kernel.h"

#define MAX_DEVICES (1 << 20)
/* MAX_USED_MAPS is 64; what is more is no count but freed memory. */
#define MAPS_MASK 127
/* NETDEV_HASHENTRIES */
#define INDEX_BUCKETS 256
#define SEQ_EVERY 256

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct nst_inspect_record);
} nst_inspect_out SEC(".maps");

/* What bpf_loop() hands on has to be on the stack. */
struct loop {
	struct nst_inspect_ctx *ctx;
};

static __always_inline __u32 read_seq(struct nst_inspect_ctx *c)
{
	return load32(c->walk.net + c->off.net_dev_base_seq);
}

static __always_inline void read_cookie(struct nst_inspect_ctx *c, __u64 net)
{
	if (c->off.net_cookie != NST_INSPECT_NONE)
		c->netns_cookie = load64(net + c->off.net_cookie);
}

/* bpf_loop: 1 ends it. */
static long visit_map(__u32 i, void *data)
{
	struct nst_inspect_ctx *c = ((struct loop *)data)->ctx;
	__u64 map = load64(c->walk.maps);

	c->walk.maps += sizeof(map);
	if (load64(map + c->off.map_name) != name64("nst_cfg") ||
	    load32(map + c->off.map_type) != BPF_MAP_TYPE_ARRAY)
		return 0;
	c->walk.cfg_map = map;
	return 1;
}

/* The bytes of an array map nst_cfg among the program's maps. */
static __always_inline void read_cfg(struct nst_inspect_ctx *c, __u64 aux,
				     struct nst_inspect_prog *out)
{
	struct loop l = { .ctx = c };
	__u64 map, maps;
	__u32 n, size;

	out->cfg_size = 0;
	c->walk.cfg_map = 0;
	maps = load64(aux + c->off.aux_used_maps);
	c->walk.maps = maps;
	n = load32(aux + c->off.aux_used_map_cnt);
	bpf_loop(n & MAPS_MASK, visit_map, &l, 0);
	/* BPF_PROG_BIND_MAP puts another array there: look once more. */
	if (load64(aux + c->off.aux_used_maps) != maps)
		out->id = 0;
	map = c->walk.cfg_map;
	if (!map)
		return;
	size = load32(map + c->off.map_value_size);
	if (size > sizeof(out->cfg))
		size = sizeof(out->cfg);
	/*
	 * struct bpf_array starts with its struct bpf_map. A read that fails
	 * leaves zeros, and those are no struct nst_cfg.
	 */
	bpf_probe_read_kernel(out->cfg, size,
			      (void *)(map + c->off.array_value));
	out->cfg_size = size;
}

static __always_inline __u64 prog_of(struct nst_inspect_ctx *c, __u64 tun_prog)
{
	return load64(tun_prog + c->off.tun_prog_prog);
}

static __noinline int read_prog(struct nst_inspect_ctx *c, __u64 tun_prog,
				struct nst_inspect_prog *out)
{
	__u64 prog, aux;

	out->id = 0;
	if (!tun_prog)
		return 0;
	prog = prog_of(c, tun_prog);
	aux = load64(prog + c->off.prog_aux);
	out->id = load32(aux + c->off.aux_id);
	bpf_probe_read_kernel(out->tag, sizeof(out->tag),
			      (void *)(prog + c->off.prog_tag));
	bpf_probe_read_kernel(out->name, sizeof(out->name),
			      (void *)(aux + c->off.aux_name));
	read_cfg(c, aux, out);
	return 0;
}

/*
 * Is it another program than the one that was read? The address alone does not
 * tell: it may have been freed and given to the next one. A program that is on
 * its way out has lost its id.
 */
static __noinline int prog_changed(struct nst_inspect_ctx *c, __u64 slot,
				   __u64 tun_prog,
				   struct nst_inspect_prog *seen)
{
	__u64 aux;

	if (load64(slot) != tun_prog)
		return 1;
	if (!tun_prog)
		return 0;
	aux = load64(prog_of(c, tun_prog) + c->off.prog_aux);
	return !seen->id || load32(aux + c->off.aux_id) != seen->id;
}

static __always_inline void read_tun(struct nst_inspect_ctx *c, __u64 tun,
				     __u32 ifindex)
{
	__u64 steering_at = tun + c->off.tun_steering_prog;
	__u64 filter_at = tun + c->off.tun_filter_prog;
	struct nst_inspect_record *rec;
	__u64 steering, filter;
	__u32 n = c->records;

	c->records = n + 1;
	if (n >= c->max_records)
		return;
	rec = bpf_map_lookup_elem(&nst_inspect_out, &n);
	if (!rec)
		return;
	steering = load64(steering_at);
	filter = load64(filter_at);
	rec->ifindex = ifindex;
	rec->flags = load32(tun + c->off.tun_flags);
	rec->numqueues = load32(tun + c->off.tun_numqueues);
	rec->numdisabled = load32(tun + c->off.tun_numdisabled);
	read_prog(c, steering, &rec->steering);
	read_prog(c, filter, &rec->filter);
	rec->changed = prog_changed(c, steering_at, steering, &rec->steering) |
		       prog_changed(c, filter_at, filter, &rec->filter);
}

static __always_inline int is_tun(struct nst_inspect_ctx *c, __u64 dev)
{
	__u64 ops = load64(dev + c->off.dev_link_ops);

	if (!ops)
		return 0;
	if (ops == c->walk.tun_ops)
		return 1;
	if (!kind_is_tun(&c->off, ops))
		return 0;
	c->walk.tun_ops = ops;
	return 1;
}

/* All devices. */
static __always_inline void list_start(struct nst_inspect_ctx *c)
{
	c->walk.node_off = c->off.dev_list;
	c->walk.end = c->walk.net + c->off.net_dev_base_head;
	c->walk.pos = load64(c->walk.end);
}

static __always_inline int has_buckets(struct nst_inspect_ctx *c)
{
	return c->off.net_dev_index_head != NST_INSPECT_NONE &&
	       c->off.dev_index_hlist != NST_INSPECT_NONE;
}

/* One device: its hash bucket, whatever the number of devices. */
static __always_inline void bucket_start(struct nst_inspect_ctx *c)
{
	c->walk.node_off = c->off.dev_index_hlist;
	c->walk.end = 0;
	c->walk.pos = load64(load64(c->walk.net + c->off.net_dev_index_head) +
			     c->ifindex % INDEX_BUCKETS * sizeof(__u64));
}

/* What the calling process has open as this descriptor. */
static __always_inline __u64 file_of(struct nst_inspect_ctx *c, __u64 task)
{
	__u64 files = load64(task + c->off.task_files);
	__u64 fdt = load64(files + c->off.files_fdt);
	__u32 fd = c->queue_fd;

	if (fd >= load32(fdt + c->off.fdtable_max_fds))
		return 0;
	return load64(load64(fdt + c->off.fdtable_fd) + fd * sizeof(__u64));
}

/*
 * One device, by a queue of it: a walk that begins there. The caller has made
 * sure that the descriptor is one of /dev/net/tun. False: of no device.
 */
static __always_inline int queue_start(struct nst_inspect_ctx *c, __u64 task)
{
	__u64 tun_file, dev, net;

	tun_file = load64(file_of(c, task) + c->off.file_private_data);
	c->walk.tun_file = tun_file;
	c->walk.tun = load64(tun_file + c->off.tun_file_tun);
	dev = load64(c->walk.tun + c->off.tun_dev);
	net = load64(dev + c->off.dev_nd_net);
	c->in_netns = net == c->walk.net;
	read_cookie(c, net);
	c->queue_index = load16(tun_file + c->off.tun_file_queue_index);
	c->detached = load64(tun_file + c->off.tun_file_detached) != 0;
	c->ifindex = load32(dev + c->off.dev_ifindex);
	c->walk.node_off = c->off.dev_list;
	c->walk.pos = dev + c->off.dev_list;
	c->walk.end = 1; /* none */
	return c->walk.tun && c->ifindex;
}

static long visit_dev(__u32 i, void *data)
{
	struct nst_inspect_ctx *c = ((struct loop *)data)->ctx;
	__u32 ifindex;
	__u64 dev;

	/* The bucket is through and did not hold it: then the slow way. */
	if (!c->walk.pos && !c->walk.end)
		list_start(c);
	if (c->walk.pos == c->walk.end) {
		c->error = 0;
		return 1;
	}
	/* Whoever strayed into freed memory need not walk there for long. */
	if (!c->walk.pos ||
	    (i % SEQ_EVERY == 0 && read_seq(c) != c->seq_before))
		return 1;
	dev = c->walk.pos - c->walk.node_off;
	c->walk.pos = load64(c->walk.pos);
	ifindex = load32(dev + c->off.dev_ifindex);
	if (c->ifindex && ifindex != c->ifindex)
		return 0;
	if (is_tun(c, dev))
		read_tun(c, dev + c->off.dev_priv, ifindex);
	if (!c->ifindex)
		return 0;
	c->error = 0;
	return 1;
}

SEC("syscall")
int nst_tun_inspect(struct nst_inspect_ctx *c)
{
	struct loop l = { .ctx = c };
	__u64 task = bpf_get_current_task();

	c->walk.net = net_of(&c->off, task);
	c->walk.tun_ops = 0;
	c->records = 0;
	read_cookie(c, c->walk.net);
	c->error = -EAGAIN; /* until the walk comes to an end */
	c->seq_before = read_seq(c);
	if (c->queue_fd >= 0) {
		if (!queue_start(c, task)) {
			c->error = -EBADFD;
			return 0;
		}
	} else if (c->ifindex && has_buckets(c)) {
		bucket_start(c);
	} else {
		list_start(c);
	}
	bpf_loop(MAX_DEVICES, visit_dev, &l, 0);
	c->seq_after = read_seq(c);
	if (c->queue_fd < 0)
		return 0;
	/* Still its queue? Then the device was there all the time. */
	if (!c->records ||
	    load64(c->walk.tun_file + c->off.tun_file_tun) != c->walk.tun)
		c->error = -EAGAIN;
	return 0;
}

char _license[] SEC("license") = "Dual BSD/GPL";
