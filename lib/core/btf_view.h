/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What btf.c (the format) and btf_file.c (where it comes from) share. */
#ifndef NST_BTF_VIEW_H
#define NST_BTF_VIEW_H

#include "btf.h"

#define NST_BTF_WANT_MAX 64

struct nst_btf_section {
	const uint8_t *data;
	uint32_t len;
	uint32_t have; /* so much of it is in memory */
};

/*
 * Gets more of a section into memory: at least the bytes up to upto. What it
 * has not got yet is zero, one byte beyond the end too.
 */
struct nst_btf_fill {
	int (*more)(struct nst_btf_fill *fill, struct nst_btf_section *s,
		    uint32_t upto);
};

struct nst_btf_view {
	struct nst_btf_section types;
	struct nst_btf_section strs;
	struct nst_btf_fill *fill; /* NULL: it is all there */
	struct nst_btf_view *base; /* of a split blob, which continues it */
	uint32_t first_id;
	/* Types indexed so far, their end, and where every 64th of them is. */
	uint32_t count;
	uint32_t off;
	uint32_t *index;
};

struct nst_btf_search {
	const struct nst_btf_want *want;
	size_t count;
	uint64_t open;	  /* wants whose type was not met yet */
	uint32_t letters; /* first letters of their types, modulo 32 */
	uint32_t func_letters;
	uint32_t work;
};

int nst_btf_view_open(struct nst_btf_view *v, const void *blob, size_t len,
		      struct nst_btf_fill *fill);
void nst_btf_view_close(struct nst_btf_view *v);

int nst_btf_search_start(struct nst_btf_search *s,
			 const struct nst_btf_want *want, size_t count);
/* Goes no further than to the last type that somebody still asks for. */
int nst_btf_search_view(struct nst_btf_search *s, struct nst_btf_view *v);
/* What was not found and is not optional; NULL: nothing. */
const struct nst_btf_want *nst_btf_search_lack(const struct nst_btf_search *s);

#endif /* NST_BTF_VIEW_H */
