#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tc dump: what is not there, and how it tells filters of u32, which more kernels
# have than any other kind. What it tells of each kind is in tc_same.sh.
name=tc
# shellcheck disable=SC2034 # read by test/run
guest=1
. "$(dirname "$0")/lib.sh"
in_namespace "$@"

modprobe -qa cls_u32 sch_ingress act_gact act_mirred 2>/dev/null
for dev in tap0 tap1 tap2 tap3; do
	"$NSTEER" tun add "$dev"
done

# ---- what is not there ----

t 'no device' 'tc dump dev nix' 2 '' 'no device "nix"'
t 'no device, bare' 'tc dump nix ingress' 2 '' 'no device "nix"'
t 'no device, JSON' '-j tc dump nix' 2 '' 'no device "nix"'
t 'no device, a summary' '--summary tc dump nix' 2 '' 'no device "nix"'
t 'no device, columns' '--fields dev tc dump nix' 2 '' 'no device "nix"'
t 'no block' 'tc dump block 77' 2 '' 'block 77'
t 'no block, JSON' '-j tc dump block 77' 2 '' 'block 77'
t 'no hook' 'tc dump tap3 ingress' 2 '' 'no hook tap3 ingress: .*clsact or ingress'
t 'no hook, JSON' '-j tc dump tap3 egress' 2 '' 'tap3 egress'
t 'no parent' 'tc dump tap3 parent 1:' 2 '' 'tap3 parent 1:'

if ! tc qdisc add dev tap0 clsact 2>/dev/null; then
	skip 'kernel: no clsact'
	closing
	exit
fi

t 'nothing anywhere' 'tc dump' 0 '' ''
t 'an empty device' 'tc dump dev tap0' 0 '' ''
t 'an empty hook' 'tc dump tap0 ingress' 0 '' ''
t 'the other one' 'tc dump dev tap0 egress' 0 '' ''
j 'nothing anywhere, JSON' 'tc dump' '. == []'
j 'an empty hook, JSON' 'tc dump tap0 ingress' '. == []'
j 'an empty hook, pretty' '-p tc dump tap0 ingress' '. == []'
j 'an empty hook, a summary' '--summary tc dump tap0 ingress' '. == []'
j 'an empty hook, columns' '--fields dev tc dump tap0 ingress' '. == []'
t 'nor statistics' '-s tc dump' 0 '' ''

# ---- filters ----

if ! tc filter add dev tap0 ingress pref 10 protocol ip \
	u32 match ip dst 192.0.2.1/32 flowid 1:5 2>/dev/null; then
	skip 'kernel: no u32'
	closing
	exit
fi
ok() { check "tc $*" tc "$@"; }
ok filter add dev tap0 ingress pref 11 protocol ip chain 5 u32 match ip src 192.0.2.0/24
ok filter add dev tap0 egress pref 20 protocol ipv6 u32 match u32 0 0
ok filter add dev tap0 egress pref 21 protocol 0x88b5 chain 268435455 u32 match u32 0 0
ok qdisc add dev tap1 ingress_block 7 egress_block 8 clsact
ok qdisc add dev tap2 ingress_block 7 clsact
ok filter add block 7 pref 3 protocol all u32 match u32 0 0

place='dev tap0 ingress chain 0 pref 10 protocol ip u32 handle'
one="$place 0x80000000
	ht_divisor 1
$place 0x80000800 not_in_hw
	match \[ \{ value 0xc0000201 mask 0xffffffff off 16 \} \] terminal key_ht 0x800 bkt 0x0 flowid 1:5
