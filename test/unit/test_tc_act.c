/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Actions: what the kernel tells of them, and what no honest kernel would. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/tc_act/tc_bpf.h>
#include <linux/tc_act/tc_ct.h>
#include <linux/tc_act/tc_gact.h>
#include <linux/tc_act/tc_gate.h>
#include <linux/tc_act/tc_mirred.h>
#include <linux/tc_act/tc_pedit.h>
#include <linux/tc_act/tc_tunnel_key.h>

#include "harness.h"
#include "tc_act_cases.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define TEXT_MAX 256
#define GEN "host:u32 5 0 3 2 1"
#define GEN_LINES                                                              \
	"control_action {\ntype sint 3 pipe\n}\nref sint 2\nbind sint 1\n"

/* ---- nests ---- */

static char *put_host(char *hex, const char *form, uint64_t v)
{
	const uint8_t u8 = (uint8_t)v;
	const uint16_t u16 = (uint16_t)v;
	const uint32_t u32 = (uint32_t)v, be32 = htonl(u32);
	const struct {
		const char *name;
		const void *data;
		size_t width;
	} forms[] = { { "u8", &u8, 1 },
		      { "u16", &u16, 2 },
		      { "u32", &u32, 4 },
		      { "u64", &v, 8 },
		      { "be32", &be32, 4 } };
	size_t i, n;

	for (i = 0; i < COUNT(forms); i++) {
		if (strcmp(forms[i].name, form))
			continue;
		for (n = 0; n < forms[i].width; n++)
			hex += sprintf(hex, "%02x",
				       ((const uint8_t *)forms[i].data)[n]);
		return hex;
	}
	ck_abort_msg("there is no form \"%s\"", form);
}

/* The form host into the form hex; others stay as they are. */
static const char *payload(const char *text, char out[TEXT_MAX])
{
	char copy[TEXT_MAX], *save = NULL, *token, *end, *pos = out;
	const char *form = "";

	if (!text || strncmp(text, "host:", 5))
		return text;
	ck_assert_uint_lt(strlen(text), sizeof(copy));
	strcpy(copy, text + 5);
	pos += sprintf(pos, "hex:");
	for (token = strtok_r(copy, " ", &save); token;
	     token = strtok_r(NULL, " ", &save)) {
		uint64_t v = strtoull(token, &end, 0);

		if (end == token) {
			form = token;
			continue;
		}
		if (*end == 's')
			v *= (uint64_t)sysconf(_SC_CLK_TCK);
		pos = put_host(pos, form, v);
		ck_assert_int_lt(pos - out, TEXT_MAX - 16);
	}
	return out;
}

/* Each type with these flags, or the list as it is. */
static struct nlattr *nest_of(const struct tc_attr *attrs, uint16_t flags)
{
	char text[TC_ACT_ATTRS][TEXT_MAX];
	struct tc_attr list[TC_ACT_ATTRS];
	unsigned int i = 0;

	do {
		ck_assert_uint_lt(i, TC_ACT_ATTRS);
		list[i].type = attrs[i].type | flags;
		list[i].payload = payload(attrs[i].payload, text[i]);
	} while (attrs[i++].payload);
	return tc_nest(list);
}

static void check(const char *kind, const struct tc_attr *attrs, uint16_t flags,
		  const char *lines)
{
	struct nlattr *nest = nest_of(attrs, flags);

	ck_assert_ptr_nonnull(nst_tc_act_find(kind));
	ck_assert_str_eq(tc_lines(nst_tc_act_find(kind), nest), lines);
	free(nest);
}

#define CHECK(kind, lines, ...)                                                \
	do {                                                                   \
		const struct tc_attr attrs_[TC_ACT_ATTRS] = { __VA_ARGS__ };   \
		check(kind, attrs_, 0, lines);                                 \
	} while (0)

/* ---- values ---- */

START_TEST(values)
{
	const struct tc_act_case *c = &tc_act_cases[_i];

	check(c->kind, c->attrs, 0, c->lines);
	check(c->kind, c->attrs, NLA_F_NESTED | NLA_F_NET_BYTEORDER, c->lines);
}
END_TEST

struct stop {
	unsigned int calls;
	unsigned int at;
};

static int stop_there(const struct nsteer_tc_value *v, void *data)
{
	struct stop *stop = data;

	(void)v;
	return stop->calls++ == stop->at ? 7 : 0;
}

