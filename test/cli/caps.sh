#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Without privileges: what can still be done is done, for the rest the missing
# capability is named.
name=caps
guest=1
. "$(dirname "$0")/lib.sh"
in_namespace "$@"

if ! command -v setpriv >/dev/null; then
	skip "machine: no setpriv"
	closing
	exit
fi
# as WHO OPTION...: makes a command that is nsteer with these privileges
real=$NSTEER
mkdir "$tmp/bin"
cp "$real" "$tmp/bin/nsteer"
chmod -R a+rX "$tmp"
as() {
	local who=$1
	shift
	printf '#!/bin/sh\nexec setpriv %s -- %q "$@"\n' "$*" \
		"$tmp/bin/nsteer" >"$tmp/as-$who"
	chmod a+rx "$tmp/as-$who"
}
all='--reuid 1000 --regid 1000 --clear-groups'
as user "$all"
# Root without some capabilities.
as nocap --bounding-set=-all --inh-caps=-all
as nobpf --bounding-set=-bpf,-sys_admin --inh-caps=-bpf,-sys_admin
as noperfmon --bounding-set=-perfmon,-sys_admin --inh-caps=-perfmon,-sys_admin
as admin --bounding-set=-bpf,-perfmon --inh-caps=-bpf,-perfmon
as nonet --bounding-set=-net_admin --inh-caps=-net_admin
as noptrace --bounding-set=-sys_ptrace,-sys_admin --inh-caps=-sys_ptrace,-sys_admin
as neither --bounding-set=-sys_ptrace,-bpf,-sys_admin \
	--inh-caps=-sys_ptrace,-bpf,-sys_admin
as few '--bounding-set=-all,+net_admin,+bpf,+perfmon' --inh-caps=-all

# who NAME: whom t and j run from here on
who() { NSTEER=$tmp/as-$1; }

# Where udev made it, anybody may open it; a container's is root's alone.
if ! mount -t tmpfs -o mode=755 none /dev/net ||
	! mknod -m 666 /dev/net/tun c 10 200 || ! : </dev/net/tun; then
	skip "machine: no /dev/net/tun of our own can be made"
	closing
	exit
fi 2>/dev/null

"$real" tun add tap0 multi_queue
"$real" tun add mine multi_queue user 1000
"$real" tun add theirs multi_queue user 4242
"$real" tun set mine steering cpu 2>/dev/null
"$real" tun add held multi_queue
hold held tap multi_queue

who user
t 'help' 'tun help' 0 'Usage' ''
t 'show without the steering, and why' 'tun show tap0' 0 \
	$'^tap0: mode tap multi_queue\n\tpersist ifindex [0-9]+ queues 0 active 0 disabled\n$' \
	'Warning: .*cap_bpf.*cap_perfmon'
j 'unknown, so no key' 'tun show mine' '.[0] | has("steering") or has("filter") | not'
t 'unknown, so a dash' '-br tun show mine' 0 $'^mine             tap  0    -\n$' 'Warning: '
t 'get fails' 'tun get steering mine' 2 '' 'cap_bpf'
t 'get of all fails' '-j tun get steering' 2 '' 'cap_bpf'
t 'add' 'tun add tap9' 2 '' 'cap_net_admin'
t 'add under -j' '-j tun add tap9' 2 '' 'cap_net_admin'
t 'del' 'tun del theirs' 2 '' 'cap_net_admin'
t 'set' 'tun set tap0 steering cpu' 2 '' 'cap_'
t 'another namespace' '-n /proc/1/ns/net tun' 2 '' 'cap_sys_(admin|ptrace)'
t 'policies need nothing' 'tun policy' 0 'cpu' ''
t 'an unknown device is that' 'tun del nope' 2 '' 'nope'
t 'del of what is ours' 'tun del mine' 0 '' '*'

who nobpf
t 'no bpf: set' 'tun set tap0 steering cpu' 2 '' 'cap_bpf'
t 'no bpf: show' 'tun show tap0' 0 '^tap0: ' 'cap_bpf'
who noptrace
j 'no ptrace: who holds it' '-d tun show held' \
	"[.[0].processes[].pid] == [$held]"
t 'nothing is missing' '-d tun show held' 0 '^held: ' ''
t 'a held device is not deleted' 'tun del held' 2 '' "process $held "
t 'no ptrace: set, by a queue of its own' 'tun set held steering fixed 0' 0 \
	'' '*'
who neither
j 'no ptrace, no bpf: who holds it is not known' '-d tun show held' \
	'.[0] | has("processes") | not'
t 'and that is said' '-d tun show held' 0 '^held: ' \
	'Warning: .*cap_sys_ptrace'
t 'so it is not deleted' 'tun del held' 2 '' 'held'
release "$held"
"$real" tun del held
who noperfmon
t 'no perfmon: get' 'tun get steering tap0' 2 '' 'cap_perfmon'
t 'no perfmon: show' 'tun show tap0' 0 '^tap0: ' 'cap_perfmon'
t 'no perfmon: set does not guess' 'tun set tap0 steering cpu' 2 '' 'cap_perfmon'
# It stands for both.
who admin
t 'sys_admin alone: set' 'tun set tap0 steering fixed 1' 0 '' '^Warning: tap0 has 0 active'
j 'sys_admin alone: get' 'tun get steering tap0' '.[0].steering.policy == "fixed"'
t 'sys_admin alone: show' '-d -s tun show tap0' 0 'fixed' ''
t 'sys_admin alone: back' 'tun set tap0 steering automq' 0 '' ''
who nonet
t 'no net_admin: add' 'tun add tap9' 2 '' 'cap_net_admin'
t 'no net_admin: set' 'tun set theirs steering cpu' 2 '' 'cap_net_admin'
t 'no net_admin: del' 'tun del theirs' 2 '' 'cap_net_admin'
t 'no net_admin: get' 'tun get steering theirs' 0 'automq' ''
# The kernel lets anybody open a queue of a device without an owner; one that
# does not is Debian's 6.12.117.
if setpriv --bounding-set=-net_admin --inh-caps=-net_admin \
	"$NSTEER_TEST_BIN/hold" tap0 tap multi_queue </dev/null >/dev/null 2>&1; then
	t 'no net_admin: set, nobody owns it' 'tun set tap0 steering cpu' 0 '' '*'
else
	t 'no net_admin: nobody owns it, nobody may' \
		'tun set tap0 steering cpu' 2 '' 'cap_net_admin'
fi
who nocap
t 'no capability: set' 'tun set tap0 steering cpu' 2 '' 'cap_'

# Three are enough.
who few
t 'three: set' 'tun set tap0 steering cpu' 0 '' '*'
j 'three: get' 'tun get steering tap0' '.[0].steering | .policy == "cpu" and .owner == "nsteer"'
j 'three: del' 'tun del tap0' '.[0].ifname == "tap0"'
j 'nothing else was done' 'tun' '[.[].ifname] == ["theirs"] and .[0].steering.policy == "automq"'

# Without the device that anybody may open.
chmod 600 /dev/net/tun
who user
t 'add: not even the device' 'tun add tap9' 2 '' '/dev/net/tun'
closing
