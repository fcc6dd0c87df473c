#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tc and nsteer tell the same of the same filters, but for the differences that
# are meant: tc_same.jq has them.
name=tc_same
# shellcheck disable=SC2034 # read by test/run
guest=1
. "$(dirname "$0")/lib.sh"
in_namespace "$@"

# One filter each, with a preference of its own:
#
#	NAME | PROTOCOL | WHAT FOLLOWS IT [| WANTED]
#
# Those at d0's ingress are compared with tc. Of what has a WANTED tc prints no
# JSON: it stands at egress, and nsteer's options have to hold WANTED. "+" before
# a name: with the preference of the line before. The first word of a name is the
# kind that a kernel may lack.
cases() {
	cat <<'EOF'
flower none | ip | flower action drop
flower MAC | ip | flower dst_mac 02:00:00:00:00:01/ff:ff:ff:00:00:00 src_mac 02:00:00:00:00:02 action pass
flower IPv4 | ip | flower ip_proto tcp src_ip 10.0.0.0/8 dst_ip 192.0.2.1 src_port 1 dst_port 443 action drop
flower IPv6 | ipv6 | flower ip_proto udp src_ip 2001:db8::/32 dst_ip 2001:db8::1 src_port 53 action drop
flower SCTP | ip | flower ip_proto sctp dst_port 9 action drop
flower ranges | ip | flower ip_proto tcp src_port 1-1024 dst_port 8000-8080 action drop
flower TCP flags | ip | flower ip_proto tcp tcp_flags 0x2/0x17 action drop
flower TOS, TTL | ip | flower ip_tos 5/0xf ip_ttl 64/0xff action drop
flower masked TTL | ip | flower ip_tos 0x1c ip_ttl 64/0xf0 action drop
flower later fragments | ip | flower ip_flags frag/nofirstfrag action drop
flower no fragments | ip | flower ip_flags nofrag action drop
flower other protocol | ip | flower ip_proto 2f action drop
flower other type | 0x88b5 | flower action drop
flower ICMP | ip | flower ip_proto icmp type 8 code 0 action drop
flower ICMPv6 | ipv6 | flower ip_proto icmpv6 type 128 action drop
flower ARP | arp | flower arp_tip 192.0.2.0/24 arp_sip 192.0.2.1 arp_op request arp_tha 02:00:00:00:00:01 arp_sha 02:00:00:00:00:00/ff:00:00:00:00:00 action drop
flower VLAN | 802.1Q | flower vlan_id 5 vlan_prio 3 vlan_ethtype ip ip_proto tcp action drop
flower QinQ | 802.1ad | flower vlan_id 5 vlan_ethtype 802.1q cvlan_id 6 cvlan_prio 1 cvlan_ethtype ipv6 action drop
flower number of VLANs | all | flower num_of_vlans 2 action drop
flower MPLS | mpls_uc | flower mpls_label 100 mpls_tc 1 mpls_bos 1 mpls_ttl 64 action drop
flower MPLS stack | mpls_uc | flower mpls lse depth 1 label 100 lse depth 2 label 200 tc 1 bos 1 ttl 3 action drop
flower PPPoE | ppp_ses | flower pppoe_sid 7 ppp_proto ip src_ip 192.0.2.1 action drop
flower ct | ip | flower ct_state +trk+est-inv ct_zone 7 ct_mark 0x10/0xff ct_label 0102030405060708090a0b0c0d0e0f10 action drop
flower indev | ip | flower indev tgt0 action drop
flower tunnel | ip | flower enc_src_ip 192.0.2.1 enc_dst_ip 192.0.2.0/24 enc_key_id 42 enc_dst_port 4789 enc_tos 4/0xf enc_ttl 64 action drop
flower tunnel of IPv6 | ip | flower enc_src_ip 2001:db8::1 enc_dst_ip 2001:db8::/64 enc_key_id 42 action drop
flower geneve | ip | flower enc_key_id 1 geneve_opts 0102:34:05060708/ffff:ff:ffffffff,0103:35:0506070809101112/ffff:ff:ffffffffffffffff action drop
flower vxlan | ip | flower enc_key_id 1 vxlan_opts 100/0xffff action drop
flower erspan 1 | ip | flower enc_key_id 1 erspan_opts 1:5:0:0/1:4294967295:0:0 action drop
flower erspan 2 | ip | flower enc_key_id 1 erspan_opts 2:0:1:9/2:0:255:255 action drop
flower gtp | ip | flower enc_key_id 1 gtp_opts 1:9/ff:ff action drop
flower class | ip | flower classid 1:5 src_ip 192.0.2.9
flower skip_hw | ip | flower skip_hw src_ip 192.0.2.9 action drop
flower handle | ip | handle 0xabcd flower src_ip 192.0.2.9 action drop
+flower many | ip | flower src_ip 192.0.2.10 action drop
+flower many | ip | flower src_ip 192.0.2.11 action pass
flower chain | ip | chain 5 flower src_ip 192.0.2.10 action goto chain 6
matchall class | all | matchall skip_hw classid 1:7
bpf program | all | bpf da bytecode '1,6 0 0 0'
bpf classic | all | bpf bytecode '4,40 0 0 12,21 0 1 2048,6 0 0 65535,6 0 0 0' flowid 1:1
basic all | ip | basic action drop
u32 class | ip | u32 match ip dport 80 0xffff flowid 1:5
u32 action | ip | u32 match u32 0 0 action drop
u32 mark | ip | u32 match mark 5 0xff match u8 6 0xff at 9 classid 1:1
u32 teb | teb | u32 match u32 0 0 flowid 1:1
u32 other type | 0x88b5 | u32 match u32 0 0 flowid 1:1
u32 table | ip | handle 7: u32 divisor 16
gact goto | ip | matchall action goto chain 5
gact random | ip | matchall action gact pass random netrand drop 10 action gact pipe action gact reclassify
gact jump | ip | matchall action gact jump 1 action drop action ok
gact trap | ip | matchall action trap
gact continue | ip | matchall action continue
gact cookie | ip | matchall action drop cookie 0102030405
gact no_percpu | ip | matchall action gact drop no_percpu
gact hw_stats | ip | matchall action gact drop hw_stats delayed
gact shared | ip | matchall action gact index 777
mirred both | ip | matchall action mirred egress mirror dev tgt0 action mirred ingress redirect dev tgt0
tunnel_key set | ip | matchall action tunnel_key set src_ip 192.0.2.1 dst_ip 192.0.2.2 id 7 dst_port 4789 tos 4 ttl 64 nocsum
tunnel_key geneve | ip | matchall action tunnel_key set src_ip 2001:db8::1 dst_ip 2001:db8::2 id 7 csum geneve_opts 0102:80:00880022
tunnel_key vxlan | ip | matchall action tunnel_key set src_ip 192.0.2.1 dst_ip 192.0.2.2 id 7 vxlan_opts 99
tunnel_key erspan | ip | matchall action tunnel_key set src_ip 192.0.2.1 dst_ip 192.0.2.2 id 7 erspan_opts 2:0:1:9
tunnel_key unset | ip | matchall action tunnel_key unset
vlan push | ip | matchall action vlan push id 5 protocol 802.1ad priority 3 action vlan modify id 6 action vlan pop
vlan pop_eth | ip | matchall action vlan pop_eth
vlan push_eth | ip | matchall action vlan push_eth dst_mac 02:00:00:00:00:01 src_mac 02:00:00:00:00:02
skbedit mark | ip | matchall action skbedit priority 1:5 mark 7/0xff ptype host
skbedit DS field | ip | matchall action skbedit priority 0:6 inheritdsfield
skbedit plain mark | ip | matchall action skbedit mark 7
pedit plain | ip | matchall action pedit munge ip dport set 22
pedit extended | ip | matchall action pedit ex munge eth dst set 02:00:00:00:00:01 munge ip ttl add 0xff munge tcp sport set 7 munge ip src set 192.0.2.1
pedit IPv6 | ipv6 | matchall action pedit ex munge ip6 src set 2001:db8::1 munge udp dport set 9
police rate | ip | matchall action police rate 1mbit burst 10k mtu 64kb peakrate 2mbit conform-exceed drop/pipe
police ATM | ip | matchall action police rate 100kbit burst 10k overhead 4 linklayer atm conform-exceed goto chain 3
police packets | ip | matchall action police pkts_rate 1000 pkts_burst 200 conform-exceed drop
ct commit | ip | matchall action ct zone 5 commit force mark 0x10/0xff label 01020304050607080910111213141516 nat src addr 192.0.2.1-192.0.2.9 port 1000-2000
ct clear | ip | matchall action ct clear
ct IPv6 | ipv6 | matchall action ct commit nat dst addr 2001:db8::1 port 80
csum some | ip | matchall action csum ip4h tcp udp
csum all | ip | matchall action csum ip4h icmp igmp tcp udp udplite sctp
mpls push | ip | matchall action mpls push protocol mpls_uc label 100 tc 1 ttl 64 bos 1
mpls pop | mpls_uc | matchall action mpls pop protocol ip action mpls dec_ttl
mpls other type | mpls_uc | matchall action mpls pop protocol 0x88b5
mpls modify | mpls_uc | matchall action mpls modify label 5 ttl 2
mpls mac_push | ip | matchall action mpls mac_push label 9
nat ingress | ip | matchall action nat ingress 192.0.2.0/24 198.51.100.1
nat egress | ip | matchall action nat egress 192.0.2.5 198.51.100.1
sample some | ip | matchall action sample rate 100 group 5 trunc 64
act_bpf classic | ip | matchall action bpf bytecode '1,6 0 0 4294967295'
connmark zone | ip | matchall action connmark zone 3
ctinfo both | ip | matchall action ctinfo dscp 0xfc000000 0x01000000 cpmark 0x00ffffff zone 4
gate timetable | ip | matchall action gate base-time 200000000000ns priority 3 cycle-time 200000000ns clockid CLOCK_TAI sched-entry open 100000000ns -1 8000000 sched-entry close 100000000ns
matchall three | ip | matchall action vlan pop action skbedit mark 1 pipe action mirred egress redirect dev tgt0
u32 next table | ip | handle 8: u32 divisor 16 | {"ht_divisor": 16}
+u32 offset | ip | u32 ht 8:3: match u32 0x50000 0xff0000 at 4 offset at 0 mask 0f00 shift 6 plus 0 eat link 8: | {"bkt": 3, "match": [{"value": 327680, "mask": 16711680, "off": 4}], "eat": true, "offset_mask": 3840, "offset_shift": 6}
u32 keys | ip | u32 match ip dst 192.0.2.0/24 match ip protocol 6 0xff flowid 1:5 | {"flowid": "1:5", "match": [{"value": 3221225984, "mask": 4294967040, "off": 16}, {"value": 393216, "mask": 16711680, "off": 8}]}
basic compound | ip | basic match 'cmp(u8 at 0 layer 2 mask 0xff gt 20) and u32(u32 0x01000000 0xff000000 at 12)' flowid 1:1 action drop | {"flowid": "1:1", "ematch": [{"kind": "cmp", "relation": "and"}, {"kind": "u32"}]}
fw mark | ip | handle 6 fw flowid 1:6 action drop | {"handle": 6, "classid": "1:6", "actions": [{"order": 1, "kind": "gact"}]}
fw masked | ip | handle 0x10/0xf0 fw classid 1:7 | {"handle": 16, "mask": 240}
flow hash | ip | handle 1 flow hash keys src,dst,proto divisor 16 perturb 10 baseclass 1:1 | {"mode": "hash", "divisor": 16, "perturb": 10, "baseclass": "1:1"}
flow map | ip | handle 1 flow map key dst and 0xff rshift 2 divisor 16 baseclass 1:1 | {"mode": "map", "mask": 255, "rshift": 2}
route to | ip | route from 3 to 4 classid 1:1 | {"from": 3, "to": 4, "flowid": "1:1"}
route fromif | ip | route fromif tgt0 to 5 classid 1:2 | {"fromif": "tgt0", "to": 5}
cgroup all | ip | handle 1 cgroup action drop | {"handle": 1, "actions": [{"order": 1, "kind": "gact"}]}
skbmod set | ip | matchall action skbmod set dmac 02:00:00:00:00:01 smac 02:00:00:00:00:02 etype 0x800 | {"actions": [{"kind": "skbmod", "dmac": "02:00:00:00:00:01", "smac": "02:00:00:00:00:02", "etype": 2048}]}
skbmod swap | ip | matchall action skbmod swap mac | {"actions": [{"kind": "skbmod", "swap_mac": true}]}
nat mask | ip | matchall action nat ingress 192.0.2.0/24 198.51.100.1 | {"actions": [{"kind": "nat", "old_addr": "192.0.2.0/24"}]}
flower gtp options | ip | flower enc_key_id 1 gtp_opts 1:9/ff:ff action drop | {"keys": {"gtp_opt_key": [{"pdu_type": 1, "qfi": 9}], "gtp_opt_mask": [{"pdu_type": 255, "qfi": 255}]}}
ife unknown to nsteer | ip | matchall action ife encode allow mark dst 02:00:00:00:00:01 | {"actions": [{"order": 1, "kind": "ife"}]}
simple text | ip | matchall action simple sdata "hello" | {"actions": [{"kind": "simple", "sdata": "hello"}]}
skbedit queue | ip | matchall action skbedit queue_mapping 3 | {"actions": [{"kind": "skbedit", "queue_mapping": 3}]}
police limits | ip | matchall action police rate 1mbit burst 10k mtu 64kb peakrate 2mbit conform-exceed drop/pipe | {"actions": [{"kind": "police", "rate": 125000, "burst": 10240, "mtu": 65536, "peakrate": 250000}]}
EOF
}

