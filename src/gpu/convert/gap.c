/* SPDX-License-Identifier: MIT */
/*
 * The instructions between two records, as the trace's data flow says them: each stretch once, the
 * values that it names numbered in the order in which they are met.
 */

#include <string.h>

#include "gpu/convert/gap-lines.h"
#include "gpu/convert/internal.h"
#include "gpu/sass/flow.h"

/* A longer stretch is recorded as several, so that a loop without any record has a gap for each round and
   no gap is large. */
#define MAX_GAP_INSTRUCTIONS 256

/* An instruction that was collected: taken, skipped << 1, distinct << 2, index << 8, line << 32. */
#define PACKED_DISTINCT 2
#define PACKED_INDEX	8
#define PACKED_LINE	32 /* of a constant at an address in a register */

static int packed_index(guint64 packed)
{
	return (int)(packed >> PACKED_INDEX & 0xffffff);
}

struct Gaps {
	const SassFunction *function;
	TraceWriter *writer;
	GArray *collected;	       /* guint64, packed as above */
	GHashTable *numbers;	       /* bytes of such a list -> gap + 1 */
	uint8_t values[SASS_N_VALUES]; /* numbers of values + 1, 0: none yet */
	uint32_t n_values;
	GapLines *lines;
	uint64_t n_dropped;
};

Gaps *gaps_new(const SassFunction *function, TraceWriter *writer)
{
	Gaps *gaps = g_new0(Gaps, 1);

	gaps->function = function;
	gaps->writer = writer;
	gaps->collected = g_array_new(FALSE, FALSE, sizeof(guint64));
	gaps->numbers = g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
					      (GDestroyNotify)g_bytes_unref, NULL);
	gaps->lines = gap_lines_new(function);
	return gaps;
}

void gaps_free(Gaps *gaps)
{
	g_array_unref(gaps->collected);
	g_hash_table_unref(gaps->numbers);
	gap_lines_free(gaps->lines);
	g_free(gaps);
}

uint64_t gaps_n_dropped(const Gaps *gaps)
{
	return gaps->n_dropped;
}

static uint8_t number_of(Gaps *gaps, int value)
{
	if (value < 0)
		return DATAFLOW_NO_VALUE;
	if (!gaps->values[value]) {
		if (gaps->n_values == DATAFLOW_MAX_VALUES) {
			gaps->n_dropped++;
			return DATAFLOW_NO_VALUE;
		}
		gaps->values[value] = (uint8_t)++gaps->n_values;
	}
	return (uint8_t)(gaps->values[value] - 1);
}

static uint8_t number_all(Gaps *gaps, const SassValues *values, uint8_t *numbers, unsigned max)
{
	uint8_t n = 0;

	for (uint8_t i = 0; i < values->n; i++) {
		uint8_t number = number_of(gaps, values->values[i]);

		if (number == DATAFLOW_NO_VALUE)
			continue;
		if (n == max) {
			gaps->n_dropped++;
			break;
		}
		numbers[n++] = number;
	}
	return n;
}

/* Of these classes what an operation reads says more than what it waits for: that an address is in a register, or that a predicate is. */
static bool reads_tell(CodeClass class)
{
	return class == CODE_CONSTANT || class == CODE_LOOKUP || class == CODE_BRANCH ||
	       code_is_taken(class) || class == CODE_VOTE;
}

/* Adds what the instruction waits for without reading it to the n values that it reads, as far as there is room. */
static uint8_t add_waits(Gaps *gaps, int index, uint8_t *numbers, uint8_t n)
{
	SassValues waits;

	sass_waits(gaps->function, index, &waits);
	for (uint8_t i = 0; i < waits.n && n < DATAFLOW_MAX_READS; i++) {
		const uint8_t number = number_of(gaps, waits.values[i]);

		if (number != DATAFLOW_NO_VALUE && !memchr(numbers, number, n))
			numbers[n++] = number;
	}
	return n;
}

