#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tun show: text and JSON side by side, ip(8) as the judge of the flags.
name=show
guest=1
. "$(dirname "$0")/lib.sh"
in_namespace "$@"

t 'no device' 'tun' 0 '' ''
j 'no device, an empty array' 'tun' '. == []'
j 'no device, pretty' '-p tun show' '. == []'
t 'no device, brief' '-br tun' 0 '' ''
j 'get of none' 'tun get steering' '. == []'
t 'unknown device' 'tun show nope' 2 '' 'nope'
t 'unknown device under -j' '-j tun show nope' 2 '' 'nope'
t 'no tun' 'tun show lo' 2 '' 'lo.*tun'
ip link add veth0 type veth peer veth1
j 'other kinds are not listed' 'tun' '. == []'

ip tuntap add tap0 mode tap
ip tuntap add tap1 mode tap multi_queue
ip tuntap add tun0 mode tun
ip tuntap add tun1 mode tun multi_queue pi
ip tuntap add full mode tap multi_queue pi vnet_hdr user 1000 group 100
ip tuntap add owned mode tap user 0

# The flags, of each device, as ip has them.
flags='[.[] | {ifname, ifindex} + (if .linkinfo then .linkinfo.info_data |
	{mode: .type, pi, vnet_hdr, multi_queue, persist} else
	{mode, pi, vnet_hdr, multi_queue, persist} end)] | sort_by(.ifindex)'
same 'flags as ip shows them' \
	"$(ip -d -j link show type tun | jq "$flags")" \
	"$("$NSTEER" -j tun | jq "$flags")"
