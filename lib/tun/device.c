/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tun/tap devices: what rtnetlink tells of one, making one, deleting one. */
#include <fcntl.h>
#include <linux/if_link.h>
#include <linux/if_tun.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/caps.h"
#include "core/netns.h"
#include "tun/tun.h"

static void info_from_nl(const struct nlattr *nest, struct nst_tun_link *out)
{
	const struct nlattr *tb[IFLA_TUN_MAX + 1];
	uint8_t v;

	nst_nla_parse_nested(nest, tb, IFLA_TUN_MAX);
	if (nst_nla_u8(tb[IFLA_TUN_TYPE], &v))
		out->mode = v == IFF_TAP ? NSTEER_TUN_MODE_TAP
					 : NSTEER_TUN_MODE_TUN;
	out->pi = nst_nla_u8(tb[IFLA_TUN_PI], &v) && v;
	out->vnet_hdr = nst_nla_u8(tb[IFLA_TUN_VNET_HDR], &v) && v;
	out->persist = nst_nla_u8(tb[IFLA_TUN_PERSIST], &v) && v;
	out->multi_queue = nst_nla_u8(tb[IFLA_TUN_MULTI_QUEUE], &v) && v;
	out->has_user = nst_nla_u32(tb[IFLA_TUN_OWNER], &out->user);
	out->has_group = nst_nla_u32(tb[IFLA_TUN_GROUP], &out->group);
	out->has_queues =
		nst_nla_u32(tb[IFLA_TUN_NUM_QUEUES], &out->numqueues) &&
		nst_nla_u32(tb[IFLA_TUN_NUM_DISABLED_QUEUES],
			    &out->numdisabled);
}

bool nst_tun_link_from_nl(const struct nlmsghdr *nlh, struct nst_tun_link *out)
{
	const struct nlattr *tb[IFLA_CARRIER + 1];
	const struct nlattr *info[IFLA_INFO_DATA + 1];
	const struct ifinfomsg *ifi = mnl_nlmsg_get_payload(nlh);
	uint8_t v;

	memset(out, 0, sizeof(*out));
	if (nlh->nlmsg_type != RTM_NEWLINK ||
	    mnl_nlmsg_get_payload_len(nlh) < sizeof(*ifi))
		return false;
	NST_NLA_PARSE_MSG(nlh, sizeof(*ifi), tb, IFLA_CARRIER);
	out->ifindex = ifi->ifi_index;
	if (!nst_nla_str(tb[IFLA_IFNAME], out->name, sizeof(out->name)))
		return false;
	out->carrier = nst_nla_u8(tb[IFLA_CARRIER], &v) && v;
	nst_nla_parse_nested(tb[IFLA_LINKINFO], info, IFLA_INFO_DATA);
	nst_nla_str(info[IFLA_INFO_KIND], out->kind, sizeof(out->kind));
	if (!strcmp(out->kind, "tun"))
		info_from_nl(info[IFLA_INFO_DATA], out);
	return true;
}

static int take_link(const struct nlmsghdr *nlh, void *data)
{
	return nst_tun_link_from_nl(nlh, data) ? 0 : -EPROTO;
}

/* Any device, by index or by name. */
static int any_link_get(struct nsteer *ns, uint32_t ifindex, const char *name,
			struct nst_tun_link *out)
{
	memset(out, 0, sizeof(*out));
	return nst_link_get(ns, ifindex, name, take_link, out);
}

int nst_tun_link_get(struct nsteer *ns, uint32_t ifindex,
		     struct nst_tun_link *out)
{
	char name[NST_NAME_PRINT];
	int err;

	if (!ifindex)
		return nst_fail(ns, -ENODEV, "no device has index 0");
	err = any_link_get(ns, ifindex, NULL, out);
	if (err)
		return err;
	if (!strcmp(out->kind, "tun"))
		return 0;
	nst_name_print(out->name, name);
	if (!strcmp(out->kind, "macvtap") || !strcmp(out->kind, "ipvtap"))
		return nst_fail(ns, -EOPNOTSUPP,
				"%s is a %s device: the kernel has no queue "
				"steering there, its queues are chosen by the "
				"packet's hash",
				name, out->kind);
	return nst_fail(ns, -EOPNOTSUPP, "%s is no tun or tap device%s%s%s",
			name, *out->kind ? " (it is of kind " : "", out->kind,
			*out->kind ? ")" : "");
}

const char *nst_tun_flags_text(const struct nst_tun_link *link,
			       char buf[NST_TUN_FLAGS_TEXT])
{
	snprintf(buf, NST_TUN_FLAGS_TEXT, "%s%s%s%s",
		 link->mode == NSTEER_TUN_MODE_TUN ? "tun" : "tap",
		 link->multi_queue ? " multi_queue" : "",
		 link->pi ? " pi" : "", link->vnet_hdr ? " vnet_hdr" : "");
	return buf;
}

