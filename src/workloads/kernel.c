/* SPDX-License-Identifier: MIT */
#include "workloads/kernel.h"

#define SHARED 0 /* as a buffer */

/* Next word, comparison and branch as one. */
static const FlowOperation zero_code[] = {
	{CODE_INT, KERNEL_ADDRESS, {KERNEL_ADDRESS}, 0},
	{CODE_JUMP, 0, {0}, 0},
};
static const FlowOperation sum_code[] = {
	{CODE_SHUFFLE, KERNEL_OTHER, {KERNEL_SUM}, 0},
	{CODE_INT, KERNEL_SUM, {KERNEL_SUM, KERNEL_OTHER}, 0},
};

/* What the blocks are written from. */
typedef struct {
	const Kernel *kernel;
	gboolean ends_with_fence; /* of the device, each warp */
	WarpWriter write;
	gpointer data; /* the workload's own */
} Frame;

static void write_warp(gconstpointer data, Emitter *emitter)
{
	const Frame *frame = data;
	const Kernel *kernel = frame->kernel;
	Warp warp = {
		.emit = *emitter,
		.lanes = kernel->lanes,
		.first = emitter->warp * kernel->lanes,
		.n_threads = kernel->n_threads,
		.n_grid = (uint64_t)kernel->n_blocks * kernel->n_threads,
	};

	warp.thread = emitter->block * kernel->n_threads + warp.first;
	warp.exists = warp_below(&warp, warp.first, kernel->n_threads);
	frame->write(&warp, frame->data);
	if (frame->ends_with_fence)
		emit_fence(&warp.emit, SCOPE_DEVICE);
}

void kernel_generate(const Kernel *kernel, const KernelCode *code,
		     const WorkloadParameters *parameters, TraceWriter *writer,
		     WarpWriter write, gpointer data, WorkloadLaunch *launch)
{
	const Frame frame = {
		.kernel = kernel,
		.ends_with_fence = workload_choice(parameters, "end") == 1,
		.write = write,
		.data = data,
	};
	Flow flow = {.recorded = flow_asked(parameters),
		     .steps = {
			     [KERNEL_ZERO_LOOP] = FLOW_STEP(zero_code),
			     [KERNEL_SUM_STEP] = FLOW_STEP(sum_code),
		     }};

	launch->n_blocks = kernel->n_blocks;
	launch->n_threads = kernel->n_threads;
	launch->shared_bytes = kernel->shared_bytes;
	trace_writer_set_version_2(writer, kernel->lanes);
	flow_begin(&flow, N_KERNEL_STEPS, code, writer, kernel->lanes, launch);
	emit_blocks(writer, &flow, launch, kernel->lanes, write_warp, &frame);
}

LaneMask warp_below(const Warp *warp, uint64_t first, uint64_t n)
{
	if (first >= n)
		return 0;
	if (n - first >= 64)
		return warp->lanes == 64 ? UINT64_MAX : UINT32_MAX;

	LaneMask mask = ((LaneMask)1 << (n - first)) - 1;

	return warp->lanes == 64 ? mask : mask & UINT32_MAX;
}

/* The entries of the active lanes, one behind the other, as records have them. */
static void gather(LaneMask mask, const uint64_t *entry, uint64_t *active)
{
	for (unsigned n = 0; mask; mask &= mask - 1)
		active[n++] = entry[__builtin_ctzll(mask)];
}

static void gather_shared(LaneMask mask, const uint64_t *byte, uint32_t *active)
{
	for (unsigned n = 0; mask; mask &= mask - 1)
		active[n++] = (uint32_t)byte[__builtin_ctzll(mask)];
}

