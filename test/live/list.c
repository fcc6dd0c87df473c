// SPDX-License-Identifier: GPL-2.0-or-later
/* What is there, what steers it, who holds it. */
#include <errno.h>
#include <pthread.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "live.h"

static struct nsteer *begin(struct lv_log *log)
{
	nst_need_root();
	fx_netns();
	return lv_open(log);
}

static struct nsteer_tun_list *list(struct nsteer *ns, uint32_t ifindex)
{
	NSTEER_OPTS(nsteer_tun_list_opts, o, .ifindex = ifindex,
		    .steering = true, .stats = true, .processes = true);
	struct nsteer_tun_list *l;

	lv_ok(ns, nsteer_tun_list(ns, &o, &l));
	ck_assert_str_eq(nsteer_errmsg(ns), "");
	return l;
}

static const struct nsteer_tun *only(const struct nsteer_tun_list *l)
{
	ck_assert_uint_eq(nsteer_tun_list_count(l), 1);
	ck_assert_ptr_null(nsteer_tun_list_get(l, 1));
	return nsteer_tun_list_get(l, 0);
}

/* ---- devices ---- */

START_TEST(empty)
{
	struct lv_log log;
	struct nsteer *ns = begin(&log);
	struct nsteer_tun_list *l = list(ns, 0);

	ck_assert_uint_eq(nsteer_tun_list_count(l), 0);
	ck_assert_ptr_null(nsteer_tun_list_get(l, 0));
	nsteer_tun_list_free(l);
	ck_assert_str_eq(log.warnings, "");
	nsteer_close(ns);
}
END_TEST

START_TEST(no_such_device)
{
	NSTEER_OPTS(nsteer_tun_list_opts, lo, .ifindex = 1);
	NSTEER_OPTS(nsteer_tun_list_opts, none, .ifindex = 777);
	struct nsteer *ns = begin(NULL);
	struct nsteer_tun_list *l = NULL;

	lv_fails(ns, nsteer_tun_list(ns, &lo, &l), -EOPNOTSUPP, "lo");
	lv_fails(ns, nsteer_tun_list(ns, &none, &l), -ENODEV, "777");
	ck_assert_ptr_null(l);
	nsteer_close(ns);
}
END_TEST

/* More than one datagram of them, others in between, in order. */
START_TEST(many)
{
	enum { N = 400 };
	static uint32_t ifindex[N];
	struct nsteer *ns = begin(NULL);
	const struct nsteer_tun *t;
	struct nsteer_tun_list *l;
	char name[16];
	int i;

	for (i = 0; i < N; i++) {
		snprintf(name, sizeof(name), "t%d", i);
		ifindex[i] = fx_tun_make(name, i % 2 ? TAP_ONE : IFF_TUN);
		if (i % 50 == 7)
			fx_sh("ip link add v%d type veth 2>/dev/null", i);
	}
	fx_rename("t10", "zzz");
	lv_ok(ns, lv_set(ns, ifindex[20], NSTEER_TUN_POLICY_FIXED, 20));
	l = list(ns, 0);
	ck_assert_uint_eq(nsteer_tun_list_count(l), N);
	for (i = 0; i < N; i++) {
		t = nsteer_tun_list_get(l, i);
		ck_assert_uint_eq(nsteer_tun_ifindex(t), ifindex[i]);
		snprintf(name, sizeof(name), "t%d", i);
		ck_assert_str_eq(nsteer_tun_ifname(t), i == 10 ? "zzz" : name);
		ck_assert_int_eq(nsteer_tun_mode(t),
				 i % 2 ? NSTEER_TUN_MODE_TAP
				       : NSTEER_TUN_MODE_TUN);
		ck_assert_ptr_nonnull(nsteer_tun_steering(t));
		ck_assert_int_eq(
			nsteer_tun_steering_policy(nsteer_tun_steering(t)),
			i == 20 ? NSTEER_TUN_POLICY_FIXED
				: NSTEER_TUN_POLICY_AUTOMQ);
	}
	nsteer_tun_list_free(l);
	nsteer_close(ns);
}
END_TEST

/* Without options nothing but rtnetlink is asked. */
START_TEST(plain)
{
	struct lv_log log;
	struct nsteer *ns = begin(&log);
	struct nsteer_tun_list *l;
	const struct nsteer_tun *t;
	uint32_t active, disabled;

	fx_tun_make("t0", TAP_MQ);
	lv_ok(ns, nsteer_tun_list(ns, NULL, &l));
	t = only(l);
	ck_assert_ptr_null(nsteer_tun_steering(t));
	ck_assert_uint_eq(nsteer_tun_stats_count(t), 0);
	ck_assert_uint_eq(nsteer_tun_process_count(t), 0);
	ck_assert_int_eq(nsteer_tun_queues(t, &active, &disabled), 0);
	ck_assert_uint_eq(active + disabled, 0);
	nsteer_tun_list_free(l);
	ck_assert_int_eq(log.count, 0);
	nsteer_close(ns);
}
END_TEST