const GapLines *gaps_lines(const Gaps *gaps)
{
	return gaps->lines;
}

/* The lists of one operation. */
typedef struct {
	uint8_t writes[DATAFLOW_MAX_WRITES], reads[3 * DATAFLOW_MAX_READS];
} Lists;

/* Of the constant that the instruction reads. */
static uint16_t line_of(Gaps *gaps, const SassFlowUse *use, guint64 packed)
{
	return use->constant_bank >= 0
		       ? gap_lines_give(gaps->lines, use->constant_bank, use->constant_offset)
		       : (uint16_t)(packed >> PACKED_LINE);
}

static CodeOperation operation_of(Gaps *gaps, guint64 packed, Lists *lists)
{
	const SassInstruction *instruction =
		sass_instruction(gaps->function, packed_index(packed));
	SassFlowUse use;
	CodeOperation operation = {.instruction = (uint32_t)packed_index(packed) + 1,
				   .writes = lists->writes,
				   .reads = lists->reads};
	bool taken = packed & 1, skipped = packed >> 1 & 1;
	uint8_t n, distinct;

	sass_use(instruction, &use);
	operation.class =
		use.class != CODE_BRANCH || !taken ? use.class : sass_taken(instruction);
	operation.guard = number_of(gaps, use.guard);
	if (skipped)
		return operation;
	distinct = packed >> PACKED_DISTINCT & 63;
	if (use.class == CODE_CONSTANT && distinct > 1)
		operation.class = CODE_LOOKUP;
	operation.line = operation.class == CODE_LOOKUP ? gap_lines_about(distinct)
			 : code_is_texture(use.class)	? use.passes
			 : code_has_distinct(use.class) ? distinct
							: line_of(gaps, &use, packed);
	operation.n_writes = number_all(gaps, &use.writes, lists->writes, DATAFLOW_MAX_WRITES);
	n = number_all(gaps, &use.reads, lists->reads, DATAFLOW_MAX_READS);
	n += number_all(gaps, &use.address, lists->reads + n, DATAFLOW_MAX_READS - n);
	n += number_all(gaps, &use.data, lists->reads + n, DATAFLOW_MAX_READS - n);
	if (!reads_tell(operation.class))
		n = add_waits(gaps, packed_index(packed), lists->reads, n);
	operation.n_reads = n;
	return operation;
}

void gaps_add(Gaps *gaps, int index, bool taken, bool skipped, uint8_t distinct, uint32_t value)
{
	const guint64 line = distinct == 1 ? gap_lines_at(gaps->lines, index, value) : 0;
	const guint64 packed = line << PACKED_LINE | (guint64)index << PACKED_INDEX |
			       (guint64)distinct << PACKED_DISTINCT | (guint64)skipped << 1 |
			       taken;

	g_array_append_val(gaps->collected, packed);
}

bool gaps_is_full(const Gaps *gaps)
{
	guint n = gaps->collected->len;
	const guint64 last = n ? g_array_index(gaps->collected, guint64, n - 1) : 0;
	const SassInstruction *instruction =
		sass_instruction(gaps->function, packed_index(last));

	return n == MAX_GAP_INSTRUCTIONS ||
	       (n && last & 1 && instruction->flow == SASS_BRANCH &&
		instruction->target <= packed_index(last));
}

int64_t gaps_take(Gaps *gaps)
{
	guint n = gaps->collected->len;
	g_autoptr(GBytes) key = NULL;
	bool names_lines = false;
	guint number;

	if (n == 0)
		return -1;
	key = g_bytes_new(gaps->collected->data, n * sizeof(guint64));
	number = GPOINTER_TO_UINT(g_hash_table_lookup(gaps->numbers, key));
	if (!number) {
		g_autofree CodeOperation *operations = g_new(CodeOperation, n);
		g_autofree Lists *lists = g_new(Lists, n);

		for (guint i = 0; i < n; i++) {
			const guint64 packed = g_array_index(gaps->collected, guint64, i);

			operations[i] = operation_of(gaps, packed, &lists[i]);
			names_lines |= packed >> PACKED_LINE > 0;
		}
		if (names_lines)
			gap_lines_spend(gaps->lines, n);
		number = trace_writer_gap(gaps->writer, operations, n) + 1;
		g_hash_table_insert(gaps->numbers, g_bytes_ref(key), GUINT_TO_POINTER(number));
	}
	g_array_set_size(gaps->collected, 0);
	return (int64_t)number - 1;
}

