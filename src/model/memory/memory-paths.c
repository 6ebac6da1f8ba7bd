/* SPDX-License-Identifier: MIT */
#include "model/memory/memory-parameters.h"

void paths_take_complete(const PathParameters *paths, L2Parameters *l2,
			 NetworkParameters *network)
{
	network->load_cycles = network->atomic_cycles = paths->complete_cycles;
	l2->full_sector_mclk = paths->complete_sector_mclk;
	l2->result_turns = paths->result_turns;
}
