/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In JSON a key has one type, wherever it stands. Whatever the tables and the
 * functions beside them can tell is told here, of attributes of every length
 * and shape, and each key that was written is looked at.
 */
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "harness.h"
#include "tc/tc.h"
#include "tc_out.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define INGRESS TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS)

/* ---- keys ---- */

#define KEYS_MAX 512

static struct key {
	char name[SINK_WORD_SIZE];
	char type;
} keys[KEYS_MAX];
static size_t n_keys;

/* What a value begins with: s "", o {}, a [], b true, n a number. */
static char type_of(char c)
{
	static const char types[][2] = { { '"', 's' }, { '{', 'o' },
					 { '[', 'a' }, { 't', 'b' },
					 { 'f', 'b' } };
	size_t i;

	for (i = 0; i < COUNT(types); i++)
		if (types[i][0] == c)
			return types[i][1];
	ck_assert_msg(c == '-' || (c >= '0' && c <= '9'), "no value: %c", c);
	return 'n';
}

static void seen(const char *name, size_t len, char type)
{
	struct key *k;

	for (k = keys; k < keys + n_keys; k++) {
		if (strlen(k->name) != len || memcmp(k->name, name, len))
			continue;
		ck_assert_msg(k->type == type, "%s is %c and %c", k->name,
			      k->type, type);
		return;
	}
	ck_assert_uint_lt(n_keys, KEYS_MAX);
	ck_assert_uint_lt(len, sizeof(k->name));
	memcpy(k->name, name, len);
	k->type = type;
	n_keys++;
}

static void is(const char *name, char type)
{
	seen(name, strlen(name), type);
}

static void look(const char *p)
{
	const char *name;

	while (*p) {
		if (*p++ != '"')
			continue;
		for (name = p; *p != '"'; p++)
			p += *p == '\\';
		p++;
		if (*p == ':')
			seen(name, p - 1 - name, type_of(p[1]));
	}
}

/* ---- what is written ---- */

static const unsigned char fills[] = { 0,    1,	   2,	 4,    5,    6,	  7,
				       0x0f, 0x10, 0x18, 0x20, 0x80, 0xff };

struct writer {
	struct sink sink;
	struct out out;
	struct tc_out t;
	struct tc_record record;
	char buf[8 * SINK_SIZE_MIN];
};

/* A device for every other one of the numbers that there will be. */
static void set_names(struct names *names)
{
	static struct names_entry table[64];
	uint32_t ifindex, at;
	size_t i;

	for (i = 0; i < COUNT(fills); i++) {
		ifindex = fills[i] * UINT32_C(0x01010101);
		at = ifindex * UINT32_C(2654435769) & 63;
		while (table[at].ifindex && table[at].ifindex != ifindex)
			at = (at + 1) & 63;
		table[at] = (struct names_entry){ ifindex, i % 2, "eth" };
	}
	names->table = table;
	names->room = COUNT(table);
}

static void writer_open(struct writer *w)
{
	static const struct out_opts json = { .json = true };

	memset(w, 0, sizeof(*w));
	sink_init(&w->sink, memfd_create("list", MFD_CLOEXEC), w->buf,
		  sizeof(w->buf));
	ck_assert_int_ge(w->sink.fd, 0);
	out_init(&w->out, &w->sink, &json);
	tc_out_init(&w->t, &w->out, NULL, true);
	w->record.t = &w->t;
	set_names(&w->t.names);
	out_begin(&w->out);
}

static void writer_close(struct writer *w)
{
	char *all;
	off_t len;

	out_end(&w->out);
	ck_assert_int_eq(sink_flush(&w->sink), 0);
	len = lseek(w->sink.fd, 0, SEEK_END);
	all = calloc(1, len + 1);
	ck_assert_ptr_nonnull(all);
	ck_assert_int_eq(pread(w->sink.fd, all, len, 0), len);
	close(w->sink.fd);
	look(all);
	free(all);
}

/* ---- what is told ---- */

struct shape {
	unsigned char fill;
	size_t len; /* of what is within nests; of all, if not right */
	bool right; /* as long as the table says */
	int depth;  /* of nests within nests */
};

#define MORE 256

static void put_nest(struct nlmsghdr *to, uint16_t type, const struct shape *s,
		     int depth)
{
	unsigned char bytes[MORE];
	struct nlattr *nest;
	uint16_t i;

	memset(bytes, s->fill, sizeof(bytes));
	nest = mnl_attr_nest_start(to, type);
	for (i = 1; i <= (depth ? 6 : 10); i++) {
		if (depth)
			put_nest(to, i, s, depth - 1);
		else
			mnl_attr_put(to, i, s->len, bytes);
	}
	mnl_attr_nest_end(to, nest);
}

