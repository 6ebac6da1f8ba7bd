/* SPDX-License-Identifier: MIT */
/* Runs a trace text for each warp of each block; records come out. */
#include <cjson/cJSON.h>
#include <string.h>

#include "trace/text/program.h"

static gboolean run_statements(Assembly *assembly, const Statement *statement);

/* --- Parameters --- */

/* What a parameter allows, for people. g_free. */
static char *parameter_allowed(const Parameter *parameter)
{
	g_autoptr(GString) words = g_string_new(NULL);

	if (parameter->has_range)
		return g_strdup_printf("a whole number from %" G_GINT64_FORMAT
				       " to %" G_GINT64_FORMAT,
				       parameter->min, parameter->max);
	for (const Expression *word = parameter->words; word != NULL; word = word->next) {
		g_autofree char *text = text_value_print(&word->value);

		g_string_append_printf(words, "%s%s", words->len > 0 ? ", " : "", text);
	}
	return g_string_free(g_steal_pointer(&words), FALSE);
}

static gboolean is_allowed(const Parameter *parameter, const TextValue *value)
{
	if (parameter->has_range)
		return value->text == NULL && value->number >= parameter->min &&
		       value->number <= parameter->max;
	for (const Expression *word = parameter->words; word != NULL; word = word->next)
		if (text_value_equal(&word->value, value))
			return TRUE;
	return parameter->words == NULL;
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
	g_autofree char *allowed = NULL, *found = NULL;

	if (given != NULL)
		*value = text_value_of(given);
	else if (parameter->preset == NULL)
		return text_fail(error, state->name, parameter->place,
				 "no value for the parameter %s, which has no default", name);
	else if (!expression_value(parameter->preset, state, value, error))
		return FALSE;
	if (is_allowed(parameter, value))
		return TRUE;
	allowed = parameter_allowed(parameter);
	found = text_value_print(value);
	text_fail(error, state->name, parameter->place, "%s: '%.40s' found; allowed: %s", name,
		  found, allowed);
	if (refusal != NULL)
		*refusal = (TextRefusal){name, g_steal_pointer(&allowed)};
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

/* --- Statements --- */

static gboolean take_step(Assembly *assembly, const Statement *statement)
{
	if (assembly->steps == 0)
		return text_fail(assembly->error, assembly->state.name, statement->place,
				 "more statements than may be run; allowed: %" G_GUINT64_FORMAT,
				 assembly->max_steps);
	assembly->steps--;
	return TRUE;
}

static gboolean run_repeat(Assembly *assembly, const Statement *repeat)
{
	gint64 n;

	if (!expression_range(repeat->expression, &assembly->state, "repeat", 0, G_MAXUINT32,
			      &n, assembly->error))
		return FALSE;
	for (gint64 i = 0; i < n && !assembly->exited; i++) {
		if (repeat->has_variable)
			assembly->state.values[repeat->variable] = (TextValue){.number = i};
		if (!take_step(assembly, repeat) || !run_statements(assembly, repeat->body))
			return FALSE;
	}
	return TRUE;
}

/* Whether a label of the arm is the value; one without labels takes any. */
static gboolean takes(const Assembly *assembly, const CaseArm *arm, const TextValue *value,
		      gboolean *is)
{
	TextValue label;

	*is = arm->labels == NULL;
	for (const Expression *e = arm->labels; e != NULL && !*is; e = e->next) {
		if (!expression_value(e, &assembly->state, &label, assembly->error))
			return FALSE;
		*is = text_value_equal(&label, value);
	}
	return TRUE;
}

static gboolean run_case(Assembly *assembly, const Statement *statement)
{
	g_autofree char *found = NULL;
	TextValue value;

	if (!expression_value(statement->expression, &assembly->state, &value, assembly->error))
		return FALSE;
	for (const CaseArm *arm = statement->arms; arm != NULL; arm = arm->next) {
		gboolean is;

		if (!takes(assembly, arm, &value, &is))
			return FALSE;
		if (is)
			return run_statements(assembly, arm->body);
	}
	found = text_value_print(&value);
	return text_fail(assembly->error, assembly->state.name, statement->place,
			 "no case for '%.40s'; allowed: those that the case lists", found);
}

static gboolean run_call(Assembly *assembly, const Statement *call)
{
	TextValue values[G_N_ELEMENTS(call->define->operand)];
	guint n = 0;

	for (const Expression *e = call->operands; e != NULL; e = e->next)
		if (!expression_value(e, &assembly->state, &values[n++], assembly->error))
			return FALSE;
	for (guint i = 0; i < n; i++)
		assembly->state.values[call->define->operand[i]] = values[i];
	return run_statements(assembly, call->define->body);
}

static gboolean run_statement(Assembly *assembly, const Statement *statement)
{
	gboolean is;

	switch (statement->kind) {
	case STATEMENT_LET:
		return expression_value(statement->expression, &assembly->state,
					&assembly->state.values[statement->variable],
					assembly->error);
	case STATEMENT_REPEAT:
		return run_repeat(assembly, statement);
	case STATEMENT_IF:
		return expression_true(statement->expression, &assembly->state, &is,
				       assembly->error) &&
		       run_statements(assembly, is ? statement->body : statement->other);
	case STATEMENT_CASE:
		return run_case(assembly, statement);
	case STATEMENT_CALL:
		return run_call(assembly, statement);
	case STATEMENT_SKIP:
		assembly->outcome->skipped = g_strdup(statement->why);
		return text_fail(assembly->error, assembly->state.name, statement->place,
				 "no program for these parameters: %s", statement->why);
	default:
		return assemble_record(assembly, statement);
	}
}

static gboolean run_statements(Assembly *assembly, const Statement *statement)
{
	for (; statement != NULL && !assembly->exited; statement = statement->next) {
		if (!take_step(assembly, statement) || !run_statement(assembly, statement))
			return FALSE;
	}
	return TRUE;
}

/* All warps of those blocks, which differ in their numbers alone. */
static gboolean run_blocks(Assembly *assembly, uint64_t first, uint64_t n)
{
	const TraceText *text = assembly->text;
	TextValue *values = assembly->state.values;

	assembly->first_block = first;
	assembly->n_alike = n;
	for (assembly->warp = 0; assembly->warp < assembly->n_warps; assembly->warp++) {
		memset(values + text->n_head_variables, 0,
		       (text->scope.names->len - text->n_head_variables) * sizeof(*values));
		values[text->block].number = (gint64)first;
		values[text->warp].number = assembly->warp;
		assembly->exited = FALSE;
		if (!run_statements(assembly, text->body))
			return FALSE;
	}
	return TRUE;
}

/* --- The launch --- */

/* The number of an expression of the head; NULL: `preset`. */
static gboolean head_number(const Assembly *assembly, const Expression *expression,
			    const char *what, gint64 min, gint64 max, gint64 preset,
			    gint64 *number)
{
	*number = preset;
	return expression == NULL || expression_range(expression, &assembly->state, what, min,
						      max, number, assembly->error);
}

static gboolean read_launch(Assembly *assembly)
{
	const TraceText *text = assembly->text;
	gint64 blocks, warps, shared, lanes;

	if (!head_number(assembly, text->blocks, "blocks", 1, TEXT_MAX_BLOCKS, 1, &blocks) ||
	    !head_number(assembly, text->warps, "warps", 1, TRACE_MAX_WARPS, 1, &warps) ||
	    !head_number(assembly, text->shared, "shared", 0, TRACE_MAX_SHARED_BYTES, 0,
			 &shared) ||
	    !head_number(assembly, text->lanes, "lanes", 32, 64, 32, &lanes))
		return FALSE;
	if (lanes != 32 && lanes != 64)
		return text_fail(assembly->error, assembly->state.name, text->lanes->place,
				 "lanes: %d found; allowed: 32, 64", (int)lanes);
	assembly->n_blocks = (guint)blocks;
	assembly->n_warps = (guint)warps;
	assembly->shared_bytes = (uint32_t)shared;
	assembly->n_lanes = (guint)lanes;
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
	}
	return TRUE;
}

