/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filters as the command writes them: messages in, expected bytes out. */
#include <arpa/inet.h>
#include <linux/gen_stats.h>
#include <linux/if_ether.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "harness.h"
#include "tc/tc.h"
#include "tc_out.h"
#include "tc_word.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define INGRESS TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS)

/* ---- what is written ---- */

struct lister {
	struct sink sink;
	struct out out;
	struct tc_out t;
	struct tc_record record;
	char buf[8 * SINK_SIZE_MIN];
};

/* eth3 is the one device whose name is known, 4 is gone. */
static void lister_open(struct lister *l, const struct out_opts *opts,
			bool stats)
{
	static struct names_entry table[64];
	int fd = memfd_create("list", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	memset(l, 0, sizeof(*l));
	sink_init(&l->sink, fd, l->buf, sizeof(l->buf));
	out_init(&l->out, &l->sink, opts);
	tc_out_init(&l->t, &l->out, NULL, stats);
	l->record.t = &l->t;
	table[3 * UINT32_C(2654435769) & 63] =
		(struct names_entry){ 3, true, "eth3" };
	table[4 * UINT32_C(2654435769) & 63] = (struct names_entry){ 4, false,
								     "" };
	l->t.names.table = table;
	l->t.names.room = COUNT(table);
	out_begin(&l->out);
}

/* All of it, to be freed. */
static char *lister_text(struct lister *l)
{
	char *all;
	off_t len;

	out_end(&l->out);
	ck_assert_int_eq(sink_flush(&l->sink), 0);
	len = lseek(l->sink.fd, 0, SEEK_END);
	all = calloc(1, len + 1);
	ck_assert_ptr_nonnull(all);
	ck_assert_int_eq(pread(l->sink.fd, all, len, 0), len);
	close(l->sink.fd);
	return all;
}

static void lister_is(struct lister *l, const char *want)
{
	char *all = lister_text(l);

	ck_assert_str_eq(all, want);
	free(all);
}

static const struct out_opts json = { .json = true }, text = { 0 },
			     oneline = { .oneline = true },
			     pretty = { .json = true, .pretty = true };

/* ---- what is told ---- */

/* The values of a kind that exists here alone. */
static const struct nsteer_tc_value *told;

static int tell_told(struct nst_tc_walk *walk, const struct nst_tc_field *field,
		     const struct nlattr *attr)
{
	const struct nsteer_tc_value *v;
	int ret = 0;

	(void)field;
	(void)attr;
	for (v = told; !ret && (v->name || v->type || v->data); v++)
		ret = nst_tc_tell(walk, v);
	return ret;
}

static const struct nst_tc_field told_fields[] = {
	[1] = { .known = NST_TC_TOLD, .put = tell_told },
};

static const struct nst_tc_kind told_kind = {
	.name = "told",
	.fields = told_fields,
	.max = 1,
};

struct message {
	char buf[16384] __attribute__((aligned(8)));
	struct nlmsghdr *nlh;
};

static void message(struct message *m, uint32_t ifindex, uint32_t parent,
		    uint16_t pref, const char *kind, uint32_t handle)
{
	struct tcmsg *tcm;

	memset(m->buf, 0, sizeof(m->buf));
	m->nlh = mnl_nlmsg_put_header(m->buf);
	m->nlh->nlmsg_type = RTM_NEWTFILTER;
	tcm = mnl_nlmsg_put_extra_header(m->nlh, sizeof(*tcm));
	tcm->tcm_ifindex = ifindex;
	tcm->tcm_parent = parent;
	tcm->tcm_handle = handle;
	tcm->tcm_info = TC_H_MAKE((uint32_t)pref << 16, htons(ETH_P_IP));
	mnl_attr_put_strz(m->nlh, TCA_KIND, kind);
	mnl_attr_put_u32(m->nlh, TCA_CHAIN, 0);
}

static void read_message(struct nsteer_tc_filter *f, const struct message *m,
			 bool terse)
{
	memset(f, 0, sizeof(*f));
	f->terse = terse;
	ck_assert(nst_tc_filter_read(f, m->nlh));
}

/* A filter that matches just these. */
static void put_told(struct lister *l, const struct nsteer_tc_value *values)
{
	struct nsteer_tc_filter f;
	struct message m;
	struct nlattr *nest;

	message(&m, 3, INGRESS, 1, "told", 1);
	nest = mnl_attr_nest_start(m.nlh, TCA_OPTIONS);
	mnl_attr_put_u32(m.nlh, 1, 0);
	mnl_attr_nest_end(m.nlh, nest);
	read_message(&f, &m, false);
	f.table = &told_kind;
	nst_tc_parse(&f.parsed, f.table, f.options);
	told = values;
	tc_out_filter(&l->record, &f);
}

#define J(rest)                                                                \
	"[{\"dev\":\"eth3\",\"hook\":\"ingress\",\"chain\":0,\"pref\":1,"      \
	"\"protocol\":\"ip\",\"kind\":\"told\",\"options\":{\"handle\":1"      \
	rest "}}]\n"
#define T(rest)                                                                \
	"dev eth3 ingress chain 0 pref 1 protocol ip told handle 0x1" rest "\n"

static void told_as(const struct nsteer_tc_value *values, const char *in_json,
		    const char *in_text)
{
	struct lister l;

	lister_open(&l, &json, false);
	put_told(&l, values);
	lister_is(&l, in_json);
	lister_open(&l, &text, false);
	put_told(&l, values);
	lister_is(&l, in_text);
}

static const struct nst_tc_word words[] = { { 6, "tcp" }, NST_TC_WORDS_END };
static const struct nst_tc_word bits[] = { { 0, "new" }, { 3, "trk" },
					   NST_TC_WORDS_END };

#define V(n, t, ...) { .name = (n), .type = NSTEER_TC_##t, __VA_ARGS__ }
#define DATA(s) .data = (s), .len = sizeof(s) - 1
#define END { .name = NULL }

START_TEST(value_numbers)
{
	static const struct nsteer_tc_value v[] = {
		V("u", UINT, .u64 = UINT64_MAX),
		V("s", SINT, .u64 = (uint64_t)-5),
		V("h", HEX, .u64 = 255),
		V("w", UINT, .u64 = 6, .words = words),
		V("no", UINT, .u64 = 7, .words = words),
		V("hw", HEX, .u64 = 6, .words = words),
		V("hno", HEX, .u64 = 0x88b5, .words = words),
		V("sno", SINT, .u64 = (uint64_t)-5, .words = words),
		V("um", UINT, .u64 = 6, .has_mask = true, .mask = 14),
		V("hm", HEX, .u64 = 16, .has_mask = true, .mask = 255),
		V("wm", UINT, .u64 = 6, .has_mask = true, .mask = 14,
		  .words = words),
		V("hwm", HEX, .u64 = 6, .has_mask = true, .mask = 14,
		  .words = words),
		V("r", RANGE, .u64 = 5, .has_mask = true, .mask = 9),
		V("f", FLAG),
		V("c", CLASSID, .u64 = 0x10010),
		V("c0", CLASSID, .u64 = 0xffff0000),
		END
	};

	told_as(v,
		J(",\"u\":18446744073709551615,\"s\":-5,\"h\":255,"
		  "\"w\":\"tcp\",\"no\":\"7\",\"hw\":\"tcp\","
		  "\"hno\":\"0x88b5\",\"sno\":\"-5\","
		  "\"um\":6,\"um_mask\":14,\"hm\":16,\"hm_mask\":255,"
		  "\"wm\":\"6\",\"wm_mask\":14,"
		  "\"hwm\":\"0x6\",\"hwm_mask\":14,"
		  "\"r\":{\"start\":5,\"end\":9},\"f\":true,"
		  "\"c\":\"1:10\",\"c0\":\"ffff:\""),
		T("\n\tu 18446744073709551615 s -5 h 0xff w tcp no 7 hw tcp "
		  "hno 0x88b5 sno -5 um 6/0xe hm 0x10/0xff wm 6/0xe "
		  "hwm 0x6/0xe r 5-9 f c 1:10 c0 ffff:"));
}
END_TEST

START_TEST(value_bytes)
{
	static const struct nsteer_tc_value v[] = {
		V("b", BYTES, DATA("\x01\xff")),
		V("bm", BYTES, DATA("\x01\xff"), .mask_data = "\xff\0"),
		V("none", BYTES),
		V("attr_77", BYTES, DATA("z")),
		V("s", STRING, DATA("a\x1b\"\xff")),
		V("i", IPV4, DATA("\x0a\0\0\x01")),
		V("im", IPV4, DATA("\x0a\0\0\0"), .mask_data = "\xff\0\0\0"),
		V("short", IPV4, DATA("\x0a\0")),
		V("i6", IPV6, DATA("\x20\1\0\0\0\0\0\0\0\0\0\0\0\0\0\1")),
		V("m", MAC, DATA("\1\2\3\4\5\6"), .mask_data = "\1\0\0\0\0\0"),
		END
	};

	told_as(v,
		J(",\"b\":\"01ff\",\"bm\":\"01ff/ff00\",\"none\":\"\","
		  "\"attr_77\":\"7a\","
		  "\"s\":\"a\\u001b\\\"\xef\xbf\xbd\",\"s_hex\":\"611b22ff\","
		  "\"i\":\"10.0.0.1\",\"im\":\"10.0.0.0/8\",\"short\":\"0a00\","
		  "\"i6\":\"2001::1\","
		  "\"m\":\"01:02:03:04:05:06/01:00:00:00:00:00\""),
		T("\n\tb 01ff bm 01ff/ff00 none  attr_77 7a "
		  "s a\\x1b\"\\xff i 10.0.0.1 im 10.0.0.0/8 short 0a00 "
		  "i6 2001::1 m 01:02:03:04:05:06/01:00:00:00:00:00"));
}
END_TEST

/* One name after the other at the same address: none may be remembered. */
START_TEST(value_names_that_change)
{
	char name[] = "attr_1";
	struct nsteer_tc_value v[] = { V(name, UINT, .u64 = 1), END };
	struct lister l;

	lister_open(&l, &text, false);
	put_told(&l, v);
	strcpy(name, "attr_2");
	put_told(&l, v);
	lister_is(&l, T("\n\tattr_1 1") T("\n\tattr_2 1"));
}
END_TEST

START_TEST(value_bits)
{
	static const struct nsteer_tc_value v[] = {
		V("b", BITS, .u64 = 9, .words = bits),
		V("odd", BITS, .u64 = UINT64_C(1) << 63 | 2, .words = bits),
		V("none", BITS, .words = bits),
		V("m", BITS, .u64 = 8, .words = bits, .has_mask = true,
		  .mask = 11),
		V("m0", BITS, .words = bits, .has_mask = true, .mask = 1),
		END
	};

	told_as(v,
		J(",\"b\":[\"new\",\"trk\"],\"odd\":[\"bit_1\",\"bit_63\"],"
		  "\"none\":[],\"m\":{\"new\":false,\"bit_1\":false,"
		  "\"trk\":true},\"m0\":{\"new\":false}"),
		T("\n\tb new,trk odd bit_1,bit_63 none none m -new-bit_1+trk "
		  "m0 -new"));
}
END_TEST

START_TEST(value_devices)
{
	static const struct nsteer_tc_value v[] = {
		V("to_dev", IFINDEX, .u64 = 3),
		V("in", IFINDEX, .u64 = 4),
		V("to_dev", IFINDEX),
		V("a", ARRAY),
		V(NULL, IFINDEX, .u64 = 3),
		V(NULL, IFINDEX, .u64 = 4),
		V(NULL, END),
		END
	};

	told_as(v,
		J(",\"to_dev\":\"eth3\",\"in_ifindex\":4,\"to_dev_ifindex\":0,"
		  "\"a\":[\"eth3\",4]"),
		T("\n\tdev eth3 in #4 dev #0 a [ eth3 #4 ]"));
}
END_TEST

START_TEST(value_nests)
{
	static const struct nsteer_tc_value v[] = {
		V("keys", OBJECT),
		V("type", UINT, .u64 = 1),
		V("keys", OBJECT),
		V(NULL, END),
		V(NULL, END),
		V("list", ARRAY),
		V(NULL, UINT, .u64 = 1),
		V(NULL, OBJECT),
		V("x", FLAG),
		V(NULL, END),
		V(NULL, ARRAY),
		V(NULL, END),
		V(NULL, END),
		V("control_action", OBJECT),
		V("type", UINT, .u64 = 6, .words = words),
		V("chain", UINT, .u64 = 5),
		V("type", UINT, .u64 = 2),
		V(NULL, END),
		END
	};

	told_as(v,
		J(",\"keys\":{\"type\":1,\"keys\":{}},\"list\":[1,{\"x\":true},"
		  "[]],\"control_action\":{\"type\":\"tcp\",\"chain\":5,"
		  "\"type\":2}"),
		T("\n\ttype 1 keys { } list [ 1 { x } [ ] ] tcp chain 5 "
		  "type 2"));
}
END_TEST

#define TOO_DEEP 40

/* Deeper than anything is; ends that end nothing; nests without an end. */
START_TEST(value_nests_hostile)
{
	struct nsteer_tc_value v[2 * TOO_DEEP + 4] = { 0 };
	char want[1024], *p = want;
	struct lister l;
	int i, n = 0;

	for (i = 0; i < TOO_DEEP; i++)
		v[n++] = (struct nsteer_tc_value)V(i ? NULL : "a", ARRAY);
	v[n++] = (struct nsteer_tc_value)V("deep", FLAG);
	for (i = 0; i < TOO_DEEP + 1; i++)
		v[n++] = (struct nsteer_tc_value)V(NULL, END);
	v[n] = (struct nsteer_tc_value)V("after", FLAG);
	p = stpcpy(p, ",\"a\":");
	p = mempcpy(p, "[[[[[[[[[[[[[[[[", 16);
	p = mempcpy(p, "]]]]]]]]]]]]]]]]", 16);
	strcpy(p, ",\"after\":true}}]\n");
	lister_open(&l, &json, false);
	put_told(&l, v);
	p = lister_text(&l);
	ck_assert_str_eq(strstr(p, ",\"a\""), want);
	free(p);
	/* None of them is closed. */
	v[TOO_DEEP] = (struct nsteer_tc_value)END;
	strcpy(strstr(want, ",\"after"), "}}]\n");
	lister_open(&l, &json, false);
	put_told(&l, v);
	p = lister_text(&l);
	ck_assert_str_eq(strstr(p, ",\"a\""), want);
	free(p);
}
END_TEST

/* What counts something comes with the statistics. */
START_TEST(value_counters)
{
	static const struct nsteer_tc_value v[] = {
		V("a", UINT, .u64 = 1),
		V("hits", UINT, .u64 = 2, .counter = true),
		V("o", OBJECT),
		V("hits", UINT, .u64 = 3, .counter = true),
		V(NULL, END),
		END
	};
	struct lister l;

	told_as(v, J(",\"a\":1,\"o\":{}"), T("\n\ta 1 o { }"));
	lister_open(&l, &json, true);
	put_told(&l, v);
	lister_is(&l, J(",\"a\":1,\"hits\":2,\"o\":{\"hits\":3}"));
}
END_TEST

/* In an array there is no place for a mask. */
START_TEST(value_unnamed)
{
	static const struct nsteer_tc_value v[] = {
		V("a", ARRAY),
		V(NULL, UINT, .u64 = 6, .has_mask = true, .mask = 14),
		V(NULL, UINT, .u64 = 7, .words = words),
		V(NULL, UINT, .u64 = 6, .words = words),
		V(NULL, END),
		END
	};

	told_as(v, J(",\"a\":[6,\"7\",\"tcp\"]"),
		T("\n\ta [ 6/0xe 7 tcp ]"));
}
END_TEST

/* ---- records ---- */

static void put_stats(struct nlmsghdr *nlh, uint64_t bytes, uint32_t packets,
		      uint64_t hw_bytes)
{
	struct gnet_stats_queue q = { .drops = 3, .overlimits = 4 };
	struct {
		uint64_t bytes;
		uint32_t packets;
		uint32_t pad;
	} basic = { bytes, packets, 0 };
	struct nlattr *nest = mnl_attr_nest_start(nlh, TCA_ACT_STATS);

	mnl_attr_put(nlh, TCA_STATS_BASIC, 12, &basic);
	mnl_attr_put(nlh, TCA_STATS_QUEUE, sizeof(q), &q);
	basic.bytes = hw_bytes;
	basic.packets = 1;
	if (hw_bytes)
		mnl_attr_put(nlh, 7 /* TCA_STATS_BASIC_HW */, 12, &basic);
	mnl_attr_nest_end(nlh, nest);
}

/* Terse flower with actions of these kinds, separated by commas. */
static void flower(struct message *m, uint32_t ifindex, uint16_t pref,
		   uint32_t handle, uint32_t flags, const char *kinds)
{
	struct nlattr *options, *acts, *act;
	char kind[16];
	uint16_t order = 1;
	size_t len;

	message(m, ifindex, INGRESS, pref, "flower", handle);
	options = mnl_attr_nest_start(m->nlh, TCA_OPTIONS);
	mnl_attr_put_u32(m->nlh, TCA_FLOWER_FLAGS, flags);
	acts = mnl_attr_nest_start(m->nlh, TCA_FLOWER_ACT);
	for (; *kinds; kinds += len + (kinds[len] == ',')) {
		len = strcspn(kinds, ",");
		snprintf(kind, sizeof(kind), "%.*s", (int)len, kinds);
		act = mnl_attr_nest_start(m->nlh, order);
		mnl_attr_put_strz(m->nlh, TCA_ACT_KIND, kind);
		put_stats(m->nlh, 100 * order, order,
			  flags & TCA_CLS_FLAGS_IN_HW ? 77 : 0);
		if (order == 2)
			mnl_attr_put(m->nlh, TCA_ACT_COOKIE, 2, "\xab\1");
		mnl_attr_nest_end(m->nlh, act);
		order++;
	}
	mnl_attr_nest_end(m->nlh, acts);
	mnl_attr_nest_end(m->nlh, options);
}

static void put_flower(struct lister *l, uint32_t ifindex, uint16_t pref,
		       uint32_t handle, uint32_t flags, const char *kinds)
{
	struct nsteer_tc_filter f;
	struct message m;

	flower(&m, ifindex, pref, handle, flags, kinds);
	read_message(&f, &m, true);
	tc_out_filter(&l->record, &f);
}

START_TEST(record_terse)
{
	struct lister l;

	lister_open(&l, &json, false);
	put_flower(&l, 3, 1, 5, TCA_CLS_FLAGS_NOT_IN_HW, "gact");
	put_flower(&l, 4, 2, UINT32_MAX, 0, "");
	lister_is(&l,
		  "[{\"dev\":\"eth3\",\"hook\":\"ingress\",\"chain\":0,"
		  "\"pref\":1,\"protocol\":\"ip\",\"kind\":\"flower\","
		  "\"options\":{\"handle\":5,\"not_in_hw\":true,\"actions\":["
		  "{\"order\":1,\"kind\":\"gact\"}]}},"
		  "{\"dev_ifindex\":4,\"hook\":\"ingress\",\"chain\":0,"
		  "\"pref\":2,\"protocol\":\"ip\",\"kind\":\"flower\","
		  "\"options\":{\"handle\":4294967295}}]\n");
	lister_open(&l, &text, true);
	put_flower(&l, 3, 1, 5, TCA_CLS_FLAGS_IN_HW | TCA_CLS_FLAGS_SKIP_SW,
		   "gact,mirred");
	put_flower(&l, 4, 2, 10, 0, "");
	lister_is(&l,
		  "dev eth3 ingress chain 0 pref 1 protocol ip flower "
		  "handle 0x5 skip_sw in_hw\n\taction 1 gact\n"
		  "\t  bytes 100 packets 1 drops 3 overlimits 4 requeues 0 "
		  "backlog 0 qlen 0 hw_bytes 77 hw_packets 1\n"
		  "\taction 2 mirred cookie ab01\n"
		  "\t  bytes 200 packets 2 drops 3 overlimits 4 requeues 0 "
		  "backlog 0 qlen 0 hw_bytes 77 hw_packets 1\n"
		  "dev #4 ingress chain 0 pref 2 protocol ip flower "
		  "handle 0xa\n");
	lister_open(&l, &oneline, false);
	put_flower(&l, 3, 1, 5, 0, "gact,gact");
	lister_is(&l, "dev eth3 ingress chain 0 pref 1 protocol ip flower "
		      "handle 0x5\\\taction 1 gact\\\taction 2 gact "
		      "cookie ab01\n");
}
END_TEST

/* How many devices have it is told where one has, and not as 0. */
START_TEST(record_hw_count)
{
	static const uint32_t flags[] = { TCA_CLS_FLAGS_NOT_IN_HW,
					  TCA_CLS_FLAGS_IN_HW };
	struct nsteer_tc_filter f;
	struct nlattr *options;
	struct message m;
	struct lister l;
	uint32_t i;

	lister_open(&l, &text, false);
	for (i = 0; i < COUNT(flags); i++) {
		message(&m, 3, INGRESS, 1, "flower", 1);
		options = mnl_attr_nest_start(m.nlh, TCA_OPTIONS);
		mnl_attr_put_u32(m.nlh, TCA_FLOWER_FLAGS, flags[i]);
		mnl_attr_put_u32(m.nlh, TCA_FLOWER_IN_HW_COUNT, i);
		mnl_attr_put_u16(m.nlh, TCA_FLOWER_KEY_ETH_TYPE,
				 htons(ETH_P_IP));
		mnl_attr_nest_end(m.nlh, options);
		read_message(&f, &m, false);
		tc_out_filter(&l.record, &f);
	}
	lister_is(&l, "dev eth3 ingress chain 0 pref 1 protocol ip flower "
		      "handle 0x1 not_in_hw\n\teth_type ipv4\n"
		      "dev eth3 ingress chain 0 pref 1 protocol ip flower "
		      "handle 0x1 in_hw in_hw_count 1\n\teth_type ipv4\n");
}
END_TEST

static void put_varied(struct lister *l, unsigned int n)
{
	static const char *const kinds[] = {
		"gact", "gact,mirred", "", "mirred,gact,gact,gact,gact,gact",
		"gact", "a\x1b",
	};
	static const uint32_t flags[] = { 0, TCA_CLS_FLAGS_IN_HW };

	put_flower(l, 3 + n / 40 % 2, 1 + n / 12 % 3, n, flags[n / 7 % 2],
		   kinds[n % COUNT(kinds)]);
}

/* What is copied from the record before is what would have been made. */
START_TEST(record_copies)
{
	const struct out_opts *const opts[] = { &json, &text, &oneline,
						&pretty };
	struct lister copying, making;
	char *copied, *made;
	unsigned int i, n;

	for (i = 0; i < 2 * COUNT(opts); i++) {
		lister_open(&copying, opts[i / 2], i & 1);
		lister_open(&making, opts[i / 2], i & 1);
		for (n = 0; n < 500; n++) {
			put_varied(&copying, n);
			making.record = (struct tc_record){ .t = &making.t };
			put_varied(&making, n);
		}
		copied = lister_text(&copying);
		made = lister_text(&making);
		ck_assert_str_eq(copied, made);
		free(copied);
		free(made);
	}
}
END_TEST

/* As many as a filter can have. */
START_TEST(record_many_actions)
{
	static const char act[] = ",gact";
	char kinds[32 * sizeof(act)] = "gact", *all;
	struct lister l;
	const char *p;
	int n = 0;

	while (strlen(kinds) < 32 * (sizeof(act) - 1) - 1)
		strcat(kinds, act);
	lister_open(&l, &json, true);
	put_flower(&l, 3, 1, 1, 0, kinds);
	put_flower(&l, 3, 1, 2, 0, kinds);
	all = lister_text(&l);
	for (p = all; (p = strstr(p, "\"order\":")); p++)
		ck_assert_int_eq(atoi(p + 8), n++ % 32 + 1);
	ck_assert_int_eq(n, 64);
	free(all);
}
END_TEST

/* ---- places ---- */

START_TEST(places)
{
	static const struct {
		uint32_t ifindex, parent;
		const char *in_json, *in_text;
	} cases[] = {
		{ 3, TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_EGRESS),
		  "\"dev\":\"eth3\",\"hook\":\"egress\"", "dev eth3 egress" },
		{ 3, 0x10000, "\"dev\":\"eth3\",\"parent\":\"1:\"",
		  "dev eth3 parent 1:" },
		{ 3, 0xabcd0010, "\"dev\":\"eth3\",\"parent\":\"abcd:10\"",
		  "dev eth3 parent abcd:10" },
		{ TCM_IFINDEX_MAGIC_BLOCK, 7, "\"block\":7", "block 7" },
		{ 4, INGRESS, "\"dev_ifindex\":4,\"hook\":\"ingress\"",
		  "dev #4 ingress" },
	};
	struct nsteer_tc_filter f;
	struct message m;
	struct lister l;
	char want[256];
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		message(&m, cases[i].ifindex, cases[i].parent, 9, "k\x1b", 1);
		read_message(&f, &m, true);
		lister_open(&l, &json, false);
		tc_out_filter(&l.record, &f);
		snprintf(want, sizeof(want),
			 "[{%s,\"chain\":0,\"pref\":9,\"protocol\":\"ip\","
			 "\"kind\":\"k\\u001b\",\"options\":{\"handle\":1}}]\n",
			 cases[i].in_json);
		lister_is(&l, want);
		lister_open(&l, &text, false);
		tc_out_filter(&l.record, &f);
		snprintf(want, sizeof(want), "%s chain 0 pref 9 protocol ip "
			 "k\\x1b handle 0x1\n", cases[i].in_text);
		lister_is(&l, want);
	}
}
END_TEST

