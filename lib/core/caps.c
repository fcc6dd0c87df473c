/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "core/caps.h"

static bool is_effective(cap_t caps, cap_value_t cap)
{
	cap_flag_value_t set = CAP_CLEAR;

	/* A libcap older than the capability knows no such bit. */
	return !cap_get_flag(caps, cap, CAP_EFFECTIVE, &set) && set == CAP_SET;
}

bool nst_cap_have(cap_value_t cap)
{
	cap_t caps = cap_get_proc();
	bool have;

	if (!caps)
		return false;
	have = is_effective(caps, cap);
	/* It stood for both before Linux 5.8, and still does [bpf_capable()]. */
	if (cap == CAP_BPF || cap == CAP_PERFMON)
		have = have || is_effective(caps, CAP_SYS_ADMIN);
	cap_free(caps);
	return have;
}

static void add_name(char *list, size_t size, cap_value_t cap)
{
	size_t len = strlen(list);
	char *name = cap_to_name(cap);

	if (name)
		snprintf(list + len, size - len, "%s%s", len ? " " : "", name);
	cap_free(name);
}

static void explain(struct nsteer *ns, const cap_value_t *caps)
{
	char all[sizeof(ns->err.cap)] = "";
	size_t len = strlen(ns->err.msg);
	const cap_value_t *cap;

	ns->err.cap[0] = '\0';
	for (cap = caps; *cap >= 0; cap++) {
		add_name(all, sizeof(all), *cap);
		if (!nst_cap_have(*cap))
			add_name(ns->err.cap, sizeof(ns->err.cap), *cap);
	}
	if (*ns->err.cap)
		snprintf(ns->err.msg + len, sizeof(ns->err.msg) - len,
			 " (missing: %s)", ns->err.cap);
	else
		snprintf(ns->err.msg + len, sizeof(ns->err.msg) - len,
			 " (refused although this process has %s: held in "
			 "another user namespace, or a security module or "
			 "lockdown forbids it)",
			 all);
}

int nst_fail_cap(struct nsteer *ns, int err, const cap_value_t *caps,
		 const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(ns->err.msg, sizeof(ns->err.msg), fmt, ap);
	va_end(ap);
	if (err == -EPERM || err == -EACCES)
		explain(ns, caps);
	return err;
}
