/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Setting a policy. The kernel's own call replaces whatever is there, through
 * any queue of the device, and cannot be told what it should replace. So: look
 * who is there, load the program, find a queue, look again, exchange, look at
 * the result.
 */
#include <linux/if_tun.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bpf/shared.h"
#include "core/caps.h"
#include "tun/tun.h"

#define PROG_NONE (-1) /* TUNSETSTEERINGEBPF takes the program off */

struct set {
	const struct nsteer_tun_steering_opts *opts;
	const struct nst_tun_policy *policy;
	/* With the caller's queue only what the queue itself tells. */
	struct nst_tun_link link;
	char name[NST_NAME_PRINT];
	bool by_index;	/* else by the caller's queue */
	int queue_fd;	/* -1: not found yet */
	bool seen;	/* the present state is known: */
	struct nsteer_tun_steering now; /* else zero */
};

static int check_opts(struct nsteer *ns,
		      const struct nsteer_tun_steering_opts *o)
{
	const struct nst_tun_policy *policy = nst_tun_policy(o->policy);

	if (!policy || !policy->settable)
		return nst_fail(ns, -EINVAL, "%s",
				o->policy == NSTEER_TUN_POLICY_UNKNOWN ?
					"no steering policy given" :
					"that steering policy cannot be set");
	if (o->queue && o->policy != NSTEER_TUN_POLICY_FIXED)
		return nst_fail(ns, -EINVAL, "the policy %s takes no queue",
				policy->name);
	/* The kernel takes 16 bits of it. */
	if (o->queue > UINT16_MAX)
		return nst_fail(ns, -EINVAL,
				"queue %u: the kernel takes 0 to %u", o->queue,
				UINT16_MAX);
	if (o->replace_id && o->force)
		return nst_fail(ns, -EINVAL,
				"either one program is to be replaced, or any");
	return 0;
}

static const char *prog_name(const struct nsteer_prog *prog,
			     char buf[NST_NAME_PRINT])
{
	return *prog->name ? nst_name_print(prog->name, buf) : "without a name";
}

/* May what is there be replaced? */
static int check_owner(struct nsteer *ns, const struct set *s)
{
	const struct nsteer_prog *prog = &s->now.state.steering.prog;
	char name[NST_NAME_PRINT];

	if (s->opts->force)
		return 0;
	if (s->opts->replace_id && s->opts->replace_id != prog->id) {
		if (!prog->id)
			return nst_fail(ns, -EEXIST,
					"no program steers %s, so program id "
					"%u cannot be replaced",
					s->name, s->opts->replace_id);
		return nst_fail(ns, -EEXIST,
				"%s is steered by program id %u (%s), not by "
				"id %u",
				s->name, prog->id, prog_name(prog, name),
				s->opts->replace_id);
	}
	if (s->now.owner != NSTEER_OWNER_FOREIGN || s->opts->replace_id)
		return 0;
	return nst_fail(ns, -EEXIST,
			"%s is steered by program id %u (%s), which nsteer did "
			"not place: replace id %u, or force",
			s->name, prog->id, prog_name(prog, name), prog->id);
}

static int fail_gone(struct nsteer *ns, const struct set *s)
{
	char index[32] = "";

	if (s->link.ifindex)
		snprintf(index, sizeof(index), " (ifindex %u)",
			 s->link.ifindex);
	return nst_fail(ns, -ENODEV, "%s%s is gone", s->name, index);
}

/* What is on the device? Through a queue there is no mistaking it. */
static int read_state(struct nsteer *ns, struct set *s)
{
	struct nst_tun_queue queue;
	int err;

	if (s->queue_fd < 0)
		err = nst_tun_inspect(ns, s->link.ifindex, &queue.state);
	else
		err = nst_tun_inspect_queue(ns, s->queue_fd, &queue);
	s->seen = !err;
	if (err)
		return err == -EBADFD ? -ENODEV : err;
	/* The queue was found by a name, and that may be another's now. */
	if (s->by_index && s->queue_fd >= 0 &&
	    (!queue.in_netns || queue.state.ifindex != s->link.ifindex))
		return -ENODEV;
	s->link.ifindex = queue.state.ifindex;
	nst_tun_steering_derive(&queue.state, &s->now);
	return 0;
}

/* What is on the device, and may it be replaced? */
static int look(struct nsteer *ns, struct set *s)
{
	char reason[sizeof(ns->err.msg)];
	int err = read_state(ns, s);

	if (!err)
		return check_owner(ns, s);
	if (err == -ENODEV)
		return fail_gone(ns, s);
	/* To wait is better advice than force. */
	if (err == -EAGAIN && !s->opts->force)
		return err;
	if (!s->opts->force) {
		memcpy(reason, ns->err.msg, sizeof(reason));
		return nst_fail(ns, err,
				"it cannot be seen whether another program "
				"steers %s, and only force sets a policy "
				"blindly: %.600s",
				s->name, reason);
	}
	nst_err_clear(ns);
	memset(&s->now, 0, sizeof(s->now));
	return 0;
}

