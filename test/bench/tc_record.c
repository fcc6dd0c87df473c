// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench_tc_record DEVICE terse|full [FILE]
 *
 * Dumps the filters that a device's ingress has: into FILE, for replay.so.
 * Without FILE it only walks over the messages, which is what a dump costs at
 * least.
 */
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "bench/replay.h"

static void __attribute__((noreturn)) die(const char *what)
{
	fprintf(stderr, "bench_tc_record: %s: %s\n", what, strerror(errno));
	exit(1);
}

struct request {
	struct nlmsghdr nlh;
	struct tcmsg tcm;
	struct rtattr attr;
	struct nla_bitfield32 flags;
};

static int ask(const char *device, bool terse, struct replay_head *head)
{
	struct request req = {
		.nlh = { .nlmsg_len = sizeof(req),
			 .nlmsg_type = RTM_GETTFILTER,
			 .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
			 .nlmsg_seq = 1 },
		.tcm = { .tcm_family = AF_UNSPEC,
			 .tcm_ifindex = if_nametoindex(device),
			 .tcm_parent =
				 TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS) },
		.attr = { .rta_len = RTA_LENGTH(sizeof(req.flags)),
			  .rta_type = TCA_DUMP_FLAGS },
		.flags = { TCA_DUMP_FLAGS_TERSE, TCA_DUMP_FLAGS_TERSE },
	};
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);

	if (!req.tcm.tcm_ifindex)
		die(device);
	if (!terse)
		req.nlh.nlmsg_len = NLMSG_LENGTH(sizeof(req.tcm));
	replay_asked(head, &req, req.nlh.nlmsg_len);
	if (fd < 0 || send(fd, &req, req.nlh.nlmsg_len, 0) < 0)
		die("netlink");
	return fd;
}

/*
 * The bytes before the NLMSG_DONE, which stands at the end of the last datagram
 * or in one of its own; *ended: it was there.
 */
static size_t data(const void *buf, size_t len, size_t *n, bool *ended)
{
	const struct nlmsghdr *nlh = buf;

	for (; NLMSG_OK(nlh, len); nlh = NLMSG_NEXT(nlh, len)) {
		if (nlh->nlmsg_type == NLMSG_ERROR ||
		    nlh->nlmsg_type == NLMSG_DONE) {
			errno = -*(const int *)NLMSG_DATA(nlh);
			if (errno)
				die("the kernel");
			*ended = true;
			break;
		}
		++*n;
	}
	return (const char *)nlh - (const char *)buf;
}

static void receive(int fd, FILE *file)
{
	static char buf[REPLAY_DATAGRAM] __attribute__((aligned(4)));
	size_t messages = 0, datagrams = 0;
	bool ended = false;
	uint32_t len;
	ssize_t n;

	while (!ended) {
		n = recv(fd, buf, sizeof(buf), MSG_TRUNC);
		if (n < 0 || n > (ssize_t)sizeof(buf))
			die("recv");
		len = data(buf, n, &messages, &ended);
		if (file && len &&
		    (fwrite(&len, sizeof(len), 1, file) != 1 ||
		     fwrite(buf, len, 1, file) != 1))
			die("write");
		datagrams += len > 0;
	}
	printf("%zu messages in %zu datagrams\n", messages, datagrams);
}

int main(int argc, char **argv)
{
	struct replay_head head;
	FILE *file = NULL;
	int fd;

	if (argc < 3 || argc > 4 ||
	    (strcmp(argv[2], "terse") && strcmp(argv[2], "full"))) {
		fputs("usage: bench_tc_record DEVICE terse|full [FILE]\n",
		      stderr);
		return 1;
	}
	fd = ask(argv[1], !strcmp(argv[2], "terse"), &head);
	if (argc == 4) {
		file = fopen(argv[3], "w");
		if (!file || fwrite(&head, sizeof(head), 1, file) != 1)
			die(argv[3]);
	}
	receive(fd, file);
	if (file && fclose(file))
		die(argv[3]);
	return 0;
}
