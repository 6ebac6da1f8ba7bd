/* SPDX-License-Identifier: MIT */
/*
 * The way of a warp through programs made at random, against a plain run of them: what is executed is known, the
 * walk sees the events alone, or what the lanes calculate.
 */
#include <glib.h>
#include <string.h>

#include "gpu/convert/walk.h"

#define N_PROGRAMS  400
#define FUNCTION_PC 0x7000
#define MAX_DEPTH   3
#define IN_FUNCTION 8 /* depth, for it has registers of its own */

typedef enum {
	PATHS,	    /* events tell each way, nothing is calculated */
	LEARNED,    /* events tell it, and so what predicates are */
	CALCULATED, /* lanes calculate it, and what has events is left to chance */
} Mode;

typedef enum {
	PLAIN,
	ACCESS,
	GUARDED,
	SHUFFLE,
	IF,
	IF_ELSE,
	IF_SYNC,
	LOOP,
	MOVED, /* one of these at the register of the join around it, which is put away meanwhile */
	CALL,
	SOME_EXIT
} Kind;

typedef struct {
	Kind kind;
	int at;		    /* its first instruction */
	int branch, behind; /* the branch; where lanes join */
	int skip;	    /* of IF_ELSE: the jump from the first arm */
	guint limit; /* CALCULATED: lanes from here on take the branch; of a loop a mask */
	GPtrArray *arms[2]; /* of Node */
} Node;

/* What was executed, of one lane: index << 32 | mask. */
typedef GArray Executed;

typedef struct {
	GRand *rand;
	Mode mode;
	GString *code;
	int n; /* instructions */
	guint n_labels;
	GPtrArray *function; /* what calls call, and its return */
	int function_end;
	Executed *lanes[TRACE_MAX_LANES];
	GHashTable
		*taken; /* int64: lane << 32 | place in its list, of branches that lanes took */
} Program;

static void node_free(gpointer data)
{
	Node *node = data;

	for (int i = 0; i < 2; i++)
		if (node->arms[i])
			g_ptr_array_unref(node->arms[i]);
	g_free(node);
}

G_GNUC_PRINTF(2, 3)
static int put(Program *program, const char *format, ...)
{
	va_list arguments;

	g_string_append_printf(program->code, "/*%04x*/ ", 16 * program->n);
	va_start(arguments, format);
	g_string_append_vprintf(program->code, format, arguments);
	va_end(arguments);
	g_string_append(program->code, " ;\n");
	return program->n++;
}

static void put_label(Program *program, guint label)
{
	g_string_append_printf(program->code, ".L_%u:\n", label);
}

/* ---- Programs */

static GPtrArray *make_block(Program *program, int depth);

static void put_branch(Program *program, Node *node, guint label)
{
	const char *known = program->mode == CALCULATED ? "R0" : "R2";

	if (node->kind == LOOP) {
		node->limit = g_rand_int_range(program->rand, 0, 2) ? 3 : 1;
		put(program, "IADD3 R%d, R%d, 0x1, RZ", 10 + node->skip, 10 + node->skip);
		put(program, "LOP3.LUT R3, %s, 0x%x, RZ, 0xc0, !PT", known, node->limit);
		put(program, "ISETP.LT.AND P0, PT, R%d, R3, PT", 10 + node->skip);
	} else {
		node->limit = (guint)g_rand_int_range(program->rand, 0, 33);
		put(program, "ISETP.GE.AND P0, PT, %s, 0x%x, PT", known, node->limit);
	}
	node->branch = put(program, "@P0 BRA `(.L_%u)", label);
}

static void put_parting(Program *program, Node *node, int depth, int barrier)
{
	const guint first = program->n_labels, second = first + 1;

	program->n_labels += 2;
	if (node->kind == LOOP) {
		node->skip = depth;
		node->at = put(program, "MOV R%d, RZ", 10 + depth);
		put(program, "BSSY B%d, `(.L_%u)", barrier, second);
		put_label(program, first);
		node->arms[0] = make_block(program, depth + 1);
		put_branch(program, node, first);
	} else {
		node->at = program->n;
		if (node->kind != IF_SYNC)
			put(program, "BSSY B%d, `(.L_%u)", barrier, second);
		put_branch(program, node, node->kind == IF_ELSE ? first : second);
		node->arms[0] = make_block(program, depth + 1);
		if (node->kind == IF_ELSE) {
			node->skip = put(program, "BRA `(.L_%u)", second);
			put_label(program, first);
			node->arms[1] = make_block(program, depth + 1);
		}
	}
	put_label(program, second);
	node->behind = node->kind == IF_SYNC ? put(program, "WARPSYNC 0xffffffff")
					     : put(program, "BSYNC B%d", barrier);
}

