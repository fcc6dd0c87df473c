/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Filters, one after the other: a dump of the kernel's per place, and from a
 * classifier without a terse form on a second, full one.
 */
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <string.h>

#include "tc/dump.h"

#ifndef TCA_DUMP_FLAGS
#define TCA_DUMP_FLAGS 15
#define TCA_DUMP_FLAGS_TERSE (1 << 0)
#endif

/* ---- reading ---- */

struct nlmsghdr *nst_tc_dump_request(const struct nsteer_tc_dump *d, void *buf,
				     uint32_t pref, const uint32_t *chain)
{
	const struct nst_tc_place *p = &d->places.all[d->next - 1];
	struct tcmsg tcm = {
		.tcm_family = AF_UNSPEC,
		.tcm_ifindex = p->ifindex,
		.tcm_parent = p->parent,
		.tcm_info = TC_H_MAKE(pref << 16, htons(d->opts.protocol)),
	};
	struct nlmsghdr *req;

	req = nst_nl_request(buf, RTM_GETTFILTER, 0, &tcm, sizeof(tcm));
	if (chain)
		mnl_attr_put_u32(req, TCA_CHAIN, *chain);
	return req;
}

static int begin(struct nsteer_tc_dump *d, bool terse)
{
	const struct nsteer_tc_dump_opts *o = &d->opts;
	const struct nla_bitfield32 flags = { TCA_DUMP_FLAGS_TERSE,
					      TCA_DUMP_FLAGS_TERSE };
	char buf[NST_NL_REQSIZE] __attribute__((aligned(8)));
	struct nlmsghdr *req;
	int err;

	req = nst_tc_dump_request(d, buf, o->pref,
				  o->has_chain ? &o->chain : NULL);
	/* Unknown to Linux below 5.8, which then sends all of it. */
	if (terse)
		mnl_attr_put(req, TCA_DUMP_FLAGS, sizeof(flags), &flags);
	d->terse = terse;
	d->skipping = false;
	d->tp.known = false;
	err = nst_nl_stream_begin(&d->stream, d->nl, req);
	d->running = !err;
	return err ? nst_tc_dump_fail(d, err) : 0;
}

/*
 * The kernel ended a terse dump at the classifier whose header came last. Go on
 * with a full one, up to there without handing out what was handed out before.
 */
static int go_on_in_full(struct nsteer_tc_dump *d)
{
	char place[NST_TC_PLACE_PRINT];
	int err;

	if (d->opts.terse == NSTEER_TC_TERSE_STRICT)
		return nst_tc_dump_not_terse(d, &d->tp);
	if (!d->warned)
		nst_warn(d->ns,
			 "%s, chain %u, pref %u: the classifier %s has no terse "
			 "form in this kernel; from there on everything is read "
			 "and left out here",
			 nst_tc_dump_where(d, place), d->tp.chain, d->tp.pref,
			 d->tp.kind);
	d->warned = true;
	d->upto.chain = d->tp.chain;
	d->upto.pref = d->tp.pref;
	err = begin(d, false);
	d->skipping = !err;
	return err;
}

/* ---- one after the other ---- */

static int end_place(struct nsteer_tc_dump *d)
{
	char place[NST_TC_PLACE_PRINT];

	d->running = false;
	if (d->skipping)
		return nst_tc_dump_put_off(
			d, nst_fail(d->ns, -EINTR,
				    "%s: the list is incomplete: the filters "
				    "changed while they were read",
				    nst_tc_dump_where(d, place)));
	if (d->any || d->places.count != 1 ||
	    !(d->opts.block || d->opts.hook || d->opts.parent))
		return 0;
	/* It gave not even a header. */
	return nst_tc_place_check(d->ns, d->nl, &d->places.all[0]);
}

/* Did it end at a classifier, and not at a filter that is too large? */
static bool no_terse_form(const struct nsteer_tc_dump *d, int err)
{
	return err == -EMSGSIZE && d->terse && d->stream.walk.ended &&
	       d->tp.known && !d->tp.had_some && strcmp(d->tp.kind, "flower");
}

static int note_header(struct nsteer_tc_dump *d)
{
	const struct nsteer_tc_filter *f = &d->filter;
	int err;

	if (d->aside.running) {
		d->aside.had_header = true;
		return 0;
	}
	err = nst_tc_aside_begin(d);
	d->tp.known = true;
	d->tp.had_some = false;
	d->tp.chain = f->chain;
	d->tp.pref = f->pref;
	memcpy(d->tp.kind, f->kind.s, sizeof(d->tp.kind));
	return err;
}

