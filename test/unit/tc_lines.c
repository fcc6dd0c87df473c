/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <arpa/inet.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "tc_lines.h"

#define MSG_MAX 65536
#define DEPTH_MAX 8

/* ---- from a list to bytes ---- */

static const char *form(const char *payload, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(payload, name, len) && payload[len] == ':' ?
		       payload + len + 1 :
		       NULL;
}

static size_t put_number(unsigned char *at, const char *text, size_t width,
			 bool net)
{
	uint64_t v = strtoull(text, NULL, 0);
	size_t i;

	for (i = 0; i < width; i++)
		at[net ? width - 1 - i : i] = (unsigned char)(v >> 8 * i);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	if (!net)
		return put_number(at, text, width, true);
#endif
	return width;
}

static size_t put_hex(unsigned char *at, const char *text)
{
	size_t len = 0;
	unsigned int byte;

	while (*text) {
		if (*text == ':' || *text == ' ') {
			text++;
			continue;
		}
		ck_assert_int_eq(sscanf(text, "%2x", &byte), 1);
		at[len++] = (unsigned char)byte;
		text += 2;
	}
	return len;
}

static size_t put_payload(unsigned char *at, const char *payload)
{
	static const struct {
		const char *name;
		size_t width;
		bool net;
	} numbers[] = { { "u8", 1, false },   { "u16", 2, false },
			{ "u32", 4, false },  { "u64", 8, false },
			{ "be16", 2, true },  { "be32", 4, true },
			{ "be64", 8, true } };
	const char *text;
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if ((text = form(payload, numbers[i].name)))
			return put_number(at, text, numbers[i].width,
					  numbers[i].net);
	if ((text = form(payload, "ip"))) {
		ck_assert_int_eq(inet_pton(AF_INET, text, at), 1);
		return 4;
	}
	if ((text = form(payload, "ip6"))) {
		ck_assert_int_eq(inet_pton(AF_INET6, text, at), 1);
		return 16;
	}
	if ((text = form(payload, "str"))) {
		memcpy(at, text, strlen(text) + 1);
		return strlen(text) + 1;
	}
	text = form(payload, "hex");
	text = text ? text : form(payload, "mac");
	ck_assert_msg(text != NULL, "\"%s\" has no form", payload);
	return put_hex(at, text);
}

static void header(unsigned char *at, size_t len, uint16_t type)
{
	const struct nlattr attr = { .nla_len = (uint16_t)len,
				     .nla_type = type };

	memcpy(at, &attr, sizeof(attr));
}

struct nlattr *tc_nest(const struct tc_attr *attrs)
{
	unsigned char *buf = calloc(1, MSG_MAX), *tight;
	size_t open[DEPTH_MAX], depth = 0, len = NLA_HDRLEN, end;
	uint16_t types[DEPTH_MAX];

	ck_assert_ptr_nonnull(buf);
	for (end = len; attrs->payload; attrs++) {
		if (!strcmp(attrs->payload, "}")) {
			depth--;
			header(buf + open[depth], end - open[depth],
			       types[depth]);
			continue;
		}
		if (!strcmp(attrs->payload, "{")) {
			ck_assert_uint_lt(depth, DEPTH_MAX);
			types[depth] = attrs->type;
			open[depth++] = len;
			end = len + NLA_HDRLEN;
		} else {
			end = len + NLA_HDRLEN +
			      put_payload(buf + len + NLA_HDRLEN,
					  attrs->payload);
			header(buf + len, end - len, attrs->type);
		}
		len = NLA_ALIGN(end);
	}
	ck_assert_uint_eq(depth, 0);
	header(buf, end, 2 /* TCA_OPTIONS */);
	tight = malloc(end);
	ck_assert_ptr_nonnull(tight);
	memcpy(tight, buf, end);
	free(buf);
	return (struct nlattr *)tight;
}

/* ---- from values to lines ---- */

struct lines {
	char text[16384];
	size_t len;
	char ends[DEPTH_MAX];
	unsigned int depth;
};

