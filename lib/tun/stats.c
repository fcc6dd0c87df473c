/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Packets per queue, from the classes of an mq root queueing discipline. */
#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "tun/tun.h"

struct collect {
	uint32_t active;
	struct nst_tun_stats *stats; /* NST_TUN_QUEUES_MAX */
	size_t count;
};

static void reset(void *data)
{
	struct collect *c = data;

	c->count = 0;
}

static void counts_from_nl(const struct nlattr *nest, struct nst_tun_stats *out)
{
	const struct nlattr *tb[TCA_STATS_MAX + 1];
	struct gnet_stats_basic basic;

	nst_nla_parse_nested(nest, tb, TCA_STATS_MAX);
	if (tb[TCA_STATS_BASIC] &&
	    mnl_attr_get_payload_len(tb[TCA_STATS_BASIC]) >=
		    sizeof(basic.bytes) + sizeof(basic.packets)) {
		memcpy(&basic, mnl_attr_get_payload(tb[TCA_STATS_BASIC]),
		       sizeof(basic.bytes) + sizeof(basic.packets));
		out->bytes = basic.bytes;
		out->packets = basic.packets;
	}
	/* Sent beside the 32-bit one once that does not hold the count. */
	nst_nla_u64(tb[TCA_STATS_PKT64], &out->packets);
}

static int take_class(const struct nlmsghdr *nlh, void *data)
{
	const struct tcmsg *tcm = mnl_nlmsg_get_payload(nlh);
	const struct nlattr *tb[TCA_STATS2 + 1];
	struct nst_tun_stats stats = { 0 };
	struct collect *c = data;
	char kind[16];

	if (mnl_nlmsg_get_payload_len(nlh) < sizeof(*tcm))
		return -EPROTO;
	NST_NLA_PARSE_MSG(nlh, sizeof(*tcm), tb, TCA_STATS2);
	if (tcm->tcm_parent != TC_H_ROOT || !TC_H_MIN(tcm->tcm_handle) ||
	    !nst_nla_str(tb[TCA_KIND], kind, sizeof(kind)) ||
	    strcmp(kind, "mq"))
		return 0;
	stats.queue = TC_H_MIN(tcm->tcm_handle) - 1;
	counts_from_nl(tb[TCA_STATS2], &stats);
	/* There is a class for each of the 256 queues that could be. */
	if (stats.queue >= c->active && !stats.packets)
		return 0;
	if (c->count < NST_TUN_QUEUES_MAX)
		c->stats[c->count++] = stats;
	return 0;
}

int nst_tun_stats_read(struct nsteer *ns, uint32_t ifindex, uint32_t active,
		       struct nst_tun_stats **out, size_t *count)
{
	struct tcmsg tcm = { .tcm_family = AF_UNSPEC, .tcm_ifindex = ifindex };
	struct collect c = { .active = active };
	struct nst_nl_dump dump = { take_class, reset, &c };
	char buf[NST_NL_REQSIZE] __attribute__((aligned(8)));
	struct nlmsghdr *req;
	struct nst_nl *nl;
	const char *why;
	int err;

	c.stats = calloc(NST_TUN_QUEUES_MAX, sizeof(*c.stats));
	if (!c.stats)
		return nst_fail(ns, -ENOMEM, "out of memory");
	req = nst_nl_request(buf, RTM_GETTCLASS, 0, &tcm, sizeof(tcm));
	err = nst_rtnl(ns, &nl);
	if (err)
		goto free_stats;
	err = nst_nl_dump(nl, req, &dump);
	if (err) {
		why = nst_nl_why(nl, err);
		nst_fail(ns, err, "cannot read the classes of device %u: %s",
			 ifindex, why ? why : strerror(-err));
		goto free_stats;
	}
	if (!c.count) {
		free(c.stats);
		c.stats = NULL;
	}
	*out = c.stats;
	*count = c.count;
	return 0;
free_stats:
	free(c.stats);
	return err;
}
