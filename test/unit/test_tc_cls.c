/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The other classifiers, and what no classifier may stumble over. */
#include <linux/pkt_cls.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "tc/uapi.h"
#include "tc_lines.h"

struct cls_case {
	const char *kind;
	struct tc_attr attrs[12];
	const char *lines;
};

/* u32: flags, offshift, nkeys, a hole; offmask; off, offoff, hoff; hmask */
#define SEL(_flags, _n) "hex:" _flags "00" _n "00 0000 0000 0000 0000 00000000"
#define KEY_IP_DST "ffffff00 0a000001"
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define KEY_TAIL "10000000 00000000"
#define KEY_TAIL_NEXTHDR "feffffff ffffffff"
#define VAR_OFFSET "hex:0e 06 00 00 0f00 0400 0000 0c00 000000ff"
#define PCNT_1 "hex:0500000000000000 0300000000000000 0400000000000000"
#define PCNT_0 "hex:0500000000000000 0300000000000000"
#define EMATCH_HDR "hex:0200 0000"
#define EMATCH_CMP "hex:0000 0100 0600 0000 00112233"
#define EMATCH_META "hex:0700 0400 0900 0000 0a000000"
#define EMATCH_ODD "hex:0000 0900 ff00 0000"
#define OPTIONS "0500010005"
#define MARK "hex:10000000 ff000000 07000000"
#define BPF_INSNS "hex:2800 00 00 0c000000 0600 01 02 ffffffff"
#else
#define KEY_TAIL "00000010 00000000"
#define KEY_TAIL_NEXTHDR "fffffffe ffffffff"
#define VAR_OFFSET "hex:0e 06 00 00 0f00 0004 0000 000c 000000ff"
#define PCNT_1 "hex:0000000000000005 0000000000000003 0000000000000004"
#define PCNT_0 "hex:0000000000000005 0000000000000003"
#define EMATCH_HDR "hex:0002 0000"
#define EMATCH_CMP "hex:0000 0001 0006 0000 00112233"
#define EMATCH_META "hex:0007 0004 0009 0000 0a000000"
#define EMATCH_ODD "hex:0000 0009 00ff 0000"
#define OPTIONS "0005000105"
#define MARK "hex:00000010 000000ff 00000007"
#define BPF_INSNS "hex:0028 00 00 0000000c 0006 01 02 ffffffff"
#endif

