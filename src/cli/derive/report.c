/* SPDX-License-Identifier: MIT */
#include "cli/derive/derive.h"

#include "base/csv-cell.h"

static void append_number(GString *text, gboolean is, guint64 number)
{
	if (is)
		g_string_append_printf(text, "%" G_GUINT64_FORMAT, number);
	g_string_append_c(text, ',');
}

/* How far the second folder's value is from the first's, in percent of it. */
static void append_moved(GString *text, const Derivation *d)
{
	const double first = (double)d->derived, second = (double)d->compared;

	if (!d->why && d->is_compared && first > 0)
		g_string_append_printf(text, "%.2f", (second - first) / first * 100);
	g_string_append_c(text, ',');
}

char *derive_to_csv(const Derived *derived)
{
	GString *text = g_string_new("key,derived,config,unit,exact,rows,least,most,compared,"
				     "moved_percent,file,of,where,inherited_because\n");

	for (guint i = 0; i < derived->values->len; i++) {
		const Derivation *d = &g_array_index(derived->values, Derivation, i);
		const char *cells[] = {d->file, d->statistic, d->rows, d->why ? d->why : ""};

		g_string_append_printf(text, "%s,", d->key);
		append_number(text, !d->why, d->derived);
		append_number(text, TRUE, d->has);
		csv_append_cell(text, d->unit);
		if (d->why)
			g_string_append(text, ",,,,,");
		else
			g_string_append_printf(text, ",%.6g,%u,%.6g,%.6g,", d->exact, d->n_rows,
					       d->least, d->most);
		append_number(text, d->is_compared, d->compared);
		append_moved(text, d);
		for (guint c = 0; c < G_N_ELEMENTS(cells); c++) {
			csv_append_cell(text, cells[c]);
			g_string_append_c(text, c + 1 < G_N_ELEMENTS(cells) ? ',' : '\n');
		}
	}
	return g_string_free(text, FALSE);
}

void derive_report(const Derived *derived)
{
	guint n_inherited = 0, n_others = 0;

	for (guint i = 0; i < derived->values->len; i++) {
		const Derivation *d = &g_array_index(derived->values, Derivation, i);

		n_inherited += d->why != NULL;
		n_others += !d->why && d->derived != d->has;
		if (d->why)
			g_printerr("inherited: %s = %" G_GUINT64_FORMAT ": %s\n", d->key,
				   d->has, d->why);
	}
	if (derived->map_why)
		g_printerr("inherited: l2.map: %s\n", derived->map_why);
	g_printerr("%u values derived, %u of them other than the config's; %u inherited, as no "
		   "measured row gives them\n",
		   derived->values->len - n_inherited, n_others, n_inherited);
}
