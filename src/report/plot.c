/* SPDX-License-Identifier: MIT */
/*
 * The plot of a run: where the warps' cycles went, and how many rounds atomics and how many passes
 * accesses took. gnuplot draws it; its script and data stay beside the picture, so that anyone can
 * draw it differently.
 */
#include "report/report.h"

#include "report/format.h"
#include "report/gnuplot.h"
#include "report/text.h"

static uint64_t sum(const uint64_t *counts, guint n)
{
	uint64_t total = 0;

	for (guint i = 0; i < n; i++)
		total += counts[i];
	return total;
}

static void append_degrees(GString *csv, const char *chart, const uint64_t *bins)
{
	uint64_t whole = sum(bins, DEGREE_BINS);

	for (guint degree = 0; degree < DEGREE_BINS; degree++)
		if (bins[degree] > 0)
			g_string_append_printf(csv, "%s,%u,%u,%" G_GUINT64_FORMAT ",%.4f\n",
					       chart, degree, degree, bins[degree],
					       format_percent(bins[degree], whole));
}

/* One tidy table for all charts: a row is a bar. */
static char *plot_data(const Statistics *statistics)
{
	GString *csv = g_string_new("chart,bar,position,count,percent\n");
	uint64_t whole = sum(statistics->warp_cycles, N_WARP_STATES);

	for (guint state = 0; state < N_WARP_STATES; state++)
		g_string_append_printf(csv, "warp_cycles,%s,%u,%" G_GUINT64_FORMAT ",%.4f\n",
				       warp_state_names[state], state,
				       statistics->warp_cycles[state],
				       format_percent(statistics->warp_cycles[state], whole));
	append_degrees(csv, "lock_degree", statistics->atomics.lock_degree);
	append_degrees(csv, "bank_degree", statistics->shared.degree);
	return g_string_free(csv, FALSE);
}

/* A chart whose whole is 0 would be an error to gnuplot: an empty frame that says so instead. */
static void append_empty(GString *gp, const char *what)
{
	g_string_append_printf(gp,
			       "set label 1 '%s' at graph 0.5, graph 0.5 center\n"
			       "plot [0:1][0:1] NaN notitle\n"
			       "unset label 1\n",
			       what);
}

static void append_states(GString *gp, const Statistics *statistics)
{
	g_string_append(gp, "set title 'Where the warps'' cycles went'\n"
			    "set xlabel 'share of the warps'' cycles, in percent'\n"
			    "set yrange [9.6:-0.6]\n"
			    "set ytics (");
	for (guint state = 0; state < N_WARP_STATES; state++)
		g_string_append_printf(gp, "%s'%s' %u", state > 0 ? ", " : "",
				       text_state_words[state], state);
	g_string_append(gp, ")\nset xrange [0:*]\n");
	if (sum(statistics->warp_cycles, N_WARP_STATES) == 0)
		append_empty(gp, "no warp ran");
	else
		g_string_append(
			gp, "plot data using (strcol(1) eq 'warp_cycles' ? $5/2 : NaN):3:"
			    "($5/2):(0.35) with boxxyerror fillcolor rgb '#4477aa' notitle\n");
	g_string_append(gp, "set yrange [*:*]\nset ytics autofreq\nset xrange [*:*]\n");
}

static void append_histogram(GString *gp, const char *chart, const char *title,
			     const char *xlabel, const char *ylabel, const uint64_t *bins,
			     const char *empty, const char *color)
{
	g_string_append_printf(gp, "set title '%s'\nset xlabel '%s'\nset ylabel '%s'\n", title,
			       xlabel, ylabel);
	if (sum(bins, DEGREE_BINS) == 0) {
		append_empty(gp, empty);
		return;
	}
	g_string_append_printf(gp,
			       "set logscale y\nset yrange [0.5:*]\n"
			       "plot data using (strcol(1) eq '%s' ? $3 : NaN):4 with boxes "
			       "fillcolor rgb '%s' notitle\n"
			       "unset logscale y\nset yrange [*:*]\n",
			       chart, color);
}

static char *plot_script(const RunReport *report)
{
	const Statistics *statistics = &report->result->statistics;
	GString *gp = g_string_new(NULL);
	g_autofree char *cycles = format_count(statistics->cycles);
	g_autofree char *heading = g_strdup_printf("%s on %s: %s cycles", report->trace_name,
						   report->machine->name, cycles);
	g_autofree char *title = gnuplot_quote(heading);

	g_string_append_printf(gp,
			       "set style fill solid 0.8 noborder\n"
			       "set boxwidth 0.8\n"
			       "set grid x y linecolor '#dddddd'\n"
			       "set multiplot title %s\n"
			       "set lmargin 36\n"
			       "set origin 0,0.48\nset size 1,0.46\n",
			       title);
	append_states(gp, statistics);
	g_string_append(gp, "set lmargin 14\nset origin 0,0\nset size 0.5,0.46\n");
	append_histogram(gp, "lock_degree", "Lock conflicts: rounds of each atomic",
			 "rounds that an atomic took (64: or more)", "atomics",
			 statistics->atomics.lock_degree, "no atomics on shared memory",
			 "#cc6677");
	g_string_append(gp, "set origin 0.5,0\n");
	append_histogram(gp, "bank_degree", "Bank conflicts: passes of each access",
			 "passes that an access took (64: or more)", "accesses",
			 statistics->shared.degree, "no access to shared memory", "#228833");
	g_string_append(gp, "unset multiplot\n");
	return g_string_free(gp, FALSE);
}

gboolean report_plot(const RunReport *report, const char *svg, GError **error)
{
	g_autofree char *data = plot_data(&report->result->statistics);
	g_autofree char *script = plot_script(report);

	return gnuplot_draw(svg, (GnuplotSize){960, 800}, script, data, error);
}
