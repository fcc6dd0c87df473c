/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the live tier share. */
#ifndef NST_LIVE_H
#define NST_LIVE_H

#include <linux/if_tun.h>
#include <nsteer/tun.h>
#include <string.h>
#include <sys/capability.h>

#include "fixture.h"
#include "harness.h"

#define TAP_MQ (IFF_TAP | IFF_NO_PI | IFF_MULTI_QUEUE)
#define TUN_MQ (IFF_TUN | IFF_NO_PI | IFF_MULTI_QUEUE)
#define TAP_ONE (IFF_TAP | IFF_NO_PI)

/* ---- contexts ---- */

struct lv_log {
	char warnings[4096];
	int count;
};

/* In the calling thread's namespace; log may be NULL. */
struct nsteer *lv_open(struct lv_log *log);
struct nsteer *lv_open_opts(const struct nsteer_open_opts *opts);

/* What the process has in memory. */
long lv_rss_kb(void);

#define lv_ok(ns, call)                                                        \
	do {                                                                   \
		int lv_err_ = (call);                                          \
		ck_assert_msg(lv_err_ == 0, "%s: %d: %s", #call, lv_err_,      \
			      nsteer_errmsg(ns));                              \
	} while (0)

/* Fails with this errno and a sentence that holds these words. */
#define lv_fails(ns, call, err, words)                                         \
	do {                                                                   \
		int lv_err_ = (call);                                          \
		ck_assert_msg(lv_err_ == (err), "%s: %d, not %d: %s", #call,   \
			      lv_err_, (err), nsteer_errmsg(ns));              \
		ck_assert_str_ne(nsteer_errmsg(ns), "");                       \
		lv_says(nsteer_errmsg(ns), words);                             \
	} while (0)

#define lv_says(text, words)                                                   \
	ck_assert_msg(strstr(text, words) != NULL,                             \
		      "\"%s\" does not say \"%s\"", text, words)

/* ---- steering ---- */

int lv_set(struct nsteer *ns, uint32_t ifindex, enum nsteer_tun_policy policy,
	   uint32_t queue);
int lv_set_fd(struct nsteer *ns, int fd, enum nsteer_tun_policy policy,
	      uint32_t queue);
/* What get says; the program's id. */
uint32_t lv_policy_is(struct nsteer *ns, uint32_t ifindex,
		      enum nsteer_tun_policy policy, uint32_t queue);
/* The CPUs to send from: two, or the test is skipped. */
void lv_two_cpus(int cpus[2]);

/* Everything that is sent arrives on this queue of the readers. */
void lv_lands_on(struct fx_readers *r, int net, int queue);
void lv_open_queues(int *fds, int n, const char *name, unsigned int flags);

/* ---- what rtnetlink says, read without nsteer ---- */

struct lv_link {
	uint32_t ifindex;
	unsigned int flags; /* IFF_* of the interface */
	uint8_t type;	    /* IFF_TUN, IFF_TAP; 0: no tun/tap */
	bool pi, vnet_hdr, persist, multi_queue;
	bool has_user, has_group, has_queues;
	uint32_t user, group, queues, disabled;
};

/* False: there is no such device. */
bool lv_link(const char *name, struct lv_link *out);
uint32_t lv_active(const char *name);
/* RTM_DELLINK; negative errno. */
int lv_link_del(uint32_t ifindex);

/* ---- what the kernel tells while it happens ---- */

/*
 * Each change of a device's active queues is a uevent, each change of its
 * carrier a RTM_NEWLINK.
 */
struct lv_watch {
	int uevent;
	int rtnl;
	unsigned int queues_added;   /* with the first one of a new device */
	unsigned int queues_removed;
	unsigned int carrier_up;
	unsigned int carrier_down;
	bool running;
};

void lv_watch_start(struct lv_watch *w, const char *name);
/* The kernel tells of the carrier up to a second later. */
void lv_watch_settle(void);
/* Count what happened since. */
void lv_watch_read(struct lv_watch *w, const char *name);
void lv_watch_end(struct lv_watch *w);

/* A socket that gets every RTM_NEWLINK; the next one's device, 0: none. */
int lv_newlinks(void);
uint32_t lv_newlink_next(int fd);

/* ---- programs of somebody else's ---- */

/* A socket filter that returns this; its descriptor. */
int lv_foreign_prog(const char *name, uint32_t result);
void lv_attach(int queue_fd, int prog_fd); /* -1: take it off */
void lv_attach_filter(int queue_fd, int prog_fd);
uint32_t lv_prog_id(int prog_fd);
void lv_prog_tag(int prog_fd, char tag[17]);

/* ---- privileges ---- */

void lv_drop(cap_value_t cap);
/* Become this user, with no capability left. */
void lv_become(uid_t uid, gid_t gid);
/* In a child; what it asserts is the test's. */
#define lv_child(body)                                                         \
	do {                                                                   \
		pid_t lv_pid_ = fx_fork();                                     \
		if (!lv_pid_) {                                                \
			body;                                                  \
			_exit(0);                                              \
		}                                                              \
		lv_reap(lv_pid_);                                              \
	} while (0)
void lv_reap(pid_t pid);

#endif /* NST_LIVE_H */
