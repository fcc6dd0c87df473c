/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line: options, the way to a command, its arguments. */
#include <errno.h>
#include <nsteer/tun.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "cmd.h"
#include "harness.h"
#include "options.h"
#include "tun.h"

#define WORDS(...) ((const char *[]){ __VA_ARGS__ })
#define COUNT(...) (sizeof(WORDS(__VA_ARGS__)) / sizeof(char *))

struct vals {
	const char *dev;
	const char *name;
	int mode;
	uint32_t num;
	uint32_t user;
	uint32_t group;
	bool has_dev;
	bool has_num;
	bool flag;
	bool other;
};

#define AT(m) offsetof(struct vals, m)

static const struct arg num = {
	.meta = "N", .type = ARG_U32, .value = AT(num), .given = ARG_NONE,
	.min = 2, .max = UINT32_MAX,
};

static const struct arg_choice modes[] = {
	{ .word = "plain", .value = 1 },
	{ .word = "count", .value = 2, .arg = &num },
	{ 0 },
};

static const struct arg table[] = {
	{ .word = "dev", .meta = "NAME", .help = "h", .type = ARG_DEV,
	  .bare = true, .value = AT(dev), .given = AT(has_dev) },
	{ .word = "mode", .help = "h", .type = ARG_CHOICE, .required = true,
	  .choices = modes, .value = AT(mode), .given = ARG_NONE },
	{ .word = "num", .meta = "N", .help = "h", .type = ARG_U32,
	  .value = AT(num), .given = AT(has_num), .max = 65535 },
	{ .word = "name", .meta = "NAME", .help = "h", .type = ARG_NEWDEV,
	  .value = AT(name), .given = ARG_NONE },
	{ .word = "user", .meta = "USER", .help = "h", .type = ARG_USER,
	  .value = AT(user), .given = ARG_NONE },
	{ .word = "group", .meta = "GROUP", .help = "h", .type = ARG_GROUP,
	  .value = AT(group), .given = ARG_NONE },
	{ .word = "flag", .help = "h", .type = ARG_FLAG, .excl = 1,
	  .given = AT(flag) },
	{ .word = "other", .help = "h", .type = ARG_FLAG, .excl = 1,
	  .given = AT(other) },
	{ 0 },
};

static int parse(const char *const *words, size_t n, struct vals *v,
		 struct args_err *err)
{
	bool help = false;
	int ret;

	memset(v, 0, sizeof(*v));
	err->msg[0] = '\0';
	ret = args_parse(table, words, n, v, &help, err);
	ck_assert_int_eq(!!ret, !!err->msg[0]);
	return help ? 1 : ret;
}

#define GOOD(...) \
	ck_assert_msg(!parse(WORDS(__VA_ARGS__), COUNT(__VA_ARGS__), &v, &err),\
		      "%s", err.msg)
#define BAD(want, ...) do {                                                    \
	ck_assert_int_eq(parse(WORDS(__VA_ARGS__), COUNT(__VA_ARGS__), &v,     \
			       &err), -EINVAL);                                \
	ck_assert_str_eq(err.msg, want);                                       \
} while (0)

START_TEST(args_values)
{
	struct args_err err;
	struct vals v;

	GOOD("tap0", "mode", "plain", "num", "65535", "flag");
	ck_assert_str_eq(v.dev, "tap0");
	ck_assert(v.has_dev && v.has_num && v.flag && !v.other);
	ck_assert_int_eq(v.mode, 1);
	ck_assert_uint_eq(v.num, 65535);

	/* In any order; the name may stand anywhere; a choice's own value. */
	GOOD("mode", "count", "0xffffffff", "other", "x");
	ck_assert_str_eq(v.dev, "x");
	ck_assert_int_eq(v.mode, 2);
	ck_assert_uint_eq(v.num, UINT32_MAX);
	ck_assert(!v.has_num && v.other);

	/* A keyword is the keyword; after dev it is a name. */
	GOOD("dev", "mode", "mode", "plain");
	ck_assert_str_eq(v.dev, "mode");
	GOOD("dev", "help", "mode", "plain");
	ck_assert_str_eq(v.dev, "help");
	GOOD("mode", "plain");
	ck_assert(!v.has_dev);

	GOOD("mode", "plain", "user", "root", "group", "4294967294");
	ck_assert_uint_eq(v.user, 0);
	ck_assert_uint_eq(v.group, 4294967294u);
}
END_TEST

