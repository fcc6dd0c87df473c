/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The policies: one row each, the programs are in lib/bpf/tun_steer.bpf.c. */
#include <string.h>

#include "tun/tun.h"

static const struct nst_tun_policy policies[] = {
	{
		.id = NSTEER_TUN_POLICY_AUTOMQ,
		.name = "automq",
		.settable = true,
	},
	{
		.id = NSTEER_TUN_POLICY_CPU,
		.name = "cpu",
		.prog = "nst_steer_cpu",
		.settable = true,
	},
	{
		.id = NSTEER_TUN_POLICY_FIXED,
		.name = "fixed",
		.prog = "nst_steer_fixed",
		.settable = true,
	},
	{
		.id = NSTEER_TUN_POLICY_BPF,
		.name = "bpf",
	},
};

#define N_POLICIES (sizeof(policies) / sizeof(policies[0]))

const struct nst_tun_policy *nst_tun_policy(enum nsteer_tun_policy id)
{
	size_t i;

	for (i = 0; i < N_POLICIES; i++)
		if (policies[i].id == id)
			return &policies[i];
	return NULL;
}

NSTEER_API const char *nsteer_tun_policy_name(enum nsteer_tun_policy policy)
{
	const struct nst_tun_policy *p = nst_tun_policy(policy);

	return p ? p->name : NULL;
}

NSTEER_API enum nsteer_tun_policy nsteer_tun_policy_by_name(const char *name)
{
	size_t i;

	for (i = 0; i < N_POLICIES; i++)
		if (!strcmp(policies[i].name, name))
			return policies[i].id;
	return NSTEER_TUN_POLICY_UNKNOWN;
}
