/* SPDX-License-Identifier: MIT */
/* What commands share: --color. Labels and headings are bold, bars cyan, and changes in a comparison red or green. */
#include "cli/cli.h"

#include <string.h>
#include <unistd.h>

#include "cli/option.h"

#define BOLD  "\033[1m"
#define RED   "\033[31m"
#define GREEN "\033[32m"
#define CYAN  "\033[36m"
#define PLAIN "\033[0m"

static gboolean enabled;

static gboolean terminal_has_colors(void)
{
	const char *off = g_getenv("NO_COLOR"), *terminal = g_getenv("TERM");

	return isatty(STDOUT_FILENO) && (!off || !*off) && g_strcmp0(terminal, "dumb") != 0;
}

gboolean cli_color_begin(const char *when, gboolean text, GError **error)
{
	static const char *const names[] = {"auto", "always", "never"};
	guint place;

	if (!cli_choice("color", when, names, G_N_ELEMENTS(names), &place, error))
		return FALSE;
	enabled = text && (place == 1 || (place == 0 && terminal_has_colors()));
	return TRUE;
}

/* How many bytes of a line are its label: "Cost", "Warp states", all of a heading above indented lines. */
static gsize label_length(const char *line, gsize length)
{
	const char *gap = g_strstr_len(line, (gssize)length, "  ");

	if (!g_ascii_isupper(line[0]))
		return 0;
	if (gap)
		return (gsize)(gap - line);
	line += length;
	line += strspn(line, "\n");
	return strncmp(line, "  ", 2) == 0 ? length : 0;
}

/* Whether it heads an advice: "  1.  4.23x faster". */
static gboolean is_rank(const char *line)
{
	line += strspn(line, " ");
	return g_ascii_isdigit(*line) &&
	       strncmp(line + strspn(line, "0123456789"), ".  ", 3) == 0;
}

static gboolean on_match(const GMatchInfo *match, GString *to, gpointer data)
{
	g_autofree char *found = g_match_info_fetch(match, 0);
	const gboolean change = found[0] == '-' || found[0] == '+';

	(void)data;
	if (change && g_ascii_strtod(found, NULL) == 0)
		g_string_append(to, found);
	else
		g_string_append_printf(to, "%s%s" PLAIN,
				       !change		 ? CYAN
				       : found[0] == '-' ? GREEN
							 : RED,
				       found);
	return FALSE;
}

char *cli_color(const char *text)
{
	g_autoptr(GRegex) marks = NULL;
	g_autofree char *marked = NULL;
	GString *to = NULL;

	if (!enabled)
		return NULL;
	marks = g_regex_new("(?<= )(#+$|[-+][0-9][0-9.]* %$)", G_REGEX_MULTILINE, 0, NULL);
	marked = g_regex_replace_eval(marks, text, -1, 0, 0, on_match, NULL, NULL);
	to = g_string_new(NULL);
	for (const char *line = marked; *line;) {
		const gsize length = strcspn(line, "\n");
		const gsize bold = is_rank(line) ? length : label_length(line, length);

		if (bold > 0)
			g_string_append(to, BOLD);
		g_string_append_len(to, line, (gssize)bold);
		if (bold > 0)
			g_string_append(to, PLAIN);
		g_string_append_len(to, line + bold, (gssize)(length - bold));
		line += length;
		if (*line)
			g_string_append_c(to, *line++);
	}
	return g_string_free(to, FALSE);
}