static void put_moved(Program *program, Node *node, int depth)
{
	Node *inner = g_new0(Node, 1);

	inner->kind = g_rand_boolean(program->rand) ? IF_ELSE : LOOP;
	node->arms[0] = g_ptr_array_new_with_free_func(node_free);
	g_ptr_array_add(node->arms[0], inner);
	node->at = put(program, "BMOV.32.CLEAR R%d, B%d", 20 + depth, depth - 1);
	put_parting(program, inner, depth, depth - 1);
	node->behind = put(program, "BMOV.32 B%d, R%d", depth - 1, 20 + depth);
}

static Node *make_node(Program *program, Kind kind, int depth)
{
	Node *node = g_new0(Node, 1);

	node->kind = kind;
	switch (kind) {
	case PLAIN:
		node->at = put(program, "IADD3 R1, R1, 0x1, RZ");
		break;
	case ACCESS:
		node->at = put(program, "LDS R2, [R1]");
		break;
	case GUARDED:
		node->at = put(program, "@P2 LDS R2, [R1]");
		break;
	case SHUFFLE:
		node->at = put(program, "SHFL.DOWN PT, R1, R2, R3, 0x1f");
		break;
	case MOVED:
		put_moved(program, node, depth);
		break;
	case CALL:
		node->at = put(program, "CALL.REL.NOINC `(.L_f)");
		break;
	case SOME_EXIT:
		node->at = put(program, "@P3 EXIT");
		break;
	default:
		put_parting(program, node, depth, depth);
	}
	return node;
}

/* Where events have to tell the way a block begins with one. */
static GPtrArray *make_block(Program *program, int depth)
{
	GPtrArray *nodes = g_ptr_array_new_with_free_func(node_free);
	const int n = g_rand_int_range(program->rand, 1, 4);

	if (program->mode != CALCULATED)
		g_ptr_array_add(nodes, make_node(program, ACCESS, depth));
	for (int i = 0; i < n; i++) {
		Kind kind = (Kind)g_rand_int_range(program->rand, PLAIN, SOME_EXIT + 1);

		if ((kind >= IF && kind <= MOVED && depth > MAX_DEPTH) ||
		    (kind == MOVED && depth == 0) || (kind == CALL && depth >= IN_FUNCTION) ||
		    (kind == SOME_EXIT && depth > 1))
			kind = PLAIN;
		g_ptr_array_add(nodes, make_node(program, kind, depth));
	}
	return nodes;
}

/* ---- Their run */

static void add_event(GPtrArray *events, int at, RawEventKind kind, uint32_t mask,
		      uint32_t detail)
{
	RawEvent *event = g_malloc0(sizeof(RawEvent) + 8 * TRACE_MAX_LANES);

	*event = (RawEvent){.pc = FUNCTION_PC + 16 * (uint64_t)at,
			    .mask = mask,
			    .kind = (uint8_t)kind,
			    .bytes = RAW_ADDRESS_BYTES(kind),
			    .flags = RAW_READ,
			    .detail = detail};
	if (mask)
		g_ptr_array_add(events, event);
	else
		g_free(event);
}

static void execute(Program *program, int at, uint32_t mask, uint32_t taken)
{
	const uint64_t step = (uint64_t)at << 32 | mask;

	for (int lane = 0; lane < TRACE_MAX_LANES; lane++) {
		if (!(mask >> lane & 1))
			continue;
		if (taken) {
			gint64 key = (gint64)lane << 32 | program->lanes[lane]->len;

			g_hash_table_add(program->taken, g_memdup2(&key, sizeof(key)));
		}
		g_array_append_val(program->lanes[lane], step);
	}
}

static void execute_all(Program *program, int from, int end, uint32_t mask)
{
	for (int at = from; at < end; at++)
		execute(program, at, mask, 0);
}

/* Puts one list of events into another: each in its order, between them as it comes. */
static void merge(Program *program, GPtrArray *events, GPtrArray *one, GPtrArray *other)
{
	for (guint i = 0, k = 0; i < one->len || k < other->len;)
		if (k == other->len || (i < one->len && g_rand_boolean(program->rand)))
			g_ptr_array_add(events, one->pdata[i++]);
		else
			g_ptr_array_add(events, other->pdata[k++]);
}

static uint32_t run_block(Program *program, const GPtrArray *nodes, uint32_t mask,
			  GPtrArray *events);