START_TEST(args_errors)
{
	struct args_err err;
	struct vals v;

	BAD("expected mode", "tap0");
	BAD("mode needs a value: expected plain or count", "mode");
	BAD("count needs a value: expected a number from 2 to 4294967295",
	    "mode", "count");
	BAD("dev needs a value: expected NAME", "mode", "plain", "dev");
	BAD("\"plane\" does not go after mode, did you mean \"plain\"?",
	    "mode", "plane");
	BAD("\"x\\x1b\" does not go after mode: expected plain or count",
	    "mode", "x\x1b");
	BAD("\"1\" does not go after count: expected a number from 2 to "
	    "4294967295", "mode", "count", "1");
	BAD("mode is given twice", "mode", "plain", "mode", "plain");
	BAD("dev is given twice", "a", "mode", "plain", "dev", "b");
	BAD("flag and other exclude each other", "mode", "plain", "flag",
	    "other");
	BAD("unexpected word \"b\": expected mode, num, name, user, group, "
	    "flag, other", "a", "b");
	BAD("unexpected word \"moed\", did you mean \"mode\"?", "a", "moed");
	/* The slip was in the word before, which could be a name. */
	BAD("unexpected word \"x\": expected mode, num, name, user, group, "
	    "flag, other (\"flga\" was taken for a device, did you mean "
	    "\"flag\"?)", "flga", "x");
	BAD("expected mode (\"mod\" was taken for a device, did you mean "
	    "\"mode\"?)", "mod");
}
END_TEST

START_TEST(args_help)
{
	struct args_err err;
	struct vals v;

	ck_assert_int_eq(parse(WORDS("help"), 1, &v, &err), 1);
	ck_assert_int_eq(parse(WORDS("mode", "help"), 2, &v, &err), 1);
	ck_assert_int_eq(parse(WORDS("tap0", "help", "bogus"), 3, &v, &err), 1);
}
END_TEST

START_TEST(args_numbers)
{
	static const char *const bad[] = { "", "-1", "+1", " 1", "1 ", "1x",
		"0x", "0xg", "010", "4294967296", "0x100000000", "1.0", "1e3",
		"18446744073709551616", "99999999999999999999999999", "\3771",
		"0x0x1", "--1", "1\n" };
	static const struct { const char *word; uint32_t v; } good[] = {
		{ "0", 0 }, { "1", 1 }, { "0x1bb", 443 }, { "0XfF", 255 },
		{ "4294967295", UINT32_MAX }, { "0xFFFFFFFF", UINT32_MAX },
		{ "0x0000000001", 1 },
	};
	uint32_t v = 77;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(!args_u32(bad[i], &v), "'%s'", bad[i]);
	ck_assert_uint_eq(v, 77);
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		ck_assert_msg(args_u32(good[i].word, &v), "'%s'",
			      good[i].word);
		ck_assert_uint_eq(v, good[i].v);
	}
}
END_TEST

START_TEST(args_names)
{
	static const char *const bad[] = {
		"1234567890123456", "a/b", "a:b", "a b", "a\tb", "a\xa0", ".",
		"..", "", "%", "a%s", "%d%d", "%%d",
	};
	static const char *const good[] = {
		"123456789012345", "a\x01", "\xff", "q\"\\x", "\x1b[31m",
		"tap%d", "show", "-", "...",
	};
	char longname[129];
	struct args_err err;
	struct vals v;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(parse(WORDS("mode", "plain", "name", bad[i]), 4,
				    &v, &err) == -EINVAL,
			      "'%s'", bad[i]);
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		GOOD("mode", "plain", "name", good[i]);

	/* Of a device that exists, the alternative name will do. */
	memset(longname, 'x', 128);
	longname[128] = '\0';
	ck_assert_int_eq(parse(WORDS(longname, "mode", "plain"), 3, &v, &err),
			 -EINVAL);
	longname[127] = '\0';
	GOOD(longname, "mode", "plain");
	BAD("the device name is empty", "dev", "", "mode", "plain");
}
END_TEST

