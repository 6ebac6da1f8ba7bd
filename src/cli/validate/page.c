/* SPDX-License-Identifier: MIT */
/* The page of a folder of measurements as HTML that needs nothing else: errors by class, a picture of each, what not to trust. */
#include "cli/validate/validate.h"

#include <math.h>

#define SIZE 260.0 /* of a picture, pixels */
#define RIM  10.0  /* around its points */

static const char head[] =
	"<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
	"<meta name=\"viewport\" content=\"width=device-width\">"
	"<title>atomsim validation</title>\n<style>"
	":root{color-scheme:light dark}body{font:15px/1.5 sans-serif;max-width:60em;margin:2em "
	"auto;"
	"padding:0 1em}table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:right;"
	"border-bottom:1px solid #8886}td:first-child,th:first-child{text-align:left}"
	"figure{display:inline-block;margin:1em}svg{border:1px solid #8886}circle{fill:#2a78d6;"
	"fill-opacity:.5}line{stroke:currentColor}</style></head>\n<body>\n";

/* Where a number of cycles is between the least and the most, on a logarithmic axis. */
static double place(double cycles, double least, double most)
{
	return RIM + (SIZE - 2 * RIM) * log(cycles / least) / log(most / least);
}

/* Whether it can be on a logarithmic axis. */
static gboolean can_show(const ValidationPoint *point)
{
	return point->measured_cycles > 0 && point->simulated_cycles > 0;
}

static void find_range(const GPtrArray *points, double *least, double *most)
{
	*least = INFINITY;
	*most = 0;
	for (guint i = 0; i < points->len; i++) {
		const ValidationPoint *point = points->pdata[i];

		if (!can_show(point))
			continue;
		*least = fmin(*least, fmin(point->measured_cycles, point->simulated_cycles));
		*most = fmax(*most, fmax(point->measured_cycles, point->simulated_cycles));
	}
	*least /= 1.1;
	*most *= 1.1;
}

static void append_picture(GString *page, const char *name, const GPtrArray *points)
{
	double least, most;

	find_range(points, &least, &most);
	if (!(most > least))
		return;
	g_string_append_printf(page,
			       "<figure><svg role=\"img\" aria-label=\"%s\" width=\"%.0f\" "
			       "height=\"%.0f\"><line x1=\"%.0f\" y1=\"%.0f\" x2=\"%.0f\" "
			       "y2=\"%.0f\"/>",
			       name, SIZE, SIZE, RIM, SIZE - RIM, SIZE - RIM, RIM);
	for (guint i = 0; i < points->len; i++) {
		const ValidationPoint *point = points->pdata[i];

		if (can_show(point))
			g_string_append_printf(
				page, "<circle r=\"2\" cx=\"%.1f\" cy=\"%.1f\"/>",
				place(point->measured_cycles, least, most),
				SIZE - place(point->simulated_cycles, least, most));
	}
	g_string_append_printf(
		page,
		"</svg><figcaption>%s: simulated over measured, %.3g to %.3g, "
		"logarithmic; on the line they are equal</figcaption></figure>\n",
		name, least, most);
}

static void append_row(GString *page, const Validation *validation,
		       const ValidatedFolder *folder, const char *name)
{
	g_autoptr(GPtrArray) points = validate_class_points(validation, name);
	const ErrorSummary s = validate_summarise(points, NULL, NULL);

	if (s.points == 0)
		g_string_append_printf(
			page, "<tr><td>%s<td>0<td>0<td colspan=\"4\">not measured\n", name);
	else
		g_string_append_printf(
			page, "<tr><td>%s<td>%u<td>%u<td>%.1f %%<td>%.1f %%<td>%.1f %%<td>%s\n",
			name, s.points, validate_not_read(folder, points),
			100 * s.median_relative_error, 100 * s.mean_relative_error,
			100 * s.p90_relative_error,
			validate_is_trusted(&s) ? "" : "<b>not reliable</b>");
}

/* The text report, which has all else: worst points, rows that are passed over, marks of runs. */
static void append_text(GString *page, const Validation *validation, const Machine *machine,
			const ValidatedFolder *folder)
{
	g_autofree char *text = validate_folder_text(validation, machine, folder);
	g_autofree char *safe = g_markup_escape_text(text, -1);

	g_string_append_printf(page, "<h2>What not to trust</h2>\n<pre>%s</pre>\n", safe);
}

char *validate_folder_page(const Validation *validation, const Machine *machine,
			   const ValidatedFolder *folder)
{
	GString *page = g_string_new(head);
	g_autofree char *title = g_markup_printf_escaped(
		"<h1>Errors of %s, against what was measured on %s</h1>\n", machine->name,
		folder->gpu);

	g_string_append(page, title);
	g_string_append(page, "<table><tr><th>class<th>points<th>not read<th>median<th>mean"
			      "<th>90th percentile<th>\n");
	for (guint i = 0; validate_class_names[i] != NULL; i++)
		append_row(page, validation, folder, validate_class_names[i]);
	g_string_append(page,
			"</table>\n<p>Not read: points of files that atomsim derive reads "
			"no row of. A class whose mean error is above 10 % is not "
			"reliable.</p>\n");
	for (guint i = 0; validate_class_names[i] != NULL; i++) {
		g_autoptr(GPtrArray) points =
			validate_class_points(validation, validate_class_names[i]);

		append_picture(page, validate_class_names[i], points);
	}
	append_text(page, validation, machine, folder);
	g_string_append(page, "</body></html>\n");
	return g_string_free(page, FALSE);
}