"
t 'lines' 'tc dump tap0 pref 10' 0 "^$one\$" ''
# u32 may count itself (CONFIG_CLS_U32_PERF).
counted=${one/off 16/off 16( success [0-9]+)?}
counted=${counted/flowid 1:5/flowid 1:5( rule_hit [0-9]+ success [0-9]+)?}
t 'no statistics of what has no actions' '-s tc dump tap0 pref 10' 0 "^$counted\$" ''
t 'in every place' 'tc dump' 0 '^dev tap0 ingress .*dev tap0 egress .*block 7 chain 0 pref 3 ' ''
t 'one line each' '-o tc dump tap0 pref 10' 0 \
	"^$place 0x80000000"$'\\\\\t'"ht_divisor 1"$'\n'"$place 0x80000800 not_in_hw"$'\\\\\t'"match [^"$'\n'"]*"$'\n$' ''
run 'tc dump'
same 'lines that do not begin with a tab' 10 "$(grep -vc $'^\t' <<<"${out%$'\n'}")"
run '-o tc dump'
same 'one line per filter' 10 "$(grep -c . <<<"$out")"

j 'a filter' 'tc dump tap0 pref 10' '. == [
	{dev: "tap0", hook: "ingress", chain: 0, pref: 10, protocol: "ip",
	 kind: "u32", options: {handle: 2147483648, ht_divisor: 1}},
	{dev: "tap0", hook: "ingress", chain: 0, pref: 10, protocol: "ip",
	 kind: "u32", options: {handle: 2147485696, not_in_hw: true,
	 match: [{value: 3221225985, mask: 4294967295, off: 16}],
	 terminal: true, key_ht: 2048, bkt: 0, flowid: "1:5"}}]'
j 'the same, pretty' '-p tc dump tap0 pref 10' 'length == 2 and .[1].options.flowid == "1:5"'
j 'numbers are numbers' 'tc dump' 'length == 10 and
	all(.[]; all(.chain, .pref, .options.handle; type == "number"))'
j 'the largest chain' 'tc dump tap0 pref 21' \
	'length == 2 and all(.[]; .chain == 268435455 and .protocol == "0x88b5")'
j 'a device or a block' 'tc dump' 'all(.[]; has("dev") != has("block") and
	has("hook") == has("dev") and (has("parent") | not))'
t 'the largest chain, text' 'tc dump tap0 pref 21' 0 ' chain 268435455 pref 21 protocol 0x88b5 ' ''

# ---- selection ----

j 'ingress' 'tc dump tap0 ingress' 'length == 4 and all(.[]; .hook == "ingress")'
j 'egress' 'tc dump tap0 egress' 'length == 4 and all(.[]; .hook == "egress")'
j 'ingress as a parent' 'tc dump tap0 parent ffff:fff2' \
	'length == 4 and all(.[]; .hook == "ingress")'
j 'pref' 'tc dump pref 20' 'length == 2 and all(.[]; .pref == 20)'
j 'no such pref' 'tc dump pref 9' '. == []'
j 'chain' 'tc dump chain 5' 'length == 2 and all(.[]; .chain == 5)'
j 'chain 0 is one too' 'tc dump chain 0' 'length == 6 and all(.[]; .chain == 0)'
j 'no such chain' 'tc dump tap0 chain 6' '. == []'
j 'protocol' 'tc dump protocol ip' 'length == 4 and all(.[]; .protocol == "ip")'
j 'protocol in other letters' 'tc dump protocol IPv6' 'length == 2'
j 'protocol as a number' 'tc dump protocol 0x88b5' 'length == 2'
j 'protocol in decimal' 'tc dump protocol 34997' 'length == 2'
j 'protocol all is one, not any' 'tc dump protocol all' \
	'length == 2 and all(.[]; .block == 7)'
j 'kind' 'tc dump kind u32' 'length == 10'
j 'another kind' 'tc dump kind flower' '. == []'
j 'no kind of any kernel' 'tc dump kind nix' '. == []'
j 'all at once' 'tc dump dev tap0 ingress chain 5 pref 11 protocol ip kind u32' 'length == 2'
j 'all but one' 'tc dump dev tap0 ingress chain 5 pref 11 protocol arp kind u32' '. == []'

# ---- shared blocks ----

j 'a shared block, once' 'tc dump' \
	'[.[] | select(.block == 7)] | length == 2 and all(has("dev") | not)'
