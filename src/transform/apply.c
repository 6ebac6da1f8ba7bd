/* SPDX-License-Identifier: MIT */
/* From a list of changes and a source to a source: which array, and whether the change is sound. */
#include "base/error.h"
#include "base/names.h"
#include "transform/change.h"

gboolean change_set_size(Change *change, uint64_t bytes, GError **error)
{
	uint64_t old = change->end - change->first;
	uint64_t grown = bytes > old ? (bytes - old + 15) / 16 * 16 : 0;

	if (change->first + old + grown > TRACE_MAX_SHARED_BYTES)
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "it would take %" G_GUINT64_FORMAT
				    " bytes of shared memory; allowed: up to %u",
				    change->first + old + grown, TRACE_MAX_SHARED_BYTES);
	change->grown_bytes = (uint32_t)grown;
	return TRUE;
}

static uint32_t line_of(const uint32_t *site_lines, uint32_t n_sites, uint32_t site)
{
	return site_lines && site > 0 && site <= n_sites ? site_lines[site - 1] : 0;
}

typedef struct {
	const uint32_t *site_lines;
	uint32_t n_sites;
} Sites;

/* Whether the user's words can mean this array. */
static bool is_meant(const Change *change, const SharedArray *array, const Sites *sites)
{
	switch (change->naming) {
	case NAMED_BY_LINE:
		for (guint i = 0; i < array->sites->len; i++)
			if (line_of(sites->site_lines, sites->n_sites,
				    g_array_index(array->sites, uint32_t, i)) == change->line)
				return true;
		return false;
	case NAMED_BY_SITE:
		for (guint i = 0; i < array->sites->len; i++)
			if (g_array_index(array->sites, uint32_t, i) == change->site)
				return true;
		return false;
	case NAMED_BY_BUFFER:
		return array->buffer == change->buffer;
	case NAMED_BY_BYTES:
		return array->first < change->bytes_end && array->end > change->bytes_first;
	default:
		return !change->kind->of_atomics || array->atomics + array->locks > 0;
	}
}

/* The arrays there are, for a message. */
static char *list_arrays(const GPtrArray *arrays)
{
	GString *list = g_string_new(NULL);

	for (guint i = 0; i < arrays->len; i++) {
		const SharedArray *array = arrays->pdata[i];

		if (array->buffer > 0)
			g_string_append_printf(list, "%sbuffer=%u", i > 0 ? ", " : "",
					       array->buffer);
		else
			g_string_append_printf(list, "%sbytes=%u..%u", i > 0 ? ", " : "",
					       array->first, array->end - 1);
	}
	return g_string_free(list, FALSE);
}

static gboolean refuse(GError **error, const GPtrArray *arrays, const char *problem)
{
	g_autofree char *list = list_arrays(arrays);

	return atomsim_fail(error, ATOMSIM_ERROR_INPUT, "%s; the arrays of this trace: %s",
			    problem, *list ? list : "none");
}

/* No array is meant. */
static gboolean refuse_missing(const Change *change, const GPtrArray *arrays, GError **error)
{
	g_autofree char *problem = NULL;

	if (change->naming == NAMED_BY_LINE || change->naming == NAMED_BY_SITE)
		problem = g_strdup_printf(
			"no instruction of %s %u accesses an array in shared memory",
			change->naming == NAMED_BY_LINE ? "line" : "site",
			change->naming == NAMED_BY_LINE ? change->line : change->site);
	else if (change->kind->of_atomics && change->naming == NAMED_BY_NOTHING)
		problem = g_strdup("no array has atomics or locks");
	else
		problem = g_strdup("no such array");
	return refuse(error, arrays, problem);
}

/* The one array that is meant. */
static const SharedArray *choose(const Change *change, const GPtrArray *arrays,
				 const Sites *sites, GError **error)
{
	const SharedArray *found = NULL;

	for (guint i = 0; i < arrays->len; i++) {
		if (!is_meant(change, arrays->pdata[i], sites))
			continue;
		if (found) {
			refuse(error, arrays, "several arrays could be meant");
			return NULL;
		}
		found = arrays->pdata[i];
	}
	if (!found)
		refuse_missing(change, arrays, error);
	else if (change->naming == NAMED_BY_BYTES &&
		 (found->first < change->bytes_first || found->end > change->bytes_end)) {
		refuse(error, arrays, "instructions reach over these bounds: they mix arrays");
		return NULL;
	}
	return found;
}

