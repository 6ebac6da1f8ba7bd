/* SPDX-License-Identifier: MIT */
#include "sim/sm/constant-lines.h"

#include <glib.h>

void constant_lines_init(ConstantLines *lines, const IssueParameters *parameters,
			 uint32_t n_lines, uint32_t n_code, uint32_t n_schedulers)
{
	*lines = (ConstantLines){
		.parameters = parameters,
		.begun = NEVER,
		.n_lines = n_lines,
		.load_at = g_new0(Cycle, n_lines),
		.operand_at = g_new0(Cycle, (size_t)n_lines * n_schedulers),
		.fill_at = g_new0(Cycle, n_lines),
		.indexed_at = g_new0(Cycle, n_code),
	};
	if (parameters->constant_lines > 0 && n_lines > parameters->constant_lines) {
		lines->used = g_new0(uint64_t, n_lines);
		lines->lost = g_new0(bool, n_lines);
	}
	lines->n_schedulers = n_schedulers;
	constant_lines_share(lines, 1, n_schedulers);
}

void constant_lines_clear(ConstantLines *lines)
{
	g_free(lines->load_at);
	g_free(lines->operand_at);
	g_free(lines->fill_at);
	g_free(lines->indexed_at);
	g_free(lines->used);
	g_free(lines->lost);
	g_free(lines->late);
	g_free(lines->group);
	g_free(lines->group_at);
}

void constant_lines_share(ConstantLines *lines, uint32_t n_sms, uint32_t n_schedulers)
{
	const IssueParameters *p = lines->parameters;
	const uint32_t once = n_sms * p->constant_group_fill_cycles;

	lines->operand_fill_cycles = once * n_schedulers;
	lines->operand_cycles =
		p->imc_miss_cycles ? MAX(p->imc_miss_cycles, lines->operand_fill_cycles) : 0;
	lines->load_cycles = MAX(p->constant_fill_cycles, once);
}

void constant_lines_delay_parameters(ConstantLines *lines, const KernelParameters *parameters,
				     uint32_t from, uint32_t cycles)
{
	if (cycles == 0)
		return;
	lines->late = g_new0(bool, MAX(lines->n_lines, 1));
	lines->late_cycles = cycles;
	for (uint32_t i = 0; i < parameters->n_lines; i++)
		if (kernel_parameter_line_at(parameters, i) >= from &&
		    parameters->lines[i] > 0 && parameters->lines[i] <= lines->n_lines)
			lines->late[parameters->lines[i] - 1] = true;
}

void constant_lines_group(ConstantLines *lines, const ConstantPlace *places, uint32_t n,
			  uint32_t cycles, uint32_t first_cycles)
{
	g_autoptr(GHashTable) numbers = NULL;

	if (cycles == 0 || n == 0 || lines->n_lines == 0)
		return;
	numbers = g_hash_table_new(NULL, NULL);
	lines->group_cycles = cycles;
	lines->first_group_cycles = first_cycles;
	lines->group = g_new0(uint16_t, lines->n_lines);
	for (uint32_t i = 0; i < MIN(n, lines->n_lines); i++) {
		gpointer key = GSIZE_TO_POINTER((gsize)places[i].offset / CONSTANT_GROUP_BYTES *
							(CONSTANT_MAX_BANK + 1) +
						places[i].bank);

		if (places[i].bank == 0)
			continue;
		if (!g_hash_table_contains(numbers, key))
			g_hash_table_insert(numbers, key,
					    GUINT_TO_POINTER(g_hash_table_size(numbers) + 1));
		lines->group[i] = (uint16_t)GPOINTER_TO_UINT(g_hash_table_lookup(numbers, key));
	}
	lines->group_at = g_new0(Cycle, g_hash_table_size(numbers) + 1);
}

/* The line that was not used for longest is no longer there. */
static void lose_line(ConstantLines *lines)
{
	uint32_t oldest = 0;

	for (uint32_t i = 1; i < lines->n_lines; i++)
		if (lines->used[i] > 0 &&
		    (lines->used[oldest] == 0 || lines->used[i] < lines->used[oldest]))
			oldest = i;
	lines->used[oldest] = 0;
	lines->lost[oldest] = true;
	lines->load_at[oldest] = 0;
	lines->fill_at[oldest] = 0;
	for (uint32_t k = 0; k < lines->n_schedulers; k++)
		lines->operand_at[(size_t)k * lines->n_lines + oldest] = 0;
	lines->n_held--;
	lines->n_lost++;
}

