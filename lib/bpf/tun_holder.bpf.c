/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * Who holds a queue of a tun device: an iterator over the open files of all
 * tasks (Linux 5.8), which looks for those of /dev/net/tun whose device is in
 * the network namespace of the task that reads it.
 *
 * It runs under RCU and with a reference to the file, so what it finds is there
 * for as long as it looks. With a record written it returns 1 for the next
 * file: the read ends (EAGAIN), and the next one begins with that file again.
 *
 * It is loaded without libbpf, which would read all of the kernel's BTF to
 * learn a few numbers: hence the marks [shared.h].
 */
#include "tun_kernel.h"

/* /dev/net/tun as the kernel's dev_t [Documentation/admin-guide/devices.txt] */
#define TUN_RDEV (10 << 20 | 200)

enum { DONE = 0, AGAIN = 1 };

/* What each file is asked for, in two plain loads: it may be a million. */
struct inode {
	char pad[NST_MARK_INODE_RDEV];
	__u32 i_rdev;
};

struct file {
	char pad[NST_MARK_FILE_INODE];
	struct inode *f_inode;
};

/* As bpf_iter__task_file has it, which is fixed. */
struct task_file {
	void *meta;
	void *task;
	__u64 fd;
	struct file *file; /* NULL: this was the last one */
};

static __always_inline struct nst_holder_map *the_map(void)
{
	struct nst_holder_map *map;

	asm("%0 = %1 ll" : "=r"(map) : "i"(NST_MARK_MAP));
	return map;
}

/* False: a queue of no device that is asked for. */
static __always_inline int read_queue(struct nst_holder_map *m, __u64 file)
{
	const struct nst_inspect_offsets *o = &m->off;
	__u64 tun_file, dev;
	__u32 ifindex;

	tun_file = load64(file + o->file_private_data);
	dev = load64(load64(tun_file + o->tun_file_tun) + o->tun_dev);
	ifindex = load32(dev + o->dev_ifindex);
	if (!ifindex || (m->ifindex && m->ifindex != ifindex) ||
	    load64(dev + o->dev_nd_net) != net_of(o, bpf_get_current_task()) ||
	    !kind_is_tun(o, load64(dev + o->dev_link_ops)))
		return 0;
	m->record.ifindex = ifindex;
	m->record.queue_index = load16(tun_file + o->tun_file_queue_index);
	m->record.detached = load64(tun_file + o->tun_file_detached) != 0;
	return 1;
}

/* The number of a task as the pid namespaces of this depth see it. */
static __always_inline __u32 number_of(const struct nst_inspect_offsets *o,
				       __u64 task, __u32 level)
{
	return load32(load64(task + o->task_thread_pid) + o->pid_numbers +
		      (__u64)level * o->upid_size);
}

static __always_inline void read_task(struct nst_holder_map *m, __u64 task)
{
	const struct nst_inspect_offsets *o = &m->off;
	__u64 leader = load64(task + o->task_group_leader);
	__u64 reader = bpf_get_current_task();
	__u32 level;

	/* Only tasks of the reader's pid namespace and those in it come by. */
	level = load32(load64(reader + o->task_thread_pid) + o->pid_level);
	m->record.tid = number_of(o, task, level);
	m->record.pid = number_of(o, leader, level);
	bpf_probe_read_kernel(m->record.comm, sizeof(m->record.comm),
			      (void *)(leader + o->task_comm));
}

SEC("iter/task_file")
int nst_tun_holder(struct task_file *ctx)
{
	struct nst_holder_map *m = the_map();
	struct file *file = ctx->file;
	struct {
		__u64 meta;
		__u64 task;
		__u64 fd;
		__u64 file;
	} at;

	if (!file)
		return DONE;
	if (m->found)
		return AGAIN;
	if (file->f_inode->i_rdev != TUN_RDEV)
		return DONE;
	/*
	 * To what the verifier knows the type of, no offset can be added that
	 * it does not know: read as memory it is numbers.
	 */
	bpf_probe_read_kernel(&at, sizeof(at), ctx);
	if (!read_queue(m, at.file))
		return DONE;
	m->record.fd = at.fd;
	read_task(m, at.task);
	m->found = 1;
	return DONE;
}

char _license[] SEC("license") = "Dual BSD/GPL";
