/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of devices and their counts, from a kernel that follows a script. */
#include <linux/gen_stats.h>
#include <linux/if_link.h>
#include <linux/if_tun.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>

#include "script.h"
#include "tun/tun.h"

static void put_link(struct script *s, uint16_t flags, int ifindex,
		     const char *name, const char *kind)
{
	struct ifinfomsg ifi = { .ifi_index = ifindex };
	char info[128] = { 0 };
	struct nlmsghdr *nlh = (struct nlmsghdr *)info;
	struct nlattr *data;

	put_msg(s, RTM_NEWLINK, NLM_F_MULTI | flags, &ifi, sizeof(ifi));
	put_attr(s, IFLA_IFNAME, name, strlen(name) + 1);
	/* The nest is built as a message of its own, and then taken out. */
	mnl_nlmsg_put_header(info);
	mnl_attr_put_strz(nlh, IFLA_INFO_KIND, kind);
	data = mnl_attr_nest_start(nlh, IFLA_INFO_DATA);
	mnl_attr_put_u8(nlh, IFLA_TUN_TYPE, IFF_TAP);
	mnl_attr_put_u8(nlh, IFLA_TUN_MULTI_QUEUE, 1);
	mnl_attr_put_u32(nlh, IFLA_TUN_NUM_QUEUES, 2);
	mnl_attr_put_u32(nlh, IFLA_TUN_NUM_DISABLED_QUEUES, 0);
	mnl_attr_nest_end(nlh, data);
	put_attr(s, IFLA_LINKINFO, mnl_nlmsg_get_payload(nlh),
		 mnl_nlmsg_get_payload_len(nlh));
}

START_TEST(list_asks_for_the_kind_and_sorts)
{
	struct script *s = script_new(false);
	struct nsteer_tun_list *list;
	const struct nlattr *tb[IFLA_LINKINFO + 1], *info[IFLA_INFO_KIND + 1];
	char kind[8];

	say_datagram(s);
	put_link(s, 0, 9, "tap9", "tun");
	/* A kernel that does not choose by kind sends the rest as well. */
	put_link(s, 0, 3, "v0", "veth");
	put_link(s, 0, 4, "tap4", "tun");
	say_datagram(s);
	put_done(s, 0, 0);
	ck_assert_int_eq(nsteer_tun_list(s->ns, NULL, &list), 0);
	ck_assert_uint_eq(nsteer_tun_list_count(list), 2);
	ck_assert_str_eq(nsteer_tun_ifname(nsteer_tun_list_get(list, 0)),
			 "tap4");
	ck_assert_str_eq(nsteer_tun_ifname(nsteer_tun_list_get(list, 1)),
			 "tap9");
	ck_assert_ptr_null(nsteer_tun_list_get(list, 2));
	ck_assert_ptr_null(nsteer_tun_steering(nsteer_tun_list_get(list, 0)));

	NST_NLA_PARSE_MSG(script_sent(s), sizeof(struct ifinfomsg), tb,
			  IFLA_LINKINFO);
	nst_nla_parse_nested(tb[IFLA_LINKINFO], info, IFLA_INFO_KIND);
	ck_assert(nst_nla_str(info[IFLA_INFO_KIND], kind, sizeof(kind)));
	ck_assert_str_eq(kind, "tun");
	nsteer_tun_list_free(list);
	script_end(s);
}
END_TEST

START_TEST(list_that_was_interrupted_starts_over)
{
	struct script *s = script_new(false);
	struct nsteer_tun_list *list;

	say_datagram(s);
	put_link(s, 0, 4, "tap4", "tun");
	put_link(s, NLM_F_DUMP_INTR, 5, "tap5", "tun");
	put_done(s, 0, 0);
	say_datagram(s);
	put_link(s, 0, 4, "tap4", "tun");
	put_done(s, 0, 0);
	ck_assert_int_eq(nsteer_tun_list(s->ns, NULL, &list), 0);
	ck_assert_uint_eq(nsteer_tun_list_count(list), 1);
	nsteer_tun_list_free(list);
	script_end(s);
}
END_TEST

START_TEST(list_that_is_never_whole_is_told)
{
	struct script *s = script_new(false);
	struct nsteer_tun_list *list = NULL;
	int i;

	for (i = 0; i < 3; i++) {
		say_datagram(s);
		put_link(s, NLM_F_DUMP_INTR, 4, "tap4", "tun");
		put_done(s, 0, 0);
	}
	ck_assert_int_eq(nsteer_tun_list(s->ns, NULL, &list), -EINTR);
	ck_assert_ptr_null(list);
	ck_assert_ptr_nonnull(strstr(nsteer_errmsg(s->ns), "incomplete"));
	script_end(s);
}
END_TEST

