/* SPDX-License-Identifier: MIT */
#include "trace/text/lexer.h"

#include <string.h>

#include "base/error.h"

#define MAX_TEXT  4096 /* bytes between quotes */
#define MAX_SHOWN 40   /* bytes of what was found that an error repeats */

static gboolean text_fail_va(GError **error, const char *name, TextPlace place,
			     const char *format, va_list arguments)
{
	g_autofree char *what = g_strdup_vprintf(format, arguments);

	return atomsim_fail(error, ATOMSIM_ERROR_INPUT, "%s:%u:%u: %s", name, place.line,
			    place.column, what);
}

gboolean text_fail(GError **error, const char *name, TextPlace place, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	text_fail_va(error, name, place, format, arguments);
	va_end(arguments);
	return FALSE;
}

gboolean lexer_fail(Lexer *lexer, TextPlace place, const char *format, ...)
{
	va_list arguments;

	/* What has failed before may have been no fault of the lexer's: a statement behind it is read to its end. */
	if (!lexer->failed && (lexer->error == NULL || *lexer->error == NULL)) {
		va_start(arguments, format);
		text_fail_va(lexer->error, lexer->name, place, format, arguments);
		va_end(arguments);
	}
	lexer->failed = TRUE;
	lexer->token.kind = TOKEN_END;
	return FALSE;
}

gboolean lexer_fail_found(Lexer *lexer, const char *allowed)
{
	const Token *token = &lexer->token;
	const int shown = (int)MIN(token->length, MAX_SHOWN);

	switch (token->kind) {
	case TOKEN_END:
		return lexer_fail(lexer, token->place, "the text ends; allowed: %s", allowed);
	case TOKEN_LINE:
		return lexer_fail(lexer, token->place, "the line ends; allowed: %s", allowed);
	case TOKEN_TEXT:
		return lexer_fail(lexer, token->place, "found \"%.*s\"; allowed: %s", shown,
				  token->start, allowed);
	case TOKEN_VARIABLE:
		return lexer_fail(lexer, token->place, "found $%.*s; allowed: %s", shown,
				  token->start, allowed);
	default:
		return lexer_fail(lexer, token->place, "found '%.*s'; allowed: %s", shown,
				  token->start, allowed);
	}
}

