/* SPDX-License-Identifier: MIT */
/*
 * Combiner `merge`: a unit beside each warp scheduler adds up the lanes of a warp that want one word, before the atomic is sent.
 *
 * Modelled, after ARC (Durvasula et al., ASPLOS 2025; in software DISTWAR, arXiv 2401.05345: reduction in the sub-core, and what is
 * not worth that goes to the L2's units):
 * - Lanes of a word are merged if they are as many as a threshold, else each is sent by itself. Below it is not looked at
 *   a warp with fewer active lanes.
 * - The unit looks for one distinct word after another (word_cycles each), whether or not that one's lanes are merged.
 * - tree: a group's lanes are added in a pipelined tree, of as many levels as the logarithm of its lanes; serial: one after the other, and the
 *   next group waits. After their butterfly (SW-B) and their loop over lanes (SW-S), which need instructions besides.
 * - The warp waits until the last group is done, and then its atomic is issued; warps of a scheduler take turns at the unit.
 * Any operation that commutes is merged, on any type: sums of floats come out in another order than the lanes'.
 * Values: of integers what their lanes' come to, 1 for an addend that the trace does not say; of floats the first that is no
 * zero: mechanisms ask of them only whether something is added.
 * Not modelled: that ARC's hardware sends a group by itself when the way to the L2 is free; what it merges of different instructions
 * of a warp.
 */
#include "model/atomic/combiner.h"
#include "model/cost.h"

#include <glib.h>

typedef enum { MERGE_TREE, MERGE_SERIAL, N_MERGE_ORDERS } MergeOrder;

typedef struct {
	uint32_t threshold; /* lanes; 0: never */
	MergeOrder order;
	uint32_t word_cycles; /* of each distinct word */
	uint32_t step_cycles; /* a level of the tree, or a lane */
} Merge;

typedef struct {
	Cycle free[MAX_SCHEDULERS]; /* the unit of each is, then */
} Units;

static bool is_on(const void *own)
{
	return ((const Merge *)own)->threshold > 0;
}

static void *new (const void *own)
{
	(void)own;
	return g_new0(Units, 1);
}

/* Ranks of the lanes that want lane i's word, which lie behind it but for itself. */
static LaneMask group_of(const Combined *combined, uint32_t i)
{
	LaneMask lanes = 0;

	for (uint32_t k = i; k < combined->n_lanes; k++)
		lanes |= (LaneMask)(combined->address[k] == combined->address[i]) << k;
	return lanes;
}

static bool is_zero(ValueType type, uint64_t value)
{
	/* Zeros of either sign are added alike. */
	const uint64_t sign = type == TYPE_F32	 ? UINT64_C(1) << 31
			      : type == TYPE_F64 ? UINT64_C(1) << 63
						 : 0;

	return (value & ~sign) == 0;
}

/* What two lanes of integers come to. */
static uint64_t both_of(const Combined *combined, uint64_t a, uint64_t b)
{
	const bool narrow = combined->type == TYPE_U32 || combined->type == TYPE_S32;
	const uint64_t all = narrow ? UINT32_MAX : UINT64_MAX;
	/* Signed numbers compare as unsigned ones do with their sign turned over. */
	const uint64_t sign = combined->type == TYPE_S32   ? UINT64_C(1) << 31
			      : combined->type == TYPE_S64 ? UINT64_C(1) << 63
							   : 0;

	a &= all;
	b &= all;
	switch (combined->operation) {
	case OPERATION_ADD:
		return (a + b) & all;
	case OPERATION_MIN:
		return (a ^ sign) < (b ^ sign) ? a : b;
	case OPERATION_MAX:
		return (a ^ sign) > (b ^ sign) ? a : b;
	case OPERATION_AND:
		return a & b;
	case OPERATION_OR:
		return a | b;
	default:
		return a ^ b;
	}
}

/* What the first lane does for all of its group. */
static void add_up(Combined *combined, LaneMask group)
{
	const bool integers = combined->type == TYPE_U32 || combined->type == TYPE_S32 ||
			      combined->type == TYPE_U64 || combined->type == TYPE_S64;
	uint64_t *sum = &combined->value[__builtin_ctzll(group)];

	for (LaneMask left = group & (group - 1); combined->has_values && left;
	     left &= left - 1) {
		const uint64_t value = combined->value[__builtin_ctzll(left)];

		if (integers)
			*sum = both_of(combined, *sum, value);
		else if (is_zero(combined->type, *sum))
			*sum = value;
	}
}

/* Adds of which the trace does not say what: 1 each, and no ones any more once they are merged. */
static void suppose_values(Combined *combined)
{
	if (combined->has_values || combined->operation != OPERATION_ADD)
		return;
	for (uint32_t i = 0; i < combined->n_lanes; i++)
		combined->value[i] = 1;
	combined->has_values = true;
}

static void take(const void *own, void *state, Combined *combined, Cycle now, CombineStep *step)
{
	const Merge *p = own;
	Cycle *unit = &((Units *)state)->free[combined->scheduler];
	const uint32_t n_lanes = combined->n_lanes;
	uint32_t n_words = 0, n_added = 0, most = 1;
	LaneMask todo = lanes_below(n_lanes), kept = todo;

	if (n_lanes < p->threshold) {
		step->few = n_lanes;
		return;
	}
	while (todo) {
		const LaneMask group = group_of(combined, (uint32_t)__builtin_ctzll(todo));
		const uint32_t n = (uint32_t)__builtin_popcountll(group);

		todo &= ~group;
		n_words++;
		if (n < p->threshold) {
			step->few += n;
		} else if (n > 1) {
			suppose_values(combined);
			add_up(combined, group);
			kept &= ~(group & (group - 1));
			n_added += n - 1;
			most = MAX(most, n);
		}
	}
	step->merged = n_added;
	combined_keep(combined, kept);
	*unit = MAX(*unit, now) + (Cycle)n_words * p->word_cycles +
		(p->order == MERGE_SERIAL ? (Cycle)n_added * p->step_cycles : 0);
	step->ready = *unit;
	if (p->order == MERGE_TREE)
		for (uint32_t reached = 1; reached < most; reached *= 2)
			step->ready += p->step_cycles;
}

