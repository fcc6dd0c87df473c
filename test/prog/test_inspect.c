/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the walk over the devices finds, on real ones. */
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <nsteer/tun.h>

#include "fixture.h"
#include "harness.h"
#include "walk.h"

#define MANY 300

START_TEST(no_device)
{
	struct nsteer *ns = walk_begin();
	struct nst_tun_state state, *states;

	ck_assert_uint_eq(walk_all(ns, 0, &states), 0);
	free(states);
	/* lo, nobody, and what would mean all of them. */
	ck_assert_int_eq(nst_tun_inspect(ns, fx_ifindex("lo"), &state),
			 -ENODEV);
	ck_assert_int_eq(nst_tun_inspect(ns, 4711, &state), -ENODEV);
	ck_assert_ptr_nonnull(strstr(nsteer_errmsg(ns), "4711"));
	ck_assert_int_eq(nst_tun_inspect(ns, UINT32_MAX, &state), -ENODEV);
	ck_assert_int_eq(nst_tun_inspect(ns, 0, &state), -ENODEV);
	nsteer_close(ns);
}
END_TEST

START_TEST(one_device)
{
	struct nsteer *ns = walk_begin();
	struct nst_tun_state state, *states;
	uint32_t ifindex = fx_tun_make("t0", MQ_TAP);
	int fd[3], i;

	state = walk_one(ns, ifindex);
	ck_assert_uint_eq(state.flags & IFF_TAP, IFF_TAP);
	ck_assert_uint_eq(state.flags & IFF_MULTI_QUEUE, IFF_MULTI_QUEUE);
	ck_assert_uint_eq(state.numqueues, 0);
	ck_assert_uint_eq(state.numdisabled, 0);
	walk_is_none(&state.steering);
	walk_is_none(&state.filter);

	for (i = 0; i < 3; i++)
		fd[i] = walk_tap("t0");
	ck_assert_int_eq(fx_queue(fd[1], false), 0);
	state = walk_one(ns, ifindex);
	ck_assert_uint_eq(state.numqueues, 2);
	ck_assert_uint_eq(state.numdisabled, 1);

	ck_assert_uint_eq(walk_all(ns, 1, &states), 1);
	ck_assert_mem_eq(&states[0], &state, sizeof(state));
	free(states);
	nsteer_close(ns);
}
END_TEST

START_TEST(layer_3_and_others)
{
	struct nsteer *ns = walk_begin();
	struct nst_tun_state *states;
	uint32_t ifindex;

	/* Devices of other kinds, in front and behind. */
	if (fx_sh("ip link add tun type bridge && "
		  "ip link add tunnel type veth peer name tun2"))
		nst_skip("kernel: no bridge or veth");
	ifindex = fx_tun_make("t0", IFF_TUN | IFF_NO_PI);
	if (fx_sh("ip link add mv0 link tunnel type macvtap"))
		nst_skip("kernel: no macvtap");
	ck_assert_uint_eq(walk_one(ns, ifindex).flags & (IFF_TUN | IFF_TAP),
			  IFF_TUN);
	ck_assert_uint_eq(walk_all(ns, 0, &states), 1);
	ck_assert_uint_eq(states[0].ifindex, ifindex);
	free(states);
	ck_assert_int_eq(nst_tun_inspect(ns, fx_ifindex("mv0"), &states[0]),
			 -ENODEV);
	nsteer_close(ns);
}
END_TEST

