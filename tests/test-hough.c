/* SPDX-License-Identifier: MIT */
/* The votes of a Hough trace are those of the transform, computed here in floating point. */
#include <math.h>
#include <stdlib.h>

#include <cjson/cJSON.h>
#include <glib/gstdio.h>

#include "base/error.h"
#include "gen-trace.h"

#define SIDE   40
#define RHOS   64
#define THETAS 12

static char *path;

/* A dark disc on a bright ground: edges in every direction. */
static void write_image(void)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *folder = g_dir_make_tmp("atomsim-hough-XXXXXX", NULL);

	g_string_printf(text, "P2\n%d %d\n255\n", SIDE, SIDE);
	for (int y = 0; y < SIDE; y++) {
		for (int x = 0; x < SIDE; x++) {
			int square = (x - 21) * (x - 21) + (y - 17) * (y - 17);

			g_string_append_printf(text, "%d\n", square < 130 ? 20 : 220);
		}
	}
	path = g_build_filename(folder, "disc.pgm", NULL);
	g_assert_true(g_file_set_contents(path, text->str, -1, NULL));
}

static void remove_image(void)
{
	g_autofree char *folder = g_path_get_dirname(path);

	g_remove(path);
	g_rmdir(folder);
	g_free(path);
}

static TraceReader *hough(const char *more)
{
	g_autofree char *command = g_strdup_printf("hough image=%s rhos=%d thetas=%d %s", path,
						   RHOS, THETAS, more);

	return gen_trace(command);
}

static double number_of_edges(TraceReader *reader)
{
	cJSON *metadata = cJSON_Parse(trace_metadata(reader));
	const cJSON *facts = cJSON_GetObjectItem(metadata, "workload");
	double edges = cJSON_GetNumberValue(cJSON_GetObjectItem(facts, "edges"));

	cJSON_Delete(metadata);
	return edges;
}

/* votes[theta * RHOS + rho] of all blocks and copies. */
typedef struct {
	uint64_t votes[THETAS * RHOS];
	uint32_t block_thetas, stride; /* words from copy to copy */
} Votes;

static void count(const Record *record, uint64_t block, uint32_t warp, gpointer data)
{
	Votes *votes = data;

	(void)warp;
	if (record->kind != RECORD_ATOM)
		return;
	for (unsigned i = 0; i < record->n_lanes; i++) {
		uint32_t word = record->address[i] / 4 % votes->stride;

		g_assert_cmpuint(word, <, votes->block_thetas * RHOS);
		votes->votes[block * votes->block_thetas * RHOS + word]++;
	}
}

static void count_all(Votes *votes, uint32_t block_thetas, uint32_t padding, const char *more)
{
	g_autoptr(TraceReader) reader = hough(more);

	*votes = (Votes){.block_thetas = block_thetas, .stride = block_thetas * RHOS + padding};
	visit_records(reader, count, votes);
}

static void test_every_edge_votes_once_for_every_angle(void)
{
	g_autoptr(TraceReader) reader = hough("block-thetas=5 warps=3");
	double edges = number_of_edges(reader);
	Votes votes;

	g_assert_cmpfloat(edges, >, 50);
	count_all(&votes, 5, 0, "block-thetas=5 warps=3");
	for (int theta = 0; theta < THETAS; theta++) {
		uint64_t sum = 0;

		for (int rho = 0; rho < RHOS; rho++)
			sum += votes.votes[theta * RHOS + rho];
		g_assert_cmpfloat(sum, ==, edges);
	}
}

static int grey(int x, int y)
{
	return (x - 21) * (x - 21) + (y - 17) * (y - 17) < 130 ? 20 : 220;
}

static gboolean is_edge(int x, int y)
{
	static const int weights[] = {1, 2, 1};
	int gx = 0, gy = 0;

	for (int i = -1; i <= 1; i++) {
		gx += weights[i + 1] * (grey(x + 1, y + i) - grey(x - 1, y + i));
		gy += weights[i + 1] * (grey(x + i, y + 1) - grey(x + i, y - 1));
	}
	return abs(gx) + abs(gy) >= 200;
}

/* Fixed point may put a vote on the border of a bin into the next one, so sums up to each bin are
   compared, with room for those votes. */
