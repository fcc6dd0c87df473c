# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Sourced by tests written in bash: count, and close with the line that
# test/run adds up.

tier=${tier:-test}
passed=0 failed=0 skipped=0

pass() { passed=$((passed + 1)); }

# fail NAME [DETAIL]
fail() {
	failed=$((failed + 1))
	echo "$tier: FAILED: $1"
	[ -z "${2:-}" ] || echo "    ${2//$'\n'/$'\n'    }"
}

# skip REASON
skip() {
	skipped=$((skipped + 1))
	echo "$tier: skipped: $1"
}

# check NAME COMMAND...: it must succeed, and is quiet when it does
check() {
	local name=$1 out
	shift
	if out=$("$@" 2>&1); then pass; else fail "$name" "$out"; fi
}

# same NAME WANTED GOT
same() {
	if [ "$2" = "$3" ]; then
		pass
	else
		fail "$1" "$(diff <(echo "$2") <(echo "$3") |
			sed -n 's/^</wanted:/p; s/^>/got:   /p')"
	fi
}

closing() {
	echo "$tier: $passed passed, $failed failed, $skipped skipped"
	[ "$failed" = 0 ]
}

# The version, from the one place where it stands.
header_version() {
	awk '/define NSTEER_VERSION_(MAJOR|MINOR|PATCH)/ { v = v s $3; s = "." }
		END { print v }' include/nsteer/nsteer.h
}
