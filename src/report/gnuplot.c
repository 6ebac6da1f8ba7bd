/* SPDX-License-Identifier: MIT */
/*
 * gnuplot takes an output '|program' for a pipe and data '<program' for one, so names given by users
 * never reach it: it draws in a private folder, where all names are ours. In the script that stays they
 * begin with './', which is neither.
 */
#include "report/gnuplot.h"

#include <string.h>

#include "base/error.h"
#include "base/input.h"
#include "base/text.h"
#include "report/format.h"

#define PICTURE_MAX_BYTES (1u << 30)

static const OutputKind picture_kind = {"a drawing of gnuplot",
					{"gnuplot", "Gnuplot", "GNUPLOT", "%PDF-", "\x89PNG"}};
static const OutputKind script_kind = {"a script of a plot", {"# Drawn by atomsim."}};
static const OutputKind data_kind = {
	"data of a plot",
	{"chart,bar,position,", "line,series,x,position,", ",simulated_cycles,"}};

static char *quote(const char *text)
{
	GString *quoted;

	if (strchr(text, '\'') == NULL)
		return g_strdup_printf("'%s'", text);
	/* gnuplot 5.4 takes '' for an apostrophe in some places of a string only. In double quotes much has a
	   meaning, `commands` too, but nothing that is written by its number. */
	quoted = g_string_new("\"");
	for (; *text != '\0'; text++) {
		if (g_ascii_ispunct(*text))
			g_string_append_printf(quoted, "\\%03o", (guint)*text);
		else
			g_string_append_c(quoted, *text);
	}
	g_string_append_c(quoted, '"');
	return g_string_free(quoted, FALSE);
}

char *gnuplot_quote(const char *text)
{
	g_autofree char *printable = format_name(text, 120);

	return quote(printable);
}

/* The name of a file in the script's folder. A string of gnuplot cannot hold the end of a line. */
static char *quote_file(const char *path)
{
	g_autofree char *base = g_path_get_basename(path);
	g_autofree char *here = g_strconcat("./", g_strdelimit(base, "\n\r", '?'), NULL);

	return quote(here);
}

/* Formats by the end of a file's name, and gnuplot's terminals for them: 96 pixels are an inch. */
static const struct {
	const char *suffix, *terminal, *unit;
	double per_pixel;
	guint letters;	 /* size of letters, in points */
	const char *end; /* what a whole picture has at its end, or a few bytes before that */
} formats[] = {
	{".svg", "svg", "", 1, 13, "</svg>"},
	{".pdf", "pdfcairo", "in", 1.0 / 96, 10, "%%EOF"},
	{".png", "pngcairo linewidth 2 pointscale 2", "", 2, 20, "IEND"},
};

/* The place of a file's format; as many as there are if it has none. */
static guint format_of(const char *path)
{
	guint i = 0;

	while (i < G_N_ELEMENTS(formats) && !g_str_has_suffix(path, formats[i].suffix))
		i++;
	return i;
}

gboolean gnuplot_has_format(const char *path)
{
	return format_of(path) < G_N_ELEMENTS(formats);
}

char *gnuplot_sibling(const char *picture, const char *suffix)
{
	guint format = format_of(picture);

	g_assert(format < G_N_ELEMENTS(formats));
	return g_strdup_printf("%.*s%s",
			       (int)(strlen(picture) - strlen(formats[format].suffix)), picture,
			       suffix);
}

/* A PNG has two dots for each of the others' pixels, and letters to match. */
static char *terminal(const char *picture, GnuplotSize size)
{
	guint format = format_of(picture);
	double per_pixel = formats[format].per_pixel;
	char width[G_ASCII_DTOSTR_BUF_SIZE], height[G_ASCII_DTOSTR_BUF_SIZE];

	g_ascii_formatd(width, sizeof(width), "%.6g", size.width * per_pixel);
	g_ascii_formatd(height, sizeof(height), "%.6g", size.height * per_pixel);
	return g_strdup_printf("set terminal %s noenhanced size %s%s,%s%s font "
			       "'sans-serif,%d' background '#ffffff'\n",
			       formats[format].terminal, width, formats[format].unit, height,
			       formats[format].unit, formats[format].letters);
}

