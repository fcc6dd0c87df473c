/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records of the object tc. */
#ifndef TOOL_TC_OUT_H
#define TOOL_TC_OUT_H

#include <nsteer/tc.h>

#include "args.h"
#include "memo.h"
#include "names.h"
#include "out.h"

/* What can be told of a filter, in whatever form. */
enum tc_field {
	TC_DEV,
	TC_DEV_IFINDEX,
	TC_BLOCK,
	TC_HOOK,
	TC_PARENT,
	TC_CHAIN,
	TC_PREF,
	TC_PROTOCOL,
	TC_KIND,
	TC_OPTIONS,
	TC_HANDLE,
	TC_FLAGS,
	TC_SKIP_HW,
	TC_SKIP_SW,
	TC_IN_HW,
	TC_NOT_IN_HW,
	TC_IN_HW_COUNT,
	TC_ACTIONS,
	TC_ORDER,
	TC_INDEX,
	TC_STATS,
	TC_BYTES,
	TC_PACKETS,
	TC_DROPS,
	TC_OVERLIMITS,
	TC_REQUEUES,
	TC_BACKLOG,
	TC_QLEN,
	TC_HW_BYTES,
	TC_HW_PACKETS,
	TC_COOKIE,
	TC_HW,
	TC_FILTERS,
	TC_FIELDS,
};

extern const struct out_field tc_fields[TC_FIELDS];

#define TC_KIND_SIZE 16

/* Where a filter stands and what it is: what many have in common. */
struct tc_place {
	uint32_t ifindex;
	uint32_t block;
	uint32_t parent;
	uint32_t chain;
	uint32_t pref;
	enum nsteer_tc_hook hook;
	uint16_t protocol;
	char kind[TC_KIND_SIZE];
};

void tc_place_of(struct tc_place *place, const struct nsteer_tc_filter *f);
bool tc_place_is(const struct tc_place *place,
		 const struct nsteer_tc_filter *f);

/* What the forms of a listing share. */
struct tc_out {
	struct out *out;
	bool stats;
	struct names names;
	/* Of the library's constants: what values are called, and words. */
	struct memo keys;
	struct memo words;
	struct sink_word key; /* what is no constant */
};

void tc_out_init(struct tc_out *t, struct out *out, struct nsteer *ns,
		 bool stats);
void tc_out_free(struct tc_out *t);

/* One field each; told as not known where there is none. */
typedef void (*tc_place_put)(struct tc_out *t, const struct tc_place *place);

void tc_put_dev(struct tc_out *t, const struct tc_place *place);
void tc_put_block(struct tc_out *t, const struct tc_place *place);
void tc_put_hook(struct tc_out *t, const struct tc_place *place);
void tc_put_parent(struct tc_out *t, const struct tc_place *place);
void tc_put_chain(struct tc_out *t, const struct tc_place *place);
void tc_put_pref(struct tc_out *t, const struct tc_place *place);
void tc_put_protocol(struct tc_out *t, const struct tc_place *place);
void tc_put_kind(struct tc_out *t, const struct tc_place *place);

/* ---- a filter with all that is known of it ---- */

/* Records are much alike, and so are the actions at one place of them. */
#define TC_ALIKE 4

struct tc_record {
	struct tc_out *t;
	struct tc_place place; /* of the record before */
	struct out_copy begin; /* what it began with */
	struct tc_alike {
		char kind[TC_KIND_SIZE];
		struct out_copy begin;
		struct out_copy told; /* begin, and what it was set to */
	} action[TC_ALIKE]; /* the first ones, of whatever filter it was */
};

void tc_out_filter(struct tc_record *r, const struct nsteer_tc_filter *f);
/* An action that is a record of its own. */
void tc_out_action(struct tc_record *r, const struct nsteer_tc_action *a);

/* How text calls a value; NULL: it does not. */
const char *tc_value_text(const char *name);
/* What it matches, what an action is set to. */
void tc_out_filter_values(struct tc_out *t, const struct nsteer_tc_filter *f);
void tc_out_action_values(struct tc_out *t, const struct nsteer_tc_action *a);

/* ---- chosen fields of it ---- */

#define TC_COLUMNS_MAX 20

struct tc_columns {
	size_t count;
	unsigned char column[TC_COLUMNS_MAX];
};

/* "dev,hook,..."; 0, or -EINVAL and a message. */
int tc_columns_parse(struct tc_columns *columns, const char *list,
		     struct args_err *err);
/* What there is, a word a line. */
void tc_columns_words(FILE *f);
void tc_columns_header(struct tc_out *t, const struct tc_columns *columns);
void tc_columns_filter(struct tc_out *t, const struct tc_columns *columns,
		       const struct nsteer_tc_filter *f);

/* ---- counts of what is alike ---- */

struct tc_summary;

struct tc_group;

struct tc_summary {
	struct tc_group *groups; /* as they came */
	uint32_t *table;	 /* a hash: 1 + place in groups, 0 is free */
	uint32_t count;
	uint32_t room;	/* of groups; a power of two, or 0 */
	uint32_t last;	/* the one that was found before */
};

void tc_summary_free(struct tc_summary *s);
/* 0 or -ENOMEM */
int tc_summary_add(struct tc_summary *s, const struct nsteer_tc_filter *f);
void tc_summary_put(const struct tc_summary *s, struct tc_out *t);

#endif /* TOOL_TC_OUT_H */
