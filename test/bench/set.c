// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench_set ROUNDS: how long a set takes inside a program, by the way to the
 * queue; each one is a real change of the policy, the looks at the present
 * owner included.
 */
#include <linux/if_tun.h>
#include <nsteer/tun.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/stat.h"
#include "fixture.h"

#define FLAGS (IFF_TAP | IFF_NO_PI | IFF_MULTI_QUEUE)

static struct nsteer *open_context(void)
{
	struct nsteer *ns;

	if (nsteer_open(NULL, &ns))
		fx_die("nsteer_open: %s", nsteer_errmsg(ns));
	return ns;
}

/* The i-th set, not the same as the one before. */
static void set(struct nsteer *ns, uint32_t ifindex, int queue_fd, int i)
{
	NSTEER_OPTS(nsteer_tun_steering_opts, o,
		    .policy = i % 2 ? NSTEER_TUN_POLICY_FIXED
				    : NSTEER_TUN_POLICY_CPU);
	int err;

	if (queue_fd < 0)
		err = nsteer_tun_steering_set(ns, ifindex, &o);
	else
		err = nsteer_tun_steering_set_fd(ns, queue_fd, &o);
	if (err)
		fx_die("set: %s", nsteer_errmsg(ns));
}

static void tell(const char *label, struct stat_series *s)
{
	printf("%-44s %8.3f %8.3f-%8.3f\n", label, stat_at(s, 0.5),
	       stat_at(s, 0), stat_at(s, 1));
}

static void measure(const char *label, uint32_t ifindex, int queue_fd,
		    int rounds)
{
	static struct stat_series first, later;
	struct nsteer *ns = NULL;
	uint64_t start;
	char line[64];
	int i;

	first.n = later.n = 0;
	for (i = 0; i < rounds; i++) {
		start = fx_now_ns();
		ns = open_context();
		set(ns, ifindex, queue_fd, i);
		stat_add(&first, (fx_now_ns() - start) / 1e6);
		nsteer_close(ns);
	}
	ns = open_context();
	set(ns, ifindex, queue_fd, rounds);
	for (i = rounds + 1; i <= 2 * rounds; i++) {
		start = fx_now_ns();
		set(ns, ifindex, queue_fd, i);
		stat_add(&later, (fx_now_ns() - start) / 1e6);
	}
	nsteer_close(ns);
	snprintf(line, sizeof(line), "%s: open and first set", label);
	tell(line, &first);
	snprintf(line, sizeof(line), "%s: later set", label);
	tell(line, &later);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 100, fd;
	struct fx_readers *r;
	uint32_t ifindex;

	fx_netns();
	ifindex = fx_tun_make("t0", FLAGS);
	printf("%-44s %8s %17s\n", "", "ms", "min-max");
	measure("device that nobody holds", ifindex, -1, rounds);
	r = fx_read_open("t0", FLAGS, 2);
	measure("device of another process", ifindex, -1, rounds);
	fx_readers_end(r);
	fd = fx_tun_open("t0", FLAGS);
	measure("caller's descriptor", ifindex, fd, rounds);
	return 0;
}
