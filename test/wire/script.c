/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "script.h"

#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the kernel's side of the transport ---- */

static struct step *take_step(struct script *s, enum step_kind kind)
{
	struct step *step = &s->step[s->next];

	if (s->next == s->n_steps || step->kind != kind)
		return NULL;
	s->next++;
	return step;
}

static ssize_t script_send(void *priv, const void *buf, size_t len)
{
	struct script *s = priv;
	const struct nlmsghdr *nlh = buf;
	struct step *fail = take_step(s, STEP_SEND_FAIL);

	if (fail)
		return fail->err;
	ck_assert_uint_le(len, sizeof(s->sent));
	ck_assert_uint_eq(len, nlh->nlmsg_len);
	memcpy(s->sent, buf, len);
	s->seq = nlh->nlmsg_seq;
	s->sends++;
	return len;
}

static void fill_in(const struct script *s, const struct step *step,
		    unsigned char *data)
{
	struct nlmsghdr *nlh;
	size_t i;

	for (i = 0; i < step->n_live; i++) {
		nlh = (struct nlmsghdr *)(data + step->live[i]);
		nlh->nlmsg_seq += s->seq;
		nlh->nlmsg_pid += s->portid;
	}
}

static ssize_t script_recv(void *priv, struct msghdr *msg, int flags)
{
	struct script *s = priv;
	struct iovec *iov = msg->msg_iov;
	struct sockaddr_nl *from = msg->msg_name;
	struct step *step;

	ck_assert_int_eq(flags, 0);
	ck_assert_uint_eq(msg->msg_iovlen, 1);
	ck_assert_uint_ge(msg->msg_namelen, sizeof(*from));
	if (iov->iov_len < s->least_offered)
		s->least_offered = iov->iov_len;
	step = take_step(s, STEP_ERRNO);
	if (step)
		return step->err;
	step = take_step(s, STEP_DATAGRAM);
	if (!step)
		ck_abort_msg("read beyond the script's step %zu", s->next);
	ck_assert_uint_le(step->len, iov->iov_len);
	memcpy(iov->iov_base, step->data, step->len);
	fill_in(s, step, iov->iov_base);
	*from = (struct sockaddr_nl){ .nl_family = AF_NETLINK,
				      .nl_pid = step->from_pid,
				      .nl_groups = step->from_groups };
	msg->msg_namelen = sizeof(*from);
	msg->msg_flags = step->flags;
	return step->len;
}

static int script_reopen(void *priv, uint32_t *portid)
{
	struct script *s = priv;
	struct step *step;

	/* A closed socket takes its queue along. */
	while (s->next < s->n_steps && s->step[s->next].kind == STEP_DATAGRAM)
		s->next++;
	step = take_step(s, STEP_REOPEN);
	if (!step)
		ck_abort_msg("unexpected reopen at step %zu", s->next);
	s->reopens++;
	if (step->err)
		return step->err;
	*portid = ++s->portid;
	return 0;
}

static void script_close(void *priv)
{
	struct script *s = priv;

	s->closes++;
}

static void script_log(void *data, enum nsteer_log_level level, const char *msg)
{
	struct script *s = data;

	snprintf(s->log, sizeof(s->log), "%d %s", level, msg);
}

struct script *script_new(bool bare)
{
	struct script *s = calloc(1, sizeof(*s));
	struct nst_nl_io io = { .send = script_send,
				.recv = script_recv,
				.reopen = bare ? NULL : script_reopen,
				.close = script_close,
				.priv = s };
	NSTEER_OPTS(nsteer_open_opts, opts, .log = script_log, .log_data = s);

	ck_assert_ptr_nonnull(s);
	s->portid = SCRIPT_PORTID;
	s->least_offered = SIZE_MAX;
	ck_assert_int_eq(nsteer_open(&opts, &s->ns), 0);
	ck_assert_int_eq(nst_nl_open_io(s->ns, &io, s->portid, &s->nl), 0);
	s->ns->rtnl = s->nl;
	return s;
}

void script_end(struct script *s)
{
	ck_assert_uint_eq(s->next, s->n_steps);
	/* A socket that was given away is closed by who got it. */
	ck_assert_uint_eq(s->closes, !s->nl);
	nsteer_close(s->ns);
	ck_assert_uint_eq(s->closes, 1);
	free(s);
}

const struct nlmsghdr *script_sent(const struct script *s)
{
	return (const struct nlmsghdr *)s->sent;
}

/* ---- writing the script ---- */

static struct step *say(struct script *s, enum step_kind kind, int err)
{
	struct step *step = &s->step[s->n_steps++];

	ck_assert_uint_le(s->n_steps, SCRIPT_STEPS);
	step->kind = kind;
	step->err = err;
	s->last = NULL;
	return step;
}

