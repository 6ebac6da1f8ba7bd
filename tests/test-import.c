/* SPDX-License-Identifier: MIT */
/* Traces of other tools: what is read, what is refused and in which words, and that replaying it
   counts what the addresses say. */
#include <glib/gstdio.h>
#include <lzma.h>
#include <string.h>

#include "config/config.h"
#include "base/error.h"
#include "sim/run/run.h"
#include "trace/importer.h"
#include "trace/lines.h"
#include "trace/reader.h"
#include "trace/unxz.h"

#define SHARED_BYTES 4096
#define N_WARPS	     3
#define N_ACCESSES   40 /* of each warp */

static char *folder; /* of the test's files */

static char *in_folder(const char *name)
{
	return g_build_filename(folder, name, NULL);
}

static void write_file(const char *path, const void *bytes, gsize length)
{
	g_autoptr(GError) error = NULL;

	g_file_set_contents(path, bytes, (gssize)length, &error);
	g_assert_no_error(error);
}

/* Imports text as a kernel file of that name. The trace, or NULL and *error. */
static TraceReader *import_text(const char *name, const char *text, gsize length,
				GError **error)
{
	g_autofree char *input = in_folder(name);
	g_autofree char *output = in_folder("out.bin");
	g_autoptr(GPtrArray) traces = NULL;

	write_file(input, text, length);
	traces = import_traces(input, output, NULL, NULL, error);
	if (!traces)
		return NULL;
	g_assert_cmpuint(traces->len, ==, 1);
	return trace_open(output, error);
}

/* --- Random kernels, as text and as what must be read --- */

typedef struct {
	uint32_t mask;
	unsigned kind, width; /* 0 load, 1 store, 2 atomic */
	uint32_t address[TRACE_MAX_LANES];
	unsigned n_lanes;
} Access;

typedef struct {
	Access accesses[N_WARPS][N_ACCESSES];
} Kernel;

static void random_access(GRand *random, Access *access)
{
	static const unsigned widths[] = {1, 2, 4, 4, 4, 8, 16};
	static const uint32_t masks[] = {UINT32_MAX, 0x0000ffff, 0xfffffffe, 1, 0x80000000};
	unsigned shape = (unsigned)g_rand_int_range(random, 0, 3);
	uint32_t n_places, base, stride;

	access->kind = (unsigned)g_rand_int_range(random, 0, 3);
	access->width = access->kind == 2
				? 4
				: widths[g_rand_int_range(random, 0, G_N_ELEMENTS(widths))];
	access->mask = shape == 0 ? g_rand_int(random) | 2
				  : masks[g_rand_int_range(random, 0, G_N_ELEMENTS(masks))];
	access->n_lanes = (unsigned)__builtin_popcount(access->mask);
	n_places = SHARED_BYTES / access->width;
	base = (uint32_t)g_rand_int_range(random, 0, (gint32)n_places);
	stride = (uint32_t)g_rand_int_range(random, 0, 65);
	for (unsigned i = 0; i < access->n_lanes; i++)
		access->address[i] =
			access->width *
			((shape == 1
				  ? base + i * stride
				  : (uint32_t)g_rand_int_range(random, 0, (gint32)n_places)) %
			 n_places);
}

static Kernel *random_kernel(guint32 seed)
{
	GRand *random = g_rand_new_with_seed(seed);
	Kernel *kernel = g_new0(Kernel, 1);

	for (unsigned w = 0; w < N_WARPS; w++)
		for (unsigned a = 0; a < N_ACCESSES; a++)
			random_access(random, &kernel->accesses[w][a]);
	g_rand_free(random);
	return kernel;
}

static gboolean has_stride(const Access *access)
{
	uint32_t lanes = access->mask >> __builtin_ctz(access->mask);
	uint32_t stride = access->address[1] - access->address[0];

	if (access->n_lanes < 2 || (lanes & (lanes + 1)) != 0)
		return FALSE;
	for (unsigned i = 2; i < access->n_lanes; i++)
		if (access->address[i] - access->address[i - 1] != stride)
			return FALSE;
	return TRUE;
}

