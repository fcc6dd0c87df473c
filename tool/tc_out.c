/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tc_out.h"

static void put_place(struct tc_out *t, const struct tc_place *place)
{
	if (place->block)
		tc_put_block(t, place);
	else
		tc_put_dev(t, place);
	if (place->hook != NSTEER_TC_HOOK_ANY)
		tc_put_hook(t, place);
	else if (!place->block)
		tc_put_parent(t, place);
	tc_put_chain(t, place);
	tc_put_pref(t, place);
	tc_put_protocol(t, place);
	tc_put_kind(t, place);
}

/* What a record begins with is mostly what the one before began with. */
static void begin(struct tc_record *r, const struct nsteer_tc_filter *f)
{
	struct out *out = r->t->out;

	if (tc_place_is(&r->place, f) && out_copy(out, &r->begin))
		return;
	tc_place_of(&r->place, f);
	out_copy_begin(out, &r->begin);
	out_record(out);
	put_place(r->t, &r->place);
	out_object(out, &tc_fields[TC_OPTIONS]);
	out_copy_end(out, &r->begin);
}

static void put_flags(struct out *out, const struct nsteer_tc_filter *f)
{
	static const enum tc_field fields[] = { TC_SKIP_HW, TC_SKIP_SW,
						TC_IN_HW, TC_NOT_IN_HW };
	static const uint32_t bits[] = { NSTEER_TC_SKIP_HW, NSTEER_TC_SKIP_SW,
					 NSTEER_TC_IN_HW,
					 NSTEER_TC_NOT_IN_HW };
	uint32_t flags = nsteer_tc_filter_flags(f), count;
	size_t i;

	for (i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		if (flags & bits[i])
			out_flag(out, &tc_fields[fields[i]], true);
	}
	if (flags & NSTEER_TC_IN_HW && !nsteer_tc_filter_hw_count(f, &count))
		out_u64(out, &tc_fields[TC_IN_HW_COUNT], count);
}

static void put_stats(struct out *out, const struct nsteer_tc_stats *st)
{
	/* In the order of enum tc_field. */
	uint64_t v[TC_HW_PACKETS - TC_BYTES + 1] = {
		nsteer_tc_stats_bytes(st),    nsteer_tc_stats_packets(st),
		nsteer_tc_stats_drops(st),    nsteer_tc_stats_overlimits(st),
		nsteer_tc_stats_requeues(st), nsteer_tc_stats_backlog(st),
		nsteer_tc_stats_qlen(st),
	};
	size_t n = TC_HW_BYTES - TC_BYTES;

	if (nsteer_tc_stats_hw(st, &v[n], &v[n + 1]))
		n += 2;
	out_line(out);
	out_u64s(out, &tc_fields[TC_STATS], &tc_fields[TC_BYTES], v, n);
}

static void make_action(struct out *out, size_t n, uint32_t order,
			const char *kind)
{
	if (!n)
		out_list(out, &tc_fields[TC_ACTIONS]);
	out_item(out);
	out_u64(out, &tc_fields[TC_ORDER], order);
	out_str(out, &tc_fields[TC_KIND], kind);
}

/* It is mostly of one kind. */
static void begin_action(struct tc_record *r, size_t n,
			 const struct nsteer_tc_action *a)
{
	const char *kind = nsteer_tc_action_kind(a);
	struct out *out = r->t->out;
	struct tc_alike *alike = &r->action[n];

	if (!strcmp(alike->kind, kind) && out_copy(out, &alike->begin))
		return;
	strncpy(alike->kind, kind, TC_KIND_SIZE - 1);
	out_copy_begin(out, &alike->begin);
	make_action(out, n, n + 1, kind);
	out_copy_end(out, &alike->begin);
}

/* The nth action of a filter: its kind, and what it is set to. */
static void put_told(struct tc_record *r, size_t n,
		     const struct nsteer_tc_action *a)
{
	uint32_t order = nsteer_tc_action_order(a);
	struct out *out = r->t->out;
	struct tc_alike *alike;

	if (n >= TC_ALIKE || order != n + 1) {
		make_action(out, n, order, nsteer_tc_action_kind(a));
		tc_out_action_values(r->t, a);
		return;
	}
	alike = &r->action[n];
	if (nsteer_tc_action_repeats(a) && out_copy(out, &alike->told))
		return;
	out_copy_begin(out, &alike->told);
	begin_action(r, n, a);
	if (!nsteer_tc_action_is_terse(a))
		tc_out_action_values(r->t, a);
	out_copy_end(out, &alike->told);
}

/* What differs from one action to the next one. */
static void put_own(struct tc_record *r, const struct nsteer_tc_action *a)
{
	const struct nsteer_tc_stats *st;
	struct out *out = r->t->out;
	const void *cookie;
	uint32_t index;
	size_t len;

	if (!nsteer_tc_action_index(a, &index))
		out_u64(out, &tc_fields[TC_INDEX], index);
	cookie = nsteer_tc_action_cookie(a, &len);
	if (cookie)
		out_hex(out, &tc_fields[TC_COOKIE], cookie, len);
	st = r->t->stats ? nsteer_tc_action_stats(a) : NULL;
	if (st)
		put_stats(out, st);
}

void tc_out_filter(struct tc_record *r, const struct nsteer_tc_filter *f)
{
	const struct nsteer_tc_action *a;
	struct out *out = r->t->out;
	unsigned int n;

	begin(r, f);
	out_x64(out, &tc_fields[TC_HANDLE], nsteer_tc_filter_handle(f));
	put_flags(out, f);
	if (!nsteer_tc_filter_is_terse(f))
		tc_out_filter_values(r->t, f);
	for (n = 0; (a = nsteer_tc_filter_action(f, n)); n++) {
		put_told(r, n, a);
		put_own(r, a);
		out_item_end(out);
	}
	if (n)
		out_list_end(out);
	out_object_end(out);
	out_record_end(out);
}

void tc_out_action(struct tc_record *r, const struct nsteer_tc_action *a)
{
	struct out *out = r->t->out;

	out_record(out);
	out_str(out, &tc_fields[TC_KIND], nsteer_tc_action_kind(a));
	tc_out_action_values(r->t, a);
	put_own(r, a);
	out_record_end(out);
}
