#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What test/kernels/run makes of guests that go wrong, with a qemu that only
# pretends: it plays the guest's part of the results folder.
cd "$(dirname "$0")/../.." || exit 1
# shellcheck disable=SC2034 # read by tally.sh
tier=guests
. test/tally.sh

if [ "$(uname -m)" != x86_64 ]; then
	skip "machine: no guests for it yet"
	closing
	exit
fi

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
dir=$tmp/build/kernels/6.1
mkdir -p "$tmp/bin" "$dir/tree/lib/modules/6.1.0-x"
echo linux-image-6.1.0-x-amd64 >"$dir/tree/package"
touch "$dir/initramfs"
cat >"$tmp/bin/qemu-system-x86_64" <<'QEMU'
#!/bin/bash
for word; do
	case $word in
	local,path=*,mount_tag=results,*)
		results=${word#local,path=}
		results=${results%%,*}
		;;
	esac
done
cd "$results" || exit 1
echo '[    0.1] hello' >console
echo 6.1.0-x >release
. "$SCENE"
QEMU
printf '#!/bin/sh\n' >"$tmp/bin/apt-cache" # that offers nothing
chmod +x "$tmp/bin"/*
export SCENE=$tmp/scene

# What a run of the tests prints.
good='live/a: 3 passed, 0 failed, 0 skipped
live: 3 passed, 0 failed, 0 skipped

3 passed, 0 failed, 0 skipped'

# scene NAME EXIT PATTERN WHAT-THE-GUEST-DOES [VARIABLE=VALUE...]
scene() {
	local name=$1 wanted=$2 pattern=$3 out rc=0
	echo "$4" >"$SCENE"
	shift 4
	out=$(PATH=$tmp/bin:$PATH env good="$good" "$@" test/kernels/run check \
		"$tmp/build" 6.1 2>&1 </dev/null) || rc=$?
	if [ "$rc" = "$wanted" ] && [[ $out =~ $pattern ]]; then
		pass
	else
		fail "$name" "status $rc, wanted $wanted and $pattern:"$'\n'"$out"
	fi
}

scene 'all is well' 0 'live/a +3 .*3 passed, 0 failed, 0 skipped$' \
	'echo "$good" >tests; echo 0 >status'
scene 'a test fails' 1 '2  1 FAILED.*6.1: test/live/a.c:7:F:a:b:0: no.*2 passed, 1 failed, 0 skipped$' \
	'echo "test/live/a.c:7:F:a:b:0: no
live/a: 2 passed, 1 failed, 0 skipped
live: 2 passed, 1 failed, 0 skipped

2 passed, 1 failed, 0 skipped" >tests; echo 1 >status'
scene 'a script fails' 1 'cli/a: FAILED: x.*    6.1:     the detail.*0 passed, 1 failed' \
	'echo "cli/a: FAILED: x
    the detail
cli/a: 0 passed, 1 failed, 0 skipped

0 passed, 1 failed, 0 skipped" >tests; echo 1 >status'
scene 'a panic, with what was there by then' 1 \
	'live/a +3 .*failed: 6.1: Kernel panic - not syncing: Fatal.*3 passed, 1 failed' \
	'echo "$good" | head -n 1 >tests
	echo "[ 9.1] Kernel panic - not syncing: Fatal exception" >>console'
scene 'with its last words' 1 '    6.1: .* RIP: 0010:x.*    6.1: .*Kernel panic' \
	'seq 100 >tests; echo "[ 9.1] RIP: 0010:x
[ 9.1] Kernel panic - not syncing: Fatal exception" >>console'
scene 'out of memory' 1 'failed: 6.1: the guest ran out of memory \(MEM=123 MiB\)' \
	'echo "[ 9.1] Kernel panic - not syncing: Out of memory: x" >>console' MEM=123
scene 'no memory to start' 1 'did not come to say a word' ': >console'
scene 'the root cannot be mounted' 1 'failed: 6.1: guest: no overlay' \
	'echo "[ 3.1] guest: no overlay" >>console'
scene 'a hang' 1 'failed: 6.1: no end after 2 seconds' \
	"echo \$\$ >$tmp/pid; exec sleep 60" LIMIT=2
# A zombie does not.
lives() { grep -q . "/proc/$(cat "$tmp/pid")/cmdline" 2>/dev/null; }
check 'whose machine is ended' eval '! lives'
PATH=$tmp/bin:$PATH test/kernels/run check "$tmp/build" 6.1 >/dev/null 2>&1 &
killed=$!
# The scene is still the hanging one.
rm "$tmp/pid"
for _ in {1..50}; do [ -s "$tmp/pid" ] && break; sleep 0.1; done
kill -9 "$killed"
wait "$killed" 2>/dev/null
sleep 0.1
check 'nor does it outlive who started it' eval '! lives'
scene 'qemu refuses' 1 'failed: 6.1: qemu \(ACCEL=.*\) ended with status 1: no such accel' \
	'echo "no such accel" >&2; exit 1'
scene 'an end without a status' 1 'failed: 6.1: the guest ended without a status.*3 passed, 1 failed' \
	'echo "$good" >tests'
scene 'nothing was run' 1 'failed: 6.1: there was no test to run' \
	'echo "0 passed, 0 failed, 0 skipped" >tests; echo 0 >status'
scene 'no number' 1 '^kernels: LIMIT=abc: not a number of seconds$' : LIMIT=abc
scene 'lines are lost' 1 'failed: 6.1: results are missing: 3 passed in all, 0 in the suites' \
	'echo "$good" | sed 1d >tests; echo 0 >status'
scene 'the end is lost' 1 'without their closing line' \
	'echo "$good" | head -n 2 >tests; echo 0 >status'
scene 'a tier that crashed' 1 'failed: prog ended with status 139.*3 passed, 1 failed' \
	'echo "live/a: 3 passed, 0 failed, 0 skipped

failed: prog ended with status 139 and without its closing line
3 passed, 1 failed, 0 skipped" >tests; echo 1 >status'
scene 'all is well, but the status is not' 1 'ended with status 3' \
	'echo "$good" >tests; echo 3 >status'
scene 'a skip that nobody expects' 1 'skipped: 6.1: live/a: kernel: no x \(y\).*failed: 6.1: live/a skipped what' \
	'echo "live/a: skipped: kernel: no x (y)
live/a: 3 passed, 0 failed, 1 skipped
live: 3 passed, 0 failed, 1 skipped

skipped: live: kernel: no x (y)
3 passed, 0 failed, 1 skipped" >tests; echo 0 >status'
scene 'a skip that does not say why' 1 '1 skipped, but 0 of them said why' \
	'echo "live/a: 3 passed, 0 failed, 1 skipped

3 passed, 0 failed, 1 skipped" >tests; echo 0 >status'
scene 'the kernel warns' 1 'failed: 6.1: the kernel says: .*WARNING: CPU: 1' \
	'echo "$good" >tests; echo "[ 9.1] WARNING: CPU: 1 PID: 9 at x" >>console
	echo 0 >status'
scene 'a busy machine is no fault' 0 '3 passed, 0 failed' \
	'echo "$good" >tests; echo "[ 9] watchdog: BUG: soft lockup - CPU#1" >>console
	echo 0 >status'
scene 'a program is left' 1 'failed: 6.1: left in the kernel: 7: .*nst_steer_cpu' \
	'echo "$good" >tests; echo "7: socket_filter  name nst_steer_cpu" >left
	echo 0 >status'

# ---- what is in the way of a guest ----

# image NAME PATTERN [VARIABLE=VALUE...]: without one that is there already
image() {
	local name=$1 pattern=$2 out rc=0
	shift 2
	out=$(PATH=$tmp/bin:$PATH env "$@" test/kernels/image "$tmp/new" 6.1 \
		2>&1 </dev/null) || rc=$?
	if [ "$rc" = 1 ] && [[ $out =~ $pattern ]] && [ ! -e "$tmp/new/6.1/tree" ]; then
		pass
	else
		fail "$name" "status $rc, wanted 1 and $pattern:"$'\n'"$out"
	fi
	rm -rf "$tmp/new"
}
# stand_in COMMAND BODY
stand_in() {
	printf '#!/bin/sh\n%s\n' "$2" >"$tmp/bin/$1"
	chmod +x "$tmp/bin/$1"
}
stand_in apt-get 'echo "E: no way to there" >&2; exit 100'
image 'no package' '^kernels: 6.1: the package lists offer no linux-image-6.1'
stand_in apt-cache 'case $1 in
pkgnames) echo linux-image-6.1.0-9-amd64; echo linux-image-6.1.0-10-amd64
	echo linux-image-6.1.0-11-cloud-amd64 ;;
show) echo Filename: x ;;
esac'
image 'no way to it' \
	'linux-image-6.1.0-10-amd64 cannot be fetched: E: no way to there$'
scene 'what is there will do' 0 \
	'cannot be fetched.*; linux-image-6.1.0-x-amd64 will do.*3 passed, 0 failed' \
	'echo "$good" >tests; echo 0 >status'
stand_in apt-get 'echo no package >x_amd64.deb'
image 'a broken package' 'linux-image-6.1.0-10-amd64 cannot be unpacked: '
stand_in df 'echo; echo / 1 1 30 1'
image 'no room' '^kernels: 6.1: unpacking a kernel needs 800 MiB in .*, 30 are free$'
rm "$tmp/bin/df"
closing
