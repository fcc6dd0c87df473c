/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hold NAME WORD...   holds a queue of a tun/tap device until its input ends
 *
 * tun, tap, multi_queue, pi: flags to open it with. detach: then disable it.
 * steer, filter: put a program on the device that is not nsteer's, and print
 * its id. comm NAME: be called so. Says "ready" at the end of all that.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int die(const char *what)
{
	fprintf(stderr, "hold: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* return 0xffff: all of the packet, or some queue. */
static int load(void)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = 0xffff },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_SOCKET_FILTER,
		.insns = (unsigned long)insns,
		.insn_cnt = 2,
		.license = (unsigned long)"GPL",
		.prog_name = "someone_else",
	};
	int fd = syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));

	return fd < 0 ? die("load") : fd;
}

static void put_program(int queue, unsigned long request, const char *what)
{
	struct bpf_prog_info info = { 0 };
	union bpf_attr attr = { 0 };
	int fd = load();

	attr.info.bpf_fd = fd;
	attr.info.info_len = sizeof(info);
	attr.info.info = (unsigned long)&info;
	if (syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)))
		die("info");
	if (ioctl(queue, request, &fd))
		die(what);
	printf("%s %u\n", what, info.id);
	close(fd);
}

int main(int argc, char **argv)
{
	struct ifreq ifr = { .ifr_flags = IFF_NO_PI };
	int i, fd, steer = 0, filter = 0, detach = 0;
	char c;

	if (argc < 2 || strlen(argv[1]) >= IFNAMSIZ)
		return 1;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	strcpy(ifr.ifr_name, argv[1]);
	for (i = 2; i < argc; i++) {
		if (!strcmp(argv[i], "tun"))
			ifr.ifr_flags |= IFF_TUN;
		else if (!strcmp(argv[i], "tap"))
			ifr.ifr_flags |= IFF_TAP;
		else if (!strcmp(argv[i], "multi_queue"))
			ifr.ifr_flags |= IFF_MULTI_QUEUE;
		else if (!strcmp(argv[i], "pi"))
			ifr.ifr_flags &= ~IFF_NO_PI;
		else if (!strcmp(argv[i], "detach"))
			detach = 1;
		else if (!strcmp(argv[i], "steer"))
			steer = 1;
		else if (!strcmp(argv[i], "filter"))
			filter = 1;
		else if (!strcmp(argv[i], "comm") && ++i < argc)
			prctl(PR_SET_NAME, argv[i]);
		else
			return 1;
	}
	fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
	if (fd < 0 || ioctl(fd, TUNSETIFF, &ifr))
		die(argv[1]);
	if (steer)
		put_program(fd, TUNSETSTEERINGEBPF, "steer");
	if (filter)
		put_program(fd, TUNSETFILTEREBPF, "filter");
	ifr.ifr_flags = IFF_DETACH_QUEUE;
	if (detach && ioctl(fd, TUNSETQUEUE, &ifr))
		die("detach");
	printf("ready\n");
	fflush(stdout);
	while (read(0, &c, 1) > 0)
		;
	return 0;
}
