/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What an action counted. The kernel writes 32 bits of packets into a structure
 * and, where that is not enough, all 64 into an attribute that belongs to the
 * structure before it, by order alone: BASIC, PKT64, BASIC_HW, PKT64
 * [gnet_stats_copy_basic, ___gnet_stats_copy_basic].
 */
#include <linux/gen_stats.h>
#include <string.h>

#include "tc/tc.h"

#ifndef TCA_STATS_BASIC_HW
#define TCA_STATS_BASIC_HW 7
#endif
#ifndef TCA_STATS_PKT64
#define TCA_STATS_PKT64 8
#endif

/* The structure may be shorter than ours, which has padding at its end. */
#define BASIC_LEN (sizeof(uint64_t) + sizeof(uint32_t))

static void take_basic(const unsigned char *p, size_t len, uint64_t *bytes,
		       uint64_t *packets)
{
	uint32_t n;

	if (len < BASIC_LEN)
		return;
	memcpy(bytes, p, sizeof(*bytes));
	memcpy(&n, p + sizeof(*bytes), sizeof(n));
	*packets = n;
}

static void take_queue(struct nsteer_tc_stats *st, const unsigned char *p,
		       size_t len)
{
	struct gnet_stats_queue q;

	if (len >= sizeof(q)) {
		memcpy(&q, p, sizeof(q));
	} else {
		memset(&q, 0, sizeof(q));
		memcpy(&q, p, len);
	}
	st->qlen = q.qlen;
	st->backlog = q.backlog;
	st->drops = q.drops;
	st->requeues = q.requeues;
	st->overlimits = q.overlimits;
}

bool nst_tc_stats_read(struct nsteer_tc_stats *st, const struct nlattr *nest)
{
	const struct nlattr *attr;
	struct nst_tc_attrs attrs;
	uint64_t *packets = NULL;

	memset(st, 0, sizeof(*st));
	if (!nst_tc_attrs_of(&attrs, nest))
		return false;
	while ((attr = nst_tc_attr_next(&attrs))) {
		const unsigned char *p = (const unsigned char *)attr + NLA_HDRLEN;
		size_t len = attr->nla_len - NLA_HDRLEN;

		switch (attr->nla_type & NLA_TYPE_MASK) {
		case TCA_STATS_BASIC:
			take_basic(p, len, &st->bytes, &st->packets);
			packets = &st->packets;
			break;
		case TCA_STATS_BASIC_HW:
			take_basic(p, len, &st->hw_bytes, &st->hw_packets);
			packets = &st->hw_packets;
			break;
		case TCA_STATS_PKT64:
			if (packets && len >= sizeof(*packets))
				memcpy(packets, p, sizeof(*packets));
			break;
		case TCA_STATS_QUEUE:
			take_queue(st, p, len);
			break;
		}
	}
	/* Without hardware the kernel sends zeros. */
	st->has_hw = st->hw_bytes || st->hw_packets;
	return true;
}

NSTEER_API uint64_t nsteer_tc_stats_bytes(const struct nsteer_tc_stats *st)
{
	return st->bytes;
}

NSTEER_API uint64_t nsteer_tc_stats_packets(const struct nsteer_tc_stats *st)
{
	return st->packets;
}

NSTEER_API bool nsteer_tc_stats_hw(const struct nsteer_tc_stats *st,
				   uint64_t *bytes, uint64_t *packets)
{
	if (!st->has_hw)
		return false;
	*bytes = st->hw_bytes;
	*packets = st->hw_packets;
	return true;
}

NSTEER_API uint32_t nsteer_tc_stats_drops(const struct nsteer_tc_stats *st)
{
	return st->drops;
}

NSTEER_API uint32_t nsteer_tc_stats_overlimits(const struct nsteer_tc_stats *st)
{
	return st->overlimits;
}

NSTEER_API uint32_t nsteer_tc_stats_requeues(const struct nsteer_tc_stats *st)
{
	return st->requeues;
}

NSTEER_API uint32_t nsteer_tc_stats_backlog(const struct nsteer_tc_stats *st)
{
	return st->backlog;
}

NSTEER_API uint32_t nsteer_tc_stats_qlen(const struct nsteer_tc_stats *st)
{
	return st->qlen;
}
