/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Opening a queue of a device that exists, without changing it. */
#include <fcntl.h>
#include <linux/if_tun.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "core/caps.h"
#include "core/netns.h"
#include "tun/tun.h"

#define CHARDEV "/dev/net/tun"
/* The loopback device has this index in every namespace [net/core/dev.c]. */
#define LOOPBACK_IFINDEX 1

static int fail_chardev(struct nsteer *ns, int err)
{
	if (err == -ENOENT)
		return nst_fail(ns, err,
				"%s is not there: load the module tun, or give "
				"this container the device (character 10:200)",
				CHARDEV);
	if (err == -ENODEV || err == -ENXIO)
		return nst_fail(ns, err,
				"%s has no driver: the kernel has no tun "
				"(CONFIG_TUN, module tun)",
				CHARDEV);
	return nst_fail_cap(ns, err, NST_CAPS(CAP_DAC_OVERRIDE),
			    "cannot open %s for reading and writing: %s",
			    CHARDEV, strerror(-err));
}

int nst_tun_chardev_open(struct nsteer *ns)
{
	struct nst_netns_guard guard;
	struct stat st;
	int fd, err;

	/* It acts in the namespace in which it is opened. */
	err = nst_netns_enter(ns, &guard);
	if (err)
		return err;
	fd = open(CHARDEV, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return nst_netns_leave(ns, &guard, fail_chardev(ns, -errno));
	err = nst_netns_leave(ns, &guard, 0);
	if (!err && (fstat(fd, &st) || !S_ISCHR(st.st_mode) ||
		     st.st_rdev != NST_TUN_RDEV))
		err = nst_fail(ns, -ENXIO,
			       "%s is something else than the tun device "
			       "(character 10:200)",
			       CHARDEV);
	if (err) {
		close(fd);
		return err;
	}
	return fd;
}

static int fail_gone(struct nsteer *ns, const struct nst_tun_link *link)
{
	char print[NST_NAME_PRINT];

	return nst_fail(ns, -ENODEV, "%s (ifindex %u) is gone",
			nst_name_print(link->name, print), link->ifindex);
}

static int fail_single(struct nsteer *ns, const char *name)
{
	return nst_fail(ns, -EBUSY,
			"%s has one queue (no multi_queue), and a process holds "
			"it",
			name);
}

/* tun_not_capable(): user and group have to match, as far as they are set. */
static int fail_perm(struct nsteer *ns, const struct nst_tun_link *link,
		     const char *name)
{
	char user[32] = "", group[32] = "";

	if (link->has_user)
		snprintf(user, sizeof(user), "user %u", link->user);
	if (link->has_group)
		snprintf(group, sizeof(group), "%sgroup %u",
			 link->has_user ? " in " : "", link->group);
	return nst_fail_cap(ns, -EPERM, NST_CAPS(CAP_NET_ADMIN),
			    "a queue of %s may be opened by %s%s, or with "
			    "cap_net_admin",
			    name, user, group);
}

/*
 * The device as it is now tells why the kernel refused. 1: it was renamed, look
 * again.
 */
static int fail_open(struct nsteer *ns, int err, struct nst_tun_link *asked)
{
	char print[NST_NAME_PRINT], was[NST_TUN_FLAGS_TEXT],
		is[NST_TUN_FLAGS_TEXT];
	struct nst_tun_link now;
	int gone = nst_tun_link_get(ns, asked->ifindex, &now);

	if (gone)
		return gone == -ENODEV ? fail_gone(ns, asked) : gone;
	/* -EBUSY also means that the name was nobody's, see attach(). */
	if (strcmp(now.name, asked->name) ||
	    (err == -EBUSY && now.multi_queue)) {
		*asked = now;
		return 1;
	}
	nst_name_print(now.name, print);
	switch (err) {
	case -EBUSY:
		return fail_single(ns, print);
	case -E2BIG:
		return nst_fail(ns, err,
				"%s has %u queues (%u active, %u disabled), and "
				"%d is the kernel's maximum: disabled ones "
				"count too",
				print, now.numqueues + now.numdisabled,
				now.numqueues, now.numdisabled,
				NST_TUN_QUEUES_MAX);
	case -EINVAL:
		return nst_fail(ns, err,
				"the kernel refused a queue opened as \"%s\": "
				"%s is \"%s\"",
				nst_tun_flags_text(asked, was), print,
				nst_tun_flags_text(&now, is));
	}
	if (err == -EPERM && (now.has_user || now.has_group))
		return fail_perm(ns, &now, print);
	return nst_fail_cap(ns, err, NST_CAPS(CAP_NET_ADMIN),
			    "cannot open a queue of %s: %s", print,
			    strerror(-err));
}

static int compare_once(struct nsteer *ns, int fd, struct nst_tun_link *link)
{
	struct ifreq before = { 0 }, after = { 0 };
	struct nst_tun_link now;
	int err;

	if (ioctl(fd, TUNGETIFF, &before))
		return fail_gone(ns, link);
	err = nst_tun_link_get(ns, link->ifindex, &now);
	if (err && err != -ENODEV)
		return err;
	if (err || ioctl(fd, TUNGETIFF, &after))
		return fail_gone(ns, link);
	if (!strncmp(now.name, before.ifr_name, IFNAMSIZ) &&
	    !strncmp(now.name, after.ifr_name, IFNAMSIZ))
		return 0;
	*link = now;
	return 1;
}

/*
 * A descriptor tells a name only, and names move: ask before and after, and all
 * of it twice, for two devices that swap names may do so between two calls.
 */
int nst_tun_queue_compare(struct nsteer *ns, int fd, struct nst_tun_link *link)
{
	int err = compare_once(ns, fd, link);

	return err ? err : compare_once(ns, fd, link);
}

int nst_tun_queue_ifindex(struct nsteer *ns, int fd, uint32_t *ifindex)
{
	struct ifreq before = { 0 }, after = { 0 };
	char print[NST_NAME_PRINT];
	int tries, err;

	for (tries = 0; tries < NST_TUN_RENAME_TRIES; tries++) {
		if (ioctl(fd, TUNGETIFF, &before))
			break;
		err = nsteer_link_index(ns, before.ifr_name, ifindex);
		if (err && err != -ENODEV)
			return err;
		if (!ioctl(fd, TUNGETIFF, &after) && !err &&
		    !strncmp(before.ifr_name, after.ifr_name, IFNAMSIZ))
			return 0;
	}
	return nst_fail(ns, -EAGAIN,
			"the device, lately %s, is gone or renamed faster than "
			"it can be found",
			nst_name_print(before.ifr_name, print));
}

unsigned int nst_tun_open_flags(const struct nst_tun_link *link)
{
	return (link->mode == NSTEER_TUN_MODE_TUN ? IFF_TUN : IFF_TAP) |
	       (link->multi_queue ? IFF_MULTI_QUEUE : 0) |
	       (link->pi ? 0 : IFF_NO_PI) |
	       (link->vnet_hdr ? IFF_VNET_HDR : 0);
}

static int attach(int fd, const struct nst_tun_link *link,
		  unsigned int extra_flags)
{
	int in_use = LOOPBACK_IFINDEX;
	struct ifreq ifr = { 0 };

	strcpy(ifr.ifr_name, link->name);
	ifr.ifr_flags = nst_tun_open_flags(link) | extra_flags;
	/*
	 * TUNSETIFF on a name that was deleted a moment ago makes a new device.
	 * One with an index that is taken cannot be registered (-EBUSY), and
	 * an existing device is opened all the same.
	 */
	if (ioctl(fd, TUNSETIFINDEX, &in_use) || ioctl(fd, TUNSETIFF, &ifr))
		return -errno;
	return 0;
}

static int detach(struct nsteer *ns, int fd, const struct nst_tun_link *link)
{
	struct ifreq ifr = { .ifr_flags = IFF_DETACH_QUEUE };
	char print[NST_NAME_PRINT];
	int err;

	if (!ioctl(fd, TUNSETQUEUE, &ifr))
		return 0;
	err = -errno;
	if (ioctl(fd, TUNGETIFF, &ifr))
		return fail_gone(ns, link);
	return nst_fail(ns, err, "cannot detach the new queue of %s: %s",
			nst_name_print(link->name, print), strerror(-err));
}

/* 1: the device was renamed meanwhile, link has its new name. */
static int open_once(struct nsteer *ns, struct nst_tun_link *link,
		     unsigned int extra_flags, bool detached, int *out)
{
	int fd, err;

	fd = nst_tun_chardev_open(ns);
	if (fd < 0)
		return fd;
	err = attach(fd, link, extra_flags);
	if (err)
		err = fail_open(ns, err, link);
	/* Before anything else: packets land on it while it is attached. */
	else if (detached)
		err = detach(ns, fd, link);
	if (!err)
		err = nst_tun_queue_compare(ns, fd, link);
	if (err) {
		close(fd);
		return err;
	}
	*out = fd;
	return 0;
}

int nst_tun_queue_open(struct nsteer *ns, const struct nst_tun_link *link,
		       unsigned int extra_flags, bool detached, int *fd)
{
	struct nst_tun_link now = *link;
	char print[NST_NAME_PRINT];
	int tries, err = 1;

	if (!link->mode)
		return nst_fail(ns, -EOPNOTSUPP,
				"the kernel does not tell whether %s is tun or "
				"tap, and how it is to be opened: it needs Linux "
				"4.17",
				nst_name_print(link->name, print));
	for (tries = 0; err == 1 && tries < NST_TUN_RENAME_TRIES; tries++)
		err = open_once(ns, &now, extra_flags, detached, fd);
	if (err != 1)
		return err;
	return nst_fail(ns, -EAGAIN,
			"device %u, now %s, is renamed faster than it can be "
			"opened",
			link->ifindex, nst_name_print(now.name, print));
}

static int check_wish(struct nsteer *ns, const struct nst_tun_link *link,
		      const struct nsteer_tun_queue_opts *o)
{
	char print[NST_NAME_PRINT];

	nst_name_print(link->name, print);
	if (o->mode && o->mode != link->mode)
		return nst_fail(ns, -EINVAL,
				"%s is a %s device, the caller wants a %s one",
				print,
				link->mode == NSTEER_TUN_MODE_TUN ? "tun" : "tap",
				o->mode == NSTEER_TUN_MODE_TUN ? "tun" : "tap");
	if (o->queues > NST_TUN_QUEUES_MAX)
		return nst_fail(ns, -E2BIG,
				"the caller wants %u queues of %s, and %d is "
				"the kernel's maximum",
				o->queues, print, NST_TUN_QUEUES_MAX);
	if (o->queues == 1 && link->multi_queue)
		return nst_fail(ns, -EINVAL,
				"%s is multi_queue, the caller wants a device "
				"of one queue: make it without multi_queue",
				print);
	if (o->queues > 1 && !link->multi_queue)
		return nst_fail(ns, -EINVAL,
				"%s is not multi_queue, the caller wants %u "
				"queues: make it with multi_queue",
				print, o->queues);
	if (o->detached && !link->multi_queue)
		return nst_fail(ns, -EINVAL,
				"%s is not multi_queue, its queue cannot be "
				"detached",
				print);
	return 0;
}

/* As far as they may be seen. */
static unsigned int untold_flags(struct nsteer *ns, uint32_t ifindex)
{
	struct nst_tun_state state;

	if (!nst_tun_inspect(ns, ifindex, &state))
		return state.flags & NST_TUN_UNTOLD_FLAGS;
	nst_err_clear(ns);
	return 0;
}

NSTEER_API int nsteer_tun_queue_open(struct nsteer *ns, uint32_t ifindex,
				     const struct nsteer_tun_queue_opts *opts,
				     int *fd)
{
	struct nsteer_tun_queue_opts o;
	struct nst_tun_link link;
	int err;

	nst_err_clear(ns);
	err = NST_OPTS_READ(ns, opts, &o);
	if (!err)
		err = nst_tun_link_get(ns, ifindex, &link);
	if (!err)
		err = check_wish(ns, &link, &o);
	if (!err)
		err = nst_tun_queue_open(ns, &link, untold_flags(ns, ifindex),
					 o.detached, fd);
	return err;
}