/* ---- columns and sums ---- */

START_TEST(columns_parse)
{
	static const char *const bad[] = { "", ",", "dev,", ",dev", "dev,,pref",
					   "de", "device", "dev pref", "Dev",
					   "options", "dev,pref,dev" };
	struct tc_columns columns;
	struct args_err err;
	size_t i;

	ck_assert_int_eq(tc_columns_parse(&columns, "pref,dev", &err), 0);
	ck_assert_uint_eq(columns.count, 2);
	ck_assert_int_eq(tc_columns_parse(&columns,
					  "cookie,actions,hw_packets,hw_bytes,"
					  "drops,packets,bytes,flags,handle,"
					  "kind,protocol,pref,chain,block,"
					  "parent,hook,dev", &err), 0);
	ck_assert_uint_eq(columns.count, 17);
	for (i = 0; i < COUNT(bad); i++)
		ck_assert_int_eq(tc_columns_parse(&columns, bad[i], &err),
				 -EINVAL);
}
END_TEST

static void columns_are(const struct out_opts *opts, const char *want)
{
	struct nsteer_tc_filter f;
	struct tc_columns columns;
	struct args_err err;
	struct message m;
	struct lister l;

	ck_assert_int_eq(tc_columns_parse(&columns, "handle,dev,flags,packets,"
					  "hw_bytes,actions,cookie", &err), 0);
	lister_open(&l, opts, false);
	if (!opts->json)
		out_columns(&l.out);
	tc_columns_header(&l.t, &columns);
	flower(&m, 3, 1, 255, TCA_CLS_FLAGS_IN_HW | TCA_CLS_FLAGS_SKIP_SW,
	       "gact,mirred");
	read_message(&f, &m, true);
	tc_columns_filter(&l.t, &columns, &f);
	flower(&m, 4, 1, 1, 0, "");
	read_message(&f, &m, true);
	tc_columns_filter(&l.t, &columns, &f);
	lister_is(&l, want);
}

