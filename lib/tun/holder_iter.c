/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The user side of lib/bpf/tun_holder.bpf.c: who holds a queue, as a BPF
 * iterator over the open files of all tasks tells it.
 */
#include <bpf/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/btf.h"
#include "core/netns.h"
#include "tun/holder.h"

/* Kept in the context: loading takes as long as a walk. */
struct iter {
	int map_fd;
	int prog_fd;
	int link_fd;
	struct nst_holder_map *map; /* mapped */
};

struct records {
	struct nst_holder_record *all;
	size_t count;
	size_t room;
};

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void iter_free(void *data)
{
	struct iter *it = data;

	if (it->map)
		munmap(it->map, sizeof(*it->map));
	close_fd(it->link_fd);
	close_fd(it->prog_fd);
	close_fd(it->map_fd);
	free(it);
}

static int check_offsets(struct nsteer *ns, const struct nst_inspect_offsets *o)
{
	if (o->task_comm == NST_BTF_NONE ||
	    o->task_group_leader == NST_BTF_NONE ||
	    o->task_thread_pid == NST_BTF_NONE ||
	    o->pid_level == NST_BTF_NONE || o->pid_numbers == NST_BTF_NONE ||
	    o->upid_size == NST_BTF_NONE || o->file_inode == NST_BTF_NONE ||
	    o->inode_rdev == NST_BTF_NONE)
		return nst_fail(ns, -EOPNOTSUPP,
				"this kernel has its tasks and files arranged "
				"in another way");
	return 0;
}

static int map_make(struct nsteer *ns, struct iter *it)
{
	LIBBPF_OPTS(bpf_map_create_opts, o, .map_flags = BPF_F_MMAPABLE);
	void *mem;

	it->map_fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "nst_holder_map",
				    sizeof(uint32_t), sizeof(*it->map), 1, &o);
	if (it->map_fd < 0)
		return nst_fail_cap(ns, it->map_fd, NST_CAPS(CAP_BPF),
				    "cannot make a BPF map: %s",
				    strerror(-it->map_fd));
	mem = mmap(NULL, sizeof(*it->map), PROT_READ | PROT_WRITE, MAP_SHARED,
		   it->map_fd, 0);
	if (mem == MAP_FAILED)
		return nst_fail(ns, -errno, "cannot map a BPF map: %s",
				strerror(errno));
	it->map = mem;
	return 0;
}

static int iter_load(struct nsteer *ns, const struct nst_inspect_offsets *off,
		     struct iter *it)
{
	const struct nst_bpf_field fields[] = {
		{ NST_MARK_FILE_INODE, off->file_inode },
		{ NST_MARK_INODE_RDEV, off->inode_rdev },
	};
	struct nst_bpf_iter_opts o = { .fields = fields, .n_fields = 2 };
	const struct nst_btf_want want = { "bpf_iter_task_file",
					   nst_btf_func_id, &o.btf_id, false };
	int err;

	err = nst_btf_find(ns, NULL, &want, 1);
	if (!err)
		err = map_make(ns, it);
	if (err)
		return err;
	o.map_fd = it->map_fd;
	err = nst_bpf_load_iter(ns, &nst_blob_tun_holder, "nst_tun_holder", &o,
				&it->prog_fd);
	if (err)
		return err;
	it->link_fd = bpf_link_create(it->prog_fd, 0, BPF_TRACE_ITER, NULL);
	if (it->link_fd < 0)
		return nst_fail_cap(ns, it->link_fd,
				    NST_CAPS(CAP_BPF, CAP_PERFMON),
				    "cannot make a BPF iterator: %s",
				    strerror(-it->link_fd));
	it->map->off = *off;
	return 0;
}

/* From the context if it can be. */
static int prepare(struct nsteer *ns, const struct nst_inspect_offsets *off,
		   struct iter **out)
{
	struct nst_slot *slot = &ns->slot[NST_SLOT_TUN_HOLDER];
	struct iter *it = slot->data;
	int err;

	if (!it) {
		err = check_offsets(ns, off);
		if (err)
			return err;
		it = malloc(sizeof(*it));
		if (!it)
			return nst_fail(ns, -ENOMEM, "out of memory");
		*it = (struct iter){ -1, -1, -1, NULL };
		err = iter_load(ns, off, it);
		if (err) {
			iter_free(it);
			return err;
		}
		slot->data = it;
		slot->free = iter_free;
	}
	*out = it;
	return 0;
}

