/* SPDX-License-Identifier: MIT */
#include "sim/run/block-log.h"

BlockLog *block_log_new(uint64_t n_blocks)
{
	BlockLog *log = g_new0(BlockLog, 1);

	log->blocks = g_new0(BlockTimes, n_blocks);
	log->of_sms = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	return log;
}

void block_log_free(BlockLog *log)
{
	g_ptr_array_unref(log->of_sms);
	g_free(log->blocks);
	g_free(log);
}

void block_log_dispatched(BlockLog *log, uint64_t block, uint32_t sm, Cycle start)
{
	GArray *blocks;

	while (log->of_sms->len <= sm)
		g_ptr_array_add(log->of_sms, g_array_new(FALSE, FALSE, sizeof(uint64_t)));
	blocks = g_ptr_array_index(log->of_sms, sm);
	log->blocks[block].sm = sm;
	log->blocks[block].place = blocks->len;
	log->blocks[block].start = start;
	g_array_append_val(blocks, block);
}

void block_log_ended(BlockLog *log, uint64_t block, Cycle end)
{
	if (log)
		log->blocks[block].end = end;
}

/* The block, or the one of the SM that does what its SM does. */
static const BlockTimes *times_of(const BlockLog *log, uint64_t block)
{
	const BlockTimes *own = &log->blocks[block];
	const GArray *leads;

	if (own->end > 0 || own->sm >= log->of_sms->len)
		return own;
	leads = g_ptr_array_index(log->of_sms, log->leads ? log->leads[own->sm] : own->sm);
	return own->place < leads->len
		       ? &log->blocks[g_array_index(leads, uint64_t, own->place)]
		       : own;
}

Cycle block_log_cycles(const BlockLog *log, uint64_t block)
{
	const BlockTimes *times = times_of(log, block);

	return times->end > 0 ? times->end - times->start : 0;
}

void block_log_close(BlockLog *log)
{
	for (guint sm = 0; sm < log->of_sms->len; sm++) {
		const GArray *blocks = g_ptr_array_index(log->of_sms, sm);

		for (guint k = 0; k < blocks->len; k++) {
			const uint64_t block = g_array_index(blocks, uint64_t, k);
			const BlockTimes *times = times_of(log, block);

			log->blocks[block].end = times->end;
		}
	}
	log->leads = NULL;
}
