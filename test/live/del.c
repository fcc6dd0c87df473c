// SPDX-License-Identifier: GPL-2.0-or-later
/* Devices deleted, and those that are not. */
#include <errno.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "live.h"

static struct nsteer *begin(void)
{
	nst_need_root();
	fx_netns();
	return lv_open(NULL);
}

static void none(const char *name)
{
	struct lv_link link;

	ck_assert_msg(!lv_link(name, &link), "%s is there", name);
}

START_TEST(del)
{
	struct nsteer *ns = begin();
	uint32_t ifindex = fx_tun_make("t0", _i ? TAP_MQ : TAP_ONE);

	lv_ok(ns, nsteer_tun_del(ns, ifindex, NULL));
	none("t0");
	lv_fails(ns, nsteer_tun_del(ns, ifindex, NULL), -ENODEV, "");
	lv_fails(ns, nsteer_tun_del(ns, 0, NULL), -ENODEV, "");
	nsteer_close(ns);
}
END_TEST

START_TEST(del_held)
{
	static const unsigned int flags[] = { TAP_ONE, TAP_MQ, IFF_TUN };
	NSTEER_OPTS(nsteer_tun_del_opts, force, .force = true);
	struct nsteer *ns = begin();
	uint32_t ifindex = fx_tun_make("t0", flags[_i]);
	struct fx_readers *r = fx_read_open("t0", flags[_i], 1);
	struct lv_link link;
	char words[64];

	snprintf(words, sizeof(words), "process %d (" FX_READER_COMM ")",
		 fx_readers_pid(r));
	lv_fails(ns, nsteer_tun_del(ns, ifindex, NULL), -EBUSY, words);
	ck_assert(lv_link("t0", &link));
	lv_ok(ns, nsteer_tun_del(ns, ifindex, &force));
	none("t0");
	fx_readers_end(r);
	nsteer_close(ns);
}
END_TEST

START_TEST(del_held_by_detached_queue)
{
	struct nsteer *ns = begin();
	uint32_t ifindex = fx_tun_make("t0", TAP_MQ);
	struct fx_readers *r = fx_read_open("t0", TAP_MQ, 1);
	char words[32];

	fx_readers_detach(r, 0);
	snprintf(words, sizeof(words), "process %d", fx_readers_pid(r));
	lv_fails(ns, nsteer_tun_del(ns, ifindex, NULL), -EBUSY, words);
	fx_readers_end(r);
	lv_ok(ns, nsteer_tun_del(ns, ifindex, NULL));
	nsteer_close(ns);
}
END_TEST

/* What the holder has left of it. */
START_TEST(del_by_force_of_own)
{
	NSTEER_OPTS(nsteer_tun_del_opts, force, .force = true);
	struct nsteer *ns = begin();
	uint32_t ifindex = fx_tun_make("t0", TAP_MQ);
	int fd = fx_tun_open("t0", TAP_MQ);
	char words[48], byte;

	snprintf(words, sizeof(words), "process %d", getpid());
	lv_fails(ns, nsteer_tun_del(ns, ifindex, NULL), -EBUSY, words);
	snprintf(words, sizeof(words), "descriptor %d", fd);
	lv_says(nsteer_errmsg(ns), words);
	lv_ok(ns, nsteer_tun_del(ns, ifindex, &force));
	none("t0");
	ck_assert_int_eq(read(fd, &byte, 1), -1);
	ck_assert_int_eq(errno, EBADFD);
	close(fd);
	nsteer_close(ns);
}
END_TEST

/* Its one queue is held, and all the same the device says "no carrier". */
static void hold_without_carrier(int ready)
{
	int fd = fx_tun_open("t0", TAP_ONE), off = 0;

	if (fd < 0 || ioctl(fd, TUNSETCARRIER, &off))
		fx_die("TUNSETCARRIER: %s", strerror(errno));
	if (write(ready, "", 1) != 1)
		fx_die("pipe: %s", strerror(errno));
	for (;;)
		pause();
}

START_TEST(del_held_without_carrier)
{
	struct nsteer *ns = begin();
	uint32_t ifindex = fx_tun_make("t0", TAP_ONE);
	char words[32], byte;
	int ready[2];
	pid_t pid;

	if (pipe(ready))
		fx_die("pipe: %s", strerror(errno));
	pid = fx_fork();
	if (!pid)
		hold_without_carrier(ready[1]);
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	if (_i) {
		/* The kernel's own count of queues cannot be read then. */
		lv_drop(CAP_BPF);
		lv_drop(CAP_SYS_ADMIN);
	}
	snprintf(words, sizeof(words), "process %d", pid);
	lv_fails(ns, nsteer_tun_del(ns, ifindex, NULL), -EBUSY, words);
	ck_assert_uint_eq(fx_ifindex("t0"), ifindex);
	nsteer_close(ns);
}
END_TEST

