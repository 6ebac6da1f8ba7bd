/* SPDX-License-Identifier: MIT */
/*
 * The update step of k-means (Gomez-Luna et al., IEEE TPDS 2013, Fig 8): every object votes for its
 * cluster, once in a vote space of counters and once in one of sums for each component. The vote
 * spaces follow each other, each with its copies side by side: all copies of the counters,
 * then all of the first component, and so on.
 *
 * The objects are synthetic: which cluster an object belongs to is drawn, it is not searched for.
 * The paper's objects are not published, and only their clusters decide an address.
 */
#include "base/error.h"
#include "workloads/distribution.h"
#include "workloads/votespace.h"

#define VALUE_BYTES 4 /* of a cluster's number, of a component */

static const char *const sites[] = {"kmeans: zero the copies", "kmeans: read an object",
				    "kmeans: count",	       "kmeans: sum a component",
				    "kmeans: sum the copies",  NULL};
static const char *const flow_sites[] = {"kmeans: zero the copies",
					 "kmeans: read an object",
					 "kmeans: count",
					 "kmeans: sum a component",
					 "kmeans: add a sum",
					 "kmeans: read a copy",
					 NULL};
enum { SITE_ZERO = 1, SITE_READ, SITE_COUNT, SITE_COMPONENT, SITE_SUM };

/* --- Arithmetic as a compiler emits it --- */

/* An object is one value: its loads do not depend on each other. */
enum { OBJECT = N_VOTER_VALUES, WORD };
enum { STEP_START = N_SPACE_STEPS, STEP_VOTE, STEP_LOOP };

/* Index of the word, its address. */
static const FlowOperation vote_code[] = {
	{CODE_INT, WORD, {OBJECT}, 0},
	{CODE_INT, WORD, {WORD, VOTER_BASE}, 0},
};

typedef struct {
	Distribution *distribution;
	VoteSpace counters; /* the components' spaces follow, each space_bytes further */
	uint32_t space_bytes;
	uint32_t n_components;
	uint64_t n_objects;
	uint32_t n_blocks;
	uint32_t n_warps;
	uint32_t n_alu;
} Kmeans;

static const Vote count = {OPERATION_ADD, TYPE_U32, VALUE_BYTES, false, false};
static const Vote sum = {OPERATION_ADD, TYPE_F32, VALUE_BYTES, false, false};

/* Of one vote space in global memory, with what aligns the next. */
static uint64_t result_bytes(const Kmeans *kmeans)
{
	return ((uint64_t)kmeans->counters.words * VALUE_BYTES + 127) / 128 * 128;
}

static VoteSpace space_at(const Kmeans *kmeans, uint32_t number)
{
	VoteSpace space = kmeans->counters;

	space.offset += number * kmeans->space_bytes;
	space.vote = number == 0 ? count : sum;
	space.result = number * result_bytes(kmeans);
	return space;
}

static void write_object(const Kmeans *kmeans, Emitter *emitter, uint64_t object, uint32_t mask,
			 const uint32_t *address)
{
	uint32_t object_bytes = (1 + kmeans->n_components) * VALUE_BYTES;
	uint32_t shifted[WARP_LANES];

	/* The loads of an object do not depend on each other, so one record stands for all. */
	emitter->site = SITE_READ;
	emit_global(emitter, RECORD_LDG, mask, object * object_bytes, object_bytes);
	emitter->site = 0;
	emit_step(emitter, STEP_VOTE);

	emitter->site = SITE_COUNT;
	emit_vote(emitter, &count, mask, address);
	emitter->site = SITE_COMPONENT;
	for (uint32_t component = 1; component <= kmeans->n_components; component++) {
		for (uint32_t lane = 0; lane < WARP_LANES; lane++)
			shifted[lane] = address[lane] + component * kmeans->space_bytes;
		emit_vote(emitter, &sum, mask, shifted);
	}
	emitter->site = 0;
	emit_step(emitter, STEP_LOOP);
}

static void write_votes(const Kmeans *kmeans, Emitter *emitter)
{
	uint32_t n_threads = kmeans->counters.n_threads;
	uint32_t first = emitter->warp * WARP_LANES;
	uint32_t exists = warp_mask(first, n_threads);
	uint32_t base[WARP_LANES], cluster[WARP_LANES], address[WARP_LANES];

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		base[lane] = vote_space_base(&kmeans->counters, first + lane);

	emitter->buffer = SPACE_INPUT;
	distribution_begin(kmeans->distribution, (uint32_t)emitter->block, emitter->warp);
	for (uint64_t object = emitter->block * n_threads + first; object < kmeans->n_objects;
	     object += (uint64_t)kmeans->n_blocks * n_threads) {
		uint32_t mask = exists & warp_mask(object, kmeans->n_objects);

		distribution_next(kmeans->distribution, cluster);
		for (uint32_t lane = 0; lane < WARP_LANES; lane++)
			address[lane] = base[lane] + cluster[lane] * VALUE_BYTES;
		write_object(kmeans, emitter, object, mask, address);
	}
}