static const struct cls_case u32_cases[] = {
	{ "u32", { { TCA_U32_DIVISOR, "u32:256" } }, "ht_divisor uint 256\n" },
	{ "u32",
	  { { TCA_U32_SEL, SEL("01", "01") KEY_IP_DST KEY_TAIL },
	    { TCA_U32_HASH, "u32:0x80012000" },
	    { TCA_U32_CLASSID, "u32:0x10001" },
	    { TCA_U32_FLAGS, "u32:8" },
	    { TCA_U32_PCNT, PCNT_1 } },
	  "match [\n- {\nvalue hex 0xa000001\nmask hex 0xffffff00\n"
	  "off sint 16\nsuccess uint 4\n}\n]\nterminal flag\n"
	  "key_ht hex 0x800\nbkt hex 0x12\nflowid classid 1:1\n"
	  "rule_hit uint 5\nsuccess uint 3\n" },
	/* two keys, counters of one; an offset below the next header */
	{ "u32",
	  { { TCA_U32_SEL,
	      SEL("00", "02") KEY_IP_DST KEY_TAIL KEY_IP_DST KEY_TAIL_NEXTHDR },
	    { TCA_U32_PCNT, PCNT_1 } },
	  "match [\n- {\nvalue hex 0xa000001\nmask hex 0xffffff00\n"
	  "off sint 16\nsuccess uint 4\n}\n"
	  "- {\nvalue hex 0xa000001\nmask hex 0xffffff00\n"
	  "offmask hex 0xffffffff\noff sint -2\n}\n]\n"
	  "rule_hit uint 5\nsuccess uint 3\n" },
	/* terminal is not there, all the others are */
	{ "u32",
	  { { TCA_U32_SEL, VAR_OFFSET }, { TCA_U32_LINK, "u32:0x80000000" } },
	  "match [\n]\neat flag\noffset_mask hex 0xf00\n"
	  "offset_shift uint 6\noffset_off sint 0\nplus uint 4\n"
	  "hash_mask hex 0xff\nhash_off sint 12\nlink hex 0x80000000\n" },
	{ "u32",
	  { { TCA_U32_SEL, SEL("22", "00") } },
	  "match [\n]\nother_flags hex 0x20\nplus uint 0\n" },
	{ "u32",
	  { { TCA_U32_MARK, "hex:00000001000000010000000100" },
	    { TCA_U32_INDEV, "str:eth0" },
	    { TCA_U32_ACT, "hex:00" },
	    { TCA_U32_PAD, "hex:" } },
	  "attr_10 bytes 00000001000000010000000100\n"
	  "input_dev string \"eth0\"\n" },
	{ "u32",
	  { { TCA_U32_MARK, MARK } },
	  "fwmark_value hex 0x10\nfwmark_mask hex 0xff\n"
	  "fwmark_success uint 7\n" },
	/* more keys than there are, half a selector, half the counters */
	{ "u32",
	  { { TCA_U32_SEL, SEL("01", "02") KEY_IP_DST "0000000000000000" },
	    { TCA_U32_PCNT, "be64:1" } },
	  "attr_5 bytes 01000200000000000000000000000000ffffff000a0000010000"
	  "000000000000\nattr_9 bytes 0000000000000001\n" },
	{ "u32",
	  { { TCA_U32_LINK, "u32:0" }, { TCA_U32_POLICE, "hex:" } },
	  "link hex 0x0\npolice {\n}\n" },
	{ "u32", { { TCA_U32_SEL, "hex:010000" } }, "attr_5 bytes 010000\n" },
	{ "u32", { { TCA_U32_HASH, "be16:1" } }, "attr_2 bytes 0001\n" },
};

