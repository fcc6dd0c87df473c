/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preloaded into a program that dumps tc filters, for dumps that are the same
 * bytes for every program and on every machine.
 *
 * REPLAY_FILE=FILE: a dump of filters that asks for what FILE is a recording of
 * is answered from it; all else goes to the kernel. A terse one that meets a
 * full recording, or the other way round, ends the program.
 * REPLAY_REPEAT=N: the recording N times over.
 *
 * The time that a program spends here is to be next to nothing, and none of
 * its memory: seq and port are written into a copy in a memfd when the request
 * is sent, and from there the kernel does the copying, as it does when it
 * answers by itself.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bench/replay.h"

#define MAX_IOV 8

static struct {
	int fd;	  /* the socket that asked; -1: none */
	int tape; /* the datagrams, each before the length of the next */
	off_t at;
	uint32_t len;	    /* of the datagram at that place; 0: none */
	uint32_t first;	    /* of the first one */
	unsigned long left; /* how often, this time included */
	struct {
		struct nlmsghdr nlh;
		int code;
	} done;
} play = { .fd = -1, .tape = -1 };

static void __attribute__((noreturn)) die(const char *what)
{
	fprintf(stderr, "replay: %s\n", what);
	_exit(99);
}

/* ---- the request ---- */

static void patch(void *buf, size_t len)
{
	struct nlmsghdr *nlh = buf;

	for (; NLMSG_OK(nlh, len); nlh = NLMSG_NEXT(nlh, len)) {
		nlh->nlmsg_seq = play.done.nlh.nlmsg_seq;
		nlh->nlmsg_pid = play.done.nlh.nlmsg_pid;
	}
}

static void load(int file)
{
	static char buf[REPLAY_DATAGRAM];
	uint32_t len, next;

	if (play.tape < 0)
		play.tape = memfd_create("replay", MFD_CLOEXEC);
	if (play.tape < 0 || ftruncate(play.tape, 0) ||
	    lseek(play.tape, 0, SEEK_SET))
		die("no memfd");
	if (read(file, &len, sizeof(len)) != sizeof(len))
		die("an empty recording");
	for (play.first = len; len; len = next) {
		if (len > sizeof(buf) || read(file, buf, len) != len)
			die("a recording that was cut");
		patch(buf, len);
		if (read(file, &next, sizeof(next)) != sizeof(next))
			next = 0;
		if (write(play.tape, buf, len) != len ||
		    write(play.tape, &next, sizeof(next)) != sizeof(next))
			die("the memfd is full");
	}
}

/* Is it for us? */
static bool takes(int fd, const void *buf, size_t len)
{
	const char *path = getenv("REPLAY_FILE");
	const char *repeat = getenv("REPLAY_REPEAT");
	struct sockaddr_nl addr = { 0 };
	socklen_t addr_len = sizeof(addr);
	struct replay_head asked, head;
	int file;

	if (!path || !replay_asked(&asked, buf, len) ||
	    getsockname(fd, (struct sockaddr *)&addr, &addr_len) ||
	    addr.nl_family != AF_NETLINK)
		return false;
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0 || read(file, &head, sizeof(head)) != sizeof(head) ||
	    memcmp(head.magic, REPLAY_MAGIC, sizeof(head.magic)))
		die("no recording");
	if (head.ifindex != asked.ifindex || head.parent != asked.parent) {
		close(file);
		return false;
	}
	if (head.terse != asked.terse)
		die(head.terse ? "asked for a full dump, this one is terse"
			       : "asked for a terse dump, this one is full");
	play.done.nlh = (struct nlmsghdr){
		.nlmsg_len = sizeof(play.done),
		.nlmsg_type = NLMSG_DONE,
		.nlmsg_flags = NLM_F_MULTI,
		.nlmsg_seq = ((const struct nlmsghdr *)buf)->nlmsg_seq,
		.nlmsg_pid = addr.nl_pid,
	};
	load(file);
	close(file);
	play.left = repeat ? strtoul(repeat, NULL, 10) : 1;
	play.at = 0;
	play.len = play.first;
	play.fd = fd;
	return true;
}

ssize_t send(int fd, const void *buf, size_t len, int flags)
{
	ssize_t (*next)(int, const void *, size_t, int) =
		dlsym(RTLD_NEXT, "send");

	return takes(fd, buf, len) ? (ssize_t)len : next(fd, buf, len, flags);
}

ssize_t sendto(int fd, const void *buf, size_t len, int flags,
	       const struct sockaddr *addr, socklen_t addr_len)
{
	ssize_t (*next)(int, const void *, size_t, int, const struct sockaddr *,
			socklen_t) = dlsym(RTLD_NEXT, "sendto");

	return takes(fd, buf, len) ? (ssize_t)len
				   : next(fd, buf, len, flags, addr, addr_len);
}

