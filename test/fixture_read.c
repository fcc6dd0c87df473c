// SPDX-License-Identifier: GPL-2.0-or-later
/* Readers: a process with a thread on each queue, counts in shared memory. */
#include "fixture.h"

#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_tun.h>
#include <linux/ip.h>
#include <linux/udp.h>
#include <linux/virtio_net.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture_packet.h"

#define QUIET_MS 300

/* Classes of delays: sixteen per power of two nanoseconds, 6 % apart. */
#define DELAY_BITS 4
#define DELAYS (64 << DELAY_BITS)

/* Written by the reading process, read by the test. */
struct shared {
	uint64_t total;
	uint64_t count[FX_QUEUES][FX_SENDERS][FX_FLOWS];
	uint64_t delay[DELAYS];
	uint8_t queue_of[FX_SENDERS][FX_TRACE]; /* plus one */
};

struct fx_readers {
	pid_t pid;
	int ctl;
	struct shared *shared;
};

static void *shared_memory(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		fx_die("memory: %s", strerror(errno));
	return p;
}

/* ---- in the reading process ---- */

struct queue {
	int fd;
	int index;
	size_t offset; /* of the payload in what is read */
	bool stop;
	pthread_t thread;
	struct shared *shared;
};

static struct queue queues[FX_QUEUES];

static unsigned int delay_class(uint64_t ns)
{
	unsigned int exp = 63 - __builtin_clzll(ns | 1);

	if (exp < DELAY_BITS)
		return ns;
	return exp << DELAY_BITS |
	       (ns >> (exp - DELAY_BITS) & ((1 << DELAY_BITS) - 1));
}

static double delay_of_class(unsigned int c)
{
	unsigned int exp = c >> DELAY_BITS;
	uint64_t low = c & ((1 << DELAY_BITS) - 1);

	if (exp < DELAY_BITS)
		return c;
	return (low + (1 << DELAY_BITS) + 1) * (double)(1ull << exp) /
	       (1 << DELAY_BITS);
}

static void take(struct queue *q, const char *frame, size_t len)
{
	struct shared *sh = q->shared;
	struct fx_payload p;

	if (len < q->offset + sizeof(p))
		return;
	memcpy(&p, frame + q->offset, sizeof(p));
	if (p.magic != FX_MAGIC || p.sender >= FX_SENDERS || p.flow >= FX_FLOWS)
		return;
	__atomic_fetch_add(&sh->count[q->index][p.sender][p.flow], 1,
			   __ATOMIC_RELAXED);
	if (p.sent_ns)
		__atomic_fetch_add(
			&sh->delay[delay_class(fx_now_ns() - p.sent_ns)], 1,
			__ATOMIC_RELAXED);
	if (p.number < FX_TRACE)
		sh->queue_of[p.sender][p.number] = q->index + 1;
	__atomic_fetch_add(&sh->total, 1, __ATOMIC_RELEASE);
}

static void *read_queue(void *arg)
{
	struct queue *q = arg;
	struct pollfd pfd = { .fd = q->fd, .events = POLLIN };
	char frame[2048];
	ssize_t n;

	while (!__atomic_load_n(&q->stop, __ATOMIC_ACQUIRE)) {
		n = read(q->fd, frame, sizeof(frame));
		if (n > 0) {
			take(q, frame, n);
			continue;
		}
		/* A detached queue is always ready, with an error. */
		if (poll(&pfd, 1, 20) > 0 && pfd.revents & POLLERR)
			usleep(1000);
	}
	return NULL;
}

static size_t payload_offset(unsigned int flags)
{
	size_t offset = sizeof(struct iphdr) + sizeof(struct udphdr);

	if (flags & IFF_TAP)
		offset += ETH_HLEN;
	if (!(flags & IFF_NO_PI))
		offset += sizeof(struct tun_pi);
	if (flags & IFF_VNET_HDR)
		offset += sizeof(struct virtio_net_hdr);
	return offset;
}

static bool is_kept(int fd, int ctl, int n)
{
	int i;

	for (i = 0; i < n; i++)
		if (queues[i].fd == fd)
			return true;
	return fd == ctl;
}

/* What the test holds, other devices' queues too, is not this one's. */
static void close_others(int ctl, int n)
{
	int fd;

	for (fd = 3; fd < 1024; fd++)
		if (!is_kept(fd, ctl, n))
			close(fd);
}

static int close_queue(struct queue *q)
{
	__atomic_store_n(&q->stop, true, __ATOMIC_RELEASE);
	pthread_join(q->thread, NULL);
	return close(q->fd) ? -errno : 0;
}

static int pin_queue(struct queue *q, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return -pthread_setaffinity_np(q->thread, sizeof(set), &set);
}

struct command {
	char what;
	int queue;
	int cpu;
};

static void obey(int ctl)
{
	struct command c;
	int ret;

	while (read(ctl, &c, sizeof(c)) == sizeof(c)) {
		if (c.what == 'c')
			ret = close_queue(&queues[c.queue]);
		else if (c.what == 'p')
			ret = pin_queue(&queues[c.queue], c.cpu);
		else
			ret = fx_queue(queues[c.queue].fd, c.what == 'a');
		if (write(ctl, &ret, sizeof(ret)) != sizeof(ret))
			break;
	}
	_exit(0);
}

struct what_to_read {
	const int *fds; /* NULL: open name */
	const char *name;
	unsigned int flags;
	int n;
};

