/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tc hooks: where filters and programs are. */
#include "tc.h"

#include <errno.h>

#include "tc_out.h"

struct hooks_args {
	const char *dev;
	bool has_dev;
};

_Static_assert(sizeof(struct hooks_args) <= CMD_ARGS_SIZE, "room in main()");

const struct arg tc_hooks_args[] = {
	{ .word = "dev", .meta = "NAME", .help = "only what is on this device",
	  .type = ARG_LINK, .bare = true,
	  .value = offsetof(struct hooks_args, dev),
	  .given = offsetof(struct hooks_args, has_dev) },
	{ 0 },
};

/* What a filter does not have. */
enum field {
	DEVICES,
	DEVICE,
	DEVICE_IFINDEX,
	CLASSIFIERS,
	PROGRAMS,
	BACKEND,
	PROG,
	PROG_ID,
	PROG_NAME,
	PROG_TAG,
	LINK,
	BPF_NAME,
	DIRECT_ACTION,
	HIDDEN,
	INCOMPLETE,
	PROGRAM_COUNT,
};

#define FIELD(name, lead) OUT_FIELD(name, lead, "", false, 0)

static const struct out_field fields[] = {
	[DEVICES] = OUT_JSON("devices"),
	[DEVICE] = FIELD("dev", "on "),
	[DEVICE_IFINDEX] = FIELD("dev_ifindex", "on #"),
	[CLASSIFIERS] = OUT_JSON("classifiers"),
	[PROGRAMS] = OUT_JSON("programs"),
	[BACKEND] = FIELD("backend", ""),
	[PROG] = FIELD("prog", "prog"),
	[PROG_ID] = FIELD("id", ""),
	[PROG_NAME] = FIELD("name", "name "),
	[PROG_TAG] = FIELD("tag", "tag "),
	[LINK] = FIELD("link", "link "),
	[BPF_NAME] = FIELD("bpf_name", "bpf_name "),
	[DIRECT_ACTION] = FIELD("direct-action", "direct-action"),
	[HIDDEN] = FIELD("hidden", "hidden"),
	[INCOMPLETE] = FIELD("incomplete", "incomplete"),
	[PROGRAM_COUNT] = OUT_FIELD("program_count", "programs ", "", true, 8),
};

static void put_where(struct tc_out *t, const struct nsteer_tc_place *p)
{
	struct tc_place where = { .ifindex = nsteer_tc_place_ifindex(p),
				  .block = nsteer_tc_place_block(p),
				  .parent = nsteer_tc_place_parent(p),
				  .hook = nsteer_tc_place_hook(p) };

	/* It follows from the hook. */
	if (where.hook != NSTEER_TC_HOOK_ANY)
		where.parent = 0;
	tc_put_dev(t, &where);
	tc_put_hook(t, &where);
	tc_put_parent(t, &where);
	tc_put_block(t, &where);
	out_u64(t->out, &tc_fields[TC_FILTERS], nsteer_tc_place_filters(p));
	/* Else they are told one by one. */
	if (nsteer_tc_place_hidden(p))
		out_unknown(t->out, &fields[PROGRAM_COUNT]);
	else if (t->out->opts.brief)
		out_u64(t->out, &fields[PROGRAM_COUNT],
			nsteer_tc_place_program_count(p));
	/* There if set. */
	if (nsteer_tc_place_incomplete(p))
		out_flag(t->out, &fields[INCOMPLETE], true);
	if (nsteer_tc_place_hidden(p))
		out_flag(t->out, &fields[HIDDEN], true);
}

static void put_devices(struct tc_out *t, const struct nsteer_tc_place *p)
{
	size_t i, count = nsteer_tc_place_device_count(p);
	struct out *out = t->out;
	struct tc_place on = { 0 };
	const char *name;

	/* Of a device there are none to be told. */
	if (nsteer_tc_place_ifindex(p))
		return;
	out_list(out, &fields[DEVICES]);
	for (i = 0; i < count; i++) {
		if (nsteer_tc_place_device(p, i, &on.ifindex, &on.hook))
			continue;
		name = names_find(&t->names, on.ifindex);
		out_item(out);
		if (name)
			out_str(out, &fields[DEVICE], name);
		else
			out_u64(out, &fields[DEVICE_IFINDEX], on.ifindex);
		tc_put_hook(t, &on);
		out_item_end(out);
	}
	out_list_end(out);
}