static const struct cls_case other_cases[] = {
	{ "matchall",
	  { { TCA_MATCHALL_CLASSID, "u32:0x10010" },
	    { TCA_MATCHALL_FLAGS, "u32:8" },
	    { TCA_MATCHALL_PCNT, "u64:0x100000000" },
	    { TCA_MATCHALL_PAD, "hex:" },
	    { TCA_MATCHALL_ACT, "hex:00" } },
	  "flowid classid 1:10\nrule_hit uint 4294967296\n" },
	{ "bpf",
	  { { TCA_BPF_NAME, "str:prog.o:[cls]" },
	    { TCA_BPF_ID, "u32:17" },
	    { TCA_BPF_TAG, "hex:0123456789abcdef" },
	    { TCA_BPF_FLAGS, "u32:3" },
	    { TCA_BPF_FLAGS_GEN, "u32:8" } },
	  "bpf_name string \"prog.o:[cls]\"\n"
	  "prog {\nid uint 17\ntag bytes 0123456789abcdef\n}\n"
	  "direct-action flag\nother_flags hex 0x2\n" },
	{ "bpf",
	  { { TCA_BPF_CLASSID, "u32:0x10001" },
	    { TCA_BPF_TAG, "hex:0123456789abcdef" },
	    { TCA_BPF_OPS_LEN, "u16:2" },
	    { TCA_BPF_OPS, BPF_INSNS } },
	  "flowid classid 1:1\ntag bytes 0123456789abcdef\n"
	  "bytecode {\nlength uint 2\ninsns [\n"
	  "- {\ncode uint 40\njt uint 0\njf uint 0\nk uint 12\n}\n"
	  "- {\ncode uint 6\njt uint 1\njf uint 2\nk uint 4294967295\n}\n"
	  "]\n}\n" },
	{ "bpf",
	  { { TCA_BPF_OPS, "hex:2800000c" }, { TCA_BPF_TAG, "hex:01" } },
	  "attr_5 bytes 2800000c\nattr_10 bytes 01\n" },
	{ "basic",
	  { { TCA_BASIC_CLASSID, "u32:0x10002" },
	    { TCA_BASIC_PCNT, PCNT_0 },
	    { TCA_BASIC_EMATCHES, "{" },
	    { TCA_EMATCH_TREE_HDR, EMATCH_HDR },
	    { TCA_EMATCH_TREE_LIST, "{" },
	    { 1, EMATCH_CMP },
	    { 2, EMATCH_META },
	    { 0, "}" },
	    { 0, "}" } },
	  "flowid classid 1:2\nrule_hit uint 5\nsuccess uint 3\nematch [\n"
	  "- {\nkind uint 1 cmp\nnot flag\npayload bytes 00112233\n"
	  "relation uint 2 or\n}\n"
	  "- {\nkind uint 4 meta\nmatchid uint 7\nsimple flag\n"
	  "payload bytes 0a000000\nrelation uint 1 and\n}\n]\n" },
	{ "basic",
	  { { TCA_BASIC_EMATCHES, "{" },
	    { TCA_EMATCH_TREE_LIST, "{" },
	    { 1, EMATCH_ODD },
	    { 2, "hex:000001" },
	    { 0, "}" },
	    { 0, "}" } },
	  "ematch [\n- {\nkind uint 9 ipt\nnot flag\nsimple flag\n"
	  "other_flags hex 0xf0\npayload bytes \nrelation uint 3\n}\n"
	  "- {\nattr_2 bytes 000001\n}\n]\n" },
	/* none, as the kernel says it; no list */
	{ "cgroup",
	  { { TCA_CGROUP_EMATCHES, "{" },
	    { TCA_EMATCH_TREE_HDR, "u32:0" },
	    { TCA_EMATCH_TREE_LIST, "{" },
	    { 0, "}" },
	    { 0, "}" },
	    { TCA_CGROUP_ACT, "hex:00" } },
	  "" },
	{ "cgroup", { { TCA_CGROUP_EMATCHES, "u8:1" } }, "attr_3 bytes 01\n" },
	{ "fw",
	  { { TCA_FW_CLASSID, "u32:0x10001" },
	    { TCA_FW_INDEV, "str:eth0" },
	    { TCA_FW_MASK, "u32:0xff" },
	    { TCA_FW_ACT, "hex:00" } },
	  "classid classid 1:1\nindev string \"eth0\"\nmask hex 0xff\n" },
	{ "flow",
	  { { TCA_FLOW_KEYS, "u32:0x20003" },
	    { TCA_FLOW_MODE, "u32:1" },
	    { TCA_FLOW_MASK, "u32:0xff" },
	    { TCA_FLOW_XOR, "u32:0x10" },
	    { TCA_FLOW_RSHIFT, "u32:4" },
	    { TCA_FLOW_ADDEND, "u32:0xfffffff0" },
	    { TCA_FLOW_DIVISOR, "u32:1024" },
	    { TCA_FLOW_BASECLASS, "u32:0x10001" },
	    { TCA_FLOW_PERTURB, "u32:60" },
	    { TCA_FLOW_ACT, "hex:00" } },
	  "flow_keys bits 0x20003 +src +dst +rxhash\nmode uint 1 hash\n"
	  "mask hex 0xff\nxor hex 0x10\nrshift uint 4\n"
	  "addend hex 0xfffffff0\ndivisor uint 1024\n"
	  "baseclass classid 1:1\nperturb uint 60\n" },
	{ "flow",
	  { { TCA_FLOW_KEYS, "u32:0x7ffff" }, { TCA_FLOW_MODE, "u32:0" } },
	  "flow_keys bits 0x7ffff +src +dst +proto +proto-src +proto-dst +iif "
	  "+priority +mark +nfct +nfct-src +nfct-dst +nfct-proto-src "
	  "+nfct-proto-dst +rt-classid +sk-uid +sk-gid +vlan-tag +rxhash\n"
	  "mode uint 0 map\n" },
	{ "route",
	  { { TCA_ROUTE4_TO, "u32:10" },
	    { TCA_ROUTE4_FROM, "u32:20" },
	    { TCA_ROUTE4_IIF, "u32:3" },
	    { TCA_ROUTE4_CLASSID, "u32:0x10001" } },
	  "to uint 10\nfrom uint 20\nfromif ifindex 3\n"
	  "flowid classid 1:1\n" },
	{ "tcindex",
	  { { NST_TCINDEX_HASH, "u32:64" },
	    { NST_TCINDEX_MASK, "u16:0xfc" },
	    { NST_TCINDEX_SHIFT, "u32:2" },
	    { NST_TCINDEX_FALL_THROUGH, "u32:0" },
	    { NST_TCINDEX_CLASSID, "u32:0x10001" } },
	  "hash uint 64\nmask hex 0xfc\nshift uint 2\npass_on flag\n"
	  "classid classid 1:1\n" },
	{ "tcindex",
	  { { NST_TCINDEX_FALL_THROUGH, "u32:1" } },
	  "fall_through flag\n" },
	/* no such kind: all of it */
	{ "vcn", { { 1, "u8:5" } }, "raw bytes " OPTIONS "\n" },
};

