/* SPDX-License-Identifier: MIT */
/*
 * Mechanism `coordinator` of global words: atomic adds in software, without the memory's own, by a workgroup that
 * does nothing else (Elteir, Lin and Feng, IEEE Cluster 2011, section IV.B, figures 6 and 7).
 *
 * Modelled, of their request(): of the lanes that name one word, each adds its operand to a sum of its
 * wavefront in local memory and counts itself there; then one stores the sum, waits for that, stores the word's
 * address (two transactions), and all look again and again whether the coordinator has taken the address
 * away; then they read what the word held (one transaction more). The coordinator's side is coordinator.c.
 * - Local memory: the lanes of a wavefront add to one word one after the other, a pass each (shared.*).
 * - All accesses go through the memory that SMs share, to words of the scheme's own: polls too.
 * - Lanes that name different words take turns, word by word; their paper asks for one word a wavefront.
 * - Adds only (inc and dec are taken for adds of 1), and no more wavefronts than the coordinator has threads.
 * Ideals: same_word, lanes of a wavefront add in one pass; l2_atomics, the coordinator has answered by the first look.
 * Not modelled: see coordinator.h.
 */
#include <glib.h>

#include "model/memory/coordinator.h"
#include "model/memory/global-mechanism.h"

/* A wavefront's own words: address, sum, and what it finds. */
#define AREA_ALIGNMENT 256

typedef struct {
	LaneMask lanes; /* that name the word of this request */
	bool done;	/* at the last look */
} Request;

typedef struct {
	Coordinator *coordinator;
	uint32_t n_warps;
	bool at_once; /* it is never asked: all is done at the first look */
	uint64_t n_polls;
} Common;

enum {
	PHASE_ADD,
	PHASE_COUNT,
	PHASE_SUM,
	PHASE_ADDRESS,
	PHASE_POLL,
	PHASE_LOOK,
	PHASE_FOUND,
};

enum { ARRAY_ADDRESS, ARRAY_SUM, ARRAY_FOUND, N_ARRAYS };

static uint64_t array_bytes(uint32_t n_warps)
{
	return ((uint64_t)n_warps * 4 + AREA_ALIGNMENT - 1) / AREA_ALIGNMENT * AREA_ALIGNMENT;
}

static uint64_t own_word(const GlobalAtomic *atomic, uint32_t array)
{
	const Common *common = atomic->common;

	return array * array_bytes(common->n_warps) + (uint64_t)atomic->warp * 4;
}

static uint64_t own_area(const GlobalKernel *kernel)
{
	return N_ARRAYS * array_bytes(kernel->n_warps);
}

/* The lanes that name the same word as the first one still to do. */
static LaneMask lanes_of_word(const GlobalAtomic *atomic)
{
	uint32_t word = atomic->address[__builtin_ctzll(atomic->pending)];
	LaneMask lanes = 0;

	for (LaneMask left = atomic->pending; left; left &= left - 1)
		if (atomic->address[__builtin_ctzll(left)] == word)
			lanes |= left & -left;
	return lanes;
}

/* What they add. An operand that the trace does not say is 1. */
static uint64_t sum_of(const GlobalAtomic *atomic, LaneMask lanes)
{
	uint64_t sum = 0;

	for (LaneMask left = lanes; left; left &= left - 1)
		sum += atomic->value && atomic->operation == OPERATION_ADD
			       ? atomic->value[__builtin_ctzll(left)]
			       : 1;
	return sum;
}

/* The address is in memory: the coordinator can see it from now on. */
static void posted(void *data, const Packet *packet, Tick at)
{
	GlobalAtomic *atomic = data;
	const Request *request = atomic->own;
	const Common *common = atomic->common;
	uint32_t first = (uint32_t)__builtin_ctzll(request->lanes);

	(void)packet;
	if (common->at_once)
		return;
	coordinator_post(common->coordinator, atomic->warp,
			 atomic->base + atomic->address[first], sum_of(atomic, request->lanes),
			 at / TICKS_PER_CYCLE);
}

static void looked(void *data, const Packet *packet, Tick at)
{
	GlobalAtomic *atomic = data;
	Request *request = atomic->own;
	Common *common = atomic->common;

	(void)packet;
	common->n_polls++;
	request->done =
		common->at_once ||
		coordinator_is_done(common->coordinator, atomic->warp, at / TICKS_PER_CYCLE);
}

static void ask(GlobalAtomic *atomic, GlobalStep *step, const char *name, AccessKind kind,
		uint32_t array, void (*served)(void *, const Packet *, Tick))
{
	step->name = name;
	step->ask = (GlobalAsk){.kind = (int)kind,
				.result = true,
				.own_byte = own_word(atomic, array),
				.served = served};
	step->waits = true;
}

/* One word of local memory, a lane after the other. */
static void update_local(SharedMemory *shared, const Request *request, Cycle now,
			 const char *name, GlobalStep *step)
{
	const uint32_t n = (uint32_t)__builtin_popcountll(request->lanes);

	step->name = name;
	step->start = shared_access(shared, now, shared->ideals->same_word ? 1 : n, 0);
	step->bank_cycles = shared->bank_cycles;
	step->ready = MAX(step->ready,
			  step->start + shared->parameters->load_cycles + step->bank_cycles);
}

