/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Actions, one after the other: a dump of the kernel's per kind. */
#include <stdlib.h>
#include <string.h>

#include "tc/tc.h"

#ifndef TCA_ACT_FLAG_LARGE_DUMP_ON
#define TCA_ACT_FLAG_LARGE_DUMP_ON (1 << 0)
#endif
#ifndef TCA_ACT_FLAG_TERSE_DUMP
#define TCA_ACT_FLAG_TERSE_DUMP (1 << 1)
#endif

struct nsteer_tc_actions {
	struct nsteer *ns;
	struct nst_nl *nl;
	char kind[NST_TC_KIND_LEN]; /* that is being read; "": none yet */
	bool only;		    /* this one and no other */
	bool terse;
	bool no_terse; /* this kernel cannot be asked for it */
	bool running;
	bool done; /* with that one */
	bool failed;
	bool any;	/* of this kind there was an action */
	uint32_t index; /* of the one before */
	bool again;	/* it is read once more, from behind this index */
	uint32_t upto;
	struct nst_nl_stream stream;
	struct nst_tc_entries entries;
	struct nsteer_tc_action action;
};

NSTEER_API const char *nsteer_tc_actions_known(unsigned int n)
{
	const char *kind = "";

	do {
		kind = nst_tc_act_after(kind);
	} while (kind && n--);
	return kind;
}

static bool is_known(const char *kind)
{
	const char *known = "";

	while ((known = nst_tc_act_after(known)))
		if (!strcmp(known, kind))
			return true;
	return false;
}

/* ---- opening ---- */

static int check(struct nsteer *ns, const struct nsteer_tc_actions_opts *o)
{
	if (o->terse > NSTEER_TC_TERSE_STRICT)
		return nst_fail(ns, -EINVAL, "there is no terse %u", o->terse);
	if (o->kind && (!*o->kind || strlen(o->kind) >= NST_TC_KIND_LEN))
		return nst_fail(ns, -EINVAL,
				"an action's kind is a name of 1 to %d bytes",
				NST_TC_KIND_LEN - 1);
	return 0;
}

int nst_tc_actions_open(struct nsteer *ns,
			const struct nsteer_tc_actions_opts *o,
			struct nst_nl *nl, struct nsteer_tc_actions **out)
{
	struct nsteer_tc_actions *d = calloc(1, sizeof(*d));

	if (!d) {
		nst_nl_close(nl);
		return nst_fail(ns, -ENOMEM, "out of memory");
	}
	d->ns = ns;
	d->nl = nl;
	d->terse = o->terse != NSTEER_TC_TERSE_OFF;
	d->action.terse = d->terse;
	d->only = o->kind;
	if (o->kind)
		strcpy(d->kind, o->kind);
	*out = d;
	return 0;
}

/*
 * The first message of a dump is made before it is read, so of one page where
 * nothing was read from the socket before [netlink_dump]; an action that does
 * not fit into that would be the end of the list. What is read here is an ack.
 */
static int read_something(struct nsteer *ns, struct nst_nl *nl)
{
	char buf[NST_NL_REQSIZE] __attribute__((aligned(8)));
	int err;

	nst_nl_request(buf, NLMSG_NOOP, NLM_F_ACK, NULL, 0);
	err = nst_nl_talk(nl, (struct nlmsghdr *)buf, NULL, NULL);
	return err ? nst_fail(ns, err, "cannot ask for actions: %s",
			      nst_nl_why(nl, err)) :
		     0;
}

NSTEER_API int nsteer_tc_actions_open(struct nsteer *ns,
				      const struct nsteer_tc_actions_opts *opts,
				      struct nsteer_tc_actions **out)
{
	struct nsteer_tc_actions_opts o;
	struct nst_nl *nl = NULL;
	int err;

	nst_err_clear(ns);
	err = NST_OPTS_READ(ns, opts, &o);
	if (!err)
		err = check(ns, &o);
	if (!err)
		err = nst_nl_open(ns, NETLINK_ROUTE, &nl);
	if (!err)
		err = read_something(ns, nl);
	if (err) {
		nst_nl_close(nl);
		return err;
	}
	return nst_tc_actions_open(ns, &o, nl, out);
}

NSTEER_API void nsteer_tc_actions_close(struct nsteer_tc_actions *d)
{
	if (!d)
		return;
	nst_nl_close(d->nl);
	free(d);
}

/* ---- a message ---- */