START_TEST(queue_counts)
{
	struct nsteer *ns = begin(NULL);
	struct nsteer_tun_list *l;
	uint32_t active = 77, disabled = 77;
	struct fx_readers *r;
	uint32_t single;
	int fd;

	fx_tun_make("t0", TAP_MQ);
	r = fx_read_open("t0", TAP_MQ, 4);
	fx_readers_detach(r, 1);
	l = list(ns, 0);
	ck_assert_int_eq(nsteer_tun_queues(only(l), &active, &disabled), 0);
	ck_assert_uint_eq(active, 3);
	ck_assert_uint_eq(disabled, 1);
	ck_assert_int_eq(nsteer_tun_queues(only(l), NULL, NULL), 0);
	nsteer_tun_list_free(l);
	fx_readers_end(r);

	/* Not told by rtnetlink of a device of one queue. */
	single = fx_tun_make("t1", TAP_ONE);
	l = list(ns, single);
	ck_assert_int_eq(nsteer_tun_queues(only(l), &active, &disabled), 0);
	ck_assert_uint_eq(active, 0);
	ck_assert_uint_eq(disabled, 0);
	nsteer_tun_list_free(l);
	fd = fx_tun_open("t1", TAP_ONE);
	l = list(ns, single);
	ck_assert_int_eq(nsteer_tun_queues(only(l), &active, &disabled), 0);
	ck_assert_uint_eq(active, 1);
	nsteer_tun_list_free(l);
	close(fd);
	nsteer_close(ns);
}
END_TEST

/* ---- holders ---- */

START_TEST(processes)
{
	struct nsteer *ns = begin(NULL);
	const struct nsteer_tun_process *p;
	const struct nsteer_tun *t;
	struct nsteer_tun_list *l;
	struct fx_readers *r;
	unsigned int seen = 0, detached = 0, mine = 0;
	uint32_t queue, by_queue = 0;
	size_t i, n;
	int fd;

	fx_tun_make("t0", TAP_MQ);
	fx_tun_make("t1", TAP_MQ);
	r = fx_read_open("t0", TAP_MQ, 3);
	fd = fx_tun_open("t0", TAP_MQ);
	fx_readers_detach(r, 2);
	l = list(ns, 0);
	ck_assert_uint_eq(nsteer_tun_list_count(l), 2);
	t = nsteer_tun_list_get(l, 1);
	ck_assert_uint_eq(nsteer_tun_process_count(t), 0);
	ck_assert_ptr_null(nsteer_tun_process_get(t, 0));
	t = nsteer_tun_list_get(l, 0);
	n = nsteer_tun_process_count(t);
	ck_assert_uint_eq(n, 4);
	ck_assert_ptr_null(nsteer_tun_process_get(t, n));
	for (i = 0; i < n; i++) {
		p = nsteer_tun_process_get(t, i);
		if (nsteer_tun_process_pid(p) == getpid()) {
			mine++;
			ck_assert_int_eq(nsteer_tun_process_fd(p), fd);
			ck_assert(!nsteer_tun_process_detached(p));
		} else {
			ck_assert_int_eq(nsteer_tun_process_pid(p),
					 fx_readers_pid(r));
			ck_assert_str_eq(nsteer_tun_process_name(p),
					 FX_READER_COMM);
			seen++;
		}
		detached += nsteer_tun_process_detached(p);
		if (nsteer_tun_process_detached(p))
			ck_assert_int_eq(nsteer_tun_process_queue(p, &queue),
					 -ENODATA);
		else if (!nsteer_tun_process_queue(p, &queue))
			by_queue |= 1u << queue;
	}
	ck_assert_uint_eq(seen, 3);
	ck_assert_uint_eq(mine, 1);
	ck_assert_uint_eq(detached, 1);
	/* Each of the three active ones once, or not told at all. */
	ck_assert(by_queue == 0 || by_queue == 7);
	nsteer_tun_list_free(l);
	close(fd);
	fx_readers_end(r);
	nsteer_close(ns);
}
END_TEST

