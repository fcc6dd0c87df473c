// SPDX-License-Identifier: GPL-2.0-or-later
/* Programs that nsteer did not place: seen, named, left alone. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "live.h"

struct setup {
	struct nsteer *ns;
	uint32_t ifindex;
	int fd;	  /* a queue */
	int prog; /* somebody's, on the device */
	uint32_t id;
	char words[64]; /* by which it is named */
};

static void begin(struct setup *s)
{
	nst_need_root();
	fx_netns();
	s->ifindex = fx_tun_make("t0", TAP_MQ);
	s->fd = fx_tun_open("t0", TAP_MQ);
	s->prog = lv_foreign_prog("their_own_thing", 1);
	s->id = lv_prog_id(s->prog);
	lv_attach(s->fd, s->prog);
	snprintf(s->words, sizeof(s->words), "program id %u (their_own_thing)",
		 s->id);
	s->ns = lv_open(NULL);
}

static void end(struct setup *s)
{
	nsteer_close(s->ns);
	close(s->prog);
	close(s->fd);
}

static void still_theirs(struct setup *s)
{
	ck_assert_uint_eq(lv_policy_is(s->ns, s->ifindex,
				       NSTEER_TUN_POLICY_BPF, 0), s->id);
}

START_TEST(is_shown)
{
	struct nsteer_tun_steering *st;
	const struct nsteer_prog *prog;
	struct setup s;
	char tag[17];

	begin(&s);
	lv_prog_tag(s.prog, tag);
	lv_ok(s.ns, nsteer_tun_steering_get(s.ns, s.ifindex, &st));
	ck_assert_int_eq(nsteer_tun_steering_policy(st), NSTEER_TUN_POLICY_BPF);
	ck_assert_int_eq(nsteer_tun_steering_owner(st), NSTEER_OWNER_FOREIGN);
	prog = nsteer_tun_steering_prog(st);
	ck_assert_ptr_nonnull(prog);
	ck_assert_uint_eq(nsteer_prog_id(prog), s.id);
	ck_assert_str_eq(nsteer_prog_name(prog), "their_own_thing");
	ck_assert_str_eq(nsteer_prog_tag(prog), tag);
	ck_assert_ptr_null(nsteer_tun_filter_prog(st));
	nsteer_tun_steering_free(st);
	end(&s);
}
END_TEST

/* A program without a name, and with its loader's descriptor closed. */
START_TEST(nameless_is_shown)
{
	struct nsteer_tun_steering *st;
	const struct nsteer_prog *seen;
	struct setup s;
	uint32_t id;
	int prog;

	begin(&s);
	prog = lv_foreign_prog(NULL, 0);
	id = lv_prog_id(prog);
	lv_attach(s.fd, prog);
	close(prog);
	lv_ok(s.ns, nsteer_tun_steering_get(s.ns, s.ifindex, &st));
	ck_assert_int_eq(nsteer_tun_steering_owner(st), NSTEER_OWNER_FOREIGN);
	seen = nsteer_tun_steering_prog(st);
	ck_assert_ptr_nonnull(seen);
	ck_assert_uint_eq(nsteer_prog_id(seen), id);
	ck_assert_str_eq(nsteer_prog_name(seen), "");
	nsteer_tun_steering_free(st);
	lv_fails(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 0),
		 -EEXIST, "which nsteer did not place");
	end(&s);
}
END_TEST

START_TEST(filter_is_shown)
{
	struct nsteer_tun_steering *st;
	const struct nsteer_prog *seen;
	struct setup s;
	char tag[17];
	int filter;

	begin(&s);
	filter = lv_foreign_prog("keep_all", 0xffff);
	lv_prog_tag(filter, tag);
	lv_attach_filter(s.fd, filter);
	lv_attach(s.fd, -1);
	lv_ok(s.ns, nsteer_tun_steering_get(s.ns, s.ifindex, &st));
	ck_assert_int_eq(nsteer_tun_steering_policy(st),
			 NSTEER_TUN_POLICY_AUTOMQ);
	seen = nsteer_tun_filter_prog(st);
	ck_assert_ptr_nonnull(seen);
	ck_assert_uint_eq(nsteer_prog_id(seen), lv_prog_id(filter));
	ck_assert_str_eq(nsteer_prog_name(seen), "keep_all");
	ck_assert_str_eq(nsteer_prog_tag(seen), tag);
	ck_assert_ptr_null(nsteer_tun_steering_prog(st));
	nsteer_tun_steering_free(st);
	/* A filter is no reason to refuse a policy, and stays. */
	lv_ok(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 0));
	lv_ok(s.ns, nsteer_tun_steering_get(s.ns, s.ifindex, &st));
	seen = nsteer_tun_filter_prog(st);
	ck_assert_ptr_nonnull(seen);
	ck_assert_uint_eq(nsteer_prog_id(seen), lv_prog_id(filter));
	nsteer_tun_steering_free(st);
	close(filter);
	end(&s);
}
END_TEST

