#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tc hooks: what stands where, in the order in which it runs, for whom it may be
# told. That packets agree to the order is in test/live/tc_hooks.c.
name=tc_hooks
# shellcheck disable=SC2034 # read by test/run
guest=1
. "$(dirname "$0")/lib.sh"
in_namespace "$@"

modprobe -qa cls_u32 cls_bpf sch_ingress 2>/dev/null
for dev in tap0 tap1 tap2 tap3; do
	"$NSTEER" tun add "$dev"
done
attach() { "$NSTEER_TEST_BIN/attach" "$@"; }

# ---- usage ----

t 'help' 'tc hooks help' 0 'dev' ''
t 'unknown word' 'tc hooks dev tap0 bogus' 1 '' 'unexpected word "bogus"'
t 'two devices' 'tc hooks tap0 tap1' 1 '' 'unexpected word "tap1"'
t 'dev without a name' 'tc hooks dev' 1 '' 'dev'
t 'near to it' 'tc hook' 1 '' '"hook".*hooks'
t '--fields' '--fields dev tc hooks' 1 '' '--fields'
t '--summary' '--summary tc hooks' 1 '' '--summary'
t '--terse=strict' '--terse=strict tc hooks' 1 '' '--terse=strict'

# ---- what is not there ----

t 'no device' 'tc hooks dev nix' 2 '' 'no device "nix"'
t 'no device, JSON' '-j tc hooks nix' 2 '' 'no device "nix"'
t 'nothing anywhere' 'tc hooks' 0 '' ''
t 'nothing at a device' 'tc hooks tap0' 0 '' ''
j 'nothing anywhere, JSON' 'tc hooks' '. == []'
j 'nothing at a device, JSON' 'tc hooks lo' '. == []'
j 'nothing with details' '-d tc hooks lo' '. == []'

if ! tc qdisc add dev tap0 clsact 2>/dev/null; then
	skip 'kernel: no clsact'
	closing
	exit
fi
t 'hooks without anything' 'tc hooks' 0 '' ''
t 'but with details' '-d tc hooks tap0' 0 \
	$'^dev tap0 ingress filters 0\ndev tap0 egress filters 0\n$' ''
j 'but with details, JSON' '-d tc hooks tap0' '. == [
	{dev: "tap0", hook: "ingress", filters: 0, classifiers: [], programs: []},
	{dev: "tap0", hook: "egress", filters: 0, classifiers: [], programs: []}]'

# ---- filters ----

ok() { check "tc $*" tc "$@"; }
if ! tc filter add dev tap0 ingress pref 20 protocol ip u32 match u32 0 0 2>/dev/null; then
	skip 'kernel: no u32'
	closing
	exit
fi
ok filter add dev tap0 ingress pref 11 protocol ipv6 chain 3 u32 match u32 0 0
ok filter add dev tap0 ingress pref 10 protocol 0x88b5 u32 match u32 0 0
ok filter add dev tap0 ingress pref 20 protocol ip u32 match u32 1 1
ok qdisc add dev tap1 ingress_block 22 egress_block 23 clsact
ok qdisc add dev tap2 egress_block 22 clsact
ok filter add block 22 pref 3 protocol all u32 match u32 0 0

one='dev tap0 ingress filters 7
	chain 0 pref 10 protocol 0x88b5 u32 filters 2
	chain 0 pref 20 protocol ip u32 filters 3
	chain 3 pref 11 protocol ipv6 u32 filters 2
'
two='block 22 filters 2
	on tap1 ingress
	on tap2 egress
	chain 0 pref 3 protocol all u32 filters 2
'
t 'text' 'tc hooks' 0 "^$one$two\$" ''
t 'a device' 'tc hooks dev tap0' 0 "^$one\$" ''
t 'a device that uses a block' 'tc hooks tap2' 0 "^$two\$" ''
t 'one line each' '-o tc hooks tap2' 0 $'^block 22 filters 2\\\\\ton tap1 ingress\\\\\ton [^\n]*\n$' ''
t 'one word each' '-br tc hooks' 0 \
'^tap0 +ingress +- +- +7 +0
- +- +- +22 +2 +0
$' ''
j 'JSON' 'tc hooks' '. == [
	{dev: "tap0", hook: "ingress", filters: 7, classifiers: [
	 {chain: 0, pref: 10, protocol: "0x88b5", kind: "u32", filters: 2},
	 {chain: 0, pref: 20, protocol: "ip", kind: "u32", filters: 3},
	 {chain: 3, pref: 11, protocol: "ipv6", kind: "u32", filters: 2}],
	 programs: []},
	{block: 22, filters: 2, devices: [{dev: "tap1", hook: "ingress"},
	 {dev: "tap2", hook: "egress"}], classifiers: [
	 {chain: 0, pref: 3, protocol: "all", kind: "u32", filters: 2}],
	 programs: []}]'
