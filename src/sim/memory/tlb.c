/* SPDX-License-Identifier: MIT */
#include "sim/memory/tlb.h"

#include <glib.h>

#include "model/memory/coalesce.h"
#include "sim/memory/line-table.h"

struct Tlb {
	uint64_t entry_lines;
	Tick miss, walk;
	bool is_empty;
	uint32_t n_buffers;
	TlbBuffer *buffers;
	/* When entries are there, and at the cluster (entry * MAX_CLUSTERS + cluster), 1 added; 0: nobody has asked. */
	LineTable *all, *of_cluster;
};

#define MAX_CLUSTERS 4096

Tlb *tlb_new(const TlbParameters *parameters, bool is_empty, TlbBuffer *buffers, uint32_t n)
{
	Tlb *tlb = g_new0(Tlb, 1);

	tlb->entry_lines = (uint64_t)parameters->entry_kib * 1024 / LINE_BYTES;
	tlb->miss = (Tick)parameters->miss_cycles * TICKS_PER_CYCLE;
	tlb->walk = (Tick)parameters->walk_cycles * TICKS_PER_CYCLE;
	tlb->is_empty = is_empty;
	tlb->buffers = buffers;
	tlb->n_buffers = n;
	tlb->all = line_table_new();
	tlb->of_cluster = line_table_new();
	return tlb;
}

void tlb_free(Tlb *tlb)
{
	if (!tlb)
		return;
	line_table_free(tlb->all);
	line_table_free(tlb->of_cluster);
	g_free(tlb->buffers);
	g_free(tlb);
}

/* Whether a kernel had used a buffer of which the entry translates a part. */
static bool is_used(const Tlb *tlb, uint64_t entry)
{
	const uint64_t first = entry * tlb->entry_lines, end = first + tlb->entry_lines;
	uint32_t low = 0, high = tlb->n_buffers;

	/* The first buffer that ends behind `first`. */
	while (low < high) {
		const uint32_t middle = (low + high) / 2;

		if (tlb->buffers[middle].end <= first)
			low = middle + 1;
		else
			high = middle;
	}
	for (uint32_t i = low; i < tlb->n_buffers; i++) {
		if (tlb->buffers[i].used)
			return true;
		if (tlb->buffers[i].end >= end)
			break;
	}
	return false;
}

/* In the TLB of all SMs. */
static Tick walked_at(Tlb *tlb, uint64_t entry, Tick at)
{
	const Tick known = line_table_get(tlb->all, entry);

	if (!tlb->is_empty)
		return 0;
	if (known > 0)
		return known - 1;
	line_table_set(tlb->all, entry, at + tlb->walk + 1);
	return at + tlb->walk;
}

Tick tlb_translate(Tlb *tlb, uint32_t cluster, uint64_t line, Tick at)
{
	const uint64_t entry = line / tlb->entry_lines;
	const uint64_t place = entry * MAX_CLUSTERS + cluster;
	const Tick known = line_table_get(tlb->of_cluster, place);
	Tick there = at;

	if (known > 0)
		return MAX(at, known - 1);
	if (tlb->is_empty || !is_used(tlb, entry))
		there = MAX(walked_at(tlb, entry, at), at + tlb->miss);
	line_table_set(tlb->of_cluster, place, there + 1);
	return there;
}
