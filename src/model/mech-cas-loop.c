/* SPDX-License-Identifier: MIT */
/*
 * Mechanism `cas-loop`: float and 64-bit operations of current GPUs, a loop of compare-and-swaps.
 *
 *	loop:	LDS	R, [A]			read the word
 *		FADD	S, R, v			the operation
 *		ATOMS.CAST.SPIN	T, [A], R, S	store S if the word still is R
 *		ISETP, BRA loop			lanes that failed go back
 *
 * Of 64 bits integers take two instructions to add, and the comparison two.
 *
 * Every rule is from our measurements of an H200 (measurements/h200; docs/how-right.md shows how well
 * each holds). "Round" is one turn of the loop.
 * - LDS: passes of the different words, like any load; each further pass 2 cycles (t_bank).
 * - The swap lets one lane of each bank through, same word or not, the lowest that tries; one pass,
 *   at a compare-and-swap's pace. The others fail. With it the rounds of all 2,466 patterns of
 *   warp-latency.csv come out right, and with the highest lane they do not.
 * - Between warps nothing is locked: the swap fails if another warp has written the word since it was
 *   read (warp-throughput.csv: 32 words of distance cost nothing, the same words 13 times as much). What a swap
 *   stores is found by loads write_cycles after its start, so a warp fails that is up to 35 cycles behind another, 28
 *   of them from the load's issue to the swap's (swap-steps.csv).
 * - A round in vain takes 82 cycles, load to load, one of which all lanes are done 92 (swap-steps.csv, warp-latency.csv).
 * - The branch. All lanes done: exit. All that tried failed: retry, the warp stays in one
 *   piece. Else the warp splits and the larger part runs first (pos/16 to pos/17: 38 cycles less when
 *   those who retry are as many as those who are done); then the retry's load comes split
 *   later. After a split at which more lanes went on than back (leave cycles more), the next
 *   split costs switch, the first time, and retry from then on. What the hardware does
 *   there is not published; these five cycle counts fit all patterns within a cycle of 100 to 4,000.
 * - 64-bit: the half warps take turns at 16 banks of double words, each with a lane a bank, and of
 *   one word in both halves the first half's lane wins; wide_operation and wide a round more, and halves if
 *   both halves take part. The median error is 0.8 %, the largest 4.4 %. The swap's registers are five, which take their
 *   time at the port, so what it stores is found as much later: a load 44 cycles behind another warp's still fails,
 *   one 55 behind does not (swap-wide.csv).
 * Assumed: all words of an access are read at its first pass; of two swaps the one that is issued first is decided
 * first, even if the other reaches the banks before it.
 * - A swap compares values: one that leaves the word as it was, by adding 0, makes no other warp's fail (swap-order.csv:
 *   8 warps that all add 0 to a word need 1.0 rounds a success, 4 others beside 4 such as many as 4 alone; lanes
 *   of one warp wait for each other all the same). Known where the trace has the operands.
 * Not modelled: a word that others have changed and changed back.
 */
#include "model/mechanism.h"

#include <glib.h>

#include "model/scheduler.h"

typedef struct {
	uint32_t operation_cycles; /* from the word to what the swap would store */
	uint32_t cas_cycles;	   /* the swap, issue to result, one pass */
	uint32_t write_cycles;	   /* the swap's start to when loads find what it stored */
	uint32_t swap_passes;	   /* the swap in passes of another operation */
	uint32_t exit_cycles;	/* the swap's result to the next instruction, all lanes done */
	uint32_t retry_cycles;	/* to the retry's load: all lanes that tried failed */
	uint32_t split_cycles;	/* to the retry's load: some lanes go on, some back */
	uint32_t switch_cycles; /* the same, the first time after more went on than back */
	uint32_t again_cycles;	/* the same, later */
	uint32_t leave_cycles;	/* added when more lanes go on than back */
	uint32_t wide_operation_cycles; /* added to the operation of 64 bits */
	uint32_t wide_cycles;		/* added behind the swap of 64 bits */
	uint32_t halves_cycles; /* added when both halves of the warp swap 64-bit values */
} Parameters;

/* A warp's atomic. */
typedef struct {
	LaneMask winners; /* lanes whose swap succeeded in this round */
	uint32_t worst_bank;
	bool left_first;   /* at the last split more lanes went on than back */
	bool switched;	   /* has paid switch_cycles */
	Cycle read_at;	   /* the load's first pass */
	uint32_t compared; /* instructions of this round's comparison that were issued */
} Loop;

typedef struct {
	const Parameters *parameters;
	Cycle *written_at; /* per word: the last swap that succeeded */
	Loop loops[MAX_WARP_SLOTS];
} CasLoop;

