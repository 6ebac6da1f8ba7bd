/* SPDX-License-Identifier: MIT */
/* What a trace text says of its launch: parameters, sizes, buffers, and the metadata that say them. */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/json.h"
#include "base/names.h"

#include "trace/text/program.h"

/* --- Parameters --- */

/* What a parameter allows: from .. to, where it has a range, or words. */
typedef struct {
	const Parameter *parameter;
	gint64 min, max;
} Allowed;

static gboolean read_allowed(const Parameter *parameter, const TextState *state,
			     Allowed *allowed, GError **error)
{
	*allowed = (Allowed){.parameter = parameter};
	return parameter->min == NULL ||
	       (expression_number(parameter->min, state, &allowed->min, error) &&
		expression_number(parameter->max, state, &allowed->max, error));
}

/* The same for people. g_free. */
static char *print_allowed(const Allowed *allowed)
{
	g_autoptr(GString) words = g_string_new(NULL);

	if (allowed->parameter->min)
		return g_strdup_printf("a whole number from %" G_GINT64_FORMAT
				       " to %" G_GINT64_FORMAT,
				       allowed->min, allowed->max);
	for (const Expression *word = allowed->parameter->words; word; word = word->next) {
		g_autofree char *text = text_value_print(&word->value);

		g_string_append_printf(words, "%s%s", words->len > 0 ? ", " : "", text);
	}
	return g_string_free(g_steal_pointer(&words), FALSE);
}

static gboolean is_allowed(const Allowed *allowed, const TextValue *value)
{
	const Expression *words = allowed->parameter->words;

	if (allowed->parameter->min)
		return value->text == NULL && value->number >= allowed->min &&
		       value->number <= allowed->max;
	for (const Expression *word = words; word != NULL; word = word->next)
		if (text_value_equal(&word->value, value))
			return TRUE;
	return words == NULL;
}

/* The last value that is given for it, or NULL. */
static const char *find_setting(const TextSettings *settings, const char *name)
{
	const char *found = NULL;

	for (guint i = 0; settings->names[i] != NULL; i++)
		if (strcmp(settings->names[i], name) == 0)
			found = settings->values[i];
	return found;
}

static gboolean set_parameter(const TraceText *text, const Parameter *parameter,
			      const TextSettings *settings, TextState *state,
			      TextRefusal *refusal, GError **error)
{
	const char *name = g_ptr_array_index(text->scope.names, parameter->variable);
	const char *given = find_setting(settings, name);
	TextValue *value = &state->values[parameter->variable];
	g_autofree char *text_allowed = NULL, *found = NULL;
	Allowed allowed;

	if (given != NULL)
		*value = text_value_of(given);
	else if (parameter->default_value == NULL)
		return text_fail(error, state->name, parameter->place,
				 "no value for the parameter %s, which has no default", name);
	else if (!expression_value(parameter->default_value, state, value, error))
		return FALSE;
	if (!read_allowed(parameter, state, &allowed, error))
		return FALSE;
	if (is_allowed(&allowed, value))
		return TRUE;
	text_allowed = print_allowed(&allowed);
	found = text_value_print(value);
	text_fail(error, state->name, parameter->place, "%s: '%.40s' found; allowed: %s", name,
		  found, text_allowed);
	if (refusal != NULL)
		*refusal = (TextRefusal){name, g_steal_pointer(&text_allowed)};
	return FALSE;
}

TextValue *trace_text_values(const TraceText *text, const TextSettings *settings,
			     TextRefusal *refusal, GError **error)
{
	g_autofree TextValue *values = g_new0(TextValue, text->scope.names->len);
	TextState state = {.name = text->name, .values = values};

	for (guint i = 0; i < text->head->len; i++) {
		const HeadRow *row = &g_array_index(text->head, HeadRow, i);

		if (row->is_parameter ? !set_parameter(text, &row->parameter, settings, &state,
						       refusal, error)
				      : !expression_value(row->let->expression, &state,
							  &values[row->let->variable], error))
			return NULL;
	}
	return g_steal_pointer(&values);
}

