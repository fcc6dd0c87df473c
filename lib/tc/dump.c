/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Filters, one after the other: a dump of the kernel's per place, and from a
 * classifier without a terse form on a second, full one.
 */
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tc/tc.h"

#ifndef TCA_DUMP_FLAGS
#define TCA_DUMP_FLAGS 15
#define TCA_DUMP_FLAGS_TERSE (1 << 0)
#endif

struct nsteer_tc_dump {
	struct nsteer *ns;
	struct nst_nl *nl;
	struct nsteer_tc_dump_opts opts;
	char kind[NST_TC_KIND_LEN]; /* "": any */
	struct nst_tc_places places;
	size_t next; /* the place after the one that is being read */
	struct nst_nl_stream stream;
	bool running;
	bool failed;
	bool terse; /* the kernel was asked for a terse dump */
	bool any;   /* this place had a message */
	bool warned;
	/* The classifier whose header came last, and filters of it since. */
	struct {
		uint32_t chain;
		uint32_t pref;
		char kind[NST_TC_KIND_LEN];
		bool known;
		bool had_some;
	} tp;
	bool skipping; /* up to this one */
	struct {
		uint32_t chain;
		uint32_t pref;
	} upto;
	/* A classifier that came without a filter is asked for on its own. */
	struct nst_nl *aside;
	struct nst_nl_stream aside_stream;
	bool is_aside;
	bool ended; /* the place's own stream has */
	struct nsteer_tc_filter filter;
};

/* ---- opening ---- */

static int check(struct nsteer *ns, const struct nsteer_tc_dump_opts *o)
{
	if (o->block && (o->ifindex || o->hook || o->parent))
		return nst_fail(ns, -EINVAL,
				"a shared block has no device, hook or parent");
	if (o->hook && o->parent)
		return nst_fail(ns, -EINVAL,
				"a hook and a parent cannot both be given");
	if ((o->hook || o->parent) && !o->ifindex)
		return nst_fail(ns, -EINVAL,
				"a hook or parent is one of a device, and none "
				"is given");
	if (o->hook > NSTEER_TC_HOOK_ROOT)
		return nst_fail(ns, -EINVAL, "there is no hook %u", o->hook);
	if (o->terse > NSTEER_TC_TERSE_STRICT)
		return nst_fail(ns, -EINVAL, "there is no terse %u", o->terse);
	if (o->pref > UINT16_MAX)
		return nst_fail(ns, -EINVAL, "pref %u is more than %u", o->pref,
				UINT16_MAX);
	if (o->ifindex > INT32_MAX)
		return nst_fail(ns, -ENODEV, "no device has the ifindex %u",
				o->ifindex);
	if (o->kind && strlen(o->kind) >= NST_TC_KIND_LEN)
		return nst_fail(ns, -EINVAL,
				"a classifier's name has at most %d bytes",
				NST_TC_KIND_LEN - 1);
	return 0;
}

static const uint32_t hook_parents[] = {
	[NSTEER_TC_HOOK_INGRESS] = NST_TC_INGRESS,
	[NSTEER_TC_HOOK_EGRESS] = NST_TC_EGRESS,
	[NSTEER_TC_HOOK_ROOT] = 0, /* the kernel looks it up */
};

static int find_places(struct nsteer_tc_dump *d)
{
	const struct nsteer_tc_dump_opts *o = &d->opts;
	int err;

	if (!o->block && !o->hook && !o->parent)
		return nst_tc_places(d->ns, d->nl, o->ifindex, &d->places);
	if (o->block)
		err = nst_tc_places_add(&d->places, TCM_IFINDEX_MAGIC_BLOCK,
					o->block);
	else
		err = nst_tc_places_add(&d->places, o->ifindex,
					o->hook ? hook_parents[o->hook]
						: o->parent);
	return err ? nst_fail(d->ns, err, "out of memory") : 0;
}

int nst_tc_dump_open(struct nsteer *ns, const struct nsteer_tc_dump_opts *o,
		     struct nst_nl *nl, struct nst_nl *aside,
		     struct nsteer_tc_dump **out)
{
	struct nsteer_tc_dump *d = calloc(1, sizeof(*d));
	int err;

