/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the senders send and the readers look for. */
#ifndef NST_FIXTURE_PACKET_H
#define NST_FIXTURE_PACKET_H

#include <stdint.h>

#define FX_PORT 9 /* discard */
#define FX_MAGIC 0x6e737478

struct fx_payload {
	uint32_t magic;
	uint16_t sender;
	uint16_t flow;
	uint32_t number;
	uint32_t fill;
	uint64_t sent_ns; /* 0: not told */
	uint64_t more;
};

#endif /* NST_FIXTURE_PACKET_H */