/* ---- packets per queue ---- */

static void put_class(struct script *s, const char *kind, uint32_t parent,
		      uint32_t handle, uint32_t packets, uint64_t pkt64)
{
	struct tcmsg tcm = { .tcm_ifindex = 4, .tcm_parent = parent,
			     .tcm_handle = handle };
	struct gnet_stats_basic basic = { .bytes = 1000, .packets = packets };
	char nest[128] = { 0 };
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(nest);

	put_msg(s, RTM_NEWTCLASS, NLM_F_MULTI, &tcm, sizeof(tcm));
	put_attr(s, TCA_KIND, kind, strlen(kind) + 1);
	/* The kernel leaves out the padding at the end of the struct. */
	mnl_attr_put(nlh, TCA_STATS_BASIC, 12, &basic);
	if (pkt64)
		mnl_attr_put_u64(nlh, TCA_STATS_PKT64, pkt64);
	put_attr(s, TCA_STATS2, mnl_nlmsg_get_payload(nlh),
		 mnl_nlmsg_get_payload_len(nlh));
}

START_TEST(stats_of_an_mq_root)
{
	struct script *s = script_new(false);
	const struct tcmsg *asked;
	struct nst_tun_stats *stats;
	size_t count;

	say_datagram(s);
	put_class(s, "mq", TC_H_ROOT, 0x80010001, 11, 0);
	put_class(s, "mq", TC_H_ROOT, 0x80010002, 5, 0x100000005);
	/* Queue 2 is no more, queue 3 is no more and once took packets. */
	put_class(s, "mq", TC_H_ROOT, 0x80010003, 0, 0);
	put_class(s, "mq", TC_H_ROOT, 0x80010004, 7, 0);
	/* Not the root's own. */
	put_class(s, "htb", TC_H_ROOT, 0x10001, 99, 0);
	put_class(s, "mq", 0x10000, 0x10001, 99, 0);
	put_done(s, 0, 0);
	ck_assert_int_eq(nst_tun_stats_read(s->ns, 4, 2, &stats, &count), 0);
	ck_assert_uint_eq(count, 3);
	ck_assert_uint_eq(stats[0].queue, 0);
	ck_assert_uint_eq(stats[0].packets, 11);
	ck_assert_uint_eq(stats[0].bytes, 1000);
	ck_assert_uint_eq(stats[1].packets, 0x100000005);
	ck_assert_uint_eq(stats[2].queue, 3);
	asked = mnl_nlmsg_get_payload(script_sent(s));
	ck_assert_int_eq(script_sent(s)->nlmsg_type, RTM_GETTCLASS);
	ck_assert_int_eq(asked->tcm_ifindex, 4);
	free(stats);
	script_end(s);
}
END_TEST

START_TEST(stats_of_another_root)
{
	struct script *s = script_new(false);
	struct nst_tun_stats *stats;
	size_t count;

	say_datagram(s);
	put_class(s, "htb", TC_H_ROOT, 0x10001, 99, 0);
	put_done(s, 0, 0);
	ck_assert_int_eq(nst_tun_stats_read(s->ns, 4, 2, &stats, &count), 0);
	ck_assert_uint_eq(count, 0);
	ck_assert_ptr_null(stats);
	script_end(s);
}
END_TEST

START_TEST(stats_with_a_short_struct)
{
	struct script *s = script_new(false);
	struct tcmsg tcm = { .tcm_parent = TC_H_ROOT, .tcm_handle = 1 };
	struct nst_tun_stats *stats;
	size_t count;

	say_datagram(s);
	put_msg(s, RTM_NEWTCLASS, NLM_F_MULTI, &tcm, sizeof(tcm));
	put_attr(s, TCA_KIND, "mq", 3);
	put_attr(s, TCA_STATS2, "\x08\x00\x01\x00\x01\x02\x03\x04", 8);
	put_done(s, 0, 0);
	ck_assert_int_eq(nst_tun_stats_read(s->ns, 4, 1, &stats, &count), 0);
	ck_assert_uint_eq(count, 1);
	ck_assert_uint_eq(stats[0].packets, 0);
	free(stats);
	script_end(s);
}
END_TEST

static Suite *tun_suite(void)
{
	Suite *s = suite_create("tun");
	TCase *t = tcase_create("tun");

	tcase_add_test(t, list_asks_for_the_kind_and_sorts);
	tcase_add_test(t, list_that_was_interrupted_starts_over);
	tcase_add_test(t, list_that_is_never_whole_is_told);
	tcase_add_test(t, stats_of_an_mq_root);
	tcase_add_test(t, stats_of_another_root);
	tcase_add_test(t, stats_with_a_short_struct);
	suite_add_tcase(s, t);
	return s;
}

NST_REGISTER(tun_suite);