j 'a block' 'tc dump block 7' 'length == 2 and all(.[]; .block == 7 and .pref == 3)'
j 'a block that is empty' 'tc dump block 8' '. == []'
j 'through a device' 'tc dump tap1 ingress' \
	'length == 2 and all(.[]; .block == 7 and (has("dev") | not))'
j 'through the other one' 'tc dump dev tap2' 'length == 2 and all(.[]; .block == 7)'
t 'a block, text' 'tc dump block 7' 0 '^block 7 chain 0 pref 3 protocol all u32 ' ''

# ---- terse ----

# No kernel has a terse form of u32: it is made here, and told.
t '--terse' '--terse tc dump tap0 pref 10' 0 \
	"^$place 0x80000000"$'\n'"$place 0x80000800 not_in_hw"$'\n$' \
	'^Warning: tap0 ingress, chain 0, pref 10: .*u32 has no terse form'
j '--terse, JSON: the same shape' '--terse tc dump tap0 pref 10' '. == [
	{dev: "tap0", hook: "ingress", chain: 0, pref: 10, protocol: "ip",
	 kind: "u32", options: {handle: 2147483648}},
	{dev: "tap0", hook: "ingress", chain: 0, pref: 10, protocol: "ip",
	 kind: "u32", options: {handle: 2147485696, not_in_hw: true}}]'
t '--terse=strict' '--terse=strict tc dump tap0 pref 10' 2 '' '^Error: .*no terse form'
t '--terse=strict, JSON' '-j --terse=strict tc dump' 2 '' '^Error: .*no terse form'
t '--terse=strict, nothing to read' '--terse=strict tc dump tap1 egress' 0 '' ''
t 'warned of once' '--terse tc dump tap0 ingress' 0 '*' '^Warning: [^'$'\n'']*$'

# ---- columns ----

fields=dev,hook,parent,block,chain,pref,protocol,kind,handle,flags,bytes,packets
fields+=,drops,hw_bytes,hw_packets,actions,cookie

t '--fields' '--fields pref,dev,handle,kind,hook tc dump tap0 pref 10' 0 \
'^pref  dev             handle     kind     hook
10    tap0            0x80000000 u32      ingress
10    tap0            0x80000800 u32      ingress
$' ''
t 'what is not there' '--fields dev,block,actions,cookie tc dump block 7' 0 \
'^dev             block actions              cookie
-               7     -                    -
-               7     -                    -
$' ''
j '--fields, JSON' '--fields pref,dev,handle,kind,hook tc dump tap0 pref 10' '. == [
	{pref: 10, dev: "tap0", handle: 2147483648, kind: "u32", hook: "ingress"},
	{pref: 10, dev: "tap0", handle: 2147485696, kind: "u32", hook: "ingress"}]'
j 'in the order that was given' '--fields pref,dev,handle,kind,hook tc dump tap0' \
	'all(.[]; keys_unsorted == ["pref", "dev", "handle", "kind", "hook"])'
j 'in another one' '--fields kind,pref tc dump tap0' \
	'all(.[]; keys_unsorted == ["kind", "pref"])'
j 'what is not there, JSON' '--fields dev,block,actions,cookie,bytes,flags tc dump block 7' \
	'. == [{block: 7, actions: [], flags: []},
	       {block: 7, actions: [], flags: ["not_in_hw"]}]'
t 'each field' "--fields ${fields//, /,} tc dump tap0 pref 10" 0 \
	'^dev +hook +parent .* cookie'$'\n''tap0 +ingress +ffff:fff2 +- +0 +10 +ip +u32 +0x80000000 ' ''

# ---- counts ----

