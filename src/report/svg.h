/* SPDX-License-Identifier: MIT */
/*
 * A drawing in SVG, made of boxes, lines and text: the same calls give the same bytes. It has its own ground, and colours for
 * readers of light and of dark pages, those of report/html/page.html. Lengths are pixels. Who may include it: cli.
 */
#ifndef ATOMSIM_REPORT_SVG_H
#define ATOMSIM_REPORT_SVG_H

#include <glib.h>

#include "base/output.h"

extern const OutputKind svg_kind;

#define SVG_WIDTH 600 /* of every drawing: its text is readable at that width */

/* What a box is filled with, by what it means. */
typedef enum {
	SVG_EMPTY,
	SVG_GOOD,
	SVG_SAME,    /* lost for the same thing */
	SVG_OTHER,   /* lost for something else that meets it */
	SVG_FURTHER, /* comes later, as it has to wait */
	SVG_PART,    /* some of each */
	SVG_DIM,
	N_SVG_FILLS,
} SvgFill;

typedef enum { SVG_LEFT, SVG_MIDDLE, SVG_RIGHT, SVG_UPWARD } SvgAnchor;

typedef struct Svg Svg;

Svg *svg_new(void);
/* `hint` is shown where a pointer is over the box; NULL: none. */
void svg_box(Svg *svg, int x, int y, int width, int height, SvgFill fill, const char *hint);
void svg_line(Svg *svg, int x1, int y1, int x2, int y2);
/* A line of text, y its foot. size: of its letters. SVG_UPWARD: turned to the left, x its foot, y its begin. */
void svg_text(Svg *svg, int x, int y, int size, SvgAnchor anchor, const char *text);
/* The same on a box that is filled. */
void svg_label(Svg *svg, int x, int y, int size, const char *text);
/* Text broken between words to the drawing's width. Returns the foot of the next line. */
int svg_paragraph(Svg *svg, int x, int y, int size, const char *text);

/* A line of a legend: a box of that height, with a letter on it. y: its foot. Returns the foot of the next one. */
int svg_key(Svg *svg, int y, SvgFill fill, int height, const char *letter, const char *words);

/* The whole file; title: what it shows, for readers who do not see it, too. Frees the drawing. g_free. */
char *svg_finish(Svg *svg, int height, const char *title);

#endif
