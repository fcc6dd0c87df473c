/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From attributes to values, by the tables; every length is checked here. */
#include <stdio.h>
#include <string.h>

#include "tc/value.h"

/* ---- telling ---- */

int nst_tc_tell(struct nst_tc_walk *walk, const struct nsteer_tc_value *v)
{
	return walk->fn(v, walk->data);
}

int nst_tc_tell_open(struct nst_tc_walk *walk, const char *name,
		     enum nsteer_tc_type type)
{
	const struct nsteer_tc_value v = { .name = name, .type = type };

	return nst_tc_tell(walk, &v);
}

int nst_tc_tell_end(struct nst_tc_walk *walk)
{
	const struct nsteer_tc_value v = { .type = NSTEER_TC_END };

	return nst_tc_tell(walk, &v);
}

int nst_tc_tell_uint(struct nst_tc_walk *walk, const char *name, uint64_t u64,
		     const struct nst_tc_word *words)
{
	const struct nsteer_tc_value v = { .name = name,
					   .type = NSTEER_TC_UINT,
					   .u64 = u64,
					   .words = words };

	return nst_tc_tell(walk, &v);
}

int nst_tc_tell_bytes(struct nst_tc_walk *walk, const char *name,
		      const void *data, size_t len)
{
	const struct nsteer_tc_value v = { .name = name,
					   .type = NSTEER_TC_BYTES,
					   .data = data,
					   .len = len };

	return nst_tc_tell(walk, &v);
}

int nst_tc_tell_flags(struct nst_tc_walk *walk, uint64_t bits,
		      const struct nst_tc_word *words)
{
	struct nsteer_tc_value v = { .type = NSTEER_TC_FLAG };
	int ret = 0;

	for (; !ret && words->word; words++) {
		if (!(bits & 1ULL << words->v))
			continue;
		bits &= ~(1ULL << words->v);
		v.name = words->word;
		ret = nst_tc_tell(walk, &v);
	}
	if (ret || !bits)
		return ret;
	v.name = "flags";
	v.type = NSTEER_TC_HEX;
	v.u64 = bits;
	return nst_tc_tell(walk, &v);
}

/* ---- one field ---- */

/* False: it has the width of no number. */
static bool number(const unsigned char *p, size_t width, uint8_t order,
		   uint64_t *v)
{
	uint64_t n = 0;
	size_t i;

	if (!width || width > sizeof(n))
		return false;
	if (order == NST_TC_NET) {
		for (i = 0; i < width; i++)
			n = n << 8 | p[i];
	} else if (width == 4) {
		uint32_t u;

		memcpy(&u, p, 4);
		n = u;
	} else if (width == 2) {
		uint16_t u;

		memcpy(&u, p, 2);
		n = u;
	} else if (width == 1) {
		n = *p;
	} else if (width == 8) {
		memcpy(&n, p, 8);
	} else {
		return false;
	}
	*v = n;
	return true;
}

static uint64_t all_ones(size_t width)
{
	return width < sizeof(uint64_t) ? (1ULL << 8 * width) - 1 : UINT64_MAX;
}

static uint64_t sign_extended(uint64_t v, size_t width)
{
	unsigned int shift = 64 - 8 * (unsigned int)width;

	return (uint64_t)((int64_t)(v << shift) >> shift);
}

static size_t fixed_len(enum nsteer_tc_type type)
{
	switch (type) {
	case NSTEER_TC_IPV4:
		return 4;
	case NSTEER_TC_IPV6:
		return 16;
	case NSTEER_TC_MAC:
		return 6;
	default:
		return 0;
	}
}

static bool is_number(enum nsteer_tc_type type)
{
	switch (type) {
	case NSTEER_TC_UINT:
	case NSTEER_TC_SINT:
	case NSTEER_TC_HEX:
	case NSTEER_TC_IFINDEX:
	case NSTEER_TC_CLASSID:
	case NSTEER_TC_BITS:
	case NSTEER_TC_RANGE:
		return true;
	default:
		return false;
	}
}

static bool is_all_ones(const unsigned char *p, size_t len)
{
	while (len--)
		if (*p++ != 0xff)
			return false;
	return true;
}

