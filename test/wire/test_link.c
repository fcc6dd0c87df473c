/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The requests of core/link and what becomes of the replies. */
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "core/link.h"
#include "script.h"

#define NAME127                                                                \
	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"     \
	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde"

static void say_link(struct script *s, int32_t ifindex)
{
	const struct ifinfomsg ifi = { .ifi_index = ifindex };

	say_datagram(s);
	put_msg(s, RTM_NEWLINK, 0, &ifi, sizeof(ifi));
}

/* The request that was sent, without its seq, is just these bytes. */
static void sent(const struct script *s, const void *bytes, size_t len)
{
	unsigned char copy[NST_NL_REQSIZE];

	ck_assert_uint_eq(script_sent(s)->nlmsg_len, len);
	memcpy(copy, s->sent, len);
	memset(copy + offsetof(struct nlmsghdr, nlmsg_seq), 0, 4);
	ck_assert_mem_eq(copy, bytes, len);
}

START_TEST(index_by_name)
{
	static const char request[] =
		"\x30\0\0\0\x12\0\1\0\0\0\0\0\0\0\0\0"
		"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" /* ifinfomsg */
		"\x8\0\x1d\0\x8\0\0\0" /* IFLA_EXT_MASK SKIP_STATS */
		"\x8\0\3\0tap";	       /* IFLA_IFNAME */
	struct script *s = script_new(false);
	uint32_t ifindex = 77;

	say_link(s, 5);
	ck_assert_int_eq(nsteer_link_index(s->ns, "tap", &ifindex), 0);
	ck_assert_uint_eq(ifindex, 5);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	sent(s, request, sizeof(request));
#endif
	script_end(s);
}
END_TEST

/* Where the name stands in the request. */
static uint16_t name_attr(const struct script *s, const char *name)
{
	const struct nlattr *tb[IFLA_ALT_IFNAME + 1];
	uint16_t type;
	char buf[200];

	NST_NLA_PARSE_MSG(script_sent(s), sizeof(struct ifinfomsg), tb,
			  IFLA_ALT_IFNAME);
	type = tb[IFLA_IFNAME] ? IFLA_IFNAME : IFLA_ALT_IFNAME;
	ck_assert(!tb[IFLA_IFNAME] || !tb[IFLA_ALT_IFNAME]);
	ck_assert(nst_nla_str(tb[type], buf, sizeof(buf)));
	ck_assert_str_eq(buf, name);
	return type;
}

START_TEST(longest_names)
{
	struct script *s = script_new(false);
	uint32_t ifindex;

	say_link(s, 5);
	ck_assert_int_eq(nsteer_link_index(s->ns, "fifteen-bytes-x", &ifindex),
			 0);
	ck_assert_int_eq(name_attr(s, "fifteen-bytes-x"), IFLA_IFNAME);
	say_link(s, 6);
	ck_assert_int_eq(nsteer_link_index(s->ns, "sixteen-bytes-xy", &ifindex),
			 0);
	ck_assert_int_eq(name_attr(s, "sixteen-bytes-xy"), IFLA_ALT_IFNAME);
	say_link(s, 7);
	ck_assert_uint_eq(strlen(NAME127), 127);
	ck_assert_int_eq(nsteer_link_index(s->ns, NAME127, &ifindex), 0);
	ck_assert_int_eq(name_attr(s, NAME127), IFLA_ALT_IFNAME);
	ck_assert_uint_eq(ifindex, 7);
	script_end(s);
}
END_TEST

START_TEST(names_that_are_not_asked_for)
{
	struct script *s = script_new(false);
	uint32_t ifindex = 77;

	ck_assert_int_eq(nsteer_link_index(s->ns, "", &ifindex), -EINVAL);
	ck_assert_int_eq(nsteer_link_index(s->ns, NAME127 "f", &ifindex),
			 -EINVAL);
	ck_assert_ptr_nonnull(strstr(nsteer_errmsg(s->ns), "127"));
	ck_assert_uint_eq(ifindex, 77);
	ck_assert_uint_eq(s->sends, 0);
	script_end(s);
}
END_TEST

