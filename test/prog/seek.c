/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "seek.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"
#include "harness.h"

int seek_keep(const struct nst_holder *holder, void *data)
{
	struct found *f = data;

	ck_assert_int_lt(f->count, SEEK_MAX);
	f->holders[f->count++] = *holder;
	return 0;
}

struct nst_tun_link seek_link(struct nsteer *ns, const char *name)
{
	struct nst_tun_link link;

	ck_assert_int_eq(nst_tun_link_get(ns, fx_ifindex(name), &link), 0);
	return link;
}

void seek(struct nsteer *ns, const char *name, struct found *f)
{
	struct nst_tun_link link;
	int err;

	memset(f, 0, sizeof(*f));
	if (name)
		link = seek_link(ns, name);
	err = nst_holder_walk(ns, name ? &link : NULL, seek_keep, f, &f->hidden);
	ck_assert_msg(!err, "%s", nsteer_errmsg(ns));
}

int seek_take(const struct nst_holder *holder, void *data)
{
	struct take *t = data;

	if (t->instead >= 0 && dup2(t->instead, holder->fd) < 0)
		fx_die("dup2: %s", strerror(errno));
	t->fd = nst_holder_take(holder, &t->sure);
	return t->fd >= 0;
}

void seek_in_proc(struct nsteer **ns)
{
	raw_drop_cap(CAP_BPF);
	nsteer_close(*ns);
	*ns = raw_open();
}

const struct nst_holder *seek_one(const struct found *f, pid_t pid,
				  int fd)
{
	const struct nst_holder *holder = NULL;
	int i;

	for (i = 0; i < f->count; i++) {
		if (f->holders[i].pid != pid || f->holders[i].fd != fd)
			continue;
		ck_assert_msg(!holder, "process %d fd %d is told twice", pid,
			      fd);
		holder = &f->holders[i];
	}
	ck_assert_msg(holder != NULL, "process %d fd %d is not told", pid, fd);
	return holder;
}

void child_wait(void)
{
	for (;;)
		pause();
}

void child_tell(int fd, int value)
{
	if (write(fd, &value, sizeof(value)) != sizeof(value))
		_exit(1);
}

int child_hear(int fd)
{
	int value;

	if (read(fd, &value, sizeof(value)) != sizeof(value))
		fx_die("a child has ended");
	return value;
}

struct child child_start(void (*body)(int out, int in))
{
	struct child c;
	int up[2], down[2];

	if (pipe2(up, O_CLOEXEC) || pipe2(down, O_CLOEXEC))
		fx_die("pipe: %s", strerror(errno));
	c.pid = fx_fork();
	if (!c.pid) {
		body(up[1], down[0]);
		child_wait();
	}
	close(up[1]);
	close(down[0]);
	c.from = up[0];
	c.to = down[1];
	return c;
}
