/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where a member sits in a structure of the running kernel, and the ids of its
 * functions.
 *
 * libbpf's CO-RE parses and searches all of the kernel's BTF, 60 to 120 ms of
 * a command that should take 5. Here one pass over the types finds the few
 * offsets that are asked for, in 3 ms.
 */
#ifndef NST_BTF_H
#define NST_BTF_H

#include "ctx.h"

#define NST_BTF_NONE UINT32_MAX

/*
 * In the place of a member: type is the name of a function in vmlinux, and its
 * BTF id is asked for.
 */
extern const char nst_btf_func_id[];

struct nst_btf_want {
	const char *type;   /* struct name */
	const char *member; /* NULL: the size of the struct */
	uint32_t *value;    /* bytes; NST_BTF_NONE when there is none */
	bool optional;
};

/*
 * Fill in every value. module: where a type is looked for that vmlinux does
 * not have (NULL: nowhere else). -EOPNOTSUPP and a sentence when the kernel
 * offers no BTF or lacks a member that is not optional; -EPROTO when the BTF
 * is malformed.
 */
int nst_btf_find(struct nsteer *ns, const char *module,
		 const struct nst_btf_want *want, size_t count);

/* The pure part: base and split (may be NULL) are whole BTF blobs. */
int nst_btf_find_in(const void *base, size_t base_len, const void *split,
		    size_t split_len, const struct nst_btf_want *want,
		    size_t count);

#endif /* NST_BTF_H */
