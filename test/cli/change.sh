#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tun add, del, set, get: what they change, what they refuse and how.
name=change
guest=1
. "$(dirname "$0")/lib.sh"
in_namespace "$@"

# state: everything that a refused command has to leave as it was
state() {
	ip -d -j link show type tun
	"$NSTEER" -j tun get steering
} 2>/dev/null

# Of that what does not change by itself, as the carrier does.
steady() {
	jq -c '.[] | {ifname, ifindex, linkinfo, steering}' <<<"$1" 2>&1
}

# refused NAME 'COMMAND LINE' STDERR [EXIT]
refused() {
	local before after
	before=$(state)
	t "$1" "$2" "${4:-2}" '' "$3"
	after=$(state)
	if [ "$before" != "$after" ]; then
		before=$(steady "$before")
		after=$(steady "$after")
	fi
	same "$1: nothing changed" "$before" "$after"
}

# ---- add ----
t 'add is silent' 'tun add tap0' 0 '' ''
t 'a tap if nothing is said' 'tun show tap0' 0 $'^tap0: mode tap\n' ''
j 'add tells under -j' 'tun add tun0 mode tun pi' \
	'length == 1 and (.[0] | .ifname == "tun0" and .ifindex > 0 and .mode == "tun" and .pi and .persist)'
t 'words in any order' 'tun add group 100 multi_queue mode tap dev x0 user root' 0 '' ''
t 'and all of them count' 'tun show x0' 0 $'^x0: mode tap multi_queue user 0 group 100\n' ''
t 'the kernel picks a number, so the name is told' 'tun add tap%d' 0 $'^tap1: mode tap\n' ''
j 'and under -j' 'tun add tap%d' '.[0].ifname == "tap2"'
refused 'add what exists' 'tun add tap0' 'tap0'
refused 'add what exists, JSON' '-j tun add tap0' 'tap0'
refused 'add over another kind' 'tun add lo' 'lo'
refused 'bad word' 'tun add tap9 mode tap bogus' 'unexpected word' 1
refused 'missing value' 'tun add tap9 mode' 'mode needs a value' 1
refused 'long name' 'tun add 0123456789abcdef' 'longer than 15' 1
t '15 bytes are a name' 'tun add 0123456789abcde' 0 '' ''
t 'and can be deleted' 'tun del 0123456789abcde' 0 '' ''

# ---- del ----
t 'del is silent' 'tun del tap1' 0 '' ''
run '-j tun show tap2'
index=$(jq '.[0].ifindex' <<<"$out")
j 'del tells under -j' 'tun delete tap2' ". == [{ifname: \"tap2\", ifindex: $index}]"
refused 'del of nothing' 'tun del tap2' 'tap2'
refused 'del of no tun' 'tun del lo' 'lo.*tun'
ip link add veth0 type veth peer veth1
refused 'del of a veth' 'tun del veth0' 'veth0.*tun'
check 'the veth is still there' ip link show veth0

# ---- set and get ----
refused 'which device' 'tun set steering cpu' 'which device\? There are 3: "tap0", "tun0", "x0"'
t 'set is silent' 'tun set x0 steering cpu' 0 '' '*'
j 'get' 'tun get steering x0' 'length == 1 and (.[0] |
	.ifname == "x0" and .steering.policy == "cpu" and
	.steering.owner == "nsteer" and .steering.backend == "bpf-steering" and
	.steering.prog.id > 0 and .steering.prog.name == "nst_steer_cpu")'
t 'get in text' 'tun get dev x0 steering' 0 $'^x0: steering cpu backend bpf-steering prog nst_steer_cpu id [0-9]+ tag [0-9a-f]{16} owner nsteer\n$' ''
j 'get of all' 'tun get steering' '[.[].steering.policy] == ["automq", "automq", "cpu"]'
j 'set tells under -j' 'tun set steering fixed 7 dev x0' '.[0] | .ifname == "x0" and
	.steering.policy == "fixed" and .steering.queue == 7 and .steering.prog.id > 0'
t 'fixed, brief' '-br tun get steering x0' 0 $'^x0               fixed 7\n$' ''
t 'set again over our own' 'tun set x0 steering fixed 65535' 0 '' '*'
# The text of the policy is what set takes.
run 'tun get steering x0'
policy=$(sed 's/.*\(steering .*\) backend.*/\1/' <<<"$out")
t 'set takes the text of get' "tun set x0 $policy" 0 '' '*'
t 'back to the kernel' 'tun set x0 steering automq' 0 '' '*'
j 'as if nothing had been' 'tun get steering x0' '.[0].steering == {policy: "automq", backend: "kernel"}'
t 'automq again' 'tun set x0 steering automq' 0 '' '*'
t 'one queue only: done, with a warning' 'tun set tun0 steering cpu' 0 '' 'Warning: .*tun0'
t 'back' 'tun set tun0 steering automq' 0 '' '*'
refused 'set on nothing' 'tun set nope steering cpu' 'nope'
refused 'set on no tun' 'tun set lo steering cpu' 'lo.*tun'
refused 'set on no tun, JSON' '-j tun set veth0 steering cpu' 'veth0'
refused 'a program that is not there' 'tun set x0 steering cpu replace id 4294967295' 'x0'
refused 'unknown policy' 'tun set x0 steering hash' 'does not go after steering' 1
t 'get of nothing' 'tun get steering nope' 2 '' 'nope'
t 'get of no tun' 'tun get steering lo' 2 '' 'lo'
if ip link add link veth0 name mvtap0 type macvtap 2>/dev/null; then
	refused 'macvtap has no steering' 'tun set mvtap0 steering cpu' 'mvtap0.*macvtap'
	t 'macvtap is not listed' 'tun show mvtap0' 2 '' 'mvtap0'