j 'hooks that use blocks, with details' '-d tc hooks tap1' '. == [
	{dev: "tap1", hook: "ingress", block: 22, filters: 0, classifiers: [], programs: []},
	{dev: "tap1", hook: "egress", block: 23, filters: 0, classifiers: [], programs: []},
	{block: 22, filters: 2, devices: [{dev: "tap1", hook: "ingress"},
	 {dev: "tap2", hook: "egress"}], classifiers: [
	 {chain: 0, pref: 3, protocol: "all", kind: "u32", filters: 2}], programs: []},
	{block: 23, filters: 0, devices: [{dev: "tap1", hook: "egress"}],
	 classifiers: [], programs: []}]'
t 'the same as text' '-d tc hooks tap1' 0 \
	$'^dev tap1 ingress block 22 filters 0\ndev tap1 egress block 23 filters 0\nblock 22 ' ''
run '-j tc hooks'
counted=$(jq 'map(.filters) | add' <<<"$out")
run '-j tc dump'
same 'as many as a dump has' "$(jq length <<<"$out")" "$counted"
if tc qdisc add dev tap3 root handle 1: htb 2>/dev/null; then
	ok class add dev tap3 parent 1: classid 1:10 htb rate 1mbit
	ok filter add dev tap3 parent 1: pref 4 protocol ip u32 match u32 0 0
	ok filter add dev tap3 parent 1:10 pref 5 protocol ip u32 match u32 0 0
	t 'queueing disciplines and classes' 'tc hooks tap3' 0 \
		$'^dev tap3 parent 1: filters 2\n\t[^\n]*\ndev tap3 parent 1:10 filters 2\n\t' ''
	j 'the same, JSON' 'tc hooks tap3' 'map(.parent) == ["1:", "1:10"] and
		all(.[]; .dev == "tap3" and (has("hook") or has("block") | not))'
	ok qdisc del dev tap3 root
else
	skip 'kernel: no htb'
fi

# ---- programs ----

ingress=46 egress=47
# Of the namespace, and gone with it.
bpffs=/run/bpf
mkdir "$bpffs"
if ! mount -t bpf none "$bpffs" 2>/dev/null ||
	! pin1=$(attach pin filter_a "$bpffs/a") ||
	! pin2=$(attach pin filter_b "$bpffs/b") ||
	! tc filter add dev tap0 egress pref 9 protocol all handle 5 bpf da \
		object-pinned "$bpffs/a" 2>/dev/null; then
	skip 'kernel: no programs in filters'
	closing
	exit
fi
ok filter add dev tap0 egress pref 9 protocol all handle 2 bpf da object-pinned "$bpffs/b"
ok filter add dev tap0 egress pref 4 protocol all bpf bytecode '1,6 0 0 0' flowid 1:1
tag=$(tc -j filter show dev tap0 egress pref 9 | jq -r '[.. | .tag? // empty][0]')
j 'programs of filters, in the order of their list' 'tc hooks tap0' '.[1] |
	.hook == "egress" and .filters == 3 and
	(.programs | map(del(.bpf_name))) == [
	{backend: "clsact", chain: 0, pref: 4, handle: 1},
	{backend: "clsact", prog: {id: '"$pin2"', name: "filter_b", tag: "'"$tag"'"},
	 chain: 0, pref: 9, handle: 2, "direct-action": true},
	{backend: "clsact", prog: {id: '"$pin1"', name: "filter_a", tag: "'"$tag"'"},
	 chain: 0, pref: 9, handle: 5, "direct-action": true}]'
