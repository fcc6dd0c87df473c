/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The devices of a namespace as a snapshot. */
#include <stdlib.h>
#include <string.h>

#include "tun/list.h"

#define WALK_TRIES 4

/* ---- devices ---- */

static int take_device(const struct nlmsghdr *nlh, void *data)
{
	struct nsteer_tun_list *list = data;
	struct nsteer_tun *grown;
	struct nst_tun_link link;

	if (!nst_tun_link_from_nl(nlh, &link))
		return -EPROTO;
	if (strcmp(link.kind, "tun"))
		return 0;
	if (list->count == list->room) {
		list->room = list->room ? 2 * list->room : 16;
		grown = realloc(list->tuns, list->room * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		list->tuns = grown;
	}
	grown = &list->tuns[list->count++];
	memset(grown, 0, sizeof(*grown));
	grown->link = link;
	return 0;
}

static void forget_devices(void *data)
{
	((struct nsteer_tun_list *)data)->count = 0;
}

static int by_ifindex(const void *a, const void *b)
{
	const struct nsteer_tun *x = a, *y = b;

	return x->link.ifindex < y->link.ifindex ? -1 :
						   x->link.ifindex > y->link.ifindex;
}

static int read_devices(struct nsteer *ns, uint32_t ifindex,
			struct nsteer_tun_list *list)
{
	struct nst_nl_dump dump = { take_device, forget_devices, list };
	struct nst_tun_link link;
	int err;

	if (!ifindex) {
		err = nst_link_dump_kind(ns, "tun", &dump);
		if (!err && list->count)
			qsort(list->tuns, list->count, sizeof(*list->tuns),
			      by_ifindex);
		return err;
	}
	err = nst_tun_link_get(ns, ifindex, &link);
	if (err)
		return err;
	list->tuns = calloc(1, sizeof(*list->tuns));
	if (!list->tuns)
		return nst_fail(ns, -ENOMEM, "out of memory");
	list->tuns[0].link = link;
	list->count = 1;
	return 0;
}

/* ---- what steers them ---- */

static void put_steering(struct nsteer_tun *tun,
			 const struct nst_tun_state *state)
{
	tun->has_steering = true;
	nst_tun_steering_derive(state, &tun->steering);
	/* Read later than the link's, and of every device. */
	tun->link.has_queues = true;
	tun->link.numqueues = state->numqueues;
	tun->link.numdisabled = state->numdisabled;
}

/*
 * Both are in order of ifindex. The states were read later: what is not among
 * them has gone meanwhile, and what is new there came too late for this list.
 */
static void merge(struct nsteer_tun_list *list,
		  const struct nst_tun_state *states, size_t count)
{
	size_t i, k = 0, kept = 0;

	for (i = 0; i < list->count; i++) {
		while (k < count &&
		       states[k].ifindex < list->tuns[i].link.ifindex)
			k++;
		if (k == count ||
		    states[k].ifindex != list->tuns[i].link.ifindex)
			continue;
		list->tuns[kept] = list->tuns[i];
		put_steering(&list->tuns[kept++], &states[k]);
	}
	list->count = kept;
}

/* A part that cannot be had is said and left out, or it is the error. */
static int leave_out(struct nsteer *ns, int err, bool strict, const char *what)
{
	char reason[sizeof(ns->err.msg)];

	if (strict)
		return err;
	memcpy(reason, ns->err.msg, sizeof(reason));
	nst_err_clear(ns);
	nst_warn(ns, "%s: %s", what, reason);
	return 0;
}

static int read_steering(struct nsteer *ns,
			 const struct nsteer_tun_list_opts *o,
			 struct nsteer_tun_list *list)
{
	struct nst_tun_state one, *states = &one;
	size_t count = 1;
	int err;

	if (!list->count)
		return 0;
	if (o->ifindex)
		err = nst_tun_inspect(ns, o->ifindex, &one);
	else
		err = nst_tun_inspect_all(ns, list->count, &states, &count);
	if (err == -ENODEV)
		return err; /* it has gone meanwhile */
	if (err)
		return leave_out(ns, err, o->strict,
				 "steering policies are unknown");
	merge(list, states, count);
	if (!o->ifindex)
		free(states);
	return 0;
}

/* ---- packets per queue ---- */

static int read_stats(struct nsteer *ns, bool strict,
		      struct nsteer_tun_list *list)
{
	struct nsteer_tun *tun;
	size_t i;
	int err = 0;

	for (i = 0; i < list->count && !err; i++) {
		tun = &list->tuns[i];
		/* A device of one queue has no mq root. */
		if (!tun->link.multi_queue)
			continue;
		err = nst_tun_stats_read(ns, tun->link.ifindex,
					 tun->link.numqueues, &tun->stats,
					 &tun->n_stats);
		if (err)
			err = leave_out(ns, err, strict,
					"packets per queue are unknown");
	}
	return err;
}

/* ---- who holds them ---- */

struct find {
	struct nsteer_tun_list *list;
	int err;
};

/* Each queue of each device comes by here: not to be looked for one by one. */
static struct nsteer_tun *find_by_index(struct nsteer_tun_list *list,
					uint32_t ifindex)
{
	const struct nsteer_tun key = { .link.ifindex = ifindex };

	return bsearch(&key, list->tuns, list->count, sizeof(key), by_ifindex);
}

static struct nsteer_tun *find_by_name(struct nsteer_tun_list *list,
				       const char *name)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		if (!strcmp(list->tuns[i].link.name, name))
			return &list->tuns[i];
	return NULL;
}

