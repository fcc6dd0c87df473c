/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tc filters, read as a stream.
 *
 * A host may have a million of them: they are never collected. A dump is
 * opened, asked for one record after the other, and closed; its memory does not
 * grow with what it reads.
 *
 * The kernel selects by device or block, parent, chain, pref and protocol; the
 * kind is selected here. Its header records (handle 0, one per classifier) are
 * no filters and are left out. It neither promises nor tells that a list of
 * filters is consistent: what changes while it is read may be there or not.
 *
 * A terse dump (TCA_DUMP_FLAGS_TERSE, Linux 5.8) leaves out what a filter
 * matches and what its actions are set to, and keeps who they are and what they
 * counted. Only the classifier flower can do that. At the first other one the
 * kernel gives up, and whatever follows would be missing: from there on the
 * dump goes on as a full one [tc_dump_tfilter, tcf_fill_node].
 */
#ifndef NSTEER_TC_H
#define NSTEER_TC_H

#include <nsteer/nsteer.h>

#ifdef __cplusplus
extern "C" {
#endif

/** enum nsteer_tc_hook - where filters stand. */
enum nsteer_tc_hook {
	/** Anywhere; of a filter: at a qdisc or class, see its parent. */
	NSTEER_TC_HOOK_ANY = 0,
	/** What a device receives (qdisc ingress or clsact). */
	NSTEER_TC_HOOK_INGRESS = 1,
	/** What a device sends, before any queueing (qdisc clsact). */
	NSTEER_TC_HOOK_EGRESS = 2,
	/** The device's root qdisc. */
	NSTEER_TC_HOOK_ROOT = 3,
	/** What a netkit device sends to its peer; BPF programs alone. */
	NSTEER_TC_HOOK_PRIMARY = 4,
	/** What the peer of a netkit device sends to it; the same. */
	NSTEER_TC_HOOK_PEER = 5,
};

/** enum nsteer_tc_terse - what a dump is to leave out. */
enum nsteer_tc_terse {
	/** Nothing. */
	NSTEER_TC_TERSE_OFF = 0,
	/** Matches and arguments, wherever the kernel can. */
	NSTEER_TC_TERSE_ON = 1,
	/** The same, and a classifier that cannot is an error. */
	NSTEER_TC_TERSE_STRICT = 2,
};

/* What a filter or action says of hardware. */
/** NSTEER_TC_SKIP_HW - not to be offered to the hardware. */
#define NSTEER_TC_SKIP_HW (1u << 0)
/** NSTEER_TC_SKIP_SW - for the hardware alone. */
#define NSTEER_TC_SKIP_SW (1u << 1)
/** NSTEER_TC_IN_HW - the hardware has it. */
#define NSTEER_TC_IN_HW (1u << 2)
/** NSTEER_TC_NOT_IN_HW - the hardware does not. */
#define NSTEER_TC_NOT_IN_HW (1u << 3)

/* ------------------------------------------------------------------ */
/* values: what a filter matches, and what its actions are set to      */

/** enum nsteer_tc_type - how a value is to be read. */
enum nsteer_tc_type {
	/** Bytes of no known meaning: nsteer_tc_value_data(). */
	NSTEER_TC_BYTES = 0,
	/** A number, host byte order: nsteer_tc_value_u64(). */
	NSTEER_TC_UINT = 1,
	/** A signed number, two's complement in nsteer_tc_value_u64(). */
	NSTEER_TC_SINT = 2,
	/** A number that is usually written in hex. */
	NSTEER_TC_HEX = 3,
	/** It is there, and that is all. */
	NSTEER_TC_FLAG = 4,
	/** Text: nsteer_tc_value_data(), not terminated. */
	NSTEER_TC_STRING = 5,
	/** 4 bytes, network byte order. */
	NSTEER_TC_IPV4 = 6,
	/** 16 bytes. */
	NSTEER_TC_IPV6 = 7,
	/** 6 bytes. */
	NSTEER_TC_MAC = 8,
	/** An interface index. */
	NSTEER_TC_IFINDEX = 9,
	/** A qdisc or class (TC_H_MAJ, TC_H_MIN). */
	NSTEER_TC_CLASSID = 10,
	/** A set of bits; nsteer_tc_value_bit() has their names. */
	NSTEER_TC_BITS = 11,
	/** Members follow, up to an END of their own. */
	NSTEER_TC_OBJECT = 12,
	/** The same, members without names. */
	NSTEER_TC_ARRAY = 13,
	/** The end of an object or array. */
	NSTEER_TC_END = 14,
	/** From, in nsteer_tc_value_u64(), to, in nsteer_tc_value_mask(). */
	NSTEER_TC_RANGE = 15,
};

/**
 * struct nsteer_tc_value - one thing that a filter matches or an action is set
 * to, borrowed for the call that hands it out.
 */
struct nsteer_tc_value;

/**
 * nsteer_tc_value_name - what it is called, in tc's words where tc has one
 * @v: the value
 *
 * Return: the name, a constant; "attr_N" for an attribute that this version
 * does not know, valid as long as @v; NULL for the members of an array and for
 * END.
 *
 * Since: 0.2
 */
NSTEER_API const char *nsteer_tc_value_name(const struct nsteer_tc_value *v);

/**
 * nsteer_tc_value_type - how to read it
 * @v: the value
 *
 * Since: 0.2
 */
NSTEER_API enum nsteer_tc_type
nsteer_tc_value_type(const struct nsteer_tc_value *v);

/**
 * nsteer_tc_value_is_counter - was it counted or measured?
 * @v: the value
 *
 * Nobody has set it: how often a filter was asked or matched, since when an
 * action is there. It may differ each time that it is read.
 *
 * Since: 0.2
 */
NSTEER_API bool nsteer_tc_value_is_counter(const struct nsteer_tc_value *v);

/**
 * nsteer_tc_value_u64 - a number, host byte order
 * @v: the value
 *
 * Return: the number, whatever its width in the kernel; 0 for what is none.
 *
 * Since: 0.2
 */
NSTEER_API uint64_t nsteer_tc_value_u64(const struct nsteer_tc_value *v);

/**
 * nsteer_tc_value_mask - which bits of a number count
 * @v:    the value
 * @mask: the mask, host byte order; the end of a RANGE
 *
 * Of values with one name either all BITS have a mask or none has.
 *
 * Return: true; false when there is no mask or, but for BITS, all bits count.
 *
 * Since: 0.2
 */
NSTEER_API bool nsteer_tc_value_mask(const struct nsteer_tc_value *v,
				     uint64_t *mask);

/**
 * nsteer_tc_value_data - its bytes, as the kernel gave them
 * @v:   the value
 * @len: how many
 *
 * Return: the bytes, borrowed; NULL and 0 where there are none: for OBJECT,
 * ARRAY and END, for a FLAG, and for a number that was made of others.
 *
 * Since: 0.2
 */
NSTEER_API const void *nsteer_tc_value_data(const struct nsteer_tc_value *v,
					    size_t *len);

/**
 * nsteer_tc_value_mask_data - which bits of IPV4, IPV6, MAC or BYTES count
 * @v: the value
 *
 * Return: as many bytes as nsteer_tc_value_data() has, borrowed; NULL when
 * there is no mask.
 *
 * Since: 0.2
 */
NSTEER_API const void *
nsteer_tc_value_mask_data(const struct nsteer_tc_value *v);

/**
 * nsteer_tc_value_word - the usual word for a number
 * @v: the value
 *
 * Return: the word ("tcp", "pipe", "egress"), a constant; NULL when there is
 * none, also when not all bits count.
 *
 * Since: 0.2
 */
NSTEER_API const char *nsteer_tc_value_word(const struct nsteer_tc_value *v);

/**
 * nsteer_tc_value_has_words - are there words for some numbers of that name?
 * @v: the value
 *
 * For who writes values down by type: what is a word for one number is better
 * a string for each.
 *
 * Return: true also when this number has none.
 *
 * Since: 0.2
 */
NSTEER_API bool nsteer_tc_value_has_words(const struct nsteer_tc_value *v);

/**
 * nsteer_tc_value_bit - the name of a bit of BITS
 * @v: the value
 * @n: which one, 0 is the lowest
 *
 * Return: the name, a constant; NULL when it has none.
 *
 * Since: 0.2
 */
NSTEER_API const char *nsteer_tc_value_bit(const struct nsteer_tc_value *v,
					   unsigned int n);

/**
 * nsteer_tc_protocol_word - the usual word for an EtherType
 * @protocol: the EtherType, host byte order
 *
 * Return: the word ("ip", "802.1Q", "all"), a constant; NULL when there is
 * none.
 *
 * Since: 0.2
 */
NSTEER_API const char *nsteer_tc_protocol_word(uint16_t protocol);

/**
 * nsteer_tc_protocol_find - the EtherType of a word
 * @word:     the word, in upper or lower case; "ip" is "ipv4", too
 * @protocol: the EtherType, host byte order
 *
 * Return: 0; -ENOENT there is no such word.
 *
 * Since: 0.2
 */
NSTEER_API int nsteer_tc_protocol_find(const char *word, uint16_t *protocol);

/**
 * nsteer_tc_value_fn - called for each value, in order
 * @v:    the value, valid until it returns
 * @data: the caller's
 *
 * Return: 0 to go on; anything else ends the walk and is what that returns.
 */
typedef int (*nsteer_tc_value_fn)(const struct nsteer_tc_value *v, void *data);

/* ------------------------------------------------------------------ */
/* statistics                                                          */

/**
 * struct nsteer_tc_stats - what an action counted, borrowed from it.
 *
 * Totals are software and hardware together; the hardware's part is told on
 * its own. Bytes count the link layer header. All are 64 bits wide where the
 * kernel's are (packets since Linux 5.5).
 */
struct nsteer_tc_stats;

/**
 * nsteer_tc_stats_bytes - bytes, in software and hardware
 * @st: the statistics
 *
 * Since: 0.2
 */
NSTEER_API uint64_t nsteer_tc_stats_bytes(const struct nsteer_tc_stats *st);

/**
 * nsteer_tc_stats_packets - packets, in software and hardware
 * @st: the statistics
 *
 * Since: 0.2
 */
NSTEER_API uint64_t nsteer_tc_stats_packets(const struct nsteer_tc_stats *st);

/**
 * nsteer_tc_stats_hw - the hardware's part
 * @st:      the statistics
 * @bytes:   bytes
 * @packets: packets
 *
 * Return: false, and both untouched, when the kernel tells of none.
 *
 * Since: 0.2
 */
NSTEER_API bool nsteer_tc_stats_hw(const struct nsteer_tc_stats *st,
				   uint64_t *bytes, uint64_t *packets);

/**
 * nsteer_tc_stats_drops - packets dropped
 * @st: the statistics
 *
 * Since: 0.2
 */
NSTEER_API uint32_t nsteer_tc_stats_drops(const struct nsteer_tc_stats *st);

/**
 * nsteer_tc_stats_overlimits - packets beyond a limit
 * @st: the statistics
 *
 * Since: 0.2
 */
NSTEER_API uint32_t
nsteer_tc_stats_overlimits(const struct nsteer_tc_stats *st);

/**
 * nsteer_tc_stats_requeues - packets put back
 * @st: the statistics
 *
 * Since: 0.2
 */
NSTEER_API uint32_t nsteer_tc_stats_requeues(const struct nsteer_tc_stats *st);

/**
 * nsteer_tc_stats_backlog - bytes that wait
 * @st: the statistics
 *
 * Since: 0.2
 */
NSTEER_API uint32_t nsteer_tc_stats_backlog(const struct nsteer_tc_stats *st);

/**
 * nsteer_tc_stats_qlen - packets that wait
 * @st: the statistics
 *
 * Since: 0.2
 */
NSTEER_API uint32_t nsteer_tc_stats_qlen(const struct nsteer_tc_stats *st);

/* ------------------------------------------------------------------ */
/* actions                                                             */

/** struct nsteer_tc_action - an action, borrowed from its filter or dump. */
struct nsteer_tc_action;

/** NSTEER_TC_ACTIONS_MAX - actions of a filter (TCA_ACT_MAX_PRIO) */
#define NSTEER_TC_ACTIONS_MAX 32

/**
 * nsteer_tc_action_order - its place among the filter's actions, from 1
 * @a: the action
 *
 * Return: the place; 0 for an action of a dump of actions.
 *
 * Since: 0.2
 */
NSTEER_API uint32_t nsteer_tc_action_order(const struct nsteer_tc_action *a);

/**
 * nsteer_tc_action_kind - gact, mirred, tunnel_key and so on
 * @a: the action
 *
 * Return: the kernel's name of it, terminated; "" when it gave none.
 *
 * Since: 0.2
 */
NSTEER_API const char *
nsteer_tc_action_kind(const struct nsteer_tc_action *a);

/**
 * nsteer_tc_action_index - its number among those of its kind
 * @a:     the action
 * @index: the number
 *
 * A terse dump of actions has it (TCA_ACT_INDEX), one of filters does not
 * [tcf_action_dump_terse].
 *
 * Return: 0; -ENODATA the kernel did not tell.
 *
 * Since: 0.2
 */
NSTEER_API int nsteer_tc_action_index(const struct nsteer_tc_action *a,
				      uint32_t *index);

/**
 * nsteer_tc_action_cookie - what its owner marked it with
 * @a:   the action
 * @len: how many bytes, 1 to 16
 *
 * Return: the bytes, borrowed; NULL when there are none.
 *
 * Since: 0.2
 */
NSTEER_API const void *
nsteer_tc_action_cookie(const struct nsteer_tc_action *a, size_t *len);

/**
 * nsteer_tc_action_stats - what it counted
 * @a: the action
 *
 * Return: the statistics, borrowed; NULL when the kernel sent none.
 *
 * Since: 0.2
 */
NSTEER_API const struct nsteer_tc_stats *
nsteer_tc_action_stats(const struct nsteer_tc_action *a);

/**
 * nsteer_tc_action_is_terse - is it without its arguments?
 * @a: the action
 *
 * Since: 0.2
 */
NSTEER_API bool nsteer_tc_action_is_terse(const struct nsteer_tc_action *a);

/**
 * nsteer_tc_action_values - what it is set to
 * @a:    the action
 * @fn:   called for each value
 * @data: handed to @fn
 *
 * Nothing for a terse one.
 *
 * Return: 0, or what @fn returned.
 *
 * Since: 0.2
 */
NSTEER_API int nsteer_tc_action_values(const struct nsteer_tc_action *a,
				       nsteer_tc_value_fn fn, void *data);

/**
 * nsteer_tc_action_repeats - is it set to what the one before was set to?
 * @a: an action of a filter
 *
 * For who makes something of kind and values and can use it again: actions are
 * much alike, but for their index and what they counted. The one before is the
 * last one that this was asked of, of those at the same place of the filters of
 * this dump.
 *
 * Return: true when kind and nsteer_tc_action_values() would be the same. The
 * first places are compared only, and what is not too long: false may be for
 * one that is the same, too.
 *
 * Since: 0.2
 */
NSTEER_API bool nsteer_tc_action_repeats(const struct nsteer_tc_action *a);

/* ------------------------------------------------------------------ */
/* filters                                                             */

/** struct nsteer_tc_filter - a filter, borrowed until the dump's next one. */
struct nsteer_tc_filter;

/**
 * nsteer_tc_filter_ifindex - the device
 * @f: the filter
 *
 * Return: its index; 0 for a filter of a shared block.
 *
 * Since: 0.2
 */
NSTEER_API uint32_t
nsteer_tc_filter_ifindex(const struct nsteer_tc_filter *f);

/**
 * nsteer_tc_filter_block - the shared block
 * @f: the filter
 *
 * Return: its index; 0 for a filter of a device.
 *
 * Since: 0.2
 */
NSTEER_API uint32_t nsteer_tc_filter_block(const struct nsteer_tc_filter *f);

/**
 * nsteer_tc_filter_parent - the qdisc or class
 * @f: the filter
 *
 * Return: its handle (TC_H_MAJ, TC_H_MIN); 0 for a filter of a shared block.
 *
 * Since: 0.2
 */
NSTEER_API uint32_t nsteer_tc_filter_parent(const struct nsteer_tc_filter *f);

/**
 * nsteer_tc_filter_hook - INGRESS or EGRESS; else it stands at its parent
 * @f: the filter
 *
 * Return: ANY for one at a qdisc or class that queues, and for a block's.
 *
 * Since: 0.2
 */
NSTEER_API enum nsteer_tc_hook
nsteer_tc_filter_hook(const struct nsteer_tc_filter *f);

/**
 * nsteer_tc_filter_chain - the chain
 * @f: the filter
 *
 * Since: 0.2
 */
NSTEER_API uint32_t nsteer_tc_filter_chain(const struct nsteer_tc_filter *f);

/**
 * nsteer_tc_filter_pref - the preference: lower ones are asked first
 * @f: the filter
 *
 * Since: 0.2
 */
NSTEER_API uint32_t nsteer_tc_filter_pref(const struct nsteer_tc_filter *f);

/**
 * nsteer_tc_filter_protocol - the EtherType, host byte order
 * @f: the filter
 *
 * Return: ETH_P_*; ETH_P_ALL for any.
 *
 * Since: 0.2
 */
NSTEER_API uint16_t
nsteer_tc_filter_protocol(const struct nsteer_tc_filter *f);

/**
 * nsteer_tc_filter_kind - flower, u32, bpf and so on
 * @f: the filter
 *
 * Return: the kernel's name of it, terminated.
 *
 * Since: 0.2
 */
NSTEER_API const char *nsteer_tc_filter_kind(const struct nsteer_tc_filter *f);

/**
 * nsteer_tc_filter_handle - its number within pref
 * @f: the filter
 *
 * Since: 0.2
 */
NSTEER_API uint32_t nsteer_tc_filter_handle(const struct nsteer_tc_filter *f);

/**
 * nsteer_tc_filter_flags - NSTEER_TC_SKIP_HW and so on
 * @f: the filter
 *
 * Return: the bits; 0 when the kernel tells of none.
 *
 * Since: 0.2
 */
NSTEER_API uint32_t nsteer_tc_filter_flags(const struct nsteer_tc_filter *f);

/**
 * nsteer_tc_filter_hw_count - how many devices have it in hardware
 * @f:     the filter
 * @count: how many
 *
 * Return: 0; -ENODATA not told (a terse dump does not).
 *
 * Since: 0.2
 */
NSTEER_API int nsteer_tc_filter_hw_count(const struct nsteer_tc_filter *f,
					 uint32_t *count);

/**
 * nsteer_tc_filter_is_terse - is it without what it matches?
 * @f: the filter
 *
 * Since: 0.2
 */
NSTEER_API bool nsteer_tc_filter_is_terse(const struct nsteer_tc_filter *f);

/**
 * nsteer_tc_filter_values - what it matches
 * @f:    the filter
 * @fn:   called for each value
 * @data: handed to @fn
 *
 * What this version does not know comes as BYTES, and all of the options of an
 * unknown kind as one value "raw".
 *
 * Return: 0, or what @fn returned.
 *
 * Since: 0.2
 */
NSTEER_API int nsteer_tc_filter_values(const struct nsteer_tc_filter *f,
				       nsteer_tc_value_fn fn, void *data);

/**
 * nsteer_tc_filter_action - one of its actions
 * @f: the filter
 * @i: which one, from 0, in the order in which they are done
 *
 * Return: the action, borrowed from the filter; NULL when there are no more, of
 * which NSTEER_TC_ACTIONS_MAX are told.
 *
 * Since: 0.2
 */
NSTEER_API const struct nsteer_tc_action *
nsteer_tc_filter_action(const struct nsteer_tc_filter *f, unsigned int i);

/* ------------------------------------------------------------------ */
/* dumps                                                               */

/**
 * struct nsteer_tc_dump_opts - which filters, and how much of them
 * @sz:        size of this struct
 * @ifindex:   the device; 0: all of the namespace, every hook, every qdisc and
 *             class that can have filters, each shared block once
 * @block:     the shared block; not with @ifindex, @hook or @parent
 * @hook:      with @ifindex, INGRESS, EGRESS or ROOT; ANY: all of the device;
 *             PRIMARY and PEER have no filters
 * @parent:    with @ifindex, a qdisc or class by its handle; not with @hook
 * @terse:     see enum nsteer_tc_terse
 * @kind:      only this classifier; NULL: any
 * @pref:      only this preference, 1 to 65535; 0: any
 * @protocol:  only this EtherType, host byte order; 0: any
 * @has_chain: @chain is given
 * @chain:     only this chain
 *
 * A device whose hook is bound to a shared block is answered with the block's
 * filters where it is asked for by @ifindex.
 */
struct nsteer_tc_dump_opts {
	size_t sz;
	uint32_t ifindex;
	uint32_t block;
	enum nsteer_tc_hook hook;
	uint32_t parent;
	enum nsteer_tc_terse terse;
	uint32_t pref;
	const char *kind;
	uint32_t chain;
	uint16_t protocol;
	bool has_chain;
	size_t : 0;
};

/** struct nsteer_tc_dump - a dump under way. */
struct nsteer_tc_dump;

/**
 * nsteer_tc_dump_open - begin to read filters
 * @ns:   the context, to be open for as long as the dump is
 * @opts: which, or NULL
 * @out:  the dump, to be closed with nsteer_tc_dump_close()
 *
 * The dump has a socket of its own: the context may be used between its
 * records, by the thread that has it.
 *
 * Whether device, hook and block are there is for nsteer_tc_dump_next() to tell.
 *
 * Return: 0; -EINVAL @opts contradict each other; -ENODEV @ifindex is none.
 *
 * Since: 0.2
 */
NSTEER_API int nsteer_tc_dump_open(struct nsteer *ns,
				   const struct nsteer_tc_dump_opts *opts,
				   struct nsteer_tc_dump **out);

/**
 * nsteer_tc_dump_next - the next filter
 * @dump:   the dump
 * @filter: the filter, borrowed until the next call for this dump
 *
 * Where the kernel ends a terse dump early, the rest of that hook comes from a
 * full one; the log is told once which classifier it was (NSTEER_LOG_WARN).
 * A device that goes while the namespace is read is passed over.
 *
 * What the kernel does not tell of a place keeps nobody from the others: all
 * that can be had is handed out first, and then, once, comes the error, which
 * names the first place and how often something was missing.
 *
 * Return: 1; 0 there are no more; -ENODEV no such device; -ENOENT it has no such
 * hook, qdisc or class, or there is no such block; at the end of all places,
 * -EMSGSIZE a filter does not fit into a message, or the kernel ended a list at
 * a classifier (fw without a handle), -EINTR filters changed while they were
 * read, or why else the kernel did not tell; at once, -EOPNOTSUPP a classifier
 * without a terse form (STRICT); -ENOBUFS, -ETIMEDOUT, -EPROTO the socket lost
 * the list. After a failure the dump can only be closed.
 *
 * Since: 0.2
 */
NSTEER_API int nsteer_tc_dump_next(struct nsteer_tc_dump *dump,
				   const struct nsteer_tc_filter **filter);

/**
 * nsteer_tc_dump_close - end a dump, also before its end
 * @dump: the dump, may be NULL
 *
 * Since: 0.2
 */
NSTEER_API void nsteer_tc_dump_close(struct nsteer_tc_dump *dump);

/* ------------------------------------------------------------------ */
/* dumps of actions                                                    */

/**
 * struct nsteer_tc_actions_opts - which actions, and how much of them
 * @sz:    size of this struct
 * @kind:  only this kind, up to 15 bytes; NULL: every kind that Linux has, see
 *         nsteer_tc_actions_known(), one after the other by name
 * @terse: OFF, or ON: without what they are set to, with index and cookie
 *         (TCA_ACT_FLAG_TERSE_DUMP, Linux 5.11; on older kernels it is left out
 *         here). Every kind has a terse form: STRICT is as ON.
 */
struct nsteer_tc_actions_opts {
	size_t sz;
	const char *kind;
	enum nsteer_tc_terse terse;
	size_t : 0;
};

/** struct nsteer_tc_actions - a dump of actions under way. */
struct nsteer_tc_actions;

/**
 * nsteer_tc_actions_known - the kinds of actions that Linux has
 * @n: which one, from 0
 *
 * A kernel may lack some of them, or have further ones, which are read when
 * they are named.
 *
 * Return: its name, a constant, in the order of names; NULL: no more.
 *
 * Since: 0.2
 */
NSTEER_API const char *nsteer_tc_actions_known(unsigned int n);

/**
 * nsteer_tc_actions_open - begin to read the namespace's actions
 * @ns:   the context, to be open for as long as the dump is
 * @opts: which, or NULL
 * @out:  the dump, to be closed with nsteer_tc_actions_close()
 *
 * All actions are read, those of filters and those that no filter uses, each
 * once, however many use it. The dump has a socket of its own: the context may
 * be used between its actions, by the thread that has it. Its memory does not
 * grow with what it reads.
 *
 * Whether the kernel has the kind is for nsteer_tc_actions_next() to tell.
 *
 * Return: 0; -EINVAL @opts make no sense.
 *
 * Since: 0.2
 */
NSTEER_API int nsteer_tc_actions_open(struct nsteer *ns,
				      const struct nsteer_tc_actions_opts *opts,
				      struct nsteer_tc_actions **out);

/**
 * nsteer_tc_actions_next - the next action
 * @dump:   the dump
 * @action: the action, borrowed until the next call for this dump
 *
 * Those of a kind come in the order of their index. A kind of
 * nsteer_tc_actions_known() whose module is not loaded has no actions; one that
 * neither that list nor this kernel has is an error [tcf_action_get_1].
 *
 * An action that does not fit into a message ends the kernel's list as if that
 * was all [tcf_dump_walker]. Where that can be (bpf, gate, pedit, and kinds
 * that this version does not decode) a terse list, whose entries are small,
 * tells whether something is missing (since Linux 5.11).
 *
 * Return: 1; 0 there are no more; -ENOENT this kernel has no such kind;
 * at the end of all kinds, for the first that was not told in full, -EMSGSIZE an
 * action does not fit into a message, so it and what follows of its kind is
 * missing, -EINTR they changed while they were read, or why else the kernel did
 * not tell; at once, -ENOBUFS, -ETIMEDOUT, -EPROTO the list broke off. After a
 * failure the dump can only be closed.
 *
 * Since: 0.2
 */
NSTEER_API int nsteer_tc_actions_next(struct nsteer_tc_actions *dump,
				      const struct nsteer_tc_action **action);

/**
 * nsteer_tc_actions_close - end a dump, also before its end
 * @dump: the dump, may be NULL
 *
 * Since: 0.2
 */
NSTEER_API void nsteer_tc_actions_close(struct nsteer_tc_actions *dump);

/* ------------------------------------------------------------------ */
/* hooks: where filters and programs are                               */

/**
 * struct nsteer_tc_hooks - places, a snapshot: those of devices in order of
 * ifindex, then shared blocks in order of their number.
 *
 * Those of a device stand in the order in which a packet comes by: PEER and
 * INGRESS what it receives, EGRESS, qdiscs and classes, PRIMARY what it sends.
 */
struct nsteer_tc_hooks;

/** struct nsteer_tc_place - a place, borrowed from its snapshot. */
struct nsteer_tc_place;

/**
 * struct nsteer_tc_classifier - what filters of one preference have in common,
 * borrowed from its place.
 */
struct nsteer_tc_classifier;

/** struct nsteer_tc_program - a BPF program at a place, borrowed from that. */
struct nsteer_tc_program;

/**
 * struct nsteer_tc_hooks_opts - what a snapshot is to hold
 * @sz:      size of this struct
 * @ifindex: only this device, and the shared blocks that its hooks use; 0: all
 *           of the namespace
 * @empty:   also places without filters and programs
 */
struct nsteer_tc_hooks_opts {
	size_t sz;
	uint32_t ifindex;
	bool empty;
	size_t : 0;
};

/**
 * nsteer_tc_hooks_list - which devices and blocks have filters and programs
 * @ns:   the context
 * @opts: options or NULL
 * @out:  the snapshot, to be freed with nsteer_tc_hooks_free()
 *
 * All filters are read, as terse as the kernel can, and counted: memory grows
 * with classifiers and programs, not with filters. Hooks and their programs are
 * asked for one after the other, so what changes meanwhile may be there or not.
 *
 * Programs of tcx (Linux 6.6) and netkit (6.7) are asked for by BPF_PROG_QUERY,
 * which needs cap_net_admin in the initial user namespace. Where it is refused
 * they are unknown, which the log is told (NSTEER_LOG_WARN), see
 * nsteer_tc_hooks_hidden(), unless the kernel's BTF says that it has none.
 * Names of programs need cap_sys_admin; without it they are left out.
 *
 * Where the kernel does not tell all filters of a place, the others are told all
 * the same: the place is marked, see nsteer_tc_place_incomplete(), counted, and
 * nsteer_errmsg() says why of the first one.
 *
 * Return: how many places are incomplete, mostly 0; -ENODEV @ifindex is no
 * device; -EINTR, -ENOBUFS, -ETIMEDOUT, -EPROTO a list broke off.
 *
 * Since: 0.2
 */
NSTEER_API int nsteer_tc_hooks_list(struct nsteer *ns,
				    const struct nsteer_tc_hooks_opts *opts,
				    struct nsteer_tc_hooks **out);

/**
 * nsteer_tc_hooks_free - free a snapshot and all that was borrowed from it
 * @hooks: the snapshot, may be NULL
 *
 * Since: 0.2
 */
NSTEER_API void nsteer_tc_hooks_free(struct nsteer_tc_hooks *hooks);

/**
 * nsteer_tc_hooks_count - how many places
 * @hooks: the snapshot
 *
 * Since: 0.2
 */
NSTEER_API size_t nsteer_tc_hooks_count(const struct nsteer_tc_hooks *hooks);

/**
 * nsteer_tc_hooks_get - a place
 * @hooks: the snapshot
 * @i:     0 to count - 1
 *
 * Return: the place, borrowed; NULL when @i is beyond the end.
 *
 * Since: 0.2
 */
NSTEER_API const struct nsteer_tc_place *
nsteer_tc_hooks_get(const struct nsteer_tc_hooks *hooks, size_t i);

/**
 * nsteer_tc_hooks_hidden - may there be more programs than the snapshot has?
 * @hooks: the snapshot
 *
 * Return: true when those of tcx and netkit could not be asked for; a place
 * that has nothing else is missing then.
 *
 * Since: 0.2
 */
NSTEER_API bool nsteer_tc_hooks_hidden(const struct nsteer_tc_hooks *hooks);

/**
 * nsteer_tc_place_ifindex - the device
 * @p: the place
 *
 * Return: its index; 0 for a shared block. PRIMARY and PEER have that of the
 * netkit device that is the primary one of the pair: the kernel tells of both
 * there, and of none at its peer [netkit_prog_query].
 *
 * Since: 0.2
 */
NSTEER_API uint32_t nsteer_tc_place_ifindex(const struct nsteer_tc_place *p);

/**
 * nsteer_tc_place_block - the shared block
 * @p: the place
 *
 * Return: its number; of a device's hook that of the block that is used there,
 * whose filters run after the hook's programs and are told with the block
 * alone; else 0.
 *
 * Since: 0.2
 */
NSTEER_API uint32_t nsteer_tc_place_block(const struct nsteer_tc_place *p);

/**
 * nsteer_tc_place_parent - the qdisc or class
 * @p: the place
 *
 * Return: its handle (TC_H_MAJ, TC_H_MIN), of INGRESS and EGRESS that of
 * clsact; 0 for PRIMARY, PEER and a shared block.
 *
 * Since: 0.2
 */
NSTEER_API uint32_t nsteer_tc_place_parent(const struct nsteer_tc_place *p);

/**
 * nsteer_tc_place_hook - the hook
 * @p: the place
 *
 * Return: INGRESS, EGRESS, PRIMARY or PEER; ANY for a qdisc, a class and a
 * shared block.
 *
 * Since: 0.2
 */
NSTEER_API enum nsteer_tc_hook
nsteer_tc_place_hook(const struct nsteer_tc_place *p);

/**
 * nsteer_tc_place_filters - how many filters, as many as a dump tells
 * @p: the place
 *
 * Since: 0.2
 */
NSTEER_API uint64_t nsteer_tc_place_filters(const struct nsteer_tc_place *p);

/**
 * nsteer_tc_place_device_count - how many hooks use a shared block
 * @p: the place
 *
 * Since: 0.2
 */
NSTEER_API size_t nsteer_tc_place_device_count(const struct nsteer_tc_place *p);

/**
 * nsteer_tc_place_device - a hook that uses a shared block
 * @p:       the place
 * @i:       0 to count - 1
 * @ifindex: the device
 * @hook:    INGRESS or EGRESS
 *
 * Return: 0; -ERANGE @i is beyond the end.
 *
 * Since: 0.2
 */
NSTEER_API int nsteer_tc_place_device(const struct nsteer_tc_place *p, size_t i,
				      uint32_t *ifindex,
				      enum nsteer_tc_hook *hook);

/**
 * nsteer_tc_place_classifier_count - how many classifiers
 * @p: the place
 *
 * Since: 0.2
 */
NSTEER_API size_t
nsteer_tc_place_classifier_count(const struct nsteer_tc_place *p);

/**
 * nsteer_tc_place_classifier - a classifier
 * @p: the place
 * @i: 0 to count - 1: by chain and, in the order in which they are asked, by
 *     preference
 *
 * Return: the classifier, borrowed; NULL when @i is beyond the end.
 *
 * Since: 0.2
 */
NSTEER_API const struct nsteer_tc_classifier *
nsteer_tc_place_classifier(const struct nsteer_tc_place *p, size_t i);

/**
 * nsteer_tc_place_program_count - how many programs
 * @p: the place
 *
 * Since: 0.2
 */
NSTEER_API size_t
nsteer_tc_place_program_count(const struct nsteer_tc_place *p);

/**
 * nsteer_tc_place_program - a program
 * @p: the place
 * @i: 0 to count - 1, in the order in which they run: those of tcx, then
 *     filters of the kind bpf by chain, preference and place in the list
 *
 * Which of them a packet gets to see is up to those before: a verdict ends the
 * way [sch_handle_ingress]. A chain other than 0 is only entered by a goto.
 *
 * Return: the program, borrowed; NULL when @i is beyond the end.
 *
 * Since: 0.2
 */
NSTEER_API const struct nsteer_tc_program *
nsteer_tc_place_program(const struct nsteer_tc_place *p, size_t i);

/**
 * nsteer_tc_place_hidden - may there be programs that run before these?
 * @p: the place
 *
 * Return: true at INGRESS and EGRESS when tcx could not be asked.
 *
 * Since: 0.2
 */
NSTEER_API bool nsteer_tc_place_hidden(const struct nsteer_tc_place *p);

/**
 * nsteer_tc_place_incomplete - may there be filters that are not counted?
 * @p: the place
 *
 * Return: true when the kernel did not tell all of them, which
 * nsteer_tc_hooks_list() counted; the classifiers, programs and numbers are
 * those that it told.
 *
 * Since: 0.2
 */
NSTEER_API bool nsteer_tc_place_incomplete(const struct nsteer_tc_place *p);

/**
 * nsteer_tc_classifier_chain - the chain
 * @c: the classifier
 *
 * Since: 0.2
 */
NSTEER_API uint32_t
nsteer_tc_classifier_chain(const struct nsteer_tc_classifier *c);

/**
 * nsteer_tc_classifier_pref - the preference
 * @c: the classifier
 *
 * Since: 0.2
 */
NSTEER_API uint32_t
nsteer_tc_classifier_pref(const struct nsteer_tc_classifier *c);

/**
 * nsteer_tc_classifier_protocol - the EtherType, host byte order
 * @c: the classifier
 *
 * Return: ETH_P_*; ETH_P_ALL for any.
 *
 * Since: 0.2
 */
NSTEER_API uint16_t
nsteer_tc_classifier_protocol(const struct nsteer_tc_classifier *c);

/**
 * nsteer_tc_classifier_kind - flower, u32, bpf and so on
 * @c: the classifier
 *
 * Return: the kernel's name of it, terminated.
 *
 * Since: 0.2
 */
NSTEER_API const char *
nsteer_tc_classifier_kind(const struct nsteer_tc_classifier *c);

/**
 * nsteer_tc_classifier_filters - how many filters, as many as a dump tells
 * @c: the classifier
 *
 * Since: 0.2
 */
NSTEER_API uint64_t
nsteer_tc_classifier_filters(const struct nsteer_tc_classifier *c);

/**
 * nsteer_tc_program_backend - by what it is attached
 * @p: the program
 *
 * Return: "tcx"; "netkit"; "clsact", a filter of the kind bpf at INGRESS,
 * EGRESS or of a shared block; "qdisc", such a filter at another qdisc or
 * class. A constant.
 *
 * Since: 0.2
 */
NSTEER_API const char *
nsteer_tc_program_backend(const struct nsteer_tc_program *p);

/**
 * nsteer_tc_program_prog - the program itself
 * @p: the program
 *
 * Its name is "" without cap_sys_admin, and so is, but for filters, its tag.
 *
 * Return: the program, borrowed; NULL for a filter of classic BPF instructions,
 * which have no id.
 *
 * Since: 0.2
 */
NSTEER_API const struct nsteer_prog *
nsteer_tc_program_prog(const struct nsteer_tc_program *p);

/**
 * nsteer_tc_program_link - the link that holds a program of tcx or netkit
 * @p:  the program
 * @id: the kernel's id of the link
 *
 * Return: 0; -ENODATA it is attached without one, or is a filter.
 *
 * Since: 0.2
 */
NSTEER_API int nsteer_tc_program_link(const struct nsteer_tc_program *p,
				      uint32_t *id);

/**
 * nsteer_tc_program_filter - which filter a program is
 * @p:      the program
 * @chain:  its chain
 * @pref:   its preference
 * @handle: its number within @pref
 *
 * Return: 0; -ENODATA it is none.
 *
 * Since: 0.2
 */
NSTEER_API int nsteer_tc_program_filter(const struct nsteer_tc_program *p,
					uint32_t *chain, uint32_t *pref,
					uint32_t *handle);

/**
 * nsteer_tc_program_filter_name - what who added the filter called it
 * @p: the program
 *
 * Return: often file and section; "" when there is none. Borrowed.
 *
 * Since: 0.2
 */
NSTEER_API const char *
nsteer_tc_program_filter_name(const struct nsteer_tc_program *p);

/**
 * nsteer_tc_program_direct_action - is what the filter returns the verdict?
 * @p: the program
 *
 * Return: false for a filter whose actions decide, and for tcx and netkit,
 * where it always is.
 *
 * Since: 0.2
 */
NSTEER_API bool
nsteer_tc_program_direct_action(const struct nsteer_tc_program *p);

#ifdef __cplusplus
}
#endif

#endif /* NSTEER_TC_H */
