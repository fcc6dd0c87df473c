/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading an embedded object: only what was asked for, and why it failed. */
#include <bpf/libbpf.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "raw.h"
#include "tun/inspect.h"

static int load(struct nsteer *ns, const struct nst_blob *blob,
		const char *prog, struct nst_bpf_prog *out)
{
	struct nst_cfg cfg = raw_cfg(1, 1, 0);
	struct nst_bpf_load_opts opts = { .cfg = &cfg,
					  .cfg_size = sizeof(cfg) };

	return nst_bpf_load(ns, blob, prog, false, &opts, out);
}

START_TEST(only_the_one_asked_for)
{
	struct nst_bpf_prog p;
	struct bpf_program *one;
	struct nsteer *ns;
	uint32_t id = 0;
	int loaded = 0;

	nst_need_root();
	ns = raw_open();
	ck_assert_int_eq(load(ns, &nst_blob_tun_steer, "nst_steer_fixed", &p),
			 0);
	bpf_object__for_each_program(one, p.obj)
	{
		loaded += bpf_program__fd(one) >= 0;
	}
	ck_assert_int_eq(loaded, 1);
	ck_assert_int_eq(nst_bpf_prog_id(ns, p.prog_fd, &id), 0);
	ck_assert_uint_eq(id, raw_prog_info(p.prog_fd).id);
	ck_assert_int_ge(nst_bpf_map_fd(&p, "nst_cfg"), 0);
	ck_assert_int_eq(nst_bpf_map_fd(&p, "nst_other"), -ENOENT);
	nst_bpf_unload(&p);
	ck_assert_int_lt(nst_bpf_prog_id(ns, p.prog_fd, &id), 0);
	nsteer_close(ns);
}
END_TEST

START_TEST(bad_requests)
{
	static const char junk[64] = "\177ELF, but nothing behind it";
	const struct nst_blob bad = { "junk", junk, junk + sizeof(junk) };
	const struct nst_bpf_map_size none[] = { { "nst_other", 1 }, { 0 } };
	const struct nst_bpf_map_size zero[] = { { "nst_cfg", 0 }, { 0 } };
	struct nst_bpf_load_opts opts = { .map_size = none };
	struct nst_bpf_prog p = { .prog_fd = 4711 };
	struct nsteer *ns;
	char byte = 0;

	nst_need_root();
	ns = raw_open();
	ck_assert_int_eq(load(ns, &nst_blob_tun_steer, "nst_steer_none", &p),
			 -ENOENT);
	ck_assert_ptr_nonnull(strstr(nsteer_errmsg(ns), "nst_steer_none"));
	ck_assert_int_lt(load(ns, &bad, "nst_steer_cpu", &p), 0);
	ck_assert_ptr_nonnull(strstr(nsteer_errmsg(ns), "junk"));
	ck_assert_int_eq(nst_bpf_load(ns, &nst_blob_tun_steer, "nst_steer_cpu",
				      false, &opts, &p),
			 -ENOENT);
	opts.map_size = zero;
	ck_assert_int_eq(nst_bpf_load(ns, &nst_blob_tun_steer, "nst_steer_cpu",
				      false, &opts, &p),
			 -EINVAL);
	opts.map_size = NULL;
	opts.cfg = &byte;
	opts.cfg_size = sizeof(byte);
	ck_assert_int_eq(nst_bpf_load(ns, &nst_blob_tun_steer, "nst_steer_cpu",
				      false, &opts, &p),
			 -EINVAL);
	/* Untouched on failure. */
	ck_assert_int_eq(p.prog_fd, 4711);
	nsteer_close(ns);
}
END_TEST

/* Its one call becomes one to a helper that there is not. */
static struct nst_blob spoilt(void)
{
	static const unsigned char call[] = { 0x85, 0, 0, 0, 8, 0, 0, 0 };
	size_t len = nst_blob_tun_steer.end - nst_blob_tun_steer.start;
	unsigned char *copy = malloc(len), *at;

