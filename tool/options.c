/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "word.h"

struct option_desc {
	const char *brief; /* "": it has no short form */
	const char *name;
	const char *alias;
	const char *meta; /* takes a value */
	size_t offset;	  /* of a bool, or of a string */
	const char *help;
	unsigned int set;  /* enum options_set; 0: every command takes it */
	const char *usage; /* of those that not every one takes */
};

#define OPT(member) offsetof(struct options, member)

#define COMMON(brief, name, alias, meta, member, help)                         \
	{ brief, name, alias, meta, OPT(member), help, 0, NULL }
#define OF_SET(set, name, meta, member, usage, help)                           \
	{ "", name, NULL, meta, OPT(member), help, set, usage }

static const struct option_desc table[] = {
	COMMON("j", "json", NULL, NULL, json, "print JSON"),
	COMMON("p", "pretty", NULL, NULL, pretty, "with -j: on many lines"),
	COMMON("s", "stats", "statistics", NULL, stats, "counters too"),
	COMMON("d", "details", NULL, NULL, details, "details too"),
	COMMON("br", "brief", "terse", NULL, brief,
	       "the most important, in columns"),
	COMMON("o", "oneline", NULL, NULL, oneline, "a line for each record"),
	COMMON("n", "netns", NULL, "NAME|PATH|pid:N", netns,
	       "act in this network namespace"),
	COMMON("V", "version", NULL, NULL, version, "print the version"),
	COMMON("h", "help", NULL, NULL, help, "print help"),
	OF_SET(OPTIONS_TERSE, "terse=strict", NULL, strict, "--terse[=strict]",
	       "no matches, no arguments; strict: or an error"),
	OF_SET(OPTIONS_LIST, "fields", "FIELD,...", fields,
	       "--fields FIELD,...", "these alone, in this order"),
	OF_SET(OPTIONS_LIST, "summary", NULL, summary, "--summary",
	       "counts and sums of what is alike"),
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
		/* One that has a form with a value, and this is not it. */
		len = strcspn(d->name, "=");
		if (d->name[len] && !strncmp(bare, d->name, len + 1))
			return args_fail(err, "unknown option %s: expected %s",
					 quoted, d->usage);
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
		/* Who wraps the command gives a namespace of his own first. */
		if (d->set && *(const char **)value)
			return args_fail(err, "--%s is given twice", d->name);
		*(const char **)value = argv[++i];
	}
	return check_netns(opts->netns, err);
}

static bool is_given(const struct options *opts, const struct option_desc *d)
{
	const char *value = (const char *)opts + d->offset;

	return d->meta ? *(const char *const *)value != NULL :
			 *(const bool *)value;
}

int options_check(const struct options *opts, unsigned int sets,
		  struct args_err *err)
{
	const struct option_desc *d;

	for (d = table; d->name; d++) {
		if (d->set && !(d->set & sets) && is_given(opts, d))
			return args_fail(err, "--%s does not go with this "
					 "command", d->name);
	}
	return 0;
}

void options_help(FILE *f)
{
	const struct option_desc *d;
	char buf[64];

	for (d = table; d->name; d++) {
		if (d->set)
			continue;
		snprintf(buf, sizeof(buf), "-%s, --%s%s%s", d->brief, d->name,
			 d->meta ? " " : "", d->meta ? d->meta : "");
		fprintf(f, "  %-30s  %s\n", buf, d->help);
	}
}

bool options_nth(unsigned int sets, size_t n, const char **usage,
		 const char **help)
{
	const struct option_desc *d;

	for (d = table; d->name; d++) {
		if (!(d->set & sets) || n--)
			continue;
		*usage = d->usage;
		*help = d->help;
		return true;
	}
	return false;
}

void options_words(unsigned int sets, FILE *f)
{
	const struct option_desc *d;

	for (d = table; d->name; d++) {
		if (d->set && !(d->set & sets))
			continue;
		if (*d->brief)
			fprintf(f, "-%s\n", d->brief);
		fprintf(f, "--%s\n", d->name);
		if (d->alias)
			fprintf(f, "--%s\n", d->alias);
	}
}
