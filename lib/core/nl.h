/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Netlink requests and dumps on libmnl.
 *
 * libmnl builds messages and steps through attributes; the receive loop is our
 * own, because mnl_cb_run() takes a DONE that carries an error for success
 * and, with a half filled table of handlers, swallows DONE.
 */
#ifndef NST_NL_H
#define NST_NL_H

#include <libmnl/libmnl.h>
#include <linux/netlink.h>
#include <sys/socket.h>

#include "ctx.h"

/*
 * The kernel sizes dump messages by the largest read seen on the socket, up to
 * 32 KiB [af_netlink.c], so every read offers that much from the first one. It
 * goes beyond for one message that is larger: a device's alternative names
 * alone may take 64 KiB [rtnl_alt_ifname].
 */
#define NST_NL_BUFSIZE (96 * 1024)
/* Room for any request of this library. */
#define NST_NL_REQSIZE 4096
/* How often a dump is begun that the kernel calls inconsistent. */
#define NST_NL_DUMP_TRIES 3

/*
 * How bytes get to the kernel and back; a test puts a script here. send, recv
 * and reopen return a negative errno on failure.
 */
struct nst_nl_io {
	ssize_t (*send)(void *priv, const void *buf, size_t len);
	ssize_t (*recv)(void *priv, struct msghdr *msg, int flags);
	/*
	 * Throw away whatever is under way and start with a fresh socket. May
	 * be NULL: old replies are then told by their seq alone.
	 */
	int (*reopen)(void *priv, uint32_t *portid);
	void (*close)(void *priv); /* may be NULL */
	void *priv;
};

struct nst_nl;

/*
 * Called per message of a reply; a negative errno ends it and is returned. A
 * callback that fails may leave a sentence in the error record.
 */
typedef int (*nst_nl_cb)(const struct nlmsghdr *nlh, void *data);

struct nst_nl_dump {
	nst_nl_cb msg;
	/* The dump starts over: forget what msg has collected. */
	void (*reset)(void *data);
	void *data;
};

/* Open a socket of this protocol in the context's namespace. */
int nst_nl_open(struct nsteer *ns, int protocol, struct nst_nl **out);
/* The same over any transport; io is copied, and closed with the socket. */
int nst_nl_open_io(struct nsteer *ns, const struct nst_nl_io *io,
		   uint32_t portid, struct nst_nl **out);
void nst_nl_close(struct nst_nl *nl);

/*
 * Read something, so that the next dump begins with a large message, too: the
 * kernel makes the first one before it is read, of one page on a socket from
 * which nothing was [netlink_dump]. What does not fit there may be lost. A
 * socket that is opened anew after a failure does the same by itself. A
 * sentence on failure.
 */
int nst_nl_widen(struct nst_nl *nl);
/* nst_nl_open() and that. */
int nst_nl_open_wide(struct nsteer *ns, int protocol, struct nst_nl **out);

/* The context's rtnetlink socket, made at the first use. */
int nst_rtnl(struct nsteer *ns, struct nst_nl **out);

/*
 * Send a request and wait for its end: the ack where NLM_F_ACK is set, else
 * one message. cb may be NULL.
 *
 * When the kernel refuses, the error record gets its words (extack) but not
 * the sentence, which only the caller knows: it ends with nst_fail(). When the
 * exchange itself broke, there is a sentence already, whose core nst_nl_why()
 * gives. -EPROTO: the reply makes no sense; -EMSGSIZE: it was cut; -ENOBUFS:
 * the socket lost replies; -ETIMEDOUT: there was none.
 *
 * After any failure, that of a callback too, the socket is as good as new.
 */
int nst_nl_talk(struct nst_nl *nl, struct nlmsghdr *req, nst_nl_cb cb,
		void *data);

/*
 * Send a dump request (NLM_F_DUMP is set here) and walk all of the reply. An
 * interrupted dump starts over, three times in all, then -EINTR, with what
 * the last try brought in the hands of the callback.
 */
int nst_nl_dump(struct nst_nl *nl, struct nlmsghdr *req,
		const struct nst_nl_dump *dump);

