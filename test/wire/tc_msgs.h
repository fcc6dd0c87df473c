/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a kernel that follows a script says of filters. */
#ifndef NST_TC_MSGS_H
#define NST_TC_MSGS_H

#include <arpa/inet.h>
#include <linux/gen_stats.h>
#include <linux/if_ether.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/tc_act/tc_gact.h>
#include <nsteer/tc.h>

#include "script.h"
#include "tc/tc.h"

#define TC_EGRESS TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_EGRESS)
#define TC_INGRESS TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS)

/* Attributes in a buffer, to be put into a message or another such buffer. */
struct attrs {
	char buf[8192] __attribute__((aligned(8)));
};
struct nlmsghdr *attrs_new(struct attrs *a);
/* Into the message under construction. */
void put_attrs(struct script *s, uint16_t type, const struct attrs *a);
/* Into another buffer. */
void attrs_nest(struct attrs *to, uint16_t type, const struct attrs *a);

/* A queueing discipline; attributes may follow. */
void put_qdisc(struct script *s, uint32_t ifindex, uint32_t handle,
	       uint32_t parent, const char *kind);

struct tc_where {
	uint32_t ifindex;
	uint32_t parent;
	uint32_t chain;
	uint32_t pref;
	const char *kind;
};
/* The header of a classifier; a filter with these options, NULL: flags only. */
void put_tp(struct script *s, const struct tc_where *w);
void put_filter(struct script *s, const struct tc_where *w, uint32_t handle,
		const struct attrs *options);

/* The script's socket, which is no longer the context's. */
struct nst_nl *give_away(struct script *s);

/* A dump on the script's socket, which is the dump's from here on. */
struct nsteer_tc_dump *tc_open(struct script *s,
			       const struct nsteer_tc_dump_opts *o);
/* And on a second one for what is asked for on its own. */
struct nsteer_tc_dump *tc_open_both(struct script *s, struct script *aside,
				    const struct nsteer_tc_dump_opts *o);
/* The next one has this pref and handle. */
const struct nsteer_tc_filter *tc_next_is(struct nsteer_tc_dump *d,
					  uint32_t pref, uint32_t handle);

struct tc_act {
	const char *kind;
	uint32_t index;
	bool terse; /* the index is an attribute, and there are no options */
	const char *cookie; /* two bytes, or none */
};
/* A message with so many actions, and what it says of their number. */
void put_actions(struct script *s, const struct tc_act *acts, size_t n,
		 uint32_t count);
struct nsteer_tc_actions *tc_actions(struct script *s,
				     const struct nsteer_tc_actions_opts *o);

#endif /* NST_TC_MSGS_H */
