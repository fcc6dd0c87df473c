/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A classifier without a filter, asked for on its own; and what is lost. */
#include <string.h>

#include "tc/dump.h"

/* ---- sentences ---- */

const char *nst_tc_dump_where(const struct nsteer_tc_dump *d,
			      char buf[NST_TC_PLACE_PRINT])
{
	return nst_tc_place_print(d->ns, &d->places.all[d->next - 1], buf);
}

static int fail_too_large(struct nsteer_tc_dump *d, const struct nst_tc_tp *tp,
			  const char *lost)
{
	char place[NST_TC_PLACE_PRINT];

	return nst_fail(d->ns, -EMSGSIZE,
			"%s, chain %u, pref %u: a filter (%s) does not fit "
			"into a message of the kernel, so it%s is missing",
			nst_tc_dump_where(d, place), tp->chain, tp->pref,
			tp->kind, lost);
}

int nst_tc_dump_not_terse(struct nsteer_tc_dump *d, const struct nst_tc_tp *tp)
{
	char place[NST_TC_PLACE_PRINT];

	return nst_fail(d->ns, -EOPNOTSUPP,
			"%s, chain %u, pref %u: the classifier %s has no terse "
			"form in this kernel",
			nst_tc_dump_where(d, place), tp->chain, tp->pref,
			tp->kind);
}

int nst_tc_dump_fail(struct nsteer_tc_dump *d, int err)
{
	bool aside = d->aside.running;
	const struct nst_nl_stream *s = aside ? &d->aside.stream : &d->stream;
	const struct nst_tc_tp *tp = aside ? &d->aside.tp : &d->tp;
	const char *why = nst_nl_why(aside ? d->aside.nl : d->nl, err);
	char place[NST_TC_PLACE_PRINT];

	if (err != -EMSGSIZE || !tp->known || !s->walk.ended)
		return nst_fail(d->ns, err, "cannot read the filters of %s: %s",
				nst_tc_dump_where(d, place),
				why ? why : strerror(-err));
	if (tp->had_some || strcmp(tp->kind, "fw"))
		return fail_too_large(d, tp,
				      aside ? " and what follows of its "
					      "preference"
					    : " and what follows here");
	/* Where it has none it stops the list as if one did not fit [fw_walk]. */
	return nst_fail(d->ns, err,
			"%s, chain %u, pref %u: the kernel ended the list at "
			"the classifier fw, so what follows here is missing; "
			"one that was made without a handle always does that",
			nst_tc_dump_where(d, place), tp->chain, tp->pref);
}

int nst_tc_dump_put_off(struct nsteer_tc_dump *d, int err)
{
	bool *broke = &d->places.all[d->next - 1].broke;
	bool elsewhere = !*broke;

	*broke = true;
	return nst_tc_lost_add(d->ns, &d->lost, err, elsewhere);
}

/* ---- a classifier on its own ---- */

static int ask(struct nsteer_tc_dump *d)
{
	const struct nst_tc_tp *tp = &d->aside.tp;
	char buf[NST_NL_REQSIZE] __attribute__((aligned(8)));
	int err;

	err = nst_nl_stream_begin(&d->aside.stream, d->aside.nl,
				  nst_tc_dump_request(d, buf, tp->pref,
						      &tp->chain));
	d->aside.running = true;
	d->aside.had_header = false;
	return err ? nst_tc_dump_fail(d, err) : 0;
}

int nst_tc_aside_open(struct nsteer_tc_dump *d)
{
	return d->aside.nl ? 0 :
			     nst_nl_open_wide(d->ns, NETLINK_ROUTE,
					      &d->aside.nl);
}

/*
 * matchall counts its filter as told also when it did not fit into a message
 * any more, or has no terse form, so that the next one begins behind it
 * [mall_walk]: its header came and it is lost. Whatever comes without a filter
 * is asked for on its own, before the list goes on.
 */
int nst_tc_aside_begin(struct nsteer_tc_dump *d)
{
	int err;

	if (!d->tp.known || d->tp.had_some || d->aside.running ||
	    (*d->kind && strcmp(d->kind, d->tp.kind)))
		return 0;
	err = nst_tc_aside_open(d);
	d->aside.tp = d->tp;
	d->aside.again = false;
	return err ? err : ask(d);
}

int nst_tc_aside_take(struct nsteer_tc_dump *d)
{
	d->aside.tp.had_some = true;
	/* It may have been empty a moment ago. */
	if (d->opts.terse != NSTEER_TC_TERSE_STRICT ||
	    !strcmp(d->aside.tp.kind, "flower"))
		return 0;
	return nst_tc_dump_not_terse(d, &d->aside.tp);
}

int nst_tc_aside_end(struct nsteer_tc_dump *d, int err)
{
	if (err) {
		err = nst_tc_dump_fail(d, err);
		if (!d->aside.stream.walk.ended)
			return err;
		d->aside.running = false;
		return nst_tc_dump_put_off(d, err);
	}
	if (d->aside.had_header && !d->aside.tp.had_some &&
	    !strcmp(d->aside.tp.kind, "matchall")) {
		/* It has always one, but while it is made or deleted. */
		if (!d->aside.again) {
			d->aside.again = true;
			return ask(d);
		}
		nst_tc_dump_put_off(d, fail_too_large(d, &d->aside.tp, ""));
	}
	d->aside.running = false;
	return 0;
}