static void step(const void *own, SharedMemory *shared, GlobalAtomic *atomic, Cycle now,
		 GlobalStep *step)
{
	const CoordinatorParameters *p = own;
	Request *request = atomic->own;

	switch (atomic->phase++) {
	case PHASE_ADD:
		request->lanes = lanes_of_word(atomic);
		update_local(shared, request, now, "LOCAL ADD", step);
		break;
	case PHASE_COUNT:
		update_local(shared, request, now, "LOCAL INC", step);
		break;
	case PHASE_SUM:
		ask(atomic, step, "STORE SUM", ACCESS_STORE, ARRAY_SUM, NULL);
		break;
	case PHASE_ADDRESS:
		ask(atomic, step, "STORE ADDRESS", ACCESS_STORE, ARRAY_ADDRESS, posted);
		break;
	case PHASE_POLL:
		ask(atomic, step, "POLL", ACCESS_LOAD, ARRAY_ADDRESS, looked);
		break;
	case PHASE_LOOK:
		step->name = "LOOK";
		step->ready = MAX(step->ready, now + p->poll_cycles);
		step->retry = !request->done;
		if (!request->done)
			atomic->phase = PHASE_POLL;
		break;
	case PHASE_FOUND:
		ask(atomic, step, "LOAD FOUND", ACCESS_LOAD, ARRAY_FOUND, NULL);
		break;
	default:
		step->name = "RESULT";
		atomic->pending &= ~request->lanes;
		step->done = atomic->pending == 0;
		atomic->phase = PHASE_ADD;
	}
}

static const char *refuses(const void *own, const GlobalKernel *kernel,
			   const GlobalAtomic *atomic)
{
	const CoordinatorParameters *p = own;

	if (atomic->operation > OPERATION_DEC || atomic->type == TYPE_F32 ||
	    atomic->type == TYPE_F64)
		return "a coordinator (global.atomic.mechanism) only adds integers";
	return kernel->n_warps <= p->threads
		       ? NULL
		       : "the grid has more warps than its coordinator has threads "
			 "(global.atomic.coordinator.threads)";
}

static void *new_common(const void *own, const GlobalKernel *kernel)
{
	const CoordinatorParameters *p = own;
	Common *common = g_new0(Common, 1);

	common->n_warps = kernel->n_warps;
	common->at_once = kernel->at_once;
	/* Else no step is ever asked for: refuses. */
	if (kernel->n_warps <= p->threads)
		common->coordinator =
			coordinator_new(own, kernel->n_warps, kernel->trip_cycles);
	return common;
}

static void free_common(void *data)
{
	Common *common = data;

	if (common->coordinator)
		coordinator_free(common->coordinator);
	g_free(common);
}

static Cycle finish(void *data, Cycle last)
{
	Common *common = data;

	return common->coordinator && !common->at_once
		       ? coordinator_end(common->coordinator, last)
		       : last;
}

static void count(const void *data, MemoryCounters *counters)
{
	const Common *common = data;

	counters->wait_loop_accesses += common->n_polls;
	if (common->coordinator)
		counters->coordinator_rounds += coordinator_n_turns(common->coordinator);
}

#define PAPER "Elteir, Lin, Feng, IEEE Cluster 2011"
#define NUMBER(field, from, to)                                                                \
	.path = "global.atomic.coordinator." #field,                                           \
	KEY_NUMBER(CoordinatorParameters, field, from, to)
#define CYCLES(field)                                                                          \
	.path = "global.atomic.coordinator." #field, KEY_CYCLES(CoordinatorParameters, field, 0)

static const Key keys[] = {
	{NUMBER(threads, 1, 4096), .default_value = "256", .unit = "threads",
	 .doc = "Threads of the coordinator, and so the most warps of a grid that it serves.",
	 .source = "AMD OpenCL: 256 work-items of a workgroup at most; " PAPER
		   ", Fig 7: one a wavefront"},
	{NUMBER(turn_trips, 2, 64), .default_value = "5", .unit = "transactions",
	 .doc = "Memory transactions of a turn that serves a request, one after another.",
	 .source = PAPER ", equation 2: 5 t_fast"},
	{CYCLES(turn_cycles), .default_value = "40", .assumption = true,
	 .doc = "Time of each turn in addition: its barriers and branches.",
	 .source = "not published"},
	{CYCLES(search_cycles), .default_value = "8", .assumption = true,
	 .doc = "Time for each slot that is searched for the first request of a word.",
	 .source = PAPER ", equation 2: an access to local memory; how long is not published"},
	{CYCLES(update_cycles), .default_value = "4", .assumption = true,
	 .doc = "Time to add the sum of each request in local memory.",
	 .source = PAPER ", equation 2: an update of local memory; how long is not published"},
	{NUMBER(scan, 0, 1), .default_value = "1",
	 .doc = "Reading of flags. 1: each turn reads the flags of all finished warps, one "
		"after another. 0: each thread of the coordinator reads one.",
	 .source = PAPER ", Fig 7"},
	{CYCLES(poll_cycles), .default_value = "16", .assumption = true,
	 .doc = "From a requester's look at its request to its next look, or to its next "
		"instruction.",
	 .source = "not published; a fence with nothing to wait for, a comparison, a branch"},
};

const GlobalMechanism global_mechanism_coordinator = {
	.name = "coordinator",
	.summary = "adds in software: sums of warps, and a workgroup that serves them",
	.keys = {"global.atomic.coordinator", "Mechanism coordinator of global atomics", keys,
		 G_N_ELEMENTS(keys), sizeof(CoordinatorParameters), NULL},
	.own_bytes = sizeof(Request),
	.new_common = new_common,
	.free_common = free_common,
	.own_area = own_area,
	.refuses = refuses,
	.step = step,
	.finish = finish,
	.count = count,
};
