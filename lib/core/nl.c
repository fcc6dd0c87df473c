/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The netlink socket and its exchanges.
 *
 * An exchange that does not reach the end of its reply leaves the socket
 * marked as stale, and the next one begins with a fresh socket. Draining would
 * not do: a dump whose next part the kernel could not build stays "running"
 * with nothing to read, and every further dump gets -EBUSY [netlink_dump()].
 * The counter of seq goes on, so that no old reply ever matches.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "core/netns.h"
#include "core/nl.h"

/*
 * The kernel queues a reply before send() returns, and builds the next part of
 * a dump inside recv(), so nobody waits this long for the RTNL or a slow
 * driver. It ends the wait for a reply that was never made: netlink_rcv_skb()
 * sends no ack for -EINTR.
 */
#define REPLY_SECONDS 5

struct nst_nl {
	struct nsteer *ns;
	struct nst_nl_io io;
	int protocol;
	int fd;
	uint32_t portid;
	uint32_t seq;
	bool stale;
	bool wide; /* nst_nl_widen() */
	bool cb_failed;
	char why[128];
	unsigned char buf[NST_NL_BUFSIZE] __attribute__((aligned(8)));
};

/* ---- the socket ---- */

static int sock_setup(struct nsteer *ns, int fd, uint32_t *portid)
{
	static const int optional[] = { NETLINK_EXT_ACK, NETLINK_CAP_ACK,
					NETLINK_GET_STRICT_CHK };
	struct timeval wait = { .tv_sec = REPLY_SECONDS };
	struct sockaddr_nl addr = { .nl_family = AF_NETLINK };
	socklen_t len = sizeof(addr);
	const int on = 1;
	size_t i;

	/* Kernels that lack one of them (4.12, 4.3, 4.20) do without. */
	for (i = 0; i < sizeof(optional) / sizeof(optional[0]); i++)
		setsockopt(fd, SOL_NETLINK, optional[i], &on, sizeof(on));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	if (bind(fd, (struct sockaddr *)&addr, sizeof(addr)) ||
	    getsockname(fd, (struct sockaddr *)&addr, &len))
		return nst_fail(ns, -errno, "cannot bind a netlink socket: %s",
				strerror(errno));
	*portid = addr.nl_pid;
	return 0;
}

static int sock_open(struct nsteer *ns, int protocol, int *out,
		     uint32_t *portid)
{
	struct nst_netns_guard guard;
	int fd, err;

	err = nst_netns_enter(ns, &guard);
	if (err)
		return err;
	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);
	if (fd < 0)
		err = nst_fail(ns, -errno, "cannot open a netlink socket: %s",
			       strerror(errno));
	err = nst_netns_leave(ns, &guard, err);
	if (!err)
		err = sock_setup(ns, fd, portid);
	if (!err)
		*out = fd;
	else if (fd >= 0)
		close(fd);
	return err;
}

static ssize_t sock_send(void *priv, const void *buf, size_t len)
{
	struct nst_nl *nl = priv;
	ssize_t n = send(nl->fd, buf, len, 0);

	return n < 0 ? -errno : n;
}

static ssize_t sock_recv(void *priv, struct msghdr *msg, int flags)
{
	struct nst_nl *nl = priv;
	ssize_t n = recvmsg(nl->fd, msg, flags);

	return n < 0 ? -errno : n;
}

static int sock_reopen(void *priv, uint32_t *portid)
{
	struct nst_nl *nl = priv;
	int fd, err;

	err = sock_open(nl->ns, nl->protocol, &fd, portid);
	if (err)
		return err;
	close(nl->fd);
	nl->fd = fd;
	return 0;
}

static void sock_close(void *priv)
{
	struct nst_nl *nl = priv;

	close(nl->fd);
}

static struct nst_nl *nl_new(struct nsteer *ns)
{
	struct nst_nl *nl = malloc(sizeof(*nl));

	if (!nl) {
		nst_fail(ns, -ENOMEM, "out of memory");
		return NULL;
	}
	/* Not calloc(): most of the buffer is never touched. */
	memset(nl, 0, offsetof(struct nst_nl, buf));
	nl->ns = ns;
	return nl;
}

int nst_nl_open(struct nsteer *ns, int protocol, struct nst_nl **out)
{
	struct nst_nl *nl = nl_new(ns);
	int err;

	if (!nl)
		return -ENOMEM;
	err = sock_open(ns, protocol, &nl->fd, &nl->portid);
	if (err) {
		free(nl);
		return err;
	}
	nl->protocol = protocol;
	nl->io = (struct nst_nl_io){ .send = sock_send,
				     .recv = sock_recv,
				     .reopen = sock_reopen,
				     .close = sock_close,
				     .priv = nl };
	*out = nl;
	return 0;
}

