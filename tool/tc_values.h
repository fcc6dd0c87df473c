/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The walk over the values of a filter or action, and a function by type. */
#ifndef TOOL_TC_VALUES_H
#define TOOL_TC_VALUES_H

#include "tc_out.h"

/* Nests, beside those of a record: together they are less than JSON_DEPTH. */
#define TC_WALK_DEPTH 16

struct tc_walk {
	struct tc_out *t;
	struct out *out;
	struct json *json; /* NULL: text */
	unsigned int depth;
	unsigned int skip;	   /* nests that are too deep */
	char close[TC_WALK_DEPTH]; /* text: the brace that ends it, or 0 */
	bool line;		   /* text: the next value begins a line */
	bool verdict;		   /* text: a control_action was just opened */
};

/* Text: begin that line; is the name of the value of no interest? */
bool tc_walk_text(struct tc_walk *w, const char *name);
/* attr_N, the only names that are no constants. */
const struct sink_word *tc_walk_key_made(struct tc_walk *w, const char *name);

/* What is written before a value; NULL: it has no name. */
static inline const struct sink_word *tc_walk_key(struct tc_walk *w,
						  const char *name)
{
	if (!w->json && (w->line || w->verdict) && tc_walk_text(w, name))
		return NULL;
	if (!name)
		return NULL;
	if (name[0] == 'a' && name[1] == 't' && name[2] == 't')
		return tc_walk_key_made(w, name);
	return memo_find(&w->t->keys, name);
}

/* The name, and where the value goes; its end. */
static inline char *tc_walk_begin(struct tc_walk *w, const char *name)
{
	return out_value(w->out, tc_walk_key(w, name));
}

static inline void tc_walk_end(struct tc_walk *w, char *p)
{
	w->out->sink->pos = p;
}

/* Any but those that open and close nests. */
void tc_put_value(struct tc_walk *w, const struct nsteer_tc_value *v);

#endif /* TOOL_TC_VALUES_H */
