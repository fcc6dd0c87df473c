# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Sourced by the scripts of this tier, after "name=..." and, in those that also
# run in the guests of test/kernels, "guest=1" (there only: "guest=only"). A case
# is one call:
#
#   t NAME 'COMMAND LINE' EXIT STDOUT STDERR   patterns, see below
#   j NAME 'COMMAND LINE' FILTER               JSON that jq -e agrees to
#
# The command line is the shell's, without the leading nsteer: quotes and $'..'
# work in it. A pattern is an extended regular expression that has to match
# somewhere; '' stands for no output at all, '*' for any. What holds of every
# command is checked with each of them, see promises().

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.." || exit 1
# shellcheck disable=SC2034 # read by tally.sh
tier=cli/${name:?}
. test/tally.sh
NSTEER=${NSTEER:-$PWD/build/nsteer}
case $NSTEER in /*) ;; *) NSTEER=$PWD/$NSTEER ;; esac
# Where hold, attach and shim.so are.
NSTEER_TEST_BIN=${NSTEER_TEST_BIN:-${NSTEER%/*}/test}
PATH=$PATH:/usr/sbin:/sbin
export LC_ALL=C

tmp=$(mktemp -d)
holders=()
finish() {
	local pid
	for pid in "${holders[@]}"; do kill "$pid" 2>/dev/null; done
	rm -rf "$tmp"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

for built in "$NSTEER" "$NSTEER_TEST_BIN"/{hold,attach,shim.so}; do
	[ ! -x "$built" ] || continue
	fail "$built is not built"
	closing
	exit 1
done

# in_namespace "$@": the rest of the script in a network namespace of its own,
# with a /run of its own for the names of further ones. /sys stays the one of
# the namespace outside, as after a plain setns().
in_namespace() {
	[ -z "${NSTEER_CLI_INSIDE:-}" ] || return 0
	if [ "$(id -u)" != 0 ]; then
		skip "needs root"
		closing
		exit
	fi
	finish
	export NSTEER NSTEER_TEST_BIN NSTEER_CLI_INSIDE=1
	exec unshare -n -m --propagation private -- \
		sh -c 'mount -t tmpfs none /run && exec bash "$@"' sh "$0" "$@"
}

# run 'COMMAND LINE': sets out, err, code
run() {
	local line=$1
	# The x keeps what $() would strip.
	out=$(eval "\"\$NSTEER\" $line" 2>"$tmp/err"; echo "$?x")
	code=${out##*$'\n'}
	case $out in
	*$'\n'*) out=${out%$'\n'*}$'\n' ;;
	*) out='' ;;
	esac
	# Output that lacks its newline stands before the status.
	if [[ $code =~ ^(.*[^0-9]|)([0-9]+)x$ ]]; then
		out+=${BASH_REMATCH[1]}
		code=${BASH_REMATCH[2]}
	fi
	err=$(<"$tmp/err")
}

matches() {
	case $1 in
	'') [ -z "$2" ] ;;
	'*') return 0 ;;
	*) [[ $2 =~ $1 ]] ;;
	esac
}

# What each command keeps: no control bytes but newline and tab; on a usage
# error a hint; diagnostics with their prefix, and an error whenever and only when
# the exit status says so; under -j one JSON array, or nothing after a failure.
diagnostics='^((Error|Warning|Kernel): |See "nsteer( [a-z]+)* help"\.$)'
promises() {
	local line=$1 diagnostic
	# Without a process more: the kernels of test/kernels run emulated.
	if [[ $out$err == *[$'\x01'-$'\x08\x0b'-$'\x1f\x7f']* ]]; then
		echo "control bytes in the output"
	fi
	while IFS= read -r diagnostic || [ -n "$diagnostic" ]; do
		[[ $diagnostic =~ $diagnostics ]] ||
			echo "diagnostics without a prefix"
	done <"$tmp/err"
	case $code in
	0) [[ $err != *Error:* ]] || echo "an error, but exit status 0" ;;
	1) [[ $err == *$'\n''See "nsteer'*'help".' ]] || echo "no hint" ;;
	2 | 3) [[ $err == *'Error: '* ]] || echo "no error told" ;;
	*) echo "exit status $code" ;;
	esac
	[[ " $line " == *\ -j\ * || " $line " == *\ --json\ * ]] || return
	if [ "$code" = 0 ]; then
		is_array "${2:-true}" || echo "wanted one JSON array with: ${2:-true}"
	elif [ "$code" != 3 ] && [ -n "$out" ]; then
		echo "output after a failure"
	fi
}

# Is the output one JSON array, to which this filter of jq agrees?
is_array() {
	jq -es "length == 1 and (.[0] | type == \"array\" and ($1))" \
		<<<"$out" >/dev/null 2>&1
}

detail() {
	printf '%s\nnsteer %s\nexit status %s\nstdout: %q\nstderr: %q\n' \
		"$1" "$2" "$code" "$out" "$err"
}

t() {
	local why
	run "$2"
	why=$(promises "$2")
	[ "$code" = "$3" ] || why+=$'\n'"wanted exit status $3"
	matches "$4" "$out" || why+=$'\n'"wanted on stdout: $4"
	matches "$5" "$err" || why+=$'\n'"wanted on stderr: $5"
	if [ -z "$why" ]; then pass; else fail "$1" "$(detail "$why" "$2")"; fi
}

j() {
	local why
	run "-j $2"
	why=$(promises "-j $2" "$3")
	[ "$code" = 0 ] || why+=$'\n'"wanted exit status 0"
	if [ -z "$why" ]; then pass; else fail "$1" "$(detail "$why" "-j $2")"; fi
}

# hold DEVICE WORD...: see hold.c. Sets held (its pid) and said (its words).
hold() {
	local line in
	mkfifo "$tmp/in$$.${#holders[@]}" "$tmp/out$$.${#holders[@]}"
	in=$tmp/in$$.${#holders[@]}
	"$NSTEER_TEST_BIN/hold" "$@" <"$in" >"$tmp/out$$.${#holders[@]}" &
	held=$!
	# Open until this script ends, and the holder with it.
	# shellcheck disable=SC2034
	exec {hold_in}>"$in" {hold_out}<"$tmp/out$$.${#holders[@]}"
	holders+=("$held")
	said=''
	while read -r -t 10 -u "$hold_out" line && [ "$line" != ready ]; do
		said+="$line "
	done
	[ "$line" = ready ] || fail "hold $*" "it did not get ready"
}

# release PID: end what hold() started, and wait until it is gone.
release() {
	kill "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}
