/* SPDX-License-Identifier: MIT */
/* Reads expressions. By their signs' ranks: ?: || && comparisons, + -, * / %, and what precedes one. */
#include "trace/text/expression.h"

#include "trace/text/operators.h"

typedef struct {
	Lexer *lexer;
	TextScope *scope;
	guint n_nodes;
} Reading;

static const Expression *read_choice(Reading *reading);

static Expression *node_new(Reading *reading, ExpressionKind kind, TextPlace place)
{
	Expression *node;

	if (++reading->n_nodes > EXPRESSION_MAX_NODES) {
		lexer_fail(reading->lexer, place,
			   "an expression of more than %d parts; allowed: up to that",
			   EXPRESSION_MAX_NODES);
		return NULL;
	}
	node = text_scope_new(reading->scope, sizeof(*node));
	node->kind = kind;
	node->place = place;
	return node;
}

/* The operands of a function behind its name, or a list of values. */
static gboolean read_list(Reading *reading, const Expression **first)
{
	Lexer *lexer = reading->lexer;
	const Expression **last = first;

	if (!lexer_need_sign(lexer, "("))
		return FALSE;
	do {
		Expression *item = (Expression *)read_choice(reading), *copy;

		if (item == NULL)
			return FALSE;
		copy = text_scope_new(reading->scope, sizeof(*copy));
		*copy = *item;
		*last = copy;
		last = &copy->next;
	} while (lexer_take_sign(lexer, ","));
	return lexer_need_sign(lexer, ")");
}

static const Expression *read_function(Reading *reading)
{
	Lexer *lexer = reading->lexer;
	const Token token = lexer->token;
	const int row = operator_function(token.start, token.length);
	Expression *node = node_new(reading, EXPRESSION_FUNCTION, token.place);
	const Expression *operand = NULL;
	guint n = 0;

	if (node == NULL)
		return NULL;
	if (row < 0) {
		lexer_fail_found(lexer, "a number, \"text\", $variable, ( or a function: "
					"" OPERATOR_FUNCTION_NAMES);
		return NULL;
	}
	lexer_next(lexer);
	if (!read_list(reading, &operand))
		return NULL;
	node->number = (guint)row;
	for (; operand != NULL; operand = operand->next, n++) {
		if (n < G_N_ELEMENTS(node->operand))
			node->operand[n] = operand;
		node->by_lane |= operand->by_lane;
	}
	if (n == operator_functions[row].n_operands)
		return node;
	lexer_fail(lexer, token.place, "%s of %u; allowed: %u of them",
		   operator_functions[row].name, n, operator_functions[row].n_operands);
	return NULL;
}

static const Expression *read_variable(Reading *reading)
{
	Lexer *lexer = reading->lexer;
	const Token token = lexer->token;
	const int number = text_scope_find(reading->scope, token.start, token.length);
	Expression *node = node_new(reading, EXPRESSION_VARIABLE, token.place);

	if (node == NULL)
		return NULL;
	if (number < 0) {
		lexer_fail(lexer, token.place, "no variable $%.*s here; allowed: one of %s",
			   (int)MIN(token.length, 40), token.start, reading->scope->outside);
		return NULL;
	}
	node->number = (guint)number;
	node->by_lane = node->number == reading->scope->lane;
	reading->scope->is_asked_for |= node->number == reading->scope->asked_for;
	lexer_next(lexer);
	return node;
}

static const Expression *read_sign(Reading *reading)
{
	Lexer *lexer = reading->lexer;
	const TextPlace place = lexer->token.place;
	const Expression *inside;
	Expression *node, *zero;

	if (lexer_take_sign(lexer, "(")) {
		inside = read_choice(reading);
		return inside && lexer_need_sign(lexer, ")") ? inside : NULL;
	}
	node = node_new(reading, EXPRESSION_BINARY, place);
	zero = node ? node_new(reading, EXPRESSION_VALUE, place) : NULL;
	if (zero == NULL)
		return NULL;
	/* -x is 0 - x, !x is 0 == x. */
	node->number = lexer_at_sign(lexer, "-") ? OPERATOR_MINUS : OPERATOR_EQUAL;
	lexer_next(lexer);
	node->operand[0] = zero;
	return node;
}