static void test_votes_are_those_of_the_transform(void)
{
	double span = SIDE + floor(sqrt(2.0 * SIDE * SIDE)) + 1;
	Votes votes;

	count_all(&votes, 4, 0, "block-thetas=4 warps=2");
	for (int theta = 0; theta < THETAS; theta++) {
		double angle = G_PI * theta / THETAS;
		int64_t expected[RHOS] = {0}, difference = 0;

		for (int y = 1; y < SIDE - 1; y++) {
			for (int x = 1; x < SIDE - 1; x++) {
				double rho = x * cos(angle) + y * sin(angle) + SIDE;

				if (is_edge(x, y))
					expected[(int)(rho * RHOS / span)]++;
			}
		}
		for (int rho = 0; rho < RHOS; rho++) {
			difference += (int64_t)votes.votes[theta * RHOS + rho] - expected[rho];
			g_assert_cmpint(ABS(difference), <=, 10);
		}
		g_assert_cmpint(difference, ==, 0);
	}
}

static void test_lanes_copies_and_blocks_do_not_change_the_votes(void)
{
	static const struct {
		uint32_t block_thetas, padding;
		const char *more;
	} cases[] = {
		{4, 0, "block-thetas=4 warps=2 lanes=angles"},
		{12, 0, "block-thetas=12 warps=4"},
		{5, 1, "block-thetas=5 warps=2 replicas=8 padding=1"},
		{5, 3,
		 "block-thetas=5 warps=2 replicas=4 padding=3 mapping=block lanes=angles"},
	};
	Votes plain, votes;

	count_all(&plain, 12, 0, "block-thetas=12 warps=1");
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		count_all(&votes, cases[i].block_thetas, cases[i].padding, cases[i].more);
		g_assert_cmpmem(votes.votes, sizeof(votes.votes), plain.votes,
				sizeof(plain.votes));
	}
}

static void check_lanes(const Record *record, uint64_t block, uint32_t warp, gpointer data)
{
	uint32_t *words = data;

	(void)block;
	(void)warp;
	if (record->kind != RECORD_ATOM)
		return;
	for (unsigned i = 0; i < record->n_lanes; i++)
		g_assert_cmpuint(record->address[i] / 4 / RHOS, ==,
				 words[1] ? i : record->address[0] / 4 / RHOS);
	words[0]++;
}

static void test_lanes_are_pixels_of_one_angle_or_angles_of_one_pixel(void)
{
	g_autoptr(TraceReader) pixels = hough("block-thetas=4 warps=2");
	g_autoptr(TraceReader) angles = hough("block-thetas=4 warps=2 lanes=angles");
	uint32_t counts[2] = {0, 0};

	visit_records(pixels, check_lanes, counts);
	g_assert_cmpuint(counts[0], >, 0);
	counts[1] = 1;
	visit_records(angles, check_lanes, counts);
}

static void test_an_image_without_edges_is_refused(void)
{
	g_autofree char *command = g_strdup_printf("hough image=%s threshold=2048", path);

	gen_refused(command, ATOMSIM_ERROR_USAGE, "*--threshold: 2048*");
}

static void test_an_image_that_is_all_border_is_refused(void)
{
	g_autofree char *folder = g_path_get_dirname(path);
	g_autofree char *small = g_build_filename(folder, "small.pgm", NULL);
	g_autofree char *command = g_strdup_printf("hough image=%s threshold=0", small);

	g_assert_true(g_file_set_contents(small, "P2 3 2 255 1 2 3 4 5 6\n", -1, NULL));
	gen_refused(command, ATOMSIM_ERROR_INPUT, "*small.pgm: 3 x 2 pixels*3 to 65535*");
	g_remove(small);
}

int main(int argc, char **argv)
{
	int status;

	g_test_init(&argc, &argv, NULL);
	write_image();
	g_test_add_func("/hough/every-edge-votes-once-for-every-angle",
			test_every_edge_votes_once_for_every_angle);
	g_test_add_func("/hough/votes-are-those-of-the-transform",
			test_votes_are_those_of_the_transform);
	g_test_add_func("/hough/lanes-copies-and-blocks-do-not-change-the-votes",
			test_lanes_copies_and_blocks_do_not_change_the_votes);
	g_test_add_func("/hough/lanes-are-pixels-of-one-angle-or-angles-of-one-pixel",
			test_lanes_are_pixels_of_one_angle_or_angles_of_one_pixel);
	g_test_add_func("/hough/an-image-without-edges-is-refused",
			test_an_image_without_edges_is_refused);
	g_test_add_func("/hough/an-image-that-is-all-border-is-refused",
			test_an_image_that_is_all_border_is_refused);
	status = g_test_run();
	remove_image();
	return status;
}
