#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# mountroot.sh COMMAND...   where / is a mount point
#
# Tests keep their mounts to themselves by making / private, which the kernel
# does to mount points only, and drop root, for which / must be open to others.
# A chroot may lack both. There the command gets a mount namespace and in it a
# second chroot: a tmpfs with the directories of the first bound into it. Where
# that would show outside, nothing is done.
set -u

enter() {
	local entry
	mount -t tmpfs -o mode=755 none /mnt || return
	case $(findmnt -no PROPAGATION /mnt) in
	'' | *shared*) umount /mnt; return ;;
	esac
	for entry in /*; do
		if [ -L "$entry" ]; then
			cp -P "$entry" /mnt
		elif [ -d "$entry" ] && [ "$entry" != /mnt ]; then
			mkdir -p "/mnt$entry"
			mount --rbind "$entry" "/mnt$entry" || return
		fi
	done
	mount --make-rprivate /mnt || return
	exec chroot /mnt env -C "$PWD" "$@"
}

if [ "${1:-}" = --entered ]; then
	shift
	enter "$@"
elif ! mountpoint -q /; then
	exec unshare -m --propagation unchanged -- "$0" --entered "$@"
fi
exec "$@"
