/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The policies, by BPF_PROG_TEST_RUN, and what is to be seen of them. */
#include <bpf/bpf.h>
#include <stdio.h>
#include <string.h>

#include <nsteer/tun.h>

#include "fixture.h"
#include "harness.h"
#include "raw.h"

#define MAX_CPUS 64

/* The kernel takes the first 14 bytes off before a socket filter sees it. */
static const struct {
	const char *what;
	unsigned char bytes[128];
	uint32_t len;
} packets[] = {
	{ "nothing behind the header", { 0 }, 14 },
	{ "one byte", { [14] = 0x45 }, 15 },
	{ "ethernet, IPv4, UDP",
	  { [0] = 2, [12] = 0x08, [14] = 0x45, [17] = 46, [23] = 17, [26] = 10,
	    [37] = 9 },
	  60 },
	{ "ethernet, IPv6, TCP", { [12] = 0x86, 0xdd, 0x60, [20] = 6 }, 74 },
	{ "ethernet, two VLAN tags",
	  { [12] = 0x88, 0xa8, 0, 5, 0x81, 0, 0, 7, 0x08, 0, 0x45 },
	  128 },
	{ "an IPv4 packet at the start (tun)",
	  { 0x45, [3] = 28, [9] = 17, [12] = 10, [16] = 10 },
	  28 },
	{ "all ones", { [0 ... 127] = 0xff }, 128 },
};

#define N_PACKETS (sizeof(packets) / sizeof(packets[0]))

static uint32_t run(int prog_fd, size_t i)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packets[i].bytes,
		    .data_size_in = packets[i].len, .repeat = 3);
	int err = bpf_prog_test_run_opts(prog_fd, &opts);

	ck_assert_msg(!err, "%s: %s", packets[i].what, strerror(-err));
	return opts.retval;
}

START_TEST(cpu_is_the_cpu)
{
	struct nst_cfg cfg = raw_cfg(1, NSTEER_TUN_POLICY_CPU, 0);
	int cpus[MAX_CPUS], n, i;
	struct nsteer *ns;
	struct nst_bpf_prog p;
	size_t k;

	nst_need_root();
	ns = raw_open();
	p = raw_policy(ns, "nst_steer_cpu", &cfg);
	n = fx_cpus(cpus, MAX_CPUS);
	if (n < 2)
		nst_skip("machine: one CPU only, every answer would be right");
	for (i = 0; i < n; i++) {
		fx_pin(cpus[i]);
		for (k = 0; k < N_PACKETS; k++)
			ck_assert_uint_eq(run(p.prog_fd, k), cpus[i]);
	}
	nst_bpf_unload(&p);
	nsteer_close(ns);
}
END_TEST

static const uint32_t queues[] = { 0, 1, 255, 65535 };

START_TEST(fixed_is_fixed)
{
	struct nst_cfg cfg = raw_cfg(1, NSTEER_TUN_POLICY_FIXED, queues[_i]);
	int cpus[MAX_CPUS], n, i;
	struct nsteer *ns;
	struct nst_bpf_prog p;
	size_t k;

	nst_need_root();
	ns = raw_open();
	p = raw_policy(ns, "nst_steer_fixed", &cfg);
	n = fx_cpus(cpus, MAX_CPUS);
	for (i = 0; i < n; i++) {
		fx_pin(cpus[i]);
		for (k = 0; k < N_PACKETS; k++)
			ck_assert_uint_eq(run(p.prog_fd, k), queues[_i]);
	}
	nst_bpf_unload(&p);
	nsteer_close(ns);
}
END_TEST

static const char *const names[] = { "nst_steer_cpu", "nst_steer_fixed" };

/* What says whose it is: the name, and a map nst_cfg with these bytes. */
START_TEST(it_is_recognised)
{
	struct nst_cfg cfg = raw_cfg(77, 1000 + _i, 4711), got;
	struct bpf_map_info map = { 0 };
	struct bpf_prog_info info = { 0 };
	uint32_t len = sizeof(info), id = 0, key = 0;
	struct nsteer *ns;
	struct nst_bpf_prog p;
	int fd;

	nst_need_root();
	ns = raw_open();
	p = raw_policy(ns, names[_i], &cfg);
	info.nr_map_ids = 1;
	info.map_ids = (uintptr_t)&id;
	ck_assert_int_eq(bpf_obj_get_info_by_fd(p.prog_fd, &info, &len), 0);
	ck_assert_str_eq(info.name, names[_i]);
	ck_assert_uint_eq(info.type, BPF_PROG_TYPE_SOCKET_FILTER);
	ck_assert_uint_eq(info.nr_map_ids, 1);
	fd = bpf_map_get_fd_by_id(id);
	ck_assert_int_ge(fd, 0);
	len = sizeof(map);
	ck_assert_int_eq(bpf_obj_get_info_by_fd(fd, &map, &len), 0);
	ck_assert_str_eq(map.name, "nst_cfg");
	ck_assert_uint_eq(map.type, BPF_MAP_TYPE_ARRAY);
	ck_assert_uint_eq(map.max_entries, 1);
	ck_assert_uint_eq(map.value_size, sizeof(cfg));
	ck_assert_int_eq(bpf_map_lookup_elem(fd, &key, &got), 0);
	ck_assert_mem_eq(&got, &cfg, sizeof(cfg));
	nst_bpf_unload(&p);
	ck_assert_int_eq(p.prog_fd, -1);
	nsteer_close(ns);
}
END_TEST

/* The policy cpu pays nothing for its map: no call, no load from memory. */
START_TEST(cpu_does_not_look_into_its_map)
{
	struct nst_cfg cfg = raw_cfg(1, NSTEER_TUN_POLICY_CPU, 0);
	struct bpf_insn insns[64] = { 0 };
	struct bpf_prog_info info = { .xlated_prog_len = sizeof(insns),
				      .xlated_prog_insns = (uintptr_t)insns };
	uint32_t len = sizeof(info), n, i, constants = 0;
	struct nsteer *ns;
	struct nst_bpf_prog p;

	nst_need_root();
	ns = raw_open();
	p = raw_policy(ns, "nst_steer_cpu", &cfg);
	ck_assert_int_eq(bpf_obj_get_info_by_fd(p.prog_fd, &info, &len), 0);
	n = info.xlated_prog_len / sizeof(insns[0]);
	ck_assert_uint_gt(n, 0);
	ck_assert_uint_le(n, 8);
	for (i = 0; i < n; i++) {
		if (insns[i].src_reg == BPF_PSEUDO_MAP_FD &&
		    insns[i].code == (BPF_LD | BPF_DW | BPF_IMM))
			constants++;
		ck_assert(insns[i].code != (BPF_JMP | BPF_CALL) ||
			  insns[i].imm != BPF_FUNC_map_lookup_elem);
	}
	ck_assert_uint_eq(constants, 1);
	nst_bpf_unload(&p);
	nsteer_close(ns);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("steer");
	TCase *tc = tcase_create("policies");

	tcase_set_tags(tc, NST_GUEST);
	tcase_add_test(tc, cpu_is_the_cpu);
	tcase_add_loop_test(tc, fixed_is_fixed, 0, 4);
	tcase_add_loop_test(tc, it_is_recognised, 0, 2);
	tcase_add_test(tc, cpu_does_not_look_into_its_map);
	suite_add_tcase(s, tc);
	return s;
}
NST_REGISTER(suite);
