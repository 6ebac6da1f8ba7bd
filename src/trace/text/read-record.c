/* SPDX-License-Identifier: MIT */
/* Reads the statements that make records: [watch] [@guard] [values =] operation ... */

#include "base/names.h"
#include "trace/text/program.h"

/* What an operation is followed by. */
typedef enum {
	SHAPE_COUNT,   /* a number */
	SHAPE_ACCESS,  /* width [buffer] at ... */
	SHAPE_ATOMIC,  /* operation type [buffer] at ... */
	SHAPE_LOCK,    /* [buffer] at ... */
	SHAPE_BARRIER, /* [number] [threads n] [arrives] */
	SHAPE_FENCE,   /* scope */
	SHAPE_EXIT,
	SHAPE_CODE, /* values [line n | values n] */
} Shape;

static const struct {
	RecordKind kind;
	Shape shape;
} shapes[] = {
	{RECORD_EXIT, SHAPE_EXIT},     {RECORD_ALU, SHAPE_COUNT},
	{RECORD_LDS, SHAPE_ACCESS},    {RECORD_STS, SHAPE_ACCESS},
	{RECORD_ATOM, SHAPE_ATOMIC},   {RECORD_LDG, SHAPE_ACCESS},
	{RECORD_STG, SHAPE_ACCESS},    {RECORD_ATOMG, SHAPE_ATOMIC},
	{RECORD_BAR, SHAPE_BARRIER},   {RECORD_LOCK, SHAPE_LOCK},
	{RECORD_UNLOCK, SHAPE_LOCK},   {RECORD_SHFL, SHAPE_COUNT},
	{RECORD_UNKNOWN, SHAPE_COUNT}, {RECORD_VOTE, SHAPE_COUNT},
	{RECORD_FENCE, SHAPE_FENCE},
};

static int find_shape(const char *name, gsize length)
{
	const guint kind = lexer_find_name(record_kind_names, N_RECORD_KINDS, name, length);

	for (guint i = 0; i < G_N_ELEMENTS(shapes); i++)
		if (shapes[i].kind == kind)
			return (int)i;
	return -1;
}

gboolean record_is_operation(const char *name, gsize length)
{
	return find_shape(name, length) >= 0 ||
	       lexer_find_name(code_class_names, N_CODE_CLASSES, name, length) < N_CODE_CLASSES;
}

static const Expression *take_expression(TextReader *reader)
{
	return expression_read(&reader->lexer, &reader->text->scope);
}

/* NAME or NAME[i]. NULL: failed. */
static ValueName *take_value(TextReader *reader)
{
	Lexer *lexer = &reader->lexer;
	ValueName *value = text_scope_new(&reader->text->scope, sizeof(*value));

	value->place = lexer->token.place;
	if (lexer->token.kind != TOKEN_NAME ||
	    record_is_operation(lexer->token.start, lexer->token.length)) {
		lexer_fail_found(lexer, "the name of a value, or an operation such as lds");
		return NULL;
	}
	value->name =
		text_scope_add(&reader->text->values, lexer->token.start, lexer->token.length);
	reader->text->has_code = TRUE;
	lexer_next(lexer);
	if (lexer_take_sign(lexer, "[")) {
		value->index = take_expression(reader);
		if (value->index == NULL || !lexer_need_sign(lexer, "]"))
			return NULL;
	}
	return value;
}

/* Values with commas between them. */
static gboolean take_values(TextReader *reader, const ValueName **list)
{
	do {
		ValueName *value = take_value(reader);

		if (value == NULL)
			return FALSE;
		*list = value;
		list = (const ValueName **)&value->next;
	} while (lexer_take_sign(&reader->lexer, ","));
	return TRUE;
}

/* The buffer of an operation on global memory. */
static gboolean take_buffer(TextReader *reader, Statement *statement)
{
	const TraceText *text = reader->text;
	const char *names[TRACE_TEXT_MAX_BUFFERS];

	for (guint i = 0; i < text->n_buffers; i++)
		names[i] = text->buffers[i].name;
	if (text->n_buffers == 0)
		return lexer_fail_found(&reader->lexer, "a buffer, which the head declares: "
							"buffer NAME BYTES");
	if (!lexer_take_one_of(&reader->lexer, names, text->n_buffers, &statement->buffer))
		return FALSE;
	statement->buffer++;
	return TRUE;
}

static const char *const clauses[] = {"at",    "from",	  "data",   "where",
				      "value", "compare", "result", "cache"};

/* What follows an access, in any order. */
static gboolean take_clauses(TextReader *reader, Statement *statement)
{
	Lexer *lexer = &reader->lexer;
	const Expression **const expressions[] = {&statement->at,
						  NULL,
						  NULL,
						  &statement->where,
						  &statement->value,
						  &statement->compare,
						  &statement->result};
	const ValueName **const values[] = {NULL, &statement->address, &statement->reads};
	guint clause;

	while (lexer->token.kind == TOKEN_NAME) {
		if (!lexer_take_one_of(lexer, clauses, G_N_ELEMENTS(clauses), &clause))
			return FALSE;
		if (clause < G_N_ELEMENTS(expressions) && expressions[clause] != NULL) {
			*expressions[clause] = take_expression(reader);
			if (*expressions[clause] == NULL)
				return FALSE;
		} else if (clause < G_N_ELEMENTS(values)) {
			if (!take_values(reader, values[clause]))
				return FALSE;
		} else {
			guint hint;

			if (!lexer_take_one_of(lexer, cache_hint_names, N_CACHE_HINTS, &hint))
				return FALSE;
			statement->cache = (CacheHint)hint;
		}
	}
	return statement->at != NULL || lexer_fail_found(lexer, "at, and where");
}

