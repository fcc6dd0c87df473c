/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records of tc, read where they lie in the receive buffer. */
#ifndef NST_TC_TC_H
#define NST_TC_TC_H

#include <linux/pkt_cls.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "core/ctx.h"
#include "core/link.h"
#include "core/nl.h"
#include "tc/value.h"

/* TCA_KIND is IFNAMSIZ long in the kernel [rtm_tca_policy]. */
#define NST_TC_KIND_LEN 16

/* tcm_ifindex of a shared block; its number stands in tcm_parent then. */
#ifndef TCM_IFINDEX_MAGIC_BLOCK
#define TCM_IFINDEX_MAGIC_BLOCK 0xFFFFFFFFu
#endif

/* A kind's name, and how long the attribute was that it came in. */
struct nst_tc_name {
	char s[NST_TC_KIND_LEN];
	size_t len;
};

struct nsteer_tc_stats {
	uint64_t bytes;
	uint64_t packets;
	uint64_t hw_bytes;
	uint64_t hw_packets;
	uint32_t drops;
	uint32_t overlimits;
	uint32_t requeues;
	uint32_t backlog;
	uint32_t qlen;
	bool has_hw;
};

#define NST_TC_TOLD_MAX 256

struct nsteer_tc_action {
	uint32_t order;
	uint32_t index;
	bool has_index;
	bool has_stats;
	bool has_more; /* to tell, beside options */
	struct nst_tc_name kind;
	bool terse;
	const struct nst_tc_kind *table;
	const struct nlattr *entry;
	const struct nlattr *options; /* NULL: none */
	const struct nlattr *parms;   /* of these what begins with the index */
	const void *cookie;
	size_t cookie_len;
	struct nsteer_tc_stats stats;
	/* What nsteer_tc_action_repeats() compares with. */
	struct nst_tc_told {
		bool is_kept;
		char kind[NST_TC_KIND_LEN];
		size_t len;
		unsigned char options[NST_TC_TOLD_MAX];
	} told;
};

struct nsteer_tc_filter {
	uint32_t ifindex;
	uint32_t block;
	uint32_t parent;
	uint32_t chain;
	uint32_t pref;
	uint32_t handle;
	uint32_t flags;
	uint32_t hw_count;
	uint16_t protocol;
	bool has_hw_count;
	bool terse;
	struct nst_tc_name kind;
	const struct nst_tc_kind *table;
	const struct nlattr *options; /* NULL: none */
	const struct nlattr *actions; /* NULL: none */
	struct nst_tc_parsed parsed;  /* the options, unless it is terse */
	/*
	 * Those that were asked for, and what follows them. Filters are much
	 * alike: at each place is mostly what was there before.
	 */
	struct nsteer_tc_action action[NSTEER_TC_ACTIONS_MAX];
	unsigned int n_actions;
	struct nst_tc_attrs actions_left;
};

/* Names are short: there is no call that would be worth it. */
static inline bool nst_tc_same_bytes(const unsigned char *a, const char *b,
				     size_t len)
{
	uint32_t u, v;

	for (; len >= sizeof(u); len -= sizeof(u)) {
		memcpy(&u, a, sizeof(u));
		memcpy(&v, b, sizeof(v));
		if (u != v)
			return false;
		a += sizeof(u);
		b += sizeof(v);
	}
	while (len--)
		if (*a++ != (unsigned char)*b++)
			return false;
	return true;
}

/* Another name than before. */
void nst_tc_new_kind(struct nst_tc_name *name, const void *p, size_t len);

/*
 * Keep a name that is as it was, which it is nearly always; false: it is another
 * one now.
 */
static inline bool nst_tc_same_kind(struct nst_tc_name *name,
				    const struct nlattr *attr)
{
	const void *p = "";
	size_t len = 0;

	nst_tc_payload(attr, 0, &p, &len);
	if (len && len == name->len && nst_tc_same_bytes(p, name->s, len))
		return true;
	nst_tc_new_kind(name, p, len);
	return false;
}

/*
 * A message into a record that points into it. The kind of the record before
 * spares looking for the same one: f is zero at first, but for terse, and then
 * left as it is. With f->terse a full message is read as if it were a terse
 * one. False: this is no filter's message.
 */
bool nst_tc_filter_read(struct nsteer_tc_filter *f, const struct nlmsghdr *nlh);

/* The header of a classifier, which is no filter [tcf_fill_node, fh == NULL]. */
static inline bool nst_tc_is_header(const struct nsteer_tc_filter *f)
{
	return !f->handle && !f->options;
}

/* TCA_ACT_STATS; false: there are none. */
bool nst_tc_stats_read(struct nsteer_tc_stats *st, const struct nlattr *nest);

/* One entry of a table of actions; order is its place there. */
void nst_tc_action_read(struct nsteer_tc_action *a, uint32_t order,
			const struct nlattr *entry);

