/* SPDX-License-Identifier: MIT */
/*
 * replicate=N: N copies of an array, each thread at work in its own; of an array in global memory, each block.
 *
 * Modelled: an atomic, and all that a warp does while it holds a spin lock, goes to the copy of its
 * thread. A store outside of that stores to all copies (one the value, the others the operation's neutral
 * element: how copies are cleared), a load reads all copies and combines them (how copies are merged).
 * So the changed program computes what the unchanged one does, whatever it does, as long as the
 * operations may be done in any order.
 * Charged: copies-1 further stores for each store, copies-1 further loads and combining instructions for each
 * load, the loop about them, the choice of the copy, and the shared memory. Where the trace has no store to the array or no load
 * from it, as one of atomics alone, the block clears or merges the further copies besides.
 * Not modelled: that clearing could be spread over more warps than cleared the one array. In global memory: clearing the copies and
 * adding them up, before and behind the kernel.
 */
#include "base/error.h"
#include "transform/change.h"

/* A compiler unrolls the merging loop by four (seen in the SASS of traces/kernels), and each turn has
   an address, a comparison and a branch besides the four additions. */
#define LOADS_PER_TURN	  4
#define TURN_INSTRUCTIONS 3

/* --- What copies of an array take that a trace of its atomics alone lacks --- */

/*
 * The block clears the further copies, and merges them at its end.
 *
 * Modelled: neighboring words by neighboring lanes, 32 at a time, by all warps; a barrier behind the clearing and one before the merging.
 * Charged: these accesses, LOOP_INSTRUCTIONS for each turn that clears, and merging as of a load. What the program does to
 * the first copy it does with or without others: not charged, as the trace has none of it.
 */
#define LOOP_INSTRUCTIONS 4

static Record access_of(const Change *change, const Place *place, RecordKind kind, uint32_t n)
{
	Record record = {.kind = kind,
			 .width = (uint8_t)(change->atom_width ? change->atom_width : 4),
			 .n_lanes = (uint8_t)MIN(n, place->warp_lanes)};

	record.mask = record.n_lanes == 64 ? UINT64_MAX : (UINT64_C(1) << record.n_lanes) - 1;
	return record;
}

static void append_arithmetic(uint32_t instructions, GArray *out)
{
	const Record record = {.kind = RECORD_ALU, .count = instructions};

	g_array_append_val(out, record);
}

/* Stores to all words of the further copies. */
static void append_clearing(const Change *change, const Place *place, uint32_t n_words,
			    GArray *out)
{
	const uint32_t n = n_words * (change->copies - 1), lanes = place->warp_lanes;

	for (uint32_t at = place->warp * lanes; at < n; at += place->n_warps * lanes) {
		Record store = access_of(change, place, RECORD_STS, n - at);

		for (uint32_t i = 0; i < store.n_lanes; i++)
			store.address[i] = change->first +
					   (1 + (at + i) / n_words) * change->stride_bytes +
					   (at + i) % n_words * store.width;
		g_array_append_val(out, store);
		append_arithmetic(LOOP_INSTRUCTIONS, out);
	}
}

/* Loads of one word of each further copy, and the arithmetic that combines them. */
static void append_merging(const Change *change, const Place *place, uint32_t n_words,
			   GArray *out)
{
	const uint32_t lanes = place->warp_lanes;

	for (uint32_t at = place->warp * lanes; at < n_words; at += place->n_warps * lanes) {
		Record load = access_of(change, place, RECORD_LDS, n_words - at);

		for (uint32_t copy = 1; copy < change->copies; copy++) {
			const bool last = copy == change->copies - 1;
			const uint32_t in_turn = (copy - 1) % LOADS_PER_TURN + 1;

			for (uint32_t i = 0; i < load.n_lanes; i++)
				load.address[i] = change->first + copy * change->stride_bytes +
						  (at + i) * load.width;
			g_array_append_val(out, load);
			if (in_turn == LOADS_PER_TURN || last)
				append_arithmetic(in_turn + TURN_INSTRUCTIONS, out);
		}
	}
}

static void surround(const Change *change, const Place *place, bool begins, GArray *out)
{
	const Record bar = {.kind = RECORD_BAR};
	const uint32_t n_words =
		(change->end - change->first) / (change->atom_width ? change->atom_width : 4);

	if (begins && change->clears) {
		append_clearing(change, place, n_words, out);
		g_array_append_val(out, bar);
	} else if (!begins && change->merges) {
		g_array_append_val(out, bar);
		append_merging(change, place, n_words, out);
	}
}

/* --- The copies --- */

#define MAX_COPIES 4096
#define MAX_PAD	   1024
#define LINE_BYTES 128

static gboolean read_copies(Change *change, const char *value, GError **error)
{
	return change_read_number("replicate", value, 1, MAX_COPIES, &change->copies, error);
}

static gboolean read_option(Change *change, const char *name, const char *value, GError **error)
{
	static const char *const maps[N_MAPS] = {"cyclic", "block", "warp"};
	uint32_t map;

	if (g_str_equal(name, "pad"))
		return change_read_number("pad", value, 0, MAX_PAD, &change->pad_words, error);
	if (!g_str_equal(name, "map") ||
	    !change_read_word("map", value, maps, N_MAPS, &map, error))
		return FALSE;
	change->map = (CopyMap)map;
	return TRUE;
}

