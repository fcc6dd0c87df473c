/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The user side of lib/bpf/tun_inspect.bpf.c: find out where this kernel keeps
 * things, load the program, run it, take nothing that it found for granted.
 */
#include <bpf/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/bpf.h"
#include "core/btf.h"
#include "core/caps.h"
#include "core/netns.h"
#include "tun/inspect.h"

/* A walk takes a microsecond per device, so a busy host gets some. */
#define WALK_TRIES 10
#define GROW_TRIES 3
/* A page of records. */
#define RECORDS_MIN 18
#define RECORDS_MAX (1U << 20)
/* NETDEV_ALIGN: where netdev_priv() begins below 6.8 or so */
#define PRIV_ALIGN 32

struct inspect {
	struct nst_inspect_offsets off;
	struct nst_bpf_prog prog;
	const struct nst_inspect_record *records; /* mapped */
	size_t map_len;
	uint32_t max;
};

static void unload(struct inspect *in)
{
	if (in->records)
		munmap((void *)in->records, in->map_len);
	in->records = NULL;
	in->max = 0;
	nst_bpf_unload(&in->prog);
}

static void inspect_free(void *data)
{
	unload(data);
	free(data);
}

static int find_offsets(struct nsteer *ns, struct nst_inspect_offsets *o)
{
	uint32_t dev_size, list_head_size;
	const struct nst_btf_want want[] = {
		{ "list_head", NULL, &list_head_size, false },
		{ "task_struct", "nsproxy", &o->task_nsproxy, false },
		{ "task_struct", "files", &o->task_files, false },
		{ "task_struct", "comm", &o->task_comm, true },
		{ "task_struct", "group_leader", &o->task_group_leader, true },
		{ "task_struct", "thread_pid", &o->task_thread_pid, true },
		{ "pid", "level", &o->pid_level, true },
		{ "pid", "numbers", &o->pid_numbers, true },
		{ "upid", NULL, &o->upid_size, true },
		{ "file", "f_inode", &o->file_inode, true },
		{ "inode", "i_rdev", &o->inode_rdev, true },
		{ "files_struct", "fdt", &o->files_fdt, false },
		{ "fdtable", "max_fds", &o->fdtable_max_fds, false },
		{ "fdtable", "fd", &o->fdtable_fd, false },
		{ "file", "private_data", &o->file_private_data, false },
		{ "nsproxy", "net_ns", &o->nsproxy_net_ns, false },
		{ "net", "dev_base_head", &o->net_dev_base_head, false },
		{ "net", "dev_base_seq", &o->net_dev_base_seq, false },
		/* Without the hash by index the list has to do. */
		{ "net", "dev_index_head", &o->net_dev_index_head, true },
		{ "net", "net_cookie", &o->net_cookie, true },
		{ "net_device", "dev_list", &o->dev_list, false },
		{ "net_device", "index_hlist", &o->dev_index_hlist, true },
		{ "net_device", "ifindex", &o->dev_ifindex, false },
		{ "net_device", "rtnl_link_ops", &o->dev_link_ops, false },
		{ "net_device", "nd_net", &o->dev_nd_net, false },
		{ "net_device", "priv", &o->dev_priv, true },
		{ "net_device", NULL, &dev_size, false },
		{ "rtnl_link_ops", "kind", &o->link_ops_kind, false },
		{ "tun_file", "tun", &o->tun_file_tun, false },
		{ "tun_file", "detached", &o->tun_file_detached, false },
		{ "tun_file", "queue_index", &o->tun_file_queue_index, false },
		{ "tun_struct", "dev", &o->tun_dev, false },
		{ "tun_struct", "flags", &o->tun_flags, false },
		{ "tun_struct", "numqueues", &o->tun_numqueues, false },
		{ "tun_struct", "numdisabled", &o->tun_numdisabled, false },
		{ "tun_struct", "steering_prog", &o->tun_steering_prog, false },
		{ "tun_struct", "filter_prog", &o->tun_filter_prog, false },
		{ "tun_prog", "prog", &o->tun_prog_prog, false },
		{ "bpf_prog", "aux", &o->prog_aux, false },
		{ "bpf_prog", "tag", &o->prog_tag, false },
		{ "bpf_prog_aux", "id", &o->aux_id, false },
		{ "bpf_prog_aux", "name", &o->aux_name, false },
		{ "bpf_prog_aux", "used_maps", &o->aux_used_maps, false },
		{ "bpf_prog_aux", "used_map_cnt", &o->aux_used_map_cnt, false },
		{ "bpf_map", "name", &o->map_name, false },
		{ "bpf_map", "map_type", &o->map_type, false },
		{ "bpf_map", "value_size", &o->map_value_size, false },
		{ "bpf_array", "value", &o->array_value, false },
	};
	int err;

	err = nst_btf_find(ns, "tun", want, sizeof(want) / sizeof(want[0]));
	if (err)
		return err;
	if (list_head_size != 2 * sizeof(uint64_t))
		return nst_fail(ns, -EOPNOTSUPP,
				"the steering of a device cannot be read from "
				"a 32-bit kernel");
	if (o->dev_priv == NST_BTF_NONE)
		o->dev_priv =
			(dev_size + PRIV_ALIGN - 1) / PRIV_ALIGN * PRIV_ALIGN;
	return 0;
}

