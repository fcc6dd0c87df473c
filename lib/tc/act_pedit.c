/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pedit: which bytes of a packet are set, or added to. */
#include <arpa/inet.h>

#include <linux/tc_act/tc_pedit.h>

#include "tc/act.h"

#define SEL_LEN offsetof(struct tc_pedit_sel, keys)
#define KEY_LEN sizeof(struct tc_pedit_key)

static const struct nst_tc_word headers[] = {
	{ TCA_PEDIT_KEY_EX_HDR_TYPE_NETWORK, "network" },
	{ TCA_PEDIT_KEY_EX_HDR_TYPE_ETH, "eth" },
	{ TCA_PEDIT_KEY_EX_HDR_TYPE_IP4, "ipv4" },
	{ TCA_PEDIT_KEY_EX_HDR_TYPE_IP6, "ipv6" },
	{ TCA_PEDIT_KEY_EX_HDR_TYPE_TCP, "tcp" },
	{ TCA_PEDIT_KEY_EX_HDR_TYPE_UDP, "udp" },
	NST_TC_WORDS_END,
};

static const struct nst_tc_word commands[] = {
	{ TCA_PEDIT_KEY_EX_CMD_SET, "set" },
	{ TCA_PEDIT_KEY_EX_CMD_ADD, "add" },
	NST_TC_WORDS_END,
};

/* The header and command of a key, as much of it as the kernel told. */
struct key_ex {
	uint16_t header;
	uint16_t command;
	bool has_header;
	bool has_command;
};

/* TCA_PEDIT_KEYS_EX has one for each key. */
static struct key_ex next_key_ex(struct nst_tc_attrs *keys_ex)
{
	const struct nlattr *tb[TCA_PEDIT_KEY_EX_MAX + 1];
	const struct nlattr *attr;
	struct key_ex ex = { 0 };

	do
		attr = nst_tc_attr_next(keys_ex);
	while (attr && (attr->nla_type & NLA_TYPE_MASK) != TCA_PEDIT_KEY_EX);
	if (!attr)
		return ex;
	nst_nla_parse_nested(attr, tb, TCA_PEDIT_KEY_EX_MAX);
	ex.has_header = nst_tc_act_copy(&ex.header, sizeof(ex.header),
					tb[TCA_PEDIT_KEY_EX_HTYPE]);
	ex.has_command = nst_tc_act_copy(&ex.command, sizeof(ex.command),
					 tb[TCA_PEDIT_KEY_EX_CMD]);
	return ex;
}

/* What the packet has there is added to the offset [tcf_pedit_act]. */
static int tell_variable(struct nst_tc_walk *walk,
			 const struct tc_pedit_key *key)
{
	int ret = nst_tc_tell_uint(walk, "at", key->at, NULL);

	ret = ret ? ret : nst_tc_act_hex(walk, "offmask", key->offmask);
	return ret ? ret : nst_tc_tell_uint(walk, "shift", key->shift, NULL);
}

static int tell_key(struct nst_tc_walk *walk, const struct tc_pedit_key *key,
		    const struct key_ex *ex)
{
	int ret = nst_tc_tell_open(walk, NULL, NSTEER_TC_OBJECT);

	if (!ret && ex->has_header)
		ret = nst_tc_tell_uint(walk, "htype", ex->header, headers);
	ret = ret ? ret : nst_tc_act_sint(walk, "offset", (int32_t)key->off);
	if (!ret && key->offmask)
		ret = tell_variable(walk, key);
	if (!ret && ex->has_command)
		ret = nst_tc_tell_uint(walk, "cmd", ex->command, commands);
	ret = ret ? ret : nst_tc_act_hex(walk, "val", ntohl(key->val));
	ret = ret ? ret : nst_tc_act_hex(walk, "mask", ntohl(key->mask));
	return ret ? ret : nst_tc_tell_end(walk);
}

static int tell_keys(struct nst_tc_walk *walk, const unsigned char *pos,
		     size_t count, bool extended)
{
	/* All are set, and begin at the network header. */
	const struct key_ex plain = { .has_header = true, .has_command = true };
	struct nst_tc_attrs keys_ex =
		nst_tc_act_nest(walk->tb[TCA_PEDIT_KEYS_EX]);
	int ret = nst_tc_tell_open(walk, "pedit_keys", NSTEER_TC_ARRAY);

	for (; count-- && !ret; pos += KEY_LEN) {
		struct key_ex ex = extended ? next_key_ex(&keys_ex) : plain;
		struct tc_pedit_key key;

		memcpy(&key, pos, sizeof(key));
		ret = tell_key(walk, &key, &ex);
	}
	return ret ? ret : nst_tc_tell_end(walk);
}

/* nkeys may promise more keys than there are. */
static int tell_sel(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		    const struct nlattr *attr)
{
	bool extended = (attr->nla_type & NLA_TYPE_MASK) == TCA_PEDIT_PARMS_EX;
	const unsigned char *bytes;
	const void *data;
	size_t len, count;
	int ret;

	(void)field;
	if (!nst_tc_payload(attr, SEL_LEN, &data, &len))
		return 0;
	bytes = data;
	count = bytes[offsetof(struct tc_pedit_sel, nkeys)];
	ret = nst_tc_tell_uint(walk, "nkeys", count, NULL);
	if (count > (len - SEL_LEN) / KEY_LEN)
		count = (len - SEL_LEN) / KEY_LEN;
	return ret ? ret : tell_keys(walk, bytes + SEL_LEN, count, extended);
}

static const struct nst_tc_field fields[] = {
	[TCA_PEDIT_TM] = NST_TC_NOT_TOLD,
	[TCA_PEDIT_PARMS] = NST_ACT_PUT(NULL, SEL_LEN, tell_sel),
	[TCA_PEDIT_PAD] = NST_TC_NOT_TOLD,
	[TCA_PEDIT_PARMS_EX] = NST_ACT_PUT(NULL, SEL_LEN, tell_sel),
	[TCA_PEDIT_KEYS_EX] = NST_TC_NOT_TOLD,
};

const struct nst_tc_kind nst_tc_act_pedit = {
	NST_TC_TABLE("pedit", fields),
	.parms = TCA_PEDIT_PARMS_EX,
	.parms_alt = TCA_PEDIT_PARMS,
	.times = TCA_PEDIT_TM,
	.tail = nst_tc_act_tail,
};
