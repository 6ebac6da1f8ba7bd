/* SPDX-License-Identifier: MIT */
/* Times of atomsim table relative to those of a base. */
#include <math.h>

#include "cli/table.h"

void table_relate(const Table *table, GArray *cells)
{
	for (guint i = 0; i < cells->len; i++) {
		Cell *cell = &g_array_index(cells, Cell, i);
		const guint row = i - i % table->n_configs;
		const Cell *base = &g_array_index(cells, Cell, row + (guint)table->base);

		cell->relative_time = base->time_us > 0 ? cell->time_us / base->time_us : 1;
	}
}

double table_mean(const Table *table, guint config, guint change)
{
	const guint step = (1 + table->n_changes) * table->n_configs;
	double sum = 0;
	guint n = 0;

	for (guint i = change * table->n_configs + config; i < table->cells->len; i += step) {
		sum += log(g_array_index(table->cells, Cell, i).relative_time);
		n++;
	}
	return exp(sum / n);
}
