/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The BTF wire format [Documentation/bpf/btf.rst] is a header, a section of
 * types of varying length, which can only be walked from the first to the
 * last, and a section of strings. The blob is not trusted: every offset, id
 * and length in it is checked where it is used.
 */
#include "core/btf.h"

#include <fcntl.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define BTF_DIR "/sys/kernel/btf/"
#define BLOB_MAX (512U << 20)
#define INDEX_SHIFT 6
/* No kernel structure nests unnamed ones deeper. */
#define DEPTH_MAX 8
/* Members looked at in one search; net_device has 250. */
#define WORK_MAX (1 << 18)
#define WANT_MAX 64

struct view {
	const uint8_t *types;
	uint32_t types_len;
	const char *strs;
	uint32_t strs_len;
	uint32_t first_id;
	uint32_t first_str;
	struct view *base;
	/* Types indexed so far, their end, and where every 64th of them is. */
	uint32_t count;
	uint32_t off;
	uint32_t *index;
};

struct type {
	const uint8_t *body; /* what follows struct btf_type */
	uint32_t name_off;
	uint32_t info;
	uint32_t size; /* or type: what it refers to */
};

struct search {
	const struct nst_btf_want *want;
	size_t count;
	uint64_t open;	  /* wants whose type was not met yet */
	uint32_t letters; /* first letters of their types, modulo 32 */
	uint32_t work;
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

/* base: the view that a split blob continues, indexed to its end. */
static int view_open(struct view *v, const void *blob, size_t len,
		     struct view *base)
{
	struct btf_header hdr;

	memset(v, 0, sizeof(*v));
	if (len < sizeof(hdr))
		return -EPROTO;
	memcpy(&hdr, blob, sizeof(hdr));
	if (hdr.magic != BTF_MAGIC || hdr.version != 1 ||
	    hdr.hdr_len < sizeof(hdr) || hdr.hdr_len > len)
		return -EPROTO;
	len -= hdr.hdr_len;
	if (hdr.type_off > len || hdr.type_len > len - hdr.type_off ||
	    hdr.str_off > len || hdr.str_len > len - hdr.str_off)
		return -EPROTO;
	v->types = (const uint8_t *)blob + hdr.hdr_len + hdr.type_off;
	v->types_len = hdr.type_len;
	v->strs = (const char *)blob + hdr.hdr_len + hdr.str_off;
	v->strs_len = hdr.str_len;
	if (v->strs_len && v->strs[v->strs_len - 1])
		return -EPROTO;
	v->first_id = 1;
	if (base) {
		v->base = base;
		v->first_id = base->first_id + base->count;
		v->first_str = base->strs_len;
	}
	v->index = malloc(sizeof(*v->index) *
			  ((v->types_len / sizeof(struct btf_type) >>
			    INDEX_SHIFT) + 1));
	return v->index ? 0 : -ENOMEM;
}

/* Its end is a NUL: both sections of strings end in one. */
static const char *view_str(const struct view *v, uint32_t off)
{
	if (v->base && off < v->first_str)
		return v->base->strs + off;
	off -= v->first_str;
	return off < v->strs_len ? v->strs + off : NULL;
}

/* Read the type at *off and move on to the next one. */
static inline int type_read(const struct view *v, uint32_t *off,
			    struct type *t)
{
	uint32_t left = v->types_len - *off;
	const uint8_t *p = v->types + *off;
	uint32_t kind, size;