# What tc_same.jq reads; TC_SAME_KEEP=1 prints it.
pile=$tmp/pile
put() { printf '%s\t%s\t%s\n' "$@" >>"$pile"; }

# The batch for tc; of each of its lines the case, preference and what is wanted.
names=() prefs=() wants=()
read_cases() {
	local name protocol rest wanted hook pref=100
	while IFS='|' read -r name protocol rest wanted; do
		name=${name%"${name##*[! ]}"}
		[[ $name == +* ]] || pref=$((pref + 1))
		names+=("${name#+}") prefs+=("$pref") wants+=("$wanted")
		hook=ingress
		[ -z "$wanted" ] || hook=egress
		echo "filter add dev d0 $hook pref $pref protocol $protocol $rest" \
			>>"$tmp/batch"
	done < <(cases)
}

# On stdin what tc said of the batch. What this kernel cannot have is no failure.
lost=() lacking=''
read_refusals() {
	local line said='' i what
	while read -r line; do
		if ! [[ $line =~ ^Command\ failed\ [^:]*:([0-9]+)$ ]]; then
			said+="$line "
			continue
		fi
		i=$((BASH_REMATCH[1] - 1))
		lost[i]=1
		what=${names[i]}
		case $said in
		*'TC classifier not found'* | *'Unknown filter'*) what=${what%% *} ;;
		*'Failed to load TC action module'*) ;;
		*)
			fail "tc refuses: $what" "$said"
			what=''
			;;
		esac
		[[ -z $what || ", $lacking," == *", $what,"* ]] ||
			lacking+="${lacking:+, }$what"
		said=''
	done
	[ -z "$lacking" ] || skip "kernel: no filters of $lacking"
}

