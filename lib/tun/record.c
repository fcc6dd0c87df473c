/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading a list of devices. */
#include "tun/list.h"

NSTEER_API size_t nsteer_tun_list_count(const struct nsteer_tun_list *list)
{
	return list->count;
}

NSTEER_API const struct nsteer_tun *
nsteer_tun_list_get(const struct nsteer_tun_list *list, size_t i)
{
	return i < list->count ? &list->tuns[i] : NULL;
}

NSTEER_API uint32_t nsteer_tun_ifindex(const struct nsteer_tun *tun)
{
	return tun->link.ifindex;
}

NSTEER_API const char *nsteer_tun_ifname(const struct nsteer_tun *tun)
{
	return tun->link.name;
}

NSTEER_API enum nsteer_tun_mode nsteer_tun_mode(const struct nsteer_tun *tun)
{
	return tun->link.mode;
}

NSTEER_API bool nsteer_tun_pi(const struct nsteer_tun *tun)
{
	return tun->link.pi;
}

NSTEER_API bool nsteer_tun_vnet_hdr(const struct nsteer_tun *tun)
{
	return tun->link.vnet_hdr;
}

NSTEER_API bool nsteer_tun_persist(const struct nsteer_tun *tun)
{
	return tun->link.persist;
}

NSTEER_API bool nsteer_tun_multi_queue(const struct nsteer_tun *tun)
{
	return tun->link.multi_queue;
}

NSTEER_API int nsteer_tun_user(const struct nsteer_tun *tun, uid_t *user)
{
	if (!tun->link.has_user)
		return -ENODATA;
	*user = tun->link.user;
	return 0;
}

NSTEER_API int nsteer_tun_group(const struct nsteer_tun *tun, gid_t *group)
{
	if (!tun->link.has_group)
		return -ENODATA;
	*group = tun->link.group;
	return 0;
}

NSTEER_API int nsteer_tun_queues(const struct nsteer_tun *tun,
				 uint32_t *active, uint32_t *disabled)
{
	if (!tun->link.has_queues)
		return -ENODATA;
	if (active)
		*active = tun->link.numqueues;
	if (disabled)
		*disabled = tun->link.numdisabled;
	return 0;
}

NSTEER_API const struct nsteer_tun_steering *
nsteer_tun_steering(const struct nsteer_tun *tun)
{
	return tun->has_steering ? &tun->steering : NULL;
}

NSTEER_API size_t nsteer_tun_stats_count(const struct nsteer_tun *tun)
{
	return tun->n_stats;
}

NSTEER_API int nsteer_tun_stats_get(const struct nsteer_tun *tun, size_t i,
				    uint32_t *queue, uint64_t *packets,
				    uint64_t *bytes)
{
	if (i >= tun->n_stats)
		return -ERANGE;
	*queue = tun->stats[i].queue;
	*packets = tun->stats[i].packets;
	*bytes = tun->stats[i].bytes;
	return 0;
}

NSTEER_API size_t nsteer_tun_process_count(const struct nsteer_tun *tun)
{
	return tun->n_processes;
}

NSTEER_API bool nsteer_tun_process_hidden(const struct nsteer_tun *tun)
{
	return tun->unseen;
}

NSTEER_API const struct nsteer_tun_process *
nsteer_tun_process_get(const struct nsteer_tun *tun, size_t i)
{
	return i < tun->n_processes ? &tun->processes[i] : NULL;
}

NSTEER_API pid_t nsteer_tun_process_pid(const struct nsteer_tun_process *p)
{
	return p->pid;
}

NSTEER_API const char *
nsteer_tun_process_name(const struct nsteer_tun_process *p)
{
	return p->name;
}

NSTEER_API int nsteer_tun_process_fd(const struct nsteer_tun_process *p)
{
	return p->fd;
}

NSTEER_API bool
nsteer_tun_process_detached(const struct nsteer_tun_process *p)
{
	return p->detached;
}

NSTEER_API int nsteer_tun_process_queue(const struct nsteer_tun_process *p,
					uint32_t *queue)
{
	if (!p->has_queue)
		return -ENODATA;
	*queue = p->queue;
	return 0;
}
