// SPDX-License-Identifier: GPL-2.0-or-later
#include "tc_msgs.h"

struct nlmsghdr *attrs_new(struct attrs *a)
{
	memset(a, 0, sizeof(*a));
	return mnl_nlmsg_put_header(a->buf);
}

void put_attrs(struct script *s, uint16_t type, const struct attrs *a)
{
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)a->buf;

	put_attr(s, type, mnl_nlmsg_get_payload(nlh),
		 mnl_nlmsg_get_payload_len(nlh));
}

void attrs_nest(struct attrs *to, uint16_t type, const struct attrs *a)
{
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)a->buf;

	mnl_attr_put((struct nlmsghdr *)to->buf, type,
		     mnl_nlmsg_get_payload_len(nlh),
		     mnl_nlmsg_get_payload(nlh));
}

void put_qdisc(struct script *s, uint32_t ifindex, uint32_t handle,
	       uint32_t parent, const char *kind)
{
	struct tcmsg tcm = { .tcm_ifindex = ifindex,
			     .tcm_handle = handle,
			     .tcm_parent = parent };

	put_msg(s, RTM_NEWQDISC, NLM_F_MULTI, &tcm, sizeof(tcm));
	put_attr(s, TCA_KIND, kind, strlen(kind) + 1);
}

static void put_node(struct script *s, const struct tc_where *w,
		     uint32_t handle)
{
	struct tcmsg tcm = {
		.tcm_ifindex = w->ifindex,
		.tcm_parent = w->parent,
		.tcm_handle = handle,
		.tcm_info = TC_H_MAKE(w->pref << 16, htons(ETH_P_IP)),
	};

	put_msg(s, RTM_NEWTFILTER, NLM_F_MULTI, &tcm, sizeof(tcm));
	put_attr(s, TCA_KIND, w->kind, strlen(w->kind) + 1);
	put_attr_u32(s, TCA_CHAIN, w->chain);
}

void put_tp(struct script *s, const struct tc_where *w)
{
	put_node(s, w, 0);
}

void put_filter(struct script *s, const struct tc_where *w, uint32_t handle,
		const struct attrs *options)
{
	struct attrs flags;

	put_node(s, w, handle);
	if (!options) {
		mnl_attr_put_u32(attrs_new(&flags), TCA_FLOWER_FLAGS,
				 NSTEER_TC_NOT_IN_HW);
		options = &flags;
	}
	put_attrs(s, TCA_OPTIONS, options);
}

struct nst_nl *give_away(struct script *s)
{
	struct nst_nl *nl = s->nl;

	s->ns->rtnl = NULL;
	s->nl = NULL;
	return nl;
}

struct nsteer_tc_dump *tc_open_both(struct script *s, struct script *aside,
				    const struct nsteer_tc_dump_opts *o)
{
	struct nsteer_tc_dump *d;

	ck_assert_msg(!nst_tc_dump_open(s->ns, o, give_away(s),
					aside ? give_away(aside) : NULL, &d),
		      "%s", nsteer_errmsg(s->ns));
	return d;
}

struct nsteer_tc_dump *tc_open(struct script *s,
			       const struct nsteer_tc_dump_opts *o)
{
	return tc_open_both(s, NULL, o);
}

const struct nsteer_tc_filter *tc_next_is(struct nsteer_tc_dump *d,
					  uint32_t pref, uint32_t handle)
{
	const struct nsteer_tc_filter *f;
	int ret = nsteer_tc_dump_next(d, &f);

	ck_assert_msg(ret == 1, "%d where pref %u handle %u was due", ret, pref,
		      handle);
	ck_assert_uint_eq(nsteer_tc_filter_pref(f), pref);
	ck_assert_uint_eq(nsteer_tc_filter_handle(f), handle);
	return f;
}

void put_actions(struct script *s, const struct tc_act *acts, size_t n,
		 uint32_t count)
{
	const struct tcamsg tca = { .tca_family = AF_UNSPEC };
	struct attrs tab, entry, options;
	struct tc_gact parms = { 0 };
	struct nlmsghdr *nlh;
	size_t i;

	attrs_new(&tab);
	for (i = 0; i < n; i++) {
		nlh = attrs_new(&entry);
		mnl_attr_put_strz(nlh, TCA_ACT_KIND, acts[i].kind);
		if (acts[i].cookie)
			mnl_attr_put(nlh, TCA_ACT_COOKIE, 2, acts[i].cookie);
		if (acts[i].terse) {
			mnl_attr_put_u32(nlh, TCA_ACT_INDEX, acts[i].index);
		} else {
			parms.index = acts[i].index;
			/* Of gact, pedit and many more it has this number. */
			mnl_attr_put(attrs_new(&options), TCA_GACT_PARMS,
				     sizeof(parms), &parms);
			attrs_nest(&entry, TCA_ACT_OPTIONS, &options);
		}
		attrs_nest(&tab, i, &entry);
	}
	put_msg(s, RTM_GETACTION, NLM_F_MULTI, &tca, sizeof(tca));
	put_attr_u32(s, TCA_ROOT_COUNT, count);
	put_attrs(s, TCA_ACT_TAB, &tab);
}

struct nsteer_tc_actions *tc_actions(struct script *s,
				     const struct nsteer_tc_actions_opts *o)
{
	struct nsteer_tc_actions *d;

	ck_assert_msg(!nst_tc_actions_open(s->ns, o, give_away(s), &d), "%s",
		      nsteer_errmsg(s->ns));
	return d;
}
