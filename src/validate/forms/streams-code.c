/* SPDX-License-Identifier: MIT */
/*
 * Read off the instructions: which there are, and which waits for which. Their order is that of the program but for what the
 * assembler moves into the time that others wait for, which comes out here as soon as it can be issued.
 */
#include "validate/forms/streams-code.h"

/* Values. A step's places in the region come one from the other: the first of the next step from this one's last. */
enum {
	SUM,
	COUNTER,
	LOOP,
	BEYOND, /* the region's end */
	BACK,	/* what is taken off there */
	PLACE,
	WORD = PLACE + STREAMS_MAX_AHEAD, /* a random place as it is made */
	ADDRESS = WORD + STREAMS_MAX_AHEAD,
	LOADED = ADDRESS + STREAMS_MAX_AHEAD,
	N_VALUES = LOADED + STREAMS_MAX_AHEAD,
};

static const uint8_t values[] = {0,  1,	 2,  3,	 4,  5,	 6,  7,	 8,  9,	 10, 11, 12,
				 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
				 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36};

G_STATIC_ASSERT(G_N_ELEMENTS(values) == N_VALUES);

static void add(StreamsCode *code, CodeClass class, guint to, guint n_reads,
		const uint8_t *reads)
{
	const guint i = code->gap.n_operations++;

	g_assert(i < STREAMS_MAX_OPERATIONS && n_reads <= STREAMS_MAX_READS);
	for (guint k = 0; k < n_reads; k++)
		code->reads[i][k] = reads[k];
	code->operations[i] = (CodeOperation){.class = (uint8_t) class,
					      .guard = DATAFLOW_NO_VALUE,
					      .n_reads = (uint8_t)n_reads,
					      .reads = code->reads[i],
					      .n_writes = to < N_VALUES,
					      .writes = to < N_VALUES ? &values[to] : NULL};
}

static void step(StreamsCode *code, CodeClass class, guint from, guint to)
{
	add(code, class, to, 1, &values[from]);
}

/* The exclusive or of what was loaded, two loads in one. */
static void use(StreamsCode *code, guint i, guint ahead)
{
	const uint8_t reads[] = {SUM, (uint8_t)(LOADED + i),
				 (uint8_t)(LOADED + MIN(i + 1, ahead - 1))};

	add(code, CODE_INT, SUM, G_N_ELEMENTS(reads), reads);
}

/* The loop ends behind the last use. Where places are random its condition was compiled behind the first, else before. */
static void use_all(StreamsCode *code, gboolean is_random, guint ahead)
{
	step(code, CODE_UNIFORM, COUNTER, COUNTER);
	if (!is_random)
		step(code, CODE_COMPARE, COUNTER, LOOP);
	for (guint i = 0; i < ahead; i += 2) {
		use(code, i, ahead);
		if (is_random && i == 0)
			step(code, CODE_COMPARE, COUNTER, LOOP);
	}
	step(code, CODE_JUMP, LOOP, N_VALUES);
}

/* 64 bits: IADD3 and, with its carry, IMAD.X. */
static void address(StreamsCode *code, guint i, guint from)
{
	step(code, CODE_INT, from + i, ADDRESS + i);
	step(code, CODE_MUL, ADDRESS + i, ADDRESS + i);
}

/* One grid on, or round: at += gap; at -= at >= bytes ? bytes : 0. The place behind the last one of a step is the next step's first. */
static void next_place(StreamsCode *code, guint i, guint ahead)
{
	const guint to = PLACE + (i + 1) % ahead;
	const uint8_t reads[] = {(uint8_t)to, BACK};

	step(code, CODE_MUL, PLACE + i, to);
	step(code, CODE_COMPARE, to, BEYOND);
	step(code, CODE_INT, BEYOND, BACK);
	add(code, CODE_MUL, to, G_N_ELEMENTS(reads), reads);
}

static void fill_walk(StreamsCode *code, guint ahead)
{
	/* The last place of the step before goes on while its loads are waited for. */
	next_place(code, ahead - 1, ahead);
	use_all(code, FALSE, ahead);
	for (guint i = 0; i < ahead; i++) {
		if (i + 1 < ahead)
			next_place(code, i, ahead);
		address(code, i, PLACE);
	}
}

/* The next random number (IMAD), the upper half of its product with the region's size (IMAD.WIDE and an addition of 0), whole lines of it
   (LOP3, and a LEA where there is one load), its address. */
static void fill_random(StreamsCode *code, guint ahead)
{
	use_all(code, TRUE, ahead);
	for (guint i = 0; i < ahead; i++) {
		step(code, CODE_MUL, PLACE + (i + ahead - 1) % ahead, PLACE + i);
		step(code, CODE_MUL, PLACE + i, WORD + i);
	}
	for (guint k = 0; k < (ahead > 1 ? 2 : 3); k++)
		for (guint i = 0; i < ahead; i++)
			step(code, CODE_INT, WORD + i, WORD + i);
	for (guint i = 0; i < ahead; i++)
		address(code, i, WORD);
}

void streams_code_fill(StreamsCode *code, gboolean is_random, guint ahead)
{
	code->gap = (Gap){code->operations, 0};
	if (is_random)
		fill_random(code, ahead);
	else
		fill_walk(code, ahead);
	for (guint i = 0; i < ahead; i++)
		code->sites[i] = (SiteFlow){.guard = DATAFLOW_NO_VALUE,
					    .n_address = 1,
					    .address = &values[ADDRESS + i],
					    .n_writes = 1,
					    .writes = &values[LOADED + i]};
	code->flow = (Dataflow){N_VALUES, 0, 1, &code->gap, ahead, code->sites};
}
