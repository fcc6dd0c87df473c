/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>

#include "core/link.h"

_Static_assert(NSTEER_IFNAME_SIZE == IFNAMSIZ, "the public header says 16");

/* ---- names ---- */

/* isspace() of the kernel, which counts the Latin-1 no-break space too. */
static bool is_kernel_space(unsigned char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xa0;
}

bool nst_link_name_valid(const char *name, size_t size_max)
{
	size_t len = strnlen(name, size_max);
	size_t i;

	if (!len || len >= size_max)
		return false;
	if (size_max > IFNAMSIZ)
		return true;
	if (!strcmp(name, ".") || !strcmp(name, ".."))
		return false;
	for (i = 0; i < len; i++)
		if (name[i] == '/' || name[i] == ':' ||
		    is_kernel_space(name[i]))
			return false;
	return true;
}

static size_t print_char(unsigned char c, char *out)
{
	static const char hex[] = "0123456789abcdef";

	if (c >= 0x20 && c != 0x7f && c != '\\') {
		*out = c;
		return 1;
	}
	memcpy(out, (char[]){ '\\', 'x', hex[c >> 4], hex[c & 15] }, 4);
	return 4;
}

const char *nst_name_print(const char *name, char buf[NST_NAME_PRINT])
{
	static const char dots[] = "...";
	char unit[4];
	size_t pos = 0;
	size_t cut = 0; /* where the dots would still fit */
	size_t n;

	for (; *name; name++) {
		n = print_char(*name, unit);
		if (pos + n >= NST_NAME_PRINT) {
			memcpy(buf + cut, dots, sizeof(dots));
			return buf;
		}
		memcpy(buf + pos, unit, n);
		pos += n;
		if (pos + sizeof(dots) <= NST_NAME_PRINT)
			cut = pos;
	}
	buf[pos] = '\0';
	return buf;
}

/* ---- requests ---- */

/* The kernel's index is an int; what is no positive one names nothing. */
static bool index_valid(uint32_t ifindex)
{
	return ifindex && ifindex <= INT32_MAX;
}

static struct nlmsghdr *link_request(void *buf, uint16_t type, uint16_t flags,
				     uint32_t ifindex)
{
	struct ifinfomsg ifi = { .ifi_index = ifindex };

	return nst_nl_request(buf, type, flags, &ifi, sizeof(ifi));
}

struct get {
	nst_nl_cb cb;
	void *data;
};

static int take_link(const struct nlmsghdr *nlh, void *data)
{
	struct get *get = data;

	if (nlh->nlmsg_type != RTM_NEWLINK ||
	    mnl_nlmsg_get_payload_len(nlh) < sizeof(struct ifinfomsg))
		return -EPROTO;
	return get->cb(nlh, get->data);
}

/* NULL: the callback failed and told why. */
static const char *link_why(const struct nsteer *ns, const struct nst_nl *nl,
			    int err)
{
	const char *why = nst_nl_why(nl, err);

	if (why || *ns->err.msg)
		return why;
	return err == -EPROTO ? "the kernel's reply makes no sense"
			      : strerror(-err);
}

static int get_failed(struct nsteer *ns, const struct nst_nl *nl, int err,
		      uint32_t ifindex, const char *name)
{
	const char *why = link_why(ns, nl, err);
	char print[NST_NAME_PRINT];

	if (!why)
		return err;
	/* Before 5.5 there are no altnames: no index and no name, it says. */
	if (name && err == -EINVAL && strlen(name) >= IFNAMSIZ)
		err = -ENODEV;
	if (err == -ENODEV && name)
		return nst_fail(ns, err, "no device \"%s\"",
				nst_name_print(name, print));
	if (err == -ENODEV)
		return nst_fail(ns, err, "no device has index %u", ifindex);
	if (name)
		return nst_fail(ns, err, "cannot look up device \"%s\": %s",
				nst_name_print(name, print), why);
	return nst_fail(ns, err, "cannot look up the device of index %u: %s",
			ifindex, why);
}