	if (left < sizeof(struct btf_type))
		return -EPROTO;
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
	return 0;
}

static inline int index_next(struct view *v, struct type *t)
{
	uint32_t at = v->off;
	int err;

	err = type_read(v, &v->off, t);
	if (err)
		return err;
	if (!(v->count & ((1 << INDEX_SHIFT) - 1)))
		v->index[v->count >> INDEX_SHIFT] = at;
	v->count++;
	return 0;
}

/* A type by id, which the index may not have reached yet. */
static int view_type(struct view *v, uint32_t id, struct type *t)
{
	uint32_t off, n;
	int err;

	if (v->base && id < v->first_id)
		v = v->base;
	if (id < v->first_id)
		return -EPROTO;
	id -= v->first_id;
	while (id >= v->count) {
		err = index_next(v, t);
		if (err)
			return err;
	}
	off = v->index[id >> INDEX_SHIFT];
	for (n = id & ((1 << INDEX_SHIFT) - 1);; n--) {
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
 * Find a member, also of the unnamed structures and unions inside, at their
 * bit offset in *bits. 1: found; a bitfield has no address and is none.
 */
static int find_member(struct view *v, const struct type *t, const char *name,
		       struct search *s, int depth, uint64_t *bits)
{
	uint32_t i, vlen = BTF_INFO_VLEN(t->info);
	uint32_t off, width, name_off;
	const uint8_t *m = t->body;
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
		name_off = u32_at(m);
		if (name_off) {
			got = view_str(v, name_off);
			if (!got)
				return -EPROTO;
			if (strcmp(got, name))
				continue;
			*bits += off;
			return !width && !(*bits % 8);
		}
		err = view_type(v,
				u32_at(m + offsetof(struct btf_member, type)),
				&in);
		if (err)
			return err;
		if (!is_composite(&in) || depth == DEPTH_MAX)
			continue;
		inner = *bits + off;
		err = find_member(v, &in, name, s, depth + 1, &inner);
		if (err) {
			*bits = inner;
			return err;
		}
	}
	return 0;
}

/* The structure t, called name, is it: answer all who ask for it. */
static int answer(struct view *v, const struct type *t, const char *name,
		  struct search *s)
{
	const struct nst_btf_want *w;
	uint64_t bits;
	size_t i;
	int err;

	for (i = 0; i < s->count; i++) {
		w = &s->want[i];
		if (!(s->open >> i & 1) || strcmp(w->type, name))
			continue;
		s->open &= ~(1ULL << i);
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

static int search_view(struct search *s, struct view *v)
{
	uint32_t off = 0;
	const char *name;
	struct type t;
	int err;

	while (s->open && off != v->types_len) {
		/* An answer may have taken the index ahead of the search. */
		if (off == v->off) {
			err = index_next(v, &t);
			off = v->off;
		} else {
			err = type_read(v, &off, &t);
		}
		if (err)
			return err;
		if (BTF_INFO_KIND(t.info) != BTF_KIND_STRUCT || !t.name_off)
			continue;
		name = view_str(v, t.name_off);
		if (!name)
			return -EPROTO;
		if (!(s->letters >> (*name & 31) & 1))
			continue;
		err = answer(v, &t, name, s);
		if (err)
			return err;
	}
	return 0;
}

static int search_start(struct search *s, const struct nst_btf_want *want,
			size_t count)
{
	size_t i;

	if (!count || count > WANT_MAX)
		return -EINVAL;
	memset(s, 0, sizeof(*s));
	s->want = want;
	s->count = count;
	s->open = UINT64_MAX >> (WANT_MAX - count);
	s->work = WORK_MAX;
	for (i = 0; i < count; i++) {
		*want[i].value = NST_BTF_NONE;
		s->letters |= 1U << (want[i].type[0] & 31);
	}
	return 0;
}

static int search_blob(struct search *s, struct view *v, const void *blob,
		       size_t len, struct view *base)
{
	int err = view_open(v, blob, len, base);

	return err ? err : search_view(s, v);
}

static const struct nst_btf_want *missing(const struct nst_btf_want *want,
					  size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!want[i].optional && *want[i].value == NST_BTF_NONE)
			return &want[i];
	return NULL;
}

int nst_btf_find_in(const void *base, size_t base_len, const void *split,
		    size_t split_len, const struct nst_btf_want *want,
		    size_t count)
{
	struct view v = { 0 }, sv = { 0 };
	struct search s;
	int err;

	err = search_start(&s, want, count);
	if (err)
		return err;
	err = search_blob(&s, &v, base, base_len, NULL);
	if (!err && s.open && split)
		err = search_blob(&s, &sv, split, split_len, &v);
	free(sv.index);
	free(v.index);
	if (!err && missing(want, count))
		err = -EOPNOTSUPP;
	return err;
}

/* ------------------------------------------------------------------ */

struct blob {
	void *data;
	size_t len;
	bool mapped;
};

static void blob_close(struct blob *b)
{
	if (b->mapped)
		munmap(b->data, b->len);
	else
		free(b->data);
}

/* sysfs hands out a page per read, so this is the slow way. */
static int blob_read(int fd, struct blob *b)
{
	size_t done = 0;
	ssize_t n;

	b->data = malloc(b->len);
	if (!b->data)
		return -ENOMEM;
	while (done < b->len) {
		n = read(fd, (char *)b->data + done, b->len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			n = n < 0 ? -errno : -EPROTO;
			free(b->data);
			b->data = NULL;
			return n;
		}
		done += n;
	}
	return 0;
}

static int blob_open(const char *name, struct blob *b)
{
	char path[64];
	struct stat st;
	int fd, err = 0;

	memset(b, 0, sizeof(*b));
	snprintf(path, sizeof(path), BTF_DIR "%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st)) {
		err = -errno;
		goto out;
	}
	if (st.st_size <= 0 || st.st_size > BLOB_MAX) {
		err = -EPROTO;
		goto out;
	}
	b->len = st.st_size;
	/* Since 6.16, vmlinux only; has to be private. */
	b->data = mmap(NULL, b->len, PROT_READ, MAP_PRIVATE, fd, 0);
	b->mapped = b->data != MAP_FAILED;
	if (!b->mapped)
		err = blob_read(fd, b);
out:
	close(fd);
	return err;
}

static int fail_blob(struct nsteer *ns, int err, const char *name)
{
	if (err == -ENOENT)
		return nst_fail(ns, -EOPNOTSUPP,
				"this kernel tells nothing about its structures: there is no " BTF_DIR
				"%s (CONFIG_DEBUG_INFO_BTF)",
				name);
	if (err == -EPROTO)
		return nst_fail(ns, err, BTF_DIR "%s makes no sense here",
				name);
	return nst_fail(ns, err, "cannot read " BTF_DIR "%s: %s", name,
			strerror(-err));
}

static int search_file(struct search *s, struct view *v, const char *name,
		       struct blob *b, struct view *base)
{
	int err = blob_open(name, b);

	return err ? err : search_blob(s, v, b->data, b->len, base);
}

int nst_btf_find(struct nsteer *ns, const char *module,
		 const struct nst_btf_want *want, size_t count)
{
	struct blob base = { 0 }, split = { 0 };
	struct view v = { 0 }, sv = { 0 };
	const struct nst_btf_want *lack;
	const char *name = "vmlinux";
	struct search s;
	int err;

	err = search_start(&s, want, count);
	if (err)
		return nst_fail(ns, err, "bad search in the kernel's BTF");
	err = search_file(&s, &v, name, &base, NULL);
	if (!err && s.open && module) {
		name = module;
		err = search_file(&s, &sv, name, &split, &v);
	}
	if (err) {
		err = fail_blob(ns, err, name);
		goto out;
	}
	lack = missing(want, count);
	if (lack)
		err = nst_fail(ns, -EOPNOTSUPP,
			       "this kernel has no %s%s%s that its BTF tells of",
			       lack->type, lack->member ? "." : "",
			       lack->member ? lack->member : "");
out:
	free(sv.index);
	free(v.index);
	blob_close(&split);
	blob_close(&base);
	return err;
}