START_TEST(args_ids)
{
	struct args_err err;
	struct vals v;

	BAD("there is no user \"no such user\"", "mode", "plain", "user",
	    "no such user");
	BAD("there is no group \"\"", "mode", "plain", "group", "");
	BAD("\"4294967295\" is no number for a user", "mode", "plain", "user",
	    "4294967295");
	BAD("there is no group \"4294967296\"", "mode", "plain", "group",
	    "4294967296");
}
END_TEST

static int options(struct options *opts, struct options_rest *rest,
		   struct args_err *err, const char *const *argv, int argc)
{
	static const char *words[16];

	memset(opts, 0, sizeof(*opts));
	*rest = (struct options_rest){ .words = words };
	return options_parse(argc, argv, opts, rest, err);
}

#define OPTIONS(...) options(&o, &rest, &err, WORDS(__VA_ARGS__), \
			     (int)COUNT(__VA_ARGS__))

START_TEST(option_words)
{
	struct options_rest rest;
	struct args_err err;
	struct options o;

	ck_assert_int_eq(OPTIONS("-j", "tun", "--pretty", "show", "-stats",
				 "-br", "-n", "ns1", "-o", "x", "-d"), 0);
	ck_assert(o.json && o.pretty && o.stats && o.brief && o.oneline &&
		  o.details && !o.help && !o.version);
	ck_assert_str_eq(o.netns, "ns1");
	ck_assert_uint_eq(rest.count, 3);
	ck_assert_str_eq(rest.words[2], "x");

	/* After "--", before a digit, or alone a dash makes no option. */
	ck_assert_int_eq(OPTIONS("-", "-1", "--", "-j", "--"), 0);
	ck_assert(!o.json);
	ck_assert_uint_eq(rest.count, 4);
	ck_assert_str_eq(rest.words[3], "--");

	ck_assert_int_eq(OPTIONS("-jp"), -EINVAL);
	ck_assert_int_eq(OPTIONS("---json"), -EINVAL);
	ck_assert_int_eq(OPTIONS("-J"), -EINVAL);
	ck_assert_int_eq(OPTIONS("-js"), -EINVAL);
	ck_assert_int_eq(OPTIONS("--netns=x"), -EINVAL);
	ck_assert_int_eq(OPTIONS("-n", ""), -EINVAL);
	ck_assert_int_eq(OPTIONS("--fields", "a", "-s", "--fields", "b"),
			 -EINVAL);
	ck_assert_str_eq(err.msg, "--fields is given twice");
	ck_assert_int_eq(OPTIONS("tun", "-n"), -EINVAL);
	ck_assert_str_eq(err.msg, "--netns needs a value: expected "
				  "NAME|PATH|pid:N");
}
END_TEST

static const struct cmd objects[] = {
	{ .word = "tun", .help = "h", .sub = tun_commands, .what = "command" },
	{ 0 },
};
static const struct cmd root = {
	.word = "nsteer", .help = "h", .sub = objects, .what = "object",
};

static int find(const char *const *words, size_t n, bool help,
		struct cmd_path *path)
{
	struct args_err err;

	return cmd_find(&root, words, n, help, path, &err);
}

#define FIND(...) find(WORDS(__VA_ARGS__), COUNT(__VA_ARGS__), false, &path)

START_TEST(cmd_paths)
{
	struct cmd_path path;

	ck_assert_int_eq(FIND("tun"), 0);
	ck_assert_str_eq(cmd_last(&path)->word, "show");
	ck_assert_int_eq(FIND("tun", "dev", "x"), 0);
	ck_assert_str_eq(cmd_last(&path)->word, "show");
	ck_assert_uint_eq(path.used, 1);
	ck_assert_int_eq(FIND("tun", "lst", "show"), 0);
	ck_assert_uint_eq(path.used, 2);
	ck_assert_int_eq(FIND("tun", "delete", "x"), 0);
	ck_assert_str_eq(cmd_last(&path)->word, "del");
	ck_assert_int_eq(FIND("tun", "policy"), 0);
	ck_assert_uint_eq(path.depth, 4);
	ck_assert_int_eq(FIND("tun", "tap0"), -EINVAL);
	ck_assert_int_eq(FIND("tun", "sho"), -EINVAL);
	ck_assert_int_eq(FIND("tu"), -EINVAL);
	ck_assert_int_eq(find(NULL, 0, false, &path), -EINVAL);

	ck_assert_int_eq(FIND("help", "tun", "set"), 0);
	ck_assert(path.help);
	ck_assert_str_eq(cmd_last(&path)->word, "set");
	ck_assert_int_eq(FIND("tun", "help"), 0);
	ck_assert_str_eq(cmd_last(&path)->word, "tun");
	ck_assert_int_eq(find(NULL, 0, true, &path), 0);
	ck_assert_uint_eq(path.depth, 1);
}
END_TEST

