/* SPDX-License-Identifier: MIT */
/*
 * Edge pixels of an image, and the lines through them, for the Hough transform. Edges are where the
 * Sobel operator's |gx| + |gy| reaches a threshold. Sines are fixed-point, so that integers alone decide
 * a bin. Only files of workloads include it.
 */
#ifndef ATOMSIM_WORKLOADS_HOUGH_LINES_H
#define ATOMSIM_WORKLOADS_HOUGH_LINES_H

#include <glib.h>
#include <stdint.h>

#define HOUGH_GREY_LEVELS 256 /* that the threshold is counted in */

typedef struct HoughLines HoughLines;

/* The edges of the image in the file `path`, by a threshold in grey levels, and n_thetas angles of a half
   turn; there may be no edges. Errors: those of image_read; ATOMSIM_ERROR_INPUT for an image too small or
   too large. */
HoughLines *hough_lines_new(const char *path, int64_t threshold, uint32_t n_thetas,
			    GError **error);
void hough_lines_free(HoughLines *lines);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HoughLines, hough_lines_free)

/* Edge pixels, in the order of the image. */
uint64_t hough_n_edges(const HoughLines *lines);
/* Owned by the lines. */
const char *hough_image_sha256(const HoughLines *lines);

/* The bin, 0 .. n_bins-1, of the distance from the origin of the line through an edge pixel at an angle. */
uint32_t hough_bin(const HoughLines *lines, uint32_t n_bins, uint64_t pixel, uint64_t theta);

#endif
