#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Device names are bytes: whatever the kernel lets a name hold comes out as one
# JSON text and as text that no terminal obeys.
name=names
. "$(dirname "$0")/lib.sh"
in_namespace "$@"

# odd NAME JSON-STRING TEXT [HEX]
odd() {
	local q
	printf -v q '%q' "$1"
	t "add $q" "tun add dev $q multi_queue" 0 '' ''
	if [ -n "${4:-}" ]; then
		j "JSON of $q" "tun show dev $q" ".[0] | .ifname == $2 and .ifname_hex == \"$4\""
	else
		j "JSON of $q" "tun show dev $q" ".[0] | .ifname == $2 and (has(\"ifname_hex\") | not)"
	fi
	run "tun show dev $q"
	same "text of $q" "$3:" "${out%%: *}:"
	run "-br tun show dev $q"
	same "column of $q" "$3" "${out%%  *}"
	t "set on $q" "-o tun set dev $q steering cpu" 0 '' '*'
	j "set on $q, JSON" "tun set dev $q steering cpu" ".[0].ifname == $2"
	t "not twice $q" "tun add dev $q" 2 '' '*'
	t "bad word for $q" "tun set dev $q steering cpu bogus" 1 '' '*'
	j "del $q" "tun del dev $q" ".[0].ifname == $2"
	t "gone: $q" "tun show dev $q" 2 '' '*'
}

odd $'a\x01b' '"a\u0001b"' 'a\x01b'
odd $'\xffz' '"\ufffdz"' '\xffz' ff7a
odd 'q"\x' '"q\"\\x"' 'q"\x5cx'
odd $'\x1b[31m' '"\u001b[31m"' '\x1b[31m'
odd $'\x7f\x80' '"\u007f\ufffd"' '\x7f\x80' 7f80
odd $'\xc3\xa4' '"ä"' $'\xc3\xa4'
odd $'\xc2\x9b' '"\u009b"' '\xc2\x9b'
odd $'\xed\xa1\x80' '"\ufffd\ufffd\ufffd"' '\xed\xa1\x80' eda180
odd "it's" '"it'"'"'s"' "it's"
# shellcheck disable=SC2016 # a name, not a command
odd '$(id)' '"$(id)"' '$(id)'
odd '*' '"*"' '*'
odd '{}[],' '"{}[],"' '{}[],'
odd '0123456789abcde' '"0123456789abcde"' '0123456789abcde'
odd '<dev>' '"<dev>"' '<dev>'

# Together, as the answer to "which device".
for n in $'a\x01b' $'\xffz' $'\x1b[31m'; do
	"$NSTEER" tun add "$n"
done
t 'candidates are escaped' 'tun set steering cpu' 2 '' 'There are 3: "a\\x01b", "\\xffz", "\\x1b\[31m"'
j 'a list of them' 'tun' 'length == 3 and [.[].ifname] == ["a\u0001b", "\ufffdz", "\u001b[31m"]'
t 'unknown names are escaped' $'tun show $\'no\\x1b[1m\'' 2 '' 'no\\x1b\[1m'

# More of them than anybody wants to read in a message.
for i in {1..20}; do
	ip tuntap add "m$i" mode tap
done
t 'some candidates' 'tun set steering cpu' 2 '' 'There are 23: .* and 15 more$'
closing
