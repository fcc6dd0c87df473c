// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Load for a tap: readers on its queues, and senders tied to a CPU.
 *
 *   tapload read TAP QUEUES
 *	Holds the queues, a thread on each, and says "ready". Every line on
 *	standard input is answered by what came in since the last one, a line
 *	per sending CPU: "CPU PACKETS-ON-QUEUE-0 PACKETS-ON-QUEUE-1 ...",
 *	and a line "." to end it. The end of the input ends it all.
 *
 *   tapload send CPU FLOWS PACKETS|SECONDSs ADDRESS
 *	UDP from this CPU over so many flows (source ports) in turn, each
 *	packet marked with the CPU. Says how many were sent.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PORT 9 /* discard */
#define MARK 0x6e737472
#define MAX_QUEUES 256
#define MAX_CPUS 1024
#define MAX_FLOWS 4096
#define BATCH 32
#define UDP_PAYLOAD (14 + 20 + 8) /* Ethernet, IPv4 without options, UDP */

struct payload {
	uint32_t mark;
	uint32_t cpu;
	char fill[24];
};

struct queue {
	int fd;
	/* By sending CPU; written by the queue's thread alone. */
	uint64_t packets[MAX_CPUS];
	uint64_t told[MAX_CPUS];
};

static struct queue *queues;
static int n_queues;

static void die(const char *what)
{
	fprintf(stderr, "tapload: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int open_queue(const char *tap)
{
	struct ifreq ifr = { .ifr_flags = IFF_TAP | IFF_NO_PI };
	int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die("/dev/net/tun");
	if (n_queues > 1)
		ifr.ifr_flags |= IFF_MULTI_QUEUE;
	if (strlen(tap) >= IFNAMSIZ)
		errno = EINVAL, die(tap);
	strcpy(ifr.ifr_name, tap);
	if (ioctl(fd, TUNSETIFF, &ifr))
		die(tap);
	return fd;
}

static void *read_queue(void *arg)
{
	struct queue *q = arg;
	struct payload p;
	char frame[2048];
	ssize_t n;

	while ((n = read(q->fd, frame, sizeof(frame))) > 0) {
		if (n < (ssize_t)(UDP_PAYLOAD + sizeof(p)))
			continue;
		memcpy(&p, frame + UDP_PAYLOAD, sizeof(p));
		if (p.mark == MARK && p.cpu < MAX_CPUS)
			__atomic_fetch_add(&q->packets[p.cpu], 1,
					   __ATOMIC_RELAXED);
	}
	return NULL;
}

static void answer(void)
{
	for (int cpu = 0; cpu < MAX_CPUS; cpu++) {
		uint64_t now[MAX_QUEUES], any = 0;

		for (int i = 0; i < n_queues; i++) {
			struct queue *q = &queues[i];
			uint64_t n = __atomic_load_n(&q->packets[cpu],
						     __ATOMIC_RELAXED);

			now[i] = n - q->told[cpu];
			q->told[cpu] = n;
			any |= now[i];
		}
		if (!any)
			continue;
		printf("%d", cpu);
		for (int i = 0; i < n_queues; i++)
			printf(" %llu", (unsigned long long)now[i]);
		putchar('\n');
	}
	puts(".");
}

static int do_read(const char *tap, int count)
{
	pthread_t thread;
	char line[64];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	n_queues = count;
	queues = calloc(count, sizeof(*queues));
	if (!queues)
		die("memory");
	for (int i = 0; i < count; i++)
		queues[i].fd = open_queue(tap);
	for (int i = 0; i < count; i++) {
		errno = pthread_create(&thread, NULL, read_queue, &queues[i]);
		if (errno)
			die("thread");
	}
	puts("ready");
	while (fgets(line, sizeof(line), stdin))
		answer();
	return 0;
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("this CPU");
}

static int flow_socket(const char *address)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons(PORT) };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		die("socket");
	if (inet_pton(AF_INET, address, &to.sin_addr) != 1)
		errno = EINVAL, die(address);
	if (connect(fd, (struct sockaddr *)&to, sizeof(to)))
		die(address);
	return fd;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static int do_send(int cpu, int flows, const char *amount, const char *address)
{
	struct payload p = { .mark = MARK, .cpu = cpu };
	struct iovec iov = { .iov_base = &p, .iov_len = sizeof(p) };
	struct mmsghdr msg[BATCH] = { 0 };
	uint64_t sent = 0, want;
	double end = 0;
	static int fd[MAX_FLOWS];
	char *unit;

	want = strtoull(amount, &unit, 10);
	if (*unit == 's')
		end = seconds() + want;
	pin(cpu);
	for (int i = 0; i < flows; i++)
		fd[i] = flow_socket(address);
	for (int i = 0; i < BATCH; i++)
		msg[i].msg_hdr =
			(struct msghdr){ .msg_iov = &iov, .msg_iovlen = 1 };
	for (int i = 0; end ? seconds() < end : sent < want; i++) {
		/* One packet a time where the spread over flows matters. */
		int n = sendmmsg(fd[i % flows], msg, end ? BATCH : 1, 0);

		if (n > 0)
			sent += n;
		else if (errno != ENOBUFS && errno != EAGAIN)
			die("send");
	}
	printf("%llu\n", (unsigned long long)sent);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "read")) {
		int n = atoi(argv[3]);

		if (n >= 1 && n <= MAX_QUEUES)
			return do_read(argv[2], n);
	}
	if (argc == 6 && !strcmp(argv[1], "send")) {
		int cpu = atoi(argv[2]), flows = atoi(argv[3]);

		if (cpu >= 0 && cpu < MAX_CPUS && flows >= 1 &&
		    flows <= MAX_FLOWS)
			return do_send(cpu, flows, argv[4], argv[5]);
	}
	fprintf(stderr,
		"usage: tapload read TAP QUEUES\n"
		"       tapload send CPU FLOWS PACKETS|SECONDSs ADDRESS\n");
	return 1;
}