/*
 * Is the kernel too old? Without the type of program the verifier says nothing,
 * without a helper it names it (as unknown, or as invalid).
 */
static bool lacks_helpers(const struct nsteer *ns)
{
	return !*ns->err.extack || strstr(ns->err.extack, " func ");
}

static int load(struct nsteer *ns, struct inspect *in, uint32_t max)
{
	const struct nst_bpf_map_size size[] = { { "nst_inspect_out", max },
						 { NULL, 0 } };
	const struct nst_bpf_load_opts opts = { .map_size = size };
	int err, fd;
	void *mem;

	err = nst_bpf_load(ns, &nst_blob_tun_inspect, "nst_tun_inspect", true,
			   &opts, &in->prog);
	if (err == -EINVAL && lacks_helpers(ns))
		return nst_fail(ns, -EOPNOTSUPP,
				"the program that reads the steering of a "
				"device does not run here: it needs Linux 5.17 "
				"(and no lockdown for confidentiality)");
	if (err)
		return err;
	fd = nst_bpf_map_fd(&in->prog, "nst_inspect_out");
	in->map_len = (size_t)max * sizeof(*in->records);
	mem = mmap(NULL, in->map_len, PROT_READ, MAP_SHARED, fd, 0);
	if (mem == MAP_FAILED) {
		err = nst_fail(ns, -errno,
			       "cannot map the records of %u "
			       "devices: %s",
			       max, strerror(errno));
		nst_bpf_unload(&in->prog);
		return err;
	}
	in->records = mem;
	in->max = max;
	return 0;
}

/* From the context if it can be, without a program the first time. */
static int begin(struct nsteer *ns, struct inspect **out)
{
	struct nst_slot *slot = &ns->slot[NST_SLOT_TUN_INSPECT];
	struct inspect *in = slot->data;
	int err;

	if (!in) {
		in = calloc(1, sizeof(*in));
		if (!in)
			return nst_fail(ns, -ENOMEM, "out of memory");
		in->prog.prog_fd = -1;
		err = find_offsets(ns, &in->off);
		if (err) {
			free(in);
			return err;
		}
		slot->data = in;
		slot->free = inspect_free;
	}
	*out = in;
	return 0;
}

int nst_tun_offsets(struct nsteer *ns, const struct nst_inspect_offsets **out)
{
	struct inspect *in = NULL;
	int err = begin(ns, &in);

	if (!err)
		*out = &in->off;
	return err;
}

/* The program with room for so many records. */
static int prepare(struct nsteer *ns, size_t records, struct inspect **out)
{
	struct inspect *in = NULL;
	int err = begin(ns, &in);

	if (err)
		return err;
	*out = in;
	if (in->max && in->max >= records)
		return 0;
	if (records < RECORDS_MIN)
		records = RECORDS_MIN;
	if (records > RECORDS_MAX)
		records = RECORDS_MAX;
	unload(in);
	return load(ns, in, records);
}

static bool is_steady(const struct inspect *in,
		      const struct nst_inspect_ctx *ctx)
{
	uint32_t i;

	if (ctx->error || ctx->seq_before != ctx->seq_after)
		return false;
	for (i = 0; i < ctx->records && i < in->max; i++)
		if (in->records[i].changed)
			return false;
	return true;
}

/* Inside the namespace. */
static int run(struct nsteer *ns, struct inspect *in,
	       const struct nst_inspect_ctx *ask, struct nst_inspect_ctx *ctx)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = ctx,
		    .ctx_size_in = sizeof(*ctx));
	int try, err;

	for (try = 0; try < WALK_TRIES; try++) {
		*ctx = *ask;
		ctx->off = in->off;
		ctx->max_records = in->max;
		err = bpf_prog_test_run_opts(in->prog.prog_fd, &opts);
		if (err)
			return nst_fail_cap(ns, err,
					    NST_CAPS(CAP_BPF, CAP_PERFMON),
					    "cannot run the program that reads "
					    "the steering of a device: %s",
					    strerror(-err));
		if (ctx->error == -EBADFD || is_steady(in, ctx))
			return 0;
	}
	return nst_fail(ns, -EAGAIN,
			"%d times devices or programs changed while the "
			"steering was read: try again",
			WALK_TRIES);
}

/* What is asked goes in, what was found comes out, as records and in *ctx. */
static int run_in_netns(struct nsteer *ns, struct inspect *in,
			const struct nst_inspect_ctx *ask,
			struct nst_inspect_ctx *ctx)
{
	struct nst_netns_guard guard;
	int err = nst_netns_enter(ns, &guard);

