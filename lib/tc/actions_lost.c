/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Actions that the kernel's list does not have. */
#include <string.h>

#include "tc/actions.h"

/* What the kernel does not tell of a kind keeps nobody from the next one. */
static int put_off(struct nsteer_tc_actions *d, int err)
{
	d->running = false;
	d->done = d->only;
	return nst_tc_lost_add(d->ns, &d->lost, err, true);
}

int nst_tc_actions_fail(struct nsteer_tc_actions *d, int err)
{
	const char *why = nst_nl_why(d->nl, err);
	char kind[NST_NAME_PRINT];

	nst_fail(d->ns, err, "cannot read the actions of kind %s: %s",
		 nst_name_print(d->kind, kind), why ? why : strerror(-err));
	return d->stream.walk.ended ? put_off(d, err) : err;
}

/* Can the values of such an action fill a message? */
static bool is_bulky(const char *kind)
{
	return !strcmp(kind, "bpf") || !strcmp(kind, "gate") ||
	       !strcmp(kind, "pedit") || !nst_tc_act_find(kind);
}

/* The first action that the list did not have. */
struct behind {
	bool found;
	uint32_t index;
};

/*
 * By index or, where an action came whose index this version cannot read, by
 * number: either list is in the order of the index.
 */
static int find_behind(struct nsteer_tc_actions *d, struct behind *behind)
{
	struct nsteer_tc_action a = { .terse = true };
	const struct nlmsghdr *msg;
	struct nst_tc_entries e;
	size_t n = 0;
	int ret;

	*behind = (struct behind){ 0 };
	ret = nst_tc_actions_begin(d, true);
	while (!ret && (ret = nst_nl_stream_next(&d->stream, &msg)) == 1) {
		ret = 0;
		if (!nst_tc_entries_begin(&e, msg))
			continue;
		while (nst_tc_entries_next(&e, &a)) {
			if (behind->found ||
			    !(d->blind ? ++n > d->seen
				       : a.has_index && a.index > d->index))
				continue;
			behind->found = true;
			behind->index = a.index;
		}
	}
	return ret;
}

static int fail_lost(struct nsteer_tc_actions *d, const struct behind *behind)
{
	char kind[NST_NAME_PRINT];

	return nst_fail(d->ns, -EMSGSIZE,
			"the action %s index %u does not fit into a message of "
			"the kernel, so it and what follows is missing",
			nst_name_print(d->kind, kind), behind->index);
}

/* It is not known which of those in the second list are the missing ones. */
static int fail_changed(struct nsteer_tc_actions *d)
{
	char kind[NST_NAME_PRINT];

	return nst_fail(d->ns, -EINTR,
			"the list of the actions of kind %s is incomplete: it "
			"changed while it was read",
			nst_name_print(d->kind, kind));
}

/*
 * At an action that does not fit into a message the list ends as if that was
 * all [tcf_dump_walker]. The entries of a terse list are small. 1: there are
 * more, and they are to be read.
 */
int nst_tc_actions_look(struct nsteer_tc_actions *d)
{
	bool again = d->again && (d->blind || d->upto == d->index);
	struct behind behind;
	int err;

	if (!is_bulky(d->kind))
		return 0;
	err = find_behind(d, &behind);
	if (err == -EINVAL) {
		/* Before Linux 5.11 nobody can tell. */
		nst_err_clear(d->ns);
		return 0;
	}
	if (err)
		return nst_tc_actions_fail(d, err);
	if (!behind.found && d->blind && d->seen > d->taken)
		return put_off(d, fail_changed(d));
	if (!behind.found)
		return 0;
	if (again)
		return put_off(d, fail_lost(d, &behind));
	/* It may be new, or memory was short for a large message. */
	d->again = true;
	d->upto = d->index;
	err = nst_tc_actions_begin_kind(d);
	return err ? err : 1;
}