t 'as text' 'tc hooks tap0' 0 "
dev tap0 egress filters 3
	chain 0 pref 4 protocol all bpf filters 1
	chain 0 pref 9 protocol all bpf filters 2
	clsact chain 0 pref 4 handle 0x1
	clsact prog $pin2 name filter_b tag $tag chain 0 pref 9 handle 0x2 bpf_name [^
]* direct-action
	clsact prog $pin1 name filter_a tag " ''
if command -v bpftool >/dev/null && bpftool -j net show >"$tmp/net" 2>/dev/null; then
	run '-j tc hooks tap0'
	same 'programs that bpftool sees' \
		"$(jq -c '[.[0].tc[] | select(.kind == "clsact/egress") | .id // empty]' "$tmp/net")" \
		"$(jq -c '[.[1].programs[] | .prog.id // empty]' <<<"$out")"
else
	skip 'machine: no bpftool'
fi

tcx=1
id1=$(attach $ingress tap0 first 2>"$tmp/err")
case $? in
0) ;;
2) tcx='' ;;
*) fail 'attach' "$(<"$tmp/err")" ;;
esac
if [ "$tcx" ]; then
	id2=$(attach $ingress tap0 second link "$bpffs/link")
	id3=$(attach $ingress tap0 before before)
	only=$(attach $egress tap3 only)
	bound=$(attach $egress tap2 bound)
	j 'programs of tcx' 'tc hooks tap0' '.[0] | .filters == 7 and
		(.programs | map(.backend) == ["tcx", "tcx", "tcx"] and
		 map(.prog.id) == ['"$id3, $id1, $id2"'] and
		 map(.prog.name) == ["before", "first", "second"] and
		 all(.[]; .prog.tag == "'"$tag"'") and
		 map(has("link")) == [false, false, true] and
		 (.[2].link | type) == "number" and
		 all(.[]; has("chain") or has("handle") or has("direct-action") | not))'
	t 'as text' 'tc hooks tap0' 0 "filters 2
	tcx prog $id3 name before tag $tag
	tcx prog $id1 name first tag $tag
	tcx prog $id2 name second tag $tag link [0-9]+
dev tap0 egress" ''
	attach $egress tap0 front >/dev/null
	j 'tcx before filters' 'tc hooks tap0' \
		'.[1].programs | map(.backend) == ["tcx", "clsact", "clsact", "clsact"]'
	j 'where nothing else is' 'tc hooks tap3' '. == [{dev: "tap3",
		hook: "egress", filters: 0, classifiers: [], programs: [{backend: "tcx",
		prog: {id: '"$only"', name: "only", tag: "'"$tag"'"}}]}]'
	j 'in front of a block' 'tc hooks tap2' 'length == 2 and
		(.[0] | .dev == "tap2" and .block == 22 and .filters == 0 and
		 .programs[0].prog.id == '"$bound"') and .[1].block == 22'
	t 'the same as text' 'tc hooks tap2' 0 \
		$'^dev tap2 egress block 22 filters 0\n\ttcx prog [0-9]+ name bound tag [0-9a-f]*\nblock 22 ' ''
	j 'of all' 'tc hooks' 'map([.dev // "", .hook // "", .block // 0]) == [
		["tap0", "ingress", 0], ["tap0", "egress", 0], ["tap2", "egress", 22],
		["tap3", "egress", 0], ["", "", 22]]'
else
	skip 'kernel: no tcx'
	j 'none of tcx' 'tc hooks tap0' '.[0].programs == []'
fi
j 'numbers are numbers' 'tc hooks' 'all(.. | objects;
	all(.filters, .block, .chain, .pref, .handle, .link, .id; . == null or type == "number"))'

# ---- who may know ----

