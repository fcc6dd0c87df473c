/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "word.h"

struct option_desc {
	const char *brief;
	const char *name;
	const char *alias;
	const char *meta; /* takes a value */
	size_t offset;	  /* of a bool, or of a string */
	const char *help;
};

#define OPT(member) offsetof(struct options, member)

static const struct option_desc table[] = {
	{ "j", "json", NULL, NULL, OPT(json), "print JSON" },
	{ "p", "pretty", NULL, NULL, OPT(pretty), "with -j: on many lines" },
	{ "s", "stats", "statistics", NULL, OPT(stats), "counters too" },
	{ "d", "details", NULL, NULL, OPT(details), "details too" },
	{ "br", "brief", NULL, NULL, OPT(brief),
	  "the most important, in columns" },
	{ "o", "oneline", NULL, NULL, OPT(oneline), "a line for each record" },
	{ "n", "netns", NULL, "NAME|PATH|pid:N", OPT(netns),
	  "act in this network namespace" },
	{ "V", "version", NULL, NULL, OPT(version), "print the version" },
	{ "h", "help", NULL, NULL, OPT(help), "print help" },
	{ 0 },
};

static const struct option_desc *find(const char *word)
{
	const struct option_desc *d;

	word += word[1] == '-' ? 2 : 1;
	for (d = table; d->name; d++) {
		if (!strcmp(word, d->brief) || !strcmp(word, d->name) ||
		    (d->alias && !strcmp(word, d->alias)))
			return d;
	}
	return NULL;
}

static int fail_unknown(const char *word, struct args_err *err)
{
	const char *bare = word + strspn(word, "-");
	const struct option_desc *d;
	char quoted[WORD_QUOTE];
	struct word_near near;
	size_t len;

	word_quote(word, quoted);
	word_near_init(&near, bare);
	for (d = table; d->name; d++) {
		len = strlen(d->name);
		if (d->meta && !strncmp(bare, d->name, len) && bare[len] == '=')
			return args_fail(err, "unknown option %s: the value of "
					 "--%s is a word of its own", quoted,
					 d->name);
		word_near_try(&near, d->name);
	}
	if (near.best)
		return args_fail(err, "unknown option %s, did you mean "
				 "\"--%s\"?", quoted, near.best);
	return args_fail(err, "unknown option %s%s", quoted,
			 strlen(bare) == 2 ? ": each one is a word of its own" :
					     "");
}

static bool is_option(const char *word)
{
	return word[0] == '-' && word[1] && !isdigit((unsigned char)word[1]);
}

/* Whether it is there is for the kernel to say, what it means is not. */
static int check_netns(const char *netns, struct args_err *err)
{
	char quoted[WORD_QUOTE];
	uint32_t pid;

	if (!netns)
		return 0;
	if (!*netns)
		return args_fail(err, "--netns needs a value that is not "
				 "empty");
	if (!strncmp(netns, "pid:", 4) &&
	    (!args_u32(netns + 4, &pid) || !pid || pid > INT_MAX))
		return args_fail(err, "%s does not go after --netns: expected "
				 "pid: and the number of a process",
				 word_quote(netns, quoted));
	return 0;
}

int options_parse(int argc, const char *const *argv, struct options *opts,
		  struct options_rest *rest, struct args_err *err)
{
	const struct option_desc *d;
	bool ended = false;
	void *value;
	int i;

	for (i = 0; i < argc; i++) {
		if (!ended && !strcmp(argv[i], "--")) {
			ended = true;
			continue;
		}
		if (ended || !is_option(argv[i])) {
			rest->words[rest->count++] = argv[i];
			continue;
		}
		d = find(argv[i]);
		if (!d)
			return fail_unknown(argv[i], err);
		value = (char *)opts + d->offset;
		if (!d->meta) {
			*(bool *)value = true;
			continue;
		}
		if (i + 1 == argc) {
			rest->want = d->name;
			return args_fail(err, "--%s needs a value: expected %s",
					 d->name, d->meta);
		}
		*(const char **)value = argv[++i];
	}
	return check_netns(opts->netns, err);
}

void options_help(FILE *f)
{
	const struct option_desc *d;
	char buf[64];

	for (d = table; d->name; d++) {
		snprintf(buf, sizeof(buf), "-%s, --%s%s%s", d->brief, d->name,
			 d->meta ? " " : "", d->meta ? d->meta : "");
		fprintf(f, "  %-30s  %s\n", buf, d->help);
	}
}

void options_words(FILE *f)
{
	const struct option_desc *d;

	for (d = table; d->name; d++)
		fprintf(f, "-%s\n--%s\n", d->brief, d->name);
}
