/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's bytes: the walk over a datagram, attributes, whole exchanges.
 *
 * The first byte of an input says what to do with the rest:
 *	1	it is a dump
 *	2	an ack is due
 *	4	the callback fails at the second message
 *	8	not one datagram to be walked, but what a socket gives: datagrams,
 *		each behind its length (a byte, in words of 4); a length of 0 is
 *		an error of the socket, the next byte tells which
 *	16, 32	with 8: look up a name, an index, list a kind
 * Replies to the first request have the seq 1, the port is 1.
 */
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "core/link.h"
#include "tun/tun.h"

#define PORTID 1
#define TYPE_MAX 64
#define DEPTH_MAX 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *pos;
	size_t left;
	uint8_t mode;
	unsigned int messages;
};

static volatile unsigned int sink;

/* Let the sanitizers see each byte that a reader hands out. */
static void touch(const void *data, size_t len)
{
	const unsigned char *pos = data;

	while (len--)
		sink += *pos++;
}

static void read_attr(const struct nlattr *attr)
{
	char text[NST_NAME_PRINT], name[16];
	uint64_t v64 = 0;
	uint32_t v32 = 0;
	uint8_t v8 = 0;

	nst_nla_u8(attr, &v8);
	nst_nla_u32(attr, &v32);
	nst_nla_u64(attr, &v64);
	sink += v8 + v32 + v64;
	if (nst_nla_str(attr, name, sizeof(name)))
		touch(text, strlen(nst_name_print(name, text)));
}

static void read_attrs(const struct nlattr *const *tb, int depth)
{
	const struct nlattr *nested[TYPE_MAX + 1];
	int i;

	for (i = 0; i <= TYPE_MAX; i++) {
		read_attr(tb[i]);
		if (!tb[i] || depth == DEPTH_MAX)
			continue;
		touch(tb[i], tb[i]->nla_len);
		nst_nla_parse_nested(tb[i], nested, TYPE_MAX);
		read_attrs(nested, depth + 1);
	}
}

static int take(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *tb[TYPE_MAX + 1];
	struct input *in = data;
	struct nst_tun_link link;

	touch(nlh, nlh->nlmsg_len);
	NST_NLA_PARSE_MSG(nlh, sizeof(struct ifinfomsg), tb, TYPE_MAX);
	read_attrs(tb, 0);
	if (nst_tun_link_from_nl(nlh, &link))
		touch(link.name, strlen(link.name));
	return in->mode & 4 && ++in->messages == 2 ? -ENOMEM : 0;
}

static void reset(void *data)
{
	struct input *in = data;

	in->messages = 0;
}

/* The datagram gets a block of its own, whose end is the sanitizer's. */
static void walk_one(struct nsteer *ns, struct input *in)
{
	struct nst_nl_walk walk = {
		.ns = ns,
		.seq = 1,
		.portid = PORTID,
		.is_dump = in->mode & 1,
		.want_ack = in->mode & 2,
		.cb = take,
		.data = in,
	};
	void *copy = malloc(in->left ? in->left : 1);

	if (!copy)
		return;
	memcpy(copy, in->pos, in->left);
	nst_nl_walk(&walk, copy, in->left);
	free(copy);
}

static ssize_t send_any(void *priv, const void *buf, size_t len)
{
	(void)priv;
	touch(buf, len);
	return len;
}

static int take_byte(struct input *in)
{
	if (!in->left)
		return -1;
	in->left--;
	return *in->pos++;
}

static ssize_t recv_input(void *priv, struct msghdr *msg, int flags)
{
	static const int errs[] = { -EINTR, -ENOBUFS, -EAGAIN, -EIO };
	struct input *in = priv;
	int words = take_byte(in);
	size_t len;

	(void)flags;
	if (words < 0)
		return -EAGAIN;
	if (!words)
		return errs[take_byte(in) & 3];
	len = (size_t)words * 4;
	if (len > in->left)
		len = in->left;
	memcpy(msg->msg_iov->iov_base, in->pos, len);
	in->pos += len;
	in->left -= len;
	msg->msg_flags = 0;
	return len;
}

static int reopen_same(void *priv, uint32_t *portid)
{
	(void)priv;
	*portid = PORTID;
	return 0;
}

static void exchanges(struct nsteer *ns, struct input *in)
{
	const struct nst_nl_io io = { .send = send_any,
				      .recv = recv_input,
				      .reopen = reopen_same,
				      .priv = in };
	const struct nst_nl_dump dump = { take, reset, in };
	char name[NSTEER_IFNAME_SIZE];
	uint32_t ifindex;

	if (nst_nl_open_io(ns, &io, PORTID, &ns->rtnl))
		return;
	/* Until the input is used up: what one left must not hurt the next. */
	do {
		switch (in->mode >> 4 & 3) {
		case 0:
			nsteer_link_index(ns, "a name of a device", &ifindex);
			break;
		case 1:
			if (!nsteer_link_name(ns, 1, name))
				touch(name, strlen(name));
			break;
		default:
			nst_link_dump_kind(ns, "tun", &dump);
			break;
		}
		touch(nsteer_errmsg(ns), strlen(nsteer_errmsg(ns)));
	} while (in->left);
	nst_nl_close(ns->rtnl);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nsteer ns = { .netns_fd = -1 };
	struct input in = { .pos = data + 1 };

	if (!size)
		return 0;
	in.left = size - 1;
	in.mode = data[0];
	if (in.mode & 8)
		exchanges(&ns, &in);
	else
		walk_one(&ns, &in);
	return 0;
}
