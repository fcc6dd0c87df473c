// SPDX-License-Identifier: GPL-2.0-or-later
/* Namespaces and devices; fixture_read.c, fixture_send.c: the packets. */
#include "fixture.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TXQLEN 16384

void fx_die(const char *fmt, ...)
{
	va_list ap;

	fputs("fixture: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(1);
}

int fx_sh(const char *fmt, ...)
{
	char line[1024];
	va_list ap;
	int status;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	status = system(line);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

uint64_t fx_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* ---- namespaces ---- */

static int inet_socket(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		fx_die("socket: %s", strerror(errno));
	return fd;
}

static void if_ioctl(unsigned long cmd, struct ifreq *ifr, const char *what)
{
	int fd = inet_socket();

	if (ioctl(fd, cmd, ifr))
		fx_die("%s: %s: %s", ifr->ifr_name, what, strerror(errno));
	close(fd);
}

static struct ifreq ifreq_for(const char *name)
{
	struct ifreq ifr = { 0 };

	if (strlen(name) >= IFNAMSIZ)
		fx_die("%s: too long", name);
	strcpy(ifr.ifr_name, name);
	return ifr;
}

static void set_flags(const char *name, unsigned int flags)
{
	struct ifreq ifr = ifreq_for(name);

	if_ioctl(SIOCGIFFLAGS, &ifr, "flags");
	ifr.ifr_flags |= flags;
	if_ioctl(SIOCSIFFLAGS, &ifr, "flags");
}

void fx_end_with_parent(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

void fx_netns(void)
{
	int fd;

	fx_end_with_parent();
	if (unshare(CLONE_NEWNET))
		fx_die("network namespace: %s", strerror(errno));
	set_flags("lo", IFF_UP);
	/* No packets but ours: a kernel without IPv6 has none either. */
	fd = open("/proc/sys/net/ipv6/conf/default/disable_ipv6",
		  O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (write(fd, "1", 1) != 1)
		fx_die("IPv6 cannot be switched off: %s", strerror(errno));
	close(fd);
}

int fx_netns_fd(void)
{
	int fd = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		fx_die("/proc/thread-self/ns/net: %s", strerror(errno));
	return fd;
}

bool fx_in_netns(int fd)
{
	struct stat a, b;
	int here = fx_netns_fd();

	if (fstat(fd, &a) || fstat(here, &b))
		fx_die("fstat: %s", strerror(errno));
	close(here);
	return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

void fx_enter_netns(int fd)
{
	if (setns(fd, CLONE_NEWNET))
		fx_die("setns: %s", strerror(errno));
}

void fx_private_dev(mode_t mode)
{
	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/dev/net", "tmpfs", 0, "mode=755"))
		fx_die("/dev/net: %s", strerror(errno));
	if (!mode)
		return;
	if (mknod("/dev/net/tun", S_IFCHR | mode, makedev(10, 200)) ||
	    chmod("/dev/net/tun", mode))
		fx_die("/dev/net/tun: %s", strerror(errno));
}

pid_t fx_fork(void)
{
	pid_t parent = getpid(), pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		fx_die("fork: %s", strerror(errno));
	if (pid)
		return pid;
	fx_end_with_parent();
	if (getppid() != parent)
		_exit(1);
	return 0;
}

/* ---- devices ---- */

int fx_tun_open(const char *name, unsigned int flags)
{
	struct ifreq ifr = ifreq_for(name);
	int fd, err;

	fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	ifr.ifr_flags = flags;
	if (!ioctl(fd, TUNSETIFF, &ifr))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

uint32_t fx_tun_make(const char *name, unsigned int flags)
{
	int fd = fx_tun_open(name, flags);

	if (fd < 0)
		fx_die("%s: %s", name, strerror(-fd));
	fx_persist(fd, true);
	close(fd);
	return fx_ifindex(name);
}

void fx_persist(int queue_fd, bool on)
{
	if (ioctl(queue_fd, TUNSETPERSIST, on ? 1UL : 0UL))
		fx_die("TUNSETPERSIST: %s", strerror(errno));
}

int fx_queue(int queue_fd, bool attach)
{
	struct ifreq ifr = { 0 };

	ifr.ifr_flags = attach ? IFF_ATTACH_QUEUE : IFF_DETACH_QUEUE;
	return ioctl(queue_fd, TUNSETQUEUE, &ifr) ? -errno : 0;
}

uint32_t fx_ifindex(const char *name)
{
	uint32_t ifindex = if_nametoindex(name);

	if (!ifindex)
		fx_die("%s: no such device", name);
	return ifindex;
}

void fx_rename(const char *from, const char *to)
{
	struct ifreq ifr = ifreq_for(from);

	strcpy(ifr.ifr_newname, ifreq_for(to).ifr_name);
	if_ioctl(SIOCSIFNAME, &ifr, "rename");
}

unsigned int fx_flags(const char *name)
{
	struct ifreq ifr = ifreq_for(name);

	if_ioctl(SIOCGIFFLAGS, &ifr, "flags");
	return (unsigned short)ifr.ifr_flags;
}

static void set_address(struct sockaddr *sa, const char *fmt, int net)
{
	struct sockaddr_in sin = { .sin_family = AF_INET };
	char text[INET_ADDRSTRLEN];

	snprintf(text, sizeof(text), fmt, net);
	if (inet_pton(AF_INET, text, &sin.sin_addr) != 1)
		fx_die("%s: no address", text);
	memcpy(sa, &sin, sizeof(sin));
}

static void add_neighbour(const char *name, int net)
{
	struct arpreq arp = { .arp_flags = ATF_PERM | ATF_COM };
	int fd = inet_socket();

	set_address(&arp.arp_pa, "10.99.%d.2", net);
	arp.arp_ha.sa_family = ARPHRD_ETHER;
	memcpy(arp.arp_ha.sa_data, "\x02\0\0\0\0\x02", 6);
	strcpy(arp.arp_dev, ifreq_for(name).ifr_name);
	if (ioctl(fd, SIOCSARP, &arp))
		fx_die("%s: neighbour: %s", name, strerror(errno));
	close(fd);
}

void fx_txqlen(const char *name, int len)
{
	struct ifreq ifr = ifreq_for(name);

	ifr.ifr_qlen = len;
	if_ioctl(SIOCSIFTXQLEN, &ifr, "queue length");
}

void fx_up(const char *name, int net)
{
	struct ifreq ifr = ifreq_for(name);

	/* A reader that is late must not lose packets. */
	fx_txqlen(name, TXQLEN);
	set_address(&ifr.ifr_addr, "10.99.%d.1", net);
	if_ioctl(SIOCSIFADDR, &ifr, "address");
	set_address(&ifr.ifr_netmask, "255.255.255.0", 0);
	if_ioctl(SIOCSIFNETMASK, &ifr, "netmask");
	set_flags(name, IFF_UP);
	if (!(fx_flags(name) & IFF_NOARP))
		add_neighbour(name, net);
}

void fx_wait_running(const char *name)
{
	uint64_t end = fx_now_ns() + 5000000000ull;

	while (!(fx_flags(name) & IFF_RUNNING)) {
		if (fx_now_ns() > end)
			fx_die("%s: no carrier", name);
		usleep(1000);
	}
	/* The queueing disciplines are switched on right after it. */
	usleep(20000);
}
