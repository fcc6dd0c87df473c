/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values by type, in JSON and in text. */
#include <stdio.h>

#include "addr.h"
#include "tc_values.h"
#include "tc_word.h"

/* A string. In text the quotes are written over. */
static inline char *begin_string(struct tc_walk *w, const char *name)
{
	char *p = tc_walk_begin(w, name);

	*p = '"';
	return p + (w->json != NULL);
}

static inline void end_string(struct tc_walk *w, char *p)
{
	*p = '"';
	tc_walk_end(w, p + (w->json != NULL));
}

/* ---- numbers ---- */

/* JSON: an object of two numbers. */
static void put_pair(struct tc_walk *w, const char *name,
		     const struct sink_word *key_a, uint64_t a,
		     const struct sink_word *key_b, uint64_t b)
{
	json_open_object(w->json, tc_walk_key(w, name));
	json_u64(w->json, key_a, a);
	json_u64(w->json, key_b, b);
	json_close(w->json);
}

static inline char *number(char *p, uint64_t n, size_t type, bool hex)
{
	if (type == NSTEER_TC_SINT)
		return sink_s64(p, n);
	return type == NSTEER_TC_HEX && hex ? sink_0x64(p, n) : sink_u64(p, n);
}

/* JSON: a member of its own, which in an array there is not. */
static SELDOM void put_mask(struct tc_walk *w, const char *name, uint64_t mask)
{
	const struct sink_word *key;
	struct sink_word more;
	char *p;

	if (!w->json) {
		p = w->out->sink->pos;
		*p++ = '/';
		tc_walk_end(w, sink_0x64(p, mask));
		return;
	}
	key = tc_walk_key(w, name);
	if (!key)
		return;
	json_key_more(&more, key, "_mask");
	json_u64(w->json, &more, mask);
}

/* What has a word for some numbers is a string in JSON for all of them. */
static SELDOM void put_wordless(struct tc_walk *w, const char *name,
				const struct nsteer_tc_value *v, size_t type)
{
	char *p = begin_string(w, name);

	end_string(w, number(p, nsteer_tc_value_u64(v), type, true));
}

/* JSON knows no hex. */
static inline __attribute__((always_inline)) void
put_number(struct tc_walk *w, const char *name, const struct nsteer_tc_value *v,
	   size_t type)
{
	const char *word = nsteer_tc_value_word(v);
	uint64_t mask;
	char *p;

	if (word) {
		p = tc_walk_begin(w, name);
		tc_walk_end(w, sink_word(p, memo_find(&w->t->words, word), 0));
		return;
	}
	if (w->json && nsteer_tc_value_has_words(v)) {
		put_wordless(w, name, v, type);
	} else {
		p = tc_walk_begin(w, name);
		tc_walk_end(w,
			    number(p, nsteer_tc_value_u64(v), type, !w->json));
	}
	if (nsteer_tc_value_mask(v, &mask))
		put_mask(w, name, mask);
}

static void put_range(struct tc_walk *w, const char *name,
		      const struct nsteer_tc_value *v)
{
	uint64_t from = nsteer_tc_value_u64(v), to = from;
	char *p;

	nsteer_tc_value_mask(v, &to);
	if (w->json) {
		put_pair(w, name, JSON_KEY("start"), from, JSON_KEY("end"), to);
		return;
	}
	p = sink_u64(tc_walk_begin(w, name), from);
	*p++ = '-';
	tc_walk_end(w, sink_u64(p, to));
}

static void put_classid(struct tc_walk *w, const char *name,
			const struct nsteer_tc_value *v)
{
	char *p = begin_string(w, name);

	end_string(w, tc_word_handle(p, nsteer_tc_value_u64(v)));
}

static void put_flag(struct tc_walk *w, const char *name,
		     const struct nsteer_tc_value *v)
{
	(void)v;
	if (w->json)
		json_bool(w->json, tc_walk_key(w, name), true);
	else
		/* The word is its own value: no blank for another one. */
		tc_walk_end(w, tc_walk_begin(w, name) - 1);
}

/* ---- bits ---- */

static const char *bit_name(const struct nsteer_tc_value *v, unsigned int n,
			    char buf[16])
{
	const char *word = nsteer_tc_value_bit(v, n);

	if (word)
		return word;
	snprintf(buf, 16, "bit_%u", n);
	return buf;
}

/* With a mask an object that has what is to be set and what is not. */
static void json_bits(struct json *json, const struct nsteer_tc_value *v,
		      uint64_t rest, bool masked)
{
	uint64_t bits = nsteer_tc_value_u64(v);
	struct sink_word key;
	const char *name;
	unsigned int n;
	char buf[16];

	for (; rest; rest &= rest - 1) {
		n = __builtin_ctzll(rest);
		name = bit_name(v, n, buf);
		if (!masked) {
			json_str(json, NULL, name);
			continue;
		}
		sink_word_make(&key, ",\"", name, strlen(name), "\":");
		json_bool(json, &key, bits >> n & 1);
	}
}

/* With a mask as "+trk-new". */
static void text_bits(struct sink *sink, const struct nsteer_tc_value *v,
		      uint64_t rest, bool masked)
{
	uint64_t bits = nsteer_tc_value_u64(v);
	unsigned int n;
	char buf[16];

	if (!rest)
		sink_str(sink, "none");
	for (; rest; rest &= rest - 1) {
		n = __builtin_ctzll(rest);
		if (masked)
			sink_char(sink, bits >> n & 1 ? '+' : '-');
		sink_str(sink, bit_name(v, n, buf));
		if (!masked && rest & (rest - 1))
			sink_char(sink, ',');
	}
}

