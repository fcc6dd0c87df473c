#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The command line: what is understood, what is refused, what help says. No
# root, no device: nothing here asks the kernel for anything.
name=usage
. "$(dirname "$0")/lib.sh"

# ---- help and version ----
t 'help' 'help' 0 'Usage: nsteer .*Objects:.*tun .*--netns' ''
t 'option for help' '-h' 0 'Objects:' ''
t 'help of an object' 'tun help' 0 'nsteer tun set .*steering POLICY' ''
t 'help before the object' 'help tun' 0 'nsteer tun add' ''
t 'help of a command' 'tun set help' 0 'POLICY := \{ automq \| cpu \| fixed QUEUE \}' ''
t 'help by option, anywhere' '-h tun add' 0 'mode \{ tap \| tun \}' ''
t 'help of a deeper command' 'tun policy help' 0 'show\|list\|lst' ''
t 'help where a value may stand' 'tun set x steering help' 0 'POLICY :=' ''
t 'help ignores what follows' 'tun set help bogus' 0 'POLICY :=' ''
t 'version' '-V' 0 "^nsteer $(header_version), libnsteer " ''
t 'version before all else' 'tun --version bogus' 0 '^nsteer [0-9]' ''
j 'version in JSON' '-V' ".[0].nsteer == \"$(header_version)\""

j 'help in JSON' 'tun help' '.[0].help | test("Usage: nsteer tun")'

# Each option that help prints is taken, each keyword is in it.
run 'help'
for o in $(grep -oE '^  -[A-Za-z]+, --[a-z]+' <<<"$out" | tr -d ,); do
	case $o in
	-n | --netns) t "option $o is taken" "help $o x" 0 'Objects:' '' ;;
	-V | --version) t "option $o is taken" "$o" 0 '^nsteer' '' ;;
	*) t "option $o is taken" "tun policy $o" 0 '(cpu|Usage)' '' ;;
	esac
done
for c in show list lst add del delete set get policy; do
	t "tun $c has help" "tun $c help" 0 "^Usage: nsteer tun .*$c" ''
done
for c in load batch monitor xdp fou tc filter stats hash rss; do
	run 'tun help'
	[[ ! $out =~ (^|[^a-z-])$c([^a-z]|$) ]] || [ "$c" = stats ] ||
		fail "tun help knows nothing of $c" "$out"
	pass
done

# ---- usage errors ----
t 'nothing' '' 1 '' 'object is missing: expected tun, tc, help'
t 'unknown object' 'foo' 1 '' 'unknown object "foo": expected tun, tc, help'
t 'no abbreviation of an object' 'tu' 1 '' 'did you mean "tun"'
t 'no abbreviation of a command' 'tun sh' 1 '' 'unknown command "sh", did you mean "show"'
t 'a command rather than its alias' 'tun st' 1 '' 'did you mean "set"'
t 'mistyped command' 'tun dle x' 1 '' 'did you mean "del"'
t 'a name is no command' 'tun tap0' 1 '' 'unknown command "tap0": expected show, add'
t 'what does not exist yet' 'tun policy load cpu' 1 '' 'unknown command "load"'
t 'nor this' 'tun set x filter off' 1 '' 'unexpected word "filter"'
t 'nor this option' 'tun --batch' 1 '' 'unknown option "--batch"'
t 'clusters' 'tun -jp' 1 '' 'unknown option "-jp": each one is a word of its own'
t 'mistyped option' 'tun --jsno' 1 '' 'did you mean "--json"'
t 'value behind =' 'tun --netns=x' 1 '' 'the value of --netns is a word of its own'
t 'option without its value' 'tun -n' 1 '' '--netns needs a value: expected NAME\|PATH\|pid:N'
t 'empty value' 'tun -n ""' 1 '' '--netns needs a value'
t 'after -- no options' 'tun show -- -x -j' 1 '' 'unexpected word "-j"'

t 'two names' 'tun show a b' 1 '' 'unexpected word "b": expected nothing more'
t 'keyword without value' 'tun show dev' 1 '' 'dev needs a value: expected NAME'
t 'name missing' 'tun add' 1 '' 'expected NAME'
t 'name missing for del' 'tun del force' 1 '' 'expected NAME'
t 'given twice' 'tun add x pi pi' 1 '' 'pi is given twice'
t 'unknown value' 'tun add x mode bridge' 1 '' '"bridge" does not go after mode: expected tap or tun'
t 'mistyped value' 'tun set x steering cpuu' 1 '' 'did you mean "cpu"'
t 'policies are told' 'tun set x steering zz' 1 '' 'expected automq, cpu or fixed'
t 'no policy' 'tun set x steering' 1 '' 'steering needs a value: expected automq, cpu or fixed'
t 'no steering' 'tun set x' 1 '' 'expected steering POLICY'
t 'mistyped keyword' 'tun set steerin cpu' 1 '' 'taken for a device, did you mean "steering"'
t 'fixed without a queue' 'tun set x steering fixed' 1 '' 'expected a number from 0 to 65535'
for n in 65536 4294967296 4294967297 18446744073709551617 -1 +1 0x1bbz 1e1 \
	"'80 '" "' 80'" '""' 010 0x; do
	t "queue $n" "tun set x steering fixed $n" 1 '' 'expected a number from 0 to 65535'