START_TEST(u32)
{
	const struct cls_case *c = &u32_cases[_i];

	tc_check(c->kind, c->attrs, c->lines);
}
END_TEST

START_TEST(others)
{
	const struct cls_case *c = &other_cases[_i];

	tc_check(c->kind, c->attrs, c->lines);
}
END_TEST

/* Numbers as the kernel's headers have them, words as tc has them. */
START_TEST(ematch_kinds)
{
	static const char *const words[] = { "container", "cmp",  "nbyte",
					     "u32",	  "meta", "text",
					     "vlan",	  "canid", "ipset",
					     "ipt" };
	char match[32], want[64];
	const struct tc_attr attrs[] = {
		{ TCA_BASIC_EMATCHES, "{" },
		{ TCA_EMATCH_TREE_LIST, "{" },
		{ 1, match },
		{ 0, "}" },
		{ 0, "}" },
		{ 0, NULL },
	};
	const uint16_t kind = (uint16_t)_i;
	unsigned char b[2];

	memcpy(b, &kind, sizeof(b));
	snprintf(match, sizeof(match), "hex:0000%02x%02x00000000", b[0], b[1]);
	snprintf(want, sizeof(want),
		 "ematch [\n- {\nkind uint %d %s\npayload bytes \n}\n]\n", _i,
		 words[_i]);
	tc_check("basic", attrs, want);
}
END_TEST

/* ---- a policer that is no action ---- */

START_TEST(police)
{
	static const struct tc_attr attrs[] = {
		{ TCA_FW_POLICE, "{" },
		{ TCA_POLICE_TBF, "u32:5" },
		{ 100, "u8:1" },
		{ 0, "}" },
		{ 0, NULL },
	};
	struct nlattr *nest = tc_nest(attrs);
	const char *lines = tc_lines(nst_tc_cls_find("fw"), nest);

	/* The rest is the action's affair. */
	ck_assert_ptr_eq(strstr(lines, "police {\nindex uint 5\n"), lines);
	ck_assert_ptr_nonnull(strstr(lines, "\nattr_100 bytes 01\n}\n"));
	free(nest);
}
END_TEST

/* ---- for each kind ---- */

static const char *const kinds[] = {
	"flower", "u32",  "matchall", "bpf",	"basic",
	"fw",	  "flow", "route",    "cgroup", "tcindex",
};

#define N_KINDS ((int)(sizeof(kinds) / sizeof(kinds[0])))

START_TEST(found)
{
	const struct nst_tc_kind *kind = nst_tc_cls_find(kinds[_i]);

	ck_assert_ptr_nonnull(kind);
	ck_assert_str_eq(kind->name, kinds[_i]);
	ck_assert_uint_le(kind->max, NST_TC_ATTRS_MAX);
	ck_assert_uint_ne(kind->act, 0);
	ck_assert_ptr_null(nst_tc_cls_find("flowe"));
	ck_assert_ptr_null(nst_tc_cls_find(""));
}
END_TEST

/* What getters tell is no value: it is known and has no name. */
START_TEST(getters)
{
	const struct nst_tc_kind *kind = nst_tc_cls_find(kinds[_i]);
	const uint16_t types[] = { kind->act, kind->flags, kind->hw_count };
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (!types[i])
			continue;
		ck_assert_uint_le(types[i], kind->max);
		ck_assert(kind->fields[types[i]].known);
		ck_assert_ptr_null(kind->fields[types[i]].name);
		ck_assert(!kind->fields[types[i]].put);
	}
}
END_TEST