static gboolean is_sound(const Change *change, const SharedArray *array,
			 const RecordSource *source, GError **error)
{
	const char *problem = NULL;

	if (!change->kind->of_atomics)
		return TRUE;
	if (array->atomics + array->locks == 0)
		problem = "no atomic or lock touches that array";
	else if (array->buffer > 0 && array->loads + array->stores + array->locks > 0)
		problem = "the kernel also loads, stores or locks words between those of its "
			  "atomics";
	else if (array->atomics_with_result > 0 && !change->kind->keeps_values)
		problem = "the program uses the old values of its atomics, which the change "
			  "would make others";
	else if (array->locks > 0 && !source->kernel.lock_sections)
		problem = "its spin locks are recorded as they were taken in that run, and not "
			  "as "
			  "they are needed: a trace of format 2 is needed";
	if (problem)
		atomsim_fail(error, ATOMSIM_ERROR_INPUT, "%s", problem);
	return problem == NULL;
}

static GPtrArray *find_arrays(const Change *change, RecordSource *source)
{
	switch (change->naming) {
	case NAMED_BY_BUFFER:
		return global_arrays_find(source);
	case NAMED_BY_BYTES:
		return shared_arrays_find_within(source, change->bytes_first,
						 change->bytes_end);
	default:
		return shared_arrays_find(source);
	}
}

/* Bytes of a word of its atomics; 0: there are several widths, or no atomic. */
static uint32_t atom_width(const SharedArray *array)
{
	uint32_t bytes = 0;

	for (uint32_t left = array->types; left; left &= left - 1) {
		const uint32_t its = value_type_bytes[g_bit_nth_lsf(left, -1)];

		if (bytes > 0 && its != bytes)
			return 0;
		bytes = its;
	}
	return bytes;
}

static uint32_t largest_block(RecordSource *source)
{
	uint32_t most = 0;

	for (uint64_t block = 0; block < source->n_blocks; block++) {
		BlockInfo info;

		source->block_info(source, block, &info);
		most = MAX(most, info.shared_bytes);
	}
	return most;
}

/* Finds the array, plans the change and makes it. FALSE without an error: a stream failed. */
static gboolean make_change(Change *change, const WhatIf *what_if, RecordSource **source,
			    const Sites *sites, GError **error)
{
	const uint32_t loops =
		1u << TYPE_F32 | 1u << TYPE_F64 | 1u << TYPE_U64 | 1u << TYPE_S64;
	g_autoptr(GPtrArray) arrays = find_arrays(change, *source);
	const SharedArray *array;

	if (!arrays)
		return FALSE;
	array = choose(change, arrays, sites, error);
	if (!array)
		return FALSE;
	change->first = array->first;
	change->end = array->end;
	change->base = array->base;
	change->atom_width = atom_width(array);
	change->atom_loops = array->buffer == 0 && (array->types & loops) != 0;
	change->operation = (uint8_t)g_bit_nth_lsf(array->operations, -1);
	change->atom_site =
		array->sites->len > 0 ? g_array_index(array->sites, uint32_t, 0) : 0;
	change->block_bytes = largest_block(*source);
	if (!is_sound(change, array, *source, error) ||
	    !change->kind->plan(change, array, *source, error))
		return FALSE;
	*source = transform_open(change, array, what_if_mechanisms(what_if), *source);
	return TRUE;
}

gboolean what_if_apply(const WhatIf *what_if, const char *name, RecordSource *source,
		       const uint32_t *site_lines, uint32_t n_sites, ChangedSource *changed,
		       GError **error)
{
	const Sites sites = {site_lines, n_sites};

	*changed = (ChangedSource){source, g_ptr_array_new()};
	for (guint i = 0; i < what_if->changes->len; i++) {
		Change change = *(const Change *)what_if->changes->pdata[i];

		if (change.kind->of_machine && change.naming == NAMED_BY_NOTHING)
			continue;
		if (!make_change(&change, what_if, &changed->source, &sites, error)) {
			g_prefix_error(error, "%s: --what-if %s: ", name, change.text);
			changed_source_clear(changed);
			return FALSE;
		}
		g_ptr_array_add(changed->changed, changed->source);
	}
	return TRUE;
}

void changed_source_clear(ChangedSource *changed)
{
	for (guint i = 0; changed->changed && i < changed->changed->len; i++)
		transform_close(changed->changed->pdata[i]);
	g_clear_pointer(&changed->changed, g_ptr_array_unref);
	changed->source = NULL;
}
