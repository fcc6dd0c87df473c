#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# --netns: acts there and nowhere else, and asks neither /sys nor the caller's
# namespace.
name=netns
. "$(dirname "$0")/lib.sh"
in_namespace "$@"

# /sys is that of the namespace outside: what is read there is not ours.
ip tuntap add here mode tap multi_queue
j 'without a /sys of our own' 'tun' '[.[].ifname] == ["here"]'
if [ -e /sys/class/net/here ]; then
	fail 'the test wants a /sys that does not have the device'
else
	pass
fi

check 'namespaces' ip netns add one
check 'namespaces' ip netns add two
t 'add in a namespace' '-n one tun add tap0 multi_queue' 0 '' ''
t 'the same name in another one' 'tun add tap0 mode tun -n two' 0 '' ''
j 'lists of each' '-n one tun' '[.[] | .ifname, .mode] == ["tap0", "tap"]'
j 'by path' '-n /run/netns/two tun' '[.[] | .ifname, .mode] == ["tap0", "tun"]'
j 'options after the words' 'tun show --netns two' '.[0].mode == "tun"'
j 'the last one counts' '-n one tun show -n two' '.[0].mode == "tun"'
j 'ours is left alone' 'tun' '[.[].ifname] == ["here"]'
t 'set there' '-n one tun set tap0 steering cpu' 0 '' '*'
j 'is seen there' '-n one tun get steering' '.[0].steering.policy == "cpu"'
j 'and only there' '-n two tun get steering' '.[0].steering.policy == "automq"'
j 'not here' 'tun get steering' '.[0].steering.policy == "automq"'
t 'the only one there' '-n two tun set steering fixed 3' 0 '^tap0: steering fixed 3 ' '*'
t 'the same index, another namespace' '-n two tun get steering tap0' 0 'fixed 3' '*'
same 'and the same from inside' \
	"$(ip netns exec one "$NSTEER" -j tun | jq -c .)" \
	"$("$NSTEER" -n one -j tun | jq -c .)"

ip netns exec two sleep 60 &
pid=$!
holders+=("$pid")
for _ in {1..50}; do
	[ "$(readlink "/proc/$pid/ns/net")" = "$(readlink /proc/self/ns/net)" ] || break
	sleep 0.02
done
j 'by process' "-n pid:$pid tun" '.[0].mode == "tun"'
j 'by its path' "-n /proc/$pid/ns/net tun" '.[0].mode == "tun"'
release "$pid"
t 'a process that is gone' "-n pid:$pid tun" 2 '' "$pid"

t 'no such namespace' '-n nope tun' 2 '' 'nope'
t 'no such namespace, JSON' '-j -n nope tun' 2 '' 'nope'
t 'no such path' '-n /nope/x tun' 2 '' '/nope/x'
t 'a file that is none' '-n /etc/passwd tun' 2 '' 'no network namespace'
for p in pid: pid:x pid:-1 pid:1x pid:0 pid:99999999999; do
	t "malformed $p" "-n $p tun" 1 '' "$p"
done
t 'control bytes in its name' $'-n $\'\\x1b[1m\' tun' 2 '' '\\x1b\[1m'
t 'help asks for none' '-n nope tun help' 0 'Usage' ''

t 'del there' '-n one tun del tap0' 0 '' ''
t 'empty now' '-n one tun' 0 '' ''
j 'the other one still has it' '-n two tun' '[.[].ifname] == ["tap0"]'

if command -v "${CC:-cc}" >/dev/null; then
	# The name is the same, the device is not.
	ip netns exec two "$NSTEER" tun add both multi_queue
	"$NSTEER" tun add both multi_queue
	hold both tap multi_queue
	j 'held here' '-d tun show both' ".[0].processes | map(.pid) == [$held]"
	j 'not there' '-n two -d tun show both' '.[0].processes == []'
	t 'so it may go there' '-n two tun del both' 0 '' ''
	t 'and not here' 'tun del both' 2 '' "$held"
	release "$held"
else
	skip "machine: no C compiler for what holds a queue"
fi
closing
