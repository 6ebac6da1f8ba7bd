/* SPDX-License-Identifier: MIT */
/* What an expression of a trace text can do: its operators and functions. Who may include it: expression.c, evaluate.c, lanes.c. */
#ifndef ATOMSIM_TRACE_TEXT_OPERATORS_H
#define ATOMSIM_TRACE_TEXT_OPERATORS_H

#include "trace/text/expression.h"

typedef enum {
	OPERATOR_OR,
	OPERATOR_AND,
	OPERATOR_EQUAL,
	OPERATOR_DIFFERS,
	OPERATOR_BELOW,
	OPERATOR_UP_TO,
	OPERATOR_ABOVE,
	OPERATOR_FROM,
	OPERATOR_IN,
	OPERATOR_PLUS,
	OPERATOR_MINUS,
	OPERATOR_TIMES,
	OPERATOR_OVER,
	OPERATOR_REST,
	N_OPERATORS,
} OperatorKind;

typedef struct {
	const char *sign; /* or a name: in */
	guint rank;	  /* higher ones first */
} Operator;

extern const Operator operators[N_OPERATORS];
/* The row of a token; -1: it is none. */
int operator_sign(const Token *token);

/* Of two numbers: any sign of rank 2 and above but for `in`. FALSE: overflow, or a division by what is not above 0. */
gboolean operator_compute(guint operator, gint64 a, gint64 b, gint64 *number);
/* The error of that. Returns FALSE. */
gboolean operator_fail(const Expression *e, const TextState *state, gint64 a, gint64 b,
		       GError **error);
/* The items of operand 0, where e is a function of a list, else NULL. g_array_unref. */
GArray *operator_list(const Expression *e, const TextState *state, const TextValue *operands);
/* The function of e of those operands. */
gboolean operator_call(const Expression *e, const TextState *state, const GArray *list,
		       const TextValue *operands, TextValue *value, GError **error);
/* The number that e has given, which may be a text. */
gboolean operator_number(const Expression *e, const TextState *state, const TextValue *value,
			 gint64 *number, GError **error);

#define OPERATOR_FUNCTION_NAMES                                                                \
	"min, max, starts, has, item, items, largest, word, rest, mix, "                       \
	"xorshift"

typedef struct {
	const char *name;
	guint n_operands; /* 1 .. 3 */
	/* *value is 0 before. FALSE: it has none of these operands */
	gboolean (*value)(const TextValue *operands, TextValue *value);
	/* The same of a list: operand 0 by its items; NULL: it has `value`. */
	gboolean (*of_list)(const GArray *items, const TextValue *operands, TextValue *value);
	const char *allowed;
} OperatorFunction;

extern const OperatorFunction operator_functions[];
/* The row of a name; -1: there is none. */
int operator_function(const char *name, gsize length);

#endif
