/* SPDX-License-Identifier: MIT */
/*
 * Hough transform for lines: every edge pixel (x, y) of an image votes, for each angle theta, for the
 * line rho = x cos(theta) + y sin(theta) that passes through it. A thread block holds the votes of a
 * few angles in shared memory and goes over all edge pixels, which an earlier kernel has listed in
 * the order of the image.
 *
 * With --lanes pixels a warp's lanes have 32 edge pixels and one angle: neighbors on an edge vote
 * for the same word or near ones. With --lanes angles they have one edge pixel and 32 angles, whose
 * votes are about a row of --rhos words apart: no two lanes share a word, but a power of two of rhos
 * puts them on few banks and locks.
 *
 * Which pixels are edges, and where a line's bin is: hough-lines.h.
 */
#include <cjson/cJSON.h>

#include "base/error.h"
#include "workloads/hough-lines.h"
#include "workloads/votespace.h"

#define VOTE_BYTES 4
#define EDGE_BYTES 4 /* x and y, 16 bits each */

typedef struct {
	VoteSpace space; /* rhos words an angle, one angle after the other */
	HoughLines *lines;
	uint64_t n_edges;
	uint32_t n_rhos;
	uint32_t n_thetas; /* of a half turn */
	uint32_t block_thetas;
	gboolean lanes_are_angles;
} Hough;

static const char *const sites[] = {"hough: zero the copies", "hough: read an edge pixel",
				    "hough: vote", "hough: sum the copies", NULL};
static const char *const flow_sites[] = {
	"hough: zero the copies", "hough: read an edge pixel", "hough: vote",
	"hough: add a sum",	  "hough: read a copy",	       NULL};
enum { SITE_ZERO = 1, SITE_READ, SITE_VOTE, SITE_SUM };

/* --- Arithmetic as a compiler emits it --- */

enum { THREAD = N_SPACE_VALUES, BLOCK, BASE, ADDRESS, EDGE, X, Y, RHO, WORD };
enum { STEP_START = N_SPACE_STEPS, STEP_PIXEL, STEP_VOTE, STEP_LOOP };

/* Thread number, copy, addresses: once a thread. */
static const FlowOperation start_code[] = {
	{CODE_SYSTEM, THREAD, {0}, 0},		 {CODE_SYSTEM, BLOCK, {0}, 0},
	{CODE_INT, BASE, {THREAD}, 0},		 {CODE_MUL, BASE, {BASE}, 0},
	{CODE_INT, SPACE_ADDRESS, {THREAD}, 0},	 {CODE_MOVE, SPACE_SUM, {0}, 0},
	{CODE_MUL, ADDRESS, {BLOCK, THREAD}, 0}, {CODE_WIDE, ADDRESS, {ADDRESS}, 0},
};
/* x and y out of one word. */
static const FlowOperation pixel_code[] = {
	{CODE_INT, X, {EDGE}, 0},
	{CODE_INT, Y, {EDGE}, 0},
};
/* Two multiplications and additions, rho's bin, address. */
static const FlowOperation vote_code[] = {
	{CODE_MUL, RHO, {X}, 0},	   {CODE_MUL, RHO, {RHO, Y}, 0},
	{CODE_INT, RHO, {RHO}, 0},	   {CODE_MUL, WORD, {RHO}, 0},
	{CODE_INT, WORD, {WORD, BASE}, 0},
};
/* Next pixel, comparison, branch. */
static const FlowOperation loop_code[] = {
	{CODE_INT, ADDRESS, {ADDRESS}, 0},
	{CODE_COMPARE, SPACE_MORE, {ADDRESS}, 0},
	{CODE_JUMP, 0, {0}, SPACE_MORE},
};
static const FlowSite site_flows[] = {
	SPACE_ZERO_SITE,
	{.address = ADDRESS, .write = EDGE},
	{.address = WORD},
	SPACE_SUM_SITES,
};

/* --- The kernel --- */

static const Vote vote = {OPERATION_ADD, TYPE_U32, VOTE_BYTES, false, false};

static void write_vote(Emitter *emitter, uint32_t mask, const uint32_t *address)
{
	emit_step(emitter, STEP_VOTE);
	emitter->site = SITE_VOTE;
	emit_vote(emitter, &vote, mask, address);
	emitter->site = 0;
}

