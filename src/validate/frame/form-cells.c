/* SPDX-License-Identifier: MIT */
/* Cells of forms: what columns of a row have, or settings are to be; and the rows of a table that have them. */
#include <string.h>

#include "validate/frame/form.h"

const char *form_name_read(Lexer *lexer, TextScope *scope)
{
	const Token token = lexer->token;

	if (token.kind != TOKEN_NAME && token.kind != TOKEN_VARIABLE &&
	    token.kind != TOKEN_TEXT) {
		lexer_fail_found(lexer, "a name");
		return NULL;
	}
	lexer_next(lexer);
	return text_scope_copy(scope, token.start, token.length);
}

gboolean form_cells_read(Lexer *lexer, TextScope *scope, gboolean settings,
			 const FormCell **cells)
{
	do {
		FormCell *cell = text_scope_new(scope, sizeof(*cell));

		lexer_skip_lines(lexer);
		cell->column = form_name_read(lexer, scope);
		if (cell->column == NULL)
			return FALSE;
		cell->differs = !settings && lexer_take_sign(lexer, "!=");
		cell->has = !settings && !cell->differs && lexer_take_name(lexer, "has");
		if (!cell->differs && !cell->has &&
		    !lexer_need_sign(lexer, settings ? "=" : "=="))
			return FALSE;
		cell->value = expression_read(lexer, scope);
		if (cell->value == NULL)
			return FALSE;
		*cells = cell;
		cells = &cell->next;
	} while (lexer_take_sign(lexer, ","));
	return TRUE;
}

gboolean form_match_init(FormMatch *match, const FormRow *row, const CsvTable *table,
			 const FormCell *cells, GError **error)
{
	*match = (FormMatch){.table = table,
			     .columns = g_array_new(FALSE, FALSE, sizeof(guint)),
			     .texts = g_ptr_array_new_with_free_func(g_free),
			     .cells = cells};
	for (const FormCell *cell = cells; cell != NULL; cell = cell->next) {
		TextValue value;
		guint column = 0;

		if (!csv_require(table, cell->column, &column, error) ||
		    !expression_value(cell->value, &row->state, &value, error))
			return FALSE;
		g_array_append_val(match->columns, column);
		g_ptr_array_add(match->texts, text_value_print(&value));
	}
	return TRUE;
}

static gboolean cell_is(const FormCell *cell, const char *found, const char *value)
{
	if (cell->has)
		return strstr(found, value) != NULL;
	return g_str_equal(found, value) != cell->differs;
}

gboolean form_match_has(const FormMatch *match, guint row)
{
	const FormCell *cell = match->cells;

	for (guint i = 0; i < match->columns->len; i++, cell = cell->next) {
		const guint column = g_array_index(match->columns, guint, i);

		if (!cell_is(cell, csv_cell(match->table, row, column), match->texts->pdata[i]))
			return FALSE;
	}
	return TRUE;
}

void form_match_clear(FormMatch *match)
{
	g_clear_pointer(&match->columns, g_array_unref);
	g_clear_pointer(&match->texts, g_ptr_array_unref);
}
