/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses as text, each with the mask that says which of its bits count. */
#ifndef TOOL_ADDR_H
#define TOOL_ADDR_H

#include <stddef.h>

/* Room for the longest, which is two IPv6 addresses. */
#define ADDR_SIZE 96

/*
 * At p, without a NUL; they return the end. mask may be NULL: all bits count.
 * One without gaps is written as the number of its bits, as tc does.
 */
char *addr_ipv4(char *p, const unsigned char *addr, const unsigned char *mask);
char *addr_ipv6(char *p, const unsigned char *addr, const unsigned char *mask);
char *addr_mac(char *p, const unsigned char *addr, const unsigned char *mask);

#endif /* TOOL_ADDR_H */