static int keep(struct records *r, const struct nst_holder_record *rec)
{
	void *grown;

	if (r->count == r->room) {
		r->room = r->room ? 2 * r->room : 16;
		grown = realloc(r->all, r->room * sizeof(*r->all));
		if (!grown)
			return -ENOMEM;
		r->all = grown;
	}
	r->all[r->count++] = *rec;
	return 0;
}

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* All but the thread. */
static int compare(const struct nst_holder_record *a,
		   const struct nst_holder_record *b)
{
	int order = ORDER(a->pid, b->pid);

	order = order ? order : ORDER(a->fd, b->fd);
	order = order ? order : ORDER(a->ifindex, b->ifindex);
	order = order ? order : ORDER(a->detached, b->detached);
	return order ? order : ORDER(a->queue_index, b->queue_index);
}

static int by_process(const void *a, const void *b)
{
	const struct nst_holder_record *x = a, *y = b;
	int order = compare(x, y);

	/* The process itself comes first. */
	order = order ? order : ORDER(x->tid != x->pid, y->tid != y->pid);
	return order ? order : ORDER(x->tid, y->tid);
}

static int tell(struct nst_holder_walk *w, const struct nst_holder_record *rec)
{
	struct nst_holder *h = &w->holder;

	w->told = true;
	w->tid = rec->tid;
	h->pid = rec->pid;
	h->fd = rec->fd;
	memcpy(h->comm, rec->comm, sizeof(h->comm) - 1);
	h->comm[sizeof(h->comm) - 1] = '\0';
	strcpy(h->ifname, w->link ? w->link->name : "");
	h->ifindex = rec->ifindex;
	h->detached = rec->detached;
	h->has_index = !rec->detached;
	h->index = rec->queue_index;
	return w->cb(h, w->data);
}

/*
 * A process's own descriptors are told as they come, each is one of its own. A
 * thread's wait until all are there.
 *
 * Each read ends with a record, or in between; the last one with 0.
 */
static int read_all(struct nst_holder_walk *w, int fd,
		    struct nst_holder_map *map, struct records *r)
{
	struct nst_holder_record rec;
	ssize_t n;
	char c;

	do {
		map->found = 0;
		n = read(fd, &c, sizeof(c));
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return -errno;
		rec = map->record;
		/* Without a number: on its way out. */
		if (!map->found || !rec.pid || !rec.tid)
			continue;
		if (keep(r, &rec))
			return -ENOMEM;
		if (rec.tid == rec.pid && tell(w, &rec))
			return 1;
	} while (n);
	return 0;
}

/*
 * Threads that have a table of descriptors of their own, and all those whose
 * process's first thread has ended; below 5.10 each thread. What is the same in
 * several is told once.
 */
static void tell_threads(struct nst_holder_walk *w, struct records *r)
{
	const struct nst_holder_record *last = NULL, *rec;
	size_t i;

	if (r->count)
		qsort(r->all, r->count, sizeof(*r->all), by_process);
	for (i = 0; i < r->count; i++) {
		rec = &r->all[i];
		if (last && !compare(last, rec))
			continue;
		last = rec;
		if (rec->tid != rec->pid && tell(w, rec))
			return;
	}
}

/* Inside the namespace. */
static int run(struct nst_holder_walk *w, const struct iter *it)
{
	struct records r = { 0 };
	int err, fd;

	it->map->ifindex = w->link ? w->link->ifindex : 0;
	fd = bpf_iter_create(it->link_fd);
	if (fd < 0)
		return nst_fail(w->ns, fd, "cannot start a BPF iterator: %s",
				strerror(-fd));
	err = read_all(w, fd, it->map, &r);
	close(fd);
	if (!err) {
		w->hidden->all_seen = true;
		tell_threads(w, &r);
	}
	free(r.all);
	return err < 0 ? nst_fail(w->ns, err, "a BPF iterator broke off: %s",
				  strerror(-err))
		       : 0;
}

int nst_holder_iterate(struct nst_holder_walk *w)
{
	const struct nst_inspect_offsets *off = NULL;
	struct nst_netns_guard guard;
	struct iter *it = NULL;
	int err = 0;

	/* Before the work of finding out where things are. */
	if (!nst_cap_have(CAP_BPF) || !nst_cap_have(CAP_PERFMON))
		err = nst_fail_cap(w->ns, -EPERM,
				   NST_CAPS(CAP_BPF, CAP_PERFMON),
				   "no BPF iterator can be loaded");
	if (!err)
		err = nst_tun_offsets(w->ns, &off);
	if (!err)
		err = prepare(w->ns, off, &it);
	if (!err)
		err = nst_netns_enter(w->ns, &guard);
	if (err)
		return err;
	return nst_netns_leave(w->ns, &guard, run(w, it));
}