/* The kernel lets an alternative name hold anything. */
START_TEST(odd_alternative_name)
{
	struct script *s = script_new(false);
	uint32_t ifindex;

	say_link(s, 5);
	ck_assert_int_eq(nsteer_link_index(s->ns, "0000:01:00.0 a/b", &ifindex),
			 0);
	ck_assert_uint_eq(ifindex, 5);
	script_end(s);
}
END_TEST

START_TEST(no_such_name)
{
	struct script *s = script_new(false);
	uint32_t ifindex = 77;

	say_datagram(s);
	put_error(s, 0, -ENODEV);
	ck_assert_int_eq(nsteer_link_index(s->ns, "t\x1b[0", &ifindex),
			 -ENODEV);
	ck_assert_str_eq(nsteer_errmsg(s->ns), "no device \"t\\x1b[0\"");
	ck_assert_uint_eq(ifindex, 77);

	/* Linux before 5.5 finds neither an index nor a name in this. */
	say_datagram(s);
	put_error(s, 0, -EINVAL);
	ck_assert_int_eq(nsteer_link_index(s->ns, "sixteen-bytes-xy", &ifindex),
			 -ENODEV);
	ck_assert_str_eq(nsteer_errmsg(s->ns),
			 "no device \"sixteen-bytes-xy\"");
	say_datagram(s);
	put_error(s, 0, -EINVAL);
	ck_assert_int_eq(nsteer_link_index(s->ns, "fifteen-bytes-x", &ifindex),
			 -EINVAL);
	script_end(s);
}
END_TEST

START_TEST(refused_and_broken)
{
	struct script *s = script_new(false);
	uint32_t ifindex;

	say_datagram(s);
	put_error(s, NLM_F_ACK_TLVS, -EPERM);
	put_attr(s, NLMSGERR_ATTR_MSG, "Never", 6);
	ck_assert_int_eq(nsteer_link_index(s->ns, "t0", &ifindex), -EPERM);
	ck_assert_str_eq(
		nsteer_errmsg(s->ns),
		"cannot look up device \"t0\": Operation not permitted");
	ck_assert_str_eq(nsteer_err_extack(s->ns), "Never");

	/* Cleared on entry of the next call. */
	say_errno(s, -ENOBUFS);
	ck_assert_int_eq(nsteer_link_index(s->ns, "t0", &ifindex), -ENOBUFS);
	ck_assert_ptr_nonnull(strstr(nsteer_errmsg(s->ns),
				     "cannot look up device \"t0\": the socket "
				     "lost replies"));
	ck_assert_ptr_null(nsteer_err_extack(s->ns));
	say_reopen(s, 0);
	say_link(s, 5);
	ck_assert_int_eq(nsteer_link_index(s->ns, "t0", &ifindex), 0);
	ck_assert_str_eq(nsteer_errmsg(s->ns), "");
	script_end(s);
}
END_TEST

