#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tc: words that mean nothing, whatever the kernel is.
name=tc_usage
. "$(dirname "$0")/lib.sh"

t 'no command' 'tc' 1 '' 'dump'
t 'help' 'tc dump help' 0 'pref' ''
t 'unknown command' 'tc dmup' 1 '' '"dmup".*dump'
t 'unknown word' 'tc dump dev tap0 bogus' 1 '' 'unexpected word "bogus".*ingress.*kind'
t 'unknown word, near to one' 'tc dump dev tap0 ingres' 1 '' '"ingres".*ingress'
t 'two bare words' 'tc dump tap0 tap1' 1 '' 'unexpected word "tap1"'
t 'two hooks' 'tc dump dev tap0 ingress egress' 1 '' 'ingress and egress exclude'
t 'a hook and a parent' 'tc dump dev tap0 root parent 1:' 1 '' 'root and parent exclude'
t 'a hook without dev' 'tc dump ingress' 1 '' 'expected dev NAME'
t 'root without dev' 'tc dump root' 1 '' 'expected dev NAME'
t 'a parent without dev' 'tc dump parent 1:' 1 '' 'expected dev NAME'
t 'a hook of a block' 'tc dump block 7 egress' 1 '' 'a block has no'
t 'a parent of a block' 'tc dump block 7 parent 1:' 1 '' 'a block has no'
t 'block with dev' 'tc dump dev tap0 block 7' 1 '' 'dev and block exclude'
t 'block with a bare dev' 'tc dump tap0 block 7' 1 '' 'dev and block exclude'
t 'a word twice' 'tc dump pref 1 pref 2' 1 '' 'pref'
for word in dev block parent chain pref protocol kind; do
	t "$word without a value" "tc dump $word" 1 '' "$word"
done
for n in 0 65536 -1 "'80 '" "' 80'" +80 8x "''" 0x 1e2 4294967376; do
	t "pref $n" "tc dump pref $n" 1 '' 'after pref: expected a number from 1 to 65535'
done
for n in 0 -1 4294967296 x; do
	t "block $n" "tc dump block $n" 1 '' 'after block: .*from 1 to 4294967295'
done
for n in -1 4294967296 18446744073709551616 x; do
	t "chain $n" "tc dump chain $n" 1 '' 'after chain: .*from 0 to 4294967295'
done
for p in bogus 0 65536 -1 "''" 0x10000 "'ip '"; do
	t "protocol $p" "tc dump protocol $p" 1 '' 'after protocol: expected ip, '
done
for h in bogus 1 :1 0:1 1:1: 10000:1 1:10000 1:x "''" "'1: '" -1:1; do
	t "parent $h" "tc dump dev tap0 parent $h" 1 '' 'after parent: expected a handle'
done
t 'a kind that is too long' 'tc dump kind 1234567890123456' 1 '' 'up to 15 bytes'
t 'no kind' "tc dump kind ''" 1 '' 'up to 15 bytes'
t 'a terminal obeys none of it' "tc dump kind $'\\x1b[31m567890123456'" 1 '' '\\x1b'

fields='dev, hook, parent, block, chain, pref, protocol, kind, handle, flags, '
fields+='bytes, packets, drops, hw_bytes, hw_packets, actions, cookie'
t 'an unknown field' '--fields bogus tc dump' 1 '' "no field \"bogus\": expected $fields"
t 'one of several' '--fields dev,bogus,kind tc dump' 1 '' 'no field "bogus"'
t 'no JSON for it' '-j --fields bogus tc dump' 1 '' 'no field "bogus"'
t 'an empty field' "--fields '' tc dump" 1 '' 'no field ""'
t 'an empty last field' '--fields dev, tc dump' 1 '' 'no field ""'
t 'a field by half' '--fields de tc dump' 1 '' 'no field "de"'
t 'a field twice' '--fields dev,kind,dev tc dump' 1 '' 'dev is given twice'
t 'a field that a terminal obeys' "--fields $'\\x1b' tc dump" 1 '' 'x1b'
t '--fields and --summary' '--fields dev --summary tc dump' 1 '' 'exclude each other'
t '--terse=bogus' '--terse=bogus tc dump' 1 '' 'expected --terse\[=strict\]'
t '--summary elsewhere' '--summary tun show' 1 '' '--summary'
t '--fields elsewhere' '--fields dev tun show' 1 '' '--fields'
t '--terse=strict elsewhere' '--terse=strict tun show' 1 '' '--terse'

closing