int nst_link_get(struct nsteer *ns, uint32_t ifindex, const char *name,
		 nst_nl_cb cb, void *data)
{
	char buf[NST_NL_REQSIZE] __attribute__((aligned(8)));
	struct get get = { .cb = cb, .data = data };
	struct nlmsghdr *req;
	struct nst_nl *nl;
	int err;

	if (ifindex)
		name = NULL;
	if (!name && !index_valid(ifindex))
		return nst_fail(ns, -ENODEV, "no device has index %u", ifindex);
	if (name && !nst_link_name_valid(name, ALTIFNAMSIZ))
		return nst_fail(ns, -EINVAL,
				"a device's name has 1 to %d bytes, an "
				"alternative name up to %d",
				IFNAMSIZ - 1, ALTIFNAMSIZ - 1);
	err = nst_rtnl(ns, &nl);
	if (err)
		return err;
	req = link_request(buf, RTM_GETLINK, 0, ifindex);
	mnl_attr_put_u32(req, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
	/*
	 * Kernels that have altnames find short ones by IFLA_IFNAME too, older
	 * ones know no IFLA_ALT_IFNAME.
	 */
	if (name && strlen(name) < IFNAMSIZ)
		mnl_attr_put_strz(req, IFLA_IFNAME, name);
	else if (name)
		mnl_attr_put_strz(req, IFLA_ALT_IFNAME, name);
	err = nst_nl_talk(nl, req, take_link, &get);
	return err ? get_failed(ns, nl, err, ifindex, name) : 0;
}

int nst_link_dump_kind(struct nsteer *ns, const char *kind,
		       const struct nst_nl_dump *dump)
{
	char buf[NST_NL_REQSIZE] __attribute__((aligned(8)));
	struct nlmsghdr *req;
	struct nlattr *info;
	const char *why;
	struct nst_nl *nl;
	int err;

	err = nst_rtnl(ns, &nl);
	if (err)
		return err;
	req = link_request(buf, RTM_GETLINK, 0, 0);
	mnl_attr_put_u32(req, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
	if (kind) {
		info = mnl_attr_nest_start(req, IFLA_LINKINFO);
		mnl_attr_put_strz(req, IFLA_INFO_KIND, kind);
		mnl_attr_nest_end(req, info);
	}
	err = nst_nl_dump(nl, req, dump);
	if (!err)
		return 0;
	why = link_why(ns, nl, err);
	return why ? nst_fail(ns, err, "cannot list the devices%s%s: %s",
			      kind ? " of kind " : "", kind ? kind : "", why)
		   : err;
}

int nst_link_del(struct nsteer *ns, uint32_t ifindex)
{
	char buf[NST_NL_REQSIZE] __attribute__((aligned(8)));
	struct nlmsghdr *req;
	struct nst_nl *nl;
	int err;

	if (!index_valid(ifindex))
		return -ENODEV;
	err = nst_rtnl(ns, &nl);
	if (err)
		return err;
	req = link_request(buf, RTM_DELLINK, NLM_F_ACK, ifindex);
	return nst_nl_talk(nl, req, NULL, NULL);
}

/* ---- public ---- */

static int take_index(const struct nlmsghdr *nlh, void *data)
{
	const struct ifinfomsg *ifi = mnl_nlmsg_get_payload(nlh);

	if (ifi->ifi_index <= 0)
		return -EPROTO;
	*(uint32_t *)data = ifi->ifi_index;
	return 0;
}

NSTEER_API int nsteer_link_index(struct nsteer *ns, const char *name,
				 uint32_t *ifindex)
{
	nst_err_clear(ns);
	return nst_link_get(ns, 0, name, take_index, ifindex);
}

static int take_name(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *tb[IFLA_IFNAME + 1];

	NST_NLA_PARSE_MSG(nlh, sizeof(struct ifinfomsg), tb, IFLA_IFNAME);
	if (!nst_nla_str(tb[IFLA_IFNAME], data, NSTEER_IFNAME_SIZE))
		return -EPROTO;
	return 0;
}

NSTEER_API int nsteer_link_name(struct nsteer *ns, uint32_t ifindex,
				char name[NSTEER_IFNAME_SIZE])
{
	nst_err_clear(ns);
	return nst_link_get(ns, ifindex, NULL, take_name, name);
}