static gboolean take_access(TextReader *reader, Statement *statement, gboolean is_global)
{
	statement->number = take_expression(reader);
	return statement->number && (!is_global || take_buffer(reader, statement)) &&
	       take_clauses(reader, statement);
}

static gboolean take_atomic(TextReader *reader, Statement *statement, gboolean is_global)
{
	guint operation, type;

	if (!lexer_take_one_of(&reader->lexer, operation_names, N_OPERATIONS, &operation) ||
	    !lexer_take_one_of(&reader->lexer, value_type_names,
			       is_global ? N_VALUE_TYPES : N_SHARED_TYPES, &type))
		return FALSE;
	statement->operation = (Operation)operation;
	statement->type = (ValueType)type;
	return (!is_global || take_buffer(reader, statement)) &&
	       take_clauses(reader, statement);
}

static gboolean take_barrier(TextReader *reader, Statement *statement)
{
	Lexer *lexer = &reader->lexer;

	if (lexer->token.kind != TOKEN_LINE && lexer->token.kind != TOKEN_END &&
	    lexer->token.kind != TOKEN_NAME && !lexer_at_sign(lexer, "}")) {
		statement->number = take_expression(reader);
		if (statement->number == NULL)
			return FALSE;
	}
	if (lexer_take_name(lexer, "threads")) {
		statement->threads = take_expression(reader);
		if (statement->threads == NULL)
			return FALSE;
	}
	statement->arrives = lexer_take_name(lexer, "arrives");
	return TRUE;
}

static gboolean take_code(TextReader *reader, Statement *statement)
{
	Lexer *lexer = &reader->lexer;
	const char *number;
	guint class;

	lexer_take_one_of(lexer, code_class_names, N_CODE_CLASSES, &class);
	statement->class = (CodeClass) class;
	number = statement_number_name(statement->class);
	reader->text->has_code = TRUE;
	if (lexer->token.kind == TOKEN_NAME && !lexer_at_name(lexer, number) &&
	    !take_values(reader, &statement->reads))
		return FALSE;
	if (!lexer_take_name(lexer, number))
		return TRUE;
	statement->number = take_expression(reader);
	return statement->number != NULL;
}

/* A vote of values is an operation of the data flow; behind the next token of the others a number is. */
static gboolean is_count_next(Lexer ahead)
{
	ahead.error = NULL;
	lexer_next(&ahead);
	return ahead.token.kind == TOKEN_NUMBER || ahead.token.kind == TOKEN_VARIABLE ||
	       lexer_at_sign(&ahead, "(");
}

/* The operation and what follows it. */
static gboolean take_operation(TextReader *reader, Statement *statement)
{
	Lexer *lexer = &reader->lexer;
	const int row = find_shape(lexer->token.start, lexer->token.length);
	guint scope;

	if (row < 0 || (shapes[row].kind == RECORD_VOTE && !is_count_next(*lexer))) {
		statement->record = RECORD_CODE;
		return take_code(reader, statement);
	}
	statement->record = shapes[row].kind;
	lexer_next(lexer);
	switch (shapes[row].shape) {
	case SHAPE_COUNT:
		statement->number = take_expression(reader);
		return statement->number != NULL;
	case SHAPE_ACCESS:
		return take_access(reader, statement, statement->record >= RECORD_LDG);
	case SHAPE_ATOMIC:
		return take_atomic(reader, statement, statement->record == RECORD_ATOMG);
	case SHAPE_LOCK:
		return (lexer_at_name(lexer, "at") || take_buffer(reader, statement)) &&
		       take_clauses(reader, statement);
	case SHAPE_BARRIER:
		return take_barrier(reader, statement);
	case SHAPE_FENCE:
		if (!lexer_take_one_of(lexer, scope_names, N_SCOPES, &scope))
			return FALSE;
		statement->scope = (Scope)scope;
		return TRUE;
	default:
		return TRUE;
	}
}

/* Whether what it has of them is what its kind can have. */
static gboolean may_have_values(const Statement *statement)
{
	switch (statement->record) {
	case RECORD_STS:
	case RECORD_STG:
	case RECORD_UNLOCK:
		return statement->writes == NULL;
	default:
		return statement->record == RECORD_CODE || statement->at != NULL ||
		       (statement->writes == NULL && statement->guard == NULL);
	}
}

const Statement *record_read(TextReader *reader)
{
	Lexer *lexer = &reader->lexer;
	const TextPlace place = lexer->token.place;
	Statement *statement = text_scope_new(&reader->text->scope, sizeof(*statement));

	statement->kind = STATEMENT_RECORD;
	statement->place = place;
	statement->watched = lexer_take_name(lexer, "watch");
	if (lexer_take_sign(lexer, "@")) {
		statement->guard = take_value(reader);
		if (statement->guard == NULL)
			return NULL;
	}
	if (lexer->token.kind != TOKEN_NAME ||
	    !record_is_operation(lexer->token.start, lexer->token.length)) {
		if (!take_values(reader, &statement->writes) || !lexer_need_sign(lexer, "="))
			return NULL;
		if (lexer->token.kind != TOKEN_NAME ||
		    !record_is_operation(lexer->token.start, lexer->token.length)) {
			lexer_fail_found(lexer, "an operation, such as lds or mul");
			return NULL;
		}
	}
	if (!take_operation(reader, statement))
		return NULL;
	if (!may_have_values(statement)) {
		lexer_fail(lexer, place,
			   "%s with values; allowed: loads, atomics, lock, arithmetic",
			   record_kind_names[statement->record]);
		return NULL;
	}
	return lexer_need_end(lexer) ? statement : NULL;
}