t '--summary' '--summary tc dump block 7' 0 \
'^dev +hook +parent +block chain pref +kind +hw +filters +packets +bytes
- +- +- +7 +0 +3 +u32 +- +1 +0 +0
- +- +- +7 +0 +3 +u32 +not_in_hw +1 +0 +0
$' ''
j '--summary, JSON' '--summary tc dump block 7' '. == [
	{block: 7, chain: 0, pref: 3, kind: "u32", filters: 1, packets: 0, bytes: 0},
	{block: 7, chain: 0, pref: 3, kind: "u32", hw: "not_in_hw", filters: 1,
	 packets: 0, bytes: 0}]'
for n in {1..100}; do
	echo "filter add block 8 pref 30 protocol ip u32 match ip dport $n 0xffff"
done >"$tmp/batch"
ok -b "$tmp/batch"
j 'many are counted' '--summary tc dump block 8' 'length == 2 and
	(map(select(.hw == "not_in_hw")) | length == 1 and .[0].filters == 100)'
j 'and listed' 'tc dump block 8' 'length == 101'
j 'all of them' '--summary tc dump' '(map(.filters) | add) == 111'

# ---- actions ----

if tc filter add dev tap0 egress pref 40 protocol ip u32 match u32 0 0 \
	action mirred egress redirect dev tap1 2>/dev/null; then
	action='	action 1 mirred egress redirect dev tap1 stolen ref 1 bind 1 [^
]*index [0-9]+
'
	stats='	  bytes 0 packets 0 drops 0 overlimits 0 requeues 0 backlog 0 qlen 0
'
	t 'an action' 'tc dump tap0 pref 40' 0 "$action\$" ''
	t 'its statistics' '-s tc dump tap0 pref 40' 0 "$action$stats\$" ''
	j 'no statistics without -s' 'tc dump tap0 pref 40' \
		'.[1].options.actions | length == 1 and (.[0] |
		 .order == 1 and .kind == "mirred" and .to_dev == "tap1" and
		 (.index | type) == "number" and (has("stats") | not))'
	j 'statistics with -s' '-s tc dump tap0 pref 40' \
		'.[1].options.actions[0].stats == {bytes: 0, packets: 0, drops: 0,
		 overlimits: 0, requeues: 0, backlog: 0, qlen: 0}'
	j 'statistics as columns' '--fields bytes,packets,drops,actions tc dump tap0 pref 40' \
		'.[1] == {bytes: 0, packets: 0, drops: 0, actions: ["mirred"]}'
	t 'the same as text' '--fields actions,bytes tc dump tap0 pref 40' 0 \
		'mirred               0'$'\n$' ''
	ip link set tap1 name $'to\x1b'
	t 'a target that is no text' 'tc dump tap0 pref 40' 0 ' dev to\\x1b stolen ' ''
	ip link set $'to\x1b' name tap1
	ok filter del dev tap0 egress pref 40
else
	skip 'kernel: no mirred'
fi

# ---- what the kernel does not tell ----

t 'ffff: of clsact, which answers to its hooks alone' 'tc dump tap0 parent ffff:' 2 '' \
	'there is no qdisc or class tap0 parent ffff:'
if tc qdisc add dev tap3 ingress 2>/dev/null; then
	ok filter add dev tap3 ingress pref 1 protocol ip u32 match u32 0 0
	j 'ffff: of the qdisc ingress' 'tc dump tap3 parent ffff:' \
		'length == 2 and all(.[]; .hook == "ingress")'
	t 'which has no egress' 'tc dump tap3 egress' 2 '' 'there is no hook tap3 egress'
	ok qdisc del dev tap3 ingress
	ok qdisc add dev tap3 ingress_block 7 ingress
	t 'nor with a block' 'tc dump tap3 egress' 2 '' 'there is no hook tap3 egress'
	j 'but the block' 'tc dump tap3 ingress' 'length == 2 and all(.[]; .block == 7)'
	ok qdisc del dev tap3 ingress
fi

