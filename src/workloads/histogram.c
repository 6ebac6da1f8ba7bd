/* SPDX-License-Identifier: MIT */
/*
 * Histogram of a grey image: the reference paper's voting kernel (Gomez-Luna et al., IEEE TPDS 2013,
 * Fig 4 and 9) on real pixels. Each thread reads pixels with a grid stride, finds the bin and votes
 * by one atomic addition in shared memory. The bin of a pixel below L levels is pixel * bins / L,
 * rounded down: for .iml (L = 4,096) (pixel * bins) >> 12, as in the Chai and PrIM suites.
 */
#include <cjson/cJSON.h>

#include "workloads/image.h"
#include "workloads/votespace.h"

typedef struct {
	const Image *image;
	VoteSpace space;
	Vote vote;
	uint32_t n_bins;
	uint32_t n_blocks;
} Histogram;

static const char *const sites[] = {"histogram: zero the copies", "histogram: read a pixel",
				    "histogram: vote", "histogram: sum the copies", NULL};
static const char *const flow_sites[] = {
	"histogram: zero the copies", "histogram: read a pixel", "histogram: vote",
	"histogram: add a sum",	      "histogram: read a copy",	 NULL};
enum { SITE_ZERO = 1, SITE_READ, SITE_VOTE, SITE_SUM };

/* --- Arithmetic as a compiler emits it --- */

enum { PIXEL = N_VOTER_VALUES, BIN, WORD, OLD };
enum { STEP_START = N_SPACE_STEPS, STEP_BIN, STEP_CLAMPED_BIN, STEP_LOOP };

/* pixel * bins / L: multiply, shift, address; of an image with pixels beyond L a clamp before. */
static const FlowOperation bin_code[] = {
	{CODE_INT, PIXEL, {PIXEL}, 0},
	{CODE_MUL, BIN, {PIXEL}, 0},
	{CODE_INT, BIN, {BIN}, 0},
	{CODE_INT, WORD, {BIN, VOTER_BASE}, 0},
};

static uint32_t bin_of(const Histogram *histogram, uint64_t pixel)
{
	uint64_t level = histogram->image->pixels[pixel];

	return (uint32_t)(level * histogram->n_bins / histogram->image->n_levels);
}

static void write_votes(const Histogram *histogram, Emitter *emitter)
{
	const Image *image = histogram->image;
	uint32_t n_threads = histogram->space.n_threads;
	uint32_t first = emitter->warp * WARP_LANES;
	uint32_t exists = warp_mask(first, n_threads);
	uint32_t base[WARP_LANES], address[WARP_LANES];

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		base[lane] = vote_space_base(&histogram->space, first + lane);

	emitter->buffer = SPACE_INPUT;
	for (uint64_t pixel = emitter->block * n_threads + first; pixel < image_size(image);
	     pixel += (uint64_t)histogram->n_blocks * n_threads) {
		uint32_t mask = exists & warp_mask(pixel, image_size(image));
		int n_lanes = __builtin_popcount(mask);

		emitter->site = SITE_READ;
		emit_global(emitter, RECORD_LDG, mask, pixel * image->pixel_bytes,
			    image->pixel_bytes);
		emitter->site = 0;
		emit_step(emitter, image->clamped ? STEP_CLAMPED_BIN : STEP_BIN);
		for (int lane = 0; lane < n_lanes; lane++)
			address[lane] = base[lane] + bin_of(histogram, pixel + (uint64_t)lane) *
							     histogram->space.width;
		emitter->site = SITE_VOTE;
		emit_vote(emitter, &histogram->vote, mask, address);
		emitter->site = 0;
		emit_step(emitter, STEP_LOOP);
	}
}

static void write_warp(gconstpointer data, Emitter *emitter)
{
	const Histogram *histogram = data;

	emit_step(emitter, STEP_START);
	emitter->site = SITE_ZERO;
	vote_space_zero(&histogram->space, emitter);
	emitter->site = 0;
	emit_bar(emitter);
	write_votes(histogram, emitter);
	emit_bar(emitter);
	emitter->site = SITE_SUM;
	vote_space_reduce(&histogram->space, emitter);
}

static gboolean generate(const WorkloadParameters *parameters, TraceWriter *writer,
			 WorkloadLaunch *launch, GError **error)
{
	uint32_t n_threads = (uint32_t)workload_integer(parameters, "threads");
	gboolean dataflow = flow_asked(parameters);
	Histogram histogram = {
		.n_bins = (uint32_t)workload_integer(parameters, "bins"),
		.n_blocks = (uint32_t)workload_integer(parameters, "blocks"),
	};

	if (!vote_read(parameters, &histogram.vote, error) ||
	    !vote_space_read(parameters, &histogram.space, histogram.n_bins, n_threads,
			     histogram.vote.width, error))
		return FALSE;
	g_autoptr(Image) image = image_read(workload_text(parameters, "image"), error);
	if (!image)
		return FALSE;
	histogram.image = image;

	const FlowSite site_flows[] = {
		SPACE_ZERO_SITE,
		{.address = VOTER_ADDRESS, .write = PIXEL},
		{.address = WORD, .write = histogram.vote.result ? OLD : 0},
		SPACE_SUM_SITES,
	};

	const FlowStep steps[] = {
		SPACE_STEPS,
		voter_start,
		{.code = bin_code + 1, .n = G_N_ELEMENTS(bin_code) - 1},
		FLOW_STEP(bin_code),
		voter_loop,
	};

	const KernelCode code = KERNEL_CODE("histogram", sites, flow_sites, steps, site_flows);

	histogram.space.vote = histogram.vote;
	launch->n_blocks = histogram.n_blocks;
	launch->n_threads = n_threads;
	launch->shared_bytes = histogram.space.bytes;
	flow_generate(&code, dataflow, writer, write_warp, &histogram, launch);
	cJSON_AddStringToObject(launch->facts, "image_sha256", image->sha256);
	cJSON_AddNumberToObject(launch->facts, "image_width", image->width);
	cJSON_AddNumberToObject(launch->facts, "image_height", image->height);
	cJSON_AddNumberToObject(launch->facts, "image_levels", image->n_levels);
	if (dataflow) {
		launch->buffers[0] =
			(WorkloadBuffer){"the image", image_size(image) * image->pixel_bytes};
		launch->buffers[1] = (WorkloadBuffer){
			"the histogram", (uint64_t)histogram.n_bins * histogram.vote.width};
	}
	return TRUE;
}

static const WorkloadOption options[] = {
	{.name = "image",
	 .type = WORKLOAD_FILE,
	 .required = TRUE,
	 .doc = "grey image: PGM (P5, P2; 8 or 16 bit), or .iml (van Hateren)"},
	INTEGER_ROW("bins", "bins", 1, 65536, "256", "bins of the histogram"),
	REPLICATION_ROWS,
	INTEGER_ROW("blocks", "blocks", 1, 1 << 20, "16", "thread blocks of the launch"),
	INTEGER_ROW("threads", "threads", 1, MAX_BLOCK_WARPS *WARP_LANES, "1024",
		    "threads of a block"),
	VOTE_ROWS,
	DATAFLOW_ROW,
	{0},
};

const Workload workload_histogram = {
	.name = "histogram",
	.summary = "histogram of a grey image, the whole kernel",
	.description =
		"The whole kernel: zero the copies of the bins, barrier, per pixel a "
		"coalesced load, the bin's arithmetic and a vote, barrier, sum the copies "
		"into global memory. A thread reads pixels with the stride of the grid. The "
		"bin of a pixel of an image with L levels is pixel * bins / L, rounded down.",
	.options = options,
	.generate = generate,
};