static gboolean is_name(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

/* Takes characters up to a line's end or `last`, which it takes, too. */
static void read_until(Lexer *lexer, char last, TokenKind kind)
{
	Token *token = &lexer->token;

	token->kind = kind;
	token->start = lexer->at;
	while (lexer->at < lexer->end && *lexer->at != last && *lexer->at != '\n')
		lexer->at++;
	token->length = (gsize)(lexer->at - token->start);
	if (lexer->at == lexer->end || *lexer->at != last || token->length > MAX_TEXT)
		lexer_fail(lexer, token->place, "no %c closes it on the line within %d bytes",
			   last, MAX_TEXT);
	else
		lexer->at++;
}

static void read_word(Lexer *lexer, TokenKind kind)
{
	lexer->token.kind = kind;
	lexer->token.start = lexer->at;
	while (lexer->at < lexer->end && is_name(*lexer->at))
		lexer->at++;
	lexer->token.length = (gsize)(lexer->at - lexer->token.start);
}

static void read_number(Lexer *lexer)
{
	Token *token = &lexer->token;

	read_word(lexer, TOKEN_NUMBER);
	for (gsize i = 0; i < token->length; i++) {
		const char c = token->start[i];

		if (!g_ascii_isdigit(c)) {
			lexer_fail_found(lexer, "a whole number, as 128");
			return;
		}
		if (token->number > (G_MAXINT64 - (c - '0')) / 10) {
			lexer_fail_found(lexer, "a whole number below 2^63");
			return;
		}
		token->number = token->number * 10 + (c - '0');
	}
}

static void read_variable(Lexer *lexer)
{
	lexer->at++;
	if (lexer->at < lexer->end && *lexer->at == '{') {
		lexer->at++;
		read_until(lexer, '}', TOKEN_VARIABLE);
	} else {
		read_word(lexer, TOKEN_VARIABLE);
	}
	if (lexer->token.length == 0)
		lexer_fail(lexer, lexer->token.place, "a $ without a name");
}

static void read_sign(Lexer *lexer)
{
	static const char *const doubles[] = {"==", "!=", "<=", ">=", "&&", "||", ".."};
	static const char singles[] = "()[]{},=<>+-*/%!?:|@";
	Token *token = &lexer->token;

	token->kind = TOKEN_SIGN;
	token->start = lexer->at;
	token->length = 1;
	for (guint i = 0; i < G_N_ELEMENTS(doubles); i++)
		if (lexer->end - lexer->at >= 2 && strncmp(lexer->at, doubles[i], 2) == 0)
			token->length = 2;
	if (token->length == 1 && memchr(singles, *lexer->at, sizeof(singles) - 1) == NULL) {
		lexer_fail(lexer, token->place, "byte 0x%02x found, which begins nothing",
			   (guint)(guchar)*lexer->at);
		return;
	}
	if (*lexer->at == '(' || *lexer->at == '[')
		lexer->depth++;
	if ((*lexer->at == ')' || *lexer->at == ']') && lexer->depth > 0)
		lexer->depth--;
	lexer->at += token->length;
}

/* Blanks and comments, and ends of lines where they mean nothing. */
static void skip_blanks(Lexer *lexer)
{
	for (; lexer->at < lexer->end; lexer->at++) {
		if (*lexer->at == '#')
			while (lexer->at < lexer->end && *lexer->at != '\n')
				lexer->at++;
		if (lexer->at == lexer->end || (*lexer->at == '\n' && lexer->depth == 0) ||
		    strchr(" \t\r\n", *lexer->at) == NULL || *lexer->at == '\0')
			return;
		if (*lexer->at == '\n') {
			lexer->line++;
			lexer->line_start = lexer->at + 1;
		}
	}
}

void lexer_next(Lexer *lexer)
{
	if (lexer->failed)
		return;
	skip_blanks(lexer);
	lexer->token = (Token){
		.place = {lexer->line, (guint)(lexer->at - lexer->line_start) + 1},
		.start = lexer->at,
	};
	if (lexer->at == lexer->end) {
		lexer->token.kind = TOKEN_END;
	} else if (*lexer->at == '\n' || *lexer->at == ';') {
		lexer->token.kind = TOKEN_LINE;
		lexer->token.length = 1;
		if (*lexer->at++ == '\n') {
			lexer->line++;
			lexer->line_start = lexer->at;
		}
	} else if (*lexer->at == '"') {
		lexer->at++;
		read_until(lexer, '"', TOKEN_TEXT);
	} else if (*lexer->at == '$') {
		read_variable(lexer);
	} else if (g_ascii_isdigit(*lexer->at)) {
		read_number(lexer);
	} else if (is_name(*lexer->at)) {
		read_word(lexer, TOKEN_NAME);
	} else {
		read_sign(lexer);
	}
}

void lexer_init(Lexer *lexer, const char *name, const char *text, gsize length, GError **error)
{
	*lexer = (Lexer){.name = name,
			 .at = text,
			 .end = text + length,
			 .line_start = text,
			 .line = 1,
			 .error = error};
	lexer_next(lexer);
}

static gboolean is_token(const Lexer *lexer, TokenKind kind, const char *word)
{
	const Token *token = &lexer->token;

	return token->kind == kind && token->length == strlen(word) &&
	       strncmp(token->start, word, token->length) == 0;
}

gboolean lexer_at_sign(const Lexer *lexer, const char *sign)
{
	return is_token(lexer, TOKEN_SIGN, sign);
}

gboolean lexer_at_name(const Lexer *lexer, const char *name)
{
	return is_token(lexer, TOKEN_NAME, name);
}

gboolean lexer_take_sign(Lexer *lexer, const char *sign)
{
	if (!lexer_at_sign(lexer, sign))
		return FALSE;
	lexer_next(lexer);
	return TRUE;
}

gboolean lexer_take_name(Lexer *lexer, const char *name)
{
	if (!lexer_at_name(lexer, name))
		return FALSE;
	lexer_next(lexer);
	return TRUE;
}

gboolean lexer_need_sign(Lexer *lexer, const char *sign)
{
	return lexer_take_sign(lexer, sign) || lexer_fail_found(lexer, sign);
}

void lexer_skip_lines(Lexer *lexer)
{
	while (lexer->token.kind == TOKEN_LINE)
		lexer_next(lexer);
}

gboolean lexer_need_end(Lexer *lexer)
{
	if (lexer->failed)
		return FALSE;
	if (lexer->token.kind == TOKEN_END || lexer_at_sign(lexer, "}"))
		return TRUE;
	if (lexer->token.kind != TOKEN_LINE)
		return lexer_fail_found(lexer, "the end of the statement: of the line, or ;");
	lexer_skip_lines(lexer);
	return TRUE;
}

guint lexer_find_name(const char *const *names, guint n, const char *name, gsize length)
{
	guint i = 0;

	while (i < n && (strlen(names[i]) != length || strncmp(names[i], name, length) != 0))
		i++;
	return i;
}

gboolean lexer_take_one_of(Lexer *lexer, const char *const *names, guint n, guint *place)
{
	g_autofree char *allowed = NULL;
	g_autofree const char **list = NULL;

	*place = lexer->token.kind == TOKEN_NAME
			 ? lexer_find_name(names, n, lexer->token.start, lexer->token.length)
			 : n;
	if (*place < n) {
		lexer_next(lexer);
		return TRUE;
	}
	list = g_new0(const char *, n + 1);
	memcpy(list, names, n * sizeof(*list));
	allowed = g_strjoinv(", ", (char **)list);
	return lexer_fail_found(lexer, allowed);
}
