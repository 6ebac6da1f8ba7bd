/* SPDX-License-Identifier: MIT */
/*
 * The instructions between two records, as the trace's data flow says them: each stretch once. A
 * stretch ends where the warp's lanes go on elsewhere without a branch, at a branch backwards (so that a loop
 * without any record has a gap for each round), and when it is long.
 */
#include <string.h>

#include "base/spread.h"
#include "trace/accelsim/accelsim.h"
#include "trace/format.h"

#define MAX_GAP_INSTRUCTIONS 256
#define MAX_GAPS_BYTES	     (TRACE_MAX_DATAFLOW_BYTES / 2 - 64) /* the sites want the rest */
#define FIRST_16_BYTE	     70 /* compute capability * 10: instructions of 16 bytes */

/* Bits of a collected instruction, above them its number. */
#define COLLECTED_TAKEN	  1u /* a branch that led elsewhere */
#define COLLECTED_SKIPPED 2u /* an access that no lane does */
#define COLLECTED_SHIFT	  2

typedef struct {
	guint hash, n;
	guint32 gap; /* its number */
	guint32 collected[MAX_GAP_INSTRUCTIONS];
} Stretch;

struct ImportGaps {
	Stretch now;
	GHashTable *known;	       /* of Stretch, as long as it needs to be */
	gsize n_bytes;		       /* at most, of all gaps */
	const StaticInstruction *last; /* instruction of the warp; NULL: none yet */
	gboolean last_is_collected;
};

static guint hash_with(guint hash, guint32 collected)
{
	return (guint)(spread_key(hash ^ collected) >> 32);
}

static guint stretch_hash(gconstpointer stretch)
{
	return ((const Stretch *)stretch)->hash;
}

static gboolean stretch_equal(gconstpointer a, gconstpointer b)
{
	const Stretch *x = a, *y = b;

	return x->n == y->n && memcmp(x->collected, y->collected, x->n * sizeof(guint32)) == 0;
}

ImportGaps *import_gaps_new(void)
{
	ImportGaps *gaps = g_new0(ImportGaps, 1);

	gaps->known = g_hash_table_new_full(stretch_hash, stretch_equal, g_free, NULL);
	return gaps;
}

void import_gaps_free(ImportGaps *gaps)
{
	g_hash_table_unref(gaps->known);
	g_free(gaps);
}

static bool goes_by_register(const char *opcode)
{
	return g_str_has_prefix(opcode, "RET") || g_str_has_prefix(opcode, "BRX") ||
	       g_str_has_prefix(opcode, "JMX");
}

static CodeOperation operation_of(const AccelSimKernel *kernel, guint32 collected)
{
	const StaticInstruction *code =
		instructions_get(kernel->instructions, collected >> COLLECTED_SHIFT);
	CodeOperation operation = {.class = code->flow.class,
				   .guard = DATAFLOW_NO_VALUE,
				   .instruction = code->number + 1,
				   .writes = code->flow.writes,
				   .reads = code->flow.reads};

	if (collected & COLLECTED_SKIPPED)
		return operation;
	if (collected & COLLECTED_TAKEN)
		operation.class =
			goes_by_register(code->opcode->name) ? CODE_INDIRECT : CODE_JUMP;
	operation.n_writes = code->flow.n_writes;
	operation.n_reads = code->flow.n_reads;
	return operation;
}

/* The gap of what was collected; NULL if there is no room for it. */
static const Stretch *make_gap(AccelSimKernel *kernel)
{
	ImportGaps *gaps = kernel->gaps;
	const Stretch *now = &gaps->now;
	gsize n_bytes = 5;
	CodeOperation operations[MAX_GAP_INSTRUCTIONS];
	Stretch *made;

	for (guint i = 0; i < now->n; i++) {
		operations[i] = operation_of(kernel, now->collected[i]);
		n_bytes += 2u + operations[i].n_writes + operations[i].n_reads;
		if (i == 0 || operations[i].instruction != operations[i - 1].instruction + 1)
			n_bytes += 4;
	}
	if (gaps->n_bytes + n_bytes > MAX_GAPS_BYTES)
		return NULL;
	gaps->n_bytes += n_bytes;
	made = g_memdup2(now, G_STRUCT_OFFSET(Stretch, collected) + now->n * sizeof(guint32));
	made->gap = trace_writer_gap(kernel->writer, operations, now->n);
	g_hash_table_add(gaps->known, made);
	return made;
}

void import_gaps_flush(AccelSimKernel *kernel, AccelSimWarp *warp)
{
	Stretch *now = &kernel->gaps->now;
	const Stretch *known;
	Record record = {.kind = RECORD_CODE};

	if (now->n == 0)
		return;
	known = g_hash_table_lookup(kernel->gaps->known, now);
	if (!known)
		known = make_gap(kernel);
	if (known) {
		record.gap = known->gap;
	} else {
		record.kind = RECORD_ALU;
		record.count = now->n;
		kernel->dropped[DROPPED_GAPS] += now->n;
	}
	trace_writer_append(kernel->writer, kernel->block_id, warp->number, &record);
	now->n = now->hash = 0;
}

static void collect(AccelSimKernel *kernel, AccelSimWarp *warp, const StaticInstruction *code,
		    guint32 bits)
{
	ImportGaps *gaps = kernel->gaps;
	Stretch *now = &gaps->now;

	if (now->n == MAX_GAP_INSTRUCTIONS)
		import_gaps_flush(kernel, warp);
	now->collected[now->n] = code->number << COLLECTED_SHIFT | bits;
	now->hash = hash_with(now->hash, now->collected[now->n++]);
	gaps->last_is_collected = TRUE;
}

/* A mask has the lanes that pass the guard: those of BRA go elsewhere, even if the others come first. With a
   suffix it can depend on more. */
void import_gaps_collect(AccelSimKernel *kernel, AccelSimWarp *warp,
			 const StaticInstruction *code, guint32 mask)
{
	gboolean taken = mask != 0 && strcmp(code->opcode->name, "BRA") == 0;

	collect(kernel, warp, code, taken ? COLLECTED_TAKEN : 0);
}

void import_gaps_skip(AccelSimKernel *kernel, AccelSimWarp *warp, const StaticInstruction *code)
{
	collect(kernel, warp, code, COLLECTED_SKIPPED);
}

/* Whether `code` is behind the last instruction. Before compute capability 7.0 an instruction has 8
   bytes, and 8 bytes of control may be between two. */
static gboolean follows(const AccelSimKernel *kernel, const StaticInstruction *code)
{
	guint64 distance = code->pc - kernel->gaps->last->pc;

	return distance == 16 ||
	       (distance == 8 && kernel->header.binary_version < FIRST_16_BYTE);
}

void import_gaps_go_on(AccelSimKernel *kernel, AccelSimWarp *warp,
		       const StaticInstruction *code)
{
	ImportGaps *gaps = kernel->gaps;
	const StaticInstruction *last = gaps->last;
	Stretch *now = &gaps->now;
	gboolean is_branch;

	if (last && now->n > 0 && !follows(kernel, code)) {
		is_branch = gaps->last_is_collected && last->flow.class == CODE_BRANCH &&
			    last->opcode->kind != OPCODE_EXIT;
		if (is_branch && !(now->collected[now->n - 1] & COLLECTED_TAKEN)) {
			now->collected[now->n - 1] |= COLLECTED_TAKEN;
			now->hash = hash_with(now->hash, COLLECTED_TAKEN);
		}
		if (!is_branch || code->pc <= last->pc)
			import_gaps_flush(kernel, warp);
	}
	gaps->last = code;
	gaps->last_is_collected = FALSE;
}
