// SPDX-License-Identifier: GPL-2.0-or-later
/* Filters as the kernel has them, made by tc. */
#include <errno.h>
#include <linux/pkt_sched.h>
#include <nsteer/tc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "live.h"

#define MANY 2000
/* A guest is emulated. */
#define PREFS (getenv("NSTEER_GUEST") ? 150 : MANY / 2)

struct seen {
	uint32_t ifindex, block, parent, chain, pref, handle;
	char kind[16];
	uint64_t packets;
};

struct list {
	struct seen all[MANY + 16];
	size_t count;
};

static void tc(const char *line)
{
	ck_assert_msg(!fx_sh("tc %s", line), "tc %s", line);
}

static void begin(void)
{
	nst_need_root();
	if (fx_sh("command -v tc >/dev/null"))
		nst_skip("machine: no tc");
	fx_netns();
	fx_tun_make("t0", TAP_ONE);
	fx_tun_make("t1", TAP_ONE);
	fx_tun_make("t2", TAP_ONE);
	if (fx_sh("tc qdisc add dev t0 clsact 2>/dev/null"))
		nst_skip("kernel: no clsact");
}

static bool has_kind(const char *kind)
{
	return !fx_sh("tc filter add dev t0 ingress pref 9999 protocol ip %s "
		      "2>/dev/null && tc filter del dev t0 ingress pref 9999",
		      kind);
}

#define need(kind)                                                             \
	do {                                                                   \
		if (!has_kind(kind))                                           \
			nst_skip("kernel: no %s", kind);                       \
	} while (0)

/* Reads all; the answer of the call that ended it. */
static int read_all(struct nsteer *ns, const struct nsteer_tc_dump_opts *o,
		    struct list *l)
{
	const struct nsteer_tc_action *a;
	const struct nsteer_tc_filter *f;
	struct nsteer_tc_dump *d;
	uint32_t again;
	int ret;

	l->count = 0;
	lv_ok(ns, nsteer_tc_dump_open(ns, o, &d));
	while ((ret = nsteer_tc_dump_next(d, &f)) == 1) {
		struct seen *s = &l->all[l->count++];

		ck_assert_uint_le(l->count, MANY + 16);
		memset(s, 0, sizeof(*s));
		s->ifindex = nsteer_tc_filter_ifindex(f);
		s->block = nsteer_tc_filter_block(f);
		s->parent = nsteer_tc_filter_parent(f);
		s->chain = nsteer_tc_filter_chain(f);
		s->pref = nsteer_tc_filter_pref(f);
		s->handle = nsteer_tc_filter_handle(f);
		strcpy(s->kind, nsteer_tc_filter_kind(f));
		a = nsteer_tc_filter_action(f, 0);
		if (a)
			s->packets = nsteer_tc_stats_packets(
				nsteer_tc_action_stats(a));
		/* The context is free in between. */
		if (l->count == 1)
			lv_ok(ns, nsteer_link_index(ns, "t0", &again));
	}
	nsteer_tc_dump_close(d);
	return ret;
}

static bool has(const struct list *l, uint32_t ifindex, uint32_t block,
		uint32_t pref)
{
	size_t i, n = 0;

	/* u32 tells its hash tables, too, and they have no node number. */
	for (i = 0; i < l->count; i++)
		n += l->all[i].ifindex == ifindex && l->all[i].block == block &&
		     l->all[i].pref == pref && (l->all[i].handle & 0xfff);
	return n == 1;
}

#define U32 "protocol ip u32 match u8 0 0"