/* Is it there already, placed by an nsteer that means the same by it? */
static bool is_set(const struct set *s)
{
	const struct nst_tun_prog *prog = &s->now.state.steering;

	if (!s->seen || s->now.policy != s->opts->policy ||
	    s->opts->replace_id)
		return false;
	if (!s->policy->prog)
		return true;
	return s->now.owner == NSTEER_OWNER_NSTEER && !s->opts->force &&
	       prog->cfg.version == NST_CFG_VERSION &&
	       s->now.queue == s->opts->queue;
}

static int load_policy(struct nsteer *ns, const struct set *s,
		       struct nst_bpf_prog *prog)
{
	struct nst_cfg cfg = {
		.magic = NST_CFG_MAGIC,
		.version = NST_CFG_VERSION,
		.what = NST_CFG_TUN_STEERING,
		.ifindex = s->link.ifindex ? s->link.ifindex :
					     NST_CFG_IFINDEX_UNKNOWN,
		.policy = s->opts->policy,
		.netns_cookie = s->now.state.netns_cookie,
		.queue = s->opts->queue,
	};
	struct nst_bpf_load_opts o = { .cfg = &cfg, .cfg_size = sizeof(cfg) };

	memset(prog, 0, sizeof(*prog));
	prog->prog_fd = PROG_NONE;
	if (!s->policy->prog)
		return 0;
	return nst_bpf_load(ns, &nst_blob_tun_steer, s->policy->prog, false, &o,
			    prog);
}

static int fail_exchange(struct nsteer *ns, const struct set *s, int err)
{
	if (err == -EINVAL)
		return nst_fail(ns, -EOPNOTSUPP,
				"the kernel refused a steering program on %s: "
				"it needs Linux 4.16 (TUNSETSTEERINGEBPF)",
				s->name);
	if (err == -EBADFD)
		return fail_gone(ns, s);
	return nst_fail_cap(ns, err, NST_CAPS(CAP_NET_ADMIN),
			    "cannot set the steering of %s: %s", s->name,
			    strerror(-err));
}

/* The last look, the exchange, and the proof. */
static int exchange(struct nsteer *ns, struct set *s, int prog_fd)
{
	uint32_t prog_id = 0, now;
	int err;

	err = look(ns, s);
	if (!err && prog_fd != PROG_NONE)
		err = nst_bpf_prog_id(ns, prog_fd, &prog_id);
	if (err)
		return err;
	if (ioctl(s->queue_fd, TUNSETSTEERINGEBPF, &prog_fd))
		return fail_exchange(ns, s, -errno);
	if (!s->seen)
		return 0;
	if (read_state(ns, s)) {
		/* The kernel has said yes, and nothing says otherwise. */
		nst_err_clear(ns);
		return 0;
	}
	now = s->now.state.steering.prog.id;
	if (now == prog_id)
		return 0;
	return nst_fail(ns, -EAGAIN,
			"the policy was set on %s, and at once somebody else "
			"put another program (id %u) in its place",
			s->name, now);
}

static void warn_no_effect(struct nsteer *ns, const struct set *s)
{
	uint32_t active = s->link.numqueues;

	if (!s->policy->prog)
		return;
	if (s->seen)
		active = s->now.state.numqueues;
	else if (!s->link.has_queues)
		return;
	if (!s->link.multi_queue)
		nst_warn(ns,
			 "%s has one queue and can have no more (not "
			 "multi_queue): the kernel does not ask the policy",
			 s->name);
	else if (active <= 1)
		nst_warn(ns,
			 "%s has %u active queue%s: the kernel does not ask the "
			 "policy until there are two",
			 s->name, active, active == 1 ? "" : "s");
	else if (s->opts->policy == NSTEER_TUN_POLICY_FIXED &&
		 s->opts->queue >= active)
		nst_warn(ns,
			 "%s has %u active queues: queue %u is taken modulo "
			 "their number, so for now packets go to queue %u",
			 s->name, active, s->opts->queue,
			 s->opts->queue % active);
}

/* ---- which queue? ---- */

struct take {
	uint32_t ifindex;
	bool sure; /* the queue is known to be that device's */
	int fd;
};

static int take_copy(const struct nst_holder *holder, void *data)
{
	struct take *take = data;

	if (holder->ifindex && holder->ifindex != take->ifindex)
		return 0;
	take->fd = nst_holder_take(holder, &take->sure);
	return take->fd >= 0;
}

/* A copy of a holder's descriptor, -1 when none can be had. */
static int take_from_holder(struct nsteer *ns, struct set *s,
			    struct nst_holder_hidden *hidden)
{
	struct take take = { .ifindex = s->link.ifindex, .fd = -1 };
	int err;

