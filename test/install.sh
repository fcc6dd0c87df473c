#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# install.sh BUILD   make install into a scratch place, use it, make uninstall
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
tier=install
. test/tally.sh
build=$1
# The caller's variables hold here too, his jobserver does not.
MAKEFLAGS=$(sed 's/ -j[0-9]*//; s/ --jobserver-[a-z]*=[^ ]*//g' \
	<<<"${MAKEFLAGS:-}")
export MAKEFLAGS
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
local=$top/usr/local
dirs=(PREFIX=/usr/local LIBDIR=/usr/local/lib MANDIR=/usr/local/share/man
	BINDIR=/usr/local/sbin INCLUDEDIR=/usr/local/include
	BASHCOMPDIR=/usr/local/share/bash-completion/completions)
CC=${CC:-gcc} PKG_CONFIG=${PKG_CONFIG:-pkg-config}
export PKG_CONFIG_PATH=$local/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$top

version=$(header_version)

make_target() {
	make -s --no-print-directory O="$build" DESTDIR="$top" "${dirs[@]}" "$1"
}

user_program() {
	cat >"$top/user.c" <<-EOT
	#include <nsteer/nsteer.h>
	#include <nsteer/tun.h>
	#include <stdio.h>

	int main(void)
	{
		NSTEER_OPTS(nsteer_open_opts, opts, .netns = NULL);
		struct nsteer *ns;
		int err = nsteer_open(&opts, &ns);

		if (err)
			fprintf(stderr, "%s\n", nsteer_errmsg(ns));
		nsteer_close(ns);
		puts(nsteer_version());
		return err != 0;
	}
	EOT
}

# compile OUT LIBS...
compile() {
	local out=$1
	shift
	# shellcheck disable=SC2046 # flags are words
	"$CC" -Wall -Wextra -Werror -o "$out" "$top/user.c" \
		$("$PKG_CONFIG" --cflags libnsteer) "$@"
}

present() { [ -s "$1" ] || { echo "no $1"; return 1; }; }

check "make install" make_target install
same "version of libnsteer.pc" "$version" \
	"$("$PKG_CONFIG" --modversion libnsteer)"
user_program
# shellcheck disable=SC2046
check "a shared program links" compile "$top/shared" \
	$("$PKG_CONFIG" --libs libnsteer)
# shellcheck disable=SC2046
check "a static program links" compile "$top/static" \
	"$local/lib/libnsteer.a" $("$PKG_CONFIG" --static --libs-only-l libnsteer |
		sed 's/-lnsteer//')
same "the shared program's version" "$version" \
	"$(LD_LIBRARY_PATH=$local/lib "$top/shared" 2>&1)"
same "the static program's version" "$version" "$("$top/static" 2>&1)"
same "what the shared program asks the loader for" libnsteer.so.0 \
	"$(objdump -p "$top/shared" | awk '$1 == "NEEDED" && /nsteer/ {print $2}')"
same "what the static program asks the loader for" '' \
	"$(objdump -p "$top/static" | awk '$1 == "NEEDED" && /nsteer/ {print $2}')"
same "the command's version" "nsteer $version" \
	"$("$local/sbin/nsteer" -V 2>&1 | grep -o '^nsteer [0-9.]*')"
for page in man/*.[1-8]; do
	check "$page" present "$local/share/man/man${page##*.}/${page#man/}"
done
check "completion" present "$local/share/bash-completion/completions/nsteer"
# Another version beside it is not ours to take along.
touch "$local/lib/libnsteer.so.1"
check "make uninstall" make_target uninstall
rm -f "$top/user.c" "$top/shared" "$top/static"
same "what uninstall leaves" "$local/lib/libnsteer.so.1" \
	"$(find "$top" ! -type d)"

# make clean takes away a build folder and nothing else.
mkdir -p "$top/tree" "$top/out/obj"
touch "$top/tree/kept" "$top/out/obj/flags"
same "clean of what is no build folder" \
	"$top/tree is no build folder: left alone" \
	"$(make -s --no-print-directory O="$top/tree" clean 2>&1 | head -n 1)"
check "it is left alone" test -e "$top/tree/kept"
same "O of the environment" 'rm -rf build' \
	"$(env -u MAKEFLAGS O="$top/tree" make -n \
		--no-print-directory clean | tail -n 1)"
check "clean" make -s --no-print-directory O="$top/out" clean
check "it is gone" test ! -e "$top/out"
closing