static void write_warp(gconstpointer data, Emitter *emitter)
{
	const Kmeans *kmeans = data;

	emit_step(emitter, STEP_START);
	emitter->site = SITE_ZERO;
	for (uint32_t number = 0; number <= kmeans->n_components; number++) {
		VoteSpace space = space_at(kmeans, number);
		vote_space_zero(&space, emitter);
	}
	emitter->site = 0;
	emit_bar(emitter);
	write_votes(kmeans, emitter);
	emit_bar(emitter);
	emitter->site = SITE_SUM;
	for (uint32_t number = 0; number <= kmeans->n_components; number++) {
		VoteSpace space = space_at(kmeans, number);
		vote_space_reduce(&space, emitter);
	}
}

/* Bytes of all vote spaces; 0 and an error if a trace cannot hold them. */
static uint32_t place_spaces(Kmeans *kmeans, GError **error)
{
	uint64_t bytes;

	kmeans->space_bytes =
		kmeans->counters.bytes + kmeans->counters.padding * kmeans->counters.width;
	bytes = (uint64_t)kmeans->n_components * kmeans->space_bytes + kmeans->counters.bytes;
	if (bytes <= TRACE_MAX_SHARED_BYTES)
		return (uint32_t)bytes;
	atomsim_fail(
		error, ATOMSIM_ERROR_USAGE,
		"a vote space of counters and %u of components, %u bytes each with all copies: "
		"%" G_GUINT64_FORMAT " bytes of shared memory found; allowed: up to %u",
		kmeans->n_components, kmeans->space_bytes, bytes, TRACE_MAX_SHARED_BYTES);
	return 0;
}

static gboolean generate(const WorkloadParameters *parameters, TraceWriter *writer,
			 WorkloadLaunch *launch, GError **error)
{
	uint32_t n_clusters = (uint32_t)workload_integer(parameters, "clusters");
	uint32_t n_threads = (uint32_t)workload_integer(parameters, "threads");
	gboolean dataflow = flow_asked(parameters);
	Kmeans kmeans = {
		.n_components = (uint32_t)workload_integer(parameters, "components"),
		.n_objects = (uint64_t)workload_integer(parameters, "objects"),
		.n_blocks = (uint32_t)workload_integer(parameters, "blocks"),
		.n_warps = (n_threads + WARP_LANES - 1) / WARP_LANES,
		.n_alu = (uint32_t)workload_integer(parameters, "alu"),
	};
	uint64_t grid_threads = (uint64_t)kmeans.n_blocks * n_threads;

	if (!vote_space_read(parameters, &kmeans.counters, n_clusters, n_threads, VALUE_BYTES,
			     error))
		return FALSE;
	uint32_t bytes = place_spaces(&kmeans, error);
	if (bytes == 0)
		return FALSE;
	g_autoptr(Distribution) distribution = distribution_new(
		parameters, n_clusters, kmeans.n_blocks, kmeans.n_warps,
		(uint32_t)((kmeans.n_objects + grid_threads - 1) / grid_threads), error);
	if (!distribution)
		return FALSE;
	kmeans.distribution = distribution;

	const FlowStep steps[] = {
		SPACE_STEPS,
		voter_start,
		{.code = vote_code,
		 .n = G_N_ELEMENTS(vote_code),
		 .more = kmeans.n_alu,
		 .chain = OBJECT},
		voter_loop,
	};
	static const FlowSite site_flows[] = {
		SPACE_ZERO_SITE,   {.address = VOTER_ADDRESS, .write = OBJECT},
		{.address = WORD}, {.address = WORD, .data = OBJECT},
		SPACE_SUM_SITES,
	};
	const KernelCode code = KERNEL_CODE("kmeans", sites, flow_sites, steps, site_flows);

	launch->n_blocks = kmeans.n_blocks;
	launch->n_threads = n_threads;
	launch->shared_bytes = bytes;
	flow_generate(&code, dataflow, writer, write_warp, &kmeans, launch);
	if (dataflow) {
		launch->buffers[0] = (WorkloadBuffer){
			"the objects",
			kmeans.n_objects * (1 + kmeans.n_components) * VALUE_BYTES};
		launch->buffers[1] = (WorkloadBuffer){
			"the sums", (1 + kmeans.n_components) * result_bytes(&kmeans)};
	}
	return TRUE;
}

static const WorkloadOption options[] = {
	INTEGER_ROW("objects", "objects", 1, 1 << 28, "212340", "objects to sum up"),
	INTEGER_ROW("clusters", "clusters", 1, 65536, "128", "words of each vote space"),
	INTEGER_ROW("components", "components", 0, 64, "2",
		    "of an object, each with a vote space of floats"),
	DISTRIBUTION_ROWS,
	REPLICATION_ROWS,
	INTEGER_ROW("blocks", "blocks", 1, 1 << 20, "16", "thread blocks of the launch"),
	INTEGER_ROW("threads", "threads", 1, MAX_BLOCK_WARPS *WARP_LANES, "1024",
		    "threads of a block"),
	INTEGER_ROW("alu", "instructions", 0, 1 << 20, "0",
		    "arithmetic for each object before its votes, as a search for the cluster "
		    "takes"),
	DATAFLOW_ROW,
	{0},
};

const Workload workload_kmeans = {
	.name = "kmeans",
	.summary = "update step of k-means: counts and sums of clusters",
	.description =
		"The whole kernel: zero the copies of all vote spaces, barrier, per object a "
		"coalesced load and a vote in each vote space (an integer counter, a float "
		"for each component), barrier, sum the copies into global memory. The vote "
		"spaces follow each other, each with its copies side by side. The cluster of "
		"an object is drawn from --distribution, over --clusters words.",
	.options = options,
	.generate = generate,
};
