/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields of the object tc, and where a filter stands. */
#include "tc_out.h"
#include "tc_word.h"

/* In columns and in lines; no field of this object is left out of the brief. */
#define FIELD(name, lead, width) OUT_FIELD(name, lead, "", true, width)

const struct out_field tc_fields[TC_FIELDS] = {
	[TC_DEV] = FIELD("dev", "dev ", 15),
	[TC_DEV_IFINDEX] = FIELD("dev_ifindex", "dev #", 15),
	[TC_BLOCK] = FIELD("block", "block ", 5),
	[TC_HOOK] = FIELD("hook", "", 9),
	[TC_PARENT] = FIELD("parent", "parent ", 9),
	[TC_CHAIN] = FIELD("chain", "chain ", 5),
	[TC_PREF] = FIELD("pref", "pref ", 5),
	[TC_PROTOCOL] = FIELD("protocol", "protocol ", 8),
	[TC_KIND] = FIELD("kind", "", 8),
	[TC_OPTIONS] = OUT_JSON("options"),
	[TC_HANDLE] = FIELD("handle", "handle ", 10),
	[TC_FLAGS] = FIELD("flags", "", 9),
	[TC_SKIP_HW] = FIELD("skip_hw", "skip_hw", 0),
	[TC_SKIP_SW] = FIELD("skip_sw", "skip_sw", 0),
	[TC_IN_HW] = FIELD("in_hw", "in_hw", 0),
	[TC_NOT_IN_HW] = FIELD("not_in_hw", "not_in_hw", 0),
	[TC_IN_HW_COUNT] = FIELD("in_hw_count", "in_hw_count ", 0),
	[TC_ACTIONS] = FIELD("actions", "", 20),
	[TC_ORDER] = FIELD("order", "action ", 0),
	[TC_INDEX] = FIELD("index", "index ", 0),
	/* In text a blank: one more before its members. */
	[TC_STATS] = FIELD("stats", " ", 0),
	[TC_BYTES] = FIELD("bytes", "bytes ", 12),
	[TC_PACKETS] = FIELD("packets", "packets ", 10),
	[TC_DROPS] = FIELD("drops", "drops ", 8),
	[TC_OVERLIMITS] = FIELD("overlimits", "overlimits ", 0),
	[TC_REQUEUES] = FIELD("requeues", "requeues ", 0),
	[TC_BACKLOG] = FIELD("backlog", "backlog ", 0),
	[TC_QLEN] = FIELD("qlen", "qlen ", 0),
	[TC_HW_BYTES] = FIELD("hw_bytes", "hw_bytes ", 12),
	[TC_HW_PACKETS] = FIELD("hw_packets", "hw_packets ", 10),
	[TC_COOKIE] = FIELD("cookie", "cookie ", 32),
	[TC_HW] = FIELD("hw", "", 9),
	[TC_FILTERS] = FIELD("filters", "filters ", 9),
};

void tc_out_init(struct tc_out *t, struct out *out, struct nsteer *ns,
		 bool stats)
{
	t->out = out;
	t->stats = stats;
	names_init(&t->names, ns);
	if (out->opts.json) {
		memo_init(&t->keys, ",\"", "\":", NULL);
		memo_init(&t->words, "\"", "\"", NULL);
	} else {
		memo_init(&t->keys, " ", " ", tc_value_text);
		memo_init(&t->words, "", "", NULL);
	}
}

void tc_out_free(struct tc_out *t)
{
	names_free(&t->names);
}

void tc_place_of(struct tc_place *place, const struct nsteer_tc_filter *f)
{
	/* Padding too: places are compared as bytes. */
	memset(place, 0, sizeof(*place));
	place->ifindex = nsteer_tc_filter_ifindex(f);
	place->block = nsteer_tc_filter_block(f);
	place->parent = nsteer_tc_filter_parent(f);
	place->chain = nsteer_tc_filter_chain(f);
	place->pref = nsteer_tc_filter_pref(f);
	place->hook = nsteer_tc_filter_hook(f);
	place->protocol = nsteer_tc_filter_protocol(f);
	strncpy(place->kind, nsteer_tc_filter_kind(f), TC_KIND_SIZE - 1);
}

/* The hook follows from the parent. */
bool tc_place_is(const struct tc_place *place, const struct nsteer_tc_filter *f)
{
	return place->ifindex == nsteer_tc_filter_ifindex(f) &&
	       place->block == nsteer_tc_filter_block(f) &&
	       place->parent == nsteer_tc_filter_parent(f) &&
	       place->chain == nsteer_tc_filter_chain(f) &&
	       place->pref == nsteer_tc_filter_pref(f) &&
	       place->protocol == nsteer_tc_filter_protocol(f) &&
	       !strcmp(place->kind, nsteer_tc_filter_kind(f));
}

void tc_put_dev(struct tc_out *t, const struct tc_place *place)
{
	char gone[SINK_U64_SIZE + 2] = "#";
	const char *name;

	if (!place->ifindex) {
		out_unknown(t->out, &tc_fields[TC_DEV]);
		return;
	}
	name = names_find(&t->names, place->ifindex);
	if (!name && t->out->opts.json) {
		out_u64(t->out, &tc_fields[TC_DEV_IFINDEX], place->ifindex);
		return;
	}
	if (!name) {
		*sink_u64(gone + 1, place->ifindex) = '\0';
		name = gone;
	}
	out_str(t->out, &tc_fields[TC_DEV], name);
}

void tc_put_block(struct tc_out *t, const struct tc_place *place)
{
	if (place->block)
		out_u64(t->out, &tc_fields[TC_BLOCK], place->block);
	else
		out_unknown(t->out, &tc_fields[TC_BLOCK]);
}

void tc_put_hook(struct tc_out *t, const struct tc_place *place)
{
	static const char *const words[] = {
		[NSTEER_TC_HOOK_INGRESS] = "ingress",
		[NSTEER_TC_HOOK_EGRESS] = "egress",
		[NSTEER_TC_HOOK_PRIMARY] = "primary",
		[NSTEER_TC_HOOK_PEER] = "peer",
	};
	size_t hook = place->hook;

	/* Others are of a qdisc, class or block. */
	if (hook < sizeof(words) / sizeof(words[0]) && words[hook])
		out_str(t->out, &tc_fields[TC_HOOK], words[hook]);
	else
		out_unknown(t->out, &tc_fields[TC_HOOK]);
}

void tc_put_parent(struct tc_out *t, const struct tc_place *place)
{
	char word[TC_WORD_SIZE];

	if (!place->parent) {
		out_unknown(t->out, &tc_fields[TC_PARENT]);
		return;
	}
	*tc_word_handle(word, place->parent) = '\0';
	out_str(t->out, &tc_fields[TC_PARENT], word);
}

void tc_put_chain(struct tc_out *t, const struct tc_place *place)
{
	out_u64(t->out, &tc_fields[TC_CHAIN], place->chain);
}

void tc_put_pref(struct tc_out *t, const struct tc_place *place)
{
	out_u64(t->out, &tc_fields[TC_PREF], place->pref);
}

void tc_put_protocol(struct tc_out *t, const struct tc_place *place)
{
	char word[TC_WORD_SIZE];

	*tc_word_protocol(word, place->protocol) = '\0';
	out_str(t->out, &tc_fields[TC_PROTOCOL], word);
}

void tc_put_kind(struct tc_out *t, const struct tc_place *place)
{
	out_str(t->out, &tc_fields[TC_KIND], place->kind);
}
