/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of other versions, the error record, the choice of namespace. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/caps.h"
#include "core/ctx.h"
#include "core/netns.h"
#include "harness.h"

struct known {
	size_t sz;
	uint32_t a;
	uint32_t b;
};

struct newer {
	struct known known;
	uint64_t c;
};

static struct nsteer *open_ctx(void)
{
	struct nsteer *ns;

	ck_assert_int_eq(nsteer_open(NULL, &ns), 0);
	return ns;
}

START_TEST(opts_null_is_all_defaults)
{
	struct nsteer *ns = open_ctx();
	struct known k = { 1, 2, 3 };

	ck_assert_int_eq(NST_OPTS_READ(ns, NULL, &k), 0);
	ck_assert_uint_eq(k.a, 0);
	ck_assert_uint_eq(k.b, 0);
	nsteer_close(ns);
}
END_TEST

START_TEST(opts_shorter_means_defaults)
{
	struct nsteer *ns = open_ctx();
	struct known given = { offsetof(struct known, b), 5, 77 }, k;

	ck_assert_int_eq(NST_OPTS_READ(ns, &given, &k), 0);
	ck_assert_uint_eq(k.a, 5);
	ck_assert_uint_eq(k.b, 0);
	nsteer_close(ns);
}
END_TEST

START_TEST(opts_longer_only_with_zero_tail)
{
	struct nsteer *ns = open_ctx();
	struct newer given = { { sizeof(given), 5, 6 }, 0 };
	struct known k;

	ck_assert_int_eq(NST_OPTS_READ(ns, &given, &k), 0);
	ck_assert_uint_eq(k.b, 6);
	given.c = 1ull << 56;
	ck_assert_int_eq(NST_OPTS_READ(ns, &given, &k), -E2BIG);
	ck_assert_ptr_nonnull(strstr(nsteer_errmsg(ns), nsteer_version()));
	nsteer_close(ns);
}
END_TEST

START_TEST(opts_without_a_size)
{
	struct nsteer *ns = open_ctx();
	struct known given = { 4, 1, 1 }, k;

	ck_assert_int_eq(NST_OPTS_READ(ns, &given, &k), -EINVAL);
	given.sz = 0;
	ck_assert_int_eq(NST_OPTS_READ(ns, &given, &k), -EINVAL);
	ck_assert_ptr_nonnull(strstr(nsteer_errmsg(ns), "NSTEER_OPTS"));
	nsteer_close(ns);
}
END_TEST

START_TEST(opts_macro_fills_in_the_size)
{
	NSTEER_OPTS(nsteer_open_opts, o, .netns_fd = 3);
	NSTEER_OPTS(nsteer_open_opts, none);

	ck_assert_uint_eq(o.sz, sizeof(o));
	ck_assert_int_eq(o.netns_fd, 3);
	ck_assert_ptr_null(o.netns);
	ck_assert_uint_eq(none.sz, sizeof(none));
	ck_assert_int_eq(none.netns_fd, 0);
}
END_TEST

/* A member of a later version begins where today's struct ends. */
struct later {
	size_t sz;
	bool force;
	size_t : 0;
	bool added;
	uint8_t unused[sizeof(size_t) - sizeof(bool)];
	size_t : 0;
};

START_TEST(opts_grow_behind_their_padding)
{
	struct {
		size_t sz;
		bool force;
		size_t : 0;
	} today;

	ck_assert_uint_eq(offsetof(struct later, added), sizeof(today));
	ck_assert_uint_eq(offsetof(struct later, unused) +
				  sizeof(((struct later *)0)->unused),
			  sizeof(struct later));
}
END_TEST

START_TEST(errors_are_recorded_and_cleared)
{
	struct nsteer *ns = open_ctx();

	ck_assert_str_eq(nsteer_errmsg(ns), "");
	ck_assert_ptr_null(nsteer_err_extack(ns));
	ck_assert_int_eq(nst_fail(ns, -ENODEV, "no %s", "tap9"), -ENODEV);
	nst_err_set_extack(ns, "kernel words");
	nst_err_set_extack(ns, "");
	nst_err_set_extack(ns, NULL);
	nst_err_set_attr(ns, "offset %d", 20);
	ck_assert_str_eq(nsteer_errmsg(ns), "no tap9");
	ck_assert_str_eq(nsteer_err_extack(ns), "kernel words");
	ck_assert_str_eq(nsteer_err_attr(ns), "offset 20");
	ck_assert_ptr_null(nsteer_err_cap(ns));
	nst_err_clear(ns);
	ck_assert_str_eq(nsteer_errmsg(ns), "");
	ck_assert_ptr_null(nsteer_err_attr(ns));
	nsteer_close(ns);
}
END_TEST

START_TEST(no_context_means_no_memory)
{
	ck_assert_str_eq(nsteer_errmsg(NULL), "out of memory");
	ck_assert_ptr_null(nsteer_err_extack(NULL));
	ck_assert_ptr_null(nsteer_err_cap(NULL));
	nsteer_close(NULL);
}
END_TEST

