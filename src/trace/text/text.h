/* SPDX-License-Identifier: MIT */
/*
 * Trace texts: small warp programs as text (docs/reference/trace-text.md), and the traces that they become. Who may include it: validate,
 * cli, and the files beside it.
 */
#ifndef ATOMSIM_TRACE_TEXT_TEXT_H
#define ATOMSIM_TRACE_TEXT_TEXT_H

#include "trace/text/expression.h"
#include "trace/writer.h"

#define TRACE_TEXT_MAX_BYTES   (1u << 20)
#define TRACE_TEXT_MAX_BUFFERS 64
/* Statements that assembling may come by; it may make half as many records. */
#define TRACE_TEXT_MAX_STEPS (G_GUINT64_CONSTANT(1) << 27)

typedef struct TraceText TraceText;

/*
 * Reads the block that `form` opens, with its braces still to come, and those variables known that are declared before it. NULL:
 * such a block is passed over. FALSE: it has failed (lexer_fail).
 */
typedef gboolean (*TraceTextForm)(Lexer *lexer, TextScope *scope, gpointer data);

/* Errors: ATOMSIM_ERROR_IO, ATOMSIM_ERROR_INPUT with "FILE:LINE:COLUMN". */
TraceText *trace_text_read(const char *path, TraceTextForm form, gpointer data, GError **error);
/* The same from text; `name` is for the path. */
TraceText *trace_text_parse(const char *name, const char *text, gsize length,
			    TraceTextForm form, gpointer data, GError **error);
void trace_text_free(TraceText *text);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceText, trace_text_free)

const char *trace_text_name(const TraceText *text);
/* The names of its parameters, or of those alone that must be given: NULL-terminated, g_free of the array. */
const char **trace_text_parameters(const TraceText *text, gboolean needed);
/* The number of a variable; -1: there is none of that name. */
int trace_text_variable(const TraceText *text, const char *name);
/* Values of parameters. Both end with a NULL; values stay where they are. */
typedef struct {
	const char *const *names;
	const char *const *values;
} TextSettings;

/* A parameter that is not as its row allows. */
typedef struct {
	const char *name; /* NULL: the problem is another */
	char *allowed;	  /* g_free */
} TextRefusal;

/* The variables' values once parameters and the lets behind them are; g_free. Names that are no parameters are passed over.
   refusal: which one is not allowed, or NULL. Errors: ATOMSIM_ERROR_INPUT. */
TextValue *trace_text_values(const TraceText *text, const TextSettings *settings,
			     TextRefusal *refusal, GError **error);

/* What came of it. */
typedef struct {
	uint32_t watched_site; /* of the statement with `watch`; 0: there is none */
	char *skipped; /* why there is no program for these parameters; NULL: there is one. g_free */
	/* Of each buffer: what its touched lines take of caches, where it is sparse; 0: all of it. */
	uint64_t room_bytes[TRACE_TEXT_MAX_BUFFERS];
} TextOutcome;

/*
 * Appends the program's blocks to a new writer and returns the metadata for trace_writer_finish (g_free). NULL: failed, or skipped;
 * then the writer is to be abandoned. max_steps: up to TRACE_TEXT_MAX_STEPS. Errors: ATOMSIM_ERROR_INPUT.
 */
char *trace_text_write(const TraceText *text, const TextSettings *settings, guint64 max_steps,
		       TraceWriter *writer, TextOutcome *outcome, GError **error);
/* The same into memory. */
GBytes *trace_text_assemble(const TraceText *text, const TextSettings *settings,
			    TextOutcome *outcome, GError **error);

#endif
