// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Devices that go, come back under their old name, and swap names while a
 * policy is set by index. Each set carries the index that it was meant for, as
 * the queue of the policy fixed, so one that went astray is seen.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "live.h"

#define SETS 2000
/* Where a machine is emulated, fewer will do, but it has to have been a race. */
#define FEWEST (SETS / 100)
#define LONGEST_NS 3000000000ull
#define DEVICES 200
#define MAX_DEVICES 65536

/* ---- devices that come and go ---- */

struct churn {
	pthread_t thread;
	bool stop;
	bool held; /* somebody holds a queue, every second time */
	uint32_t ifindex; /* of the device that is there now */
	uint8_t made[MAX_DEVICES];
	uint8_t seen[MAX_DEVICES];
	uint32_t devices;
	unsigned int astray;
};

static uint32_t load(const uint32_t *v)
{
	return __atomic_load_n(v, __ATOMIC_SEQ_CST);
}

/* Does the device have the policy that was set for another one? */
static bool is_astray(struct nsteer *ns, uint32_t ifindex)
{
	struct nsteer_tun_steering *st;
	uint32_t queue = ifindex;

	if (nsteer_tun_steering_get(ns, ifindex, &st))
		return false;
	nsteer_tun_steering_queue(st, &queue);
	nsteer_tun_steering_free(st);
	return queue != ifindex;
}

static void *come_and_go(void *arg)
{
	struct churn *c = arg;
	struct nsteer *ns = lv_open(NULL);
	unsigned int seed = 1;
	uint32_t ifindex;
	int fd;

	while (!__atomic_load_n(&c->stop, __ATOMIC_ACQUIRE)) {
		fd = fx_tun_open("t0", TAP_MQ | IFF_TUN_EXCL);
		if (fd < 0)
			fx_die("t0: %s", strerror(-fd));
		ifindex = fx_ifindex("t0");
		if (ifindex >= MAX_DEVICES)
			fx_die("too many devices");
		c->made[ifindex] = 1;
		fx_persist(fd, true);
		if (!c->held || c->devices % 2) {
			close(fd);
			fd = -1;
		}
		__atomic_store_n(&c->ifindex, ifindex, __ATOMIC_SEQ_CST);
		__atomic_fetch_add(&c->devices, 1, __ATOMIC_SEQ_CST);
		usleep(rand_r(&seed) % 6000);
		c->astray += is_astray(ns, ifindex);
		if (lv_link_del(ifindex))
			fx_die("t0 cannot be deleted");
		if (fd >= 0)
			close(fd);
	}
	nsteer_close(ns);
	return NULL;
}

/* Which devices were there, however short? */
static void note_devices(struct churn *c, int newlinks)
{
	uint32_t ifindex;

	while ((ifindex = lv_newlink_next(newlinks)))
		c->seen[ifindex % MAX_DEVICES] = 1;
}

static void nobody_made_one(const struct churn *c)
{
	uint32_t i;

	for (i = 2; i < MAX_DEVICES; i++)
		ck_assert_msg(c->made[i] || !c->seen[i],
			      "device %u was made by nobody", i);
}

/* When to be content with less. */
static uint64_t longest(void)
{
	return getenv("NSTEER_GUEST") ? fx_now_ns() + LONGEST_NS : UINT64_MAX;
}

struct tally {
	unsigned int done, gone, again;
};

static void tally(struct nsteer *ns, int err, struct tally *t)
{
	if (!err)
		t->done++;
	else if (err == -ENODEV)
		t->gone++;
	else if (err == -EAGAIN)
		t->again++;
	else
		ck_abort_msg("set: %d: %s", err, nsteer_errmsg(ns));
	ck_assert_int_eq(err != 0, *nsteer_errmsg(ns) != '\0');
}