static const Expression *read_primary(Reading *reading)
{
	Lexer *lexer = reading->lexer;
	const Token token = lexer->token;
	Expression *node;

	switch (token.kind) {
	case TOKEN_VARIABLE:
		return read_variable(reading);
	case TOKEN_NAME:
		return read_function(reading);
	case TOKEN_NUMBER:
	case TOKEN_TEXT:
		node = node_new(reading, EXPRESSION_VALUE, token.place);
		if (node == NULL)
			return NULL;
		if (token.kind == TOKEN_TEXT)
			node->value = text_value_of(
				text_scope_copy(reading->scope, token.start, token.length));
		else
			node->value.number = token.number;
		lexer_next(lexer);
		return node;
	default:
		break;
	}
	if (lexer_at_sign(lexer, "(") || lexer_at_sign(lexer, "-") || lexer_at_sign(lexer, "!"))
		return read_sign(reading);
	lexer_fail_found(lexer, "an expression");
	return NULL;
}

/* What precedes it: a primary whose own operand is still to come. */
static const Expression *read_unary(Reading *reading)
{
	const gboolean is_sign =
		lexer_at_sign(reading->lexer, "-") || lexer_at_sign(reading->lexer, "!");
	const Expression *node = read_primary(reading);

	if (node != NULL && is_sign) {
		Expression *own = (Expression *)node;

		own->operand[1] = read_unary(reading);
		if (own->operand[1] == NULL)
			return NULL;
		own->by_lane = own->operand[1]->by_lane;
	}
	return node;
}

/* Operators of at least that rank. */
static const Expression *read_ranked(Reading *reading, guint rank)
{
	Lexer *lexer = reading->lexer;
	const Expression *left = read_unary(reading);

	while (left != NULL) {
		const TextPlace place = lexer->token.place;
		const int row = operator_sign(&lexer->token);
		Expression *node;

		if (row < 0 || operators[row].rank < rank)
			return left;
		lexer_next(lexer);
		lexer_skip_lines(lexer);
		node = node_new(reading, row == OPERATOR_IN ? EXPRESSION_IN : EXPRESSION_BINARY,
				place);
		if (node == NULL)
			return NULL;
		node->number = (guint)row;
		node->operand[0] = left;
		if (row == OPERATOR_IN) {
			if (!read_list(reading, &node->operand[1]))
				return NULL;
		} else {
			node->operand[1] = read_ranked(reading, operators[row].rank + 1);
			if (node->operand[1] == NULL)
				return NULL;
		}
		node->by_lane = left->by_lane;
		for (const Expression *e = node->operand[1]; e != NULL; e = e->next)
			node->by_lane |= e->by_lane;
		left = node;
	}
	return NULL;
}

static const Expression *read_choice(Reading *reading)
{
	Lexer *lexer = reading->lexer;
	const TextPlace place = lexer->token.place;
	const Expression *condition;
	Expression *node;

	/* Each level of nesting comes by here: so many nodes bound the depth, too. */
	if (node_new(reading, EXPRESSION_VALUE, place) == NULL)
		return NULL;
	condition = read_ranked(reading, 0);
	if (condition == NULL || !lexer_take_sign(lexer, "?"))
		return condition;
	node = node_new(reading, EXPRESSION_CHOICE, place);
	if (node == NULL)
		return NULL;
	lexer_skip_lines(lexer);
	node->operand[0] = condition;
	node->operand[1] = read_choice(reading);
	if (node->operand[1] == NULL || !lexer_need_sign(lexer, ":"))
		return NULL;
	lexer_skip_lines(lexer);
	node->operand[2] = read_choice(reading);
	if (node->operand[2] == NULL)
		return NULL;
	for (guint i = 0; i < G_N_ELEMENTS(node->operand); i++)
		node->by_lane |= node->operand[i]->by_lane;
	return node;
}

const Expression *expression_read(Lexer *lexer, TextScope *scope)
{
	Reading reading = {.lexer = lexer, .scope = scope};

	return read_choice(&reading);
}
