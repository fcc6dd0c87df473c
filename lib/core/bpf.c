/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/shared.h"
#include "core/bpf.h"
#include "core/caps.h"

/*
 * Below 6.4 a log that does not fit turns the verifier's error into ENOSPC.
 * The memory is only touched when there is something to log.
 */
#define LOG_SIZE (1U << 20)

NSTEER_API void nsteer_libbpf_quiet(void)
{
	libbpf_set_print(NULL);
}

/* The end of the verifier's log, as much of it as the record holds. */
static void keep_log(struct nsteer *ns, const char *log)
{
	size_t len = strlen(log), max = sizeof(ns->err.extack) - 1;
	const char *tail = log, *line;

	if (len > max) {
		tail = log + len - max;
		line = strchr(tail, '\n');
		if (line)
			tail = line + 1;
	}
	nst_err_set_extack(ns, tail);
}

static bool is_poor(bool perfmon)
{
	return !nst_cap_have(CAP_BPF) || (perfmon && !nst_cap_have(CAP_PERFMON));
}

/*
 * Who lacks the capabilities may load something only where the administrator
 * lets everybody (kernel.unprivileged_bpf_disabled). Asked without libbpf, which
 * would complain on stderr.
 */
static bool is_open_to_all(void)
{
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = 4;
	attr.value_size = 4;
	attr.max_entries = 1;
	fd = syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr));
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static int fail_load(struct nsteer *ns, int err, const char *prog, bool perfmon,
		     const char *log)
{
	const cap_value_t *caps =
		perfmon ? NST_CAPS(CAP_BPF, CAP_PERFMON) : NST_CAPS(CAP_BPF);
	bool poor = is_poor(perfmon);

	/* To who lacks a capability a helper may look unknown: EINVAL. */
	if (poor && *log)
		err = -EPERM;
	if (*log && !poor && (err == -EINVAL || err == -EACCES ||
			      err == -E2BIG || err == -ENOSPC)) {
		keep_log(ns, log);
		return nst_fail(ns, err,
				"the kernel's verifier refused the program %s: %s",
				prog, strerror(-err));
	}
	return nst_fail_cap(ns, err, caps, "cannot load the BPF program %s: %s",
			    prog, strerror(-err));
}

/* Of all programs of the object, only this one is to be loaded. */
static struct bpf_program *choose(struct bpf_object *obj, const char *name)
{
	struct bpf_program *p, *chosen = NULL;

	bpf_object__for_each_program(p, obj)
	{
		bool is_it = !strcmp(bpf_program__name(p), name);

		bpf_program__set_autoload(p, is_it);
		if (is_it)
			chosen = p;
	}
	return chosen;
}

static int size_maps(struct bpf_object *obj, const struct nst_bpf_map_size *m)
{
	struct bpf_map *map;
	int err;

	for (; m && m->map; m++) {
		map = bpf_object__find_map_by_name(obj, m->map);
		if (!map)
			return -ENOENT;
		err = bpf_map__set_max_entries(map, m->max_entries);
		if (err)
			return err;
	}
	return 0;
}

static int write_cfg(struct bpf_object *obj,
		     const struct nst_bpf_load_opts *opts)
{
	struct bpf_map *map = bpf_object__find_map_by_name(obj, "nst_cfg");
	const uint32_t key = 0;

	if (!map)
		return -ENOENT;
	if (bpf_map__value_size(map) != opts->cfg_size)
		return -EINVAL;
	return bpf_map_update_elem(bpf_map__fd(map), &key, opts->cfg, BPF_ANY);
}

static int open_blob(struct nsteer *ns, const struct nst_blob *blob,
		     struct bpf_object **out)
{
	LIBBPF_OPTS(bpf_object_open_opts, o, .object_name = blob->name);

	*out = bpf_object__open_mem(blob->start, blob->end - blob->start, &o);
	return *out ? 0
		    : nst_fail(ns, -errno, "cannot open the BPF object %s: %s",
			       blob->name, strerror(errno));
}

int nst_bpf_load(struct nsteer *ns, const struct nst_blob *blob,
		 const char *prog, bool perfmon,
		 const struct nst_bpf_load_opts *opts, struct nst_bpf_prog *out)
{
	struct bpf_program *p;
	struct bpf_object *obj;
	char *log;
	int err;

	if (is_poor(perfmon) && (perfmon || !is_open_to_all()))
		return fail_load(ns, -EPERM, prog, perfmon, "");
	log = malloc(LOG_SIZE);
	if (!log)
		return nst_fail(ns, -ENOMEM, "out of memory");
	*log = '\0';
	err = open_blob(ns, blob, &obj);
	if (err)
		goto out_log;
	p = choose(obj, prog);
	err = p ? size_maps(obj, opts ? opts->map_size : NULL) : -ENOENT;
	/* It is not asked for as long as all goes well. */
	if (!err)
		err = bpf_program__set_log_buf(p, log, LOG_SIZE);
	if (!err)
		err = bpf_object__load(obj);
	if (!err && opts && opts->cfg)
		err = write_cfg(obj, opts);
	if (err) {
		err = fail_load(ns, err, prog, perfmon, log);
		bpf_object__close(obj);
		goto out_log;
	}
	out->obj = obj;
	out->prog_fd = bpf_program__fd(p);
out_log:
	free(log);
	return err;
}