static int check_add(struct nsteer *ns, const char *name,
		     const struct nsteer_tun_add_opts *o)
{
	const char *percent = strchr(name, '%');
	char print[NST_NAME_PRINT];

	if (!nst_link_name_valid(name, IFNAMSIZ))
		return nst_fail(ns, -EINVAL,
				"\"%s\" cannot name a device: 1 to %d bytes, "
				"no blank, '/' or ':', not \".\" or \"..\"",
				nst_name_print(name, print), IFNAMSIZ - 1);
	if (percent && (percent[1] != 'd' || strchr(percent + 1, '%')))
		return nst_fail(ns, -EINVAL,
				"\"%s\" cannot name a device: '%%' stands only "
				"in one \"%%d\", where the kernel puts a number",
				nst_name_print(name, print));
	if (o->mode && o->mode != NSTEER_TUN_MODE_TUN &&
	    o->mode != NSTEER_TUN_MODE_TAP)
		return nst_fail(ns, -EINVAL, "unknown tun mode %d", o->mode);
	return 0;
}

/* The name is taken: by what? */
static int fail_exists(struct nsteer *ns, const char *name)
{
	char print[NST_NAME_PRINT], other[NST_NAME_PRINT],
		what[NST_TUN_FLAGS_TEXT];
	struct nst_tun_link link;

	nst_name_print(name, print);
	if (any_link_get(ns, 0, name, &link))
		return nst_fail(ns, -EEXIST, "a device %s exists already",
				print);
	if (strcmp(link.kind, "tun"))
		snprintf(what, sizeof(what), "%s%s",
			 *link.kind ? "of kind " : "no tun or tap", link.kind);
	else
		nst_tun_flags_text(&link, what);
	if (strcmp(link.name, name))
		return nst_fail(ns, -EEXIST,
				"%s is an alternative name of the device %s "
				"(%s)",
				print, nst_name_print(link.name, other), what);
	return nst_fail(ns, -EEXIST, "a device %s exists already (%s)", print,
			what);
}

static int fail_create(struct nsteer *ns, int err, const char *name)
{
	char print[NST_NAME_PRINT];

	if (err == -EBUSY || err == -EEXIST)
		return fail_exists(ns, name);
	return nst_fail_cap(ns, err, NST_CAPS(CAP_NET_ADMIN),
			    "cannot make device %s: %s",
			    nst_name_print(name, print), strerror(-err));
}

/* Everything that makes the device what was asked; on failure the close of fd
 * takes it away, as it is not persistent yet. */
static int make_device(struct nsteer *ns, int fd, const char *name,
		       const struct nsteer_tun_add_opts *o, uint32_t *ifindex)
{
	const struct nst_tun_link like = { .mode = o->mode,
					   .multi_queue = o->multi_queue,
					   .pi = o->pi,
					   .vnet_hdr = o->vnet_hdr };
	struct ifreq ifr = { 0 };
	int err;

	strcpy(ifr.ifr_name, name);
	ifr.ifr_flags = nst_tun_open_flags(&like) | IFF_TUN_EXCL;
	if (ioctl(fd, TUNSETIFF, &ifr))
		return fail_create(ns, -errno, name);
	/* Whoever names new devices (udev) may have renamed it by now. */
	err = nst_tun_queue_ifindex(ns, fd, ifindex);
	if (err)
		return err;
	if (o->has_user && ioctl(fd, TUNSETOWNER, (unsigned long)o->user))
		return nst_fail(ns, -errno, "cannot give the device to user "
				"%u: %s", o->user, strerror(errno));
	if (o->has_group && ioctl(fd, TUNSETGROUP, (unsigned long)o->group))
		return nst_fail(ns, -errno, "cannot give the device to group "
				"%u: %s", o->group, strerror(errno));
	if (ioctl(fd, TUNSETPERSIST, 1UL))
		return nst_fail(ns, -errno, "cannot make the device "
				"persistent: %s", strerror(errno));
	return 0;
}

NSTEER_API int nsteer_tun_add(struct nsteer *ns, const char *name,
			      const struct nsteer_tun_add_opts *opts,
			      uint32_t *ifindex)
{
	struct nsteer_tun_add_opts o;
	uint32_t index;
	int fd, err;

	nst_err_clear(ns);
	err = NST_OPTS_READ(ns, opts, &o);
	if (!err)
		err = check_add(ns, name, &o);
	if (err)
		return err;
	fd = nst_tun_chardev_open(ns);
	if (fd < 0)
		return fd;
	err = make_device(ns, fd, name, &o, &index);
	close(fd);
	if (!err)
		*ifindex = index;
	return err;
}