struct step *say_datagram(struct script *s)
{
	return say(s, STEP_DATAGRAM, 0);
}

void say_errno(struct script *s, int err)
{
	say(s, STEP_ERRNO, err);
}

void say_reopen(struct script *s, int err)
{
	say(s, STEP_REOPEN, err);
}

void say_send_fail(struct script *s, int err)
{
	say(s, STEP_SEND_FAIL, err);
}

static struct step *now(struct script *s)
{
	ck_assert_uint_gt(s->n_steps, 0);
	return &s->step[s->n_steps - 1];
}

void put_raw(struct script *s, const void *data, size_t len)
{
	struct step *step = now(s);

	ck_assert_uint_le(step->len + len, sizeof(step->data));
	if (len)
		memcpy(step->data + step->len, data, len);
	step->len += len;
	if (s->last)
		s->last->nlmsg_len += len;
}

static void pad(struct script *s)
{
	struct step *step = now(s);

	step->len = NLMSG_ALIGN(step->len);
}

struct nlmsghdr *put_msg(struct script *s, uint16_t type, uint16_t flags,
			 const void *payload, size_t len)
{
	const struct nlmsghdr hdr = { .nlmsg_type = type,
				      .nlmsg_flags = flags };
	struct step *step = now(s);
	struct nlmsghdr *nlh;

	pad(s);
	s->last = NULL;
	nlh = (struct nlmsghdr *)(step->data + step->len);
	ck_assert_uint_lt(step->n_live, SCRIPT_MSGS);
	step->live[step->n_live++] = step->len;
	put_raw(s, &hdr, sizeof(hdr));
	s->last = nlh;
	nlh->nlmsg_len = sizeof(hdr);
	put_raw(s, payload, len);
	return nlh;
}

void put_attr(struct script *s, uint16_t type, const void *data, size_t len)
{
	const struct nlattr attr = { .nla_len = NLA_HDRLEN + len,
				     .nla_type = type };
	static const char zero[NLA_ALIGNTO];
	size_t before = s->last->nlmsg_len;

	put_raw(s, zero, NLMSG_ALIGN(before) - before);
	put_raw(s, &attr, sizeof(attr));
	put_raw(s, data, len);
}

void put_attr_u32(struct script *s, uint16_t type, uint32_t v)
{
	put_attr(s, type, &v, sizeof(v));
}

void put_number(struct script *s, uint16_t flags, uint32_t v)
{
	put_msg(s, RTM_NEWLINK, flags, &v, sizeof(v));
}

void put_done(struct script *s, uint16_t flags, int code)
{
	put_msg(s, NLMSG_DONE, NLM_F_MULTI | flags, &code, sizeof(code));
}

/* As with NETLINK_CAP_ACK: of the request only the header. */
void put_error(struct script *s, uint16_t flags, int code)
{
	const struct nlmsgerr e = { .error = code,
				    .msg = { .nlmsg_len = 100,
					     .nlmsg_type = RTM_GETLINK } };

	put_msg(s, NLMSG_ERROR, NLM_F_CAPPED | flags, &e, sizeof(e));
}

void say_ack(struct script *s)
{
	say_datagram(s);
	put_error(s, 0, 0);
}

/* ---- requests ---- */

int numbers_take(const struct nlmsghdr *nlh, void *data)
{
	struct numbers *got = data;
	uint32_t v;

	ck_assert_int_eq(nlh->nlmsg_type, RTM_NEWLINK);
	ck_assert_uint_ge(mnl_nlmsg_get_payload_len(nlh), sizeof(v));
	memcpy(&v, mnl_nlmsg_get_payload(nlh), sizeof(v));
	ck_assert_uint_lt(got->n, 32);
	got->v[got->n++] = v;
	return got->fail_at && v == got->fail_at ? got->fail_with : 0;
}

void numbers_reset(void *data)
{
	struct numbers *got = data;

	got->n = 0;
	got->resets++;
}

static struct nlmsghdr *request(void *buf, uint16_t flags)
{
	const struct ifinfomsg ifi = { .ifi_index = 1 };

	return nst_nl_request(buf, RTM_GETLINK, flags, &ifi, sizeof(ifi));
}

int script_talk(struct script *s, uint16_t flags, struct numbers *got)
{
	char buf[NST_NL_REQSIZE] __attribute__((aligned(8)));

	return nst_nl_talk(s->nl, request(buf, flags),
			   got ? numbers_take : NULL, got);
}

int script_dump(struct script *s, struct numbers *got)
{
	char buf[NST_NL_REQSIZE] __attribute__((aligned(8)));
	const struct nst_nl_dump dump = { .msg = numbers_take,
					  .reset = numbers_reset,
					  .data = got };

	return nst_nl_dump(s->nl, request(buf, 0), &dump);
}