	err = nst_holder_walk(ns, &s->link, take_copy, &take, hidden);
	if (!err && take.fd >= 0 && !take.sure)
		err = nst_tun_queue_compare(ns, take.fd, &s->link);
	if (!err)
		return take.fd;
	if (take.fd >= 0)
		close(take.fd);
	nst_err_clear(ns);
	return -1;
}

/* Neither a holder's queue nor one of our own. */
static int fail_no_queue(struct nsteer *ns, const struct set *s, int err,
			 const struct nst_holder_hidden *hidden)
{
	char reason[sizeof(ns->err.msg)], why[NST_HOLDER_WHY];

	nst_holder_why(hidden, why);
	if (err == -EBUSY)
		return nst_fail(ns, err,
				"%s has one queue (no multi_queue), so no policy "
				"has an effect, and none was set: a process "
				"holds the queue, and its descriptor cannot be "
				"taken (%s)",
				s->name, why);
	memcpy(reason, ns->err.msg, sizeof(reason));
	return nst_fail(ns, err,
			"%.500s; nor can the descriptor of a process that holds "
			"%s be taken (%s)",
			reason, s->name, why);
}

static int find_queue(struct nsteer *ns, struct set *s)
{
	struct nst_holder_hidden hidden = { 0 };
	struct nst_tun_link *link = &s->link;
	uint32_t open_queues = link->numqueues + link->numdisabled;
	bool known = link->has_queues || s->seen;
	unsigned int extra = 0;
	int err;

	if (s->seen) {
		open_queues = s->now.state.numqueues + s->now.state.numdisabled;
		extra = s->now.state.flags & NST_TUN_UNTOLD_FLAGS;
	}
	if (!known || open_queues) {
		s->queue_fd = take_from_holder(ns, s, &hidden);
		if (s->queue_fd >= 0)
			return 0;
		nst_debug(ns,
			  "%s: no descriptor of a holder could be taken, opening "
			  "a queue",
			  s->name);
	}
	err = nst_tun_queue_open(ns, link, extra, link->multi_queue,
				 &s->queue_fd);
	if (err && err != -ENODEV && known && open_queues)
		return fail_no_queue(ns, s, err, &hidden);
	return err;
}

/* ---- all of it ---- */

static int begin_by_index(struct nsteer *ns, struct set *s, uint32_t ifindex)
{
	int err = nst_tun_link_get(ns, ifindex, &s->link);

	if (err)
		return err;
	s->by_index = true;
	s->queue_fd = -1;
	nst_name_print(s->link.name, s->name);
	return 0;
}

static int begin_by_queue(struct nsteer *ns, struct set *s, int queue_fd)
{
	struct ifreq ifr;
	int err = nst_tun_queue_check(ns, queue_fd, &ifr);

	if (err)
		return err;
	s->queue_fd = queue_fd;
	s->link.multi_queue = ifr.ifr_flags & IFF_MULTI_QUEUE;
	ifr.ifr_name[IFNAMSIZ - 1] = '\0';
	nst_name_print(ifr.ifr_name, s->name);
	return 0;
}

static int set(struct nsteer *ns, struct set *s)
{
	struct nst_bpf_prog prog;
	int err;

	err = look(ns, s);
	if (err)
		return err;
	if (is_set(s)) {
		warn_no_effect(ns, s);
		return 0;
	}
	err = load_policy(ns, s, &prog);
	if (err)
		return err;
	if (s->queue_fd < 0)
		err = find_queue(ns, s);
	if (!err)
		err = exchange(ns, s, prog.prog_fd);
	if (s->by_index && s->queue_fd >= 0)
		close(s->queue_fd);
	nst_bpf_unload(&prog);
	if (!err)
		warn_no_effect(ns, s);
	return err;
}

/* By index, or else by the caller's queue. */
static int set_by(struct nsteer *ns, const struct nsteer_tun_steering_opts *opts,
		  bool by_index, uint32_t ifindex, int queue_fd)
{
	struct nsteer_tun_steering_opts o;
	struct set s = { .opts = &o };
	int err;

	nst_err_clear(ns);
	err = NST_OPTS_READ(ns, opts, &o);
	if (!err)
		err = check_opts(ns, &o);
	if (err)
		return err;
	s.policy = nst_tun_policy(o.policy);
	err = by_index ? begin_by_index(ns, &s, ifindex) :
			 begin_by_queue(ns, &s, queue_fd);
	return err ? err : set(ns, &s);
}

NSTEER_API int
nsteer_tun_steering_set(struct nsteer *ns, uint32_t ifindex,
			const struct nsteer_tun_steering_opts *opts)
{
	return set_by(ns, opts, true, ifindex, -1);
}

NSTEER_API int
nsteer_tun_steering_set_fd(struct nsteer *ns, int queue_fd,
			   const struct nsteer_tun_steering_opts *opts)
{
	return set_by(ns, opts, false, 0, queue_fd);
}
