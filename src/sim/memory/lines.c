/* SPDX-License-Identifier: MIT */
/* Which lines the L2 holds and in which partitions, and what brings others: copies for loads, and DRAM. */
#include "sim/memory/state.h"

/* Of the L2, what a launch may touch and find all of it when it runs again: `sum` and `copy` of transfers.csv read a third and a tenth of 45
   and 41 MiB from DRAM, nearly all of 48 MiB. */
static uint64_t resident_bytes(const DramParameters *dram)
{
	return (uint64_t)dram->home_capacity_kib * 1024 / 8 * 7;
}

void memory_walk(Memory *memory, const DramParameters *dram, uint64_t footprint_bytes,
		 uint64_t n_records)
{
	const uint64_t resident = resident_bytes(dram);

	if (resident == 0 || (n_records > 0 && n_records < resident / MEMORY_ACCESS_BYTES))
		return;
	memory->walks = true;
	if (footprint_bytes > resident)
		memory->residency = residency_new((uint64_t)dram->home_capacity_kib * 1024);
}

uint32_t line_served(const Memory *memory, const Node *node, AccessKind kind, uint64_t line,
		     bool *away)
{
	SlicePlace place = slice_place(memory->l2, line);

	*away = place.partition != node->place.partition;
	/* Each partition keeps a copy for loads. Stores are taken for as near. */
	if (kind < ACCESS_ATOMIC)
		place.partition = node->place.partition;
	return place.partition * memory->l2->slices + place.slice;
}

static LaunchL2 found_as(const Memory *memory, uint64_t line)
{
	uint32_t low = 0, high = memory->n_found;

	if (!memory->found)
		return memory->found_all;
	while (low + 1 < high) {
		const uint32_t middle = (low + high) / 2;

		if (line < memory->found[middle - 1].end)
			high = middle;
		else
			low = middle;
	}
	return memory->found[low].l2;
}

/* Whether a partition that is not a line's home has a copy for loads; from then on it has one if there was none when the kernel
   began. */
static bool is_copied(const Memory *memory, const Node *node, uint64_t line)
{
	const LaunchL2 found = found_as(memory, line);

	if (found == LAUNCH_L2_WARM || !memory->copied)
		return memory_holds(memory->copies, line);
	if (found == LAUNCH_L2_WRITTEN &&
	    memory->written_by[line / WRITTEN_LINES % memory->n_writers] ==
		    node->place.partition)
		return true;
	if (line_table_get(memory->copied, line * 2 + node->place.partition))
		return true;
	line_table_set(memory->copied, line * 2 + node->place.partition, 1);
	return false;
}

/* When this kernel has a line in the L2 of which nothing was there before; 0: nobody has asked for it. */
static Tick fetched_at(const Memory *memory, uint64_t line)
{
	return line_table_get(memory->fetched, line);
}

/* Whether no line of its buffer was there when the kernel began. */
static bool is_cold(const Memory *memory, uint64_t line)
{
	return memory->fetched && found_as(memory, line) == LAUNCH_L2_COLD;
}

static bool holds(const Memory *memory, AccessKind kind, uint64_t line)
{
	if (kind < ACCESS_ATOMIC && memory->residency)
		return residency_there_at(memory->residency, line) > 0;
	if (is_cold(memory, line))
		return fetched_at(memory, line) > 0;
	return (kind < ACCESS_ATOMIC && memory->walks) || dram_holds(&memory->dram, line);
}

bool line_is_brought(const Memory *memory, const Node *node, uint64_t line)
{
	if (slice_place(memory->l2, line).partition == node->place.partition)
		return false;
	/* What comes from DRAM comes by the side where it is at home (issue-dram-lines.csv: the lines of one side take 205 cycles more). */
	return !is_copied(memory, node, line) || !holds(memory, ACCESS_LOAD, line);
}

static uint32_t home_slice(const Memory *memory, uint64_t line)
{
	const SlicePlace place = slice_place(memory->l2, line);

	return place.partition * memory->l2->slices + place.slice;
}

/* A store of whole sectors needs nothing of them. */
static DramUse use_of(const Flying *flying)
{
	const Packet *packet = &flying->packet;

	if (flying->kind == ACCESS_LOAD)
		return DRAM_READ;
	return flying->kind == ACCESS_STORE && packet->full == packet->sectors ? DRAM_WRITE
									       : DRAM_UPDATE;
}

static Tick go_to_dram(Memory *memory, Flying *flying, DramUse use, Tick now)
{
	const Packet *packet = &flying->packet;

	if (use != DRAM_WRITE) {
		flying->dram = true;
		memory->counters.missed_sectors += (uint64_t)packet_sectors(packet);
	}
	return dram_access(&memory->dram, use, packet->line, home_slice(memory, packet->line),
			   now);
}

/* From DRAM: returns when it is there. */
static Tick fetch(Memory *memory, Flying *flying, Tick now)
{
	const uint64_t line = flying->packet.line;
	const bool cold = is_cold(memory, line);
	Tick there;

	/* Stores need nothing of the line that they write (history.csv: to a new buffer they take as long as to another). */
	if (cold && flying->kind == ACCESS_STORE) {
		line_table_set(memory->fetched, line, MAX(now, 1));
		return now;
	}
	there = go_to_dram(memory, flying, use_of(flying), now);
	if (cold)
		line_table_set(memory->fetched, line, there);
	return there;
}

/* A load or store of a launch for which there is no room. */
static Tick bring_or_write(Memory *memory, Flying *flying, Tick now)
{
	const uint64_t line = flying->packet.line;
	const bool stores = flying->kind == ACCESS_STORE;
	Tick there = residency_there_at(memory->residency, line);

	if (there == 0) {
		there = go_to_dram(memory, flying, use_of(flying), now);
		residency_bring(memory->residency, line, MAX(there, 1));
		if (stores)
			residency_store(memory->residency, line);
		return there;
	}
	if (stores)
		return residency_store(memory->residency, line)
			       ? now
			       : go_to_dram(memory, flying, DRAM_WRITE, now);
	if (there > now)
		flying->dram = true;
	return MAX(there, now);
}

Tick line_bring(Memory *memory, Flying *flying)
{
	const uint64_t line = flying->packet.line;
	const Tick now = flying->event.at;

	if (G_UNLIKELY(memory->residency) && flying->kind < ACCESS_ATOMIC)
		return bring_or_write(memory, flying, now);
	if (!holds(memory, (AccessKind)flying->kind, line))
		return fetch(memory, flying, now);
	if (!is_cold(memory, line) || fetched_at(memory, line) <= now)
		return now;
	flying->dram = true;
	return fetched_at(memory, line);
}