	if (!d) {
		nst_nl_close(nl);
		nst_nl_close(aside);
		return nst_fail(ns, -ENOMEM, "out of memory");
	}
	d->ns = ns;
	d->nl = nl;
	d->aside = aside;
	d->opts = *o;
	if (o->kind)
		strcpy(d->kind, o->kind);
	d->opts.kind = NULL; /* the caller's */
	d->filter.terse = o->terse != NSTEER_TC_TERSE_OFF;
	err = find_places(d);
	if (err) {
		nsteer_tc_dump_close(d);
		return err;
	}
	*out = d;
	return 0;
}

int nst_tc_dump_open_places(struct nsteer *ns, struct nst_tc_places *places,
			    struct nst_nl *nl, struct nst_nl *aside,
			    struct nsteer_tc_dump **out)
{
	struct nsteer_tc_dump *d = calloc(1, sizeof(*d));

	if (!d) {
		nst_nl_close(nl);
		nst_nl_close(aside);
		return nst_fail(ns, -ENOMEM, "out of memory");
	}
	d->ns = ns;
	d->nl = nl;
	d->aside = aside;
	d->opts.terse = NSTEER_TC_TERSE_ON;
	d->filter.terse = true;
	d->warned = true;
	d->places = *places;
	memset(places, 0, sizeof(*places));
	*out = d;
	return 0;
}

size_t nst_tc_dump_place(const struct nsteer_tc_dump *d)
{
	return d->next - 1;
}

NSTEER_API int nsteer_tc_dump_open(struct nsteer *ns,
				   const struct nsteer_tc_dump_opts *opts,
				   struct nsteer_tc_dump **out)
{
	struct nsteer_tc_dump_opts o;
	struct nst_nl *nl;
	int err;

	nst_err_clear(ns);
	err = NST_OPTS_READ(ns, opts, &o);
	if (!err)
		err = check(ns, &o);
	if (!err)
		err = nst_nl_open(ns, NETLINK_ROUTE, &nl);
	return err ? err : nst_tc_dump_open(ns, &o, nl, NULL, out);
}

NSTEER_API void nsteer_tc_dump_close(struct nsteer_tc_dump *d)
{
	if (!d)
		return;
	nst_nl_close(d->nl);
	nst_nl_close(d->aside);
	nst_tc_places_free(&d->places);
	free(d);
}

/* ---- sentences ---- */

static const char *where(const struct nsteer_tc_dump *d,
			 char buf[NST_TC_PLACE_PRINT])
{
	return nst_tc_place_print(d->ns, &d->places.all[d->next - 1], buf);
}

static int fail_dump(struct nsteer_tc_dump *d, int err)
{
	char place[NST_TC_PLACE_PRINT];
	const char *why = nst_nl_why(d->is_aside ? d->aside : d->nl, err);

	why = why ? why : strerror(-err);
	if (err == -EMSGSIZE && d->tp.known && d->stream.walk.ended)
		return nst_fail(d->ns, err,
				"%s, chain %u, pref %u: a filter (%s) does not "
				"fit into a message of the kernel, so it and "
				"what follows is missing",
				where(d, place), d->tp.chain, d->tp.pref,
				d->tp.kind);
	return nst_fail(d->ns, err, "cannot read the filters of %s: %s",
			where(d, place), why);
}

/* ---- reading ---- */

/* What to ask for, in buf of NST_NL_REQSIZE bytes. */
static struct nlmsghdr *request(const struct nsteer_tc_dump *d, void *buf,
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

	req = request(d, buf, o->pref, o->has_chain ? &o->chain : NULL);
	/* Unknown to Linux below 5.8, which then sends all of it. */
	if (terse)
		mnl_attr_put(req, TCA_DUMP_FLAGS, sizeof(flags), &flags);
	d->terse = terse;
	d->skipping = false;
	d->tp.known = false;
	err = nst_nl_stream_begin(&d->stream, d->nl, req);
	d->running = !err;
	return err ? fail_dump(d, err) : 0;
}

/*
 * The kernel ended a terse dump at the classifier whose header came last. Go on
 * with a full one, up to there without handing out what was handed out before.
 */