static void put_attr(struct nlmsghdr *to, const struct nst_tc_field *field,
		     uint16_t type, const struct shape *s)
{
	unsigned char bytes[2 * MORE];
	size_t len = field->len;

	memset(bytes, s->fill, sizeof(bytes));
	if (!s->right)
		len = s->len;
	else if (!len && field->width)
		len = field->width + MORE; /* what follows a structure */
	if (s->right && !len)
		put_nest(to, type, s, s->depth);
	else
		mnl_attr_put(to, type, len, bytes);
}

static void put_attrs(struct nlmsghdr *to, const struct nst_tc_kind *kind,
		      const struct shape *s)
{
	static const struct nst_tc_field none;
	struct nlattr *nest = mnl_attr_nest_start(to, TCA_OPTIONS);
	uint16_t i;

	for (i = 0; i <= (kind ? kind->max : 3); i++)
		put_attr(to, kind ? &kind->fields[i] : &none, i, s);
	mnl_attr_nest_end(to, nest);
}

static char message[1 << 18] __attribute__((aligned(8)));

static void put_filter(struct writer *w, const char *kind,
		       const struct shape *s)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(message);
	struct nsteer_tc_filter f = { 0 };
	struct tc_columns columns;
	struct args_err err;
	struct tcmsg *tcm;

	nlh->nlmsg_type = RTM_NEWTFILTER;
	tcm = mnl_nlmsg_put_extra_header(nlh, sizeof(*tcm));
	tcm->tcm_ifindex = 0x01010101;
	tcm->tcm_parent = s->fill & 1 ? INGRESS : 0x10000;
	tcm->tcm_handle = 1;
	tcm->tcm_info = TC_H_MAKE(1U << 16, s->fill);
	mnl_attr_put_strz(nlh, TCA_KIND, kind);
	put_attrs(nlh, nst_tc_cls_find(kind), s);
	ck_assert(nst_tc_filter_read(&f, nlh));
	tc_out_filter(&w->record, &f);
	ck_assert_int_eq(tc_columns_parse(&columns, "dev,hook,parent,block,"
					  "chain,pref,protocol,kind,handle,"
					  "flags,bytes,packets,drops,hw_bytes,"
					  "hw_packets,actions,cookie", &err),
			 0);
	tc_columns_filter(&w->t, &columns, &f);
}

static void put_action(struct writer *w, const char *kind,
		       const struct shape *s)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(message);
	static const uint64_t bits = 0x0000000700000007;
	struct nsteer_tc_action a = { 0 };
	struct nlattr *entry;

	entry = mnl_attr_nest_start(nlh, 1);
	mnl_attr_put_strz(nlh, TCA_ACT_KIND, kind);
	put_attrs(nlh, nst_tc_act_find(kind), s);
	mnl_attr_put_u32(nlh, TCA_ACT_INDEX, 1);
	mnl_attr_put(nlh, TCA_ACT_COOKIE, 2, "ab");
	mnl_attr_put(nlh, 7 /* TCA_ACT_FLAGS */, s->right ? 8 : s->len, &bits);
	mnl_attr_put(nlh, 8 /* TCA_ACT_HW_STATS */, s->right ? 8 : s->len,
		     &bits);
	mnl_attr_put(nlh, 10 /* TCA_ACT_IN_HW_COUNT */, s->right ? 4 : s->len,
		     &bits);
	mnl_attr_nest_end(nlh, entry);
	nst_tc_action_read(&a, 0, entry);
	tc_out_action(&w->record, &a);
}

typedef void (*put_fn)(struct writer *w, const char *kind,
		       const struct shape *s);

static void put_all(put_fn put, const char *kind)
{
	static const size_t lens[] = { 0, 1, 2, 3, 4, 8 };
	struct writer w;
	struct shape s;
	size_t i, n;

	writer_open(&w);
	for (i = 0; i < COUNT(fills); i++) {
		for (n = 0; n < COUNT(lens); n++) {
			s = (struct shape){ fills[i], lens[n], false, 0 };
			put(&w, kind, &s);
			s.right = true;
			for (s.depth = 0; s.depth <= 2; s.depth++)
				put(&w, kind, &s);
		}
	}
	writer_close(&w);
}

/* ---- */

static const char *const classifiers[] = { "flower", "u32",  "matchall",
					   "bpf",    "basic", "fw",
					   "flow",   "route", "cgroup",
					   "tcindex", "other" };

static void everything(void)
{
	const char *kind = "";
	size_t i;

	for (i = 0; i < COUNT(classifiers); i++)
		put_all(put_filter, classifiers[i]);
	while ((kind = nst_tc_act_after(kind)))
		put_all(put_action, kind);
}