START_TEST(missing_capabilities_are_named)
{
	struct nsteer *ns = open_ctx();
	cap_t none = cap_init();

	/* Give up what there is: this process is the test's own. */
	ck_assert_int_eq(cap_set_proc(none), 0);
	cap_free(none);
	ck_assert_int_eq(nst_fail_cap(ns, -EPERM,
				      NST_CAPS(CAP_NET_ADMIN, CAP_SYS_PTRACE),
				      "cannot"),
			 -EPERM);
	ck_assert_str_eq(nsteer_err_cap(ns), "cap_net_admin cap_sys_ptrace");
	ck_assert_str_eq(nsteer_errmsg(ns),
			 "cannot (missing: cap_net_admin cap_sys_ptrace)");
	nst_err_clear(ns);
	nst_fail_cap(ns, -ENODEV, NST_CAPS(CAP_NET_ADMIN), "cannot");
	ck_assert_str_eq(nsteer_errmsg(ns), "cannot");
	ck_assert_ptr_null(nsteer_err_cap(ns));
	nsteer_close(ns);
}
END_TEST

static void collect(void *data, enum nsteer_log_level level, const char *msg)
{
	snprintf(data, 64, "%d %s", level, msg);
}

START_TEST(log_goes_to_the_callback)
{
	char seen[64] = "";
	NSTEER_OPTS(nsteer_open_opts, o, .log = collect, .log_data = seen);
	struct nsteer *ns;

	ck_assert_int_eq(nsteer_open(&o, &ns), 0);
	nst_warn(ns, "careful %d", 7);
	ck_assert_str_eq(seen, "1 careful 7");
	nst_debug(ns, "why");
	ck_assert_str_eq(seen, "2 why");
	nsteer_close(ns);
	ns = open_ctx();
	nst_warn(ns, "nobody hears it");
	nsteer_close(ns);
}
END_TEST

static const struct {
	const char *netns;
	int err;
	const char *word;
} bad_netns[] = {
	{ "", -EINVAL, "no name" },
	{ ".", -EINVAL, "no name" },
	{ "..", -EINVAL, "no name" },
	{ "pid:", -EINVAL, "pid:N" },
	{ "pid:12x", -EINVAL, "pid:N" },
	{ "pid:-1", -EINVAL, "pid:N" },
	{ "pid:4194305", -ENOENT, "pid:4194305" },
	{ "no such namespace", -ENOENT, "/run/netns/no such namespace" },
	{ "/no/such/path", -ENOENT, "/no/such/path" },
	{ "/dev/null", -EINVAL, "no network namespace" },
};

START_TEST(bad_namespaces)
{
	NSTEER_OPTS(nsteer_open_opts, o, .netns = bad_netns[_i].netns);
	struct nsteer *ns;

	ck_assert_int_eq(nsteer_open(&o, &ns), bad_netns[_i].err);
	/* There is a context all the same, to tell why. */
	ck_assert_ptr_nonnull(ns);
	ck_assert_msg(strstr(nsteer_errmsg(ns), bad_netns[_i].word) != NULL,
		      "\"%s\" lacks \"%s\"", nsteer_errmsg(ns),
		      bad_netns[_i].word);
	nsteer_close(ns);
}
END_TEST

START_TEST(two_namespaces_are_one_too_many)
{
	NSTEER_OPTS(nsteer_open_opts, o, .netns = "pid:1", .netns_fd = 3);
	struct nsteer *ns;

	ck_assert_int_eq(nsteer_open(&o, &ns), -EINVAL);
	nsteer_close(ns);
}
END_TEST

START_TEST(own_namespace_needs_no_capability)
{
	char spec[32];
	NSTEER_OPTS(nsteer_open_opts, o, .netns = spec);
	struct nst_netns_guard guard;
	struct nsteer *ns;
	cap_t none = cap_init();

	snprintf(spec, sizeof(spec), "pid:%d", getpid());
	ck_assert_int_eq(cap_set_proc(none), 0);
	cap_free(none);
	ck_assert_int_eq(nsteer_open(&o, &ns), 0);
	ck_assert_int_eq(nst_netns_enter(ns, &guard), 0);
	ck_assert_int_eq(guard.back_fd, -1);
	ck_assert_int_eq(nst_netns_leave(ns, &guard, -EIO), -EIO);
	nsteer_close(ns);
}
END_TEST

START_TEST(descriptor_is_borrowed)
{
	int fd = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	NSTEER_OPTS(nsteer_open_opts, o, .netns_fd = fd);
	struct nsteer *ns;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(nsteer_open(&o, &ns), 0);
	ck_assert(nst_netns_is_ours(ns, fd));
	nsteer_close(ns);
	ck_assert_int_ge(fcntl(fd, F_GETFD), 0);
	close(fd);
}
END_TEST

static Suite *core_suite(void)
{
	Suite *s = suite_create("core");
	TCase *t = tcase_create("core");

	tcase_add_test(t, opts_null_is_all_defaults);
	tcase_add_test(t, opts_shorter_means_defaults);
	tcase_add_test(t, opts_longer_only_with_zero_tail);
	tcase_add_test(t, opts_without_a_size);
	tcase_add_test(t, opts_macro_fills_in_the_size);
	tcase_add_test(t, opts_grow_behind_their_padding);
	tcase_add_test(t, errors_are_recorded_and_cleared);
	tcase_add_test(t, no_context_means_no_memory);
	tcase_add_test(t, missing_capabilities_are_named);
	tcase_add_test(t, log_goes_to_the_callback);
	tcase_add_loop_test(t, bad_namespaces, 0,
			    sizeof(bad_netns) / sizeof(bad_netns[0]));
	tcase_add_test(t, two_namespaces_are_one_too_many);
	tcase_add_test(t, own_namespace_needs_no_capability);
	tcase_add_test(t, descriptor_is_borrowed);
	suite_add_tcase(s, t);
	return s;
}

NST_REGISTER(core_suite);