static void add_triple(cJSON *object, const char *name, guint x)
{
	cJSON *triple = cJSON_AddArrayToObject(object, name);

	cJSON_AddItemToArray(triple, cJSON_CreateNumber(x));
	cJSON_AddItemToArray(triple, cJSON_CreateNumber(1));
	cJSON_AddItemToArray(triple, cJSON_CreateNumber(1));
}

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
		cJSON_AddItemToArray(buffers, buffer);
	}
}

static char *metadata_of(const Assembly *assembly)
{
	cJSON *object = cJSON_CreateObject();
	char *printed, *text;

	cJSON_AddNumberToObject(object, "format", 2);
	cJSON_AddStringToObject(object, "kernel", assembly->text->base);
	add_triple(object, "grid", assembly->n_blocks);
	add_triple(object, "block", assembly->n_warps * assembly->n_lanes);
	cJSON_AddNumberToObject(object, "shared_bytes", assembly->shared_bytes);
	cJSON_AddStringToObject(object, "source", "text");
	cJSON_AddStringToObject(object, "tool", "atomsim");
	cJSON_AddStringToObject(object, "tool_version", PACKAGE_VERSION);
	add_sites(assembly, object);
	add_buffers(assembly, object);
	printed = cJSON_PrintUnformatted(object);
	text = g_strdup(printed);
	cJSON_free(printed);
	cJSON_Delete(object);
	return text;
}

