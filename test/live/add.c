// SPDX-License-Identifier: GPL-2.0-or-later
/* Devices made, read back over rtnetlink. */
#include <errno.h>
#include <net/if.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
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

static unsigned int count_devices(void)
{
	struct if_nameindex *all = if_nameindex();
	unsigned int n = 0;

	while (all[n].if_index)
		n++;
	if_freenameindex(all);
	return n;
}

static void is_as_listed(struct nsteer *ns, uint32_t ifindex,
			 const struct lv_link *link)
{
	NSTEER_OPTS(nsteer_tun_list_opts, o, .ifindex = ifindex);
	struct nsteer_tun_list *list;
	const struct nsteer_tun *t;
	uid_t user = -1;
	gid_t group = -1;

	lv_ok(ns, nsteer_tun_list(ns, &o, &list));
	ck_assert_uint_eq(nsteer_tun_list_count(list), 1);
	t = nsteer_tun_list_get(list, 0);
	ck_assert_uint_eq(nsteer_tun_ifindex(t), ifindex);
	ck_assert_uint_eq(nsteer_tun_mode(t),
			  link->type == IFF_TUN ? NSTEER_TUN_MODE_TUN
						: NSTEER_TUN_MODE_TAP);
	ck_assert_int_eq(nsteer_tun_pi(t), link->pi);
	ck_assert_int_eq(nsteer_tun_vnet_hdr(t), link->vnet_hdr);
	ck_assert_int_eq(nsteer_tun_persist(t), link->persist);
	ck_assert_int_eq(nsteer_tun_multi_queue(t), link->multi_queue);
	ck_assert_int_eq(nsteer_tun_user(t, &user),
			 link->has_user ? 0 : -ENODATA);
	ck_assert_int_eq(nsteer_tun_group(t, &group),
			 link->has_group ? 0 : -ENODATA);
	if (link->has_user)
		ck_assert_uint_eq(user, link->user);
	if (link->has_group)
		ck_assert_uint_eq(group, link->group);
	nsteer_tun_list_free(list);
}

/* All combinations, by the bits of _i. */
START_TEST(add)
{
	NSTEER_OPTS(nsteer_tun_add_opts, o, .multi_queue = _i & 1,
		    .pi = _i & 2, .vnet_hdr = _i & 4, .has_user = _i & 8,
		    .has_group = _i & 16, .user = _i & 8 ? 4242 : 0,
		    .group = _i & 16 ? 4343 : 0, .mode = _i / 32);
	struct nsteer *ns = begin();
	struct lv_link link;
	uint32_t ifindex;

	lv_ok(ns, nsteer_tun_add(ns, "t0", &o, &ifindex));
	ck_assert(lv_link("t0", &link));
	ck_assert_uint_eq(link.ifindex, ifindex);
	ck_assert_uint_eq(link.type,
			  o.mode == NSTEER_TUN_MODE_TUN ? IFF_TUN : IFF_TAP);
	ck_assert_int_eq(link.multi_queue, o.multi_queue);
	ck_assert_int_eq(link.pi, o.pi);
	ck_assert_int_eq(link.vnet_hdr, o.vnet_hdr);
	ck_assert(link.persist);
	ck_assert_int_eq(link.has_user, o.has_user);
	ck_assert_int_eq(link.has_group, o.has_group);
	ck_assert_uint_eq(link.user, o.user);
	ck_assert_uint_eq(link.group, o.group);
	ck_assert_int_eq(link.has_queues, o.multi_queue);
	ck_assert_uint_eq(link.queues + link.disabled, 0);
	is_as_listed(ns, ifindex, &link);
	nsteer_close(ns);
}
END_TEST

START_TEST(add_root_as_owner)
{
	NSTEER_OPTS(nsteer_tun_add_opts, o, .has_user = true,
		    .has_group = true);
	struct nsteer *ns = begin();
	struct lv_link link;
	uint32_t ifindex;

	lv_ok(ns, nsteer_tun_add(ns, "t0", &o, &ifindex));
	ck_assert(lv_link("t0", &link));
	ck_assert(link.has_user && !link.user);
	ck_assert(link.has_group && !link.group);
	is_as_listed(ns, ifindex, &link);
	nsteer_close(ns);
}
END_TEST