/* --- Sizes --- */

/* The number of an expression of the head; NULL: `default_value`. */
static gboolean head_number(const Assembly *assembly, const Expression *expression,
			    const char *what, gint64 min, gint64 max, gint64 default_value,
			    gint64 *number)
{
	*number = default_value;
	return expression == NULL || expression_range(expression, &assembly->state, what, min,
						      max, number, assembly->error);
}

#define LINE_BYTES	 128
#define MAX_SPARSE_BYTES (INT64_C(1) << 36)

static gboolean open_sparse(Assembly *assembly, guint i)
{
	const Buffer *buffer = &assembly->text->buffers[i];
	gboolean is = FALSE;

	if (!expression_true(buffer->sparse, &assembly->state, &is, assembly->error))
		return FALSE;
	if (is &&
	    (buffer->each || buffer->local || assembly->buffer_bytes[i] > MAX_SPARSE_BYTES))
		return text_fail(assembly->error, assembly->state.name, buffer->sparse->place,
				 "%s: sparse found; allowed: in buffers of up to 64 GiB that "
				 "all blocks share",
				 buffer->name);
	if (is)
		assembly->touched[i] =
			g_malloc0(assembly->buffer_bytes[i] / LINE_BYTES / 8 + 1);
	return TRUE;
}

void assembly_touch(Assembly *assembly, guint buffer, const uint64_t *byte, guint n_lanes)
{
	guint8 *touched = assembly->touched[buffer - 1];

	for (guint i = 0; touched != NULL && i < n_lanes; i++) {
		const uint64_t line = byte[i] / LINE_BYTES;
		const guint8 bit = (guint8)(1u << line % 8);

		if ((touched[line / 8] & bit) == 0)
			assembly->outcome->room_bytes[buffer - 1] += LINE_BYTES;
		touched[line / 8] |= bit;
	}
}

void assembly_forget_touched(Assembly *assembly)
{
	for (guint i = 0; i < assembly->text->n_buffers; i++)
		g_clear_pointer(&assembly->touched[i], g_free);
}

gboolean assembly_launch(Assembly *assembly)
{
	const TraceText *text = assembly->text;
	gint64 blocks, warps, shared, lanes, registers, parameters;

	if (!head_number(assembly, text->blocks, "blocks", 1, TEXT_MAX_BLOCKS, 1, &blocks) ||
	    !head_number(assembly, text->warps, "warps", 1, TRACE_MAX_WARPS, 1, &warps) ||
	    !head_number(assembly, text->shared, "shared", 0, TRACE_MAX_SHARED_BYTES, 0,
			 &shared) ||
	    !head_number(assembly, text->lanes, "lanes", 32, 64, 32, &lanes) ||
	    !head_number(assembly, text->registers, "registers", 0, TRACE_MAX_REGISTERS, 0,
			 &registers) ||
	    !head_number(assembly, text->parameters, "parameters", 0, TRACE_MAX_PARAMETER_BYTES,
			 0, &parameters))
		return FALSE;
	if (lanes != 32 && lanes != 64)
		return text_fail(assembly->error, assembly->state.name, text->lanes->place,
				 "lanes: %d found; allowed: 32, 64", (int)lanes);
	if ((guint64)(blocks * warps) > assembly->steps)
		return text_fail(assembly->error, assembly->state.name,
				 (text->blocks ? text->blocks : text->warps)->place,
				 "more warps than may be run; allowed: %" G_GUINT64_FORMAT,
				 assembly->steps);
	assembly->n_blocks = (guint)blocks;
	assembly->n_warps = (guint)warps;
	assembly->shared_bytes = (uint32_t)shared;
	assembly->n_lanes = (guint)lanes;
	assembly->registers = (uint32_t)registers;
	assembly->parameter_bytes = (uint32_t)parameters;
	for (guint i = 0; i < text->n_buffers; i++) {
		const Buffer *buffer = &text->buffers[i];
		const gint64 most =
			(gint64)(TRACE_MAX_BUFFER_BYTES / (buffer->each ? (guint64)blocks : 1));
		gint64 bytes;

		if (!expression_range(buffer->bytes, &assembly->state, buffer->name, 1, most,
				      &bytes, assembly->error))
			return FALSE;
		if (buffer->each && bytes % 16 != 0)
			return text_fail(assembly->error, assembly->state.name,
					 buffer->bytes->place,
					 "%s: %" G_GINT64_FORMAT
					 " bytes of each block found; allowed: multiples of 16",
					 buffer->name, bytes);
		assembly->buffer_bytes[i] = (uint64_t)bytes;
		if (buffer->sparse && !open_sparse(assembly, i))
			return FALSE;
	}
	return TRUE;
}

