// SPDX-License-Identifier: GPL-2.0-or-later
/* A context acts where it was opened; the thread is back after each call. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live.h"

/* t0 there, and the thread here. */
struct setup {
	int here, there_fd;
	uint32_t ifindex;
	pid_t pid; /* a process that stays there */
};

static void begin(struct setup *s)
{
	nst_need_root();
	fx_netns();
	s->there_fd = fx_netns_fd();
	s->ifindex = fx_tun_make("t0", TAP_MQ);
	s->pid = fx_fork();
	if (!s->pid)
		for (;;)
			pause();
	fx_netns();
	s->here = fx_netns_fd();
}

static void back(const struct setup *s)
{
	ck_assert(fx_in_netns(s->here));
}

/* Every call once, those that fail too. */
static void use(const struct setup *s, struct nsteer *ns)
{
	NSTEER_OPTS(nsteer_tun_list_opts, all, .steering = true, .stats = true,
		    .processes = true);
	struct nsteer_tun_list *l;
	uint32_t ifindex;
	char name[16];
	int fd;

	back(s);
	lv_ok(ns, nsteer_link_index(ns, "t0", &ifindex));
	back(s);
	ck_assert_uint_eq(ifindex, s->ifindex);
	lv_fails(ns, nsteer_link_index(ns, "t9", &ifindex), -ENODEV, "t9");
	back(s);
	lv_ok(ns, nsteer_link_name(ns, ifindex, name));
	back(s);
	lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_CPU, 0));
	back(s);
	lv_policy_is(ns, ifindex, NSTEER_TUN_POLICY_CPU, 0);
	back(s);
	lv_ok(ns, lv_set(ns, ifindex, NSTEER_TUN_POLICY_AUTOMQ, 0));
	back(s);
	ck_assert_int_eq(lv_set(ns, 999, NSTEER_TUN_POLICY_CPU, 0), -ENODEV);
	back(s);
	lv_ok(ns, nsteer_tun_queue_open(ns, ifindex, NULL, &fd));
	back(s);
	lv_ok(ns, lv_set_fd(ns, fd, NSTEER_TUN_POLICY_CPU, 0));
	back(s);
	lv_ok(ns, nsteer_tun_list(ns, &all, &l));
	back(s);
	ck_assert_uint_eq(nsteer_tun_list_count(l), 1);
	nsteer_tun_list_free(l);
	ck_assert_int_eq(nsteer_tun_add(ns, "t0", NULL, &ifindex), -EEXIST);
	back(s);
	lv_ok(ns, nsteer_tun_add(ns, "t1", NULL, &ifindex));
	back(s);
	lv_ok(ns, nsteer_tun_del(ns, ifindex, NULL));
	back(s);
	ck_assert_int_eq(nsteer_tun_del(ns, s->ifindex, NULL), -EBUSY);
	back(s);
	lv_ok(ns, lv_set_fd(ns, fd, NSTEER_TUN_POLICY_AUTOMQ, 0));
	close(fd);
	nsteer_close(ns);
	back(s);
}

START_TEST(by_fd)
{
	struct setup s;

	begin(&s);
	NSTEER_OPTS(nsteer_open_opts, o, .netns_fd = s.there_fd);
	use(&s, lv_open_opts(&o));
	/* Borrowed, not kept. */
	struct nsteer *ns = lv_open_opts(&o);
	close(s.there_fd);
	use(&s, ns);
}
END_TEST

START_TEST(by_pid)
{
	struct setup s;
	char word[24];

	begin(&s);
	snprintf(word, sizeof(word), "pid:%d", s.pid);
	NSTEER_OPTS(nsteer_open_opts, o, .netns = word);
	use(&s, lv_open_opts(&o));
}
END_TEST

START_TEST(by_path)
{
	struct setup s;
	char path[32];

	begin(&s);
	snprintf(path, sizeof(path), "/proc/%d/ns/net", s.pid);
	NSTEER_OPTS(nsteer_open_opts, o, .netns = path);
	use(&s, lv_open_opts(&o));
}
END_TEST

/* As `ip netns add` does it, in a /run that is only this process's. */
START_TEST(by_name)
{
	NSTEER_OPTS(nsteer_open_opts, o, .netns = "blue");
	struct setup s;
	char path[32];

	begin(&s);
	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/run", "tmpfs", 0, NULL))
		fx_die("/run: %s", strerror(errno));
	if (fx_sh("mkdir /run/netns && touch /run/netns/blue"))
		fx_die("/run/netns");
	snprintf(path, sizeof(path), "/proc/%d/ns/net", s.pid);
	if (mount(path, "/run/netns/blue", NULL, MS_BIND, NULL))
		fx_die("bind: %s", strerror(errno));
	use(&s, lv_open_opts(&o));
}
END_TEST

