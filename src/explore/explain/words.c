/* SPDX-License-Identifier: MIT */
#include "explore/explain/words.h"

#include "base/error.h"

/* What the largest block can have, of what the system leaves. */
static uint32_t most_bytes(const Machine *machine)
{
	const SharedParameters *shared = &machine->shared;
	const uint32_t whole =
		shared->bytes / shared->allocation_bytes * shared->allocation_bytes;

	return MIN(whole - MIN(shared->reserved_bytes, whole), TRACE_MAX_SHARED_BYTES);
}

uint32_t explain_word_bytes(const Machine *machine, uint32_t word, uint32_t width,
			    const char *where, GError **error)
{
	const uint32_t most = most_bytes(machine);
	const uint64_t bytes = UINT64_C(4) * word + width;

	if (bytes <= most)
		return (uint32_t)bytes;
	if (most < width)
		atomsim_fail(error, ATOMSIM_ERROR_USAGE, "%s: word %u found; %s has none",
			     where, word, machine->name);
	else
		atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			     "%s: word %u found; %s has words 0 to %u%s", where, word,
			     machine->name, (most - width) / 4,
			     width > 4 ? " for values of 8 bytes" : "");
	return 0;
}