START_TEST(a_policy)
{
	struct nsteer *ns = walk_begin();
	struct nst_tun_state state;
	int fd = walk_tap("t0");
	uint32_t ifindex = fx_ifindex("t0");
	struct nst_cfg cfg = raw_cfg(ifindex, NSTEER_TUN_POLICY_FIXED, 65535);
	struct nst_bpf_prog p = raw_policy(ns, "nst_steer_fixed", &cfg);

	raw_steer(fd, p.prog_fd);
	state = walk_one(ns, ifindex);
	walk_is_prog(&state.steering, p.prog_fd);
	ck_assert(state.steering.has_cfg);
	ck_assert_mem_eq(&state.steering.cfg, &cfg, sizeof(cfg));
	walk_is_none(&state.filter);
	nst_bpf_unload(&p);
	/* The device keeps it, until it is replaced or taken off. */
	ck_assert_uint_eq(walk_one(ns, ifindex).steering.prog.id,
			  state.steering.prog.id);

	cfg.policy = NSTEER_TUN_POLICY_CPU;
	p = raw_policy(ns, "nst_steer_cpu", &cfg);
	raw_steer(fd, p.prog_fd);
	state = walk_one(ns, ifindex);
	walk_is_prog(&state.steering, p.prog_fd);
	ck_assert_mem_eq(&state.steering.cfg, &cfg, sizeof(cfg));
	/* Nothing of it sticks to the next one. */
	raw_steer(fd, raw_prog("nst_theirs", NULL, 0));
	state = walk_one(ns, ifindex);
	ck_assert_str_eq(state.steering.prog.name, "nst_theirs");
	ck_assert(!state.steering.has_cfg);
	raw_steer(fd, -1);
	state = walk_one(ns, ifindex);
	walk_is_none(&state.steering);
	nst_bpf_unload(&p);
	nsteer_close(ns);
}
END_TEST

START_TEST(a_filter)
{
	struct nsteer *ns = walk_begin();
	struct nst_tun_state state;
	int fd = walk_tap("t0"), filter = raw_prog("keep_all", NULL, 0);
	uint32_t ifindex = fx_ifindex("t0");
	struct nst_cfg cfg = raw_cfg(ifindex, NSTEER_TUN_POLICY_CPU, 0);
	struct nst_bpf_prog p = raw_policy(ns, "nst_steer_cpu", &cfg);

	raw_filter(fd, filter);
	state = walk_one(ns, ifindex);
	walk_is_prog(&state.filter, filter);
	walk_is_none(&state.steering);
	raw_steer(fd, p.prog_fd);
	state = walk_one(ns, ifindex);
	walk_is_prog(&state.filter, filter);
	ck_assert(!state.filter.has_cfg);
	walk_is_prog(&state.steering, p.prog_fd);
	raw_filter(fd, -1);
	state = walk_one(ns, ifindex);
	walk_is_none(&state.filter);
	walk_is_prog(&state.steering, p.prog_fd);
	nst_bpf_unload(&p);
	nsteer_close(ns);
}
END_TEST

/* ---- many ---- */

START_TEST(three_hundred)
{
	struct nsteer *ns = walk_begin();
	struct nst_tun_state *states, state;
	struct nst_bpf_prog p;
	struct nst_cfg cfg;
	char name[IFNAMSIZ];
	uint32_t ifindex;
	size_t i, n;
	int fd;

	for (i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "t%zu", i);
		fd = walk_tap(name);
		fx_persist(fd, true);
		ifindex = fx_ifindex(name);
		cfg = raw_cfg(ifindex, i % 3, i);
		if (i % 3) {
			p = raw_policy(ns,
				       i % 3 == 1 ? "nst_steer_cpu"
						  : "nst_steer_fixed",
				       &cfg);
			raw_steer(fd, p.prog_fd);
			nst_bpf_unload(&p);
		}
		close(fd);
	}
	/* The guess is far too low, once for each way of asking. */
	n = walk_all(ns, _i ? 5 : 0, &states);
	ck_assert_uint_eq(n, MANY);
	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "t%zu", i);
		ck_assert_uint_eq(states[i].ifindex, fx_ifindex(name));
		ck_assert_uint_eq(!!states[i].steering.prog.id, !!(i % 3));
		ck_assert_uint_eq(states[i].steering.has_cfg, !!(i % 3));
		if (i % 3) {
			ck_assert_uint_eq(states[i].steering.cfg.ifindex,
					  states[i].ifindex);
			ck_assert_uint_eq(states[i].steering.cfg.queue, i);
			ck_assert_str_eq(states[i].steering.prog.name,
					 i % 3 == 1 ? "nst_steer_cpu"
						    : "nst_steer_fixed");
		}
		state = walk_one(ns, states[i].ifindex);
		ck_assert_mem_eq(&state, &states[i], sizeof(state));
	}
	free(states);
	nsteer_close(ns);
}
END_TEST

