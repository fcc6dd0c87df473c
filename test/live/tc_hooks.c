// SPDX-License-Identifier: GPL-2.0-or-later
/* Programs run in the order in which they are told: packets are asked. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/pkt_sched.h>
#include <nsteer/tc.h>
#include <stdio.h>
#include <stdlib.h>

#include "live.h"

#define TCX_INGRESS 46
#define TCX_EGRESS 47
#define NETKIT_PRIMARY 54
#define NETKIT_PEER 55
#define F_BEFORE (1U << 3) /* BPF_F_BEFORE */

#define PROGS 15

/* Programs, each of which adds its number to a word that all share. */
struct run {
	int map;
	int fd[PROGS + 1]; /* by number, from 1 */
	uint32_t id[PROGS + 1];
	int count;
};

static void run_new(struct run *r)
{
	memset(r, 0, sizeof(*r));
	r->map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "order", 4, 8, 1, NULL);
	ck_assert_int_ge(r->map, 0);
}

/* Its number. What it returns lets the next one run, at any kind of hook. */
static int run_add(struct run *r)
{
	int n = ++r->count;
	const struct bpf_insn insns[] = {
		{ .code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = BPF_REG_1,
		  .src_reg = BPF_PSEUDO_MAP_VALUE, .imm = r->map },
		{ 0 },
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_2,
		  .src_reg = BPF_REG_1 },
		{ .code = BPF_ALU64 | BPF_LSH | BPF_K, .dst_reg = BPF_REG_2,
		  .imm = 4 },
		{ .code = BPF_ALU64 | BPF_OR | BPF_K, .dst_reg = BPF_REG_2,
		  .imm = n },
		{ .code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_1,
		  .src_reg = BPF_REG_2 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = -1 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	char name[24];

	ck_assert_int_le(n, PROGS);
	snprintf(name, sizeof(name), "order%d", n);
	r->fd[n] = bpf_prog_load(BPF_PROG_TYPE_SCHED_CLS, name, "GPL", insns,
				 sizeof(insns) / sizeof(insns[0]), NULL);
	ck_assert_int_ge(r->fd[n], 0);
	r->id[n] = lv_prog_id(r->fd[n]);
	return n;
}

static void run_clear(struct run *r)
{
	const uint64_t none = 0;
	const uint32_t key = 0;

	ck_assert_int_eq(bpf_map_update_elem(r->map, &key, &none, BPF_ANY), 0);
}

static uint64_t run_seen(struct run *r)
{
	const uint32_t key = 0;
	uint64_t seen = 0;

	ck_assert_int_eq(bpf_map_lookup_elem(r->map, &key, &seen), 0);
	return seen;
}

/* What packets would see where the programs run as they are told. */
static uint64_t run_told(struct run *r, const struct nsteer_tc_place *p)
{
	const struct nsteer_tc_program *g;
	const struct nsteer_prog *prog;
	uint64_t told = 0;
	char name[24];
	size_t i;
	int n;

	for (i = 0; (g = nsteer_tc_place_program(p, i)); i++) {
		prog = nsteer_tc_program_prog(g);
		for (n = 1; n <= r->count; n++)
			if (r->id[n] == nsteer_prog_id(prog))
				break;
		ck_assert_int_le(n, r->count);
		snprintf(name, sizeof(name), "order%d", n);
		ck_assert_str_eq(nsteer_prog_name(prog), name);
		told = told << 4 | n;
	}
	return told;
}

/* ---- attaching ---- */

static void attach(struct run *r, uint32_t ifindex, int type, uint32_t flags)
{
	int n = run_add(r);

	ck_assert_int_eq(bpf_prog_attach(r->fd[n], ifindex, type, flags), 0);
}

/* The link, for as long as it is open. */
static int attach_link(struct run *r, uint32_t ifindex, int type)
{
	int fd = bpf_link_create(r->fd[run_add(r)], ifindex, type, NULL);

	ck_assert_int_ge(fd, 0);
	return fd;
}

static void attach_filter(struct run *r, uint32_t ifindex, bool ingress,
			  uint32_t pref, uint32_t handle)
{
	LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = ifindex,
		    .attach_point = ingress ? BPF_TC_INGRESS : BPF_TC_EGRESS);
	LIBBPF_OPTS(bpf_tc_opts, o, .prog_fd = r->fd[run_add(r)],
		    .priority = pref, .handle = handle);

	ck_assert_int_eq(bpf_tc_attach(&hook, &o), 0);
}