bool nst_tc_entries_begin(struct nst_tc_entries *e, const struct nlmsghdr *nlh)
{
	const struct nlattr *tb[TCA_ROOT_COUNT + 1];

	memset(e, 0, sizeof(*e));
	if ((nlh->nlmsg_type != RTM_GETACTION &&
	     nlh->nlmsg_type != RTM_NEWACTION) ||
	    nlh->nlmsg_len < NLMSG_LENGTH(sizeof(struct tcamsg)))
		return false;
	NST_NLA_PARSE_MSG(nlh, sizeof(struct tcamsg), tb, TCA_ROOT_COUNT);
	nst_tc_attrs_of(&e->left, tb[TCA_ROOT_TAB]);
	/* 0 without the large flag, and not there before Linux 4.13. */
	nst_nla_u32(tb[TCA_ROOT_COUNT], &e->missing);
	return true;
}

bool nst_tc_entries_next(struct nst_tc_entries *e, struct nsteer_tc_action *a)
{
	const struct nlattr *entry = nst_tc_attr_next(&e->left);
	bool terse = a->terse;

	if (!entry)
		return false;
	if (e->missing)
		e->missing--;
	/* The index is told by the options, where those are not left out. */
	a->terse = false;
	nst_tc_action_read(a, 0, entry);
	a->terse = terse;
	return true;
}

/* ---- reading ---- */

static int fail_dump(struct nsteer_tc_actions *d, int err)
{
	const char *why = nst_nl_why(d->nl, err);
	char kind[NST_NAME_PRINT];

	return nst_fail(d->ns, err, "cannot read the actions of kind %s: %s",
			nst_name_print(d->kind, kind),
			why ? why : strerror(-err));
}

/* What asks for a kind, in buf of NST_NL_REQSIZE bytes; index 0: for all. */
static struct nlmsghdr *request(const struct nsteer_tc_actions *d, void *buf,
				uint32_t index)
{
	const struct tcamsg tca = { .tca_family = AF_UNSPEC };
	struct nlattr *tab, *entry;
	struct nlmsghdr *req;

	req = nst_nl_request(buf, RTM_GETACTION, 0, &tca, sizeof(tca));
	tab = mnl_attr_nest_start(req, TCA_ACT_TAB);
	entry = mnl_attr_nest_start(req, 1);
	mnl_attr_put_strz(req, TCA_ACT_KIND, d->kind);
	if (index)
		mnl_attr_put_u32(req, TCA_ACT_INDEX, index);
	mnl_attr_nest_end(req, entry);
	mnl_attr_nest_end(req, tab);
	return req;
}

static int begin(struct nsteer_tc_actions *d, struct nst_nl_stream *stream,
		 bool terse)
{
	/* Linux below 4.13 knows no flags, and gives out 32 at a time. */
	struct nla_bitfield32 flags = { TCA_ACT_FLAG_LARGE_DUMP_ON,
					TCA_ACT_FLAG_LARGE_DUMP_ON };
	char buf[NST_NL_REQSIZE] __attribute__((aligned(8)));
	struct nlmsghdr *req = request(d, buf, 0);

	if (terse) {
		flags.value |= TCA_ACT_FLAG_TERSE_DUMP;
		flags.selector |= TCA_ACT_FLAG_TERSE_DUMP;
	}
	mnl_attr_put(req, TCA_ROOT_FLAGS, sizeof(flags), &flags);
	return nst_nl_stream_begin(stream, d->nl, req);
}

static int begin_kind(struct nsteer_tc_actions *d)
{
	int err = begin(d, &d->stream, d->terse && !d->no_terse);

	memset(&d->entries, 0, sizeof(d->entries));
	d->running = !err;
	return err ? fail_dump(d, err) : 0;
}

/* False: there are no more kinds. */
static bool next_kind(struct nsteer_tc_actions *d)
{
	const char *kind;

	if (d->only)
		return !d->done;
	kind = nst_tc_act_after(d->kind);
	if (!kind)
		return false;
	strncpy(d->kind, kind, sizeof(d->kind) - 1);
	d->any = false;
	d->again = false;
	d->index = 0;
	return true;
}

/* ---- what the kernel does not tell ---- */

/* An unknown kind has no actions either [tc_dump_action]. */
static int check_kind(struct nsteer_tc_actions *d)
{
	char buf[NST_NL_REQSIZE] __attribute__((aligned(8)));
	char kind[NST_NAME_PRINT];
	int err;

	/* What lacks is the index or, with EINVAL, the kind. */
	err = nst_nl_talk(d->nl, request(d, buf, 1), NULL, NULL);
	if (!err || err == -ENOENT) {
		nst_err_clear(d->ns);
		return 0;
	}
	if (err != -EINVAL)
		return fail_dump(d, err);
	nst_name_print(d->kind, kind);
	return nst_fail(d->ns, -ENOENT,
			"this kernel has no actions of kind %s, or their "
			"module is not loaded (modprobe act_%s)",
			kind, kind);
}

