/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel's BTF files. vmlinux has 5 to 8 MB. Since Linux 6.16 it can be
 * mapped; before that, and for modules, it comes by a page per read into
 * memory that faults page by page, which costs several times the search. So
 * both sections are read from their beginnings, as far as the search gets.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/btf.h"
#include "core/btf_view.h"

#define SYSFS_KERNEL "/sys/kernel"
#define BTF_DIR "/sys/kernel/btf/"
#define FILE_MAX (512U << 20)
/* The first read, which holds the header, and each further one. */
#define FIRST 4096
#define CHUNK (64U << 10)

struct file {
	struct nst_btf_fill fill;
	int fd;
	uint8_t *data;
	size_t len;
	size_t map_len;
	bool whole; /* the file itself is mapped */
	struct nst_btf_view view;
};

static int read_at(struct file *f, size_t at, size_t len)
{
	ssize_t n;

	while (len) {
		n = pread(f->fd, f->data + at, len, at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			return -EPROTO; /* shorter than it said */
		at += n;
		len -= n;
	}
	return 0;
}

static int file_more(struct nst_btf_fill *fill, struct nst_btf_section *s,
		     uint32_t upto)
{
	struct file *f = (struct file *)fill;
	uint32_t want = upto - s->have;
	int err;

	if (want < CHUNK)
		want = CHUNK;
	if (want > s->len - s->have)
		want = s->len - s->have;
	err = read_at(f, s->data - f->data + s->have, want);
	if (!err)
		s->have += want;
	return err;
}

static int file_map(struct file *f)
{
	void *mem;
	int err;

	/* The kernel takes a private mapping only. */
	mem = mmap(NULL, f->len, PROT_READ, MAP_PRIVATE, f->fd, 0);
	f->whole = mem != MAP_FAILED;
	f->map_len = f->len;
	if (!f->whole) {
		f->map_len = f->len + 1;
		mem = mmap(NULL, f->map_len, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (mem == MAP_FAILED)
			return -errno;
	}
	f->data = mem;
	if (f->whole)
		return nst_btf_view_open(&f->view, f->data, f->len, NULL);
	err = read_at(f, 0, f->len < FIRST ? f->len : FIRST);
	f->fill.more = file_more;
	return err ? err
		   : nst_btf_view_open(&f->view, f->data, f->len, &f->fill);
}

static int file_open(struct file *f, const char *name)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), BTF_DIR "%s", name);
	f->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (f->fd < 0 || fstat(f->fd, &st))
		return -errno;
	if (st.st_size <= 0 || st.st_size > FILE_MAX)
		return -EPROTO;
	f->len = st.st_size;
	return file_map(f);
}

static void file_close(struct file *f)
{
	nst_btf_view_close(&f->view);
	if (f->data)
		munmap(f->data, f->map_len);
	if (f->fd >= 0)
		close(f->fd);
}

static int fail_file(struct nsteer *ns, int err, const char *name)
{
	if (err == -ENOENT && access(SYSFS_KERNEL, F_OK))
		return nst_fail(ns, -EOPNOTSUPP,
				"the kernel's own structures cannot be read: "
				"/sys is not mounted, which has " BTF_DIR "%s",
				name);
	if (err == -ENOENT)
		return nst_fail(ns, -EOPNOTSUPP,
				"the kernel's own structures cannot be read: "
				"it has no " BTF_DIR "%s "
				"(CONFIG_DEBUG_INFO_BTF)",
				name);
	if (err == -EPROTO)
		return nst_fail(ns, err,
				BTF_DIR "%s is malformed, or newer than this "
					"version understands",
				name);
	return nst_fail(ns, err, "cannot read " BTF_DIR "%s: %s", name,
			strerror(-err));
}

/* The module first: what vmlinux need not be searched for is time won. */
static int search(struct nsteer *ns, struct nst_btf_search *s,
		  struct file *base, struct file *split, const char *module)
{
	int err;

	err = file_open(base, "vmlinux");
	if (err)
		return fail_file(ns, err, "vmlinux");
	err = module ? file_open(split, module) : -ENOENT;
	if (err && err != -ENOENT)
		return fail_file(ns, err, module);
	if (!err) {
		split->view.base = &base->view;
		err = nst_btf_search_view(s, &split->view);
		if (err)
			return fail_file(ns, err, module);
	}
	err = nst_btf_search_view(s, &base->view);
	return err ? fail_file(ns, err, "vmlinux") : 0;
}

int nst_btf_find(struct nsteer *ns, const char *module,
		 const struct nst_btf_want *want, size_t count)
{
	struct file base = { .fd = -1 }, split = { .fd = -1 };
	const struct nst_btf_want *lack;
	struct nst_btf_search s;
	int err;

	err = nst_btf_search_start(&s, want, count);
	if (err)
		return nst_fail(ns, err, "bad search in the kernel's BTF");
	err = search(ns, &s, &base, &split, module);
	file_close(&split);
	file_close(&base);
	if (err)
		return err;
	lack = nst_btf_search_lack(&s);
	if (!lack)
		return 0;
	if (!lack->member || lack->member == nst_btf_func_id)
		return nst_fail(ns, -EOPNOTSUPP,
				"this kernel has no %s that its BTF tells of",
				lack->type);
	return nst_fail(ns, -EOPNOTSUPP,
			"this kernel has no %s.%s that its BTF tells of",
			lack->type, lack->member);
}
