// SPDX-License-Identifier: GPL-2.0-or-later
/* Actions as the kernel has them, made by tc. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/filter.h>
#include <linux/pkt_cls.h>
#include <linux/rtnetlink.h>
#include <linux/tc_act/tc_bpf.h>
#include <nsteer/tc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "live.h"

#define MANY 3000

struct seen {
	char kind[16];
	uint32_t index;
	uint64_t packets;
	int64_t ref, bind;
	char cookie[33];
	int values;
};

struct list {
	struct seen all[MANY + 16];
	size_t count;
};

static void begin(void)
{
	nst_need_root();
	if (fx_sh("command -v tc >/dev/null"))
		nst_skip("machine: no tc");
	fx_netns();
}

/* A guest has all of them. */
static bool add(const char *kind, const char *words)
{
	if (!fx_sh("tc actions add action %s %s 2>/dev/null", kind, words))
		return true;
	ck_assert_msg(!getenv("NSTEER_GUEST"), "%s %s", kind, words);
	return false;
}

#define need(kind, words)                                                      \
	do {                                                                   \
		if (!add(kind, words))                                         \
			nst_skip("kernel: no %s", kind);                       \
	} while (0)

static int see_value(const struct nsteer_tc_value *v, void *data)
{
	const char *name = nsteer_tc_value_name(v);
	struct seen *s = data;

	s->values++;
	if (name && !strcmp(name, "ref"))
		s->ref = nsteer_tc_value_u64(v);
	else if (name && !strcmp(name, "bind"))
		s->bind = nsteer_tc_value_u64(v);
	return 0;
}

static void see(struct seen *s, const struct nsteer_tc_action *a)
{
	const unsigned char *cookie;
	size_t len, i;

	memset(s, 0, sizeof(*s));
	strcpy(s->kind, nsteer_tc_action_kind(a));
	ck_assert_int_eq(nsteer_tc_action_index(a, &s->index), 0);
	ck_assert_uint_eq(nsteer_tc_action_order(a), 0);
	ck_assert_ptr_nonnull(nsteer_tc_action_stats(a));
	s->packets = nsteer_tc_stats_packets(nsteer_tc_action_stats(a));
	cookie = nsteer_tc_action_cookie(a, &len);
	for (i = 0; i < len; i++)
		sprintf(s->cookie + 2 * i, "%02x", cookie[i]);
	nsteer_tc_action_values(a, see_value, s);
}

/* Reads all; the answer of the call that ended it. */
static int read_all(struct nsteer *ns, const struct nsteer_tc_actions_opts *o,
		    struct list *l)
{
	const struct nsteer_tc_action *a;
	struct nsteer_tc_actions *d;
	uint32_t again;
	int ret;

	l->count = 0;
	lv_ok(ns, nsteer_tc_actions_open(ns, o, &d));
	while ((ret = nsteer_tc_actions_next(d, &a)) == 1) {
		ck_assert_uint_lt(l->count, MANY + 16);
		see(&l->all[l->count++], a);
		/* The context is free in between. */
		if (l->count == 1)
			lv_ok(ns, nsteer_link_index(ns, "lo", &again));
	}
	nsteer_tc_actions_close(d);
	return ret;
}

START_TEST(every_kind)
{
	static const struct {
		const char *kind, *words;
	} some[] = {
		{ "gact", "drop index 7 cookie 0a0b" },
		{ "gact", "pass index 70000" },
		{ "mirred", "egress redirect dev lo index 7 cookie ff" },
		{ "police", "rate 1mbit burst 10k drop index 3" },
		{ "skbedit", "mark 5 index 4294967295 cookie "
			     "000102030405060708090a0b0c0d0e0f" },
		{ "vlan", "pop index 1" },
	};
	static const char *const cookies[] = {
		"0a0b", "", "ff", "", "000102030405060708090a0b0c0d0e0f", ""
	};
	static const uint32_t indexes[] = { 7, 70000, 7, 3, UINT32_MAX, 1 };
	NSTEER_OPTS(nsteer_tc_actions_opts, o, .kind = NULL);
	struct list *l = calloc(1, sizeof(*l));
	size_t i, n, there[6], count = 0;
	struct nsteer *ns;

	begin();
	for (i = 0; i < 6; i++)
		if (add(some[i].kind, some[i].words))
			there[count++] = i;
	if (!count)
		nst_skip("kernel: no actions");
	ns = lv_open(NULL);
	for (o.terse = 0; o.terse <= NSTEER_TC_TERSE_STRICT; o.terse++) {
		lv_ok(ns, read_all(ns, &o, l));
		ck_assert_uint_eq(l->count, count);
		for (n = 0; n < count; n++) {
			i = there[n];
			ck_assert_str_eq(l->all[n].kind, some[i].kind);
			ck_assert_uint_eq(l->all[n].index, indexes[i]);
			ck_assert_str_eq(l->all[n].cookie, cookies[i]);
			ck_assert_int_eq(!l->all[n].values, !!o.terse);
			ck_assert_int_eq(l->all[n].ref, !o.terse);
		}
		if (o.terse)
			continue;
		lv_ok(ns, read_all(ns, NULL, l));
		ck_assert_uint_eq(l->count, count);
	}
	nsteer_close(ns);
	free(l);
}
END_TEST

