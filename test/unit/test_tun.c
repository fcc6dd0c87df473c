/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The policy table, what a device's state means, what a message tells. */
#include <linux/if_link.h>
#include <linux/if_tun.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "bpf/shared.h"
#include "harness.h"
#include "tun/tun.h"

START_TEST(policies_by_name_and_back)
{
	static const struct {
		enum nsteer_tun_policy id;
		const char *name;
		bool settable;
	} all[] = {
		{ NSTEER_TUN_POLICY_AUTOMQ, "automq", true },
		{ NSTEER_TUN_POLICY_CPU, "cpu", true },
		{ NSTEER_TUN_POLICY_FIXED, "fixed", true },
		{ NSTEER_TUN_POLICY_BPF, "bpf", false },
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		ck_assert_str_eq(nsteer_tun_policy_name(all[i].id),
				 all[i].name);
		ck_assert_int_eq(nsteer_tun_policy_by_name(all[i].name),
				 all[i].id);
		ck_assert_int_eq(nst_tun_policy(all[i].id)->settable,
				 all[i].settable);
	}
	ck_assert_int_eq(nsteer_tun_policy_by_name("cp"),
			 NSTEER_TUN_POLICY_UNKNOWN);
	ck_assert_ptr_null(nsteer_tun_policy_name(NSTEER_TUN_POLICY_UNKNOWN));
}
END_TEST

/* ---- what the kernel's state means ---- */

static struct nst_tun_state steered(uint32_t policy, uint32_t ifindex)
{
	struct nst_tun_state state = {
		.ifindex = 5,
		.steering = {
			.prog = { .id = 9, .name = "nst_steer_x",
				  .tag = "0123456789abcdef" },
			.has_cfg = true,
		},
	};

	state.steering.cfg.what = NST_CFG_TUN_STEERING;
	state.steering.cfg.policy = policy;
	state.steering.cfg.ifindex = ifindex;
	state.steering.cfg.queue = 3;
	return state;
}

START_TEST(no_program_is_automq)
{
	struct nst_tun_state state = { .ifindex = 5 };
	struct nsteer_tun_steering st;
	uint32_t queue = 77;

	nst_tun_steering_derive(&state, &st);
	ck_assert_int_eq(nsteer_tun_steering_policy(&st),
			 NSTEER_TUN_POLICY_AUTOMQ);
	ck_assert_int_eq(nsteer_tun_steering_owner(&st), NSTEER_OWNER_NONE);
	ck_assert_str_eq(nsteer_tun_steering_backend(&st), "kernel");
	ck_assert_ptr_null(nsteer_tun_steering_prog(&st));
	ck_assert_ptr_null(nsteer_tun_filter_prog(&st));
	ck_assert_int_eq(nsteer_tun_steering_queue(&st, &queue), -ENODATA);
	ck_assert_uint_eq(queue, 77);
}
END_TEST

START_TEST(ours_is_recognised)
{
	struct nst_tun_state state = steered(NSTEER_TUN_POLICY_FIXED, 5);
	struct nsteer_tun_steering st;
	uint32_t queue;

	nst_tun_steering_derive(&state, &st);
	ck_assert_int_eq(nsteer_tun_steering_policy(&st),
			 NSTEER_TUN_POLICY_FIXED);
	ck_assert_int_eq(nsteer_tun_steering_owner(&st), NSTEER_OWNER_NSTEER);
	ck_assert_str_eq(nsteer_tun_steering_backend(&st), "bpf-steering");
	ck_assert_int_eq(nsteer_tun_steering_queue(&st, &queue), 0);
	ck_assert_uint_eq(queue, 3);
}
END_TEST

