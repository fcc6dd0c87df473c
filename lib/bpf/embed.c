/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The BPF programs inside the library.
 *
 * They are built by
 *
 *	clang -target bpfel|bpfeb -mcpu=v2 -O2 -g -c -o NAME.bpf.o NAME.bpf.c
 *	llvm-strip -g NAME.bpf.o
 *
 * with -Wall -Wextra -Wno-unused-parameter -Werror, -I lib/bpf, and
 * -idirafter /usr/include/MULTIARCH for <asm/types.h>. -g makes the BTF that
 * libbpf needs, llvm-strip takes the DWARF out again; NST_BPF_DIR is where
 * the result stands.
 */
#include "core/bpf.h"

#define NST_BLOB(name_)                                                        \
	__asm__(".pushsection .rodata\n"                                       \
		".balign 8\n"                                                  \
		".globl nst_blob_" #name_ "_start\n"                           \
		".hidden nst_blob_" #name_ "_start\n"                          \
		".globl nst_blob_" #name_ "_end\n"                             \
		".hidden nst_blob_" #name_ "_end\n"                            \
		"nst_blob_" #name_ "_start:\n"                                 \
		".incbin \"" NST_BPF_DIR "/" #name_ ".bpf.o\"\n"               \
		"nst_blob_" #name_ "_end:\n"                                   \
		".byte 0\n"                                                    \
		".popsection\n");                                              \
	extern const char __attribute__((visibility("hidden")))                \
		nst_blob_##name_##_start[],                                    \
		nst_blob_##name_##_end[];                                      \
	const struct nst_blob nst_blob_##name_ = {                             \
		#name_, nst_blob_##name_##_start, nst_blob_##name_##_end       \
	}

NST_BLOB(tun_steer);
NST_BLOB(tun_inspect);
NST_BLOB(tun_holder);