/* --- Metadata --- */

static void add_sites(const Assembly *assembly, cJSON *object)
{
	cJSON *sites;

	if (assembly->lines->len == 0)
		return;
	sites = cJSON_AddArrayToObject(object, "sites");
	for (guint i = 0; i < assembly->lines->len; i++) {
		cJSON *site = cJSON_CreateObject();

		cJSON_AddStringToObject(site, "file", assembly->text->base);
		cJSON_AddNumberToObject(site, "line", g_array_index(assembly->lines, guint, i));
		cJSON_AddItemToArray(sites, site);
	}
}

static void add_buffers(const Assembly *assembly, cJSON *object)
{
	const TraceText *text = assembly->text;
	cJSON *buffers;

	if (text->n_buffers == 0)
		return;
	buffers = cJSON_AddArrayToObject(object, "buffers");
	for (guint i = 0; i < text->n_buffers; i++) {
		cJSON *buffer = cJSON_CreateObject();
		const uint64_t n = text->buffers[i].each ? assembly->n_blocks : 1;

		cJSON_AddStringToObject(buffer, "name", text->buffers[i].name);
		cJSON_AddNumberToObject(buffer, "bytes",
					(double)(assembly->buffer_bytes[i] * n));
		if (text->buffers[i].before != BUFFER_UNKNOWN)
			cJSON_AddStringToObject(buffer, "before",
						buffer_before_names[text->buffers[i].before]);
		if (text->buffers[i].local)
			cJSON_AddTrueToObject(buffer, "local");
		cJSON_AddItemToArray(buffers, buffer);
	}
}

/* Where compilers for compute capability 9.0 put them. */
#define PARAMETER_OFFSET     528
#define FIRST_PARAMETER_LINE 3 /* line 2 of the text and of the data flow, plus 1 */

static void add_parameters(const Assembly *assembly, cJSON *object)
{
	uint16_t lines[TRACE_MAX_PARAMETER_BYTES / CONSTANT_LINE_BYTES + 1];
	KernelParameters parameters = {
		.offset = PARAMETER_OFFSET, .bytes = assembly->parameter_bytes, .lines = lines};

	if (parameters.bytes > 0)
		parameters.n_lines =
			kernel_parameter_lines(parameters.offset, parameters.bytes);
	for (uint32_t i = 0; i < parameters.n_lines; i++)
		lines[i] = (uint16_t)(FIRST_PARAMETER_LINE + i);
	trace_metadata_add_parameters(object, &parameters);
}

char *assembly_metadata(const Assembly *assembly)
{
	const uint32_t grid[] = {assembly->n_blocks, 1, 1};
	const uint32_t block[] = {assembly->n_warps * assembly->n_lanes, 1, 1};
	g_autoptr(cJSON) object = cJSON_CreateObject();

	cJSON_AddNumberToObject(object, "format", 2);
	cJSON_AddStringToObject(object, "kernel", assembly->text->base);
	trace_metadata_add(object, grid, block, assembly->shared_bytes, assembly->registers,
			   "text");
	add_parameters(assembly, object);
	add_sites(assembly, object);
	add_buffers(assembly, object);
	return json_line(object);
}
