/* SPDX-License-Identifier: MIT */
/* Tables of a few instructions and events, and the records that they are. */
#include <glib.h>
#include <string.h>

#include "base/names.h"
#include "capture-tools.h"

#define MAX_EVENTS 16
#define ATOMIC	   (RAW_READ | RAW_WRITE)

typedef struct {
	uint64_t pc;
	RawEventKind kind;
	uint32_t mask, flags, bytes;
	uint64_t first, step; /* address of the i-th lane; of a barrier the detail */
} Event;

typedef struct {
	const char *code; /* lines, the first at 0 */
	Event events[MAX_EVENTS];
	const char *told;
	uint64_t folded_locks, folded_events, unplaced, out_of_range, unknown;
} Case;

/* Of 128 bytes of shared memory each; the second and third begin where no access goes. */
static const RawMemory memory[] = {
	{0x20000, 0x100}, {0x8000, 0x100}, {0x10000, 0x1000}, {0x30000, 0}};

static void add_event(GByteArray *events, const Event *event)
{
	const guint n = RAW_ADDRESS_BYTES(event->kind);
	const RawEvent raw = {.pc = CAPTURE_BASE + event->pc,
			      .mask = event->mask,
			      .detail = event->kind == RAW_BARRIER ? (uint32_t)event->first : 0,
			      .kind = (uint8_t)event->kind,
			      .bytes = (uint8_t)event->bytes,
			      .flags = event->flags};

	g_byte_array_append(events, (const guint8 *)&raw, sizeof(raw));
	for (uint64_t i = 0; i < (uint64_t)__builtin_popcount(event->mask); i++) {
		const uint64_t address = event->first + i * event->step;
		const uint32_t narrow = (uint32_t)address;

		g_byte_array_append(
			events, n == 4 ? (const guint8 *)&narrow : (const guint8 *)&address, n);
	}
	while (events->len % 8)
		g_byte_array_append(events, (const guint8 *)"", 1);
}

static void print_record(GString *text, const Record *record)
{
	const bool global = record->kind == RECORD_LDG || record->kind == RECORD_STG ||
			    record->kind == RECORD_ATOMG;

	g_string_append_printf(text, "%s%s", text->len ? ", " : "",
			       record_kind_names[record->kind]);
	if (record->kind == RECORD_BAR)
		g_string_append_printf(text, " %u:%u%s", record->barrier, record->count,
				       record->arrives ? " arrives" : "");
	if (record->kind == RECORD_FENCE)
		g_string_append_printf(text, " %s", scope_names[record->scope]);
	if (record->kind == RECORD_ATOM || (record->kind == RECORD_ATOMG && record->buffer))
		g_string_append_printf(text, " %s.%s%s", operation_names[record->operation],
				       value_type_names[record->type],
				       record->result ? ".r" : "");
	if (global)
		g_string_append_printf(text, " %uB/%u", record->bytes, record->count);
	if (record->n_lanes > 0)
		g_string_append_printf(text, " %u", record->n_lanes);
	if (record->n_lanes > 0 && record_in_buffer(record))
		g_string_append_printf(text, " b%u+%x", record->buffer,
				       (unsigned)record->offset);
	if (record->n_lanes > 0 && (!global || record->buffer))
		g_string_append_printf(text, " %x..%x:%u", record->address[0],
				       record->address[record->n_lanes - 1], record->width);
}

/* All but gaps of the data flow. g_free. */
static char *tell(TraceReader *reader)
{
	WarpStream *stream = trace_source(reader)->open_warp(trace_source(reader), 0, 0);
	GString *text = g_string_new(NULL);
	Record record;

	while (stream->next(stream, &record) == STREAM_RECORD)
		if (record.kind != RECORD_CODE)
			print_record(text, &record);
	stream->close(stream);
	return g_string_free(text, FALSE);
}

