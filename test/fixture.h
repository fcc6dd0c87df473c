/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Devices, readers and senders for tests and benchmarks that send packets.
 *
 * All of it happens in a network namespace of the calling process, and every
 * child dies with it, so nothing is left however the process ends. What goes
 * wrong in here is no finding about nsteer: it ends the process with a message.
 */
#ifndef NST_FIXTURE_H
#define NST_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define FX_QUEUES 16
#define FX_SENDERS 8
#define FX_FLOWS 64

void fx_die(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/* Run a command line of the shell; its exit status. */
int fx_sh(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- namespaces ---- */

/* A change of the user takes it back: say it again. */
void fx_end_with_parent(void);
/* A namespace of its own for this process, loopback up, no IPv6. */
void fx_netns(void);
/* Of the calling thread; close-on-exec. */
int fx_netns_fd(void);
/* Does the calling thread stand in the namespace behind fd? */
bool fx_in_netns(int fd);
void fx_enter_netns(int fd);

/*
 * A mount namespace of its own in which /dev/net holds a tun node of this mode;
 * 0: none at all.
 */
void fx_private_dev(mode_t mode);

/* fork(), and the child dies with this process. */
pid_t fx_fork(void);

/* ---- devices, by ioctl alone ---- */

/* A queue; negative errno. flags: IFF_*, as they are. */
int fx_tun_open(const char *name, unsigned int flags);
/* The same, persistent and closed again; returns the ifindex. */
uint32_t fx_tun_make(const char *name, unsigned int flags);
void fx_persist(int queue_fd, bool on);
/* Attach or detach; negative errno. */
int fx_queue(int queue_fd, bool attach);
uint32_t fx_ifindex(const char *name);
void fx_rename(const char *from, const char *to);
/* IFF_* of the interface, and set some of them. */
unsigned int fx_flags(const char *name);
/*
 * Up with the address 10.99.NET.1/24 and, for Ethernet, a neighbour
 * 10.99.NET.2 that needs no ARP.
 */
void fx_up(const char *name, int net);
void fx_txqlen(const char *name, int len);
/* The first queue of a device that is up brings the carrier a moment later. */
void fx_wait_running(const char *name);

/* ---- readers: a process with a thread on each queue ---- */

/* Its name, which is not made for those who parse /proc by blanks. */
#define FX_READER_COMM "tap) R 1 (fx"

struct fx_readers;

/* The queues are the caller's; both processes hold them. */
struct fx_readers *fx_read_fds(const int *fds, int n, unsigned int flags);
/* The queues are opened by the process that reads them, and only there. */
struct fx_readers *fx_read_open(const char *name, unsigned int flags, int n);
void fx_readers_end(struct fx_readers *r);
pid_t fx_readers_pid(const struct fx_readers *r);
/* Attach, detach, close the queue i there. */
void fx_readers_attach(struct fx_readers *r, int i);
void fx_readers_detach(struct fx_readers *r, int i);
void fx_readers_close(struct fx_readers *r, int i);

/* Tie the reader of the queue i to a CPU. */
void fx_readers_pin(struct fx_readers *r, int i, int cpu);

/* Wait until so many packets came, or none came for a while. */
void fx_wait(struct fx_readers *r, uint64_t packets);
void fx_clear(struct fx_readers *r);
uint64_t fx_total(const struct fx_readers *r);
uint64_t fx_on_queue(const struct fx_readers *r, int queue);
uint64_t fx_from(const struct fx_readers *r, int queue, int sender);
uint64_t fx_count(const struct fx_readers *r, int queue, int sender, int flow);
/* On how many of the first n queues did packets of this sender arrive? */
int fx_spread(const struct fx_readers *r, int n, int sender);

/* How long this part of the timed packets took at most, in microseconds. */
double fx_delay_us(const struct fx_readers *r, double part);

/* ---- senders ---- */

/* CPUs that this process may use; returns how many, at most max. */
int fx_cpus(int *cpus, int max);
void fx_pin(int cpu);

/*
 * Send so many packets over so many UDP flows in turn from this CPU, to
 * 10.99.NET.2, and wait for the end of it. Returns what was sent.
 */
uint64_t fx_send(int cpu, int sender, int net, int flows, uint64_t packets);

/*
 * A steady stream from a thread on this CPU. Each packet has a number, and what
 * *epoch was before and after it was sent is kept for it; where it arrived
 * tells fx_arrival(). pps 0: as fast as it goes.
 */
struct fx_stream;
struct fx_stream_opts {
	int cpu;
	int sender;
	int net;
	int flows;
	unsigned int pps;
	bool timed; /* for fx_delay_us() */
	const uint32_t *epoch;
};

#define FX_TRACE (1 << 20) /* packets of a stream that are kept track of */

struct fx_stream *fx_stream_start(const struct fx_stream_opts *opts);
/* Returns what was sent; the stream stays readable until fx_stream_free(). */
uint64_t fx_stream_stop(struct fx_stream *s);
void fx_stream_free(struct fx_stream *s);
void fx_stream_epochs(const struct fx_stream *s, uint64_t packet,
		      uint32_t *before, uint32_t *after);
/* The queue; -1: nowhere. */
int fx_arrival(const struct fx_readers *r, int sender, uint64_t packet);

uint64_t fx_now_ns(void);

#endif /* NST_FIXTURE_H */
