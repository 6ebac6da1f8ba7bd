/* SPDX-License-Identifier: MIT */
#include "sim/sm/code-cache.h"

/* --- Lines of a cache --- */

static CodeLines *lines_new(uint32_t n, uint32_t n_lines, uint32_t instructions, bool at_once)
{
	CodeLines *lines = g_new0(CodeLines, n);

	for (uint32_t i = 0; i < n; i++)
		lines[i] = (CodeLines){
			.capacity = instructions > 0
					    ? MAX(instructions / CODE_LINE_INSTRUCTIONS, 1)
					    : n_lines,
			.before = g_new0(uint32_t, n_lines),
			.behind = g_new0(uint32_t, n_lines),
			.in = g_new0(bool, n_lines),
			.at = at_once ? NULL : g_new0(uint64_t, n_lines)};
	return lines;
}

static void lines_free(CodeLines *lines, uint32_t n)
{
	for (uint32_t i = 0; lines && i < n; i++) {
		g_free(lines[i].before);
		g_free(lines[i].behind);
		g_free(lines[i].in);
		g_free(lines[i].at);
	}
	g_free(lines);
}

static void take_out(CodeLines *lines, uint32_t line)
{
	const uint32_t before = lines->before[line], behind = lines->behind[line];

	if (line == lines->first)
		lines->first = behind;
	else
		lines->behind[before] = behind;
	if (line == lines->last)
		lines->last = before;
	else
		lines->before[behind] = before;
	lines->in[line] = false;
	lines->n--;
}

/* Puts a line that is not there in front; the last one gives way if there is no room. */
static void put_in_front(CodeLines *lines, uint32_t line)
{
	if (lines->n == lines->capacity)
		take_out(lines, lines->last);
	if (lines->n > 0)
		lines->before[lines->first] = line;
	else
		lines->last = line;
	lines->behind[line] = lines->first;
	lines->first = line;
	lines->in[line] = true;
	lines->n++;
}

/* Whether the line is in the cache, where it is now the one used last. */
static bool touch(CodeLines *lines, uint32_t line)
{
	if (!lines->in[line])
		return false;
	if (line != lines->first) {
		take_out(lines, line);
		put_in_front(lines, line);
	}
	return true;
}

/* Brings a line that is not there, for which a warp could be ready at `ready`: behind the one that was asked for last, at the cache's
   rate. What comes next in the code was asked for in good time. Returns when it comes; in thousandths of a cycle, as `ready`. */
static uint64_t bring(CodeLines *lines, uint32_t line, uint64_t ready, bool next, uint64_t cost)
{
	lines->front = next ? MAX(lines->front + cost, ready) : MAX(lines->front, ready) + cost;
	lines->at[line] = lines->front;
	put_in_front(lines, line);
	return lines->front;
}

void code_cache_init(CodeCache *cache, const CodeTable *table,
		     const IssueParameters *parameters, uint32_t n_schedulers)
{
	const uint32_t n = table->n_lines;
	const uint64_t instructions = (uint64_t)n * CODE_LINE_INSTRUCTIONS;

	*cache = (CodeCache){
		.table = table, .parameters = parameters, .n_schedulers = n_schedulers};
	cache->jumped_at = g_new0(Cycle, MAX((size_t)table->n_jumps * n_schedulers, 1));
	if (n > 0 && parameters->jump_miss_cycles > 0)
		cache->l0 = lines_new(n_schedulers, n, parameters->code_l0_instructions, true);
	if (parameters->code_l1_instructions > 0 &&
	    instructions > parameters->code_l1_instructions)
		cache->l1 = lines_new(n_schedulers, n, parameters->code_l1_instructions, false);
	if (cache->l1 && parameters->code_l15_instructions > 0 &&
	    instructions > parameters->code_l15_instructions)
		cache->l15 = lines_new(1, n, parameters->code_l15_instructions, false);
}

void code_cache_clear(CodeCache *cache)
{
	lines_free(cache->l0, cache->n_schedulers);
	lines_free(cache->l1, cache->n_schedulers);
	lines_free(cache->l15, 1);
	g_free(cache->jumped_at);
	g_free(cache->fetched_at);
}

void code_cache_forget(CodeCache *cache, uint32_t late)
{
	if (cache->parameters->code_fetch_mcycles > 0)
		cache->fetched_at = g_new0(uint64_t, MAX(cache->table->n_code, 1));
	cache->late = late;
}

bool code_cache_is_busy(const CodeCache *cache, Cycle now)
{
	bool is_busy = (cache->fetched_at && cache->first_front > now * 1000) ||
		       (cache->l15 && cache->l15->front > now * 1000);

	for (uint32_t k = 0; cache->l1 && k < cache->n_schedulers; k++)
		is_busy |= cache->l1[k].front > now * 1000;
	return is_busy;
}

