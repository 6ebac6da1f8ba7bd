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

/* What a cold launch fetches from DRAM, and what comes from the other partition, comes by halves of lines (measurements/h200/sectors.csv: of the four sectors of a line in any
   order the first of each half takes longer). */
#define HALVES 2

static uint64_t half_of(uint64_t line, uint32_t i)
{
	return line * HALVES + i;
}

/* The sectors (bits) of it that a packet has. */
static uint32_t half_sectors(const Packet *packet, uint32_t i)
{
	const uint32_t each = LINE_SECTORS / HALVES;

	return packet->sectors & ((1u << each) - 1) << each * i;
}

/* Whether no line of its buffer was there when the kernel began. */
static bool is_cold(const Memory *memory, uint64_t line)
{
	return memory->fetched && found_as(memory, line) == LAUNCH_L2_COLD;
}

static bool holds(const Memory *memory, AccessKind kind, uint64_t line)
{
	return (kind < ACCESS_ATOMIC && memory->walks) || dram_holds(&memory->dram, line);
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

/* For these sectors of the packet. */
static void count_missed(Memory *memory, Flying *flying, uint32_t sectors)
{
	Packet missed = flying->packet;

	missed.sectors &= sectors;
	flying->dram = true;
	memory->counters.missed_sectors += (uint64_t)packet_sectors(&missed);
}

static Tick go_to_dram(Memory *memory, Flying *flying, DramUse use, Tick now)
{
	const Packet *packet = &flying->packet;

	if (use != DRAM_WRITE)
		count_missed(memory, flying, packet->sectors);
	return dram_access(&memory->dram, use, packet->line, home_slice(memory, packet->line),
			   now);
}

/* Stores need nothing of the line that they write (history.csv: to a new buffer they take as long as to another). */
static Tick write_cold(Memory *memory, const Packet *packet, Tick now)
{
	for (uint32_t i = 0; i < HALVES; i++) {
		const uint64_t half = half_of(packet->line, i);

		if (half_sectors(packet, i) && line_table_get(memory->fetched, half) == 0)
			line_table_set(memory->fetched, half, MAX(now, 1));
	}
	return now;
}

/* Of a launch that finds its lines cold: when the packet's are there; those that nobody has asked for come from DRAM. The second half of a line
   takes no turn of its channel, as single sectors of lines come no faster than whole ones (dram.h). */
static Tick fetch(Memory *memory, Flying *flying, Tick now)
{
	const Packet *packet = &flying->packet;
	uint32_t missing = 0;
	Tick there = now, fetched;
	bool other = false;

	for (uint32_t i = 0; i < HALVES; i++) {
		const Tick at = line_table_get(memory->fetched, half_of(packet->line, i));

		other |= at > 0;
		if (at == 0)
			missing |= half_sectors(packet, i);
		else if (half_sectors(packet, i))
			there = MAX(there, at);
	}
	flying->dram |= there > now;
	if (missing == 0)
		return there;
	count_missed(memory, flying, missing);
	fetched = other ? now + dram_latency(&memory->dram, packet->line)
			: dram_access(&memory->dram, use_of(flying), packet->line,
				      home_slice(memory, packet->line), now);
	for (uint32_t i = 0; i < HALVES; i++)
		if (half_sectors(packet, i) & missing)
			line_table_set(memory->fetched, half_of(packet->line, i), fetched);
	return MAX(there, fetched);
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

/* When the line is in the partition where it is at home. */
static Tick bring_home(Memory *memory, Flying *flying, Tick now)
{
	const uint64_t line = flying->packet.line;

	if (G_UNLIKELY(memory->residency) && flying->kind < ACCESS_ATOMIC)
		return bring_or_write(memory, flying, now);
	if (is_cold(memory, line))
		return flying->kind == ACCESS_STORE ? write_cold(memory, &flying->packet, now)
						    : fetch(memory, flying, now);
	if (!holds(memory, (AccessKind)flying->kind, line))
		return go_to_dram(memory, flying, use_of(flying), now);
	return now;
}

/* When a partition that is not the line's home has a copy for a load, where it has one as soon as it is home. */
static Tick bring_copy(Memory *memory, const Flying *flying, uint32_t partition, Tick home)
{
	const Packet *packet = &flying->packet;
	const LaunchL2 found = found_as(memory, packet->line);
	const Tick copied = home + (Tick)memory->network->far_load_cycles * TICKS_PER_CYCLE;
	Tick there = home;

	/* What comes from DRAM comes by the side where it is at home (issue-dram-lines.csv: the lines of one side take 205 cycles more). */
	if (found == LAUNCH_L2_WARM || !memory->copied)
		return memory_holds(memory->copies, packet->line) && !flying->dram ? home
										   : copied;
	if (found == LAUNCH_L2_WRITTEN &&
	    memory->written_by[packet->line / WRITTEN_LINES % memory->n_writers] == partition)
		return home;
	for (uint32_t i = 0; i < HALVES; i++) {
		const uint64_t place = half_of(packet->line, i) * 2 + partition;
		Tick at = line_table_get(memory->copied, place);

		if (!half_sectors(packet, i))
			continue;
		if (at == 0)
			line_table_set(memory->copied, place, at = MAX(copied, 1));
		there = MAX(there, at);
	}
	return there;
}

Tick line_bring(Memory *memory, Flying *flying)
{
	const uint32_t partition = memory->nodes[flying->event.sm].place.partition;
	const Tick home = bring_home(memory, flying, flying->event.at);

	if (flying->kind != ACCESS_LOAD ||
	    slice_place(memory->l2, flying->packet.line).partition == partition)
		return home;
	return bring_copy(memory, flying, partition, home);
}
