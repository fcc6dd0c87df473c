/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attributes written down in a test, and what the tables make of them. */
#ifndef NST_TEST_TC_LINES_H
#define NST_TEST_TC_LINES_H

#include <stdint.h>

#include "tc/value.h"

/*
 * payload is FORM:TEXT, a number of some width and order (u8 u16 be16 u32 be32
 * u64 be64), an address (ip ip6 mac), hex, or str, which is what it is with a
 * NUL. "{" begins a nest, "}" ends it. { 0, NULL } ends the list.
 */
struct tc_attr {
	uint16_t type;
	const char *payload;
};

/* A nest of all of that, in a heap block that ends where it ends. */
struct nlattr *tc_nest(const struct tc_attr *attrs);

/*
 * A line for each value: name, type and what it is; - is no name. Objects and
 * arrays end with a line "}" or "]". Fails the test when they are not balanced.
 * The text is valid until the next call.
 */
const char *tc_lines(const struct nst_tc_kind *kind, const struct nlattr *nest);

/* Both in one; kind is the name of a classifier. */
void tc_check(const char *kind, const struct tc_attr *attrs, const char *lines);

/* The same of flower; lines are what is in its object of keys. */
void tc_check_keys(const struct tc_attr *attrs, const char *lines);

/* A record that ends anywhere: it is read within its bounds, and balanced. */
void tc_cut(const char *kind, const struct tc_attr *attrs);

/* Whatever value the caller stops at, nothing follows. */
void tc_stop(const char *kind, const struct tc_attr *attrs);

#endif /* NST_TEST_TC_LINES_H */