/* In the mode asked for, or in mode 2 where it cannot tell these addresses. */
static void append_addresses(GString *text, const Access *access, unsigned mode, uint32_t added)
{
	if (mode == 1 && !has_stride(access))
		mode = 2;
	g_string_append_printf(text, " %u 0x%016x", mode, access->address[0] + added);
	if (mode == 1)
		g_string_append_printf(text, " %d",
				       (int)access->address[1] - (int)access->address[0]);
	for (unsigned i = 1; mode != 1 && i < access->n_lanes; i++) {
		if (mode == 0)
			g_string_append_printf(text, " 0x%016x", access->address[i] + added);
		else
			g_string_append_printf(text, " %d",
					       (int)access->address[i] -
						       (int)access->address[i - 1]);
	}
}

static const char *opcode_of(const Access *access)
{
	static const char *const names[3][5] = {
		{"LDS.U8", "LDS.U16", "LDS", "LDS.U.64", "LDS.U.128"},
		{"STS.U8", "STS.U16", "STS", "STS.64", "STS.128"},
		{NULL, NULL, "ATOMS.ADD", NULL, NULL}};

	return names[access->kind][__builtin_ctz(access->width)];
}

/* The kernel as a tracer of that version writes it. From version 3 on it is one for an sm_90. */
static GString *kernel_text(const Kernel *kernel, unsigned version, unsigned mode)
{
	GString *text = g_string_new("-kernel name = random\n-grid dim = (1,1,1)\n");

	g_string_append_printf(text, "-block dim = (%d,1,1)\n-shmem = %d\n", 32 * N_WARPS,
			       SHARED_BYTES);
	if (version > 0)
		g_string_append_printf(text,
				       "-binary version = %d\n-accelsim tracer version = %u\n"
				       "-enable lineinfo = %d\n",
				       version >= 3 ? 90 : 70, version, version == 4);
	g_string_append(text, "\n#BEGIN_TB\n\nthread block = 0,0,0\n");
	for (unsigned w = 0; w < N_WARPS; w++) {
		g_string_append_printf(text, "\nwarp = %u\ninsts = %d\n", w, N_ACCESSES);
		for (unsigned a = 0; a < N_ACCESSES; a++) {
			const Access *access = &kernel->accesses[w][a];

			if (version < 3)
				g_string_append_printf(text, "0 0 0 %u ", w);
			if (version == 4)
				g_string_append_printf(text, "%u ", a + 1);
			g_string_append_printf(text, "%04x %08x %s %s 1 R2 %u",
					       16 * (w * N_ACCESSES + a), access->mask,
					       access->kind == 1 ? "0" : "1 R3",
					       opcode_of(access), access->width);
			append_addresses(text, access, mode, version >= 3 ? 0x400 : 0);
			g_string_append(text, version == 5 ? " 0x10\n" : " \n");
		}
	}
	g_string_append(text, "#END_TB\n");
	return text;
}

static void assert_reads_as(TraceReader *reader, const Kernel *kernel)
{
	static const RecordKind kinds[] = {RECORD_LDS, RECORD_STS, RECORD_ATOM};
	RecordSource *source = trace_source(reader);

	g_assert_cmpuint(source->n_blocks, ==, 1);
	for (unsigned w = 0; w < N_WARPS; w++) {
		WarpStream *stream = source->open_warp(source, 0, w);
		Record record;

		for (unsigned a = 0; a < N_ACCESSES; a++) {
			const Access *access = &kernel->accesses[w][a];

			g_assert_cmpint(stream->next(stream, &record), ==, STREAM_RECORD);
			g_assert_cmpint(record.kind, ==, kinds[access->kind]);
			g_assert_cmpuint(record.width, ==, access->width);
			g_assert_cmphex(record.mask, ==, access->mask);
			g_assert_cmpuint(record.site, ==, w * N_ACCESSES + a + 1);
			for (unsigned i = 0; i < access->n_lanes; i++)
				g_assert_cmpuint(record.address[i], ==, access->address[i]);
		}
		g_assert_cmpint(stream->next(stream, &record), ==, STREAM_RECORD);
		g_assert_cmpint(record.kind, ==, RECORD_EXIT);
		stream->close(stream);
	}
}

static void test_every_version_and_address_mode_reads_the_same(void)
{
	for (guint32 seed = 1; seed <= 4; seed++) {
		g_autofree Kernel *kernel = random_kernel(seed);

		for (unsigned version = 0; version <= 5; version++) {
			for (unsigned mode = 0; mode <= 2; mode++) {
				g_autoptr(GString) text = kernel_text(kernel, version, mode);
				g_autoptr(GError) error = NULL;
				g_autoptr(TraceReader) reader =
					import_text("k.traceg", text->str, text->len, &error);

				g_assert_no_error(error);
				assert_reads_as(reader, kernel);
			}
		}
	}
}

