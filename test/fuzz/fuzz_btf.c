/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The search in BTF. The first two bytes say where the input is divided into
 * vmlinux's blob and a module's; the rest of it is theirs.
 */
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

#include "core/btf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Of just this size, for the sanitizer; with a header that lets it in. */
static uint8_t *blob(const uint8_t *data, size_t size)
{
	uint8_t *b = malloc(size ? size : 1);
	struct btf_header hdr;

	if (!b)
		abort();
	memcpy(b, data, size);
	if (size >= sizeof(hdr)) {
		memcpy(&hdr, b, sizeof(hdr));
		hdr.magic = BTF_MAGIC;
		hdr.version = BTF_VERSION;
		hdr.hdr_len = sizeof(hdr);
		memcpy(b, &hdr, sizeof(hdr));
	}
	return b;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t v[5];
	const struct nst_btf_want want[] = {
		{ "s", "m", &v[0], true },
		{ "s", "n", &v[1], true },
		{ "t", NULL, &v[2], true },
		{ "t", "m", &v[3], true },
		{ "s", nst_btf_func_id, &v[4], true },
	};
	size_t first;
	uint8_t *base, *split;

	if (size < 2)
		return 0;
	first = data[0] | data[1] << 8;
	data += 2;
	size -= 2;
	if (first > size)
		first = size;
	base = blob(data, first);
	split = blob(data + first, size - first);
	nst_btf_find_in(base, first, split, size - first, want, 5);
	nst_btf_find_in(base, first, NULL, 0, want, 5);
	free(split);
	free(base);
	return 0;
}