static void need_type(uint32_t ifindex, int type, const char *what)
{
	struct run r;
	int n;

	run_new(&r);
	n = run_add(&r);
	if (bpf_prog_attach(r.fd[n], ifindex, type, 0))
		nst_skip("kernel: no %s", what);
	ck_assert_int_eq(bpf_prog_detach2(r.fd[n], ifindex, type), 0);
	close(r.fd[n]);
	close(r.map);
}

/* ---- asking ---- */

static struct nsteer_tc_hooks *list(struct nsteer *ns, uint32_t ifindex)
{
	NSTEER_OPTS(nsteer_tc_hooks_opts, o, .ifindex = ifindex);
	struct nsteer_tc_hooks *h = NULL;

	lv_ok(ns, nsteer_tc_hooks_list(ns, &o, &h));
	return h;
}

static const struct nsteer_tc_place *find(const struct nsteer_tc_hooks *h,
					  uint32_t ifindex,
					  enum nsteer_tc_hook hook)
{
	const struct nsteer_tc_place *p;
	size_t i;

	for (i = 0; (p = nsteer_tc_hooks_get(h, i)); i++)
		if (nsteer_tc_place_ifindex(p) == ifindex &&
		    nsteer_tc_place_hook(p) == hook)
			return p;
	ck_abort_msg("device %u has no hook %d", ifindex, hook);
}

static void begin(void)
{
	nst_need_root();
	if (fx_sh("command -v tc >/dev/null"))
		nst_skip("machine: no tc");
	fx_netns();
}

/* ---- the order ---- */

static void send_out(int net)
{
	int cpu;

	fx_cpus(&cpu, 1);
	ck_assert_uint_eq(fx_send(cpu, 0, net, 1, 1), 1);
}

static void send_in(int queue)
{
	unsigned char frame[60] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
				    2,	  0,	0,    0,    0,	  1,
				    0x88, 0xb5 };

	ck_assert_int_eq(write(queue, frame, sizeof(frame)), sizeof(frame));
}

/* Of all programs the one that a link holds, which may be none (0). */
static void link_is(const struct nsteer_tc_place *p, uint32_t link)
{
	const struct nsteer_tc_program *g;
	uint32_t id, found = 0;
	size_t i;

	for (i = 0; (g = nsteer_tc_place_program(p, i)); i++) {
		if (nsteer_tc_program_link(g, &id))
			continue;
		ck_assert_str_eq(nsteer_tc_program_backend(g), "tcx");
		ck_assert_uint_eq(found, 0);
		found = id;
	}
	ck_assert_uint_eq(found, link);
}

static uint32_t link_id(int fd)
{
	struct bpf_link_info info = { 0 };
	uint32_t len = sizeof(info);

	ck_assert_int_eq(bpf_obj_get_info_by_fd(fd, &info, &len), 0);
	return info.id;
}

/*
 * Attached at the end, in front, by a link, and filters in no order. The id of
 * the link.
 */
static uint32_t attach_all(struct run *r, uint32_t ifindex, bool ingress,
			   bool tcx)
{
	int type = ingress ? TCX_INGRESS : TCX_EGRESS;
	uint32_t link = 0;

	attach_filter(r, ifindex, ingress, 20, 1);
	if (tcx) {
		attach(r, ifindex, type, 0);
		link = link_id(attach_link(r, ifindex, type));
		attach(r, ifindex, type, F_BEFORE);
		attach(r, ifindex, type, 0);
	}
	attach_filter(r, ifindex, ingress, 10, 5);
	attach_filter(r, ifindex, ingress, 10, 9);
	attach_filter(r, ifindex, ingress, 10, 2);
	attach_filter(r, ifindex, ingress, 5, 1);
	return link;
}

