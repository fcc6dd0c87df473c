/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tc.h"

#include <errno.h>
#include <string.h>

#include "tc_out.h"
#include "tc_word.h"
#include "word.h"

/* What the words after a command of this object may set. */
struct tc_args {
	const char *dev;
	const char *kind;
	uint32_t block;
	uint32_t parent;
	uint32_t chain;
	uint32_t pref;
	uint16_t protocol;
	bool has_dev;
	bool has_chain;
	bool ingress;
	bool egress;
	bool root;
};

_Static_assert(sizeof(struct tc_args) <= CMD_ARGS_SIZE, "room in main()");

#define AT(member) offsetof(struct tc_args, member)

/* ---- tables ---- */

static bool parse_protocol(const char *word, void *value)
{
	return tc_word_parse_protocol(word, value);
}

static bool parse_handle(const char *word, void *value)
{
	return tc_word_parse_handle(word, value);
}

bool tc_parse_kind(const char *word, void *value)
{
	*(const char **)value = word;
	return *word && strlen(word) < TC_KIND_SIZE;
}

static const struct arg dump_args[] = {
	{ .word = "dev", .meta = "NAME", .help = "only what is on this device",
	  .type = ARG_LINK, .bare = true, .excl = 1, .value = AT(dev),
	  .given = AT(has_dev) },
	{ .word = "block", .meta = "N", .help = "only this shared block",
	  .type = ARG_U32, .excl = 1, .value = AT(block), .given = ARG_NONE,
	  .min = 1, .max = UINT32_MAX },
	{ .word = "ingress", .help = "of it what it receives",
	  .type = ARG_FLAG, .excl = 2, .given = AT(ingress) },
	{ .word = "egress", .help = "what it sends", .type = ARG_FLAG,
	  .excl = 2, .given = AT(egress) },
	{ .word = "root", .help = "its root queueing discipline",
	  .type = ARG_FLAG, .excl = 2, .given = AT(root) },
	{ .word = "parent", .meta = "H", .help = "a queueing discipline or "
						 "class, as 1: or 1:10",
	  .type = ARG_OTHER, .excl = 2, .value = AT(parent), .given = ARG_NONE,
	  .parse = parse_handle, .expects = "a handle like 1: or 1:10" },
	{ .word = "chain", .meta = "N", .help = "only this chain",
	  .type = ARG_U32, .value = AT(chain), .given = AT(has_chain),
	  .max = UINT32_MAX },
	{ .word = "pref", .meta = "N", .help = "only this preference",
	  .type = ARG_U32, .value = AT(pref), .given = ARG_NONE, .min = 1,
	  .max = UINT16_MAX },
	{ .word = "protocol", .meta = "P",
	  .help = "only this one: ip, ipv6, arp, 802.1q, all, 0x..",
	  .type = ARG_OTHER, .value = AT(protocol), .given = ARG_NONE,
	  .parse = parse_protocol,
	  .expects = "ip, ipv6, arp, 802.1q, 802.1ad, all and so on, or a "
		     "number from 1 to 65535" },
	{ .word = "kind", .meta = "K", .help = "only this classifier: flower, "
					       "u32, bpf and so on",
	  .type = ARG_OTHER, .value = AT(kind), .given = ARG_NONE,
	  .parse = tc_parse_kind, .expects = "a name of up to 15 bytes" },
	{ 0 },
};

/* ---- dump ---- */

static enum nsteer_tc_hook hook_of(const struct tc_args *args)
{
	return args->ingress ? NSTEER_TC_HOOK_INGRESS :
	       args->egress  ? NSTEER_TC_HOOK_EGRESS :
	       args->root    ? NSTEER_TC_HOOK_ROOT :
			       NSTEER_TC_HOOK_ANY;
}

static int check_dump(const struct options *opts, const void *data,
		      struct args_err *err)
{
	const struct tc_args *args = data;
	struct tc_columns columns;

	if (!args->has_dev && (hook_of(args) || args->parent))
		return args_fail(err, args->block ?
				 "a block has no ingress, egress, root or "
				 "parent" :
				 "ingress, egress, root and parent are those "
				 "of a device: expected dev NAME");
	if (opts->fields && opts->summary)
		return args_fail(err, "--fields and --summary exclude each "
				 "other");
	return opts->fields ? tc_columns_parse(&columns, opts->fields, err) : 0;
}

