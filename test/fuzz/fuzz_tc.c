/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A filter's message, all that is told of it: the first byte picks the kinds,
 * the rest stands behind TCA_OPTIONS as the kernel's nests would. Also the rest
 * as a message of actions.
 */
#include <stdlib.h>
#include <string.h>

#include "tc/tc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const kinds[] = { "flower", "u32",   "matchall", "bpf",
				     "basic",  "fw",    "flow",	    "route",
				     "cgroup", "other" };
static const char *const actions[] = {
	"gact", "mirred",  "tunnel_key", "vlan", "skbedit", "pedit",
	"police", "ct",	   "csum",	 "mpls", "nat",	    "sample",
	"bpf",	"skbmod",  "connmark",	 "ctinfo", "gate",  "simple",
	"other",
};

/* Every byte that is told is looked at, for the sanitizer. */
static int look(const struct nsteer_tc_value *v, void *data)
{
	const unsigned char *p, *mask = nsteer_tc_value_mask_data(v);
	unsigned int *sum = data, bit;
	const char *name = nsteer_tc_value_name(v);
	uint64_t number;
	size_t len, i;

	p = nsteer_tc_value_data(v, &len);
	for (i = 0; p && i < len; i++)
		*sum += p[i] + (mask ? mask[i] : 0);
	*sum += name ? strlen(name) : 0;
	*sum += nsteer_tc_value_word(v) ? 1 : 0;
	for (bit = 0; bit < 64; bit++)
		*sum += nsteer_tc_value_bit(v, bit) ? 1 : 0;
	if (!nsteer_tc_value_mask(v, &number))
		number = nsteer_tc_value_u64(v);
	*sum += number;
	return 0;
}

static void look_at_filter(const struct nlmsghdr *nlh, bool terse)
{
	struct nsteer_tc_filter f = { .terse = terse };
	const struct nsteer_tc_action *a;
	volatile unsigned int keep;
	unsigned int sum = 0, n;

	if (!nst_tc_filter_read(&f, nlh))
		return;
	nsteer_tc_filter_values(&f, look, &sum);
	for (n = 0; (a = nsteer_tc_filter_action(&f, n)); n++)
		nsteer_tc_action_values(a, look, &sum);
	keep = sum;
	(void)keep;
}

static unsigned int sum_of(const struct nsteer_tc_action *a)
{
	unsigned int sum = 0;

	nsteer_tc_action_values(a, look, &sum);
	return sum;
}

/* What repeats the one before tells the same. */
static void look_at_repeats(struct nsteer_tc_action *a, struct nlattr *nest,
			    uint8_t *options, size_t size)
{
	unsigned int sum;
	size_t at;

	for (at = 0; at < size && at < 64; at += 4) {
		nst_tc_action_read(a, 1, nest);
		nsteer_tc_action_repeats(a);
		sum = sum_of(a);
		options[at] ^= 0x55;
		nst_tc_action_read(a, 1, nest);
		if (nsteer_tc_action_repeats(a) && sum_of(a) != sum)
			abort();
		options[at] ^= 0x55;
	}
}

/* An action of each kind with these bytes for its options. */
static void look_at_action(const char *kind, const uint8_t *data, size_t size)
{
	struct nlmsghdr *nlh = calloc(1, size + 256);
	struct nsteer_tc_action a = { 0 };
	struct nlattr *nest;
	uint8_t *options;

	if (!nlh)
		abort();
	mnl_nlmsg_put_header(nlh);
	nest = mnl_attr_nest_start(nlh, 1);
	mnl_attr_put_strz(nlh, TCA_ACT_KIND, kind);
	options = (uint8_t *)mnl_nlmsg_get_payload_tail(nlh) + NLA_HDRLEN;
	mnl_attr_put(nlh, TCA_ACT_OPTIONS, size, data);
	mnl_attr_nest_end(nlh, nest);
	nst_tc_action_read(&a, 1, nest);
	sum_of(&a);
	look_at_repeats(&a, nest, options, size);
	free(nlh);
}

/* These bytes for what stands behind the head of a message of actions. */
static void look_at_actions(const uint8_t *data, size_t size, bool terse)
{
	struct nsteer_tc_action a = { .terse = terse };
	struct nlmsghdr *nlh = calloc(1, size + 64);
	volatile unsigned int keep;
	struct nst_tc_entries e;
	unsigned int sum = 0;
	const uint8_t *p;
	size_t len;
	int n = 0;

	if (!nlh)
		abort();
	mnl_nlmsg_put_header(nlh);
	nlh->nlmsg_type = RTM_GETACTION;
	mnl_nlmsg_put_extra_header(nlh, sizeof(struct tcamsg));
	memcpy(mnl_nlmsg_get_payload_tail(nlh), data, size);
	nlh->nlmsg_len += size;
	if (!nst_tc_entries_begin(&e, nlh))
		abort();
	while (nst_tc_entries_next(&e, &a) && ++n < 20000) {
		nsteer_tc_action_values(&a, look, &sum);
		p = nsteer_tc_action_cookie(&a, &len);
		while (len--)
			sum += *p++;
	}
	if (n == 20000)
		abort();
	keep = sum;
	(void)keep;
	free(nlh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tcmsg tcm = { .tcm_ifindex = 1, .tcm_handle = 1 };
	struct nlmsghdr *nlh;
	const char *kind;
	uint8_t pick;

	if (!size || size > 32768)
		return 0;
	pick = *data++;
	size--;
	kind = kinds[pick % (sizeof(kinds) / sizeof(kinds[0]))];
	nlh = calloc(1, size + 256);
	if (!nlh)
		abort();
	mnl_nlmsg_put_header(nlh);
	nlh->nlmsg_type = RTM_NEWTFILTER;
	memcpy(mnl_nlmsg_put_extra_header(nlh, sizeof(tcm)), &tcm, sizeof(tcm));
	mnl_attr_put_strz(nlh, TCA_KIND, kind);
	mnl_attr_put(nlh, TCA_OPTIONS, size, data);
	look_at_filter(nlh, false);
	look_at_filter(nlh, true);
	free(nlh);
	look_at_actions(data, size, false);
	look_at_actions(data, size, true);
	look_at_action(actions[pick % (sizeof(actions) / sizeof(actions[0]))],
		       data, size);
	return 0;
}