/* --- Data flow --- */

/* Warp instructions of a warp's records, and of them those of a kind. */
static guint64 count_instructions(TraceReader *reader, uint32_t warp, RecordKind kind,
				  guint64 *of_kind)
{
	RecordSource *source = trace_source(reader);
	WarpStream *stream = source->open_warp(source, 0, warp);
	guint64 n = 0;
	Record record;

	*of_kind = 0;
	while (stream->next(stream, &record) == STREAM_RECORD) {
		uint32_t more = record_instructions(&record, source->kernel.dataflow);

		n += more;
		*of_kind += record.kind == kind ? more : 0;
	}
	stream->close(stream);
	return n;
}

static void append_head(GString *text, unsigned version)
{
	g_string_append_printf(text,
			       "-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 64\n"
			       "-binary version = 80\n-accelsim tracer version = %u\n"
			       "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n",
			       version);
}

/* Loops, parted lanes, accesses without a lane: each line is one instruction of the trace. */
static void test_every_line_is_an_instruction(void)
{
	static const char *const names[] = {"1 R1 IADD3 3 R1 R2 R3 0",
					    "0 ISETP.GE.AND 2 R1 R2 0",
					    "0 BRA 0 0",
					    "0 BSYNC 0 0",
					    "1 R5 FROB 1 R1 0",
					    "0 MEMBAR.SC.CTA 0 0"};

	for (guint32 seed = 1; seed <= 20; seed++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(GString) text = g_string_new(NULL);
		g_autoptr(TraceReader) reader = NULL;
		GRand *random = g_rand_new_with_seed(seed);
		unsigned pc = 0;
		guint64 unused;

		append_head(text, 4);
		g_string_append(text, "insts = 3001\n");
		for (unsigned i = 0; i < 3000; i++) {
			unsigned kind = (unsigned)g_rand_int_range(random, 0, 8);
			guint32 mask = g_rand_int_range(random, 0, 4) == 0
					       ? 0
					       : 1u << g_rand_int_range(random, 0, 32);

			pc = g_rand_int_range(random, 0, 9) == 0
				     ? 16 * (unsigned)g_rand_int_range(random, 0, 99)
				     : pc + 16;
			g_string_append_printf(text, "%04x %08x ", pc, mask);
			if (kind < G_N_ELEMENTS(names))
				g_string_append(text, names[kind]);
			else
				g_string_append_printf(text, "0 STS 2 R1 R2 4 1 0x%x 0",
						       4 * (kind - 6));
			g_string_append_c(text, '\n');
		}
		g_string_append(text, "0000 ffffffff 0 EXIT 0 0\n#END_TB\n");
		reader = import_text("k.traceg", text->str, text->len, &error);
		g_assert_no_error(error);
		g_assert_cmpuint(count_instructions(reader, 0, RECORD_ALU, &unused), ==, 3001);
		g_assert_cmpuint(unused, ==, 0);
		g_rand_free(random);
	}
}

/* The number behind "NAME": of a trace's metadata; 0 if it has none. */
static guint64 counted(TraceReader *reader, const char *name)
{
	g_autofree char *key = g_strdup_printf("\"%s\":", name);
	const char *found = strstr(trace_metadata(reader), key);

	return found ? g_ascii_strtoull(found + strlen(key), NULL, 10) : 0;
}

/* More different gaps than a file may have: the rest is told as plain arithmetic, and counted. */
static void test_what_no_table_holds_is_told_without_data_flow(void)
{
	enum { N_GAPS = 300, N_IN_GAP = 256 };
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GString) registers = g_string_new("15");
	g_autoptr(GError) error = NULL;
	g_autoptr(TraceReader) reader = NULL;
	guint64 n_alu;

	for (unsigned i = 0; i < 15; i++)
		g_string_append_printf(registers, " R%u", i);
	append_head(text, 4);
	g_string_append_printf(text, "insts = %d\n", N_GAPS * (N_IN_GAP + 1) + 1);
	for (unsigned gap = 0; gap < N_GAPS; gap++) {
		for (unsigned i = 0; i < N_IN_GAP; i++)
			g_string_append_printf(text, "%x ffffffff %s IADD3 %s 0\n",
					       16 * (gap + i), registers->str, registers->str);
		g_string_append(text, "0 ffffffff 0 STS 1 R1 4 1 0x0 0\n");
	}
	g_string_append(text, "0 ffffffff 0 EXIT 0 0\n#END_TB\n");
	reader = import_text("k.traceg", text->str, text->len, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(count_instructions(reader, 0, RECORD_ALU, &n_alu), ==,
			 N_GAPS * (N_IN_GAP + 1) + 1);
	g_assert_cmpuint(n_alu, >, N_IN_GAP);
	g_assert_cmpuint(n_alu, <, N_GAPS * N_IN_GAP);
	g_assert_cmpuint(counted(reader, "instructions_without_flow"), ==, n_alu);
}