static void order_is_told(bool ingress, bool tcx)
{
	const struct nsteer_tc_place *p;
	struct nsteer_tc_hooks *h;
	struct lv_log log;
	struct nsteer *ns;
	uint32_t t0, link;
	struct run r;
	int queue;

	queue = fx_tun_open("t0", TAP_ONE);
	t0 = fx_ifindex("t0");
	if (tcx)
		need_type(t0, TCX_EGRESS, "tcx");
	if (fx_sh("tc qdisc add dev t0 clsact 2>/dev/null"))
		nst_skip("kernel: no clsact");
	fx_up("t0", 1);
	fx_wait_running("t0");
	run_new(&r);
	link = attach_all(&r, t0, ingress, tcx);
	ns = lv_open(&log);
	h = list(ns, 0);
	ck_assert_uint_eq(nsteer_tc_hooks_count(h), 1);
	ck_assert(!nsteer_tc_hooks_hidden(h));
	p = find(h, t0, ingress ? NSTEER_TC_HOOK_INGRESS :
				  NSTEER_TC_HOOK_EGRESS);
	ck_assert_uint_eq(nsteer_tc_place_program_count(p), r.count);
	ck_assert_uint_eq(nsteer_tc_place_filters(p), 5);
	ck_assert_uint_eq(nsteer_tc_place_classifier_count(p), 3);
	link_is(p, link);
	run_clear(&r);
	if (ingress)
		send_in(queue);
	else
		send_out(1);
	ck_assert_uint_ne(run_seen(&r), 0);
	ck_assert_msg(run_seen(&r) == run_told(&r, p),
		      "packets see %llx, told is %llx",
		      (unsigned long long)run_seen(&r),
		      (unsigned long long)run_told(&r, p));
	ck_assert_int_eq(log.count, 0);
	nsteer_tc_hooks_free(h);
	nsteer_close(ns);
}

START_TEST(run_order)
{
	begin();
	order_is_told(_i, true);
}
END_TEST

/* And where there is no tcx. */
START_TEST(run_order_of_filters)
{
	begin();
	order_is_told(_i, false);
}
END_TEST

/* Of what a packet passes between a netkit device and its peer, both ways. */
START_TEST(netkit_order)
{
	static const enum nsteer_tc_hook ways[2][2] = {
		{ NSTEER_TC_HOOK_EGRESS, NSTEER_TC_HOOK_PRIMARY },
		{ NSTEER_TC_HOOK_PEER, NSTEER_TC_HOOK_INGRESS },
	};
	static const enum nsteer_tc_hook along[] = {
		NSTEER_TC_HOOK_PEER, NSTEER_TC_HOOK_INGRESS,
		NSTEER_TC_HOOK_EGRESS, NSTEER_TC_HOOK_PRIMARY,
	};
	static const int types[] = { TCX_INGRESS, NETKIT_PEER, NETKIT_PRIMARY,
				     TCX_EGRESS };
	const struct nsteer_tc_program *g;
	struct nsteer_tc_hooks *h;
	uint32_t p0, link = 0;
	struct lv_log log;
	struct nsteer *ns;
	struct run r;
	uint64_t told;
	int way, i;

	begin();
	if (fx_sh("ip link add p0 type netkit 2>/dev/null"))
		nst_skip("kernel: no netkit");
	p0 = fx_ifindex("p0");
	fx_up("p0", 1);
	fx_up("nk0", 2);
	fx_wait_running("p0");
	run_new(&r);
	for (i = 0; i < 4; i++) {
		attach(&r, p0, types[i], 0);
		attach_link(&r, p0, types[i]);
		attach(&r, p0, types[i], F_BEFORE);
	}
	ns = lv_open(&log);
	/* Its peer has nothing of its own, and to ask there is no error. */
	h = list(ns, fx_ifindex("nk0"));
	ck_assert_uint_eq(nsteer_tc_hooks_count(h), 0);
	nsteer_tc_hooks_free(h);
	h = list(ns, 0);
	ck_assert_uint_eq(nsteer_tc_hooks_count(h), 4);
	for (way = 0; way < 2; way++) {
		run_clear(&r);
		send_out(1 + way);
		usleep(100000); /* the other end takes it from a backlog */
		told = run_told(&r, find(h, p0, ways[way][0])) << 12 |
		       run_told(&r, find(h, p0, ways[way][1]));
		ck_assert_uint_ne(told, 0);
		ck_assert_msg(run_seen(&r) == told,
			      "way %d: packets see %llx, told is %llx", way,
			      (unsigned long long)run_seen(&r),
			      (unsigned long long)told);
	}
	/* In the order of the snapshot, too. */
	for (i = 0; i < 4; i++)
		ck_assert_int_eq(
			nsteer_tc_place_hook(nsteer_tc_hooks_get(h, i)),
			along[i]);
	g = nsteer_tc_place_program(nsteer_tc_hooks_get(h, 0), 2);
	ck_assert_str_eq(nsteer_tc_program_backend(g), "netkit");
	lv_ok(ns, nsteer_tc_program_link(g, &link));
	ck_assert_uint_ne(link, 0);
	ck_assert_int_eq(log.count, 0);
	nsteer_tc_hooks_free(h);
	nsteer_close(ns);
}
END_TEST