/* A dump under way, and what becomes of it. */
struct listing {
	struct app *app;
	struct tc_out t;
	bool begun;
	size_t count;
	/* One of these. */
	struct tc_record record;
	struct tc_columns columns;
	struct tc_summary summary;
};

/* The first output: before it an error leaves no trace. */
static void begin(struct listing *l)
{
	if (l->begun)
		return;
	l->begun = true;
	out_begin(l->t.out);
	if (l->columns.count)
		tc_columns_header(&l->t, &l->columns);
}

static int put(struct listing *l, const struct nsteer_tc_filter *f)
{
	l->count++;
	if (l->app->opts.summary)
		return tc_summary_add(&l->summary, f);
	begin(l);
	if (l->columns.count)
		tc_columns_filter(&l->t, &l->columns, f);
	else
		tc_out_filter(&l->record, f);
	return 0;
}

bool tc_is_broken(int err)
{
	static const int broken[] = { -EINTR, -EMSGSIZE, -ENOBUFS, -ETIMEDOUT,
				      -EPROTO };
	size_t i;

	for (i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		if (err == broken[i])
			return true;
	}
	return false;
}

static int read_all(struct listing *l, struct nsteer_tc_dump *dump)
{
	const struct nsteer_tc_filter *f;
	struct app *app = l->app;
	int ret, err = 0;

	/* Who cannot take more output needs no more input. */
	while (!app->sink.err && !err &&
	       (ret = nsteer_tc_dump_next(dump, &f)) == 1)
		err = put(l, f);
	if (err)
		return app_fail(app, err, "out of memory");
	if (app->sink.err)
		return 0;
	app->incomplete = ret < 0 && (l->count || tc_is_broken(ret));
	if (app->opts.summary && ret < 0 && l->count)
		app_fail(app, ret, "%s", nsteer_errmsg(app->ns));
	/* A sum of what there is, as a list of it. */
	if (!ret || (app->opts.summary && l->count)) {
		begin(l);
		if (app->opts.summary)
			tc_summary_put(&l->summary, &l->t);
	}
	if (l->begun)
		out_end(l->t.out);
	return ret;
}

static int run_dump(struct app *app, const void *data)
{
	const struct tc_args *args = data;
	bool full = !app->opts.fields && !app->opts.summary;
	struct listing l = { .app = app };
	struct nsteer_tc_dump *dump;
	struct args_err unused;
	int err;

	NSTEER_OPTS(nsteer_tc_dump_opts, opts, .block = args->block,
		    .hook = hook_of(args), .parent = args->parent,
		    .kind = args->kind, .pref = args->pref,
		    .protocol = args->protocol, .has_chain = args->has_chain,
		    .chain = args->chain);
	if (app->opts.strict)
		opts.terse = NSTEER_TC_TERSE_STRICT;
	else if (app->opts.brief || !full)
		opts.terse = NSTEER_TC_TERSE_ON;
	if (app->opts.fields)
		tc_columns_parse(&l.columns, app->opts.fields, &unused);
	/* These look the same, whether the kernel can be terse or not. */
	app->no_warnings = !full;
	if (!full)
		out_columns(&app->out);
	if (args->has_dev) {
		err = nsteer_link_index(app->ns, args->dev, &opts.ifindex);
		app->usage = err == -EINVAL;
		if (err)
			return err;
	}
	err = nsteer_tc_dump_open(app->ns, &opts, &dump);
	if (err)
		return err;
	tc_out_init(&l.t, &app->out, app->ns, app->opts.stats);
	l.record.t = &l.t;
	err = read_all(&l, dump);
	nsteer_tc_dump_close(dump);
	tc_out_free(&l.t);
	tc_summary_free(&l.summary);
	return err;
}

const struct cmd tc_commands[] = {
	{ .word = "dump", .help = "filters, of one place or of all",
	  .args = dump_args, .options = OPTIONS_TERSE | OPTIONS_LIST,
	  .fields = tc_columns_words,
	  .check = check_dump, .run = run_dump },
	{ .word = "actions", .help = "actions, of one kind or of all",
	  .args = tc_actions_args, .options = OPTIONS_TERSE,
	  .run = tc_actions_run },
	{ .word = "hooks", .help = "where filters and BPF programs are, and in "
				   "what order they run",
	  .args = tc_hooks_args, .run = tc_hooks_run },
	{ 0 },
};
