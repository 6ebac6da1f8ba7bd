/* SPDX-License-Identifier: MIT */
/*
 * How many lines a second an Accel-Sim trace is imported at, by how it lists addresses. Run by
 * `make bench`. The floor is 500,000 lines a second.
 */
#include <glib.h>
#include <glib/gstdio.h>
#include <lzma.h>
#include <stdio.h>
#include <time.h>

#include "trace/importer.h"

#define N_BLOCKS 64
#define N_WARPS	 8
#define N_LINES	 400 /* of each warp */
#define REPEATS	 3

static const char *const mode_names[] = {"a list", "base and stride", "base and differences"};

/* One of three lines is an access, as in a histogram's inner loop. */
static void append_line(GString *text, GRand *random, unsigned mode, unsigned line)
{
	int last = 0;

	if (line % 3 != 0) {
		g_string_append_printf(text,
				       "%04x ffffffff 1 R%u IMAD.MOV.U32 3 R2 R255 R7 0 \n",
				       16 * line, line % 64);
		return;
	}
	g_string_append_printf(text, "%04x ffffffff 1 R3 ATOMS.ADD 2 R4 R5 4 %u ", 16 * line,
			       mode);
	if (mode == 1) {
		g_string_append(text, "0x0000000000000100 4 \n");
		return;
	}
	for (unsigned i = 0; i < TRACE_MAX_LANES; i++) {
		int address = 4 * g_rand_int_range(random, 0, 1024);

		if (mode == 0 || i == 0)
			g_string_append_printf(text, "0x%016x ", (unsigned)address);
		else
			g_string_append_printf(text, "%d ", address - last);
		last = address;
	}
	g_string_append_c(text, '\n');
}

static GString *make_text(unsigned mode)
{
	GRand *random = g_rand_new_with_seed(1);
	GString *text = g_string_new("-kernel name = bench\n");

	g_string_append_printf(text,
			       "-grid dim = (%d,1,1)\n-block dim = (%d,1,1)\n-shmem = 4096\n"
			       "-accelsim tracer version = 4\n",
			       N_BLOCKS, N_WARPS * TRACE_MAX_LANES);
	for (unsigned b = 0; b < N_BLOCKS; b++) {
		g_string_append_printf(text, "#BEGIN_TB\nthread block = %u,0,0\n", b);
		for (unsigned w = 0; w < N_WARPS; w++) {
			g_string_append_printf(text, "warp = %u\ninsts = %u\n", w, N_LINES);
			for (unsigned line = 0; line < N_LINES; line++)
				append_line(text, random, mode, line);
		}
		g_string_append(text, "#END_TB\n");
	}
	g_rand_free(random);
	return text;
}

static void compress_file(const char *path, const GString *text)
{
	gsize bound = lzma_stream_buffer_bound(text->len), n = 0;
	g_autofree uint8_t *bytes = g_malloc(bound);

	if (lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text->str,
				    text->len, bytes, &n, bound) != LZMA_OK ||
	    !g_file_set_contents(path, (const char *)bytes, (gssize)n, NULL))
		g_error("%s: cannot write", path);
}

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Lines a second, in the quickest of some imports: what disturbs one only makes it longer. */
static double time_import(const char *input, const char *output)
{
	double best = G_MAXDOUBLE;

	for (unsigned i = 0; i < REPEATS; i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(GPtrArray) traces = NULL;
		double start = cpu_seconds();

		traces = import_traces(input, output, NULL, NULL, &error);
		if (!traces)
			g_error("%s", error->message);
		best = MIN(best, cpu_seconds() - start);
	}
	return N_BLOCKS * N_WARPS * N_LINES / best;
}

int main(void)
{
	g_autofree char *folder = g_dir_make_tmp("atomsim-bench-XXXXXX", NULL);
	g_autofree char *input = g_build_filename(folder, "k.traceg", NULL);
	g_autofree char *output = g_build_filename(folder, "k.bin", NULL);

	printf("%-26s %16s %16s\n", "Importing Accel-Sim traces", "lines a second", "from xz");
	for (unsigned mode = 0; mode < G_N_ELEMENTS(mode_names); mode++) {
		g_autoptr(GString) text = make_text(mode);
		double plain;

		if (!g_file_set_contents(input, text->str, (gssize)text->len, NULL))
			g_error("%s: cannot write", input);
		plain = time_import(input, output);
		compress_file(input, text);
		printf("%-26s %16.0f %16.0f\n", mode_names[mode], plain,
		       time_import(input, output));
	}
	g_unlink(input);
	g_unlink(output);
	g_rmdir(folder);
	return 0;
}
