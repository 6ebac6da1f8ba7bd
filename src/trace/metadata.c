/* SPDX-License-Identifier: MIT */
/* What the format itself needs of a trace's metadata. */
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/names.h"
#include "trace/internal.h"
#include "trace/writer.h"

/* What a buffer had met before the launch, if the metadata says so. */
static bool read_before(const cJSON *before, const char *name, BufferBefore *found,
			GError **error)
{
	const char *text = cJSON_GetStringValue(before);

	*found = BUFFER_UNKNOWN;
	for (unsigned i = BUFFER_UNKNOWN + 1; text && i < N_BUFFER_BEFORE; i++)
		if (strcmp(text, buffer_before_names[i]) == 0)
			*found = i;
	return !before || *found != BUFFER_UNKNOWN ||
	       metadata_refuse(
		       error, name,
		       "has a buffer whose \"before\" is none of fresh, copied, reused, set, "
		       "used, written");
}

/* Of the buffer that is number n_buffers, of n. */
static void keep_before(MetadataFacts *facts, int n, BufferBefore before)
{
	if (before != BUFFER_UNKNOWN && !facts->buffer_before)
		facts->buffer_before = g_new0(uint8_t, n);
	if (facts->buffer_before)
		facts->buffer_before[facts->n_buffers] = before;
}

/* Whether buffer number n_buffers + 1 is thread-local memory, which one may be. */
static bool read_local(const cJSON *local, const char *name, MetadataFacts *facts,
		       GError **error)
{
	if (local && (!cJSON_IsBool(local) || (cJSON_IsTrue(local) && facts->local_buffer > 0)))
		return metadata_refuse(
			error, name,
			"has a buffer whose \"local\" is neither true nor false, or "
			"true as another's is");
	if (cJSON_IsTrue(local))
		facts->local_buffer = facts->n_buffers + 1;
	return true;
}

static bool read_buffers(const cJSON *buffers, const char *name, MetadataFacts *facts,
			 GError **error)
{
	int n = buffers ? cJSON_GetArraySize(buffers) : 0;
	const cJSON *buffer;

	if (!buffers)
		return true;
	if (!cJSON_IsArray(buffers) || n > TRACE_MAX_BUFFERS)
		return metadata_refuse(error, name,
				       "has \"buffers\" that are no list of up to 65535");
	facts->buffer_bytes = g_new(uint64_t, n);
	cJSON_ArrayForEach(buffer, buffers)
	{
		const cJSON *bytes = cJSON_GetObjectItemCaseSensitive(buffer, "bytes");
		BufferBefore before;
		guint64 number;

		if (!read_before(cJSON_GetObjectItemCaseSensitive(buffer, "before"), name,
				 &before, error) ||
		    !read_local(cJSON_GetObjectItemCaseSensitive(buffer, "local"), name, facts,
				error))
			return false;
		if (!json_whole(bytes, 1, TRACE_MAX_BUFFER_BYTES, &number))
			return metadata_refuse(
				error, name,
				"has a buffer whose \"bytes\" are no whole number of 1 to "
				"1099511627776");
		keep_before(facts, n, before);
		facts->buffer_bytes[facts->n_buffers++] = number;
	}
	return true;
}

static bool read_sites(const cJSON *sites, const char *name, MetadataFacts *facts,
		       GError **error)
{
	int n = sites ? cJSON_GetArraySize(sites) : 0;
	const cJSON *site;

	if (!sites)
		return true;
	if (!cJSON_IsArray(sites) || n > TRACE_MAX_SITES)
		return metadata_refuse(error, name,
				       "has \"sites\" that are no list of up to 65535");
	cJSON_ArrayForEach(site, sites) if (!cJSON_IsObject(site)) return metadata_refuse(
		error, name, "has a site that is no object");
	facts->n_sites = (uint32_t)n;
	return true;
}

static bool read_atomics(const cJSON *fact, const char *name, MetadataFacts *facts,
			 GError **error)
{
	if (fact && !cJSON_IsBool(fact))
		return metadata_refuse(
			error, name, "has \"global_atomics\" that are neither true nor false");
	if (fact)
		facts->global_atomics = cJSON_IsTrue(fact) ? KERNEL_HAS : KERNEL_HAS_NOT;
	return true;
}

/* The size of the one array, where accesses do not show it. Of a block's shared memory or of a buffer. */
static bool read_array(const cJSON *array, const char *name, MetadataFacts *facts,
		       GError **error)
{
	const cJSON *buffer = cJSON_GetObjectItemCaseSensitive(array, "buffer");
	guint64 bytes, number = 0;

	if (!array)
		return true;
	if (!json_whole(cJSON_GetObjectItemCaseSensitive(array, "bytes"), 1,
			TRACE_MAX_BUFFER_BYTES, &bytes) ||
	    (buffer && !json_whole(buffer, 1, MAX(facts->n_buffers, 1), &number)))
		return metadata_refuse(
			error, name,
			"has an \"array\" without \"bytes\" of 1 to 1099511627776, or of "
			"a \"buffer\" that it does not have");
	facts->array_bytes = bytes;
	facts->array_buffer = (uint32_t)number;
	return true;
}