/* The blocks and what is in them. */
static gboolean write_blocks(Assembly *assembly)
{
	const gboolean by_block = assembly->text->scope.is_asked_for;

	trace_writer_set_version_2(assembly->writer, assembly->n_lanes);
	for (guint block = 0; block < assembly->n_blocks; block++)
		trace_writer_begin_block(assembly->writer, block, assembly->n_warps,
					 assembly->shared_bytes);
	for (guint block = 0; block < (by_block ? assembly->n_blocks : 1); block++)
		if (!run_blocks(assembly, block, by_block ? 1 : assembly->n_blocks))
			return FALSE;
	for (guint block = 0; block < assembly->n_blocks; block++)
		trace_writer_end_block(assembly->writer, block);
	return TRUE;
}

char *trace_text_write(const TraceText *text, const TextSettings *settings, guint64 max_steps,
		       TraceWriter *writer, TextOutcome *outcome, GError **error)
{
	g_autofree TextValue *values = trace_text_values(text, settings, NULL, error);
	Assembly assembly = {
		.text = text,
		.state = {.name = text->name, .values = values},
		.writer = writer,
		.error = error,
		.steps = max_steps,
		.max_steps = max_steps,
		.outcome = outcome,
	};
	char *metadata = NULL;

	*outcome = (TextOutcome){0};
	if (values == NULL || !read_launch(&assembly))
		return NULL;
	assembly.numbers = g_hash_table_new(NULL, NULL);
	assembly.sites = assembly_sites_new();
	assembly.lines = g_array_new(FALSE, FALSE, sizeof(guint));
	if (write_blocks(&assembly))
		metadata = metadata_of(&assembly);
	g_hash_table_unref(assembly.numbers);
	g_hash_table_unref(assembly.sites);
	g_array_unref(assembly.lines);
	return metadata;
}

GBytes *trace_text_assemble(const TraceText *text, const TextSettings *settings,
			    TextOutcome *outcome, GError **error)
{
	g_autoptr(TraceWriter) writer = trace_writer_new_memory();
	g_autofree char *metadata =
		trace_text_write(text, settings, TRACE_TEXT_MAX_STEPS, writer, outcome, error);

	return metadata ? trace_writer_finish_bytes(g_steal_pointer(&writer), metadata) : NULL;
}