make_filters() {
	local i
	read_cases
	read_refusals < <(tc -force -b "$tmp/batch" 2>&1)
	for i in "${!names[@]}"; do
		[ -z "${lost[i]:-}" ] || continue
		put case "${prefs[i]}" "${names[i]}"
		[ -z "${wants[i]}" ] || put want "${prefs[i]}" "${wants[i]}"
	done
}

# With counters; empty: without.
stats=-s

# dump NAME 'WORDS OF NSTEER'
dump() {
	run "$stats -j $2"
	[ "$code" = 0 ] || fail "$1" "exit status $code"$'\n'"$err"
	put nsteer "$1" "$(tr -d '\n\t' <<<"$out")"
}

# same NAME 'WORDS OF TC' 'WORDS OF NSTEER'
same() {
	# shellcheck disable=SC2086 # words
	put tc "$1" "$(tc $stats -j $2 2>&1 | tr -d '\n\t')"
	dump "$1" "$3"
}

# What tc prints JSON of.
tc_action_kinds() {
	echo gact mirred tunnel_key vlan skbedit pedit police ct csum mpls nat \
		sample bpf connmark ctinfo gate
}

# The same for actions.
same_actions() {
	# shellcheck disable=SC2086 # words
	put tc_actions "$1" "$(tc $stats -j $2 2>&1 | tr -d '\n\t')"
	dump "$1" "$3"
}

