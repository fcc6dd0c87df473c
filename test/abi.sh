#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# abi.sh BUILD   headers, version map and shared library say the same
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
tier=abi
. test/tally.sh
so=$1/libnsteer.so.0
[ -e "$so" ] || { echo "abi: there is no $so"; exit 1; }

declared() {
	awk '/^NSTEER_API/ { on = 1 }
	     on { text = text " " $0 }
	     on && /;/ {
		if (match(text, /nsteer_[a-z0-9_]+\(/))
			print substr(text, RSTART, RLENGTH - 1)
		on = 0; text = ""
	     }' include/nsteer/*.h | sort
}

mapped() {
	sed -n 's/^\t\(nsteer_[a-z0-9_]*\);.*/\1/p' lib/libnsteer.map | sort
}

# The version nodes are symbols too, absolute ones.
exported() {
	nm -D --defined-only "$so" | awk '$2 != "A" { print $3 }' |
		sed 's/@.*//' | sort
}

# A public function without a doc comment right above it that names it and has
# a "Since:", or with a Since of a version that is still to come.
undocumented() {
	awk -v version="$version" '
	FNR == 1 { doc = ""; on = 0; text = "" }
	/^\/\*\*/ { doc = ""; in_doc = 1 }
	in_doc { doc = doc "\n" $0; if (/\*\//) in_doc = 0; next }
	/^NSTEER_API/ { on = 1 }
	on { text = text " " $0 }
	on && /;/ {
		match(text, /nsteer_[a-z0-9_]+\(/)
		name = substr(text, RSTART, RLENGTH - 1)
		if (doc !~ "\\* " name " - ")
			print FILENAME ": " name ": no doc comment"
		else if (!match(doc, /Since: [0-9]+\.[0-9]+/))
			print FILENAME ": " name ": no Since:"
		else if (later(substr(doc, RSTART + 7, RLENGTH - 7), version))
			print FILENAME ": " name ": Since: is to come"
		on = 0; text = ""; doc = ""
		next
	}
	!on && NF { doc = "" }
	function later(a, b, x, y) {
		split(a, x, "."); split(b, y, ".")
		return x[1] > y[1] || (x[1] == y[1] && x[2] + 0 > y[2] + 0)
	}' include/nsteer/*.h
}

# What only the compiler that made it could link.
private_code() {
	objdump -h "$1" | grep -o '\.gnu\.\(debug\)\?lto_[a-z_]*' | sort -u
}

# alone COMPILER STANDARD HEADER: nothing has to be included before it
alone() {
	local lang=c
	[[ $2 == c++* ]] && lang=c++
	"$1" "-std=$2" -Wall -Wextra -pedantic -Werror -fsyntax-only -Iinclude \
		-x $lang - <<<"#include <${3#include/}>"
}

version=$(header_version)
names=$(declared)

if [ -n "$names" ]; then pass; else fail "no public function was found"; fi
same "lib/libnsteer.map lists what the headers declare" "$names" "$(mapped)"
same "the library exports what the headers declare" "$names" "$(exported)"
same "soname" libnsteer.so.0 \
	"$(objdump -p "$so" | awk '$1 == "SONAME" { print $2 }')"
same "the archive is for every linker" '' "$(private_code "$1/libnsteer.a")"
same "doc comments" '' "$(undocumented)"
for h in include/nsteer/*.h; do
	check "$h as C11" alone "${CC:-gcc}" c11 "$h"
	check "$h as C++11" alone "${CXX:-g++}" c++11 "$h"
done
closing
