/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same core on the real rtnetlink, in a namespace of the test's own: what
 * no script can promise. Needs no root where user namespaces are allowed.
 */
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/link.h"
#include "harness.h"

#define REQUEST char buf[NST_NL_REQSIZE] __attribute__((aligned(8)))

static struct nsteer *ns;
static struct nst_nl *nl;

static void setup(void)
{
	if (unshare(CLONE_NEWNET) && unshare(CLONE_NEWUSER | CLONE_NEWNET))
		nst_skip("machine: no network namespace: %s", strerror(errno));
	ck_assert_int_eq(nsteer_open(NULL, &ns), 0);
	ck_assert_int_eq(nst_rtnl(ns, &nl), 0);
}

static void teardown(void)
{
	nsteer_close(ns);
}

static int add_altname(uint32_t ifindex, const char *name)
{
	const struct ifinfomsg ifi = { .ifi_index = ifindex };
	struct nlmsghdr *req;
	struct nlattr *list;
	REQUEST;

	req = nst_nl_request(buf, RTM_NEWLINKPROP,
			     NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL, &ifi,
			     sizeof(ifi));
	list = mnl_attr_nest_start(req, IFLA_PROP_LIST);
	mnl_attr_put_strz(req, IFLA_ALT_IFNAME, name);
	mnl_attr_nest_end(req, list);
	return nst_nl_talk(nl, req, NULL, NULL);
}

static int add_veth(const char *name, const char *peer)
{
	static const struct ifinfomsg ifi;
	struct nlmsghdr *req;
	struct nlattr *info, *data, *other;
	REQUEST;

	req = nst_nl_request(buf, RTM_NEWLINK,
			     NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL, &ifi,
			     sizeof(ifi));
	mnl_attr_put_strz(req, IFLA_IFNAME, name);
	info = mnl_attr_nest_start(req, IFLA_LINKINFO);
	mnl_attr_put_strz(req, IFLA_INFO_KIND, "veth");
	data = mnl_attr_nest_start(req, IFLA_INFO_DATA);
	other = mnl_attr_nest_start(req, VETH_INFO_PEER);
	mnl_nlmsg_put_extra_header(req, sizeof(ifi));
	mnl_attr_put_strz(req, IFLA_IFNAME, peer);
	mnl_attr_nest_end(req, other);
	mnl_attr_nest_end(req, data);
	mnl_attr_nest_end(req, info);
	return nst_nl_talk(nl, req, NULL, NULL);
}

static void need_veth(unsigned int pairs)
{
	char a[16], b[16];
	unsigned int i;
	int err;

	for (i = 0; i < pairs; i++) {
		snprintf(a, sizeof(a), "a%u", i);
		snprintf(b, sizeof(b), "b%u", i);
		err = add_veth(a, b);
		if (err == -EOPNOTSUPP)
			nst_skip("the kernel has no veth");
		ck_assert_int_eq(err, 0);
	}
}

START_TEST(loopback)
{
	char name[NSTEER_IFNAME_SIZE];
	uint32_t ifindex = 0;

	ck_assert_int_eq(nsteer_link_index(ns, "lo", &ifindex), 0);
	ck_assert_uint_eq(ifindex, 1);
	ck_assert_int_eq(nsteer_link_name(ns, 1, name), 0);
	ck_assert_str_eq(name, "lo");
	ck_assert_int_eq(nsteer_link_index(ns, "nosuch", &ifindex), -ENODEV);
	ck_assert_int_eq(nsteer_link_name(ns, 4711, name), -ENODEV);
}
END_TEST

START_TEST(alternative_names)
{
	const char *names[] = { "short", "0000:01:00.0", "a longer one / odd",
				"l23456789012345678901234567890123456789012345"
				"678901234567890123456789012345678901234567890"
				"1234567890123456789012345678901234567" };
	uint32_t ifindex;
	size_t i;
	int err;

	ck_assert_uint_eq(strlen(names[3]), 127);
	for (i = 0; i < 4; i++) {
		err = add_altname(1, names[i]);
		if (err == -EOPNOTSUPP)
			nst_skip("the kernel has no alternative names");
		ck_assert_int_eq(err, 0);
		ifindex = 0;
		ck_assert_int_eq(nsteer_link_index(ns, names[i], &ifindex), 0);
		ck_assert_uint_eq(ifindex, 1);
	}
	ck_assert_int_eq(nsteer_link_index(ns, "no such longer name", &ifindex),
			 -ENODEV);
}
END_TEST

static int count(const struct nlmsghdr *nlh, void *data)
{
	unsigned int *n = data;

	ck_assert_int_eq(nlh->nlmsg_type, RTM_NEWLINK);
	++*n;
	return 0;
}

static void count_reset(void *data)
{
	*(unsigned int *)data = 0;
}

static unsigned int count_kind(const char *kind)
{
	unsigned int n = 0;
	const struct nst_nl_dump dump = { count, count_reset, &n };
	int err = nst_link_dump_kind(ns, kind, &dump);

	ck_assert_msg(!err, "%d: %s", err, nsteer_errmsg(ns));
	return n;
}

