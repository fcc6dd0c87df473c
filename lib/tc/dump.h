/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A dump of filters under way. */
#ifndef NST_TC_DUMP_H
#define NST_TC_DUMP_H

#include "tc/tc.h"

/* A classifier: its header has come, and filters of it since. */
struct nst_tc_tp {
	uint32_t chain;
	uint32_t pref;
	char kind[NST_TC_KIND_LEN];
	bool known;
	bool had_some;
};

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
	struct nst_tc_tp tp; /* whose header came last */
	bool skipping;	     /* up to this one */
	struct {
		uint32_t chain;
		uint32_t pref;
	} upto;
	/* One that came without a filter, asked for on its own. */
	struct {
		struct nst_nl *nl;
		struct nst_nl_stream stream;
		struct nst_tc_tp tp;
		bool running;
		bool again;
		bool had_header;
	} aside;
	bool ended; /* the place's own stream has */
	struct nst_tc_lost lost;
	struct nsteer_tc_filter filter;
};

/* What to ask for, in buf of NST_NL_REQSIZE bytes; chain NULL: any. */
struct nlmsghdr *nst_tc_dump_request(const struct nsteer_tc_dump *d, void *buf,
				     uint32_t pref, const uint32_t *chain);

/* ---- a classifier on its own ---- */

/* Its socket. */
int nst_tc_aside_open(struct nsteer_tc_dump *d);
/*
 * Ask for the last classifier on its own if it came without a filter;
 * aside.running says whether.
 */
int nst_tc_aside_begin(struct nsteer_tc_dump *d);
/* A filter of it has come. */
int nst_tc_aside_take(struct nsteer_tc_dump *d);
/* Its stream has ended, err as nst_nl_stream_next(). */
int nst_tc_aside_end(struct nsteer_tc_dump *d, int err);

/* ---- what fails ---- */

/* Where it is, for a sentence. */
const char *nst_tc_dump_where(const struct nsteer_tc_dump *d,
			      char buf[NST_TC_PLACE_PRINT]);
/* The socket failed, or the kernel refused: err and a sentence. */
int nst_tc_dump_fail(struct nsteer_tc_dump *d, int err);
/* STRICT, and this one cannot: -EOPNOTSUPP and a sentence. */
int nst_tc_dump_not_terse(struct nsteer_tc_dump *d, const struct nst_tc_tp *tp);
/*
 * The error and its sentence are for the end of the dump, and the place is
 * marked: 0.
 */
int nst_tc_dump_put_off(struct nsteer_tc_dump *d, int err);

#endif /* NST_TC_DUMP_H */
