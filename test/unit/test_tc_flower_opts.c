/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nests of flower: tunnel options and stacks of MPLS labels. */
#include <linux/pkt_cls.h>

#include "harness.h"
#include "tc/uapi.h"
#include "tc_lines.h"

#define F(_attr) TCA_FLOWER_KEY_##_attr

struct tc_case {
	struct tc_attr attrs[16];
	const char *lines;
};

static const struct tc_case nests[] = {
	{ { { F(MPLS_OPTS), "{" },
	    { F(MPLS_OPTS_LSE), "{" },
	    { F(MPLS_OPT_LSE_DEPTH), "u8:1" },
	    { F(MPLS_OPT_LSE_LABEL), "u32:16" },
	    { F(MPLS_OPT_LSE_TC), "u8:3" },
	    { F(MPLS_OPT_LSE_TTL), "u8:64" },
	    { 0, "}" },
	    { F(MPLS_OPTS_LSE) | NLA_F_NESTED, "{" },
	    { F(MPLS_OPT_LSE_DEPTH), "u8:2" },
	    { F(MPLS_OPT_LSE_BOS), "u8:1" },
	    { 0, "}" },
	    { 9, "u8:1" },
	    { 0, "}" } },
	  "mpls [\n- {\ndepth uint 1\nlabel uint 16\ntc uint 3\n"
	  "ttl uint 64\n}\n"
	  "- {\ndepth uint 2\nbos uint 1\n}\n- {\nattr_9 bytes 01\n}\n]\n" },
	{ { { F(ENC_OPTS), "{" },
	    { F(ENC_OPTS_VXLAN), "{" },
	    { F(ENC_OPT_VXLAN_GBP), "u32:66" },
	    { 0, "}" },
	    { 0, "}" },
	    { F(ENC_OPTS_MASK), "{" },
	    { F(ENC_OPTS_VXLAN), "{" },
	    { F(ENC_OPT_VXLAN_GBP), "u32:0xffffffff" },
	    { 0, "}" },
	    { 0, "}" } },
	  "vxlan_opt_key [\n- {\ngbp uint 66\n}\n]\n"
	  "vxlan_opt_mask [\n- {\ngbp uint 4294967295\n}\n]\n" },
	{ { { F(ENC_OPTS), "{" },
	    { F(ENC_OPTS_ERSPAN), "{" },
	    { F(ENC_OPT_ERSPAN_VER), "u8:1" },
	    { F(ENC_OPT_ERSPAN_INDEX), "be32:12" },
	    { 0, "}" },
	    { 0, "}" } },
	  "erspan_opt_key [\n- {\nver uint 1\nindex uint 12\n}\n]\n" },
	{ { { F(ENC_OPTS), "{" },
	    { F(ENC_OPTS_ERSPAN), "{" },
	    { F(ENC_OPT_ERSPAN_VER), "u8:2" },
	    { F(ENC_OPT_ERSPAN_DIR), "u8:1" },
	    { F(ENC_OPT_ERSPAN_HWID), "u8:63" },
	    { 0, "}" },
	    { 0, "}" } },
	  "erspan_opt_key [\n- {\nver uint 2\ndir uint 1\nhwid uint 63\n"
	  "}\n]\n" },
	{ { { F(ENC_OPTS), "{" },
	    { F(ENC_OPTS_GTP), "{" },
	    { F(ENC_OPT_GTP_PDU_TYPE), "u8:1" },
	    { F(ENC_OPT_GTP_QFI), "u8:9" },
	    { 0, "}" },
	    { 0, "}" } },
	  "gtp_opt_key [\n- {\npdu_type uint 1\nqfi uint 9\n}\n]\n" },
	{ { { F(ENC_OPTS_MASK), "{" },
	    { NST_FLOWER_KEY_ENC_OPTS_PFCP, "{" },
	    { NST_FLOWER_KEY_ENC_OPT_PFCP_TYPE, "u8:1" },
	    { NST_FLOWER_KEY_ENC_OPT_PFCP_SEID, "be64:0x123456789abcdef0" },
	    { 0, "}" },
	    { 0, "}" } },
	  "pfcp_opt_mask [\n- {\nopt_type uint 1\nseid hex 0x123456789abcdef0\n"
	  "}\n]\n" },
	{ { { F(ENC_OPTS), "{" }, { 9, "u8:1" }, { 0, "}" } },
	  "attr_9 bytes 01\n" },
	{ { { F(ENC_OPTS), "{" },
	    { F(ENC_OPTS_VXLAN), "{" },
	    { F(ENC_OPT_VXLAN_GBP), "be16:1" },
	    { 7, "u8:2" },
	    { 0, "}" },
	    { 0, "}" } },
	  "vxlan_opt_key [\n- {\nattr_1 bytes 0001\nattr_7 bytes 02\n}\n]\n" },
	/* nests that are none */
	{ { { NST_FLOWER_KEY_CFM, "u8:1" } }, "cfm {\n}\n" },
	{ { { F(MPLS_OPTS), "hex:" } }, "mpls [\n]\n" },
};

