/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tun_out.h"

#include <string.h>

enum field {
	IFNAME,
	IFINDEX,
	IFINDEX_QUIET,
	KIND,
	MODE,
	MULTI_QUEUE,
	PI,
	VNET_HDR,
	USER,
	GROUP,
	PERSIST,
	NUMQUEUES,
	NUMDISABLED,
	STEERING,
	POLICY,
	QUEUE_ARG,
	BACKEND,
	OWNER,
	FILTER,
	FILTER_POLICY,
	PROG,
	PROG_NAME,
	PROG_ID,
	PROG_TAG,
	QUEUES,
	QUEUE,
	PACKETS,
	BYTES,
	PROCESSES,
	PID,
	COMM,
	FD,
	DETACHED,
	POLICY_ARGS,
	POLICY_HELP,
};

/* The first line of a device reads as the arguments of "tun add", its steering
 * as those of "tun set". */
static const struct out_field fields[] = {
	[IFNAME] = OUT_FIELD("ifname", "", ":", true, 16),
	[IFINDEX] = OUT_FIELD("ifindex", "ifindex ", "", false, 0),
	[IFINDEX_QUIET] = OUT_JSON("ifindex"),
	[KIND] = OUT_JSON("kind"),
	[MODE] = OUT_FIELD("mode", "mode ", "", true, 4),
	[MULTI_QUEUE] = OUT_FIELD("multi_queue", "multi_queue", "", false, 0),
	[PI] = OUT_FIELD("pi", "pi", "", false, 0),
	[VNET_HDR] = OUT_FIELD("vnet_hdr", "vnet_hdr", "", false, 0),
	[USER] = OUT_FIELD("user", "user ", "", false, 0),
	[GROUP] = OUT_FIELD("group", "group ", "", false, 0),
	[PERSIST] = OUT_FIELD("persist", "persist", "", false, 0),
	[NUMQUEUES] = OUT_FIELD("numqueues", "queues ", " active", true, 4),
	[NUMDISABLED] = OUT_FIELD("numdisabled", "", " disabled", false, 0),
	[STEERING] = OUT_FIELD("steering", "steering", "", true, 0),
	[POLICY] = OUT_FIELD("policy", "", "", true, 0),
	[QUEUE_ARG] = OUT_FIELD("queue", "", "", true, 0),
	[BACKEND] = OUT_FIELD("backend", "backend ", "", false, 0),
	[OWNER] = OUT_FIELD("owner", "owner ", "", false, 0),
	[FILTER] = OUT_FIELD("filter", "filter", "", false, 0),
	[FILTER_POLICY] = OUT_FIELD("policy", "", "", false, 0),
	[PROG] = OUT_FIELD("prog", "prog", "", false, 0),
	[PROG_NAME] = OUT_FIELD("name", "", "", false, 0),
	[PROG_ID] = OUT_FIELD("id", "id ", "", false, 0),
	[PROG_TAG] = OUT_FIELD("tag", "tag ", "", false, 0),
	[QUEUES] = OUT_JSON("queues"),
	[QUEUE] = OUT_FIELD("queue", "queue ", "", false, 0),
	[PACKETS] = OUT_FIELD("packets", "packets ", "", false, 0),
	[BYTES] = OUT_FIELD("bytes", "bytes ", "", false, 0),
	[PROCESSES] = OUT_JSON("processes"),
	[PID] = OUT_FIELD("pid", "process ", "", false, 0),
	[COMM] = OUT_FIELD("name", "(", ")", false, 0),
	[FD] = OUT_FIELD("fd", "fd ", "", false, 0),
	[DETACHED] = OUT_FIELD("detached", "detached", "", false, 0),
	[POLICY_ARGS] = OUT_FIELD("args", "", "", true, 0),
	[POLICY_HELP] = OUT_FIELD("help", "", "", false, 0),
};

static void put_prog(struct out *out, const struct nsteer_prog *prog)
{
	if (!prog)
		return;
	out_object(out, &fields[PROG]);
	out_str(out, &fields[PROG_NAME], nsteer_prog_name(prog));
	out_u64(out, &fields[PROG_ID], nsteer_prog_id(prog));
	out_str(out, &fields[PROG_TAG], nsteer_prog_tag(prog));
	out_object_end(out);
}

static void put_policy(struct out *out, enum nsteer_tun_policy policy,
		       const uint32_t *queue)
{
	const char *name = nsteer_tun_policy_name(policy);

	out_str(out, &fields[POLICY], name ? name : "bpf");
	if (queue)
		out_u64(out, &fields[QUEUE_ARG], *queue);
}

static void put_steering(struct out *out, const struct nsteer_tun_steering *st)
{
	enum nsteer_owner owner = nsteer_tun_steering_owner(st);
	uint32_t queue;
	bool has_queue;

	has_queue = !nsteer_tun_steering_queue(st, &queue);
	out_object(out, &fields[STEERING]);
	put_policy(out, nsteer_tun_steering_policy(st),
		   has_queue ? &queue : NULL);
	out_str(out, &fields[BACKEND], nsteer_tun_steering_backend(st));
	put_prog(out, nsteer_tun_steering_prog(st));
	if (owner != NSTEER_OWNER_NONE)
		out_str(out, &fields[OWNER],
			owner == NSTEER_OWNER_NSTEER ? "nsteer" : "foreign");
	out_object_end(out);
}

