#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The completion: by the tables, with names of devices and namespaces.
name=complete
. "$(dirname "$0")/lib.sh"
in_namespace "$@"
. bash-completion/nsteer

# The command line's words; the last one is being typed.
c() {
	local what=$1 want=$2 COMP_WORDS COMP_CWORD COMPREPLY COMP_LINE COMP_POINT
	shift 2
	COMP_WORDS=("$NSTEER" "$@")
	COMP_CWORD=$#
	COMP_LINE="${COMP_WORDS[*]}"
	COMP_POINT=${#COMP_LINE}
	_nsteer
	same "$what" "$want" "$(printf '%s\n' "${COMPREPLY[@]}" | sort | xargs -d '\n')"
}

ip netns add one
ip tuntap add tap0 mode tap
ip tuntap add tap1 mode tap
ip tuntap add $'bad\x01' mode tap
# Of what the shell would take for its own none may be offered.
for odd in 'b;id' 'c$(id)' 'a$b' 'x*' "q'q" 'b`id`' '-j' 't>f'; do
	ip tuntap add "$odd" mode tap
done
ip netns add 'n;id'
ip -n one tuntap add other mode tap

c 'objects' 'help tc tun' ''
c 'commands' 'add del dev get help policy set show' tun ''
c 'none that the shell would obey' '' tun show b
c 'a beginning' 'set show' tun s
c 'devices' 'dev tap0 tap1' tun show ''
c 'devices after dev' 'tap0 tap1' tun show dev t
c 'those of the namespace' 'other' -n one tun show o
c 'or after it' 'other' tun show -n one o
c 'namespaces' 'one' tun -n ''
c 'policies' 'automq cpu fixed' tun set tap0 steering ''
c 'what is left' 'force replace' tun set tap0 steering fixed 3 ''
c 'no other word for what is excluded' '' tun set tap0 steering cpu force ''
c 'keywords of add' 'group mode multi_queue pi user vnet_hdr' tun add x ''
c 'modes' 'tap tun' tun add x mode ''
c 'users' 'root' tun add x user roo
c 'options' '--details' tun --d
c 'options where a word may stand' '-j' tun show -j
c 'nothing for nonsense' '' tun bogus ''

# Devices of every kind.
c 'commands of tc' 'actions dump help hooks' tc ''
c 'keywords of dump' 'parent pref protocol' tc dump p
c 'the loopback device, which is no tap' 'lo' tc dump lo
c 'taps too' 'tap0 tap1' tc dump dev ta
c 'none of tc that the shell would obey' 'block' tc dump b
c 'links of the namespace' 'other' -n one tc dump ot
c 'links of a process' 'tap0 tap1' -n pid:$$ tc dump ta
c 'no links of no process' '' -n pid:0 tc dump ta
c 'places of a device' 'chain egress ingress kind parent pref protocol root' \
	tc dump tap0 ''
c 'one place' 'chain kind pref protocol' tc dump tap0 ingress ''
c 'options of a list' '--fields' tc dump --f
c 'its fields' 'packets parent pref protocol' tc dump --fields p
c 'the ones that are left' 'pref,packets pref,parent pref,protocol' tc dump --fields pref,p
c 'none without a command' '' --fields p
c 'none of another one' '' tc hooks --fields p
c 'not of others' '' tun show --f
c 'what an option may be set to' 'strict' tc dump --terse=
c 'keywords of actions' 'kind' tc actions ''
c 'kinds of actions' 'mirred mpls' tc actions kind m
c 'no options of filters' '' tc actions --f
closing