pair() {
	local end
	ip link add "$1" address 02:00:00:00:00:0d type veth peer name "$2" ||
		fail "no devices"
	for end; do
		# Nothing is received but what is sent below.
		ip link set "$end" addrgenmode none
		ip link set "$end" up
	done
}

pair d0 p0
pair tgt0 tgt1
tc qdisc add dev d0 clsact
tc actions add action gact drop index 777 2>/dev/null
make_filters
# Something to count.
ip addr add 192.0.2.1/24 dev p0
ip neigh add 192.0.2.2 dev p0 lladdr 02:00:00:00:00:0d nud permanent
for _ in 1 2 3; do echo counted >/dev/udp/192.0.2.2/9; done

same 'ingress' 'filter show dev d0 ingress' 'tc dump dev d0 ingress'
dump 'egress' 'tc dump dev d0 egress'
stats=''
same 'ingress without -s' 'filter show dev d0 ingress' 'tc dump dev d0 ingress'
dump 'egress without -s' 'tc dump dev d0 egress'
stats=-s
same 'chain 5' 'filter show dev d0 ingress chain 5' \
	'tc dump dev d0 ingress chain 5'
same 'pref' 'filter show dev d0 ingress pref 103' \
	'tc dump dev d0 ingress pref 103'
same 'protocol' 'filter show dev d0 ingress protocol mpls_uc' \
	'tc dump dev d0 ingress protocol mpls_uc'
