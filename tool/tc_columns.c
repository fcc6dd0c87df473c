/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --fields: a filter as chosen columns, or as an object of just these keys. */
#include <stdio.h>

#include "tc_out.h"
#include "word.h"

struct row {
	struct tc_out *t;
	const struct nsteer_tc_filter *f;
	enum tc_field field;
};

/* ---- the actions, of which the first counts for the filter ---- */

static bool get_count(const struct nsteer_tc_stats *st, enum tc_field field,
		      uint64_t *v)
{
	uint64_t bytes, packets;

	switch (field) {
	case TC_BYTES:
		*v = nsteer_tc_stats_bytes(st);
		return true;
	case TC_PACKETS:
		*v = nsteer_tc_stats_packets(st);
		return true;
	case TC_DROPS:
		*v = nsteer_tc_stats_drops(st);
		return true;
	default:
		if (!nsteer_tc_stats_hw(st, &bytes, &packets))
			return false;
		*v = field == TC_HW_BYTES ? bytes : packets;
		return true;
	}
}

static void put_count(const struct row *r)
{
	const struct nsteer_tc_action *a = nsteer_tc_filter_action(r->f, 0);
	const struct nsteer_tc_stats *st = a ? nsteer_tc_action_stats(a) : NULL;
	uint64_t v;

	if (st && get_count(st, r->field, &v))
		out_u64(r->t->out, &tc_fields[r->field], v);
	else
		out_unknown(r->t->out, &tc_fields[r->field]);
}

/* Of the first action that has one. */
static void put_cookie(const struct row *r)
{
	const struct nsteer_tc_action *a;
	const void *cookie;
	unsigned int i;
	size_t len;

	for (i = 0; (a = nsteer_tc_filter_action(r->f, i)); i++) {
		cookie = nsteer_tc_action_cookie(a, &len);
		if (!cookie)
			continue;
		out_hex(r->t->out, &tc_fields[r->field], cookie, len);
		return;
	}
	out_unknown(r->t->out, &tc_fields[r->field]);
}

/* ---- lists of words: an array, or one column with commas ---- */

struct words {
	size_t len;
	char joined[NSTEER_TC_ACTIONS_MAX * (TC_KIND_SIZE + 1)];
};

static void begin_words(const struct row *r, struct words *words)
{
	words->len = 0;
	if (r->t->out->opts.json)
		json_open_array(&r->t->out->json, &tc_fields[r->field].key);
}

static void add_word(const struct row *r, struct words *words, const char *word)
{
	size_t len = strlen(word);

	if (r->t->out->opts.json) {
		json_str(&r->t->out->json, NULL, word);
		return;
	}
	if (words->len + len + 2 > sizeof(words->joined))
		return;
	if (words->len)
		words->joined[words->len++] = ',';
	memcpy(words->joined + words->len, word, len);
	words->len += len;
}

static void end_words(const struct row *r, struct words *words)
{
	words->joined[words->len] = '\0';
	if (r->t->out->opts.json)
		json_close(&r->t->out->json);
	else if (words->len)
		out_str(r->t->out, &tc_fields[r->field], words->joined);
	else
		out_unknown(r->t->out, &tc_fields[r->field]);
}

static void put_actions(const struct row *r)
{
	const struct nsteer_tc_action *a;
	struct words words;
	unsigned int i;

	begin_words(r, &words);
	for (i = 0; (a = nsteer_tc_filter_action(r->f, i)); i++)
		add_word(r, &words, nsteer_tc_action_kind(a));
	end_words(r, &words);
}

static void put_flags(const struct row *r)
{
	static const struct {
		uint32_t bit;
		const char *word;
	} flags[] = {
		{ NSTEER_TC_SKIP_HW, "skip_hw" },
		{ NSTEER_TC_SKIP_SW, "skip_sw" },
		{ NSTEER_TC_IN_HW, "in_hw" },
		{ NSTEER_TC_NOT_IN_HW, "not_in_hw" },
	};
	uint32_t set = nsteer_tc_filter_flags(r->f);
	struct words words;
	size_t i;

	begin_words(r, &words);
	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (set & flags[i].bit)
			add_word(r, &words, flags[i].word);
	}
	end_words(r, &words);
}