void nst_bpf_unload(struct nst_bpf_prog *prog)
{
	bpf_object__close(prog->obj);
	prog->obj = NULL;
	prog->prog_fd = -1;
}

static bool is_map_mark(const struct bpf_insn *insn)
{
	return insn[0].code == (BPF_LD | BPF_DW | BPF_IMM) &&
	       (uint32_t)insn[0].imm == (uint32_t)NST_MARK_MAP &&
	       (uint32_t)insn[1].imm == NST_MARK_MAP >> 32;
}

/*
 * Replace the marks. -ERANGE: an offset that no instruction can hold; -EPROTO:
 * the compiler has made something else of a mark.
 */
static int put_marked(struct bpf_insn *insns, size_t count,
		      const struct nst_bpf_iter_opts *opts)
{
	/* Each mark, and last the map's. */
	uint64_t missing = (2ULL << opts->n_fields) - 1;
	const struct nst_bpf_field *f;
	size_t i, k;

	for (i = 0; i < count; i++) {
		if (i + 1 < count && is_map_mark(&insns[i])) {
			missing &= ~(1ULL << opts->n_fields);
			insns[i].src_reg = BPF_PSEUDO_MAP_VALUE;
			insns[i].imm = opts->map_fd;
			insns[++i].imm = 0;
			continue;
		}
		for (k = 0; k < opts->n_fields; k++) {
			f = &opts->fields[k];
			if (BPF_CLASS(insns[i].code) != BPF_LDX ||
			    insns[i].off != f->mark)
				continue;
			if (f->offset > INT16_MAX)
				return -ERANGE;
			insns[i].off = f->offset;
			missing &= ~(1ULL << k);
			break;
		}
	}
	return missing ? -EPROTO : 0;
}

static int load_iter(struct nsteer *ns, const char *prog,
		     struct bpf_insn *insns, size_t count,
		     const struct nst_bpf_iter_opts *opts)
{
	LIBBPF_OPTS(bpf_prog_load_opts, o,
		    .expected_attach_type = BPF_TRACE_ITER,
		    .attach_btf_id = opts->btf_id, .log_size = LOG_SIZE);
	int fd = put_marked(insns, count, opts);

	if (fd)
		return nst_fail(ns, fd, "the BPF program %s does not fit this "
				"kernel", prog);
	/* It is not asked for as long as all goes well. */
	o.log_buf = malloc(LOG_SIZE);
	if (!o.log_buf)
		return nst_fail(ns, -ENOMEM, "out of memory");
	*o.log_buf = '\0';
	fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, prog, "Dual BSD/GPL", insns,
			   count, &o);
	if (fd < 0)
		fail_load(ns, fd, prog, true, o.log_buf);
	free(o.log_buf);
	return fd;
}

int nst_bpf_load_iter(struct nsteer *ns, const struct nst_blob *blob,
		      const char *prog, const struct nst_bpf_iter_opts *opts,
		      int *prog_fd)
{
	struct bpf_insn *insns = NULL;
	struct bpf_program *p;
	struct bpf_object *obj;
	size_t count = 0;
	int fd;

	fd = open_blob(ns, blob, &obj);
	if (fd)
		return fd;
	p = bpf_object__find_program_by_name(obj, prog);
	if (p)
		count = bpf_program__insn_cnt(p);
	if (count)
		insns = malloc(count * sizeof(*insns));
	if (insns) {
		memcpy(insns, bpf_program__insns(p), count * sizeof(*insns));
		fd = load_iter(ns, prog, insns, count, opts);
	} else {
		fd = nst_fail(ns, p ? -ENOMEM : -ENOENT,
			      "cannot get the BPF program %s", prog);
	}
	free(insns);
	bpf_object__close(obj);
	if (fd < 0)
		return fd;
	*prog_fd = fd;
	return 0;
}

int nst_bpf_prog_id(struct nsteer *ns, int prog_fd, uint32_t *id)
{
	struct bpf_prog_info info = { 0 };
	uint32_t len = sizeof(info);
	int err = bpf_obj_get_info_by_fd(prog_fd, &info, &len);

	if (err)
		return nst_fail(ns, err,
				"cannot ask for the id of a program: %s",
				strerror(-err));
	*id = info.id;
	return 0;
}

int nst_bpf_map_fd(const struct nst_bpf_prog *prog, const char *map)
{
	int fd = bpf_object__find_map_fd_by_name(prog->obj, map);

	return fd < 0 ? -ENOENT : fd;
}
