/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "args.h"

#include <errno.h>
#include <grp.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "word.h"

#define IFNAME_MAX 15 /* IFNAMSIZ - 1 */
#define ALTNAME_MAX 127 /* ALTIFNAMSIZ - 1 */

int args_fail(struct args_err *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	return -EINVAL;
}

bool args_u32(const char *word, uint32_t *v)
{
	const char *digits = "0123456789";
	const char *p = word;
	unsigned long long n;
	int base = 10;

	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
		digits = "0123456789abcdefABCDEF";
		base = 16;
		p += 2;
	} else if (p[0] == '0' && p[1]) {
		/* Octal to some and decimal to others. */
		return false;
	}
	if (!*p || p[strspn(p, digits)])
		return false;
	errno = 0;
	n = strtoull(p, NULL, base);
	if (errno || n > UINT32_MAX)
		return false;
	*v = n;
	return true;
}

static void *at(const struct args_walk *walk, size_t offset)
{
	return (char *)walk->out + offset;
}

/* "a, b or c" of the choices. */
static void list_choices(const struct arg *arg, char *buf, size_t size)
{
	const struct arg_choice *c;
	size_t pos = 0;

	buf[0] = '\0';
	for (c = arg->choices; c->word && pos < size; c++)
		pos += snprintf(buf + pos, size - pos, "%s%s",
				c == arg->choices ? "" :
				c[1].word	  ? ", " :
						    " or ",
				c->word);
}

static int take_choice(struct args_walk *walk, const struct arg *arg,
		       const char *word, struct args_err *err)
{
	const struct arg_choice *c;
	char quoted[WORD_QUOTE], list[160];
	struct word_near near;

	word_near_init(&near, word);
	for (c = arg->choices; c->word; c++) {
		if (!strcmp(c->word, word)) {
			*(int *)at(walk, arg->value) = c->value;
			walk->want = c->arg;
			return 0;
		}
		word_near_try(&near, c->word);
	}
	if (!strcmp(word, "help")) {
		walk->help = true;
		return 0;
	}
	word_quote(word, quoted);
	if (near.best)
		return args_fail(err, "%s does not go after %s, did you mean "
				 "\"%s\"?",
				 quoted, walk->want_after, near.best);
	list_choices(arg, list, sizeof(list));
	return args_fail(err, "%s does not go after %s: expected %s", quoted,
			 walk->want_after, list);
}

static int take_u32(struct args_walk *walk, const struct arg *arg,
		    const char *word, struct args_err *err)
{
	char quoted[WORD_QUOTE];
	uint32_t v;

	if (!args_u32(word, &v) || v < arg->min || v > arg->max)
		return args_fail(err, "%s does not go after %s: expected a "
				 "number from %" PRIu32 " to %" PRIu32,
				 word_quote(word, quoted), walk->want_after,
				 arg->min, arg->max);
	*(uint32_t *)at(walk, arg->value) = v;
	return 0;
}

/* What no device can be called [net/core/dev.c dev_valid_name()]; to the
 * kernel 0xa0 is a blank. */
static const char *newdev_fault(const char *word)
{
	const char *percent;

	if (strlen(word) > IFNAME_MAX)
		return "longer than 15 bytes";
	if (!strcmp(word, ".") || !strcmp(word, ".."))
		return "a name that no device can have";
	if (word[strcspn(word, "/: \t\n\v\f\r\xa0")])
		return "no device name: it has a blank, '/' or ':'";
	percent = strchr(word, '%');
	if (percent && (percent[1] != 'd' || strchr(percent + 1, '%')))
		return "no device name: '%' goes with one \"%d\" only";
	return NULL;
}

static int take_dev(struct args_walk *walk, const struct arg *arg,
		    const char *word, struct args_err *err)
{
	char quoted[WORD_QUOTE];
	const char *fault = NULL;

	if (!*word)
		return args_fail(err, "the device name is empty");
	if (arg->type == ARG_NEWDEV)
		fault = newdev_fault(word);
	else if (strlen(word) > ALTNAME_MAX)
		fault = "longer than any device name (127 bytes)";
	if (fault)
		return args_fail(err, "%s is %s", word_quote(word, quoted),
				 fault);
	*(const char **)at(walk, arg->value) = word;
	return 0;
}

