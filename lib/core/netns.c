/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/caps.h"
#include "core/link.h"
#include "core/netns.h"

#define WAY_BACK_TRIES 100

#define PROC "/proc/"
#define SELF PROC "thread-self/ns/net"
#define PID_PREFIX "pid:"

/* The path behind a name, a path or "pid:N". */
static int spec_to_path(struct nsteer *ns, const char *spec, char *path,
			size_t size)
{
	const char *digits = spec + strlen(PID_PREFIX);
	char print[NST_NAME_PRINT];
	int n;

	if (!*spec || !strcmp(spec, ".") || !strcmp(spec, ".."))
		return nst_fail(ns, -EINVAL,
				"\"%s\" is no name of a network namespace",
				nst_name_print(spec, print));
	if (strchr(spec, '/')) {
		n = snprintf(path, size, "%s", spec);
	} else if (!strncmp(spec, PID_PREFIX, strlen(PID_PREFIX))) {
		if (!*digits || strspn(digits, "0123456789") != strlen(digits))
			return nst_fail(ns, -EINVAL,
					"\"%s\" is no process: expected pid:N",
					nst_name_print(spec, print));
		n = snprintf(path, size, PROC "%s/ns/net", digits);
	} else {
		n = snprintf(path, size, "/run/netns/%s", spec);
	}
	if (n < 0 || (size_t)n >= size)
		return nst_fail(ns, -EINVAL,
				"the name of the network namespace is longer "
				"than %zu bytes",
				size - 1);
	return 0;
}

static int open_spec(struct nsteer *ns, const char *spec)
{
	char path[4096], print[NST_NAME_PRINT], where[NST_NAME_PRINT];
	int fd, err;

	err = spec_to_path(ns, spec, path, sizeof(path));
	if (err)
		return err;
	/* Whatever the path names, do not wait for it. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		return fd;
	err = -errno;
	if (err == -ENOENT)
		return nst_fail(ns, err, "no network namespace \"%s\" (%s)",
				nst_name_print(spec, print),
				nst_name_print(path, where));
	return nst_fail_cap(ns, err,
			    strncmp(path, PROC, strlen(PROC)) ?
				    NST_CAPS(CAP_DAC_READ_SEARCH) :
				    NST_CAPS(CAP_SYS_PTRACE),
			    "cannot open network namespace \"%s\": %s",
			    nst_name_print(spec, print), strerror(-err));
}

static int adopt(struct nsteer *ns, int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return nst_fail(ns, -errno, "network namespace: %s",
				strerror(errno));
	ns->netns_fd = fd;
	ns->netns_dev = st.st_dev;
	ns->netns_ino = st.st_ino;
	return 0;
}

/* False also when it cannot be told. */
static bool is_there(const struct nsteer *ns)
{
	struct stat here;

	return !stat(SELF, &here) && here.st_dev == ns->netns_dev &&
	       here.st_ino == ns->netns_ino;
}

static int fail_enter(struct nsteer *ns, int err)
{
	if (err == -EINVAL)
		return nst_fail(ns, err, "what was given is no network "
				"namespace");
	return nst_fail_cap(ns, err, NST_CAPS(CAP_SYS_ADMIN),
			    "cannot enter the network namespace: %s",
			    strerror(-err));
}

/* An odd file behind a path shows at the first setns, which is here. */
static int try_it(struct nsteer *ns, bool stay)
{
	struct nst_netns_guard guard;
	int err;

	if (!stay) {
		err = nst_netns_enter(ns, &guard);
		return err ? err : nst_netns_leave(ns, &guard, 0);
	}
	ns->netns_stay = true;
	/* Also to where it is already setns() takes a capability. */
	if (!is_there(ns) && setns(ns->netns_fd, CLONE_NEWNET))
		return fail_enter(ns, -errno);
	return 0;
}

int nst_netns_open(struct nsteer *ns, const char *spec, int fd, bool stay)
{
	char print[NST_NAME_PRINT];
	int err;

	if (spec && fd)
		return nst_fail(ns, -EINVAL, "two network namespaces given");
	ns->netns_asked = spec || fd;
	if (spec) {
		fd = open_spec(ns, spec);
		if (fd < 0)
			return fd;
	} else if (fd) {
		fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	} else {
		fd = open(SELF, O_RDONLY | O_CLOEXEC);
		if (fd < 0 && errno == ENOENT)
			return 0; /* no /proc: stay where the thread is */
	}
	if (fd < 0)
		return nst_fail(ns, -errno, "network namespace: %s",
				strerror(errno));
	err = adopt(ns, fd);
	if (err) {
		close(fd);
		return err;
	}
	err = try_it(ns, stay && ns->netns_asked);
	if (err == -EINVAL && spec)
		return nst_fail(ns, err, "\"%s\" is no network namespace",
				nst_name_print(spec, print));
	return err;
}

/* Where the thread is, and that it can come back to it. */
static int hold_way_back(struct nsteer *ns, struct nst_netns_guard *guard)
{
	int err;

	guard->back_fd = open(SELF, O_RDONLY | O_CLOEXEC);
	if (guard->back_fd < 0)
		return nst_fail(ns, -errno, "%s: %s", SELF, strerror(errno));
	/* To where it is already: nothing but the permission check. */
	if (!setns(guard->back_fd, CLONE_NEWNET))
		return 0;
	err = -errno;
	close(guard->back_fd);
	guard->back_fd = -1;
	return nst_fail_cap(ns, err, NST_CAPS(CAP_SYS_ADMIN),
			    "the network namespace is not entered, because "
			    "this thread could not come back to its own: %s",
			    strerror(-err));
}

int nst_netns_enter(struct nsteer *ns, struct nst_netns_guard *guard)
{
	int err;

	guard->back_fd = -1;
	if (ns->netns_fd < 0 || is_there(ns))
		return 0;
	if (access(SELF, F_OK)) {
		/* In a jail without /proc, say, that was entered later. */
		if (!ns->netns_asked || ns->netns_stay)
			return 0;
		return nst_fail(ns, -errno,
				"it cannot be told which network namespace this "
				"thread is in: %s: %s (is /proc mounted, and of "
				"this pid namespace?)",
				SELF, strerror(errno));
	}
	err = hold_way_back(ns, guard);
	if (err)
		return err;
	if (!setns(ns->netns_fd, CLONE_NEWNET))
		return 0;
	err = -errno;
	close(guard->back_fd);
	guard->back_fd = -1;
	return fail_enter(ns, err);
}

int nst_netns_leave(struct nsteer *ns, struct nst_netns_guard *guard, int err)
{
	int back, tries = 0;

	if (guard->back_fd < 0)
		return err;
	/* It was possible a moment ago; what can fail is memory. */
	do {
		back = setns(guard->back_fd, CLONE_NEWNET) ? -errno : 0;
	} while (back == -ENOMEM && ++tries < WAY_BACK_TRIES);
	close(guard->back_fd);
	guard->back_fd = -1;
	if (!back)
		return err;
	/* Whatever becomes of the call: this is heard. */
	nst_warn(ns,
		 "the calling thread could not return to its own network "
		 "namespace: %s",
		 strerror(-back));
	return nst_fail(ns, back,
			"the calling thread could not return to its own "
			"network namespace: %s",
			strerror(-back));
}

bool nst_netns_is_ours(const struct nsteer *ns, int netns_fd)
{
	struct stat st;

	return ns->netns_fd >= 0 && !fstat(netns_fd, &st) &&
	       st.st_dev == ns->netns_dev && st.st_ino == ns->netns_ino;
}
