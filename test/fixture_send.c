// SPDX-License-Identifier: GPL-2.0-or-later
/* Senders: UDP flows from a thread that is tied to a CPU. */
#include "fixture.h"

#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fixture_packet.h"

int fx_cpus(int *cpus, int max)
{
	cpu_set_t set;
	int cpu, n = 0;

	if (sched_getaffinity(0, sizeof(set), &set))
		fx_die("affinity: %s", strerror(errno));
	for (cpu = 0; cpu < CPU_SETSIZE && n < max; cpu++)
		if (CPU_ISSET(cpu, &set))
			cpus[n++] = cpu;
	return n;
}

void fx_pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		fx_die("CPU %d: %s", cpu, strerror(errno));
}

struct fx_stream {
	struct fx_stream_opts o;
	uint64_t limit;
	pthread_t thread;
	int fd[FX_FLOWS];
	bool stop;
	uint64_t sent;
	uint32_t (*epochs)[2]; /* FX_TRACE; NULL: not kept */
};

static void open_flows(struct fx_stream *s)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons(FX_PORT) };
	char text[INET_ADDRSTRLEN];
	int i;

	snprintf(text, sizeof(text), "10.99.%d.2", s->o.net);
	inet_pton(AF_INET, text, &to.sin_addr);
	for (i = 0; i < s->o.flows; i++) {
		s->fd[i] = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
		if (s->fd[i] < 0 ||
		    connect(s->fd[i], (struct sockaddr *)&to, sizeof(to)))
			fx_die("%s: %s", text, strerror(errno));
	}
}

static uint32_t epoch(const struct fx_stream *s)
{
	return s->o.epoch ? __atomic_load_n(s->o.epoch, __ATOMIC_SEQ_CST) : 0;
}

static void send_one(struct fx_stream *s)
{
	struct fx_payload p = { .magic = FX_MAGIC, .sender = s->o.sender,
			     .flow = s->sent % s->o.flows, .number = s->sent };
	uint32_t before = epoch(s);

	if (s->o.timed)
		p.sent_ns = fx_now_ns();
	if (send(s->fd[p.flow], &p, sizeof(p), 0) != sizeof(p)) {
		if (errno != ENOBUFS && errno != EAGAIN)
			fx_die("send: %s", strerror(errno));
		return;
	}
	if (s->epochs) {
		s->epochs[s->sent][0] = before;
		s->epochs[s->sent][1] = epoch(s);
	}
	s->sent++;
}

static void *send_all(void *arg)
{
	struct fx_stream *s = arg;
	uint64_t start = fx_now_ns();

	fx_pin(s->o.cpu);
	while (s->sent < s->limit &&
	       !__atomic_load_n(&s->stop, __ATOMIC_ACQUIRE)) {
		if (s->o.pps && s->sent * 1000000000ull / s->o.pps >
					fx_now_ns() - start)
			usleep(50);
		else
			send_one(s);
	}
	return NULL;
}

static struct fx_stream *stream(const struct fx_stream_opts *opts,
				uint64_t limit)
{
	struct fx_stream *s = calloc(1, sizeof(*s));

	if (!s || opts->flows > FX_FLOWS || opts->sender >= FX_SENDERS)
		fx_die("%d flows of sender %d", opts->flows, opts->sender);
	s->o = *opts;
	s->limit = limit;
	if (opts->epoch)
		s->epochs = calloc(FX_TRACE, sizeof(*s->epochs));
	if (opts->epoch && !s->epochs)
		fx_die("no memory");
	open_flows(s);
	if (pthread_create(&s->thread, NULL, send_all, s))
		fx_die("no thread");
	return s;
}

struct fx_stream *fx_stream_start(const struct fx_stream_opts *opts)
{
	return stream(opts, opts->epoch ? FX_TRACE : UINT64_MAX);
}

uint64_t fx_stream_stop(struct fx_stream *s)
{
	__atomic_store_n(&s->stop, true, __ATOMIC_RELEASE);
	pthread_join(s->thread, NULL);
	return s->sent;
}

void fx_stream_free(struct fx_stream *s)
{
	int i;

	for (i = 0; i < s->o.flows; i++)
		close(s->fd[i]);
	free(s->epochs);
	free(s);
}

void fx_stream_epochs(const struct fx_stream *s, uint64_t packet,
		      uint32_t *before, uint32_t *after)
{
	*before = s->epochs[packet][0];
	*after = s->epochs[packet][1];
}

uint64_t fx_send(int cpu, int sender, int net, int flows, uint64_t packets)
{
	struct fx_stream_opts o = { .cpu = cpu, .sender = sender, .net = net,
				    .flows = flows };
	struct fx_stream *s = stream(&o, packets);
	uint64_t sent;

	pthread_join(s->thread, NULL);
	sent = s->sent;
	fx_stream_free(s);
	return sent;
}