START_TEST(programs_of_a_snapshot)
{
	struct nst_tun_state state = steered(NSTEER_TUN_POLICY_CPU, 5);
	struct nsteer_tun_steering st;
	const struct nsteer_prog *prog;

	nst_tun_steering_derive(&state, &st);
	prog = nsteer_tun_steering_prog(&st);
	ck_assert_uint_eq(nsteer_prog_id(prog), 9);
	ck_assert_str_eq(nsteer_prog_name(prog), "nst_steer_x");
	ck_assert_str_eq(nsteer_prog_tag(prog), "0123456789abcdef");
	ck_assert_ptr_null(nsteer_tun_filter_prog(&st));

	state.steering.prog.id = 0;
	state.filter.prog.id = 10;
	nst_tun_steering_derive(&state, &st);
	ck_assert_ptr_null(nsteer_tun_steering_prog(&st));
	prog = nsteer_tun_filter_prog(&st);
	ck_assert_uint_eq(nsteer_prog_id(prog), 10);
	ck_assert_str_eq(nsteer_prog_name(prog), "");
}
END_TEST

START_TEST(ours_on_a_device_that_moved)
{
	/* The index changes when a device goes to another namespace. */
	struct nst_tun_state state = steered(NSTEER_TUN_POLICY_CPU, 44);
	struct nsteer_tun_steering st;

	nst_tun_steering_derive(&state, &st);
	ck_assert_int_eq(st.policy, NSTEER_TUN_POLICY_CPU);
	ck_assert_int_eq(st.owner, NSTEER_OWNER_NSTEER);
}
END_TEST

START_TEST(handed_around_is_its_bearers)
{
	struct nst_tun_state state = steered(NSTEER_TUN_POLICY_CPU, 0);
	struct nsteer_tun_steering st;

	nst_tun_steering_derive(&state, &st);
	ck_assert_int_eq(st.policy, NSTEER_TUN_POLICY_CPU);
	ck_assert_int_eq(st.owner, NSTEER_OWNER_FOREIGN);
}
END_TEST

START_TEST(policy_of_a_newer_version)
{
	struct nst_tun_state state = steered(200, 5);
	struct nsteer_tun_steering st;

	nst_tun_steering_derive(&state, &st);
	ck_assert_int_eq(st.policy, NSTEER_TUN_POLICY_BPF);
	ck_assert_int_eq(st.owner, NSTEER_OWNER_NSTEER);
}
END_TEST

START_TEST(foreign_program)
{
	struct nst_tun_state state = { .steering.prog.id = 12 };
	struct nsteer_tun_steering st;

	nst_tun_steering_derive(&state, &st);
	ck_assert_int_eq(st.policy, NSTEER_TUN_POLICY_BPF);
	ck_assert_int_eq(st.owner, NSTEER_OWNER_FOREIGN);
	/* A program of another kind of ours is no steering policy either. */
	state = steered(NSTEER_TUN_POLICY_CPU, 5);
	state.steering.cfg.what = 99;
	nst_tun_steering_derive(&state, &st);
	ck_assert_int_eq(st.policy, NSTEER_TUN_POLICY_BPF);
	ck_assert_int_eq(st.owner, NSTEER_OWNER_FOREIGN);
}
END_TEST

/* ---- what RTM_NEWLINK tells ---- */

static struct nlmsghdr *newlink(char *buf, const char *name, const char *kind)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct ifinfomsg *ifi;
	struct nlattr *nest;

	nlh->nlmsg_type = RTM_NEWLINK;
	ifi = mnl_nlmsg_put_extra_header(nlh, sizeof(*ifi));
	ifi->ifi_index = 7;
	if (name)
		mnl_attr_put_strz(nlh, IFLA_IFNAME, name);
	nest = mnl_attr_nest_start(nlh, IFLA_LINKINFO);
	if (kind)
		mnl_attr_put_strz(nlh, IFLA_INFO_KIND, kind);
	mnl_attr_nest_end(nlh, nest);
	return nlh;
}