if command -v setpriv >/dev/null; then
	real=$NSTEER
	cp "$real" "$tmp/nsteer"
	chmod 755 "$tmp" "$tmp/nsteer"
	# as OPTION...: t and j run it with these privileges
	as() {
		printf '#!/bin/sh\nexec setpriv %s -- %q "$@"\n' "$*" "$tmp/nsteer" >"$tmp/as"
		chmod 755 "$tmp/as"
		NSTEER=$tmp/as
	}
	unknown='^Warning: programs of tcx and netkit are unknown: .*cap_net_admin\)$'
	as --reuid 65534 --regid 65534 --clear-groups
	# A kernel without them says so in its BTF, which all may read.
	hidden=' hidden' warned=$unknown
	if [ ! "$tcx" ] && [ -r /sys/kernel/btf/vmlinux ]; then
		hidden='' warned=''
	fi
	t 'nobody sees filters, and programs of filters' 'tc hooks tap0' 0 \
		"^${one/filters 7/filters 7$hidden}dev tap0 egress filters 3$hidden
	chain 0 pref 4 protocol all bpf filters 1
	chain 0 pref 9 protocol all bpf filters 2
	clsact chain 0 pref 4 handle 0x1
	clsact prog $pin2 tag $tag chain 0 pref 9 handle 0x2 [^
]*
	clsact prog $pin1 tag $tag chain 0 pref 9 handle 0x5 [^
]*
\$" "$warned"
	j 'what is known, and that there may be more' 'tc hooks tap0' \
		'map(.programs | length) == [0, 3] and
		all(.[]; .hidden == '"$([ "$hidden" ] && echo true || echo null)"')'
	j 'a block has none that nobody may know' 'tc hooks' \
		'.[-1] | .block == 22 and .programs == [] and (has("hidden") | not)'
	t 'said once' 'tc hooks' 0 'block 22' "$warned"
	t 'a dash in columns' '-br tc hooks tap0' 0 \
		"^tap0 +ingress +- +- +7 +${hidden:+-}[^"$'\n'"]*"$'\n'"tap0 +egress +- +- +3 +${hidden:+-}[^"$'\n'"]*"$'\n$' "$warned"
	# Only what tells the names is missing.
	as --bounding-set=-sys_admin --inh-caps=-sys_admin
	t 'without names' 'tc hooks tap0' 0 "prog $pin2 tag $tag chain" ''
	j 'without names, JSON' 'tc hooks tap0' '.[1].programs[-1].prog ==
		{id: '"$pin1"', tag: "'"$tag"'"}'
	[ ! "$tcx" ] || j 'the id alone' 'tc hooks tap0' \
		'.[0].programs[0] == {backend: "tcx", prog: {id: '"$id3"'}}'
	NSTEER=$real
else
	skip 'machine: no setpriv'
fi

# ---- what cannot be told ----

modprobe -q cls_fw 2>/dev/null
if tc filter add dev tap0 ingress pref 15 protocol ip fw 2>/dev/null; then
	broke='^Error: tap0 ingress, chain 0, pref 15: the kernel ended the list at the classifier fw, so what follows here is missing; [^
]*handle[^
]*$'
	t 'one place does not hide the others' 'tc hooks' 3 '^dev tap0 ingress filters 2 incomplete
	chain 0 pref 10 protocol 0x88b5 u32 filters 2
.*dev tap0 egress filters 3
.*block 22 filters 2
' "$broke"
	run '-j tc hooks'
	same 'JSON: exit status' 3 "$code"
	same 'JSON: it is marked' '[true,null]' \
		"$(jq -c '[.[0].incomplete, .[-1].incomplete]' <<<"$out")"
	ok filter add dev tap0 egress pref 1 protocol ip fw
	t 'two of them' 'tc hooks tap0' 3 'egress filters [03] incomplete
' 'missing; [^
]*\(the first of 2 losses, in 2 places\)$'
	ok filter del dev tap0 egress pref 1
	ok filter del dev tap0 ingress pref 15
else
	skip 'kernel: no fw'
fi

# ---- names ----

odd=$'a\xff\x1b"'
ip link set tap1 name "$odd"
t 'a name that is no text' 'tc hooks' 0 $'\ton a\\\\xff\\\\x1b" ingress\n' ''
j 'it in JSON' 'tc hooks' \
	'.[-1].devices[0] | .dev == "a\ufffd\u001b\"" and .dev_hex == "61ff1b22"'
t 'asked for' "-d tc hooks $'a\\xff\\x1b\"'" 0 '^dev a\\xff\\x1b" ingress block 22 ' ''
ip link set "$odd" name tap1

# ---- output that fails ----

for opts in '' -j -o -br; do
	t "no room for it $opts" "$opts tc hooks >/dev/full" 2 '' \
		'Error: cannot write to stdout: No space left on device'
done
closing
