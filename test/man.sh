#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# man.sh BUILD   the manual says what headers and command do, and its examples run
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
# shellcheck disable=SC2034,SC2209 # a name, for the file below
tier=man
. test/tally.sh
build=$(cd "$1" && pwd) || exit 1
nsteer=$build/nsteer
[ -x "$nsteer" ] || { echo "man: there is no $nsteer"; exit 1; }
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT

# ---- a page as its reader sees it ----

# Wide, so that nothing is broken but what the page itself breaks.
render() { mandoc -T utf8 -O width=300 "$1" | sed 's/.\x08//g'; }

# page SECTION: its lines, on stdin a rendered page
section() {
	awk -v want="$1" '/^[^ ]/ { on = $0 == want; next } on'
}

one_line() { tr -s ' \t\n' ' '; }

# Words and options, each once.
words() { grep -oE -e '-{0,2}[A-Za-z_][A-Za-z0-9_]*' | sort -u; }

# lacking A B: lines of the sorted file A that are not in B
lacking() { comm -23 "$1" "$2"; }

# ---- headers and section 3 ----

# What a program can name; not the plumbing of the headers themselves.
symbols() {
	grep -ohE '\b(nsteer|NSTEER)_[A-Za-z0-9_]+' include/nsteer/*.h |
		grep -vxE 'NSTEER_(API|PRINTF|[A-Z]+_H)|.*_' | sort -u
}

# Functions, callbacks and option structs, a line each.
declarations() {
	cat include/nsteer/*.h | sed 's|/\*.*\*/||; /^ *\/\*/,/\*\//d' |
		awk '/^(NSTEER_API|typedef|struct nsteer_[a-z_]* \{)/ { on = 1 }
		     on { text = text " " $0 }
		     on && /;/ && (text !~ /\{/ || /^};/) {
			print text; on = 0; text = ""
		     }' | sed 's/NSTEER_API//' | tr -s ' \t' ' ' |
		sed 's/^ //'
}

undeclared() {
	local line
	declarations | while read -r line; do
		grep -qF -- "$line" "$top/3" || echo "$line"
	done
}

# ---- command and section 8 ----

# usage [OBJECT]: the words of the lines that begin with "Usage:"
usage() {
	"$nsteer" "$@" help | sed '/^$/q' | words | grep -vx Usage
}

objects() { "$nsteer" help --words | grep -v '^-' | grep -vx help; }

# Each word of the command in the page, each word of the synopsis in the command.
check_words() {
	local page=$1
	words <"$top/${page#man/}" >"$top/page"
	section SYNOPSIS <"$top/${page#man/}" | words >"$top/synopsis"
	same "$page: words of the command that it lacks" '' \
		"$(lacking "$top/words" "$top/page")"
	same "$page: words of its synopsis that the command lacks" '' \
		"$(lacking "$top/synopsis" "$top/known")"
}

# Where our pages send their reader, of those that are ours: NAME.SECTION
references() {
	grep -ohE '\b(lib)?nsteer[-a-z_]*\([38]\)' "$top"/*.[38] | sort -u |
		sed 's/(\(.\))/.\1/'
}

# page_exists NAME SECTION: as a file, or as a name on a page
page_exists() {
	[ -e "man/$1.$2" ] ||
		cat "$top"/*."$2" | section NAME | grep -qw -e "$1"
}

# ---- examples ----

# The program in the examples of a page.
program() {
	section EXAMPLES <"$1" | awk '
	/^ *#include/ { on = 1 }
	on { line[++n] = $0 }
	on && /^ *}$/ { last = n }
	END { for (i = 1; i <= last; i++) print line[i] }'
}

# shellcheck disable=SC2046 # flags are words
compile() {
	"${CC:-gcc}" -std=gnu11 -Wall -Wextra -Werror -Iinclude -o "$2" "$1" \
		-L"$build" -lnsteer -Wl,-rpath,"$build"
}

# The commands of a page's examples as a script, which prints what the page
# has: each command, and its output where the page shows one.
transcript() {
	cat <<-'EOT'
	run() {
		echo "# $1"
		eval "$1" >"$top/out" || { echo "status $?"; exit 1; }
		[ -z "$2" ] || cat "$top/out"
	}
	EOT
	shown "$1" | awk -v quote="'" '
	function flush() {
		if (cmd == "")
			return
		gsub(quote, quote "\\" quote quote, cmd)
		print "run " quote cmd quote " " quote output quote
		output = ""
	}
	/^# / { flush(); cmd = substr($0, 3); next }
	{ output = "shown" }
	END { flush() }'
}

# Commands and output as the page shows them.
shown() {
	section EXAMPLES <"$1" | awk '
	{ match($0, /^ */) }
	/^ *# / { on = 1; indent = RLENGTH }
	!NF || RLENGTH < indent { on = 0 }
	on' | tr -s ' \t' ' ' | sed 's/^ //'
}