/* Pages in rising order are one buffer, in falling order several; what reaches into two has no
   addresses. */
static void test_global_memory_is_buffers_of_pages(void)
{
	static const struct {
		const char *accesses[4]; /* of lanes 0 and 1 */
		unsigned buffers[4];
		uint64_t offset[4];
		unsigned n_buffers, n_unplaced;
	} rows[] = {
		{{"0x7f0000000000 4", "0x7f0000200000 4", "0x7f00001ffffc 4",
		  "0x7f0000400000 4"},
		 {1, 1, 1, 1},
		 {0, 0x200000, 0x1ffffc, 0x400000},
		 1,
		 0},
		{{"0x7f0000200100 4", "0x7f0000000010 4", "0x7f00001ffffc 4",
		  "0x7f0000200000 4"},
		 {1, 2, 0, 1},
		 {0x100, 0x10, 0, 0},
		 2,
		 1},
		/* Not a multiple of the width; 4 GiB apart; the end of all addresses. */
		{{"0x7f0000000002 4", "0x7f0000000000 4294967296", "0xfffffffffffffff8 4",
		  "0x7f0000000000 4"},
		 {0, 0, 0, 1},
		 {0, 0, 0, 0},
		 1,
		 3},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GString) text = g_string_new(NULL);
		g_autoptr(GError) error = NULL;
		g_autoptr(TraceReader) reader = NULL;
		WarpStream *stream;
		Record record;

		append_head(text, 4);
		g_string_append(text, "insts = 4\n");
		for (unsigned k = 0; k < 4; k++)
			g_string_append_printf(text, "%x 3 1 R1 LDG.E 1 R2 4 1 %s\n", 16 * k,
					       rows[i].accesses[k]);
		g_string_append(text, "#END_TB\n");
		reader = import_text("k.traceg", text->str, text->len, &error);
		g_assert_no_error(error);
		g_assert_cmpuint(trace_source(reader)->kernel.n_buffers, ==, rows[i].n_buffers);
		g_assert_cmpuint(counted(reader, "unplaced_accesses"), ==, rows[i].n_unplaced);
		stream = trace_source(reader)->open_warp(trace_source(reader), 0, 0);
		for (unsigned k = 0; k < 4; k++) {
			g_assert_cmpint(stream->next(stream, &record), ==, STREAM_RECORD);
			g_assert_cmpint(record.kind, ==, RECORD_LDG);
			g_assert_cmpuint(record.buffer, ==, rows[i].buffers[k]);
			g_assert_cmpuint(record.bytes, ==, 8);
			if (record.buffer)
				g_assert_cmphex(record.offset + record.address[0], ==,
						rows[i].offset[k]);
		}
		stream->close(stream);
	}
}

/* --- Passes --- */

/* The most different words in one of 32 banks, counted word by word. */
static unsigned count_passes(const Access *access)
{
	gboolean used[SHARED_BYTES / 4] = {FALSE};
	unsigned in_bank[32] = {0}, worst = 0;

	for (unsigned i = 0; i < access->n_lanes; i++)
		for (unsigned byte = 0; byte < access->width; byte++)
			used[(access->address[i] + byte) / 4] = TRUE;
	for (unsigned word = 0; word < SHARED_BYTES / 4; word++)
		in_bank[word % 32] += used[word];
	for (unsigned bank = 0; bank < 32; bank++)
		worst = MAX(worst, in_bank[bank]);
	return worst;
}