/* Used by two filters of a device; what went through one of them is counted. */
START_TEST(bound)
{
	NSTEER_OPTS(nsteer_tc_actions_opts, o, .kind = "mirred");
	struct list *l = calloc(1, sizeof(*l));
	struct fx_readers *r;
	struct nsteer *ns;
	int cpu;

	begin();
	need("mirred", "egress mirror dev lo index 5");
	need("mirred", "egress mirror dev lo index 6");
	fx_tun_make("t0", TAP_ONE);
	r = fx_read_open("t0", TAP_ONE, 1);
	fx_up("t0", 1);
	fx_wait_running("t0");
	if (fx_sh("tc qdisc add dev t0 clsact && tc filter add dev t0 egress "
		  "pref 1 protocol ip u32 match u8 17 0xff at 9 "
		  "action mirred index 5 2>/dev/null"))
		nst_skip("kernel: no u32");
	ck_assert(!fx_sh("tc filter add dev t0 egress pref 2 protocol arp u32 "
			 "match u32 0 0 action mirred index 5"));
	fx_cpus(&cpu, 1);
	ck_assert_uint_eq(fx_send(cpu, 0, 1, 1, 123), 123);
	ns = lv_open(NULL);
	lv_ok(ns, read_all(ns, &o, l));
	ck_assert_uint_eq(l->count, 2);
	ck_assert_uint_eq(l->all[0].index, 5);
	ck_assert_uint_eq(l->all[0].packets, 123);
	ck_assert_int_eq(l->all[0].bind, 2);
	ck_assert_int_eq(l->all[0].ref, 3);
	ck_assert_uint_eq(l->all[1].packets, 0);
	ck_assert_int_eq(l->all[1].bind, 0);
	ck_assert_int_eq(l->all[1].ref, 1);
	o.terse = NSTEER_TC_TERSE_ON;
	lv_ok(ns, read_all(ns, &o, l));
	ck_assert_uint_eq(l->all[0].packets, 123);
	nsteer_close(ns);
	fx_readers_end(r);
	free(l);
}
END_TEST

START_TEST(what_is_not_there)
{
	NSTEER_OPTS(nsteer_tc_actions_opts, o, .kind = "nosuch");
	struct list *l = calloc(1, sizeof(*l));
	struct nsteer *ns;
	unsigned int n;

	begin();
	ns = lv_open(NULL);
	for (o.terse = 0; o.terse <= NSTEER_TC_TERSE_ON; o.terse++) {
		lv_fails(ns, read_all(ns, &o, l), -ENOENT,
			 "no actions of kind nosuch");
		ck_assert_uint_eq(l->count, 0);
	}
	for (n = 0; (o.kind = nsteer_tc_actions_known(n)); n++) {
		lv_ok(ns, read_all(ns, &o, l));
		ck_assert_uint_eq(l->count, 0);
	}
	nsteer_close(ns);
	free(l);
}
END_TEST

/* Of all sizes; those of every index once, in constant memory. */
START_TEST(many)
{
	NSTEER_OPTS(nsteer_tc_actions_opts, o, .kind = NULL);
	struct list *l = calloc(1, sizeof(*l));
	const struct nsteer_tc_action *a;
	struct nsteer_tc_actions *d;
	struct nsteer *ns;
	long before = 0;
	uint32_t i;

	begin();
	need("mirred", "egress redirect dev lo index 1");
	o.kind = "mirred";
	ck_assert(!fx_sh("seq 2 %d | awk '{ print \"actions add action mirred "
			 "egress redirect dev lo index\", $1, NR %% 3 ? \"\" : "
			 "sprintf(\"cookie %%08x%%08x\", $1, $1) }' | tc -b -",
			 MANY));
	ns = lv_open(NULL);
	for (i = 0; i < 4; i++) {
		o.terse = i / 2 ? NSTEER_TC_TERSE_ON : NSTEER_TC_TERSE_OFF;
		lv_ok(ns, read_all(ns, &o, l));
		if (!i)
			before = lv_rss_kb();
		ck_assert_uint_eq(l->count, MANY);
		for (uint32_t n = 0; n < MANY; n++)
			ck_assert_uint_eq(l->all[n].index, n + 1);
	}
#ifndef __SANITIZE_ADDRESS__
	ck_assert_int_lt(lv_rss_kb() - before, 200);
#else
	(void)before;
#endif
	for (i = 0; i < 50; i++) {
		lv_ok(ns, nsteer_tc_actions_open(ns, &o, &d));
		ck_assert_int_eq(nsteer_tc_actions_next(d, &a), 1);
		nsteer_tc_actions_close(d);
	}
	nsteer_close(ns);
	free(l);
}
END_TEST

