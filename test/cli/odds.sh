#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What happens seldom: interrupted dumps, descriptors that were closed.
name=odds
guest=1
. "$(dirname "$0")/lib.sh"
in_namespace "$@"

real=$NSTEER
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0
# shim VARIABLE=VALUE: what t and j run from here on
shim() {
	printf '#!/bin/sh\nLD_PRELOAD=%q %s exec %q "$@"\n' "$NSTEER_TEST_BIN/shim.so" \
		"$1" "$real" >"$tmp/nsteer"
	chmod +x "$tmp/nsteer"
	NSTEER=$tmp/nsteer
}

"$real" tun add tap0 multi_queue

shim SHIM_INTR=1
t 'an incomplete list is none' 'tun show' 3 '' 'incomplete'
t 'nor is it JSON' '-j tun show' 3 '' 'incomplete'
t 'get of all' '-j tun get steering' 3 '' 'incomplete'
t 'the only one: who knows' 'tun set steering cpu' 3 '' 'incomplete'
t 'what is no dump is not' 'tun get steering tap0' 0 'automq' ''

# descriptors NAME 'COMMAND LINE' EXIT: none of the first three was closed
descriptors() {
	rm -f "$tmp/closed"
	t "$1" "$2" "$3" '*' '*'
	if [ -e "$tmp/closed" ]; then
		fail "$1" "a descriptor took the place of one that was closed"
	else
		pass
	fi
}
shim "SHIM_CLOSE=$tmp/closed"
descriptors 'nothing closed' 'tun set tap0 steering cpu' 0
descriptors 'stdin closed' 'tun set tap0 steering cpu <&-' 0
descriptors 'stdout closed' 'tun show >&-' 2
descriptors 'stdout closed, set' 'tun set tap0 steering cpu >&-' 0
descriptors 'all closed' 'tun set tap0 steering automq <&- >&- 2>&-' 0
closing