static void check(const Case *c)
{
	GString *code = g_string_new(".target sm_90\n.text.k:\n");
	g_auto(GStrv) lines = g_strsplit(c->code, "\n", -1);
	GByteArray *events = capture_start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;
	uint32_t n = 0;

	for (guint i = 0, at = 0; lines[i]; i++)
		if (lines[i][0] == '.')
			g_string_append_printf(code, "%s\n", lines[i]);
		else
			g_string_append_printf(code, "/*%04x*/ %s ;\n", 16 * at++, lines[i]);
	for (; n < MAX_EVENTS && c->events[n].mask; n++)
		add_event(events, &c->events[n]);

	g_autoptr(GBytes) raw =
		capture_raw_memory(events, n + 1, 0, memory, G_N_ELEMENTS(memory));
	g_autoptr(TraceReader) reader = capture_convert(raw, code->str, &counts, &error);

	g_assert_no_error(error);
	g_autofree char *told = tell(reader);

	g_string_free(code, TRUE);
	g_test_message("%s", c->code);
	g_assert_cmpstr(told, ==, c->told);
	g_assert_cmpuint(counts.folded_locks, ==, c->folded_locks);
	g_assert_cmpuint(counts.folded_events, ==, c->folded_events);
	g_assert_cmpuint(counts.unplaced_accesses, ==, c->unplaced);
	g_assert_cmpuint(counts.out_of_range, ==, c->out_of_range);
	g_assert_cmpuint(counts.unknown_operations, ==, c->unknown);
}

static void check_all(const Case *cases, guint n)
{
	for (guint i = 0; i < n; i++)
		check(&cases[i]);
}

static void shared_accesses_lie_in_the_block(void)
{
	static const Case cases[] = {
		{"LDS.U8 R1, [R0]\nLDS.64 R2, [R0]\nLDS.128 R4, [R0]\nSTS [R0], R1\nEXIT",
		 {{0x00, RAW_SHARED, UINT32_MAX, RAW_READ, 1, 0x400, 1},
		  {0x10, RAW_SHARED, 0xffff, RAW_READ, 8, 0x400, 8},
		  {0x20, RAW_SHARED, 1, RAW_READ, 16, 0x470, 0},
		  {0x30, RAW_SHARED, 0xf0000000, RAW_WRITE, 4, 0x404, 8},
		  {0x40, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0}},
		 "lds 32 0..1f:1, lds 16 0..78:8, lds 1 70..70:16, sts 4 4..1c:4, exit",
		 0,
		 0,
		 0,
		 0,
		 0},
		/* Behind its end, before its begin, across words. */
		{"LDS.128 R4, [R0]\nLDS R4, [R0]\nLDS.64 R4, [R0]\nEXIT",
		 {{0x00, RAW_SHARED, 1, RAW_READ, 16, 0x480, 0},
		  {0x10, RAW_SHARED, 3, RAW_READ, 4, 0x47c, 4},
		  {0x10, RAW_SHARED, 1, RAW_READ, 4, 0x3fc, 0},
		  {0x20, RAW_SHARED, 1, RAW_READ, 8, 0x404, 0},
		  {0x30, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0}},
		 "unknown, unknown, unknown, unknown, exit",
		 0,
		 0,
		 0,
		 4,
		 0},
		/* Operations as wide as their type; without a result if nobody takes it. */
		{"ATOMS.ADD R1, [R0], R2\nATOMS.MAX.S32 RZ, [R0], R2\nATOMS.ADD R1, [R0], "
		 "R2\nATOMS.CAS.64 R2, [R9], R4, R6\nEXIT",
		 {{0x00, RAW_SHARED, 3, ATOMIC, 4, 0x400, 4},
		  {0x10, RAW_SHARED, 3, ATOMIC, 4, 0x400, 0},
		  {0x20, RAW_SHARED, 3, ATOMIC, 8, 0x400, 8},
		  {0x30, RAW_SHARED, 3, ATOMIC, 8, 0x408, 0x10},
		  {0x40, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0}},
		 "atom add.u32.r 2 0..4:4, atom max.s32 2 0..0:4, unknown, "
		 "atom cas.u64.r 2 8..18:8, exit",
		 0,
		 0,
		 0,
		 0,
		 1},
	};

	check_all(cases, G_N_ELEMENTS(cases));
}

