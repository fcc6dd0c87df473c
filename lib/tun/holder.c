/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which process holds a queue? The kernel keeps no list: /proc/PID/fd shows
 * the descriptors on /dev/net/tun, their fdinfo the device's name ("iff:"),
 * and a copy of the descriptor (pidfd_getfd) the rest: the name is not bound to
 * a namespace, and the process may be in another one than its device.
 */
#include <dirent.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "core/netns.h"
#include "tun/tun.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

/* Whatever its mount point: the path is shown as its own namespace sees it. */
#define CHARDEV_TAIL "/net/tun"

struct walk {
	struct nsteer *ns;
	const char *ifname;
	nst_holder_cb cb;
	void *data;
	struct nst_holder_hidden *hidden;
	int proc_fd;
	bool blind; /* nst_tun_inspect_queue() does not work here */
	/* of the process being looked at */
	int fd_dir;
	int pidfd;
	struct nst_holder holder;
};

static ssize_t read_at(int dir, const char *path, char *buf, size_t size)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, buf, size - 1);
	close(fd);
	buf[n < 0 ? 0 : n] = '\0';
	return n;
}

static bool is_tun_fd(int fd_dir, const char *fd)
{
	const size_t tail = strlen(CHARDEV_TAIL);
	char target[64];
	/* readlink and not stat, which would wait for a dead file server. */
	ssize_t n = readlinkat(fd_dir, fd, target, sizeof(target));

	return n >= (ssize_t)tail && n < (ssize_t)sizeof(target) &&
	       !memcmp(target + n - tail, CHARDEV_TAIL, tail);
}

/* The name in fdinfo; false when the descriptor has no device. */
static bool read_ifname(const struct walk *w, char *ifname)
{
	char path[64], info[1024], *line, *end;

	snprintf(path, sizeof(path), "%d/fdinfo/%d", w->holder.pid,
		 w->holder.fd);
	if (read_at(w->proc_fd, path, info, sizeof(info)) <= 0)
		return false;
	line = strstr(info, "\niff:\t");
	if (!line)
		return false;
	line += strlen("\niff:\t");
	end = strchr(line, '\n');
	if (!end || end == line || end - line >= IFNAMSIZ)
		return false;
	*end = '\0';
	strcpy(ifname, line);
	return true;
}

static void read_comm(struct walk *w)
{
	char path[32], comm[64];
	ssize_t n;

	snprintf(path, sizeof(path), "%d/comm", w->holder.pid);
	n = read_at(w->proc_fd, path, comm, sizeof(comm));
	w->holder.comm[0] = '\0';
	if (n <= 0)
		return;
	comm[strcspn(comm, "\n")] = '\0';
	snprintf(w->holder.comm, sizeof(w->holder.comm), "%.15s", comm);
}

static int copy_fd(struct walk *w)
{
	if (w->pidfd < 0)
		w->pidfd = syscall(SYS_pidfd_open, w->holder.pid, 0);
	if (w->pidfd < 0)
		return -errno;
	w->holder.queue_fd =
		syscall(SYS_pidfd_getfd, w->pidfd, w->holder.fd, 0);
	return w->holder.queue_fd < 0 ? -errno : 0;
}

/* Where the kernel's structures cannot be read: what ioctls tell. */
static int verify_by_name(struct walk *w)
{
	struct nst_holder *h = &w->holder;
	struct ifreq ifr = { 0 };
	int netns, ours;

	if (ioctl(h->queue_fd, TUNGETIFF, &ifr))
		return 0;
	netns = ioctl(h->queue_fd, TUNGETDEVNETNS);
	if (netns < 0)
		return -errno;
	ours = nst_netns_is_ours(w->ns, netns);
	close(netns);
	if (!ours || strncmp(ifr.ifr_name, h->ifname, IFNAMSIZ))
		return 0;
	h->detached = ifr.ifr_flags & IFF_DETACH_QUEUE;
	return 1;
}

/* 1: a queue of a device of our namespace; 0: not; negative: no telling. */
static int verify(struct walk *w)
{
	struct nst_holder *h = &w->holder;
	struct nst_tun_queue queue;
	int err;

	h->ifindex = 0;
	h->has_index = false;
	if (w->blind)
		return verify_by_name(w);
	err = nst_tun_inspect_queue(w->ns, h->queue_fd, &queue);
	if (err) {
		/* It is the same for each one: do not try again. */
		w->blind = err != -EBADFD && err != -EAGAIN;
		nst_err_clear(w->ns);
		return err == -EBADFD ? 0 : verify_by_name(w);
	}
	h->ifindex = queue.state.ifindex;
	h->detached = queue.detached;
	h->has_index = !queue.detached;
	h->index = queue.index;
	return queue.in_netns;
}

