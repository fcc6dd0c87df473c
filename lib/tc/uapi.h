/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers that the kernel headers of Linux 6.1 do not have yet, as they stand
 * in those of 6.12 [include/uapi/linux/pkt_cls.h], and those that the newer
 * ones have no more: the classifier tcindex went with Linux 6.3.
 */
#ifndef NST_TC_UAPI_H
#define NST_TC_UAPI_H

/* flower; since Linux 6.5, 6.6 (SPI) and 6.11 (ENC_FLAGS) */
enum {
	NST_FLOWER_L2_MISS = 106,
	NST_FLOWER_KEY_CFM = 107,
	NST_FLOWER_KEY_SPI = 108,
	NST_FLOWER_KEY_SPI_MASK = 109,
	NST_FLOWER_KEY_ENC_FLAGS = 110,
	NST_FLOWER_KEY_ENC_FLAGS_MASK = 111,
};

enum {
	NST_FLOWER_KEY_CFM_MD_LEVEL = 1,
	NST_FLOWER_KEY_CFM_OPCODE = 2,
};

/* the tunnel options PFCP; since Linux 6.10 */
enum {
	NST_FLOWER_KEY_ENC_OPTS_PFCP = 5,
};

enum {
	NST_FLOWER_KEY_ENC_OPT_PFCP_TYPE = 1,
	NST_FLOWER_KEY_ENC_OPT_PFCP_SEID = 2,
};

/* TCA_TCINDEX_*, up to Linux 6.2 */
enum {
	NST_TCINDEX_HASH = 1,
	NST_TCINDEX_MASK = 2,
	NST_TCINDEX_SHIFT = 3,
	NST_TCINDEX_FALL_THROUGH = 4,
	NST_TCINDEX_CLASSID = 5,
	NST_TCINDEX_POLICE = 6,
	NST_TCINDEX_ACT = 7,
};

/* linux/in.h has it, which does not go with netinet/in.h, which has it not. */
#define NST_IPPROTO_L2TP 115

#endif /* NST_TC_UAPI_H */
