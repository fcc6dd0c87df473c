// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench_prog OBJECT ROUNDS: nanoseconds per packet of each policy's program in
 * the object, and of a socket filter that does nothing, by BPF_PROG_TEST_RUN.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/stat.h"
#include "fixture.h"

#define REPEAT 2000000
#define MAX_PROGS 16

struct prog {
	const char *name;
	int fd;
	struct stat_series ns;
};

static struct prog progs[MAX_PROGS];
static int n_progs;

static int empty_filter(void)
{
	struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, "empty", "GPL", insns,
			     2, NULL);
}

static void load(const char *path)
{
	struct bpf_object *obj = bpf_object__open(path);
	struct bpf_program *prog;

	if (!obj || bpf_object__load(obj))
		fx_die("%s cannot be loaded", path);
	progs[n_progs++] = (struct prog){ .name = "empty filter",
					  .fd = empty_filter() };
	bpf_object__for_each_program(prog, obj) {
		if (n_progs < MAX_PROGS)
			progs[n_progs++] = (struct prog){
				.name = bpf_program__name(prog),
				.fd = bpf_program__fd(prog),
			};
	}
}

static void run(struct prog *p)
{
	unsigned char packet[64] = { 0 };
	LIBBPF_OPTS(bpf_test_run_opts, o, .data_in = packet,
		    .data_size_in = sizeof(packet), .repeat = REPEAT);

	if (bpf_prog_test_run_opts(p->fd, &o))
		fx_die("%s cannot be run", p->name);
	stat_add(&p->ns, o.duration);
}

int main(int argc, char **argv)
{
	double empty;
	int i, k;

	if (argc != 3)
		fx_die("usage: bench_prog OBJECT ROUNDS");
	load(argv[1]);
	for (i = 0; i < atoi(argv[2]); i++)
		for (k = 0; k < n_progs; k++)
			run(&progs[k]);
	empty = stat_at(&progs[0].ns, 0.5);
	printf("%-34s %8s %17s %8s\n", "", "ns", "min-max", "+ ns");
	for (k = 0; k < n_progs; k++) {
		double ns = stat_at(&progs[k].ns, 0.5);

		printf("%-34s %8.0f %8.0f-%8.0f %8.0f\n", progs[k].name, ns,
		       stat_at(&progs[k].ns, 0), stat_at(&progs[k].ns, 1),
		       ns - empty);
	}
	return 0;
}
