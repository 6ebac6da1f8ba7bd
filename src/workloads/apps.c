/* SPDX-License-Identifier: MIT */
/*
 * The experiments of Elteir, Lin and Feng, "Performance Characterization and Optimization of Atomic
 * Operations on AMD GPUs" (IEEE Cluster 2011), for wavefronts of 64 lanes. A trace says "add to this
 * word, result used or not"; whether that is the system's atomic or the software's coordinator, and
 * which path memory accesses take, is the config's choice, so speed-ups are ratios of two runs.
 *
 *   copy    Fig 4: an atomic, a load and store, or both, a work-item (--part)
 *   micro1  Fig 8: every work-item adds its number to one word
 *   micro2  Fig 9: the same, and stores the word's value
 *   scalar  Fig 12: a product, and an add of it to one word
 *   matmul  Fig 10: an element of m x m products a work-item; an add reserves room, then it is emitted
 *   kmeans  Fig 11: the nearest of k centroids of a point a work-item, emitted the same way
 *   match   Fig 13: a piece of text a work-item; an add and a store for each match (diverges)
 *
 * --reserve wavefront: lanes that emit count themselves in local memory, and one adds for all.
 */
#include "base/error.h"
#include "workloads/distribution.h"
#include "workloads/kernel.h"

#define START_ALU   4 /* number of the work-item, addresses */
#define COPY_ALU    1
#define PRODUCT_ALU 1 /* multiply and add: one VLIW bundle */
#define LOOP_ALU    2
#define MATCH_ALU   3 /* four characters against four keywords, in VLIW bundles */
#define EMIT_ALU    2 /* place of the record */

enum { BUFFER_LOCAL, BUFFER_IN, BUFFER_SECOND, BUFFER_WORD, BUFFER_OUT };

typedef enum {
	APP_COPY,
	APP_MICRO1,
	APP_MICRO2,
	APP_SCALAR,
	APP_MATMUL,
	APP_KMEANS,
	APP_MATCH
} Application;
typedef enum { PART_BOTH, PART_ATOMIC, PART_COPY, PART_UNUSED } Part;

typedef struct {
	Application application;
	Part part;
	gboolean by_wavefront; /* room is reserved once a wavefront */
	uint64_t n_threads;
	uint32_t size; /* matmul: m; kmeans: clusters */
	uint32_t d;    /* kmeans: coordinates */
	uint64_t text_words;
	uint64_t n_matches;
	uint64_t n_out; /* words of the output */
} Apps;

static const Vote add_vote = {OPERATION_ADD, TYPE_U32, WORD_BYTES, false, false};
static const Vote take_vote = {OPERATION_ADD, TYPE_U32, WORD_BYTES, true, false};

static const char *const sites[] = {"apps: read", "apps: atomic", "apps: write", NULL};
enum { SITE_READ = 1, SITE_ATOMIC, SITE_WRITE };

/* All lanes on the one word, each with its operand. */
static void write_atomic(Warp *warp, const Vote *vote, LaneMask mask, const uint64_t *value)
{
	uint64_t byte[MAX_LANES] = {0};

	warp->emit.site = SITE_ATOMIC;
	warp_add(warp, vote, BUFFER_WORD, mask, byte, value);
	warp->emit.site = 0;
}

/* Room for a record of two words for each lane of `mask`, and the records. place[lane] is where the
   record goes: who comes first is not known here, so work-items keep their own places. */
static void write_emission(const Apps *work, Warp *warp, LaneMask mask, const uint64_t *place)
{
	uint64_t value[MAX_LANES], byte[MAX_LANES], local[MAX_LANES];

	for (uint32_t lane = 0; lane < warp->lanes; lane++) {
		value[lane] = 1;
		local[lane] = warp->emit.warp * WORD_BYTES;
	}
	if (work->by_wavefront && mask) {
		unsigned leader = (unsigned)__builtin_ctzll(mask);

		warp_add(warp, &take_vote, BUFFER_LOCAL, mask, local, value);
		value[leader] = (uint64_t)__builtin_popcountll(mask);
		write_atomic(warp, &take_vote, (LaneMask)1 << leader, value);
		warp_store(warp, BUFFER_LOCAL, (LaneMask)1 << leader, local);
		warp_load(warp, BUFFER_LOCAL, mask, local);
	} else {
		write_atomic(warp, &take_vote, mask, value);
	}
	emit_alu(&warp->emit, EMIT_ALU);
	warp->emit.site = SITE_WRITE;
	for (uint32_t word = 0; word < 2; word++) {
		for (uint32_t lane = 0; lane < warp->lanes; lane++)
			byte[lane] = (place[lane] * 2 + word) * WORD_BYTES;
		warp_store(warp, BUFFER_OUT, mask, byte);
	}
	warp->emit.site = 0;
}