START_TEST(deleted_between)
{
	struct churn *c = calloc(1, sizeof(*c));
	unsigned int astray = 0;
	struct tally t = { 0 };
	int newlinks, i, err;
	struct nsteer *ns;
	uint32_t ifindex;
	uint64_t end;

	nst_need_root();
	fx_netns();
	newlinks = lv_newlinks();
	/* 0: idle devices; 1: held ones too; 2: held, but not to be used */
	c->held = _i;
	if (_i == 2)
		lv_drop(CAP_SYS_PTRACE);
	ns = lv_open(NULL);
	ck_assert_int_eq(pthread_create(&c->thread, NULL, come_and_go, c), 0);
	while (!load(&c->ifindex))
		usleep(100);
	end = longest();
	for (i = 0; (i < SETS || load(&c->devices) < DEVICES) &&
		    (fx_now_ns() < end || t.done <= FEWEST || t.gone <= FEWEST);
	     i++) {
		ifindex = load(&c->ifindex);
		err = lv_set(ns, ifindex, NSTEER_TUN_POLICY_FIXED, ifindex);
		tally(ns, err, &t);
		astray += is_astray(ns, load(&c->ifindex));
		note_devices(c, newlinks);
		if (err)
			usleep(100);
	}
	__atomic_store_n(&c->stop, true, __ATOMIC_RELEASE);
	pthread_join(c->thread, NULL);
	note_devices(c, newlinks);
	printf("race: %u devices: %u sets done, %u of a device that was gone, "
	       "%u to be tried again\n",
	       c->devices, t.done, t.gone, t.again);
	fflush(stdout);
	nobody_made_one(c);
	ck_assert_uint_eq(c->astray + astray, 0);
	/* Else it was no race. */
	ck_assert_uint_gt(t.done, FEWEST);
	ck_assert_uint_gt(t.gone, FEWEST);
	nsteer_close(ns);
	free(c);
}
END_TEST

/* ---- devices that swap names ---- */

static void *swap_names(void *arg)
{
	bool *stop = arg;

	while (!__atomic_load_n(stop, __ATOMIC_ACQUIRE)) {
		fx_rename("t0", "tmp");
		fx_rename("t1", "t0");
		fx_rename("tmp", "t1");
		usleep(200);
	}
	return NULL;
}

START_TEST(names_swapped_between)
{
	struct fx_readers *r[2];
	struct tally t = { 0 };
	uint32_t ifindex[2];
	pthread_t thread;
	bool stop = false;
	struct nsteer *ns;
	int fd, i, err;
	uint64_t end;

	nst_need_root();
	fx_netns();
	ifindex[0] = fx_tun_make("t0", TAP_MQ);
	ifindex[1] = fx_tun_make("t1", TAP_MQ);
	r[0] = fx_read_open("t0", TAP_MQ, 2);
	r[1] = fx_read_open("t1", TAP_MQ, 2);
	fd = fx_tun_open("t0", TAP_MQ);
	/* 0: a holder's descriptor; 1: a queue of its own; 2: the caller's */
	if (_i == 1)
		lv_drop(CAP_SYS_PTRACE);
	ns = lv_open(NULL);
	ck_assert_int_eq(pthread_create(&thread, NULL, swap_names, &stop), 0);
	end = longest();
	for (i = 0; i < SETS && (fx_now_ns() < end || t.done <= FEWEST); i++) {
		/* Not the same twice: that would be no set. */
		if (_i == 2)
			err = lv_set_fd(ns, fd, NSTEER_TUN_POLICY_FIXED, i);
		else
			err = lv_set(ns, ifindex[0], NSTEER_TUN_POLICY_FIXED,
				     i);
		tally(ns, err, &t);
		lv_policy_is(ns, ifindex[1], NSTEER_TUN_POLICY_AUTOMQ, 0);
		if (!err)
			lv_policy_is(ns, ifindex[0], NSTEER_TUN_POLICY_FIXED,
				     i);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	printf("race: names swapped: %u sets done, %u refused, %u to be tried "
	       "again\n",
	       t.done, t.gone, t.again);
	fflush(stdout);
	ck_assert_uint_gt(t.done, FEWEST);
	close(fd);
	nsteer_close(ns);
	fx_readers_end(r[0]);
	fx_readers_end(r[1]);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("race");
	TCase *tc = tcase_create("race");

	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 240);
	tcase_add_loop_test(tc, deleted_between, 0, 3);
	tcase_add_loop_test(tc, names_swapped_between, 0, 3);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
