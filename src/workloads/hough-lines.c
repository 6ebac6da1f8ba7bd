/* SPDX-License-Identifier: MIT */
#include "workloads/hough-lines.h"

#include "base/error.h"
#include "workloads/image.h"

#define MIN_SIDE 3 /* pixels: the border has no gradient */

#define SINE_BITS 14
#define TURN_BITS 30		      /* of angles and sines on the way */
#define HALF_TURN INT64_C(3373259426) /* pi */

typedef struct {
	uint16_t x, y;
} Edge;

/* Cosine and sine of an angle, in units of 2^-SINE_BITS. */
typedef struct {
	int64_t cosine, sine;
} Direction;

struct HoughLines {
	GArray *edges;	       /* Edge */
	Direction *directions; /* of each angle */
	int64_t offset;	       /* makes every rho 0 or more, in pixels */
	int64_t span;	       /* of all rhos, in pixels */
	char *sha256;	       /* of the image */
};

/* --- Geometry --- */

/* Sine of 0 .. pi by its series, in units of 2^-TURN_BITS. */
static int64_t sine(int64_t angle)
{
	int64_t x = MIN(angle, HALF_TURN - angle), term = x, sum = x;

	for (int64_t k = 2; term != 0; k += 2) {
		term = -(term * x >> TURN_BITS);
		term = (term * x >> TURN_BITS) / (k * (k + 1));
		sum += term;
	}
	return sum;
}

/* To units of 2^-SINE_BITS. */
static int64_t rounded(int64_t value)
{
	int shift = TURN_BITS - SINE_BITS;

	return (value + (INT64_C(1) << (shift - 1))) >> shift;
}

static Direction *directions_of(uint32_t n_thetas)
{
	Direction *directions = g_new(Direction, n_thetas);

	for (uint32_t theta = 0; theta < n_thetas; theta++) {
		int64_t angle = HALF_TURN * theta / n_thetas, quarter = HALF_TURN / 2;
		int64_t cosine =
			angle <= quarter ? sine(quarter - angle) : -sine(angle - quarter);

		directions[theta] = (Direction){rounded(cosine), rounded(sine(angle))};
	}
	return directions;
}

uint32_t hough_bin(const HoughLines *lines, uint32_t n_bins, uint64_t pixel, uint64_t theta)
{
	const Edge *edge = &g_array_index(lines->edges, Edge, pixel);
	const Direction *direction = &lines->directions[theta];
	int64_t rho = edge->x * direction->cosine + edge->y * direction->sine +
		      (lines->offset << SINE_BITS);
	int64_t bin = rho * n_bins / (lines->span << SINE_BITS);

	return (uint32_t)CLAMP(bin, 0, n_bins - 1);
}

static int64_t root(int64_t square)
{
	int64_t low = 0, high = 1 << 20;

	while (high - low > 1) {
		int64_t middle = (low + high) / 2;

		if (middle * middle <= square)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* --- Edges --- */

static int32_t grey(const Image *image, uint32_t x, uint32_t y)
{
	uint32_t level = image->pixels[(uint64_t)y * image->width + x];

	return (int32_t)(level * HOUGH_GREY_LEVELS / image->n_levels);
}

static int32_t gradient(const Image *image, uint32_t x, uint32_t y)
{
	int32_t gx = grey(image, x + 1, y - 1) + 2 * grey(image, x + 1, y) +
		     grey(image, x + 1, y + 1) - grey(image, x - 1, y - 1) -
		     2 * grey(image, x - 1, y) - grey(image, x - 1, y + 1);
	int32_t gy = grey(image, x - 1, y + 1) + 2 * grey(image, x, y + 1) +
		     grey(image, x + 1, y + 1) - grey(image, x - 1, y - 1) -
		     2 * grey(image, x, y - 1) - grey(image, x + 1, y - 1);

	return ABS(gx) + ABS(gy);
}

/* The border has no gradient. */
static GArray *find_edges(const Image *image, int64_t threshold)
{
	GArray *edges = g_array_new(FALSE, FALSE, sizeof(Edge));

	for (uint32_t y = 1; y + 1 < image->height; y++) {
		for (uint32_t x = 1; x + 1 < image->width; x++) {
			Edge edge = {(uint16_t)x, (uint16_t)y};

			if (gradient(image, x, y) >= threshold)
				g_array_append_val(edges, edge);
		}
	}
	return edges;
}

/* --- The lines of an image --- */

HoughLines *hough_lines_new(const char *path, int64_t threshold, uint32_t n_thetas,
			    GError **error)
{
	g_autoptr(Image) image = image_read(path, error);
	HoughLines *lines;
	int64_t width, height;

	if (!image)
		return NULL;
	width = image->width;
	height = image->height;
	if (MIN(width, height) < MIN_SIDE || MAX(width, height) > UINT16_MAX) {
		atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			     "%s: %u x %u pixels found; allowed: %d to %d a side", path,
			     image->width, image->height, MIN_SIDE, UINT16_MAX);
		return NULL;
	}
	lines = g_new0(HoughLines, 1);
	lines->offset = width;
	lines->span = width + root(width * width + height * height) + 1;
	lines->directions = directions_of(n_thetas);
	lines->edges = find_edges(image, threshold);
	lines->sha256 = g_strdup(image->sha256);
	return lines;
}

void hough_lines_free(HoughLines *lines)
{
	if (!lines)
		return;
	g_array_unref(lines->edges);
	g_free(lines->directions);
	g_free(lines->sha256);
	g_free(lines);
}

uint64_t hough_n_edges(const HoughLines *lines)
{
	return lines->edges->len;
}

const char *hough_image_sha256(const HoughLines *lines)
{
	return lines->sha256;
}