/* Every place, each once, whatever kinds of place there are. */
START_TEST(all_of_a_namespace)
{
	struct list *l = calloc(1, sizeof(*l));
	struct nsteer *ns;
	uint32_t t0, t1;

	begin();
	need("u32 match u8 0 0");
	t0 = fx_ifindex("t0");
	t1 = fx_ifindex("t1");
	tc("filter add dev t0 ingress pref 1 " U32);
	tc("filter add dev t0 egress pref 2 " U32);
	tc("qdisc add dev t1 ingress_block 7 clsact");
	tc("qdisc add dev t2 ingress_block 7 clsact");
	tc("filter add block 7 pref 3 " U32);
	if (!fx_sh("tc qdisc add dev t0 root handle 1: htb 2>/dev/null")) {
		tc("class add dev t0 parent 1: classid 1:10 htb rate 1mbit");
		tc("filter add dev t0 parent 1: pref 4 " U32);
		tc("filter add dev t0 parent 1:10 pref 5 " U32);
	}
	ns = lv_open(NULL);
	lv_ok(ns, read_all(ns, NULL, l));
	ck_assert(has(l, t0, 0, 1));
	ck_assert(has(l, t0, 0, 2));
	ck_assert(has(l, 0, 7, 3));
	if (!fx_sh("tc qdisc show dev t0 | grep -q htb")) {
		ck_assert(has(l, t0, 0, 4));
		ck_assert(has(l, t0, 0, 5));
	}
	/* Of one device: what is bound there, too. */
	NSTEER_OPTS(nsteer_tc_dump_opts, o, .ifindex = t1);
	lv_ok(ns, read_all(ns, &o, l));
	ck_assert_uint_eq(l->all[0].block, 7);
	nsteer_close(ns);
	free(l);
}
END_TEST

START_TEST(what_is_not_there)
{
	NSTEER_OPTS(nsteer_tc_dump_opts, device, .ifindex = 9999,
		    .hook = NSTEER_TC_HOOK_INGRESS);
	NSTEER_OPTS(nsteer_tc_dump_opts, block, .block = 77);
	NSTEER_OPTS(nsteer_tc_dump_opts, anywhere, .ifindex = 9999);
	struct list *l = calloc(1, sizeof(*l));
	struct nsteer *ns;

	begin();
	NSTEER_OPTS(nsteer_tc_dump_opts, hook, .ifindex = fx_ifindex("t1"),
		    .hook = NSTEER_TC_HOOK_EGRESS);
	NSTEER_OPTS(nsteer_tc_dump_opts, parent, .ifindex = fx_ifindex("t1"),
		    .parent = 5 << 16);
	NSTEER_OPTS(nsteer_tc_dump_opts, empty, .ifindex = fx_ifindex("t0"),
		    .hook = NSTEER_TC_HOOK_EGRESS);
	NSTEER_OPTS(nsteer_tc_dump_opts, root, .ifindex = fx_ifindex("t0"),
		    .hook = NSTEER_TC_HOOK_ROOT);
	ns = lv_open(NULL);
	lv_fails(ns, read_all(ns, &device, l), -ENODEV, "9999");
	lv_fails(ns, read_all(ns, &anywhere, l), -ENODEV, "9999");
	lv_fails(ns, read_all(ns, &block, l), -ENOENT, "block 77");
	lv_fails(ns, read_all(ns, &hook, l), -ENOENT, "t1 egress");
	lv_fails(ns, read_all(ns, &parent, l), -ENOENT, "t1 parent 5: ");
	lv_ok(ns, read_all(ns, &empty, l));
	lv_ok(ns, read_all(ns, &root, l));
	ck_assert_uint_eq(l->count, 0);
	nsteer_close(ns);
	free(l);
}
END_TEST

/* The same filters in the same order as in full, and nothing said in vain. */
static void terse_is_full(struct nsteer *ns, uint32_t ifindex)
{
	NSTEER_OPTS(nsteer_tc_dump_opts, o, .ifindex = ifindex,
		    .hook = NSTEER_TC_HOOK_INGRESS);
	struct list *full = calloc(1, sizeof(*full));
	struct list *terse = calloc(1, sizeof(*terse));

	lv_ok(ns, read_all(ns, &o, full));
	o.terse = NSTEER_TC_TERSE_ON;
	lv_ok(ns, read_all(ns, &o, terse));
	ck_assert_uint_eq(full->count, terse->count);
	ck_assert_mem_eq(full->all, terse->all,
			 full->count * sizeof(full->all[0]));
	free(full);
	free(terse);
}