/* Which of the readers has this queue? They were opened in order of fd. */
static int reader_of(const struct nsteer_tun *t, uint32_t queue)
{
	const struct nsteer_tun_process *p;
	int rank = 0, fd = -1;
	uint32_t is;
	size_t i;

	for (i = 0; i < nsteer_tun_process_count(t); i++) {
		p = nsteer_tun_process_get(t, i);
		if (!nsteer_tun_process_queue(p, &is) && is == queue)
			fd = nsteer_tun_process_fd(p);
	}
	if (fd < 0)
		return -1;
	for (i = 0; i < nsteer_tun_process_count(t); i++)
		rank += nsteer_tun_process_fd(nsteer_tun_process_get(t, i)) <
			fd;
	return rank;
}

/* The number that is told is the one that a policy means. */
START_TEST(queue_of_a_process)
{
	enum { PACKETS = 64 };
	struct nsteer *ns = begin(NULL);
	uint32_t ifindex = fx_tun_make("t0", TAP_MQ), queue;
	struct fx_readers *r = fx_read_open("t0", TAP_MQ, 3);
	struct nsteer_tun_list *l;
	int cpu, reader;

	fx_cpus(&cpu, 1);
	fx_up("t0", 1);
	/* The last queue takes the first one's place, which comes back last. */
	fx_readers_detach(r, 0);
	fx_readers_attach(r, 0);
	l = list(ns, ifindex);
	for (queue = 0; queue < 3; queue++) {
		reader = reader_of(only(l), queue);
		if (reader < 0)
			nst_skip("kernel: does not tell the queue's number");
		lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_FIXED, queue));
		fx_clear(r);
		fx_send(cpu, 0, 1, 8, PACKETS);
		fx_wait(r, PACKETS);
		ck_assert_uint_eq(fx_on_queue(r, reader), PACKETS);
	}
	nsteer_tun_list_free(l);
	fx_readers_end(r);
	nsteer_close(ns);
}
END_TEST

/* By its other name too, which may be a long one. */
START_TEST(altname)
{
	static const char longer[] = "a-name-of-more-than-fifteen-bytes";
	struct nsteer *ns = begin(NULL);
	uint32_t ifindex = fx_tun_make("t0", TAP_MQ), found;
	struct nsteer_tun_list *l;

	if (fx_sh("ip link property add dev t0 altname %s 2>/dev/null", longer))
		nst_skip("kernel: no alternative names");
	lv_ok(ns, nsteer_link_index(ns, longer, &found));
	ck_assert_uint_eq(found, ifindex);
	l = list(ns, 0);
	ck_assert_str_eq(nsteer_tun_ifname(only(l)), "t0");
	nsteer_tun_list_free(l);
	nsteer_close(ns);
}
END_TEST

/* t0 of the same index here and there. */
START_TEST(namesakes)
{
	struct nsteer *here, *there;
	struct fx_readers *r;
	struct nsteer_tun_list *l;
	uint32_t ifindex;

	there = begin(NULL);
	ifindex = fx_tun_make("t0", TAP_MQ);
	r = fx_read_open("t0", TAP_MQ, 2);
	fx_up("t0", 1);
	here = begin(NULL);
	ck_assert_uint_eq(fx_tun_make("t0", TUN_MQ), ifindex);
	lv_ok(there, lv_set(there, ifindex, NSTEER_TUN_POLICY_CPU, 0));

	l = list(here, 0);
	ck_assert_int_eq(nsteer_tun_mode(only(l)), NSTEER_TUN_MODE_TUN);
	ck_assert_uint_eq(nsteer_tun_process_count(only(l)), 0);
	ck_assert_int_eq(
		nsteer_tun_steering_policy(nsteer_tun_steering(only(l))),
		NSTEER_TUN_POLICY_AUTOMQ);
	nsteer_tun_list_free(l);

	l = list(there, 0);
	ck_assert_int_eq(nsteer_tun_mode(only(l)), NSTEER_TUN_MODE_TAP);
	ck_assert_uint_eq(nsteer_tun_process_count(only(l)), 2);
	ck_assert_int_eq(
		nsteer_tun_steering_policy(nsteer_tun_steering(only(l))),
		NSTEER_TUN_POLICY_CPU);
	nsteer_tun_list_free(l);
	nsteer_close(here);
	nsteer_close(there);
	fx_readers_end(r);
}
END_TEST

/* ---- packets per queue ---- */

static void as_read(struct nsteer *ns, const struct fx_readers *r, int queues)
{
	struct nsteer_tun_list *l = list(ns, 0);
	const struct nsteer_tun *t = only(l);
	uint64_t packets, bytes, frame;
	uint32_t queue;
	int i;

	ck_assert_uint_eq(nsteer_tun_stats_count(t), queues);
	ck_assert_int_eq(nsteer_tun_stats_get(t, queues, &queue, &packets,
					      &bytes), -ERANGE);
	for (i = 0; i < queues; i++) {
		ck_assert_int_eq(nsteer_tun_stats_get(t, i, &queue, &packets,
						      &bytes), 0);
		ck_assert_uint_eq(queue, i);
		ck_assert_uint_eq(packets, fx_on_queue(r, i));
		frame = packets ? bytes / packets : 0;
		ck_assert_uint_eq(bytes, packets * frame);
		ck_assert(!packets || (frame >= 60 && frame <= 100));
	}
	nsteer_tun_list_free(l);
}

