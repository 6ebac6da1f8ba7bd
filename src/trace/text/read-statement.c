/* SPDX-License-Identifier: MIT */
/* Reads statements: those that guide others. */
#include <string.h>

#include "trace/text/program.h"

static Statement *statement_new(TextReader *reader, StatementKind kind, TextPlace place)
{
	Statement *statement = text_scope_new(&reader->text->scope, sizeof(*statement));

	statement->kind = kind;
	statement->place = place;
	return statement;
}

/* A name that is declared here. FALSE: failed. */
gboolean statement_variable(TextReader *reader, guint *variable)
{
	Lexer *lexer = &reader->lexer;

	if (lexer->token.kind != TOKEN_NAME)
		return lexer_fail_found(lexer, "a name");
	*variable =
		text_scope_add(&reader->text->scope, lexer->token.start, lexer->token.length);
	if (*variable >= TEXT_MAX_VARIABLES)
		return lexer_fail(lexer, lexer->token.place, "one variable more than %d",
				  TEXT_MAX_VARIABLES);
	lexer_next(lexer);
	return TRUE;
}

static const Expression *read_expression(TextReader *reader)
{
	return expression_read(&reader->lexer, &reader->text->scope);
}

const Statement *statement_let(TextReader *reader)
{
	Lexer *lexer = &reader->lexer;
	Statement *let = statement_new(reader, STATEMENT_LET, lexer->token.place);
	TextScope *scope = &reader->text->scope;
	Token name;

	lexer_next(lexer);
	name = lexer->token;
	if (name.kind != TOKEN_NAME) {
		lexer_fail_found(lexer, "a name");
		return NULL;
	}
	lexer_next(lexer);
	if (!lexer_need_sign(lexer, "="))
		return NULL;
	let->expression = expression_read(lexer, scope);
	if (let->expression == NULL)
		return NULL;
	let->variable = text_scope_add(scope, name.start, name.length);
	if (let->variable >= TEXT_MAX_VARIABLES)
		lexer_fail(lexer, name.place, "one variable more than %d", TEXT_MAX_VARIABLES);
	return lexer_need_end(lexer) ? let : NULL;
}

static const Statement *read_repeat(TextReader *reader)
{
	Lexer *lexer = &reader->lexer;
	Statement *repeat = statement_new(reader, STATEMENT_REPEAT, lexer->token.place);

	lexer_next(lexer);
	repeat->expression = read_expression(reader);
	repeat->has_variable = repeat->expression && lexer_take_name(lexer, "as");
	if (repeat->expression == NULL ||
	    (repeat->has_variable && !statement_variable(reader, &repeat->variable)))
		return NULL;
	repeat->body = statement_body(reader);
	return lexer_need_end(lexer) ? repeat : NULL;
}

/* It may be on the next line. */
static gboolean take_else(Lexer *lexer)
{
	Lexer ahead = *lexer;

	lexer_skip_lines(&ahead);
	if (lexer->failed || !lexer_take_name(&ahead, "else"))
		return FALSE;
	*lexer = ahead;
	return TRUE;
}

static const Statement *read_if(TextReader *reader)
{
	Lexer *lexer = &reader->lexer;
	Statement *first = statement_new(reader, STATEMENT_IF, lexer->token.place),
		  *last = first;

	lexer_next(lexer);
	first->expression = read_expression(reader);
	first->body = first->expression ? statement_body(reader) : NULL;
	while (take_else(lexer)) {
		Statement *next;

		if (!lexer_at_name(lexer, "if")) {
			last->other = statement_body(reader);
			break;
		}
		next = statement_new(reader, STATEMENT_IF, lexer->token.place);
		lexer_next(lexer);
		next->expression = read_expression(reader);
		next->body = next->expression ? statement_body(reader) : NULL;
		last->other = next;
		last = next;
	}
	return lexer_need_end(lexer) ? first : NULL;
}

/* Labels with commas between them. */
static gboolean read_labels(TextReader *reader, const Expression **first)
{
	Lexer *lexer = &reader->lexer;

	do {
		const Expression *label;
		Expression *copy;

		lexer_skip_lines(lexer);
		label = read_expression(reader);
		if (label == NULL)
			return FALSE;
		copy = text_scope_new(&reader->text->scope, sizeof(*copy));
		*copy = *label;
		*first = copy;
		first = &copy->next;
	} while (lexer_take_sign(lexer, ","));
	return TRUE;
}