/*
 * nsteer_tc_dump_open() on sockets that are the dump's from here on, the second
 * one for what is asked for on its own (NULL: made when it is needed); the
 * options are complete and make sense.
 */
int nst_tc_dump_open(struct nsteer *ns, const struct nsteer_tc_dump_opts *o,
		     struct nst_nl *nl, struct nst_nl *aside,
		     struct nsteer_tc_dump **out);

/* nsteer_tc_actions_open() on a socket that is the dump's from here on. */
int nst_tc_actions_open(struct nsteer *ns,
			const struct nsteer_tc_actions_opts *o,
			struct nst_nl *nl, struct nsteer_tc_actions **out);

/*
 * The next entry of a message of RTM_GETACTION into a, which is as for
 * nst_tc_action_read(); false: there are no more. nst_tc_actions_begin() takes
 * up a message: false when it is none of those.
 */
struct nst_tc_entries {
	struct nst_tc_attrs left;
	uint32_t missing; /* of those that the message tells of; 0: not told */
};
bool nst_tc_entries_begin(struct nst_tc_entries *e, const struct nlmsghdr *nlh);
bool nst_tc_entries_next(struct nst_tc_entries *e, struct nsteer_tc_action *a);

/* ---- where filters can stand ---- */

struct nst_tc_place {
	uint32_t ifindex; /* TCM_IFINDEX_MAGIC_BLOCK: a shared block */
	uint32_t parent;  /* or the number of the block */
	bool plain;	  /* of the qdisc ingress, not clsact */
	bool broke;	  /* not all of it could be read */
};

/* A hook that uses a shared block. */
struct nst_tc_bound {
	uint32_t block;
	uint32_t ifindex;
	uint32_t parent;
};

struct nst_tc_places {
	struct nst_tc_place *all;
	size_t count;
	size_t room;
	/* Set beforehand: all of the namespace is to be kept in bound. */
	bool with_bound;
	struct nst_tc_bound *bound;
	size_t n_bound;
	size_t bound_room;
};

/*
 * Every place in the namespace, or of one device; each shared block once, and,
 * unless one device was asked for without with_bound, not at the devices that
 * are bound to it. A sentence on every failure.
 */
int nst_tc_places(struct nsteer *ns, struct nst_nl *nl, uint32_t ifindex,
		  struct nst_tc_places *out);
int nst_tc_places_add(struct nst_tc_places *places, uint32_t ifindex,
		      uint32_t parent);
/* What is at a device together, hooks first; blocks last. */
void nst_tc_places_sort(struct nst_tc_places *places);
void nst_tc_places_free(struct nst_tc_places *places);

/*
 * A terse dump of these places, which become the dump's, without a warning
 * where the kernel cannot be terse. One that has gone meanwhile is no error.
 */
int nst_tc_dump_open_places(struct nsteer *ns, struct nst_tc_places *places,
			    struct nst_nl *nl, struct nst_nl *aside,
			    struct nsteer_tc_dump **out);
/* Which of its places the last filter came from. */
size_t nst_tc_dump_place(const struct nsteer_tc_dump *dump);
/* How many places there are, if every one was read as far as it can be; or 0. */
size_t nst_tc_dump_all_read(const struct nsteer_tc_dump *dump);
/* Something of this place could not be read. */
bool nst_tc_dump_broke(const struct nsteer_tc_dump *dump, size_t place);

#define NST_TC_INGRESS TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS)
#define NST_TC_EGRESS TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_EGRESS)

/* For a sentence: device and hook, escaped. The error record stays as it is. */
#define NST_TC_PLACE_PRINT (NST_NAME_PRINT + 48)
const char *nst_tc_place_print(struct nsteer *ns, const struct nst_tc_place *p,
			       char buf[NST_TC_PLACE_PRINT]);

/* Is it there? -ENODEV, -ENOENT; a sentence on every failure. */
int nst_tc_place_check(struct nsteer *ns, struct nst_nl *nl,
		       const struct nst_tc_place *asked);

/* -ENOENT, and a sentence. */
int nst_tc_place_absent(struct nsteer *ns, const struct nst_tc_place *asked);

/* ---- what could not be read while the rest went on ---- */

struct nst_tc_lost {
	int err; /* the first one, and why */
	struct nst_err why;
	size_t count;
	size_t places;
};
/* Keep the error and its sentence for the end; elsewhere: a new place. 0 */
int nst_tc_lost_add(struct nsteer *ns, struct nst_tc_lost *lost, int err,
		    bool elsewhere);
/* The error, now; 0: there was none. place: "place" and the like. */
int nst_tc_lost_tell(struct nsteer *ns, const struct nst_tc_lost *lost,
		     const char *place);

/* Room for one more entry of an array; NULL and all as it was: no memory. */
void *nst_tc_grow(void *all, size_t count, size_t *room, size_t size);

#endif /* NST_TC_TC_H */