done
for n in 0 4294967296 -5 x; do
	t "program $n" "tun set x steering cpu replace id $n" 1 '' 'number from 1 to 4294967295'
done
t 'replace without id' 'tun set x steering cpu replace 5' 1 '' 'expected id'
t 'replace and force' 'tun set x steering cpu replace id 5 force' 1 '' 'replace and force exclude each other'
t 'user that is not there' 'tun add x user nobody-of-this-name' 1 '' 'there is no user "nobody-of-this-name"'
t 'user out of range' 'tun add x user 4294967296' 1 '' 'there is no user'
t 'user -1 is no user' 'tun add x user 4294967295' 1 '' 'no number for a user'
t 'group that is not there' 'tun add x group nobody-of-this-name' 1 '' 'there is no group'
t 'name of 16 bytes' 'tun add 0123456789abcdef' 1 '' '"0123456789abcdef" is longer than 15 bytes'
for n in a/b a:b "'a b'" . .. %s %d%d $'\'a\tb\''; do
	t "name $n" "tun add $n" 1 '' "(no device name|no device can have)"
done
t 'empty name' 'tun show ""' 1 '' 'the device name is empty'
t 'name of 128 bytes' "tun show $(printf '%0128d' 0)" 1 '' 'longer than any device name'
t 'control bytes are escaped' $'tun $\'\\x1b[31m\\xff\'' 1 '' 'unknown command "\\x1b\[31m\\xff"'
t 'a long word is cut' "tun $(printf '%0300d' 0)" 1 '' '0\.\.\."'
t 'no JSON on a usage error' '-j tun bogus' 1 '' 'unknown command'

# ---- without the kernel ----
t 'policies' 'tun policy' 0 'cpu.*fixed QUEUE' ''
t 'policies, aliases' 'tun policy lst' 0 'automq' ''
j 'policies in JSON' 'tun policy' '[.[].policy] == ["automq", "cpu", "fixed"]'
j 'all have their help' 'tun policy' 'all(.[]; .help | length > 10)'
j 'and their arguments' 'tun policy' '.[2].args == "QUEUE" and (.[0] | has("args") | not)'
run 'help --words tun set x steering'
words=$(grep -v '^-' <<<"$out")
run '-br tun policy'
same 'the policies that are taken are those that are listed' \
	"$(cut -d' ' -f1 <<<"$out" | grep .)" "$words"
t 'pretty' '-j -p tun policy' 0 $'^\[\n    \{\n        "policy": "automq"' ''
t 'one line each' '-o tun policy' 0 $'automq\\\\\t' ''

# ---- the other end of stdout ----
t 'full disk' 'tun policy >/dev/full' 2 '' 'cannot write to stdout: No space left'
t 'full disk, help' 'help >/dev/full' 2 '' 'cannot write to stdout: No space left'
t 'full disk, version' '-V >/dev/full' 2 '' 'cannot write to stdout'
t 'full disk, JSON' '-j tun policy >/dev/full' 2 '' 'cannot write to stdout'
t 'closed stdout' 'tun policy >&-' 2 '' 'cannot write to stdout: Bad file descriptor'
t 'closed stdin and stderr' 'tun policy <&- 2>&-' 0 'cpu' ''
out=$( { "$NSTEER" help; echo "$?" >"$tmp/status"; } | true; cat "$tmp/status")
case $out in
0 | 141) pass ;;
*) fail "a reader that goes away ends it quietly" "status $out" ;;
esac

# ---- nobody has to be root for it ----
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	as_nobody="--reuid 65534 --regid 65534 --clear-groups"
	# shellcheck disable=SC2086
	if out=$(setpriv $as_nobody -- cat "$NSTEER" 2>&1 >/dev/null); then
		# shellcheck disable=SC2086
		check 'help as nobody' setpriv $as_nobody -- "$NSTEER" tun help
		# shellcheck disable=SC2086
		check 'policies as nobody' setpriv $as_nobody -- \
			"$NSTEER" -j tun policy
	else
		skip "machine: nobody may not read the command built here"
	fi
fi
closing
