// SPDX-License-Identifier: GPL-2.0-or-later
/* What is said, and left alone, where something is missing. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <unistd.h>

#include "live.h"

static void nothing_set(uint32_t ifindex)
{
	struct nsteer *ns = lv_open(NULL);

	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_AUTOMQ, 0);
	nsteer_close(ns);
}

/* ---- /dev/net/tun, /proc ---- */

START_TEST(no_chardev)
{
	struct nsteer *ns;
	uint32_t ifindex, other = 77;
	int fd = -77;

	nst_need_root();
	fx_netns();
	ifindex = fx_tun_make("t0", TAP_MQ);
	fx_private_dev(0);
	ns = lv_open(NULL);
	lv_fails(ns, nsteer_tun_add(ns, "t1", NULL, &other), -ENOENT,
		 "/dev/net/tun");
	lv_fails(ns, nsteer_tun_queue_open(ns, ifindex, NULL, &fd), -ENOENT,
		 "/dev/net/tun");
	lv_fails(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_CPU, 0), -ENOENT,
		 "/dev/net/tun");
	ck_assert_uint_eq(other, 77);
	ck_assert_int_eq(fd, -77);
	/* Looking and deleting need none. */
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_AUTOMQ, 0);
	lv_ok(ns, nsteer_tun_del(ns, ifindex, NULL));
	nsteer_close(ns);
}
END_TEST

START_TEST(chardev_without_driver)
{
	struct nsteer *ns;
	uint32_t ifindex = 77;

	nst_need_root();
	fx_netns();
	fx_private_dev(0);
	/* A character device that no driver answers for. */
	if (fx_sh("mknod /dev/net/tun c 511 99"))
		fx_die("mknod");
	ns = lv_open(NULL);
	lv_fails(ns, nsteer_tun_add(ns, "t0", NULL, &ifindex), -ENXIO,
		 "no driver");
	ck_assert_uint_eq(ifindex, 77);
	nsteer_close(ns);
}
END_TEST

static void without_proc(void)
{
	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/proc", "tmpfs", 0, NULL))
		fx_die("/proc cannot be hidden");
}

static void act_without_proc(uint32_t ifindex)
{
	NSTEER_OPTS(nsteer_tun_list_opts, o, .steering = true, .stats = true,
		    .processes = true);
	const struct nsteer_tun *t;
	struct nsteer_tun_list *l;
	struct nsteer *ns;
	struct lv_log log;
	uint32_t other;
	int fd;

	without_proc();
	ns = lv_open(&log);
	lv_ok(ns, nsteer_tun_list(ns, &o, &l));
	ck_assert_uint_eq(nsteer_tun_list_count(l), 1);
	t = nsteer_tun_list_get(l, 0);
	ck_assert_ptr_nonnull(nsteer_tun_steering(t));
	/* The iterator needs none. */
	ck_assert_uint_eq(nsteer_tun_process_count(t), 2);
	ck_assert_msg(!log.count, "%s", log.warnings);
	nsteer_tun_list_free(l);
	lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_CPU, 0));
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_CPU, 0);
	fd = fx_tun_open("t0", TAP_MQ);
	lv_ok(ns, lv_set_fd(ns, fd, NSTEER_TUN_POLICY_FIXED, 1));
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_FIXED, 1);
	close(fd);
	lv_ok(ns, nsteer_tun_add(ns, "t1", NULL, &other));
	lv_ok(ns, nsteer_tun_del(ns, other, NULL));
	lv_fails(ns, nsteer_tun_del(ns, ifindex, NULL), -EBUSY, "t0");
	nsteer_close(ns);
}

static void look_without_proc(void)
{
	NSTEER_OPTS(nsteer_tun_list_opts, o, .processes = true);
	const struct nsteer_tun *t;
	struct nsteer_tun_list *l;
	struct nsteer *ns;
	struct lv_log log;

	without_proc();
	lv_drop(CAP_BPF);
	lv_drop(CAP_SYS_ADMIN);
	ns = lv_open(&log);
	lv_ok(ns, nsteer_tun_list(ns, &o, &l));
	t = nsteer_tun_list_get(l, 0);
	ck_assert_uint_eq(nsteer_tun_process_count(t), 0);
	/* An empty list of holders is not to be taken for "nobody". */
	lv_says(log.warnings, "/proc is not mounted");
	nsteer_tun_list_free(l);
	nsteer_close(ns);
}

