// SPDX-License-Identifier: GPL-2.0-or-later
/* macvtap looks like a tap and cannot be steered. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "live.h"

static uint32_t begin(void)
{
	nst_need_root();
	fx_netns();
	fx_tun_make("t0", TAP_MQ);
	if (fx_sh("ip link add m0 link t0 type macvtap 2>/dev/null"))
		nst_skip("kernel: no macvtap");
	return fx_ifindex("m0");
}

START_TEST(by_index)
{
	NSTEER_OPTS(nsteer_tun_list_opts, o, .steering = true);
	struct nsteer_tun_steering *st = NULL;
	uint32_t ifindex = begin(), other = 77;
	struct nsteer *ns = lv_open(NULL);
	struct nsteer_tun_list *l;
	int fd = -77;

	lv_fails(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_CPU, 0),
		 -EOPNOTSUPP, "m0 is a macvtap device");
	lv_fails(ns, nsteer_tun_steering_get(ns, ifindex, &st), -EOPNOTSUPP,
		 "macvtap");
	lv_fails(ns, nsteer_tun_queue_open(ns, ifindex, NULL, &fd),
		 -EOPNOTSUPP, "macvtap");
	lv_fails(ns, nsteer_tun_del(ns, ifindex, NULL), -EOPNOTSUPP,
		 "macvtap");
	lv_fails(ns, nsteer_tun_add(ns, "m0", NULL, &other), -EEXIST,
		 "macvtap");
	lv_ok(ns, nsteer_tun_list(ns, &o, &l));
	ck_assert_uint_eq(nsteer_tun_list_count(l), 1);
	nsteer_tun_list_free(l);
	ck_assert_ptr_null(st);
	ck_assert_int_eq(fd, -77);
	ck_assert_uint_eq(fx_ifindex("m0"), ifindex);
	nsteer_close(ns);
}
END_TEST

/* Its node, by a sysfs of this namespace's. */
static int open_node(uint32_t ifindex)
{
	unsigned int major, minor;
	char path[128];
	FILE *f;
	int fd;

	fx_private_dev(0);
	if (mount("none", "/sys", "sysfs", 0, NULL))
		fx_die("sysfs: %s", strerror(errno));
	snprintf(path, sizeof(path), "/sys/class/net/m0/tap%u/dev", ifindex);
	f = fopen(path, "re");
	if (!f) {
		snprintf(path, sizeof(path),
			 "/sys/class/net/m0/macvtap/tap%u/dev", ifindex);
		f = fopen(path, "re");
	}
	if (!f || fscanf(f, "%u:%u", &major, &minor) != 2)
		fx_die("%s", path);
	fclose(f);
	if (mknod("/dev/net/m0", S_IFCHR | 0600, makedev(major, minor)))
		fx_die("mknod: %s", strerror(errno));
	fd = open("/dev/net/m0", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		fx_die("/dev/net/m0: %s", strerror(errno));
	return fd;
}

START_TEST(by_fd)
{
	struct nsteer_tun_steering *st = NULL;
	uint32_t ifindex = begin();
	struct nsteer *ns = lv_open(NULL);
	int fd = open_node(ifindex);

	lv_fails(ns, lv_set_fd(ns, fd, NSTEER_TUN_POLICY_CPU, 0), -EOPNOTSUPP,
		 "macvtap");
	lv_fails(ns, nsteer_tun_steering_get_fd(ns, fd, &st), -EOPNOTSUPP,
		 "macvtap");
	ck_assert_ptr_null(st);
	close(fd);
	nsteer_close(ns);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("macvtap");
	TCase *tc = tcase_create("macvtap");

	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 30);
	tcase_add_test(tc, by_index);
	tcase_add_test(tc, by_fd);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
