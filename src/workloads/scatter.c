/* SPDX-License-Identifier: MIT */
/*
 * A scatter: thread i does an atomic on word index[i] of an array, as `out[index[i]] += value[i]` and PyTorch's scatter_add_
 * do. The indices are given, in a file or by who uses the library, so this says whether one's own are contended.
 */
#include "base/error.h"
#include "base/npy.h"
#include "workloads/indices.h"
#include "workloads/kernel.h"

/* Buffers; BUFFER_SHARED is none. */
enum { BUFFER_SHARED, BUFFER_INDICES, BUFFER_VALUES, BUFFER_WORDS };

#define INDEX_BYTES   4
#define MOST_INDICES  (1u << 28)
#define SPACE_GLOBAL  0
#define HIGHEST_INDEX ((int64_t)UINT32_MAX - 1)

typedef struct {
	const int64_t *indices;
	gsize n;
	uint64_t n_words;
	gboolean shown; /* from the indices one sees the words */
	gboolean shared;
	Vote vote;
} Scatter;

/* --- Arithmetic as a compiler emits it --- */

enum { THREAD = N_KERNEL_VALUES, BLOCK, ADDRESS, INDEX, VALUE, WORD, OLD };
enum { STEP_START = N_KERNEL_STEPS, STEP_WORD };
enum { SITE_INDEX = 1, SITE_VALUE, SITE_ATOMIC };

static const FlowOperation start_code[] = {
	{CODE_SYSTEM, THREAD, {0}, 0},
	{CODE_SYSTEM, BLOCK, {0}, 0},
	{CODE_MUL, ADDRESS, {BLOCK, THREAD}, 0},
	{CODE_WIDE, ADDRESS, {ADDRESS}, 0},
};
static const FlowOperation word_code[] = {{CODE_MUL, WORD, {INDEX}, 0}};
static const char *const sites[] = {"scatter: index", "scatter: value", "scatter: atomic",
				    NULL};

/* --- The kernel --- */

/* Values of `width` bytes of a buffer, one a thread. */
static void load_row(Warp *warp, uint16_t buffer, uint8_t width, LaneMask mask)
{
	uint64_t byte[MAX_LANES];

	for (uint32_t lane = 0; lane < warp->lanes; lane++)
		byte[lane] = (warp->thread + lane) * width;
	emit_buffer(&warp->emit, RECORD_LDG, CACHE_NORMAL, buffer, width, mask, byte);
}

static void write_warp(Warp *warp, gpointer data)
{
	const Scatter *work = data;
	LaneMask mask = warp->exists & warp_below(warp, warp->thread, work->n), acting = 0;
	uint64_t byte[MAX_LANES] = {0};

	for (uint32_t lane = 0; lane < warp->lanes && (mask >> lane & 1); lane++) {
		const int64_t index = work->indices[warp->thread + lane];

		if (index == IDLE_INDEX)
			continue;
		byte[lane] = (uint64_t)index * work->vote.width;
		acting |= (LaneMask)1 << lane;
	}
	if (mask == 0)
		return;
	emit_step(&warp->emit, STEP_START);
	warp->emit.site = SITE_INDEX;
	load_row(warp, BUFFER_INDICES, INDEX_BYTES, mask);
	warp->emit.site = SITE_VALUE;
	load_row(warp, BUFFER_VALUES, work->vote.width, mask);
	warp->emit.site = 0;
	emit_step(&warp->emit, STEP_WORD);
	warp->emit.site = SITE_ATOMIC;
	warp_add(warp, &work->vote, work->shared ? BUFFER_SHARED : BUFFER_WORDS, acting, byte,
		 NULL);
}

/* --- Indices --- */

/* The lowest and the highest index, and the first that is none: at *bad, n if all are. */
static void look_at(const int64_t *indices, gsize n, int64_t most, int64_t *lowest,
		    int64_t *highest, gsize *bad)
{
	*lowest = INT64_MAX;
	*highest = 0;

	for (*bad = 0; *bad < n; ++*bad) {
		if (indices[*bad] < IDLE_INDEX || indices[*bad] > most)
			break;
		if (indices[*bad] == IDLE_INDEX)
			continue;
		*lowest = MIN(*lowest, indices[*bad]);
		*highest = MAX(*highest, indices[*bad]);
	}
}

static gboolean read_array(const char *path, int64_t most, GArray *indices, GError **error)
{
	NpyIndices array;

	if (!npy_read(path, IDLE_INDEX, most, &array, error))
		return FALSE;
	/* An atomic a thread, as torch's scatter_add_ of a contiguous index has them. */
	g_array_append_vals(indices, array.values, array.rows * array.columns);
	g_free(array.values);
	return TRUE;
}

static gboolean read_table(const char *path, int64_t most, GArray *indices, GError **error)
{
	g_autoptr(CsvTable) table = csv_read(path, error);

	return table != NULL && indices_append(table, most, indices, error);
}

