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
t 'hooks' '-j tc hooks' 3 '' 'incomplete'
t 'what is no dump is not' 'tun get steering tap0' 0 'automq' ''

# ---- lists of filters that break off ----

# What was read is printed, and is JSON all the same.
broken() {
	shim "SHIM_DONE=$1"
	t "filters, error $1" 'tc dump tap0 ingress' 3 $'^dev tap0 .*\n$' '^Error: '
	run '-j tc dump tap0 ingress'
	is_array 'length == 2 and all(.[]; .pref == 1)' ||
		fail "filters in JSON, error $1" "$out"
	same "the exit status, error $1" 3 "$code"
}

modprobe -qa cls_u32 sch_ingress 2>/dev/null
if tc qdisc add dev tap0 clsact 2>/dev/null &&
   tc filter add dev tap0 ingress pref 1 protocol ip u32 match u32 0 0 2>/dev/null; then
	broken 90 # EMSGSIZE
	t 'as columns' '--fields dev,pref tc dump tap0 ingress' 3 \
		$'^dev +pref\ntap0 +1\ntap0 +1\n$' '^Error: '
	t 'sums of what there is' '--summary tc dump tap0 ingress' 3 \
		$'^dev .*\ntap0 .*\ntap0 [^\n]*\n$' '^Error: '
	run '-j --summary tc dump tap0 ingress'
	is_array 'map(.filters) == [1, 1]' || fail 'sums in JSON' "$out"
	broken 105 # ENOBUFS
	broken 1 # EPERM, when something was read
	# Nothing was: what broke off, and what was refused.
	shim SHIM_DONE=90
	t 'hooks of a part are none' '-j tc hooks tap0' 3 '' '^Error: '
	t 'no filter fits' '-j tc dump tap0 egress' 3 '' '^Error: '
	shim SHIM_DONE=1
	t 'no filter may be seen' 'tc dump tap0 egress' 2 '' '^Error: '
	t 'nor as JSON' '-j tc dump tap0 egress' 2 '' '^Error: '
	t 'nor may hooks' '-j tc hooks tap0' 2 '' '^Error: '
else
	skip 'kernel: no clsact or no u32'
fi

# And lists of actions; a kind that breaks off does not hide the others.
if tc actions add action mirred egress redirect dev lo index 5 2>/dev/null; then
	shim SHIM_DONE=105 # ENOBUFS
	t 'actions' 'tc actions kind mirred' 3 $'^mirred .* index 5\n$' '^Error: '
	run '-j tc actions kind mirred'
	is_array 'map(.index) == [5]' || fail 'actions in JSON' "$out"
	same 'the exit status' 3 "$code"
	t 'the other kinds' 'tc actions' 3 $'^mirred .* index 5\n$' \
		'^Error: cannot read the actions of kind bpf.*of [0-9]+ losses'
	run '-j tc actions'
	is_array 'map(.kind) == ["mirred"]' || fail 'other kinds in JSON' "$out"
	shim SHIM_DONE=1
	t 'actions, error 1' 'tc actions kind mirred' 3 $'^mirred .*\n$' '^Error: '
	t 'no actions may be seen' '-j tc actions kind gact' 2 '' '^Error: '
	shim SHIM_INTR=1
	t 'actions that changed' 'tc actions kind mirred' 3 $'^mirred .*\n$' 'incomplete'
else
	skip 'kernel: no mirred'
fi

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
