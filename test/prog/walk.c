/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk.h"

#include <string.h>

#include "fixture.h"
#include "harness.h"

struct nsteer *walk_begin(void)
{
	nst_need_root();
	fx_netns();
	return raw_open();
}

struct nst_tun_state walk_one(struct nsteer *ns, uint32_t ifindex)
{
	struct nst_tun_state state;
	int err;

	memset(&state, 0xee, sizeof(state));
	err = nst_tun_inspect(ns, ifindex, &state);
	ck_assert_msg(!err, "ifindex %u: %s", ifindex, nsteer_errmsg(ns));
	ck_assert_uint_eq(state.ifindex, ifindex);
	return state;
}

size_t walk_all(struct nsteer *ns, size_t expect, struct nst_tun_state **out)
{
	size_t count = 4711, i;
	int err = nst_tun_inspect_all(ns, expect, out, &count);

	ck_assert_msg(!err, "%s", nsteer_errmsg(ns));
	for (i = 1; i < count; i++)
		ck_assert_uint_lt((*out)[i - 1].ifindex, (*out)[i].ifindex);
	return count;
}

int walk_tap(const char *name)
{
	int fd = fx_tun_open(name, MQ_TAP);

	ck_assert_int_ge(fd, 0);
	return fd;
}

void walk_is_prog(const struct nst_tun_prog *got, int prog_fd)
{
	struct bpf_prog_info info = raw_prog_info(prog_fd);
	char tag[17];

	raw_tag(&info, tag);
	ck_assert_uint_ne(info.id, 0);
	ck_assert_uint_eq(got->prog.id, info.id);
	ck_assert_str_eq(got->prog.name, info.name);
	ck_assert_str_eq(got->prog.tag, tag);
}

void walk_is_none(const struct nst_tun_prog *got)
{
	ck_assert_uint_eq(got->prog.id, 0);
	ck_assert_str_eq(got->prog.name, "");
	ck_assert_str_eq(got->prog.tag, "");
	ck_assert(!got->has_cfg);
}
