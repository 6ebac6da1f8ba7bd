/* SPDX-License-Identifier: MIT */
/*
 * Finds the instructions by which a program takes its own spin locks. The machine code does not
 * say it, so the events do: a lane that executes a compare-and-swap, or an exchange whose result is
 * used, and goes on to something else, has the lock if it later writes the same word without
 * looking at it. An instruction takes locks if every lane that went on from it did so before it
 * came back or ended.
 *
 * Of locks within locks only the inner ones are found: the instruction that takes the outer one is
 * followed by another try. It stays the atomic that it is, so a replay keeps the order of the watched
 * run instead of deciding it; such lanes are counted (nested_locks).
 */
#include "gpu/convert/internal.h"
#include "gpu/sass/link.h"

/* Where each lane of a warp is. */
typedef struct {
	int site[TRACE_MAX_LANES]; /* instruction + 1 that tried a lock last; 0 if none is held */
	uint64_t word[TRACE_MAX_LANES];
	uint32_t went_on; /* lanes that did something else since */
	uint32_t nests;	  /* lanes that tried another lock since they took `outer` */
	uint64_t outer[TRACE_MAX_LANES];
} Lanes;

typedef struct {
	Launch *launch;
	GHashTable *warps; /* block and warp -> Lanes */
	bool *releases;	   /* by instruction: a lane gave back what it took here */
	bool *refuted;	   /* a lane did not */
	int *goes_on_at;   /* + 1: another copy of the instruction, for further attempts */
} Search;

static bool tries_lock(const SassInstruction *instruction)
{
	Operation operation;
	ValueType type;
	bool result;

	return sass_atomic(instruction, &operation, &type, &result) && type < TYPE_U64 &&
	       (operation == OPERATION_CAS || (operation == OPERATION_EXCH && result));
}

/* Locks are words of shared or of global memory. */
bool convert_can_lock(const RawEvent *event)
{
	return (event->kind == RAW_SHARED || event->kind == RAW_GLOBAL) && event->bytes == 4;
}

/* A write that does not ask for what was there. */
bool convert_gives_lock_back(const SassInstruction *instruction, const RawEvent *event)
{
	return convert_can_lock(event) && event->flags & RAW_WRITE && !tries_lock(instruction);
}

static Lanes *lanes_of(Search *search, const RawEvent *event)
{
	gint64 key = (gint64)(event->block_id * TRACE_MAX_WARPS + event->warp);
	Lanes *lanes = g_hash_table_lookup(search->warps, &key);

	if (!lanes) {
		lanes = g_new0(Lanes, 1);
		g_hash_table_insert(search->warps, g_memdup2(&key, sizeof(key)), lanes);
	}
	return lanes;
}

/* A lane that went on from one try to another word's may hold both; it did if it gives the first back. */
static void look_at_outer(Search *search, const RawEvent *event, bool gives_back, Lanes *lanes,
			  int lane, uint64_t word)
{
	uint32_t bit = 1u << lane;

	if (!(lanes->nests & bit))
		return;
	if (event->kind == RAW_EXIT) {
		lanes->nests &= ~bit;
	} else if (gives_back && lanes->outer[lane] == word) {
		lanes->nests &= ~bit;
		search->launch->counts->nested_locks++;
	}
}

/* What the event's instruction does, for all its lanes. */
typedef struct {
	int index;
	bool tries, gives_back;
} Deed;

static void look_at_lane(Search *search, const RawEvent *event, const Deed *deed, Lanes *lanes,
			 int lane, uint64_t word)
{
	const bool tries = deed->tries, gives_back = deed->gives_back;
	const int index = deed->index;
	bool same = lanes->site[lane] && lanes->word[lane] == word && convert_can_lock(event);
	bool went_on = lanes->went_on >> lane & 1;
	int site = lanes->site[lane] - 1;

	look_at_outer(search, event, gives_back, lanes, lane, word);
	if (site >= 0 && same && tries && !went_on) {
		if (site != index)
			search->goes_on_at[site] = index + 1;
		lanes->site[lane] = index + 1;
	} else if (site >= 0 && same && gives_back) {
		search->releases[site] = true;
		lanes->site[lane] = 0;
	} else if (site >= 0 && (tries || event->kind == RAW_EXIT)) {
		search->refuted[site] = true;
		lanes->site[lane] = 0;
		if (tries && lanes->word[lane] != word && !(lanes->nests >> lane & 1)) {
			lanes->nests |= 1u << lane;
			lanes->outer[lane] = lanes->word[lane];
		}
	} else if (site >= 0 && !(same && (event->flags & ~RAW_VALUES) == RAW_READ)) {
		/* Looking at the word is still waiting for it. */
		lanes->went_on |= 1u << lane;
	}
	if (tries && !lanes->site[lane]) {
		lanes->site[lane] = index + 1;
		lanes->word[lane] = word;
	}
	if (tries)
		lanes->went_on &= ~(1u << lane);
}

static void look_at_event(Search *search, const RawEvent *event, const void *addresses)
{
	const Launch *launch = search->launch;
	int index = sass_find_pc(launch->function, launch->recording->launch->function_pc,
				 event->pc);
	const SassInstruction *instruction;
	Deed deed = {.index = index};
	Lanes *lanes;
	guint i = 0;

	if (index < 0 || event->kind == RAW_ENTER || event->kind >= RAW_SHUFFLE ||
	    event->warp >= TRACE_MAX_WARPS)
		return;
	instruction = sass_instruction(launch->function, index);
	deed.tries = convert_can_lock(event) && tries_lock(instruction);
	deed.gives_back = convert_gives_lock_back(instruction, event);
	lanes = lanes_of(search, event);
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (event->mask >> lane & 1) {
			bool has_word = RAW_ADDRESS_BYTES(event->kind) > 0;

			look_at_lane(search, event, &deed, lanes, lane,
				     has_word ? raw_address(event, addresses, i) : 0);
			i++;
		}
}

static bool may_lock(const SassFunction *function)
{
	for (guint i = 0; i < function->instructions->len; i++)
		if (tries_lock(sass_instruction(function, (int)i)))
			return true;
	return false;
}

/* For each instruction whether it takes locks; free with g_free. NULL: none can. Damaged events end the search:
   who converts them will say so. */
bool *convert_find_locks(Launch *launch)
{
	guint n = launch->function->instructions->len;
	g_autofree bool *refuted = g_new0(bool, n);
	g_autofree int *goes_on_at = g_new0(int, n);
	bool *locks;
	Search search = {.launch = launch, .refuted = refuted, .goes_on_at = goes_on_at};
	RawCursor cursor = {.recording = launch->recording};
	const RawEvent *event;
	const void *addresses;

	if (!may_lock(launch->function))
		return NULL;
	search.warps = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	search.releases = locks = g_new0(bool, n);
	while (raw_next_event(&cursor, &event, &addresses, NULL))
		look_at_event(&search, event, addresses);
	g_hash_table_unref(search.warps);
	for (guint i = n; i-- > 0;) {
		int next = goes_on_at[i] - 1;

		locks[i] = !refuted[i] && (locks[i] || (next >= 0 && locks[next]));
	}
	return locks;
}
