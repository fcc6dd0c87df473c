/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Medians: one slow run, on a machine with other work, says nothing. */
#ifndef NST_BENCH_STAT_H
#define NST_BENCH_STAT_H

#include <stdlib.h>

#define STAT_MAX 4096

struct stat_series {
	double v[STAT_MAX];
	int n;
};

static inline int stat_cmp(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static inline void stat_add(struct stat_series *s, double v)
{
	if (s->n < STAT_MAX)
		s->v[s->n++] = v;
}

/* 0: the least, 0.5: the median, 1: the greatest. */
static inline double stat_at(struct stat_series *s, double part)
{
	qsort(s->v, s->n, sizeof(s->v[0]), stat_cmp);
	return s->n ? s->v[(int)(part * (s->n - 1) + 0.5)] : 0;
}

#endif /* NST_BENCH_STAT_H */
