#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tun as a module that is not loaded yet, and in use.
name=module
guest=only
. "$(dirname "$0")/lib.sh"
in_namespace "$@"

unload() {
	local i
	for i in {1..100}; do
		[ -e /sys/module/tun ] || return 0
		modprobe -r tun 2>/dev/null || sleep 0.1
	done
	return 1
}
loaded() { [ -e /sys/module/tun ]; }

check 'it can be unloaded' unload
t 'nothing to show' 'tun show' 0 '' ''
j 'nor under -j' '-d -s tun' '. == []'
t 'no such device' 'tun get steering tap0' 2 '' 'no device "tap0"'
check 'looking loads nothing' eval '! loaded'
t 'add loads it' 'tun add tap0 multi_queue' 0 '' ''
check 'it is there' loaded
t 'its types are its own' 'tun set tap0 steering cpu' 0 '' \
	'^Warning: tap0 has 0 active'
j 'and they are read' 'tun get steering tap0' '.[0].steering.policy == "cpu"'
hold tap0 tap multi_queue
j 'who holds it' '-d tun show tap0' "[.[0].processes[].pid] == [$held]"
release "$held"
t 'del' 'tun del tap0' 0 '' ''
check 'nothing of nsteer keeps it' unload
closing