/* Can the values of such an action fill a message? */
static bool is_bulky(const char *kind)
{
	return !strcmp(kind, "bpf") || !strcmp(kind, "gate") ||
	       !strcmp(kind, "pedit") || !nst_tc_act_find(kind);
}

/* The first index behind the last one that was handed out; 0: there is none. */
static int find_behind(struct nsteer_tc_actions *d, uint32_t *behind)
{
	struct nsteer_tc_action a = { .terse = true };
	const struct nlmsghdr *msg;
	struct nst_nl_stream s;
	struct nst_tc_entries e;
	int ret;

	*behind = 0;
	ret = begin(d, &s, true);
	while (!ret && (ret = nst_nl_stream_next(&s, &msg)) == 1) {
		ret = 0;
		if (!nst_tc_entries_begin(&e, msg))
			continue;
		while (nst_tc_entries_next(&e, &a)) {
			if (!*behind && a.has_index && a.index > d->index)
				*behind = a.index;
		}
	}
	return ret;
}

/*
 * At an action that does not fit into a message the list ends as if that was
 * all [tcf_dump_walker]. The entries of a terse list are small, and either list
 * is in the order of the index. 1: there are more, and they are to be read.
 */
static int look_for_lost(struct nsteer_tc_actions *d)
{
	bool again = d->again && d->upto == d->index;
	uint32_t behind;
	int err;

	err = find_behind(d, &behind);
	if (err == -EINVAL) {
		/* Before Linux 5.11 nobody can tell. */
		nst_err_clear(d->ns);
		return 0;
	}
	if (err)
		return fail_dump(d, err);
	if (!behind)
		return 0;
	if (again)
		return nst_fail(d->ns, -EMSGSIZE,
				"the action %s index %u does not fit into a "
				"message of the kernel, so it and what follows "
				"is missing",
				d->kind, behind);
	/* It may be new, or memory was short for a large message. */
	d->again = true;
	d->upto = d->index;
	err = begin_kind(d);
	return err ? err : 1;
}

/* ---- one after the other ---- */

/* 1: there is more of it all the same. */
static int end_kind(struct nsteer_tc_actions *d)
{
	int ret = 0;

	d->running = false;
	if (!d->terse && is_bulky(d->kind))
		ret = look_for_lost(d);
	if (ret)
		return ret;
	d->done = d->only;
	return d->only && !d->any && !is_known(d->kind) ? check_kind(d) : 0;
}

/* Is it to be handed out? */
static bool take(struct nsteer_tc_actions *d)
{
	uint32_t index = d->index;

	if (!nsteer_tc_action_index(&d->action, &index) && d->again &&
	    index <= d->upto)
		return false;
	d->any = true;
	d->index = index;
	return true;
}

/* 1: an action; 0: this kind has no more; negative: it failed. */
static int read_kind(struct nsteer_tc_actions *d)
{
	const struct nlmsghdr *msg;
	int ret;

	for (;;) {
		while (nst_tc_entries_next(&d->entries, &d->action)) {
			if (take(d))
				return 1;
		}
		if (d->entries.missing)
			return nst_fail(d->ns, -EPROTO,
					"the list of the actions of kind %s "
					"broke off: a message of the kernel "
					"holds fewer than it says",
					d->action.kind.s);
		ret = nst_nl_stream_next(&d->stream, &msg);
		if (ret == 1) {
			nst_tc_entries_begin(&d->entries, msg);
		} else if (ret == -EINVAL && d->terse && !d->no_terse &&
			   !d->any && d->stream.walk.ended) {
			/* A flag that is unknown to Linux below 5.11. */
			d->no_terse = true;
			nst_err_clear(d->ns);
			ret = begin_kind(d);
			if (ret)
				return ret;
		} else {
			ret = ret ? fail_dump(d, ret) : end_kind(d);
			if (ret != 1)
				return ret;
		}
	}
}

NSTEER_API int nsteer_tc_actions_next(struct nsteer_tc_actions *d,
				      const struct nsteer_tc_action **action)
{
	int ret;

	nst_err_clear(d->ns);
	if (d->failed)
		return nst_fail(d->ns, -EBADFD,
				"this dump has failed, it can only be closed");
	do {
		if (!d->running) {
			if (!next_kind(d))
				return 0;
			ret = begin_kind(d);
			if (ret)
				break;
		}
		ret = read_kind(d);
	} while (!ret);
	if (ret == 1)
		*action = &d->action;
	d->failed = ret < 0;
	return ret;
}
