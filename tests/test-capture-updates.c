/* SPDX-License-Identifier: MIT */
/* A program's own loops of compare-and-swaps: which are updates, and that how often they were tried makes no difference. */
#include <glib.h>
#include <string.h>

#include "capture-tools.h"

#define ATOMIC (RAW_READ | RAW_WRITE)

static const RawMemory memory[] = {{0x100000, 0x2000}};

#define HEAD   ".target sm_90\n.text.k:\n"
#define LOAD   "/*0000*/ LDG.E R6, desc[UR4][R4.64] ;\n"
#define SWAP   "ATOMG.E.CAS.STRONG.GPU PT, R7, [R4], R6, R7 ;\n"
#define DIFFER "ISETP.NE.AND P0, PT, R7, R6, PT ;\n"
#define AGAIN  "IMAD.MOV.U32 R6, RZ, RZ, R7 ;\n"

typedef struct {
	const char *name, *code;
	uint64_t swap; /* its offset */
	uint64_t load; /* the load of each attempt; 0: none */
	bool update;
	ValueType type;
} Row;

static const Row rows[] = {
	{"a multiplication",
	 HEAD LOAD ".L_1:\n/*0010*/ FMUL R7, R6, 1.5 ;\n/*0020*/ " SWAP "/*0030*/ " DIFFER
		   "/*0040*/ " AGAIN "/*0050*/ @P0 BRA `(.L_1) ;\n/*0060*/ EXIT ;\n",
	 0x20, 0, true, TYPE_U32},
	{"64 bits",
	 HEAD LOAD ".L_1:\n/*0010*/ IADD3 R10, P0, R6, 0x1, RZ ;\n"
		   "/*0020*/ ATOMG.E.CAS.64.STRONG.GPU PT, R8, [R4], R6, R10 ;\n"
		   "/*0030*/ ISETP.NE.U32.AND P0, PT, R8, R6, PT ;\n"
		   "/*0040*/ MOV R6, R8 ;\n/*0050*/ @P0 BRA `(.L_1) ;\n/*0060*/ EXIT ;\n",
	 0x20, 0, true, TYPE_U64},
	{"a load in each attempt",
	 HEAD "/*0000*/ NOP ;\n.L_1:\n/*0010*/ LDG.E R6, [R4] ;\n/*0020*/ FADD R7, R6, R9 ;\n"
	      "/*0030*/ ATOMG.E.CAS.STRONG.GPU PT, R7, [R4], R6, R7 ;\n/*0040*/ " DIFFER
	      "/*0050*/ @P0 BRA `(.L_1) ;\n/*0060*/ EXIT ;\n",
	 0x30, 0x10, true, TYPE_U32},
	/* A maximum: whose word is greater is done. */
	{"who may leave before",
	 HEAD LOAD ".L_1:\n/*0010*/ FSETP.GEU.AND P1, PT, R6, R9, PT ;\n"
		   "/*0020*/ @P1 BRA `(.L_2) ;\n/*0030*/ " SWAP "/*0040*/ " DIFFER
		   "/*0050*/ " AGAIN "/*0060*/ @P0 BRA `(.L_1) ;\n.L_2:\n/*0070*/ EXIT ;\n",
	 0x30, 0, false, TYPE_U32},
	/* What is free is looked for: the same is compared with each time. */
	{"a constant",
	 HEAD LOAD ".L_1:\n/*0010*/ MOV R6, 0xffffffff ;\n/*0020*/ " SWAP "/*0030*/ " DIFFER
		   "/*0040*/ IADD3 R4, R4, 0x4, RZ ;\n/*0050*/ @P0 BRA `(.L_1) ;\n"
		   "/*0060*/ EXIT ;\n",
	 0x20, 0, false, TYPE_U32},
	/* The head of a list: the new element's next one is stored before each attempt. */
	{"a store between",
	 HEAD LOAD ".L_1:\n/*0010*/ @P2 STG.E [R12], R6 ;\n/*0020*/ FMUL R7, R6, 1.5 ;\n"
		   "/*0030*/ " SWAP "/*0040*/ " DIFFER "/*0050*/ " AGAIN
		   "/*0060*/ @P0 BRA `(.L_1) ;\n/*0070*/ EXIT ;\n",
	 0x30, 0, false, TYPE_U32},
	{"a result that decides nothing",
	 HEAD LOAD ".L_1:\n/*0010*/ FMUL R7, R6, 1.5 ;\n/*0020*/ " SWAP
		   "/*0030*/ ISETP.NE.AND P0, PT, R11, R12, PT ;\n/*0040*/ " AGAIN
		   "/*0050*/ @P0 BRA `(.L_1) ;\n/*0060*/ EXIT ;\n",
	 0x20, 0, false, TYPE_U32},
};