static void global_accesses_have_buffers_and_segments(void)
{
	static const Case cases[] = {
		/* Allocations that are used, by address, whatever order they came in. */
		{"LDG.E R1, [R2.64]\nLDG.E.64 R2, [R2.64]\nSTG.E [R2.64], R1\nEXIT",
		 {{0x00, RAW_GLOBAL, UINT32_MAX, RAW_READ, 4, 0x10000, 4},
		  {0x10, RAW_GLOBAL, 0xf, RAW_READ, 8, 0x20080, 0x20},
		  {0x20, RAW_GLOBAL, 1, RAW_WRITE, 4, 0x10ffc, 0},
		  {0x30, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0}},
		 "ldg 128B/1 32 b1+0 0..7c:4, ldg 32B/1 4 b2+80 0..60:8, "
		 "stg 4B/1 1 b1+ffc 0..0:4, exit",
		 0,
		 0,
		 0,
		 0,
		 0},
		/* Not aligned; across two segments; lanes of two buffers; behind an allocation. */
		{"LDG.E R1, [R2.64]\nEXIT",
		 {{0x00, RAW_GLOBAL, 1, RAW_READ, 4, 0x10002, 0},
		  {0x00, RAW_GLOBAL, 1, RAW_READ, 4, 0x1007e, 0},
		  {0x00, RAW_GLOBAL, 3, RAW_READ, 4, 0x10000, 0x10000},
		  {0x00, RAW_GLOBAL, 3, RAW_READ, 4, 0x10ffc, 4},
		  {0x00, RAW_GLOBAL, 3, RAW_READ, 4, 0x1007c, 4},
		  {0x10, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0}},
		 "ldg 4B/1 1, ldg 4B/2 1, ldg 8B/2 2, ldg 8B/2 2, "
		 "ldg 8B/2 2 b2+7c 0..4:4, exit",
		 0,
		 0,
		 4,
		 0,
		 0},
		/* Without allocations pages of 2 MiB, those side by side as one. */
		{"LDG.E R1, [R2.64]\nEXIT",
		 {{0x00, RAW_GLOBAL, 1, RAW_READ, 4, 0x40000010, 0},
		  {0x00, RAW_GLOBAL, 3, RAW_READ, 4, 0x401ffffc, 4},
		  {0x00, RAW_GLOBAL, 1, RAW_READ, 4, 0x40800004, 0},
		  {0x10, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0}},
		 "ldg 4B/1 1 b1+10 0..0:4, ldg 8B/2 2 b1+1ffffc 0..4:4, "
		 "ldg 4B/1 1 b2+4 0..0:4, exit",
		 0,
		 0,
		 0,
		 0,
		 0},
		{"ATOMG.E.ADD.STRONG.GPU PT, R7, [R2.64], R5\nRED.E.MAX.STRONG.GPU [R2.64], "
		 "R5\nATOMG.E.ADD.STRONG.GPU PT, R7, [R2.64], R5\nEXIT",
		 {{0x00, RAW_GLOBAL, 3, ATOMIC, 4, 0x10000, 0},
		  {0x10, RAW_GLOBAL, 3, ATOMIC, 4, 0x10000, 4},
		  {0x20, RAW_GLOBAL, 3, ATOMIC, 8, 0x10000, 8},
		  {0x30, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0}},
		 "atomg add.u32.r 8B/1 2 b1+0 0..0:4, atomg max.u32 8B/1 2 b1+0 0..4:4, "
		 "atomg 16B/1 2, exit",
		 0,
		 0,
		 1,
		 0,
		 1},
		/* The SM gets an answer to each but RED, though no register takes it. */
		{"ATOMG.E.EXCH.STRONG.GPU PT, RZ, [R2.64], R5\nATOM.E.ADD.F16x2.RN.STRONG.GPU "
		 "P0, "
		 "RZ, [R2.64], R5\nRED.E.ADD.F16x2.RN.STRONG.GPU [R2.64], R5\nEXIT",
		 {{0x00, RAW_GLOBAL, 3, ATOMIC, 4, 0x10000, 0},
		  {0x10, RAW_GLOBAL, 3, ATOMIC, 4, 0x10000, 4},
		  {0x20, RAW_GLOBAL, 3, ATOMIC, 4, 0x10000, 4},
		  {0x30, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0}},
		 "atomg exch.u32.r 8B/1 2 b1+0 0..0:4, atomg add.f16x2.r 8B/1 2 b1+0 0..4:4, "
		 "atomg add.f16x2 8B/1 2 b1+0 0..4:4, exit",
		 0,
		 0,
		 0,
		 0,
		 0},
	};

	check_all(cases, G_N_ELEMENTS(cases));
}

