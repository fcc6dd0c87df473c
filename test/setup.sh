#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# setup.sh missing SET...   one line on what is missing, nothing if all is there
# setup.sh install          install it all with the system's package manager
#
# SET: build, run (commands of demo, tests and benchmarks), test, sanitize,
# kernels (only where they are to be had: see test/kernels/image).
# CC, CXX, CLANG, LLVM_STRIP and PKG_CONFIG count.
set -u
PATH=$PATH:/usr/sbin:/sbin
CC=${CC:-gcc} CXX=${CXX:-g++} CLANG=${CLANG:-clang}
PKG_CONFIG=${PKG_CONFIG:-pkg-config}

# set | what | how it is found | apt | dnf | pacman | zypper
#
# How: the name of a command, lib:NAME or "lib:NAME >= VERSION" for pkg-config,
# links:COMPILER,FLAGS for a program that must link, static:NAME for a command
# that needs no shared library. Packages separated by "/": the first one on
# offer.
table() {
	cat <<-EOT
	build|C compiler|links:$CC|gcc libc6-dev|gcc glibc-devel|gcc|gcc glibc-devel
	build|clang|$CLANG|clang|clang|clang|clang
	build|llvm-strip|${LLVM_STRIP:-llvm-strip}|llvm|llvm|llvm|llvm
	build|pkg-config|$PKG_CONFIG|pkg-config|pkgconf-pkg-config|pkgconf|pkg-config
	build|libmnl|lib:libmnl|libmnl-dev|libmnl-devel|libmnl|libmnl-devel
	build|libbpf 1.0 or later|lib:libbpf >= 1.0|libbpf-dev|libbpf-devel|libbpf|libbpf-devel
	build|libcap|lib:libcap|libcap-dev|libcap-devel|libcap|libcap-devel
	test|check|lib:check|check|check-devel|check|check-devel
	run|ip|ip|iproute2|iproute|iproute2|iproute2
	test|tc|tc|iproute2|iproute-tc|iproute2|iproute2
	run|unshare|unshare|util-linux|util-linux|util-linux|util-linux
	test|jq|jq|jq|jq|jq|jq
	test|bpftool|bpftool|bpftool/linux-tools-generic|bpftool|bpf|bpftool
	test|mandoc|mandoc|mandoc|mandoc|mandoc|mandoc
	test|C++ compiler|$CXX|g++|gcc-c++|gcc|gcc-c++
	sanitize|sanitizers of $CC|links:$CC,-fsanitize=address,-fsanitize=undefined|gcc libc6-dev|libasan libubsan|gcc|gcc
	sanitize|sanitizers of $CLANG|links:$CLANG,-fsanitize=fuzzer-no-link,-fsanitize=address|libclang-rt-dev/clang|compiler-rt|compiler-rt|clang
	kernels|qemu-system-x86_64|qemu-system-x86_64|qemu-system-x86|||
	kernels|static busybox|static:busybox|busybox-static|||
	kernels|cpio|cpio|cpio|||
	kernels|depmod and modprobe|modprobe|kmod|||
	kernels|xz|xz|xz-utils|||
	EOT
}

# All that this machine can make use of.
sets() {
	echo build run test sanitize
	[ "$(dpkg --print-architecture 2>/dev/null)" != amd64 ] || echo kernels
}

have() {
	case $1 in
	lib:*) $PKG_CONFIG --exists "${1#lib:}" 2>/dev/null ;;
	links:*)
		# shellcheck disable=SC2046 # a compiler and its flags are words
		echo 'int main(void){return 0;}' |
			$(echo "${1#links:}" | tr , ' ') -x c -o "$out" - \
			2>/dev/null ;;
	static:*)
		command -v "${1#static:}" >/dev/null 2>&1 &&
			! ldd "$(command -v "${1#static:}")" 2>&1 | grep -q '=>'
		;;
	*) command -v "$1" >/dev/null 2>&1 ;;
	esac
}