START_TEST(is_not_replaced)
{
	static const enum nsteer_tun_policy policies[] = {
		NSTEER_TUN_POLICY_AUTOMQ,
		NSTEER_TUN_POLICY_CPU,
		NSTEER_TUN_POLICY_FIXED,
	};
	const enum nsteer_tun_policy policy = policies[_i];
	struct setup s;

	begin(&s);
	lv_fails(s.ns, lv_set(s.ns, s.ifindex, policy, 0), -EEXIST, s.words);
	lv_fails(s.ns, lv_set_fd(s.ns, s.fd, policy, 0), -EEXIST, s.words);
	still_theirs(&s);
	end(&s);
}
END_TEST

static int replace(struct setup *s, uint32_t id, bool force,
		   enum nsteer_tun_policy policy)
{
	NSTEER_OPTS(nsteer_tun_steering_opts, o, .policy = policy,
		    .replace_id = id, .force = force);

	return nsteer_tun_steering_set(s->ns, s->ifindex, &o);
}

START_TEST(is_replaced_by_name)
{
	struct setup s;
	uint32_t ours;

	begin(&s);
	lv_fails(s.ns, replace(&s, s.id + 1, false, NSTEER_TUN_POLICY_CPU),
		 -EEXIST, s.words);
	still_theirs(&s);
	lv_ok(s.ns, replace(&s, s.id, false, NSTEER_TUN_POLICY_CPU));
	ours = lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 0);
	/* Ours too can be named; theirs is not there any more. */
	lv_fails(s.ns, replace(&s, s.id, false, NSTEER_TUN_POLICY_FIXED),
		 -EEXIST, "nst_steer_cpu");
	lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 0);
	lv_ok(s.ns, replace(&s, ours, false, NSTEER_TUN_POLICY_FIXED));
	ours = lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_FIXED, 0);
	lv_ok(s.ns, replace(&s, ours, false, NSTEER_TUN_POLICY_AUTOMQ));
	lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_AUTOMQ, 0);
	lv_fails(s.ns, replace(&s, ours, false, NSTEER_TUN_POLICY_CPU), -EEXIST,
		 "no program steers t0");
	lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_AUTOMQ, 0);
	end(&s);
}
END_TEST

START_TEST(is_replaced_by_force)
{
	struct setup s;

	begin(&s);
	lv_fails(s.ns, replace(&s, s.id, true, NSTEER_TUN_POLICY_CPU), -EINVAL,
		 "either");
	still_theirs(&s);
	lv_ok(s.ns, replace(&s, 0, true, NSTEER_TUN_POLICY_CPU));
	lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 0);
	lv_attach(s.fd, s.prog);
	lv_ok(s.ns, replace(&s, 0, true, NSTEER_TUN_POLICY_AUTOMQ));
	lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_AUTOMQ, 0);
	end(&s);
}
END_TEST

/* What another process and context placed is nsteer's all the same. */
START_TEST(ours_is_ours_in_any_process)
{
	struct nsteer *other;
	struct setup s;

	begin(&s);
	lv_attach(s.fd, -1);
	lv_child({
		other = lv_open(NULL);
		lv_ok(other, lv_set(other, s.ifindex, NSTEER_TUN_POLICY_FIXED,
				    3));
	});
	lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_FIXED, 3);
	lv_ok(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 0));
	lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 0);
	end(&s);
}
END_TEST

/* A name alone makes no program ours. */
START_TEST(impostor_is_foreign)
{
	struct setup s;
	int prog;

	begin(&s);
	prog = lv_foreign_prog("nst_steer_cpu", 0);
	lv_attach(s.fd, prog);
	lv_fails(s.ns, lv_set(s.ns, s.ifindex, NSTEER_TUN_POLICY_CPU, 0),
		 -EEXIST, "which nsteer did not place");
	lv_policy_is(s.ns, s.ifindex, NSTEER_TUN_POLICY_BPF, 0);
	close(prog);
	end(&s);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("owner");
	TCase *tc = tcase_create("owner");

	tcase_set_tags(tc, NST_GUEST);
	tcase_set_timeout(tc, 30);
	tcase_add_test(tc, is_shown);
	tcase_add_test(tc, nameless_is_shown);
	tcase_add_test(tc, filter_is_shown);
	tcase_add_loop_test(tc, is_not_replaced, 0, 3);
	tcase_add_test(tc, is_replaced_by_name);
	tcase_add_test(tc, is_replaced_by_force);
	tcase_add_test(tc, ours_is_ours_in_any_process);
	tcase_add_test(tc, impostor_is_foreign);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