/* The bytes of a field's mask, as many as it has itself; NULL: no mask. */
static const unsigned char *mask_bytes(const struct nst_tc_walk *walk,
				       const struct nst_tc_field *field,
				       const unsigned char *whole, size_t whole_len,
				       size_t width)
{
	const void *data;
	size_t len;

	if (field->mask_offset)
		return field->mask_offset + width <= whole_len ?
			       whole + field->mask_offset :
			       NULL;
	if (!field->mask || field->mask > walk->max ||
	    !nst_tc_payload(walk->tb[field->mask], width, &data, &len) ||
	    len != width)
		return NULL;
	return data;
}

static int tell_number(struct nst_tc_walk *walk,
		       const struct nst_tc_field *field,
		       struct nsteer_tc_value *v, const unsigned char *mask)
{
	const void *to;
	size_t len;

	if (!number(v->data, v->len, field->order, &v->u64))
		return nst_tc_tell_bytes(walk, field->name, v->data, v->len);
	if (field->nonzero && !v->u64)
		return 0;
	if (mask && number(mask, v->len, field->order, &v->mask))
		v->has_mask = v->mask != all_ones(v->len);
	if (v->type == NSTEER_TC_SINT)
		v->u64 = sign_extended(v->u64, v->len);
	if (v->type == NSTEER_TC_RANGE) {
		if (!field->to || field->to > walk->max ||
		    !nst_tc_payload(walk->tb[field->to], v->len, &to, &len) ||
		    !number(to, v->len, field->order, &v->mask))
			return nst_tc_tell_bytes(walk, field->name, v->data,
						 v->len);
		v->has_mask = true;
	}
	return nst_tc_tell(walk, v);
}

/* A value at p, whole being all of the attribute. */
static int tell_field(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		      const unsigned char *whole, size_t whole_len)
{
	struct nsteer_tc_value v = { .name = field->name,
				     .type = field->type,
				     .words = field->words };
	const unsigned char *mask;
	size_t want = fixed_len(field->type);

	if (field->offset > whole_len ||
	    field->width > whole_len - field->offset)
		return nst_tc_tell_bytes(walk, field->name, whole, whole_len);
	v.data = whole + field->offset;
	v.len = field->width ? field->width : whole_len - field->offset;
	if (v.type == NSTEER_TC_STRING)
		v.len = strnlen(v.data, v.len);
	if (want && v.len != want)
		return nst_tc_tell_bytes(walk, field->name, v.data, v.len);
	mask = mask_bytes(walk, field, whole, whole_len, v.len);
	if (is_number(v.type))
		return tell_number(walk, field, &v, mask);
	if (mask && !is_all_ones(mask, v.len))
		v.mask_data = mask;
	return nst_tc_tell(walk, &v);
}

/* Is there an attribute of this type, and is it that long? */
static bool has_len(const struct nst_tc_walk *walk, uint16_t type, size_t want)
{
	const void *data;
	size_t len;

	return type <= walk->max &&
	       nst_tc_payload(walk->tb[type], 0, &data, &len) && len == want;
}

int nst_tc_tell_unknown(struct nst_tc_walk *walk, const struct nlattr *attr)
{
	const void *data = NULL;
	size_t len = 0;
	char name[16];

	nst_tc_payload(attr, 0, &data, &len);
	snprintf(name, sizeof(name), "attr_%u", attr->nla_type & NLA_TYPE_MASK);
	return nst_tc_tell_bytes(walk, name, data, len);
}

static int tell_members(struct nst_tc_walk *walk,
			const struct nst_tc_field *m, uint16_t n,
			const struct nlattr *attr, const void *data, size_t len)
{
	int ret = 0;

	for (; !ret && n--; m++)
		ret = m->put ? m->put(walk, m, attr) :
			       tell_field(walk, m, data, len);
	return ret;
}

int nst_tc_tell_struct(struct nst_tc_walk *walk,
		       const struct nst_tc_field *members, uint16_t n_members,
		       const void *data, size_t len)
{
	return tell_members(walk, members, n_members, NULL, data, len);
}

