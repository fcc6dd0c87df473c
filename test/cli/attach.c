/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * attach pin NAME PATH             a program of this name for packets of a
 *                                  device, pinned there
 * attach HOOK DEV NAME [before]    attached, at the end or in front
 * attach HOOK DEV NAME link PATH   attached by a link that is pinned there
 *
 * HOOK is a number of enum bpf_attach_type. Prints the program's id. The exit
 * status is 2 where the kernel knows no such hook.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define F_BEFORE (1U << 3) /* BPF_F_BEFORE */

static int die(const char *what)
{
	int code = errno == EINVAL ? 2 : 1;

	fprintf(stderr, "attach: %s: %s\n", what, strerror(errno));
	exit(code);
}

static int sys_bpf(int cmd, union bpf_attr *attr, const char *what)
{
	int ret = syscall(SYS_bpf, cmd, attr, sizeof(*attr));

	return ret < 0 ? die(what) : ret;
}

/* Lets the next one run, at any kind of hook. */
static int load(const char *name)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = -1 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_SCHED_CLS,
		.insns = (unsigned long)insns,
		.insn_cnt = 2,
		.license = (unsigned long)"GPL",
	};

	strncpy(attr.prog_name, name, sizeof(attr.prog_name) - 1);
	return sys_bpf(BPF_PROG_LOAD, &attr, "load");
}

static void print_id(int fd)
{
	struct bpf_prog_info info = { 0 };
	union bpf_attr attr = { .info = { .bpf_fd = fd,
					  .info_len = sizeof(info),
					  .info = (unsigned long)&info } };

	sys_bpf(BPF_OBJ_GET_INFO_BY_FD, &attr, "info");
	printf("%u\n", info.id);
}

static void pin(int fd, const char *path)
{
	union bpf_attr attr = { .pathname = (unsigned long)path,
				.bpf_fd = fd };

	sys_bpf(BPF_OBJ_PIN, &attr, path);
}

int main(int argc, char **argv)
{
	bool is_link = argc == 6 && !strcmp(argv[4], "link");
	union bpf_attr attr = { .attach_type = 0 };
	int fd, type, ifindex;

	if (argc < 4)
		return 1;
	if (!strcmp(argv[1], "pin")) {
		fd = load(argv[2]);
		pin(fd, argv[3]);
		print_id(fd);
		return 0;
	}
	fd = load(argv[3]);
	type = atoi(argv[1]);
	ifindex = if_nametoindex(argv[2]);
	if (is_link) {
		attr.link_create.prog_fd = fd;
		attr.link_create.target_ifindex = ifindex;
		attr.link_create.attach_type = type;
		pin(sys_bpf(BPF_LINK_CREATE, &attr, "link"), argv[5]);
	} else {
		attr.target_fd = ifindex;
		attr.attach_bpf_fd = fd;
		attr.attach_type = type;
		attr.attach_flags = argc == 5 ? F_BEFORE : 0;
		sys_bpf(BPF_PROG_ATTACH, &attr, "attach");
	}
	print_id(fd);
	return 0;
}
