#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tc actions: what it refuses, and how it tells actions. That it tells the same as
# tc of each kind is in tc_same.sh.
name=tc_actions
# shellcheck disable=SC2034 # read by test/run
guest=1
. "$(dirname "$0")/lib.sh"
in_namespace "$@"

modprobe -qa act_gact act_mirred act_police act_bpf 2>/dev/null
ok() { check "tc $*" tc "$@"; }

# ---- usage ----

t 'help' 'tc actions help' 0 'kind K' ''
t 'unknown command' 'tc action' 1 '' 'did you mean.*actions'
t 'unknown word' 'tc actions dev lo' 1 '' 'unexpected word "dev".*kind'
t 'a bare word' 'tc actions gact' 1 '' 'unexpected word "gact"'
t 'kind without a value' 'tc actions kind' 1 '' 'kind'
t 'kind twice' 'tc actions kind gact kind gact' 1 '' 'kind'
t 'a kind that is too long' 'tc actions kind 1234567890123456' 1 '' 'up to 15 bytes'
t 'no kind' "tc actions kind ''" 1 '' 'up to 15 bytes'
t '--fields' '--fields kind tc actions' 1 '' '--fields does not go'
t '--summary' '--summary tc actions' 1 '' '--summary does not go'
t '--terse=bogus' '--terse=bogus tc actions' 1 '' '--terse'

# ---- what is not there ----

t 'nothing' 'tc actions' 0 '' ''
t 'nothing, terse' '--terse tc actions' 0 '' ''
j 'nothing, JSON' 'tc actions' '. == []'
j 'nothing, pretty' '-p -s tc actions' '. == []'
for kind in $("$NSTEER" help --words tc actions kind | grep -v ^-); do
	t "no $kind" "tc actions kind $kind" 0 '' ''
done
j 'of a kind, JSON' 'tc actions kind sample' '. == []'
no='no actions of kind nosuch, or their module is not loaded \(modprobe act_nosuch\)'
for opts in '' -j -s --terse --terse=strict; do
	t "no such kind $opts" "$opts tc actions kind nosuch" 2 '' "^Error: this kernel has $no"
done
t 'a terminal obeys none of it' "tc actions kind $'\\x1b[31m'" 2 '' 'kind \\x1b\[31m, or'

# ---- actions ----

if ! tc actions add action mirred egress redirect dev lo index 5 cookie 0a0b \
	2>/dev/null; then
	skip 'kernel: no mirred'
	closing
	exit
fi
ok actions add action mirred ingress mirror dev lo index 4000000000

# Kernels tell of it or not (Linux 6.1).
used='( used_hw_stats none)?'
one="mirred egress redirect dev lo stolen ref 1 bind 0$used index 5 cookie 0a0b"
two="mirred ingress mirror dev lo pipe ref 1 bind 0$used index 4000000000"
stats=$'\t  bytes 0 packets 0 drops 0 overlimits 0 requeues 0 backlog 0 qlen 0'
timed=${one/"$used"/ installed [0-9]+"$used"}
t 'lines' 'tc actions kind mirred' 0 "^$one"$'\n'"$two"$'\n$' ''
t 'statistics' '-s tc actions kind mirred' 0 "^$timed"$'\n'"$stats"$'\n'"mirred ingress mirror .*$stats"$'\n$' ''
t 'a line each' '-o -s tc actions' 0 "^$timed"'\\'"$stats"$'\n'"mirred ingress mirror [^"$'\n'"]*$stats"$'\n$' ''
t 'terse' '--terse tc actions' 0 '^mirred index 5 cookie 0a0b'$'\n''mirred index 4000000000'$'\n$' ''
t 'brief' '-br tc actions' 0 '^mirred index 5 cookie 0a0b'$'\n' ''
t 'strict is the same' '--terse=strict tc actions' 0 '^mirred index 5 cookie 0a0b'$'\n' ''
t 'terse with statistics' '-s --terse tc actions' 0 "^mirred index 5 cookie 0a0b"$'\n'"$stats"$'\n' ''

counts='{bytes: 0, packets: 0, drops: 0, overlimits: 0, requeues: 0, backlog: 0, qlen: 0}'
record='kind: "mirred", mirred_action: "redirect", direction: "egress",
	to_dev: "lo", control_action: {type: "stolen"}, ref: 1, bind: 0'