# A classifier of which nothing can be told, nor of what stands behind it.
modprobe -qa cls_fw cls_matchall act_gact act_pedit 2>/dev/null
if tc filter add dev tap0 ingress pref 5 protocol ip fw 2>/dev/null; then
	broke='^Error: tap0 ingress, chain 0, pref 5: the kernel ended the list at the classifier fw'
	t 'that place' 'tc dump tap0 ingress' 3 '' "$broke"
	t 'what stands behind it, by itself' 'tc dump tap0 ingress pref 10' 0 "^$one\$" ''
	for opts in '' -o --terse '--fields dev'; do
		t "one place does not hide the others $opts" "$opts tc dump" 3 'tap0' "${broke#^}"
	done
	run '-j tc dump'
	same 'JSON' '3 true 0' "$code $(jq 'length > 100 and any(.[]; .hook == "egress")' <<<"$out") $(
		jq 'map(select(.hook == "ingress" and .dev == "tap0")) | length' <<<"$out")"
	run '-j --summary tc dump block 8'
	same 'a summary of one that can' 0 "$code"
	run '-j --summary tc dump'
	same 'a summary of what there is' '3 true' \
		"$code $(jq '(map(.filters) | add) > 100' <<<"$out")"
	t 'a summary, text' '--summary tc dump' 3 'tap0 +egress ' "$broke"
	ok filter add dev tap0 egress pref 5 protocol ip fw
	t 'two of them' 'tc dump' 3 'block 7' "$broke.*\(the first of 2 losses, in 2 places\)\$"
	ok filter del dev tap0 egress pref 5
	ok filter del dev tap0 ingress pref 5
else
	skip 'kernel: no fw'
fi

# matchall loses what does not fit into a message of the kernel.
"$NSTEER" tun add tap4
ok qdisc add dev tap4 clsact
if tc filter add dev tap4 egress pref 1 protocol ip matchall action gact pass 2>/dev/null; then
	t 'strict: it has no terse form' '--terse=strict tc dump tap4 egress' 2 '' \
		'tap4 egress, chain 0, pref 1: the classifier matchall has no terse form'
	j 'but strict of others' '--terse=strict tc dump tap4 egress kind flower' '. == []'
	acts=$(printf ' action gact pipe%.0s' {1..31})
	for n in {1..8}; do
		# shellcheck disable=SC2086
		ok filter add dev tap4 ingress pref "$n" protocol ip matchall $acts action gact pass
	done
	for opts in '' --terse '--fields pref'; do
		for place in tap4 'tap4 ingress'; do
			j "32 actions each $opts $place" "$opts tc dump $place" \
				'map(.pref)[:8] == [range(1; 9)]'
		done
	done
	j '32 actions each, counted' 'tc hooks tap4' 'map(.filters) == [8, 1]'
	munge=$(printf ' munge ip ttl set 1%.0s' {1..100})
	ok filter del dev tap4 ingress
	acts=
	for n in {1..12}; do
		# shellcheck disable=SC2086
		tc actions add action pedit ex $munge pipe index "$n" 2>/dev/null &&
			acts+=" action pedit index $n"
	done
	# shellcheck disable=SC2086
	if [ "$acts" ] && tc filter add dev tap4 ingress pref 3 protocol ip \
		matchall $acts 2>/dev/null; then
		ok filter add dev tap4 ingress pref 4 protocol ip u32 match u32 0 0
		large='^Error: tap4 ingress, chain 0, pref 3: a filter \(matchall\) does not fit into a message of the kernel, so it is missing$'
		for opts in '' -o '--fields pref,hook'; do
			t "too large $opts" "$opts tc dump tap4" 3 '.' "$large"
			run "$opts -j tc dump tap4"
			same "too large, JSON $opts" '3 [4,4,1]' "$code $(jq -c 'map(.pref)' <<<"$out")"
		done
		t 'too large, terse' '--terse tc dump tap4 ingress' 3 'pref 4 ' "${large#^}"
		t 'too large, a summary' '--summary tc dump tap4' 3 ' 4 +u32 ' "$large"
		t 'too large, counted' 'tc hooks tap4' 3 '^dev tap4 ingress filters 2 incomplete' "$large"
	else
		skip 'kernel: no pedit'
	fi