Cycle code_cache_jump(CodeCache *cache, uint32_t slot, const IssueOperation *operation,
		      Cycle ready)
{
	Cycle *at;

	cache->left[slot] = cache->line[slot];
	cache->line[slot] = 0;
	if (operation->jump == 0)
		return ready;
	at = &cache->jumped_at[(size_t)(operation->jump - 1) * cache->n_schedulers +
			       slot % cache->n_schedulers];
	if (*at == 0)
		*at = ready + cache->parameters->jump_miss_cycles;
	return MAX(ready, *at);
}

/* When the line comes to the scheduler's L1, for which a warp could be ready at `ready`. */
static Cycle bring_to_l1(CodeCache *cache, CodeLines *l1, uint32_t line, Cycle ready, bool next)
{
	const IssueParameters *p = cache->parameters;
	uint64_t at = ready * 1000;

	cache->n_brought++;
	if (cache->l15)
		at = touch(cache->l15, line) ? MAX(at, cache->l15->at[line])
					     : bring(cache->l15, line, at, next,
						     (uint64_t)p->code_l15_fill_mcycles *
							     CODE_LINE_INSTRUCTIONS);
	at = bring(l1, line, at, next,
		   (uint64_t)p->code_l1_fill_mcycles * CODE_LINE_INSTRUCTIONS);
	return (at + 999) / 1000;
}

/* When the warp in `slot` has a line that it was not in, having gone there by a branch or in the order of the code. */
static Cycle line_wait(CodeCache *cache, uint32_t slot, uint32_t line, Cycle ready)
{
	const uint32_t k = slot % cache->n_schedulers, left = cache->left[slot];
	const bool next = left == 0 && line == cache->line[slot];
	CodeLines *l1 = cache->l1 ? &cache->l1[k] : NULL;

	cache->line[slot] = line + 1;
	cache->left[slot] = 0;
	if (cache->l0 && !touch(&cache->l0[k], line)) {
		put_in_front(&cache->l0[k], line);
		cache->n_brought++;
		if (left > 0)
			ready += cache->parameters->jump_miss_cycles;
	}
	if (l1)
		ready = MAX(ready, touch(l1, line) ? (l1->at[line] + 999) / 1000
						   : bring_to_l1(cache, l1, line, ready, next));
	return ready;
}

/* The line of an instruction of the trace; UINT32_MAX: it has no number. */
static uint32_t place_of(const CodeTable *table, uint32_t code)
{
	return table->line_of[code] > 0 ? table->places[table->line_of[code] - 1] : UINT32_MAX;
}

/* When code comes that no warp has got to, for which one could be ready at `ready`; in thousandths of a cycle. It comes one instruction after
   the other, whether or not a warp waits for it (first.csv, line of one chain: 4 cycles an instruction, cold and warm), and what a branch goes
   over as well. What a branch leads to that is more than code_skip_cycles ahead, or before all that has come, is asked for then, and takes that
   long (issue-cold-jumps.csv). */
static uint64_t first_comes(const CodeCache *cache, uint32_t code, Cycle ready)
{
	const CodeTable *table = cache->table;
	const uint64_t most = (uint64_t)cache->parameters->code_skip_cycles * 1000,
		       each = cache->parameters->code_fetch_mcycles,
		       line = each * CODE_LINE_INSTRUCTIONS;
	const uint32_t to = place_of(table, code);
	uint32_t last = code, from;

	if (cache->first_front == 0)
		return (ready + cache->late) * 1000 + each;
	if (most == 0 || to == UINT32_MAX)
		return cache->first_front + each;
	while (last > 0 && cache->fetched_at[last - 1] == 0 &&
	       (to - place_of(table, last - 1)) * line < most + line)
		last--;
	if (last == 0 || cache->fetched_at[last - 1] == 0)
		return ready * 1000 + most;
	from = place_of(table, last - 1);
	if (to <= from + 1)
		return cache->fetched_at[last - 1] + each;
	return (to - from - 1) * line < most
		       ? cache->fetched_at[last - 1] + (to - from - 1) * line + each
		       : ready * 1000 + most;
}

static Cycle first_wait(CodeCache *cache, uint32_t code, Cycle ready)
{
	uint64_t *at = &cache->fetched_at[code];

	if (*at == 0) {
		*at = first_comes(cache, code, ready);
		cache->first_front = MAX(cache->first_front, *at);
	}
	return MAX(ready, *at / 1000);
}

Cycle code_cache_wait(CodeCache *cache, uint32_t slot, const IssueOperation *operation,
		      Cycle ready)
{
	if (operation->code_line > 0 && cache->line[slot] != operation->code_line)
		cache->there[slot] = line_wait(cache, slot, operation->code_line - 1, ready);
	ready = MAX(ready, cache->there[slot]);
	return cache->fetched_at ? first_wait(cache, operation->code, ready) : ready;
}