int nst_nl_open_io(struct nsteer *ns, const struct nst_nl_io *io,
		   uint32_t portid, struct nst_nl **out)
{
	struct nst_nl *nl = nl_new(ns);

	if (!nl)
		return -ENOMEM;
	nl->io = *io;
	nl->portid = portid;
	*out = nl;
	return 0;
}

void nst_nl_close(struct nst_nl *nl)
{
	if (!nl)
		return;
	if (nl->io.close)
		nl->io.close(nl->io.priv);
	free(nl);
}

int nst_rtnl(struct nsteer *ns, struct nst_nl **out)
{
	int err;

	if (!ns->rtnl) {
		err = nst_nl_open(ns, NETLINK_ROUTE, &ns->rtnl);
		if (err)
			return err;
	}
	*out = ns->rtnl;
	return 0;
}

/* ---- exchanges ---- */

static int broke(struct nst_nl *nl, int err, const char *fmt, ...)
	NSTEER_PRINTF(3, 4);
static int broke(struct nst_nl *nl, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(nl->why, sizeof(nl->why), fmt, ap);
	va_end(ap);
	return nst_fail(nl->ns, err, "netlink: %s", nl->why);
}

static int freshen(struct nst_nl *nl)
{
	uint32_t portid = nl->portid;
	int err;

	if (!nl->stale)
		return 0;
	if (nl->io.reopen) {
		err = nl->io.reopen(nl->io.priv, &portid);
		if (err)
			return broke(nl, err,
				     "the socket could not be opened anew: %s",
				     strerror(-err));
	}
	nl->portid = portid;
	nl->stale = false;
	return nl->wide ? nst_nl_widen(nl) : 0;
}

static int send_request(struct nst_nl *nl, const struct nlmsghdr *req)
{
	ssize_t n;

	do {
		n = nl->io.send(nl->io.priv, req, req->nlmsg_len);
	} while (n == -EINTR);
	if (n < 0)
		return broke(nl, n, "the request could not be sent: %s",
			     strerror(-n));
	if ((size_t)n != req->nlmsg_len)
		return broke(nl, -EPROTO, "the request was sent in part only");
	return 0;
}

static int recv_failed(struct nst_nl *nl, int err)
{
	if (err == -ENOBUFS)
		return broke(nl, err,
			     "the socket lost replies of the kernel, its "
			     "buffer was full");
	if (err == -EAGAIN)
		return broke(nl, -ETIMEDOUT,
			     "the kernel did not reply within %d seconds",
			     REPLY_SECONDS);
	return broke(nl, err, "the reply could not be read: %s",
		     strerror(-err));
}

/*
 * The length of the next datagram that the kernel sent to us, and not to a
 * group.
 */
static ssize_t receive(struct nst_nl *nl)
{
	struct iovec iov = { .iov_base = nl->buf, .iov_len = sizeof(nl->buf) };
	struct sockaddr_nl from;
	struct msghdr msg;
	ssize_t n;

	do {
		memset(&from, 0, sizeof(from));
		msg = (struct msghdr){ .msg_name = &from,
				       .msg_namelen = sizeof(from),
				       .msg_iov = &iov,
				       .msg_iovlen = 1 };
		n = nl->io.recv(nl->io.priv, &msg, 0);
		if (n < 0 && n != -EINTR)
			return recv_failed(nl, n);
	} while (n < 0 || from.nl_pid || from.nl_groups);

	if (msg.msg_flags & MSG_TRUNC)
		return broke(nl, -EMSGSIZE,
			     "a reply of the kernel is longer than %zu bytes "
			     "and was cut",
			     sizeof(nl->buf));
	return n;
}

static int begin(struct nst_nl *nl, struct nlmsghdr *req,
		 struct nst_nl_walk *walk)
{
	int err;

	nl->why[0] = '\0';
	nl->cb_failed = false;
	err = freshen(nl);
	if (err)
		return err;
	/* 0 is the seq of notifications. */
	nl->seq = nl->seq == UINT32_MAX ? 1 : nl->seq + 1;
	req->nlmsg_seq = nl->seq;
	walk->ns = nl->ns;
	walk->seq = nl->seq;
	walk->portid = nl->portid;
	nl->stale = true;
	return send_request(nl, req);
}

