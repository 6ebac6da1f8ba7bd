/* SPDX-License-Identifier: MIT */
/*
 * How long an Accel-Sim trace takes to be imported, by how it lists addresses, in wall time: its text, its
 * decompression from xz alone, and the two together, which overlap where there are two processors. On a busy machine
 * these tell little; so also the processor time of the two together, of the thread that parses and of the one that
 * decompresses: two processors need as long as the longer one. Run by `make bench`, and prints rows of its table. The
 * floor is 500,000 lines a second.
 */
#include <glib.h>
#include <glib/gstdio.h>
#include <lzma.h>
#include <stdio.h>
#include <time.h>

#include "trace/importer.h"

#define N_BLOCKS 32
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

static GBytes *compress(const GString *text)
{
	gsize bound = lzma_stream_buffer_bound(text->len), n = 0;
	uint8_t *bytes = g_malloc(bound);

	if (lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text->str,
				    text->len, bytes, &n, bound) != LZMA_OK)
		g_error("cannot compress");
	return g_bytes_new_take(bytes, n);
}

static double wall_seconds(void)
{
	return (double)g_get_monotonic_time() / G_USEC_PER_SEC;
}

static double processor_seconds(clockid_t clock)
{
	struct timespec time;

	if (clock_gettime(clock, &time) != 0)
		g_error("no clock of processor time");
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

typedef struct {
	double wall, own, others; /* the last two: processor time of this thread, of others */
} Times;

/* The quickest of some: what disturbs one only makes it longer. */
static Times time_import(const char *input, const char *output)
{
	Times best = {G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE};

	for (unsigned i = 0; i < REPEATS; i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(GPtrArray) traces = NULL;
		double wall = wall_seconds(), own = processor_seconds(CLOCK_THREAD_CPUTIME_ID),
		       all = processor_seconds(CLOCK_PROCESS_CPUTIME_ID);

		traces = import_traces(input, output, NULL, NULL, &error);
		if (!traces)
			g_error("%s", error->message);
		wall = wall_seconds() - wall;
		own = processor_seconds(CLOCK_THREAD_CPUTIME_ID) - own;
		all = processor_seconds(CLOCK_PROCESS_CPUTIME_ID) - all;
		best = (Times){MIN(best.wall, wall), MIN(best.own, own),
			       MIN(best.others, all - own)};
	}
	return best;
}

static double time_decompression(GBytes *xz, gsize n_text)
{
	g_autofree uint8_t *text = g_malloc(n_text);
	double best = G_MAXDOUBLE;
	gsize n_xz;
	const uint8_t *bytes = g_bytes_get_data(xz, &n_xz);

	for (unsigned i = 0; i < REPEATS; i++) {
		double start = wall_seconds();
		uint64_t memory = UINT64_MAX;
		gsize in = 0, out = 0;

		if (lzma_stream_buffer_decode(&memory, 0, NULL, bytes, &in, n_xz, text, &out,
					      n_text) != LZMA_OK)
			g_error("cannot decompress");
		best = MIN(best, wall_seconds() - start);
	}
	return best;
}

static void write_file(const char *path, const void *bytes, gsize n)
{
	if (!g_file_set_contents(path, bytes, (gssize)n, NULL))
		g_error("%s: cannot write", path);
}

int main(void)
{
	g_autofree char *folder = g_dir_make_tmp("atomsim-bench-XXXXXX", NULL);
	g_autofree char *input = g_build_filename(folder, "k.traceg", NULL);
	g_autofree char *output = g_build_filename(folder, "k.bin", NULL);

	for (unsigned mode = 0; mode < G_N_ELEMENTS(mode_names); mode++) {
		g_autoptr(GString) text = make_text(mode);
		g_autoptr(GBytes) xz = compress(text);
		const unsigned n_lines = N_BLOCKS * N_WARPS * N_LINES;
		double plain, alone;
		Times both;

		write_file(input, text->str, text->len);
		plain = time_import(input, output).wall;
		alone = time_decompression(xz, text->len);
		write_file(input, g_bytes_get_data(xz, NULL), g_bytes_get_size(xz));
		both = time_import(input, output);
		printf("| import of %u,%03u lines, addresses as %s: of text, %.1f million "
		       "lines a second; xz alone; both | %.3f, %.3f, %.3f s | %.3f s, the "
		       "larger |\n",
		       n_lines / 1000, n_lines % 1000, mode_names[mode], n_lines / plain / 1e6,
		       plain, alone, both.wall, MAX(plain, alone));
		printf("| both, in processor time: the thread that parses, the one that "
		       "decompresses | %.3f, %.3f s | |\n",
		       both.own, both.others);
	}
	g_unlink(input);
	g_unlink(output);
	g_rmdir(folder);
	return 0;
}