static int tell_attr(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		     const struct nlattr *attr)
{
	const void *data = NULL;
	size_t len = 0;

	nst_tc_payload(attr, 0, &data, &len);
	if ((field->len && field->len != len) ||
	    (field->to && !has_len(walk, field->to, len)) ||
	    ((field->put || field->n_members) && len < field->width))
		return nst_tc_tell_unknown(walk, attr);
	if (field->put)
		return field->put(walk, field, attr);
	if (field->n_members)
		return tell_members(walk, field->members, field->n_members,
				    attr, data, len);
	if (field->name)
		return tell_field(walk, field, data, len);
	return field->mask && !has_len(walk, field->mask, len) ?
		       nst_tc_tell_unknown(walk, attr) :
		       0;
}

/* ---- a nest ---- */

/*
 * In the order of the message, each kind of attribute once: its last one. tb is
 * room for max + 1.
 */
static int tell_nest(struct nst_tc_walk *walk, const struct nst_tc_field *fields,
		     const void *data, size_t len, bool outer)
{
	struct nst_tc_attrs attrs = { .pos = data, .len = len };
	const struct nlattr *attr;

	while ((attr = nst_tc_attr_next(&attrs))) {
		uint16_t type = attr->nla_type & NLA_TYPE_MASK;
		const struct nst_tc_field *field =
			type <= walk->max ? &fields[type] : NULL;
		int ret = 0;

		if (!field || !field->known) {
			ret = outer ? 0 : nst_tc_tell_unknown(walk, attr);
		} else if (walk->tb[type] == attr) {
			if (field->outer == outer)
				ret = tell_attr(walk, field, attr);
			else
				walk->outer = true;
		}
		if (ret)
			return ret;
	}
	return 0;
}

int nst_tc_tell_attrs(struct nst_tc_walk *walk,
		      const struct nst_tc_field *fields, uint16_t max,
		      const void *data, size_t len)
{
	const struct nlattr *tb[NST_TC_ATTRS_MAX + 1];
	struct nst_tc_walk inner = { .fn = walk->fn,
				     .data = walk->data,
				     .tb = tb,
				     .max = max };

	if (max > NST_TC_ATTRS_MAX)
		return 0;
	nst_nla_parse(data, len, tb, max);
	return tell_nest(&inner, fields, data, len, false);
}

int nst_tc_tell_nest(struct nst_tc_walk *walk, const struct nst_tc_field *fields,
		     uint16_t max, const struct nlattr *nest)
{
	const void *data;
	size_t len;

	if (!nst_tc_payload(nest, 0, &data, &len))
		return 0;
	return nst_tc_tell_attrs(walk, fields, max, data, len);
}

int nst_tc_put_nest(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		    const struct nlattr *attr)
{
	int ret = 0;

	if (field->name)
		ret = nst_tc_tell_open(walk, field->name, NSTEER_TC_OBJECT);
	if (!ret && field->n_members)
		ret = nst_tc_tell_nest(walk, field->members,
				       field->n_members - 1, attr);
	if (!ret && field->name)
		ret = nst_tc_tell_end(walk);
	return ret;
}

int nst_tc_values(const struct nst_tc_kind *kind, const struct nlattr *nest,
		  nsteer_tc_value_fn fn, void *data)
{
	const struct nlattr *tb[NST_TC_ATTRS_MAX + 1];
	struct nst_tc_walk walk = { .fn = fn, .data = data, .tb = tb };
	const void *attrs;
	size_t len;
	int ret;

	if (!nst_tc_payload(nest, 0, &attrs, &len))
		return 0;
	if (!kind || kind->max > NST_TC_ATTRS_MAX)
		return nst_tc_tell_bytes(&walk, "options", attrs, len);
	walk.max = kind->max;
	nst_nla_parse(attrs, len, tb, kind->max);
	if (!kind->keys) {
		ret = tell_nest(&walk, kind->fields, attrs, len, false);
		return ret || !kind->tail ? ret : kind->tail(&walk, kind);
	}
	ret = nst_tc_tell_open(&walk, kind->keys, NSTEER_TC_OBJECT);
	ret = ret ? ret : tell_nest(&walk, kind->fields, attrs, len, false);
	ret = ret ? ret : nst_tc_tell_end(&walk);
	if (ret || !walk.outer)
		return ret;
	return tell_nest(&walk, kind->fields, attrs, len, true);
}