START_TEST(no_proc)
{
	struct fx_readers *r;
	uint32_t ifindex;

	nst_need_root();
	fx_netns();
	ifindex = fx_tun_make("t0", TAP_MQ);
	r = fx_read_open("t0", TAP_MQ, 2);
	lv_child(look_without_proc());
	lv_child(act_without_proc(ifindex));
	fx_readers_end(r);
}
END_TEST

/* ---- capabilities ---- */

START_TEST(set_without_cap)
{
	static const struct {
		cap_value_t cap;
		const char *name;
	} needed[] = {
		{ CAP_BPF, "cap_bpf" },
		{ CAP_PERFMON, "cap_perfmon" },
	};
	NSTEER_OPTS(nsteer_tun_steering_opts, force,
		    .policy = NSTEER_TUN_POLICY_CPU, .force = true);
	struct nsteer_tun_steering *st = NULL;
	struct nsteer *ns;
	uint32_t ifindex;

	nst_need_root();
	fx_netns();
	ifindex = fx_tun_make("t0", TAP_MQ);
	lv_child({
		lv_drop(CAP_SYS_ADMIN);
		lv_drop(needed[_i].cap);
		ns = lv_open(NULL);
		lv_fails(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_CPU, 0),
			 -EPERM, needed[_i].name);
		ck_assert_str_eq(nsteer_err_cap(ns), needed[_i].name);
		lv_fails(ns, nsteer_tun_steering_get(ns, ifindex, &st), -EPERM,
			 needed[_i].name);
		ck_assert_str_eq(nsteer_err_cap(ns), needed[_i].name);
		ck_assert_ptr_null(st);
	});
	nothing_set(ifindex);
	if (needed[_i].cap == CAP_BPF)
		nst_need_closed_bpf();
	/* Blindly: the program itself needs no cap_perfmon. */
	lv_child({
		lv_drop(CAP_SYS_ADMIN);
		lv_drop(needed[_i].cap);
		ns = lv_open(NULL);
		if (needed[_i].cap == CAP_PERFMON)
			lv_ok(ns, nsteer_tun_steering_set(ns, ifindex,
							  &force));
		else
			lv_fails(ns, nsteer_tun_steering_set(ns, ifindex,
							     &force),
				 -EPERM, "cap_bpf");
	});
	if (needed[_i].cap == CAP_BPF) {
		nothing_set(ifindex);
		return;
	}
	ns = lv_open(NULL);
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_CPU, 0);
	nsteer_close(ns);
}
END_TEST

/* The three that the manual names are enough, cap_sys_admin is not needed. */
START_TEST(set_with_just_enough)
{
	static const cap_value_t keep[] = { CAP_BPF, CAP_PERFMON,
					    CAP_NET_ADMIN };
	cap_t caps = cap_init();
	struct nsteer *ns;
	uint32_t ifindex;

	nst_need_root();
	fx_netns();
	ifindex = fx_tun_make("t0", TAP_MQ);
	cap_set_flag(caps, CAP_PERMITTED, 3, keep, CAP_SET);
	cap_set_flag(caps, CAP_EFFECTIVE, 3, keep, CAP_SET);
	ck_assert_int_eq(cap_set_proc(caps), 0);
	cap_free(caps);
	ns = lv_open(NULL);
	lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_FIXED, 3));
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_FIXED, 3);
	lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_AUTOMQ, 0));
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_AUTOMQ, 0);
	nsteer_close(ns);
}
END_TEST

/* cap_sys_admin stands for both of them. */
START_TEST(set_with_sys_admin)
{
	NSTEER_OPTS(nsteer_tun_list_opts, o, .steering = true, .stats = true,
		    .processes = true);
	struct nsteer_tun_list *l;
	struct nsteer *ns;
	struct lv_log log;
	uint32_t ifindex;
	int fds[2];

	nst_need_root();
	fx_netns();
	lv_open_queues(fds, 2, "t0", TAP_MQ);
	ifindex = fx_ifindex("t0");
	lv_drop(CAP_BPF);
	lv_drop(CAP_PERFMON);
	ns = lv_open(&log);
	lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_FIXED, 1));
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_FIXED, 1);
	lv_ok(ns, lv_set_fd(ns, fds[1], NSTEER_TUN_POLICY_CPU, 0));
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_CPU, 0);
	lv_ok(ns, nsteer_tun_list(ns, &o, &l));
	ck_assert_ptr_nonnull(nsteer_tun_steering(nsteer_tun_list_get(l, 0)));
	nsteer_tun_list_free(l);
	ck_assert_msg(!log.count, "%s", log.warnings);
	/* What is refused is not for want of them. */
	lv_drop(CAP_NET_ADMIN);
	ck_assert_int_eq(nsteer_tun_add(ns, "t1", NULL, &ifindex), -EPERM);
	ck_assert_str_eq(nsteer_err_cap(ns), "cap_net_admin");
	nsteer_close(ns);
}
END_TEST

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		fx_die("%s: %s", path, strerror(errno));
	close(fd);
}

