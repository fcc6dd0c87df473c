#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# mountroot.sh COMMAND...   where / is a mount point
#
# Tests keep their mounts to themselves by making / private, which the kernel
# does to mount points only, and drop root, for which / must be open to others.
# A chroot may lack both. There the command gets a mount namespace and in it a
# second chroot: a tmpfs with the directories of the first bound into it. Where
# that would show outside, or may, nothing is done.
set -u

# Would a mount below / show in other mount namespaces? The list of mounts of
# a process in the chroot leaves out the one that / is in: by its number it is
# found in the list of one outside. A new namespace changes nothing of it.
shows_outside() {
	local id line
	id=$(sed -n 's/^mnt_id:\t*//p' /proc/self/fdinfo/0 </) || return 0
	line=$(grep -hm 1 "^${id:-none} " /proc/[0-9]*/mountinfo 2>/dev/null |
		head -n 1)
	[[ -z $line || ${line%% - *} == *\ shared:* ]]
}

enter() {
	local entry
	mount -t tmpfs -o mode=755 none /mnt || return
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
elif ! mountpoint -q / && ! shows_outside; then
	exec unshare -m --propagation unchanged -- "$0" --entered "$@"
fi
exec "$@"