else
	skip "kernel: has no macvtap"
fi

# ---- one device in the namespace ----
ip link del tap0
ip link del tun0
t 'the only one, so it is named' 'tun set steering cpu' 0 $'^x0: steering cpu backend bpf-steering prog nst_steer_cpu id [0-9]+ ' '*'
j 'under -j too' 'tun set steering automq' '.[0].ifname == "x0"'
ip link del x0
t 'none' 'tun set steering cpu' 2 '' 'no tun/tap device'

# ---- devices by names that are words ----
for w in show set steering dev cpu force help add fixed; do
	t "add a device called $w" "tun add dev $w multi_queue" 0 '' ''
	t "set on $w" "tun set dev $w steering cpu" 0 '' '*'
	j "show $w" "tun show dev $w" ".[0] | .ifname == \"$w\" and .steering.policy == \"cpu\""
	t "del $w" "tun del dev $w" 0 '' ''
done
t 'no keyword there, so a name' 'tun add show' 0 '' ''
t 'and here' 'tun show show' 0 '^show: ' ''
t 'and there' 'tun set show steering cpu' 0 '' '*'
t 'set cpu without device' 'tun set steering cpu' 0 '^show: ' '*'
t 'a name with a dash' 'tun add -- -x' 0 '' ''
t 'is listed' 'tun show -- -x' 0 '^-x: ' ''
t 'and goes' 'tun del -- -x' 0 '' ''
t 'del show' 'tun del show' 0 '' ''

# ---- somebody else's ----
t 'add' 'tun add tap0 multi_queue' 0 '' ''
hold tap0 tap multi_queue steer comm holder
refused 'a held device is not deleted' 'tun del tap0' "$held.*holder.*tap0"
id=$(sed -n 's/.*steer \([0-9]*\).*/\1/p' <<<"$said")
refused 'a foreign program is not replaced' 'tun set tap0 steering cpu' "someone_else.*$id|$id.*someone_else"
refused 'nor taken away' '-j tun set tap0 steering automq' "$id"
refused 'nor when another one is named' "tun set tap0 steering cpu replace id $((id + 100000))" "$id"
j 'unless it is named' "tun set tap0 steering cpu replace id $id" '.[0].steering.owner == "nsteer"'
release "$held"
hold tap0 tap multi_queue steer
t 'or forced' 'tun set tap0 steering fixed 1 force' 0 '' '*'
j 'which shows' 'tun get steering tap0' '.[0].steering | .policy == "fixed" and .queue == 1'
t 'del by force' 'tun del tap0 force' 0 '' ''
t 'is done' 'tun show tap0' 2 '' 'tap0'
release "$held"

# ---- what cannot be told ----
t 'add' 'tun add tap0 multi_queue' 0 '' ''
t 'stdout is full' '-j tun set tap0 steering cpu >/dev/full' 2 '' 'cannot write to stdout'
t 'stdout is full, show' 'tun >/dev/full' 2 '' 'cannot write to stdout'
t 'stdout is closed, nothing to say' 'tun set tap0 steering cpu >&-' 0 '' '*'
t 'stdout is closed' 'tun show >&-' 2 '' 'cannot write to stdout: Bad file descriptor'
t 'all are closed' 'tun set tap0 steering automq <&- >&- 2>&-' 0 '' ''
# A reader that went away before a word was written.
( sleep 0.2; exec "$NSTEER" -j tun ) | true
check 'it is still there' "$NSTEER" tun show tap0

# ---- /dev/net/tun ----
mount -t tmpfs none /dev/net 2>/dev/null && {
	refused 'add without /dev/net/tun' 'tun add tap9' '/dev/net/tun'
	refused 'add without it, JSON' '-j tun add tap9' '/dev/net/tun'
	t 'set without it' 'tun set tap0 steering cpu' 2 '' '/dev/net/tun'
	t 'show needs none' 'tun show tap0' 0 '^tap0: ' '*'
	t 'del needs none' 'tun del tap0' 0 '' ''
	t 'help needs none' 'tun help' 0 'Usage' ''
	umount /dev/net
}
closing
