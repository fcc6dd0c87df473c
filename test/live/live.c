// SPDX-License-Identifier: GPL-2.0-or-later
#include "live.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <grp.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- contexts ---- */

static void take_warning(void *data, enum nsteer_log_level level,
			 const char *msg)
{
	struct lv_log *log = data;
	size_t used = strlen(log->warnings);

	if (level != NSTEER_LOG_WARN)
		return;
	log->count++;
	snprintf(log->warnings + used, sizeof(log->warnings) - used, "%s\n",
		 msg);
}

struct nsteer *lv_open_opts(const struct nsteer_open_opts *opts)
{
	struct nsteer *ns;
	int err;

	nsteer_libbpf_quiet();
	err = nsteer_open(opts, &ns);

	ck_assert_msg(!err, "nsteer_open: %d: %s", err, nsteer_errmsg(ns));
	return ns;
}

struct nsteer *lv_open(struct lv_log *log)
{
	NSTEER_OPTS(nsteer_open_opts, o, .log = log ? take_warning : NULL,
		    .log_data = log);

	if (log)
		memset(log, 0, sizeof(*log));
	return lv_open_opts(&o);
}

/* ---- steering ---- */

int lv_set(struct nsteer *ns, uint32_t ifindex, enum nsteer_tun_policy policy,
	   uint32_t queue)
{
	NSTEER_OPTS(nsteer_tun_steering_opts, o, .policy = policy,
		    .queue = queue);

	return nsteer_tun_steering_set(ns, ifindex, &o);
}

int lv_set_fd(struct nsteer *ns, int fd, enum nsteer_tun_policy policy,
	      uint32_t queue)
{
	NSTEER_OPTS(nsteer_tun_steering_opts, o, .policy = policy,
		    .queue = queue);

	return nsteer_tun_steering_set_fd(ns, fd, &o);
}

uint32_t lv_policy_is(struct nsteer *ns, uint32_t ifindex,
		      enum nsteer_tun_policy policy, uint32_t queue)
{
	struct nsteer_tun_steering *st;
	const struct nsteer_prog *prog;
	bool automq = policy == NSTEER_TUN_POLICY_AUTOMQ;
	uint32_t is = 0, id;

	lv_ok(ns, nsteer_tun_steering_get(ns, ifindex, &st));
	ck_assert_int_eq(nsteer_tun_steering_policy(st), policy);
	prog = nsteer_tun_steering_prog(st);
	ck_assert_int_eq(!prog, automq);
	id = prog ? nsteer_prog_id(prog) : 0;
	ck_assert_str_eq(nsteer_tun_steering_backend(st),
			 automq ? "kernel" : "bpf-steering");
	ck_assert_int_eq(nsteer_tun_steering_queue(st, &is),
			 policy == NSTEER_TUN_POLICY_FIXED ? 0 : -ENODATA);
	ck_assert_uint_eq(is, queue);
	if (policy != NSTEER_TUN_POLICY_BPF)
		ck_assert_int_eq(nsteer_tun_steering_owner(st),
				 automq ? NSTEER_OWNER_NONE
					: NSTEER_OWNER_NSTEER);
	nsteer_tun_steering_free(st);
	return id;
}

void lv_two_cpus(int cpus[2])
{
	int n = fx_cpus(cpus, 2);

	if (n < 2)
		nst_skip("machine: one CPU only");
}

void lv_lands_on(struct fx_readers *r, int net, int queue)
{
	enum { FLOWS = 16, PACKETS = 160 };
	int cpu;

	fx_cpus(&cpu, 1);
	fx_clear(r);
	ck_assert_uint_eq(fx_send(cpu, 0, net, FLOWS, PACKETS), PACKETS);
	fx_wait(r, PACKETS);
	ck_assert_uint_eq(fx_from(r, queue, 0), PACKETS);
	ck_assert_uint_eq(fx_total(r), PACKETS);
}

void lv_open_queues(int *fds, int n, const char *name, unsigned int flags)
{
	int i;

	for (i = 0; i < n; i++) {
		fds[i] = fx_tun_open(name, flags);
		ck_assert_int_ge(fds[i], 0);
	}
}

/* ---- programs of somebody else's ---- */

int lv_foreign_prog(const char *name, uint32_t result)
{
	struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = result },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, o);
	int fd = bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, name, "GPL", insns,
			       2, &o);

	if (fd < 0)
		fx_die("program %s: %s", name, strerror(-fd));
	return fd;
}

void lv_attach(int queue_fd, int prog_fd)
{
	if (ioctl(queue_fd, TUNSETSTEERINGEBPF, &prog_fd))
		fx_die("TUNSETSTEERINGEBPF: %s", strerror(errno));
}

void lv_attach_filter(int queue_fd, int prog_fd)
{
	if (ioctl(queue_fd, TUNSETFILTEREBPF, &prog_fd))
		fx_die("TUNSETFILTEREBPF: %s", strerror(errno));
}

static void prog_info(int prog_fd, struct bpf_prog_info *info)
{
	uint32_t len = sizeof(*info);

	memset(info, 0, len);
	if (bpf_obj_get_info_by_fd(prog_fd, info, &len))
		fx_die("program info: %s", strerror(errno));
}

uint32_t lv_prog_id(int prog_fd)
{
	struct bpf_prog_info info;

	prog_info(prog_fd, &info);
	return info.id;
}

void lv_prog_tag(int prog_fd, char tag[17])
{
	struct bpf_prog_info info;
	int i;

	prog_info(prog_fd, &info);
	for (i = 0; i < 8; i++)
		sprintf(tag + 2 * i, "%02x", info.tag[i]);
}

/* ---- privileges ---- */

void lv_drop(cap_value_t cap)
{
	cap_t caps = cap_get_proc();

	if (!caps || cap_set_flag(caps, CAP_EFFECTIVE, 1, &cap, CAP_CLEAR) ||
	    cap_set_flag(caps, CAP_PERMITTED, 1, &cap, CAP_CLEAR) ||
	    cap_set_proc(caps))
		fx_die("capability %d cannot be dropped: %s", cap,
		       strerror(errno));
	cap_free(caps);
}

void lv_become(uid_t uid, gid_t gid)
{
	if (setgroups(0, NULL) || setresgid(gid, gid, gid) ||
	    setresuid(uid, uid, uid))
		fx_die("user %d: %s", uid, strerror(errno));
	/* As if it had been started as this user: /proc/self is its own. */
	prctl(PR_SET_DUMPABLE, 1);
	fx_end_with_parent();
}

void lv_reap(pid_t pid)
{
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(WIFEXITED(status) && !WEXITSTATUS(status),
		      "the child ended with status 0x%x", status);
}

long lv_rss_kb(void)
{
	long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (!f || fscanf(f, "%*d %ld", &pages) != 1)
		fx_die("/proc/self/statm");
	fclose(f);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}