static int take_process(const struct nst_holder *holder, void *data)
{
	struct find *find = data;
	struct nsteer_tun_process *p;
	struct nsteer_tun *tun;

	tun = holder->ifindex ? find_by_index(find->list, holder->ifindex) :
				find_by_name(find->list, holder->ifname);
	if (!tun)
		return 0;
	p = realloc(tun->processes, (tun->n_processes + 1) * sizeof(*p));
	if (!p) {
		find->err = -ENOMEM;
		return 1;
	}
	tun->processes = p;
	p += tun->n_processes++;
	memset(p, 0, sizeof(*p));
	p->pid = holder->pid;
	p->fd = holder->fd;
	p->detached = holder->detached;
	p->has_queue = holder->has_index;
	p->queue = holder->index;
	memcpy(p->name, holder->comm, sizeof(p->name));
	return 0;
}

/* A queue may have several descriptors, but each has one. */
static bool is_unseen(size_t seen, const struct nst_tun_link *link, bool known,
		      uint32_t queues)
{
	return known ? seen < queues : !seen && nst_tun_looks_held(link);
}

/* A queue may have been closed between the count and the walk: count again. */
static bool is_still_unseen(struct nsteer *ns, const struct nsteer_tun *tun)
{
	struct nst_tun_link now;
	uint32_t queues;
	bool known;
	int err;

	err = nst_tun_link_get(ns, tun->link.ifindex, &now);
	if (err)
		nst_err_clear(ns);
	if (err == -ENODEV)
		return false;
	if (err)
		return true;
	known = nst_tun_count_queues(ns, &now, &queues);
	return is_unseen(tun->n_processes, &now, known, queues);
}

/* Each said once: there may be thousands. */
static void warn_hidden(struct nsteer *ns,
			const struct nst_holder_hidden *hidden)
{
	char comm[NST_NAME_PRINT], why[NST_HOLDER_WHY], others[32] = "";

	if (hidden->count > 1)
		snprintf(others, sizeof(others), " and %u others",
			 hidden->count - 1);
	nst_warn(ns,
		 "descriptor %d of process %d (%s)%s may hold a queue here, and "
		 "cannot be checked (%s)",
		 hidden->fd, hidden->pid, nst_name_print(hidden->comm, comm),
		 others, nst_holder_why(hidden, why));
}