/* Which lanes take the branch, in the round of a loop. */
static uint32_t lanes_that_take(Program *program, const Node *node, uint32_t mask, guint round)
{
	uint32_t taken = 0;

	if (program->mode != CALCULATED)
		taken = g_rand_int_range(program->rand, 0, 3) ? g_rand_int(program->rand)
			: g_rand_boolean(program->rand)	      ? UINT32_MAX
							      : 0;
	else
		for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
			taken |=
				(uint32_t)(node->kind == LOOP ? round + 1 < (lane & node->limit)
							      : lane >= node->limit)
				<< lane;
	return node->kind == LOOP && round == 4 ? 0 : taken & mask;
}

static uint32_t run_loop(Program *program, const Node *node, uint32_t mask, GPtrArray *events)
{
	uint32_t inside = mask, out = 0;

	execute_all(program, node->at, node->at + 2, mask);
	for (guint round = 0; inside; round++) {
		uint32_t again;

		inside = run_block(program, node->arms[0], inside, events);
		execute_all(program, node->branch - 3, node->branch, inside);
		again = lanes_that_take(program, node, inside, round);
		execute(program, node->branch, inside, again);
		execute(program, node->behind, inside & ~again, 0);
		out |= inside & ~again;
		inside = again;
	}
	return out;
}

static uint32_t run_if(Program *program, const Node *node, uint32_t mask, GPtrArray *events)
{
	const uint32_t taken = lanes_that_take(program, node, mask, 0);
	g_autoptr(GPtrArray) one = g_ptr_array_new();
	g_autoptr(GPtrArray) other = g_ptr_array_new();
	uint32_t first = mask & ~taken, second = taken;

	execute_all(program, node->at, node->branch, mask);
	execute(program, node->branch, mask, taken);
	if (first)
		first = run_block(program, node->arms[0], first, one);
	if (node->kind == IF_ELSE) {
		execute(program, node->skip, first, first);
		if (second)
			second = run_block(program, node->arms[1], second, other);
	}
	execute(program, node->behind, first, 0);
	execute(program, node->behind, second, 0);
	if (node->kind == IF_SYNC) {
		add_event(one, node->behind, RAW_SYNCWARP, first, mask);
		add_event(other, node->behind, RAW_SYNCWARP, second, mask);
	}
	merge(program, events, one, other);
	return first | second;
}

static uint32_t run_node(Program *program, const Node *node, uint32_t mask, GPtrArray *events)
{
	uint32_t some = mask & g_rand_int(program->rand);

	if (g_rand_int_range(program->rand, 0, 4) == 0)
		some = g_rand_boolean(program->rand) ? mask : 0;
	switch (node->kind) {
	case LOOP:
		return run_loop(program, node, mask, events);
	case IF:
	case IF_ELSE:
	case IF_SYNC:
		return run_if(program, node, mask, events);
	case MOVED:
		execute(program, node->at, mask, 0);
		mask = run_block(program, node->arms[0], mask, events);
		execute(program, node->behind, mask, 0);
		return mask;
	case CALL:
		execute(program, node->at, mask, mask);
		add_event(events, node->at, RAW_CALL, mask, 0);
		run_block(program, program->function, mask, events);
		execute(program, program->function_end, mask, mask);
		add_event(events, program->function_end, RAW_RETURN, mask, 0);
		return mask;
	case SOME_EXIT:
		if (some == mask) /* as most programs: somebody goes on */
			some &= mask - 1;
		execute(program, node->at, mask, some);
		add_event(events, node->at, RAW_EXIT, some, 0);
		return mask & ~some;
	default:
		execute(program, node->at, mask, 0);
		if (node->kind != PLAIN)
			add_event(events, node->at,
				  node->kind == SHUFFLE ? RAW_SHUFFLE : RAW_SHARED,
				  node->kind == GUARDED ? some : mask, 0);
		return mask;
	}
}

static uint32_t run_block(Program *program, const GPtrArray *nodes, uint32_t mask,
			  GPtrArray *events)
{
	for (guint i = 0; i < nodes->len && mask; i++)
		mask = run_node(program, nodes->pdata[i], mask, events);
	return mask;
}

/* ---- The walk, against it */

/* Each event is of one step, in their order; a step follows the one before it if lanes of that one are in it. */
static void check_steps(const GArray *steps, const GPtrArray *events)
{
	guint due = 0;

	for (guint i = 0; i < steps->len; i++) {
		const WalkStep *step = &g_array_index(steps, WalkStep, i);

		if (step->event) {
			g_assert_cmpuint(due, <, events->len);
			g_assert_true(step->event == events->pdata[due++]);
			g_assert_cmphex(step->event->mask & ~step->mask, ==, 0);
		}
		if (i > 0)
			g_assert_cmpint(step->follows, ==, (step[-1].mask & step->mask) != 0);
		else
			g_assert_true(step->follows);
		g_assert_false(step->again);
	}
	g_assert_cmpuint(due, ==, events->len);
}

