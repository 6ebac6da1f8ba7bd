/* SPDX-License-Identifier: MIT */
/* The metadata of a captured trace: what ran where, and what the records do not say. */
#include "gpu/convert/convert.h"
#include "base/json.h"
#include "base/names.h"
#include "trace/sample.h"

#include <cjson/cJSON.h>
#include <string.h>

/* Appends the next length-prefixed name: "9histogram". NULL if there is none. */
static const char *append_name(const char *at, GString *name)
{
	char *end;
	guint64 n = g_ascii_strtoull(at, &end, 10);

	if (end == at || n == 0 || n > strlen(end))
		return NULL;
	if (name->len > 0)
		g_string_append(name, "::");
	g_string_append_len(name, end, n);
	return end + n;
}

char *convert_kernel_name(const char *mangled)
{
	g_autoptr(GString) name = g_string_new(NULL);
	const char *at = mangled + 2;

	if (!g_str_has_prefix(mangled, "_Z"))
		return g_strdup(mangled);
	if (*at == 'N') {
		for (at++; at && g_ascii_isdigit(*at);)
			at = append_name(at, name);
	} else {
		append_name(at, name);
	}
	return g_strdup(name->len > 0 ? name->str : mangled);
}

static const char *fact(ConvertFacts *facts, const char *key)
{
	GPtrArray *values = g_hash_table_lookup(facts, key);

	return values ? g_ptr_array_index(values, 0) : NULL;
}

static void add_fact(cJSON *object, ConvertFacts *facts, const char *key)
{
	const char *value = fact(facts, key);

	if (value && *value)
		cJSON_AddStringToObject(object, key, value);
}

/* The program and the files that its command line names, each "SHA256 NAME". */
static void add_files(cJSON *object, ConvertFacts *facts)
{
	GPtrArray *files = g_hash_table_lookup(facts, "file");
	cJSON *array = cJSON_AddArrayToObject(object, "files");

	for (guint i = 0; files && i < files->len; i++) {
		const char *text = g_ptr_array_index(files, i);
		const char *space = strchr(text, ' ');
		cJSON *file = cJSON_CreateObject();
		g_autofree char *sha256 = g_strndup(text, space ? (gsize)(space - text) : 0);

		cJSON_AddStringToObject(file, "name", space ? space + 1 : text);
		cJSON_AddStringToObject(file, "sha256", sha256);
		cJSON_AddItemToArray(array, file);
	}
}

/* Source files as seen from where the program ran. */
static void add_sites(cJSON *object, ConvertFacts *facts, const char *kernel,
		      const GArray *sites)
{
	const char *folder = fact(facts, "folder");
	cJSON *array = cJSON_AddArrayToObject(object, "sites");

	for (guint i = 0; i < sites->len; i++) {
		const ConvertSite *site = &g_array_index(sites, ConvertSite, i);
		const SassInstruction *instruction = site->instruction;
		const char *file = instruction->file;
		const SassPart *part = instruction->part;
		g_autofree char *linked = part ? convert_kernel_name(part->name) : NULL;
		g_autofree char *pc = g_strdup_printf(
			"0x%x", instruction->offset - (part ? part->offset : 0));
		cJSON *entry = cJSON_CreateObject();

		if (file && folder && g_str_has_prefix(file, folder) &&
		    file[strlen(folder)] == '/')
			file += strlen(folder) + 1;
		cJSON_AddStringToObject(entry, "pc", pc);
		cJSON_AddStringToObject(entry, "function", linked ? linked : kernel);
		cJSON_AddStringToObject(entry, "instruction", instruction->opcode);
		if (file) {
			cJSON_AddStringToObject(entry, "file", file);
			cJSON_AddNumberToObject(entry, "line", instruction->line);
		}
		cJSON_AddItemToArray(array, entry);
	}
}

