/* SPDX-License-Identifier: MIT */
#include "list-source.h"

#include <string.h>

#include "base/error.h"
#include "config/config.h"
#include "transform/what-if.h"

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

	stream->stream = (WarpStream){.next = next, .close = stream_close};
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
		.mask = lanes_below(n),
	};

	for (uint32_t i = 0; i < n; i++)
		record.address[i] = words[i] * 4;
	return record;
}

Record list_plain(RecordKind kind, uint32_t count)
{
	return (Record){.kind = kind, .count = count};
}

void list_refuse(ListSource *list, const char *change, const char *words)
{
	g_autoptr(WhatIf) what_if = what_if_new();
	g_auto(ChangedSource) changed = {0};
	g_autoptr(GError) error = NULL;

	g_assert_true(what_if_add(what_if, change, &error));
	g_assert_false(
		what_if_apply(what_if, "test", &list->source, NULL, 0, &changed, &error));
	g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT);
	if (strstr(error->message, words) == NULL)
		g_error("'%s' does not say '%s'", error->message, words);
}

/* A machine's own structs live as long as the test. */
static Machine keep(Config *config)
{
	static GPtrArray *configs;

	if (!configs)
		configs = g_ptr_array_new();
	g_ptr_array_add(configs, config);
	return *config_machine(config);
}

Machine list_machine(const char *const *settings)
{
	g_autoptr(GError) error = NULL;
	Config *config = config_load_text("test", "{}", 2, settings, &error);

	g_assert_no_error(error);
	return keep(config);
}

Machine list_fermi(void)
{
	static GPtrArray *copies;
	static Machine fermi;
	Machine copy;

	if (!copies) {
		copies = g_ptr_array_new();
		fermi = list_machine(NULL);
	}
	copy = fermi;
	copy.atomic.own[MECHANISM_lock_bits] =
		g_memdup2(copy.atomic.own[MECHANISM_lock_bits], sizeof(LockBitsParameters));
	g_ptr_array_add(copies, (void *)copy.atomic.own[MECHANISM_lock_bits]);
	return copy;
}

LockBitsParameters *list_lock_bits(Machine *machine)
{
	return (LockBitsParameters *)machine->atomic.own[MECHANISM_lock_bits];
}

void list_run_ahead(Machine *machine)
{
	machine->sm.scoreboard = 1;
	machine->shared.scheduler_port_cycles = 4;
	machine->shared.warp_pass_cycles = 2;
	machine->shared.queue = 18;
	machine->shared.queue_release_cycles = 10;
}

Machine list_hopper(void)
{
	return list_hopper_with(NULL);
}

Machine list_hopper_with(const char *setting)
{
	const char *const settings[] = {"sm.max_warps=64",
					"sm.schedulers=4",
					"sm.scheduler=gto",
					"sm.issue_cycles=1",
					"sm.alu_latency_cycles=5",
					"shared.pass_cycles=1",
					"shared.conflict_latency_cycles=2",
					"shared.load_cycles=23",
					"shared.store_cycles=23",
					"atomic.mechanism=native",
					"atomic.mechanism_f32=cas-loop",
					"atomic.mechanism_64bit=cas-loop",
					"atomic.native.merge_increments=1",
					setting,
					NULL};
	Machine machine = list_machine(settings);

	list_run_ahead(&machine);
	return machine;
}