START_TEST(columns_put)
{
	columns_are(&json,
		    "[{\"handle\":255,\"dev\":\"eth3\",\"flags\":[\"skip_sw\","
		    "\"in_hw\"],\"packets\":1,\"hw_bytes\":77,\"actions\":["
		    "\"gact\",\"mirred\"],\"cookie\":\"ab01\"},"
		    "{\"handle\":1,\"dev_ifindex\":4,\"flags\":[],"
		    "\"actions\":[]}]\n");
	columns_are(&text,
		    "handle     dev             flags     packets    "
		    "hw_bytes     actions              cookie\n"
		    "0xff       eth3            skip_sw,in_hw 1          "
		    "77           gact,mirred          ab01\n"
		    "0x1        #4              -         -          "
		    "-            -                    -\n");
}
END_TEST

static void sum_up(struct tc_summary *s, struct nsteer_tc_filter *f,
		   uint16_t pref, uint32_t flags, const char *kinds)
{
	struct message m;

	flower(&m, 3, pref, 1, flags, kinds);
	read_message(f, &m, true);
	ck_assert_int_eq(tc_summary_add(s, f), 0);
}

START_TEST(summary_sums)
{
	struct tc_summary s = { 0 };
	struct nsteer_tc_filter f;
	struct lister l;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		sum_up(&s, &f, 1, TCA_CLS_FLAGS_IN_HW, "gact,mirred");
		sum_up(&s, &f, 2, TCA_CLS_FLAGS_NOT_IN_HW, "");
	}
	sum_up(&s, &f, 1, TCA_CLS_FLAGS_IN_HW, "gact");
	sum_up(&s, &f, 1, 0, "gact");
	lister_open(&l, &json, false);
	tc_summary_put(&s, &l.t);
	lister_is(&l,
		  "[{\"dev\":\"eth3\",\"hook\":\"ingress\","
		  "\"parent\":\"ffff:fff2\",\"chain\":0,\"pref\":1,"
		  "\"kind\":\"flower\",\"hw\":\"in_hw\",\"filters\":4,"
		  "\"packets\":4,\"bytes\":400},"
		  "{\"dev\":\"eth3\",\"hook\":\"ingress\","
		  "\"parent\":\"ffff:fff2\",\"chain\":0,\"pref\":2,"
		  "\"kind\":\"flower\",\"hw\":\"not_in_hw\",\"filters\":3,"
		  "\"packets\":0,\"bytes\":0},"
		  "{\"dev\":\"eth3\",\"hook\":\"ingress\","
		  "\"parent\":\"ffff:fff2\",\"chain\":0,\"pref\":1,"
		  "\"kind\":\"flower\",\"filters\":1,"
		  "\"packets\":1,\"bytes\":100}]\n");
	tc_summary_free(&s);
}
END_TEST

