// SPDX-License-Identifier: GPL-2.0-or-later
/* Where packets arrive, before, under and after a policy. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "live.h"

#define FLOWS 64
#define PACKETS 640

struct setup {
	struct nsteer *ns;
	struct fx_readers *r;
	uint32_t ifindex;
	int cpus[2];
	int queues;
};

static void begin(struct setup *s, const char *name, unsigned int flags,
		  int queues)
{
	nst_need_root();
	lv_two_cpus(s->cpus);
	fx_netns();
	s->queues = queues;
	s->ifindex = fx_tun_make(name, flags);
	s->r = fx_read_open(name, flags, queues);
	fx_up(name, 1);
	s->ns = lv_open(NULL);
}

static void end(struct setup *s)
{
	nsteer_close(s->ns);
	fx_readers_end(s->r);
}

static void send_from_both(struct setup *s)
{
	int i;

	fx_clear(s->r);
	for (i = 0; i < 2; i++)
		ck_assert_uint_eq(fx_send(s->cpus[i], i, 1, FLOWS, PACKETS),
				  PACKETS);
	fx_wait(s->r, 2 * PACKETS);
	ck_assert_uint_eq(fx_total(s->r), 2 * PACKETS);
}

/* All packets of this sender on this queue of the readers. */
static void all_on(struct setup *s, int sender, int queue)
{
	ck_assert_uint_eq(fx_from(s->r, queue, sender), PACKETS);
}

/* Each flow on one queue, and all queues in use. */
static void spread_by_flow(struct setup *s, int queues)
{
	int sender, flow, q, on;

	send_from_both(s);
	for (sender = 0; sender < 2; sender++) {
		ck_assert_int_eq(fx_spread(s->r, s->queues, sender), queues);
		for (flow = 0; flow < FLOWS; flow++) {
			for (on = 0, q = 0; q < s->queues; q++)
				on += fx_count(s->r, q, sender, flow) > 0;
			ck_assert_int_eq(on, 1);
		}
	}
}

static void follows_cpu(struct setup *s, int queues)
{
	send_from_both(s);
	all_on(s, 0, s->cpus[0] % queues);
	all_on(s, 1, s->cpus[1] % queues);
}

static const struct {
	unsigned int flags;
	int queues;
} shapes[] = {
	{ TAP_MQ, 2 }, { TAP_MQ, 3 }, { TAP_MQ, 4 },
	{ TUN_MQ, 2 }, { TUN_MQ, 3 }, { TUN_MQ, 4 },
	{ TAP_MQ | IFF_VNET_HDR, 2 },
	{ (TUN_MQ | IFF_VNET_HDR) & ~IFF_NO_PI, 2 },
};

START_TEST(cpu)
{
	struct setup s;

	begin(&s, "t0", shapes[_i].flags, shapes[_i].queues);
	spread_by_flow(&s, s.queues);
	lv_ok(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 0));
	lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 0);
	follows_cpu(&s, s.queues);
	lv_ok(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_AUTOMQ, 0));
	lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_AUTOMQ, 0);
	spread_by_flow(&s, s.queues);
	end(&s);
}
END_TEST

START_TEST(fixed)
{
	static const uint32_t wishes[] = { 0, 1, 2, 3, 7, 256, 65535 };
	struct setup s;
	size_t i;

	begin(&s, "t0", shapes[_i].flags, shapes[_i].queues);
	for (i = 0; i < sizeof(wishes) / sizeof(wishes[0]); i++) {
		lv_ok(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_FIXED,
				   wishes[i]));
		lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_FIXED,
			     wishes[i]);
		send_from_both(&s);
		all_on(&s, 0, wishes[i] % s.queues);
		all_on(&s, 1, wishes[i] % s.queues);
	}
	end(&s);
}
END_TEST

START_TEST(fixed_beyond_is_said)
{
	struct setup s;
	struct lv_log log;

	begin(&s, "t0", TAP_MQ, 3);
	nsteer_close(s.ns);
	s.ns = lv_open(&log);
	lv_ok(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_FIXED, 2));
	ck_assert_int_eq(log.count, 0);
	lv_ok(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_FIXED, 4));
	ck_assert_int_eq(log.count, 1);
	lv_says(log.warnings, "t0 has 3 active queues");
	lv_says(log.warnings, "go to queue 1");
	lv_fails(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_FIXED, 65536),
		 -EINVAL, "65536");
	lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_FIXED, 4);
	end(&s);
}
END_TEST

