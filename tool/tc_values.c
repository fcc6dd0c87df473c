/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a filter matches and an action is set to, by type alone: names come from
 * the library, and a new one needs nothing here but where text is to call it
 * something else.
 */
#include "tc_values.h"

/* What text does not call by its name; NULL: a value that speaks for itself. */
static const struct {
	const char *name;
	const char *text;
} renamed[] = {
	{ "mirred_action", NULL }, { "direction", NULL },
	{ "vlan_action", NULL },   { "mpls_action", NULL },
	{ "to_dev", "dev" },	   { "to_blockid", "blockid" },
	/* For JSON the name of a key stands for one type. */
	{ "pedit_keys", "keys" },  { "skbedit_priority", "priority" },
	{ "csum_update", NULL },   { "opt_type", "type" },
	{ "gate_flags", "flags" },
};

const char *tc_value_text(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(renamed) / sizeof(renamed[0]); i++) {
		if (!strcmp(renamed[i].name, name))
			return renamed[i].text;
	}
	return name;
}

bool tc_walk_text(struct tc_walk *w, const char *name)
{
	bool verdict = w->verdict;

	if (w->line)
		out_line(w->out);
	w->line = false;
	w->verdict = false;
	return verdict && name && !strcmp(name, "type");
}

SELDOM const struct sink_word *tc_walk_key_made(struct tc_walk *w,
						const char *name)
{
	const struct memo *keys = &w->t->keys;

	sink_word_make(&w->t->key, keys->before, name, strlen(name),
		       keys->after);
	return &w->t->key;
}

/* ---- nests ---- */

/* In text a filter's keys, and an action's verdict, are their members alone. */
static bool has_braces(const struct tc_walk *w, const char *name)
{
	return !name || (strcmp(name, "control_action") &&
			 (w->depth || strcmp(name, "keys")));
}

static void open_text(struct tc_walk *w, const char *name, bool array)
{
	char *p;

	w->close[w->depth] = 0;
	if (!array && !has_braces(w, name)) {
		w->verdict = strcmp(name, "keys") != 0;
		return;
	}
	p = tc_walk_begin(w, name);
	*p = array ? '[' : '{';
	tc_walk_end(w, p + 1);
	w->close[w->depth] = array ? ']' : '}';
}

static void open_nest(struct tc_walk *w, const char *name, bool array)
{
	if (w->skip || w->depth == TC_WALK_DEPTH) {
		w->skip++;
		return;
	}
	if (!w->json)
		open_text(w, name, array);
	else if (array)
		json_open_array(w->json, tc_walk_key(w, name));
	else
		json_open_object(w->json, tc_walk_key(w, name));
	w->depth++;
}

static void close_nest(struct tc_walk *w)
{
	char *p;

	if (w->skip) {
		w->skip--;
		return;
	}
	if (!w->depth)
		return;
	w->depth--;
	if (w->json) {
		json_close(w->json);
	} else if (w->close[w->depth]) {
		p = tc_walk_begin(w, NULL);
		*p = w->close[w->depth];
		tc_walk_end(w, p + 1);
	}
}

/* ---- any ---- */

static __attribute__((noinline)) void
put_nest(struct tc_walk *w, const struct nsteer_tc_value *v, size_t type)
{
	if (type == NSTEER_TC_END)
		close_nest(w);
	else
		open_nest(w, nsteer_tc_value_name(v), type == NSTEER_TC_ARRAY);
}

static int put_value(const struct nsteer_tc_value *v, void *data)
{
	size_t type = nsteer_tc_value_type(v);
	struct tc_walk *w = data;

	/* Told with the statistics only, as tc does. */
	if (!w->t->stats && nsteer_tc_value_is_counter(v))
		return 0;
	if (type == NSTEER_TC_OBJECT || type == NSTEER_TC_ARRAY ||
	    type == NSTEER_TC_END)
		put_nest(w, v, type);
	else if (!w->skip)
		tc_put_value(w, v);
	return 0;
}

static void walk_init(struct tc_walk *w, struct tc_out *t)
{
	*w = (struct tc_walk){
		.t = t,
		.out = t->out,
		.json = t->out->opts.json ? &t->out->json : NULL,
	};
}

/* Whatever was opened is closed. */
static void walk_end(struct tc_walk *w)
{
	w->skip = 0;
	while (w->depth)
		close_nest(w);
}

void tc_out_filter_values(struct tc_out *t, const struct nsteer_tc_filter *f)
{
	struct tc_walk w;

	walk_init(&w, t);
	w.line = true;
	nsteer_tc_filter_values(f, put_value, &w);
	walk_end(&w);
}

void tc_out_action_values(struct tc_out *t, const struct nsteer_tc_action *a)
{
	struct tc_walk w;

	walk_init(&w, t);
	nsteer_tc_action_values(a, put_value, &w);
	walk_end(&w);
}
