/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* police: rates are bytes or packets a second, bursts bytes or packets. */
#include "tc/act.h"

#define NSEC_PER_SEC 1000000000u
/* Bursts come as time, in units of 64 ns [PSCHED_NS2TICKS]. */
#define TICK_SHIFT 6

static const struct nst_tc_word linklayers[] = { { TC_LINKLAYER_ATM, "atm" },
						 NST_TC_WORDS_END };

/* What passes in that time at this rate, to the nearest whole one. */
static uint64_t burst_of(uint64_t rate, uint64_t ticks)
{
	uint64_t ns = ticks << TICK_SHIFT;
	uint64_t sec = ns / NSEC_PER_SEC, rest = ns % NSEC_PER_SEC;
	uint64_t high = rate / NSEC_PER_SEC, low = rate % NSEC_PER_SEC;

	return rate * sec + high * rest +
	       (low * rest + NSEC_PER_SEC / 2) / NSEC_PER_SEC;
}

/* The attribute is there for what 32 bits cannot hold. */
static uint64_t rate_of(const struct tc_ratespec *spec,
			const struct nlattr *attr)
{
	uint64_t rate;

	return nst_tc_act_copy(&rate, sizeof(rate), attr) ? rate : spec->rate;
}

static int tell_rate(struct nst_tc_walk *walk, uint64_t rate, uint64_t ticks,
		     const char *rate_name, const char *burst_name)
{
	int ret = nst_tc_tell_uint(walk, rate_name, rate, NULL);

	return ret ? ret
		   : nst_tc_tell_uint(walk, burst_name, burst_of(rate, ticks),
				      NULL);
}

static int tell_packets(struct nst_tc_walk *walk)
{
	uint64_t rate, ticks;

	if (!nst_tc_act_copy(&rate, sizeof(rate),
			     walk->tb[TCA_POLICE_PKTRATE64]) ||
	    !nst_tc_act_copy(&ticks, sizeof(ticks),
			     walk->tb[TCA_POLICE_PKTBURST64]))
		return 0;
	return tell_rate(walk, rate, ticks, "pkts_rate", "pkts_burst");
}

static int tell_nonzero(struct nst_tc_walk *walk, const char *name, uint64_t v)
{
	return v ? nst_tc_tell_uint(walk, name, v, NULL) : 0;
}

/* Ethernet, the usual one, is not told. */
static int tell_linklayer(struct nst_tc_walk *walk, uint8_t linklayer)
{
	linklayer &= TC_LINKLAYER_MASK;
	return linklayer <= TC_LINKLAYER_ETHERNET
		       ? 0
		       : nst_tc_tell_uint(walk, "linklayer", linklayer,
					  linklayers);
}

static int tell_tbf(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		    const struct nlattr *attr)
{
	struct tc_police p;
	uint64_t rate, peak;
	int ret = 0;

	(void)field;
	if (!nst_tc_act_copy(&p, sizeof(p), attr))
		return 0;
	rate = rate_of(&p.rate, walk->tb[TCA_POLICE_RATE64]);
	peak = rate_of(&p.peakrate, walk->tb[TCA_POLICE_PEAKRATE64]);
	if (rate)
		ret = tell_rate(walk, rate, p.burst, "rate", "burst");
	ret = ret ? ret : nst_tc_tell_uint(walk, "mtu", p.mtu, NULL);
	ret = ret ? ret : tell_nonzero(walk, "peakrate", peak);
	ret = ret ? ret : tell_packets(walk);
	ret = ret ? ret
		  : nst_tc_tell_uint(walk, "overhead", p.rate.overhead, NULL);
	ret = ret ? ret : tell_nonzero(walk, "mpu", p.rate.mpu);
	return ret ? ret : tell_linklayer(walk, p.rate.linklayer);
}

/* For what is within the rate; without it, that passes [tcf_police_dump]. */
static int tell_conform(struct nst_tc_walk *walk)
{
	uint32_t action;

	if (!nst_tc_act_copy(&action, sizeof(action),
			     walk->tb[TCA_POLICE_RESULT]))
		return 0;
	return nst_tc_act_control(walk, "conform_action", action);
}

static int tail(struct nst_tc_walk *walk, const struct nst_tc_kind *kind)
{
	struct tc_police p;
	int ret = 0;

	if (nst_tc_act_copy(&p, sizeof(p), walk->tb[kind->parms])) {
		ret = nst_tc_act_control(walk, "control_action",
					 (uint32_t)p.action);
		ret = ret ? ret : tell_conform(walk);
		ret = ret ? ret : nst_tc_act_refs(walk, p.refcnt, p.bindcnt);
	}
	return ret ? ret : nst_tc_act_times(walk, walk->tb[kind->times]);
}

/* Told with the structure or by the tail. */
#define TOLD(_width) NST_ACT_PUT(NULL, _width, nst_tc_act_told_later)

static const struct nst_tc_field fields[] = {
	[TCA_POLICE_TBF] =
		NST_ACT_PUT(NULL, sizeof(struct tc_police), tell_tbf),
	[TCA_POLICE_AVRATE] = NST_TC_FIELD("avrate", UINT, 4),
	[TCA_POLICE_RESULT] = TOLD(4),
	[TCA_POLICE_TM] = NST_TC_NOT_TOLD,
	[TCA_POLICE_PAD] = NST_TC_NOT_TOLD,
	[TCA_POLICE_RATE64] = TOLD(8),
	[TCA_POLICE_PEAKRATE64] = TOLD(8),
	[TCA_POLICE_PKTRATE64] = TOLD(8),
	[TCA_POLICE_PKTBURST64] = TOLD(8),
};

const struct nst_tc_kind nst_tc_act_police = {
	NST_TC_TABLE("police", fields),
	.parms = TCA_POLICE_TBF,
	.times = TCA_POLICE_TM,
	.tail = tail,
};