queues='[.[] | select(.linkinfo.info_data.multi_queue // .multi_queue) |
	{ifname} + ((.linkinfo.info_data // .) | {numqueues, numdisabled})]'
same 'queues as ip shows them' \
	"$(ip -d -j link show type tun | jq "$queues")" \
	"$("$NSTEER" -j tun | jq "$queues")"

j 'in order of ifindex' 'tun' '[.[].ifindex] == ([.[].ifindex] | sort)'
j 'the same keys of the same type everywhere' 'tun' \
	'all(.[]; (.ifname | type == "string") and (.ifindex | type == "number")
	and .kind == "tun" and ([.pi, .vnet_hdr, .multi_queue, .persist] |
	all(type == "boolean")) and .steering.policy == "automq" and
	.steering.backend == "kernel" and .filter == {policy: "off"})'
j 'owner and group as numbers' 'tun show full' \
	'.[0] | .user == 1000 and .group == 100'
j 'owner 0 is an owner' 'tun show owned' \
	'.[0] | .user == 0 and (has("group") | not)'
j 'nobody, no key' 'tun show tap0' '.[0] | has("user") or has("group") | not'
j 'no owner of automq' 'tun' 'all(.[].steering; has("owner") or has("prog") | not)'
j 'pi alone is no filter' 'tun show tun1' '.[0] | .pi and .filter.policy == "off"'

t 'text' 'tun show full' 0 \
	$'^full: mode tap multi_queue pi vnet_hdr user 1000 group 100\n\tpersist ifindex [0-9]+ queues 0 active 0 disabled\n\tsteering automq backend kernel\n\tfilter off\n$' ''
t 'dev before the name' 'tun show dev tap0' 0 $'^tap0: mode tap\n' ''
t 'no command is show' 'tun dev tap0' 0 $'^tap0: mode tap\n' ''
t 'options after the words' 'tun show tap0 -o' 0 $'^tap0: mode tap\\\\\tpersist ' ''
run '-o tun'
same 'a line for each' 6 "$(grep -c . <<<"${out%$'\n'}")"
t 'brief' '-br tun show tun1' 0 $'^tun1             tun  0    automq\n$' ''
j 'brief in JSON' '-br tun show tap1' \
	'. == [{ifname: "tap1", mode: "tap", numqueues: 0, steering: {policy: "automq"}}]'

# What the first line says is what "tun add" takes.
run 'tun'
while IFS= read -r line; do
	[[ $line == *: ]] || [[ $line == $'\t'* ]] || lines+=("$line")
done <<<"${out%$'\n'}"
same 'a first line for each' 6 "${#lines[@]}"
for line in "${lines[@]}"; do
	dev=${line%%:*}
	"$NSTEER" tun del "$dev"
	t "add takes the line of $dev" "tun add ${line/:/}" 0 '' ''
	run "tun show $dev"
	same "and makes $dev anew" "$line" "${out%%$'\n'*}"
done
same 'which ip confirms' \
	"$(ip -d -j link show type tun | jq "$flags")" \
	"$("$NSTEER" -j tun | jq "$flags")"

# ---- alternative names ----
ip link property add dev tap0 altname a-name-longer-than-fifteen-bytes
t 'by alternative name' 'tun show a-name-longer-than-fifteen-bytes' 0 '^tap0: ' ''
t 'set by alternative name' \
	'-j tun set a-name-longer-than-fifteen-bytes steering automq' 0 \
	'"ifname":"tap0"' '*'

# ---- processes, queues, programs ----
# The pi and vnet_hdr flags are those of whoever opens the device first.
hold tap1 tap multi_queue comm $'o(d\x01d)'
first=$held
hold tap1 tap multi_queue detach
second=$held
j 'active and disabled' 'tun show tap1' '.[0] | .numqueues == 1 and .numdisabled == 1'
t 'and in text' 'tun show tap1' 0 'queues 1 active 1 disabled' ''
j 'no processes without -d' 'tun show tap1' '.[0] | has("processes") | not'
j 'who holds it' '-d tun show tap1' ".[0].processes | length == 2 and
	(map(select(.pid == $first and .name == \"o(d\\u0001d)\" and
		(.detached | not) and (.queue // 0) == 0)) | length == 1) and
	(map(select(.pid == $second and .detached and (has(\"queue\") | not))) |
		length == 1) and all(.[]; .fd > 2)"
t 'who, in text' '-d tun show tap1' 0 \
	"process $first \\(o\\(d\\\\x01d\\)\\) fd [0-9]+( queue 0)?"$'\n' ''
t 'who, disabled' '-d tun show tap1' 0 "process $second \\(hold\\) fd [0-9]+ detached" ''
t 'and what no policy reaches' '-d tun show tap1' 0 'XDP redirects .* queue = CPU modulo active queues' ''
j 'nobody holds it' '-d tun show tap0' '.[0].processes == []'
j 'no counts without -s' 'tun show tap1' '.[0] | has("queues") | not'

# Counts: what went out by queue, as the mq root's classes have it.
ip link set tap1 up
ip address add 192.0.2.1/24 dev tap1
for _ in 1 2 3; do
	echo >/dev/udp/192.0.2.1/9
done
ip neigh add 192.0.2.2 lladdr 02:00:00:00:00:02 dev tap1
for _ in 1 2 3 4 5; do
	echo x >/dev/udp/192.0.2.2/9
done
j 'packets per queue' '-s tun show tap1' \
	'.[0].queues | length >= 1 and all(.[]; .bytes >= .packets) and
	(map(.packets) | add >= 5)'
if command -v tc >/dev/null; then
	of_classes() {
		tc -s class show dev tap1 | awk '/ pkt / { n += $4 } END { print n }'
	}
	# Between two looks at which nothing came: IPv6 sends on its own.
	for _ in {1..20}; do
		before=$(of_classes)
		ours=$("$NSTEER" -s -j tun show tap1 |
			jq '[.[0].queues[].packets] | add')
		[ "$before" != "$(of_classes)" ] || break
	done
	same 'which are those of the classes' "$before" "$ours"
fi
t 'in text' '-s tun show tap1' 0 $'\n\tqueue 0 packets [0-9]+ bytes [0-9]+\n' ''
j 'one queue, no classes' '-s tun show tap0' '.[0] | has("queues") | not'
release "$first"
release "$second"

# Somebody else's programs.
hold full tap multi_queue steer filter
steer=$(sed -n 's/.*steer \([0-9]*\).*/\1/p' <<<"$said")
filter=$(sed -n 's/.*filter \([0-9]*\).*/\1/p' <<<"$said")
j 'foreign programs' 'tun show full' ".[0] |
	.steering.policy == \"bpf\" and .steering.owner == \"foreign\" and
	.steering.backend == \"bpf-steering\" and .steering.prog.id == $steer and
	.steering.prog.name == \"someone_else\" and
	.filter.policy == \"bpf\" and .filter.prog.id == $filter"
t 'foreign programs in text' 'tun show full' 0 \
	$'\n\tsteering bpf backend bpf-steering prog someone_else id '"$steer"' tag [0-9a-f]{16} owner foreign'$'\n\tfilter bpf prog someone_else id '"$filter"' tag [0-9a-f]{16}'$'\n' ''
release "$held"
if command -v bpftool >/dev/null; then
	j 'the program of nsteer' 'tun set tap1 steering fixed 0' \
		'.[0].steering.prog.id > 0'
	id=$(jq '.[0].steering.prog.id' <<<"$out")
	same 'as bpftool has it' \
		"$(bpftool -j prog show id "$id" | jq -c '[.id, .name, .tag]')" \
		"$(jq -c '.[0].steering.prog | [.id, .name, .tag]' <<<"$out")"
fi
closing