static void barriers_have_numbers_and_threads(void)
{
	static const Case cases[] = {
		{"BAR.SYNC 0x0\nBAR.SYNC 0x1, 0x10\nBAR.ARV 0x2, 0x10\nBAR.SYNC 0xf, "
		 "0x40\nEXIT",
		 {{0x00, RAW_BARRIER, UINT32_MAX, 0, 0, 0, 0},
		  {0x10, RAW_BARRIER, UINT32_MAX, 0, 0, 16 << 8 | 1, 0},
		  {0x30, RAW_BARRIER, UINT32_MAX, 0, 0, 64 << 8 | 15, 0},
		  {0x40, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0}},
		 "bar 0:0, bar 1:16, bar 2:16 arrives, bar 15:0, exit",
		 0,
		 0,
		 0,
		 0,
		 0},
		/* Numbers that there are not, and those that a register tells. */
		{"BAR.SYNC R4\nBAR.ARV R4, 0x20\nBAR.ARV 0x40, 0x20\nBAR.ARV 0x3f, 0x10\nEXIT",
		 {{0x00, RAW_BARRIER, UINT32_MAX, 0, 0, 64, 0},
		  {0x40, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0}},
		 "unknown, unknown, unknown, bar 63:16 arrives, exit",
		 0,
		 0,
		 0,
		 0,
		 0},
		{"MEMBAR.SC.CTA\nMEMBAR.SC.GPU\nMEMBAR.SC.SYS\nEXIT",
		 {{0x30, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0}},
		 "fence block, fence device, fence system, exit",
		 0,
		 0,
		 0,
		 0,
		 0},
	};

	check_all(cases, G_N_ELEMENTS(cases));
}

#define SPIN                                                                                   \
	".L_1:\nATOMS.CAS R1, [R0], RZ, R3\nISETP.NE.AND P0, PT, R1, RZ, PT\n@P0 BRA "         \
	"`(.L_1)\nSTS [R5], R4\nSTS [R0], RZ\n@P1 BRA `(.L_1)\nBAR.SYNC 0x0\nEXIT"
#define TRY(mask, word)                                                                        \
	{                                                                                      \
		0x00, RAW_SHARED, mask, ATOMIC, 4, word, 0                                     \
	}
#define IN(mask, word)                                                                         \
	{                                                                                      \
		0x30, RAW_SHARED, mask, RAW_WRITE, 4, word, 0                                  \
	}
#define OUT(mask, word)                                                                        \
	{                                                                                      \
		0x40, RAW_SHARED, mask, RAW_WRITE, 4, word, 0                                  \
	}
#define END(mask)                                                                              \
	{                                                                                      \
		0x70, RAW_EXIT, mask, 0, 0, 0, 0                                               \
	}