static void write_micro(const Apps *work, Warp *warp)
{
	uint64_t value[MAX_LANES];

	for (uint32_t lane = 0; lane < MAX_LANES; lane++)
		value[lane] = warp->thread + lane;
	if (work->application == APP_SCALAR) {
		warp->emit.site = SITE_READ;
		warp_load_row(warp, BUFFER_IN, warp->exists, warp->thread);
		warp_load_row(warp, BUFFER_SECOND, warp->exists, warp->thread);
		emit_alu(&warp->emit, PRODUCT_ALU);
	}
	write_atomic(warp, work->application == APP_MICRO2 ? &take_vote : &add_vote,
		     warp->exists, value);
	warp->emit.site = SITE_WRITE;
	if (work->application == APP_MICRO2)
		warp_store_row(warp, BUFFER_OUT, warp->exists, warp->thread);
	warp->emit.site = 0;
}

static void write_copy(const Apps *work, Warp *warp)
{
	uint64_t value[MAX_LANES];

	for (uint32_t lane = 0; lane < MAX_LANES; lane++)
		value[lane] = 1;
	if (work->part == PART_BOTH || work->part == PART_ATOMIC)
		write_atomic(warp, &add_vote, warp->exists, value);
	if (work->part == PART_ATOMIC)
		return;
	warp->emit.site = SITE_READ;
	warp_load_row(warp, BUFFER_IN, warp->exists, warp->thread);
	emit_alu(&warp->emit, COPY_ALU);
	warp->emit.site = SITE_WRITE;
	warp_store_row(warp, BUFFER_OUT, warp->exists, warp->thread);
	warp->emit.site = 0;
}

/* Elements z_ij = sum of a_il b_lj, one after the other by the work-items of the grid. */
static void write_matmul(const Apps *work, Warp *warp)
{
	uint64_t m = work->size, n = m * m;
	uint64_t a[MAX_LANES], b[MAX_LANES], place[MAX_LANES];

	for (uint64_t first = warp->thread; first < n; first += warp->n_grid) {
		LaneMask mask = warp->exists & warp_below(warp, first, n);

		warp->emit.site = SITE_READ;
		for (uint64_t l = 0; l < m; l++) {
			for (uint32_t lane = 0; lane < warp->lanes; lane++) {
				place[lane] = first + lane;
				a[lane] = (place[lane] / m * m + l) * WORD_BYTES;
				b[lane] = (l * m + place[lane] % m) * WORD_BYTES;
			}
			warp_load(warp, BUFFER_IN, mask, a);
			warp_load(warp, BUFFER_SECOND, mask, b);
			emit_alu(&warp->emit, PRODUCT_ALU + LOOP_ALU);
		}
		warp->emit.site = 0;
		write_emission(work, warp, mask, place);
	}
}

static void write_kmeans(const Apps *work, Warp *warp)
{
	uint64_t byte[MAX_LANES], place[MAX_LANES];

	warp->emit.site = SITE_READ;
	for (uint32_t k = 0; k < work->size; k++) {
		for (uint32_t j = 0; j < work->d; j++) {
			for (uint32_t lane = 0; lane < warp->lanes; lane++) {
				place[lane] = warp->thread + lane;
				byte[lane] = (uint64_t)(k * work->d + j) * WORD_BYTES;
			}
			warp_load(warp, BUFFER_SECOND, warp->exists, byte);
			for (uint32_t lane = 0; lane < warp->lanes; lane++)
				byte[lane] = (place[lane] * work->d + j) * WORD_BYTES;
			warp_load(warp, BUFFER_IN, warp->exists, byte);
			emit_alu(&warp->emit, PRODUCT_ALU + 1);
		}
		emit_alu(&warp->emit, LOOP_ALU);
	}
	warp->emit.site = 0;
	write_emission(work, warp, warp->exists, place);
}

/* Whether a match begins in this word of the text: n_matches words, spread evenly. */
static gboolean matches(const Apps *work, uint64_t word)
{
	return word < work->text_words && work->n_matches > 0 &&
	       (word + 1) * work->n_matches / work->text_words >
		       word * work->n_matches / work->text_words;
}

static void write_match(const Apps *work, Warp *warp)
{
	uint64_t piece = (work->text_words + work->n_threads - 1) / work->n_threads;
	uint64_t byte[MAX_LANES], place[MAX_LANES];

	for (uint64_t i = 0; i < piece; i++) {
		LaneMask mask = 0, found = 0;

		for (uint32_t lane = 0; lane < warp->lanes; lane++) {
			uint64_t word = (warp->thread + lane) * piece + i;

			byte[lane] = word * WORD_BYTES;
			place[lane] =
				work->n_matches ? word * work->n_matches / work->text_words : 0;
			if ((warp->exists >> lane & 1) && word < work->text_words) {
				mask |= (LaneMask)1 << lane;
				if (matches(work, word))
					found |= (LaneMask)1 << lane;
			}
		}
		warp->emit.site = SITE_READ;
		warp_load(warp, BUFFER_IN, mask, byte);
		warp->emit.site = 0;
		emit_alu(&warp->emit, MATCH_ALU);
		if (found)
			write_emission(work, warp, found, place);
		emit_alu(&warp->emit, LOOP_ALU);
	}
}

