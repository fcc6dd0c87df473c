/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libnsteer: how Linux steers packets, behind one stable C API.
 *
 * Conventions, true of every header of this library:
 *
 *  - A call that can fail returns int: 0 (or a count) on success, a negative
 *    errno on failure. errno itself is no part of the contract.
 *  - Results come back through the last out-parameter, which is untouched
 *    when the call fails.
 *  - Options are a struct whose first member is its size. NULL means all
 *    defaults; a zero member means "not set"; NSTEER_OPTS() fills in the size.
 *    A struct longer than this library knows is refused with -E2BIG when its
 *    unknown tail is not zero.
 *  - Numbers are in host byte order unless the comment says otherwise.
 *  - File descriptors that a caller hands in are borrowed, those handed out
 *    are the caller's and are close-on-exec.
 *  - The library prints nothing, never exits, keeps no global state.
 *  - One thread at a time per context; different contexts are independent.
 */
#ifndef NSTEER_NSTEER_H
#define NSTEER_NSTEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define NSTEER_API __attribute__((visibility("default")))
#define NSTEER_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define NSTEER_API
#define NSTEER_PRINTF(f, a)
#endif

#define NSTEER_VERSION_MAJOR 0
#define NSTEER_VERSION_MINOR 2
#define NSTEER_VERSION_PATCH 0

/**
 * NSTEER_OPTS - define an options variable with its size, all else zero
 * @type: name of the options struct, without "struct"
 * @name: name of the variable
 * @...:  designated initialisers
 *
 * A version that adds members puts them behind the unnamed bit field that ends
 * the struct (and leaves that in place), so that none of them lies in padding
 * that an older caller may not have set to zero; and it fills their last word
 * with a named member, as an older library looks at each byte behind what it
 * knows.
 */
#define NSTEER_OPTS(type, name, ...)                                           \
	struct type name = { .sz = sizeof(struct type), __VA_ARGS__ }

/** struct nsteer - a context: sockets, caches, the last error. */
struct nsteer;

/** enum nsteer_log_level - how much a message matters. */
enum nsteer_log_level {
	/** Done, but not with the effect that the caller may expect. */
	NSTEER_LOG_WARN = 1,
	/** What the library does and why, for a person who debugs. */
	NSTEER_LOG_DEBUG = 2,
};

/**
 * nsteer_log_fn - receives what the library has to say beside its results
 * @data:  the log_data of the context's options
 * @level: how much it matters
 * @msg:   one sentence without a newline, valid during the call
 */
typedef void (*nsteer_log_fn)(void *data, enum nsteer_log_level level,
			      const char *msg);

/**
 * struct nsteer_open_opts - options of nsteer_open()
 * @sz:       size of this struct
 * @netns:    network namespace to act in: a name under /run/netns, a path
 *            (any string with a slash), or "pid:N"; NULL: the calling thread's
 * @netns_fd: the same as an open descriptor, which is borrowed during the
 *            call; 0: not set. At most one of the two may be set.
 * @log:      where warnings go; NULL: nowhere
 * @log_data: handed to @log
 * @netns_stay: move the calling thread into that namespace for good, instead
 *            of entering and leaving it in each call that needs it. For a
 *            process of one purpose; needs no way back, which a thread of a
 *            user namespace may not have.
 */
struct nsteer_open_opts {
	size_t sz;
	const char *netns;
	int netns_fd;
	nsteer_log_fn log;
	void *log_data;
	bool netns_stay;
	size_t : 0;
};

/**
 * nsteer_open - make a context
 * @opts: options or NULL
 * @out:  the new context, to be closed with nsteer_close()
 *
 * The context acts in one network namespace for all its life, also when the
 * calling thread moves to another one later. A call that needs the namespace
 * itself (and not only a socket that was made in it) enters it for as long as
 * it runs and brings the thread back; where the way back is barred it is not
 * entered.
 *
 * When it fails there is a context all the same unless memory is short: *@out
 * is then set, holds nothing but the error record, and must be closed. This
 * is the one exception to "untouched on failure".
 *
 * Return: 0; -EINVAL both namespaces given, or a malformed "pid:N"; -ENOENT
 * no such namespace; -EPERM the namespace may not be entered (cap_sys_admin);
 * -E2BIG newer options; -ENOMEM (*@out is NULL).
 *
 * Since: 0.1
 */
NSTEER_API int nsteer_open(const struct nsteer_open_opts *opts,
			   struct nsteer **out);

/**
 * nsteer_close - free a context and everything it caches
 * @ns: the context, may be NULL
 *
 * Snapshots that came out of the context stay valid.
 *
 * Since: 0.1
 */
NSTEER_API void nsteer_close(struct nsteer *ns);