static const Statement *read_case(TextReader *reader)
{
	Lexer *lexer = &reader->lexer;
	Statement *statement = statement_new(reader, STATEMENT_CASE, lexer->token.place);
	const CaseArm **last = &statement->arms;

	lexer_next(lexer);
	statement->expression = read_expression(reader);
	if (statement->expression == NULL || !lexer_need_sign(lexer, "{"))
		return NULL;
	for (lexer_skip_lines(lexer); !lexer->failed && !lexer_at_sign(lexer, "}");
	     lexer_skip_lines(lexer)) {
		CaseArm *arm = text_scope_new(&reader->text->scope, sizeof(*arm));

		if (!lexer_take_name(lexer, "else") && !read_labels(reader, &arm->labels))
			return NULL;
		arm->body = statement_body(reader);
		*last = arm;
		last = &arm->next;
	}
	return lexer_need_sign(lexer, "}") && lexer_need_end(lexer) ? statement : NULL;
}

static const Statement *read_skip(TextReader *reader)
{
	Lexer *lexer = &reader->lexer;
	Statement *skip = statement_new(reader, STATEMENT_SKIP, lexer->token.place);

	lexer_next(lexer);
	if (lexer->token.kind != TOKEN_TEXT) {
		lexer_fail_found(lexer, "\"why there is no program\"");
		return NULL;
	}
	skip->why =
		text_scope_copy(&reader->text->scope, lexer->token.start, lexer->token.length);
	lexer_next(lexer);
	return lexer_need_end(lexer) ? skip : NULL;
}

const Define *statement_define(const TraceText *text, const Token *name)
{
	for (guint i = 0; i < text->n_defines; i++)
		if (strlen(text->defines[i].name) == name->length &&
		    strncmp(text->defines[i].name, name->start, name->length) == 0)
			return &text->defines[i];
	return NULL;
}

static const Statement *read_call(TextReader *reader, const Define *define)
{
	Lexer *lexer = &reader->lexer;
	Statement *call = statement_new(reader, STATEMENT_CALL, lexer->token.place);
	const Expression **last = &call->operands;
	guint n = 0;

	call->define = define;
	lexer_next(lexer);
	if (!lexer_need_sign(lexer, "("))
		return NULL;
	for (; !lexer_at_sign(lexer, ")"); n++) {
		const Expression *operand;
		Expression *copy;

		if (n > 0 && !lexer_need_sign(lexer, ","))
			return NULL;
		operand = read_expression(reader);
		if (operand == NULL)
			return NULL;
		copy = text_scope_new(&reader->text->scope, sizeof(*copy));
		*copy = *operand;
		*last = copy;
		last = &copy->next;
	}
	if (n != define->n_operands) {
		lexer_fail(lexer, call->place, "%s with %u values; allowed: %u", define->name,
			   n, define->n_operands);
		return NULL;
	}
	lexer_next(lexer);
	return lexer_need_end(lexer) ? call : NULL;
}

static const struct {
	const char *name;
	const Statement *(*read)(TextReader *reader);
} guides[] = {
	{"let", statement_let}, {"repeat", read_repeat}, {"if", read_if},
	{"case", read_case},	{"skip", read_skip},
};

static const Statement *read_statement(TextReader *reader)
{
	const Token *token = &reader->lexer.token;
	const Define *define;

	for (guint i = 0; i < G_N_ELEMENTS(guides); i++)
		if (lexer_at_name(&reader->lexer, guides[i].name))
			return guides[i].read(reader);
	define = token->kind == TOKEN_NAME ? statement_define(reader->text, token) : NULL;
	return define ? read_call(reader, define) : record_read(reader);
}

/* Statements up to a }, or the end of the text. */
const Statement *statement_list(TextReader *reader)
{
	Lexer *lexer = &reader->lexer;
	const Statement *first = NULL, **last = &first;

	for (lexer_skip_lines(lexer);
	     !lexer->failed && lexer->token.kind != TOKEN_END && !lexer_at_sign(lexer, "}");
	     lexer_skip_lines(lexer)) {
		Statement *statement = (Statement *)read_statement(reader);

		if (statement == NULL)
			return NULL;
		*last = statement;
		last = &statement->next;
	}
	return first;
}

/* Statements in braces. NULL: there are none, or they failed. */
const Statement *statement_body(TextReader *reader)
{
	Lexer *lexer = &reader->lexer;
	const Statement *body;

	if (++reader->depth > TEXT_MAX_NESTING) {
		lexer_fail(lexer, lexer->token.place, "statements nested deeper than %d",
			   TEXT_MAX_NESTING);
		return NULL;
	}
	if (!lexer_need_sign(lexer, "{"))
		return NULL;
	body = statement_list(reader);
	reader->depth--;
	return lexer_need_sign(lexer, "}") ? body : NULL;
}
