/* SPDX-License-Identifier: MIT */
#include "sim/sm/residency.h"

#include <glib.h>

uint32_t residency_bytes(const SharedParameters *p, const BlockInfo *info)
{
	uint32_t bytes = info->shared_bytes + p->reserved_bytes;

	return (bytes + p->allocation_bytes - 1) / p->allocation_bytes * p->allocation_bytes;
}

uint32_t residency_reach(const Machine *machine, RecordSource *source, uint32_t n_sms)
{
	const SharedParameters *p = &machine->shared;
	uint32_t least = UINT32_MAX, most = 0, n_warps = UINT32_MAX;
	uint64_t n = MIN(machine->sm.max_blocks, source->n_blocks), bytes;
	bool used = false;

	for (uint64_t block = 0; block < source->n_blocks; block++) {
		BlockInfo info;

		source->block_info(source, block, &info);
		least = MIN(least, residency_bytes(p, &info));
		most = MAX(most, residency_bytes(p, &info));
		n_warps = MIN(n_warps, info.n_warps);
		used |= info.shared_bytes > 0;
	}
	if (!used) /* what is reserved has no word that a record could name */
		return 0;
	n = MIN(n, machine->sm.max_warps / MAX(n_warps, 1));
	if (source->n_blocks <= n_sms) /* they go out round robin */
		n = 1;
	/* Blocks of one size lie side by side; else places too small for one may lie before each. */
	bytes = least == most ? n * most : 2 * n * most;
	return (uint32_t)MIN(bytes, p->bytes);
}

uint32_t residency_warp_registers(const Machine *machine, const KernelInfo *kernel)
{
	const uint32_t unit = machine->sm.register_allocation;
	const uint32_t each =
		machine->launch.registers ? machine->launch.registers : kernel->registers;

	return (each * kernel_warp_lanes(kernel) + unit - 1) / unit * unit;
}

uint32_t residency_warps_by_registers(const Machine *machine, const KernelInfo *kernel)
{
	const SmParameters *p = &machine->sm;
	const uint32_t each = residency_warp_registers(machine, kernel);

	if (p->registers == 0 || each == 0)
		return UINT32_MAX;
	return p->registers / p->schedulers / each * p->schedulers;
}

uint32_t residency_blocks(const Machine *machine, const KernelInfo *kernel,
			  const BlockInfo *info)
{
	const uint32_t n =
		MIN(machine->sm.max_warps, residency_warps_by_registers(machine, kernel)) /
		MAX(info->n_warps, 1);
	const uint32_t m =
		machine->shared.bytes / MAX(residency_bytes(&machine->shared, info), 1);

	return MIN(MIN(n, m), machine->sm.max_blocks);
}

uint32_t residency_l1_bytes(const Machine *machine, RecordSource *source)
{
	/* NVIDIA's CUDA C++ Programming Guide, compute capability 9.0. */
	static const uint32_t steps_kib[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
	const uint32_t both = machine->global.l1_bytes;
	BlockInfo info;
	uint32_t bytes, taken = 0;

	if (source->kernel.n_buffers == 0)
		return 0;
	if (machine->global.l1_split == L1_SPLIT_NONE || source->n_blocks == 0)
		return both;
	source->block_info(source, 0, &info);
	bytes = MAX(residency_bytes(&machine->shared, &info), 1) *
		residency_blocks(machine, &source->kernel, &info);
	for (uint32_t i = 0; i < G_N_ELEMENTS(steps_kib) && taken < bytes; i++)
		taken = steps_kib[i] * 1024;
	return both - MIN(taken, both);
}