/* More groups than there is room for at first, each one found again. */
START_TEST(summary_many)
{
	struct tc_summary s = { 0 };
	struct nsteer_tc_filter f;
	unsigned int round, i;

	for (round = 0; round < 3; round++) {
		for (i = 1; i <= 3000; i++)
			sum_up(&s, &f, i, 0, "");
		ck_assert_uint_eq(s.count, 3000);
	}
	tc_summary_free(&s);
}
END_TEST

/* ---- words ---- */

START_TEST(words_protocol)
{
	static const struct {
		const char *word;
		uint16_t protocol;
		const char *printed;
	} cases[] = {
		{ "ip", 0x0800, "ip" },	      { "IPv4", 0x0800, "ip" },
		{ "0x0800", 0x0800, "ip" },   { "34525", 0x86dd, "ipv6" },
		{ "arp", 0x0806, "arp" },     { "802.1q", 0x8100, "802.1Q" },
		{ "all", 3, "all" },	      { "0x88b5", 0x88b5, "0x88b5" },
		{ "802.1AD", 0x88a8, "802.1ad" }, { "1", 1, "802_3" },
		{ "teb", 0x6558, "teb" },     { "0x6558", 0x6558, "teb" },
		{ "ppp_mp", 8, "ppp_mp" },    { "irda", 0x17, "irda" },
	};
	static const char *const bad[] = { "", "0", "65536", "-1", "ip ", "i",
					   "0x", "0x10000", "010", "ipv7" };
	char got[TC_WORD_SIZE];
	uint16_t v;
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		ck_assert(tc_word_parse_protocol(cases[i].word, &v));
		ck_assert_uint_eq(v, cases[i].protocol);
		*tc_word_protocol(got, v) = '\0';
		ck_assert_str_eq(got, cases[i].printed);
	}
	for (i = 0; i < COUNT(bad); i++)
		ck_assert(!tc_word_parse_protocol(bad[i], &v));
	/* Whatever there is can be asked for by what it is called. */
	for (i = 1; i <= UINT16_MAX; i++) {
		*tc_word_protocol(got, i) = '\0';
		ck_assert(tc_word_parse_protocol(got, &v));
		ck_assert_uint_eq(v, i);
	}
}
END_TEST