/* The line is used now. Returns whether the SM had lost it. */
static bool use_line(ConstantLines *lines, uint32_t line)
{
	uint64_t *used;

	if (!lines->used)
		return false;
	used = &lines->used[line - 1];
	if (*used == 0) {
		if (lines->n_held == lines->parameters->constant_lines)
			lose_line(lines);
		lines->n_held++;
	}
	*used = ++lines->n_uses;
	return lines->lost[line - 1];
}

/* When the group is there of a line that is asked for at `at`. */
static Cycle group_there(ConstantLines *lines, uint32_t line, Cycle at)
{
	Cycle *there;

	if (!lines->group || lines->group[line - 1] == 0)
		return at;
	there = &lines->group_at[lines->group[line - 1]];
	if (*there == 0) {
		*there = at + lines->group_cycles + lines->first_group_cycles;
		lines->first_group_cycles = 0;
	}
	return MAX(at, *there);
}

/* When a line is there that would be at `at`: a late one is on its way from the SM's begin on, `miss` cycles from then if it were not
   late. */
static Cycle when_late(const ConstantLines *lines, const IssueOperation *operation, Cycle at,
		       uint32_t miss)
{
	return lines->late && lines->late[operation->line - 1]
		       ? MAX(at, lines->begun + miss + lines->late_cycles)
		       : at;
}

/* When the unit begins with a line for operands that is first asked for at `at`: for all schedulers at once, as their warps get there
   together. */
static Cycle fill_for_operands(ConstantLines *lines, uint32_t line, Cycle at)
{
	Cycle *begun = &lines->fill_at[line - 1];

	if (*begun == 0) {
		*begun = MAX(at, lines->fill_free) + 1;
		lines->fill_free = *begun - 1 + lines->operand_fill_cycles;
	}
	return *begun - 1;
}

Cycle constant_lines_operand_at(ConstantLines *lines, uint32_t k,
				const IssueOperation *operation, Cycle at)
{
	Cycle *line = constant_lines_of_operand(lines, k, operation);

	if (!line)
		return at;
	if (use_line(lines, operation->line) && *line == 0)
		*line = at + lines->parameters->imc_refill_cycles;
	/* Who waits for a late one is served once more, in half the time (starts-first.csv, bound of 132 x 256: 479 cycles, 409 simulated
	   without it, 481 with it; 33 x 256 408, 361 and 409). */
	if (*line == 0) {
		const Cycle from = group_there(lines, operation->line, at);

		*line = when_late(lines, operation,
				  MAX(from, fill_for_operands(lines, operation->line, from)) +
					  lines->operand_cycles,
				  lines->operand_cycles + lines->operand_fill_cycles / 2);
	}
	return MAX(*line, at);
}

/* When a line is there that a load asks for at `now`, the first of this launch. */
static Cycle fill_for_load(ConstantLines *lines, Cycle now)
{
	const uint32_t cycles = lines->parameters->constant_miss_cycles;
	const Cycle start = MAX(now, lines->fill_free);

	if (cycles == 0)
		return now;
	lines->fill_free = start + lines->load_cycles;
	return MAX(start + cycles, lines->last_load + lines->load_cycles);
}

Cycle constant_lines_load_wait(ConstantLines *lines, const IssueOperation *operation, Cycle now)
{
	Cycle *at = operation->indexed ? &lines->indexed_at[operation->code]
				       : &lines->load_at[operation->line - 1];

	if (operation->names_line && lines->operand_cycles > 0)
		return 0; /* waited for before the issue */
	if (!operation->indexed)
		use_line(lines, operation->line);
	if (*at == 0) {
		*at = operation->indexed
			      ? now + lines->parameters->indexed_constant_miss_cycles
			      : fill_for_load(lines, group_there(lines, operation->line, now));
		/* Lines that are not late do not wait for one that is. */
		lines->last_load = MAX(lines->last_load, *at);
		if (!operation->indexed)
			*at = when_late(lines, operation, *at,
					lines->parameters->constant_miss_cycles);
	}
	return *at > now ? *at - now : 0;
}