static void put_handle(const struct row *r)
{
	out_x64(r->t->out, &tc_fields[r->field],
		nsteer_tc_filter_handle(r->f));
}

/* ---- the fields ---- */

/* In the order in which an error lists them. */
static const struct {
	enum tc_field field;
	tc_place_put place; /* or */
	void (*put)(const struct row *r);
} all[] = {
	{ TC_DEV, tc_put_dev, NULL },
	{ TC_HOOK, tc_put_hook, NULL },
	{ TC_PARENT, tc_put_parent, NULL },
	{ TC_BLOCK, tc_put_block, NULL },
	{ TC_CHAIN, tc_put_chain, NULL },
	{ TC_PREF, tc_put_pref, NULL },
	{ TC_PROTOCOL, tc_put_protocol, NULL },
	{ TC_KIND, tc_put_kind, NULL },
	{ TC_HANDLE, NULL, put_handle },
	{ TC_FLAGS, NULL, put_flags },
	{ TC_BYTES, NULL, put_count },
	{ TC_PACKETS, NULL, put_count },
	{ TC_DROPS, NULL, put_count },
	{ TC_HW_BYTES, NULL, put_count },
	{ TC_HW_PACKETS, NULL, put_count },
	{ TC_ACTIONS, NULL, put_actions },
	{ TC_COOKIE, NULL, put_cookie },
};

#define COUNT (sizeof(all) / sizeof(all[0]))

_Static_assert(COUNT <= TC_COLUMNS_MAX, "each once");

/* ---- choosing ---- */

/* The name that a field has in JSON. */
static const char *name_of(size_t i, size_t *len)
{
	return out_field_name(&tc_fields[all[i].field], len);
}

void tc_columns_words(FILE *f)
{
	const char *name;
	size_t len, i;

	for (i = 0; i < COUNT; i++) {
		name = name_of(i, &len);
		fprintf(f, "%.*s\n", (int)len, name);
	}
}

static size_t find(const char *word, size_t word_len)
{
	const char *name;
	size_t len, i;

	for (i = 0; i < COUNT; i++) {
		name = name_of(i, &len);
		if (len == word_len && !memcmp(name, word, len))
			break;
	}
	return i;
}

static int fail_unknown(const char *word, size_t len, struct args_err *err)
{
	char copy[64], quoted[WORD_QUOTE], list[256];
	size_t pos = 0, name_len, i;
	const char *name;

	len = len < sizeof(copy) ? len : sizeof(copy) - 1;
	*(char *)mempcpy(copy, word, len) = '\0';
	for (i = 0; i < COUNT && pos < sizeof(list); i++) {
		name = name_of(i, &name_len);
		pos += snprintf(list + pos, sizeof(list) - pos, "%s%.*s",
				i ? ", " : "", (int)name_len, name);
	}
	return args_fail(err, "there is no field %s: expected %s",
			 word_quote(copy, quoted), list);
}

int tc_columns_parse(struct tc_columns *columns, const char *list,
		     struct args_err *err)
{
	bool seen[COUNT] = { false };
	size_t len, i;

	*columns = (struct tc_columns){ .count = 0 };
	for (;; list += len + 1) {
		len = strcspn(list, ",");
		i = find(list, len);
		if (i == COUNT)
			return fail_unknown(list, len, err);
		if (seen[i])
			return args_fail(err, "the field %.*s is given twice",
					 (int)len, list);
		seen[i] = true;
		columns->column[columns->count++] = i;
		if (!list[len])
			return 0;
	}
}

void tc_columns_header(struct tc_out *t, const struct tc_columns *columns)
{
	size_t i;

	for (i = 0; i < columns->count; i++)
		out_heading(t->out, &tc_fields[all[columns->column[i]].field]);
	out_heading_end(t->out);
}

void tc_columns_filter(struct tc_out *t, const struct tc_columns *columns,
		       const struct nsteer_tc_filter *f)
{
	struct row r = { .t = t, .f = f };
	struct tc_place place;
	size_t n, i;

	tc_place_of(&place, f);
	out_record(t->out);
	for (n = 0; n < columns->count; n++) {
		i = columns->column[n];
		r.field = all[i].field;
		if (all[i].place)
			all[i].place(t, &place);
		else
			all[i].put(&r);
	}
	out_record_end(t->out);
}