static void __attribute__((format(printf, 2, 3)))
add(struct lines *lines, const char *fmt, ...)
{
	size_t room = sizeof(lines->text) - lines->len;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(lines->text + lines->len, room, fmt, ap);
	va_end(ap);
	ck_assert_int_ge(n, 0);
	lines->len += (size_t)n < room ? (size_t)n : room - 1;
}

static void add_bytes(struct lines *lines, const unsigned char *p, size_t len,
		      const char *sep)
{
	size_t i;

	for (i = 0; i < len; i++)
		add(lines, "%s%02x", i ? sep : "", p[i]);
}

static void add_data(struct lines *lines, enum nsteer_tc_type type,
		     const void *data, size_t len)
{
	char buf[INET6_ADDRSTRLEN];

	switch (type) {
	case NSTEER_TC_IPV4:
		ck_assert_uint_eq(len, 4);
		add(lines, "%s", inet_ntop(AF_INET, data, buf, sizeof(buf)));
		break;
	case NSTEER_TC_IPV6:
		ck_assert_uint_eq(len, 16);
		add(lines, "%s", inet_ntop(AF_INET6, data, buf, sizeof(buf)));
		break;
	case NSTEER_TC_MAC:
		ck_assert_uint_eq(len, 6);
		add_bytes(lines, data, len, ":");
		break;
	case NSTEER_TC_STRING:
		add(lines, "\"%.*s\"", (int)len, (const char *)data);
		break;
	default:
		add_bytes(lines, data, len, "");
		break;
	}
}

static void add_bits(struct lines *lines, const struct nsteer_tc_value *v)
{
	uint64_t mask = UINT64_MAX, bits = nsteer_tc_value_u64(v);
	unsigned int n;

	nsteer_tc_value_mask(v, &mask);
	for (n = 0; n < 64; n++) {
		const char *name = nsteer_tc_value_bit(v, n);
		bool set = bits >> n & 1;

		if (name && (mask >> n & 1) && (set || mask != UINT64_MAX))
			add(lines, " %c%s", set ? '+' : '-', name);
	}
}

static void add_number(struct lines *lines, const struct nsteer_tc_value *v)
{
	enum nsteer_tc_type type = nsteer_tc_value_type(v);
	unsigned long long n = nsteer_tc_value_u64(v);
	uint64_t mask;

	if (type == NSTEER_TC_SINT)
		add(lines, "%lld", (long long)n);
	else if (type == NSTEER_TC_CLASSID)
		add(lines, "%llx:%llx", n >> 16, n & 0xffff);
	else if (type == NSTEER_TC_HEX || type == NSTEER_TC_BITS)
		add(lines, "0x%llx", n);
	else
		add(lines, "%llu", n);
	if (nsteer_tc_value_mask(v, &mask))
		add(lines, type == NSTEER_TC_RANGE ? "-%llu" : "/0x%llx",
		    (unsigned long long)mask);
	if (nsteer_tc_value_word(v))
		add(lines, " %s", nsteer_tc_value_word(v));
	if (type == NSTEER_TC_BITS)
		add_bits(lines, v);
}

static const char *const type_names[] = {
	[NSTEER_TC_BYTES] = "bytes",	 [NSTEER_TC_UINT] = "uint",
	[NSTEER_TC_SINT] = "sint",	 [NSTEER_TC_HEX] = "hex",
	[NSTEER_TC_FLAG] = "flag",	 [NSTEER_TC_STRING] = "string",
	[NSTEER_TC_IPV4] = "ipv4",	 [NSTEER_TC_IPV6] = "ipv6",
	[NSTEER_TC_MAC] = "mac",	 [NSTEER_TC_IFINDEX] = "ifindex",
	[NSTEER_TC_CLASSID] = "classid", [NSTEER_TC_BITS] = "bits",
	[NSTEER_TC_OBJECT] = "{",	 [NSTEER_TC_ARRAY] = "[",
	[NSTEER_TC_RANGE] = "range",
};

