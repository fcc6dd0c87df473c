// SPDX-License-Identifier: GPL-2.0-or-later
/* bench_taps FROM TO: persistent taps tFROM to t(TO - 1), in this namespace. */
#include <linux/if_tun.h>
#include <stdio.h>
#include <stdlib.h>

#include "fixture.h"

int main(int argc, char **argv)
{
	char name[16];
	int i;

	if (argc != 3)
		fx_die("usage: bench_taps FROM TO");
	for (i = atoi(argv[1]); i < atoi(argv[2]); i++) {
		snprintf(name, sizeof(name), "t%d", i);
		fx_tun_make(name, IFF_TAP | IFF_NO_PI);
	}
	return 0;
}