/* (uid_t)-1 stands for "none" in the kernel. */
static int take_id(struct args_walk *walk, const struct arg *arg,
		   const char *word, struct args_err *err)
{
	bool user = arg->type == ARG_USER;
	char quoted[WORD_QUOTE];
	struct passwd *pw = NULL;
	struct group *gr = NULL;
	uint32_t v;

	if (!args_u32(word, &v)) {
		if (user)
			pw = getpwnam(word);
		else
			gr = getgrnam(word);
		if (!pw && !gr)
			return args_fail(err, "there is no %s %s",
					 user ? "user" : "group",
					 word_quote(word, quoted));
		v = user ? pw->pw_uid : gr->gr_gid;
	}
	if (v == UINT32_MAX)
		return args_fail(err, "%s is no number for a %s",
				 word_quote(word, quoted),
				 user ? "user" : "group");
	*(uint32_t *)at(walk, arg->value) = v;
	return 0;
}

static int take_other(struct args_walk *walk, const struct arg *arg,
		      const char *word, struct args_err *err)
{
	char quoted[WORD_QUOTE];

	if (arg->parse(word, at(walk, arg->value)))
		return 0;
	return args_fail(err, "%s does not go after %s: expected %s",
			 word_quote(word, quoted), walk->want_after,
			 arg->expects);
}

static int take_value(struct args_walk *walk, const char *word,
		      struct args_err *err)
{
	const struct arg *arg = walk->want;

	walk->want = NULL;
	switch (arg->type) {
	case ARG_FLAG:
		break;
	case ARG_U32:
		return take_u32(walk, arg, word, err);
	case ARG_CHOICE:
		if (take_choice(walk, arg, word, err))
			return -EINVAL;
		if (walk->want)
			walk->want_after = word;
		return 0;
	case ARG_DEV:
	case ARG_LINK:
	case ARG_NEWDEV:
		return take_dev(walk, arg, word, err);
	case ARG_USER:
	case ARG_GROUP:
		return take_id(walk, arg, word, err);
	case ARG_OTHER:
		return take_other(walk, arg, word, err);
	}
	return 0;
}

static uint32_t bit(const struct args_walk *walk, const struct arg *arg)
{
	return UINT32_C(1) << (arg - walk->table);
}

const struct arg *args_find(const struct arg *table, const char *word)
{
	const struct arg *arg;

	for (arg = table; arg->help; arg++) {
		if (!strcmp(arg->word, word))
			return arg;
	}
	return NULL;
}

static const struct arg *find_bare(const struct args_walk *walk)
{
	const struct arg *arg;

	for (arg = walk->table; arg->help; arg++) {
		if (arg->bare && !(walk->seen & bit(walk, arg)))
			return arg;
	}
	return NULL;
}

/* An argument that excludes this one and was given. */
static const struct arg *find_rival(const struct args_walk *walk,
				    const struct arg *arg)
{
	const struct arg *a;

	for (a = walk->table; arg->excl && a->help; a++) {
		if (a != arg && a->excl == arg->excl &&
		    walk->seen & bit(walk, a))
			return a;
	}
	return NULL;
}

static bool may_come(const struct args_walk *walk, const struct arg *arg)
{
	return !(walk->seen & bit(walk, arg)) && !find_rival(walk, arg);
}

/* A mistyped keyword was perhaps taken for a name. */
static void hint_bare(const struct args_walk *walk, struct args_err *err)
{
	size_t len = strlen(err->msg);
	char quoted[WORD_QUOTE];
	const struct arg *arg;
	struct word_near near;

	if (!walk->bare)
		return;
	word_near_init(&near, walk->bare_word);
	for (arg = walk->table; arg->help; arg++)
		word_near_try(&near, arg->word);
	if (near.best)
		snprintf(err->msg + len, sizeof(err->msg) - len,
			 " (%s was taken for a device, did you mean \"%s\"?)",
			 word_quote(walk->bare_word, quoted), near.best);
}

static int fail_unexpected(const struct args_walk *walk, const char *word,
			   struct args_err *err)
{
	char quoted[WORD_QUOTE], list[192] = "nothing more";
	const struct arg *arg;
	struct word_near near;
	size_t pos = 0;

	word_quote(word, quoted);
	word_near_init(&near, word);
	for (arg = walk->table; arg->help; arg++) {
		if (!may_come(walk, arg))
			continue;
		word_near_try(&near, arg->word);
		if (pos < sizeof(list))
			pos += snprintf(list + pos, sizeof(list) - pos, "%s%s",
					pos ? ", " : "", arg->word);
	}
	if (near.best)
		return args_fail(err, "unexpected word %s, did you mean "
				 "\"%s\"?", quoted, near.best);
	args_fail(err, "unexpected word %s: expected %s", quoted, list);
	hint_bare(walk, err);
	return -EINVAL;
}

