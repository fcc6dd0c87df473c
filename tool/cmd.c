/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "word.h"

int app_fail(struct app *app, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(app->msg, sizeof(app->msg), fmt, ap);
	va_end(ap);
	return err;
}

static bool is_called(const struct cmd *cmd, const char *word)
{
	size_t i;

	for (i = 0; i < CMD_ALIASES && cmd->alias[i]; i++) {
		if (!strcmp(cmd->alias[i], word))
			return true;
	}
	return !strcmp(cmd->word, word);
}

static const struct cmd *find_sub(const struct cmd *node, const char *word)
{
	const struct cmd *c;

	for (c = node->sub; c->word; c++) {
		if (is_called(c, word))
			return c;
	}
	return NULL;
}

static size_t list_subs(const struct cmd *node, char *buf, size_t size)
{
	const struct cmd *c;
	size_t pos = 0;

	buf[0] = '\0';
	for (c = node->sub; c->word && pos < size; c++)
		pos += snprintf(buf + pos, size - pos, "%s, ", c->word);
	if (pos < size)
		pos += snprintf(buf + pos, size - pos, "help");
	return pos;
}

/* "nsteer tun tap0": close, but then a mistyped command would be a name. */
static bool takes_name(const struct cmd *cmd)
{
	const struct arg *arg;

	for (arg = cmd->args; arg && arg->help; arg++) {
		if (arg->bare)
			return true;
	}
	return false;
}

static int fail_word(const struct cmd *node, const char *word,
		     struct args_err *err)
{
	char quoted[WORD_QUOTE], list[192];
	const struct cmd *c;
	struct word_near near;
	size_t i;

	word_quote(word, quoted);
	word_near_init(&near, word);
	for (c = node->sub; c->word; c++)
		word_near_try(&near, c->word);
	word_near_try(&near, "help");
	/* Few have these in mind: only when no other word is as near. */
	for (c = node->sub; c->word; c++)
		for (i = 0; i < CMD_ALIASES && c->alias[i]; i++)
			word_near_try(&near, c->alias[i]);
	if (near.best)
		return args_fail(err, "unknown %s %s, did you mean \"%s\"?",
				 node->what, quoted, near.best);
	list_subs(node, list, sizeof(list));
	return args_fail(err, "unknown %s %s: expected %s%s", node->what,
			 quoted, list, takes_name(node->sub) ?
			 " (a name goes after one of them)" : "");
}

int cmd_find(const struct cmd *root, const char *const *words, size_t count,
	     bool help, struct cmd_path *path, struct args_err *err)
{
	const struct cmd *node = root, *sub;
	char list[192];
	const char *word;

	*path = (struct cmd_path){ .node = { root }, .depth = 1, .help = help };
	while (node->sub) {
		word = path->used < count ? words[path->used] : NULL;
		if (word && !strcmp(word, "help")) {
			path->help = true;
			path->used++;
			continue;
		}
		if (!word && path->help)
			return 0;
		sub = word ? find_sub(node, word) : NULL;
		if (sub) {
			path->used++;
		} else if (node->sub->is_default &&
			   (!word || (node->sub->args &&
				      args_find(node->sub->args, word)))) {
			sub = node->sub;
		} else if (word) {
			return fail_word(node, word, err);
		} else {
			list_subs(node, list, sizeof(list));
			return args_fail(err, "%s is missing: expected %s",
					 node->what, list);
		}
		path->node[path->depth++] = sub;
		node = sub;
	}
	return 0;
}

void cmd_hint(const struct cmd_path *path, FILE *f)
{
	size_t i;

	fprintf(f, "See \"");
	for (i = 0; i < path->depth; i++)
		fprintf(f, "%s ", path->node[i]->word);
	fprintf(f, "help\".\n");
}

/*
 * The lenient twin of the way that main() goes. An unfinished line is the
 * normal case here: whatever does not fit ends it without a word.
 */
void cmd_words(const struct cmd *root, int argc, const char *const *argv,
	       FILE *f)
{
	_Alignas(max_align_t) unsigned char out[CMD_ARGS_SIZE] = { 0 };
	struct options_rest rest = { 0 };
	struct options opts = { 0 };
	struct args_walk walk;
	struct args_err err;
	struct cmd_path path;
	const struct cmd *c;
	size_t i;

	rest.words = calloc(argc + 1, sizeof(*rest.words));
	if (!rest.words)
		return;
	if (options_parse(argc, argv, &opts, &rest, &err)) {
		if (!rest.want)
			goto out;
		if (!strcmp(rest.want, "netns"))
			fputs("<netns>\n", f);
		else if (!cmd_find(root, rest.words, rest.count, true, &path,
				   &err) &&
			 cmd_last(&path)->fields)
			cmd_last(&path)->fields(f);
		goto out;
	}
	/* As for help: a node where the words end is where they lead. */
	if (cmd_find(root, rest.words, rest.count, true, &path, &err)) {
		options_words(0, f);
		goto out;
	}
	c = cmd_last(&path);
	options_words(c->options, f);
	if (c->sub) {
		fputs("help\n", f);
		for (c = c->sub; c->word; c++)
			fprintf(f, "%s\n", c->word);
		c = cmd_last(&path)->sub;
		if (!c->is_default || !c->args)
			goto out;
	}
	args_walk_init(&walk, c->args, out);
	/* Where the command is left out, so may not be the keyword. */
	walk.keywords_only = c != cmd_last(&path);
	for (i = path.used; i < rest.count; i++) {
		if (args_walk_word(&walk, rest.words[i], &err) || walk.help)
			goto out;
	}
	args_next(&walk, f);
out:
	free(rest.words);
}