START_TEST(nest)
{
	tc_check_keys(nests[_i].attrs, nests[_i].lines);
}
END_TEST

#define CLASS F(ENC_OPT_GENEVE_CLASS)
#define TYPE F(ENC_OPT_GENEVE_TYPE)
#define DATA F(ENC_OPT_GENEVE_DATA)
#define GENEVE(...)                                                            \
	{                                                                      \
		{ F(ENC_OPTS), "{" }, { F(ENC_OPTS_GENEVE), "{" },             \
		__VA_ARGS__, { 0, "}" }, { 0, "}" }                            \
	}

/* Nothing but order tells where an option begins. */
static const struct tc_case geneve[] = {
	{ GENEVE({ CLASS, "be16:0x102" }, { TYPE, "u8:0x80" },
		 { DATA, "hex:00010203" }, { CLASS, "be16:0x103" },
		 { TYPE, "u8:0x81" }, { DATA, "hex:" }),
	  "geneve_opt_key [\n"
	  "- {\nclass uint 258\nopt_type uint 128\n"
	  "data [\n- uint 0\n- uint 1\n- uint 2\n- uint 3\n]\n}\n"
	  "- {\nclass uint 259\nopt_type uint 129\ndata [\n]\n}\n]\n" },
	{ GENEVE({ TYPE, "u8:1" }, { TYPE, "u8:2" }, { CLASS, "be16:3" },
		 { 4, "u8:4" }, { 4, "u8:5" }),
	  "geneve_opt_key [\n- {\nopt_type uint 1\n}\n- {\nopt_type uint 2\n}\n"
	  "- {\nclass uint 3\nattr_4 bytes 04\n}\n- {\nattr_4 bytes 05\n}\n"
	  "]\n" },
	{ { { F(ENC_OPTS), "{" },
	    { F(ENC_OPTS_GENEVE), "{" },
	    { 0, "}" },
	    { 0, "}" } },
	  "geneve_opt_key [\n]\n" },
};

START_TEST(geneve_options)
{
	tc_check_keys(geneve[_i].attrs, geneve[_i].lines);
}
END_TEST

#define N_NESTS (int)(sizeof(nests) / sizeof(nests[0]))
#define N_GENEVE (int)(sizeof(geneve) / sizeof(geneve[0]))

START_TEST(cut_anywhere)
{
	int i;

	for (i = 0; i < N_NESTS; i++)
		tc_cut("flower", nests[i].attrs);
	for (i = 0; i < N_GENEVE; i++)
		tc_cut("flower", geneve[i].attrs);
}
END_TEST

START_TEST(stopped)
{
	int i;

	for (i = 0; i < N_NESTS; i++)
		tc_stop("flower", nests[i].attrs);
	for (i = 0; i < N_GENEVE; i++)
		tc_stop("flower", geneve[i].attrs);
}
END_TEST

static Suite *suite_tc_flower_opts(void)
{
	Suite *suite = suite_create("tc_flower_opts");
	TCase *tc = tcase_create("tc_flower_opts");

	tcase_add_loop_test(tc, nest, 0, N_NESTS);
	tcase_add_loop_test(tc, geneve_options, 0, N_GENEVE);
	tcase_add_test(tc, cut_anywhere);
	tcase_add_test(tc, stopped);
	suite_add_tcase(suite, tc);
	return suite;
}

NST_REGISTER(suite_tc_flower_opts);
