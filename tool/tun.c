/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tun.h"

#include <errno.h>
#include <nsteer/tun.h>
#include <string.h>

#include "tun_out.h"
#include "word.h"

/* What the words after any command of this object may set. */
struct tun_args {
	const char *dev;
	int mode;
	int policy;
	int replace;
	uint32_t queue;
	uint32_t replace_id;
	uint32_t user;
	uint32_t group;
	bool has_dev;
	bool has_user;
	bool has_group;
	bool multi_queue;
	bool pi;
	bool vnet_hdr;
	bool force;
};

_Static_assert(sizeof(struct tun_args) <= CMD_ARGS_SIZE, "room in main()");

#define AT(member) offsetof(struct tun_args, member)

/* ---- tables ---- */

static const struct arg arg_queue = {
	.meta = "QUEUE",
	.type = ARG_U32,
	.value = AT(queue),
	.given = ARG_NONE,
	.max = 65535,
};

static const struct arg arg_replace_id = {
	.meta = "N",
	.type = ARG_U32,
	.value = AT(replace_id),
	.given = ARG_NONE,
	.min = 1,
	.max = UINT32_MAX,
};

static const struct arg_choice modes[] = {
	{ .word = "tap", .value = NSTEER_TUN_MODE_TAP },
	{ .word = "tun", .value = NSTEER_TUN_MODE_TUN },
	{ 0 },
};

/* What "tun policy" shows, too. */
static const struct arg_choice policies[] = {
	{ .word = "automq", .value = NSTEER_TUN_POLICY_AUTOMQ,
	  .help = "the kernel's own flow cache, no program" },
	{ .word = "cpu", .value = NSTEER_TUN_POLICY_CPU,
	  .help = "sending CPU modulo active queues" },
	{ .word = "fixed", .value = NSTEER_TUN_POLICY_FIXED, .arg = &arg_queue,
	  .help = "one queue, modulo active queues" },
	{ 0 },
};

static const struct arg_choice replacements[] = {
	{ .word = "id", .value = 1, .arg = &arg_replace_id },
	{ 0 },
};

#define ARG_DEVICE(is_required, text)                                          \
	{                                                                      \
		.word = "dev", .meta = "NAME", .help = (text),                 \
		.type = ARG_DEV, .required = (is_required), .bare = true,      \
		.value = AT(dev), .given = AT(has_dev)                         \
	}

#define ARG_SWITCH(name, member, text)                                         \
	{                                                                      \
		.word = (name), .help = (text), .type = ARG_FLAG,              \
		.given = AT(member)                                            \
	}

static const struct arg show_args[] = {
	ARG_DEVICE(false, "only this device"),
	{ 0 },
};

static const struct arg add_args[] = {
	{ .word = "dev", .meta = "NAME", .type = ARG_NEWDEV,
	  .help = "up to 15 bytes; the kernel puts a number for one %d",
	  .required = true, .bare = true, .value = AT(dev),
	  .given = AT(has_dev) },
	{ .word = "mode", .type = ARG_CHOICE, .choices = modes,
	  .help = "Ethernet frames (tap, the default) or IP packets (tun)",
	  .value = AT(mode), .given = ARG_NONE },
	ARG_SWITCH("multi_queue", multi_queue, "up to 256 queues, not one"),
	ARG_SWITCH("pi", pi, "packet information before each packet"),
	ARG_SWITCH("vnet_hdr", vnet_hdr, "a virtio-net header before each"),
	{ .word = "user", .meta = "USER", .type = ARG_USER,
	  .help = "who may open queues, a name or a number",
	  .value = AT(user), .given = AT(has_user) },
	{ .word = "group", .meta = "GROUP", .type = ARG_GROUP,
	  .help = "a group that may; with user, both have to match",
	  .value = AT(group), .given = AT(has_group) },
	{ 0 },
};

static const struct arg del_args[] = {
	ARG_DEVICE(true, "the device"),
	ARG_SWITCH("force", force, "also when a process holds it"),
	{ 0 },
};

static const struct arg set_args[] = {
	ARG_DEVICE(false, "the device; may be left out where there is one"),
	{ .word = "steering", .meta = "POLICY", .type = ARG_CHOICE,
	  .choices = policies, .required = true,
	  .help = "how it picks the queue, see \"nsteer tun policy\"",
	  .value = AT(policy), .given = ARG_NONE },
	{ .word = "replace", .type = ARG_CHOICE, .choices = replacements,
	  .excl = 1, .help = "replace this program, whosever it is",
	  .value = AT(replace), .given = ARG_NONE },
	{ .word = "force", .type = ARG_FLAG, .excl = 1,
	  .help = "replace whatever program is there", .given = AT(force) },
	{ 0 },
};