/* ---- large ones ---- */

/* The first message of a dump is no smaller than the others. */
START_TEST(the_first_is_large)
{
	NSTEER_OPTS(nsteer_tc_actions_opts, o, .kind = "pedit");
	struct list *l = calloc(1, sizeof(*l));
	struct nsteer *ns;

	begin();
	need("pedit", "ex munge ip ttl set 1 index 2");
	ck_assert(!fx_sh("tc actions add action pedit ex $(seq 1 120 | sed "
			 "'s/.*/munge ip ttl set &/' | tr '\\n' ' ') index 1"));
	ns = lv_open(NULL);
	lv_ok(ns, read_all(ns, &o, l));
	ck_assert_uint_eq(l->count, 2);
	ck_assert_uint_eq(l->all[0].index, 1);
	ck_assert_uint_eq(l->all[1].index, 2);
	nsteer_close(ns);
	free(l);
}
END_TEST

/* A program of so many instructions, too many for tc(8) to send. */
static void add_bpf(struct mnl_socket *nl, uint32_t index, uint16_t count)
{
	static char buf[65536] __attribute__((aligned(8)));
	static struct sock_filter ops[4096];
	struct tc_act_bpf parms = { .index = index, .action = TC_ACT_PIPE };
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct nlattr *tab, *entry, *options;
	const struct nlmsgerr *answer;
	char ack[1024];
	int i;

	for (i = 0; i < count; i++)
		ops[i] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, 0);
	nlh->nlmsg_type = RTM_NEWACTION;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE;
	mnl_nlmsg_put_extra_header(nlh, sizeof(struct tcamsg));
	tab = mnl_attr_nest_start(nlh, TCA_ACT_TAB);
	entry = mnl_attr_nest_start(nlh, 1);
	mnl_attr_put_strz(nlh, TCA_ACT_KIND, "bpf");
	options = mnl_attr_nest_start(nlh, TCA_ACT_OPTIONS);
	mnl_attr_put(nlh, TCA_ACT_BPF_PARMS, sizeof(parms), &parms);
	mnl_attr_put_u16(nlh, TCA_ACT_BPF_OPS_LEN, count);
	mnl_attr_put(nlh, TCA_ACT_BPF_OPS, count * sizeof(ops[0]), ops);
	mnl_attr_nest_end(nlh, options);
	mnl_attr_nest_end(nlh, entry);
	mnl_attr_nest_end(nlh, tab);
	ck_assert_int_gt(mnl_socket_sendto(nl, nlh, nlh->nlmsg_len), 0);
	ck_assert_int_gt(mnl_socket_recvfrom(nl, ack, sizeof(ack)), 0);
	nlh = (struct nlmsghdr *)ack;
	ck_assert_int_eq(nlh->nlmsg_type, NLMSG_ERROR);
	answer = mnl_nlmsg_get_payload(nlh);
	/* It tells all of it, too, to whom it may concern: there is no room. */
	ck_assert_msg(!answer->error || answer->error == -EINVAL, "index %u: %d",
		      index, answer->error);
}

/* The kernel would end the list as if that was all. */
START_TEST(one_is_too_large)
{
	NSTEER_OPTS(nsteer_tc_actions_opts, o, .kind = "bpf");
	struct list *l = calloc(1, sizeof(*l));
	struct mnl_socket *nl;
	struct nsteer *ns;

	begin();
	need("bpf", "bytecode '1,6 0 0 0' index 1");
	nl = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
	ck_assert_ptr_nonnull(nl);
	ck_assert(!mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID));
	/* As large as fits. */
	add_bpf(nl, 2, 3900);
	need("bpf", "bytecode '1,6 0 0 0' index 4");
	ns = lv_open(NULL);
	lv_ok(ns, read_all(ns, &o, l));
	ck_assert_uint_eq(l->count, 3);
	add_bpf(nl, 3, 4096);
	lv_fails(ns, read_all(ns, &o, l), -EMSGSIZE,
		 "the action bpf index 3 does not fit");
	ck_assert_uint_eq(l->count, 2);
	o.terse = NSTEER_TC_TERSE_ON;
	lv_ok(ns, read_all(ns, &o, l));
	ck_assert_uint_eq(l->count, 4);
	nsteer_close(ns);
	mnl_socket_close(nl);
	free(l);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("tc actions");
	TCase *tc = tcase_create("actions");

	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, every_kind);
	tcase_add_test(tc, bound);
	tcase_add_test(tc, what_is_not_there);
	tcase_add_test(tc, many);
	tcase_add_test(tc, the_first_is_large);
	tcase_add_test(tc, one_is_too_large);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