static void write_warp(Warp *warp, gpointer data)
{
	const Apps *work = data;

	emit_alu(&warp->emit, START_ALU);
	switch (work->application) {
	case APP_COPY:
		write_copy(work, warp);
		break;
	case APP_MATMUL:
		write_matmul(work, warp);
		break;
	case APP_KMEANS:
		write_kmeans(work, warp);
		break;
	case APP_MATCH:
		write_match(work, warp);
		break;
	default:
		write_micro(work, warp);
	}
}

static void name_buffers(Apps *work, WorkloadLaunch *launch)
{
	uint64_t in = work->n_threads, second = work->n_threads;

	work->n_out = work->n_threads;
	if (work->application == APP_MATMUL) {
		in = second = (uint64_t)work->size * work->size;
		work->n_out = 2 * in;
	} else if (work->application == APP_KMEANS) {
		in = work->n_threads * work->d;
		second = (uint64_t)work->size * work->d;
		work->n_out = 2 * work->n_threads;
	} else if (work->application == APP_MATCH) {
		in = work->text_words;
		work->n_out = 2 * MAX(work->n_matches, 1);
	}
	launch->buffers[0] = (WorkloadBuffer){"in", in * WORD_BYTES};
	launch->buffers[1] = (WorkloadBuffer){"second", second * WORD_BYTES};
	launch->buffers[2] = (WorkloadBuffer){"word", WORD_BYTES};
	launch->buffers[3] = (WorkloadBuffer){"out", work->n_out * WORD_BYTES};
}

static gboolean generate(const WorkloadParameters *parameters, TraceWriter *writer,
			 WorkloadLaunch *launch, GError **error)
{
	Apps work = {
		.application = (Application)workload_choice(parameters, "application"),
		.part = (Part)workload_choice(parameters, "part"),
		.by_wavefront = workload_choice(parameters, "reserve") == 1,
		.size = (uint32_t)workload_integer(parameters, "size"),
		.d = (uint32_t)workload_integer(parameters, "dimensions"),
		.text_words = (uint64_t)workload_integer(parameters, "text") / WORD_BYTES,
		.n_matches = (uint64_t)workload_integer(parameters, "matches"),
	};
	Kernel kernel = {
		.lanes = workload_choice(parameters, "lanes") == 0 ? 64 : 32,
		.n_blocks = (uint32_t)workload_integer(parameters, "groups"),
		.n_threads = (uint32_t)workload_integer(parameters, "group-threads"),
	};

	if (work.n_matches > work.text_words) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "--matches: %" G_GUINT64_FORMAT
			    " found; allowed: up to one in four bytes of --text, "
			    "%" G_GUINT64_FORMAT,
			    work.n_matches, work.text_words);
		return FALSE;
	}
	work.n_threads = (uint64_t)kernel.n_blocks * kernel.n_threads;
	if (work.by_wavefront)
		kernel.shared_bytes =
			(kernel.n_threads + kernel.lanes - 1) / kernel.lanes * WORD_BYTES;
	name_buffers(&work, launch);
	launch->global_atomics = work.application == APP_COPY && work.part == PART_COPY
					 ? KERNEL_HAS_NOT
					 : KERNEL_HAS;
	kernel_write(&kernel, writer, write_warp, &work);
	kernel_launch(&kernel, "apps", sites, launch);
	return TRUE;
}

static const WorkloadOption options[] = {
	CHOICE_ROW("application", "copy|micro1|micro2|scalar|matmul|kmeans|match", "micro1",
		   "the paper's experiment"),
	INTEGER_ROW("groups", "workgroups", 1, 1 << 16, "32", "workgroups, our thread blocks"),
	INTEGER_ROW("group-threads", "work-items", 1, 1024, "64", "work-items of a workgroup"),
	CHOICE_ROW("lanes", "64|32", "64", "of a wavefront"),
	CHOICE_ROW("part", "both|atomic|copy|unused", "both",
		   "copy: what a work-item does; unused: it copies, and the program has an "
		   "atomic that is never executed"),
	INTEGER_ROW("size", "rows or clusters", 1, 4096, "32",
		    "matmul: rows and columns; kmeans: clusters"),
	INTEGER_ROW("dimensions", "coordinates", 1, 64, "2",
		    "kmeans: coordinates of a point; a work-item has one point"),
	INTEGER_ROW("text", "bytes", 4, 1 << 26, "4194304", "match: length of the text"),
	INTEGER_ROW("matches", "matches", 0, 1 << 24, "87",
		    "match: places, spread evenly; the paper has 7, 87, 1413 and 20234"),
	CHOICE_ROW("reserve", "thread|wavefront", "thread",
		   "matmul, kmeans, match: who reserves room in the output"),
	{0},
};

const Workload workload_apps = {
	.name = "apps",
	.summary = "applications with atomics on global memory, wavefronts of 64 lanes",
	.description = "The experiments of a paper on atomics of AMD GPUs (Elteir, Lin, Feng, "
		       "Cluster\n"
		       "2011): a copy kernel with and without an atomic, two micro-benchmarks, "
		       "scalar\n"
		       "product, and three MapReduce applications that reserve room for each "
		       "record that\n"
		       "they emit by an atomic: matrix multiply, the map phase of k-means, "
		       "string match.",
	.options = options,
	.generate = generate,
};
