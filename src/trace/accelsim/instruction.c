/* SPDX-License-Identifier: MIT */
/* The instructions of a program as lines name them: most lines repeat one that was read before. */
#include <string.h>

#include "trace/accelsim/accelsim.h"

#define MAX_INSTRUCTIONS (1u << 20)
#define MAX_AT_ONE_PC	 4096 /* what limits a search; functions do not number that many */
#define N_RECENT	 4096

struct StaticInstructions {
	GPtrArray *all;	   /* StaticInstruction, by number */
	GHashTable *at_pc; /* PC -> the first of those there */
	ValueNumbers values;
	StaticInstruction *recent[N_RECENT];
};

static void instruction_free(gpointer data)
{
	StaticInstruction *instruction = data;

	g_free(instruction->text);
	g_free(instruction);
}

StaticInstructions *instructions_new(void)
{
	StaticInstructions *instructions = g_new0(StaticInstructions, 1);

	instructions->all = g_ptr_array_new_with_free_func(instruction_free);
	instructions->at_pc = g_hash_table_new(g_int64_hash, g_int64_equal);
	return instructions;
}

void instructions_free(StaticInstructions *instructions)
{
	g_hash_table_unref(instructions->at_pc);
	g_ptr_array_unref(instructions->all);
	g_free(instructions);
}

static gboolean begins_with(const StaticInstruction *instruction, guint64 pc, const char *rest)
{
	char behind;

	if (instruction->pc != pc || strncmp(instruction->text, rest, instruction->length) != 0)
		return FALSE;
	behind = rest[instruction->length];
	return behind == ' ' || behind == '\t' || behind == '\0';
}

/* Instructions have 8 or 16 bytes. */
static StaticInstruction **recent_at(StaticInstructions *instructions, guint64 pc)
{
	return &instructions->recent[pc / 8 % N_RECENT];
}

StaticInstruction *instructions_find(StaticInstructions *instructions, guint64 pc,
				     const char *rest)
{
	StaticInstruction **recent = recent_at(instructions, pc);
	StaticInstruction *at;

	if (*recent && begins_with(*recent, pc, rest))
		return *recent;
	for (at = g_hash_table_lookup(instructions->at_pc, &pc); at; at = at->next)
		if (begins_with(at, pc, rest))
			return *recent = at;
	return NULL;
}

StaticInstruction *instructions_add(StaticInstructions *instructions, guint64 pc,
				    const char *text, gsize length)
{
	StaticInstruction *first = g_hash_table_lookup(instructions->at_pc, &pc);
	StaticInstruction *added;
	guint n = 0;

	for (const StaticInstruction *at = first; at; at = at->next)
		n++;
	if (n == MAX_AT_ONE_PC || instructions->all->len == MAX_INSTRUCTIONS)
		return NULL;
	added = g_new0(StaticInstruction, 1);
	added->pc = pc;
	added->text = g_strndup(text, length);
	added->length = length;
	added->number = instructions->all->len;
	g_ptr_array_add(instructions->all, added);
	if (first) {
		added->next = first->next;
		first->next = added;
	} else {
		g_hash_table_insert(instructions->at_pc, &added->pc, added);
	}
	return *recent_at(instructions, pc) = added;
}

guint instructions_count(const StaticInstructions *instructions)
{
	return instructions->all->len;
}

StaticInstruction *instructions_get(const StaticInstructions *instructions, guint32 number)
{
	return g_ptr_array_index(instructions->all, number);
}

void instructions_set_flow(StaticInstructions *instructions, StaticInstruction *instruction,
			   LineRegisters *registers)
{
	import_order(instruction->opcode, registers);
	instruction->has_result = registers->n_destinations > 0 &&
				  registers->destinations[0] >= 0 &&
				  registers->destinations[0] < REGISTER_NOTHING;
	import_flow(&instructions->values, instruction->opcode, registers, &instruction->flow);
}

guint64 instructions_n_dropped_values(const StaticInstructions *instructions)
{
	return instructions->values.n_dropped;
}