void args_walk_init(struct args_walk *walk, const struct arg *table, void *out)
{
	*walk = (struct args_walk){ .table = table, .out = out };
}

int args_walk_word(struct args_walk *walk, const char *word,
		   struct args_err *err)
{
	const struct arg *arg, *rival;

	if (walk->want)
		return take_value(walk, word, err);
	if (!strcmp(word, "help")) {
		walk->help = true;
		return 0;
	}
	arg = args_find(walk->table, word);
	if (!arg) {
		arg = find_bare(walk);
		if (!arg)
			return fail_unexpected(walk, word, err);
		walk->bare = arg;
		walk->bare_word = word;
	} else if (walk->seen & bit(walk, arg)) {
		return args_fail(err, "%s is given twice", arg->word);
	}
	rival = find_rival(walk, arg);
	if (rival)
		return args_fail(err, "%s and %s exclude each other",
				 rival->word, arg->word);
	walk->seen |= bit(walk, arg);
	if (arg->given != ARG_NONE)
		*(bool *)at(walk, arg->given) = true;
	if (arg->type == ARG_FLAG)
		return 0;
	walk->want = arg;
	walk->want_after = arg->word;
	return walk->bare_word == word ? take_value(walk, word, err) : 0;
}

int args_walk_end(const struct args_walk *walk, struct args_err *err)
{
	const struct arg *arg = walk->want;
	char list[160];

	if (arg && arg->choices) {
		list_choices(arg, list, sizeof(list));
		return args_fail(err, "%s needs a value: expected %s",
				 walk->want_after, list);
	}
	if (arg && arg->type == ARG_U32)
		return args_fail(err, "%s needs a value: expected a number "
				 "from %" PRIu32 " to %" PRIu32,
				 walk->want_after, arg->min, arg->max);
	if (arg)
		return args_fail(err, "%s needs a value: expected %s",
				 walk->want_after,
				 arg->expects ? arg->expects : arg->meta);
	for (arg = walk->table; arg->help; arg++) {
		if (!arg->required || walk->seen & bit(walk, arg))
			continue;
		if (arg->bare)
			args_fail(err, "expected %s%s", arg->meta,
				  walk->seen ? " (one that is like a keyword "
					       "goes after its own keyword)" :
					       "");
		else
			args_fail(err, "expected %s%s%s", arg->word,
				  arg->meta ? " " : "",
				  arg->meta ? arg->meta : "");
		hint_bare(walk, err);
		return -EINVAL;
	}
	return 0;
}

int args_parse(const struct arg *table, const char *const *words, size_t n,
	       void *out, bool *help, struct args_err *err)
{
	struct args_walk walk;
	size_t i;

	args_walk_init(&walk, table, out);
	for (i = 0; i < n; i++) {
		if (args_walk_word(&walk, words[i], err))
			return -EINVAL;
		if (walk.help) {
			*help = true;
			return 0;
		}
	}
	return args_walk_end(&walk, err);
}

static void next_value(const struct arg *arg, FILE *f)
{
	static const char *const kinds[] = {
		[ARG_DEV] = "<dev>",
		[ARG_LINK] = "<link>",
		[ARG_USER] = "<user>",
		[ARG_GROUP] = "<group>",
		[ARG_OTHER] = NULL,
	};
	const struct arg_choice *c;
	const char *word;
	unsigned int n;

	if (kinds[arg->type])
		fprintf(f, "%s\n", kinds[arg->type]);
	for (c = arg->choices; c && c->word; c++)
		fprintf(f, "%s\n", c->word);
	for (n = 0; arg->offer && (word = arg->offer(n)); n++)
		fprintf(f, "%s\n", word);
}

void args_next(const struct args_walk *walk, FILE *f)
{
	const struct arg *arg;

	if (walk->want) {
		next_value(walk->want, f);
		return;
	}
	for (arg = walk->table; arg->help; arg++) {
		if (!may_come(walk, arg))
			continue;
		fprintf(f, "%s\n", arg->word);
		if (arg->bare && !walk->keywords_only)
			next_value(arg, f);
	}
}