/**
 * nsteer_errmsg - the last call's error as a sentence for a person
 * @ns: the context; NULL: the text for -ENOMEM
 *
 * Every call clears the record on entry, so after a success it is "". Names in
 * it stand as the kernel has them (not necessarily UTF-8), but for control
 * bytes and backslashes, which are written \xNN.
 *
 * Return: a string that is valid until the next call on @ns.
 *
 * Since: 0.1
 */
NSTEER_API const char *nsteer_errmsg(const struct nsteer *ns);

/**
 * nsteer_err_extack - the kernel's own words on the last error
 * @ns: the context
 *
 * Return: the extended ack text (NLMSGERR_ATTR_MSG) or the verifier's last
 * lines; NULL when the kernel gave none. Valid until the next call on @ns.
 *
 * Since: 0.1
 */
NSTEER_API const char *nsteer_err_extack(const struct nsteer *ns);

/**
 * nsteer_err_attr - which netlink attribute the kernel complained about
 * @ns: the context
 *
 * Return: "offset N" of the offending attribute in the request, or
 * "missing type N"; NULL when the kernel named none.
 *
 * Since: 0.1
 */
NSTEER_API const char *nsteer_err_attr(const struct nsteer *ns);

/**
 * nsteer_err_cap - the capabilities whose lack made the last call fail
 * @ns: the context
 *
 * Return: names as in capabilities(7), lower case, separated by a blank;
 * NULL when the cause was another one.
 *
 * Since: 0.1
 */
NSTEER_API const char *nsteer_err_cap(const struct nsteer *ns);

/**
 * nsteer_version - version of the library that runs
 *
 * Return: "MAJOR.MINOR.PATCH"; compare with NSTEER_VERSION_* of the header.
 *
 * Since: 0.1
 */
NSTEER_API const char *nsteer_version(void);

/**
 * nsteer_link_index - find a network device by name or alternative name
 * @ns:      the context
 * @name:    up to 15 bytes, or up to 127 bytes of an alternative name
 *           (IFLA_ALT_IFNAME)
 * @ifindex: the device's index
 *
 * The one place where names are resolved; asks rtnetlink (RTM_GETLINK).
 *
 * Return: 0; -ENODEV no such device; -EINVAL the name is empty or longer. (The
 * kernel lets an alternative name hold any byte, so any may be asked for.)
 *
 * Since: 0.1
 */
NSTEER_API int nsteer_link_index(struct nsteer *ns, const char *name,
				 uint32_t *ifindex);

/** NSTEER_IFNAME_SIZE - room for a device name and its NUL (IFNAMSIZ). */
#define NSTEER_IFNAME_SIZE 16

/**
 * nsteer_link_name - the name of a network device
 * @ns:      the context
 * @ifindex: the device's index
 * @name:    takes the name, up to 15 bytes (any but NUL, '/', ':', blanks:
 *           not necessarily UTF-8) and the NUL
 *
 * Return: 0; -ENODEV no such device.
 *
 * Since: 0.1
 */
NSTEER_API int nsteer_link_name(struct nsteer *ns, uint32_t ifindex,
				char name[NSTEER_IFNAME_SIZE]);

/** enum nsteer_owner - whose a BPF program is. */
enum nsteer_owner {
	/** There is no program, so nobody's. */
	NSTEER_OWNER_NONE = 0,
	/** Placed by nsteer (any version, any process). */
	NSTEER_OWNER_NSTEER = 1,
	/** Somebody else's. */
	NSTEER_OWNER_FOREIGN = 2,
};

/**
 * struct nsteer_prog - a BPF program as the kernel tells of it, borrowed from
 * a snapshot.
 */
struct nsteer_prog;

/**
 * nsteer_prog_id - the kernel's id of a program
 * @prog: the program
 *
 * Return: the id as bpftool shows it, never 0. The kernel may give it to
 * another program once this one is gone.
 *
 * Since: 0.1
 */
NSTEER_API uint32_t nsteer_prog_id(const struct nsteer_prog *prog);

/**
 * nsteer_prog_name - the name that a program was loaded with
 * @prog: the program
 *
 * Return: up to 15 bytes, "" when it has none; borrowed.
 *
 * Since: 0.1
 */
NSTEER_API const char *nsteer_prog_name(const struct nsteer_prog *prog);

/**
 * nsteer_prog_tag - the hash of a program's instructions
 * @prog: the program
 *
 * Return: 16 hex digits as bpftool shows them; borrowed.
 *
 * Since: 0.1
 */
NSTEER_API const char *nsteer_prog_tag(const struct nsteer_prog *prog);

/**
 * nsteer_libbpf_quiet - keep libbpf from writing to stderr
 *
 * libbpf's print function belongs to the process. libnsteer never sets it on
 * its own: a program that uses libbpf too decides for itself. Verifier logs
 * reach nsteer_err_extack() either way.
 *
 * Since: 0.1
 */
NSTEER_API void nsteer_libbpf_quiet(void);

#ifdef __cplusplus
}
#endif

#endif /* NSTEER_NSTEER_H */
