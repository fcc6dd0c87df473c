/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every tier written in C shares. A file of a tier registers a suite:
 *
 *	static Suite *suite(void) { ... }
 *	NST_REGISTER(suite);
 *
 * Each test runs in a process of its own (Check's fork mode), so a namespace,
 * a capability or a limit that it gives up is its own affair.
 */
#ifndef NST_HARNESS_H
#define NST_HARNESS_H

#include <check.h>

void nst_register(Suite *(*make)(void));

#define NST_REGISTER(make)                                                     \
	static void __attribute__((constructor)) nst_register_##make(void)     \
	{                                                                      \
		nst_register(make);                                            \
	}                                                                      \
	struct nst_swallow_semicolon

/* End this test here, counted as skipped and with the reason shown. */
void nst_skip(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/* Skip unless the effective user is root. */
void nst_need_root(void);

/* Skip where the kernel loads a socket filter for everybody. */
void nst_need_closed_bpf(void);

#endif /* NST_HARNESS_H */