START_TEST(words_handle)
{
	static const struct {
		const char *word;
		uint32_t handle;
		const char *printed;
	} cases[] = {
		{ "1:", 0x10000, "1:" },	 { "1:0", 0x10000, "1:" },
		{ "1:10", 0x10010, "1:10" },	 { "FFFF:FFF2", INGRESS,
						   "ffff:fff2" },
		{ "00a0:0001", 0xa00001, "a0:1" },
	};
	static const char *const bad[] = { "", ":", "1", ":1", "0:1", "1:1:",
					   "12345:", "1:12345", "1:x", "x:",
					   "1: ", " 1:", "-1:", "0x1:" };
	char got[TC_WORD_SIZE];
	uint32_t v;
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		ck_assert(tc_word_parse_handle(cases[i].word, &v));
		ck_assert_uint_eq(v, cases[i].handle);
		*tc_word_handle(got, v) = '\0';
		ck_assert_str_eq(got, cases[i].printed);
	}
	for (i = 0; i < COUNT(bad); i++)
		ck_assert(!tc_word_parse_handle(bad[i], &v));
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("tool_tc");
	TCase *tc = tcase_create("write");

	tcase_add_test(tc, value_numbers);
	tcase_add_test(tc, value_counters);
	tcase_add_test(tc, value_unnamed);
	tcase_add_test(tc, value_bytes);
	tcase_add_test(tc, value_names_that_change);
	tcase_add_test(tc, value_bits);
	tcase_add_test(tc, value_devices);
	tcase_add_test(tc, value_nests);
	tcase_add_test(tc, value_nests_hostile);
	tcase_add_test(tc, record_terse);
	tcase_add_test(tc, record_hw_count);
	tcase_add_test(tc, record_copies);
	tcase_add_test(tc, record_many_actions);
	tcase_add_test(tc, places);
	tcase_add_test(tc, columns_parse);
	tcase_add_test(tc, columns_put);
	tcase_add_test(tc, summary_sums);
	tcase_add_test(tc, summary_many);
	tcase_add_test(tc, words_protocol);
	tcase_add_test(tc, words_handle);
	suite_add_tcase(s, tc);
	return s;
}
NST_REGISTER(suite);