/* A request in several pieces. */
ssize_t sendmsg(int fd, const struct msghdr *msg, int flags)
{
	ssize_t (*next)(int, const struct msghdr *, int) =
		dlsym(RTLD_NEXT, "sendmsg");
	char buf[1024] __attribute__((aligned(4)));
	size_t len = 0, i;

	for (i = 0; i < msg->msg_iovlen; i++) {
		const struct iovec *v = &msg->msg_iov[i];

		if (v->iov_len > sizeof(buf) - len)
			return next(fd, msg, flags);
		memcpy(buf + len, v->iov_base, v->iov_len);
		len += v->iov_len;
	}
	return takes(fd, buf, len) ? (ssize_t)len : next(fd, msg, flags);
}

/* ---- the answer ---- */

/* As much of iov as len bytes need; returns how many pieces. */
static size_t cut(struct iovec *to, const struct iovec *iov, size_t n,
		  size_t len, size_t *room)
{
	size_t i;

	*room = 0;
	for (i = 0; i < n && i < MAX_IOV && *room < len; i++) {
		to[i] = iov[i];
		if (to[i].iov_len > len - *room)
			to[i].iov_len = len - *room;
		*room += to[i].iov_len;
	}
	return i;
}

/* Returns the length of the datagram, and in *got how much of it was read. */
static ssize_t datagram(const struct iovec *iov, size_t n, bool peek,
			size_t *got)
{
	size_t len = play.len;
	struct iovec to[MAX_IOV + 1];
	uint32_t next;

	n = cut(to, iov, n, len, got);
	if (peek)
		return !*got || preadv(play.tape, to, n, play.at) ==
					       (ssize_t)*got
			       ? (ssize_t)len
			       : -1;
	if (*got == len) {
		to[n++] = (struct iovec){ &next, sizeof(next) };
		if (preadv(play.tape, to, n, play.at) !=
		    (ssize_t)(len + sizeof(next)))
			return -1;
	} else if (preadv(play.tape, to, n, play.at) != (ssize_t)*got ||
		   pread(play.tape, &next, sizeof(next), play.at + len) !=
			   sizeof(next)) {
		return -1;
	}
	play.at += len + sizeof(next);
	play.len = next;
	return len;
}

static ssize_t done(const struct iovec *iov, size_t n, bool peek, size_t *got)
{
	struct iovec to[MAX_IOV];
	const char *from = (const char *)&play.done;
	size_t i;

	n = cut(to, iov, n, sizeof(play.done), got);
	for (i = 0; i < n; i++) {
		memcpy(to[i].iov_base, from, to[i].iov_len);
		from += to[i].iov_len;
	}
	if (!peek)
		play.fd = -1;
	return sizeof(play.done);
}

static ssize_t answer(const struct iovec *iov, size_t n, int flags,
		      int *msg_flags)
{
	size_t got;
	ssize_t len;

	if (!play.len && play.left > 1) {
		play.left--;
		play.at = 0;
		play.len = play.first;
	}
	len = (play.len ? datagram : done)(iov, n, flags & MSG_PEEK, &got);
	if (len < 0)
		die("the memfd cannot be read");
	*msg_flags = got < (size_t)len ? MSG_TRUNC : 0;
	return flags & MSG_TRUNC ? len : (ssize_t)got;
}

static void from_kernel(void *name, socklen_t *len)
{
	const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };

	if (name)
		memcpy(name, &kernel,
		       *len < sizeof(kernel) ? *len : sizeof(kernel));
	*len = sizeof(kernel);
}

ssize_t recvmsg(int fd, struct msghdr *msg, int flags)
{
	ssize_t (*next)(int, struct msghdr *, int);

	if (fd != play.fd || fd < 0) {
		next = dlsym(RTLD_NEXT, "recvmsg");
		return next(fd, msg, flags);
	}
	from_kernel(msg->msg_name, &msg->msg_namelen);
	msg->msg_controllen = 0;
	return answer(msg->msg_iov, msg->msg_iovlen, flags, &msg->msg_flags);
}

ssize_t recvfrom(int fd, void *buf, size_t len, int flags,
		 struct sockaddr *addr, socklen_t *addr_len)
{
	ssize_t (*next)(int, void *, size_t, int, struct sockaddr *,
			socklen_t *);
	const struct iovec iov = { buf, len };
	int msg_flags;

	if (fd != play.fd || fd < 0) {
		next = dlsym(RTLD_NEXT, "recvfrom");
		return next(fd, buf, len, flags, addr, addr_len);
	}
	if (addr)
		from_kernel(addr, addr_len);
	return answer(&iov, 1, flags, &msg_flags);
}

ssize_t recv(int fd, void *buf, size_t len, int flags)
{
	return recvfrom(fd, buf, len, flags, NULL, NULL);
}
