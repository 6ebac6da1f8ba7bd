/* SPDX-License-Identifier: MIT */
/* What metadata says of constants: the lines of 64 bytes that a launch reads, and which of them are parameters. */
#include "base/json.h"
#include "trace/internal.h"
#include "trace/writer.h"

/* Where the parameters lie, and which lines of constants they are. */
bool metadata_read_parameters(const cJSON *fact, const char *name, MetadataFacts *facts,
			      GError **error)
{
	const cJSON *lines = cJSON_GetObjectItemCaseSensitive(fact, "lines"), *line;
	guint64 offset, bytes, number;

	if (!fact)
		return true;
	if (!json_whole(cJSON_GetObjectItemCaseSensitive(fact, "offset"), 0,
			TRACE_MAX_PARAMETER_BYTES, &offset) ||
	    !json_whole(cJSON_GetObjectItemCaseSensitive(fact, "bytes"), 1,
			TRACE_MAX_PARAMETER_BYTES, &bytes) ||
	    !cJSON_IsArray(lines) ||
	    (uint32_t)cJSON_GetArraySize(lines) !=
		    kernel_parameter_lines((uint32_t)offset, (uint32_t)bytes))
		return metadata_refuse(
			error, name,
			"has \"parameters\" without \"offset\" of 0 to 65536, \"bytes\" "
			"of 1 to 65536, and \"lines\", one for each 64 bytes that they reach");
	facts->parameters =
		(KernelParameters){.offset = (uint32_t)offset, .bytes = (uint32_t)bytes};
	facts->parameters.lines = facts->parameter_lines =
		g_new(uint16_t, cJSON_GetArraySize(lines));
	cJSON_ArrayForEach(line, lines)
	{
		if (!json_whole(line, 0, DATAFLOW_MAX_LINES, &number))
			return metadata_refuse(
				error, name,
				"has \"parameters\" with a line that is no whole number of "
				"0 to 4096");
		facts->parameter_lines[facts->parameters.n_lines++] = (uint16_t)number;
	}
	return true;
}

/* Where each line of constants is. */
bool metadata_read_constants(const cJSON *fact, const char *name, MetadataFacts *facts,
			     GError **error)
{
	const cJSON *line;

	if (!fact)
		return true;
	if (!cJSON_IsArray(fact) || cJSON_GetArraySize(fact) > DATAFLOW_MAX_LINES)
		return metadata_refuse(
			error, name, "has \"constants\" that are no list of up to 4096 lines");
	facts->constants = g_new(ConstantPlace, cJSON_GetArraySize(fact));
	cJSON_ArrayForEach(line, fact)
	{
		guint64 bank, offset;

		if (!json_whole(cJSON_GetObjectItemCaseSensitive(line, "bank"), 0,
				CONSTANT_MAX_BANK, &bank) ||
		    !json_whole(cJSON_GetObjectItemCaseSensitive(line, "offset"), 0, UINT32_MAX,
				&offset) ||
		    offset % CONSTANT_LINE_BYTES > 0)
			return metadata_refuse(
				error, name,
				"has \"constants\" with a line without \"bank\" of 0 "
				"to 31 and \"offset\", a multiple of 64 to 4294967232");
		facts->constants[facts->n_constants++] =
			(ConstantPlace){(uint32_t)bank, (uint32_t)offset};
	}
	return true;
}

void trace_metadata_add_parameters(cJSON *metadata, const KernelParameters *parameters)
{
	cJSON *object, *lines;

	if (parameters->bytes == 0)
		return;
	object = cJSON_AddObjectToObject(metadata, "parameters");
	cJSON_AddNumberToObject(object, "offset", parameters->offset);
	cJSON_AddNumberToObject(object, "bytes", parameters->bytes);
	lines = cJSON_AddArrayToObject(object, "lines");
	for (uint32_t i = 0; i < parameters->n_lines; i++)
		cJSON_AddItemToArray(lines, cJSON_CreateNumber(parameters->lines[i]));
}

void trace_metadata_add_constants(cJSON *metadata, const ConstantPlace *places, uint32_t n)
{
	cJSON *list;

	if (n == 0)
		return;
	list = cJSON_AddArrayToObject(metadata, "constants");
	for (uint32_t i = 0; i < n; i++) {
		cJSON *line = cJSON_CreateObject();

		cJSON_AddNumberToObject(line, "bank", places[i].bank);
		cJSON_AddNumberToObject(line, "offset", places[i].offset);
		cJSON_AddItemToArray(list, line);
	}
}
