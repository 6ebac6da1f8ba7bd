/* SPDX-License-Identifier: MIT */
/*
 * Device code of several files is linked: functions have sections of their own, at addresses that the driver chooses. An event of
 * a call says where the called function begins, and the call's text names it.
 */
#include <string.h>

#include "gpu/convert/convert.h"
#include "gpu/sass/link.h"

static bool calls_others(const SassFunction *function)
{
	for (guint i = 0; i < function->instructions->len; i++) {
		g_autofree char *name = sass_called_name(sass_instruction(function, (int)i));

		if (name)
			return true;
	}
	return false;
}

/* By the program counter of each call that lanes made: where they went, the first time. */
static GHashTable *list_calls(const RawRecording *recording)
{
	GHashTable *calls = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	RawCursor cursor = {.recording = recording};
	const RawEvent *event;
	const void *addresses;

	while (raw_next_event(&cursor, &event, &addresses, NULL)) {
		const int64_t distance = (int32_t)event->detail;
		const uint64_t target =
			event->pc + (uint64_t)(distance * SASS_INSTRUCTION_BYTES);

		if (event->kind == RAW_CALL && !g_hash_table_contains(calls, &event->pc))
			g_hash_table_insert(calls, g_memdup2(&event->pc, sizeof(event->pc)),
					    g_memdup2(&target, sizeof(target)));
	}
	return calls;
}

/* The index of the first instruction of the function at the call's target; it is appended if it is not there yet, each of the module's
   once. -1: it is not in the module. */
static int find_called(const Sass *sass, SassFunction *linked, const char *name,
		       uint64_t target)
{
	const SassFunction *function;
	guint n = 0;

	for (guint i = 0; i < linked->parts->len; i++) {
		const SassPart *part = g_ptr_array_index(linked->parts, i);

		if (part->pc == target)
			return sass_find(linked, part->offset);
		n += strcmp(part->name, name) == 0;
	}
	function = sass_nth_function(sass, name, n);
	return function && function->instructions->len > 0
		       ? sass_link_append(linked, function, target)
		       : -1;
}

SassFunction *convert_link(const Sass *sass, const SassFunction *kernel,
			   const RawRecording *recording)
{
	g_autoptr(GHashTable) calls = NULL;
	SassFunction *linked;

	if (recording->file->version < RAW_VERSION_TARGETS || kernel->marked ||
	    !calls_others(kernel))
		return NULL;
	calls = list_calls(recording);
	linked = sass_link_begin(kernel);
	/* Those of the kernel first, then those of each function behind it, as long as they bring others. */
	for (guint i = 0; i < linked->instructions->len; i++) {
		const SassInstruction *instruction = sass_instruction(linked, (int)i);
		const SassPart *part = instruction->part;
		const uint64_t pc =
			instruction->offset +
			(part ? part->pc - part->offset : recording->launch->function_pc);
		const uint64_t *target = g_hash_table_lookup(calls, &pc);
		g_autofree char *name = target ? sass_called_name(instruction) : NULL;
		int first;

		if (!name)
			continue;
		/* The instructions may move. */
		first = find_called(sass, linked, name, *target);
		g_array_index(linked->instructions, SassInstruction, i).target = first;
	}
	return linked;
}
