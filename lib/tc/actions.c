/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Actions, one after the other: a dump of the kernel's per kind. */
#include <stdlib.h>
#include <string.h>

#include "tc/actions.h"

#ifndef TCA_ACT_FLAG_LARGE_DUMP_ON
#define TCA_ACT_FLAG_LARGE_DUMP_ON (1 << 0)
#endif
#ifndef TCA_ACT_FLAG_TERSE_DUMP
#define TCA_ACT_FLAG_TERSE_DUMP (1 << 1)
#endif

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

NSTEER_API int nsteer_tc_actions_open(struct nsteer *ns,
				      const struct nsteer_tc_actions_opts *opts,
				      struct nsteer_tc_actions **out)
{
	struct nsteer_tc_actions_opts o;
	struct nst_nl *nl;
	int err;

	nst_err_clear(ns);
	err = NST_OPTS_READ(ns, opts, &o);
	if (!err)
		err = check(ns, &o);
	if (!err)
		err = nst_nl_open_wide(ns, NETLINK_ROUTE, &nl);
	if (err)
		return err;
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

int nst_tc_actions_begin(struct nsteer_tc_actions *d, bool terse)
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
	return nst_nl_stream_begin(&d->stream, d->nl, req);
}

int nst_tc_actions_begin_kind(struct nsteer_tc_actions *d)
{
	int err = nst_tc_actions_begin(d, d->terse && !d->no_terse);

	memset(&d->entries, 0, sizeof(d->entries));
	d->seen = 0;
	d->running = !err;
	return err ? nst_tc_actions_fail(d, err) : 0;
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
	d->blind = false;
	d->again = false;
	d->index = 0;
	d->taken = 0;
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
		return nst_tc_actions_fail(d, err);
	nst_name_print(d->kind, kind);
	return nst_fail(d->ns, -ENOENT,
			"this kernel has no actions of kind %s, or their "
			"module is not loaded (modprobe act_%s)",
			kind, kind);
}

/* ---- one after the other ---- */

/* 1: there is more of it all the same. */
static int end_kind(struct nsteer_tc_actions *d)
{
	size_t before = d->lost.count;
	int ret = 0;

	d->running = false;
	if (!d->terse)
		ret = nst_tc_actions_look(d);
	if (ret || d->lost.count > before)
		return ret;
	d->done = d->only;
	return d->only && !d->any && !is_known(d->kind) ? check_kind(d) : 0;
}

/* Is it to be handed out? None is a second time. */
static bool take(struct nsteer_tc_actions *d)
{
	uint32_t index = d->index;
	bool known = !nsteer_tc_action_index(&d->action, &index);

	d->seen++;
	if (d->again && (d->blind || !known || index <= d->upto))
		return false;
	d->blind = d->blind || !known;
	d->any = true;
	d->index = index;
	d->taken++;
	return true;
}

/* 1: an action; 0: this kind has no more; negative: it failed. */
static int read_kind(struct nsteer_tc_actions *d)
{
	const struct nlmsghdr *msg;
	char kind[NST_NAME_PRINT];
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
					nst_name_print(d->kind, kind));
		ret = nst_nl_stream_next(&d->stream, &msg);
		if (ret == 1) {
			nst_tc_entries_begin(&d->entries, msg);
		} else if (ret == -EINVAL && d->terse && !d->no_terse &&
			   !d->any && d->stream.walk.ended) {
			/* A flag that is unknown to Linux below 5.11. */
			d->no_terse = true;
			nst_err_clear(d->ns);
			ret = nst_tc_actions_begin_kind(d);
			if (ret)
				return ret;
		} else {
			ret = ret ? nst_tc_actions_fail(d, ret) : end_kind(d);
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
			if (!next_kind(d)) {
				ret = nst_tc_lost_tell(d->ns, &d->lost, "kind");
				break;
			}
			ret = nst_tc_actions_begin_kind(d);
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