static void put_bits(struct tc_walk *w, const char *name,
		     const struct nsteer_tc_value *v)
{
	uint64_t rest = nsteer_tc_value_u64(v);
	bool masked = nsteer_tc_value_mask(v, &rest);

	if (!w->json) {
		tc_walk_end(w, tc_walk_begin(w, name));
		text_bits(w->out->sink, v, rest, masked);
		return;
	}
	if (masked)
		json_open_object(w->json, tc_walk_key(w, name));
	else
		json_open_array(w->json, tc_walk_key(w, name));
	json_bits(w->json, v, rest, masked);
	json_close(w->json);
}

/* ---- bytes and names ---- */

static void put_bytes(struct tc_walk *w, const char *name,
		      const struct nsteer_tc_value *v)
{
	const void *mask = nsteer_tc_value_mask_data(v), *data;
	struct sink *sink = w->out->sink;
	size_t len;

	data = nsteer_tc_value_data(v, &len);
	tc_walk_end(w, begin_string(w, name));
	sink_hex(sink, data, len);
	if (mask) {
		sink_char(sink, '/');
		sink_hex(sink, mask, len);
	}
	end_string(w, sink_at(sink));
}

static void put_text(struct tc_walk *w, const char *name, const char *s,
		     size_t len)
{
	if (w->json) {
		json_strn(w->json, tc_walk_key(w, name), s, len);
	} else {
		tc_walk_end(w, tc_walk_begin(w, name));
		text_escape(w->out->sink, s, len, false);
	}
}

static void put_string(struct tc_walk *w, const char *name,
		       const struct nsteer_tc_value *v)
{
	const void *data;
	size_t len;

	data = nsteer_tc_value_data(v, &len);
	put_text(w, name, len ? data : "", len);
}

/* One that is gone, or was moved, has a number only. */
static void put_gone(struct tc_walk *w, const char *name, uint32_t ifindex)
{
	const struct sink_word *key = tc_walk_key(w, name);
	struct sink_word more;
	char *p;

	if (w->json && key) {
		json_key_more(&more, key, "_ifindex");
		json_u64(w->json, &more, ifindex);
		return;
	}
	p = out_value(w->out, key);
	*p = '#';
	tc_walk_end(w, sink_u64(p + !w->json, ifindex));
}

static void put_device(struct tc_walk *w, const char *name,
		       const struct nsteer_tc_value *v)
{
	uint32_t ifindex = nsteer_tc_value_u64(v);
	const char *dev = names_find(&w->t->names, ifindex);

	if (dev)
		put_text(w, name, dev, strlen(dev));
	else
		put_gone(w, name, ifindex);
}

/* ---- addresses ---- */

typedef char *(*addr_fn)(char *p, const unsigned char *addr,
			 const unsigned char *mask);

static inline void put_addr(struct tc_walk *w, const char *name,
			    const struct nsteer_tc_value *v, size_t want,
			    addr_fn put)
{
	const void *data;
	size_t len;

	data = nsteer_tc_value_data(v, &len);
	if (len == want)
		end_string(w, put(begin_string(w, name), data,
				  nsteer_tc_value_mask_data(v)));
	else
		put_bytes(w, name, v);
}

static void put_ipv4(struct tc_walk *w, const char *name,
		     const struct nsteer_tc_value *v)
{
	put_addr(w, name, v, 4, addr_ipv4);
}

static void put_ipv6(struct tc_walk *w, const char *name,
		     const struct nsteer_tc_value *v)
{
	put_addr(w, name, v, 16, addr_ipv6);
}

static void put_mac(struct tc_walk *w, const char *name,
		    const struct nsteer_tc_value *v)
{
	put_addr(w, name, v, 6, addr_mac);
}

/* ---- all of them ---- */

typedef void (*put_fn)(struct tc_walk *w, const char *name,
		       const struct nsteer_tc_value *v);

static const put_fn puts_by_type[] = {
	[NSTEER_TC_FLAG] = put_flag,	   [NSTEER_TC_STRING] = put_string,
	[NSTEER_TC_IPV4] = put_ipv4,	   [NSTEER_TC_IPV6] = put_ipv6,
	[NSTEER_TC_MAC] = put_mac,	   [NSTEER_TC_IFINDEX] = put_device,
	[NSTEER_TC_CLASSID] = put_classid, [NSTEER_TC_BITS] = put_bits,
	[NSTEER_TC_RANGE] = put_range,
};

void tc_put_value(struct tc_walk *w, const struct nsteer_tc_value *v)
{
	size_t type = nsteer_tc_value_type(v);
	const char *name = nsteer_tc_value_name(v);
	put_fn put;

	switch (type) {
	/* Most are these. */
	case NSTEER_TC_UINT:
	case NSTEER_TC_SINT:
	case NSTEER_TC_HEX:
		put_number(w, name, v, type);
		return;
	}
	/* A type of a later library is bytes to this one. */
	put = type < sizeof(puts_by_type) / sizeof(puts_by_type[0])
		      ? puts_by_type[type]
		      : NULL;
	if (!put)
		put = put_bytes;
	put(w, name, v);
}