static void words_are(const char *const *argv, int argc, const char *want)
{
	char *buf = NULL, *line, *save, got[1024] = "";
	size_t len;
	FILE *f = open_memstream(&buf, &len);

	cmd_words(&root, argc, argv, f);
	fclose(f);
	for (line = strtok_r(buf, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (line[0] == '-')
			continue;
		strcat(got, *got ? " " : "");
		strcat(got, line);
	}
	ck_assert_str_eq(got, want);
	free(buf);
}

#define NEXT(want, ...) \
	words_are(WORDS(__VA_ARGS__), (int)COUNT(__VA_ARGS__), want)

START_TEST(cmd_completion)
{
	words_are(NULL, 0, "help tun");
	NEXT("help show add del set get policy dev", "-j", "tun");
	NEXT("dev <dev>", "tun", "show");
	NEXT("<dev>", "tun", "show", "dev");
	NEXT("", "tun", "show", "x");
	NEXT("dev <dev> steering replace force", "tun", "set");
	NEXT("automq cpu fixed", "tun", "set", "x", "steering");
	NEXT("", "tun", "set", "x", "steering", "fixed");
	NEXT("dev <dev> replace force", "tun", "set", "steering", "fixed", "1");
	NEXT("dev <dev>", "tun", "set", "steering", "cpu", "force");
	NEXT("id", "tun", "set", "steering", "cpu", "replace");
	NEXT("<user>", "tun", "add", "x", "user");
	NEXT("<netns>", "tun", "show", "-n");
	NEXT("help show", "tun", "policy");
	NEXT("", "tun", "bogus");
	NEXT("", "tun", "set", "a", "b");
	NEXT("help show add del set get policy dev", "help", "tun");
}
END_TEST

/* Every word of the tables has its help; keywords fit into the bit set. */
static void check_tables(const struct cmd *cmd)
{
	const struct arg *arg;
	const struct cmd *c;

	ck_assert_ptr_nonnull(cmd->help);
	ck_assert_int_eq(!cmd->sub, !!cmd->run);
	if (cmd->sub)
		ck_assert_ptr_nonnull(cmd->what);
	for (c = cmd->sub; c && c->word; c++)
		check_tables(c);
	if (cmd->sub)
		return;
	for (arg = cmd->args; arg->help; arg++) {
		ck_assert_ptr_nonnull(arg->word);
		ck_assert(arg->type == ARG_FLAG || arg->meta || arg->choices);
		ck_assert_int_eq(arg->type == ARG_CHOICE, !!arg->choices);
	}
	ck_assert_int_lt(arg - cmd->args, ARGS_MAX);
}

START_TEST(cmd_tables)
{
	check_tables(&root);
}
END_TEST

/* The command's words for policies are those of the library. */
START_TEST(policies_of_the_library)
{
	const struct arg_choice *c;
	const struct cmd *set;

	for (set = tun_commands; strcmp(set->word, "set"); set++)
		;
	c = args_find(set->args, "steering")->choices;
	ck_assert_ptr_nonnull(c->word);
	for (; c->word; c++) {
		ck_assert_int_eq(nsteer_tun_policy_by_name(c->word), c->value);
		ck_assert_ptr_nonnull(c->help);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("tool_args");
	TCase *tc = tcase_create("parse");

	tcase_add_test(tc, args_values);
	tcase_add_test(tc, args_errors);
	tcase_add_test(tc, args_help);
	tcase_add_test(tc, args_numbers);
	tcase_add_test(tc, args_names);
	tcase_add_test(tc, args_ids);
	tcase_add_test(tc, option_words);
	tcase_add_test(tc, cmd_paths);
	tcase_add_test(tc, cmd_completion);
	tcase_add_test(tc, cmd_tables);
	tcase_add_test(tc, policies_of_the_library);
	suite_add_tcase(s, tc);
	return s;
}
NST_REGISTER(suite);