	if (err)
		return err;
	return nst_netns_leave(ns, &guard, run(ns, in, ask, ctx));
}

/* ---- what was found ---- */

static void prog_from_record(const struct nst_inspect_prog *rec,
			     struct nst_tun_prog *out)
{
	struct nst_cfg cfg;

	memset(out, 0, sizeof(*out));
	if (!rec->id)
		return;
	out->prog.id = rec->id;
	memcpy(out->prog.name, rec->name, sizeof(out->prog.name) - 1);
	nst_prog_set_tag(&out->prog, rec->tag);
	if (strncmp(out->prog.name, "nst_", 4) || rec->cfg_size < sizeof(cfg))
		return;
	memcpy(&cfg, rec->cfg, sizeof(cfg));
	if (cfg.magic != NST_CFG_MAGIC || !cfg.version)
		return;
	out->has_cfg = true;
	out->cfg = cfg;
}

static void state_from_record(const struct nst_inspect_record *rec,
			      uint64_t netns_cookie, struct nst_tun_state *out)
{
	out->netns_cookie = netns_cookie;
	out->ifindex = rec->ifindex;
	out->flags = rec->flags;
	out->numqueues = rec->numqueues;
	out->numdisabled = rec->numdisabled;
	prog_from_record(&rec->steering, &out->steering);
	prog_from_record(&rec->filter, &out->filter);
}

int nst_tun_inspect(struct nsteer *ns, uint32_t ifindex,
		    struct nst_tun_state *out)
{
	const struct nst_inspect_ctx ask = { .queue_fd = -1,
					     .ifindex = ifindex };
	struct nst_inspect_ctx ctx;
	struct inspect *in;
	int err;

	/* 0 would mean all of them. */
	err = ifindex ? prepare(ns, 1, &in)
		      : nst_fail(ns, -ENODEV, "ifindex 0 is no device");
	if (!err)
		err = run_in_netns(ns, in, &ask, &ctx);
	if (err)
		return err;
	if (!ctx.records)
		return nst_fail(ns, -ENODEV,
				"no tun or tap device has the ifindex %u",
				ifindex);
	state_from_record(&in->records[0], ctx.netns_cookie, out);
	return 0;
}

int nst_tun_inspect_queue(struct nsteer *ns, int queue_fd,
			  struct nst_tun_queue *out)
{
	const struct nst_inspect_ctx ask = { .queue_fd = queue_fd };
	struct nst_inspect_ctx ctx;
	struct inspect *in;
	int err;

	/* A negative one would mean none of them. */
	err = queue_fd >= 0 ? prepare(ns, 1, &in)
			    : nst_fail(ns, -EBADF, "no descriptor given");
	if (!err)
		err = run_in_netns(ns, in, &ask, &ctx);
	if (err)
		return err;
	if (ctx.error)
		return nst_fail(ns, ctx.error,
				"descriptor %d is a queue of no device",
				queue_fd);
	state_from_record(&in->records[0], ctx.netns_cookie, &out->state);
	out->index = ctx.queue_index;
	out->detached = ctx.detached;
	out->in_netns = ctx.in_netns;
	return 0;
}

static int by_ifindex(const void *a, const void *b)
{
	uint32_t x = ((const struct nst_tun_state *)a)->ifindex;
	uint32_t y = ((const struct nst_tun_state *)b)->ifindex;

	return (x > y) - (x < y);
}

int nst_tun_inspect_all(struct nsteer *ns, size_t expect,
			struct nst_tun_state **out, size_t *count)
{
	const struct nst_inspect_ctx ask = { .queue_fd = -1 };
	struct nst_inspect_ctx ctx;
	struct nst_tun_state *states;
	struct inspect *in;
	uint32_t i;
	int try, err;

	for (try = 0; try < GROW_TRIES; try++) {
		err = prepare(ns, expect, &in);
		if (!err)
			err = run_in_netns(ns, in, &ask, &ctx);
		if (err)
			return err;
		if (ctx.records <= in->max)
			break;
		/* And some more, there may be more by then. */
		expect = ctx.records + ctx.records / 8;
	}
	if (ctx.records > in->max)
		return nst_fail(ns, -EAGAIN,
				"more than %u tun devices, and ever more: try "
				"again",
				in->max);
	/* malloc(0) may be NULL, and that would be an error. */
	states = malloc((ctx.records + 1) * sizeof(*states));
	if (!states)
		return nst_fail(ns, -ENOMEM, "out of memory");
	for (i = 0; i < ctx.records; i++)
		state_from_record(&in->records[i], ctx.netns_cookie,
				  &states[i]);
	qsort(states, ctx.records, sizeof(*states), by_ifindex);
	*out = states;
	*count = ctx.records;
	return 0;
}
