/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words of tc: what a command line and a listing call things. */
#ifndef TOOL_TC_WORD_H
#define TOOL_TC_WORD_H

#include <stdbool.h>
#include <stdint.h>

/* Room for what the functions below write; none of them ends it with a NUL. */
#define TC_WORD_SIZE 16

/* An EtherType: its word or 0x and hex. Returns the end. */
char *tc_word_protocol(char *p, uint16_t protocol);
bool tc_word_parse_protocol(const char *word, uint16_t *protocol);

/* A qdisc or class, "1:" or "1:10", hex both. */
char *tc_word_handle(char *p, uint32_t handle);
bool tc_word_parse_handle(const char *word, uint32_t *handle);

#endif /* TOOL_TC_WORD_H */
