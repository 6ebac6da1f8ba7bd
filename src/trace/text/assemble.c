/* SPDX-License-Identifier: MIT */
/* Runs a trace text for each warp of each block; records come out. */
#include <string.h>

#include "trace/text/flow.h"

static gboolean run_statements(Assembly *assembly, const Statement *statement);

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
	TextValue value;
	gboolean is;

	switch (statement->kind) {
	case STATEMENT_LET:
		/* It may be made of its old value. */
		if (!expression_value(statement->expression, &assembly->state, &value,
				      assembly->error))
			return FALSE;
		assembly->state.values[statement->variable] = value;
		return TRUE;
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
		if (text->body && (!run_statements(assembly, text->body) ||
				   !assemble_gap(assembly, text->body->place)))
			return FALSE;
	}
	return TRUE;
}

/* --- The trace --- */

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
	if (values == NULL || !assembly_launch(&assembly)) {
		assembly_forget_touched(&assembly);
		return NULL;
	}
	assembly.numbers = g_hash_table_new(NULL, NULL);
	assembly.sites = assembly_flows_new();
	assembly.gaps = g_new0(OpenGap, 1);
	assembly.state.lists = text_lists_new();
	assembly.lines = g_array_new(FALSE, FALSE, sizeof(guint));
	if (write_blocks(&assembly))
		metadata = assembly_metadata(&assembly);
	g_hash_table_unref(assembly.numbers);
	g_hash_table_unref(assembly.sites);
	g_free(assembly.gaps);
	g_hash_table_unref(assembly.state.lists);
	g_array_unref(assembly.lines);
	assembly_forget_touched(&assembly);
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
