/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that every command takes, anywhere on the line. */
#ifndef TOOL_OPTIONS_H
#define TOOL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "args.h"

struct options {
	bool json;
	bool pretty;
	bool stats;
	bool details;
	bool brief;
	bool oneline;
	bool version;
	bool help;
	bool strict;
	bool summary;
	const char *netns;
	const char *fields;
};

/* Options that only some commands take, see struct cmd. */
enum options_set {
	OPTIONS_TERSE = 1 << 0, /* and --brief leaves out, but no columns */
	OPTIONS_LIST = 1 << 1,	/* long lists */
};

/* The command line, its options taken out of it. */
struct options_rest {
	const char **words; /* as many as argc; the caller's */
	size_t count;
	const char *want; /* an option at the end lacks this value, see below */
};

/*
 * Options as ip has them: whole words, one or two dashes, no clusters. What
 * follows "--" is no option, nor is a dash alone or before a digit. 0, or
 * -EINVAL and a message.
 */
int options_parse(int argc, const char *const *argv, struct options *opts,
		  struct options_rest *rest, struct args_err *err);

/* Was one given that is in none of these sets? -EINVAL and a message. */
int options_check(const struct options *opts, unsigned int sets,
		  struct args_err *err);

void options_help(FILE *f);

/*
 * The nth option of these sets, beyond those that every command takes: how it
 * is written, and what it does. False: there are no more.
 */
bool options_nth(unsigned int sets, size_t n, const char **usage,
		 const char **help);

/* For completion: the options, a word a line. */
void options_words(unsigned int sets, FILE *f);

#endif /* TOOL_OPTIONS_H */