static void add_counts(cJSON *object, const ConvertCounts *counts)
{
	const struct {
		const char *key;
		uint64_t count;
	} rows[] = {
		{"events", counts->n_events},
		{"folded_atomics", counts->folded_atomics},
		{"folded_events", counts->folded_events},
		{"folded_locks", counts->folded_locks},
		{"nested_locks", counts->nested_locks},
		{"matrix_accesses", counts->matrix_accesses},
		{"async_copies", counts->async_copies},
		{"remote_accesses", counts->remote_accesses},
		{"partial_barriers", counts->partial_barriers},
		{"unknown_operations", counts->unknown_operations},
		{"out_of_range", counts->out_of_range},
		{"bulk_instructions", counts->bulk_instructions},
		{"graph_launches", counts->graph_launches},
		{"unresolved_paths", counts->unresolved_paths},
		{"instructions", counts->n_instructions},
		{"guessed_branches", counts->guessed_branches},
		{"refuted_branches", counts->refuted_branches},
		{"outside_calls", counts->outside_calls},
		{"unplaced_accesses", counts->unplaced_accesses},
		{"local_accesses", counts->local_accesses},
		{"texture_accesses", counts->texture_accesses},
		{"dropped_values", counts->dropped_values},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		cJSON_AddNumberToObject(object, rows[i].key, (double)rows[i].count);
}

static void add_buffers(cJSON *object, const GArray *buffers)
{
	cJSON *array = cJSON_AddArrayToObject(object, "buffers");

	for (guint i = 0; i < buffers->len; i++) {
		cJSON *buffer = cJSON_CreateObject();

		const ConvertBuffer *from = &g_array_index(buffers, ConvertBuffer, i);

		cJSON_AddNumberToObject(buffer, "bytes", (double)from->bytes);
		if (from->before != BUFFER_UNKNOWN)
			cJSON_AddStringToObject(buffer, "before",
						buffer_before_names[from->before]);
		if (from->local)
			cJSON_AddBoolToObject(buffer, "local", true);
		if (from->managed)
			cJSON_AddBoolToObject(buffer, "managed", true);
		cJSON_AddItemToArray(array, buffer);
	}
}

static void add_sample(cJSON *object, const RawRecording *recording)
{
	const uint32_t *grid = recording->launch->grid;
	const RawWave *waves;
	TraceSample sample = {0};

	if (!recording->sample)
		return;
	waves = (const RawWave *)(recording->sample + 1);
	sample.blocks = (uint64_t)grid[0] * grid[1] * grid[2];
	sample.wave_blocks = recording->sample->wave_blocks;
	sample.work = g_new(TraceWork, sample.blocks / sample.wave_blocks);
	for (uint64_t i = 0; i < sample.blocks / sample.wave_blocks; i++)
		sample.work[i] = (TraceWork){waves[i].sum, waves[i].least, waves[i].most};
	trace_sample_write(&sample, object);
	trace_sample_clear(&sample);
}

char *convert_metadata(const RawRecording *recording, ConvertFacts *facts,
		       const ConvertLists *lists, uint32_t shared_bytes, gboolean raw,
		       const ConvertCounts *counts)
{
	static const char *const provenance[] = {"gpu", "driver", "cuda", "date", "command"};
	static const char *const selection[] = {"kernel_selection", "launch_selection",
						"block_selection", "sample_waves"};
	g_autofree char *kernel = convert_kernel_name(recording->name);
	cJSON *object = cJSON_CreateObject(), *capture;

	cJSON_AddNumberToObject(object, "format", 2);
	cJSON_AddStringToObject(object, "kernel", kernel);
	cJSON_AddStringToObject(object, "kernel_symbol", recording->name);
	cJSON_AddNumberToObject(object, "launch", recording->number + 1);
	if (recording->history && recording->history->earlier_launches != RAW_LAUNCHES_UNKNOWN)
		cJSON_AddNumberToObject(object, "earlier_launches",
					recording->history->earlier_launches);
	if (recording->code)
		cJSON_AddNumberToObject(object, "new_kernels", recording->code->new_kernels);
	trace_metadata_add(object, recording->launch->grid, recording->launch->block,
			   shared_bytes, recording->code ? recording->code->registers : 0,
			   "capture");
	for (guint i = 0; i < G_N_ELEMENTS(provenance); i++)
		add_fact(object, facts, provenance[i]);
	add_files(object, facts);
	add_sample(object, recording);
	capture = cJSON_AddObjectToObject(object, "capture");
	cJSON_AddStringToObject(capture, "level", raw ? "raw" : "logical");
	for (guint i = 0; i < G_N_ELEMENTS(selection); i++)
		add_fact(capture, facts, selection[i]);
	add_counts(capture, counts);
	if (fact(facts, "recorder")) {
		add_fact(capture, facts, "recorder");
		cJSON_AddNumberToObject(capture, "unmarked_gaps",
					(double)counts->unmarked_gaps);
	}
	if (recording->parameters)
		trace_metadata_add_parameters(
			object,
			&(KernelParameters){.offset = recording->parameters->offset,
					    .bytes = recording->parameters->bytes,
					    .n_lines = lists->parameter_lines->len,
					    .lines = (const uint16_t *)(const void *)
							     lists->parameter_lines->data});
	trace_metadata_add_constants(
		object, (const ConstantPlace *)(const void *)lists->constants->data,
		lists->constants->len);
	add_sites(object, facts, kernel, lists->sites);
	add_buffers(object, lists->buffers);
	return json_text(object);
}