START_TEST(terse_does_not_lie)
{
	NSTEER_OPTS(nsteer_tc_dump_opts, strict,
		    .hook = NSTEER_TC_HOOK_INGRESS,
		    .terse = NSTEER_TC_TERSE_STRICT);
	struct list *l = calloc(1, sizeof(*l));
	struct lv_log log;
	struct nsteer *ns;
	uint32_t t0;

	begin();
	need("flower");
	need("u32 match u8 0 0");
	t0 = fx_ifindex("t0");
	strict.ifindex = t0;
	ns = lv_open(&log);
	ck_assert(!fx_sh("seq 300 | sed 's/.*/filter add dev t0 ingress "
			 "pref 10 handle & protocol ip flower ip_proto udp "
			 "dst_port &/' | tc -b -"));
	terse_is_full(ns, t0);
	lv_ok(ns, read_all(ns, &strict, l));
	ck_assert_uint_eq(l->count, 300);
	ck_assert_int_eq(log.count, 0);
	tc("filter add dev t0 ingress pref 20 " U32);
	tc("filter add dev t0 ingress pref 40 protocol ip flower ip_proto tcp");
	tc("filter add dev t0 ingress chain 5 pref 1 protocol ip flower");
	terse_is_full(ns, t0);
	ck_assert_int_eq(log.count, 1);
	lv_says(log.warnings, "u32");
	lv_says(log.warnings, "t0 ingress, chain 0, pref 20");
	lv_fails(ns, read_all(ns, &strict, l), -EOPNOTSUPP, "u32");
	ck_assert_uint_eq(l->count, 300);
	nsteer_close(ns);
	free(l);
}
END_TEST

/* Packets that were sent are the packets that are counted. */
START_TEST(packets_are_counted)
{
	NSTEER_OPTS(nsteer_tc_dump_opts, o, .hook = NSTEER_TC_HOOK_EGRESS);
	struct list *l = calloc(1, sizeof(*l));
	struct fx_readers *r;
	struct nsteer *ns;
	int cpu;

	begin();
	need("flower action drop");
	o.ifindex = fx_ifindex("t0");
	r = fx_read_open("t0", TAP_ONE, 1);
	fx_up("t0", 1);
	fx_wait_running("t0");
	tc("filter add dev t0 egress pref 1 protocol ip flower ip_proto udp "
	   "action drop");
	ns = lv_open(NULL);
	fx_cpus(&cpu, 1);
	ck_assert_uint_eq(fx_send(cpu, 0, 1, 1, 123), 123);
	for (o.terse = 0; o.terse <= NSTEER_TC_TERSE_ON; o.terse++) {
		lv_ok(ns, read_all(ns, &o, l));
		ck_assert_uint_eq(l->count, 1);
		ck_assert_uint_eq(l->all[0].packets, 123);
	}
	nsteer_close(ns);
	fx_readers_end(r);
	free(l);
}
END_TEST

/* Selected by the kernel, in constant memory, and closed in the midst. */
START_TEST(many)
{
	NSTEER_OPTS(nsteer_tc_dump_opts, o, .hook = NSTEER_TC_HOOK_INGRESS);
	struct list *l = calloc(1, sizeof(*l));
	const struct nsteer_tc_filter *f;
	struct nsteer_tc_dump *d;
	struct nsteer *ns;
	long before;
	int i;

	begin();
	need("u32 match u8 0 0");
	ck_assert(!fx_sh("seq %d | sed 's/.*/filter add dev t0 ingress pref & "
			 "protocol ip u32 match u8 0 0/' | tc -b -",
			 PREFS));
	o.ifindex = fx_ifindex("t0");
	ns = lv_open(NULL);
	o.pref = 77;
	lv_ok(ns, read_all(ns, &o, l));
	ck_assert_uint_eq(l->count, 2);
	ck_assert_uint_eq(l->all[1].pref, 77);
	o.pref = 0;
	before = lv_rss_kb();
	for (i = 0; i < 3; i++) {
		lv_ok(ns, read_all(ns, &o, l));
		ck_assert_uint_eq(l->count, 2 * PREFS);
	}
#ifndef __SANITIZE_ADDRESS__
	/* The list here is touched, too. */
	ck_assert_int_lt(lv_rss_kb() - before, 400);
#else
	(void)before;
#endif
	for (i = 0; i < 50; i++) {
		lv_ok(ns, nsteer_tc_dump_open(ns, &o, &d));
		ck_assert_int_eq(nsteer_tc_dump_next(d, &f), 1);
		nsteer_tc_dump_close(d);
	}
	nsteer_close(ns);
	free(l);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("tc");
	TCase *tc = tcase_create("tc");

	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, all_of_a_namespace);
	tcase_add_test(tc, what_is_not_there);
	tcase_add_test(tc, terse_does_not_lie);
	tcase_add_test(tc, packets_are_counted);
	tcase_add_test(tc, many);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