/*
 * The kernel fills the gap with the last queue: of readers 0 1 2 the second
 * one's going makes it 0 2, and it comes back at the end, 0 2 1.
 */
START_TEST(detached_queue_changes_modulus)
{
	struct setup s;

	begin(&s, "t0", shapes[_i].flags, 3);
	/* Odd CPUs on queue 1 of 3 or 2, even ones elsewhere. */
	if (s.cpus[0] != 0 || s.cpus[1] != 1)
		nst_skip("machine: CPU 0 or 1 may not be used");
	lv_ok(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_FIXED, 5));
	send_from_both(&s);
	all_on(&s, 0, 2);

	fx_readers_detach(s.r, 1);
	send_from_both(&s);
	all_on(&s, 0, 2); /* 5 % 2 = 1, which is reader 2 now */
	lv_ok(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 0));
	send_from_both(&s);
	all_on(&s, 0, 0);
	all_on(&s, 1, 2);

	fx_readers_detach(s.r, 0);
	send_from_both(&s);
	all_on(&s, 0, 2);
	all_on(&s, 1, 2);

	fx_readers_attach(s.r, 0);
	fx_readers_attach(s.r, 1);
	send_from_both(&s);
	all_on(&s, 0, 2);
	all_on(&s, 1, 0);
	lv_ok(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_FIXED, 5));
	send_from_both(&s);
	all_on(&s, 0, 1);
	end(&s);
}
END_TEST

/* The setter is another process, which ends. */
START_TEST(stays_when_setter_ends)
{
	struct setup s;
	struct nsteer *ns;

	begin(&s, "t0", shapes[_i].flags, 2);
	lv_child({
		ns = lv_open(NULL);
		lv_ok(ns, lv_set(ns, s.ifindex, NSTEER_TUN_POLICY_FIXED, 1));
		nsteer_close(ns);
	});
	lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_FIXED, 1);
	send_from_both(&s);
	all_on(&s, 0, 1);
	all_on(&s, 1, 1);
	lv_child({
		ns = lv_open(NULL);
		lv_ok(ns, lv_set(ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 0));
		/* and not even closed */
	});
	follows_cpu(&s, 2);
	end(&s);
}
END_TEST

/* It is the device's, not the holder's. */
START_TEST(stays_when_holders_change)
{
	struct setup s;

	begin(&s, "t0", TAP_MQ, 2);
	lv_ok(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_FIXED, 1));
	fx_readers_end(s.r);
	lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_FIXED, 1);
	s.r = fx_read_open("t0", TAP_MQ, 2);
	fx_wait_running("t0");
	send_from_both(&s);
	all_on(&s, 0, 1);
	all_on(&s, 1, 1);
	end(&s);
}
END_TEST

START_TEST(one_active_queue_is_said)
{
	struct setup s;
	struct lv_log log;

	begin(&s, "t0", TAP_MQ, 2);
	nsteer_close(s.ns);
	s.ns = lv_open(&log);
	fx_readers_detach(s.r, 0);
	lv_ok(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 0));
	ck_assert_int_eq(log.count, 1);
	lv_says(log.warnings, "t0 has 1 active queue:");
	send_from_both(&s);
	all_on(&s, 0, 1);
	all_on(&s, 1, 1);
	/* From the second queue on it works; the first one comes back last. */
	fx_readers_attach(s.r, 0);
	send_from_both(&s);
	all_on(&s, 0, s.cpus[0] % 2 ? 0 : 1);
	all_on(&s, 1, s.cpus[1] % 2 ? 0 : 1);
	end(&s);
}
END_TEST

START_TEST(single_queue_is_said)
{
	struct setup s;
	struct lv_log log;

	begin(&s, "t0", TAP_ONE, 1);
	nsteer_close(s.ns);
	s.ns = lv_open(&log);
	lv_ok(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 0));
	ck_assert_int_eq(log.count, 1);
	lv_says(log.warnings, "not multi_queue");
	lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 0);
	send_from_both(&s);
	lv_ok(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_AUTOMQ, 0));
	ck_assert_int_eq(log.count, 1);
	end(&s);
}
END_TEST

