/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preloaded into the command, for what a test cannot bring about in time.
 *
 * SHIM_INTR=1: every part of a netlink dump says that the dump was interrupted.
 * SHIM_DONE=N: every netlink dump ends with the error N.
 * SHIM_CLOSE=FILE: makes FILE when a descriptor below 3 is closed, as it would
 * be had a socket taken the place of a stdout that was closed.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void change(struct nlmsghdr *nlh)
{
	const char *done = getenv("SHIM_DONE");
	int code;

	if (getenv("SHIM_INTR") && nlh->nlmsg_flags & NLM_F_MULTI)
		nlh->nlmsg_flags |= NLM_F_DUMP_INTR;
	if (!done || nlh->nlmsg_type != NLMSG_DONE ||
	    nlh->nlmsg_len < NLMSG_LENGTH(sizeof(code)))
		return;
	code = -atoi(done);
	memcpy(NLMSG_DATA(nlh), &code, sizeof(code));
}

ssize_t recvmsg(int fd, struct msghdr *msg, int flags)
{
	ssize_t (*next)(int, struct msghdr *, int) =
		dlsym(RTLD_NEXT, "recvmsg");
	ssize_t n = next(fd, msg, flags);
	struct nlmsghdr *nlh = msg->msg_iov->iov_base;
	unsigned int left = n;

	if ((!getenv("SHIM_INTR") && !getenv("SHIM_DONE")) || flags & MSG_PEEK)
		return n;
	for (; n > 0 && NLMSG_OK(nlh, left); nlh = NLMSG_NEXT(nlh, left))
		change(nlh);
	return n;
}

int close(int fd)
{
	int (*next)(int) = dlsym(RTLD_NEXT, "close");
	const char *path = getenv("SHIM_CLOSE");

	if (path && fd >= 0 && fd < 3)
		next(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	return next(fd);
}