START_TEST(one_type_each)
{
	/* What other lists have: tc hooks, --summary, objects of all kinds. */
	static const struct key others[] = {
		{ "backend", 's' }, { "classifiers", 'a' }, { "devices", 'a' },
		{ "filters", 'n' }, { "group", 'n' },	    { "hw", 's' },
		{ "id", 'n' },	    { "ifindex", 'n' },	    { "ifname", 's' },
		{ "link", 'n' },    { "mode", 's' },	    { "name", 's' },
		{ "owner", 's' },   { "prog", 'o' },	    { "queue", 'n' },
		{ "tag", 's' },	    { "user", 'n' },
	};
	/* Whether all of it was reached, deep in nests, too. */
	static const struct key some[] = {
		{ "arp_op", 's' },	   { "arp_op_mask", 'n' },
		{ "chain", 'n' },	   { "ct_state", 'o' },
		{ "class", 'n' },	   { "csum", 'b' },
		{ "csum_update", 'a' },	   { "ct_label", 's' },
		{ "cmd", 's' },		   { "eth_type", 's' },
		{ "fwmark_success", 'n' }, { "gate_state", 's' },
		{ "hw_stats", 'a' },	   { "insns", 'a' },
		{ "in_hw_count", 'n' },	   { "jump", 'n' },
		{ "keys", 'o' },	   { "label", 'n' },
		{ "linklayer", 's' },	   { "matchid", 'n' },
		{ "nat", 'o' },		   { "opt_type", 'n' },
		{ "other_flags", 'n' },	   { "pedit_keys", 'a' },
		{ "police", 'o' },	   { "priority", 'n' },
		{ "raw", 's' },		   { "seid", 'n' },
		{ "src_port", 'n' },	   { "src_port_mask", 'n' },
		{ "src_port_range", 'o' }, { "to_dev", 's' },
		{ "to_dev_ifindex", 'n' }, { "type", 's' },
		{ "flags", 'a' },	   { "skbedit_priority", 's' },
	};
	size_t i, before;

	everything();
	ck_assert_uint_gt(n_keys, 200);
	before = n_keys;
	for (i = 0; i < COUNT(some); i++)
		is(some[i].name, some[i].type);
	ck_assert_msg(n_keys == before, "%s was not told", keys[before].name);
	for (i = 0; i < COUNT(others); i++)
		is(others[i].name, others[i].type);
}
END_TEST

/* ---- the tables themselves ---- */

static void check_field(const struct nst_tc_field *field, bool member);

static void check_fields(const struct nst_tc_field *fields, size_t n,
			 bool member)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (member || fields[i].known)
			check_field(&fields[i], member);
}

/* What is no number has no words or counts; a number is as wide as it says. */
static void check_field(const struct nst_tc_field *field, bool member)
{
	size_t width = member || field->width ? field->width : field->len;

	if (field->members)
		check_fields(field->members, field->n_members,
			     !field->put && field->n_members);
	if (field->put || field->members ||
	    (!member && field->known != NST_TC_TOLD))
		return;
	ck_assert_ptr_nonnull(field->name);
	switch (field->type) {
	case NSTEER_TC_UINT:
	case NSTEER_TC_SINT:
	case NSTEER_TC_HEX:
	case NSTEER_TC_BITS:
	case NSTEER_TC_IFINDEX:
	case NSTEER_TC_CLASSID:
	case NSTEER_TC_RANGE:
		ck_assert_msg(width == 1 || width == 2 || width == 4 ||
				      width == 8, "%s", field->name);
		ck_assert_msg(field->type != NSTEER_TC_BITS || field->words,
			      "%s", field->name);
		break;
	case NSTEER_TC_IPV4:
		ck_assert_msg(width == 4, "%s", field->name);
		break;
	case NSTEER_TC_IPV6:
		ck_assert_msg(width == 16, "%s", field->name);
		break;
	case NSTEER_TC_MAC:
		ck_assert_msg(width == 6, "%s", field->name);
		break;
	default:
		ck_assert_msg(!field->words, "%s", field->name);
	}
	ck_assert_msg(!field->counter || field->type == NSTEER_TC_UINT, "%s",
		      field->name);
}

START_TEST(fields)
{
	const struct nst_tc_kind *kind;
	const char *name = "";
	size_t i;

	for (i = 0; i < COUNT(classifiers); i++)
		if ((kind = nst_tc_cls_find(classifiers[i])))
			check_fields(kind->fields, kind->max + 1, false);
	while ((name = nst_tc_act_after(name)))
		if ((kind = nst_tc_act_find(name)))
			check_fields(kind->fields, kind->max + 1, false);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("tool_tc_types");
	TCase *tc = tcase_create("keys");

	tcase_add_test(tc, one_type_each);
	tcase_add_test(tc, fields);
	suite_add_tcase(s, tc);
	return s;
}
NST_REGISTER(suite);
