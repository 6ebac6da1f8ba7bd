/* SPDX-License-Identifier: MIT */
/*
 * Device code of several files is linked: functions have sections of their own, at addresses that the driver chooses. An event of
 * a call says where the called function begins, and the call's text names it.
 */
#include "gpu/convert/convert.h"
#include "gpu/sass/link.h"

/* A call that lanes made: where from, where to. */
typedef struct {
	uint64_t pc, target;
} Call;

static guint hash_call(gconstpointer key)
{
	const Call *call = key;

	return g_int64_hash(&call->pc) ^ (g_int64_hash(&call->target) * 31);
}

static gboolean is_same_call(gconstpointer a, gconstpointer b)
{
	const Call *one = a, *other = b;

	return one->pc == other->pc && one->target == other->target;
}

static bool calls_others(const SassFunction *function)
{
	for (guint i = 0; i < function->instructions->len; i++) {
		g_autofree char *name = sass_called_name(sass_instruction(function, (int)i));

		if (name)
			return true;
	}
	return false;
}

/* All that the launch's events say, each once, in their order. */
static GArray *list_calls(const RawRecording *recording)
{
	g_autoptr(GHashTable) known =
		g_hash_table_new_full(hash_call, is_same_call, g_free, NULL);
	GArray *calls = g_array_new(FALSE, FALSE, sizeof(Call));
	RawCursor cursor = {.recording = recording};
	const RawEvent *event;
	const void *addresses;

	while (raw_next_event(&cursor, &event, &addresses, NULL)) {
		const Call call = {event->pc,
				   event->pc + (uint64_t)(int64_t)(int32_t)event->detail *
						       SASS_INSTRUCTION_BYTES};

		if (event->kind == RAW_CALL && !g_hash_table_contains(known, &call)) {
			g_hash_table_add(known, g_memdup2(&call, sizeof(call)));
			g_array_append_val(calls, call);
		}
	}
	return calls;
}

/* The index of the first instruction of the function at the call's target; it is appended if it is not there yet. -1: it is not in
   the module. */
static int find_called(Sass *sass, SassFunction *linked, const char *name, uint64_t target)
{
	const SassFunction *function = sass_function(sass, name);

	for (guint i = 0; i < linked->parts->len; i++) {
		const SassPart *part = g_ptr_array_index(linked->parts, i);

		if (part->pc == target)
			return sass_find(linked, part->offset);
	}
	return function && function->instructions->len > 0
		       ? sass_link_append(linked, function, target)
		       : -1;
}

SassFunction *convert_link(Sass *sass, SassFunction *kernel, const RawRecording *recording)
{
	const uint64_t kernel_pc = recording->launch->function_pc;
	g_autoptr(GArray) calls = NULL;
	SassFunction *linked;
	bool goes_on = true;

	if (recording->file->version < RAW_VERSION_TARGETS || !calls_others(kernel))
		return kernel;
	calls = list_calls(recording);
	linked = sass_link_begin(sass, kernel);
	/* A function may be called before the one that calls it is known. */
	while (goes_on) {
		goes_on = false;
		for (guint i = 0; i < calls->len; i++) {
			const Call *call = &g_array_index(calls, Call, i);
			const int at = sass_find_pc(linked, kernel_pc, call->pc);
			g_autofree char *name =
				at >= 0 ? sass_called_name(sass_instruction(linked, at)) : NULL;
			int target;

			if (!name)
				continue;
			target = find_called(sass, linked, name, call->target);
			if (target < 0)
				continue;
			g_array_index(linked->instructions, SassInstruction, at).target =
				target;
			goes_on = true;
		}
	}
	return linked;
}
