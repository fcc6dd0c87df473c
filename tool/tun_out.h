/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records of the object tun. */
#ifndef TOOL_TUN_OUT_H
#define TOOL_TUN_OUT_H

#include <nsteer/tun.h>

#include "args.h"
#include "out.h"

/* A device with all that is known of it. */
void tun_out_show(struct out *out, const struct nsteer_tun *tun, bool details);

/* A device by name and index alone. */
void tun_out_name(struct out *out, const char *ifname, uint32_t ifindex);

/*
 * What steers a device. Where steering is NULL: the policy that was asked for
 * (and the queue, of the policy fixed).
 */
void tun_out_steering(struct out *out, const char *ifname, uint32_t ifindex,
		      const struct nsteer_tun_steering *steering,
		      enum nsteer_tun_policy policy, uint32_t queue);

/* A policy that can be set. */
void tun_out_policy(struct out *out, const struct arg_choice *policy);

#endif /* TOOL_TUN_OUT_H */
