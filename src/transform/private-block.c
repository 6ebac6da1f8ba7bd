/* SPDX-License-Identifier: MIT */
/*
 * private=block: each block has the array of a buffer in its shared memory, and gives its words to the buffer at its end.
 *
 * Modelled: stores that clear the words and a barrier, the atomics in shared memory, a barrier at the end, and for each word
 * a load and an atomic in the buffer, 32 neighbours at a time, by all warps. words=reached: only the words that the block adds to, side by
 * side, as a block keeps them that has a list of what it works on.
 * Charged: besides these the shared memory, and LOOP_INSTRUCTIONS for each turn.
 */
#include "transform/change.h"

#include "base/error.h"

#define LOOP_INSTRUCTIONS 4

typedef struct {
	const Change *change;
	GArray *words;
} Reached;

static void add_reached(void *data, const Record *record)
{
	const Reached *reached = data;

	if (record == NULL || !change_reaches(reached->change, record))
		return;
	for (uint32_t i = 0; i < record->n_lanes; i++) {
		const uint32_t word = change_place_of(reached->change, record, i) /
				      reached->change->atom_width;

		if (i == 0 || record->address[i] != record->address[i - 1])
			g_array_append_val(reached->words, word);
	}
}

static gint compare_words(gconstpointer a, gconstpointer b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void free_words(gpointer words)
{
	g_array_unref(words);
}

/* The words that each block adds to, ascending, and the most of them in most. FALSE: a stream failed. */
static bool find_reached(Change *change, RecordSource *source, uint32_t *most)
{
	*most = 0;
	change->reached = g_ptr_array_new_with_free_func(free_words);
	change->by_block = true;
	for (uint64_t block = 0; block < source->n_blocks; block++) {
		Reached reached = {change, g_array_new(FALSE, FALSE, sizeof(uint32_t))};
		uint32_t *words, n = 0;

		g_ptr_array_add(change->reached, reached.words);
		if (!buffer_accesses_visit_block(source, block, add_reached, &reached))
			return false;
		g_array_sort(reached.words, compare_words);
		words = (uint32_t *)(void *)reached.words->data;
		for (guint i = 0; i < reached.words->len; i++)
			if (n == 0 || words[n - 1] != words[i])
				words[n++] = words[i];
		g_array_set_size(reached.words, n);
		*most = MAX(*most, n);
		if ((uint64_t)n * change->atom_width > TRACE_MAX_SHARED_BYTES)
			break; /* which is refused */
	}
	return true;
}

/* The array's words that a block has, and where. */
static uint32_t words_of_block(const Change *change, uint64_t block)
{
	return change->reached == NULL ? (change->end - change->first) / change->atom_width
				       : ((GArray *)change->reached->pdata[block])->len;
}

/* The number of a block's i-th word in the array. */
static uint32_t word_at(const Change *change, uint64_t block, uint32_t i)
{
	return change->reached == NULL
		       ? i
		       : g_array_index((GArray *)change->reached->pdata[block], uint32_t, i);
}

/* Where a block keeps a word, counted in words. */
static uint32_t slot_of(const Change *change, uint64_t block, uint32_t word)
{
	guint slot = word;

	if (change->reached != NULL)
		g_array_binary_search(change->reached->pdata[block], &word, compare_words,
				      &slot);
	return slot;
}

gboolean private_plan_block(Change *change, const SharedArray *array, RecordSource *source,
			    GError **error)
{
	uint32_t bytes = array->end, most;

	if (change->reached_only) {
		if (!find_reached(change, source, &most)) {
			g_clear_pointer(&change->reached, g_ptr_array_unref);
			return FALSE;
		}
		bytes = MIN(most, TRACE_MAX_SHARED_BYTES / change->atom_width) *
			change->atom_width;
	}
	change->stride_bytes = (change->block_bytes + 15) / 16 * 16;
	if ((uint64_t)change->stride_bytes + bytes > TRACE_MAX_SHARED_BYTES) {
		g_clear_pointer(&change->reached, g_ptr_array_unref);
		return atomsim_fail(
			error, ATOMSIM_ERROR_INPUT,
			"its %u bytes and those of the block are more than the %u that "
			"shared memory can have",
			bytes, TRACE_MAX_SHARED_BYTES);
	}
	change->shared_bytes = change->stride_bytes + bytes;
	return TRUE;
}

static void append_barrier(GArray *out)
{
	const Record bar = {.kind = RECORD_BAR};

	g_array_append_val(out, bar);
}

/* The atomic that gives the words which a load has read to the buffer, from the block's word `first` on. */
static void append_to_buffer(const Change *change, uint64_t block, uint32_t first,
			     const Record *load, GArray *out)
{
	Record record = {.kind = RECORD_ATOMG,
			 .operation = change->operation,
			 .type = change->type,
			 .width = load->width,
			 .n_lanes = load->n_lanes,
			 .mask = load->mask,
			 .site = change->atom_site,
			 .buffer = (uint16_t)change->buffer,
			 .offset = change->base};

	for (uint32_t i = 0; i < load->n_lanes; i++)
		record.address[i] = word_at(change, block, first + i) * load->width;
	change_settle(&record);
	g_array_append_val(out, record);
}

/* A warp's turns over all words: in each a store that clears, or a load and an atomic in the buffer. */
static void append_turns(const Change *change, const Place *place, bool clears, GArray *out)
{
	const uint32_t width = change->atom_width, lanes = place->warp_lanes;
	const uint32_t n_words = words_of_block(change, place->block);

	for (uint32_t first = place->warp * lanes; first < n_words;
	     first += place->n_warps * lanes) {
		const uint32_t n = MIN(lanes, n_words - first);
		Record turn = {.kind = RECORD_ALU, .count = LOOP_INSTRUCTIONS};
		Record access = {.kind = clears ? RECORD_STS : RECORD_LDS,
				 .width = (uint8_t)width,
				 .n_lanes = (uint8_t)n,
				 .mask = n == 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1};

		for (uint32_t i = 0; i < n; i++)
			access.address[i] = change->stride_bytes + (first + i) * width;
		g_array_append_val(out, access);
		if (!clears)
			append_to_buffer(change, place->block, first, &access, out);
		g_array_append_val(out, turn);
	}
}

void private_rewrite_block(const Change *change, const Place *place, const Record *in,
			   GArray *out)
{
	Record record;

	if (in == NULL) {
		append_turns(change, place, true, out);
		append_barrier(out);
		return;
	}
	if (in->kind == RECORD_EXIT) {
		append_barrier(out);
		append_turns(change, place, false, out);
	}
	record = *in;
	if (change_reaches(change, in)) {
		for (uint32_t i = 0; i < in->n_lanes; i++)
			record.address[i] =
				change->stride_bytes +
				slot_of(change, place->block,
					change_place_of(change, in, i) / in->width) *
					in->width;
		record.kind = RECORD_ATOM;
		record.mechanism = 0;
	}
	g_array_append_val(out, record);
}