static void test_bank_passes_are_the_different_words_of_the_worst_banks(void)
{
	static const char *const settings[] = {"atomic.mechanism=none", NULL};
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = config_load("fermi.json", settings, &error);

	g_assert_no_error(error);
	for (guint32 seed = 10; seed < 20; seed++) {
		g_autofree Kernel *kernel = random_kernel(seed);
		g_autoptr(GString) text = kernel_text(kernel, seed % 6, seed % 3);
		g_autoptr(TraceReader) reader =
			import_text("k.traceg", text->str, text->len, &error);
		g_autofree SimResult *result = g_new0(SimResult, 1);
		SimRequest request = {.machine = config_machine(config), .n_threads = 1};
		guint64 passes = 0;

		g_assert_no_error(error);
		request.source = trace_source(reader);
		request.n_sites = trace_n_sites(reader);
		g_assert_cmpint(sim_run(&request, result), ==, SIM_OK);
		for (unsigned w = 0; w < N_WARPS; w++)
			for (unsigned a = 0; a < N_ACCESSES; a++)
				passes += count_passes(&kernel->accesses[w][a]);
		g_assert_cmpuint(result->statistics.shared.accesses, ==, N_WARPS * N_ACCESSES);
		g_assert_cmpuint(result->statistics.shared.passes, ==, passes);
	}
}

/* --- xz --- */

static GByteArray *compress_text(const char *text, gsize length)
{
	gsize bound = lzma_stream_buffer_bound(length), n = 0;
	GByteArray *bytes = g_byte_array_new();

	g_byte_array_set_size(bytes, (guint)bound);
	g_assert_cmpint(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, NULL,
						(const uint8_t *)text, length, bytes->data, &n,
						bound),
			==, LZMA_OK);
	g_byte_array_set_size(bytes, (guint)n);
	return bytes;
}

/* Many blocks: several of the reader's buffers, compressed and not. */
static GString *long_text(void)
{
	GString *text = g_string_new(NULL);

	for (unsigned b = 0; b < 24; b++) {
		g_autofree Kernel *kernel = random_kernel(100 + b);
		g_autoptr(GString) block = kernel_text(kernel, 5, 0);
		g_autofree char *name = g_strdup_printf("block = %u,0,0", b);

		g_string_replace(block, "block = 0,0,0", name, 1);
		g_string_replace(block, "(1,1,1)", "(24,1,1)", 1);
		g_string_append(text, b == 0 ? block->str : strstr(block->str, "#BEGIN_TB"));
	}
	return text;
}

static void test_xz_reads_as_plain_text_does(void)
{
	g_autoptr(GString) text = long_text();
	g_autoptr(GByteArray) whole = compress_text(text->str, text->len);
	g_autoptr(GByteArray) joined = compress_text(text->str, 100000);
	g_autoptr(GByteArray) second = compress_text(text->str + 100000, text->len - 100000);
	g_autofree char *sha256 = NULL;
	const struct {
		const void *bytes;
		gsize length;
	} forms[] = {
		{text->str, text->len},
		{whole->data, whole->len},
		{g_byte_array_append(joined, second->data, second->len)->data, joined->len}};

	g_assert_cmpuint(text->len, >, 10 * LINES_MAX_BYTES);
	g_assert_cmpuint(whole->len, >, 2 * LINES_MAX_BYTES);
	/* The name is the same for all: the contents tell. */
	for (guint i = 0; i < G_N_ELEMENTS(forms); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(TraceReader) reader =
			import_text("k.traceg", forms[i].bytes, forms[i].length, &error);

		g_assert_no_error(error);
		if (i == 0)
			sha256 = g_strdup(trace_sha256(reader, NULL));
		g_assert_cmpstr(trace_sha256(reader, NULL), ==, sha256);
	}
}

static void test_xz_that_is_cut_or_damaged_is_refused(void)
{
	g_autoptr(GString) text = long_text();
	g_autoptr(GByteArray) bytes = compress_text(text->str, text->len);
	g_autoptr(GError) cut = NULL;
	g_autoptr(GError) damaged = NULL;

	g_assert_null(import_text("k.traceg.xz", (char *)bytes->data, bytes->len / 2, &cut));
	g_assert_error(cut, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT);
	g_assert_true(g_str_has_suffix(cut->message, ": the xz file is cut off"));
	/* The checksum of all the text; damage before it may make text that is refused itself. */
	bytes->data[bytes->len - 30] ^= 0x55;
	g_assert_null(import_text("k.traceg.xz", (char *)bytes->data, bytes->len, &damaged));
	g_assert_error(damaged, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT);
	g_assert_true(g_str_has_suffix(damaged->message, ": the xz file is damaged"));
}

