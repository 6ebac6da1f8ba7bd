/* SPDX-License-Identifier: MIT */
/* The plot of atomsim validate: each point, predicted against measured. */
#include "cli/validate-plot.h"

#include "report/format.h"
#include "report/gnuplot.h"
#include "report/report.h"

/* Both axes are logarithmic: a relative error is a distance from the diagonal. */
static char *plot_script(const GPtrArray *points, const Machine *machine, const char *svg,
			 const char *csv, const char *gp)
{
	g_autofree const char **operations = validate_operations(points);
	g_autofree char *svg_quoted = gnuplot_quote(svg);
	g_autofree char *csv_quoted = gnuplot_quote(csv);
	g_autofree char *heading = g_strdup_printf("%s: predicted and measured", machine->name);
	g_autofree char *title = gnuplot_quote(heading);
	g_autofree char *script = format_name(gp, 200);
	GString *text =
		g_string_new("# Drawn by atomsim. To draw it again, in this folder: gnuplot ");

	g_string_append_printf(
		text,
		"%s\n"
		"set terminal svg mouse standalone noenhanced size 800,760 "
		"font 'sans-serif,13' background '#ffffff'\n"
		"set output %s\n"
		"data = %s\n"
		"set datafile separator ','\n"
		"set title %s\n"
		"set xlabel 'measured cycles'\nset ylabel 'predicted cycles'\n"
		"set logscale xy\nset key top left\n"
		"set border 3\nset tics nomirror out\n"
		"set grid linecolor '#dddddd'\n"
		"plot x with lines linecolor '#000000' title 'equal', \\\n"
		"     1.1*x with lines linecolor '#aaaaaa' title '10 %% off', \\\n"
		"     x/1.1 with lines linecolor '#aaaaaa' notitle",
		script, svg_quoted, csv_quoted, title);
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
	g_autofree char *csv = report_plot_sibling(svg, ".csv");
	g_autofree char *gp = report_plot_sibling(svg, ".gp");
	g_autofree char *folder = g_path_get_dirname(svg);
	g_autofree char *svg_name = g_path_get_basename(svg);
	g_autofree char *csv_name = g_path_get_basename(csv);
	g_autofree char *gp_name = g_path_get_basename(gp);
	g_autofree char *script = plot_script(points, machine, svg_name, csv_name, gp_name);

	return gnuplot_write_file(csv, table, error) && gnuplot_write_file(gp, script, error) &&
	       gnuplot_run(folder, gp_name, gp, error);
}
