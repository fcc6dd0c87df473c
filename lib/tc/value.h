/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What classifiers and actions are set to, as tables: a kind has a table by
 * attribute number, and one function makes values of whatever a message holds.
 */
#ifndef NST_TC_VALUE_H
#define NST_TC_VALUE_H

#include <nsteer/tc.h>

#include "core/nl.h"

struct nst_tc_word {
	uint64_t v; /* BITS: the number of the bit */
	const char *word;
};

/* Of every table of words the end. */
#define NST_TC_WORDS_END { 0, NULL }

struct nsteer_tc_value {
	const char *name;
	enum nsteer_tc_type type;
	bool has_mask;
	bool counter;
	uint64_t u64;
	uint64_t mask;
	const void *data;
	const void *mask_data; /* as long as data */
	size_t len;
	const struct nst_tc_word *words;
};

/* How to read the bytes of a number. */
enum nst_tc_order {
	NST_TC_HOST,
	NST_TC_NET,
};

enum nst_tc_known {
	NST_TC_TOLD = 1,
	NST_TC_SILENT, /* padding, what has a getter of its own */
	NST_TC_MASK,   /* told with the attribute that it belongs to */
};

struct nst_tc_walk;
struct nst_tc_field;
struct nst_tc_kind;

/*
 * For what no table can tell. attr is there; what it is about stands in the
 * walk. Returns what nst_tc_tell() returned.
 */
typedef int (*nst_tc_put)(struct nst_tc_walk *walk,
			  const struct nst_tc_field *field,
			  const struct nlattr *attr);

/* What is told after all attributes; they stand in the walk. */
typedef int (*nst_tc_tail)(struct nst_tc_walk *walk,
			   const struct nst_tc_kind *kind);

/*
 * One attribute, or a member of one that is a C structure. Of a MASK, mask is
 * the attribute that it belongs to; without that it is told as unknown.
 */
struct nst_tc_field {
	const char *name;
	enum nsteer_tc_type type;
	uint8_t known; /* enum nst_tc_known; 0: a hole in the table */
	uint8_t order; /* enum nst_tc_order */
	uint8_t outer; /* told after the object of keys, see nst_tc_kind */
	uint8_t nonzero; /* a zero is not told, as tc does not */
	uint8_t counter; /* see nsteer_tc_value_is_counter() */
	union {
		struct {
			/* The attribute of a range's end; 0: no range. */
			uint16_t to;
			/* Of the payload: where, and how much; 0: all of it. */
			uint16_t offset;
			uint16_t width;
			/* Of a structure's member; 0: none. */
			uint16_t mask_offset;
		};
		uint64_t unusual; /* any of these */
	};
	uint16_t mask; /* the attribute of the mask; 0: none */
	/* The only length of the payload, others are unknown; 0: any. */
	uint16_t len;
	uint16_t n_members; /* see below */
	const struct nst_tc_word *words;
	/*
	 * A structure: its members instead of one value. With members or put,
	 * a payload shorter than width is unknown.
	 */
	const struct nst_tc_field *members;
	nst_tc_put put;
};

/* A classifier or action. */
struct nst_tc_kind {
	const char *name;
	const struct nst_tc_field *fields; /* by attribute number */
	uint16_t max;			   /* the highest one */
	/* Attributes of a classifier that have getters; 0: it has none. */
	uint16_t act;
	uint16_t flags;
	uint16_t hw_count;
	/* Where most values are told: an object of this name; NULL: none. */
	const char *keys;
	/*
	 * Of an action: its structure that begins with tc_gen, the attribute
	 * where that stands if not there (0: nowhere), and struct tcf_t.
	 */
	uint16_t parms;
	uint16_t parms_alt;
	uint16_t times;
	nst_tc_tail tail; /* NULL: none; not with keys */
};

/* tb has the attributes of the level that is being told, masked types. */
struct nst_tc_walk {
	nsteer_tc_value_fn fn;
	void *data;
	const struct nlattr *const *tb;
	uint16_t max;
	bool outer; /* there was something that is told after the keys */
};

/* Room for the highest attribute of any kind. */
#define NST_TC_ATTRS_MAX 160

/* The kinds; NULL: not known. */
const struct nst_tc_kind *nst_tc_cls_find(const char *name);
const struct nst_tc_kind *nst_tc_act_find(const char *name);
/*
 * The actions that Linux has, in the order of their names, those without a
 * table too: the one after a name, which is "" at first; NULL: that was all.
 */
const char *nst_tc_act_after(const char *name);

/* The attributes of a nest, by type, and how many bytes of it are good. */
struct nst_tc_parsed {
	const struct nlattr *tb[NST_TC_ATTRS_MAX + 1];
	size_t len;
};

/* nest may be NULL: there are none. */
void nst_tc_parse(struct nst_tc_parsed *parsed, const struct nst_tc_kind *kind,
		  const struct nlattr *nest);

