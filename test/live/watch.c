// SPDX-License-Identifier: GPL-2.0-or-later
/* Rtnetlink and uevents, as the kernel sends them. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "live.h"

static int attr_cb(const struct nlattr *attr, void *data)
{
	const struct nlattr **tb = data;

	if (mnl_attr_get_type(attr) <= IFLA_MAX)
		tb[mnl_attr_get_type(attr)] = attr;
	return MNL_CB_OK;
}

static bool flag(const struct nlattr *attr)
{
	ck_assert_ptr_nonnull(attr);
	return mnl_attr_get_u8(attr);
}

static bool number(const struct nlattr *attr, uint32_t *out)
{
	if (attr)
		*out = mnl_attr_get_u32(attr);
	return attr != NULL;
}

static void read_info(const struct nlattr *data, struct lv_link *out)
{
	const struct nlattr *tb[IFLA_MAX + 1] = { 0 };

	mnl_attr_parse_nested(data, attr_cb, tb);
	out->type = mnl_attr_get_u8(tb[IFLA_TUN_TYPE]);
	out->pi = flag(tb[IFLA_TUN_PI]);
	out->vnet_hdr = flag(tb[IFLA_TUN_VNET_HDR]);
	out->persist = flag(tb[IFLA_TUN_PERSIST]);
	out->multi_queue = flag(tb[IFLA_TUN_MULTI_QUEUE]);
	out->has_user = number(tb[IFLA_TUN_OWNER], &out->user);
	out->has_group = number(tb[IFLA_TUN_GROUP], &out->group);
	out->has_queues = number(tb[IFLA_TUN_NUM_QUEUES], &out->queues);
	number(tb[IFLA_TUN_NUM_DISABLED_QUEUES], &out->disabled);
}

static int link_cb(const struct nlmsghdr *nlh, void *data)
{
	const struct ifinfomsg *ifi = mnl_nlmsg_get_payload(nlh);
	const struct nlattr *tb[IFLA_MAX + 1] = { 0 };
	const struct nlattr *info[IFLA_MAX + 1] = { 0 };
	struct lv_link *out = data;

	mnl_attr_parse(nlh, sizeof(*ifi), attr_cb, tb);
	out->ifindex = ifi->ifi_index;
	out->flags = ifi->ifi_flags;
	if (!tb[IFLA_LINKINFO])
		return MNL_CB_OK;
	mnl_attr_parse_nested(tb[IFLA_LINKINFO], attr_cb, info);
	if (info[IFLA_INFO_DATA] &&
	    !strcmp(mnl_attr_get_str(info[IFLA_INFO_KIND]), "tun"))
		read_info(info[IFLA_INFO_DATA], out);
	return MNL_CB_OK;
}

static struct mnl_socket *rtnl(unsigned int groups)
{
	struct mnl_socket *nl = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);

	if (!nl || mnl_socket_bind(nl, groups, MNL_SOCKET_AUTOPID))
		fx_die("rtnetlink: %s", strerror(errno));
	return nl;
}

bool lv_link(const char *name, struct lv_link *out)
{
	char buf[32768];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct mnl_socket *nl = rtnl(0);
	struct ifinfomsg *ifi;
	ssize_t n;

	memset(out, 0, sizeof(*out));
	nlh->nlmsg_type = RTM_GETLINK;
	nlh->nlmsg_flags = NLM_F_REQUEST;
	ifi = mnl_nlmsg_put_extra_header(nlh, sizeof(*ifi));
	ifi->ifi_family = AF_UNSPEC;
	mnl_attr_put_strz(nlh, IFLA_IFNAME, name);
	if (mnl_socket_sendto(nl, nlh, nlh->nlmsg_len) < 0)
		fx_die("rtnetlink: %s", strerror(errno));
	n = mnl_socket_recvfrom(nl, buf, sizeof(buf));
	if (n < 0)
		fx_die("rtnetlink: %s", strerror(errno));
	n = mnl_cb_run(buf, n, 0, mnl_socket_get_portid(nl), link_cb, out);
	mnl_socket_close(nl);
	return n >= 0 && out->ifindex;
}

int lv_link_del(uint32_t ifindex)
{
	char buf[8192];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct mnl_socket *nl = rtnl(0);
	struct ifinfomsg *ifi;
	ssize_t n;

	nlh->nlmsg_type = RTM_DELLINK;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	ifi = mnl_nlmsg_put_extra_header(nlh, sizeof(*ifi));
	ifi->ifi_index = ifindex;
	if (mnl_socket_sendto(nl, nlh, nlh->nlmsg_len) < 0)
		fx_die("rtnetlink: %s", strerror(errno));
	n = mnl_socket_recvfrom(nl, buf, sizeof(buf));
	if (n > 0)
		n = mnl_cb_run(buf, n, 0, mnl_socket_get_portid(nl), NULL,
			       NULL);
	n = n < 0 ? -errno : 0;
	mnl_socket_close(nl);
	return n;
}

uint32_t lv_active(const char *name)
{
	struct lv_link link;

	ck_assert(lv_link(name, &link));
	ck_assert(link.has_queues);
	return link.queues;
}

/* ---- watching ---- */