static int name_holder(const struct nst_holder *holder, void *data)
{
	*(struct nst_holder *)data = *holder;
	return 1;
}

/* Opening a queue raises the carrier, unless its holder lowers it. */
bool nst_tun_looks_held(const struct nst_tun_link *link)
{
	return link->carrier || !link->persist;
}

bool nst_tun_count_queues(struct nsteer *ns, const struct nst_tun_link *link,
			  uint32_t *count)
{
	struct nst_tun_state state;

	*count = link->numqueues + link->numdisabled;
	if (link->has_queues)
		return true;
	if (nst_tun_inspect(ns, link->ifindex, &state)) {
		nst_err_clear(ns);
		return false;
	}
	*count = state.numqueues + state.numdisabled;
	return true;
}

static int fail_held(struct nsteer *ns, const struct nst_tun_link *link,
		     const struct nst_holder *holder,
		     const struct nst_holder_hidden *hidden)
{
	char print[NST_NAME_PRINT], comm[NST_NAME_PRINT], why[NST_HOLDER_WHY];

	nst_name_print(link->name, print);
	if (holder->pid)
		return nst_fail(ns, -EBUSY,
				"process %d (%s) holds a queue of %s as its "
				"descriptor %d: end it first, or force",
				holder->pid, nst_name_print(holder->comm, comm),
				print, holder->fd);
	nst_holder_why(hidden, why);
	if (hidden->count)
		return nst_fail(ns, -EBUSY,
				"descriptor %d of process %d (%s) seems to hold "
				"a queue of %s, and cannot be checked (%s): end "
				"it first, or force",
				hidden->fd, hidden->pid,
				nst_name_print(hidden->comm, comm), print, why);
	return nst_fail(ns, -EBUSY,
			"%s is held by a process that cannot be seen from here "
			"(%s): end it first, or force",
			print, why);
}

/* -EBUSY when a process holds a queue, and which. */
static int check_held(struct nsteer *ns, const struct nst_tun_link *link)
{
	struct nst_holder_hidden hidden = { 0 };
	struct nst_holder holder = { 0 };
	uint32_t count;
	bool known = nst_tun_count_queues(ns, link, &count);

	if (known && !count)
		return 0;
	/* Not to find one is no error here. */
	if (nst_holder_walk(ns, link, name_holder, &holder, &hidden))
		nst_err_clear(ns);
	if (!known && !holder.pid && !hidden.count && !nst_tun_looks_held(link))
		return 0;
	return fail_held(ns, link, &holder, &hidden);
}

/*
 * What the owner may do without cap_net_admin: TUNSETPERSIST on a queue. Is the
 * device still there after its close, somebody else has opened one meanwhile.
 */
static int del_as_owner(struct nsteer *ns, const struct nst_tun_link *link)
{
	struct nst_tun_link now;
	int fd, err;

	err = nst_tun_queue_open(ns, link, 0, false, &fd);
	if (err)
		return err;
	if (ioctl(fd, TUNSETPERSIST, 0UL))
		err = nst_fail(ns, -errno,
			       "cannot take the persistence off a device: %s",
			       strerror(errno));
	close(fd);
	if (!err && !nst_tun_link_get(ns, link->ifindex, &now))
		return nst_fail(ns, -EBUSY,
				"a process has opened the device meanwhile: it "
				"goes when that closes it");
	return err;
}

NSTEER_API int nsteer_tun_del(struct nsteer *ns, uint32_t ifindex,
			      const struct nsteer_tun_del_opts *opts)
{
	struct nsteer_tun_del_opts o;
	struct nst_tun_link link;
	char print[NST_NAME_PRINT];
	int err, held;

	nst_err_clear(ns);
	err = NST_OPTS_READ(ns, opts, &o);
	if (!err)
		err = nst_tun_link_get(ns, ifindex, &link);
	if (err)
		return err;
	held = check_held(ns, &link);
	if (held && !o.force)
		return held;
	nst_err_clear(ns);
	err = nst_link_del(ns, ifindex);
	if (err == -EPERM && !held) {
		/* What stands in the way of its owner says more. */
		err = del_as_owner(ns, &link);
		if (!err)
			nst_err_clear(ns);
		return err;
	}
	if (err)
		return nst_fail_cap(ns, err, NST_CAPS(CAP_NET_ADMIN),
				    "cannot delete %s: %s",
				    nst_name_print(link.name, print),
				    strerror(-err));
	return 0;
}
