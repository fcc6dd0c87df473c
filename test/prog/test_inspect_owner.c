/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which programs on a device are nsteer's, and which only look like it. */
#include <string.h>

#include "fixture.h"
#include "harness.h"
#include "walk.h"

#define OTHERS 20 /* maps in front */

struct foreign {
	const char *prog;
	const char *map; /* NULL: no map at all */
	enum bpf_map_type type;
	uint32_t size;
	uint32_t magic;
	uint16_t version;
	int others;
	bool ours;
};

static const struct foreign foreigners[] = {
	{ "theirs", NULL, 0, 0, 0, 0, 0, false },
	{ "nst_theirs", NULL, 0, 0, 0, 0, 0, false },
	{ "nst_theirs", NULL, 0, 0, 0, 0, 3, false },
	{ "", "nst_cfg", BPF_MAP_TYPE_ARRAY, 32, NST_CFG_MAGIC, 1, 0, false },
	{ "theirs", "nst_cfg", BPF_MAP_TYPE_ARRAY, 32, NST_CFG_MAGIC, 1, 0,
	  false },
	{ "nst_x", "nst_cfg", BPF_MAP_TYPE_ARRAY, 32, 1, 1, 0, false },
	{ "nst_x", "nst_cfg", BPF_MAP_TYPE_ARRAY, 32, NST_CFG_MAGIC, 0, 0,
	  false },
	{ "nst_x", "nst_cfg2", BPF_MAP_TYPE_ARRAY, 32, NST_CFG_MAGIC, 1, 0,
	  false },
	{ "nst_x", "nst_cf", BPF_MAP_TYPE_ARRAY, 32, NST_CFG_MAGIC, 1, 0,
	  false },
	{ "nst_x", "nst_cfg", BPF_MAP_TYPE_HASH, 32, NST_CFG_MAGIC, 1, 0,
	  false },
	{ "nst_x", "nst_cfg", BPF_MAP_TYPE_ARRAY, 24, NST_CFG_MAGIC, 1, 0,
	  false },
	{ "nst_x", "nst_cfg", BPF_MAP_TYPE_ARRAY, 32, NST_CFG_MAGIC, 1, 0,
	  true },
	/* Of a newer version, and bigger than anybody thought. */
	{ "nst_x", "nst_cfg", BPF_MAP_TYPE_ARRAY, 48, NST_CFG_MAGIC, 2, 0,
	  true },
	{ "nst_x", "nst_cfg", BPF_MAP_TYPE_ARRAY, 4096, NST_CFG_MAGIC, 9, 0,
	  true },
	/* Among many maps. */
	{ "nst_x", "nst_cfg", BPF_MAP_TYPE_ARRAY, 32, NST_CFG_MAGIC, 1, OTHERS,
	  true },
};

#define N_FOREIGNERS (int)(sizeof(foreigners) / sizeof(foreigners[0]))

START_TEST(ours_or_not)
{
	const struct foreign *f = &foreigners[_i];
	struct nsteer *ns = walk_begin();
	struct nst_tun_state state;
	unsigned char value[4096];
	int fd = walk_tap("t0"), maps[OTHERS + 1], n, prog;
	uint32_t ifindex = fx_ifindex("t0");
	struct nst_cfg cfg = raw_cfg(ifindex, 4711, 42);

	cfg.magic = f->magic;
	cfg.version = f->version;
	memset(value, 0xaa, sizeof(value));
	memcpy(value, &cfg, sizeof(cfg));
	for (n = 0; n < f->others; n++)
		maps[n] = raw_map("other", BPF_MAP_TYPE_ARRAY, 8, NULL);
	if (f->map)
		maps[n++] = raw_map(f->map, f->type, f->size, value);
	prog = raw_prog(f->prog, maps, n);
	raw_steer(fd, prog);
	state = walk_one(ns, ifindex);
	walk_is_prog(&state.steering, prog);
	ck_assert_int_eq(state.steering.has_cfg, f->ours);
	if (f->ours)
		ck_assert_mem_eq(&state.steering.cfg, &cfg, sizeof(cfg));
	nsteer_close(ns);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("inspect, whose");
	TCase *tc = tcase_create("programs");

	tcase_set_tags(tc, NST_GUEST);
	tcase_add_loop_test(tc, ours_or_not, 0, N_FOREIGNERS);
	suite_add_tcase(s, tc);
	return s;
}
NST_REGISTER(suite);
