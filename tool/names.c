/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "names.h"

#include <stdlib.h>

#define ROOM_AT_FIRST 64

void names_free(struct names *names)
{
	free(names->table);
}

/* Where it is, or where it belongs. */
static struct names_entry *find(struct names_entry *table, uint32_t room,
				uint32_t ifindex)
{
	uint32_t i = (ifindex * UINT32_C(2654435769)) & (room - 1);

	while (table[i].ifindex && table[i].ifindex != ifindex)
		i = (i + 1) & (room - 1);
	return &table[i];
}

static bool grow(struct names *names)
{
	uint32_t room = names->room ? 2 * names->room : ROOM_AT_FIRST, i;
	struct names_entry *table;

	if (!room)
		return false;
	table = calloc(room, sizeof(*table));
	if (!table)
		return false;
	for (i = 0; i < names->room; i++) {
		uint32_t ifindex = names->table[i].ifindex;

		if (ifindex)
			*find(table, room, ifindex) = names->table[i];
	}
	free(names->table);
	names->table = table;
	names->room = room;
	return true;
}

static void look_up(struct names *names, uint32_t ifindex)
{
	struct names_entry *e = NULL;

	if (names->room) {
		e = find(names->table, names->room, ifindex);
		if (e->ifindex) {
			names->last = *e;
			return;
		}
	}
	names->last.ifindex = ifindex;
	names->last.known = !nsteer_link_name(names->ns, ifindex,
					      names->last.name);
	/* Short of memory it is asked for again. */
	if (2 * names->count >= names->room) {
		if (!grow(names))
			return;
		e = find(names->table, names->room, ifindex);
	}
	*e = names->last;
	names->count++;
}

const char *names_find(struct names *names, uint32_t ifindex)
{
	if (!ifindex)
		return NULL;
	if (names->last.ifindex != ifindex)
		look_up(names, ifindex);
	return names->last.known ? names->last.name : NULL;
}
