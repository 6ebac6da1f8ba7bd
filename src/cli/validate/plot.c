/* SPDX-License-Identifier: MIT */
/* The plot of atomsim validate: each point, predicted against measured. */
#include "cli/validate/validate.h"

#include "base/csv-cell.h"
#include "report/gnuplot.h"
#include "report/report.h"

/* Distinguished by anybody, on paper too: colours of Paul Tol's scheme for colour-blind people. */
static const char *const colors[] = {"#4477aa", "#cc6677", "#228833", "#ccbb44", "#66ccee",
				     "#aa3377", "#777777", "#ee7733", "#332288", "#117733"};

/* How gnuplot finds the name in a cell, as one of its strings. g_free. */
static char *quote_cell(const char *name, const char *suffix)
{
	g_autofree char *text = g_strconcat(name, suffix, NULL);
	g_autofree char *cell = csv_mark(text);

	return gnuplot_quote(cell);
}

/* The points of one name: of an operation (column 3), or of a family (the begin of column 4). */
static void append_points(GString *text, const char *name, gboolean of_family, guint i)
{
	g_autofree char *title = gnuplot_quote(name);
	g_autofree char *cell = quote_cell(name, "");
	g_autofree char *beginning = quote_cell(name, "/");

	g_string_append(text, ", \\\n     data using (");
	if (of_family)
		g_string_append_printf(text, "strcol(4) eq %s || strstrt(strcol(4), %s) == 1",
				       cell, beginning);
	else
		g_string_append_printf(text, "strcol(3) eq %s", cell);
	g_string_append_printf(
		text,
		" ? $5 : NaN):6 with points pointtype %u pointsize 0.8 linecolor "
		"rgb '%s' title %s",
		4 + i % 8, colors[i % G_N_ELEMENTS(colors)], title);
}

/* Both axes are logarithmic: a relative error is a distance from the diagonal. Points are coloured by
   operation or, where there is only one, by family. */
static char *plot_script(const GPtrArray *points, const Machine *machine)
{
	g_autofree const char **operations = validate_operations(points);
	g_autofree const char **families = validate_families(points);
	gboolean of_family = operations[0] != NULL && operations[1] == NULL;
	const char **names = of_family ? families : operations;
	g_autofree char *heading = g_strdup_printf("%s: predicted and measured", machine->name);
	g_autofree char *title = gnuplot_quote(heading);
	GString *text = g_string_new(NULL);

	g_string_append_printf(
		text,
		"set title %s\n"
		"set xlabel 'measured time, in cycles'\n"
		"set ylabel 'predicted time, in cycles'\n"
		"set logscale xy\nset key left top reverse Left opaque\n"
		"do for [axis in 'x y'] {\n"
		"\teval 'set '.axis.'tics ()'\n"
		"\tdo for [m in '1 2 5'] { do for [d = 0:14] {\n"
		"\t\tn = m * 10.0 ** d\n"
		"\t\teval sprintf('set %%stics add (\"%%s\" %%g)', axis, gprintf('%%.0s%%c', "
		"n), n)\n"
		"\t}}\n"
		"}\n"
		"set grid linecolor '#dddddd'\n"
		"plot x with lines linecolor '#000000' title 'equal', \\\n"
		"     1.1*x with lines linecolor '#aaaaaa' title '10 %% off', \\\n"
		"     x/1.1 with lines linecolor '#aaaaaa' notitle",
		title);
	for (guint i = 0; names[i] != NULL; i++)
		append_points(text, names[i], of_family, i);
	g_string_append_c(text, '\n');
	return g_string_free(text, FALSE);
}

gboolean validate_plot(const GPtrArray *points, const Machine *machine, const char *table,
		       const char *svg, GError **error)
{
	g_autofree char *script = plot_script(points, machine);

	return gnuplot_draw(svg, (GnuplotSize){960, 760}, script, table, error);
}
