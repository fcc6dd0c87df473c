/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/ctx.h"
#include "core/netns.h"
#include "core/nl.h"

#define STR2(x) #x
#define STR(x) STR2(x)

NSTEER_API const char *nsteer_version(void)
{
	return STR(NSTEER_VERSION_MAJOR) "." STR(NSTEER_VERSION_MINOR) "." STR(
		NSTEER_VERSION_PATCH);
}

NSTEER_API int nsteer_open(const struct nsteer_open_opts *opts,
			   struct nsteer **out)
{
	struct nsteer_open_opts o;
	struct nsteer *ns;
	int err;

	*out = ns = calloc(1, sizeof(*ns));
	if (!ns)
		return -ENOMEM;
	ns->netns_fd = -1;
	err = NST_OPTS_READ(ns, opts, &o);
	if (err)
		return err;
	ns->log = o.log;
	ns->log_data = o.log_data;
	return nst_netns_open(ns, o.netns, o.netns_fd, o.netns_stay);
}

NSTEER_API void nsteer_close(struct nsteer *ns)
{
	int i;

	if (!ns)
		return;
	for (i = 0; i < NST_SLOT_COUNT; i++)
		if (ns->slot[i].data)
			ns->slot[i].free(ns->slot[i].data);
	nst_nl_close(ns->rtnl);
	if (ns->netns_fd >= 0)
		close(ns->netns_fd);
	free(ns);
}

static void say(struct nsteer *ns, enum nsteer_log_level level, const char *fmt,
		va_list ap)
{
	char msg[sizeof(ns->err.msg)];

	if (!ns->log)
		return;
	vsnprintf(msg, sizeof(msg), fmt, ap);
	ns->log(ns->log_data, level, msg);
}

void nst_warn(struct nsteer *ns, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(ns, NSTEER_LOG_WARN, fmt, ap);
	va_end(ap);
}

void nst_debug(struct nsteer *ns, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(ns, NSTEER_LOG_DEBUG, fmt, ap);
	va_end(ap);
}
