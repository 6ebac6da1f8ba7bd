/* SPDX-License-Identifier: MIT */
#include "model/memory/tlb-keys.h"

#include <stddef.h>

#include "model/memory/memory-parameters.h"

#define NEUTRAL .neutral = true, .source = "costs nothing unless a config sets it"

const Key tlb_keys[N_TLB_KEYS] = {
	{.path = "tlb.entry_kib",
	 KEY_NUMBER(TlbParameters, entry_kib, 0, 1 << 30),
	 .default_value = "0",
	 .unit = "KiB",
	 .multiple = 2048,
	 .doc = "Memory that an entry of a TLB translates. 0: no TLB is simulated. The GPU has "
		"a TLB for all SMs and one for each cluster of SMs. They lose no entry during "
		"a "
		"launch; launch.tlb says which they have when it begins.",
	 NEUTRAL},
	{.path = "tlb.miss_cycles",
	 KEY_CYCLES(TlbParameters, miss_cycles, 0),
	 .default_value = "0",
	 .needs = "tlb.entry_kib",
	 .doc = "Added for an access whose entry the TLB of the cluster lacks and the TLB of "
		"all SMs has.",
	 NEUTRAL},
	{.path = "tlb.walk_cycles",
	 KEY_CYCLES(TlbParameters, walk_cycles, 0),
	 .default_value = "0",
	 .needs = "tlb.entry_kib",
	 .doc = "Time of a page walk. Added for an access whose entry no TLB has; accesses of "
		"other SMs that need the same entry wait until it ends.",
	 NEUTRAL},
};