/* What is set already is left alone: the program stays the same one. */
START_TEST(same_again_changes_nothing)
{
	struct setup s;
	uint32_t id, again;

	begin(&s, "t0", TAP_MQ, 2);
	lv_ok(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_FIXED, 1));
	id = lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_FIXED, 1);
	lv_ok(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_FIXED, 1));
	again = lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_FIXED, 1);
	ck_assert_uint_eq(id, again);
	lv_ok(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_FIXED, 0));
	again = lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_FIXED, 0);
	ck_assert_uint_ne(id, again);
	end(&s);
}
END_TEST

/*
 * Never the numbers of the proposal: an unknown policy is refused by the
 * library, not handed to an ioctl that means something else today.
 */
START_TEST(bad_options)
{
	struct setup s;

	begin(&s, "t0", TAP_MQ, 2);
	lv_ok(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 0));
	lv_fails(s.ns, lv_set(s.ns, s.ifindex, 0, 0), -EINVAL, "policy");
	lv_fails(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_BPF, 0),
		 -EINVAL, "policy");
	lv_fails(s.ns, lv_set(s.ns, s.ifindex, 77, 0), -EINVAL, "policy");
	lv_fails(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 1),
		 -EINVAL, "queue");
	lv_fails(s.ns, lv_set(s.ns, 0, NSTEER_TUN_POLICY_CPU, 0), -ENODEV, "0");
	lv_fails(s.ns, lv_set(s.ns, 7777, NSTEER_TUN_POLICY_CPU, 0), -ENODEV,
		 "7777");
	lv_fails(s.ns, nsteer_tun_steering_set(s.ns, s.ifindex, NULL), -EINVAL,
		 "policy");
	lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 0);
	end(&s);
}
END_TEST

#define N_SHAPES ((int)(sizeof(shapes) / sizeof(shapes[0])))

/* ---- the ioctls of 2017 ---- */

#define LOAD(field)                                                            \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define UNLESS(value, skip)                                                    \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip)
#define KILL BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)

/*
 * TUNSETSTEERING and its two companions would have been _IOW or _IOR of these
 * numbers, which mean other things today. 224 as _IOR is what sets a program.
 */
static void forbid_old_ioctls(void)
{
	struct sock_filter filter[] = {
		LOAD(nr),
		UNLESS(SYS_ioctl, 11),
		LOAD(args[1]),
		UNLESS(_IOW('T', 224, unsigned int), 1),
		KILL,
		UNLESS(_IOW('T', 225, unsigned int), 1),
		KILL,
		UNLESS(_IOR('T', 225, unsigned int), 1),
		KILL,
		UNLESS(_IOW('T', 226, unsigned int), 1),
		KILL,
		UNLESS(_IOR('T', 226, unsigned int), 1),
		KILL,
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(filter) / sizeof(filter[0]), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		nst_skip("machine: no seccomp filters");
}

START_TEST(old_ioctls_are_never_issued)
{
	NSTEER_OPTS(nsteer_tun_add_opts, o, .multi_queue = true);
	NSTEER_OPTS(nsteer_tun_list_opts, all, .steering = true, .stats = true,
		    .processes = true);
	struct nsteer_tun_list *list;
	struct nsteer *ns;
	uint32_t ifindex;

	nst_need_root();
	fx_netns();
	forbid_old_ioctls();
	ns = lv_open(NULL);
	lv_ok(ns, nsteer_tun_add(ns, "t0", &o, &ifindex));
	lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_CPU, 0));
	lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_FIXED, 1));
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_FIXED, 1);
	lv_ok(ns, nsteer_tun_list(ns, &all, &list));
	nsteer_tun_list_free(list);
	lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_AUTOMQ, 0));
	lv_ok(ns, nsteer_tun_del(ns, ifindex, NULL));
	nsteer_close(ns);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("steer");
	TCase *tc = tcase_create("steer");

	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, cpu, 0, N_SHAPES);
	tcase_add_loop_test(tc, fixed, 0, N_SHAPES);
	tcase_add_test(tc, fixed_beyond_is_said);
	tcase_add_loop_test(tc, detached_queue_changes_modulus, 2, 5);
	tcase_add_loop_test(tc, stays_when_setter_ends, 2, 5);
	tcase_add_test(tc, stays_when_holders_change);
	tcase_add_test(tc, one_active_queue_is_said);
	tcase_add_test(tc, single_queue_is_said);
	tcase_add_test(tc, same_again_changes_nothing);
	tcase_add_test(tc, bad_options);
	tcase_add_test(tc, old_ioctls_are_never_issued);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
