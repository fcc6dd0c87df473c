/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* Reading the kernel's own structures, by offsets that come in at run time. */
#ifndef NST_TUN_KERNEL_H
#define NST_TUN_KERNEL_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "shared.h"

/* A read that fails leaves zero. */
static __always_inline __u64 load64(__u64 addr)
{
	__u64 v;

	bpf_probe_read_kernel(&v, sizeof(v), (void *)addr);
	return v;
}

static __always_inline __u16 load16(__u64 addr)
{
	__u16 v;

	bpf_probe_read_kernel(&v, sizeof(v), (void *)addr);
	return v;
}

static __always_inline __u32 load32(__u64 addr)
{
	__u32 v;

	bpf_probe_read_kernel(&v, sizeof(v), (void *)addr);
	return v;
}

/* Names are compared as the integers that they fill. */
static __always_inline __u64 name64(const char *s)
{
	__u64 v;

	__builtin_memcpy(&v, s, sizeof(v));
	return v;
}

static __always_inline __u32 name32(const char *s)
{
	__u32 v;

	__builtin_memcpy(&v, s, sizeof(v));
	return v;
}

static __always_inline int kind_is_tun(const struct nst_inspect_offsets *o,
				       __u64 link_ops)
{
	return load32(load64(link_ops + o->link_ops_kind)) == name32("tun");
}

/* The network namespace that a task is in. */
static __always_inline __u64 net_of(const struct nst_inspect_offsets *o,
				    __u64 task)
{
	return load64(load64(task + o->task_nsproxy) + o->nsproxy_net_ns);
}

#endif /* NST_TUN_KERNEL_H */