/* A count of launches or kernels; -1: there is none. */
static bool read_count(const cJSON *json, const char *key, const char *name, gint64 *count,
		       GError **error)
{
	const cJSON *fact = cJSON_GetObjectItemCaseSensitive(json, key);
	guint64 number;

	*count = -1;
	if (fact && !json_whole(fact, 0, UINT32_MAX, &number)) {
		g_autofree char *text = g_strdup_printf(
			"has a \"%s\" that is no whole number of 0 to 4294967295", key);

		return metadata_refuse(error, name, text);
	}
	if (fact)
		*count = (gint64)number;
	return true;
}

static bool read_launches(const cJSON *json, const char *name, MetadataFacts *facts,
			  GError **error)
{
	gint64 number, earlier, new_kernels;

	if (!read_count(json, "launch", name, &number, error) ||
	    !read_count(json, "earlier_launches", name, &earlier, error) ||
	    !read_count(json, "new_kernels", name, &new_kernels, error))
		return false;
	if (earlier >= 0)
		facts->was_launched = earlier > 0 ? KERNEL_HAS : KERNEL_HAS_NOT;
	facts->launch = number > 0 ? (uint32_t)number : 0;
	facts->has_code = new_kernels > 0 ? KERNEL_HAS_NOT : facts->was_launched;
	return true;
}

static bool read_registers(const cJSON *fact, const char *name, MetadataFacts *facts,
			   GError **error)
{
	guint64 number = 0;

	if (fact && !json_whole(fact, 1, TRACE_MAX_REGISTERS, &number))
		return metadata_refuse(
			error, name, "has \"registers\" that are no whole number of 1 to 255");
	facts->registers = (uint32_t)number;
	return true;
}

bool metadata_check(const char *metadata, size_t length, const char *name, uint32_t version,
		    MetadataFacts *facts, GError **error)
{
	cJSON *json;
	bool good;

	*facts = (MetadataFacts){0};
	if (!g_utf8_validate(metadata, (gssize)length, NULL))
		return metadata_refuse(error, name, "is not UTF-8 text");
	if (json_count(metadata) > TRACE_MAX_METADATA_VALUES)
		return metadata_refuse(error, name, "has more than 1048576 values");
	json = cJSON_ParseWithLengthOpts(metadata, length + 1, NULL, true);
	if (!cJSON_IsObject(json)) {
		cJSON_Delete(json);
		return metadata_refuse(error, name, "is not a JSON object");
	}
	good = read_sites(cJSON_GetObjectItemCaseSensitive(json, "sites"), name, facts, error);
	good = good &&
	       (version == 1 || read_buffers(cJSON_GetObjectItemCaseSensitive(json, "buffers"),
					     name, facts, error));
	good = good && read_atomics(cJSON_GetObjectItemCaseSensitive(json, "global_atomics"),
				    name, facts, error);
	good = good &&
	       read_array(cJSON_GetObjectItemCaseSensitive(json, "array"), name, facts, error);
	good = good && read_launches(json, name, facts, error);
	good = good &&
	       metadata_read_parameters(cJSON_GetObjectItemCaseSensitive(json, "parameters"),
					name, facts, error);
	good = good &&
	       metadata_read_constants(cJSON_GetObjectItemCaseSensitive(json, "constants"),
				       name, facts, error);
	good = good && read_registers(cJSON_GetObjectItemCaseSensitive(json, "registers"), name,
				      facts, error);
	facts->json = json;
	if (!good) {
		metadata_facts_clear(facts);
		return false;
	}
	json_keep_digits(json, metadata);
	return true;
}

void metadata_facts_clear(MetadataFacts *facts)
{
	g_clear_pointer(&facts->buffer_bytes, g_free);
	g_clear_pointer(&facts->buffer_before, g_free);
	g_clear_pointer(&facts->parameter_lines, g_free);
	g_clear_pointer(&facts->constants, g_free);
	g_clear_pointer(&facts->json, cJSON_Delete);
}

static void add_triple(cJSON *metadata, const char *name, const uint32_t values[3])
{
	cJSON *triple = cJSON_AddArrayToObject(metadata, name);

	for (int i = 0; i < 3; i++)
		cJSON_AddItemToArray(triple, cJSON_CreateNumber(values[i]));
}

void trace_metadata_add(cJSON *metadata, const uint32_t grid[3], const uint32_t block[3],
			uint32_t shared_bytes, uint32_t registers, const char *source)
{
	add_triple(metadata, "grid", grid);
	add_triple(metadata, "block", block);
	cJSON_AddNumberToObject(metadata, "shared_bytes", shared_bytes);
	if (registers > 0)
		cJSON_AddNumberToObject(metadata, "registers", registers);
	cJSON_AddStringToObject(metadata, "source", source);
	cJSON_AddStringToObject(metadata, "tool", "atomsim");
	cJSON_AddStringToObject(metadata, "tool_version", PACKAGE_VERSION);
}