	memcpy(copy, nst_blob_tun_steer.start, len);
	at = memmem(copy, len, call, sizeof(call));
	ck_assert_ptr_nonnull(at);
	at[5] = 0xff;
	return (struct nst_blob){ "spoilt", (char *)copy, (char *)copy + len };
}

START_TEST(the_verifier_refuses)
{
	struct nst_blob blob = spoilt();
	struct nst_bpf_prog p;
	struct nsteer *ns;

	nst_need_root();
	ns = raw_open();
	ck_assert_int_eq(load(ns, &blob, "nst_steer_cpu", &p), -EINVAL);
	ck_assert_ptr_nonnull(strstr(nsteer_errmsg(ns), "verifier"));
	ck_assert_ptr_nonnull(strstr(nsteer_errmsg(ns), "nst_steer_cpu"));
	ck_assert_ptr_nonnull(nsteer_err_extack(ns));
	ck_assert_ptr_nonnull(strstr(nsteer_err_extack(ns), "invalid func"));
	ck_assert_ptr_null(nsteer_err_cap(ns));
	/* The rest of it is as good as ever. */
	ck_assert_int_eq(load(ns, &blob, "nst_steer_fixed", &p), 0);
	nst_bpf_unload(&p);
	free((void *)blob.start);
	nsteer_close(ns);
}
END_TEST

START_TEST(without_cap_bpf)
{
	struct nst_tun_state state;
	struct nst_bpf_prog p;
	struct nsteer *ns;

	nst_need_root();
	nst_need_closed_bpf();
	ns = raw_open();
	raw_drop_cap(CAP_BPF);
	ck_assert_int_eq(load(ns, &nst_blob_tun_steer, "nst_steer_cpu", &p),
			 -EPERM);
	ck_assert_str_eq(nsteer_err_cap(ns), "cap_bpf");
	ck_assert_int_eq(nst_tun_inspect(ns, 1, &state), -EPERM);
	ck_assert_ptr_nonnull(strstr(nsteer_err_cap(ns), "cap_bpf"));
	nsteer_close(ns);
}
END_TEST

START_TEST(without_cap_perfmon)
{
	struct nst_tun_state state, *all;
	struct nst_bpf_prog p;
	struct nsteer *ns;
	size_t count;
	int err;

	nst_need_root();
	ns = raw_open();
	raw_drop_cap(CAP_PERFMON);
	/* A policy does not need it. */
	ck_assert_int_eq(load(ns, &nst_blob_tun_steer, "nst_steer_cpu", &p), 0);
	nst_bpf_unload(&p);
	err = nst_tun_inspect_all(ns, 0, &all, &count);
	if (!err) {
		free(all);
		nst_skip("kernel: does not ask for cap_perfmon");
	}
	ck_assert_int_eq(err, -EPERM);
	ck_assert_str_eq(nsteer_err_cap(ns), "cap_perfmon");
	ck_assert_int_eq(nst_tun_inspect(ns, 1, &state), -EPERM);
	ck_assert_str_eq(nsteer_err_cap(ns), "cap_perfmon");
	nsteer_close(ns);
}
END_TEST

/* Neither of the two is more than is needed. */
START_TEST(without_cap_sys_admin)
{
	struct nst_tun_state *all;
	struct nsteer *ns;
	size_t count;

	nst_need_root();
	ns = raw_open();
	raw_drop_cap(CAP_SYS_ADMIN);
	ck_assert_int_eq(nst_tun_inspect_all(ns, 0, &all, &count), 0);
	free(all);
	nsteer_close(ns);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("load");
	TCase *tc = tcase_create("load");

	tcase_set_tags(tc, NST_GUEST);
	tcase_add_test(tc, only_the_one_asked_for);
	tcase_add_test(tc, bad_requests);
	tcase_add_test(tc, the_verifier_refuses);
	suite_add_tcase(s, tc);
	tc = tcase_create("capabilities");
	tcase_set_tags(tc, NST_GUEST);
	tcase_add_test(tc, without_cap_bpf);
	tcase_add_test(tc, without_cap_perfmon);
	tcase_add_test(tc, without_cap_sys_admin);
	suite_add_tcase(s, tc);
	return s;
}
NST_REGISTER(suite);
