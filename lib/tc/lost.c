/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What could not be read while the rest went on. */
#include <stdio.h>
#include <string.h>

#include "tc/tc.h"

int nst_tc_lost_add(struct nsteer *ns, struct nst_tc_lost *lost, int err,
		    bool elsewhere)
{
	if (!lost->count++) {
		lost->err = err;
		lost->why = ns->err;
	}
	lost->places += elsewhere;
	nst_err_clear(ns);
	return 0;
}

int nst_tc_lost_tell(struct nsteer *ns, const struct nst_tc_lost *lost,
		     const char *place)
{
	char *msg = ns->err.msg;
	size_t len;

	if (!lost->count)
		return 0;
	ns->err = lost->why;
	len = strlen(msg);
	if (lost->count > 1)
		snprintf(msg + len, sizeof(ns->err.msg) - len,
			 " (the first of %zu losses, in %zu %s%s)", lost->count,
			 lost->places, place, lost->places == 1 ? "" : "s");
	return lost->err;
}
