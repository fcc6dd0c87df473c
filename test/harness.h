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
#include <unistd.h>

void nst_register(const char *file, Suite *(*make)(void));

#define NST_REGISTER(make)                                                     \
	static void __attribute__((constructor)) nst_register_##make(void)     \
	{                                                                      \
		nst_register(__FILE__, make);                                  \
	}                                                                      \
	struct nst_swallow_semicolon

/*
 * The tag of test cases [tcase_set_tags()] that also run in the guests of
 * test/kernels: what another kernel may do in another way. Nothing that measures
 * time or counts on being fast: the machine there is emulated.
 */
#define NST_GUEST "guest"
/* Nowhere else: it does things to the machine that a user's must not suffer. */
#define NST_GUEST_ONLY "guest-only"

/* End this test here, counted as skipped and with the reason shown. */
#define nst_skip(...) nst_skip_in(__func__, __VA_ARGS__)
void nst_skip_in(const char *function, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/* Skip unless the effective user is root. */
#define nst_need_root()                                                        \
	do {                                                                   \
		if (geteuid())                                                 \
			nst_skip("needs root");                                \
	} while (0)

/* Skip where the kernel loads a socket filter for everybody. */
#define nst_need_closed_bpf()                                                  \
	do {                                                                   \
		const char *nst_why_ = nst_no_closed_bpf();                    \
		if (nst_why_)                                                  \
			nst_skip("%s", nst_why_);                              \
	} while (0)
const char *nst_no_closed_bpf(void);

#endif /* NST_HARNESS_H */