/* ---- Sites */

static void drop_value(SassValues *list, uint16_t value)
{
	uint8_t n = 0;

	for (uint8_t i = 0; i < list->n; i++)
		if (list->values[i] != value)
			list->values[n++] = list->values[i];
	list->n = n;
}

/* A retry loop is one atomic: its operands are what the loop reads and has not written itself. */
static void use_loop(const SassFunction *function, const SassLoop *loop, SassFlowUse *use)
{
	SassValues written = {0};

	if (!loop->result)
		use->writes.n = 0;
	for (int i = MIN(loop->load, sass_instruction(function, loop->branch)->target);
	     i <= loop->branch; i++) {
		SassFlowUse inner;

		sass_use(sass_instruction(function, i), &inner);
		for (int list = 0; list < 2; list++) {
			const SassValues *reads = list ? &inner.data : &inner.reads;

			for (uint8_t k = 0; k < reads->n; k++)
				if (!sass_has_value(&written, reads->values[k]) &&
				    !sass_has_value(&use->data, reads->values[k]) &&
				    use->data.n < DATAFLOW_MAX_READS)
					use->data.values[use->data.n++] = reads->values[k];
		}
		for (uint8_t k = 0; k < inner.writes.n; k++)
			if (!sass_has_value(&written, inner.writes.values[k]) &&
			    written.n < SASS_MAX_USES)
				written.values[written.n++] = inner.writes.values[k];
	}
}

void gaps_add_site(Gaps *gaps, int index, uint32_t site)
{
	const SassInstruction *instruction = sass_instruction(gaps->function, index);
	const SassLoop *loop =
		instruction->loop >= 0
			? &g_array_index(gaps->function->loops, SassLoop, instruction->loop)
			: NULL;
	uint8_t address[DATAFLOW_MAX_READS], data[DATAFLOW_MAX_READS],
		writes[DATAFLOW_MAX_WRITES];
	SiteFlow flow = {.instruction = (uint32_t)index + 1,
			 .address = address,
			 .data = data,
			 .writes = writes};
	SassFlowUse use;

	sass_use(instruction, &use);
	/* The lanes that it leaves as they were must be there before. */
	for (uint8_t i = 0; i < use.reads.n; i++)
		if (!sass_has_value(&use.data, use.reads.values[i]) &&
		    use.data.n < SASS_MAX_USES)
			use.data.values[use.data.n++] = use.reads.values[i];
	if (loop && loop->load == index)
		use_loop(gaps->function, loop, &use);
	for (uint8_t i = 0; i < use.address.n; i++)
		drop_value(&use.data, use.address.values[i]);
	flow.guard = number_of(gaps, use.guard);
	flow.n_address = number_all(gaps, &use.address, address, DATAFLOW_MAX_READS);
	flow.n_data = number_all(gaps, &use.data, data, DATAFLOW_MAX_READS);
	/* An atomic whose data are none adds 1, and what has no addresses says so. */
	if (flow.n_data > 0)
		flow.n_data = add_waits(gaps, index, data, flow.n_data);
	else if (flow.n_address > 0)
		flow.n_address = add_waits(gaps, index, address, flow.n_address);
	flow.n_writes = number_all(gaps, &use.writes, writes, DATAFLOW_MAX_WRITES);
	trace_writer_site_flow(gaps->writer, site, &flow);
}
