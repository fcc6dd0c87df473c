/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "core/ctx.h"

int nst_opts_read(struct nsteer *ns, const void *opts, void *known,
		  size_t known_sz)
{
	const unsigned char *bytes = opts;
	size_t sz, i;

	memset(known, 0, known_sz);
	if (!opts)
		return 0;
	memcpy(&sz, opts, sizeof(sz));
	if (sz < sizeof(sz))
		return nst_fail(ns, -EINVAL,
				"the size in an options struct is %zu, less "
				"than its own %zu bytes: was NSTEER_OPTS() used?",
				sz, sizeof(sz));
	for (i = known_sz; i < sz; i++)
		if (bytes[i])
			return nst_fail(ns, -E2BIG,
					"an option is set that this version "
					"(%s) of the library does not know",
					nsteer_version());
	memcpy(known, opts, sz < known_sz ? sz : known_sz);
	return 0;
}