static const struct arg get_args[] = {
	{ .word = "steering", .type = ARG_FLAG, .required = true,
	  .help = "how it picks the queue", .given = ARG_NONE },
	ARG_DEVICE(false, "the device; each one where it is left out"),
	{ 0 },
};

static const struct arg no_args[] = { { 0 } };

/* ---- devices ---- */

static int find_dev(struct app *app, const char *name, uint32_t *ifindex)
{
	int err = nsteer_link_index(app->ns, name, ifindex);

	/* A name that cannot be one: the kernel was not asked. */
	app->usage = err == -EINVAL;
	return err;
}

static int fail_candidates(struct app *app, const struct nsteer_tun_list *list)
{
	size_t count = nsteer_tun_list_count(list), pos = 0, i;
	char names[600] = "", quoted[WORD_QUOTE];

	if (!count)
		return app_fail(app, -ENODEV, "no tun/tap device here, so "
				"there is none to set");
	for (i = 0; i < count && i < 8; i++)
		pos += snprintf(names + pos, sizeof(names) - pos, "%s%s",
				i ? ", " : "",
				word_quote(nsteer_tun_ifname(
						nsteer_tun_list_get(list, i)),
					   quoted));
	if (i < count)
		snprintf(names + pos, sizeof(names) - pos, " and %zu more",
			 count - i);
	return app_fail(app, -EINVAL, "which device? There are %zu: %s", count,
			names);
}

/* The only tun/tap device of the namespace. */
static int find_only_dev(struct app *app, uint32_t *ifindex)
{
	struct nsteer_tun_list *list;
	int err;

	err = nsteer_tun_list(app->ns, NULL, &list);
	if (err)
		return err;
	if (nsteer_tun_list_count(list) == 1)
		*ifindex = nsteer_tun_ifindex(nsteer_tun_list_get(list, 0));
	else
		err = fail_candidates(app, list);
	nsteer_tun_list_free(list);
	return err;
}

/* ---- commands ---- */

static int run_show(struct app *app, const void *data)
{
	const struct tun_args *args = data;
	bool full = !app->opts.brief;
	struct nsteer_tun_list *list;
	size_t i;
	int err;

	NSTEER_OPTS(nsteer_tun_list_opts, opts, .steering = true,
		    .stats = full && app->opts.stats,
		    .processes = full && app->opts.details);
	if (args->has_dev) {
		err = find_dev(app, args->dev, &opts.ifindex);
		if (err)
			return err;
	}
	err = nsteer_tun_list(app->ns, &opts, &list);
	if (err)
		return err;
	out_begin(&app->out);
	for (i = 0; i < nsteer_tun_list_count(list); i++)
		tun_out_show(&app->out, nsteer_tun_list_get(list, i),
			     opts.processes);
	if (i && opts.processes)
		out_note(&app->out, "Frames that XDP redirects into a device "
			 "bypass its policy: queue = CPU modulo active queues");
	out_end(&app->out);
	nsteer_tun_list_free(list);
	return 0;
}

static int run_add(struct app *app, const void *data)
{
	const struct tun_args *args = data;
	struct nsteer_tun_list *list;
	uint32_t ifindex;
	int err;

	NSTEER_OPTS(nsteer_tun_add_opts, opts, .mode = args->mode,
		    .multi_queue = args->multi_queue, .pi = args->pi,
		    .vnet_hdr = args->vnet_hdr, .has_user = args->has_user,
		    .has_group = args->has_group, .user = args->user,
		    .group = args->group);
	err = nsteer_tun_add(app->ns, args->dev, &opts, &ifindex);
	if (err)
		return err;
	/* Who let the kernel choose the name has yet to learn it. */
	if (!app->opts.json && !strchr(args->dev, '%'))
		return 0;
	NSTEER_OPTS(nsteer_tun_list_opts, one, .ifindex = ifindex);
	err = nsteer_tun_list(app->ns, &one, &list);
	if (err)
		return err;
	out_begin(&app->out);
	if (nsteer_tun_list_count(list))
		tun_out_show(&app->out, nsteer_tun_list_get(list, 0), false);
	out_end(&app->out);
	nsteer_tun_list_free(list);
	return 0;
}

