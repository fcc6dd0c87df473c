/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From attributes to values, by the tables; every length is checked here. */
#include <endian.h>
#include <string.h>

#include "tc/value.h"

/* ---- one field ---- */

/* False: it has the width of no number. */
static inline bool number(const unsigned char *p, size_t width, uint8_t order,
			  uint64_t *v)
{
	bool net = order == NST_TC_NET;
	uint64_t n = 0;
	uint32_t u32;
	uint16_t u16;

	switch (width) {
	case 1:
		*v = *p;
		return true;
	case 2:
		memcpy(&u16, p, 2);
		*v = net ? be16toh(u16) : u16;
		return true;
	case 4:
		memcpy(&u32, p, 4);
		*v = net ? be32toh(u32) : u32;
		return true;
	case 8:
		memcpy(&n, p, 8);
		*v = net ? be64toh(n) : n;
		return true;
	}
	if (!width || width > sizeof(n) || !net)
		return false;
	while (width--)
		n = n << 8 | *p++;
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

/* What its type says of a value. */
static const struct {
	bool is_number;
	uint8_t len; /* the only one; 0: any */
} types[] = {
	[NSTEER_TC_UINT] = { .is_number = true },
	[NSTEER_TC_SINT] = { .is_number = true },
	[NSTEER_TC_HEX] = { .is_number = true },
	[NSTEER_TC_IFINDEX] = { .is_number = true },
	[NSTEER_TC_CLASSID] = { .is_number = true },
	[NSTEER_TC_BITS] = { .is_number = true },
	[NSTEER_TC_IPV4] = { .len = 4 },
	[NSTEER_TC_IPV6] = { .len = 16 },
	[NSTEER_TC_MAC] = { .len = 6 },
	[NSTEER_TC_RANGE] = { .is_number = true },
};

static bool is_all_ones(const unsigned char *p, size_t len)
{
	while (len--)
		if (*p++ != 0xff)
			return false;
	return true;
}

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* A part of an attribute. */
struct span {
	const unsigned char *p;
	size_t len;
	const struct nlattr *attr; /* NULL: of a structure within one */
};

/* The mask that has an attribute of its own, len bytes; NULL: there is none. */
static ALWAYS_INLINE const unsigned char *
mask_attr(const struct nst_tc_walk *walk, const struct nst_tc_field *field,
	  size_t len)
{
	const void *data;
	size_t n;

	if (!field->mask || field->mask > walk->max ||
	    !nst_tc_payload(walk->tb[field->mask], len, &data, &n) || n != len)
		return NULL;
	return data;
}

static bool range_end(const struct nst_tc_walk *walk,
		      const struct nst_tc_field *field, size_t len, uint64_t *v)
{
	const void *to;
	size_t n;

	return field->to && field->to <= walk->max &&
	       nst_tc_payload(walk->tb[field->to], len, &to, &n) &&
	       number(to, len, field->order, v);
}

/* A number; bits is its mask, as long as it is itself, or NULL. */
static ALWAYS_INLINE int tell_number(struct nst_tc_walk *walk,
				     const struct nst_tc_field *field,
				     const struct span *span,
				     const unsigned char *bits)
{
	bool masked = false;
	uint64_t n, mask = 0;

	if (!number(span->p, span->len, field->order, &n))
		return nst_tc_tell_unknown(walk, span->attr);
	if (!n && field->nonzero)
		return 0;
	if (bits && number(bits, span->len, field->order, &mask))
		masked = mask != all_ones(span->len);
	switch (field->type) {
	case NSTEER_TC_SINT:
		n = sign_extended(n, span->len);
		break;
	case NSTEER_TC_BITS:
		/* In one form, whatever their mask, or without it. */
		masked = bits || field->mask;
		if (!bits)
			mask = all_ones(span->len);
		break;
	case NSTEER_TC_RANGE:
		masked = range_end(walk, field, span->len, &mask);
		if (!masked)
			return nst_tc_tell_unknown(walk, span->attr);
		break;
	default:
		break;
	}
	return nst_tc_tell(walk,
			   &(struct nsteer_tc_value){ .name = field->name,
						      .type = field->type,
						      .has_mask = masked,
						      .counter = field->counter,
						      .u64 = n,
						      .mask = mask,
						      .data = span->p,
						      .len = span->len,
						      .words = field->words });
}

static ALWAYS_INLINE int tell_value(struct nst_tc_walk *walk,
				    const struct nst_tc_field *field,
				    const struct span *span,
				    const unsigned char *mask)
{
	size_t len = span->len;
	uint8_t want;

	if (types[field->type].is_number)
		return tell_number(walk, field, span, mask);
	if (field->type == NSTEER_TC_STRING)
		len = strnlen((const char *)span->p, len);
	want = types[field->type].len;
	if (want && len != want)
		return nst_tc_tell_unknown(walk, span->attr);
	if (mask && is_all_ones(mask, len))
		mask = NULL;
	return nst_tc_tell(walk,
			   &(struct nsteer_tc_value){ .name = field->name,
						      .type = field->type,
						      .data = span->p,
						      .mask_data = mask,
						      .len = len,
						      .words = field->words });
}

/* A part of an attribute. */
static int tell_part(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		     const struct span *whole)
{
	struct span span = { whole->p + field->offset, field->width,
			     whole->attr };
	const unsigned char *mask = NULL;

	if (field->offset > whole->len ||
	    field->width > whole->len - field->offset)
		return nst_tc_tell_unknown(walk, whole->attr);
	if (!span.len)
		span.len = whole->len - field->offset;
	if (!field->mask_offset)
		mask = mask_attr(walk, field, span.len);
	else if (field->mask_offset + span.len <= whole->len)
		mask = whole->p + field->mask_offset;
	return tell_value(walk, field, &span, mask);
}

/* Is there an attribute of this type, and is it that long? */
static bool has_len(const struct nst_tc_walk *walk, uint16_t type, size_t want)
{
	const void *data;
	size_t len;

	return type <= walk->max &&
	       nst_tc_payload(walk->tb[type], 0, &data, &len) && len == want;
}

static int tell_members(struct nst_tc_walk *walk, const struct nst_tc_field *m,
			uint16_t n, const struct span *whole)
{
	int ret = 0;

	for (; !ret && n--; m++)
		ret = m->put ? m->put(walk, m, whole->attr)
			     : tell_part(walk, m, whole);
	return ret;
}

int nst_tc_tell_struct(struct nst_tc_walk *walk,
		       const struct nst_tc_field *members, uint16_t n_members,
		       const void *data, size_t len)
{
	const struct span whole = { data, len, NULL };

	return tell_members(walk, members, n_members, &whole);
}

static int tell_unusual(struct nst_tc_walk *walk,
			const struct nst_tc_field *field,
			const struct span *whole)
{
	if ((field->to && !has_len(walk, field->to, whole->len)) ||
	    ((field->put || field->n_members) && whole->len < field->width))
		return nst_tc_tell_unknown(walk, whole->attr);
	if (field->put)
		return field->put(walk, field, whole->attr);
	if (field->n_members)
		return tell_members(walk, field->members, field->n_members,
				    whole);
	return tell_part(walk, field, whole);
}

/* One that nst_nla_parse() found. */
static ALWAYS_INLINE int tell_attr(struct nst_tc_walk *walk,
				   const struct nst_tc_field *field,
				   const struct nlattr *attr)
{
	const struct span whole = { (const unsigned char *)attr + NLA_HDRLEN,
				    attr->nla_len - NLA_HDRLEN, attr };

	if (field->len && field->len != whole.len)
		return nst_tc_tell_unknown(walk, attr);
	if (field->unusual || field->put || field->n_members)
		return tell_unusual(walk, field, &whole);
	return tell_value(walk, field, &whole,
			  mask_attr(walk, field, whole.len));
}

/*
 * What the attribute says is told with another one, if that is there and is
 * not told as unknown itself.
 */
static ALWAYS_INLINE bool belongs(const struct nst_tc_walk *walk,
				  const struct nst_tc_field *fields,
				  const struct nst_tc_field *field,
				  const struct nlattr *attr)
{
	uint16_t len = attr->nla_len - NLA_HDRLEN;

	return has_len(walk, field->mask, len) &&
	       (!fields[field->mask].len || fields[field->mask].len == len);
}

/* ---- a nest ---- */

/*
 * In the order of the message, each kind of attribute once: its last one. len
 * is that of what was parsed into walk->tb.
 */
static int tell_nest(struct nst_tc_walk *walk, const struct nst_tc_field *fields,
		     const void *data, size_t len, bool outer)
{
	const void *end = (const unsigned char *)data + len;
	const struct nlattr *attr;
	int ret = 0;

	for (attr = data; !ret && (const void *)attr < end;
	     attr = nst_nla_next(attr)) {
		uint16_t type = attr->nla_type & NLA_TYPE_MASK;
		const struct nst_tc_field *field = &fields[type];

		if (type > walk->max || !field->known)
			ret = outer ? 0 : nst_tc_tell_unknown(walk, attr);
		else if (field->known == NST_TC_SILENT ||
			 walk->tb[type] != attr)
			continue;
		else if (field->outer != outer)
			walk->outer = true;
		else if (field->known == NST_TC_TOLD)
			ret = tell_attr(walk, field, attr);
		else if (!belongs(walk, fields, field, attr))
			ret = nst_tc_tell_unknown(walk, attr);
	}
	return ret;
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
	len = nst_nla_parse(data, len, tb, max);
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

static int tell_kind(struct nst_tc_walk *walk, const struct nst_tc_kind *kind,
		     const void *attrs, size_t len)
{
	int ret;

	if (!kind->keys) {
		ret = tell_nest(walk, kind->fields, attrs, len, false);
		return ret || !kind->tail ? ret : kind->tail(walk, kind);
	}
	ret = nst_tc_tell_open(walk, kind->keys, NSTEER_TC_OBJECT);
	ret = ret ? ret : tell_nest(walk, kind->fields, attrs, len, false);
	ret = ret ? ret : nst_tc_tell_end(walk);
	if (ret || !walk->outer)
		return ret;
	return tell_nest(walk, kind->fields, attrs, len, true);
}

void nst_tc_parse(struct nst_tc_parsed *parsed, const struct nst_tc_kind *kind,
		  const struct nlattr *nest)
{
	const void *attrs = NULL;
	size_t len = 0;

	nst_tc_payload(nest, 0, &attrs, &len);
	parsed->len = nst_nla_parse(attrs, len, parsed->tb, kind->max);
}

int nst_tc_values_parsed(const struct nst_tc_kind *kind,
			 const struct nlattr *nest,
			 const struct nst_tc_parsed *parsed,
			 nsteer_tc_value_fn fn, void *data)
{
	struct nst_tc_walk walk = {
		.fn = fn, .data = data, .tb = parsed->tb, .max = kind->max
	};
	const void *attrs;
	size_t len;

	if (!nst_tc_payload(nest, 0, &attrs, &len))
		return 0;
	return tell_kind(&walk, kind, attrs, parsed->len);
}

int nst_tc_values(const struct nst_tc_kind *kind, const struct nlattr *nest,
		  nsteer_tc_value_fn fn, void *data)
{
	struct nst_tc_walk walk = { .fn = fn, .data = data };
	struct nst_tc_parsed parsed;
	const void *attrs;
	size_t len;

	if (kind) {
		nst_tc_parse(&parsed, kind, nest);
		return nst_tc_values_parsed(kind, nest, &parsed, fn, data);
	}
	if (!nst_tc_payload(nest, 0, &attrs, &len))
		return 0;
	return nst_tc_tell_bytes(&walk, "raw", attrs, len);
}
