/* SPDX-License-Identifier: MIT */
/* What an expression of a trace text can do: its operators and functions. Who may include it: expression.c, evaluate.c. */
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

#define OPERATOR_FUNCTION_NAMES "min, max, starts, has, item, word, rest, mix, xorshift"

typedef struct {
	const char *name;
	guint n_operands; /* 1 .. 3 */
	/* *value is 0 before. FALSE: it has none of these operands */
	gboolean (*value)(const TextValue *operands, TextValue *value);
	const char *allowed;
} OperatorFunction;

extern const OperatorFunction operator_functions[];
/* The row of a name; -1: there is none. */
int operator_function(const char *name, gsize length);

#endif