static int exchange(struct nst_nl *nl, struct nlmsghdr *req,
		    struct nst_nl_walk *walk)
{
	ssize_t len;
	int err;

	err = begin(nl, req, walk);
	if (err)
		return err;
	do {
		len = receive(nl);
		if (len < 0)
			return len;
		err = nst_nl_walk(walk, nl->buf, len);
	} while (err > 0);
	nl->stale = !walk->ended;
	nl->cb_failed = walk->cb_failed;
	return walk->why ? broke(nl, err, "%s", walk->why) : err;
}

int nst_nl_talk(struct nst_nl *nl, struct nlmsghdr *req, nst_nl_cb cb,
		void *data)
{
	struct nst_nl_walk walk = {
		.want_ack = req->nlmsg_flags & NLM_F_ACK,
		.cb = cb,
		.data = data,
	};

	return exchange(nl, req, &walk);
}

int nst_nl_widen(struct nst_nl *nl)
{
	char buf[NST_NL_REQSIZE] __attribute__((aligned(8)));
	int err;

	/* What is read is an ack. */
	nst_nl_request(buf, NLMSG_NOOP, NLM_F_ACK, NULL, 0);
	nl->wide = false;
	err = nst_nl_talk(nl, (struct nlmsghdr *)buf, NULL, NULL);
	nl->wide = true;
	if (err && !*nl->why)
		broke(nl, err, "the kernel does not answer: %s",
		      strerror(-err));
	return err;
}

int nst_nl_open_wide(struct nsteer *ns, int protocol, struct nst_nl **out)
{
	struct nst_nl *nl;
	int err = nst_nl_open(ns, protocol, &nl);

	if (err)
		return err;
	err = nst_nl_widen(nl);
	if (err)
		nst_nl_close(nl);
	else
		*out = nl;
	return err;
}

int nst_nl_dump(struct nst_nl *nl, struct nlmsghdr *req,
		const struct nst_nl_dump *dump)
{
	int i, err;

	req->nlmsg_flags |= NLM_F_DUMP;
	for (i = 0; i < NST_NL_DUMP_TRIES; i++) {
		struct nst_nl_walk walk = {
			.is_dump = true,
			.cb = dump->msg,
			.data = dump->data,
		};

		if (i && dump->reset)
			dump->reset(dump->data);
		err = exchange(nl, req, &walk);
		if (err || !walk.intr)
			return err;
	}
	return broke(nl, -EINTR,
		     "the list is incomplete: it changed while the kernel gave "
		     "it out, %d times in a row",
		     NST_NL_DUMP_TRIES);
}

int nst_nl_stream_begin(struct nst_nl_stream *stream, struct nst_nl *nl,
			struct nlmsghdr *req)
{
	memset(stream, 0, sizeof(*stream));
	stream->nl = nl;
	stream->walk.is_dump = true;
	req->nlmsg_flags |= NLM_F_DUMP;
	return begin(nl, req, &stream->walk);
}

int nst_nl_stream_next(struct nst_nl_stream *stream,
		       const struct nlmsghdr **msg)
{
	struct nst_nl *nl = stream->nl;
	ssize_t len;
	int err = 1;

	if (stream->len)
		err = nst_nl_walk_next(&stream->walk, nl->buf, stream->len,
				       &stream->pos, msg);
	while (err == 1) {
		len = receive(nl);
		if (len < 0)
			return len;
		stream->len = len;
		stream->pos = 0;
		err = nst_nl_walk_next(&stream->walk, nl->buf, len,
				       &stream->pos, msg);
	}
	if (err == NST_NL_WALK_DATA)
		return 1;
	nl->stale = !stream->walk.ended;
	if (stream->walk.why)
		return broke(nl, err, "%s", stream->walk.why);
	if (!err && stream->walk.intr)
		return broke(nl, -EINTR,
			     "the list is incomplete: it changed while the "
			     "kernel gave it out");
	return err;
}

const char *nst_nl_why(const struct nst_nl *nl, int err)
{
	if (nl->cb_failed)
		return NULL;
	return *nl->why ? nl->why : strerror(-err);
}

struct nlmsghdr *nst_nl_request(void *buf, uint16_t type, uint16_t flags,
				const void *fixed, size_t fixed_len)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	if (fixed_len)
		memcpy(mnl_nlmsg_put_extra_header(nlh, fixed_len), fixed,
		       fixed_len);
	return nlh;
}
