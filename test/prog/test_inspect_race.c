/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walk holds no lock. While devices and programs come and go it may say
 * -EAGAIN, but what it says is never wrong.
 */
#include <net/if.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <nsteer/tun.h>

#include "fixture.h"
#include "harness.h"
#include "walk.h"

#define SECONDS 2
#define STEADY 20 /* devices that stay */
#define CHURN 4	  /* devices that do not */

struct churn {
	volatile bool stop;
	uint64_t rounds;
	int fd;
	int prog_fd[2];
	unsigned int pause_us;
};

/* Devices in front of, between and behind the others come and go. */
static void *churn_devices(void *data)
{
	struct churn *c = data;
	int fd[CHURN], i;
	char name[IFNAMSIZ];

	while (!c->stop) {
		for (i = 0; i < CHURN; i++) {
			snprintf(name, sizeof(name), "c%d", i);
			fd[i] = fx_tun_open(name, MQ_TAP);
			if (fd[i] < 0)
				fx_die("%s: %s", name, strerror(-fd[i]));
			raw_steer(fd[i], c->prog_fd[0]);
		}
		for (i = 0; i < CHURN; i++)
			close(fd[i]);
		c->rounds++;
		usleep(c->pause_us);
	}
	return NULL;
}

static void check_steady(const struct nst_tun_state *state, uint32_t queue)
{
	ck_assert_str_eq(state->steering.prog.name, "nst_steer_fixed");
	ck_assert(state->steering.has_cfg);
	ck_assert_uint_eq(state->steering.cfg.ifindex, state->ifindex);
	ck_assert_uint_eq(state->steering.cfg.queue, queue);
	ck_assert_uint_eq(state->numqueues, 1);
}

static void check_all(const struct nst_tun_state *states, size_t count,
		      const uint32_t *steady)
{
	size_t i;
	int found = 0;

	ck_assert_uint_le(count, STEADY + CHURN);
	for (i = 0; i < count; i++) {
		if (found < STEADY && states[i].ifindex == steady[found]) {
			check_steady(&states[i], found);
			found++;
			continue;
		}
		ck_assert(!states[i].steering.prog.id ||
			  !strcmp(states[i].steering.prog.name,
				  "nst_steer_cpu"));
		ck_assert_uint_le(states[i].numqueues, 1);
	}
	ck_assert_int_eq(found, STEADY);
}

static void make_steady(struct nsteer *ns, uint32_t *steady)
{
	struct nst_bpf_prog p;
	struct nst_cfg cfg;
	char name[IFNAMSIZ];
	int i, fd;

	for (i = 0; i < STEADY; i++) {
		snprintf(name, sizeof(name), "s%d", i);
		fd = fx_tun_open(name, MQ_TAP);
		ck_assert_int_ge(fd, 0);
		steady[i] = fx_ifindex(name);
		cfg = raw_cfg(steady[i], NSTEER_TUN_POLICY_FIXED, i);
		p = raw_policy(ns, "nst_steer_fixed", &cfg);
		raw_steer(fd, p.prog_fd);
		nst_bpf_unload(&p);
	}
}

static const unsigned int pauses_us[] = { 0, 3000 };

START_TEST(devices_come_and_go)
{
	struct churn c = { .pause_us = pauses_us[_i] };
	uint32_t steady[STEADY];
	struct nst_tun_state state, *states;
	uint64_t end, good = 0, again = 0, i;
	struct nst_bpf_prog p;
	struct nst_cfg cfg = raw_cfg(0, NSTEER_TUN_POLICY_CPU, 0);
	struct nsteer *ns;
	pthread_t thread;
	size_t count;
	int err;

	nst_need_root();
	fx_netns();
	ns = raw_open();
	make_steady(ns, steady);
	p = raw_policy(ns, "nst_steer_cpu", &cfg);
	c.prog_fd[0] = p.prog_fd;
	ck_assert_int_eq(pthread_create(&thread, NULL, churn_devices, &c), 0);
	end = fx_now_ns() + SECONDS * 1000000000ull;
	for (i = 0; fx_now_ns() < end; i++) {
		err = nst_tun_inspect(ns, steady[i % STEADY], &state);
		ck_assert_msg(!err || err == -EAGAIN, "%s", nsteer_errmsg(ns));
		if (!err)
			check_steady(&state, i % STEADY);
		err = nst_tun_inspect_all(ns, 0, &states, &count);
		ck_assert_msg(!err || err == -EAGAIN, "%s", nsteer_errmsg(ns));
		again += !!err;
		if (err)
			continue;
		good++;
		check_all(states, count, steady);
		free(states);
	}
	c.stop = true;
	pthread_join(thread, NULL);
	ck_assert_uint_gt(c.rounds, 3);
	ck_assert_uint_gt(good, 10);
	/* Not to be had is the exception. */
	ck_assert_uint_lt(again, good);
	nst_bpf_unload(&p);
	nsteer_close(ns);
}
END_TEST