static void read_edges(Emitter *emitter, uint32_t mask, uint64_t first)
{
	emitter->site = SITE_READ;
	emitter->buffer = SPACE_INPUT;
	emit_global(emitter, RECORD_LDG, mask, first * EDGE_BYTES, EDGE_BYTES);
	emitter->site = 0;
	emit_step(emitter, STEP_PIXEL);
}

/* Byte address of the pixel's vote within a copy: the row of the block's `row`-th angle, rho's bin. */
static uint32_t address_of(const Hough *hough, uint64_t pixel, uint64_t block, uint32_t row)
{
	return (row * hough->n_rhos + hough_bin(hough->lines, hough->n_rhos, pixel,
						block * hough->block_thetas + row)) *
	       VOTE_BYTES;
}

/* A lane has an edge pixel and votes for all angles of the block. */
static void vote_by_pixels(const Hough *hough, Emitter *emitter, uint32_t n_thetas,
			   const uint32_t *base)
{
	uint32_t first = emitter->warp * WARP_LANES;
	uint32_t exists = warp_mask(first, hough->space.n_threads);
	uint32_t address[WARP_LANES];

	for (uint64_t i = first; i < hough->n_edges; i += hough->space.n_threads) {
		uint32_t mask = exists & warp_mask(i, hough->n_edges);
		uint32_t n_lanes = (uint32_t)__builtin_popcount(mask);

		read_edges(emitter, mask, i);
		for (uint32_t theta = 0; theta < n_thetas; theta++) {
			for (uint32_t lane = 0; lane < n_lanes; lane++)
				address[lane] = base[lane] + address_of(hough, i + lane,
									emitter->block, theta);
			write_vote(emitter, mask, address);
		}
		emit_step(emitter, STEP_LOOP);
	}
}

/* A lane has an angle, and the warp goes through edge pixels. */
static void vote_by_angles(const Hough *hough, Emitter *emitter, uint32_t n_thetas,
			   const uint32_t *base)
{
	uint32_t n_warps = hough->space.n_threads / WARP_LANES;
	uint32_t address[WARP_LANES];

	for (uint64_t i = emitter->warp; i < hough->n_edges; i += n_warps) {
		read_edges(emitter, 1, i);
		for (uint32_t theta = 0; theta < n_thetas; theta += WARP_LANES) {
			uint32_t mask = warp_mask(theta, n_thetas);

			for (uint32_t lane = 0; lane < (uint32_t)__builtin_popcount(mask);
			     lane++)
				address[lane] =
					base[lane] +
					address_of(hough, i, emitter->block, theta + lane);
			write_vote(emitter, mask, address);
		}
		emit_step(emitter, STEP_LOOP);
	}
}

static void write_warp(gconstpointer data, Emitter *emitter)
{
	const Hough *hough = data;
	uint32_t done = (uint32_t)emitter->block * hough->block_thetas;
	uint32_t n_thetas = MIN(hough->block_thetas, hough->n_thetas - done);
	uint32_t base[WARP_LANES];

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		base[lane] = vote_space_base(&hough->space, emitter->warp * WARP_LANES + lane);
	emit_step(emitter, STEP_START);
	emitter->site = SITE_ZERO;
	vote_space_zero(&hough->space, emitter);
	emitter->site = 0;
	emit_bar(emitter);
	if (hough->lanes_are_angles)
		vote_by_angles(hough, emitter, n_thetas, base);
	else
		vote_by_pixels(hough, emitter, n_thetas, base);
	emit_bar(emitter);
	emitter->site = SITE_SUM;
	vote_space_reduce(&hough->space, emitter);
}

static gboolean read_image(const WorkloadParameters *parameters, Hough *hough,
			   WorkloadLaunch *launch, GError **error)
{
	int64_t threshold = workload_integer(parameters, "threshold");

	hough->lines = hough_lines_new(workload_text(parameters, "image"), threshold,
				       hough->n_thetas, error);
	if (!hough->lines)
		return FALSE;
	hough->n_edges = hough_n_edges(hough->lines);
	cJSON_AddStringToObject(launch->facts, "image_sha256",
				hough_image_sha256(hough->lines));
	cJSON_AddNumberToObject(launch->facts, "edges", (double)hough->n_edges);
	if (hough->n_edges > 0)
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			    "--threshold: %" G_GINT64_FORMAT
			    " found, which no pixel reaches; allowed: less",
			    threshold);
}

