/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a caller asks of a value. */
#include "tc/value.h"

NSTEER_API const char *nsteer_tc_value_name(const struct nsteer_tc_value *v)
{
	return v->name;
}

NSTEER_API enum nsteer_tc_type
nsteer_tc_value_type(const struct nsteer_tc_value *v)
{
	return v->type;
}

NSTEER_API bool nsteer_tc_value_is_counter(const struct nsteer_tc_value *v)
{
	return v->counter;
}

NSTEER_API uint64_t nsteer_tc_value_u64(const struct nsteer_tc_value *v)
{
	return v->u64;
}

NSTEER_API bool nsteer_tc_value_mask(const struct nsteer_tc_value *v,
				     uint64_t *mask)
{
	if (v->has_mask)
		*mask = v->mask;
	return v->has_mask;
}

NSTEER_API const void *nsteer_tc_value_data(const struct nsteer_tc_value *v,
					    size_t *len)
{
	*len = v->len;
	return v->data;
}

NSTEER_API const void *
nsteer_tc_value_mask_data(const struct nsteer_tc_value *v)
{
	return v->mask_data;
}

static const char *word(const struct nst_tc_word *words, uint64_t v)
{
	for (; words && words->word; words++)
		if (words->v == v)
			return words->word;
	return NULL;
}

NSTEER_API const char *nsteer_tc_value_word(const struct nsteer_tc_value *v)
{
	return v->type == NSTEER_TC_BITS || v->has_mask ? NULL
							: word(v->words, v->u64);
}

NSTEER_API bool nsteer_tc_value_has_words(const struct nsteer_tc_value *v)
{
	return v->words && v->type != NSTEER_TC_BITS;
}

NSTEER_API const char *nsteer_tc_value_bit(const struct nsteer_tc_value *v,
					   unsigned int n)
{
	return v->type == NSTEER_TC_BITS ? word(v->words, n) : NULL;
}