static bool is_idle(const void *state, Cycle now)
{
	const Units *units = state;

	for (uint32_t k = 0; k < MAX_SCHEDULERS; k++)
		if (units->free[k] > now)
			return false;
	return true;
}

static const char *const order_names[N_MERGE_ORDERS] = {"tree", "serial"};
static const KeyNames orders = {KEY_NAME_LIST(order_names)};

#define ARC	  "ARC (ASPLOS 2025; arXiv 2401.05345)"
#define MOST_TIME 1000 /* of a word or a level: a warp's wait stays far below the watchdog's */

#define ROWS(section)                                                                          \
	{                                                                                      \
		{.path = section ".threshold",                                                 \
		 KEY_NUMBER(Merge, threshold, 0, MAX_LANES),                                   \
		 .unit = "lanes",                                                              \
		 .default_value = "0",                                                         \
		 .neutral = true,                                                              \
		 .doc = "Least number of lanes of a warp with one word, and without use of "   \
			"the result, that are merged before the atomic is sent; 0: never.",    \
		 .source = "no GPU is known to merge so; " ARC ", proposes it"},               \
			{.path = section ".order",                                             \
			 KEY_FIELD(KEY_CHOICE, MergeOrder, Merge, order),                      \
			 .names = &orders,                                                     \
			 .default_value = "tree",                                              \
			 .needs = section ".threshold",                                        \
			 .doc = "How merged lanes are added: tree, in levels of a pipelined "  \
				"tree; serial, one after another.",                            \
			 .assumption = true,                                                   \
			 .source = ARC ", has both in software"},                              \
			{.path = section ".word_cycles",                                       \
			 KEY_NUMBER(Merge, word_cycles, 0, MOST_TIME),                         \
			 .unit = "cycles",                                                     \
			 .default_value = "1",                                                 \
			 .needs = section ".threshold",                                        \
			 .doc = "Time of each distinct word of an instruction at the merging " \
				"unit.",                                                       \
			 .assumption = true,                                                   \
			 .source = "one comparison of all lanes with one of them"},            \
			{.path = section ".step_cycles",                                       \
			 KEY_NUMBER(Merge, step_cycles, 0, MOST_TIME),                         \
			 .unit = "cycles",                                                     \
			 .default_value = "4",                                                 \
			 .needs = section ".threshold",                                        \
			 .doc = "Time of each level of the tree, or of each further lane.",    \
			 .assumption = true,                                                   \
			 .source = "an addition that the next one waits for takes 4 cycles "   \
				   "since Volta (Jia et al., arXiv 1804.06826)"},              \
	}

static const Key shared_rows[] = ROWS("atomic.merge");
static const Key global_rows[] = ROWS("global.atomic.merge");

static const KeyTable shared_keys = {"atomic.merge", "Merging of lanes before a shared atomic",
				     shared_rows,    G_N_ELEMENTS(shared_rows),
				     sizeof(Merge),  NULL};
static const KeyTable global_keys = {
	"global.atomic.merge", "Merging of lanes before a global atomic",
	global_rows,	       G_N_ELEMENTS(global_rows),
	sizeof(Merge),	       NULL};

/* One distinct word is compared with all lanes' at a time. */
static void count_units(const CostMachine *machine, MemorySpace space, uint32_t word_bits,
			CostPart *part)
{
	const Merge *p = machine->combine[space][COMBINER_merge];
	const CostWeights *weights = machine->weights;
	const uint32_t n_adders = p->order == MERGE_TREE ? COST_LANES - 1 : 1;

	part->units = (uint64_t)machine->n_sms * machine->n_schedulers;
	part->gates = COST_LANES * (uint64_t)word_bits * weights->compare_gates +
		      n_adders * (COST_WORD_BITS * (uint64_t)weights->integer_gates +
				  weights->float_gates);
}

static void count_shared(const CostMachine *machine, CostPart *part)
{
	count_units(machine, MEMORY_SHARED, cost_word_index_bits(machine->shared), part);
}

static void count_global(const CostMachine *machine, CostPart *part)
{
	count_units(machine, MEMORY_GLOBAL, COST_ADDRESS_BITS - 2, part);
}

#define COST_DOC                                                                               \
	"per scheduler; gates that compare a word's address with all lanes', and adders for "  \
	"integers and floats of 32 bits: a tree of them, or one"

static const CostRow shared_cost = {"merge, shared", COST_DOC, count_shared};
static const CostRow global_cost = {"merge, global", COST_DOC, count_global};

const Combiner combiner_merge = {
	.name = "merge",
	.keys = {[MEMORY_SHARED] = &shared_keys, [MEMORY_GLOBAL] = &global_keys},
	.costs = {[MEMORY_SHARED] = &shared_cost, [MEMORY_GLOBAL] = &global_cost},
	.is_on = is_on,
	.new = new,
	.free = g_free,
	.take = take,
	.is_idle = is_idle,
};