static int open_watch(int protocol, unsigned int groups)
{
	struct sockaddr_nl a = { .nl_family = AF_NETLINK, .nl_groups = groups };
	int size = 8 << 20;
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK,
			protocol);

	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof(a)))
		fx_die("netlink %d: %s", protocol, strerror(errno));
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size));
	return fd;
}

void lv_watch_start(struct lv_watch *w, const char *name)
{
	struct lv_link link;

	memset(w, 0, sizeof(*w));
	w->uevent = open_watch(NETLINK_KOBJECT_UEVENT, 1);
	w->rtnl = open_watch(NETLINK_ROUTE, RTMGRP_LINK);
	w->running = lv_link(name, &link) && link.flags & IFF_LOWER_UP;
}

/* "add@/devices/virtual/net/NAME/queues/tx-N" */
static void take_uevent(struct lv_watch *w, const char *text, const char *name)
{
	char queue[64];

	snprintf(queue, sizeof(queue), "/net/%s/queues/tx-", name);
	if (!strstr(text, queue))
		return;
	if (!strncmp(text, "add@", 4))
		w->queues_added++;
	else if (!strncmp(text, "remove@", 7))
		w->queues_removed++;
}

static void take_newlink(struct lv_watch *w, const struct nlmsghdr *nlh,
			 uint32_t ifindex)
{
	const struct ifinfomsg *ifi = mnl_nlmsg_get_payload(nlh);
	bool running = ifi->ifi_flags & IFF_LOWER_UP;

	if (nlh->nlmsg_type != RTM_NEWLINK ||
	    (uint32_t)ifi->ifi_index != ifindex || running == w->running)
		return;
	w->running = running;
	if (running)
		w->carrier_up++;
	else
		w->carrier_down++;
}

void lv_watch_settle(void)
{
	usleep(1200000);
}

void lv_watch_read(struct lv_watch *w, const char *name)
{
	uint32_t ifindex = fx_ifindex(name);
	char buf[32768];
	ssize_t n;

	while ((n = recv(w->uevent, buf, sizeof(buf) - 1, 0)) > 0) {
		buf[n] = '\0';
		take_uevent(w, buf, name);
	}
	ck_assert_int_eq(errno, EAGAIN);
	while ((n = recv(w->rtnl, buf, sizeof(buf), 0)) > 0)
		take_newlink(w, (struct nlmsghdr *)buf, ifindex);
	ck_assert_int_eq(errno, EAGAIN);
}

void lv_watch_end(struct lv_watch *w)
{
	close(w->uevent);
	close(w->rtnl);
}

int lv_newlinks(void)
{
	return open_watch(NETLINK_ROUTE, RTMGRP_LINK);
}

uint32_t lv_newlink_next(int fd)
{
	char buf[32768];
	struct nlmsghdr *nlh = (struct nlmsghdr *)buf;
	ssize_t n;

	while ((n = recv(fd, buf, sizeof(buf), 0)) > 0)
		if (nlh->nlmsg_type == RTM_NEWLINK)
			return ((struct ifinfomsg *)mnl_nlmsg_get_payload(nlh))
				->ifi_index;
	/* One that was lost may be the one that is looked for. */
	ck_assert_int_eq(errno, EAGAIN);
	return 0;
}