j 'JSON' 'tc actions kind mirred' "map(del(.used_hw_stats)) | .[0] == {$record,
	index: 5, cookie: \"0a0b\"} and .[1].index == 4000000000 and length == 2"
j 'statistics, JSON' '-s tc actions' 'length == 2 and
	all(.[]; .stats == '"$counts"' and .installed >= 0)'
j 'terse, JSON' '--terse tc actions' '. == [
	{kind: "mirred", index: 5, cookie: "0a0b"},
	{kind: "mirred", index: 4000000000}]'
j 'both, pretty' '-p -s --terse tc actions' '.[1] ==
	{kind: "mirred", index: 4000000000, stats: '"$counts"'}'
j 'no order' 'tc actions' 'all(.[]; has("order") | not)'
j 'of another kind' 'tc actions kind gact' '. == []'
ip netns add other
j 'of another namespace' '-n other tc actions' '. == []'

"$NSTEER" tun add gone
ok actions add action mirred egress redirect dev gone index 9
"$NSTEER" tun del gone
j 'a device that is gone' 'tc actions' '.[1] | .index == 9 and
	.to_dev_ifindex == 0 and (has("to_dev") | not)'
ok actions del action mirred index 9

# A filter uses it.
"$NSTEER" tun add tap0
if tc qdisc add dev tap0 clsact 2>/dev/null &&
	tc filter add dev tap0 egress pref 1 protocol ip u32 match u32 0 0 \
		action mirred index 5 2>/dev/null; then
	j 'bound' 'tc actions' '.[0].bind == 1 and .[0].ref == 2 and
		.[1].bind == 0'
	run '-j tc actions'
	a=$(jq -c '.[0] | del(.used_hw_stats)' <<<"$out")
	run '-j tc dump tap0'
	same 'the same as that of the filter' "$a" \
		"$(jq -c '.[-1].options.actions[0] | del(.order, .used_hw_stats)' <<<"$out")"
else
	skip 'kernel: no u32'
fi

# By name, and of a kind by number.
if tc actions add action gact drop index 3 2>/dev/null; then
	ok actions add action police rate 1mbit burst 10k drop index 2
	ok actions add action gact pass index 1
	j 'of every kind' 'tc actions' 'map("\(.kind) \(.index)") == ["gact 1",
		"gact 3", "mirred 5", "mirred 4000000000", "police 2"]'
	j 'of every kind, terse' '--terse tc actions' 'map("\(.kind) \(.index)") ==
		["gact 1", "gact 3", "mirred 5", "mirred 4000000000", "police 2"]'
	t 'of one' 'tc actions kind police' 0 '^police .*rate 125000 .* index 2'$'\n$' ''
else
	skip 'kernel: no gact'
fi

# One that this version does not decode.
modprobe -q act_ife 2>/dev/null
if tc actions add action ife encode allow mark type 0xfefe index 1 >/dev/null 2>&1; then
	check 'another ife' tc actions add action ife encode use mark 5 type 0xfefe index 2
	j 'each once' 'tc actions kind ife' 'map(.kind) == ["ife", "ife"] and
		all(.[]; .raw | type == "string")'
	j 'and what stands behind them' 'tc actions' 'map(.kind) | unique |
		index("ife") < index("mirred")'
	j 'their index, terse' '--terse tc actions kind ife' 'map(.index) == [1, 2]'
	ok actions flush action ife
else
	skip 'kernel: no ife'
fi

# ---- output that fails ----

for n in {1000..3000}; do
	echo "actions add action mirred egress redirect dev lo index $n"
done >"$tmp/batch"
ok -b "$tmp/batch"
for opts in '' -j -o '-s --terse'; do
	t "no room for it $opts" "$opts tc actions >/dev/full" 2 '' \
		'Error: cannot write to stdout: No space left on device'
	# shellcheck disable=SC2086
	same "cut: the first line $opts" 1 \
		"$(timeout 60 "$NSTEER" $opts tc actions 2>"$tmp/err" | head -n 1 | grep -c .)"
done
t 'closed' 'tc actions >&-' 2 '' 'Error: cannot write to stdout'
j 'all of it' 'tc actions kind mirred | cat' 'map(.index) ==
	[5, range(1000; 3001), 4000000000]'
j 'all of it, terse' '--terse tc actions kind mirred' 'map(.index) ==
	[5, range(1000; 3001), 4000000000]'
closing
