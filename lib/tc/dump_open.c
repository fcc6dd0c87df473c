/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a dump of filters is to read. */
#include <stdlib.h>
#include <string.h>

#include "tc/dump.h"

static int check(struct nsteer *ns, const struct nsteer_tc_dump_opts *o)
{
	if (o->block && (o->ifindex || o->hook || o->parent))
		return nst_fail(ns, -EINVAL,
				"a shared block has no device, hook or parent");
	if (o->hook && o->parent)
		return nst_fail(ns, -EINVAL,
				"a hook and a parent cannot both be given");
	if ((o->hook || o->parent) && !o->ifindex)
		return nst_fail(ns, -EINVAL,
				"a hook or parent is one of a device, and none "
				"is given");
	if (o->hook == NSTEER_TC_HOOK_PRIMARY || o->hook == NSTEER_TC_HOOK_PEER)
		return nst_fail(ns, -EINVAL,
				"netkit's hooks primary and peer have BPF "
				"programs, but no filters");
	if (o->hook > NSTEER_TC_HOOK_ROOT)
		return nst_fail(ns, -EINVAL, "there is no hook %u", o->hook);
	if (o->terse > NSTEER_TC_TERSE_STRICT)
		return nst_fail(ns, -EINVAL, "there is no terse %u", o->terse);
	if (o->pref > UINT16_MAX)
		return nst_fail(ns, -EINVAL, "pref %u is more than %u", o->pref,
				UINT16_MAX);
	if (o->ifindex > INT32_MAX)
		return nst_fail(ns, -ENODEV, "no device has the ifindex %u",
				o->ifindex);
	if (o->kind && (!*o->kind || strlen(o->kind) >= NST_TC_KIND_LEN))
		return nst_fail(
			ns, -EINVAL,
			"a classifier's kind is a name of 1 to %d bytes",
			NST_TC_KIND_LEN - 1);
	return 0;
}

static const uint32_t hook_parents[] = {
	[NSTEER_TC_HOOK_INGRESS] = NST_TC_INGRESS,
	[NSTEER_TC_HOOK_EGRESS] = NST_TC_EGRESS,
	[NSTEER_TC_HOOK_ROOT] = 0, /* the kernel looks it up */
};

static int find_places(struct nsteer_tc_dump *d)
{
	const struct nsteer_tc_dump_opts *o = &d->opts;
	int err;

	if (!o->block && !o->hook && !o->parent) {
		err = nst_tc_places(d->ns, d->nl, o->ifindex, &d->places);
		nst_tc_places_sort(&d->places);
		return err;
	}
	if (o->block)
		err = nst_tc_places_add(&d->places, TCM_IFINDEX_MAGIC_BLOCK,
					o->block);
	else
		err = nst_tc_places_add(&d->places, o->ifindex,
					o->hook ? hook_parents[o->hook]
						: o->parent);
	return err ? nst_fail(d->ns, err, "out of memory") : 0;
}

/* The sockets are its own from here on, also where it fails. */
static struct nsteer_tc_dump *new_dump(struct nsteer *ns, struct nst_nl *nl,
				       struct nst_nl *aside)
{
	struct nsteer_tc_dump *d = calloc(1, sizeof(*d));

	if (!d) {
		nst_nl_close(nl);
		nst_nl_close(aside);
		nst_fail(ns, -ENOMEM, "out of memory");
		return NULL;
	}
	d->ns = ns;
	d->nl = nl;
	d->aside.nl = aside;
	return d;
}

int nst_tc_dump_open(struct nsteer *ns, const struct nsteer_tc_dump_opts *o,
		     struct nst_nl *nl, struct nst_nl *aside,
		     struct nsteer_tc_dump **out)
{
	struct nsteer_tc_dump *d = new_dump(ns, nl, aside);
	int err;

	if (!d)
		return -ENOMEM;
	d->opts = *o;
	if (o->kind)
		strcpy(d->kind, o->kind);
	d->opts.kind = NULL; /* the caller's */
	d->filter.terse = o->terse != NSTEER_TC_TERSE_OFF;
	err = find_places(d);
	if (err) {
		nsteer_tc_dump_close(d);
		return err;
	}
	*out = d;
	return 0;
}

int nst_tc_dump_open_places(struct nsteer *ns, struct nst_tc_places *places,
			    struct nst_nl *nl, struct nst_nl *aside,
			    struct nsteer_tc_dump **out)
{
	struct nsteer_tc_dump *d = new_dump(ns, nl, aside);

	if (!d)
		return -ENOMEM;
	d->opts.terse = NSTEER_TC_TERSE_ON;
	d->filter.terse = true;
	d->warned = true;
	d->places = *places;
	memset(places, 0, sizeof(*places));
	*out = d;
	return 0;
}

size_t nst_tc_dump_place(const struct nsteer_tc_dump *d)
{
	return d->next - 1;
}

size_t nst_tc_dump_all_read(const struct nsteer_tc_dump *d)
{
	return d->running || d->next < d->places.count ? 0 : d->places.count;
}

bool nst_tc_dump_broke(const struct nsteer_tc_dump *d, size_t place)
{
	return d->places.all[place].broke;
}

NSTEER_API int nsteer_tc_dump_open(struct nsteer *ns,
				   const struct nsteer_tc_dump_opts *opts,
				   struct nsteer_tc_dump **out)
{
	struct nsteer_tc_dump_opts o;
	struct nst_nl *nl;
	int err;

	nst_err_clear(ns);
	err = NST_OPTS_READ(ns, opts, &o);
	if (!err)
		err = check(ns, &o);
	if (!err)
		err = nst_nl_open_wide(ns, NETLINK_ROUTE, &nl);
	if (err)
		return err;
	return nst_tc_dump_open(ns, &o, nl, NULL, out);
}

NSTEER_API void nsteer_tc_dump_close(struct nsteer_tc_dump *d)
{
	if (!d)
		return;
	nst_nl_close(d->nl);
	nst_nl_close(d->aside.nl);
	nst_tc_places_free(&d->places);
	free(d);
}