START_TEST(add_by_pattern)
{
	struct nsteer *ns = begin();
	char name[NSTEER_IFNAME_SIZE];
	uint32_t i[3];

	lv_ok(ns, nsteer_tun_add(ns, "tap%d", NULL, &i[0]));
	lv_ok(ns, nsteer_tun_add(ns, "tap%d", NULL, &i[1]));
	lv_ok(ns, nsteer_tun_add(ns, "x%dy", NULL, &i[2]));
	lv_ok(ns, nsteer_link_name(ns, i[0], name));
	ck_assert_str_eq(name, "tap0");
	lv_ok(ns, nsteer_link_name(ns, i[1], name));
	ck_assert_str_eq(name, "tap1");
	lv_ok(ns, nsteer_link_name(ns, i[2], name));
	ck_assert_str_eq(name, "x0y");
	nsteer_close(ns);
}
END_TEST

START_TEST(add_bad_name)
{
	static const char *const bad[] = {
		"", ".", "..", "a/b", "a b", "a\tb", "a:b", "sixteen-bytes-xy",
		"a%s", "%d%d", "%%", "100%", "\n",
	};
	struct nsteer *ns = begin();
	unsigned int before = count_devices();
	uint32_t ifindex = 77;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		lv_fails(ns, nsteer_tun_add(ns, bad[i], NULL, &ifindex),
			 -EINVAL, "cannot name a device");
		ck_assert_uint_eq(ifindex, 77);
	}
	ck_assert_uint_eq(count_devices(), before);
	/* Fifteen bytes, and bytes that are no text, are a name. */
	lv_ok(ns, nsteer_tun_add(ns, "fifteen-bytes-x", NULL, &ifindex));
	lv_ok(ns, nsteer_tun_add(ns, "\xff\x01\"\\", NULL, &ifindex));
	ck_assert_uint_eq(fx_ifindex("\xff\x01\"\\"), ifindex);
	nsteer_close(ns);
}
END_TEST

START_TEST(add_bad_opts)
{
	NSTEER_OPTS(nsteer_tun_add_opts, mode, .mode = 3);
	struct {
		struct nsteer_tun_add_opts o;
		uint64_t newer;
	} longer = { .o = { .sz = sizeof(longer) }, .newer = 1 };
	struct nsteer *ns = begin();
	uint32_t ifindex = 77;

	lv_fails(ns, nsteer_tun_add(ns, "t0", &mode, &ifindex), -EINVAL,
		 "mode");
	lv_fails(ns, nsteer_tun_add(ns, "t0", &longer.o, &ifindex), -E2BIG,
		 "");
	none("t0");
	longer.newer = 0;
	lv_ok(ns, nsteer_tun_add(ns, "t0", &longer.o, &ifindex));
	nsteer_close(ns);
}
END_TEST

START_TEST(add_taken)
{
	NSTEER_OPTS(nsteer_tun_add_opts, many, .multi_queue = true,
		    .vnet_hdr = true);
	struct nsteer *ns = begin();
	uint32_t first, ifindex = 77;
	struct lv_link before, after;

	lv_ok(ns, nsteer_tun_add(ns, "t0", &many, &first));
	ck_assert(lv_link("t0", &before));
	lv_fails(ns, nsteer_tun_add(ns, "t0", NULL, &ifindex), -EEXIST,
		 "tap multi_queue vnet_hdr");
	lv_fails(ns, nsteer_tun_add(ns, "t0", &many, &ifindex), -EEXIST, "t0");
	ck_assert(lv_link("t0", &after));
	ck_assert_mem_eq(&before, &after, sizeof(before));
	lv_fails(ns, nsteer_tun_add(ns, "lo", NULL, &ifindex), -EEXIST, "lo");
	if (!fx_sh("ip link add v0 type veth peer name v1 2>/dev/null"))
		lv_fails(ns, nsteer_tun_add(ns, "v0", NULL, &ifindex), -EEXIST,
			 "veth");
	if (!fx_sh("ip link property add dev t0 altname other 2>/dev/null"))
		lv_fails(ns, nsteer_tun_add(ns, "other", NULL, &ifindex),
			 -EEXIST, "other");
	ck_assert_uint_eq(ifindex, 77);
	nsteer_close(ns);
}
END_TEST

