/* SPDX-License-Identifier: MIT */
#include "replay/launch-time.h"

uint64_t launch_busy_cycles(const Machine *machine, const Statistics *statistics)
{
	return statistics->busy_cycles + machine->sm.launch_cycles;
}

uint64_t launch_ended_cycles(const Machine *machine, const Statistics *statistics)
{
	/* Where many blocks end at once, the GPU takes note of the last long after. */
	return MAX(statistics->cycles,
		   statistics->first_block_end +
			   statistics->blocks * machine->sm.block_end_mcycles / 1000);
}

uint64_t launch_elapsed_cycles(const Machine *machine, const Statistics *statistics)
{
	/* At most 10^9 ns at 10^5 MHz: 64 bits hold the product. */
	return launch_ended_cycles(machine, statistics) +
	       ((uint64_t)machine->launch_ns * machine->clock_mhz + 500) / 1000;
}

double launch_cost_us(const Machine *machine, uint32_t n)
{
	return machine->launch_ns / 1e3 * n;
}

double launch_time_us(const Machine *machine, uint64_t cycles)
{
	return (double)cycles / machine->clock_mhz + launch_cost_us(machine, 1);
}

double launch_duration_us(const Machine *machine, const Statistics *statistics)
{
	return machine->launch_ns > 0
		       ? launch_time_us(machine, launch_ended_cycles(machine, statistics))
		       : 0;
}
