/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words after a command, by a table, into a plain struct. Text in, values
 * or an error out: nothing here prints, exits or asks the kernel.
 */
#ifndef TOOL_ARGS_H
#define TOOL_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum arg_type {
	ARG_FLAG,   /* nothing: the keyword alone, see given */
	ARG_U32,    /* uint32_t from min to max */
	ARG_CHOICE, /* int: one of the choices */
	ARG_DEV,    /* const char *: a tun or tap device that exists */
	ARG_LINK,   /* const char *: any network device that exists */
	ARG_NEWDEV, /* const char *: a device to be made */
	ARG_USER,   /* uint32_t: a user's name or number */
	ARG_GROUP,  /* uint32_t: a group's */
	ARG_OTHER,  /* what its parse makes of the word */
};

struct arg;

struct arg_choice {
	const char *word;
	int value;
	const struct arg *arg; /* the value that has to follow, if any */
	const char *help;      /* half a sentence, where it takes one */
};

#define ARG_NONE SIZE_MAX

struct arg {
	const char *word; /* the keyword; NULL: follows a choice */
	const char *meta; /* how help calls the value */
	const char *help;
	enum arg_type type;
	bool required;
	bool bare;	   /* the keyword may be left out */
	unsigned int excl; /* those of one number exclude each other */
	size_t value;	   /* offset in the struct */
	size_t given;	   /* offset of a bool: it was there; or ARG_NONE */
	uint32_t min;
	uint32_t max;
	const struct arg_choice *choices; /* ends in a NULL word */
	/* ARG_OTHER: false where it expects something else, which it names. */
	bool (*parse)(const char *word, void *value);
	const char *expects;
	const char *(*offer)(unsigned int n); /* to complete it; NULL ends */
};

#define ARGS_MAX 32 /* keywords of one command */

struct args_err {
	char msg[512];
};

int args_fail(struct args_err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Where the walk over the words stands. */
struct args_walk {
	const struct arg *table; /* ends in a NULL help */
	void *out;
	const struct arg *want;	 /* the argument whose value comes next */
	const char *want_after;	 /* the word that wants it */
	const struct arg *bare;	 /* taken without its keyword */
	const char *bare_word;	 /* and what was taken */
	uint32_t seen;		 /* arguments, by their place in the table */
	bool keywords_only;	 /* args_next(): no names without a keyword */
	bool help;		 /* the word help stood where a keyword may */
};

void args_walk_init(struct args_walk *walk, const struct arg *table, void *out);
/* One more word. 0, or -EINVAL and a message. */
int args_walk_word(struct args_walk *walk, const char *word,
		   struct args_err *err);
/* No more words: is something missing? */
int args_walk_end(const struct args_walk *walk, struct args_err *err);

/* All of the above. out is zero at first; *help: the user asks for help. */
int args_parse(const struct arg *table, const char *const *words, size_t n,
	       void *out, bool *help, struct args_err *err);

/* Is it a keyword of the table? */
const struct arg *args_find(const struct arg *table, const char *word);

/*
 * For completion: what may come next, a word a line; <dev>, <link>, <user>,
 * <group> where a name of that kind may stand.
 */
void args_next(const struct args_walk *walk, FILE *f);

/* Decimal, or hex after 0x; no sign, no blanks, nothing behind it. */
bool args_u32(const char *word, uint32_t *v);

#endif /* TOOL_ARGS_H */