/* Each lane goes in once for each time that it got its lock, whatever the rounds were; who waits does not go on. */
static void rounds_become_one_lock(void)
{
	static const Case cases[] = {
		/* Three lanes, one after the other; one more attempt was in vain. */
		{SPIN,
		 {TRY(7, 0x400), IN(1, 0x410), OUT(1, 0x400), TRY(6, 0x400), TRY(6, 0x400),
		  IN(2, 0x414), OUT(2, 0x400), TRY(4, 0x400), IN(4, 0x418), OUT(4, 0x400),
		  END(UINT32_MAX)},
		 "lock 3 0..0:4, sts 3 10..18:4, unlock 3 0..0:4, exit",
		 1,
		 3,
		 0,
		 0,
		 0},
		/* A lane is done, and back before the other was in. */
		{SPIN,
		 {TRY(3, 0x400), IN(1, 0x410), OUT(1, 0x400), TRY(3, 0x400), IN(2, 0x414),
		  OUT(2, 0x400), TRY(1, 0x400), IN(1, 0x418), OUT(1, 0x400), TRY(2, 0x400),
		  IN(2, 0x41c), OUT(2, 0x400), END(UINT32_MAX)},
		 "lock 2 0..0:4, sts 2 10..14:4, unlock 2 0..0:4, "
		 "lock 2 0..0:4, sts 2 18..1c:4, unlock 2 0..0:4, exit",
		 2,
		 2,
		 0,
		 0,
		 0},
		/* Each time all are done: two locks, not one. */
		{SPIN,
		 {TRY(1, 0x400), IN(1, 0x410), OUT(1, 0x400), TRY(1, 0x404), IN(1, 0x414),
		  OUT(1, 0x404), END(UINT32_MAX)},
		 "lock 1 0..0:4, sts 1 10..10:4, unlock 1 0..0:4, "
		 "lock 1 4..4:4, sts 1 14..14:4, unlock 1 4..4:4, exit",
		 2,
		 0,
		 0,
		 0,
		 0},
		/* A barrier: who waits for a lock does not go through. Here one lane holds its lock meanwhile. */
		{SPIN,
		 {{0x00, RAW_SHARED, 3, ATOMIC, 4, 0x400, 4},
		  IN(3, 0x410),
		  OUT(1, 0x400),
		  {0x60, RAW_BARRIER, UINT32_MAX, 0, 0, 0, 0},
		  OUT(2, 0x404),
		  END(UINT32_MAX)},
		 "atom cas.u32.r 2 0..4:4, sts 2 10..10:4, sts 1 0..0:4, bar 0:0, "
		 "sts 1 4..4:4, exit",
		 0,
		 0,
		 0,
		 0,
		 0},
		/* A lane that waits, as far as its stores tell, and wants another word. */
		{SPIN,
		 {{0x00, RAW_SHARED, 3, ATOMIC, 4, 0x400, 4},
		  {0x40, RAW_SHARED, 3, RAW_WRITE, 4, 0x400, 0x40},
		  TRY(1, 0x408),
		  {0x40, RAW_SHARED, 1, RAW_WRITE, 4, 0x408, 0},
		  {0x40, RAW_SHARED, 2, RAW_WRITE, 4, 0x404, 0},
		  END(UINT32_MAX)},
		 "atom cas.u32.r 2 0..4:4, sts 2 0..40:4, "
		 "lock 1 8..8:4, unlock 1 8..8:4, sts 1 4..4:4, exit",
		 1,
		 0,
		 0,
		 0,
		 0},
		/* A lane that ends with its lock: no instruction of that kernel takes any. */
		{SPIN,
		 {TRY(1, 0x400), IN(1, 0x410), OUT(1, 0x400), TRY(2, 0x400), IN(2, 0x414),
		  END(UINT32_MAX)},
		 "atom cas.u32.r 1 0..0:4, sts 1 10..10:4, sts 1 0..0:4, "
		 "atom cas.u32.r 1 0..0:4, sts 1 14..14:4, exit",
		 0,
		 0,
		 0,
		 0,
		 0},
	};

	check_all(cases, G_N_ELEMENTS(cases));
}

/* The same in global memory, by an exchange. */
static void locks_lie_in_global_memory_too(void)
{
	static const Case cases[] = {
		{".L_1:\nATOMG.E.EXCH.STRONG.GPU PT, R1, [R2.64], R3\nISETP.NE.AND P0, PT, R1, "
		 "RZ, PT\n@P0 BRA `(.L_1)\nSTG.E [R4.64], R5\nSTG.E [R2.64], RZ\nEXIT",
		 {{0x00, RAW_GLOBAL, 3, ATOMIC, 4, 0x10000, 0},
		  {0x30, RAW_GLOBAL, 1, RAW_WRITE, 4, 0x10100, 0},
		  {0x40, RAW_GLOBAL, 1, RAW_WRITE, 4, 0x10000, 0},
		  {0x00, RAW_GLOBAL, 2, ATOMIC, 4, 0x10000, 0},
		  {0x30, RAW_GLOBAL, 2, RAW_WRITE, 4, 0x10180, 0},
		  {0x40, RAW_GLOBAL, 2, RAW_WRITE, 4, 0x10000, 0},
		  {0x50, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0}},
		 "lock 2 b1+0 0..0:4, stg 8B/2 2 b1+100 0..80:4, unlock 2 b1+0 0..0:4, exit",
		 1,
		 1,
		 0,
		 0,
		 0},
		/* One whose result nobody takes looks for no lock. */
		{"ATOMS.EXCH RZ, [R0], R3\nSTS [R0], RZ\nEXIT",
		 {{0x00, RAW_SHARED, 3, ATOMIC, 4, 0x400, 4},
		  {0x10, RAW_SHARED, 3, RAW_WRITE, 4, 0x400, 4},
		  {0x20, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0}},
		 "atom exch.u32 2 0..4:4, sts 2 0..4:4, exit",
		 0,
		 0,
		 0,
		 0,
		 0},
	};

	check_all(cases, G_N_ELEMENTS(cases));
}

#define TEST(name) g_test_add_func("/capture/records/" #name, name)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	TEST(shared_accesses_lie_in_the_block);
	TEST(global_accesses_have_buffers_and_segments);
	TEST(barriers_have_numbers_and_threads);
	TEST(rounds_become_one_lock);
	TEST(locks_lie_in_global_memory_too);
	return g_test_run();
}