# inside COMMAND...: in a network namespace of its own, the command at hand
inside() {
	top=$top PATH=$build:$PATH:/usr/sbin:/sbin unshare -n "$@"
}

check_transcript() {
	local page=$1 want
	want=$(shown "$top/${page#man/}")
	[ -n "$want" ] || { fail "$page: it has no examples"; return; }
	transcript "$top/${page#man/}" >"$top/script"
	same "$page: examples run as printed" "$want" \
		"$(inside bash "$top/script" 2>&1 | grep -v '^Warning: ' |
			tr -s ' \t' ' ' | sed 's/^ //')"
}

# Keys of everything that the command prints as JSON.
json_keys() {
	# shellcheck disable=SC2016 # expanded inside
	inside bash -c '
		nsteer -j tun add tap0 multi_queue user 0 group 0
		nsteer -j tun set steering fixed 1 2>/dev/null
		nsteer -j -s -d tun show
		nsteer -j tun add "$(printf "t\377")"
		nsteer -j tun get steering
		nsteer -j tun policy
	' | jq -r '.. | objects | keys[]' | sort -u
}

# ---- all of it ----

version=$(header_version)
pages=(man/*.[1-8])
for page in "${pages[@]}"; do
	check "$page: lint" mandoc -T lint -W warning "$page"
	render "$page" >"$top/${page#man/}"
	check "$page: for version $version" \
		grep -q "^\.TH [^ ]* [1-8] .*\"nsteer $version\"" "$page"
done

if command -v man >/dev/null && man --version 2>/dev/null | grep -q '^man 2' &&
   command -v groff >/dev/null; then
	for page in "${pages[@]}"; do
		same "$page: groff" '' "$(LC_ALL=C.UTF-8 MANWIDTH=80 man \
			--warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)"
	done
else
	skip "machine: no man-db with groff"
fi

cat "$top"/*.3 | one_line >"$top/3"
words <"$top/3" >"$top/page"
symbols >"$top/symbols"
check "symbols of the headers were found" grep -qx nsteer_open "$top/symbols"
same "public symbols that no page of section 3 has" '' \
	"$(lacking "$top/symbols" "$top/page")"
check "declarations were found" test "$(declarations | wc -l)" -gt 50
same "declarations that section 3 has otherwise" '' "$(undeclared)"

{ usage; "$nsteer" help --words; } | sort -u >"$top/words"
"$nsteer" help | words | sort -u - "$top/words" >"$top/known"
check_words man/nsteer.8
for object in $(objects); do
	usage "$object" >"$top/words"
	{ usage; cat "$top/words"; } | sort -u >"$top/known"
	check_words "man/nsteer-$object.8"
done

while read -r ref; do
	check "$ref exists" page_exists "${ref%.*}" "${ref##*.}"
done < <(references)

programs=()
for page in man/*.3; do
	name=$(basename "$page" .3)
	program "$top/$name.3" >"$top/$name.c"
	check "$page: its example compiles" compile "$top/$name.c" "$top/$name"
	[ -x "$top/$name" ] && programs+=("$name")
done

if [ "$EUID" != 0 ]; then
	skip "examples are not run: they need root"
elif ! [ -e /sys/kernel/btf/vmlinux ] || ! [ -c /dev/net/tun ]; then
	skip "kernel: examples are not run without BTF and /dev/net/tun"
else
	for object in $(objects); do
		check_transcript "man/nsteer-$object.8"
	done
	for name in "${programs[@]}"; do
		# shellcheck disable=SC2016 # expanded inside
		check "man/$name.3: its example runs" inside sh -c '
			nsteer tun add tap0 multi_queue &&
			"$top/$1" $([ "$1" = libnsteer ] && echo tap0) |
				grep -E "^(tap0: |[0-9]+ packets)"' sh "$name"
	done
	json_keys >"$top/keys"
	check "JSON keys were found" grep -qx ifname_hex "$top/keys"
	section OUTPUT <"$top/nsteer-tun.8" | words >"$top/page"
	same "keys that man/nsteer-tun.8 lacks" '' \
		"$(lacking "$top/keys" "$top/page")"
fi
closing
