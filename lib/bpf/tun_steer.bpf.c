/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * Steering policies of tun/tap devices (TUNSETSTEERINGEBPF).
 *
 * The kernel cuts the result to 16 bits and takes it modulo the active queues,
 * so no policy here needs to know how many there are. One program per policy,
 * named nst_steer_POLICY; each holds on to nst_cfg, by which nsteer recognises
 * it and reads its arguments.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "shared.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct nst_cfg);
} nst_cfg SEC(".maps");

/*
 * Put nst_cfg among the maps of a program that has no other use for it: one
 * load of a constant that nothing waits for.
 */
#define HOLD_CFG() asm volatile("" : : "r"(&nst_cfg))

SEC("socket")
int nst_steer_cpu(struct __sk_buff *skb)
{
	HOLD_CFG();
	return bpf_get_smp_processor_id();
}

SEC("socket")
int nst_steer_fixed(struct __sk_buff *skb)
{
	__u32 key = 0;
	struct nst_cfg *cfg = bpf_map_lookup_elem(&nst_cfg, &key);

	return cfg ? cfg->queue : 0;
}

char _license[] SEC("license") = "Dual BSD/GPL";
