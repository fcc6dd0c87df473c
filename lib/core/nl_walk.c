/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One received datagram, walked; no system calls. */
#include <stdio.h>
#include <string.h>

#include "core/nl.h"

#define ERRNO_MAX 4095 /* MAX_ERRNO [linux/err.h] */
#define DATA NST_NL_WALK_DATA

static int walk_broke(struct nst_nl_walk *walk, int err, const char *why)
{
	walk->why = why;
	return err;
}

/* The TLVs behind an errno: words about a refusal, or a warning. */
static void take_extack(struct nst_nl_walk *walk, const struct nlmsghdr *nlh,
			size_t offset, int code)
{
	const struct nlattr *tb[NLMSGERR_ATTR_MISS_TYPE + 1];
	char text[sizeof(walk->ns->err.extack)] = "";
	const struct nlattr *msg;
	uint32_t v;

	NST_NLA_PARSE_MSG(nlh, offset, tb, NLMSGERR_ATTR_MISS_TYPE);
	msg = tb[NLMSGERR_ATTR_MSG];
	if (msg)
		snprintf(text, sizeof(text), "%.*s",
			 (int)mnl_attr_get_payload_len(msg),
			 (const char *)mnl_attr_get_payload(msg));
	if (!code) {
		if (*text)
			nst_warn(walk->ns, "%s", text);
		return;
	}
	nst_err_set_extack(walk->ns, text);
	if (nst_nla_u32(tb[NLMSGERR_ATTR_MISS_TYPE], &v))
		nst_err_set_attr(walk->ns, "missing type %u", v);
	else if (nst_nla_u32(tb[NLMSGERR_ATTR_OFFS], &v))
		nst_err_set_attr(walk->ns, "offset %u", v);
}

/* The end of a reply: its errno, and TLVs at this offset of the payload. */
static int walk_end(struct nst_nl_walk *walk, const struct nlmsghdr *nlh,
		    int code, size_t offset)
{
	if (code > 0 || code < -ERRNO_MAX)
		return walk_broke(walk, -EPROTO,
				  "the kernel's reply ends with a number that "
				  "is no errno");
	walk->ended = true;
	if (code) {
		/* Words of an earlier attempt are not about this one. */
		walk->ns->err.extack[0] = '\0';
		walk->ns->err.attr[0] = '\0';
	}
	if (nlh->nlmsg_flags & NLM_F_ACK_TLVS)
		take_extack(walk, nlh, offset, code);
	return code;
}

static int walk_error(struct nst_nl_walk *walk, const struct nlmsghdr *nlh)
{
	const struct nlmsgerr *e = mnl_nlmsg_get_payload(nlh);
	size_t len = mnl_nlmsg_get_payload_len(nlh);
	size_t offset = sizeof(*e);

	if (len < sizeof(*e))
		return walk_broke(walk, -EPROTO,
				  "the kernel's reply holds an error message "
				  "that is cut short");
	if (!e->error && walk->is_dump)
		return walk_broke(walk, -EPROTO,
				  "the kernel acknowledged where a list was "
				  "due");
	/* Not capped: all of the request stands before the TLVs. */
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED)) {
		if (e->msg.nlmsg_len < sizeof(e->msg) || e->msg.nlmsg_len > len)
			offset = len;
		else
			offset += e->msg.nlmsg_len - sizeof(e->msg);
	}
	return walk_end(walk, nlh, e->error, offset);
}

static int walk_done(struct nst_nl_walk *walk, const struct nlmsghdr *nlh)
{
	int code;

	if (mnl_nlmsg_get_payload_len(nlh) < sizeof(code))
		return walk_broke(walk, -EPROTO,
				  "the kernel's reply ends without an errno");
	memcpy(&code, mnl_nlmsg_get_payload(nlh), sizeof(code));
	return walk_end(walk, nlh, code, sizeof(code));
}

static int walk_msg(struct nst_nl_walk *walk, const struct nlmsghdr *nlh)
{
	if (nlh->nlmsg_seq != walk->seq || nlh->nlmsg_pid != walk->portid)
		return 1;
	if (walk->is_dump && nlh->nlmsg_flags & NLM_F_DUMP_INTR)
		walk->intr = true;
	switch (nlh->nlmsg_type) {
	case NLMSG_ERROR:
		return walk_error(walk, nlh);
	case NLMSG_DONE:
		return walk_done(walk, nlh);
	case NLMSG_OVERRUN:
		return walk_broke(walk, -ENOBUFS, "the kernel lost data");
	case NLMSG_NOOP:
		return 1;
	}
	/* Further control messages mean nothing to us. */
	return nlh->nlmsg_type < NLMSG_MIN_TYPE ? 1 : DATA;
}

int nst_nl_walk_next(struct nst_nl_walk *walk, const void *buf, size_t len,
		     size_t *pos, const struct nlmsghdr **msg)
{
	int err;

	while (*pos < len || !*pos) {
		const struct nlmsghdr *nlh =
			(const struct nlmsghdr *)((const char *)buf + *pos);
		size_t left = len - *pos;

		if (left < NLMSG_HDRLEN)
			return walk_broke(walk, -EPROTO,
					  "the kernel's reply ends within a "
					  "message header");
		if (nlh->nlmsg_len < NLMSG_HDRLEN || nlh->nlmsg_len > left)
			return walk_broke(walk, -EPROTO,
					  "a message of the kernel's reply "
					  "has an impossible length");
		/* The last one need not be padded. */
		*pos += NLMSG_ALIGN(nlh->nlmsg_len);
		err = walk_msg(walk, nlh);
		*msg = nlh;
		if (err != 1)
			return err;
	}
	return 1;
}

int nst_nl_walk(struct nst_nl_walk *walk, const void *buf, size_t len)
{
	const struct nlmsghdr *msg;
	size_t pos = 0;
	int err;

	while ((err = nst_nl_walk_next(walk, buf, len, &pos, &msg)) == DATA) {
		if (!walk->is_dump && !walk->want_ack)
			walk->ended = true;
		err = walk->cb ? walk->cb(msg, walk->data) : 0;
		if (err < 0) {
			walk->cb_failed = true;
			return err;
		}
		if (walk->ended)
			return 0;
	}
	return err;
}
