/* SPDX-License-Identifier: MIT */
#include "report/svg.h"

#include <string.h>

const OutputKind svg_kind = {"a drawing", {"<svg xmlns="}};

struct Svg {
	GString *body;
};

/* Class names of the fills, and of text by its anchor. */
static const char *const fills[N_SVG_FILLS] = {"n", "c", "e", "b", "d", "a", "f"};
static const char *const anchors[] = {"t", "t m", "t r", "t"};

static const char style[] =
	"<style>text{font-family:ui-monospace,Menlo,Consolas,monospace}"
	".ground{fill:#fff}.t{fill:#1b1f24}.m{text-anchor:middle}.r{text-anchor:end}"
	".l{fill:#fff;text-anchor:middle;font-weight:600}"
	".n{fill:none}.a{fill:#0b5cad}.b{fill:#b35900}.c{fill:#1a7f4b}.d{fill:#7a3e9d}"
	".e{fill:#a3283b}.f{fill:#d0d7de}rect,line{stroke:#8b949e;stroke-width:.5}"
	"@media(prefers-color-scheme:dark){.ground{fill:#0d1117}.t{fill:#e6edf3}"
	".l{fill:#0d1117}.a{fill:#58a6ff}.b{fill:#f0a04b}.c{fill:#4cc38a}.d{fill:#c79bf0}"
	".e{fill:#ff7b8a}.f{fill:#30363d}}</style>\n";

Svg *svg_new(void)
{
	Svg *svg = g_new0(Svg, 1);

	svg->body = g_string_new(NULL);
	return svg;
}

void svg_box(Svg *svg, int x, int y, int width, int height, SvgFill fill, const char *hint)
{
	g_autofree char *words = hint ? g_markup_escape_text(hint, -1) : NULL;

	g_string_append_printf(
		svg->body, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"",
		fills[fill], x, y, width, height);
	if (words)
		g_string_append_printf(svg->body, "><title>%s</title></rect>\n", words);
	else
		g_string_append(svg->body, "/>\n");
}

void svg_line(Svg *svg, int x1, int y1, int x2, int y2)
{
	g_string_append_printf(svg->body, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n",
			       x1, y1, x2, y2);
}

static void append_text(Svg *svg, int x, int y, int size, const char *class, const char *text)
{
	g_autofree char *words = g_markup_escape_text(text, -1);

	g_string_append_printf(
		svg->body, "<text class=\"%s\" x=\"%d\" y=\"%d\" font-size=\"%d\">%s</text>\n",
		class, x, y, size, words);
}

void svg_text(Svg *svg, int x, int y, int size, SvgAnchor anchor, const char *text)
{
	if (anchor == SVG_UPWARD)
		g_string_append_printf(svg->body, "<g transform=\"rotate(-90 %d %d)\">", x, y);
	append_text(svg, x, y, size, anchors[anchor], text);
	if (anchor == SVG_UPWARD)
		g_string_append(svg->body, "</g>\n");
}

void svg_label(Svg *svg, int x, int y, int size, const char *text)
{
	append_text(svg, x, y, size, "l", text);
}

int svg_paragraph(Svg *svg, int x, int y, int size, const char *text)
{
	/* A letter of the fonts named above is 0.6 of its size wide. */
	const gsize columns = (gsize)((SVG_WIDTH - x - 8) * 10 / (6 * size));

	while (*text) {
		gsize length = strlen(text), cut = length;
		g_autofree char *line = NULL;

		if (length > columns)
			for (cut = columns; cut > 0 && text[cut] != ' '; cut--)
				;
		if (cut == 0)
			cut = columns;
		line = g_strndup(text, cut);
		svg_text(svg, x, y, size, SVG_LEFT, line);
		text += cut + (text[cut] == ' ');
		y += size + 4;
	}
	return y;
}

int svg_key(Svg *svg, int y, SvgFill fill, int height, const char *letter, const char *words)
{
	svg_box(svg, 8, y - 5 - height / 2, 16, height, fill, NULL);
	if (*letter)
		svg_label(svg, 16, y, 12, letter);
	return svg_paragraph(svg, 32, y, 12, words) + 3;
}

char *svg_finish(Svg *svg, int height, const char *title)
{
	g_autofree char *words = g_markup_escape_text(title, -1);
	char *whole = g_strdup_printf(
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
		"height=\"%d\" role=\"img\" aria-label=\"%s\">\n<title>%s</title>\n%s"
		"<rect class=\"ground\" width=\"%d\" height=\"%d\"/>\n%s</svg>\n",
		SVG_WIDTH, height, SVG_WIDTH, height, words, words, style, SVG_WIDTH, height,
		svg->body->str);

	g_string_free(svg->body, TRUE);
	g_free(svg);
	return whole;
}