enum { PHASE_LOAD, PHASE_CARRY, PHASE_OPERATION, PHASE_SWAP, PHASE_COMPARE, PHASE_BRANCH };

#define SWAP_REGISTERS	    3 /* address, the word as it was and as it shall be */
#define WIDE_SWAP_REGISTERS 5

#define GROUP	 16 /* lanes of a wide operation that take their turn together */
#define N_GROUPS (MAX_LANES / GROUP)

static bool is_wide(const Atomic *atomic)
{
	return atomic->type == TYPE_U64 || atomic->type == TYPE_S64 || atomic->type == TYPE_F64;
}

/* The bank that a lane's value lies in: of words, or of double words. */
static uint32_t bank_of(const AtomicUnit *unit, const Atomic *atomic, uint32_t lane)
{
	return unit->shared->table->bank_of[atomic->word[lane]] >> is_wide(atomic);
}

/* The g-th group of the lanes still to do. */
static LaneMask group(const Atomic *atomic, uint32_t g)
{
	return atomic->pending & lanes_below(GROUP) << g * GROUP;
}

/* Different words in the worst bank, of these lanes. */
static uint32_t degree(AtomicUnit *unit, const Atomic *atomic, Loop *loop, LaneMask lanes)
{
	uint32_t *stamps = unit->shared->stamps;
	const uint32_t stamp = shared_next_serial(unit->shared) << STAMP_SHIFT;
	uint8_t in_bank[SHARED_MAX_BANKS] = {0};
	uint32_t most = 0;

	for (LaneMask left = lanes; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left), word = atomic->word[lane],
			 bank;

		if (stamps[word] == stamp)
			continue;
		stamps[word] = stamp;
		bank = bank_of(unit, atomic, lane);
		if (++in_bank[bank] > most) {
			most = in_bank[bank];
			loop->worst_bank = unit->shared->table->bank_of[word];
		}
	}
	return most;
}

static void load(AtomicUnit *unit, const Atomic *atomic, Loop *loop, Cycle now, Step *step)
{
	const SharedParameters *shared = unit->shared->parameters;
	SharedPasses passes = {.n_groups = 1, .passes = 1, .group_passes = {1}, .registers = 1};

	if (!shared->conflict_free && is_wide(atomic)) {
		passes.n_groups = passes.passes = 0;
		for (uint32_t g = 0; g < N_GROUPS; g++) {
			uint32_t n = degree(unit, atomic, loop, group(atomic, g));

			if (n > 0)
				passes.group_passes[passes.n_groups++] = n;
			passes.passes += n;
		}
	} else if (!shared->conflict_free) {
		passes.passes = degree(unit, atomic, loop, atomic->pending);
		passes.group_passes[0] = passes.passes;
	}
	passes.worst_bank = loop->worst_bank;
	step->name = "LDS";
	step->passes = passes.passes;
	step->start = shared_access_groups_slow(unit->shared, now, &passes, 1);
	loop->read_at = step->start;
	step->bank_cycles = unit->shared->bank_cycles;
	step->ready = step->start + shared->load_cycles + step->bank_cycles;
	unit->counters->rounds++;
}

/* The lanes of `lanes` that the banks let through, and of them those that find their word as they
   read it: they write it at `at`. */
static LaneMask winners_of(CasLoop *cas, AtomicUnit *unit, const Atomic *atomic,
			   const Loop *loop, LaneMask lanes, Cycle at, LaneMask *let_through)
{
	uint64_t banks = 0;
	LaneMask winners = 0;

	for (LaneMask left = lanes; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left);
		uint64_t bank = UINT64_C(1) << bank_of(unit, atomic, lane);

		if (banks & bank)
			continue;
		banks |= bank;
		*let_through |= UINT64_C(1) << lane;
		if (cas->written_at[atomic->word[lane]] <= loop->read_at)
			winners |= UINT64_C(1) << lane;
	}
	for (LaneMask left = winners & ~atomic->same; left; left &= left - 1) {
		Cycle *written_at = &cas->written_at[atomic->word[__builtin_ctzll(left)]];

		*written_at = MAX(*written_at, at);
	}
	return winners;
}