START_TEST(senseless_replies)
{
	static const char half[4];
	struct script *s = script_new(false);
	uint32_t ifindex;
	char name[NSTEER_IFNAME_SIZE] = "before";

	/* The index of an earlier reply still stands in the buffer. */
	say_link(s, 77);
	ck_assert_int_eq(nsteer_link_index(s->ns, "t0", &ifindex), 0);
	say_datagram(s);
	put_msg(s, RTM_NEWLINK, 0, half, sizeof(half));
	ck_assert_int_eq(nsteer_link_index(s->ns, "t0", &ifindex), -EPROTO);
	ck_assert_ptr_nonnull(strstr(nsteer_errmsg(s->ns), "no sense"));
	say_link(s, 5);
	s->last->nlmsg_type = RTM_NEWADDR;
	ck_assert_int_eq(nsteer_link_index(s->ns, "t0", &ifindex), -EPROTO);
	say_link(s, 0);
	ck_assert_int_eq(nsteer_link_index(s->ns, "t0", &ifindex), -EPROTO);
	ck_assert_uint_eq(ifindex, 77);

	/* no name; one of 16 bytes; one whose length goes past the end */
	say_link(s, 5);
	ck_assert_int_eq(nsteer_link_name(s->ns, 5, name), -EPROTO);
	say_link(s, 5);
	put_attr(s, IFLA_IFNAME, "sixteen-bytes-xy", 16);
	ck_assert_int_eq(nsteer_link_name(s->ns, 5, name), -EPROTO);
	say_link(s, 5);
	put_attr(s, IFLA_IFNAME, "t0", 3);
	s->step[s->n_steps - 1].data[32] = 12;
	ck_assert_int_eq(nsteer_link_name(s->ns, 5, name), -EPROTO);
	ck_assert_ptr_nonnull(strstr(nsteer_errmsg(s->ns), "index 5"));
	ck_assert_str_eq(name, "before");
	script_end(s);
}
END_TEST

START_TEST(name_by_index)
{
	struct script *s = script_new(false);
	char name[NSTEER_IFNAME_SIZE];

	say_link(s, 5);
	put_attr(s, IFLA_IFNAME, "fifteen-bytes-x", 16);
	ck_assert_int_eq(nsteer_link_name(s->ns, 5, name), 0);
	ck_assert_str_eq(name, "fifteen-bytes-x");
	ck_assert_uint_eq(s->sent[20], 5);

	/* no NUL, a flag in the type, not UTF-8 */
	say_link(s, 5);
	put_attr(s, NLA_F_NESTED | IFLA_IFNAME, "\xffz", 2);
	ck_assert_int_eq(nsteer_link_name(s->ns, 5, name), 0);
	ck_assert_str_eq(name, "\xffz");
	script_end(s);
}
END_TEST

START_TEST(no_such_index)
{
	struct script *s = script_new(false);
	char name[NSTEER_IFNAME_SIZE];

	say_datagram(s);
	put_error(s, 0, -ENODEV);
	ck_assert_int_eq(nsteer_link_name(s->ns, 5, name), -ENODEV);
	ck_assert_str_eq(nsteer_errmsg(s->ns), "no device has index 5");
	ck_assert_int_eq(nsteer_link_name(s->ns, 0, name), -ENODEV);
	ck_assert_int_eq(nsteer_link_name(s->ns, 0x80000000, name), -ENODEV);
	ck_assert_str_eq(nsteer_errmsg(s->ns),
			 "no device has index 2147483648");
	ck_assert_uint_eq(s->sends, 1);
	script_end(s);
}
END_TEST

START_TEST(delete_by_index)
{
	struct script *s = script_new(false);
	const struct nlmsghdr *req = script_sent(s);

	say_ack(s);
	ck_assert_int_eq(nst_link_del(s->ns, 9), 0);
	ck_assert_int_eq(req->nlmsg_type, RTM_DELLINK);
	ck_assert_int_eq(req->nlmsg_flags, NLM_F_REQUEST | NLM_F_ACK);
	ck_assert_uint_eq(req->nlmsg_len, 32);
	ck_assert_uint_eq(s->sent[20], 9);
	say_datagram(s);
	put_error(s, 0, -EPERM);
	ck_assert_int_eq(nst_link_del(s->ns, 9), -EPERM);
	ck_assert_str_eq(nsteer_errmsg(s->ns), "");
	/* Index 0 would be a delete by group or name. */
	ck_assert_int_eq(nst_link_del(s->ns, 0), -ENODEV);
	ck_assert_uint_eq(s->sends, 2);
	script_end(s);
}
END_TEST

struct links {
	unsigned int n;
	unsigned int resets;
	struct nsteer *fail; /* the callback fails, with a sentence */
};

static int count_link(const struct nlmsghdr *nlh, void *data)
{
	struct links *links = data;

	ck_assert_int_eq(nlh->nlmsg_type, RTM_NEWLINK);
	links->n++;
	return links->fail ? nst_fail(links->fail, -ENOMEM, "my own words") : 0;
}