static void warn_unseen(struct nsteer *ns, const struct nsteer_tun_list *list,
			const struct nst_holder_hidden *hidden)
{
	const struct nsteer_tun *first = NULL;
	char name[NST_NAME_PRINT], why[NST_HOLDER_WHY];
	size_t i, count = 0;

	for (i = 0; i < list->count; i++) {
		if (!list->tuns[i].unseen)
			continue;
		first = first ? first : &list->tuns[i];
		count++;
	}
	if (first)
		nst_warn(ns, "not all holders of %s%s can be seen from here (%s)",
			 nst_name_print(first->link.name, name),
			 count > 1 ? " and others" : "",
			 nst_holder_why(hidden, why));
}

static int walk_holders(struct nsteer *ns, bool one,
			struct nsteer_tun_list *list,
			struct nst_holder_hidden *hidden)
{
	struct find find = { .list = list };
	size_t i;
	int err;

	for (i = 0; i < list->count; i++)
		list->tuns[i].n_processes = 0;
	memset(hidden, 0, sizeof(*hidden));
	err = nst_holder_walk(ns, one ? &list->tuns[0].link : NULL,
			      take_process, &find, hidden);
	if (find.err)
		return nst_fail(ns, find.err, "out of memory");
	return err ? leave_out(ns, err, false, "holders are unknown") : 0;
}

static bool mark_unseen(struct nsteer *ns, struct nsteer_tun_list *list)
{
	struct nsteer_tun *tun;
	bool any = false;
	size_t i;

	for (i = 0; i < list->count; i++) {
		tun = &list->tuns[i];
		tun->unseen = is_unseen(tun->n_processes, &tun->link,
					tun->link.has_queues,
					tun->link.numqueues +
						tun->link.numdisabled) &&
			      is_still_unseen(ns, tun);
		any = any || tun->unseen;
	}
	return any;
}

static int read_processes(struct nsteer *ns, bool one,
			  struct nsteer_tun_list *list)
{
	struct nst_holder_hidden hidden;
	int tries, err;

	if (!list->count)
		return 0;
	/*
	 * All of them were looked at, and still one is missing? Its queue may
	 * have been opened behind the walk's back: look again.
	 */
	for (tries = 0; tries < WALK_TRIES; tries++) {
		err = walk_holders(ns, one, list, &hidden);
		if (err)
			return err;
		if (!mark_unseen(ns, list) || !hidden.all_seen)
			break;
	}
	if (hidden.count)
		warn_hidden(ns, &hidden);
	else
		warn_unseen(ns, list, &hidden);
	return 0;
}

NSTEER_API int nsteer_tun_list(struct nsteer *ns,
			       const struct nsteer_tun_list_opts *opts,
			       struct nsteer_tun_list **out)
{
	struct nsteer_tun_list_opts o;
	struct nsteer_tun_list *list;
	int err;

	nst_err_clear(ns);
	err = NST_OPTS_READ(ns, opts, &o);
	if (err)
		return err;
	list = calloc(1, sizeof(*list));
	if (!list)
		return nst_fail(ns, -ENOMEM, "out of memory");
	err = read_devices(ns, o.ifindex, list);
	if (err)
		goto free_list;
	if (o.steering)
		err = read_steering(ns, &o, list);
	if (!err && o.stats)
		err = read_stats(ns, o.strict, list);
	if (!err && o.processes)
		err = read_processes(ns, o.ifindex, list);
	if (err)
		goto free_list;
	*out = list;
	return 0;
free_list:
	nsteer_tun_list_free(list);
	return err;
}

NSTEER_API void nsteer_tun_list_free(struct nsteer_tun_list *list)
{
	size_t i;

	if (!list)
		return;
	for (i = 0; i < list->count; i++) {
		free(list->tuns[i].stats);
		free(list->tuns[i].processes);
	}
	free(list->tuns);
	free(list);
}
