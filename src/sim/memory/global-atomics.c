/* SPDX-License-Identifier: MIT */
#include "sim/memory/global-atomics.h"

#include <glib.h>

static bool warp_has_atomic(RecordSource *source, uint64_t block, uint32_t warp)
{
	WarpStream *stream = source->open_warp(source, block, warp);
	Record record;
	bool found = false;

	while (stream && !found && stream->next(stream, &record) == STREAM_RECORD)
		found = record.kind == RECORD_ATOMG ||
			(record.kind == RECORD_LOCK && record_in_buffer(&record));
	if (stream)
		stream->close(stream);
	return found;
}

bool global_atomics_in(RecordSource *source)
{
	if (source->kernel.global_atomics != KERNEL_UNKNOWN)
		return source->kernel.global_atomics == KERNEL_HAS;
	for (uint64_t block = 0; block < source->n_blocks; block++) {
		BlockInfo info;

		source->block_info(source, block, &info);
		for (uint32_t warp = 0; warp < info.n_warps; warp++)
			if (warp_has_atomic(source, block, warp))
				return true;
	}
	return false;
}

static void look_at_grid(GlobalAtomics *atomics, RecordSource *source)
{
	for (uint64_t block = 0; block < source->n_blocks; block++) {
		BlockInfo info;

		source->block_info(source, block, &info);
		atomics->block_warps = MAX(atomics->block_warps, info.n_warps);
	}
	atomics->kernel.n_warps =
		(uint32_t)MIN(source->n_blocks * atomics->block_warps, UINT32_MAX);
}

void global_atomics_open(GlobalAtomics *atomics, const Machine *machine, RecordSource *source,
			 uint64_t first_byte)
{
	atomics->parameters = &machine->global_atomic;
	atomics->kernel.trip_cycles = machine->network->load_cycles;
	atomics->kernel.at_once = machine->ideal.l2_atomics;
	atomics->in_kernel = global_atomics_in(source);
	if (!atomics->in_kernel)
		return;
	look_at_grid(atomics, source);
	for (uint32_t m = 0; m < N_GLOBAL_MECHANISMS; m++) {
		const GlobalMechanism *mechanism = global_mechanisms[m];

		/* Updates are loops on every machine. */
		if (!global_mechanism_in_use(atomics->parameters, mechanism) &&
		    mechanism != &global_mechanism_cas_loop)
			continue;
		atomics->own_base[m] = first_byte;
		if (mechanism->own_area)
			first_byte += mechanism->own_area(&atomics->kernel);
		if (mechanism->new_common)
			atomics->common[m] = mechanism->new_common(atomics->parameters->own[m],
								   &atomics->kernel);
	}
}

void global_atomics_close(GlobalAtomics *atomics)
{
	for (uint32_t m = 0; m < N_GLOBAL_MECHANISMS; m++)
		if (atomics->common[m])
			global_mechanisms[m]->free_common(atomics->common[m]);
}

Cycle global_atomics_finish(const GlobalAtomics *atomics, Cycle last)
{
	Cycle end = last;

	for (uint32_t m = 0; m < N_GLOBAL_MECHANISMS; m++)
		if (atomics->common[m] && global_mechanisms[m]->finish)
			end = MAX(end, global_mechanisms[m]->finish(atomics->common[m], last));
	return end;
}

void global_atomics_count(const GlobalAtomics *atomics, MemoryCounters *counters)
{
	for (uint32_t m = 0; m < N_GLOBAL_MECHANISMS; m++)
		if (atomics->common[m] && global_mechanisms[m]->count)
			global_mechanisms[m]->count(atomics->common[m], counters);
}