static void put_filter(struct out *out, const struct nsteer_tun_steering *st)
{
	const struct nsteer_prog *prog = nsteer_tun_filter_prog(st);

	out_object(out, &fields[FILTER]);
	out_str(out, &fields[FILTER_POLICY], prog ? "bpf" : "off");
	put_prog(out, prog);
	out_object_end(out);
}

/* Before Linux 4.17 the kernel tells neither mode nor flags. */
static void put_flags(struct out *out, const struct nsteer_tun *tun)
{
	enum nsteer_tun_mode mode = nsteer_tun_mode(tun);
	uid_t user;
	gid_t group;

	if (!mode) {
		out_unknown(out, &fields[MODE]);
		return;
	}
	out_str(out, &fields[MODE],
		mode == NSTEER_TUN_MODE_TAP ? "tap" : "tun");
	out_flag(out, &fields[MULTI_QUEUE], nsteer_tun_multi_queue(tun));
	out_flag(out, &fields[PI], nsteer_tun_pi(tun));
	out_flag(out, &fields[VNET_HDR], nsteer_tun_vnet_hdr(tun));
	if (!nsteer_tun_user(tun, &user))
		out_u64(out, &fields[USER], user);
	if (!nsteer_tun_group(tun, &group))
		out_u64(out, &fields[GROUP], group);
	out_line(out);
	out_flag(out, &fields[PERSIST], nsteer_tun_persist(tun));
}

static void put_queue_counts(struct out *out, const struct nsteer_tun *tun)
{
	uint32_t active, disabled;

	if (nsteer_tun_queues(tun, &active, &disabled)) {
		out_unknown(out, &fields[NUMQUEUES]);
		return;
	}
	out_u64(out, &fields[NUMQUEUES], active);
	out_u64(out, &fields[NUMDISABLED], disabled);
}

static void put_stats(struct out *out, const struct nsteer_tun *tun)
{
	size_t i, count = nsteer_tun_stats_count(tun);
	uint64_t packets, bytes;
	uint32_t queue;

	/* Unlike an empty list of processes, no counts mean not known. */
	if (!count)
		return;
	out_list(out, &fields[QUEUES]);
	for (i = 0; i < count; i++) {
		if (nsteer_tun_stats_get(tun, i, &queue, &packets, &bytes))
			continue;
		out_item(out);
		out_u64(out, &fields[QUEUE], queue);
		out_u64(out, &fields[PACKETS], packets);
		out_u64(out, &fields[BYTES], bytes);
		out_item_end(out);
	}
	out_list_end(out);
}

static void put_processes(struct out *out, const struct nsteer_tun *tun)
{
	size_t i, count = nsteer_tun_process_count(tun);
	const struct nsteer_tun_process *p;
	uint32_t queue;

	/* Held by somebody, but by whom is not known. */
	if (!count && nsteer_tun_process_hidden(tun))
		return;
	out_list(out, &fields[PROCESSES]);
	for (i = 0; i < count; i++) {
		p = nsteer_tun_process_get(tun, i);
		out_item(out);
		out_s64(out, &fields[PID], nsteer_tun_process_pid(p));
		out_str(out, &fields[COMM], nsteer_tun_process_name(p));
		out_s64(out, &fields[FD], nsteer_tun_process_fd(p));
		if (!nsteer_tun_process_queue(p, &queue))
			out_u64(out, &fields[QUEUE], queue);
		out_flag(out, &fields[DETACHED],
			 nsteer_tun_process_detached(p));
		out_item_end(out);
	}
	out_list_end(out);
}

void tun_out_show(struct out *out, const struct nsteer_tun *tun, bool details)
{
	const struct nsteer_tun_steering *st = nsteer_tun_steering(tun);

	out_record(out);
	out_str(out, &fields[IFNAME], nsteer_tun_ifname(tun));
	out_str(out, &fields[KIND], "tun");
	put_flags(out, tun);
	out_u64(out, &fields[IFINDEX], nsteer_tun_ifindex(tun));
	put_queue_counts(out, tun);
	if (st) {
		out_line(out);
		put_steering(out, st);
		out_line(out);
		put_filter(out, st);
	} else {
		out_unknown(out, &fields[POLICY]);
	}
	put_stats(out, tun);
	if (details)
		put_processes(out, tun);
	out_record_end(out);
}

void tun_out_name(struct out *out, const char *ifname, uint32_t ifindex)
{
	out_record(out);
	out_str(out, &fields[IFNAME], ifname);
	out_u64(out, &fields[IFINDEX_QUIET], ifindex);
	out_record_end(out);
}

void tun_out_steering(struct out *out, const char *ifname, uint32_t ifindex,
		      const struct nsteer_tun_steering *steering,
		      enum nsteer_tun_policy policy, uint32_t queue)
{
	out_record(out);
	out_str(out, &fields[IFNAME], ifname);
	out_u64(out, &fields[IFINDEX_QUIET], ifindex);
	if (steering) {
		put_steering(out, steering);
	} else {
		out_object(out, &fields[STEERING]);
		put_policy(out, policy,
			   policy == NSTEER_TUN_POLICY_FIXED ? &queue : NULL);
		out_object_end(out);
	}
	out_record_end(out);
}

void tun_out_policy(struct out *out, const struct arg_choice *policy)
{
	out_record(out);
	out_str(out, &fields[POLICY], policy->word);
	if (policy->arg)
		out_str(out, &fields[POLICY_ARGS], policy->arg->meta);
	out_line(out);
	out_str(out, &fields[POLICY_HELP], policy->help);
	out_record_end(out);
}
