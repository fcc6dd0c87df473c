/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --summary: how many filters are alike, and what they counted together. */
#include <errno.h>
#include <stdlib.h>

#include "tc_out.h"

struct tc_group {
	struct tc_place place; /* with the protocol 0, which does not count */
	uint32_t hw;	       /* NSTEER_TC_IN_HW or _NOT_IN_HW; 0: not told */
	uint64_t filters;
	uint64_t packets;
	uint64_t bytes;
};

#define ROOM_AT_FIRST 64

void tc_summary_free(struct tc_summary *s)
{
	free(s->groups);
	free(s->table);
}

static bool same(const struct tc_group *g, const struct tc_group *key)
{
	return !memcmp(&g->place, &key->place, sizeof(g->place)) &&
	       g->hw == key->hw;
}

static uint32_t hash(const struct tc_group *key)
{
	const unsigned char *p = (const unsigned char *)&key->place;
	uint32_t h = key->hw, i;

	for (i = 0; i < sizeof(key->place); i++)
		h = (h ^ p[i]) * UINT32_C(16777619);
	return h ^ h >> 15;
}

/* Where the number of its group stands, or belongs: at most half are used. */
static uint32_t *find(const struct tc_summary *s, const struct tc_group *key)
{
	uint32_t mask = 2 * s->room - 1, i = hash(key) & mask;

	while (s->table[i] && !same(&s->groups[s->table[i] - 1], key))
		i = (i + 1) & mask;
	return &s->table[i];
}

static int grow(struct tc_summary *s)
{
	uint32_t room = s->room ? 2 * s->room : ROOM_AT_FIRST, *table, i;
	struct tc_group *groups;

	if (room > UINT32_MAX / 4)
		return -ENOMEM;
	groups = reallocarray(s->groups, room, sizeof(*groups));
	if (!groups)
		return -ENOMEM;
	s->groups = groups;
	table = calloc(room, 2 * sizeof(*table));
	if (!table)
		return -ENOMEM;
	free(s->table);
	s->table = table;
	s->room = room;
	for (i = 0; i < s->count; i++)
		*find(s, &s->groups[i]) = i + 1;
	return 0;
}

/* The group of a key, a new one if need be; NULL: short of memory. */
static struct tc_group *group_of(struct tc_summary *s,
				 const struct tc_group *key)
{
	uint32_t *at;

	if (s->count && same(&s->groups[s->last], key))
		return &s->groups[s->last];
	if (s->count == s->room && grow(s))
		return NULL;
	at = find(s, key);
	if (!*at) {
		s->groups[s->count] = *key;
		*at = ++s->count;
	}
	s->last = *at - 1;
	return &s->groups[s->last];
}

int tc_summary_add(struct tc_summary *s, const struct nsteer_tc_filter *f)
{
	const struct nsteer_tc_action *a = nsteer_tc_filter_action(f, 0);
	const struct nsteer_tc_stats *st = a ? nsteer_tc_action_stats(a) : NULL;
	struct tc_group key, *g;

	/* Compared as bytes, so its padding counts. */
	memset(&key, 0, sizeof(key));
	tc_place_of(&key.place, f);
	key.place.protocol = 0;
	key.hw = nsteer_tc_filter_flags(f) &
		 (NSTEER_TC_IN_HW | NSTEER_TC_NOT_IN_HW);
	g = group_of(s, &key);
	if (!g)
		return -ENOMEM;
	g->filters++;
	if (st) {
		g->packets += nsteer_tc_stats_packets(st);
		g->bytes += nsteer_tc_stats_bytes(st);
	}
	return 0;
}

static void put_hw(struct out *out, uint32_t hw)
{
	if (hw & NSTEER_TC_IN_HW)
		out_str(out, &tc_fields[TC_HW], "in_hw");
	else if (hw)
		out_str(out, &tc_fields[TC_HW], "not_in_hw");
	else
		out_unknown(out, &tc_fields[TC_HW]);
}

static void put_heading(struct out *out)
{
	static const enum tc_field fields[] = {
		TC_DEV,	 TC_HOOK, TC_PARENT,  TC_BLOCK,	  TC_CHAIN, TC_PREF,
		TC_KIND, TC_HW,	  TC_FILTERS, TC_PACKETS, TC_BYTES,
	};
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		out_heading(out, &tc_fields[fields[i]]);
	out_heading_end(out);
}

static void put_group(struct tc_out *t, const struct tc_group *g)
{
	static const tc_place_put puts[] = {
		tc_put_dev,   tc_put_hook, tc_put_parent, tc_put_block,
		tc_put_chain, tc_put_pref, tc_put_kind,
	};
	struct out *out = t->out;
	size_t i;

	out_record(out);
	for (i = 0; i < sizeof(puts) / sizeof(puts[0]); i++)
		puts[i](t, &g->place);
	put_hw(out, g->hw);
	out_u64(out, &tc_fields[TC_FILTERS], g->filters);
	out_u64(out, &tc_fields[TC_PACKETS], g->packets);
	out_u64(out, &tc_fields[TC_BYTES], g->bytes);
	out_record_end(out);
}

void tc_summary_put(const struct tc_summary *s, struct tc_out *t)
{
	uint32_t i;

	put_heading(t->out);
	for (i = 0; i < s->count; i++)
		put_group(t, &s->groups[i]);
}