/* Root of its own user namespace is nobody to bpf(). */
START_TEST(in_user_namespace)
{
	NSTEER_OPTS(nsteer_tun_list_opts, o, .steering = true, .stats = true,
		    .processes = true);
	NSTEER_OPTS(nsteer_tun_add_opts, many, .multi_queue = true);
	NSTEER_OPTS(nsteer_tun_add_opts, unmapped, .has_user = true,
		    .user = 5);
	const struct nsteer_tun *t;
	struct nsteer_tun_list *l;
	struct nsteer *ns;
	struct lv_log log;
	uint32_t ifindex, other = 77;
	int fd;

	nst_need_root();
	fx_netns();
	fx_private_dev(0666);
	lv_become(1000, 1000);
	if (unshare(CLONE_NEWUSER | CLONE_NEWNET))
		nst_skip("machine: no user namespaces for everybody");
	write_file("/proc/self/uid_map", "0 1000 1\n");
	ns = lv_open(&log);
	lv_ok(ns, nsteer_tun_add(ns, "t0", &many, &ifindex));
	lv_fails(ns, nsteer_tun_add(ns, "t1", &unmapped, &other), -EINVAL,
		 "user 5");
	ck_assert_uint_eq(other, 77);
	fd = fx_tun_open("t0", TAP_MQ);
	lv_ok(ns, nsteer_tun_list(ns, &o, &l));
	ck_assert_uint_eq(nsteer_tun_list_count(l), 1);
	t = nsteer_tun_list_get(l, 0);
	ck_assert_str_eq(nsteer_tun_ifname(t), "t0");
	ck_assert_ptr_null(nsteer_tun_steering(t));
	ck_assert_uint_eq(nsteer_tun_process_count(t), 1);
	ck_assert_int_eq(nsteer_tun_process_pid(nsteer_tun_process_get(t, 0)),
			 getpid());
	lv_says(log.warnings, "cap_bpf");
	lv_says(log.warnings, "cap_perfmon");
	nsteer_tun_list_free(l);
	lv_fails(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_CPU, 0), -EPERM,
		 "cap_bpf");
	lv_fails(ns, lv_set_fd(ns, fd, NSTEER_TUN_POLICY_CPU, 0), -EPERM,
		 "cap_bpf");
	close(fd);
	lv_ok(ns, nsteer_tun_del(ns, ifindex, NULL));
	nsteer_close(ns);
}
END_TEST

/* ---- a user without anything ---- */

START_TEST(plain_user)
{
	NSTEER_OPTS(nsteer_tun_list_opts, o, .steering = true, .stats = true,
		    .processes = true);
	const struct nsteer_tun *t;
	struct nsteer_tun_list *l;
	struct fx_readers *r;
	struct nsteer *ns;
	struct lv_log log;
	uint32_t ifindex, active, disabled;

	nst_need_root();
	fx_netns();
	fx_private_dev(0666);
	ifindex = fx_tun_make("t0", TAP_MQ);
	r = fx_read_open("t0", TAP_MQ, 2);
	lv_child({
		lv_become(1000, 1000);
		ns = lv_open(&log);
		lv_ok(ns, nsteer_tun_list(ns, &o, &l));
		t = nsteer_tun_list_get(l, 0);
		ck_assert_ptr_nonnull(t);
		ck_assert_int_eq(nsteer_tun_queues(t, &active, &disabled), 0);
		ck_assert_uint_eq(active, 2);
		ck_assert_ptr_null(nsteer_tun_steering(t));
		ck_assert_uint_eq(nsteer_tun_process_count(t), 0);
		lv_says(log.warnings, "cap_bpf");
		lv_says(log.warnings, "cap_sys_ptrace");
		lv_fails(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_CPU, 0),
			 -EPERM, "cap_bpf");
	});
	nothing_set(ifindex);
	fx_readers_end(r);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("lack");
	TCase *tc = tcase_create("lack");

	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 30);
	tcase_add_test(tc, no_chardev);
	tcase_add_test(tc, chardev_without_driver);
	tcase_add_test(tc, no_proc);
	tcase_add_loop_test(tc, set_without_cap, 0, 2);
	tcase_add_test(tc, set_with_just_enough);
	tcase_add_test(tc, set_with_sys_admin);
	tcase_add_test(tc, in_user_namespace);
	tcase_add_test(tc, plain_user);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
