/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Embedded BPF objects: load one program of one of them. */
#ifndef NST_BPF_H
#define NST_BPF_H

#include "ctx.h"

struct bpf_object;

/* lib/bpf/NAME.bpf.o inside the library, see lib/bpf/embed.c. */
struct nst_blob {
	const char *name;
	const char *start;
	const char *end;
};

extern const struct nst_blob nst_blob_tun_steer;
extern const struct nst_blob nst_blob_tun_inspect;
extern const struct nst_blob nst_blob_tun_holder;

/* A loaded program; prog_fd -1: none. */
struct nst_bpf_prog {
	struct bpf_object *obj;
	int prog_fd; /* belongs to obj */
};

struct nst_bpf_map_size {
	const char *map;
	uint32_t max_entries;
};

struct nst_bpf_load_opts {
	/* Map sizes other than those in the object; ends in a NULL name. */
	const struct nst_bpf_map_size *map_size;
	/* Written as the entry 0 of the map nst_cfg; the program is on no
	 * device yet. */
	const void *cfg;
	size_t cfg_size;
};

/*
 * Load the program prog of the blob, and no other one of it. A refusal gets a
 * sentence: the missing capability (cap_bpf, and cap_perfmon if perfmon), the
 * verifier's last lines as extack.
 */
int nst_bpf_load(struct nsteer *ns, const struct nst_blob *blob,
		 const char *prog, bool perfmon,
		 const struct nst_bpf_load_opts *opts,
		 struct nst_bpf_prog *out);
void nst_bpf_unload(struct nst_bpf_prog *prog);

/* An offset to put into the loads and stores that have the mark. */
struct nst_bpf_field {
	int16_t mark;
	uint32_t offset;
};

struct nst_bpf_iter_opts {
	uint32_t btf_id; /* of the function bpf_iter_... */
	int map_fd;	 /* whose entry stands for NST_MARK_MAP */
	const struct nst_bpf_field *fields;
	size_t n_fields;
};

/*
 * Load an iterator's program (prog of the blob) without libbpf's help, which
 * takes 60 ms for what is given here. It has no maps and no subprograms of its
 * own. The descriptor is the caller's.
 */
int nst_bpf_load_iter(struct nsteer *ns, const struct nst_blob *blob,
		      const char *prog, const struct nst_bpf_iter_opts *opts,
		      int *prog_fd);

/* The kernel's id of a program. */
int nst_bpf_prog_id(struct nsteer *ns, int prog_fd, uint32_t *id);

/* A map of the loaded object by name; -ENOENT. */
int nst_bpf_map_fd(const struct nst_bpf_prog *prog, const char *map);

#endif /* NST_BPF_H */