static struct nlattr *one_attr(uint16_t type, size_t len, unsigned char fill)
{
	const struct nlattr attr = { .nla_len = (uint16_t)(NLA_HDRLEN + len),
				     .nla_type = type };
	struct nlattr *nest = malloc(2 * NLA_HDRLEN + len);

	ck_assert_ptr_nonnull(nest);
	nest->nla_len = (uint16_t)(2 * NLA_HDRLEN + len);
	nest->nla_type = 0;
	memcpy(nest + 1, &attr, sizeof(attr));
	memset(nest + 2, fill, len);
	return nest;
}

/* Each number with each length: read within bounds, and balanced. */
START_TEST(any_length)
{
	const struct nst_tc_kind *kind = nst_tc_cls_find(kinds[_i]);
	static const unsigned char fills[] = { 0x00, 0x01, 0x04, 0xff };
	uint16_t type;
	size_t len, i;

	for (type = 0; type < kind->max + 3; type++)
		for (len = 0; len <= 40; len++)
			for (i = 0; i < sizeof(fills); i++) {
				struct nlattr *nest =
					one_attr(type, len, fills[i]);

				tc_lines(kind, nest);
				free(nest);
			}
}
END_TEST

/* An attribute of one length is unknown with any other. */
START_TEST(wrong_length)
{
	const struct nst_tc_kind *kind = nst_tc_cls_find(kinds[_i]);
	uint16_t type;
	char want[16];
	int off;

	for (type = 0; type <= kind->max; type++)
		for (off = -1; off <= 1; off += 2) {
			size_t len = kind->fields[type].len;
			struct nlattr *nest;

			if (!len)
				continue;
			nest = one_attr(type, len + (size_t)off, 1);
			snprintf(want, sizeof(want), "attr_%u ", type);
			ck_assert_ptr_nonnull(
				strstr(tc_lines(kind, nest), want));
			free(nest);
		}
}
END_TEST

START_TEST(cut_anywhere)
{
	size_t i;

	for (i = 0; i < sizeof(u32_cases) / sizeof(u32_cases[0]); i++)
		tc_cut("u32", u32_cases[i].attrs);
	for (i = 0; i < sizeof(other_cases) / sizeof(other_cases[0]); i++)
		tc_cut(other_cases[i].kind, other_cases[i].attrs);
}
END_TEST

START_TEST(stopped)
{
	size_t i;

	for (i = 0; i < sizeof(u32_cases) / sizeof(u32_cases[0]); i++)
		tc_stop("u32", u32_cases[i].attrs);
	for (i = 0; i < sizeof(other_cases) / sizeof(other_cases[0]); i++)
		tc_stop(other_cases[i].kind, other_cases[i].attrs);
}
END_TEST

START_TEST(nothing)
{
	ck_assert_str_eq(tc_lines(nst_tc_cls_find("u32"), NULL), "");
	ck_assert_str_eq(tc_lines(nst_tc_cls_find("flower"), NULL), "");
	ck_assert_str_eq(tc_lines(NULL, NULL), "");
}
END_TEST

static Suite *suite_tc_cls(void)
{
	Suite *suite = suite_create("tc_cls");
	TCase *tc = tcase_create("tc_cls");

#define LOOP(_test, _table)                                                    \
	tcase_add_loop_test(tc, _test, 0, sizeof(_table) / sizeof((_table)[0]))
	LOOP(u32, u32_cases);
	LOOP(others, other_cases);
#undef LOOP
	tcase_add_loop_test(tc, ematch_kinds, 0, 10);
	tcase_add_test(tc, police);
	tcase_add_loop_test(tc, found, 0, N_KINDS);
	tcase_add_loop_test(tc, getters, 0, N_KINDS);
	tcase_add_loop_test(tc, any_length, 0, N_KINDS);
	tcase_add_loop_test(tc, wrong_length, 0, N_KINDS);
	tcase_add_test(tc, cut_anywhere);
	tcase_add_test(tc, stopped);
	tcase_add_test(tc, nothing);
	suite_add_tcase(suite, tc);
	return suite;
}

NST_REGISTER(suite_tc_cls);
