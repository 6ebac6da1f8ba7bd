/* SPDX-License-Identifier: MIT */
#include "model/memory/dram-keys.h"

#include <stddef.h>

#include "model/memory/key-parts.h"
#include "model/memory/memory-parameters.h"

#define DRAM(field, from, to)                                                                  \
	.path = "dram." #field, KEY_NUMBER(DramParameters, field, from, to)

const Key dram_keys[N_DRAM_KEYS] = {
	{DRAM(capacity_kib, 0, UINT32_MAX), .default_value = "0", .unit = "KiB",
	 .doc = "How much of a kernel's buffers is in the L2 when the kernel begins; 0: all.",
	 NEUTRAL},
	{DRAM(home_capacity_kib, 0, UINT32_MAX), .default_value = "0", .unit = "KiB",
	 .doc = "The same of lines in their home partition alone (launch.l2 home). Loads and "
		"stores that stream through more than 7/8 of it find none. 0: as the other.",
	 NEUTRAL},
	{DRAM(latency_cycles, 0, 1000000), .default_value = "0", .unit = "cycles",
	 .doc = "Added for what is not in the L2.", NEUTRAL},
	{DRAM(slow_lines, 0, 1 << 20), .default_value = "0", .unit = "lines",
	 .doc = "One line in this many, by a hash of its page and slice, takes longer. 0: "
		"none.",
	 NEUTRAL},
	{DRAM(slow_cycles, 0, 1000000), .default_value = "0", .unit = "cycles",
	 .needs = "dram.slow_lines",
	 .doc = "Longest time added; all up to it are equally likely.", NEUTRAL},
	{DRAM(channels, 1, 1024), .default_value = "1", .unit = "channels",
	 .doc = "Channels of equal bandwidth. Slices are assigned to them round robin.",
	 NEUTRAL},
	{DRAM(load_mcycles, 0, MAX_MILLI), .default_value = "0", .unit = "1/1000 cycle",
	 .doc = "Time of the whole DRAM for a line of which something is read.", NEUTRAL,
	 .replaces = "dram.load_sector_mcycles"},
	{DRAM(store_mcycles, 0, MAX_MILLI), .default_value = "0", .unit = "1/1000 cycle",
	 .doc = "Time of the whole DRAM for a line that is only written.", NEUTRAL},
	{DRAM(atomic_mcycles, 0, MAX_MILLI), .default_value = "0", .unit = "1/1000 cycle",
	 .doc = "Time of the whole DRAM for a line that is read and written back.", NEUTRAL,
	 .replaces = "dram.atomic_sector_mcycles"},
};
