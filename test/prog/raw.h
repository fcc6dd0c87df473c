/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs and maps by hand, as another tool would make them. */
#ifndef NST_TEST_RAW_H
#define NST_TEST_RAW_H

#include <linux/bpf.h>
#include <stdint.h>
#include <sys/capability.h>

#include "core/bpf.h"
#include "bpf/shared.h"

/* A map of one entry; value may be NULL. */
int raw_map(const char *name, enum bpf_map_type type, uint32_t value_size,
	    const void *value);
/* A socket filter that holds on to these maps, in this order. */
int raw_prog(const char *name, const int *maps, int n_maps);

struct bpf_prog_info raw_prog_info(int prog_fd);
void raw_tag(const struct bpf_prog_info *info, char hex[17]);

/* One of ours, loaded as nsteer does. */
struct nst_bpf_prog raw_policy(struct nsteer *ns, const char *prog,
			       const struct nst_cfg *cfg);
struct nst_cfg raw_cfg(uint32_t ifindex, uint32_t policy, uint32_t queue);

/* TUNSETSTEERINGEBPF, TUNSETFILTEREBPF; prog_fd -1 takes it off. */
void raw_steer(int queue_fd, int prog_fd);
void raw_filter(int queue_fd, int prog_fd);

/* Without this capability, and without cap_sys_admin, which holds it too. */
void raw_drop_cap(cap_value_t cap);

struct nsteer *raw_open(void);

#endif /* NST_TEST_RAW_H */
