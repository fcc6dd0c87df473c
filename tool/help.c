/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <string.h>

#include "cmd.h"

#define COLUMNS 80

/* A usage line, broken between its units. */
struct usage {
	FILE *f;
	size_t indent;
	size_t column;
};

static void put_unit(struct usage *u, const char *unit)
{
	size_t len = strlen(unit);

	if (u->column + 1 + len >= COLUMNS && u->column > u->indent) {
		fprintf(u->f, "\n%*s", (int)u->indent, "");
		u->column = u->indent;
	}
	u->column += fprintf(u->f, " %s", unit);
}

/* Text at the end of a buffer; what does not fit is left out. */
struct unit {
	char buf[192];
	size_t len;
};

static void __attribute__((format(printf, 2, 3)))
unit_add(struct unit *unit, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(unit->buf + unit->len, sizeof(unit->buf) - unit->len, fmt,
		      ap);
	va_end(ap);
	unit->len += n;
	if (unit->len >= sizeof(unit->buf))
		unit->len = sizeof(unit->buf) - 1;
}

static void add_choices(struct unit *unit, const struct arg *arg)
{
	const struct arg_choice *c;

	for (c = arg->choices; c->word; c++) {
		unit_add(unit, "%s%s", c == arg->choices ? "" : " | ", c->word);
		if (c->arg)
			unit_add(unit, " %s", c->arg->meta);
	}
}

static void add_arg(struct unit *unit, const struct arg *arg)
{
	unit_add(unit, arg->bare ? "[%s]" : "%s", arg->word);
	if (arg->meta) {
		unit_add(unit, " %s", arg->meta);
	} else if (arg->choices) {
		unit_add(unit, arg->choices[1].word ? " { " : " ");
		add_choices(unit, arg);
		unit_add(unit, arg->choices[1].word ? " }" : "");
	}
}

/* Those that exclude each other stand together in the table and in help. */
static void put_args(struct usage *u, const struct arg *arg)
{
	for (; arg->help; arg++) {
		struct unit unit = { .len = 0 };

		if (!arg->required)
			unit_add(&unit, "[ ");
		add_arg(&unit, arg);
		while (arg->excl && arg[1].help && arg[1].excl == arg->excl) {
			arg++;
			unit_add(&unit, " | ");
			add_arg(&unit, arg);
		}
		if (!arg->required)
			unit_add(&unit, " ]");
		put_unit(u, unit.buf);
	}
}

static void put_options(struct usage *u, unsigned int sets)
{
	const char *usage, *help;
	size_t i;

	for (i = 0; options_nth(sets, i, &usage, &help); i++) {
		struct unit unit = { .len = 0 };

		unit_add(&unit, "[ %s ]", usage);
		put_unit(u, unit.buf);
	}
}

static void add_words(struct unit *unit, const struct cmd *cmd)
{
	size_t i;

	unit_add(unit, "%s", cmd->word);
	for (i = 0; i < CMD_ALIASES && cmd->alias[i]; i++)
		unit_add(unit, "|%s", cmd->alias[i]);
}

/* The usage of a leaf, or of all leaves below a node. */
static void put_usage(struct cmd_path *path, bool *first, FILE *f)
{
	const struct cmd *last = cmd_last(path), *c;
	struct usage u = { .f = f };
	struct unit unit;
	size_t i;

	if (last->sub) {
		for (c = last->sub; c->word; c++) {
			path->node[path->depth++] = c;
			put_usage(path, first, f);
			path->depth--;
		}
		return;
	}
	u.column = fprintf(f, "%s %s", *first ? "Usage:" : "      ",
			   path->node[0]->word);
	*first = false;
	u.indent = u.column + 4;
	for (i = 1; i < path->depth; i++) {
		unit = (struct unit){ .len = 0 };
		if (path->node[i]->is_default)
			unit_add(&unit, "[ ");
		add_words(&unit, path->node[i]);
		if (path->node[i]->is_default)
			unit_add(&unit, " ]");
		put_unit(&u, unit.buf);
	}
	put_args(&u, last->args);
	put_options(&u, last->options);
	putc('\n', f);
}

/* "POLICY := { ... }" of the values that usage calls by a name. */
static void put_where(const struct cmd *cmd, FILE *f)
{
	const struct arg *arg;
	const struct cmd *c;

	for (c = cmd->sub; c && c->word; c++)
		put_where(c, f);
	for (arg = cmd->args; arg && arg->help; arg++) {
		struct unit unit = { .len = 0 };

		if (!arg->choices || !arg->meta)
			continue;
		add_choices(&unit, arg);
		fprintf(f, "       %s := { %s }\n", arg->meta, unit.buf);
	}
}

static void put_subs(const struct cmd *node, FILE *f)
{
	const struct cmd *c;

	for (c = node->sub; c->word; c++) {
		struct unit unit = { .len = 0 };

		add_words(&unit, c);
		fprintf(f, "  %-16s  %s\n", unit.buf, c->help);
	}
}

static void put_keywords(const struct cmd *leaf, FILE *f)
{
	const char *usage, *help;
	const struct arg *arg;
	size_t i;

	for (arg = leaf->args; arg->help; arg++) {
		struct unit unit = { .len = 0 };

		add_arg(&unit, arg);
		fprintf(f, "  %-22s  %s\n", unit.buf, arg->help);
	}
	for (i = 0; options_nth(leaf->options, i, &usage, &help); i++)
		fprintf(f, "  %-22s  %s\n", usage, help);
}

static void help_root(const struct cmd *root, FILE *f)
{
	const struct cmd *o;

	fprintf(f, "Usage: %s [ OPTIONS ] OBJECT { COMMAND | help }\n\n",
		root->word);
	fprintf(f, "%s\n\nObjects:\n", root->help);
	put_subs(root, f);
	fprintf(f, "\nOptions, anywhere on the line (\"--\" ends them):\n");
	options_help(f);
	fprintf(f, "\nMore:");
	for (o = root->sub; o->word; o++)
		fprintf(f, " %s %s help%s", root->word, o->word,
			o[1].word ? "," : "\n");
}

void cmd_help(const struct cmd_path *path, FILE *f)
{
	const struct cmd *last = cmd_last(path);
	struct cmd_path p = *path;
	bool first = true;

	if (path->depth == 1) {
		help_root(last, f);
		return;
	}
	put_usage(&p, &first, f);
	put_where(last, f);
	fprintf(f, "\n%s\n\n", last->help);
	if (last->sub)
		put_subs(last, f);
	else
		put_keywords(last, f);
	fprintf(f, "%sOptions: %s help\n",
		last->sub || last->args->help ? "\n" : "", path->node[0]->word);
}
