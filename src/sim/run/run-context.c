/* SPDX-License-Identifier: MIT */
/* What all SMs of a run have in common: tables made of the machine and the kernel, and the memory that they share. */
#include <string.h>

#include "model/memory/memory-ideal.h"
#include "model/memory/slice-map.h"
#include "sim/run/first-use.h"
#include "sim/sm/residency.h"
#include "sim/run/run-state.h"

/* Bytes of a warp's thread-local memory, whole lines; 0: the kernel has none. */
static uint64_t local_bytes(const KernelInfo *kernel)
{
	return kernel->local_buffer > 0
		       ? (kernel->buffer_bytes[kernel->local_buffer - 1] + L1_LINE_BYTES - 1) /
				 L1_LINE_BYTES * L1_LINE_BYTES
		       : 0;
}

static uint64_t round_up(uint64_t bytes, uint64_t to)
{
	return (bytes + to - 1) / to * to;
}

/* That an entry of a TLB translates, where there is one. */
static uint64_t entry_bytes(const Machine *machine)
{
	return MAX((uint64_t)machine->tlb->entry_kib * 1024, 1);
}

/* The same of all warps that an SM has room for at a time. Each SM's have translations of their own (measurements/h200/first-touch.csv). */
static uint64_t local_sm_bytes(const Machine *machine, const KernelInfo *kernel)
{
	return round_up(local_bytes(kernel) * machine->sm.max_warps, entry_bytes(machine));
}

/* Bytes of buffer b, of all SMs. */
static uint64_t bytes_of(const Machine *machine, const KernelInfo *kernel, uint32_t b)
{
	return b + 1 == kernel->local_buffer
		       ? local_sm_bytes(machine, kernel) * machine->sm.count
		       : kernel->buffer_bytes[b];
}

/* Where each buffer begins if all lie one behind the other, in lines of the first cache. */
static uint64_t *first_lines(const Machine *machine, const KernelInfo *kernel)
{
	uint64_t *first = g_new0(uint64_t, kernel->n_buffers + 1);

	for (uint32_t b = 0; b < kernel->n_buffers; b++)
		first[b + 1] = first[b] + bytes_of(machine, kernel, b) / L1_LINE_BYTES + 1;
	return first;
}

#define BUFFER_ALIGNMENT (UINT64_C(2) << 20) /* of allocations: cudaMalloc's large pages */

/* Whether the memory itself carries out atomics of this kernel, on a machine where that means the slow path. */
static bool takes_complete_path(const Machine *machine, RecordSource *source)
{
	return machine->paths->rule != PATHS_ONE &&
	       machine->global_atomic.mechanism->by_memory && global_atomics_in(source);
}

/* As what a launch finds all of its lines; RECORDED: that differs from buffer to buffer. */
static LaunchL2 found_all(const LaunchState *launch, const KernelInfo *kernel)
{
	const LaunchL2 first = launch_finds(launch, kernel, 0);

	for (uint32_t i = 1; i < kernel->n_buffers; i++)
		if (launch_finds(launch, kernel, i) != first)
			return LAUNCH_L2_RECORDED;
	return first;
}

static void find_buffers(RunContext *context, uint64_t end)
{
	const KernelInfo *kernel = &context->source->kernel;
	FoundLines *found = g_new(FoundLines, kernel->n_buffers);

	for (uint32_t i = 0; i < kernel->n_buffers; i++)
		found[i] = (FoundLines){
			.end = (i + 1 < kernel->n_buffers ? context->buffer_base[i + 1] : end) /
			       LINE_BYTES,
			.l2 = launch_finds(&context->machine->launch, kernel, i),
		};
	memory_find(context->memory, found, kernel->n_buffers);
}

/* A launch that finds no translations waits for page walks. */
static void empty_tlbs(RunContext *context)
{
	const Machine *machine = context->machine;

	if (machine->tlb->entry_kib > 0 && !machine->ideal.global_latency &&
	    launch_tlb_is_cold(&machine->launch, &context->source->kernel))
		memory_translate(context->memory, tlb_new(machine->tlb));
}

bool sim_shares_memory(const Machine *machine, const RecordSource *source)
{
	return machine->global.model == GLOBAL_SLICES && source->kernel.n_buffers > 0;
}

/* Bytes of which the launch finds in the L2 what has room there: of its buffers, or, where its program had launched the kernel before, of
   what it touches itself, which the earlier launch has touched as far as is known. Records that are no accesses count as well, which makes
   up for lanes that are far apart. Thread-local memory, which each warp writes before it reads, takes no room: that frames of
   many warps may not fit the L2 is not modelled. */