/* 256 buckets by index: these share one, but for the highest there is. */
START_TEST(one_bucket)
{
	static const int indices[] = { 556, 300, 0x7fffffff, 300 + 256 * 1000,
				       812 };
	struct nsteer *ns = walk_begin();
	struct nst_tun_state *states;
	struct ifreq ifr = { 0 };
	int fd, i, n = sizeof(indices) / sizeof(indices[0]);

	for (i = 0; i < n; i++) {
		fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
		ck_assert_int_ge(fd, 0);
		ck_assert_int_eq(ioctl(fd, TUNSETIFINDEX, &indices[i]), 0);
		snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "t%d", i);
		ifr.ifr_flags = MQ_TAP;
		ck_assert_int_eq(ioctl(fd, TUNSETIFF, &ifr), 0);
		raw_steer(fd, raw_prog(ifr.ifr_name, NULL, 0));
	}
	for (i = 0; i < n; i++) {
		snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "t%d", i);
		ck_assert_str_eq(walk_one(ns, indices[i]).steering.prog.name,
				 ifr.ifr_name);
	}
	ck_assert_uint_eq(walk_all(ns, 0, &states), n);
	free(states);
	nsteer_close(ns);
}
END_TEST

/* ---- by a queue ---- */

static struct nst_tun_queue queue(struct nsteer *ns, int fd)
{
	struct nst_tun_queue q;
	int err;

	memset(&q, 0xee, sizeof(q));
	err = nst_tun_inspect_queue(ns, fd, &q);
	ck_assert_msg(!err, "descriptor %d: %s", fd, nsteer_errmsg(ns));
	return q;
}

START_TEST(by_a_queue)
{
	struct nsteer *ns = walk_begin();
	struct nst_tun_state state;
	struct nst_tun_queue q;
	int fd[3], other, i;

	other = walk_tap("other");
	for (i = 0; i < 3; i++)
		fd[i] = walk_tap("t0");
	raw_steer(fd[0], raw_prog("theirs", NULL, 0));
	state = walk_one(ns, fx_ifindex("t0"));
	for (i = 0; i < 3; i++) {
		q = queue(ns, fd[i]);
		ck_assert_mem_eq(&q.state, &state, sizeof(state));
		ck_assert_uint_eq(q.index, i);
		ck_assert(!q.detached);
		ck_assert(q.in_netns);
	}
	/* The last one takes its place. */
	ck_assert_int_eq(fx_queue(fd[0], false), 0);
	ck_assert(queue(ns, fd[0]).detached);
	ck_assert_uint_eq(queue(ns, fd[0]).state.ifindex, state.ifindex);
	ck_assert_uint_eq(queue(ns, fd[2]).index, 0);
	ck_assert_uint_eq(queue(ns, other).state.ifindex, fx_ifindex("other"));
	nsteer_close(ns);
}
END_TEST

/* Of this thread's namespace, in the kernel's own words. */
static uint64_t netns_cookie(void)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	uint64_t cookie = 0;
	socklen_t len = sizeof(cookie);

	ck_assert_int_eq(getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &cookie,
				    &len), 0);
	close(fd);
	return cookie;
}

