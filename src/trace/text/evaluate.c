/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "trace/text/operators.h"

const Operator operators[N_OPERATORS] = {
	[OPERATOR_OR] = {"||", 0},    [OPERATOR_AND] = {"&&", 1},
	[OPERATOR_EQUAL] = {"==", 2}, [OPERATOR_DIFFERS] = {"!=", 2},
	[OPERATOR_BELOW] = {"<", 2},  [OPERATOR_UP_TO] = {"<=", 2},
	[OPERATOR_ABOVE] = {">", 2},  [OPERATOR_FROM] = {">=", 2},
	[OPERATOR_IN] = {"in", 2},    [OPERATOR_PLUS] = {"+", 3},
	[OPERATOR_MINUS] = {"-", 3},  [OPERATOR_TIMES] = {"*", 4},
	[OPERATOR_OVER] = {"/", 4},   [OPERATOR_REST] = {"%", 4},
};

int operator_sign(const Token *token)
{
	if (token->kind != TOKEN_SIGN && token->kind != TOKEN_NAME)
		return -1;
	for (int i = 0; i < N_OPERATORS; i++)
		if (strlen(operators[i].sign) == token->length &&
		    strncmp(operators[i].sign, token->start, token->length) == 0)
			return i;
	return -1;
}

/* --- Values --- */

gboolean operator_compute(guint operator, gint64 a, gint64 b, gint64 *number)
{
	switch (operator) {
	case OPERATOR_EQUAL:
		*number = a == b;
		return TRUE;
	case OPERATOR_DIFFERS:
		*number = a != b;
		return TRUE;
	case OPERATOR_BELOW:
		*number = a < b;
		return TRUE;
	case OPERATOR_UP_TO:
		*number = a <= b;
		return TRUE;
	case OPERATOR_ABOVE:
		*number = a > b;
		return TRUE;
	case OPERATOR_FROM:
		*number = a >= b;
		return TRUE;
	case OPERATOR_PLUS:
		return !__builtin_add_overflow(a, b, number);
	case OPERATOR_MINUS:
		return !__builtin_sub_overflow(a, b, number);
	case OPERATOR_TIMES:
		return !__builtin_mul_overflow(a, b, number);
	default:
		break;
	}
	if (b <= 0)
		return FALSE;
	*number = operator== OPERATOR_OVER ? a / b : a % b;
	return TRUE;
}

gboolean operator_fail(const Expression *e, const TextState *state, gint64 a, gint64 b,
		       GError **error)
{
	return text_fail(error, state->name, e->place,
			 "%" G_GINT64_FORMAT " %s %" G_GINT64_FORMAT
			 " is no number; allowed: results within 63 bits, and to divide by "
			 "numbers above 0",
			 a, operators[e->number].sign, b);
}

/* The right side counts where the left one does not decide. */
static gboolean both(const Expression *e, const TextState *state, TextValue *value,
		     GError **error)
{
	gboolean is = FALSE;

	if (!expression_true(e->operand[0], state, &is, error) ||
	    (is == (e->number == OPERATOR_AND) &&
	     !expression_true(e->operand[1], state, &is, error)))
		return FALSE;
	*value = (TextValue){.number = is};
	return TRUE;
}

static gboolean binary(const Expression *e, const TextState *state, TextValue *value,
		       GError **error)
{
	TextValue left = {0}, right = {0};

	*value = (TextValue){0};
	if (!expression_value(e->operand[0], state, &left, error) ||
	    !expression_value(e->operand[1], state, &right, error))
		return FALSE;
	if (e->number == OPERATOR_EQUAL || e->number == OPERATOR_DIFFERS) {
		value->number =
			text_value_equal(&left, &right) == (e->number == OPERATOR_EQUAL);
		return TRUE;
	}
	if (left.text || right.text)
		return text_fail(error, state->name, e->place,
				 "'%.40s' found on a side of %s; allowed: numbers",
				 left.text ? left.text : right.text, operators[e->number].sign);
	return operator_compute(e->number, left.number, right.number, &value->number) ||
	       operator_fail(e, state, left.number, right.number, error);
}

static gboolean is_in(const Expression *e, const TextState *state, TextValue *value,
		      GError **error)
{
	gint64 found = 0;

	if (!expression_value(e->operand[0], state, value, error))
		return FALSE;
	for (const Expression *item = e->operand[1]; item != NULL; item = item->next) {
		TextValue other;

		if (!expression_value(item, state, &other, error))
			return FALSE;
		found |= text_value_equal(value, &other);
	}
	*value = (TextValue){.number = found};
	return TRUE;
}

static gboolean function(const Expression *e, const TextState *state, TextValue *value,
			 GError **error)
{
	TextValue operands[G_N_ELEMENTS(e->operand)] = {{0}};
	g_autoptr(GArray) list = NULL;

	for (guint i = 0; i < operator_functions[e->number].n_operands; i++)
		if (!expression_value(e->operand[i], state, &operands[i], error))
			return FALSE;
	list = operator_list(e, state, operands);
	return operator_call(e, state, list, operands, value, error);
}

gboolean expression_value(const Expression *e, const TextState *state, TextValue *value,
			  GError **error)
{
	gboolean is = FALSE;

	switch (e->kind) {
	case EXPRESSION_VALUE:
		*value = e->value;
		return TRUE;
	case EXPRESSION_VARIABLE:
		*value = state->values[e->number];
		return TRUE;
	case EXPRESSION_BINARY:
		return (e->number <= OPERATOR_AND ? both : binary)(e, state, value, error);
	case EXPRESSION_IN:
		return is_in(e, state, value, error);
	case EXPRESSION_FUNCTION:
		return function(e, state, value, error);
	case EXPRESSION_CHOICE:
		break;
	}
	return expression_true(e->operand[0], state, &is, error) &&
	       expression_value(e->operand[is ? 1 : 2], state, value, error);
}

gboolean operator_number(const Expression *e, const TextState *state, const TextValue *value,
			 gint64 *number, GError **error)
{
	*number = value->number;
	return value->text == NULL ||
	       text_fail(error, state->name, e->place, "'%.40s' found; allowed: a whole number",
			 value->text);
}

gboolean expression_number(const Expression *expression, const TextState *state, gint64 *number,
			   GError **error)
{
	TextValue value;

	return expression_value(expression, state, &value, error) &&
	       operator_number(expression, state, &value, number, error);
}

gboolean expression_range(const Expression *expression, const TextState *state,
			  const char *what, gint64 min, gint64 max, gint64 *number,
			  GError **error)
{
	if (!expression_number(expression, state, number, error))
		return FALSE;
	return (*number >= min && *number <= max) ||
	       text_fail(error, state->name, expression->place,
			 "%s: %" G_GINT64_FORMAT " found; allowed: %" G_GINT64_FORMAT
			 " to %" G_GINT64_FORMAT,
			 what, *number, min, max);
}

gboolean expression_true(const Expression *expression, const TextState *state, gboolean *is,
			 GError **error)
{
	gint64 number;

	if (!expression_number(expression, state, &number, error))
		return FALSE;
	*is = number != 0;
	return TRUE;
}