else
	skip 'kernel: no matchall'
fi
"$NSTEER" tun del tap4

# ---- names ----

odd=$'a\xff\x1b"'
ip link set tap0 name "$odd"
t 'a name that is no text' "tc dump $'a\\xff\\x1b\"' pref 10" 0 '^dev a\\xff\\x1b" ingress ' ''
t 'it in columns' '--fields dev,pref tc dump pref 10' 0 $'\n''a\\xff\\x1b"      10'$'\n' ''
j 'it in JSON' 'tc dump pref 10' 'length == 2 and
	all(.[]; .dev == "a\ufffd\u001b\"" and .dev_hex == "61ff1b22")'
j 'it in columns of JSON' '--fields dev,pref tc dump pref 10' \
	'all(.[]; .dev == "a\ufffd\u001b\"" and .dev_hex == "61ff1b22")'
j 'it in a summary' '--summary tc dump pref 10' 'all(.[]; .dev_hex == "61ff1b22")'
t 'it in a warning' '--terse tc dump pref 10' 0 '*' '^Warning: a\\xff\\x1b" ingress'
t 'such a name of none' "tc dump $'b\\xff\\x1b'" 2 '' 'no device "b\\xff\\x1b"'
ip link set "$odd" name ingress
j 'a name that is a word' 'tc dump dev ingress ingress' \
	'length == 4 and all(.[]; .dev == "ingress" and .hook == "ingress")'
ip link set ingress name tap0

# ---- output that fails ----

for opts in '' -j -o --summary '--fields dev,pref' '--fields dev -j' '-s --terse'; do
	t "no room for it $opts" "$opts tc dump >/dev/full" 2 '' \
		'Error: cannot write to stdout: No space left on device'
done
t 'closed' 'tc dump >&-' 2 '' 'Error: cannot write to stdout'

# More than the buffers of a pipe hold.
for n in {1..2000}; do
	echo "filter add block 8 pref 31 protocol ip u32 match ip dport $n 0xffff match ip sport $n 0xffff"
done >"$tmp/batch"
ok -b "$tmp/batch"
for opts in '' -j -s -o; do
	# shellcheck disable=SC2086
	same "cut: the first line $opts" 1 \
		"$(timeout 60 "$NSTEER" $opts tc dump block 8 2>"$tmp/err" | head -n 1 | grep -c .)"
	# shellcheck disable=SC2086
	timeout 60 "$NSTEER" $opts tc dump block 8 2>"$tmp/err" | head -c 1 >/dev/null
	code=${PIPESTATUS[0]}
	# Of SIGPIPE, or where that is ignored of EPIPE.
	case $code in
	141 | 2) pass ;;
	*) fail "cut $opts" "exit status $code" ;;
	esac
done
code=$(trap '' PIPE
	timeout 60 "$NSTEER" tc dump block 8 2>"$tmp/err" | head -c 1 >/dev/null
	echo "${PIPESTATUS[0]}")
same 'cut, SIGPIPE ignored' "2 Error: cannot write to stdout: Broken pipe" "$code $(<"$tmp/err")"
j 'all of it' 'tc dump block 8 | cat' 'length == 2102'
# ---- order ----

modprobe -q sch_htb
if tc qdisc add dev tap0 root handle 1: htb 2>/dev/null &&
	tc class add dev tap0 parent 1: classid 1:10 htb rate 1mbit &&
	tc filter add dev tap0 parent 1:10 pref 1 protocol ip u32 match u32 0 0; then
	j 'device by device, blocks last' 'tc dump' '
		map(.dev // "") | . as $d | last == "" and
		([range(1; length) | select($d[.] != $d[. - 1])] | length) ==
		(unique | length) - 1'
	j 'hooks first' 'tc dump tap0' 'map(.hook // "parent") | last == "parent" and
		.[0] == "ingress"'
else
	skip 'kernel: no htb'
fi
closing