/* The namespace stays when nothing else is left of it than the context. */
START_TEST(outlives_its_processes)
{
	struct setup s;
	struct nsteer *ns;

	begin(&s);
	NSTEER_OPTS(nsteer_open_opts, o, .netns_fd = s.there_fd);
	ns = lv_open_opts(&o);
	close(s.there_fd);
	kill(s.pid, SIGKILL);
	usleep(100000);
	use(&s, ns);
}
END_TEST

/* What the kernel says of this thread's namespace, and not /proc. */
static void back_with(const char *name)
{
	struct lv_link link;

	ck_assert_msg(lv_link(name, &link), "the thread is not back");
	ck_assert_msg(!lv_link("t0", &link), "t0 is here");
	ck_assert_msg(!lv_link("t1", &link), "t1 was made here");
}

/* There, or not at all. */
static void use_blindly(struct nsteer *ns, uint32_t theirs, uint32_t ours)
{
	struct nsteer_tun_list *l;
	uint32_t ifindex;

	if (!nsteer_tun_list(ns, NULL, &l)) {
		ck_assert_uint_eq(nsteer_tun_list_count(l), 1);
		ck_assert_str_eq(nsteer_tun_ifname(nsteer_tun_list_get(l, 0)),
				 "t0");
		nsteer_tun_list_free(l);
	}
	back_with("here0");
	ck_assert_int_ne(nsteer_link_index(ns, "here0", &ifindex), 0);
	back_with("here0");
	if (!nsteer_tun_add(ns, "t1", NULL, &ifindex)) {
		back_with("here0");
		lv_ok(ns, nsteer_tun_del(ns, ifindex, NULL));
	}
	back_with("here0");
	ck_assert_int_ne(lv_set(ns, ours, NSTEER_TUN_POLICY_CPU, 0), 0);
	ck_assert_int_ne(nsteer_tun_del(ns, ours, NULL), 0);
	back_with("here0");
	/* Through a queue of its own: in the context's namespace. */
	(void)lv_set(ns, theirs, NSTEER_TUN_POLICY_CPU, 0);
	back_with("here0");
}

/* 0: none; 1: that of a pid namespace in which we are not. */
static void other_proc(int i)
{
	pid_t pid;

	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		fx_die("mount namespace: %s", strerror(errno));
	if (!i) {
		if (mount("none", "/proc", "tmpfs", 0, NULL))
			fx_die("tmpfs: %s", strerror(errno));
		return;
	}
	/* The next child, and those after it, are in there. */
	if (unshare(CLONE_NEWPID))
		fx_die("pid namespace: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		fx_end_with_parent();
		if (mount("none", "/proc", "proc", 0, NULL))
			_exit(1);
		for (;;)
			pause();
	}
	while (!access("/proc/thread-self", F_OK))
		if (waitpid(pid, NULL, WNOHANG))
			fx_die("a /proc of its own cannot be had");
}

static void act_with_odd_proc(int i)
{
	struct nsteer *before, *ns = NULL;
	struct setup s;
	uint32_t ours, same;

	begin(&s);
	/* One of the index that t0 has there, one of another. */
	same = fx_tun_make("same0", TAP_MQ);
	ck_assert_uint_eq(same, s.ifindex);
	ours = fx_tun_make("here0", TAP_MQ);
	NSTEER_OPTS(nsteer_open_opts, o, .netns_fd = s.there_fd);
	before = lv_open_opts(&o);
	other_proc(i);
	use_blindly(before, s.ifindex, ours);
	if (!nsteer_open(&o, &ns))
		use_blindly(ns, s.ifindex, ours);
	back_with("here0");
	nsteer_close(ns);
	/* Without a wish: here. */
	ns = lv_open(NULL);
	lv_ok(ns, nsteer_link_index(ns, "here0", &ours));
	lv_policy_is(ns, ours, NSTEER_TUN_POLICY_AUTOMQ, 0);
	lv_policy_is(ns, same, NSTEER_TUN_POLICY_AUTOMQ, 0);
	nsteer_close(ns);
	nsteer_close(before);
}

START_TEST(odd_proc)
{
	nst_need_root();
	/* The leak checker cannot do without /proc at the end of a test. */
	lv_child(act_with_odd_proc(_i));
}
END_TEST