# Rows of these sets that are not there.
missing_rows() {
	out=$(mktemp) || return
	table | while IFS='|' read -r set what how packages; do
		case " $* " in *" $set "*) ;; *) continue ;; esac
		have "$how" || echo "$set|$what|$how|$packages"
	done
	rm -f "$out"
}

manager() {
	for m in apt-get dnf pacman zypper; do
		command -v $m >/dev/null 2>&1 && { echo $m; return; }
	done
}

# rows on stdin -> packages, each once
packages() {
	case $1 in
	dnf) n=5 ;; pacman) n=6 ;; zypper) n=7 ;; *) n=4 ;;
	esac
	cut -d'|' -f$n | tr ' ' '\n' | sort -u | while read -r p; do
		on_offer "$1" "$p"
	done
}

on_offer() {
	for p in $(echo "$2" | tr / ' '); do
		case $1 in
		apt-get) apt-cache show "$p" >/dev/null 2>&1 && break ;;
		*) break ;;
		esac
	done
	echo "$p"
}

# shellcheck disable=SC2086 # the packages are words
get() {
	case $manager in
	apt-get) DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
			--no-install-recommends -o Dpkg::Use-Pty=0 $pkgs ;;
	dnf) dnf install -y -q --setopt=install_weak_deps=False $pkgs ;;
	pacman) pacman -S --needed --noconfirm --noprogressbar $pkgs ;;
	zypper) zypper -n -q install --no-recommends $pkgs ;;
	esac
}

refresh() {
	case $manager in
	apt-get) apt-get update -qq ;;
	dnf) dnf makecache -q ;;
	pacman) pacman -Sy --noconfirm ;;
	zypper) zypper -n -q refresh ;;
	esac
}

fail() {
	echo "setup: $*" >&2
	exit 1
}

# Lists that were never fetched, or that do not know a package.
lists_lack() {
	[ "$manager" = apt-get ] || return 1
	for p in $pkgs; do
		apt-cache show "$p" >/dev/null 2>&1 || return 0
	done
	return 1
}

install_all() {
	# shellcheck disable=SC2046 # words
	rows=$(missing_rows $(sets))
	[ -n "$rows" ] || { echo "setup: everything is there"; exit 0; }
	manager=$(manager)
	[ -n "$manager" ] || fail "no apt-get, dnf, pacman or zypper here;" \
		"please install: $(names)"
	[ "$(id -u)" = 0 ] || fail "installing needs root: sudo make setup"
	log=$(mktemp) || exit 1
	trap 'rm -f "$log"' EXIT
	pkgs=$(echo "$rows" | packages "$manager" | tr '\n' ' ')
	if lists_lack; then
		echo "setup: $manager update"
		refresh >"$log" 2>&1 || told "$manager update failed"
		pkgs=$(echo "$rows" | packages "$manager" | tr '\n' ' ')
	fi
	echo "setup: $manager install $pkgs"
	# Lists that are too old name files that are gone.
	get >"$log" 2>&1 || { refresh && get; } >"$log" 2>&1 ||
		told "$manager could not install $pkgs"
	# shellcheck disable=SC2046 # words
	rows=$(missing_rows $(sets))
	[ -z "$rows" ] || fail "still missing after installing: $(names)"
}

told() {
	tail -n 15 "$log" >&2
	fail "$@"
}

# The "what" of $rows in one line.
names() {
	echo "$rows" | cut -d'|' -f2 | paste -sd, | sed 's/,/, /g'
}

case ${1:-} in
missing)
	shift
	case " $* " in
	*' kernels '*)
		sets | grep -qx kernels || {
			echo "the guests' kernels are Debian's, and amd64's"
			exit 0
		}
		;;
	esac
	rows=$(missing_rows "$@")
	[ -n "$rows" ] || exit 0
	manager=$(manager)
	echo "$(names) missing: install" \
		"$(echo "$rows" | packages "$manager" | paste -sd' ')" \
		"(sudo make setup does it)"
	;;
install) install_all ;;
*) sed -n '4,9s/^# \{0,1\}//p' "$0"; exit 1 ;;
esac
