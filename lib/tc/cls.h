/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tables of classifiers, and what several of them are made of. */
#ifndef NST_TC_CLS_H
#define NST_TC_CLS_H

#include "tc/value.h"

#define NST_TC_COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* An attribute of so many bytes; what else an entry has may follow. */
#define NST_TC_FIELD(_name, _type, _len, ...)                                  \
	{                                                                      \
		.known = NST_TC_TOLD, .name = (_name),                         \
		.type = NSTEER_TC_##_type, .len = (_len), __VA_ARGS__          \
	}
/* One that is not told. */
#define NST_TC_NOT_TOLD                                                        \
	{                                                                      \
		.known = NST_TC_SILENT                                         \
	}
#define NST_TC_BE .order = NST_TC_NET

/* Name, table and highest attribute of a kind; one too high does not compile. */
#define NST_TC_TABLE(_name, _fields)                                           \
	.name = (_name), .fields = (_fields),                                  \
	.max = NST_TC_COUNT(_fields) - 1 +                                     \
	       0 * sizeof(char[NST_TC_ATTRS_MAX + 2 -                          \
			       (int)NST_TC_COUNT(_fields)])

extern const struct nst_tc_kind nst_tc_cls_flower;
extern const struct nst_tc_kind nst_tc_cls_u32;

/* Puts: extended matches; classic BPF; a policer that is no action; MPLS. */
int nst_tc_put_ematch(struct nst_tc_walk *walk,
		      const struct nst_tc_field *field,
		      const struct nlattr *attr);
int nst_tc_put_bytecode(struct nst_tc_walk *walk,
			const struct nst_tc_field *field,
			const struct nlattr *attr);
int nst_tc_put_police(struct nst_tc_walk *walk,
		      const struct nst_tc_field *field,
		      const struct nlattr *attr);
int nst_tc_put_mpls(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		    const struct nlattr *attr);

#define NST_TC_ENC_OPTS 6
extern const struct nst_tc_field nst_tc_enc_key[NST_TC_ENC_OPTS];
extern const struct nst_tc_field nst_tc_enc_mask[NST_TC_ENC_OPTS];

#endif /* NST_TC_CLS_H */