/* ---- where it is asked, and by whom ---- */

/* The programs of the context's namespace, whatever the thread's is. */
START_TEST(of_another_namespace)
{
	const struct nsteer_tc_place *p;
	struct nsteer_tc_hooks *h;
	struct nsteer *ns;
	struct run r;
	uint32_t t0;
	int there;

	begin();
	t0 = fx_tun_make("t0", TAP_ONE);
	need_type(t0, TCX_INGRESS, "tcx");
	run_new(&r);
	attach(&r, t0, TCX_INGRESS, 0);
	ns = lv_open(NULL);
	fx_netns();
	there = fx_netns_fd();
	h = list(ns, 0);
	ck_assert(fx_in_netns(there));
	p = find(h, t0, NSTEER_TC_HOOK_INGRESS);
	ck_assert_uint_eq(run_told(&r, p), 1);
	nsteer_tc_hooks_free(h);
	nsteer_close(ns);
}
END_TEST

/* Two of tcx in front of a filter, seen with these capabilities gone. */
static void seen_without(cap_value_t cap, bool hidden, size_t programs)
{
	const struct nsteer_tc_program *g;
	const struct nsteer_tc_place *p;
	struct nsteer_tc_hooks *h;
	struct lv_log log;
	struct nsteer *ns;
	bool named = cap != CAP_SYS_ADMIN;

	lv_drop(cap);
	if (hidden)
		lv_drop(CAP_SYS_ADMIN);
	ns = lv_open(&log);
	h = list(ns, 0);
	ck_assert_int_eq(nsteer_tc_hooks_hidden(h), hidden);
	p = nsteer_tc_hooks_get(h, 0);
	ck_assert_int_eq(nsteer_tc_place_hidden(p), hidden);
	ck_assert_uint_eq(nsteer_tc_place_program_count(p), programs);
	g = nsteer_tc_place_program(p, programs - 1);
	ck_assert_uint_ne(nsteer_prog_id(nsteer_tc_program_prog(g)), 0);
	/* Of a filter netlink tells it. */
	ck_assert_uint_eq(strlen(nsteer_prog_tag(nsteer_tc_program_prog(g))),
			  16);
	if (!named || hidden)
		ck_assert_str_eq(nsteer_prog_name(nsteer_tc_program_prog(g)),
				 "");
	ck_assert_int_eq(log.count, hidden);
	if (hidden)
		lv_says(log.warnings, "missing: cap_net_admin");
	nsteer_tc_hooks_free(h);
	nsteer_close(ns);
}

START_TEST(without_capabilities)
{
	struct run r;
	uint32_t t0;

	begin();
	t0 = fx_tun_make("t0", TAP_ONE);
	need_type(t0, TCX_INGRESS, "tcx");
	if (fx_sh("tc qdisc add dev t0 clsact 2>/dev/null"))
		nst_skip("kernel: no clsact");
	run_new(&r);
	attach(&r, t0, TCX_INGRESS, 0);
	attach(&r, t0, TCX_INGRESS, 0);
	attach_filter(&r, t0, true, 1, 1);
	lv_child(seen_without(CAP_BPF, false, 3));
	lv_child(seen_without(CAP_SYS_ADMIN, false, 3));
	lv_child(seen_without(CAP_NET_ADMIN, true, 1));
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("tc hooks");
	TCase *tc = tcase_create("hooks");

	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, run_order, 0, 2);
	tcase_add_loop_test(tc, run_order_of_filters, 0, 2);
	tcase_add_test(tc, netkit_order);
	tcase_add_test(tc, of_another_namespace);
	tcase_add_test(tc, without_capabilities);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
