/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* bpf, which is a program, and gate, which is a timetable. */
#include <time.h>

#include <linux/tc_act/tc_bpf.h>
#include <linux/tc_act/tc_gate.h>

#include "tc/act.h"

/* ---- bpf ---- */

static int tell_prog(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		     const struct nlattr *attr)
{
	const void *tag;
	uint32_t id;
	size_t len;
	int ret;

	if (!nst_tc_act_copy(&id, sizeof(id), attr))
		return 0;
	ret = nst_tc_tell_open(walk, field->name, NSTEER_TC_OBJECT);
	ret = ret ? ret : nst_tc_tell_uint(walk, "id", id, NULL);
	if (!ret && nst_tc_payload(walk->tb[TCA_ACT_BPF_TAG], 0, &tag, &len))
		ret = nst_tc_tell_bytes(walk, "tag", tag, len);
	return ret ? ret : nst_tc_tell_end(walk);
}

static const struct nst_tc_field bpf_fields[] = {
	[TCA_ACT_BPF_TM] = NST_TC_NOT_TOLD,
	[TCA_ACT_BPF_PARMS] = NST_ACT_PARMS(struct tc_act_bpf),
	[TCA_ACT_BPF_OPS_LEN] = NST_TC_NOT_TOLD,
	[TCA_ACT_BPF_OPS] = NST_ACT_PUT("bytecode", 0, nst_tc_put_bytecode),
	[TCA_ACT_BPF_NAME] = NST_TC_FIELD("bpf_name", STRING, 0),
	[TCA_ACT_BPF_PAD] = NST_TC_NOT_TOLD,
	[TCA_ACT_BPF_TAG] = NST_TC_NOT_TOLD,
	[TCA_ACT_BPF_ID] = NST_ACT_PUT("prog", 4, tell_prog),
};

const struct nst_tc_kind nst_tc_act_bpf = {
	NST_TC_TABLE("bpf", bpf_fields),
	.parms = TCA_ACT_BPF_PARMS,
	.times = TCA_ACT_BPF_TM,
	.tail = nst_tc_act_tail,
};

/* ---- gate ---- */

static const struct nst_tc_word clocks[] = { { CLOCK_REALTIME, "REALTIME" },
					     { CLOCK_TAI, "TAI" },
					     { CLOCK_BOOTTIME, "BOOTTIME" },
					     { CLOCK_MONOTONIC, "MONOTONIC" },
					     NST_TC_WORDS_END };

static const struct nst_tc_word gate_states[] = { { 0, "close" },
						  { 1, "open" },
						  NST_TC_WORDS_END };

/* -1: any. */
static const struct nst_tc_field entry_fields[] = {
	[TCA_GATE_ENTRY_INDEX] = NST_TC_FIELD("number", UINT, 4),
	[TCA_GATE_ENTRY_GATE] = NST_TC_NOT_TOLD,
	[TCA_GATE_ENTRY_INTERVAL] = NST_TC_FIELD("interval", UINT, 4),
	[TCA_GATE_ENTRY_IPV] = NST_TC_FIELD("ipv", SINT, 4),
	[TCA_GATE_ENTRY_MAX_OCTETS] = NST_TC_FIELD("max_octets", SINT, 4),
};

static int tell_entry(struct nst_tc_walk *walk, const struct nlattr *attr)
{
	const struct nlattr *tb[TCA_GATE_ENTRY_MAX + 1];
	int ret = nst_tc_tell_open(walk, NULL, NSTEER_TC_OBJECT);

	nst_nla_parse_nested(attr, tb, TCA_GATE_ENTRY_MAX);
	ret = ret ? ret
		  : nst_tc_tell_uint(walk, "gate_state",
				     !!tb[TCA_GATE_ENTRY_GATE], gate_states);
	ret = ret ? ret
		  : nst_tc_tell_nest(walk, entry_fields,
				     TCA_GATE_ENTRY_MAX_OCTETS, attr);
	return ret ? ret : nst_tc_tell_end(walk);
}

static int tell_schedule(struct nst_tc_walk *walk,
			 const struct nst_tc_field *field,
			 const struct nlattr *attr)
{
	struct nst_tc_attrs entries = nst_tc_act_nest(attr);
	const struct nlattr *entry;
	int ret = nst_tc_tell_open(walk, field->name, NSTEER_TC_ARRAY);

	while (!ret && (entry = nst_tc_attr_next(&entries)))
		if ((entry->nla_type & NLA_TYPE_MASK) == TCA_GATE_ONE_ENTRY)
			ret = tell_entry(walk, entry);
	return ret ? ret : nst_tc_tell_end(walk);
}

static const struct nst_tc_field gate_fields[] = {
	[TCA_GATE_TM] = NST_TC_NOT_TOLD,
	[TCA_GATE_PARMS] = NST_ACT_PARMS(struct tc_gate),
	[TCA_GATE_PAD] = NST_TC_NOT_TOLD,
	[TCA_GATE_PRIORITY] = NST_TC_FIELD("priority", SINT, 4),
	[TCA_GATE_ENTRY_LIST] = NST_ACT_PUT("schedule", 0, tell_schedule),
	[TCA_GATE_BASE_TIME] = NST_TC_FIELD("base_time", SINT, 8),
	[TCA_GATE_CYCLE_TIME] = NST_TC_FIELD("cycle_time", SINT, 8),
	[TCA_GATE_CYCLE_TIME_EXT] = NST_TC_FIELD("cycle_time_ext", SINT, 8),
	[TCA_GATE_FLAGS] = NST_TC_FIELD("gate_flags", HEX, 4),
	[TCA_GATE_CLOCKID] = NST_TC_FIELD("clockid", SINT, 4, .words = clocks),
};

const struct nst_tc_kind nst_tc_act_gate = {
	NST_TC_TABLE("gate", gate_fields),
	.parms = TCA_GATE_PARMS,
	.times = TCA_GATE_TM,
	.tail = nst_tc_act_tail,
};