/*
 * Tell all of what a nest holds by the table of kind; attributes that it does
 * not know as BYTES named attr_N. kind NULL: one value of BYTES, "raw".
 * nest may be NULL: nothing. Returns 0 or what fn returned.
 */
int nst_tc_values(const struct nst_tc_kind *kind, const struct nlattr *nest,
		  nsteer_tc_value_fn fn, void *data);
/* The same of a nest that is parsed; of a kind that is known. */
int nst_tc_values_parsed(const struct nst_tc_kind *kind,
			 const struct nlattr *nest,
			 const struct nst_tc_parsed *parsed,
			 nsteer_tc_value_fn fn, void *data);

/* For put functions: tell one value; the rest of it is zero. */
int nst_tc_tell(struct nst_tc_walk *walk, const struct nsteer_tc_value *v);
int nst_tc_tell_open(struct nst_tc_walk *walk, const char *name,
		     enum nsteer_tc_type type); /* OBJECT or ARRAY */
int nst_tc_tell_end(struct nst_tc_walk *walk);
int nst_tc_tell_uint(struct nst_tc_walk *walk, const char *name, uint64_t v,
		     const struct nst_tc_word *words);
/* A number that counts or measures something. */
int nst_tc_tell_counter(struct nst_tc_walk *walk, const char *name, uint64_t v);
int nst_tc_tell_bytes(struct nst_tc_walk *walk, const char *name,
		      const void *data, size_t len);
/* A nest, by a table by attribute number. */
int nst_tc_tell_nest(struct nst_tc_walk *walk, const struct nst_tc_field *fields,
		     uint16_t max, const struct nlattr *nest);
/* The same, attributes that are only a part of a nest. */
int nst_tc_tell_attrs(struct nst_tc_walk *walk,
		      const struct nst_tc_field *fields, uint16_t max,
		      const void *data, size_t len);
/* A structure; none of its members has a put. */
int nst_tc_tell_struct(struct nst_tc_walk *walk,
		       const struct nst_tc_field *members, uint16_t n_members,
		       const void *data, size_t len);
/* Of some bits a FLAG each; those without a word as a number, "other_flags". */
int nst_tc_tell_flags(struct nst_tc_walk *walk, uint64_t bits,
		      const struct nst_tc_word *words);
/* As BYTES, attr_N: what is not as it should be. NULL: nothing. */
int nst_tc_tell_unknown(struct nst_tc_walk *walk, const struct nlattr *attr);

/*
 * A put: the attribute is a nest, and the field's members are the table of it,
 * by attribute number. With a name it is an OBJECT.
 */
int nst_tc_put_nest(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		    const struct nlattr *attr);

/* The payload; false: there is no attribute, or it is shorter than need. */
static inline bool nst_tc_payload(const struct nlattr *attr, size_t need,
				  const void **data, size_t *len)
{
	size_t n;

	if (!attr)
		return false;
	n = attr->nla_len > NLA_HDRLEN ? attr->nla_len - NLA_HDRLEN : 0;
	if (n < need)
		return false;
	*data = (const unsigned char *)attr + NLA_HDRLEN;
	*len = n;
	return true;
}

/* Attributes in the order of the message; pos is aligned like an nlattr. */
struct nst_tc_attrs {
	const unsigned char *pos;
	size_t len;
};

/* Those of a nest; false: there is none. */
static inline bool nst_tc_attrs_of(struct nst_tc_attrs *attrs,
				   const struct nlattr *nest)
{
	const void *data;

	if (!nst_tc_payload(nest, 0, &data, &attrs->len))
		return false;
	attrs->pos = data;
	return true;
}

/* NULL: no more, or what follows is none. */
static inline const struct nlattr *nst_tc_attr_next(struct nst_tc_attrs *attrs)
{
	const struct nlattr *attr = (const struct nlattr *)attrs->pos;
	size_t step;

	/* Is it shorter than its header, or longer than what is there? */
	if (attrs->len < NLA_HDRLEN ||
	    (size_t)attr->nla_len - NLA_HDRLEN > attrs->len - NLA_HDRLEN)
		return NULL;
	step = NLA_ALIGN(attr->nla_len);
	/* The last one need not be padded. */
	step = step < attrs->len ? step : attrs->len;
	attrs->pos += step;
	attrs->len -= step;
	return attr;
}

/* Words that several kinds share. */
extern const struct nst_tc_word nst_tc_word_action[];  /* TC_ACT_*: gact's */
extern const struct nst_tc_word nst_tc_word_ethertype[];
extern const struct nst_tc_word nst_tc_word_eth_type[]; /* flower's */
extern const struct nst_tc_word nst_tc_word_ip_proto[];

#endif /* NST_TC_VALUE_H */