static void no_context(struct nsteer_open_opts *o, int want, const char *words)
{
	struct nsteer *ns = NULL;
	int err = nsteer_open(o, &ns);

	ck_assert_int_eq(err, want);
	ck_assert_ptr_nonnull(ns);
	lv_says(nsteer_errmsg(ns), words);
	nsteer_close(ns);
}

START_TEST(not_opened)
{
	struct setup s;
	int null;

	begin(&s);
	NSTEER_OPTS(nsteer_open_opts, both, .netns = "/proc/self/ns/net",
		    .netns_fd = s.there_fd);
	NSTEER_OPTS(nsteer_open_opts, name, .netns = "no-such-name");
	NSTEER_OPTS(nsteer_open_opts, path, .netns = "/no/such/path");
	NSTEER_OPTS(nsteer_open_opts, pid, .netns = "pid:999999999");
	NSTEER_OPTS(nsteer_open_opts, word, .netns = "pid:1x");
	NSTEER_OPTS(nsteer_open_opts, none, .netns = "pid:");
	NSTEER_OPTS(nsteer_open_opts, file, .netns = "/proc/self/status");
	NSTEER_OPTS(nsteer_open_opts, uts, .netns = "/proc/self/ns/uts");
	no_context(&both, -EINVAL, "");
	no_context(&name, -ENOENT, "no-such-name");
	no_context(&path, -ENOENT, "/no/such/path");
	no_context(&pid, -ENOENT, "999999999");
	no_context(&word, -EINVAL, "pid:1x");
	no_context(&none, -EINVAL, "pid:");
	no_context(&file, -EINVAL, "/proc/self/status");
	no_context(&uts, -EINVAL, "/proc/self/ns/uts");
	/* Nobody writes into it: not to be waited for. */
	fx_private_dev(0);
	if (mkfifo("/dev/net/fifo", 0600))
		fx_die("mkfifo: %s", strerror(errno));
	NSTEER_OPTS(nsteer_open_opts, fifo, .netns = "/dev/net/fifo");
	no_context(&fifo, -EINVAL, "/dev/net/fifo");
	null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	NSTEER_OPTS(nsteer_open_opts, bad_fd, .netns_fd = null);
	no_context(&bad_fd, -EINVAL, "");
	back(&s);
	lv_child({
		lv_become(1000, 1000);
		NSTEER_OPTS(nsteer_open_opts, o, .netns_fd = s.there_fd);
		no_context(&o, -EPERM, "cap_sys_admin");
	});
}
END_TEST

/* The thread moves on, the context stays. */
START_TEST(thread_moves)
{
	struct setup s;
	struct nsteer *ns;
	int third;

	begin(&s);
	fx_enter_netns(s.there_fd);
	ns = lv_open(NULL);
	fx_netns();
	third = fx_netns_fd();
	lv_ok(ns, lv_set(ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 0));
	ck_assert(fx_in_netns(third));
	lv_policy_is(ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 0);
	ck_assert(fx_in_netns(third));
	fx_enter_netns(s.here);
	use(&s, ns);
}
END_TEST

/* A context that moved its thread there for good, and the thread moves on. */
START_TEST(stays)
{
	struct setup s;
	struct nsteer *ns;

	begin(&s);
	NSTEER_OPTS(nsteer_open_opts, o, .netns_fd = s.there_fd,
		    .netns_stay = true);
	ns = lv_open_opts(&o);
	ck_assert(fx_in_netns(s.there_fd));
	lv_ok(ns, lv_set(ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 0));
	ck_assert(fx_in_netns(s.there_fd));
	fx_enter_netns(s.here);
	use(&s, ns);
}
END_TEST

/* Who is there already needs no capability to be there. */
START_TEST(stays_where_it_is)
{
	nst_need_root();
	fx_netns();
	lv_child({
		lv_become(1000, 1000);
		NSTEER_OPTS(nsteer_open_opts, o,
			    .netns = "/proc/self/ns/net", .netns_stay = true);
		nsteer_close(lv_open_opts(&o));
	});
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("netns");
	TCase *tc = tcase_create("netns");

	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 30);
	tcase_add_test(tc, by_fd);
	tcase_add_test(tc, by_pid);
	tcase_add_test(tc, by_path);
	tcase_add_test(tc, by_name);
	tcase_add_test(tc, outlives_its_processes);
	tcase_add_loop_test(tc, odd_proc, 0, 2);
	tcase_add_test(tc, not_opened);
	tcase_add_test(tc, thread_moves);
	tcase_add_test(tc, stays);
	tcase_add_test(tc, stays_where_it_is);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