START_TEST(link_with_everything)
{
	char buf[1024];
	struct nlmsghdr *nlh = newlink(buf, "tap0", NULL);
	struct nlattr *info, *data;
	struct nst_tun_link link;
	char text[NST_TUN_FLAGS_TEXT];

	info = mnl_attr_nest_start(nlh, IFLA_LINKINFO);
	mnl_attr_put_strz(nlh, IFLA_INFO_KIND, "tun");
	data = mnl_attr_nest_start(nlh, IFLA_INFO_DATA);
	mnl_attr_put_u8(nlh, IFLA_TUN_TYPE, IFF_TAP);
	mnl_attr_put_u8(nlh, IFLA_TUN_PI, 1);
	mnl_attr_put_u8(nlh, IFLA_TUN_VNET_HDR, 1);
	mnl_attr_put_u8(nlh, IFLA_TUN_PERSIST, 1);
	mnl_attr_put_u8(nlh, IFLA_TUN_MULTI_QUEUE, 1);
	mnl_attr_put_u32(nlh, IFLA_TUN_OWNER, 0);
	mnl_attr_put_u32(nlh, IFLA_TUN_NUM_QUEUES, 3);
	mnl_attr_put_u32(nlh, IFLA_TUN_NUM_DISABLED_QUEUES, 1);
	mnl_attr_nest_end(nlh, data);
	mnl_attr_nest_end(nlh, info);

	ck_assert(nst_tun_link_from_nl(nlh, &link));
	ck_assert_uint_eq(link.ifindex, 7);
	ck_assert_str_eq(link.name, "tap0");
	ck_assert_int_eq(link.mode, NSTEER_TUN_MODE_TAP);
	ck_assert(link.persist && link.multi_queue);
	/* root is an owner like any other. */
	ck_assert(link.has_user && link.user == 0);
	ck_assert(!link.has_group);
	ck_assert(link.has_queues);
	ck_assert_uint_eq(link.numqueues, 3);
	ck_assert_uint_eq(link.numdisabled, 1);
	ck_assert_str_eq(nst_tun_flags_text(&link, text),
			 "tap multi_queue pi vnet_hdr");
}
END_TEST

START_TEST(link_of_another_kind)
{
	char buf[1024];
	struct nst_tun_link link;

	ck_assert(nst_tun_link_from_nl(newlink(buf, "v0", "veth"), &link));
	ck_assert_str_eq(link.kind, "veth");
	ck_assert(nst_tun_link_from_nl(newlink(buf, "eth0", NULL), &link));
	ck_assert_str_eq(link.kind, "");
	/* A tun of a kernel that tells no flags (before 4.17). */
	ck_assert(nst_tun_link_from_nl(newlink(buf, "t0", "tun"), &link));
	ck_assert_int_eq(link.mode, 0);
	ck_assert(!link.has_queues);
}
END_TEST

START_TEST(link_that_makes_no_sense)
{
	char buf[1024];
	struct nst_tun_link link;
	struct nlmsghdr *nlh = newlink(buf, NULL, "tun");

	ck_assert(!nst_tun_link_from_nl(nlh, &link));
	nlh = newlink(buf, "a name that is too long", "tun");
	ck_assert(!nst_tun_link_from_nl(nlh, &link));
	nlh = newlink(buf, "tap0", "tun");
	nlh->nlmsg_len = NLMSG_HDRLEN + 4;
	ck_assert(!nst_tun_link_from_nl(nlh, &link));
	nlh = newlink(buf, "tap0", "tun");
	nlh->nlmsg_type = RTM_DELLINK;
	ck_assert(!nst_tun_link_from_nl(nlh, &link));
}
END_TEST

static Suite *tun_suite(void)
{
	Suite *s = suite_create("tun");
	TCase *t = tcase_create("tun");

	tcase_add_test(t, policies_by_name_and_back);
	tcase_add_test(t, no_program_is_automq);
	tcase_add_test(t, ours_is_recognised);
	tcase_add_test(t, programs_of_a_snapshot);
	tcase_add_test(t, ours_on_a_device_that_moved);
	tcase_add_test(t, handed_around_is_its_bearers);
	tcase_add_test(t, policy_of_a_newer_version);
	tcase_add_test(t, foreign_program);
	tcase_add_test(t, link_with_everything);
	tcase_add_test(t, link_of_another_kind);
	tcase_add_test(t, link_that_makes_no_sense);
	suite_add_tcase(s, t);
	return s;
}

NST_REGISTER(tun_suite);