static int go_on_in_full(struct nsteer_tc_dump *d)
{
	bool strict = d->opts.terse == NSTEER_TC_TERSE_STRICT;
	char place[NST_TC_PLACE_PRINT];
	int err;

	if (strict)
		return nst_fail(d->ns, -EOPNOTSUPP,
				"%s, chain %u, pref %u: the classifier %s has "
				"no terse form in this kernel",
				where(d, place), d->tp.chain, d->tp.pref,
				d->tp.kind);
	if (!d->warned)
		nst_warn(d->ns,
			 "%s, chain %u, pref %u: the classifier %s has no terse "
			 "form in this kernel; from there on everything is read "
			 "and left out here",
			 where(d, place), d->tp.chain, d->tp.pref, d->tp.kind);
	d->warned = true;
	d->upto.chain = d->tp.chain;
	d->upto.pref = d->tp.pref;
	err = begin(d, false);
	d->skipping = !err;
	return err;
}

/*
 * matchall counts its filter as told also when it did not fit into a message
 * any more, so that the next one begins behind it [mall_walk]: its header came
 * and it is lost. Whatever comes without a filter is asked for on its own, before
 * the list goes on.
 */
static int look_aside(struct nsteer_tc_dump *d)
{
	char buf[NST_NL_REQSIZE] __attribute__((aligned(8)));
	int err = 0;

	if (!d->tp.known || d->tp.had_some || d->is_aside)
		return 0;
	if (!d->aside)
		err = nst_nl_open(d->ns, NETLINK_ROUTE, &d->aside);
	if (!err)
		err = nst_nl_stream_begin(&d->aside_stream, d->aside,
					  request(d, buf, d->tp.pref,
						  &d->tp.chain));
	d->is_aside = !err;
	return err;
}

static int end_place(struct nsteer_tc_dump *d)
{
	d->running = false;
	if (d->skipping)
		return nst_fail(d->ns, -EINTR,
				"the list is incomplete: the filters changed "
				"while they were read");
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

	/* Its own header, again. */
	if (d->is_aside)
		return 0;
	err = look_aside(d);
	d->tp.known = true;
	d->tp.had_some = false;
	d->tp.chain = f->chain;
	d->tp.pref = f->pref;
	memcpy(d->tp.kind, f->kind.s, sizeof(d->tp.kind));
	return err;
}

/* 1: this message is a filter that is to be handed out; 0: it is not. */
static int take(struct nsteer_tc_dump *d, const struct nlmsghdr *msg)
{
	const struct nsteer_tc_filter *f = &d->filter;

	if (!nst_tc_filter_read(&d->filter, msg))
		return 0;
	d->any = true;
	if (d->skipping) {
		if (f->chain != d->upto.chain || f->pref < d->upto.pref)
			return 0;
		d->skipping = false;
	}
	if (nst_tc_is_header(f))
		return note_header(d);
	d->tp.had_some = d->tp.had_some || !d->is_aside;
	return !*d->kind || !strcmp(d->kind, f->kind.s);
}

/* The stream that is being read has ended. 1: there is more all the same. */
static int end_stream(struct nsteer_tc_dump *d)
{
	int err;

	if (d->is_aside) {
		d->is_aside = false;
		return d->ended ? end_place(d) : 1;
	}
	err = look_aside(d);
	d->ended = true;
	if (err || d->is_aside)
		return err ? err : 1;
	return end_place(d);
}

/* 1: a filter; 0: this place has no more; negative: it failed. */
static int read_place(struct nsteer_tc_dump *d)
{
	const struct nlmsghdr *msg;
	int ret;

	for (;;) {
		ret = nst_nl_stream_next(d->is_aside ? &d->aside_stream :
						       &d->stream,
					 &msg);
		if (ret == 1) {
			ret = take(d, msg);
			if (ret)
				return ret;
		} else if (!ret) {
			ret = end_stream(d);
			if (ret != 1)
				return ret;
		} else if (no_terse_form(d, ret)) {
			ret = go_on_in_full(d);
			if (ret)
				return ret;
		} else {
			return fail_dump(d, ret);
		}
	}
}

NSTEER_API int nsteer_tc_dump_next(struct nsteer_tc_dump *d,
				   const struct nsteer_tc_filter **filter)
{
	int ret;

	nst_err_clear(d->ns);
	if (d->failed)
		return nst_fail(d->ns, -EBADFD,
				"this dump has failed, it can only be closed");
	do {
		if (!d->running) {
			if (d->next == d->places.count)
				return 0;
			d->next++;
			d->any = false;
			d->ended = false;
			ret = begin(d, d->opts.terse != NSTEER_TC_TERSE_OFF);
			if (ret)
				break;
		}
		ret = read_place(d);
	} while (!ret);
	if (ret == 1)
		*filter = &d->filter;
	d->failed = ret < 0;
	return ret;
}