/* All that unxz gives, and how it ends, at most n pieces of it. */
static GString *unxz_text(const char *path, gboolean ahead, guint n)
{
	FILE *file = fopen(path, "rb");
	Unxz *unxz = unxz_new(file, (const uint8_t *)"", 0, ahead);
	GString *text = g_string_new(NULL);
	const UnxzPiece *piece = NULL;

	for (; n > 0 && !(piece && piece->last); n--) {
		piece = unxz_next(unxz);
		g_string_append_len(text, piece->text, (gssize)piece->n);
		g_string_append_printf(text, "[%" G_GUINT64_FORMAT " %s]", piece->n_read,
				       piece->problem ? piece->problem : "");
	}
	unxz_free(unxz);
	fclose(file);
	return text;
}

/* Whole, cut, damaged, and when the reader leaves early. */
static void test_xz_ahead_gives_the_same(void)
{
	g_autoptr(GString) text = long_text();
	g_autoptr(GByteArray) bytes = compress_text(text->str, text->len);
	g_autofree char *path = in_folder("ahead.xz");

	for (guint form = 0; form < 3; form++) {
		write_file(path, bytes->data, form == 1 ? bytes->len / 2 : bytes->len);
		for (guint n = 0; n < 12; n++) {
			g_autoptr(GString) ahead = unxz_text(path, TRUE, n);
			g_autoptr(GString) alone = unxz_text(path, FALSE, n);

			g_assert_cmpstr(ahead->str, ==, alone->str);
			g_assert_true(n < 11 ||
				      (strstr(ahead->str, "xz file is") != NULL) == (form > 0));
		}
		if (form == 1) /* its checksum */
			bytes->data[bytes->len - 30] ^= 0x55;
	}
}

/* The line that an error names is the last that was whole. */
static void test_xz_errors_have_their_line(void)
{
	g_autoptr(GString) text = long_text();
	g_autoptr(GByteArray) bytes = compress_text(text->str, text->len);
	g_autofree char *path = in_folder("line.xz");
	g_autofree char *expected = NULL;
	g_autoptr(GError) error = NULL;
	LineReader *lines;
	guint64 n = 0;

	write_file(path, bytes->data, bytes->len / 2);
	lines = lines_open(path, &error);
	while (lines_next(lines, &error))
		n++;
	g_assert_cmpuint(n, >, 1000);
	expected = g_strdup_printf("%s:%" G_GUINT64_FORMAT ": the xz file is cut off", path, n);
	g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT);
	g_assert_cmpstr(error->message, ==, expected);
	lines_free(lines);
}

/* --- Errors --- */

/* Lines 1 to 13. */
static const char good[] = "-kernel name = k\n"
			   "-grid dim = (2,2,1)\n"
			   "-block dim = (64,1,1)\n"
			   "-shmem = 64\n"
			   "-accelsim tracer version = 4\n"
			   "#BEGIN_TB\n"
			   "thread block = 1,1,0\n"
			   "warp = 0\n"
			   "insts = 2\n"
			   "0000 00000003 1 R0 LDS 1 R1 4 1 0x0 4\n"
			   "0010 00000005 0 EXIT 0 0\n"
			   "#END_TB\n";

