/* SPDX-License-Identifier: MIT */
/* Reads the blocks `form` of a trace text. */

#include "validate/frame/form.h"

/* Texts and numbers with commas between them. */
static gboolean read_name(Lexer *lexer, TextScope *scope, FormPoint *point)
{
	const Expression **last = &point->name;

	do {
		const Expression *part;
		Expression *copy;

		lexer_skip_lines(lexer);
		part = expression_read(lexer, scope);
		if (part == NULL)
			return FALSE;
		copy = text_scope_new(scope, sizeof(*copy));
		*copy = *part;
		*last = copy;
		last = &copy->next;
	} while (lexer_take_sign(lexer, ","));
	return TRUE;
}

static gboolean read_skip(Lexer *lexer, TextScope *scope, FormPoint *point)
{
	FormSkip *skip = text_scope_new(scope, sizeof(*skip));
	const FormSkip **last = &point->skips;

	while (*last != NULL)
		last = (const FormSkip **)&(*last)->next;
	*last = skip;
	if (lexer->token.kind != TOKEN_TEXT)
		return lexer_fail_found(lexer, "\"why the row is passed over\"");
	skip->why = form_name_read(lexer, scope);
	if (lexer_take_name(lexer, "when")) {
		skip->when = expression_read(lexer, scope);
		return skip->when != NULL;
	}
	if (lexer_take_name(lexer, "behind"))
		skip->kind = SKIP_BEHIND;
	else if (lexer_take_name(lexer, "without"))
		skip->kind = SKIP_WITHOUT;
	else
		return lexer_fail_found(lexer, "when, without, behind");
	return form_cells_read(lexer, scope, FALSE, &skip->cells);
}

static gboolean read_workload(Lexer *lexer, TextScope *scope, FormPoint *point)
{
	point->workload = expression_read(lexer, scope);
	return point->workload != NULL &&
	       (!lexer_take_name(lexer, "with") ||
		form_cells_read(lexer, scope, TRUE, &point->settings));
}

/* join NAME from "FILE" with cells; ranks NAME of expression */
static gboolean read_given(Lexer *lexer, TextScope *scope, FormPoint *point, GivenKind kind)
{
	FormGiven *given = text_scope_new(scope, sizeof(*given));
	const FormGiven **last = &point->given;

	while (*last != NULL)
		last = (const FormGiven **)&(*last)->next;
	*last = given;
	given->kind = kind;
	given->place = lexer->token.place;
	given->parameter = form_name_read(lexer, scope);
	if (given->parameter == NULL)
		return FALSE;
	if (kind == GIVEN_RANKS) {
		if (!lexer_take_name(lexer, "of"))
			return lexer_fail_found(lexer, "of");
		given->from = expression_read(lexer, scope);
		return given->from != NULL;
	}
	if (!lexer_take_name(lexer, "from"))
		return lexer_fail_found(lexer, "from");
	given->file = form_name_read(lexer, scope);
	if (given->file == NULL)
		return FALSE;
	return lexer_take_name(lexer, "with")
		       ? form_cells_read(lexer, scope, FALSE, &given->cells)
		       : lexer_fail_found(lexer, "with");
}

static gboolean read_flag(Lexer *lexer, FormPoint *point, gboolean *flag)
{
	if (*flag)
		return lexer_fail(lexer, point->place, "a second time; allowed: once");
	*flag = TRUE;
	return TRUE;
}

/* A statement of the block. */
static gboolean read_statement(Lexer *lexer, TextScope *scope, FormPoint *point)
{
	const struct {
		const char *name;
		const Expression **expression;
	} expressions[] = {{"held_back", &point->held_back}, {"sms", &point->sms}};
	const struct {
		const char *name;
		const Figure **figure;
		gboolean may_run;
	} figures[] = {{"measured", &point->measured, FALSE},
		       {"simulated", &point->simulated, TRUE}};

	for (guint i = 0; i < G_N_ELEMENTS(expressions); i++) {
		if (lexer_take_name(lexer, expressions[i].name)) {
			*expressions[i].expression = expression_read(lexer, scope);
			return *expressions[i].expression != NULL;
		}
	}
	for (guint i = 0; i < G_N_ELEMENTS(figures); i++) {
		if (lexer_take_name(lexer, figures[i].name)) {
			*figures[i].figure = figure_read(lexer, scope, figures[i].may_run);
			return *figures[i].figure != NULL;
		}
	}
	if (lexer_take_name(lexer, "name"))
		return read_name(lexer, scope, point);
	if (lexer_take_name(lexer, "skip"))
		return read_skip(lexer, scope, point);
	if (lexer_take_name(lexer, "gen"))
		return read_workload(lexer, scope, point);
	if (lexer_take_name(lexer, "join"))
		return read_given(lexer, scope, point, GIVEN_JOIN);
	if (lexer_take_name(lexer, "ranks"))
		return read_given(lexer, scope, point, GIVEN_RANKS);
	if (lexer_take_name(lexer, "together"))
		return read_flag(lexer, point, &point->together);
	if (lexer_take_name(lexer, "memory"))
		return read_flag(lexer, point, &point->memory);
	return lexer_fail_found(lexer, "name, measured, simulated, skip, held_back, sms, "
				       "together, memory, gen, join, ranks, or }");
}

/* A TraceTextForm. */
static gboolean read_block(Lexer *lexer, TextScope *scope, gpointer data)
{
	Form *form = data;
	FormPoint *point = text_scope_new(scope, sizeof(*point));
	const FormPoint **last = &form->points;

	while (*last != NULL)
		last = (const FormPoint **)&(*last)->next;
	*last = point;
	point->place = lexer->token.place;
	point->operation = expression_read(lexer, scope);
	if (point->operation == NULL || !lexer_need_sign(lexer, "{"))
		return FALSE;
	for (lexer_skip_lines(lexer); !lexer_at_sign(lexer, "}"); lexer_skip_lines(lexer))
		if (!read_statement(lexer, scope, point) || !lexer_need_end(lexer))
			return FALSE;
	lexer_next(lexer);
	return (point->name && point->measured && point->simulated) ||
	       lexer_fail(lexer, point->place,
			  "the form has not all it needs: name, measured, simulated");
}

Form *form_read(const char *name, const char *path, GError **error)
{
	g_autoptr(Form) form = g_new0(Form, 1);

	form->name = g_strdup(name);
	form->text = trace_text_read(path, read_block, form, error);
	if (form->text == NULL)
		return NULL;
	if (form->points != NULL)
		return g_steal_pointer(&form);
	text_fail(error, path, (TextPlace){1, 1},
		  "no block 'form', which says what rows of measurements are compared with");
	return NULL;
}

void form_free(Form *form)
{
	g_free(form->name);
	g_clear_pointer(&form->text, trace_text_free);
	g_free(form);
}
