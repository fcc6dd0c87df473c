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
	const char *netns;
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

void options_help(FILE *f);

/* For completion: the options, a word a line. */
void options_words(FILE *f);

#endif /* TOOL_OPTIONS_H */
