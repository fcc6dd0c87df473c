#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# --netns: acts there and nowhere else, and asks neither /sys nor the caller's
# namespace.
name=netns
guest=1
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

# The name is the same, the device is not.
ip netns exec two "$NSTEER" tun add both multi_queue
"$NSTEER" tun add both multi_queue
hold both tap multi_queue
j 'held here' '-d tun show both' ".[0].processes | map(.pid) == [$held]"
j 'not there' '-n two -d tun show both' '.[0].processes == []'
t 'so it may go there' '-n two tun del both' 0 '' ''
t 'and not here' 'tun del both' 2 '' "$held"
release "$held"

# ---- a /proc that does not tell where we are ----
# In a namespace of the caller's choice or not at all: never in his own.
real=$NSTEER
devices() { ip "$@" -j link show type tun | jq -r '.[].ifname' | sort | xargs; }

# there_or_nowhere NAME: what t and j run is in $NSTEER
there_or_nowhere() {
	local before line
	if grep -qa __asan_init "$real"; then
		NSTEER=$real
		skip "machine: the leak checker needs its /proc ($1)"
		return
	fi
	"$real" -n two tun add theirs multi_queue
	"$real" tun add ours multi_queue
	before=$(devices)
	run '-j -n two tun show'
	if [ "$code" = 0 ]; then
		same "$1: show" "$(devices -n two)" \
			"$(jq -r '.[].ifname' <<<"$out" | sort | xargs)"
	else
		t "$1: show" '-n two tun show' 2 '' 'Error: '
	fi
	run '-n two tun add new multi_queue'
	same "$1: add leaves ours alone" "$before" "$(devices)"
	if [ "$code" = 0 ]; then
		check "$1: add" ip -n two link show new
	else
		t "$1: add" '-n two tun add new' 2 '' 'Error: '
	fi
	for line in 'set ours steering cpu' 'del ours'; do
		t "$1: $line" "-n two tun $line" 2 '' 'Error: '
	done
	same "$1: del leaves ours alone" "$before" "$(devices)"
	NSTEER=$real j "$1: set leaves ours alone" 'tun get steering ours' \
		'.[0].steering.policy == "automq"'
	run '-n two tun del theirs'
	if [ "$code" = 0 ]; then
		same "$1: del" '' "$(ip -n two link show theirs 2>/dev/null)"
	else
		t "$1: del" '-n two tun del theirs' 2 '' 'Error: '
	fi
	NSTEER=$real
	for line in theirs new; do
		ip -n two link del "$line" 2>/dev/null
	done
	ip link del ours
}

# behind COMMAND...: makes that the command which t and j run
behind() {
	printf '#!/bin/sh\nexec %s "$@"\n' "$*" >"$tmp/behind"
	chmod +x "$tmp/behind"
	NSTEER=$tmp/behind
}

behind unshare -m sh -c "'mount -t tmpfs none /proc && exec \"\$0\" \"\$@\"'" "$real"
there_or_nowhere 'no /proc'

# As after `nsenter -m` into a container: the numbers there are others.
unshare -m -p -f --mount-proc --kill-child sleep 60 2>/dev/null &
pid=$!
holders+=("$pid")
inside=''
for _ in {1..50}; do
	inside=$(cat "/proc/$pid/task/$pid/children" 2>/dev/null)
	[ "$(tr '\0' ' ' 2>/dev/null <"/proc/${inside% }/cmdline")" != 'sleep 60 ' ] || break
	sleep 0.02
done
behind unshare -m sh -c "'nsenter -t ${inside% } -p mount -t proc none /proc &&
	exec \"\$0\" \"\$@\"'" "$real"
there_or_nowhere "another's /proc"
# The first process of a namespace ignores what it does not ask for, and
# unshare waits for it.
kill -KILL "${inside% }"
release "$pid"

# ---- without root ----
# Nothing but the namespace of a child can be entered, and there is no way back.
cp "$real" "$tmp/nsteer"
chmod -R a+rX "$tmp"
# shellcheck disable=SC2016
rootless='unshare -n sleep 60 & pid=$!
	trap "kill $pid" EXIT
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ "$(readlink /proc/$pid/ns/net)" = "$(readlink /proc/self/ns/net)" ] ||
			break
		sleep 0.05
	done
	"$0" -n pid:$pid tun add tap0 multi_queue &&
	nsenter -t $pid -n -- ip link show tap0 >/dev/null &&
	"$0" -n pid:$pid -j tun 2>/dev/null &&
	"$0" -n pid:$pid tun del tap0 2>/dev/null &&
	! nsenter -t $pid -n -- ip link show tap0 2>/dev/null'
as_user=(setpriv --reuid 1000 --regid 1000 --clear-groups --
	env -C / unshare -Ur --)
if ! "${as_user[@]}" true 2>/dev/null; then
	skip "machine: no user namespaces for everybody"
elif ! mount -t tmpfs -o mode=755 none /dev/net ||
	! mknod -m 666 /dev/net/tun c 10 200 || ! : </dev/net/tun; then
	skip "machine: no /dev/net/tun of our own can be made"
else
	same 'rootless' '["tap0"]' "$("${as_user[@]}" sh -c "$rootless" \
		"$tmp/nsteer" 2>&1 | jq -c 'map(.ifname)' 2>&1)"
	check 'rootless, all of it' "${as_user[@]}" sh -c "$rootless" \
		"$tmp/nsteer"
	same 'and nothing of it here' '' "$(ip link show tap0 2>/dev/null)"
fi
closing