/* A failed lane met another warp's write, or a winner of its own warp: on its word or its bank. */
static void count_failures(const CasLoop *cas, AtomicUnit *unit, const Atomic *atomic,
			   const Loop *loop, LaneMask let_through)
{
	for (LaneMask left = atomic->pending & ~loop->winners; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left), word = atomic->word[lane];
		bool own_word = false;

		for (LaneMask won = loop->winners; won; won &= won - 1)
			own_word |= atomic->word[__builtin_ctzll(won)] == word;
		unit->shared->failures[word]++;
		if (own_word)
			unit->counters->failures.intra_position++;
		else if (cas->written_at[word] > loop->read_at)
			unit->counters->failures.inter_position++;
		else if (!(let_through & UINT64_C(1) << lane))
			unit->counters->failures.intra_alias++;
		else
			g_assert_not_reached();
	}
}

static void swap(CasLoop *cas, AtomicUnit *unit, const Atomic *atomic, Loop *loop, Cycle now,
		 Step *step)
{
	const Parameters *p = cas->parameters;
	const uint32_t n_tried = (uint32_t)__builtin_popcountll(atomic->pending);
	uint32_t n_groups = 0, write_cycles = p->write_cycles;
	LaneMask let_through = 0;
	SharedPasses passes;

	for (uint32_t g = 0; is_wide(atomic) && g < N_GROUPS; g++)
		n_groups += group(atomic, g) != 0;
	step->name = "CAS";
	step->passes = unit->shared->parameters->conflict_free ? 1 : MAX(n_groups, 1);
	/* Half warps take their turns: each is an access, as an H200's counter has it (wide-accesses.csv). */
	passes = (SharedPasses){.n_groups = step->passes,
				.passes = step->passes,
				.registers =
					is_wide(atomic) ? WIDE_SWAP_REGISTERS : SWAP_REGISTERS,
				.keeps_port = true,
				.worst_bank = loop->worst_bank};
	for (uint32_t g = 0; g < step->passes; g++)
		passes.group_passes[g] = 1;
	step->start = shared_access_groups_slow(unit->shared, now, &passes, p->swap_passes);
	loop->winners = 0;
	if (is_wide(atomic))
		write_cycles += (WIDE_SWAP_REGISTERS - SWAP_REGISTERS) *
				unit->shared->parameters->port_register_cycles;
	if (unit->shared->parameters->conflict_free)
		loop->winners = atomic->pending;
	else if (!is_wide(atomic))
		loop->winners = winners_of(cas, unit, atomic, loop, atomic->pending,
					   step->start + write_cycles, &let_through);
	else
		for (uint32_t g = 0; g < N_GROUPS; g++)
			loop->winners |= winners_of(cas, unit, atomic, loop, group(atomic, g),
						    step->start + write_cycles, &let_through);
	step->winners = loop->winners;
	step->failed = n_tried - (uint32_t)__builtin_popcountll(loop->winners);
	if (step->failed)
		count_failures(cas, unit, atomic, loop, let_through);
	step->ready = step->start + p->cas_cycles + (n_groups > 1 ? p->halves_cycles : 0);
	unit->counters->attempts += n_tried;
	unit->counters->retries += atomic->round ? n_tried : 0;
	unit->counters->successes += n_tried - step->failed;
}

/* Instructions that compare what the swap has brought. */
static uint32_t n_comparisons(const Atomic *atomic)
{
	return 1 + is_wide(atomic);
}

/* From the swap's result to the retry's load, where some lanes are not done. */
static uint32_t back_cycles(const Parameters *p, Loop *loop, LaneMask back)
{
	uint32_t cycles = p->retry_cycles;

	if (!loop->winners)
		return cycles;
	cycles = p->split_cycles;
	if (loop->left_first) {
		cycles = loop->switched ? p->again_cycles : p->switch_cycles;
		loop->switched = true;
	}
	loop->left_first = __builtin_popcountll(loop->winners) > __builtin_popcountll(back);
	return cycles + (loop->left_first ? p->leave_cycles : 0);
}

static void branch(const CasLoop *cas, AtomicUnit *unit, Atomic *atomic, Loop *loop, Cycle now,
		   Step *step)
{
	const Parameters *p = cas->parameters;
	const LaneMask back = atomic->pending & ~loop->winners;
	const uint32_t compared = n_comparisons(atomic) * unit->issue_cycles;
	uint32_t cycles = unit->issue_cycles - 1 + (is_wide(atomic) ? p->wide_cycles : 0);

	step->name = "BRA";
	step->retry = back != 0;
	step->done = !back;
	cycles += back ? back_cycles(p, loop, back) : p->exit_cycles;
	step->ready = now + MAX(unit->issue_cycles, cycles - MIN(cycles, compared));
	atomic->round++;
	if (back)
		atomic->pending = back;
	else
		atomic_end(unit, atomic);
}

static bool has_carry(const Atomic *atomic)
{
	return atomic->type == TYPE_U64 || atomic->type == TYPE_S64;
}

