/* SPDX-License-Identifier: MIT */
/* Lines of stores that wait to leave their SM. */
#include "sim/memory/store-queue.h"

static WaitingLine *waiting_line(StoreQueue *queue, uint32_t n_lines, uint64_t line, Cycle now)
{
	for (uint32_t i = 0; i < n_lines; i++)
		if (queue->waiting[i].leaves > now && queue->waiting[i].line == line)
			return &queue->waiting[i];
	return NULL;
}

void store_queue_take(StoreQueue *queue, StoredSectors *stored, uint32_t n_lines, Cycle now)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < stored->n; i++) {
		const uint64_t sector = stored->sector[i], number = sector / L1_LINE_SECTORS;
		const uint32_t bit = 1u << sector % L1_LINE_SECTORS;
		WaitingLine *line = waiting_line(queue, n_lines, number, now);

		if (line && line->sectors & bit)
			continue;
		if (!line) {
			line = &queue->waiting[queue->next];
			*line = (WaitingLine){number, NEVER, 0};
			queue->next = (queue->next + 1) % n_lines;
		}
		line->sectors |= bit;
		stored->sector[n] = sector;
		stored->bytes[n++] = stored->bytes[i];
	}
	stored->n = n;
}

void store_queue_leaves(StoreQueue *queue, uint32_t n_lines, Cycle at)
{
	for (uint32_t i = 0; i < n_lines; i++)
		if (queue->waiting[i].leaves == NEVER)
			queue->waiting[i].leaves = at;
}
