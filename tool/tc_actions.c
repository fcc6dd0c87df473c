/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tc actions: actions as such, whether filters use them or not. */
#include "tc.h"
#include "tc_out.h"

struct actions_args {
	const char *kind;
};

_Static_assert(sizeof(struct actions_args) <= CMD_ARGS_SIZE, "room in main()");

const struct arg tc_actions_args[] = {
	{ .word = "kind", .meta = "K", .help = "only this kind: gact, mirred, "
					       "police and so on",
	  .type = ARG_OTHER, .value = offsetof(struct actions_args, kind),
	  .given = ARG_NONE, .parse = tc_parse_kind,
	  .expects = "a name of up to 15 bytes",
	  .offer = nsteer_tc_actions_known },
	{ 0 },
};

/* Output begins with the first action: an error before it leaves none. */
static int read_all(struct app *app, struct tc_record *r,
		    struct nsteer_tc_actions *dump)
{
	const struct nsteer_tc_action *a;
	bool begun = false;
	int ret;

	/* Who cannot take more output needs no more input. */
	while (!app->sink.err &&
	       (ret = nsteer_tc_actions_next(dump, &a)) == 1) {
		if (!begun)
			out_begin(&app->out);
		begun = true;
		tc_out_action(r, a);
	}
	if (app->sink.err)
		return 0;
	app->incomplete = ret < 0 && (begun || tc_is_broken(ret));
	if (!ret && !begun)
		out_begin(&app->out);
	if (!ret || begun)
		out_end(&app->out);
	return ret;
}

int tc_actions_run(struct app *app, const void *data)
{
	const struct actions_args *args = data;
	struct nsteer_tc_actions *dump;
	struct tc_record r = { 0 };
	struct tc_out t;
	int err;

	NSTEER_OPTS(nsteer_tc_actions_opts, opts, .kind = args->kind);
	if (app->opts.brief || app->opts.strict)
		opts.terse = NSTEER_TC_TERSE_ON;
	err = nsteer_tc_actions_open(app->ns, &opts, &dump);
	if (err)
		return err;
	tc_out_init(&t, &app->out, app->ns, app->opts.stats);
	r.t = &t;
	err = read_all(app, &r, dump);
	nsteer_tc_actions_close(dump);
	tc_out_free(&t);
	return err;
}
