/* SPDX-License-Identifier: MIT */
#include "model/memory/tlb-keys.h"

#include <stddef.h>

#include "model/memory/key-parts.h"
#include "model/memory/memory-parameters.h"

const Key tlb_keys[N_TLB_KEYS] = {
	{.path = "tlb.entry_kib",
	 KEY_NUMBER(TlbParameters, entry_kib, 0, 1 << 30),
	 .default_value = "0",
	 .unit = "KiB",
	 .multiple = 2048,
	 .doc = "Memory that an entry of a TLB translates. 0: no TLB is simulated. No entry is "
		"lost during a launch; launch.tlb says whether they are there at its begin.",
	 NEUTRAL},
	{.path = "tlb.walk_cycles",
	 KEY_CYCLES(TlbParameters, walk_cycles, 0),
	 .default_value = "0",
	 .needs = "tlb.entry_kib",
	 .doc = "Time of a page walk. Added for an access whose entry no TLB has; accesses of "
		"other SMs that need the same entry wait until it ends.",
	 NEUTRAL},
	{.path = "tlb.walk_interval_cycles",
	 KEY_CYCLES(TlbParameters, walk_interval_cycles, 0),
	 .default_value = "0",
	 .needs = "tlb.walk_cycles",
	 .doc = "Least time from the begin of a page walk to that of the next one.",
	 NEUTRAL},
};