/* A new program each time: an address and an id are used again and again. */
static void *churn_programs(void *data)
{
	struct churn *c = data;
	int fd;

	while (!c->stop) {
		raw_steer(c->fd, c->prog_fd[c->rounds % 2]);
		usleep(c->pause_us);
		fd = raw_prog("short_lived", NULL, 0);
		raw_steer(c->fd, fd);
		close(fd);
		if (c->rounds % 3 == 0)
			raw_steer(c->fd, -1);
		c->rounds++;
		usleep(c->pause_us);
	}
	return NULL;
}

static void check_program(const struct nst_tun_prog *p)
{
	if (!p->prog.id) {
		ck_assert_str_eq(p->prog.name, "");
		return;
	}
	if (!strcmp(p->prog.name, "short_lived")) {
		ck_assert(!p->has_cfg);
		return;
	}
	ck_assert(p->has_cfg);
	if (p->cfg.policy == NSTEER_TUN_POLICY_CPU)
		ck_assert_str_eq(p->prog.name, "nst_steer_cpu");
	else
		ck_assert_str_eq(p->prog.name, "nst_steer_fixed");
}

START_TEST(programs_come_and_go)
{
	struct churn c = { .pause_us = pauses_us[_i] };
	struct nst_cfg cfg[2] = { raw_cfg(1, NSTEER_TUN_POLICY_CPU, 0),
				  raw_cfg(1, NSTEER_TUN_POLICY_FIXED, 7) };
	uint64_t end, good = 0, seen[2] = { 0 };
	struct nst_tun_state state;
	struct nst_bpf_prog p[2];
	struct nsteer *ns;
	uint32_t ifindex;
	pthread_t thread;
	int err;

	nst_need_root();
	fx_netns();
	ns = raw_open();
	c.fd = fx_tun_open("t0", MQ_TAP);
	ifindex = fx_ifindex("t0");
	p[0] = raw_policy(ns, "nst_steer_cpu", &cfg[0]);
	p[1] = raw_policy(ns, "nst_steer_fixed", &cfg[1]);
	c.prog_fd[0] = p[0].prog_fd;
	c.prog_fd[1] = p[1].prog_fd;
	ck_assert_int_eq(pthread_create(&thread, NULL, churn_programs, &c), 0);
	end = fx_now_ns() + SECONDS * 1000000000ull;
	while (fx_now_ns() < end) {
		err = nst_tun_inspect(ns, ifindex, &state);
		ck_assert_msg(!err || err == -EAGAIN, "%s", nsteer_errmsg(ns));
		if (err)
			continue;
		good++;
		check_program(&state.steering);
		seen[!!state.steering.has_cfg]++;
	}
	c.stop = true;
	pthread_join(thread, NULL);
	ck_assert_uint_gt(c.rounds, 10);
	ck_assert_uint_gt(seen[0], 0);
	ck_assert_uint_gt(seen[1], 0);
	nst_bpf_unload(&p[0]);
	nst_bpf_unload(&p[1]);
	nsteer_close(ns);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("inspect, racing");
	TCase *tc = tcase_create("races");

	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 10 * SECONDS);
	tcase_add_loop_test(tc, devices_come_and_go, 0, 2);
	tcase_add_loop_test(tc, programs_come_and_go, 0, 2);
	suite_add_tcase(s, tc);
	return s;
}
NST_REGISTER(suite);