START_TEST(add_leaves_nothing_when_it_fails)
{
	NSTEER_OPTS(nsteer_tun_add_opts, user, .has_user = true, .user = -1);
	NSTEER_OPTS(nsteer_tun_add_opts, group, .has_group = true,
		    .group = -1);
	struct nsteer *ns = begin();
	uint32_t ifindex = 77;

	lv_fails(ns, nsteer_tun_add(ns, "t0", &user, &ifindex), -EINVAL,
		 "4294967295");
	none("t0");
	lv_fails(ns, nsteer_tun_add(ns, "t0", &group, &ifindex), -EINVAL,
		 "4294967295");
	none("t0");
	ck_assert_uint_eq(ifindex, 77);
	nsteer_close(ns);
}
END_TEST

START_TEST(add_unprivileged)
{
	struct nsteer *ns;
	uint32_t ifindex = 77;

	nst_need_root();
	fx_netns();
	fx_private_dev(0666);
	lv_become(1000, 1000);
	ns = lv_open(NULL);
	lv_fails(ns, nsteer_tun_add(ns, "t0", NULL, &ifindex), -EPERM,
		 "cap_net_admin");
	ck_assert_str_eq(nsteer_err_cap(ns), "cap_net_admin");
	none("t0");
	nsteer_close(ns);
}
END_TEST

START_TEST(add_in_other_netns)
{
	struct nsteer *there;
	struct lv_link link;
	uint32_t ifindex;
	int here;

	nst_need_root();
	fx_netns();
	there = lv_open(NULL);
	fx_netns();
	here = fx_netns_fd();
	lv_ok(there, nsteer_tun_add(there, "t0", NULL, &ifindex));
	ck_assert(fx_in_netns(here));
	none("t0");
	lv_fails(there, nsteer_tun_add(there, "t0", NULL, &ifindex), -EEXIST,
		 "t0");
	ck_assert(fx_in_netns(here));
	lv_ok(there, nsteer_tun_del(there, ifindex, NULL));
	ck_assert(fx_in_netns(here));
	ck_assert(!lv_link("t0", &link));
	nsteer_close(there);
}
END_TEST

/* ---- whoever gives new devices their names (udev) is at work ---- */

struct renamer {
	pthread_t thread;
	int news; /* of new devices */
	int sock;
	bool stop;
	unsigned int renamed;
};

static void *rename_all(void *arg)
{
	struct renamer *r = arg;
	struct ifreq ifr;
	uint32_t ifindex;

	while (!__atomic_load_n(&r->stop, __ATOMIC_ACQUIRE)) {
		ifindex = lv_newlink_next(r->news);
		memset(&ifr, 0, sizeof(ifr));
		ifr.ifr_ifindex = ifindex;
		if (!ifindex || ioctl(r->sock, SIOCGIFNAME, &ifr) ||
		    strncmp(ifr.ifr_name, "tap", 3))
			continue;
		snprintf(ifr.ifr_newname, IFNAMSIZ, "r%u", ifindex);
		if (!ioctl(r->sock, SIOCSIFNAME, &ifr))
			r->renamed++;
	}
	return NULL;
}

START_TEST(add_renamed_at_once)
{
	struct nsteer *ns = begin();
	struct renamer r = { .news = lv_newlinks() };
	uint32_t ifindex;
	int i;

	r.sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	ck_assert_int_eq(pthread_create(&r.thread, NULL, rename_all, &r), 0);
	for (i = 0; i < 200; i++) {
		lv_ok(ns, nsteer_tun_add(ns, "tap%d", NULL, &ifindex));
		lv_ok(ns, nsteer_tun_del(ns, ifindex, NULL));
	}
	__atomic_store_n(&r.stop, true, __ATOMIC_RELEASE);
	/* One more, in case it sleeps. */
	lv_ok(ns, nsteer_tun_add(ns, "last", NULL, &ifindex));
	pthread_join(r.thread, NULL);
	ck_assert_uint_gt(r.renamed, 0);
	close(r.sock);
	close(r.news);
	nsteer_close(ns);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("add");
	TCase *tc = tcase_create("add");

	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 30);
	tcase_add_loop_test(tc, add, 0, 96);
	tcase_add_test(tc, add_root_as_owner);
	tcase_add_test(tc, add_by_pattern);
	tcase_add_test(tc, add_bad_name);
	tcase_add_test(tc, add_bad_opts);
	tcase_add_test(tc, add_taken);
	tcase_add_test(tc, add_leaves_nothing_when_it_fails);
	tcase_add_test(tc, add_unprivileged);
	tcase_add_test(tc, add_in_other_netns);
	tcase_add_test(tc, add_renamed_at_once);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
