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
#include "core/caps.h"
#include "core/netns.h"
#include "tun/tun.h"

#define MISC_MAJOR 10
#define TUN_MINOR 200 /* Documentation/admin-guide/devices.txt */

void nst_tun_steering_derive(const struct nst_tun_state *state,
			     struct nsteer_tun_steering *out)
{
	const struct nst_tun_prog *prog = &state->steering;
	const struct nst_tun_policy *policy;

	memset(out, 0, sizeof(*out));
	out->state = *state;
	if (!prog->id) {
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
	return st->state.steering.id ? "bpf-steering" : "kernel";
}

NSTEER_API enum nsteer_owner
nsteer_tun_steering_owner(const struct nsteer_tun_steering *st)
{
	return st->owner;
}

NSTEER_API uint32_t
nsteer_tun_steering_prog_id(const struct nsteer_tun_steering *st)
{
	return st->state.steering.id;
}

NSTEER_API const char *
nsteer_tun_steering_prog_name(const struct nsteer_tun_steering *st)
{
	return st->state.steering.name;
}

NSTEER_API const char *
nsteer_tun_steering_prog_tag(const struct nsteer_tun_steering *st)
{
	return st->state.steering.tag;
}

NSTEER_API uint32_t
nsteer_tun_filter_prog_id(const struct nsteer_tun_steering *st)
{
	return st->state.filter.id;
}

NSTEER_API const char *
nsteer_tun_filter_prog_name(const struct nsteer_tun_steering *st)
{
	return st->state.filter.name;
}

NSTEER_API const char *
nsteer_tun_filter_prog_tag(const struct nsteer_tun_steering *st)
{
	return st->state.filter.tag;
}

static int get(struct nsteer *ns, uint32_t ifindex,
	       struct nsteer_tun_steering **out)
{
	struct nst_tun_link link;
	struct nst_tun_state state;
	struct nsteer_tun_steering *st;
	int err;

	/* Tells a device that is no tun/tap from one that is not there. */
	err = nst_tun_link_get(ns, ifindex, &link);
	if (!err)
		err = nst_tun_inspect(ns, ifindex, &state);
	if (err)
		return err;
	st = malloc(sizeof(*st));
	if (!st)
		return nst_fail(ns, -ENOMEM, "out of memory");
	nst_tun_steering_derive(&state, st);
	*out = st;
	return 0;
}

NSTEER_API int nsteer_tun_steering_get(struct nsteer *ns, uint32_t ifindex,
				       struct nsteer_tun_steering **out)
{
	nst_err_clear(ns);
	return get(ns, ifindex, out);
}

static int get_by_fd(struct nsteer *ns, uint32_t ifindex, int queue_fd,
		     void *data)
{
	(void)queue_fd;
	return get(ns, ifindex, data);
}

NSTEER_API int nsteer_tun_steering_get_fd(struct nsteer *ns, int queue_fd,
					  struct nsteer_tun_steering **out)
{
	nst_err_clear(ns);
	return nst_tun_by_fd(ns, queue_fd, get_by_fd, out);
}

/* ---- which device is this a queue of? ---- */

static int check_queue_fd(struct nsteer *ns, int fd, struct ifreq *ifr)
{
	struct stat st;

	memset(ifr, 0, sizeof(*ifr));
	if (fstat(fd, &st))
		return nst_fail(ns, -EBADF, "descriptor %d is not open", fd);
	if (S_ISCHR(st.st_mode) && st.st_rdev == makedev(MISC_MAJOR, TUN_MINOR)) {
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

/* The record of another context becomes this one's. */
static int borrow_error(struct nsteer *ns, const struct nsteer *from, int err)
{
	if (err && from)
		ns->err = from->err;
	return err;
}

/* A descriptor tells a name only, and names move: ask before and after. */
static int find_device(struct nsteer *ns, int queue_fd, uint32_t *ifindex)
{
	struct ifreq before, after;
	char print[NST_NAME_PRINT];
	int tries, err;

	for (tries = 0; tries < NST_TUN_RENAME_TRIES; tries++) {
		err = check_queue_fd(ns, queue_fd, &before);
		if (err)
			return err;
		err = nsteer_link_index(ns, before.ifr_name, ifindex);
		if (err && err != -ENODEV)
			return err;
		if (!err && !check_queue_fd(ns, queue_fd, &after) &&
		    !strncmp(before.ifr_name, after.ifr_name, IFNAMSIZ))
			return 0;
	}
	return nst_fail(ns, -EAGAIN,
			"the device of descriptor %d, lately %s, is renamed "
			"faster than it can be found",
			queue_fd, nst_name_print(before.ifr_name, print));
}

static int in_netns(struct nsteer *ns, int netns, int queue_fd,
		    nst_tun_fd_fn fn, void *data)
{
	struct nsteer_open_opts o = { .sz = sizeof(o), .netns_fd = netns,
				      .log = ns->log,
				      .log_data = ns->log_data };
	struct nsteer *other = ns;
	uint32_t ifindex;
	int err = 0;

	if (!nst_netns_is_ours(ns, netns))
		err = nsteer_open(&o, &other);
	if (!err)
		err = find_device(other, queue_fd, &ifindex);
	if (!err)
		err = fn(other, ifindex, queue_fd, data);
	if (other != ns) {
		borrow_error(ns, other, err);
		nsteer_close(other);
	}
	return err;
}

/* Never descriptor 0, which is "not set" in struct nsteer_open_opts. */
static int device_netns(int queue_fd)
{
	int fd = ioctl(queue_fd, TUNGETDEVNETNS), moved, err;

	if (fd)
		return fd;
	moved = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	err = errno;
	close(fd);
	errno = err;
	return moved;
}

int nst_tun_by_fd(struct nsteer *ns, int queue_fd, nst_tun_fd_fn fn, void *data)
{
	struct ifreq ifr;
	int netns, err;

	err = check_queue_fd(ns, queue_fd, &ifr);
	if (err)
		return err;
	netns = device_netns(queue_fd);
	if (netns < 0)
		return nst_fail_cap(ns, -errno, NST_CAPS(CAP_NET_ADMIN),
				    "cannot tell which network namespace the "
				    "queue's device is in (TUNGETDEVNETNS, "
				    "Linux 5.2): %s",
				    strerror(errno));
	err = in_netns(ns, netns, queue_fd, fn, data);
	close(netns);
	return err;
}