static gboolean generate(const WorkloadParameters *parameters, TraceWriter *writer,
			 WorkloadLaunch *launch, GError **error)
{
	uint32_t n_warps = (uint32_t)workload_integer(parameters, "warps");
	Hough hough = {
		.n_rhos = (uint32_t)workload_integer(parameters, "rhos"),
		.n_thetas = (uint32_t)workload_integer(parameters, "thetas"),
		.block_thetas = (uint32_t)workload_integer(parameters, "block-thetas"),
		.lanes_are_angles = workload_choice(parameters, "lanes") == 1,
	};
	uint32_t n_blocks = (hough.n_thetas + hough.block_thetas - 1) / hough.block_thetas;
	gboolean good =
		vote_space_read(parameters, &hough.space, hough.n_rhos * hough.block_thetas,
				n_warps * WARP_LANES, VOTE_BYTES, error) &&
		read_image(parameters, &hough, launch, error);
	gboolean dataflow = flow_asked(parameters);
	const FlowStep steps[] = {
		SPACE_STEPS,	      FLOW_STEP(start_code), FLOW_STEP(pixel_code),
		FLOW_STEP(vote_code), FLOW_STEP(loop_code),
	};
	const KernelCode code = KERNEL_CODE("hough", sites, flow_sites, steps, site_flows);

	hough.space.vote = vote;
	launch->n_blocks = n_blocks;
	launch->n_threads = hough.space.n_threads;
	launch->shared_bytes = hough.space.bytes;
	if (good)
		flow_generate(&code, dataflow, writer, write_warp, &hough, launch);
	if (good && dataflow) {
		launch->buffers[0] =
			(WorkloadBuffer){"the edge pixels", hough.n_edges * EDGE_BYTES};
		launch->buffers[1] =
			(WorkloadBuffer){"the votes", (uint64_t)hough.space.words * VOTE_BYTES};
	}
	hough_lines_free(hough.lines);
	return good;
}

static const WorkloadOption options[] = {
	{.name = "image",
	 .type = WORKLOAD_FILE,
	 .required = TRUE,
	 .doc = "grey image: PGM (P5, P2; 8 or 16 bit), or .iml (van Hateren)"},
	INTEGER_ROW("threshold", "grey levels", 0, 8 * HOUGH_GREY_LEVELS, "200",
		    "least Sobel gradient |gx| + |gy| of an edge pixel, of 256 levels"),
	INTEGER_ROW("rhos", "words", 1, 16384, "512",
		    "bins of the distance from the origin: a row of the vote space"),
	INTEGER_ROW("thetas", "angles", 1, 4096, "180", "angles of a half turn"),
	INTEGER_ROW("block-thetas", "angles", 1, 4096, "8",
		    "angles of a thread block: rows of its vote space"),
	CHOICE_ROW("lanes", "pixels|angles", "pixels", "what the lanes of a warp differ in"),
	REPLICATION_ROWS,
	INTEGER_ROW("warps", "warps", 1, MAX_BLOCK_WARPS, "32", "warps of a block"),
	DATAFLOW_ROW,
	{0},
};

const Workload workload_hough = {
	.name = "hough",
	.summary = "Hough transform of an image's edges, the voting kernel",
	.description =
		"Each edge pixel votes, for each angle, for the line through it: rho = x cos "
		"theta + y sin theta. A block keeps --block-thetas angles of --rhos bins in "
		"shared memory and goes over all edge pixels: zero the copies, barrier, per "
		"pixel a load and a vote for each angle, barrier, sum the copies into global "
		"memory.\n\n"
		"With --lanes pixels a warp has 32 edge pixels and one angle at a time: "
		"neighbors on an edge vote for the same word or near ones. With --lanes "
		"angles it has one pixel and 32 angles, whose votes are about --rhos words "
		"apart.",
	.options = options,
	.generate = generate,
};