static void begin_or_end(struct lines *lines, enum nsteer_tc_type type)
{
	if (type == NSTEER_TC_END) {
		ck_assert_uint_gt(lines->depth, 0);
		add(lines, "%c\n", lines->ends[--lines->depth]);
		return;
	}
	ck_assert_uint_lt(lines->depth, DEPTH_MAX);
	lines->ends[lines->depth++] = type == NSTEER_TC_OBJECT ? '}' : ']';
}

static int add_value(const struct nsteer_tc_value *v, void *data)
{
	enum nsteer_tc_type type = nsteer_tc_value_type(v);
	const char *name = nsteer_tc_value_name(v);
	struct lines *lines = data;
	const void *bytes, *mask;
	size_t len;

	bytes = nsteer_tc_value_data(v, &len);
	mask = nsteer_tc_value_mask_data(v);
	if (type == NSTEER_TC_END) {
		ck_assert_ptr_null(name);
		begin_or_end(lines, type);
		return 0;
	}
	/* The members of an object have names, those of an array have none. */
	ck_assert_int_eq(name != NULL,
			 !lines->depth || lines->ends[lines->depth - 1] == '}');
	add(lines, "%s %s", name ? name : "-", type_names[type]);
	if (type == NSTEER_TC_OBJECT || type == NSTEER_TC_ARRAY) {
		begin_or_end(lines, type);
	} else if (type == NSTEER_TC_BYTES || type == NSTEER_TC_STRING ||
		   type == NSTEER_TC_IPV4 || type == NSTEER_TC_IPV6 ||
		   type == NSTEER_TC_MAC) {
		add(lines, " ");
		add_data(lines, type, bytes, len);
		if (mask) {
			add(lines, "/");
			add_data(lines, type, mask, len);
		}
	} else if (type != NSTEER_TC_FLAG) {
		add(lines, " ");
		add_number(lines, v);
	}
	add(lines, "\n");
	return 0;
}

const char *tc_lines(const struct nst_tc_kind *kind, const struct nlattr *nest)
{
	static struct lines lines;

	memset(&lines, 0, sizeof(lines));
	ck_assert_int_eq(nst_tc_values(kind, nest, add_value, &lines), 0);
	ck_assert_uint_eq(lines.depth, 0);
	return lines.text;
}

void tc_check(const char *kind, const struct tc_attr *attrs, const char *lines)
{
	struct nlattr *nest = tc_nest(attrs);

	ck_assert_str_eq(tc_lines(nst_tc_cls_find(kind), nest), lines);
	free(nest);
}

void tc_check_keys(const struct tc_attr *attrs, const char *lines)
{
	char want[4096];

	snprintf(want, sizeof(want), "keys {\n%s}\n", lines);
	tc_check("flower", attrs, want);
}

/* ---- what does not go well ---- */

void tc_cut(const char *name, const struct tc_attr *attrs)
{
	const struct nst_tc_kind *kind = nst_tc_cls_find(name);
	struct nlattr *whole = tc_nest(attrs);
	size_t len;

	for (len = NLA_HDRLEN; len <= whole->nla_len; len++) {
		struct nlattr *part = malloc(len);

		ck_assert_ptr_nonnull(part);
		memcpy(part, whole, len);
		part->nla_len = (uint16_t)len;
		tc_lines(kind, part);
		free(part);
	}
	free(whole);
}

struct stop {
	unsigned int calls;
	unsigned int at;
};

static int stop(const struct nsteer_tc_value *v, void *data)
{
	struct stop *s = data;

	(void)v;
	return s->calls++ == s->at ? 7 : 0;
}

void tc_stop(const char *name, const struct tc_attr *attrs)
{
	const struct nst_tc_kind *kind = nst_tc_cls_find(name);
	struct nlattr *nest = tc_nest(attrs);
	struct stop all = { .at = UINT32_MAX };
	unsigned int n;

	ck_assert_int_eq(nst_tc_values(kind, nest, stop, &all), 0);
	for (n = 0; n < all.calls; n++) {
		struct stop s = { .at = n };

		ck_assert_int_eq(nst_tc_values(kind, nest, stop, &s), 7);
		ck_assert_uint_eq(s.calls, n + 1);
	}
	free(nest);
}
