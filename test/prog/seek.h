/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looking for who holds a queue, and processes to be found. */
#ifndef NST_TEST_SEEK_H
#define NST_TEST_SEEK_H

#include "tun/tun.h"
#include "walk.h"

#define SEEK_MAX 64

struct found {
	struct nst_holder holders[SEEK_MAX];
	int count;
	struct nst_holder_hidden hidden;
};

/* A callback for a struct found. */
int seek_keep(const struct nst_holder *holder, void *data);
struct nst_tun_link seek_link(struct nsteer *ns, const char *name);
/* name: NULL: of any device. */
void seek(struct nsteer *ns, const char *name, struct found *f);
/* It was found, once. */
const struct nst_holder *seek_one(const struct found *f, pid_t pid, int fd);
/* A callback that copies the first one that can be had. */
struct take {
	int instead; /* put this in its place before; -1: leave it there */
	int fd;	     /* or a negative errno */
	bool sure;
};

int seek_take(const struct nst_holder *holder, void *data);
/* The iterator is out of reach from here on, and that of the context too. */
void seek_in_proc(struct nsteer **ns);

/* A process that opens queues as it likes and then waits. */
struct child {
	pid_t pid;
	int from;
	int to;
};

struct child child_start(void (*body)(int out, int in));
/* Numbers between the test and the child. */
void child_tell(int fd, int value);
int child_hear(int fd);
void child_wait(void) __attribute__((noreturn));

#endif /* NST_TEST_SEEK_H */
