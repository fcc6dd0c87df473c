/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What steers a device, read from the kernel. */
#include <fcntl.h>
#include <linux/if_tun.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "bpf/shared.h"
#include "tun/tun.h"

void nst_tun_steering_derive(const struct nst_tun_state *state,
			     struct nsteer_tun_steering *out)
{
	const struct nst_tun_prog *prog = &state->steering;
	const struct nst_tun_policy *policy;

	memset(out, 0, sizeof(*out));
	out->state = *state;
	if (!prog->prog.id) {
		out->policy = NSTEER_TUN_POLICY_AUTOMQ;
		out->owner = NSTEER_OWNER_NONE;
		return;
	}
	out->policy = NSTEER_TUN_POLICY_BPF;
	out->owner = NSTEER_OWNER_FOREIGN;
	if (!prog->has_cfg || prog->cfg.what != NST_CFG_TUN_STEERING)
		return;
	/* One that was made to be handed around was placed by its bearer. */
	if (prog->cfg.ifindex)
		out->owner = NSTEER_OWNER_NSTEER;
	policy = nst_tun_policy(prog->cfg.policy);
	if (policy && policy->prog) {
		out->policy = policy->id;
		out->queue = prog->cfg.queue;
	}
}

NSTEER_API void nsteer_tun_steering_free(struct nsteer_tun_steering *st)
{
	free(st);
}

NSTEER_API enum nsteer_tun_policy
nsteer_tun_steering_policy(const struct nsteer_tun_steering *st)
{
	return st->policy;
}

NSTEER_API int nsteer_tun_steering_queue(const struct nsteer_tun_steering *st,
					 uint32_t *queue)
{
	if (st->policy != NSTEER_TUN_POLICY_FIXED)
		return -ENODATA;
	*queue = st->queue;
	return 0;
}

NSTEER_API const char *
nsteer_tun_steering_backend(const struct nsteer_tun_steering *st)
{
	return st->state.steering.prog.id ? "bpf-steering" : "kernel";
}

NSTEER_API enum nsteer_owner
nsteer_tun_steering_owner(const struct nsteer_tun_steering *st)
{
	return st->owner;
}

NSTEER_API const struct nsteer_prog *
nsteer_tun_steering_prog(const struct nsteer_tun_steering *st)
{
	const struct nsteer_prog *prog = &st->state.steering.prog;

	return prog->id ? prog : NULL;
}

NSTEER_API const struct nsteer_prog *
nsteer_tun_filter_prog(const struct nsteer_tun_steering *st)
{
	const struct nsteer_prog *prog = &st->state.filter.prog;

	return prog->id ? prog : NULL;
}

static int snapshot(struct nsteer *ns, const struct nst_tun_state *state,
		    struct nsteer_tun_steering **out)
{
	struct nsteer_tun_steering *st = malloc(sizeof(*st));

	if (!st)
		return nst_fail(ns, -ENOMEM, "out of memory");
	nst_tun_steering_derive(state, st);
	*out = st;
	return 0;
}

NSTEER_API int nsteer_tun_steering_get(struct nsteer *ns, uint32_t ifindex,
				       struct nsteer_tun_steering **out)
{
	struct nst_tun_state state;
	struct nst_tun_link link;
	int err;

	nst_err_clear(ns);
	/* Tells a device that is no tun/tap from one that is not there. */
	err = nst_tun_link_get(ns, ifindex, &link);
	if (!err)
		err = nst_tun_inspect(ns, ifindex, &state);
	return err ? err : snapshot(ns, &state, out);
}

int nst_tun_queue_check(struct nsteer *ns, int fd, struct ifreq *ifr)
{
	struct stat st;

	memset(ifr, 0, sizeof(*ifr));
	if (fstat(fd, &st))
		return nst_fail(ns, -EBADF, "descriptor %d is not open", fd);
	if (S_ISCHR(st.st_mode) && st.st_rdev == NST_TUN_RDEV) {
		if (!ioctl(fd, TUNGETIFF, ifr))
			return 0;
		return nst_fail(ns, -EBADFD,
				"descriptor %d is a queue of no device (not "
				"attached yet, or the device is gone)",
				fd);
	}
	/* macvtap and ipvtap queues answer this too, on a node of their own. */
	if (S_ISCHR(st.st_mode) && !ioctl(fd, TUNGETIFF, ifr))
		return nst_fail(ns, -EOPNOTSUPP,
				"descriptor %d is a queue of a macvtap or "
				"ipvtap device: the kernel has no queue "
				"steering there",
				fd);
	return nst_fail(ns, -EBADF, "descriptor %d is no queue of a tun or tap "
			"device", fd);
}

NSTEER_API int nsteer_tun_steering_get_fd(struct nsteer *ns, int queue_fd,
					  struct nsteer_tun_steering **out)
{
	struct nst_tun_queue queue;
	struct ifreq ifr;
	int err;

	nst_err_clear(ns);
	err = nst_tun_queue_check(ns, queue_fd, &ifr);
	if (!err)
		err = nst_tun_inspect_queue(ns, queue_fd, &queue);
	return err ? err : snapshot(ns, &queue.state, out);
}
