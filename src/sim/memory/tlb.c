/* SPDX-License-Identifier: MIT */
#include "sim/memory/tlb.h"

#include <glib.h>

#include "model/memory/coalesce.h"
#include "sim/memory/line-table.h"

struct Tlb {
	uint64_t entry_lines;
	Tick walk, interval;
	Tick next;	    /* when the next walk can begin */
	LineTable *entries; /* when each is there, 1 added; 0: nobody has asked */
};

Tlb *tlb_new(const TlbParameters *parameters)
{
	Tlb *tlb = g_new0(Tlb, 1);

	tlb->entry_lines = (uint64_t)parameters->entry_kib * 1024 / LINE_BYTES;
	tlb->walk = (Tick)parameters->walk_cycles * TICKS_PER_CYCLE;
	tlb->interval = (Tick)parameters->walk_interval_cycles * TICKS_PER_CYCLE;
	tlb->entries = line_table_new();
	return tlb;
}

void tlb_free(Tlb *tlb)
{
	if (!tlb)
		return;
	line_table_free(tlb->entries);
	g_free(tlb);
}

Tick tlb_translate(Tlb *tlb, uint64_t line, Tick at)
{
	const uint64_t entry = line / tlb->entry_lines;
	const Tick known = line_table_get(tlb->entries, entry);

	if (known > 0)
		return MAX(at, known - 1);
	if (tlb->interval > 0) {
		at = MAX(at, tlb->next);
		tlb->next = at + tlb->interval;
	}
	line_table_set(tlb->entries, entry, at + tlb->walk + 1);
	return at + tlb->walk;
}
