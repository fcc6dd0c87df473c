#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tc_filters.sh N terse|full   bench0, with N filters at its ingress
#
# terse: a drop each, as short as it gets. full: 5-tuples that go through a
# tunnel to bench1. What was there before is gone.
set -euo pipefail

n=$1
case $2 in
terse) actions='action drop' ;;
full) actions='action tunnel_key set src_ip 192.0.2.1 dst_ip 192.0.2.2 id %d dst_port 4789 action mirred egress redirect dev bench1' ;;
*) sed -n '4,7s/^# \{0,1\}//p' "$0" >&2; exit 1 ;;
esac

for i in 0 1; do
	ip link del "bench$i" 2>/dev/null || :
	ip link add "bench$i" index "100$i" type dummy
	ip link set "bench$i" up
done
tc qdisc add dev bench0 clsact
awk -v n="$n" -v actions="$actions" 'BEGIN {
	for (i = 1; i <= n; i++) {
		printf "filter add dev bench0 ingress pref 1 protocol ip flower " \
			"ip_proto tcp src_ip 10.%d.%d.%d dst_ip 198.51.100.%d " \
			"src_port %d dst_port 443 ",
			i / 65536, i / 256 % 256, i % 256, i % 250 + 1,
			1024 + i % 60000
		printf actions "\n", i
	}
}' | tc -b -
