#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# mountroot.sh COMMAND...   where / is a mount point
#
# Tests keep their mounts to themselves by making / private, which the kernel
# does to mount points only. In a chroot / is none, so there the command gets a
# mount namespace and in it a second chroot, into a bind mount of the first.
# Where that mount would show outside, nothing is done.
set -u

enter() {
	local propagation
	mount -t tmpfs none /mnt || return
	propagation=$(findmnt -no PROPAGATION /mnt)
	umount /mnt
	case $propagation in '' | *shared*) return ;; esac
	mount --rbind / /mnt && mount --make-rprivate /mnt || return
	exec chroot /mnt env -C "$PWD" "$@"
}

if [ "${1:-}" = --entered ]; then
	shift
	enter "$@"
elif ! mountpoint -q /; then
	exec unshare -m --propagation unchanged -- "$0" --entered "$@"
fi
exec "$@"
