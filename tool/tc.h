/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TOOL_TC_H
#define TOOL_TC_H

#include "cmd.h"

/* The commands of the object tc. */
extern const struct cmd tc_commands[];

/* Two of them. */
extern const struct arg tc_actions_args[];
int tc_actions_run(struct app *app, const void *data);
extern const struct arg tc_hooks_args[];
int tc_hooks_run(struct app *app, const void *data);

/* Of a list: it broke off, and was not refused. */
bool tc_is_broken(int err);
/* A classifier or action, const char *. */
bool tc_parse_kind(const char *word, void *value);

#endif /* TOOL_TC_H */