same 'nothing' 'filter show dev d0 ingress pref 9' \
	'tc dump dev d0 ingress pref 9'

# A block, by itself and by a device that is bound to it.
pair d1 p1
tc qdisc add dev d1 ingress_block 22 ingress
tc filter add block 22 pref 1 protocol ip u32 match u32 0 0 classid 1:1
tc filter add block 22 pref 2 protocol ip flower src_ip 192.0.2.1 action drop \
	2>/dev/null
same 'block' 'filter show block 22' 'tc dump block 22'
same 'bound to a block' 'filter show dev d1 ingress' 'tc dump dev d1 ingress'

# At a qdisc and a class.
if tc qdisc add dev d1 root handle 1: htb 2>/dev/null; then
	tc class add dev d1 parent 1: classid 1:1 htb rate 1mbit
	tc filter add dev d1 parent 1: pref 1 protocol ip u32 match u32 0 0 \
		flowid 1:1
	tc filter add dev d1 parent 1:1 pref 2 protocol ip u32 match u32 1 1 \
		flowid 1:1
	same 'qdisc' 'filter show dev d1 parent 1:' 'tc dump dev d1 parent 1:'
	same 'class' 'filter show dev d1 parent 1:1' 'tc dump dev d1 parent 1:1'
	# Tc's "root" is ingress.
	same 'root' 'filter show dev d1' 'tc dump dev d1 root'
else
	skip "kernel: no htb"
fi

# What is left of it in a terse dump.
pair d2 p2
tc qdisc add dev d2 clsact
flower='flower ip_proto tcp src_ip 192.0.2.1 dst_port 443'
# shellcheck disable=SC2086 # words
if tc filter add dev d2 ingress pref 1 protocol ip $flower skip_hw \
	action skbedit mark 1 pipe action drop cookie 0a0b 2>/dev/null; then
	tc filter add dev d2 ingress pref 2 protocol ip chain 3 $flower classid 1:1
	same 'terse' '-br filter show dev d2 ingress' \
		'tc dump dev d2 ingress --terse'
else
	skip "kernel: no flower"
fi

# Of many filters some do not fit into the rest of a message. The kernel forgets
# those of matchall [mall_walk].
pair d3 p3
tc qdisc add dev d3 clsact
if tc filter add dev d3 ingress pref 1 protocol ip matchall classid 1:1 \
	2>/dev/null; then
	for pref in {2..600}; do
		echo "filter add dev d3 ingress pref $pref protocol ip matchall" \
			"classid 1:1"
	done | tc -b -
	j 'none is lost' 'tc dump dev d3 ingress' \
		'[.[].pref] == [range(1; 601)]'
else
	skip "kernel: no matchall"
fi

# Actions as such: those of all the filters above, and some that none uses.
tc actions add action gact pass index 800 cookie 0a0b 2>/dev/null
tc actions add action mirred egress redirect dev tgt0 index 4294967295
for kind in $(tc_action_kinds); do
	same_actions "actions $kind" "actions ls action $kind" \
		"tc actions kind $kind"
	stats=''
	same_actions "actions $kind without -s" "actions ls action $kind" \
		"tc actions kind $kind"
	stats=-s
	# "Error printing action", it says.
	[ "$kind" != gate ] || continue
	same_actions "terse actions $kind" "-br actions ls action $kind" \
		"--terse tc actions kind $kind"
done

while IFS=$'\t' read -r verdict what why; do
	if [ "$verdict" = ok ]; then pass; else fail "$what" "$why"; fi
done < <(jq -nRr -f test/cli/tc_same.jq "$pile" 2>&1)
[ -z "${TC_SAME_KEEP:-}" ] || cat "$pile"
closing