static const struct {
	const char *from, *to, *message; /* what in `good` becomes what, and its refusal */
} refusals[] = {
	{"-grid dim = (2,2,1)", "-grid dim = 2,2,1",
	 "2: -grid dim: '2,2,1' found; allowed: (x,y,z), each 1 to 2147483647"},
	{"-grid dim = (2,2,1)", "-grid dim = (2,0,1)",
	 "2: -grid dim: '(2,0,1)' found; allowed: (x,y,z), each 1 to 2147483647"},
	{"-grid dim", "-gird dim", "6: no '-grid dim = (x,y,z)' before this line"},
	{"-block dim = (64,1,1)", "-block dim = (64,64,1)",
	 "6: 4096 threads in a block; allowed: 1 to 2048"},
	{"-shmem = 64", "-shmem = 9999999",
	 "4: -shmem: '9999999' found; allowed: a number from 0 to 1048576"},
	{"version = 4", "version = 6",
	 "5: -accelsim tracer version: '6' found; allowed: a number from 0 to 5"},
	{"-shmem = 64", "-shmem", "4: '-shmem' found; allowed in the header: -name = value"},
	{"#BEGIN_TB\n", "hello\n",
	 "6: 'hello' found; allowed: -name = value, #BEGIN_TB or a comment"},
	{"= 1,1,0", "= 2,1,0",
	 "7: 'thread block = 2,1,0' found; allowed: thread block = x,y,z within the grid "
	 "(2,2,1)"},
	{"#END_TB\n", "#END_TB\n#BEGIN_TB\nthread block = 1,1,0\n",
	 "14: thread block (1,1,0) comes twice in the file"},
	{"#END_TB\n", "#END_TB\n-shmem = 4\n",
	 "13: '-shmem = 4' found; allowed: #BEGIN_TB or a comment"},
	{"warp = 0", "warp = 2", "8: 'warp = 2' found; allowed: warp = a number from 0 to 1"},
	{"#END_TB\n", "warp = 0\n#END_TB\n", "12: warp 0 comes twice in its thread block"},
	{"insts = 2", "inst = 2",
	 "9: 'inst = 2' found; allowed: insts = a number from 0 to 9223372036854775807"},
	{"insts = 2", "insts = 3", "12: warp 0 has 2 instructions; 'insts = ' says 3"},
	{"insts = 2", "insts = 1",
	 "11: '0010 00000005 0 EXIT 0 0' found; allowed: warp = a number from 0 to 1"},
	{"#END_TB\n", "", "11: the file ends here; #END_TB is missing"},
	{"0010 00000005 0 EXIT 0 0\n#END_TB\n", "",
	 "10: the file ends here; an instruction is missing"},
	{"0010 00000005", "xyz 00000005",
	 "11: PC: 'xyz' found; allowed: a hexadecimal number up to ffffffffffffffff"},
	{"0010 00000005", "0010 100000000",
	 "11: mask: '100000000' found; allowed: a hexadecimal number up to ffffffff"},
	{" 1 R0 LDS", " 1 LDS", "10: destinations: 'LDS' found; allowed: a register: R0"},
	{" 1 R0 LDS", " 0 R0; LDS",
	 "10: opcode: 'R0;' found; allowed: an instruction's name: IADD3, ATOMS.ADD"},
	{"EXIT 0 0", "EXIT 0",
	 "11: width: the line's end found; allowed: a number from 0 to 65535"},
	{"EXIT 0 0", "EXIT 0 0 7",
	 "11: after the instruction: '7' found; allowed: the line's end"},
	{"4 1 0x0 4", "4 3 0x0 4",
	 "10: mode of the addresses: '3' found; allowed: a number from 0 to 2"},
	{"4 1 0x0 4", "4 0 0x0",
	 "10: address: the line's end found; allowed: a hexadecimal number "
	 "up to ffffffffffffffff"},
	{"4 1 0x0 4", "4 2 0x0 4 4",
	 "10: after the instruction: '4' found; allowed: the line's end"},
	{"00000003 1 R0 LDS", "00000005 1 R0 LDS",
	 "10: a stride for lanes with gaps (mask 00000005); allowed: mode 0 or 2"},
	{"version = 4", "version = 1",
	 "10: warp: 'R0' found; allowed: a number from 0 to 4294967295"},
	{"version = 4\n#BEGIN_TB\nthread block = 1,1,0\nwarp = 0\ninsts = 2\n",
	 "version = 2\n#BEGIN_TB\nthread block = 1,1,0\nwarp = 0\ninsts = 2\n1 1 0 1 ",
	 "10: an instruction of another thread block or warp"},
};

static void test_what_cannot_be_read_is_refused_with_file_and_line(void)
{
	g_autofree char *input = in_folder("k.traceg");
	g_autofree char *output = in_folder("out.bin");
	g_autoptr(GError) none = NULL;
	g_autoptr(TraceReader) reader = import_text("k.traceg", good, strlen(good), &none);

	g_assert_no_error(none);
	for (guint i = 0; i < G_N_ELEMENTS(refusals); i++) {
		g_autoptr(GString) text = g_string_new(good);
		g_autoptr(GError) error = NULL;
		g_autofree char *message = g_strconcat(input, ":", refusals[i].message, NULL);

		g_unlink(output);
		g_assert_cmpuint(g_string_replace(text, refusals[i].from, refusals[i].to, 1),
				 ==, 1);
		g_assert_null(import_text("k.traceg", text->str, text->len, &error));
		g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT);
		g_assert_cmpstr(error->message, ==, message);
		g_assert_false(g_file_test(output, G_FILE_TEST_EXISTS));
	}
}