/* Whatever a callback returns ends the walk, at each value that there is. */
START_TEST(stops)
{
	const struct nst_tc_kind *kind = nst_tc_act_find(tc_act_cases[_i].kind);
	struct nlattr *nest = nest_of(tc_act_cases[_i].attrs, 0);
	struct stop all = { .at = UINT32_MAX }, stop;
	unsigned int n;

	ck_assert_int_eq(nst_tc_values(kind, nest, stop_there, &all), 0);
	ck_assert_uint_gt(all.calls, 0);
	for (n = 0; n < all.calls; n++) {
		stop = (struct stop){ .at = n };
		ck_assert_int_eq(nst_tc_values(kind, nest, stop_there, &stop),
				 7);
		ck_assert_uint_eq(stop.calls, n + 1);
	}
	free(nest);
}
END_TEST

static const char *const kinds[] = {
	"gact",	  "mirred", "tunnel_key", "vlan",   "skbedit", "pedit",
	"police", "ct",	    "csum",	  "mpls",   "nat",     "sample",
	"bpf",	  "skbmod", "connmark",	  "ctinfo", "gate",    "simple",
};

START_TEST(known)
{
	const struct nst_tc_kind *kind = nst_tc_act_find(kinds[_i]);
	unsigned int i, with_index = 0;

	ck_assert_ptr_nonnull(kind);
	ck_assert_str_eq(kind->name, kinds[_i]);
	ck_assert_uint_le(kind->max, NST_TC_ATTRS_MAX);
	/* Its index is where the kind says. */
	for (i = 0; i < tc_act_n_cases; i++) {
		const struct nlattr *tb[NST_TC_ATTRS_MAX + 1];
		struct nlattr *nest;
		uint32_t index;

		if (strcmp(tc_act_cases[i].kind, kinds[_i]))
			continue;
		nest = nest_of(tc_act_cases[i].attrs, 0);
		nst_nla_parse_nested(nest, tb, NST_TC_ATTRS_MAX);
		if (nst_nla_u32(tb[kind->parms], &index) ||
		    (kind->parms_alt &&
		     nst_nla_u32(tb[kind->parms_alt], &index))) {
			ck_assert_uint_eq(index, 5);
			with_index++;
		}
		free(nest);
	}
	ck_assert_uint_gt(with_index, 0);
}
END_TEST

START_TEST(unknown)
{
	static const char *const names[] = { "ife", "xt", "", "gac", "gactx" };
	static const struct tc_attr attrs[] = { { 1, "hex:0102" },
						{ 0, NULL } };
	struct nlattr *nest = tc_nest(attrs);

	ck_assert_ptr_null(nst_tc_act_find(names[_i]));
	ck_assert_str_eq(tc_lines(nst_tc_act_find(names[_i]), nest),
			 "raw bytes 060001000102\n");
	free(nest);
	/* Nor are attributes of a known kind, of a number above all or not. */
	CHECK("mirred", "attr_5 bytes abcd\nattr_77 bytes \n",
	      { 5, "hex:abcd" }, { 77, "hex:" });
	CHECK("police", "attr_2 bytes abcd\n", { 2, "hex:abcd" });
	CHECK("ct", "attr_0 bytes abcd\n", { 0, "hex:abcd" });
	CHECK("gact", "attr_0 bytes 3130313030313030313030313030313030310000\n",
	      { 0, "hex:3130313030313030313030313030313030310000" });
}
END_TEST

/* ---- what no honest kernel would tell ---- */

/* Of a structure that is too short nothing is told but that it is unknown. */
START_TEST(short_structures)
{
	const struct nst_tc_kind *kind = nst_tc_act_find(kinds[_i]);
	const struct nst_tc_field *field = &kind->fields[kind->parms];
	unsigned char bytes[128] __attribute__((aligned(8))) = { 0 };
	size_t len, want = field->width;

	ck_assert_uint_ge(want, 20);
	for (len = 0; len <= want; len++) {
		const struct nlattr outer = { .nla_len = 8 + len,
					      .nla_type = 2 };
		const struct nlattr inner = { .nla_len = 4 + len,
					      .nla_type = kind->parms };
		unsigned char *tight = malloc(8 + len);
		const char *lines;
		char name[32];

		memcpy(bytes, &outer, 4);
		memcpy(bytes + 4, &inner, 4);
		memcpy(tight, bytes, 8 + len);
		lines = tc_lines(kind, (const struct nlattr *)tight);
		snprintf(name, sizeof(name), "attr_%u bytes ", kind->parms);
		if (len < want) {
			ck_assert_int_eq(strncmp(lines, name, strlen(name)), 0);
			ck_assert_uint_eq(strlen(lines),
					  strlen(name) + 2 * len + 1);
		} else {
			ck_assert_ptr_nonnull(strstr(lines, "control_action"));
		}
		free(tight);
	}
}
END_TEST