static char *whole_script(const char *gp, const char *svg, const char *csv, GnuplotSize size,
			  const char *script)
{
	g_autofree char *first = terminal(svg, size);
	g_autofree char *base = g_path_get_basename(gp);
	g_autofree char *name = text_printable(base);
	g_autofree char *picture = quote_file(svg);
	g_autofree char *data = quote_file(csv);

	return g_strdup_printf(
		"# Drawn by atomsim. To draw it again, in this folder: gnuplot %s\n"
		"%s"
		"set output %s\n"
		"data = %s\n"
		"set datafile separator ','\n"
		"set border 3\n"
		"set tics nomirror out\n"
		"%s",
		name, first, picture, data, script);
}

gboolean gnuplot_check(const char *svg, GError **error)
{
	g_autofree char *csv = gnuplot_sibling(svg, ".csv");
	g_autofree char *gp = gnuplot_sibling(svg, ".gp");

	return overwrite_plan(svg, &picture_kind, error) &&
	       overwrite_plan(csv, &data_kind, error) &&
	       overwrite_plan(gp, &script_kind, error);
}

static gboolean run(const char *folder, const char *gp, GError **error)
{
	char *argv[] = {(char *)"gnuplot", (char *)"plot.gp", NULL};
	g_autofree char *talk = NULL;
	g_autoptr(GError) cause = NULL;
	int status = 0;

	if (!g_spawn_sync(folder, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL,
			  NULL, NULL, NULL, &talk, &status, &cause))
		return atomsim_fail(
			error, ATOMSIM_ERROR_IO,
			"cannot run gnuplot (%s); install it, or draw %s elsewhere: the "
			"script and "
			"its data are complete",
			cause->message, gp);
	if (!g_spawn_check_wait_status(status, &cause)) {
		g_strchomp(talk);
		return atomsim_fail(error, ATOMSIM_ERROR_IO, "%s: gnuplot failed: %s%s%s", gp,
				    cause->message, *talk != '\0' ? "\n" : "", talk);
	}
	return TRUE;
}

static gboolean write_text(const char *folder, const char *name, const char *text,
			   GError **error)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);

	return output_write_file(path, NULL, text, strlen(text), error);
}

/* gnuplot does not say when a disk is full. */
static gboolean is_whole(const char *picture, gsize length, guint format)
{
	const char *end = formats[format].end;
	gsize few = MIN(length, strlen(end) + 8);

	for (gsize i = length - few; i + strlen(end) <= length; i++)
		if (memcmp(picture + i, end, strlen(end)) == 0)
			return TRUE;
	return FALSE;
}

/* The picture's text, or NULL. g_free. */
static char *draw_in(const char *folder, const char *gp, const char *suffix, GnuplotSize size,
		     const char *script, const char *data, gsize *length, GError **error)
{
	g_autofree char *name = g_strconcat("plot", suffix, NULL);
	g_autofree char *picture = g_build_filename(folder, name, NULL);
	g_autofree char *text = whole_script("plot.gp", name, "plot.csv", size, script);
	char *drawn = NULL;

	if (!write_text(folder, "plot.csv", data, error) ||
	    !write_text(folder, "plot.gp", text, error) || !run(folder, gp, error))
		return NULL;
	if (!input_read_file(picture, PICTURE_MAX_BYTES, "a picture of up to 1 GiB", &drawn,
			     length, error)) {
		g_prefix_error(error, "%s: ", gp);
		return NULL;
	}
	if (is_whole(drawn, *length, format_of(name)))
		return drawn;
	atomsim_fail(error, ATOMSIM_ERROR_IO, "%s: gnuplot drew no whole picture", gp);
	g_free(drawn);
	return NULL;
}

gboolean gnuplot_draw(const char *svg, GnuplotSize size, const char *script, const char *data,
		      GError **error)
{
	g_autofree char *csv = gnuplot_sibling(svg, ".csv");
	g_autofree char *gp = gnuplot_sibling(svg, ".gp");
	g_autofree char *text = whole_script(gp, svg, csv, size, script);
	g_autofree char *drawn = NULL;
	char *folder = NULL;
	gsize length = 0;

	if (!output_write_file(csv, &data_kind, data, strlen(data), error) ||
	    !output_write_file(gp, &script_kind, text, strlen(text), error))
		return FALSE;
	folder = output_folder_new("plot", error);
	if (folder == NULL)
		return FALSE;
	drawn = draw_in(folder, gp, formats[format_of(svg)].suffix, size, script, data, &length,
			error);
	output_folder_remove(folder);
	return drawn != NULL && output_write_file(svg, &picture_kind, drawn, length, error);
}