static void reading_process(const struct what_to_read *w, int ctl,
			    struct shared *shared)
{
	int i, ready = 0;

	prctl(PR_SET_NAME, FX_READER_COMM);
	for (i = 0; w->fds && i < w->n; i++)
		queues[i].fd = w->fds[i];
	close_others(ctl, w->fds ? w->n : 0);
	for (i = 0; i < w->n; i++) {
		struct queue *q = &queues[i];

		if (!w->fds)
			q->fd = fx_tun_open(w->name, w->flags);
		if (q->fd < 0)
			fx_die("%s: queue %d: %s", w->name, i,
			       strerror(-q->fd));
		q->index = i;
		q->offset = payload_offset(w->flags);
		q->shared = shared;
		if (pthread_create(&q->thread, NULL, read_queue, q))
			fx_die("no thread");
	}
	if (write(ctl, &ready, sizeof(ready)) == sizeof(ready))
		obey(ctl);
	_exit(1);
}

/* ---- in the test ---- */

static struct fx_readers *start(const struct what_to_read *w)
{
	struct fx_readers *r = calloc(1, sizeof(*r));
	int sv[2], ready;

	if (!r || w->n > FX_QUEUES)
		fx_die("%d readers", w->n);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sv))
		fx_die("socketpair: %s", strerror(errno));
	r->shared = shared_memory(sizeof(*r->shared));
	r->pid = fx_fork();
	if (!r->pid)
		reading_process(w, sv[1], r->shared);
	close(sv[1]);
	r->ctl = sv[0];
	if (read(r->ctl, &ready, sizeof(ready)) != sizeof(ready))
		fx_die("the readers did not start");
	return r;
}

struct fx_readers *fx_read_fds(const int *fds, int n, unsigned int flags)
{
	return start(&(struct what_to_read){ .fds = fds, .n = n,
					     .flags = flags });
}

struct fx_readers *fx_read_open(const char *name, unsigned int flags, int n)
{
	return start(&(struct what_to_read){ .name = name, .n = n,
					     .flags = flags });
}

void fx_readers_end(struct fx_readers *r)
{
	close(r->ctl);
	waitpid(r->pid, NULL, 0);
	munmap(r->shared, sizeof(*r->shared));
	free(r);
}

pid_t fx_readers_pid(const struct fx_readers *r)
{
	return r->pid;
}

static void order(struct fx_readers *r, char what, int i, int cpu)
{
	struct command c = { .what = what, .queue = i, .cpu = cpu };
	int ret;

	if (write(r->ctl, &c, sizeof(c)) != sizeof(c) ||
	    read(r->ctl, &ret, sizeof(ret)) != sizeof(ret))
		fx_die("the readers are gone");
	if (ret)
		fx_die("'%c' of queue %d: %s", what, i, strerror(-ret));
}

void fx_readers_attach(struct fx_readers *r, int i)
{
	order(r, 'a', i, 0);
}

void fx_readers_detach(struct fx_readers *r, int i)
{
	order(r, 'd', i, 0);
}

void fx_readers_close(struct fx_readers *r, int i)
{
	order(r, 'c', i, 0);
}

void fx_readers_pin(struct fx_readers *r, int i, int cpu)
{
	order(r, 'p', i, cpu);
}

uint64_t fx_total(const struct fx_readers *r)
{
	return __atomic_load_n(&r->shared->total, __ATOMIC_ACQUIRE);
}

void fx_wait(struct fx_readers *r, uint64_t packets)
{
	uint64_t seen = fx_total(r), now;
	int quiet = 0;

	while ((now = fx_total(r)) < packets && quiet < QUIET_MS) {
		quiet = now == seen ? quiet + 1 : 0;
		seen = now;
		usleep(1000);
	}
}

void fx_clear(struct fx_readers *r)
{
	memset(r->shared, 0, offsetof(struct shared, queue_of));
}

uint64_t fx_count(const struct fx_readers *r, int queue, int sender, int flow)
{
	return __atomic_load_n(&r->shared->count[queue][sender][flow],
			       __ATOMIC_RELAXED);
}

uint64_t fx_from(const struct fx_readers *r, int queue, int sender)
{
	uint64_t sum = 0;
	int flow;

	for (flow = 0; flow < FX_FLOWS; flow++)
		sum += fx_count(r, queue, sender, flow);
	return sum;
}

uint64_t fx_on_queue(const struct fx_readers *r, int queue)
{
	uint64_t sum = 0;
	int sender;

	for (sender = 0; sender < FX_SENDERS; sender++)
		sum += fx_from(r, queue, sender);
	return sum;
}

int fx_spread(const struct fx_readers *r, int n, int sender)
{
	int queue, used = 0;

	for (queue = 0; queue < n; queue++)
		used += fx_from(r, queue, sender) > 0;
	return used;
}

double fx_delay_us(const struct fx_readers *r, double part)
{
	const uint64_t *delay = r->shared->delay;
	uint64_t all = 0, sum = 0;
	unsigned int i;

	for (i = 0; i < DELAYS; i++)
		all += delay[i];
	for (i = 0; i < DELAYS; i++) {
		sum += delay[i];
		if (sum && sum >= part * all)
			return delay_of_class(i) / 1000;
	}
	return 0;
}

int fx_arrival(const struct fx_readers *r, int sender, uint64_t packet)
{
	if (packet >= FX_TRACE)
		fx_die("packet %llu is not kept track of",
		       (unsigned long long)packet);
	return r->shared->queue_of[sender][packet] - 1;
}