START_TEST(wrong_lengths)
{
	CHECK("tunnel_key",
	      "attr_3 bytes 0a0000\nattr_6 bytes 0a000001\n"
	      "attr_7 bytes 0000000000001389\nattr_9 bytes 12\n"
	      "attr_10 bytes \n",
	      { TCA_TUNNEL_KEY_ENC_IPV4_SRC, "hex:0a0000" },
	      { TCA_TUNNEL_KEY_ENC_IPV6_DST, "hex:0a000001" },
	      { TCA_TUNNEL_KEY_ENC_KEY_ID, "be64:5001" },
	      { TCA_TUNNEL_KEY_ENC_DST_PORT, "hex:12" },
	      { TCA_TUNNEL_KEY_NO_CSUM, "hex:" });
	CHECK("ct", "attr_3 bytes 09\nattr_6 bytes ff\nattr_13 bytes 50\n",
	      { TCA_CT_ACTION, "hex:09" }, { TCA_CT_MARK_MASK, "hex:ff" },
	      { TCA_CT_NAT_PORT_MIN, "hex:50" });
	/* The end of a range is told on its own where its beginning is odd. */
	CHECK("ct",
	      "action uint 1 commit\nattr_9 bytes 0a\n"
	      "nat {\naddr_max ipv4 10.0.0.9\n}\n",
	      { TCA_CT_ACTION, "u16:9" }, { TCA_CT_NAT_IPV4_MIN, "hex:0a" },
	      { TCA_CT_NAT_IPV4_MAX, "ip:10.0.0.9" });
	CHECK("gact", GEN_LINES "attr_1 bytes 0000\n", { TCA_GACT_PARMS, GEN },
	      { TCA_GACT_TM, "hex:0000" });
	CHECK("gact", "attr_3 bytes 01000a\n", { TCA_GACT_PROB, "hex:01000a" });
	CHECK("bpf", "attr_9 bytes 07\n", { TCA_ACT_BPF_ID, "hex:07" });
	CHECK("ct", "attr_5 bytes 0701\nattr_6 bytes ff00\n",
	      { TCA_CT_MARK, "hex:0701" }, { TCA_CT_MARK_MASK, "hex:ff00" });
	CHECK("bpf", "attr_4 bytes 00112233445566\n",
	      { TCA_ACT_BPF_OPS, "hex:00112233445566" });
	CHECK("mirred",
	      "direction uint 1 egress\n"
	      "mirred_action uint 1 redirect\nto_dev ifindex 7\n" GEN_LINES,
	      { TCA_MIRRED_PARMS, "host:u32 5 0 3 2 1 1 7 99 99" });
}
END_TEST

/* The last one counts. */
START_TEST(twice)
{
	CHECK("gact", GEN_LINES, { TCA_GACT_PARMS, "host:u32 4 0 2 1 1" },
	      { TCA_GACT_PARMS, GEN });
	CHECK("tunnel_key", "key_id uint 2\n",
	      { TCA_TUNNEL_KEY_ENC_KEY_ID, "be32:1" },
	      { TCA_TUNNEL_KEY_ENC_KEY_ID, "be32:2" });
}
END_TEST

#define KEY "be32 0 0x50 u32 0 0 0 0 "
#define KEY_LINES "val hex 0x50\nmask hex 0x0\n}\n"
/* A header of 255 keys. */
#define SEL "host:u32 5 0 3 2 1 u8 255 0 0 0 "

START_TEST(pedit_keys)
{
	/* Fewer keys than promised, and a piece of one. */
	CHECK("pedit",
	      "nkeys uint 255\npedit_keys [\n- {\nhtype uint 0 network\n"
	      "offset sint 0\ncmd uint 0 set\n" KEY_LINES "]\n" GEN_LINES,
	      { TCA_PEDIT_PARMS, SEL KEY "u8 1 2 3" });
	CHECK("pedit", "nkeys uint 255\npedit_keys [\n]\n" GEN_LINES,
	      { TCA_PEDIT_PARMS, SEL });
	CHECK("pedit", "nkeys uint 1\npedit_keys [\n]\n" GEN_LINES,
	      { TCA_PEDIT_PARMS, "host:u32 5 0 3 2 1 u8 1 0 0 0 u32 1" });
	/* Headers and commands that are not told, or that there are not. */
	CHECK("pedit",
	      "nkeys uint 255\npedit_keys [\n- {\noffset sint 0\n" KEY_LINES
	      "]\n" GEN_LINES,
	      { TCA_PEDIT_PARMS_EX, SEL KEY });
	CHECK("pedit",
	      "nkeys uint 255\npedit_keys [\n"
	      "- {\nhtype uint 9\noffset sint 0\ncmd uint 7\n" KEY_LINES
	      "- {\noffset sint 0\ncmd uint 1 add\n" KEY_LINES
	      "- {\noffset sint 0\n" KEY_LINES "]\n" GEN_LINES,
	      { TCA_PEDIT_KEYS_EX, "{" }, { 7, "hex:00" },
	      { TCA_PEDIT_KEY_EX, "{" }, { TCA_PEDIT_KEY_EX_HTYPE, "u16:9" },
	      { TCA_PEDIT_KEY_EX_CMD, "u16:7" }, { 0, "}" },
	      { TCA_PEDIT_KEY_EX, "{" }, { TCA_PEDIT_KEY_EX_HTYPE, "hex:01" },
	      { TCA_PEDIT_KEY_EX_CMD, "u16:1" }, { 0, "}" }, { 0, "}" },
	      { TCA_PEDIT_PARMS_EX, SEL KEY KEY KEY });
}
END_TEST

