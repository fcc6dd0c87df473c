/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tables of actions, and what all actions have in common. */
#ifndef NST_TC_ACT_H
#define NST_TC_ACT_H

#include <stddef.h>
#include <string.h>

#include <linux/pkt_cls.h>

#include "tc/cls.h"
#include "tc/value.h"

/* A structure that the tail tells all of, or all but the members. */
#define NST_ACT_PARMS(_struct)                                                 \
	{                                                                      \
		.known = NST_TC_TOLD, .width = sizeof(_struct),                \
		.put = nst_tc_act_told_later                                   \
	}
#define NST_ACT_PARMS_MEMBERS(_struct, _members)                               \
	{                                                                      \
		.known = NST_TC_TOLD, .width = sizeof(_struct),                \
		.members = (_members), .n_members = NST_TC_COUNT(_members)     \
	}
/* A member that is a number. */
#define NST_ACT_MEMBER(_struct, _member, _name, _type, ...)                    \
	{                                                                      \
		.name = (_name), .type = NSTEER_TC_##_type,                    \
		.offset = offsetof(_struct, _member),                          \
		.width = sizeof(((_struct *)NULL)->_member), __VA_ARGS__       \
	}
/* What a function tells, of an attribute that has so many bytes at least. */
#define NST_ACT_PUT(_name, _width, _put)                                       \
	{                                                                      \
		.known = NST_TC_TOLD, .name = (_name), .width = (_width),      \
		.put = (_put)                                                  \
	}

/* A put: nothing. */
int nst_tc_act_told_later(struct nst_tc_walk *walk,
			  const struct nst_tc_field *field,
			  const struct nlattr *attr);

/* "control_action" and the like: what happens to the packet, TC_ACT_*. */
int nst_tc_act_control(struct nst_tc_walk *walk, const char *name,
		       uint32_t action);
/* struct tcf_t; attr may be NULL. */
int nst_tc_act_times(struct nst_tc_walk *walk, const struct nlattr *attr);
int nst_tc_act_refs(struct nst_tc_walk *walk, int32_t ref, int32_t bind);

/* The tail of what begins with tc_gen: all of that, and the times. */
int nst_tc_act_tail(struct nst_tc_walk *walk, const struct nst_tc_kind *kind);

int nst_tc_act_flag(struct nst_tc_walk *walk, const char *name);
int nst_tc_act_sint(struct nst_tc_walk *walk, const char *name, int64_t v);
int nst_tc_act_hex(struct nst_tc_walk *walk, const char *name, uint64_t v);

/* The first bytes of the payload; false: it is shorter, or there is none. */
static inline bool nst_tc_act_copy(void *to, size_t size,
				   const struct nlattr *attr)
{
	const void *data;
	size_t len;

	if (!nst_tc_payload(attr, size, &data, &len))
		return false;
	memcpy(to, data, size);
	return true;
}

static inline struct nst_tc_attrs nst_tc_act_nest(const struct nlattr *attr)
{
	struct nst_tc_attrs attrs = { 0 };
	const void *data = NULL;

	nst_tc_payload(attr, 0, &data, &attrs.len);
	attrs.pos = data;
	return attrs;
}

extern const struct nst_tc_kind nst_tc_act_bpf;
extern const struct nst_tc_kind nst_tc_act_connmark;
extern const struct nst_tc_kind nst_tc_act_ct;
extern const struct nst_tc_kind nst_tc_act_ctinfo;
extern const struct nst_tc_kind nst_tc_act_gate;
extern const struct nst_tc_kind nst_tc_act_mpls;
extern const struct nst_tc_kind nst_tc_act_pedit;
extern const struct nst_tc_kind nst_tc_act_police;
extern const struct nst_tc_kind nst_tc_act_skbedit;
extern const struct nst_tc_kind nst_tc_act_skbmod;
extern const struct nst_tc_kind nst_tc_act_tunnel_key;
extern const struct nst_tc_kind nst_tc_act_vlan;

#endif /* NST_TC_ACT_H */
