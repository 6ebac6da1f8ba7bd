/* SPDX-License-Identifier: MIT */
/* Reads a buffer of the head: its name, its bytes, and what is known of it. */
#include "base/names.h"
#include "trace/text/program.h"

/* What it had met before the launch, if the text says so. */
static BufferBefore read_before(Lexer *lexer)
{
	guint met = BUFFER_UNKNOWN + 1;

	while (met < N_BUFFER_BEFORE && !lexer_take_name(lexer, buffer_before_names[met]))
		met++;
	return met % N_BUFFER_BEFORE;
}

gboolean read_buffer(TextReader *reader)
{
	Lexer *lexer = &reader->lexer;
	TraceText *text = reader->text;
	Buffer *buffer = &text->buffers[text->n_buffers];

	if (text->n_buffers == TRACE_TEXT_MAX_BUFFERS)
		return lexer_fail(lexer, lexer->token.place, "one buffer more than %d",
				  TRACE_TEXT_MAX_BUFFERS);
	lexer_next(lexer);
	if (lexer->token.kind != TOKEN_NAME)
		return lexer_fail_found(lexer, "the buffer's name");
	buffer->name = text_scope_copy(&text->scope, lexer->token.start, lexer->token.length);
	lexer_next(lexer);
	buffer->bytes = expression_read(&reader->lexer, &reader->text->scope);
	buffer->each = lexer_take_name(lexer, "each");
	buffer->before = read_before(lexer);
	buffer->local = !buffer->each && lexer_take_name(lexer, "local");
	text->n_buffers++;
	if (!lexer_take_name(lexer, "sparse"))
		return lexer_need_end(lexer);
	buffer->sparse = expression_read(lexer, &text->scope);
	return buffer->sparse && lexer_need_end(lexer);
}