static void hide(struct walk *w, cap_value_t cap)
{
	struct nst_holder_hidden *hidden = w->hidden;

	hidden->count++;
	hidden->pid = w->holder.pid;
	hidden->fd = w->holder.fd;
	hidden->cap = cap;
	memcpy(hidden->comm, w->holder.comm, sizeof(hidden->comm));
}

static int look_at_fd(struct walk *w, const char *fd)
{
	char ifname[IFNAMSIZ];
	int ret;

	if (!is_tun_fd(w->fd_dir, fd))
		return 0;
	w->holder.fd = atoi(fd);
	if (!read_ifname(w, ifname))
		return 0;
	if (w->ifname && strcmp(ifname, w->ifname))
		return 0;
	if (!w->holder.comm[0])
		read_comm(w);
	strcpy(w->holder.ifname, ifname);
	ret = copy_fd(w);
	if (ret) {
		/* Else it was closed just now, or its process has ended. */
		if (ret == -EPERM)
			hide(w, CAP_SYS_PTRACE);
		return 0;
	}
	ret = verify(w);
	if (ret == -EPERM)
		hide(w, CAP_NET_ADMIN);
	ret = ret == 1 ? w->cb(&w->holder, w->data) : 0;
	close(w->holder.queue_fd);
	return ret;
}

static int look_at_process(struct walk *w, const char *pid)
{
	struct dirent *entry;
	char path[32];
	DIR *dir;
	int stop = 0;

	snprintf(path, sizeof(path), "%.15s/fd", pid);
	w->fd_dir = openat(w->proc_fd, path,
			   O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (w->fd_dir < 0)
		return 0;
	dir = fdopendir(w->fd_dir);
	if (!dir) {
		close(w->fd_dir);
		return 0;
	}
	w->pidfd = -1;
	w->holder.pid = atoi(pid);
	w->holder.comm[0] = '\0';
	while (!stop && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			stop = look_at_fd(w, entry->d_name);
	if (w->pidfd >= 0)
		close(w->pidfd);
	closedir(dir);
	return stop;
}

int nst_holder_walk(struct nsteer *ns, const char *ifname, nst_holder_cb cb,
		    void *data, struct nst_holder_hidden *hidden)
{
	struct walk w = { .ns = ns, .ifname = ifname, .cb = cb, .data = data,
			  .hidden = hidden };
	struct dirent *entry;
	DIR *proc = opendir("/proc");
	int stop = 0;

	if (!proc)
		return nst_fail(ns, -errno, "cannot look for the processes "
				"that hold a queue: /proc: %s",
				strerror(errno));
	w.proc_fd = dirfd(proc);
	while (!stop && (entry = readdir(proc)))
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			stop = look_at_process(&w, entry->d_name);
	closedir(proc);
	return 0;
}

static void add_missing(char *list, cap_value_t cap)
{
	size_t len = strlen(list);
	char *name = nst_cap_have(cap) ? NULL : cap_to_name(cap);

	if (name)
		snprintf(list + len, NST_HOLDER_WHY - len, "%s%s",
			 len ? " " : "missing: ", name);
	cap_free(name);
}

const char *nst_holder_why(const struct nst_holder_hidden *hidden,
			   char buf[NST_HOLDER_WHY])
{
	*buf = '\0';
	if (hidden->count) {
		add_missing(buf, hidden->cap);
	} else {
		add_missing(buf, CAP_SYS_PTRACE);
		add_missing(buf, CAP_DAC_READ_SEARCH);
		if (!nst_cap_have(CAP_BPF) || !nst_cap_have(CAP_PERFMON))
			add_missing(buf, CAP_NET_ADMIN);
	}
	if (access("/proc/self", F_OK))
		snprintf(buf, NST_HOLDER_WHY, "/proc is not mounted");
	else if (!*buf)
		snprintf(buf, NST_HOLDER_WHY,
			 hidden->count ?
				 "not permitted" :
				 "it may be in another pid namespace, or one "
				 "thread's alone");
	return buf;
}
