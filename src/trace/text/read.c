/* SPDX-License-Identifier: MIT */
/* Reads a trace text: its head, and what its statements are. */
#include <string.h>

#include "base/input.h"
#include "trace/text/program.h"

/* From .. to, or words with | between them. */
static gboolean read_allowed(TextReader *reader, Parameter *parameter)
{
	Lexer *lexer = &reader->lexer;
	const Expression **last = &parameter->words;

	if (lexer->token.kind == TOKEN_NUMBER || lexer->token.kind == TOKEN_VARIABLE) {
		parameter->min = expression_read(lexer, &reader->text->scope);
		if (parameter->min == NULL || !lexer_need_sign(lexer, ".."))
			return FALSE;
		parameter->max = expression_read(lexer, &reader->text->scope);
		return parameter->max != NULL;
	}
	while (lexer->token.kind == TOKEN_TEXT) {
		Expression *word = text_scope_new(&reader->text->scope, sizeof(*word));

		word->value = text_value_of(text_scope_copy(
			&reader->text->scope, lexer->token.start, lexer->token.length));
		*last = word;
		last = &word->next;
		lexer_next(lexer);
		if (!lexer_take_sign(lexer, "|"))
			return TRUE;
	}
	return TRUE;
}

static gboolean read_parameter(TextReader *reader)
{
	Lexer *lexer = &reader->lexer;
	TextScope *scope = &reader->text->scope;
	HeadRow row = {.is_parameter = TRUE, .parameter = {.place = lexer->token.place}};
	Parameter *parameter = &row.parameter;
	Token name;

	lexer_next(lexer);
	name = lexer->token;
	if (name.kind != TOKEN_NAME && name.kind != TOKEN_VARIABLE)
		return lexer_fail_found(lexer, "a name");
	if (text_scope_find(scope, name.start, name.length) >= 0)
		return lexer_fail(lexer, name.place, "%.*s is declared already",
				  (int)MIN(name.length, 40), name.start);
	lexer_next(lexer);
	if (!read_allowed(reader, parameter))
		return FALSE;
	if (lexer_take_sign(lexer, "=")) {
		parameter->default_value = expression_read(lexer, scope);
		if (parameter->default_value == NULL)
			return FALSE;
	}
	parameter->variable = text_scope_add(scope, name.start, name.length);
	if (parameter->variable >= TEXT_MAX_VARIABLES)
		return lexer_fail(lexer, name.place, "one variable more than %d",
				  TEXT_MAX_VARIABLES);
	g_array_append_val(reader->text->head, row);
	return lexer_need_end(lexer);
}

static gboolean read_head_let(TextReader *reader)
{
	HeadRow row = {.let = statement_let(reader)};

	if (row.let == NULL)
		return FALSE;
	g_array_append_val(reader->text->head, row);
	return TRUE;
}

/* Passes over a block in braces, and what precedes it. */
static gboolean skip_block(Lexer *lexer)
{
	guint depth = 0;

	while (!lexer_at_sign(lexer, "{") && lexer->token.kind != TOKEN_LINE &&
	       lexer->token.kind != TOKEN_END)
		lexer_next(lexer);
	if (!lexer_at_sign(lexer, "{"))
		return lexer_fail_found(lexer, "{");
	do {
		depth += lexer_at_sign(lexer, "{");
		depth -= lexer_at_sign(lexer, "}");
		if (lexer->token.kind == TOKEN_END)
			return lexer_fail_found(lexer, "}");
		lexer_next(lexer);
	} while (depth > 0);
	return !lexer->failed;
}

static gboolean read_form(TextReader *reader)
{
	Lexer *lexer = &reader->lexer;

	lexer_next(lexer);
	if (reader->form ? !reader->form(lexer, &reader->text->scope, reader->data)
			 : !skip_block(lexer))
		return FALSE;
	return lexer_need_end(lexer);
}

/* blocks, warps, shared, lanes, registers, parameters: an expression, once. */
static gboolean read_size(TextReader *reader, const Expression **size)
{
	Lexer *lexer = &reader->lexer;

	if (*size != NULL)
		return lexer_fail(lexer, lexer->token.place, "a second time; allowed: once");
	lexer_next(lexer);
	*size = expression_read(&reader->lexer, &reader->text->scope);
	return lexer_need_end(lexer);
}

/* From here on statements ask for the warp and its lanes. */
static void begin_body(TraceText *text)
{
	if (text->has_body)
		return;
	text->has_body = TRUE;
	text->n_head_variables = text->scope.names->len;
	text->block = text_scope_add(&text->scope, "block", strlen("block"));
	text->warp = text_scope_add(&text->scope, "warp", strlen("warp"));
	text->lane = text_scope_add(&text->scope, "lane", strlen("lane"));
	text->scope.asked_for = text->block;
	text->scope.lane = text->lane;
	text->scope.outside = "param, let, repeat, define, or block, warp, lane";
}

