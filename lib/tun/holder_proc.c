/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Who holds a queue, as /proc tells it: /proc/PID/fd shows the descriptors on
 * /dev/net/tun, their fdinfo the device's name ("iff:"), and a copy of the
 * descriptor (pidfd_getfd) the rest: the name is not bound to a namespace, and
 * the process may be in another one than its device.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tun/holder.h"

/* Whatever its mount point: the path is shown as its own namespace sees it. */
#define CHARDEV_TAIL "/net/tun"

/* The process that is being looked at. */
struct process {
	struct nst_holder_walk *w;
	int proc_fd;
	int fd_dir;
	int pidfd;
};

static ssize_t read_at(int dir, const char *path, char *buf, size_t size)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	ssize_t n = 1, len = 0;

	if (fd < 0)
		return -1;
	while (n > 0 && (size_t)len < size - 1) {
		n = read(fd, buf + len, size - 1 - len);
		len += n > 0 ? n : 0;
	}
	close(fd);
	buf[len] = '\0';
	return len;
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
static bool read_ifname(const struct process *p, char *ifname)
{
	/* What comes before the name has a line for each lock of the file. */
	char path[64], info[16384], *line, *end;

	snprintf(path, sizeof(path), "%d/fdinfo/%d", p->w->holder.pid,
		 p->w->holder.fd);
	if (read_at(p->proc_fd, path, info, sizeof(info)) <= 0)
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

static void read_comm(const struct process *p)
{
	struct nst_holder *h = &p->w->holder;
	char path[32], comm[64];
	ssize_t n;

	snprintf(path, sizeof(path), "%d/comm", h->pid);
	n = read_at(p->proc_fd, path, comm, sizeof(comm));
	h->comm[0] = '\0';
	if (n <= 0)
		return;
	comm[strcspn(comm, "\n")] = '\0';
	snprintf(h->comm, sizeof(h->comm), "%.15s", comm);
}

static int copy_fd(struct process *p)
{
	struct nst_holder *h = &p->w->holder;

	if (p->pidfd < 0)
		p->pidfd = nst_holder_pidfd(h->pid, h->pid);
	if (p->pidfd < 0)
		return p->pidfd;
	return nst_holder_getfd(p->pidfd, h->fd);
}

static int look_at_fd(struct process *p, const char *fd)
{
	struct nst_holder_walk *w = p->w;
	char ifname[IFNAMSIZ];
	int ret;

	if (!is_tun_fd(p->fd_dir, fd))
		return 0;
	w->holder.fd = atoi(fd);
	if (!read_ifname(p, ifname))
		return 0;
	if (w->link && strcmp(ifname, w->link->name))
		return 0;
	if (!w->holder.comm[0])
		read_comm(p);
	strcpy(w->holder.ifname, ifname);
	w->copy_fd = copy_fd(p);
	if (w->copy_fd < 0) {
		nst_holder_refused(w, w->copy_fd);
		return 0;
	}
	ret = nst_holder_verify(w, w->copy_fd, &w->holder);
	if (ret == -EPERM)
		nst_holder_hide(w, CAP_NET_ADMIN);
	ret = ret == 1 ? w->cb(&w->holder, w->data) : 0;
	close(w->copy_fd);
	return ret;
}

static int look_at_process(struct process *p, const char *pid)
{
	struct dirent *entry;
	char path[32];
	DIR *dir;
	int stop = 0;

	snprintf(path, sizeof(path), "%.15s/fd", pid);
	p->fd_dir = openat(p->proc_fd, path,
			   O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p->fd_dir < 0)
		return 0;
	dir = fdopendir(p->fd_dir);
	if (!dir) {
		close(p->fd_dir);
		return 0;
	}
	p->pidfd = -1;
	p->w->holder.pid = atoi(pid);
	p->w->holder.comm[0] = '\0';
	while (!stop && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			stop = look_at_fd(p, entry->d_name);
	if (p->pidfd >= 0)
		close(p->pidfd);
	closedir(dir);
	return stop;
}

/* Its numbers mean nothing to us if it is that of another pid namespace. */
static bool proc_is_ours(void)
{
	char self[16];
	ssize_t n = readlink("/proc/self", self, sizeof(self) - 1);

	if (n < 0)
		return false;
	self[n] = '\0';
	return atoi(self) == getpid();
}

int nst_holder_walk_proc(struct nst_holder_walk *w)
{
	struct process p = { .w = w };
	struct dirent *entry;
	DIR *proc;
	int stop = 0;

	if (!proc_is_ours())
		return nst_fail(w->ns, -ENOENT, "cannot look for the processes "
				"that hold a queue: /proc is not mounted, or is "
				"that of another pid namespace");
	proc = opendir("/proc");
	if (!proc)
		return nst_fail(w->ns, -errno, "cannot look for the processes "
				"that hold a queue: /proc: %s",
				strerror(errno));
	p.proc_fd = dirfd(proc);
	while (!stop && (entry = readdir(proc)))
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			stop = look_at_process(&p, entry->d_name);
	closedir(proc);
	return 0;
}
