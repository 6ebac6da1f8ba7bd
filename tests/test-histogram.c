/* SPDX-License-Identifier: MIT */
/* The votes of a histogram trace are the image's histogram, however they are replicated. */
#include <string.h>

#include <cjson/cJSON.h>
#include <glib/gstdio.h>

#include "gen-trace.h"

#define WIDTH  61 /* no multiple of anything, so that the last warp is cut */
#define HEIGHT 37

static char *folder;

/* A test image by a formula, of `levels` levels, written as the format says. Returns its path. */
static char *write_image(const char *name, uint32_t levels, uint32_t *pixels)
{
	g_autoptr(GString) text = g_string_new(NULL);
	gboolean plain = name[0] == 'p';
	char *path = g_build_filename(folder, name, NULL);

	g_string_printf(text, "P%d\n%d %d\n%u\n", plain ? 2 : 5, WIDTH, HEIGHT, levels - 1);
	for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
		pixels[i] = (i * i * 7 + i / 3) % levels;
		if (plain)
			g_string_append_printf(text, "%u\n", pixels[i]);
		else if (levels > 256)
			g_string_append_c(text, (char)(pixels[i] >> 8));
		if (!plain)
			g_string_append_c(text, (char)pixels[i]);
	}
	g_assert_true(g_file_set_contents(path, text->str, (gssize)text->len, NULL));
	return path;
}

/* Sums the votes over the copies; none may fall between them. */
static void assert_histogram(const char *path, const uint32_t *pixels, uint32_t levels,
			     uint32_t bins, uint32_t replicas, uint32_t padding,
			     const char *more)
{
	g_autofree char *command =
		g_strdup_printf("histogram image=%s bins=%u replicas=%u padding=%u %s", path,
				bins, replicas, padding, more);
	g_autoptr(TraceReader) reader = gen_trace(command);
	uint32_t stride = bins + padding;
	g_autofree uint64_t *votes = count_votes(reader, replicas * stride);
	g_autofree uint64_t *expected = g_new0(uint64_t, bins);

	for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
		expected[pixels[i] * bins / levels]++;
	for (uint32_t word = 0; word < replicas * stride; word++) {
		if (word % stride < bins)
			expected[word % stride] -= votes[word];
		else
			g_assert_cmpuint(votes[word], ==, 0);
	}
	for (uint32_t bin = 0; bin < bins; bin++)
		g_assert_cmpuint(expected[bin], ==, 0);
}

static void test_replication(void)
{
	const uint32_t replicas[] = {1, 3, 8, 64};
	const uint32_t paddings[] = {0, 1, 5};
	const char *const launches[] = {"blocks=2 threads=64", "blocks=3 threads=100",
					"blocks=100 threads=128"};
	uint32_t pixels[WIDTH * HEIGHT];
	g_autofree char *path = write_image("binary.pgm", 256, pixels);

	for (guint r = 0; r < G_N_ELEMENTS(replicas); r++) {
		for (guint p = 0; p < G_N_ELEMENTS(paddings); p++) {
			for (guint l = 0; l < G_N_ELEMENTS(launches); l++) {
				g_autofree char *block =
					g_strconcat(launches[l], " mapping=block", NULL);
				assert_histogram(path, pixels, 256, 64, replicas[r],
						 paddings[p], launches[l]);
				assert_histogram(path, pixels, 256, 64, replicas[r],
						 paddings[p], block);
			}
		}
	}
}

static void test_formats(void)
{
	const struct {
		const char *name;
		uint32_t levels;
	} images[] = {
		{"binary-8.pgm", 256},	   {"binary-16.pgm", 4096}, {"binary-odd.pgm", 1000},
		{"binary-two.pgm", 2},	   {"plain-8.pgm", 200},    {"plain-16.pgm", 65536},
		{"binary-max.pgm", 65536},
	};
	const uint32_t bins[] = {1, 2, 100, 256, 4096};

	for (guint i = 0; i < G_N_ELEMENTS(images); i++) {
		uint32_t pixels[WIDTH * HEIGHT];
		g_autofree char *path = write_image(images[i].name, images[i].levels, pixels);

		for (guint b = 0; b < G_N_ELEMENTS(bins); b++)
			assert_histogram(path, pixels, images[i].levels, bins[b], 2, 1,
					 "blocks=2 threads=96");
	}
}

typedef struct {
	uint64_t n_reads, n_bytes, n_segments;
	uint64_t n_alu;
} Loads;

static void add_loads(const Record *record, uint64_t block, uint32_t warp, gpointer data)
{
	Loads *loads = data;

	(void)block;
	(void)warp;
	if (record->kind == RECORD_ALU)
		loads->n_alu += record->count;
	if (record->kind != RECORD_LDG)
		return;
	loads->n_reads += record->n_lanes;
	loads->n_bytes += record->bytes;
	loads->n_segments += record->count;
}

static void test_loads(void)
{
	uint32_t pixels[WIDTH * HEIGHT];
	g_autofree char *path = write_image("binary-wide.pgm", 4096, pixels);
	g_autofree char *command =
		g_strdup_printf("histogram image=%s blocks=1 threads=64 bins=32", path);
	g_autoptr(TraceReader) reader = gen_trace(command);
	Loads loads = {0};

	visit_records(reader, add_loads, &loads);
	g_assert_cmpuint(loads.n_reads, ==, WIDTH * HEIGHT);
	g_assert_cmpuint(loads.n_bytes, ==, WIDTH * HEIGHT * 2);
	/* 32 pixels of 2 bytes lie within one segment of 128. */
	g_assert_cmpuint(loads.n_segments, ==, (WIDTH * HEIGHT + 31) / 32);
	/* Between two votes of a warp: next pixel, comparison, branch; then the bin's three. */
	g_assert_cmpuint(loads.n_alu, >=, 6 * (WIDTH * HEIGHT / 32));
}

static void test_metadata(void)
{
	uint32_t pixels[WIDTH * HEIGHT];
	g_autofree char *path = write_image("binary.pgm", 256, pixels);
	g_autofree char *command = g_strdup_printf("histogram image=%s blocks=1", path);
	g_autoptr(TraceReader) reader = gen_trace(command);
	cJSON *object = cJSON_Parse(trace_metadata(reader));
	cJSON *workload = cJSON_GetObjectItem(object, "workload");

	g_assert_cmpstr(cJSON_GetObjectItem(workload, "image")->valuestring, ==, "binary.pgm");
	g_assert_cmpuint(strlen(cJSON_GetObjectItem(workload, "image_sha256")->valuestring), ==,
			 64);
	g_assert_cmpint(cJSON_GetObjectItem(workload, "image_width")->valueint, ==, WIDTH);
	cJSON_Delete(object);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	folder = g_dir_make_tmp("atomsim-histogram-XXXXXX", NULL);
	g_assert_nonnull(folder);
	g_test_add_func("/histogram/votes are the image's histogram for all replications",
			test_replication);
	g_test_add_func("/histogram/votes are the image's histogram for all image formats",
			test_formats);
	g_test_add_func("/histogram/each pixel is loaded once, in whole segments", test_loads);
	g_test_add_func("/histogram/metadata name the image but not its folder", test_metadata);
	int status = g_test_run();

	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;
	while ((name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		g_unlink(path);
	}
	g_rmdir(folder);
	g_free(folder);
	return status;
}