static void check_lanes(Program *program, const GArray *steps)
{
	guint done[TRACE_MAX_LANES] = {0};

	for (guint i = 0; i < steps->len; i++) {
		const WalkStep *step = &g_array_index(steps, WalkStep, i);

		for (int lane = 0; lane < TRACE_MAX_LANES; lane++) {
			gint64 key = (gint64)lane << 32 | done[lane];

			if (!(step->mask >> lane & 1))
				continue;
			g_assert_cmpuint(done[lane], <, program->lanes[lane]->len);
			g_assert_cmphex(
				(uint64_t)step->index << 32 | step->mask, ==,
				g_array_index(program->lanes[lane], uint64_t, done[lane]));
			g_assert_cmpint(step->taken, ==,
					g_hash_table_contains(program->taken, &key));
			done[lane]++;
		}
	}
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		g_assert_cmpuint(done[lane], ==, program->lanes[lane]->len);
}

static void walk_program(Program *program, uint32_t entered, const GPtrArray *events)
{
	static const ComputeLaunch launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
	g_autoptr(Sass) sass = sass_parse(program->code->str);
	SassFunction *function = g_ptr_array_index(sass->functions, 0);
	g_autoptr(WalkMap) map = walk_map_new(function, true);
	g_autofree bool *open = walk_open_branches(map);
	g_autoptr(ComputeCode) code = compute_code_new(function, &launch, open);
	g_autoptr(ComputeWarp) values = compute_warp_new(code, 0, 0);
	g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(WalkStep));
	WalkCounts counts = {0};

	walk_warp(map, events, entered, FUNCTION_PC, program->mode == PATHS ? NULL : values,
		  steps, &counts);
	g_assert_cmpuint(counts.unresolved, ==, 0);
	g_assert_cmpuint(counts.guesses, ==, 0);
	g_assert_cmpuint(counts.refuted, ==, 0);
	g_assert_cmpuint(counts.outside, ==, 0);
	check_steps(steps, events);
	check_lanes(program, steps);
}

static void check_program(Mode mode, guint32 seed)
{
	static const uint32_t lanes[] = {UINT32_MAX, UINT32_MAX, 1,
					 0x80000000, 0xffff,	 0x80000001};
	g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
	Program program = {
		.rand = rand,
		.mode = mode,
		.code = g_string_new(".target sm_90\n.text.k:\n"),
		.taken = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL)};
	const uint32_t entered = lanes[seed % G_N_ELEMENTS(lanes)];
	g_autoptr(GPtrArray) nodes = NULL;
	g_autoptr(GPtrArray) events = g_ptr_array_new_with_free_func(g_free);
	uint32_t left;
	int begin, end;

	begin = put(&program, "S2R R0, SR_LANEID");
	nodes = make_block(&program, 0);
	end = put(&program, "EXIT");
	g_string_append(program.code, ".L_f:\n");
	program.function = make_block(&program, IN_FUNCTION);
	g_ptr_array_add(program.function, make_node(&program, IF_ELSE, IN_FUNCTION));
	g_ptr_array_add(program.function, make_node(&program, IF_SYNC, IN_FUNCTION));
	program.function_end = put(&program, "RET.REL.NODEC R4 `(k)");
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		program.lanes[lane] = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	execute(&program, begin, entered, 0);
	left = run_block(&program, nodes, entered, events);
	execute(&program, end, left, left);
	add_event(events, end, RAW_EXIT, left, 0);
	if (g_test_verbose())
		g_test_message("seed %u:\n%s", seed, program.code->str);
	walk_program(&program, entered, events);
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		g_array_unref(program.lanes[lane]);
	g_hash_table_unref(program.taken);
	g_ptr_array_unref(program.function);
	g_string_free(program.code, TRUE);
}

static void events_tell_the_way_through_any_program(void)
{
	for (guint32 seed = 0; seed < N_PROGRAMS; seed++)
		check_program(PATHS, seed);
}

static void events_tell_what_is_not_calculated(void)
{
	for (guint32 seed = 0; seed < N_PROGRAMS; seed++)
		check_program(LEARNED, seed);
}

static void what_is_calculated_tells_the_way_without_events(void)
{
	for (guint32 seed = 0; seed < N_PROGRAMS; seed++)
		check_program(CALCULATED, seed);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/capture/walk/" #name, name)
	TEST(events_tell_the_way_through_any_program);
	TEST(events_tell_what_is_not_calculated);
	TEST(what_is_calculated_tells_the_way_without_events);
#undef TEST
	return g_test_run();
}
