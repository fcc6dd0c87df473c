/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which process holds a queue? The kernel keeps no list. A BPF iterator sees
 * the open files of all tasks; the other way is /proc, which takes ten times as
 * long on a busy host, and goes only as far as descriptors can be copied.
 */
#include <fcntl.h>
#include <linux/if_tun.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/netns.h"
#include "tun/holder.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif
#ifndef PIDFD_THREAD
#define PIDFD_THREAD O_EXCL /* Linux 6.9 */
#endif

int nst_holder_pidfd(pid_t pid, pid_t tid)
{
	int fd = syscall(SYS_pidfd_open, tid, tid == pid ? 0 : PIDFD_THREAD);

	return fd < 0 ? -errno : fd;
}

int nst_holder_getfd(int pidfd, int fd)
{
	int copy_fd = syscall(SYS_pidfd_getfd, pidfd, fd, 0);

	return copy_fd < 0 ? -errno : copy_fd;
}

/* Where the kernel's structures cannot be read: what ioctls tell. */
static int verify_by_name(struct nst_holder_walk *w, int copy_fd,
			  struct nst_holder *h)
{
	struct ifreq ifr = { 0 };
	int netns, ours;

	if (ioctl(copy_fd, TUNGETIFF, &ifr))
		return 0;
	netns = ioctl(copy_fd, TUNGETDEVNETNS);
	if (netns < 0)
		return -errno;
	ours = nst_netns_is_ours(w->ns, netns);
	close(netns);
	if (!ours || strncmp(ifr.ifr_name, h->ifname, IFNAMSIZ))
		return 0;
	h->detached = ifr.ifr_flags & IFF_DETACH_QUEUE;
	return 1;
}

int nst_holder_verify(struct nst_holder_walk *w, int copy_fd,
		      struct nst_holder *h)
{
	struct nst_tun_queue queue;
	struct ifreq ifr;
	int err;

	h->ifindex = 0;
	h->has_index = false;
	/* A path and a text in fdinfo can be anybody's. */
	if (nst_tun_queue_check(w->ns, copy_fd, &ifr)) {
		nst_err_clear(w->ns);
		return 0;
	}
	if (w->blind)
		return verify_by_name(w, copy_fd, h);
	err = nst_tun_inspect_queue(w->ns, copy_fd, &queue);
	if (err) {
		/* It is the same for each one: do not try again. */
		w->blind = err != -EBADFD && err != -EAGAIN;
		nst_err_clear(w->ns);
		return err == -EBADFD ? 0 : verify_by_name(w, copy_fd, h);
	}
	h->ifindex = queue.state.ifindex;
	h->detached = queue.detached;
	h->has_index = !queue.detached;
	h->index = queue.index;
	return queue.in_netns &&
	       (!w->link || w->link->ifindex == h->ifindex);
}

void nst_holder_hide(struct nst_holder_walk *w, cap_value_t cap)
{
	struct nst_holder_hidden *hidden = w->hidden;

	hidden->count++;
	hidden->pid = w->holder.pid;
	hidden->fd = w->holder.fd;
	hidden->cap = cap;
	memcpy(hidden->comm, w->holder.comm, sizeof(hidden->comm));
}

void nst_holder_refused(struct nst_holder_walk *w, int err)
{
	if (err == -ESRCH || err == -EBADF || err == -ENODEV)
		return;
	w->hidden->err = err;
	nst_holder_hide(w, err == -EPERM  ? CAP_SYS_PTRACE :
			   err == -ENOSYS ? NST_HOLDER_OLD_KERNEL :
					    NST_HOLDER_ERRNO);
}

/* It was found without a copy, and may be another's by now. */
static int take_now(struct nst_holder_walk *w, bool *sure)
{
	struct nst_holder now = w->holder;
	int pidfd, fd, ret;

	pidfd = nst_holder_pidfd(now.pid, w->tid);
	if (pidfd == -EINVAL && w->tid != now.pid) {
		nst_holder_hide(w, NST_HOLDER_THREAD);
		return pidfd;
	}
	fd = pidfd < 0 ? pidfd : nst_holder_getfd(pidfd, now.fd);
	if (pidfd >= 0)
		close(pidfd);
	if (fd < 0) {
		nst_holder_refused(w, fd);
		return fd;
	}
	ret = nst_holder_verify(w, fd, &now);
	*sure = now.ifindex;
	if (ret == 1)
		return fd;
	close(fd);
	if (ret == -EPERM)
		nst_holder_hide(w, CAP_NET_ADMIN);
	return ret ? ret : -ENODEV;
}

int nst_holder_take(const struct nst_holder *holder, bool *sure)
{
	struct nst_holder_walk *w = holder->walk;
	int fd;

	if (w->copy_fd < 0)
		return take_now(w, sure);
	*sure = holder->ifindex;
	fd = fcntl(w->copy_fd, F_DUPFD_CLOEXEC, 3);
	return fd < 0 ? -errno : fd;
}

int nst_holder_walk(struct nsteer *ns, const struct nst_tun_link *link,
		    nst_holder_cb cb, void *data,
		    struct nst_holder_hidden *hidden)
{
	struct nst_holder_walk w = { .ns = ns, .link = link, .cb = cb,
				     .data = data, .hidden = hidden,
				     .copy_fd = -1 };
	int err;

	w.holder.walk = &w;
	err = nst_holder_iterate(&w);
	if (!err || w.told)
		return err;
	nst_debug(ns, "looking for holders in /proc: %.600s", ns->err.msg);
	nst_err_clear(ns);
	return nst_holder_walk_proc(&w);
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

/* Those that /proc takes. */
static void add_all_missing(char *list)
{
	add_missing(list, CAP_SYS_PTRACE);
	add_missing(list, CAP_DAC_READ_SEARCH);
	if (!nst_cap_have(CAP_BPF) || !nst_cap_have(CAP_PERFMON))
		add_missing(list, CAP_NET_ADMIN);
}

const char *nst_holder_why(const struct nst_holder_hidden *hidden,
			   char buf[NST_HOLDER_WHY])
{
	const char *why = "not permitted";

	*buf = '\0';
	if (hidden->count && hidden->cap == NST_HOLDER_OLD_KERNEL) {
		why = "which takes Linux 5.6";
	} else if (hidden->count && hidden->cap == NST_HOLDER_ERRNO) {
		why = strerror(-hidden->err);
	} else if (hidden->count && hidden->cap == NST_HOLDER_THREAD) {
		why = "one thread's alone, which takes Linux 6.9";
	} else if (hidden->count) {
		add_missing(buf, hidden->cap);
	} else if (hidden->all_seen) {
		why = "it may be in another pid namespace, in an io_uring, or "
		      "on its way through a socket";
	} else if (access("/proc/self", F_OK)) {
		why = "/proc is not mounted";
	} else {
		add_all_missing(buf);
		why = "it may be in another pid namespace, or one thread's "
		      "alone";
	}
	if (!*buf)
		snprintf(buf, NST_HOLDER_WHY, "%s", why);
	return buf;
}