static void forget_links(void *data)
{
	struct links *links = data;

	links->n = 0;
	links->resets++;
}

static int dump_tun(struct script *s, struct links *links)
{
	const struct nst_nl_dump dump = { count_link, forget_links, links };

	return nst_link_dump_kind(s->ns, "tun", &dump);
}

static void say_part(struct script *s, uint16_t flags, bool end)
{
	say_link(s, 5);
	s->last->nlmsg_flags |= NLM_F_MULTI | flags;
	if (end)
		put_done(s, 0, 0);
}

START_TEST(dump_of_a_kind)
{
	static const char request[] =
		"\x34\0\0\0\x12\0\1\3\0\0\0\0\0\0\0\0"
		"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" /* ifinfomsg */
		"\x8\0\x1d\0\x8\0\0\0" /* IFLA_EXT_MASK SKIP_STATS */
		"\xc\0\x12\x80"	       /* IFLA_LINKINFO, NLA_F_NESTED */
		"\x8\0\1\0tun";	       /* IFLA_INFO_KIND */
	struct script *s = script_new(false);
	struct links links = { 0 };

	say_part(s, 0, false);
	say_part(s, 0, true);
	ck_assert_int_eq(dump_tun(s, &links), 0);
	ck_assert_uint_eq(links.n, 2);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	sent(s, request, sizeof(request));
#endif
	script_end(s);
}
END_TEST

START_TEST(dump_interrupted)
{
	struct script *s = script_new(false);
	struct links links = { 0 };

	say_part(s, NLM_F_DUMP_INTR, true);
	say_part(s, NLM_F_DUMP_INTR, true);
	say_part(s, NLM_F_DUMP_INTR, true);
	ck_assert_int_eq(dump_tun(s, &links), -EINTR);
	ck_assert_ptr_nonnull(strstr(nsteer_errmsg(s->ns), "incomplete"));
	ck_assert_ptr_nonnull(strstr(nsteer_errmsg(s->ns), "kind tun"));
	ck_assert_uint_eq(links.n, 1);
	ck_assert_uint_eq(links.resets, 2);
	script_end(s);
}
END_TEST

START_TEST(dump_refused_and_callback_failed)
{
	struct script *s = script_new(false);
	struct links links = { 0 };

	say_datagram(s);
	put_done(s, 0, -EPERM);
	ck_assert_int_eq(dump_tun(s, &links), -EPERM);
	ck_assert_str_eq(nsteer_errmsg(s->ns),
			 "cannot list the devices of kind tun: "
			 "Operation not permitted");
	links.fail = s->ns;
	say_part(s, 0, true);
	ck_assert_int_eq(dump_tun(s, &links), -ENOMEM);
	ck_assert_str_eq(nsteer_errmsg(s->ns), "my own words");
	script_end(s);
}
END_TEST

static Suite *suite_link(void)
{
	Suite *suite = suite_create("link");
	TCase *tc = tcase_create("get");

	tcase_add_test(tc, index_by_name);
	tcase_add_test(tc, longest_names);
	tcase_add_test(tc, names_that_are_not_asked_for);
	tcase_add_test(tc, odd_alternative_name);
	tcase_add_test(tc, no_such_name);
	tcase_add_test(tc, refused_and_broken);
	tcase_add_test(tc, senseless_replies);
	tcase_add_test(tc, name_by_index);
	tcase_add_test(tc, no_such_index);
	suite_add_tcase(suite, tc);

	tc = tcase_create("delete, dump");
	tcase_add_test(tc, delete_by_index);
	tcase_add_test(tc, dump_of_a_kind);
	tcase_add_test(tc, dump_interrupted);
	tcase_add_test(tc, dump_refused_and_callback_failed);
	suite_add_tcase(suite, tc);
	return suite;
}

NST_REGISTER(suite_link);