/* What is given, in memory or in the file, which `table` keeps; and how many words they reach. */
static gboolean find_indices(const WorkloadParameters *parameters, Scatter *work, GArray *table,
			     GError **error)
{
	const char *file = workload_text(parameters, "file");
	const int64_t most =
		(work->shared ? TRACE_MAX_SHARED_BYTES / work->vote.width : HIGHEST_INDEX) - 1;
	gsize bad;
	int64_t lowest, highest;

	work->indices = workload_indices(parameters, &work->n);
	if ((work->indices == NULL) == (file == NULL))
		return atomsim_fail(
			error, ATOMSIM_ERROR_USAGE,
			"%s --file %s indices in memory found; allowed: one of them",
			file ? "both" : "neither", file ? "and" : "nor");
	if (file != NULL) {
		if (npy_has_name(file) ? !read_array(file, most, table, error)
				       : !read_table(file, most, table, error))
			return FALSE;
		work->indices = (const int64_t *)(const void *)table->data;
		work->n = table->len;
	}
	if (work->n < 1 || work->n > MOST_INDICES)
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "%s: %" G_GSIZE_FORMAT " indices found; allowed: 1 to %u",
				    file ? file : "scatter", work->n, MOST_INDICES);
	look_at(work->indices, work->n, most, &lowest, &highest, &bad);
	if (bad < work->n)
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "scatter: index %" G_GSIZE_FORMAT " is %" G_GINT64_FORMAT
				    "; allowed: 0 to %" G_GINT64_FORMAT
				    ", or -1 for an idle thread",
				    bad, work->indices[bad], most);
	work->n_words = (uint64_t)highest + 1;
	if (!indices_words(parameters, (uint64_t)most + 1, &work->n_words, error))
		return FALSE;
	work->shown = lowest == 0 && (uint64_t)highest + 1 == work->n_words;
	return TRUE;
}

static gboolean generate(const WorkloadParameters *parameters, TraceWriter *writer,
			 WorkloadLaunch *launch, GError **error)
{
	g_autoptr(GArray) table = g_array_new(FALSE, FALSE, sizeof(int64_t));
	Scatter work = {.shared = workload_choice(parameters, "space") != SPACE_GLOBAL};
	Kernel kernel = {.lanes = 32,
			 .n_threads = (uint32_t)workload_integer(parameters, "block-threads")};

	if (!vote_read(parameters, &work.vote, error) ||
	    !find_indices(parameters, &work, table, error))
		return FALSE;
	kernel.n_blocks = (uint32_t)((work.n + kernel.n_threads - 1) / kernel.n_threads);
	if (work.shared)
		kernel.shared_bytes = (uint32_t)(work.n_words * work.vote.width);
	const FlowStep steps[] = {FLOW_STEP(start_code), FLOW_STEP(word_code)};
	const FlowSite flows[] = {
		{.address = ADDRESS, .write = INDEX},
		{.address = ADDRESS, .write = VALUE},
		{.address = WORD, .data = VALUE, .write = work.vote.result ? OLD : 0},
	};
	const KernelCode code = KERNEL_CODE("scatter", sites, sites, steps, flows);

	kernel_generate(&kernel, &code, parameters, writer, write_warp, &work, launch);
	launch->buffers[0] = (WorkloadBuffer){"indices", work.n * INDEX_BYTES};
	launch->buffers[1] = (WorkloadBuffer){"values", work.n * work.vote.width};
	launch->array_bytes = work.shown ? 0 : work.n_words * work.vote.width;
	launch->array_buffer = work.shared ? BUFFER_SHARED : BUFFER_WORDS;
	if (!work.shared)
		launch->buffers[2] = (WorkloadBuffer){"words", work.n_words * work.vote.width};
	return TRUE;
}

static const WorkloadOption options[] = {
	{.name = "file",
	 .type = WORKLOAD_FILE,
	 .doc = "CSV with a column 'index' or no header, a thread a row, or .npy of int32 or "
		"int64; -1 is a thread without an atomic"},
	WORDS_ROW(HIGHEST_INDEX),
	CHOICE_ROW("space", "global|shared", "global",
		   "where the array is: global for the output of a scatter or bincount; "
		   "shared where each block has its own array, as in a block's histogram"),
	INTEGER_ROW("block-threads", "threads", 1, 1024, "256", "threads of a block"),
	VOTE_ROWS,
	CHOICE_ROW("dataflow", "no|yes", "yes", "whether the trace says what waits for what"),
	END_ROW,
	{0},
};

const Workload workload_scatter = {
	.name = "scatter",
	.summary = "atomics on given indices: out[index[i]] += value[i]",
	.description =
		"Thread i loads index i (32 bits) and value i from global memory and does an "
		"atomic on that word of an array, as PyTorch's scatter_add_ does. In shared "
		"memory the array is neither cleared nor written back: only the atomics "
		"count.",
	.options = options,
	.generate = generate,
};