static uint64_t footprint_of(const KernelInfo *kernel)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < kernel->n_buffers; i++)
		bytes += i + 1 == kernel->local_buffer ? 0 : kernel->buffer_bytes[i];
	if (kernel->was_launched == KERNEL_HAS && kernel->n_records > 0)
		bytes = MIN(bytes, MIN(kernel->n_records, UINT64_MAX / MEMORY_ACCESS_BYTES) *
					   MEMORY_ACCESS_BYTES);
	return bytes;
}

/* The memory that SMs share, where the machine has one and the trace says addresses. */
static void open_memory(Run *run)
{
	RunContext *context = &run->context;
	const KernelInfo *kernel = &context->source->kernel;
	const Machine *machine = context->machine;
	LaunchState launch = machine->launch;
	const uint64_t footprint = footprint_of(kernel);
	uint64_t end = 0;

	if (!sim_shares_memory(machine, context->source))
		return;
	context->buffer_base = g_new(uint64_t, kernel->n_buffers);
	for (uint32_t i = 0; i < kernel->n_buffers; i++) {
		if (i + 1 == kernel->local_buffer)
			end = round_up(end, entry_bytes(machine));
		context->buffer_base[i] = end;
		end += round_up(bytes_of(machine, kernel, i), BUFFER_ALIGNMENT);
	}
	context->global_locks = global_locks_new();
	if (kernel->dataflow)
		context->wait_loops =
			wait_loops_new(context->source, context->buffer_base, machine->issue);
	run->l2 = *machine->l2;
	run->network = *machine->network;
	run->dram = *machine->dram;
	context->complete_path = takes_complete_path(machine, context->source);
	if (context->complete_path)
		paths_take_complete(machine->paths, &run->l2, &run->network);
	memory_make_ideal(&machine->ideal, &run->l2, &run->network, &run->dram);
	launch.l2 = found_all(&machine->launch, kernel);
	context->memory = memory_new(&run->l2, &run->network, &run->dram, &launch,
				     &machine->ideal, machine->clock_mhz, run->n_sms,
				     machine->sm.count, footprint, context->arena);
	memory_walk(context->memory, &run->dram, footprint, kernel->n_records);
	if (launch.l2 == LAUNCH_L2_RECORDED)
		find_buffers(context, end);
	empty_tlbs(context);
	memory_watch(context->memory, context->observer);
	if (context->metered)
		memory_meter(context->memory);
	if (machine->l2->merge_packets > 0) {
		const size_t bytes = (context->n_sites + (size_t)1) * sizeof(uint64_t);

		context->merged_by_site = arena_take(context->arena, bytes);
		memset(context->merged_by_site, 0, bytes);
		memory_count_merged(context->memory, context->merged_by_site);
	}
	context->global_atomics.kernel.seed = context->seed;
	global_atomics_open(&context->global_atomics, machine, context->source, end);
}

/* The mechanisms that records name: which those are. config has seen that the machine has them. */
static uint32_t *places(const Machine *machine, const KernelInfo *kernel)
{
	GArray *named = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (uint32_t k = 0; kernel->mechanisms && kernel->mechanisms[k]; k++) {
		uint32_t place = mechanism_place(mechanism_find(kernel->mechanisms[k]));

		g_assert(machine->atomic.named >> place & 1);
		g_array_append_val(named, place);
	}
	return (uint32_t *)(void *)g_array_free(named, named->len == 0);
}

void run_open_context(Run *run)
{
	RunContext *context = &run->context;
	const Machine *machine = context->machine;
	RecordSource *source = context->source;

	context->local_bytes = local_bytes(&source->kernel);
	context->local_sm_bytes = local_sm_bytes(machine, &source->kernel);
	context->first_line = first_lines(machine, &source->kernel);
	context->register_warps = residency_warps_by_registers(machine, &source->kernel);
	context->named = places(machine, &source->kernel);
	bank_table_init(&context->banks, &machine->shared,
			residency_reach(machine, source, run->n_sms) / 4);
	if (atomic_has_locks(&machine->atomic) &&
	    (machine->ideal.lock_aliases || atomic_cam_entries(&machine->atomic) > 0))
		lock_map_init_words(&context->lock_map, context->banks.n_words);
	else if (atomic_has_locks(&machine->atomic))
		lock_map_init(&context->lock_map, &machine->atomic.lock_hash,
			      machine->atomic.locks, context->banks.n_words);
	issue_table_init(&context->issue_table, source->kernel.dataflow, machine->issue,
			 machine->ideal.issue);
	first_use_find(context, run->n_sms);
	open_memory(run);
}

void run_close_context(RunContext *context)
{
	if (context->memory)
		memory_free(context->memory);
	global_locks_free(context->global_locks);
	wait_loops_free(context->wait_loops);
	global_atomics_close(&context->global_atomics);
	g_free(context->buffer_base);
	g_free(context->first_use);
	issue_table_clear(&context->issue_table);
	lock_map_clear(&context->lock_map);
	bank_table_clear(&context->banks);
	g_free(context->first_line);
	g_free(context->named);
}