/* One message beyond the 32 KiB that the kernel aims at. */
START_TEST(very_large_message)
{
	char name[128];
	uint32_t ifindex;
	int i;

	for (i = 0; i < 400; i++) {
		snprintf(name, sizeof(name), "%0127d", i);
		if (add_altname(1, name) == -EOPNOTSUPP)
			nst_skip("the kernel has no alternative names");
	}
	ck_assert_int_eq(nsteer_link_index(ns, name, &ifindex), 0);
	ck_assert_uint_eq(ifindex, 1);
	ck_assert_uint_ge(count_kind("nosuchkind"), 0);
}
END_TEST

/* The kernel explains itself only where the socket's options are set. */
START_TEST(strict_and_explained)
{
	const struct ifinfomsg ifi = { .ifi_index = 1 };
	struct nlmsghdr *req;
	REQUEST;

	req = nst_nl_request(buf, RTM_GETLINK, 0, &ifi, sizeof(ifi));
	mnl_attr_put_u32(req, IFLA_MTU, 1500);
	ck_assert_int_eq(nst_nl_talk(nl, req, NULL, NULL), -EINVAL);
	ck_assert_ptr_nonnull(nsteer_err_extack(ns));
	ck_assert_ptr_nonnull(strstr(nsteer_err_extack(ns), "nsupported"));

	/* the same from DONE */
	req = nst_nl_request(buf, RTM_GETLINK, 0, &ifi, sizeof(ifi));
	mnl_attr_put_u32(req, IFLA_MTU, 1500);
	nst_err_clear(ns);
	ck_assert_int_eq(nst_nl_dump(nl, req,
				     &(struct nst_nl_dump){ .msg = NULL }),
			 -EINVAL);
	ck_assert_ptr_nonnull(nsteer_err_extack(ns));

	/* an attribute of the wrong size: where */
	req = nst_nl_request(buf, RTM_GETLINK, 0, &ifi, sizeof(ifi));
	mnl_attr_put_u8(req, IFLA_EXT_MASK, 1);
	ck_assert_int_lt(nst_nl_talk(nl, req, NULL, NULL), 0);
	ck_assert_str_eq(nsteer_err_attr(ns), "offset 32");
}
END_TEST

START_TEST(dump_by_kind)
{
	need_veth(3);
	/* lo is left out by the kernel */
	ck_assert_uint_eq(count_kind("veth"), 6);
	ck_assert_int_eq(nst_link_del(ns, 2), 0);
	ck_assert_uint_eq(count_kind("veth"), 4);
	ck_assert_int_eq(nst_link_del(ns, 2), -ENODEV);
}
END_TEST

static int fail_at_once(const struct nlmsghdr *nlh, void *data)
{
	(void)nlh;
	++*(unsigned int *)data;
	return -ENOMEM;
}

/*
 * A dump that is left in the middle keeps running in the kernel: on the same
 * socket the next one would get -EBUSY.
 */
START_TEST(dump_left_in_the_middle)
{
	unsigned int n = 0;
	const struct nst_nl_dump dump = { fail_at_once, NULL, &n };

	need_veth(150);
	ck_assert_int_eq(nst_link_dump_kind(ns, "veth", &dump), -ENOMEM);
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(count_kind("veth"), 300);
}
END_TEST

/* A success that nobody asked to be told of: the wait ends all the same. */
START_TEST(no_reply)
{
	const struct ifinfomsg ifi = { .ifi_index = 1 };
	struct nlmsghdr *req;
	uint32_t ifindex;
	REQUEST;

	req = nst_nl_request(buf, RTM_SETLINK, 0, &ifi, sizeof(ifi));
	ck_assert_int_eq(nst_nl_talk(nl, req, NULL, NULL), -ETIMEDOUT);
	ck_assert_ptr_nonnull(strstr(nsteer_errmsg(ns), "did not reply"));
	ck_assert_int_eq(nsteer_link_index(ns, "lo", &ifindex), 0);
}
END_TEST

START_TEST(stays_in_its_namespace)
{
	uint32_t ifindex;

	need_veth(1);
	/* The socket knows; a fresh one has to enter, which needs the right. */
	if (unshare(CLONE_NEWNET))
		nst_skip("machine: no second namespace: %s", strerror(errno));
	ck_assert_int_eq(nsteer_link_index(ns, "a0", &ifindex), 0);
	nst_nl_close(nl);
	ns->rtnl = NULL;
	ck_assert_int_eq(nsteer_link_index(ns, "b0", &ifindex), 0);
	nsteer_close(ns);
	ck_assert_int_eq(nsteer_open(NULL, &ns), 0);
	ck_assert_int_eq(nsteer_link_index(ns, "b0", &ifindex), -ENODEV);
}
END_TEST

static Suite *suite_kernel(void)
{
	Suite *suite = suite_create("nl and link on the real kernel");
	TCase *tc = tcase_create("kernel");

	tcase_set_tags(tc, NST_GUEST);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, loopback);
	tcase_add_test(tc, alternative_names);
	tcase_add_test(tc, very_large_message);
	tcase_add_test(tc, strict_and_explained);
	tcase_add_test(tc, dump_by_kind);
	tcase_add_test(tc, dump_left_in_the_middle);
	tcase_add_test(tc, no_reply);
	tcase_add_test(tc, stays_in_its_namespace);
	suite_add_tcase(suite, tc);
	return suite;
}

NST_REGISTER(suite_kernel);