static void put_classifiers(struct tc_out *t, const struct nsteer_tc_place *p)
{
	const struct nsteer_tc_classifier *c;
	struct tc_place like = { 0 };
	struct out *out = t->out;
	size_t i;

	out_list(out, &fields[CLASSIFIERS]);
	for (i = 0; (c = nsteer_tc_place_classifier(p, i)); i++) {
		like.chain = nsteer_tc_classifier_chain(c);
		like.pref = nsteer_tc_classifier_pref(c);
		like.protocol = nsteer_tc_classifier_protocol(c);
		strncpy(like.kind, nsteer_tc_classifier_kind(c),
			TC_KIND_SIZE - 1);
		out_item(out);
		tc_put_chain(t, &like);
		tc_put_pref(t, &like);
		tc_put_protocol(t, &like);
		tc_put_kind(t, &like);
		out_u64(out, &tc_fields[TC_FILTERS],
			nsteer_tc_classifier_filters(c));
		out_item_end(out);
	}
	out_list_end(out);
}

static void put_prog(struct out *out, const struct nsteer_prog *prog)
{
	if (!prog)
		return;
	out_object(out, &fields[PROG]);
	out_u64(out, &fields[PROG_ID], nsteer_prog_id(prog));
	if (*nsteer_prog_name(prog))
		out_str(out, &fields[PROG_NAME], nsteer_prog_name(prog));
	if (*nsteer_prog_tag(prog))
		out_str(out, &fields[PROG_TAG], nsteer_prog_tag(prog));
	out_object_end(out);
}

static void put_program(struct out *out, const struct nsteer_tc_program *p)
{
	uint32_t link, chain, pref, handle;

	out_item(out);
	out_str(out, &fields[BACKEND], nsteer_tc_program_backend(p));
	put_prog(out, nsteer_tc_program_prog(p));
	if (!nsteer_tc_program_link(p, &link))
		out_u64(out, &fields[LINK], link);
	if (!nsteer_tc_program_filter(p, &chain, &pref, &handle)) {
		out_u64(out, &tc_fields[TC_CHAIN], chain);
		out_u64(out, &tc_fields[TC_PREF], pref);
		out_x64(out, &tc_fields[TC_HANDLE], handle);
	}
	if (*nsteer_tc_program_filter_name(p))
		out_str(out, &fields[BPF_NAME],
			nsteer_tc_program_filter_name(p));
	/* As other flags of filters: there if set. */
	if (nsteer_tc_program_direct_action(p))
		out_flag(out, &fields[DIRECT_ACTION], true);
	out_item_end(out);
}

static void put_programs(struct out *out, const struct nsteer_tc_place *p)
{
	const struct nsteer_tc_program *program;
	size_t i;

	out_list(out, &fields[PROGRAMS]);
	for (i = 0; (program = nsteer_tc_place_program(p, i)); i++)
		put_program(out, program);
	out_list_end(out);
}

static void put_all(struct app *app, const struct nsteer_tc_hooks *hooks)
{
	const struct nsteer_tc_place *p;
	struct tc_out t;
	size_t i;

	out_begin(&app->out);
	tc_out_init(&t, &app->out, app->ns, false);
	for (i = 0; (p = nsteer_tc_hooks_get(hooks, i)); i++) {
		out_record(&app->out);
		put_where(&t, p);
		put_devices(&t, p);
		put_classifiers(&t, p);
		put_programs(&app->out, p);
		out_record_end(&app->out);
	}
	tc_out_free(&t);
	out_end(&app->out);
}

int tc_hooks_run(struct app *app, const void *data)
{
	NSTEER_OPTS(nsteer_tc_hooks_opts, opts, .empty = app->opts.details);
	const struct hooks_args *args = data;
	struct nsteer_tc_hooks *hooks;
	int err, lost;

	if (args->has_dev) {
		err = nsteer_link_index(app->ns, args->dev, &opts.ifindex);
		app->usage = err == -EINVAL;
		if (err)
			return err;
	}
	lost = nsteer_tc_hooks_list(app->ns, &opts, &hooks);
	app->incomplete = lost > 0 || tc_is_broken(lost);
	if (lost < 0)
		return lost;
	/* What is told of it asks for more names. */
	err = lost ? app_fail(app, -EMSGSIZE, "%s", nsteer_errmsg(app->ns)) : 0;
	put_all(app, hooks);
	nsteer_tc_hooks_free(hooks);
	return err;
}