/* Of the last instruction of the operation, of all together as operation_cycles says. */
static uint32_t operation_cycles(const Parameters *p, const AtomicUnit *unit,
				 const Atomic *atomic)
{
	uint32_t all = p->operation_cycles + (is_wide(atomic) ? p->wide_operation_cycles : 0);
	uint32_t before = has_carry(atomic) ? unit->issue_cycles : 0;

	return MAX(unit->issue_cycles, all - MIN(all, before));
}

static void step(AtomicUnit *unit, void *state, Atomic *atomic, Cycle now, Step *step)
{
	CasLoop *cas = state;
	Loop *loop = &cas->loops[atomic->slot];

	*step = (Step){.start = now, .retry = atomic->round > 0};
	switch (atomic->phase) {
	case PHASE_LOAD:
		if (atomic->round == 0) {
			atomic_begin(unit, atomic);
			loop->worst_bank = 0;
			loop->left_first = loop->switched = false;
		}
		load(unit, atomic, loop, now, step);
		atomic->phase = has_carry(atomic) ? PHASE_CARRY : PHASE_OPERATION;
		break;
	case PHASE_CARRY:
		step->name = "OP";
		step->ready = now + unit->issue_cycles;
		atomic->phase = PHASE_OPERATION;
		break;
	case PHASE_OPERATION:
		step->name = "OP";
		step->ready = now + operation_cycles(cas->parameters, unit, atomic);
		atomic->phase = PHASE_SWAP;
		break;
	case PHASE_SWAP:
		swap(cas, unit, atomic, loop, now, step);
		atomic->phase = PHASE_COMPARE;
		loop->compared = 0;
		break;
	case PHASE_COMPARE:
		step->name = "SET";
		step->ready = now + unit->issue_cycles;
		if (++loop->compared == n_comparisons(atomic))
			atomic->phase = PHASE_BRANCH;
		break;
	default:
		branch(cas, unit, atomic, loop, now, step);
		atomic->phase = PHASE_LOAD;
	}
}

static void *new (const AtomicUnit *unit)
{
	CasLoop *cas = g_new0(CasLoop, 1);

	cas->parameters = unit->parameters->own[MECHANISM_cas_loop];
	cas->written_at = g_new0(Cycle, unit->shared->table->n_words);
	return cas;
}

static void free_state(void *state)
{
	CasLoop *cas = state;

	g_free(cas->written_at);
	g_free(cas);
}

static void snapshot(const AtomicUnit *unit, const void *state, const Atomic *atomic, Cycle now,
		     Snapshot *snapshot)
{
	const CasLoop *cas = state;
	const Loop *loop = &cas->loops[atomic->slot];

	(void)unit;
	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		const Cycle at = cas->written_at[atomic->word[lane]];

		snapshot_add(snapshot, snapshot_left(at, now) << 1 | (at > loop->read_at));
	}
	snapshot_add(snapshot, snapshot_left(loop->read_at, now));
	snapshot_add(snapshot, atomic->phase);
	snapshot_add(snapshot, atomic->round > 0);
	snapshot_add(snapshot, atomic->pending);
	snapshot_add(snapshot, loop->winners);
	snapshot_add(snapshot, loop->worst_bank);
	snapshot_add(snapshot, (uint32_t)loop->left_first << 1 | loop->switched);
	snapshot_add(snapshot, loop->compared);
}

static void shift(void *state, const Atomic *atomic, Cycle now, Cycle by)
{
	CasLoop *cas = state;
	Loop *loop = &cas->loops[atomic->slot];

	loop->read_at += loop->read_at > now ? by : 0;
	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		Cycle *written_at = &cas->written_at[atomic->word[lane]];

		if (*written_at > now && *written_at - now <= by)
			*written_at += by;
	}
}

#define PATH(name, was)		 .path = "atomic.cas_loop." name, .formerly = was
#define CYCLES(field, was, from) PATH(#field, was), KEY_CYCLES(Parameters, field, from)