/*
 * The qdisc ingress answers whatever hook it is asked for [ingress_find], and
 * the filters of a block do not tell where they were asked for.
 */
static int check_egress(struct nsteer_tc_dump *d)
{
	const struct nst_tc_place *p = &d->places.all[d->next - 1];
	const struct nsteer_tc_filter *f = &d->filter;
	int err;

	if (!(d->opts.hook || d->opts.parent) || p->parent != NST_TC_EGRESS ||
	    f->parent == NST_TC_EGRESS)
		return 0;
	if (!f->block)
		return nst_tc_place_absent(d->ns, p);
	err = nst_tc_aside_open(d);
	return err ? err : nst_tc_place_check(d->ns, d->aside.nl, p);
}

/* 1: this message is a filter that is to be handed out; 0: it is not. */
static int take(struct nsteer_tc_dump *d, const struct nlmsghdr *msg)
{
	const struct nsteer_tc_filter *f = &d->filter;
	int err = 0;

	if (!nst_tc_filter_read(&d->filter, msg))
		return 0;
	if (!d->any)
		err = check_egress(d);
	if (err)
		return err;
	d->any = true;
	if (d->skipping) {
		if (f->chain != d->upto.chain || f->pref < d->upto.pref)
			return 0;
		d->skipping = false;
	}
	if (nst_tc_is_header(f))
		return note_header(d);
	if (d->aside.running)
		err = nst_tc_aside_take(d);
	else
		d->tp.had_some = true;
	return err ? err : !*d->kind || !strcmp(d->kind, f->kind.s);
}

/*
 * The stream that is being read has ended. 1: there is more all the same. What
 * the kernel refuses to tell does not keep the rest from being told.
 */
static int end_stream(struct nsteer_tc_dump *d, int err)
{
	if (d->aside.running) {
		err = nst_tc_aside_end(d, err);
		if (err || d->aside.running || !d->ended)
			return err ? err : 1;
		return end_place(d);
	}
	if (no_terse_form(d, err)) {
		err = go_on_in_full(d);
		return err ? err : 1;
	}
	if (err) {
		err = nst_tc_dump_fail(d, err);
		if (!d->stream.walk.ended)
			return err;
		d->running = false;
		return nst_tc_dump_put_off(d, err);
	}
	d->ended = true;
	err = nst_tc_aside_begin(d);
	if (err || d->aside.running)
		return err ? err : 1;
	return end_place(d);
}

/* 1: a filter; 0: this place has no more; negative: it failed. */
static int read_place(struct nsteer_tc_dump *d)
{
	const struct nlmsghdr *msg;
	int ret;

	do {
		ret = nst_nl_stream_next(d->aside.running ? &d->aside.stream :
							    &d->stream,
					 &msg);
		if (ret != 1) {
			ret = end_stream(d, ret);
			if (ret != 1)
				return ret;
			ret = 0;
		} else {
			ret = take(d, msg);
		}
	} while (!ret);
	return ret;
}

static int begin_place(struct nsteer_tc_dump *d)
{
	d->next++;
	d->any = false;
	d->ended = false;
	return begin(d, d->opts.terse != NSTEER_TC_TERSE_OFF);
}

/* All places are read. */
static int end(struct nsteer_tc_dump *d)
{
	char name[NSTEER_IFNAME_SIZE];

	/* A device has places, so this one may be none. */
	if (!d->places.count && d->opts.ifindex)
		return nsteer_link_name(d->ns, d->opts.ifindex, name);
	return nst_tc_lost_tell(d->ns, &d->lost, "place");
}

NSTEER_API int nsteer_tc_dump_next(struct nsteer_tc_dump *d,
				   const struct nsteer_tc_filter **filter)
{
	int ret = 0;

	nst_err_clear(d->ns);
	if (d->failed)
		return nst_fail(d->ns, -EBADFD,
				"this dump has failed, it can only be closed");
	while (!ret) {
		if (!d->running && d->next == d->places.count) {
			ret = end(d);
			break;
		}
		if (!d->running)
			ret = begin_place(d);
		if (!ret)
			ret = read_place(d);
	}
	if (ret == 1)
		*filter = &d->filter;
	d->failed = ret < 0;
	return ret;
}
