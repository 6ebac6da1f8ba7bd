/* SPDX-License-Identifier: MIT */
/* The plot of atomsim validate: each point, predicted against measured. */
#include "cli/validate-plot.h"

#include "report/format.h"
#include "report/gnuplot.h"
#include "report/report.h"

/* Both axes are logarithmic: a relative error is a distance from the diagonal. */
static char *plot_script(const GPtrArray *points, const Machine *machine)
{
	g_autofree const char **operations = validate_operations(points);
	g_autofree char *heading = g_strdup_printf("%s: predicted and measured", machine->name);
	g_autofree char *title = gnuplot_quote(heading);
	GString *text = g_string_new(NULL);

	g_string_append_printf(
		text,
		"set terminal svg mouse standalone noenhanced size 800,760 "
		"font 'sans-serif,13' background '#ffffff'\n"
		"set datafile separator ','\n"
		"set title %s\n"
		"set xlabel 'measured cycles'\nset ylabel 'predicted cycles'\n"
		"set logscale xy\nset key top left\n"
		"set border 3\nset tics nomirror out\n"
		"set grid linecolor '#dddddd'\n"
		"plot x with lines linecolor '#000000' title 'equal', \\\n"
		"     1.1*x with lines linecolor '#aaaaaa' title '10 %% off', \\\n"
		"     x/1.1 with lines linecolor '#aaaaaa' notitle",
		title);
	for (guint i = 0; operations[i] != NULL; i++)
		g_string_append_printf(text,
				       ", \\\n     data using (strcol(3) eq '%s' ? $5 : NaN):6 "
				       "with points pointtype 7 pointsize 0.3 title '%s'",
				       operations[i], operations[i]);
	g_string_append_c(text, '\n');
	return g_string_free(text, FALSE);
}

gboolean validate_plot(const GPtrArray *points, const Machine *machine, const char *table,
		       const char *svg, GError **error)
{
	g_autofree char *script = plot_script(points, machine);

	return gnuplot_draw(svg, script, table, error);
}
