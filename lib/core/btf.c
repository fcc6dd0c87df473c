/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The BTF wire format [Documentation/bpf/btf.rst] is a header, a section of
 * types of varying length, which can only be walked from the first to the
 * last, and a section of strings. The blob is not trusted: every offset, id
 * and length in it is checked where it is used.
 */
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

#include "core/btf.h"
#include "core/btf_view.h"

#define INDEX_SHIFT 6
#define INDEX_MASK ((1U << INDEX_SHIFT) - 1)
/* No kernel structure nests unnamed ones deeper. */
#define DEPTH_MAX 8
/* Members looked at in one search; net_device has 180. */
#define WORK_MAX (1 << 18)
/* Names longer than this are nobody's that is asked for. */
#define NAME_MAX_LEN 128

const char nst_btf_func_id[] = "id";

struct type {
	const uint8_t *body; /* what follows struct btf_type */
	uint32_t name_off;
	uint32_t info;
	uint32_t size; /* or type: what it refers to */
};

/* Bytes after struct btf_type: fixed ones, and for each of vlen. */
#define KIND_MAX 31
static const struct {
	uint8_t known;
	uint8_t fixed;
	uint8_t each;
} kinds[KIND_MAX + 1] = {
	[BTF_KIND_INT] = { 1, 4, 0 },
	[BTF_KIND_PTR] = { 1, 0, 0 },
	[BTF_KIND_ARRAY] = { 1, sizeof(struct btf_array), 0 },
	[BTF_KIND_STRUCT] = { 1, 0, sizeof(struct btf_member) },
	[BTF_KIND_UNION] = { 1, 0, sizeof(struct btf_member) },
	[BTF_KIND_ENUM] = { 1, 0, sizeof(struct btf_enum) },
	[BTF_KIND_FWD] = { 1, 0, 0 },
	[BTF_KIND_TYPEDEF] = { 1, 0, 0 },
	[BTF_KIND_VOLATILE] = { 1, 0, 0 },
	[BTF_KIND_CONST] = { 1, 0, 0 },
	[BTF_KIND_RESTRICT] = { 1, 0, 0 },
	[BTF_KIND_FUNC] = { 1, 0, 0 },
	[BTF_KIND_FUNC_PROTO] = { 1, 0, sizeof(struct btf_param) },
	[BTF_KIND_VAR] = { 1, sizeof(struct btf_var), 0 },
	[BTF_KIND_DATASEC] = { 1, 0, sizeof(struct btf_var_secinfo) },
	[BTF_KIND_FLOAT] = { 1, 0, 0 },
	[BTF_KIND_DECL_TAG] = { 1, sizeof(struct btf_decl_tag), 0 },
	[BTF_KIND_TYPE_TAG] = { 1, 0, 0 },
	[BTF_KIND_ENUM64] = { 1, 0, sizeof(struct btf_enum64) },
};

