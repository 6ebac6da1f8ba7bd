/* SPDX-License-Identifier: MIT */
/* A trace text as it was read: what its readers write and the assembler runs. Who may include it: the files beside it. */
#ifndef ATOMSIM_TRACE_TEXT_PROGRAM_H
#define ATOMSIM_TRACE_TEXT_PROGRAM_H

#include "base/record.h"
#include "trace/text/text.h"

#define TEXT_MAX_DEFINES   64
#define TEXT_MAX_NESTING   32
#define TEXT_MAX_BLOCKS	   65536
#define TEXT_MAX_VARIABLES 256

/* A value of a warp: a name, and which of that name. */
typedef struct ValueName ValueName;
struct ValueName {
	guint name;
	TextPlace place;
	const Expression *index; /* NULL: 0 */
	const ValueName *next;
};

typedef enum {
	STATEMENT_LET,
	STATEMENT_REPEAT,
	STATEMENT_IF,
	STATEMENT_CASE,
	STATEMENT_CALL,
	STATEMENT_SKIP,
	STATEMENT_RECORD,
} StatementKind;

/* What an operation of the class may name the number of. */
static inline const char *statement_number_name(CodeClass class)
{
	if (class == CODE_SYNC)
		return "groups";
	if (class == CODE_LOOKUP)
		return "addresses";
	if (code_is_texture(class))
		return "passes";
	return code_is_match(class) ? "values" : "line";
}

typedef struct Statement Statement;

/* Of a case: where the value is one of the list; NULL: any. */
typedef struct CaseArm CaseArm;
struct CaseArm {
	const Expression *labels;
	const Statement *body;
	const CaseArm *next;
};

typedef struct {
	const char *name;
	guint n_operands, operand[8]; /* variables */
	const Statement *body;
} Define;

struct Statement {
	StatementKind kind;
	TextPlace place;
	const Statement *next;

	/* let: the value; repeat: how often; if: whether; case: of what; skip: whether, NULL: always */
	const Expression *expression;
	guint variable; /* let, repeat with has_variable */
	gboolean has_variable;
	const Statement *body, *other; /* repeat; if, and else */
	const CaseArm *arms;
	const Define *define;
	const Expression *operands; /* of a call */
	const char *why;	    /* skip */

	/* Records. */
	RecordKind record;
	gboolean watched, arrives;
	CodeClass class;
	Operation operation;
	ValueType type;
	Scope scope;
	CacheHint cache;
	guint buffer; /* from 1; 0: shared memory */
	const Expression
		*number; /* width; count; barrier; line of constants, values of a match */
	const Expression *at, *where, *value, *compare, *result, *threads;
	const ValueName *guard, *writes, *address, *reads; /* reads: also what is stored */
};

typedef struct {
	guint variable;
	TextPlace place;
	const Expression *default_value; /* NULL: it must be given */
	const Expression *min, *max;	 /* NULL: the words say */
	const Expression *words;	 /* NULL: any */
} Parameter;

typedef struct {
	const char *name;
	const Expression *bytes;
	gboolean each; /* of each block */
	BufferBefore before;
	gboolean local;		  /* thread-local memory, of each warp */
	const Expression *sparse; /* whether its touched lines alone take room; NULL: no */
} Buffer;

/* What is at its head, in the order of the text. */
typedef struct {
	gboolean is_parameter;
	Parameter parameter;
	const Statement *let;
} HeadRow;

struct TraceText {
	char *name, *base; /* base: the last part of its path */
	TextScope scope;
	TextScope values; /* their names */
	GArray *head;	  /* HeadRow */
	const Expression *blocks, *warps, *shared, *lanes, *registers,
		*parameters; /* NULL: 1, 1, 0, 32, none, none */
	Buffer buffers[TRACE_TEXT_MAX_BUFFERS];
	guint n_buffers;
	Define defines[TEXT_MAX_DEFINES];
	guint n_defines;
	gboolean has_body;
	guint n_head_variables, block, warp, lane; /* variables */
	gboolean has_code;
	const Statement *body;
};

/* What the readers share. */
typedef struct {
	TraceText *text;
	Lexer lexer;
	guint depth;
	TraceTextForm form;
	gpointer data;
} TextReader;

/* A statement `buffer`. FALSE: failed. */
gboolean read_buffer(TextReader *reader);

/* Statements up to a }, or the end of the text; those in braces. NULL: there are none, or they failed. */
const Statement *statement_list(TextReader *reader);
const Statement *statement_body(TextReader *reader);
/* `let`, with its end. NULL: failed. */
const Statement *statement_let(TextReader *reader);
/* Takes a name that is declared here. FALSE: failed. */
gboolean statement_variable(TextReader *reader, guint *variable);
/* The piece of that name, or NULL. */
const Define *statement_define(const TraceText *text, const Token *name);
/* A record's statement, whose first token is the next one, with its end; NULL: failed. */
const Statement *record_read(TextReader *reader);
/* Whether a name begins one. */
gboolean record_is_operation(const char *name, gsize length);

/* --- Assembling --- */

typedef struct OpenGap OpenGap;

typedef struct {
	const TraceText *text;
	TextState state;
	TraceWriter *writer;
	GError **error;
	guint n_blocks, n_warps, n_lanes;
	uint32_t shared_bytes, registers,
		parameter_bytes; /* of a block; of a thread, 0: not said; 0: not said */
	uint64_t buffer_bytes[TRACE_TEXT_MAX_BUFFERS]; /* of each block, or of all */
	guint8 *touched
		[TRACE_TEXT_MAX_BUFFERS]; /* a bit for each line; NULL: it is not sparse */
	uint64_t first_block, n_alike;	  /* blocks that the records are for */
	guint warp;
	gboolean exited;
	GHashTable *numbers;	  /* value -> its number */
	GHashTable *sites;	  /* statement and flow -> site */
	OpenGap *gaps;		  /* flow.h */
	GArray *lines;		  /* of each site */
	guint64 steps, max_steps; /* left, and at first */
	guint64 records;
	TextOutcome *outcome;
} Assembly;

/* Reads the head's sizes. FALSE: failed. */
gboolean assembly_launch(Assembly *assembly);
/* Notes the lines that an access of these lanes touches, for outcome->room_bytes; frees the notes. */
void assembly_touch(Assembly *assembly, guint buffer, const uint64_t *byte, guint n_lanes);
void assembly_forget_touched(Assembly *assembly);
/* Of the trace that has been written. g_free. */
char *assembly_metadata(const Assembly *assembly);
/* Statement and flow -> a number. */
GHashTable *assembly_flows_new(void);
/* Makes the statement's record for its warp. FALSE: failed. */
gboolean assemble_record(Assembly *assembly, const Statement *statement);
/* The record of operations whose gap is still open, if there are any. FALSE: failed. */
gboolean assemble_gap(Assembly *assembly, TextPlace place);

#endif
