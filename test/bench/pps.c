// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench_pps ROUNDS SECONDS: packets through a 2-queue tap from a sender on each
 * of two CPUs, automq against cpu, in turn; then how long a packet is under
 * way when the senders do not press.
 */
#include <linux/if_tun.h>
#include <nsteer/tun.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/stat.h"
#include "fixture.h"

#define FLAGS (IFF_TAP | IFF_NO_PI | IFF_MULTI_QUEUE)
#define QUEUES 2
#define FLOWS 32
#define STEADY_PPS 10000

static const enum nsteer_tun_policy policies[] = {
	NSTEER_TUN_POLICY_AUTOMQ,
	NSTEER_TUN_POLICY_CPU,
};

struct result {
	struct stat_series sent, arrived;
	struct stat_series p50, p99;
};

static struct result results[2];

struct setup {
	struct nsteer *ns;
	struct fx_readers *r;
	uint32_t ifindex;
	int cpus[QUEUES];
};

static void set(struct setup *s, enum nsteer_tun_policy policy)
{
	NSTEER_OPTS(nsteer_tun_steering_opts, o, .policy = policy);

	if (nsteer_tun_steering_set(s->ns, s->ifindex, &o))
		fx_die("set: %s", nsteer_errmsg(s->ns));
}

/* Packets sent and arrived in a second. */
static void send_for(struct setup *s, int seconds, unsigned int pps,
		     double *sent, double *arrived)
{
	struct fx_stream *stream[QUEUES];
	uint64_t start, n = 0;
	double took;
	int i;

	fx_clear(s->r);
	start = fx_now_ns();
	for (i = 0; i < QUEUES; i++)
		stream[i] = fx_stream_start(&(struct fx_stream_opts){
			.cpu = s->cpus[i], .sender = i, .net = 1,
			.flows = FLOWS, .pps = pps, .timed = pps });
	sleep(seconds);
	for (i = 0; i < QUEUES; i++) {
		n += fx_stream_stop(stream[i]);
		fx_stream_free(stream[i]);
	}
	took = (fx_now_ns() - start) / 1e9;
	*sent = n / took;
	*arrived = fx_total(s->r) / took;
	fx_wait(s->r, n);
}

static void one_round(struct setup *s, int seconds)
{
	struct result *res;
	double sent, arrived;
	int i;

	for (i = 0; i < 2; i++) {
		res = &results[i];
		set(s, policies[i]);
		send_for(s, seconds, 0, &sent, &arrived);
		stat_add(&res->sent, sent / 1000);
		stat_add(&res->arrived, arrived / 1000);
		send_for(s, 1, STEADY_PPS, &sent, &arrived);
		stat_add(&res->p50, fx_delay_us(s->r, 0.5));
		stat_add(&res->p99, fx_delay_us(s->r, 0.99));
	}
}

static void tell(const char *label)
{
	double base = stat_at(&results[0].arrived, 0.5);
	int i;

	printf("\n%-22s %8s %8s %17s %7s %8s %8s\n", label, "sent k",
	       "came k", "min-max", "x came", "p50 us", "p99 us");
	for (i = 0; i < 2; i++) {
		struct result *r = &results[i];
		double arrived = stat_at(&r->arrived, 0.5);

		printf("%-22s %8.0f %8.0f %8.0f-%8.0f %7.2f %8.1f %8.1f\n",
		       nsteer_tun_policy_name(policies[i]),
		       stat_at(&r->sent, 0.5), arrived,
		       stat_at(&r->arrived, 0), stat_at(&r->arrived, 1),
		       arrived / base, stat_at(&r->p50, 0.5),
		       stat_at(&r->p99, 0.5));
		*r = (struct result){ 0 };
	}
}

int main(int argc, char **argv)
{
	struct setup s;
	int i, rounds, seconds;

	if (argc != 3)
		fx_die("usage: bench_pps ROUNDS SECONDS");
	rounds = atoi(argv[1]);
	seconds = atoi(argv[2]);
	if (fx_cpus(s.cpus, QUEUES) < QUEUES) {
		puts("left out: one CPU");
		return 0;
	}
	fx_netns();
	s.ifindex = fx_tun_make("t0", FLAGS);
	s.r = fx_read_open("t0", FLAGS, QUEUES);
	fx_up("t0", 1);
	fx_txqlen("t0", 1000);
	if (nsteer_open(NULL, &s.ns))
		fx_die("nsteer_open: %s", nsteer_errmsg(s.ns));
	for (i = 0; i < rounds; i++)
		one_round(&s, seconds);
	tell("readers anywhere");
	for (i = 0; i < QUEUES; i++)
		fx_readers_pin(s.r, s.cpus[i] % QUEUES, s.cpus[i]);
	for (i = 0; i < rounds; i++)
		one_round(&s, seconds);
	tell("readers on CPU = queue");
	nsteer_close(s.ns);
	fx_readers_end(s.r);
	return 0;
}
