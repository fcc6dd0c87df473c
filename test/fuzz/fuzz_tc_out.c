/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A filter's message as the command writes it, twice, so that what is kept of
 * the first one is used: the first byte picks kind and form, the rest stands
 * behind TCA_OPTIONS. It is written into a buffer that ends where the memory
 * does.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "tc/tc.h"
#include "tc_out.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const kinds[] = { "flower", "u32",   "matchall", "bpf",
				     "basic",  "fw",    "flow",	    "route",
				     "cgroup", "other" };

static struct nsteer *ns;
static int null_fd;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (null_fd < 0 || nsteer_open(NULL, &ns))
		abort();
	return 0;
}

static void write_twice(const struct nlmsghdr *nlh, const struct out_opts *opts,
			bool terse)
{
	struct nsteer_tc_filter *f = calloc(1, sizeof(*f));
	struct tc_record *record = calloc(1, sizeof(*record));
	struct tc_out *t = malloc(sizeof(*t));
	char *buf = malloc(SINK_SIZE_MIN);
	struct sink sink;
	struct out out;
	int i;

	if (!f || !record || !t || !buf)
		abort();
	sink_init(&sink, null_fd, buf, SINK_SIZE_MIN);
	out_init(&out, &sink, opts);
	tc_out_init(t, &out, ns, true);
	record->t = t;
	f->terse = terse;
	out_begin(&out);
	for (i = 0; i < 2; i++)
		if (nst_tc_filter_read(f, nlh))
			tc_out_filter(record, f);
	out_end(&out);
	if (sink_flush(&sink))
		abort();
	tc_out_free(t);
	free(buf);
	free(t);
	free(record);
	free(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tcmsg tcm = { .tcm_ifindex = 1, .tcm_handle = 1 };
	struct out_opts opts = { 0 };
	struct nlmsghdr *nlh;
	uint8_t pick;

	if (!size || size > 32768)
		return 0;
	pick = *data++;
	size--;
	nlh = calloc(1, size + 256);
	if (!nlh)
		abort();
	mnl_nlmsg_put_header(nlh);
	nlh->nlmsg_type = RTM_NEWTFILTER;
	memcpy(mnl_nlmsg_put_extra_header(nlh, sizeof(tcm)), &tcm, sizeof(tcm));
	mnl_attr_put_strz(nlh, TCA_KIND,
			  kinds[pick % (sizeof(kinds) / sizeof(kinds[0]))]);
	mnl_attr_put(nlh, TCA_OPTIONS, size, data);
	opts.json = pick & 0x80;
	opts.pretty = pick & 0x40;
	opts.oneline = pick & 0x20;
	write_twice(nlh, &opts, false);
	write_twice(nlh, &opts, true);
	free(nlh);
	return 0;
}
