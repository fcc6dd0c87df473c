/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Actions as the kernel tells of them, and the values that are in them. */
#ifndef NST_TEST_TC_ACT_CASES_H
#define NST_TEST_TC_ACT_CASES_H

#include "tc_lines.h"

#define TC_ACT_ATTRS 24

/*
 * Beside the forms of struct tc_attr there is "host:", a structure: numbers as
 * wide as the last u8, u16, u32, u64 or, in network order, be32 said; with an
 * s behind them they are seconds of the clock that the kernel counts with.
 */
struct tc_act_case {
	const char *kind;
	struct tc_attr attrs[TC_ACT_ATTRS];
	const char *lines;
};

extern const struct tc_act_case tc_act_cases[];
extern const unsigned int tc_act_n_cases;

#endif /* NST_TEST_TC_ACT_CASES_H */
