/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recorded dump of filters: this header, then each datagram of the kernel
 * after its length (uint32_t), without the NLMSG_DONE. Host byte order: it is
 * made and read on one machine.
 */
#ifndef NST_BENCH_REPLAY_H
#define NST_BENCH_REPLAY_H

#include <linux/netlink.h>
#include <linux/pkt_cls.h>
#include <linux/rtnetlink.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define REPLAY_MAGIC "nstdump1"
/* What the kernel makes datagrams of at most [netlink_dump()]. */
#define REPLAY_DATAGRAM 32768

/* What was asked for. */
struct replay_head {
	char magic[8];
	uint32_t terse;
	uint32_t ifindex;
	uint32_t parent;
	uint32_t zero;
};

/* The request, for head; false: it is for no dump of filters. */
static inline bool replay_asked(struct replay_head *head, const void *request,
				size_t len)
{
	const struct nlmsghdr *nlh = request;
	const struct tcmsg *tcm;
	const struct rtattr *a;
	int left;

	if (!NLMSG_OK(nlh, len) || nlh->nlmsg_type != RTM_GETTFILTER ||
	    (nlh->nlmsg_flags & NLM_F_DUMP) != NLM_F_DUMP ||
	    nlh->nlmsg_len < NLMSG_LENGTH(sizeof(*tcm)))
		return false;
	tcm = NLMSG_DATA(nlh);
	memset(head, 0, sizeof(*head));
	memcpy(head->magic, REPLAY_MAGIC, sizeof(head->magic));
	head->ifindex = tcm->tcm_ifindex;
	head->parent = tcm->tcm_parent;
	left = nlh->nlmsg_len - NLMSG_LENGTH(sizeof(*tcm));
	for (a = (void *)((char *)tcm + NLMSG_ALIGN(sizeof(*tcm)));
	     RTA_OK(a, left); a = RTA_NEXT(a, left)) {
		struct nla_bitfield32 flags;

		if (a->rta_type == TCA_DUMP_FLAGS &&
		    RTA_PAYLOAD(a) >= sizeof(flags)) {
			memcpy(&flags, RTA_DATA(a), sizeof(flags));
			head->terse = flags.value & flags.selector &
				      TCA_DUMP_FLAGS_TERSE;
		}
	}
	return true;
}

#endif /* NST_BENCH_REPLAY_H */