static int run_del(struct app *app, const void *data)
{
	const struct tun_args *args = data;
	char name[NSTEER_IFNAME_SIZE];
	uint32_t ifindex;
	int err;

	NSTEER_OPTS(nsteer_tun_del_opts, opts, .force = args->force);
	err = find_dev(app, args->dev, &ifindex);
	if (!err && app->opts.json)
		err = nsteer_link_name(app->ns, ifindex, name);
	if (!err)
		err = nsteer_tun_del(app->ns, ifindex, &opts);
	if (err || !app->opts.json)
		return err;
	out_begin(&app->out);
	tun_out_name(&app->out, name, ifindex);
	out_end(&app->out);
	return 0;
}

/* What is on the device now; not to know it is no failure, the set is done. */
static void tell_set(struct app *app, const char *name, uint32_t ifindex,
		     const struct tun_args *args)
{
	struct nsteer_tun_steering *st = NULL;

	nsteer_tun_steering_get(app->ns, ifindex, &st);
	out_begin(&app->out);
	tun_out_steering(&app->out, name, ifindex, st, args->policy,
			 args->queue);
	out_end(&app->out);
	nsteer_tun_steering_free(st);
}

static int run_set(struct app *app, const void *data)
{
	const struct tun_args *args = data;
	char name[NSTEER_IFNAME_SIZE] = "";
	bool tell = app->opts.json || !args->has_dev;
	uint32_t ifindex;
	int err;

	NSTEER_OPTS(nsteer_tun_steering_opts, opts, .policy = args->policy,
		    .queue = args->queue, .replace_id = args->replace_id,
		    .force = args->force);
	if (args->has_dev)
		err = find_dev(app, args->dev, &ifindex);
	else
		err = find_only_dev(app, &ifindex);
	if (!err && tell)
		err = nsteer_link_name(app->ns, ifindex, name);
	if (!err)
		err = nsteer_tun_steering_set(app->ns, ifindex, &opts);
	if (!err && tell)
		tell_set(app, name, ifindex, args);
	return err;
}

static int get_one(struct app *app, const char *dev)
{
	char name[NSTEER_IFNAME_SIZE];
	struct nsteer_tun_steering *st;
	uint32_t ifindex;
	int err;

	err = find_dev(app, dev, &ifindex);
	if (!err)
		err = nsteer_link_name(app->ns, ifindex, name);
	if (!err)
		err = nsteer_tun_steering_get(app->ns, ifindex, &st);
	if (err)
		return err;
	out_begin(&app->out);
	tun_out_steering(&app->out, name, ifindex, st, 0, 0);
	out_end(&app->out);
	nsteer_tun_steering_free(st);
	return 0;
}

static int run_get(struct app *app, const void *data)
{
	const struct tun_args *args = data;
	const struct nsteer_tun *tun;
	struct nsteer_tun_list *list;
	size_t i;
	int err;

	NSTEER_OPTS(nsteer_tun_list_opts, opts, .steering = true,
		    .strict = true);
	if (args->has_dev)
		return get_one(app, args->dev);
	err = nsteer_tun_list(app->ns, &opts, &list);
	if (err)
		return err;
	out_begin(&app->out);
	for (i = 0; i < nsteer_tun_list_count(list); i++) {
		tun = nsteer_tun_list_get(list, i);
		tun_out_steering(&app->out, nsteer_tun_ifname(tun),
				 nsteer_tun_ifindex(tun),
				 nsteer_tun_steering(tun), 0, 0);
	}
	out_end(&app->out);
	nsteer_tun_list_free(list);
	return 0;
}

static int run_policy(struct app *app, const void *data)
{
	const struct arg_choice *policy;

	(void)data;
	out_begin(&app->out);
	for (policy = policies; policy->word; policy++)
		tun_out_policy(&app->out, policy);
	out_end(&app->out);
	return 0;
}

static const struct cmd policy_commands[] = {
	{ .word = "show", .alias = { "list", "lst" }, .is_default = true,
	  .help = "the policies and what they do", .args = no_args,
	  .no_context = true, .run = run_policy },
	{ 0 },
};

const struct cmd tun_commands[] = {
	{ .word = "show", .alias = { "list", "lst" }, .is_default = true,
	  .help = "flags, queues, steering; -s: packets, -d: processes",
	  .args = show_args, .run = run_show },
	{ .word = "add", .help = "make a persistent device",
	  .args = add_args, .run = run_add },
	{ .word = "del", .alias = { "delete" }, .help = "delete a device",
	  .args = del_args, .run = run_del },
	{ .word = "set", .help = "choose how a device picks a packet's queue",
	  .args = set_args, .run = run_set },
	{ .word = "get", .help = "what picks the queue now",
	  .args = get_args, .run = run_get },
	{ .word = "policy", .help = "the policies that can be set",
	  .sub = policy_commands, .what = "command" },
	{ 0 },
};