static uint32_t u32_at(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

int nst_btf_view_open(struct nst_btf_view *v, const void *blob, size_t len,
		      struct nst_btf_fill *fill)
{
	struct btf_header hdr;

	memset(v, 0, sizeof(*v));
	if (len < sizeof(hdr))
		return -EPROTO;
	memcpy(&hdr, blob, sizeof(hdr));
	if (hdr.magic != BTF_MAGIC || hdr.version != BTF_VERSION ||
	    hdr.hdr_len < sizeof(hdr) || hdr.hdr_len > len)
		return -EPROTO;
	len -= hdr.hdr_len;
	if (hdr.type_off > len || hdr.type_len > len - hdr.type_off ||
	    hdr.str_off > len || hdr.str_len > len - hdr.str_off)
		return -EPROTO;
	v->fill = fill;
	v->first_id = 1;
	v->types.data = (const uint8_t *)blob + hdr.hdr_len + hdr.type_off;
	v->types.len = hdr.type_len;
	v->strs.data = (const uint8_t *)blob + hdr.hdr_len + hdr.str_off;
	v->strs.len = hdr.str_len;
	if (!fill) {
		v->types.have = v->types.len;
		v->strs.have = v->strs.len;
		if (v->strs.len && v->strs.data[v->strs.len - 1])
			return -EPROTO;
	}
	v->index = malloc(
		((v->types.len / sizeof(struct btf_type) >> INDEX_SHIFT) + 1) *
		sizeof(*v->index));
	return v->index ? 0 : -ENOMEM;
}

void nst_btf_view_close(struct nst_btf_view *v)
{
	free(v->index);
}

/* Are the bytes up to here (not beyond the section) in memory? Else get them */
static inline int need(struct nst_btf_view *v, struct nst_btf_section *s,
		       uint32_t upto)
{
	return upto <= s->have ? 0 : v->fill->more(v->fill, s, upto);
}

/* NULL: no such string. */
static const char *view_str(struct nst_btf_view *v, uint32_t off)
{
	uint32_t end;

	if (v->base) {
		if (off < v->base->strs.len)
			return view_str(v->base, off);
		off -= v->base->strs.len;
	}
	if (off >= v->strs.len)
		return NULL;
	end = v->strs.len - off > NAME_MAX_LEN ? off + NAME_MAX_LEN
					       : v->strs.len;
	/* What is not there yet is zero, so a string always ends. */
	return need(v, &v->strs, end) ? NULL : (const char *)v->strs.data + off;
}

/* Read the type at *off and move on to the next one. */
static inline int type_read(struct nst_btf_view *v, uint32_t *off,
			    struct type *t)
{
	uint32_t left = v->types.len - *off;
	const uint8_t *p = v->types.data + *off;
	uint32_t kind, size;
	int err;

	if (left < sizeof(struct btf_type))
		return -EPROTO;
	err = need(v, &v->types, *off + sizeof(struct btf_type));
	if (err)
		return err;
	t->name_off = u32_at(p);
	t->info = u32_at(p + 4);
	t->size = u32_at(p + 8);
	t->body = p + sizeof(struct btf_type);
	kind = BTF_INFO_KIND(t->info);
	size = sizeof(struct btf_type) + kinds[kind].fixed +
	       BTF_INFO_VLEN(t->info) * kinds[kind].each;
	if (!kinds[kind].known || size > left)
		return -EPROTO;
	*off += size;
	return need(v, &v->types, *off);
}

static inline int index_next(struct nst_btf_view *v, struct type *t)
{
	uint32_t at = v->off;
	int err;

	err = type_read(v, &v->off, t);
	if (err)
		return err;
	if (!(v->count & INDEX_MASK))
		v->index[v->count >> INDEX_SHIFT] = at;
	v->count++;
	return 0;
}

/* A split blob counts on from its base, which only its end tells. */
static int count_base(struct nst_btf_view *v)
{
	struct type t;
	int err;

	while (v->base->off != v->base->types.len) {
		err = index_next(v->base, &t);
		if (err)
			return err;
	}
	v->first_id = v->base->first_id + v->base->count;
	return 0;
}

/* A type by id, which the index may not have reached yet. */
static int view_type(struct nst_btf_view *v, uint32_t id, struct type *t)
{
	uint32_t off, n;
	int err;

	if (v->base) {
		err = count_base(v);
		if (err)
			return err;
		if (id < v->first_id)
			v = v->base;
	}
	if (id < v->first_id)
		return -EPROTO;
	id -= v->first_id;
	while (id >= v->count) {
		err = index_next(v, t);
		if (err)
			return err;
	}
	off = v->index[id >> INDEX_SHIFT];
	for (n = id & INDEX_MASK;; n--) {
		err = type_read(v, &off, t);
		if (err || !n)
			return err;
	}
}

static bool is_composite(const struct type *t)
{
	uint32_t kind = BTF_INFO_KIND(t->info);

	return kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION;
}

/*
 * Find a member, also of the unnamed structures and unions inside, and add its
 * bit offset to *bits. 1: found; a bitfield has no address and is none.
 */
static int find_member(struct nst_btf_view *v, const struct type *t,
		       const char *name, struct nst_btf_search *s, int depth,
		       uint64_t *bits)
{
	uint32_t i, vlen = BTF_INFO_VLEN(t->info);
	const uint8_t *m = t->body;
	uint32_t off, width;
	const char *got;
	uint64_t inner;
	struct type in;
	int err;

	if (vlen > s->work)
		return -EPROTO;
	s->work -= vlen;
	for (i = 0; i < vlen; i++, m += sizeof(struct btf_member)) {
		off = u32_at(m + offsetof(struct btf_member, offset));
		width = 0;
		if (BTF_INFO_KFLAG(t->info)) {
			width = BTF_MEMBER_BITFIELD_SIZE(off);
			off = BTF_MEMBER_BIT_OFFSET(off);
		}
		inner = *bits + off;
		if (u32_at(m)) {
			got = view_str(v, u32_at(m));
			if (!got)
				return -EPROTO;
			if (strcmp(got, name))
				continue;
			*bits = inner;
			return !width && !(inner % 8);
		}
		err = view_type(v,
				u32_at(m + offsetof(struct btf_member, type)),
				&in);
		if (!err && is_composite(&in) && depth < DEPTH_MAX)
			err = find_member(v, &in, name, s, depth + 1, &inner);
		if (err) {
			*bits = inner;
			return err;
		}
	}
	return 0;
}

static bool is_func(const struct nst_btf_want *w)
{
	return w->member == nst_btf_func_id;
}

/* The structure or function t, called name: answer all who ask for it. */
static int answer(struct nst_btf_view *v, const struct type *t, uint32_t id,
		  const char *name, struct nst_btf_search *s)
{
	bool func = BTF_INFO_KIND(t->info) == BTF_KIND_FUNC;
	const struct nst_btf_want *w;
	uint64_t bits;
	size_t i;
	int err;

	for (i = 0; i < s->count; i++) {
		w = &s->want[i];
		if (!(s->open >> i & 1) || is_func(w) != func ||
		    strcmp(w->type, name))
			continue;
		s->open &= ~(1ULL << i);
		if (func) {
			*w->value = id;
			continue;
		}
		if (!w->member) {
			*w->value = t->size;
			continue;
		}
		bits = 0;
		err = find_member(v, t, w->member, s, 0, &bits);
		if (err < 0)
			return err;
		if (err && bits / 8 < NST_BTF_NONE)
			*w->value = bits / 8;
	}
	return 0;
}

int nst_btf_search_start(struct nst_btf_search *s,
			 const struct nst_btf_want *want, size_t count)
{
	uint32_t *letters;
	size_t i;

	if (!count || count > NST_BTF_WANT_MAX)
		return -EINVAL;
	memset(s, 0, sizeof(*s));
	s->want = want;
	s->count = count;
	s->open = UINT64_MAX >> (NST_BTF_WANT_MAX - count);
	s->work = WORK_MAX;
	for (i = 0; i < count; i++) {
		*want[i].value = NST_BTF_NONE;
		letters = is_func(&want[i]) ? &s->func_letters : &s->letters;
		*letters |= 1U << (want[i].type[0] & 31);
	}
	return 0;
}

/* First letters of the names of such a type that are asked for. */
static inline uint32_t letters_of(const struct nst_btf_search *s,
				  const struct nst_btf_view *v, uint32_t info)
{
	if (BTF_INFO_KIND(info) == BTF_KIND_STRUCT)
		return s->letters;
	/* The id of a module's would mean nothing without the module. */
	return BTF_INFO_KIND(info) == BTF_KIND_FUNC && !v->base ?
		       s->func_letters :
		       0;
}

int nst_btf_search_view(struct nst_btf_search *s, struct nst_btf_view *v)
{
	uint32_t off = 0, id = 0, letters;
	const char *name;
	struct type t;
	int err;

	while (s->open && off != v->types.len) {
		/* An answer may have taken the index ahead of the search. */
		if (off == v->off) {
			err = index_next(v, &t);
			off = v->off;
		} else {
			err = type_read(v, &off, &t);
		}
		if (err)
			return err;
		id++;
		letters = letters_of(s, v, t.info);
		if (!letters || !t.name_off)
			continue;
		name = view_str(v, t.name_off);
		if (!name)
			return -EPROTO;
		if (!(letters >> (*name & 31) & 1))
			continue;
		err = answer(v, &t, id, name, s);
		if (err)
			return err;
	}
	return 0;
}

const struct nst_btf_want *nst_btf_search_lack(const struct nst_btf_search *s)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		if (!s->want[i].optional && *s->want[i].value == NST_BTF_NONE)
			return &s->want[i];
	return NULL;
}

int nst_btf_find_in(const void *base, size_t base_len, const void *split,
		    size_t split_len, const struct nst_btf_want *want,
		    size_t count)
{
	struct nst_btf_view v = { 0 }, sv = { 0 };
	struct nst_btf_search s;
	int err;

	err = nst_btf_search_start(&s, want, count);
	if (err)
		return err;
	err = nst_btf_view_open(&v, base, base_len, NULL);
	if (!err && split) {
		err = nst_btf_view_open(&sv, split, split_len, NULL);
		sv.base = &v;
		if (!err)
			err = nst_btf_search_view(&s, &sv);
	}
	if (!err)
		err = nst_btf_search_view(&s, &v);
	nst_btf_view_close(&sv);
	nst_btf_view_close(&v);
	if (!err && nst_btf_search_lack(&s))
		err = -EOPNOTSUPP;
	return err;
}