/* Operations whose order does not matter and that have a neutral element. */
gboolean change_can_be_split(const SharedArray *array, GError **error)
{
	const uint32_t good = 1u << OPERATION_ADD | 1u << OPERATION_MIN | 1u << OPERATION_MAX |
			      1u << OPERATION_AND | 1u << OPERATION_OR | 1u << OPERATION_XOR;
	const uint32_t operations = array->operations;

	if ((operations & ~good) == 0 && (operations & (operations - 1)) == 0)
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			    "its atomics are not all of one operation whose order does "
			    "not matter (add, min, max, and, or, xor), so copies "
			    "cannot be merged");
}

/* Copies of a part of a buffer lie behind the buffer, each at a line of its own. */
static gboolean plan_in_buffer(Change *change, const SharedArray *array, RecordSource *source)
{
	const uint64_t old = source->kernel.buffer_bytes[array->buffer - 1];

	change->by_block = true;
	change->stride_bytes =
		(array->end + 4 * change->pad_words + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
	change->buffer_bytes = (old + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES +
			       (uint64_t)change->stride_bytes * (change->copies - 1);
	return TRUE;
}

static gboolean plan(Change *change, const SharedArray *array, RecordSource *source,
		     GError **error)
{
	uint32_t size = (change->end - change->first + 3) / 4 * 4;

	if (!change_can_be_split(array, error))
		return FALSE;
	if (array->buffer > 0)
		return plan_in_buffer(change, array, source);
	if (array->guards_global)
		return atomsim_fail(
			error, ATOMSIM_ERROR_INPUT,
			"its locks guard words of global memory, which threads with "
			"other copies of a lock would write at the same time");
	change->stride_bytes = size + 4 * change->pad_words;
	change->clears = array->locks == 0 && array->stores == 0 && change->copies > 1;
	change->merges = array->locks == 0 && array->loads == 0 && change->copies > 1;
	if (change->stride_bytes % array->widest != 0)
		return atomsim_fail(
			error, ATOMSIM_ERROR_INPUT,
			"copies %u bytes apart would put its accesses of %u bytes at "
			"places that are no multiple of that; allowed: pad= a multiple of %u "
			"words",
			change->stride_bytes, array->widest, array->widest / 4);
	return change_set_size(change, (uint64_t)change->stride_bytes * change->copies, error);
}

static uint32_t copy_of(const Change *change, const Place *place, uint32_t lane)
{
	uint32_t thread = place->warp * place->warp_lanes + lane;
	uint32_t n_threads = place->n_warps * place->warp_lanes;

	switch (change->map) {
	case MAP_BLOCK:
		return (uint32_t)((uint64_t)thread * change->copies / n_threads);
	case MAP_WARP:
		return place->warp % change->copies;
	default:
		return thread % change->copies;
	}
}

/* Moves each lane to the copy of its thread. */
static void move_to_own(const Change *change, const Place *place, Record *record)
{
	uint64_t left = record->mask;

	for (uint32_t i = 0; i < record->n_lanes; i++, left &= left - 1)
		record->address[i] += copy_of(change, place, (uint32_t)__builtin_ctzll(left)) *
				      change->stride_bytes;
}

static void move_to_copy(const Change *change, uint32_t copy, Record *record)
{
	for (uint32_t i = 0; i < record->n_lanes; i++)
		record->address[i] += copy * change->stride_bytes;
}

/* A load becomes turns of up to four loads and the arithmetic that combines them. */
static bool expand_load(const Change *change, const Record *in, uint32_t i, Record *out)
{
	uint32_t turn = i / (LOADS_PER_TURN + 1), place = i % (LOADS_PER_TURN + 1);
	uint32_t first = turn * LOADS_PER_TURN;
	uint32_t n = MIN(LOADS_PER_TURN, change->copies - MIN(first, change->copies));

	if (n == 0)
		return false;
	/* A short turn's arithmetic comes right behind its last load. */
	if (place > n)
		return false;
	*out = *in;
	if (place < n) {
		move_to_copy(change, first + place, out);
		return true;
	}
	if (change->copies == 1)
		return false;
	out->kind = RECORD_ALU;
	out->count = n + TURN_INSTRUCTIONS;
	out->n_lanes = 0;
	return true;
}

/* To the copy of its block: the first is the array itself, the last ends with the buffer. */
static void move_to_block(const Change *change, const Place *place, Record *record)
{
	const uint64_t copy = place->block % change->copies;

	if (copy > 0)
		record->offset += change->buffer_bytes - change->base -
				  change->stride_bytes * (change->copies - copy);
}

static bool expand(const Change *change, const Place *place, const Record *in, uint32_t i,
		   Record *out)
{
	bool is_own = place->in_section || in->kind == RECORD_ATOM || in->kind == RECORD_LOCK ||
		      in->kind == RECORD_UNLOCK;

	if (change->buffer > 0) {
		*out = *in;
		move_to_block(change, place, out);
		return i == 0;
	}
	if (is_own) {
		*out = *in;
		move_to_own(change, place, out);
		return i == 0;
	}
	if (in->kind == RECORD_LDS)
		return expand_load(change, in, i, out);
	*out = *in;
	move_to_copy(change, i, out);
	return i < change->copies;
}

const ChangeKind change_replicate = {
	.name = "replicate",
	.of_atomics = true,
	.in_buffers = true,
	.read = read_copies,
	.options = "map=, pad=, ",
	.read_option = read_option,
	.plan = plan,
	.expand = expand,
	.surround = surround,
};