static const Key keys[] = {
	{CYCLES(operation_cycles, NULL, 1), .preset = "5",
	 .doc = "From the word to the swap of what is to be stored.",
	 .source = KEY_H200
	 "/issue: issue-latency.csv, FADD 4, and 1 more to a memory instruction"},
	{CYCLES(cas_cycles, NULL, 1), .preset = "31", .doc = "The swap, from issue to result.",
	 .source = KEY_H200 ": warp-latency.csv, cas_ret, pos/1"},
	{CYCLES(write_cycles, NULL, 1), .preset = "8",
	 .doc = "From the swap's start until a load finds what it stored.",
	 .source =
		 KEY_H200 ": swap-steps.csv: a load 35 cycles behind another warp's fails, one "
			  "36 behind does not, and its swap starts 28 behind it"},
	{PATH("swap_passes", "atomic.loop_swap_passes"),
	 KEY_NUMBER(Parameters, swap_passes, 1, 16), .preset = "2",
	 .doc = "The swap keeps the banks busy for so many passes.",
	 .source = KEY_H200 ": warp-throughput.csv, fadd_noret, pos/1, shift_words 32, 32 "
			    "warps"},
	{CYCLES(exit_cycles, "atomic.loop_exit_cycles", 1), .preset = "33",
	 .doc = "From the swap's result to the next instruction, all lanes done.",
	 .source = KEY_H200 ": warp-latency.csv, fadd_noret, pos/1"},
	{CYCLES(retry_cycles, "atomic.loop_retry_cycles", 1), .preset = "23",
	 .doc = "From the swap's result to the retry's load, all lanes having failed.",
	 .source = KEY_H200
	 ": swap-steps.csv, 2 warps, 32 common words: a round in vain takes 82"},
	{CYCLES(split_cycles, "atomic.loop_split_cycles", 1), .preset = "36",
	 .doc = "The same when some lanes are done and some retry.",
	 .source = KEY_H200 ": warp-latency.csv, fadd_noret, pos/17 to pos/32"},
	{CYCLES(switch_cycles, "atomic.loop_switch_cycles", 1), .preset = "71",
	 .doc = "The same, the first time after a split of which most lanes were done.",
	 .source = KEY_H200 ": warp-latency.csv, fadd_noret, pos/3 to pos/16"},
	{CYCLES(again_cycles, NULL, 1), .preset = "20", .doc = "The same, later.",
	 .source = KEY_H200 ": warp-latency.csv, fadd_noret, pos/17 to pos/32, each further "
			    "lane"},
	{CYCLES(leave_cycles, "atomic.loop_leave_cycles", 0), .preset = "3",
	 .doc = "Added to a split of which most lanes are done.",
	 .source = KEY_H200 ": warp-latency.csv, fadd_noret, pos/2"},
	{CYCLES(wide_operation_cycles, NULL, 0), .preset = "4",
	 .doc = "Added to the operation where it is of 64 bits.",
	 .source = KEY_H200 "/issue: issue-latency.csv, DADD 8 and FADD 4"},
	{CYCLES(wide_cycles, "atomic.loop_wide_cycles", 0), .preset = "12",
	 .doc = "Added behind the swap of a 64-bit operation.",
	 .source = KEY_H200 ": warp-latency.csv, u64add_ret"},
	{CYCLES(halves_cycles, "atomic.loop_halves_cycles", 0), .preset = "4",
	 .doc = "Added to a 64-bit round in which both halves of the warp take part.",
	 .source = KEY_H200 ": warp-latency.csv, u64add_ret, bank32/19"},
};

static const char *operation_problem(const AtomicParameters *atomic,
				     const SharedParameters *shared, uint32_t issue_cycles)
{
	const Parameters *p = atomic->own[MECHANISM_cas_loop];

	return outlasts(p->operation_cycles, shared, issue_cycles)
		       ? NULL
		       : "allowed: atomic.cas_loop.operation_cycles" OUTLAST;
}

static const char *cas_problem(const AtomicParameters *atomic, const SharedParameters *shared,
			       uint32_t issue_cycles)
{
	const Parameters *p = atomic->own[MECHANISM_cas_loop];

	return outlasts(p->cas_cycles, shared, issue_cycles)
		       ? NULL
		       : "allowed: atomic.cas_loop.cas_cycles" OUTLAST;
}

static const MechanismRule rules[] = {
	{{"atomic.cas_loop.operation_cycles", "sm.issue_cycles", "shared.pass_cycles"},
	 operation_problem},
	{{"atomic.cas_loop.cas_cycles", "sm.issue_cycles", "shared.pass_cycles"}, cas_problem},
};

const Mechanism mechanism_cas_loop = {
	.name = "cas-loop",
	.wants = WANTS_SAME,
	.summary =
		"float and 64-bit today: load, operate, compare-and-swap, retried until done",
	.keys = {"atomic.cas_loop", keys, G_N_ELEMENTS(keys), sizeof(Parameters)},
	.rules = rules,
	.n_rules = G_N_ELEMENTS(rules),
	.new = new,
	.free = free_state,
	.step = step,
	.snapshot = snapshot,
	.shift = shift,
};
