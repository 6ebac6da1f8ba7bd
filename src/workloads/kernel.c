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

static const FlowStep kernel_steps[N_KERNEL_STEPS] = {
	[KERNEL_ZERO_LOOP] = FLOW_STEP(zero_code),
	[KERNEL_SUM_STEP] = FLOW_STEP(sum_code),
};

static void write_blocks(const Kernel *kernel, TraceWriter *writer, WarpWriter write,
			 gpointer data)
{
	uint32_t n_warps = (kernel->n_threads + kernel->lanes - 1) / kernel->lanes;

	trace_writer_set_version_2(writer, kernel->lanes);
	for (uint32_t block = 0; block < kernel->n_blocks; block++) {
		trace_writer_begin_block(writer, block, n_warps, kernel->shared_bytes);
		for (uint32_t number = 0; number < n_warps; number++) {
			Warp warp = {
				.emit = {.writer = writer,
					 .block = block,
					 .warp = number,
					 .flow = kernel->flow},
				.lanes = kernel->lanes,
				.first = number * kernel->lanes,
				.n_threads = kernel->n_threads,
				.n_grid = (uint64_t)kernel->n_blocks * kernel->n_threads,
			};

			warp.thread = (uint64_t)block * kernel->n_threads + warp.first;
			warp.exists = warp_below(&warp, warp.first, kernel->n_threads);
			write(&warp, data);
			if (kernel->ends_with_fence)
				emit_fence(&warp.emit, SCOPE_DEVICE);
		}
		trace_writer_end_block(writer, block);
	}
}

static void describe(const Kernel *kernel, const char *name, const char *const *sites,
		     WorkloadLaunch *launch)
{
	launch->kernel = name;
	launch->n_blocks = kernel->n_blocks;
	launch->n_threads = kernel->n_threads;
	launch->shared_bytes = kernel->shared_bytes;
	launch->sites = sites;
}

void kernel_generate(Kernel *kernel, const KernelCode *code,
		     const WorkloadParameters *parameters, TraceWriter *writer,
		     WarpWriter write, gpointer data, WorkloadLaunch *launch)
{
	Flow flow;

	flow_init(&flow, parameters);
	flow_steps(&flow, 0, kernel_steps, N_KERNEL_STEPS);
	flow_steps(&flow, N_KERNEL_STEPS, code->steps, code->n_steps);
	flow_begin(&flow, writer, kernel->lanes, code->flows, code->n_flows);
	kernel->flow = &flow;
	kernel->ends_with_fence = workload_choice(parameters, "end") == 1;
	write_blocks(kernel, writer, write, data);
	describe(kernel, code->name, flow.recorded ? code->dataflow_sites : code->sites,
		 launch);
	kernel->flow = NULL;
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
		if (warp->emit.flow)
			emit_step(&warp->emit, KERNEL_ZERO_LOOP);
		else
			emit_alu(&warp->emit, G_N_ELEMENTS(zero_code));
	}
}

void warp_sum(Warp *warp)
{
	for (uint32_t distance = warp->lanes / 2; distance > 0; distance /= 2) {
		if (warp->emit.flow) {
			emit_mixed_step(&warp->emit, RECORD_SHFL, KERNEL_SUM_STEP);
			continue;
		}
		emit_shuffle(&warp->emit, 1);
		emit_alu(&warp->emit, 1);
	}
}
