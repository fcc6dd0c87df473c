/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/prog.h"

void nst_prog_set_tag(struct nsteer_prog *prog, const void *tag)
{
	static const char hex[] = "0123456789abcdef";
	const unsigned char *bytes = tag;
	size_t i;

	for (i = 0; i < NST_PROG_TAG; i++) {
		prog->tag[2 * i] = hex[bytes[i] >> 4];
		prog->tag[2 * i + 1] = hex[bytes[i] & 15];
	}
	prog->tag[2 * NST_PROG_TAG] = '\0';
}

NSTEER_API uint32_t nsteer_prog_id(const struct nsteer_prog *prog)
{
	return prog->id;
}

NSTEER_API const char *nsteer_prog_name(const struct nsteer_prog *prog)
{
	return prog->name;
}

NSTEER_API const char *nsteer_prog_tag(const struct nsteer_prog *prog)
{
	return prog->tag;
}
