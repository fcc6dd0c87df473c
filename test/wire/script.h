/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scripted kernel below the netlink core: what it answers is written down
 * before the call, what it was asked can be looked at after it.
 */
#ifndef NST_SCRIPT_H
#define NST_SCRIPT_H

#include <stdarg.h>
#include <string.h>

#include "core/nl.h"
#include "harness.h"

#define SCRIPT_PORTID 4242
#define SCRIPT_STEPS 24
#define SCRIPT_BYTES 16384
#define SCRIPT_MSGS 32

enum step_kind {
	STEP_DATAGRAM,	/* recv gives these bytes */
	STEP_ERRNO,	/* recv fails */
	STEP_REOPEN,	/* a fresh socket is asked for; err: it fails */
	STEP_SEND_FAIL, /* send fails */
};

struct step {
	enum step_kind kind;
	int err;
	int flags; /* of msghdr */
	uint32_t from_pid;
	uint32_t from_groups;
	size_t len;
	unsigned char data[SCRIPT_BYTES];
	/* Headers that get the seq and port of the request at recv. */
	size_t live[SCRIPT_MSGS];
	size_t n_live;
};

struct script {
	struct nsteer *ns;
	/* Also the context's rtnetlink socket; NULL: it was given away. */
	struct nst_nl *nl;
	struct step step[SCRIPT_STEPS];
	size_t n_steps;
	size_t next;
	struct nlmsghdr *last; /* message under construction */

	/* What was seen. */
	unsigned char sent[NST_NL_REQSIZE];
	uint32_t seq;
	uint32_t portid;
	unsigned int sends;
	unsigned int reopens;
	unsigned int closes;
	size_t least_offered; /* by recv, in bytes */
	char log[256];
};

/* A context whose rtnetlink socket is the script; NULL reopen when bare. */
struct script *script_new(bool bare);
/* Every step was taken; frees. */
void script_end(struct script *s);

/* Each begins the next step. */
struct step *say_datagram(struct script *s);
void say_errno(struct script *s, int err);
void say_reopen(struct script *s, int err);
void say_send_fail(struct script *s, int err);

/* Add to the datagram: a message, an attribute of it, any bytes. */
struct nlmsghdr *put_msg(struct script *s, uint16_t type, uint16_t flags,
			 const void *payload, size_t len);
void put_attr(struct script *s, uint16_t type, const void *data, size_t len);
void put_attr_u32(struct script *s, uint16_t type, uint32_t v);
void put_raw(struct script *s, const void *data, size_t len);

/* Common messages. */
void put_number(struct script *s, uint16_t flags, uint32_t v);
void put_done(struct script *s, uint16_t flags, int code);
void put_error(struct script *s, uint16_t flags, int code);
void say_ack(struct script *s);

const struct nlmsghdr *script_sent(const struct script *s);

/* Collects what put_number() made; fails at a given number. */
struct numbers {
	uint32_t v[32];
	size_t n;
	unsigned int resets;
	uint32_t fail_at;
	int fail_with;
};

int numbers_take(const struct nlmsghdr *nlh, void *data);
void numbers_reset(void *data);

int script_talk(struct script *s, uint16_t flags, struct numbers *got);
int script_dump(struct script *s, struct numbers *got);

#endif /* NST_SCRIPT_H */
