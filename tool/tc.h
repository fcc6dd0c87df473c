/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TOOL_TC_H
#define TOOL_TC_H

#include "cmd.h"

/* The commands of the object tc. */
extern const struct cmd tc_commands[];

#endif /* TOOL_TC_H */
