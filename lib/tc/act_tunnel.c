/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tunnel_key, with the options of geneve, vxlan and erspan. */
#include <linux/tc_act/tc_tunnel_key.h>

#include "tc/act.h"

/* Since Linux 6.4. */
enum { TUNNEL_KEY_NO_FRAG = 14 };

/* The attributes of options are those of flower's keys, under other names. */
static int tell_opts(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		     const struct nlattr *attr)
{
	static const char *const names[] = {
		[TCA_TUNNEL_KEY_ENC_OPTS_GENEVE] = "geneve_opts",
		[TCA_TUNNEL_KEY_ENC_OPTS_VXLAN] = "vxlan_opts",
		[TCA_TUNNEL_KEY_ENC_OPTS_ERSPAN] = "erspan_opts",
	};
	struct nst_tc_attrs opts = nst_tc_act_nest(attr);
	const struct nlattr *opt;
	int ret = 0;

	(void)field;
	while (!ret && (opt = nst_tc_attr_next(&opts))) {
		uint16_t type = opt->nla_type & NLA_TYPE_MASK;
		struct nst_tc_field f;

		if (type >= NST_TC_COUNT(names) || !names[type]) {
			ret = nst_tc_tell_unknown(walk, opt);
			continue;
		}
		f = nst_tc_enc_key[type];
		f.name = names[type];
		ret = f.put(walk, &f, opt);
	}
	return ret;
}

static int tell_csum(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		     const struct nlattr *attr)
{
	uint8_t no;

	(void)field;
	if (!nst_tc_act_copy(&no, sizeof(no), attr))
		return 0;
	return nst_tc_act_flag(walk, no ? "nocsum" : "csum");
}

static const struct nst_tc_word modes[] = {
	{ TCA_TUNNEL_KEY_ACT_SET, "set" },
	{ TCA_TUNNEL_KEY_ACT_RELEASE, "unset" },
	NST_TC_WORDS_END,
};

static const struct nst_tc_field members[] = {
	NST_ACT_MEMBER(struct tc_tunnel_key, t_action, "mode", UINT,
		       .words = modes),
};

static const struct nst_tc_field fields[] = {
	[TCA_TUNNEL_KEY_TM] = NST_TC_NOT_TOLD,
	[TCA_TUNNEL_KEY_PARMS] =
		NST_ACT_PARMS_MEMBERS(struct tc_tunnel_key, members),
	[TCA_TUNNEL_KEY_ENC_IPV4_SRC] = NST_TC_FIELD("src_ip", IPV4, 4),
	[TCA_TUNNEL_KEY_ENC_IPV4_DST] = NST_TC_FIELD("dst_ip", IPV4, 4),
	[TCA_TUNNEL_KEY_ENC_IPV6_SRC] = NST_TC_FIELD("src_ip", IPV6, 16),
	[TCA_TUNNEL_KEY_ENC_IPV6_DST] = NST_TC_FIELD("dst_ip", IPV6, 16),
	[TCA_TUNNEL_KEY_ENC_KEY_ID] =
		NST_TC_FIELD("key_id", UINT, 4, NST_TC_BE),
	[TCA_TUNNEL_KEY_PAD] = NST_TC_NOT_TOLD,
	[TCA_TUNNEL_KEY_ENC_DST_PORT] =
		NST_TC_FIELD("dst_port", UINT, 2, NST_TC_BE),
	[TCA_TUNNEL_KEY_NO_CSUM] = NST_ACT_PUT(NULL, 1, tell_csum),
	[TCA_TUNNEL_KEY_ENC_OPTS] = NST_ACT_PUT(NULL, 0, tell_opts),
	[TCA_TUNNEL_KEY_ENC_TOS] = NST_TC_FIELD("tos", HEX, 1, .nonzero = 1),
	[TCA_TUNNEL_KEY_ENC_TTL] = NST_TC_FIELD("ttl", UINT, 1, .nonzero = 1),
	[TUNNEL_KEY_NO_FRAG] = NST_TC_FIELD("nofrag", FLAG, 0),
};

const struct nst_tc_kind nst_tc_act_tunnel_key = {
	NST_TC_TABLE("tunnel_key", fields),
	.parms = TCA_TUNNEL_KEY_PARMS,
	.times = TCA_TUNNEL_KEY_TM,
	.tail = nst_tc_act_tail,
};
