/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "core/ctx.h"

void nst_err_clear(struct nsteer *ns)
{
	ns->err.msg[0] = '\0';
	ns->err.extack[0] = '\0';
	ns->err.attr[0] = '\0';
	ns->err.cap[0] = '\0';
}

int nst_fail(struct nsteer *ns, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(ns->err.msg, sizeof(ns->err.msg), fmt, ap);
	va_end(ap);
	return err;
}

void nst_err_set_extack(struct nsteer *ns, const char *text)
{
	if (text && *text)
		snprintf(ns->err.extack, sizeof(ns->err.extack), "%s", text);
}

void nst_err_set_attr(struct nsteer *ns, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(ns->err.attr, sizeof(ns->err.attr), fmt, ap);
	va_end(ap);
}

NSTEER_API const char *nsteer_errmsg(const struct nsteer *ns)
{
	return ns ? ns->err.msg : "out of memory";
}

static const char *or_null(const char *s)
{
	return *s ? s : NULL;
}

NSTEER_API const char *nsteer_err_extack(const struct nsteer *ns)
{
	return ns ? or_null(ns->err.extack) : NULL;
}

NSTEER_API const char *nsteer_err_attr(const struct nsteer *ns)
{
	return ns ? or_null(ns->err.attr) : NULL;
}

NSTEER_API const char *nsteer_err_cap(const struct nsteer *ns)
{
	return ns ? or_null(ns->err.cap) : NULL;
}
