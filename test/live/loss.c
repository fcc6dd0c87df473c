// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 1000 sets under steady traffic: is a packet lost, or on a queue that neither
 * the policy before it was sent nor the one after allows? The figures that the
 * README gives come from here.
 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "live.h"

#define SETS 1000
#define QUEUES 4
#define FLOWS 32
#define PPS 15000
#define FIXED 7 /* queue 3 of 4, but 2 of 5: an extra queue shows */

enum way { CALLER, HOLDER, OWN };

static const char *const way_name[] = {
	"the caller's descriptor",
	"a holder's descriptor",
	"a queue of its own",
};

struct figures {
	uint64_t sent, lost, wrong;
};

/*
 * Policy 0 is what the device starts with. The epoch is twice the policy in
 * force, plus one while the next one is being set.
 */
static enum nsteer_tun_policy policy_of(uint32_t i)
{
	static const enum nsteer_tun_policy cycle[] = {
		NSTEER_TUN_POLICY_AUTOMQ,
		NSTEER_TUN_POLICY_FIXED,
		NSTEER_TUN_POLICY_CPU,
		NSTEER_TUN_POLICY_FIXED,
	};

	return cycle[i % 4];
}

static bool allows(uint32_t i, int cpu, int queue)
{
	switch (policy_of(i)) {
	case NSTEER_TUN_POLICY_CPU:
		return queue == cpu % QUEUES;
	case NSTEER_TUN_POLICY_FIXED:
		return queue == FIXED % QUEUES;
	default:
		return true;
	}
}

static bool is_wrong(const struct fx_stream *s, uint64_t packet, int cpu,
		     int queue)
{
	uint32_t before, after, i;

	fx_stream_epochs(s, packet, &before, &after);
	for (i = before / 2; i <= (after + 1) / 2; i++)
		if (allows(i, cpu, queue))
			return false;
	return true;
}

static void count(const struct fx_readers *r, const struct fx_stream *s,
		  int sender, int cpu, uint64_t sent, struct figures *f)
{
	uint64_t i;
	int queue;

	f->sent += sent;
	for (i = 0; i < sent; i++) {
		queue = fx_arrival(r, sender, i);
		if (queue < 0)
			f->lost++;
		else if (is_wrong(s, i, cpu, queue))
			f->wrong++;
	}
}

static void set_many(struct nsteer *ns, uint32_t ifindex, int queue_fd,
		     uint32_t *epoch)
{
	enum nsteer_tun_policy policy;
	uint32_t i, queue;
	int err;

	for (i = 1; i <= SETS; i++) {
		policy = policy_of(i);
		queue = policy == NSTEER_TUN_POLICY_FIXED ? FIXED : 0;
		__atomic_store_n(epoch, 2 * i - 1, __ATOMIC_SEQ_CST);
		if (queue_fd < 0)
			err = lv_set(ns, ifindex, policy, queue);
		else
			err = lv_set_fd(ns, queue_fd, policy, queue);
		__atomic_store_n(epoch, 2 * i, __ATOMIC_SEQ_CST);
		usleep(1000);
		ck_assert_msg(!err, "set %u: %d: %s", i, err,
			      nsteer_errmsg(ns));
	}
}

static struct figures measure(enum way way, struct fx_readers *r, int queue_fd)
{
	struct figures f = { 0 };
	struct fx_stream *s[2];
	struct nsteer *ns;
	uint32_t epoch = 0;
	uint64_t sent[2];
	int cpus[2], i;

	lv_two_cpus(cpus);
	fx_up("t0", 1);
	if (way == OWN)
		lv_drop(CAP_SYS_PTRACE);
	ns = lv_open(NULL);
	for (i = 0; i < 2; i++)
		s[i] = fx_stream_start(&(struct fx_stream_opts){
			.cpu = cpus[i], .sender = i, .net = 1, .flows = FLOWS,
			.pps = PPS, .epoch = &epoch });
	usleep(100000);
	set_many(ns, fx_ifindex("t0"), queue_fd, &epoch);
	usleep(100000);
	for (i = 0; i < 2; i++) {
		sent[i] = fx_stream_stop(s[i]);
		ck_assert_uint_gt(sent[i], SETS);
		ck_assert_uint_lt(sent[i], FX_TRACE);
	}
	fx_wait(r, sent[0] + sent[1]);
	for (i = 0; i < 2; i++) {
		count(r, s[i], i, cpus[i], sent[i], &f);
		fx_stream_free(s[i]);
	}
	nsteer_close(ns);
	return f;
}

START_TEST(thousand_sets)
{
	const enum way way = _i;
	struct fx_readers *r;
	struct figures f;
	int fds[QUEUES], i;

	nst_need_root();
	fx_netns();
	if (way == CALLER) {
		for (i = 0; i < QUEUES; i++)
			fds[i] = fx_tun_open("t0", TAP_MQ);
		r = fx_read_fds(fds, QUEUES, TAP_MQ);
	} else {
		fx_tun_make("t0", TAP_MQ);
		r = fx_read_open("t0", TAP_MQ, QUEUES);
	}
	f = measure(way, r, way == CALLER ? fds[2] : -1);
	printf("loss: %d sets through %s: %llu packets, %llu lost, "
	       "%llu misdelivered\n",
	       SETS, way_name[way], (unsigned long long)f.sent,
	       (unsigned long long)f.lost, (unsigned long long)f.wrong);
	fflush(stdout);
	fx_readers_end(r);
	if (way != OWN) {
		ck_assert_uint_eq(f.lost, 0);
		ck_assert_uint_eq(f.wrong, 0);
	}
	/* It is open for a fraction of a millisecond each time. */
	ck_assert_uint_le(f.lost, f.sent / 50);
	ck_assert_uint_le(f.wrong, f.sent / 10);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("loss");
	TCase *tc = tcase_create("loss");

	tcase_set_timeout(tc, 240);
	tcase_add_loop_test(tc, thousand_sets, CALLER, OWN + 1);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