START_TEST(odd_nests)
{
	/* Options of geneve without a class; ones that end in the middle. */
	CHECK("tunnel_key",
	      "geneve_opts [\n- {\nopt_type uint 1\n}\n- {\nopt_type uint 2\n"
	      "attr_9 bytes 00\n}\n]\n",
	      { TCA_TUNNEL_KEY_ENC_OPTS, "{" },
	      { TCA_TUNNEL_KEY_ENC_OPTS_GENEVE, "{" },
	      { TCA_TUNNEL_KEY_ENC_OPT_GENEVE_TYPE, "u8:1" },
	      { TCA_TUNNEL_KEY_ENC_OPT_GENEVE_TYPE, "u8:2" }, { 9, "hex:00" },
	      { 0, "}" }, { 0, "}" });
	CHECK("tunnel_key", "geneve_opts [\n]\nvxlan_opts [\n- {\n}\n]\n",
	      { TCA_TUNNEL_KEY_ENC_OPTS, "{" },
	      { TCA_TUNNEL_KEY_ENC_OPTS_GENEVE, "hex:030001" },
	      { TCA_TUNNEL_KEY_ENC_OPTS_VXLAN, "hex:" }, { 0, "}" });
	CHECK("tunnel_key", "", { TCA_TUNNEL_KEY_ENC_OPTS, "hex:0000" });
	/* A timetable with something else in it. */
	CHECK("gate", "schedule [\n- {\ngate_state uint 0 close\n}\n]\n",
	      { TCA_GATE_ENTRY_LIST, "{" }, { 7, "hex:00" },
	      { TCA_GATE_ONE_ENTRY, "{" }, { 0, "}" }, { 0, "}" });
}
END_TEST

/* Cut off anywhere, and with any byte another one: told somehow, in balance. */
START_TEST(bent)
{
	static const unsigned char other[] = { 0, 1, 3, 4, 0x7f, 0x80, 0xff };
	const struct nst_tc_kind *kind = nst_tc_act_find(tc_act_cases[_i].kind);
	struct nlattr *nest = nest_of(tc_act_cases[_i].attrs, 0);
	size_t len = nest->nla_len, i, n;

	for (i = 0; i <= len; i++) {
		unsigned char *tight = malloc(i ? i : 1);
		struct nlattr head = { .nla_len = (uint16_t)i, .nla_type = 2 };

		memcpy(tight, nest, i);
		if (i >= sizeof(head)) {
			memcpy(tight, &head, sizeof(head));
			tc_lines(kind, (const struct nlattr *)tight);
		}
		free(tight);
	}
	for (i = sizeof(*nest); i < len; i++)
		for (n = 0; n < COUNT(other); n++) {
			unsigned char *byte = (unsigned char *)nest + i;
			unsigned char was = *byte;

			*byte = other[n];
			tc_lines(kind, nest);
			*byte = was;
		}
	free(nest);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("tc_act");
	TCase *tc = tcase_create("values");

	tcase_add_loop_test(tc, values, 0, tc_act_n_cases);
	tcase_add_loop_test(tc, stops, 0, tc_act_n_cases);
	tcase_add_loop_test(tc, known, 0, COUNT(kinds));
	tcase_add_loop_test(tc, unknown, 0, 5);
	suite_add_tcase(s, tc);
	tc = tcase_create("hostile");
	tcase_add_loop_test(tc, short_structures, 0, COUNT(kinds));
	tcase_add_test(tc, wrong_lengths);
	tcase_add_test(tc, twice);
	tcase_add_test(tc, pedit_keys);
	tcase_add_test(tc, odd_nests);
	tcase_add_loop_test(tc, bent, 0, tc_act_n_cases);
	suite_add_tcase(s, tc);
	return s;
}

NST_REGISTER(suite);
