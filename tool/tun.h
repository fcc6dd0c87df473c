/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TOOL_TUN_H
#define TOOL_TUN_H

#include "cmd.h"

/* The commands of the object tun. */
extern const struct cmd tun_commands[];

#endif /* TOOL_TUN_H */
