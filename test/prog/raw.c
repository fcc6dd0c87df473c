/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "raw.h"

#include <bpf/bpf.h>
#include <linux/if_tun.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "harness.h"

#define MAX_INSNS 256

int raw_map(const char *name, enum bpf_map_type type, uint32_t value_size,
	    const void *value)
{
	const uint32_t key = 0;
	int fd = bpf_map_create(type, name, sizeof(key), value_size, 1, NULL);

	ck_assert_int_ge(fd, 0);
	if (value)
		ck_assert_int_eq(bpf_map_update_elem(fd, &key, value, BPF_ANY),
				 0);
	return fd;
}

int raw_prog(const char *name, const int *maps, int n_maps)
{
	struct bpf_insn insns[MAX_INSNS] = { 0 }, *in = insns;
	int i, fd;

	ck_assert_int_lt(n_maps * 2 + 2, MAX_INSNS);
	for (i = 0; i < n_maps; i++) {
		*in++ = (struct bpf_insn){ .code = BPF_LD | BPF_DW | BPF_IMM,
					   .dst_reg = BPF_REG_1,
					   .src_reg = BPF_PSEUDO_MAP_FD,
					   .imm = maps[i] };
		in++;
	}
	*in++ = (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_K };
	*in++ = (struct bpf_insn){ .code = BPF_JMP | BPF_EXIT };
	fd = bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, name, "GPL", insns,
			   in - insns, NULL);
	ck_assert_int_ge(fd, 0);
	return fd;
}

struct bpf_prog_info raw_prog_info(int prog_fd)
{
	struct bpf_prog_info info = { 0 };
	uint32_t len = sizeof(info);

	ck_assert_int_eq(bpf_obj_get_info_by_fd(prog_fd, &info, &len), 0);
	return info;
}

void raw_tag(const struct bpf_prog_info *info, char hex[17])
{
	int i;

	for (i = 0; i < 8; i++)
		snprintf(hex + 2 * i, 3, "%02x", info->tag[i]);
}

struct nst_bpf_prog raw_policy(struct nsteer *ns, const char *prog,
			       const struct nst_cfg *cfg)
{
	struct nst_bpf_load_opts opts = { .cfg = cfg,
					  .cfg_size = sizeof(*cfg) };
	struct nst_bpf_prog out;
	int err =
		nst_bpf_load(ns, &nst_blob_tun_steer, prog, false, &opts, &out);

	ck_assert_msg(!err, "%s: %s", prog, nsteer_errmsg(ns));
	return out;
}

struct nst_cfg raw_cfg(uint32_t ifindex, uint32_t policy, uint32_t queue)
{
	return (struct nst_cfg){ .magic = NST_CFG_MAGIC,
				 .version = NST_CFG_VERSION,
				 .what = NST_CFG_TUN_STEERING,
				 .ifindex = ifindex,
				 .policy = policy,
				 .netns_cookie = 0x1122334455667788,
				 .queue = queue };
}

void raw_steer(int queue_fd, int prog_fd)
{
	ck_assert_int_eq(ioctl(queue_fd, TUNSETSTEERINGEBPF, &prog_fd), 0);
}

void raw_filter(int queue_fd, int prog_fd)
{
	ck_assert_int_eq(ioctl(queue_fd, TUNSETFILTEREBPF, &prog_fd), 0);
}

void raw_drop_cap(cap_value_t cap)
{
	const cap_value_t drop[] = { cap, CAP_SYS_ADMIN };
	cap_t caps = cap_get_proc();

	ck_assert_ptr_nonnull(caps);
	ck_assert_int_eq(cap_set_flag(caps, CAP_EFFECTIVE, 2, drop, CAP_CLEAR),
			 0);
	ck_assert_int_eq(cap_set_proc(caps), 0);
	cap_free(caps);
}

struct nsteer *raw_open(void)
{
	struct nsteer *ns;

	nsteer_libbpf_quiet();
	ck_assert_int_eq(nsteer_open(NULL, &ns), 0);
	return ns;
}