static gboolean read_define(TextReader *reader)
{
	Lexer *lexer = &reader->lexer;
	TraceText *text = reader->text;
	Define define = {0};

	if (text->n_defines == TEXT_MAX_DEFINES)
		return lexer_fail(lexer, lexer->token.place, "one define more than %d",
				  TEXT_MAX_DEFINES);
	begin_body(text);
	lexer_next(lexer);
	if (lexer->token.kind != TOKEN_NAME || statement_define(text, &lexer->token) != NULL ||
	    record_is_operation(lexer->token.start, lexer->token.length))
		return lexer_fail_found(lexer, "a new name");
	define.name = text_scope_copy(&text->scope, lexer->token.start, lexer->token.length);
	lexer_next(lexer);
	if (!lexer_need_sign(lexer, "("))
		return FALSE;
	while (!lexer_at_sign(lexer, ")")) {
		if (define.n_operands == G_N_ELEMENTS(define.operand))
			return lexer_fail_found(lexer, "8 names, and )");
		if ((define.n_operands > 0 && !lexer_need_sign(lexer, ",")) ||
		    !statement_variable(reader, &define.operand[define.n_operands++]))
			return FALSE;
	}
	lexer_next(lexer);
	define.body = statement_body(reader);
	text->defines[text->n_defines++] = define;
	return lexer_need_end(lexer);
}

/* TRUE: it was one of the head's statements, which may have failed. */
static gboolean read_head_statement(TextReader *reader)
{
	TraceText *text = reader->text;
	Lexer *lexer = &reader->lexer;
	const struct {
		const char *name;
		const Expression **size;
	} sizes[] = {{"blocks", &text->blocks},	      {"warps", &text->warps},
		     {"shared", &text->shared},	      {"lanes", &text->lanes},
		     {"registers", &text->registers}, {"parameters", &text->parameters}};

	for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
		if (lexer_at_name(lexer, sizes[i].name)) {
			read_size(reader, sizes[i].size);
			return TRUE;
		}
	}
	if (lexer_at_name(lexer, "param"))
		read_parameter(reader);
	else if (lexer_at_name(lexer, "let"))
		read_head_let(reader);
	else if (lexer_at_name(lexer, "buffer"))
		read_buffer(reader);
	else if (lexer_at_name(lexer, "form"))
		read_form(reader);
	else
		return FALSE;
	return TRUE;
}

static void read_text(TextReader *reader)
{
	TraceText *text = reader->text;
	Lexer *lexer = &reader->lexer;

	for (lexer_skip_lines(lexer); !lexer->failed && read_head_statement(reader);)
		lexer_skip_lines(lexer);
	while (!lexer->failed && lexer_at_name(lexer, "define")) {
		read_define(reader);
		lexer_skip_lines(lexer);
	}
	begin_body(text);
	text->body = statement_list(reader);
	if (!lexer->failed && lexer->token.kind != TOKEN_END)
		lexer_fail_found(lexer, "a statement");
}

TraceText *trace_text_parse(const char *name, const char *text, gsize length,
			    TraceTextForm form, gpointer data, GError **error)
{
	g_autoptr(TraceText) self = g_new0(TraceText, 1);
	TextReader reader = {.text = self, .form = form, .data = data};
	GError *problem = NULL;

	self->name = g_strdup(name);
	self->base = g_path_get_basename(name);
	self->head = g_array_new(FALSE, TRUE, sizeof(HeadRow));
	text_scope_init(&self->scope);
	text_scope_init(&self->values);
	lexer_init(&reader.lexer, self->name, text, length, &problem);
	read_text(&reader);
	if (problem == NULL)
		return g_steal_pointer(&self);
	g_propagate_error(error, problem);
	return NULL;
}

TraceText *trace_text_read(const char *path, TraceTextForm form, gpointer data, GError **error)
{
	g_autofree char *text = NULL;
	gsize length;

	if (!input_read(path, TRACE_TEXT_MAX_BYTES, "a trace text", &text, &length, error))
		return NULL;
	return trace_text_parse(path, text, length, form, data, error);
}

void trace_text_free(TraceText *text)
{
	g_free(text->name);
	g_free(text->base);
	g_array_unref(text->head);
	text_scope_clear(&text->scope);
	text_scope_clear(&text->values);
	g_free(text);
}

const char *trace_text_name(const TraceText *text)
{
	return text->name;
}

int trace_text_variable(const TraceText *text, const char *name)
{
	return text_scope_find(&text->scope, name, strlen(name));
}

const char **trace_text_parameters(const TraceText *text, gboolean needed)
{
	GPtrArray *names = g_ptr_array_new();

	for (guint i = 0; i < text->head->len; i++) {
		const HeadRow *row = &g_array_index(text->head, HeadRow, i);

		if (row->is_parameter && (!needed || row->parameter.default_value == NULL))
			g_ptr_array_add(names, g_ptr_array_index(text->scope.names,
								 row->parameter.variable));
	}
	g_ptr_array_add(names, NULL);
	return (const char **)g_ptr_array_free(names, FALSE);
}
