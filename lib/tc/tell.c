/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Values, handed to whoever walks over them. */
#include <stdio.h>

#include "tc/value.h"

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
	const struct nsteer_tc_value v = {
		.name = name, .type = NSTEER_TC_UINT, .u64 = u64, .words = words
	};

	return nst_tc_tell(walk, &v);
}

int nst_tc_tell_counter(struct nst_tc_walk *walk, const char *name,
			uint64_t u64)
{
	const struct nsteer_tc_value v = { .name = name,
					   .type = NSTEER_TC_UINT,
					   .counter = true,
					   .u64 = u64 };

	return nst_tc_tell(walk, &v);
}

int nst_tc_tell_bytes(struct nst_tc_walk *walk, const char *name,
		      const void *data, size_t len)
{
	const struct nsteer_tc_value v = {
		.name = name, .type = NSTEER_TC_BYTES, .data = data, .len = len
	};

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
	v.name = "other_flags";
	v.type = NSTEER_TC_HEX;
	v.u64 = bits;
	return nst_tc_tell(walk, &v);
}

int nst_tc_tell_unknown(struct nst_tc_walk *walk, const struct nlattr *attr)
{
	const void *data;
	char name[16];
	size_t len;

	if (!nst_tc_payload(attr, 0, &data, &len))
		return 0;
	snprintf(name, sizeof(name), "attr_%u", attr->nla_type & NLA_TYPE_MASK);
	return nst_tc_tell_bytes(walk, name, data, len);
}
