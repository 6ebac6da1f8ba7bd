/* SPDX-License-Identifier: MIT */
/*
 * Expressions of a trace text: whole numbers and texts, known while the text is assembled. Who may include it: as lexer.h.
 */
#ifndef ATOMSIM_TRACE_TEXT_EXPRESSION_H
#define ATOMSIM_TRACE_TEXT_EXPRESSION_H

#include "base/words.h"
#include "trace/text/lexer.h"

/* A whole number, or a text. */
typedef struct {
	const char *text; /* NULL: the number */
	gint64 number;
} TextValue;

/* A text that is written as a number is one: "32", not "032". The value keeps the text. */
TextValue text_value_of(const char *text);
gboolean text_value_equal(const TextValue *a, const TextValue *b);
/* As it is written. g_free. */
char *text_value_print(const TextValue *value);

typedef enum {
	EXPRESSION_VALUE,
	EXPRESSION_VARIABLE,
	EXPRESSION_BINARY,
	EXPRESSION_CHOICE, /* operand[0] ? operand[1] : operand[2] */
	EXPRESSION_IN,	   /* operand[0] is one of the list that begins with operand[1] */
	EXPRESSION_FUNCTION,
} ExpressionKind;

typedef struct Expression Expression;
struct Expression {
	ExpressionKind kind;
	TextPlace place;
	TextValue value;
	guint number; /* variable: which; binary, function: row of its table */
	const Expression *operand[3];
	const Expression *next; /* of a list */
	gboolean by_lane;	/* it names the lane */
};

/* Names of variables, in the order of their numbers, and what has been allocated for the text. */
typedef struct {
	GPtrArray *names;
	GPtrArray *memory;
	const char *outside; /* how a variable comes to be known that is not, for errors */
	guint asked_for;     /* a variable, and whether an expression names it */
	gboolean is_asked_for;
	guint lane; /* the variable whose value differs from lane to lane */
} TextScope;

void text_scope_init(TextScope *scope);
void text_scope_clear(TextScope *scope);
/* The number of a name, which it gets if it has none. */
guint text_scope_add(TextScope *scope, const char *name, gsize length);
/* -1: there is none. */
int text_scope_find(const TextScope *scope, const char *name, gsize length);
/* Zeroed memory, and a copy of a text, that live as long as the scope. */
gpointer text_scope_new(TextScope *scope, gsize bytes);
char *text_scope_copy(TextScope *scope, const char *text, gsize length);

#define EXPRESSION_MAX_NODES 500

/* Takes an expression; NULL: failed. */
const Expression *expression_read(Lexer *lexer, TextScope *scope);

/* Of a run of the text: the variables' values, and its name for errors. */
typedef struct {
	const char *name;
	TextValue *values;
	GHashTable *
		lists; /* texts -> their items, once they were asked for; NULL: they are read each time */
} TextState;

/* For `lists`: texts live as long as it does. */
GHashTable *text_lists_new(void);

/* Errors name the place: division by 0, overflow, a text where a number is needed. */
gboolean expression_value(const Expression *expression, const TextState *state,
			  TextValue *value, GError **error);
gboolean expression_number(const Expression *expression, const TextState *state, gint64 *number,
			   GError **error);
/* A number of that range; `what` it is, for the error. */
gboolean expression_range(const Expression *expression, const TextState *state,
			  const char *what, gint64 min, gint64 max, gint64 *number,
			  GError **error);
gboolean expression_true(const Expression *expression, const TextState *state, gboolean *is,
			 GError **error);
/* The numbers of those lanes, each in its place. */
gboolean expression_lanes(const Expression *expression, const TextState *state, LaneMask lanes,
			  gint64 numbers[MAX_LANES], GError **error);

#endif