/*
 * What to put behind "cannot do this: " after a talk or dump that returned
 * err: why the exchange broke or, when the kernel refused, strerror(). NULL
 * when the callback failed: it may have left a sentence of its own.
 */
const char *nst_nl_why(const struct nst_nl *nl, int err);

/* Header and fixed part of a request; buf has NST_NL_REQSIZE bytes. */
struct nlmsghdr *nst_nl_request(void *buf, uint16_t type, uint16_t flags,
				const void *fixed, size_t fixed_len);

/*
 * One received datagram, walked: the pure part of the receive loop. buf is
 * aligned like a struct nlmsghdr. Messages of another seq or port are skipped.
 * Returns 1: there is more to come; 0: the reply is complete; negative: it
 * failed. ns takes the kernel's words.
 */
struct nst_nl_walk {
	struct nsteer *ns;
	uint32_t seq;
	uint32_t portid;
	bool want_ack;
	bool is_dump;
	nst_nl_cb cb;
	void *data;
	/* out */
	bool intr;	 /* a part said NLM_F_DUMP_INTR */
	bool ended;	 /* nothing more of this reply is to come */
	bool cb_failed;	 /* the error is the callback's */
	const char *why; /* the error is not the kernel's answer but this */
};
int nst_nl_walk(struct nst_nl_walk *walk, const void *buf, size_t len);

/*
 * The same by the message, without cb: *pos is 0 at first. Returns
 * NST_NL_WALK_DATA with a *msg of the reply; else as nst_nl_walk().
 */
#define NST_NL_WALK_DATA 2
int nst_nl_walk_next(struct nst_nl_walk *walk, const void *buf, size_t len,
		     size_t *pos, const struct nlmsghdr **msg);

/*
 * A dump by the message, for what is too long to be collected. The socket does
 * nothing else until it has ended.
 */
struct nst_nl_stream {
	struct nst_nl *nl;
	struct nst_nl_walk walk;
	size_t len;
	size_t pos;
};
/* A stream that was not read to its end may be begun anew. */
int nst_nl_stream_begin(struct nst_nl_stream *stream, struct nst_nl *nl,
			struct nlmsghdr *req);
/*
 * 1: *msg is there, until the next call; 0: that was all; negative: as
 * nst_nl_dump(), but for what was interrupted: -EINTR at its end at once.
 */
int nst_nl_stream_next(struct nst_nl_stream *stream,
		       const struct nlmsghdr **msg);

/*
 * Attributes into a table by type (NLA_F_* masked off), unknown ones left out,
 * the last of a kind kept. tb has max + 1 entries. Lengths are checked against
 * the end of the buffer here, where what follows a bad one is left out, and
 * against the type by the nst_nla_* readers below. Returns how many bytes are
 * good, up to which nst_nla_next() may be used.
 */
size_t nst_nla_parse(const void *attrs, size_t len, const struct nlattr **tb,
		     uint16_t max);
static inline const struct nlattr *nst_nla_next(const struct nlattr *attr)
{
	return (const struct nlattr *)((const unsigned char *)attr +
				       NLA_ALIGN(attr->nla_len));
}
/* nest may be NULL: the table is then empty. */
void nst_nla_parse_nested(const struct nlattr *nest, const struct nlattr **tb,
			  uint16_t max);
#define NST_NLA_PARSE_MSG(nlh, fixed_len, tb, max)                             \
	nst_nla_parse(mnl_nlmsg_get_payload_offset(nlh, fixed_len),            \
		      nst_nlmsg_attrs_len(nlh, fixed_len), tb, max)
size_t nst_nlmsg_attrs_len(const struct nlmsghdr *nlh, size_t fixed_len);

/* False and *v untouched when attr is NULL or too short. */
bool nst_nla_u8(const struct nlattr *attr, uint8_t *v);
bool nst_nla_u32(const struct nlattr *attr, uint32_t *v);
bool nst_nla_u64(const struct nlattr *attr, uint64_t *v);
/*
 * Copies up to the first NUL or the attribute's end and adds a NUL; false and
 * buf untouched when attr is NULL or that is longer than size - 1.
 */
bool nst_nla_str(const struct nlattr *attr, char *buf, size_t size);

#endif /* NST_NL_H */