/* Lanes 0 to 7 on one word: in each attempt `winners` of those that are left succeed. */
static TraceReader *convert(const Row *row, guint winners, guint *n_attempts,
			    ConvertCounts *counts)
{
	const uint64_t word = 0x100040;
	const uint32_t bytes = row->type == TYPE_U64 ? 8 : 4;
	GByteArray *events = capture_start();
	g_autoptr(GError) error = NULL;
	uint64_t n_events = 2, addresses[TRACE_MAX_LANES];
	RawEvent event = {.kind = RAW_GLOBAL, .mask = 0xff, .bytes = (uint8_t)bytes};
	TraceReader *reader;

	for (guint i = 0; i < TRACE_MAX_LANES; i++)
		addresses[i] = word;
	*n_attempts = 0;
	if (!row->load) {
		event.pc = CAPTURE_BASE;
		event.flags = RAW_READ;
		capture_put_event(events, &event, addresses);
		n_events++;
	}
	for (uint32_t left = 0xff; left; left = left << winners & 0xff) {
		event.mask = left;
		if (row->load) {
			event.pc = CAPTURE_BASE + row->load;
			event.flags = RAW_READ;
			capture_put_event(events, &event, addresses);
			n_events++;
		}
		event.pc = CAPTURE_BASE + row->swap;
		event.flags = ATOMIC;
		capture_put_event(events, &event, addresses);
		n_events++;
		(*n_attempts)++;
	}
	capture_add_event(events, strstr(row->code, "0070") ? 0x70 : 0x60, RAW_EXIT, UINT32_MAX,
			  0, 0, 0, 0);

	g_autoptr(GBytes) raw =
		capture_raw_memory(events, n_events, 0, memory, G_N_ELEMENTS(memory));

	reader = capture_convert(raw, row->code, counts, &error);
	g_assert_no_error(error);
	return reader;
}

/* Records of atomics, all of the same operation and type. */
static guint count_atomics(TraceReader *reader, Operation *operation, ValueType *type,
			   LaneMask *lanes)
{
	WarpStream *stream = trace_source(reader)->open_warp(trace_source(reader), 0, 0);
	Record record;
	guint n = 0;

	*lanes = 0;
	while (stream->next(stream, &record) == STREAM_RECORD)
		if (record.kind == RECORD_ATOMG) {
			g_assert_cmpuint(record.buffer, ==, 1);
			*operation = (Operation)record.operation;
			*type = (ValueType)record.type;
			*lanes |= record.mask;
			n++;
		}
	stream->close(stream);
	return n;
}

static void a_loop_that_ends_by_success_alone_is_one_update(void)
{
	for (guint r = 0; r < G_N_ELEMENTS(rows); r++)
		for (guint winners = 1; winners <= 8; winners *= 2) {
			const Row *row = &rows[r];
			ConvertCounts counts;
			guint n_attempts;
			g_autoptr(TraceReader) reader =
				convert(row, winners, &n_attempts, &counts);
			Operation operation = N_OPERATIONS;
			ValueType type = N_VALUE_TYPES;
			LaneMask lanes;
			const guint n = count_atomics(reader, &operation, &type, &lanes);

			g_test_message("%s, %u succeed", row->name, winners);
			g_assert_cmpuint(n_attempts, ==, 8 / winners);
			g_assert_cmpuint(n, ==, row->update ? 1 : n_attempts);
			g_assert_cmpint(operation, ==,
					row->update ? OPERATION_UPDATE : OPERATION_CAS);
			g_assert_cmpint(type, ==, row->type);
			g_assert_cmphex(lanes, ==, 0xff);
			g_assert_cmpuint(counts.folded_atomics, ==, row->update);
			g_assert_cmpuint(counts.folded_events, ==,
					 row->update ? (n_attempts - 1) +
							       (row->load ? n_attempts : 0)
						     : 0);
		}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/capture/updates/" #name, name)
	TEST(a_loop_that_ends_by_success_alone_is_one_update);
#undef TEST
	return g_test_run();
}
