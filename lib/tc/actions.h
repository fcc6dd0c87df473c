/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A dump of actions under way. */
#ifndef NST_TC_ACTIONS_H
#define NST_TC_ACTIONS_H

#include "tc/tc.h"

struct nsteer_tc_actions {
	struct nsteer *ns;
	struct nst_nl *nl;
	char kind[NST_TC_KIND_LEN]; /* that is being read; "": none yet */
	bool only;		    /* this one and no other */
	bool terse;
	bool no_terse; /* this kernel cannot be asked for it */
	bool running;
	bool done; /* with that one */
	bool failed;
	bool any;	/* of this kind there was an action */
	uint32_t index; /* of the one before */
	size_t taken;	/* how many were handed out */
	size_t seen;	/* in this list */
	bool blind;	/* one that was handed out had no index */
	bool again;	/* it is read once more, from behind this index */
	uint32_t upto;
	struct nst_tc_lost lost;
	struct nst_nl_stream stream;
	struct nst_tc_entries entries;
	struct nsteer_tc_action action;
};

/* Ask for all of the kind. */
int nst_tc_actions_begin(struct nsteer_tc_actions *d, bool terse);
/* The same as it is to be handed out; a sentence on failure. */
int nst_tc_actions_begin_kind(struct nsteer_tc_actions *d);

/* The kernel refused: that is for the end, 0. The socket failed: err. */
int nst_tc_actions_fail(struct nsteer_tc_actions *d, int err);

/*
 * A list of the kind has ended: was that all? 1: it is read once more; 0: it
 * was, or what is missing was put off.
 */
int nst_tc_actions_look(struct nsteer_tc_actions *d);

#endif /* NST_TC_ACTIONS_H */
