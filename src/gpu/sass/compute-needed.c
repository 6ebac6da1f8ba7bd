/* SPDX-License-Identifier: MIT */
/*
 * Which instructions anybody asks for the values of. Most of what a kernel calculates becomes data; where lanes go, and how many
 * values differ, depends on the rest. A value is live where something that is asked for may still read it, and an instruction
 * is needed if it writes a live one: data flow backwards over the paths that the code allows.
 */
#include "gpu/sass/compute-internal.h"

#include <string.h>

#define SET_WORDS ((SASS_N_VALUES + 63) / 64)

typedef struct {
	uint64_t words[SET_WORDS];
} Set;

/* Of an instruction. */
typedef struct {
	Set asked;  /* whatever becomes of its results */
	Set reads;  /* if its results are needed */
	Set writes; /* perhaps */
	Set kills;  /* in all lanes that come here */
	Set live;   /* when it begins */
	guint first_next, n_next;
} Node;

static void add(Set *set, int value)
{
	if (value >= 0 && value < SASS_N_VALUES)
		set->words[value / 64] |= UINT64_C(1) << value % 64;
}

static void add_list(Set *set, const SassValues *list)
{
	for (uint8_t i = 0; i < list->n; i++)
		add(set, list->values[i]);
}

static void join(Set *set, const Set *other)
{
	for (int i = 0; i < SET_WORDS; i++)
		set->words[i] |= other->words[i];
}

/* The registers of an operand; both of what may be a pair. */
static void add_operand(Set *set, const SassOperand *operand)
{
	if (operand->kind != OPERAND_VALUE && operand->kind != OPERAND_CONSTANT)
		return;
	add(set, operand->value);
	if (operand->value >= 0 && operand->value < SASS_PREDICATE)
		add(set, operand->value + 1);
}

static void add_inputs(Set *set, const Code *code)
{
	for (guint i = code->n_outputs; i < code->n_operands; i++)
		add_operand(set, &code->operands[i]);
	add_list(set, &code->use.reads);
}

/* Events bring what a load gets, so its address is not asked for. */
static bool is_calculated(const Code *code)
{
	return code->row && (code->row->together ||
			     !(code->instruction->recorded || code->instruction->stepped));
}

/* R2P writes those predicates of PR that its mask has; others name what they write. */
static bool names(const Code *code, int predicate)
{
	for (guint i = 0; i < code->n_outputs; i++)
		if (code->operands[i].kind == OPERAND_VALUE &&
		    code->operands[i].value == predicate)
			return true;
	return false;
}

static void describe(const ComputeCode *code, int index, Node *node)
{
	const Code *at = &code->codes[index];
	const SassInstruction *instruction = at->instruction;
	const SassLoop *loop =
		instruction->loop >= 0
			? &g_array_index(code->function->loops, SassLoop, instruction->loop)
			: NULL;

	if (is_calculated(at))
		add_inputs(&node->reads, at);
	add(&node->reads, instruction->guard);
	add_list(&node->writes, &at->use.writes);
	for (guint i = 0; i < at->n_outputs; i++)
		add_operand(&node->writes, &at->operands[i]);
	for (uint8_t i = 0; instruction->guard < 0 && i < at->use.writes.n; i++)
		if (at->use.writes.values[i] < SASS_PREDICATE ||
		    names(at, at->use.writes.values[i]))
			add(&node->kills, at->use.writes.values[i]);
	if (instruction->flow != SASS_NEXT &&
	    (instruction->flow != SASS_BRANCH || at->is_asked)) {
		add_list(&node->asked, &at->use.reads);
		add(&node->asked, instruction->guard);
	}
	if (instruction->special == SASS_DISTINCT || instruction->special == SASS_EXCLUSIVE)
		add_inputs(&node->asked, at);
	if (loop && loop->load == index && loop->add >= 0)
		add_inputs(&node->asked, &code->codes[loop->add]);
}

/* What is live where it ends. */
static Set live_after(const Node *nodes, const GArray *next, const Node *node)
{
	Set live = {{0}};

	for (guint i = 0; i < node->n_next; i++)
		join(&live, &nodes[g_array_index(next, int, node->first_next + i)].live);
	return live;
}

static bool meets(const Set *a, const Set *b)
{
	for (int i = 0; i < SET_WORDS; i++)
		if (a->words[i] & b->words[i])
			return true;
	return false;
}

/* True: more is live than was known. */
static bool update(Node *nodes, const GArray *next, Code *code, Node *node)
{
	const Set after = live_after(nodes, next, node), before = node->live;

	code->is_needed = meets(&after, &node->writes);
	for (int i = 0; i < SET_WORDS; i++)
		node->live.words[i] = (after.words[i] & ~node->kills.words[i]) |
				      node->asked.words[i] |
				      (code->is_needed ? node->reads.words[i] : 0);
	return memcmp(&before, &node->live, sizeof(before)) != 0;
}

void compute_find_needed(ComputeCode *code)
{
	const int n = (int)code->function->instructions->len;
	g_autofree Node *nodes = g_new0(Node, n);
	g_autoptr(GArray) next = g_array_new(FALSE, FALSE, sizeof(int));
	g_autoptr(GArray) successors = g_array_new(FALSE, FALSE, sizeof(int));
	bool changes = true;

	for (int i = 0; i < n; i++) {
		describe(code, i, &nodes[i]);
		nodes[i].first_next = next->len;
		g_array_set_size(successors, 0);
		sass_successors(code->function, i, successors);
		for (guint k = 0; k < successors->len; k++)
			if (g_array_index(successors, int, k) >= 0 &&
			    g_array_index(successors, int, k) < n)
				g_array_append_vals(next, &g_array_index(successors, int, k),
						    1);
		nodes[i].n_next = next->len - nodes[i].first_next;
	}
	while (changes) {
		changes = false;
		for (int i = n - 1; i >= 0; i--)
			changes |= update(nodes, next, &code->codes[i], &nodes[i]);
	}
}