static void test_no_line_is_longer_than_memory_allows(void)
{
	static const struct {
		gsize length;
		gboolean good;
	} cases[] = {{LINES_MAX_BYTES - 1, TRUE}, {LINES_MAX_BYTES, FALSE}, {1000000, FALSE}};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GString) text = g_string_new(NULL);
		g_autoptr(GError) error = NULL;
		g_autoptr(TraceReader) reader = NULL;

		g_string_append_c(text, '#');
		while (text->len < cases[i].length)
			g_string_append_c(text, 'x');
		g_string_append_printf(text, "\n%s", good);
		reader = import_text("k.traceg", text->str, text->len, &error);
		g_assert_cmpint(reader != NULL, ==, cases[i].good);
		if (!cases[i].good)
			g_assert_true(g_str_has_suffix(error->message,
						       "k.traceg:1: a line of 65536 bytes or "
						       "more"));
	}
}

static void test_lines_may_end_as_on_windows(void)
{
	g_autoptr(GString) text = g_string_new(good);
	g_autoptr(GError) error = NULL;
	g_autoptr(TraceReader) reader = NULL;

	g_string_replace(text, "\n", "\r\n", 0);
	g_string_truncate(text, text->len - 2); /* nor needs the last one an end */
	reader = import_text("k.traceg", text->str, text->len, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(trace_n_records(reader), ==, 4);
}

static gboolean stop(gpointer data, guint64 bytes_read, guint64 bytes)
{
	(void)data;
	g_assert_cmpuint(bytes_read, <=, bytes);
	return FALSE;
}

static void test_an_import_can_be_interrupted(void)
{
	g_autofree char *input = in_folder("k.traceg");
	g_autofree char *output = in_folder("never.bin");
	const ImportProgress progress = {.function = stop};
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GError) error = NULL;

	for (unsigned i = 0; i < 70000; i++)
		g_string_append(text, "#\n");
	g_string_append(text, good);
	write_file(input, text->str, text->len);
	g_assert_null(import_traces(input, output, NULL, &progress, &error));
	g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_RUN);
	g_assert_false(g_file_test(output, G_FILE_TEST_EXISTS));
}

int main(int argc, char **argv)
{
	g_autoptr(GDir) left = NULL;
	const char *name;
	int status;

	g_test_init(&argc, &argv, NULL);
	folder = g_dir_make_tmp("atomsim-import-XXXXXX", NULL);
	g_test_add_func("/import/every version and address mode reads the same",
			test_every_version_and_address_mode_reads_the_same);
	g_test_add_func("/import/every line is an instruction",
			test_every_line_is_an_instruction);
	g_test_add_func("/import/what no table holds is told without data flow",
			test_what_no_table_holds_is_told_without_data_flow);
	g_test_add_func("/import/global memory is buffers of pages",
			test_global_memory_is_buffers_of_pages);
	g_test_add_func("/import/bank passes are the different words of the worst banks",
			test_bank_passes_are_the_different_words_of_the_worst_banks);
	g_test_add_func("/import/xz reads as plain text does",
			test_xz_reads_as_plain_text_does);
	g_test_add_func("/import/xz that is cut or damaged is refused",
			test_xz_that_is_cut_or_damaged_is_refused);
	g_test_add_func("/import/xz ahead gives the same", test_xz_ahead_gives_the_same);
	g_test_add_func("/import/xz errors have their line", test_xz_errors_have_their_line);
	g_test_add_func("/import/what cannot be read is refused with file and line",
			test_what_cannot_be_read_is_refused_with_file_and_line);
	g_test_add_func("/import/no line is longer than memory allows",
			test_no_line_is_longer_than_memory_allows);
	g_test_add_func("/import/lines may end as on Windows",
			test_lines_may_end_as_on_windows);
	g_test_add_func("/import/an import can be interrupted",
			test_an_import_can_be_interrupted);
	status = g_test_run();
	left = g_dir_open(folder, 0, NULL);
	while ((name = g_dir_read_name(left))) {
		g_autofree char *path = in_folder(name);

		g_unlink(path);
	}
	g_rmdir(folder);
	g_free(folder);
	return status;
}
