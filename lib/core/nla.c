/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Netlink attributes: every byte is taken for hostile. */
#include <string.h>

#include "core/nl.h"

size_t nst_nlmsg_attrs_len(const struct nlmsghdr *nlh, size_t fixed_len)
{
	size_t skip = NLMSG_HDRLEN + NLMSG_ALIGN(fixed_len);

	return nlh->nlmsg_len > skip ? nlh->nlmsg_len - skip : 0;
}

size_t nst_nla_parse(const void *attrs, size_t len, const struct nlattr **tb,
		     uint16_t max)
{
	const unsigned char *pos = attrs;
	size_t left = len;

	memset(tb, 0, ((size_t)max + 1) * sizeof(*tb));
	while (left >= NLA_HDRLEN) {
		const struct nlattr *attr = (const struct nlattr *)pos;
		uint16_t type = attr->nla_type & NLA_TYPE_MASK;
		size_t step = NLA_ALIGN(attr->nla_len);

		/* Shorter than its header, or longer than what is there. */
		if ((size_t)attr->nla_len - NLA_HDRLEN > left - NLA_HDRLEN)
			break;
		if (type <= max)
			tb[type] = attr;
		/* The last one need not be padded. */
		if (step >= left)
			return len;
		pos += step;
		left -= step;
	}
	return len - left;
}

static size_t nla_len(const struct nlattr *attr)
{
	return attr && attr->nla_len > NLA_HDRLEN ? attr->nla_len - NLA_HDRLEN
						  : 0;
}

static const void *nla_data(const struct nlattr *attr)
{
	return (const unsigned char *)attr + NLA_HDRLEN;
}

void nst_nla_parse_nested(const struct nlattr *nest, const struct nlattr **tb,
			  uint16_t max)
{
	size_t len = nla_len(nest);

	nst_nla_parse(len ? nla_data(nest) : NULL, len, tb, max);
}

static bool nla_copy(const struct nlattr *attr, void *v, size_t size)
{
	if (nla_len(attr) < size)
		return false;
	memcpy(v, nla_data(attr), size);
	return true;
}

bool nst_nla_u8(const struct nlattr *attr, uint8_t *v)
{
	return nla_copy(attr, v, sizeof(*v));
}

bool nst_nla_u32(const struct nlattr *attr, uint32_t *v)
{
	return nla_copy(attr, v, sizeof(*v));
}

/* The kernel does not always align these to 8 bytes, memcpy() does not mind. */
bool nst_nla_u64(const struct nlattr *attr, uint64_t *v)
{
	return nla_copy(attr, v, sizeof(*v));
}

bool nst_nla_str(const struct nlattr *attr, char *buf, size_t size)
{
	size_t len;

	if (!attr)
		return false;
	len = strnlen(nla_data(attr), nla_len(attr));
	if (len >= size)
		return false;
	memcpy(buf, nla_data(attr), len);
	buf[len] = '\0';
	return true;
}
