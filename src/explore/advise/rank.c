/* SPDX-License-Identifier: MIT */
/* Which advice comes first, and which of several sizes is given. */
#include "explore/advise/internal.h"

#include <string.h>

#define CLOSE_GAIN 1.05 /* of two this near the one that asks for less is reported */

bool advice_is_same_kind(const char *a, const char *b)
{
	const size_t length = strcspn(a, "=");

	return length == strcspn(b, "=") && strncmp(a, b, length) == 0;
}

/* The larger gain first; of equal ones what takes less shared memory. */
static gint compare(gconstpointer a, gconstpointer b)
{
	const Advice *x = *(Advice *const *)a, *y = *(Advice *const *)b;

	if (x->gain != y->gain)
		return x->gain > y->gain ? -1 : 1;
	return (x->shared_bytes > y->shared_bytes) - (x->shared_bytes < y->shared_bytes);
}

/* Sums of a thread and sums of a block are two thoughts, though one what-if has both. */
static bool is_same_value(const char *a, const char *b)
{
	const size_t length = strcspn(a, ",");

	return length == strcspn(b, ",") && strncmp(a, b, length) == 0;
}

/* Whether two are the same thought in other sizes. */
static bool is_alike(const Advice *a, const Advice *b)
{
	return a->first_byte == b->first_byte && a->buffer == b->buffer &&
	       a->cause == b->cause && advice_is_same_kind(a->change, b->change) &&
	       (!g_str_has_prefix(a->change, "private=") ||
		is_same_value(a->change, b->change)) &&
	       g_strrstr(a->change, "map=warp") == NULL &&
	       g_strrstr(b->change, "map=warp") == NULL;
}

/* What a change needs besides: aggregate=tree that a warp's lanes access one word, least= a count of lanes. */
static guint conditions(const Advice *advice)
{
	if (!g_str_has_prefix(advice->change, "aggregate=") ||
	    g_str_has_prefix(advice->change, "aggregate=warp"))
		return 0;
	return strstr(advice->change, ",least=") == NULL ? 1 : 2;
}

/* Whether another that gains nearly as much asks for less: half the shared memory, or fewer conditions. */
static bool asks_less(const Advice *other, const Advice *best)
{
	return (best->shared_bytes > 0 && 2 * other->shared_bytes <= best->shared_bytes) ||
	       conditions(other) < conditions(best);
}

void advice_keep_best(GPtrArray *all)
{
	g_ptr_array_sort(all, compare);
	for (guint i = 0; i < all->len; i++) {
		for (guint k = i + 1; k < all->len;) {
			Advice *best = all->pdata[i], *other = all->pdata[k];

			if (!is_alike(best, other)) {
				k++;
				continue;
			}
			if (best->gain < other->gain * CLOSE_GAIN && asks_less(other, best)) {
				all->pdata[i] = other;
				all->pdata[k] = best;
			}
			g_ptr_array_remove_index(all, k);
		}
	}
	g_ptr_array_sort(all, compare);
}