START_TEST(stats)
{
	enum { QUEUES = 4, PACKETS = 640 };
	struct nsteer *ns = begin(NULL);
	uint32_t ifindex = fx_tun_make("t0", _i ? TUN_MQ : TAP_MQ);
	struct fx_readers *r =
		fx_read_open("t0", _i ? TUN_MQ : TAP_MQ, QUEUES);
	struct nsteer_tun_list *l;
	uint64_t sent;
	int cpu;

	fx_cpus(&cpu, 1);
	fx_up("t0", 1);
	as_read(ns, r, QUEUES);
	sent = fx_send(cpu, 0, 1, 32, PACKETS);
	fx_wait(r, sent);
	ck_assert_int_eq(fx_spread(r, QUEUES, 0), QUEUES);
	as_read(ns, r, QUEUES);
	lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_FIXED, 2));
	sent += fx_send(cpu, 0, 1, 32, PACKETS);
	fx_wait(r, sent);
	as_read(ns, r, QUEUES);
	/* A queue that took packets and is no more is told all the same. */
	fx_readers_detach(r, 3);
	as_read(ns, r, QUEUES);

	if (fx_sh("tc qdisc replace dev t0 root pfifo 2>/dev/null"))
		nst_skip("kernel: no pfifo");
	l = list(ns, 0);
	ck_assert_uint_eq(nsteer_tun_stats_count(only(l)), 0);
	nsteer_tun_list_free(l);
	fx_readers_end(r);
	nsteer_close(ns);
}
END_TEST

/* A device of one queue has no mq root, and one that is down no root at all. */
START_TEST(stats_of_others)
{
	struct lv_log log;
	struct nsteer *ns = begin(&log);
	struct nsteer_tun_list *l;
	size_t i;

	fx_tun_make("t0", TAP_ONE);
	fx_up("t0", 1);
	fx_tun_make("t1", TAP_MQ);
	l = list(ns, 0);
	for (i = 0; i < 2; i++)
		ck_assert_uint_eq(
			nsteer_tun_stats_count(nsteer_tun_list_get(l, i)), 0);
	nsteer_tun_list_free(l);
	ck_assert_str_eq(log.warnings, "");
	nsteer_close(ns);
}
END_TEST

/* ---- queues that come and go under the eyes of a list ---- */

static void *open_and_close(void *arg)
{
	int fd;

	while (!__atomic_load_n((bool *)arg, __ATOMIC_ACQUIRE)) {
		fd = fx_tun_open("t0", TAP_MQ);
		usleep(300);
		close(fd);
	}
	return NULL;
}

START_TEST(queues_that_close_are_not_hidden)
{
	NSTEER_OPTS(nsteer_tun_list_opts, o, .steering = true,
		    .processes = true);
	struct nsteer_tun_list *l;
	struct lv_log log;
	pthread_t thread;
	struct nsteer *ns;
	bool stop = false;
	int i, hidden = 0;

	nst_need_root();
	fx_netns();
	fx_tun_make("t0", TAP_MQ);
	ns = lv_open(&log);
	ck_assert_int_eq(pthread_create(&thread, NULL, open_and_close, &stop),
			 0);
	for (i = 0; i < 400; i++) {
		lv_ok(ns, nsteer_tun_list(ns, &o, &l));
		hidden += nsteer_tun_process_hidden(nsteer_tun_list_get(l, 0));
		nsteer_tun_list_free(l);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	/* Closed and opened again in between: one in a hundred may be. */
	ck_assert_msg(hidden <= 4, "hidden %d times of %d", hidden, i);
	nsteer_close(ns);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("list");
	TCase *tc = tcase_create("list");

	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, empty);
	tcase_add_test(tc, no_such_device);
	tcase_add_test(tc, many);
	tcase_add_test(tc, plain);
	tcase_add_test(tc, queue_counts);
	tcase_add_test(tc, processes);
	tcase_add_test(tc, queue_of_a_process);
	tcase_add_test(tc, altname);
	tcase_add_test(tc, namesakes);
	tcase_add_loop_test(tc, stats, 0, 2);
	tcase_add_test(tc, stats_of_others);
	suite_add_tcase(s, tc);
	/* How often it comes out wrong is a matter of speed. */
	tc = tcase_create("churn");
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, queues_that_close_are_not_hidden);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
