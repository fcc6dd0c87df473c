/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of objects and commands: which one the words mean, and the help
 * that follows from the tables.
 */
#ifndef TOOL_CMD_H
#define TOOL_CMD_H

#include <nsteer/nsteer.h>

#include "args.h"
#include "options.h"
#include "out.h"

/* What a command works with; main() owns it. */
struct app {
	struct options opts;
	struct nsteer *ns; /* NULL for a command that needs none */
	struct sink sink;  /* stdout */
	struct out out;
	bool usage;	   /* the command line was to blame after all */
	bool incomplete;   /* what was printed is a part */
	bool no_warnings;  /* what they tell of makes no difference here */
	char msg[1024];	   /* instead of the library's sentence, if not "" */
};

/* Record why and return err, a negative errno. */
int app_fail(struct app *app, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#define CMD_ALIASES 3
#define CMD_ARGS_SIZE 256 /* room for the struct of any command */

struct cmd {
	const char *word; /* NULL ends a table */
	const char *alias[CMD_ALIASES];
	const char *help; /* half a sentence */

	/* A node: the first one may be left out if it says so. */
	const struct cmd *sub;
	const char *what; /* what a word of sub is called: "object" */
	bool is_default;

	/* A leaf. */
	const struct arg *args;
	unsigned int options; /* further ones that it takes, see options.h */
	void (*fields)(FILE *f); /* what --fields takes, a word a line */
	bool no_context;
	/* What the tables cannot tell: 0, or -EINVAL and a message. */
	int (*check)(const struct options *opts, const void *args,
		     struct args_err *err);
	int (*run)(struct app *app, const void *args);
};

#define CMD_DEPTH 4

/* The way from the root to the command that the words name. */
struct cmd_path {
	const struct cmd *node[CMD_DEPTH];
	size_t depth;
	size_t used; /* words */
	bool help;   /* one of them was help */
};

/* 0, or -EINVAL and a message. path is as long as it came in either case. */
int cmd_find(const struct cmd *root, const char *const *words, size_t count,
	     bool help, struct cmd_path *path, struct args_err *err);

static inline const struct cmd *cmd_last(const struct cmd_path *path)
{
	return path->node[path->depth - 1];
}

void cmd_help(const struct cmd_path *path, FILE *f);

/* "nsteer tun help": where a usage error sends the user. */
void cmd_hint(const struct cmd_path *path, FILE *f);

/*
 * For completion: what may follow these words, one a line, see args_next();
 * <netns> after -n, fields after --fields. Never fails: what makes no sense has no continuation.
 */
void cmd_words(const struct cmd *root, int argc, const char *const *argv,
	       FILE *f);

#endif /* TOOL_CMD_H */
