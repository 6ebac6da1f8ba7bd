/* SPDX-License-Identifier: MIT */
/*
 * The tokens of a trace text (docs/reference/trace-text.md), one ahead, and errors that name their place. Who may include it: the files
 * beside it, and who reads a block of a text that is theirs (validate's forms).
 */
#ifndef ATOMSIM_TRACE_TEXT_LEXER_H
#define ATOMSIM_TRACE_TEXT_LEXER_H

#include <glib.h>

typedef enum {
	TOKEN_END,
	TOKEN_LINE,	/* a line's end, or ; */
	TOKEN_NUMBER,	/* whole, from 0 to 2^63 - 1 */
	TOKEN_TEXT,	/* between quotes */
	TOKEN_NAME,	/* letters, digits, _ */
	TOKEN_VARIABLE, /* $name, or ${any name} */
	TOKEN_SIGN,	/* one of "( [ { ..." or of two characters, as == */
} TokenKind;

typedef struct {
	guint line, column; /* from 1; columns count bytes */
} TextPlace;

typedef struct {
	TokenKind kind;
	TextPlace place;
	const char *
		start; /* name, variable, sign: what it is called; text: what is between the quotes */
	gsize length;
	gint64 number;
} Token;

typedef struct {
	const char *name; /* of the file, for errors */
	const char *at, *end, *line_start;
	guint line, depth; /* depth: of open ( and [, in which lines have no end */
	Token token;	   /* the next one */
	gboolean failed;   /* *error is set, the token is the end */
	GError **error;
} Lexer;

/* Reads the first token. The text, of `length` bytes, and the name stay where they are. */
void lexer_init(Lexer *lexer, const char *name, const char *text, gsize length, GError **error);
void lexer_next(Lexer *lexer);
/* Whether the next token is that sign, or that name. */
gboolean lexer_at_sign(const Lexer *lexer, const char *sign);
gboolean lexer_at_name(const Lexer *lexer, const char *name);
/* The same, and takes it. */
gboolean lexer_take_sign(Lexer *lexer, const char *sign);
gboolean lexer_take_name(Lexer *lexer, const char *name);
/* The place of a name in a list of n; n: it is not there. */
guint lexer_find_name(const char *const *names, guint n, const char *name, gsize length);
/* Takes the next token as one of n names. FALSE: failed. */
gboolean lexer_take_one_of(Lexer *lexer, const char *const *names, guint n, guint *place);
/* Takes the sign, or fails. */
gboolean lexer_need_sign(Lexer *lexer, const char *sign);
/* Takes ends of lines. */
void lexer_skip_lines(Lexer *lexer);
/* Takes the end of a statement: of a line, of the file, or what is before a }. */
gboolean lexer_need_end(Lexer *lexer);

/* Fail with "NAME:LINE:COLUMN: found WHAT; allowed: ALLOWED", of the next token; and with any words, of any place. The first
   failure counts. FALSE. */
gboolean lexer_fail_found(Lexer *lexer, const char *allowed);
gboolean lexer_fail(Lexer *lexer, TextPlace place, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* The same without a lexer. */
gboolean text_fail(GError **error, const char *name, TextPlace place, const char *format, ...)
	G_GNUC_PRINTF(4, 5);

#endif