START_TEST(by_a_queue_elsewhere)
{
	struct nsteer *here, *there = walk_begin();
	uint64_t cookie = netns_cookie();
	struct nst_tun_queue q, p;
	int fd = walk_tap("t0");

	q = queue(there, fd);
	fx_netns();
	here = raw_open();
	p = queue(here, fd);
	ck_assert(q.in_netns);
	ck_assert(!p.in_netns);
	ck_assert_uint_eq(p.state.ifindex, q.state.ifindex);
	ck_assert_uint_ne(cookie, netns_cookie());
	ck_assert_uint_eq(p.state.netns_cookie, cookie);
	ck_assert_uint_eq(q.state.netns_cookie, cookie);
	nsteer_close(here);
	nsteer_close(there);
}
END_TEST

START_TEST(by_a_queue_of_nothing)
{
	struct nsteer *ns = walk_begin();
	struct nst_tun_queue q;
	int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);

	ck_assert_int_eq(nst_tun_inspect_queue(ns, fd, &q), -EBADFD);
	ck_assert_int_eq(nst_tun_inspect_queue(ns, -1, &q), -EBADF);
	ck_assert_int_eq(nst_tun_inspect_queue(ns, 1 << 20, &q), -EBADFD);
	close(fd);
	fd = walk_tap("t0");
	ck_assert_int_eq(nst_tun_inspect_queue(ns, fd, &q), 0);
	ck_assert_int_eq(fx_sh("ip link del t0"), 0);
	ck_assert_int_eq(nst_tun_inspect_queue(ns, fd, &q), -EBADFD);
	nsteer_close(ns);
}
END_TEST

/* ---- namespaces ---- */

START_TEST(each_namespace_its_own)
{
	struct nsteer *a = walk_begin(), *b;
	struct nst_tun_state *states, state;
	uint32_t in_a, in_b;
	int there;

	fx_tun_make("a0", MQ_TAP);
	in_a = fx_tun_make("a1", MQ_TAP);
	fx_netns();
	there = fx_netns_fd();
	b = raw_open();
	in_b = fx_tun_make("b0", IFF_TUN | IFF_NO_PI);
	ck_assert_uint_ne(in_a, in_b);

	ck_assert_uint_eq(walk_all(a, 0, &states), 2);
	free(states);
	ck_assert_uint_eq(walk_all(b, 0, &states), 1);
	ck_assert_uint_eq(states[0].ifindex, in_b);
	free(states);
	ck_assert_uint_eq(walk_one(a, in_a).flags & IFF_TAP, IFF_TAP);
	ck_assert_int_eq(nst_tun_inspect(b, in_a, &state), -ENODEV);
	/* The same index in both is not the same device. */
	ck_assert_uint_eq(walk_one(b, in_b).flags & IFF_TUN, IFF_TUN);
	ck_assert_uint_eq(walk_one(a, in_b).flags & IFF_TAP, IFF_TAP);
	ck_assert(fx_in_netns(there));
	nsteer_close(a);
	nsteer_close(b);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("inspect");
	TCase *tc = tcase_create("devices");

	tcase_set_tags(tc, NST_GUEST);
	tcase_add_test(tc, no_device);
	tcase_add_test(tc, one_device);
	tcase_add_test(tc, layer_3_and_others);
	tcase_add_test(tc, one_bucket);
	tcase_add_test(tc, each_namespace_its_own);
	tcase_add_test(tc, by_a_queue);
	tcase_add_test(tc, by_a_queue_elsewhere);
	tcase_add_test(tc, by_a_queue_of_nothing);
	suite_add_tcase(s, tc);

	tc = tcase_create("programs");
	tcase_set_tags(tc, NST_GUEST);
	tcase_add_test(tc, a_policy);
	tcase_add_test(tc, a_filter);
	suite_add_tcase(s, tc);

	tc = tcase_create("many");
	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 30);
	tcase_add_loop_test(tc, three_hundred, 0, 2);
	suite_add_tcase(s, tc);
	return s;
}
NST_REGISTER(suite);
