/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/prog.h"

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