static void access_words(Warp *warp, RecordKind kind, CacheHint cache, uint16_t buffer,
			 LaneMask mask, const uint64_t *byte)
{
	if (!mask)
		return;
	if (buffer == SHARED) {
		uint32_t active[MAX_LANES];

		gather_shared(mask, byte, active);
		emit_shared(&warp->emit, kind == RECORD_LDG ? RECORD_LDS : RECORD_STS,
			    WORD_BYTES, mask, active);
	} else {
		uint64_t active[MAX_LANES];

		gather(mask, byte, active);
		emit_buffer(&warp->emit, kind, cache, buffer, WORD_BYTES, mask, active);
	}
}

void warp_load(Warp *warp, uint16_t buffer, LaneMask mask, const uint64_t *byte)
{
	access_words(warp, RECORD_LDG, CACHE_NORMAL, buffer, mask, byte);
}

void warp_store(Warp *warp, uint16_t buffer, LaneMask mask, const uint64_t *byte)
{
	access_words(warp, RECORD_STG, CACHE_NORMAL, buffer, mask, byte);
}

void warp_load_volatile(Warp *warp, uint16_t buffer, LaneMask mask, const uint64_t *byte)
{
	access_words(warp, RECORD_LDG, CACHE_BYPASS, buffer, mask, byte);
}

void warp_store_volatile(Warp *warp, uint16_t buffer, LaneMask mask, const uint64_t *byte)
{
	access_words(warp, RECORD_STG, CACHE_BYPASS, buffer, mask, byte);
}

void warp_add(Warp *warp, const Vote *vote, uint16_t buffer, LaneMask mask,
	      const uint64_t *byte, const uint64_t *value)
{
	uint64_t operand[MAX_LANES];

	if (!mask)
		return;
	if (value)
		gather(mask, value, operand);
	if (buffer == SHARED) {
		uint32_t active[MAX_LANES];

		gather_shared(mask, byte, active);
		emit_vote_values(&warp->emit, vote, mask, active, value ? operand : NULL);
	} else {
		uint64_t active[MAX_LANES];

		gather(mask, byte, active);
		emit_buffer_vote(&warp->emit, vote, buffer, mask, active,
				 value ? operand : NULL);
	}
}

static void lock(Warp *warp, RecordKind kind, uint16_t buffer, LaneMask mask,
		 const uint64_t *byte)
{
	uint64_t active[MAX_LANES];

	if (!mask)
		return;
	gather(mask, byte, active);
	emit_lock(&warp->emit, kind, buffer, mask, active);
}

void warp_lock(Warp *warp, uint16_t buffer, LaneMask mask, const uint64_t *byte)
{
	lock(warp, RECORD_LOCK, buffer, mask, byte);
}

void warp_unlock(Warp *warp, uint16_t buffer, LaneMask mask, const uint64_t *byte)
{
	lock(warp, RECORD_UNLOCK, buffer, mask, byte);
}

static void row(uint64_t first, uint64_t *byte)
{
	for (uint32_t lane = 0; lane < MAX_LANES; lane++)
		byte[lane] = (first + lane) * WORD_BYTES;
}

void warp_load_row(Warp *warp, uint16_t buffer, LaneMask mask, uint64_t first)
{
	uint64_t byte[MAX_LANES];

	row(first, byte);
	warp_load(warp, buffer, mask, byte);
}

void warp_store_row(Warp *warp, uint16_t buffer, LaneMask mask, uint64_t first)
{
	uint64_t byte[MAX_LANES];

	row(first, byte);
	warp_store(warp, buffer, mask, byte);
}

void warp_zero_shared(Warp *warp, uint32_t first, uint32_t n)
{
	for (uint32_t word = warp->first; word < n; word += warp->n_threads) {
		warp_store_row(warp, SHARED, warp->exists & warp_below(warp, word, n),
			       first + word);
		emit_step(&warp->emit, KERNEL_ZERO_LOOP);
	}
}

void warp_sum(Warp *warp)
{
	for (uint32_t distance = warp->lanes / 2; distance > 0; distance /= 2)
		emit_mixed_step(&warp->emit, RECORD_SHFL, KERNEL_SUM_STEP);
}
