/* SPDX-License-Identifier: MIT */
#include "list-source.h"

#include <string.h>

typedef struct {
	WarpStream stream;
	const GArray *records;
	guint next;
} ListStream;

static StreamStatus next(WarpStream *base, Record *record)
{
	ListStream *stream = (ListStream *)base;

	if (stream->next == stream->records->len)
		return STREAM_END;
	*record = g_array_index(stream->records, Record, stream->next++);
	return STREAM_RECORD;
}

static void stream_close(WarpStream *stream)
{
	g_free(stream);
}

static void block_info(RecordSource *base, uint64_t block, BlockInfo *info)
{
	const ListSource *list = (const ListSource *)base;

	*info = (BlockInfo){block, list->n_warps, list->shared_bytes};
}

static WarpStream *open_warp(RecordSource *base, uint64_t block, uint32_t warp)
{
	const ListSource *list = (const ListSource *)base;
	ListStream *stream = g_new0(ListStream, 1);

	stream->stream = (WarpStream){next, stream_close};
	stream->records = list->warps[block * list->n_warps + warp];
	return &stream->stream;
}

ListSource *list_source_new(uint64_t n_blocks, uint32_t n_warps, uint32_t shared_bytes)
{
	ListSource *list = g_new0(ListSource, 1);
	Record exit = {.kind = RECORD_EXIT};

	list->source = (RecordSource){
		.n_blocks = n_blocks, .block_info = block_info, .open_warp = open_warp};
	list->n_warps = n_warps;
	list->shared_bytes = shared_bytes;
	list->warps = g_new(GArray *, n_blocks * n_warps);
	for (uint64_t i = 0; i < n_blocks * n_warps; i++) {
		list->warps[i] = g_array_new(FALSE, TRUE, sizeof(Record));
		g_array_append_val(list->warps[i], exit);
	}
	return list;
}

void list_source_free(ListSource *list)
{
	for (uint64_t i = 0; i < list->source.n_blocks * list->n_warps; i++)
		g_array_unref(list->warps[i]);
	g_free(list->warps);
	g_free(list);
}

void list_source_append(ListSource *list, uint64_t block, uint32_t warp, const Record *record)
{
	GArray *records = list->warps[block * list->n_warps + warp];

	g_array_insert_vals(records, records->len - 1, record, 1);
}

Record list_record(RecordKind kind, const uint32_t *words, uint32_t n)
{
	Record record = {
		.kind = kind,
		.width = 4,
		.type = TYPE_U32,
		.operation = OPERATION_ADD,
		.n_lanes = n,
		.mask = UINT32_MAX >> (32 - n),
	};

	for (uint32_t i = 0; i < n; i++)
		record.address[i] = words[i] * 4;
	return record;
}

Record list_plain(RecordKind kind, uint32_t count)
{
	return (Record){.kind = kind, .count = count};
}

Machine list_fermi(void)
{
	return (Machine){
		.name = "Fermi",
		.clock_mhz = 1544,
		.sm = {.count = 16,
		       .max_warps = 48,
		       .max_blocks = 8,
		       .schedulers = 2,
		       .scheduler = &scheduler_lrr,
		       .two_level_warps = 8,
		       .issue_cycles = 2,
		       .alu_latency_cycles = 22,
		       .barrier_cycles = 2,
		       .barrier_latency_cycles = 22,
		       .dispatch_cycles = 256},
		.shared = {.bytes = 49152,
			   .allocation_bytes = 128,
			   .banks = 32,
			   .bank_hash = {.name = "mod"},
			   .pass_cycles = 2,
			   .t_bank_cycles = 32,
			   .load_cycles = 52,
			   .store_cycles = 36},
		.atomic = {.mechanism = &mechanism_lock_bits,
			   .locks = 1024,
			   .lock_hash = {.name = "mod"},
			   .winner = WINNER_LOWEST,
			   .t_base_cycles = 108,
			   .t_position_cycles = 120,
			   .lk_cycles = 52,
			   .operation_cycles = 20,
			   .native_cycles = 27,
			   .native_cas_cycles = 31,
			   .native_cas_passes = 2,
			   .loop_swap_passes = 2,
			   .loop_exit_cycles = 28,
			   .loop_retry_cycles = 15,
			   .loop_split_cycles = 31,
			   .loop_switch_cycles = 66,
			   .loop_leave_cycles = 3,
			   .loop_wide_cycles = 16,
			   .loop_halves_cycles = 4},
		.global = {.latency_cycles = 600, .bandwidth_mb_per_s = 192400},
		.sim = {.watchdog_cycles = 10000000},
	};
}

void list_run_ahead(Machine *machine)
{
	machine->sm.scoreboard = 1;
	machine->shared.port_cycles = 4;
	machine->shared.port_pass_cycles = 2;
	machine->shared.queue = 18;
	machine->shared.queue_cycles = 10;
	machine->atomic.native_merge = 1;
}

Machine list_hopper(void)
{
	Machine machine = list_fermi();

	machine.sm.max_warps = 64;
	machine.sm.schedulers = 4;
	machine.sm.scheduler = &scheduler_gto;
	machine.sm.issue_cycles = 1;
	machine.sm.alu_latency_cycles = 5;
	machine.shared.pass_cycles = 1;
	machine.shared.t_bank_cycles = 2;
	machine.shared.load_cycles = machine.shared.store_cycles = 23;
	machine.atomic.mechanism = &mechanism_native;
	machine.atomic.mechanism_f32 = machine.atomic.mechanism_64bit = &mechanism_cas_loop;
	machine.atomic.operation_cycles = 10;
	list_run_ahead(&machine);
	return machine;
}