/* A device that is not persistent lives as long as its holder. */
START_TEST(del_held_not_persistent)
{
	NSTEER_OPTS(nsteer_tun_del_opts, force, .force = true);
	struct nsteer *ns = begin();
	int fd = fx_tun_open("t0", TAP_ONE);
	uint32_t ifindex = fx_ifindex("t0");

	lv_fails(ns, nsteer_tun_del(ns, ifindex, NULL), -EBUSY, "t0");
	lv_ok(ns, nsteer_tun_del(ns, ifindex, &force));
	none("t0");
	close(fd);
	nsteer_close(ns);
}
END_TEST

/* The holder of a t0 elsewhere is no reason. */
START_TEST(del_beside_held_namesake)
{
	struct fx_readers *r;
	struct nsteer *ns;
	uint32_t ifindex;

	nst_need_root();
	fx_netns();
	fx_tun_make("t0", TAP_ONE);
	r = fx_read_open("t0", TAP_ONE, 1);
	ns = begin();
	ifindex = fx_tun_make("t0", TAP_ONE);
	lv_ok(ns, nsteer_tun_del(ns, ifindex, NULL));
	none("t0");
	nsteer_close(ns);
	fx_readers_end(r);
}
END_TEST

static uint32_t owned(const char *name, bool multi_queue, uid_t user)
{
	NSTEER_OPTS(nsteer_tun_add_opts, o, .multi_queue = multi_queue,
		    .has_user = true, .user = user);
	struct nsteer *ns = lv_open(NULL);
	uint32_t ifindex;

	lv_ok(ns, nsteer_tun_add(ns, name, &o, &ifindex));
	nsteer_close(ns);
	return ifindex;
}

START_TEST(del_as_owner)
{
	struct nsteer *ns;
	uint32_t mine, theirs;

	nst_need_root();
	fx_netns();
	fx_private_dev(0666);
	mine = owned("t0", _i, 1000);
	theirs = owned("t1", _i, 1001);
	lv_become(1000, 1000);
	ns = lv_open(NULL);
	lv_fails(ns, nsteer_tun_del(ns, theirs, NULL), -EPERM,
		 "cap_net_admin");
	ck_assert_str_eq(nsteer_err_cap(ns), "cap_net_admin");
	ck_assert_uint_eq(fx_ifindex("t1"), theirs);
	lv_ok(ns, nsteer_tun_del(ns, mine, NULL));
	none("t0");
	nsteer_close(ns);
}
END_TEST

/* Held by a process whose descriptors the owner may not see. */
START_TEST(del_as_owner_held_by_root)
{
	struct fx_readers *r;
	struct nsteer *ns;
	uint32_t ifindex;

	nst_need_root();
	fx_netns();
	fx_private_dev(0666);
	ifindex = owned("t0", true, 1000);
	r = fx_read_open("t0", TAP_MQ, 1);
	lv_child({
		lv_become(1000, 1000);
		ns = lv_open(NULL);
		lv_fails(ns, nsteer_tun_del(ns, ifindex, NULL), -EBUSY,
			 "cap_sys_ptrace");
	});
	ck_assert_uint_eq(fx_ifindex("t0"), ifindex);
	fx_readers_end(r);
}
END_TEST

START_TEST(del_no_tun)
{
	struct nsteer *ns = begin();

	lv_fails(ns, nsteer_tun_del(ns, 1, NULL), -EOPNOTSUPP,
		 "lo is no tun or tap device");
	if (fx_sh("ip link add v0 type veth peer name v1 2>/dev/null"))
		nst_skip("kernel: no veth");
	lv_fails(ns, nsteer_tun_del(ns, fx_ifindex("v0"), NULL), -EOPNOTSUPP,
		 "veth");
	if (fx_sh("ip link add b0 type bridge 2>/dev/null"))
		nst_skip("kernel: no bridge");
	lv_fails(ns, nsteer_tun_del(ns, fx_ifindex("b0"), NULL), -EOPNOTSUPP,
		 "bridge");
	nsteer_close(ns);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("del");
	TCase *tc = tcase_create("del");

	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 30);
	tcase_add_loop_test(tc, del, 0, 2);
	tcase_add_loop_test(tc, del_held, 0, 3);
	tcase_add_test(tc, del_held_by_detached_queue);
	tcase_add_test(tc, del_by_force_of_own);
	tcase_add_loop_test(tc, del_held_without_carrier, 0, 2);
	tcase_add_test(tc, del_held_not_persistent);
	tcase_add_test(tc, del_beside_held_namesake);
	tcase_add_loop_test(tc, del_as_owner, 0, 2);
	tcase_add_test(tc, del_as_owner_held_by_root);
	tcase_add_test(tc, del_no_tun);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
