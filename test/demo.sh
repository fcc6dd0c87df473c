#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# demo.sh BUILD   where packets into a tap land, before and after a policy
#
# All of it happens in a network namespace that ends with this script, however
# it ends: the tap, the program on it and the readers end with it.
set -euo pipefail
queues=4 flows=32 packets=400 max_cpus=8
tap=tap0 address=192.0.2.2

fail() { echo "demo: $*" >&2; exit 1; }

if [ -z "${NSTEER_DEMO_INSIDE:-}" ]; then
	[ "$(id -u)" = 0 ] || fail "needs root: sudo make demo"
	NSTEER_DEMO_INSIDE=1 exec unshare -n -- "$0" "$@"
fi

build=$(cd "$1" && pwd)
PATH=$build:$build/test:$PATH:/usr/sbin:/sbin

# "0-2,5" -> 0 1 2 5, as many as fit a screen
allowed_cpus() {
	local range list
	list=$(sed -n 's/^Cpus_allowed_list:\t*//p' /proc/self/status)
	for range in ${list//,/ }; do
		seq "${range%-*}" "${range#*-}"
	done
}

run() {
	printf '\n# %s\n' "$*"
	"$@"
}

# What the readers saw since, "CPU PACKETS-ON-QUEUE-0 ..." a line, added to the
# array of this name and to $came.
ask_readers() {
	local cpu line i
	local -a new sum
	local -n counts=$1
	echo >&"${reader[1]}"
	while read -r -u "${reader[0]}" line && [ "$line" != . ]; do
		cpu=${line%% *}
		read -r -a new <<<"${line#* }"
		read -r -a sum <<<"${counts[cpu]:-}"
		for i in "${!new[@]}"; do
			sum[i]=$((${sum[i]:-0} + new[i]))
			came=$((came + new[i]))
		done
		counts[cpu]=${sum[*]}
	done
}

# from each CPU, one after the other; then what the readers saw, by CPU into
# the array of this name
send_from_all() {
	local cpu came=0 end=$((SECONDS + 5))
	for cpu in "${cpus[@]}"; do
		tapload send "$cpu" "$flows" "$packets" "$address" >/dev/null
	done
	ask_readers "$1"
	while ((came < packets * ${#cpus[@]} && SECONDS < end)); do
		sleep 0.05
		ask_readers "$1"
	done
}

cells() {
	# shellcheck disable=SC2086 # a word per queue
	printf '%8s' ${1:-$(printf ' 0%.0s' $(seq "$queues"))}
}

table() {
	local cpu q head
	head=$(for ((q = 0; q < queues; q++)); do echo "queue$q"; done)
	printf '\n%-14s |%-32s |%s\n' '' '  before: automq' '  after: cpu'
	printf '%-14s |%s |%s\n' 'sent from' "$(cells "$head")" "$(cells "$head")"
	for cpu in "${cpus[@]}"; do
		printf '%-14s |%s |%s\n' "CPU $cpu" \
			"$(cells "${before[cpu]:-}")" "$(cells "${after[cpu]:-}")"
	done
}

# All packets of a CPU on the queue of its number, modulo the queues?
steered() {
	local cpu want q
	for cpu in "${cpus[@]}"; do
		want=$(for ((q = 0; q < queues; q++)); do
			echo $((q == cpu % queues ? packets : 0))
		done)
		[ "${after[cpu]:-}" = "${want//$'\n'/ }" ] || return 1
	done
}

mapfile -t cpus < <(allowed_cpus)
total=${#cpus[@]}
cpus=("${cpus[@]:0:max_cpus}")

echo "A tap of $queues queues, a reader on each; UDP of $flows flows, $packets packets"
echo "from each CPU$([ "$total" -le $max_cpus ] || echo " (the first $max_cpus of $total)")."
run nsteer tun add $tap mode tap multi_queue
coproc reader { exec tapload read $tap $queues; }
read -r -u "${reader[0]}" line || fail "the readers could not open $tap"
ip link set $tap addrgenmode none
ip link set $tap up
ip address add 192.0.2.1/24 dev $tap
ip neighbour add $address lladdr 02:00:00:00:00:02 dev $tap nud permanent

before=() after=()
send_from_all before
run nsteer tun show -s
run nsteer tun set steering cpu
send_from_all after
run nsteer tun show -s
table

eval "exec ${reader[1]}>&-"
wait
steered || fail "the policy did not bring every packet to queue CPU % $queues"
echo
echo "With the policy, what CPU n sends is on queue n modulo $queues."
