/* SPDX-License-Identifier: MIT */
/* Figures of forms: real numbers, of cells, of other rows and of runs. */
#include <string.h>

#include "validate/frame/form.h"

/* --- Reading --- */

#define MAX_PARTS 200

typedef struct {
	Lexer *lexer;
	TextScope *scope;
	gboolean may_run;
	guint n_parts;
} Reading;

static const Figure *read_sum(Reading *reading);

static Figure *figure_new(Reading *reading, FigureKind kind)
{
	Figure *figure = text_scope_new(reading->scope, sizeof(*figure));

	figure->kind = kind;
	figure->place = reading->lexer->token.place;
	if (++reading->n_parts > MAX_PARTS)
		lexer_fail(reading->lexer, figure->place, "a figure of more than %d parts",
			   MAX_PARTS);
	return figure;
}

static int find(const char *const *names, const Token *token)
{
	for (int i = 0; names[i] != NULL; i++)
		if (strlen(names[i]) == token->length &&
		    strncmp(names[i], token->start, token->length) == 0)
			return i;
	return -1;
}

typedef enum { ROWS_FIRST, ROWS_MEAN, ROWS_MEDIAN } RowsKind;
static const char *const rows_names[] = {"first", "mean", "median", NULL};
static const char *const max_names[] = {"max", NULL};

/* max(a, b) */
static const Figure *read_max(Reading *reading)
{
	Figure *figure = figure_new(reading, FIGURE_MAX);
	Lexer *lexer = reading->lexer;

	lexer_next(lexer);
	if (!lexer_need_sign(lexer, "("))
		return NULL;
	figure->a = read_sum(reading);
	if (figure->a == NULL || !lexer_need_sign(lexer, ","))
		return NULL;
	figure->b = read_sum(reading);
	return figure->b && lexer_need_sign(lexer, ")") ? figure : NULL;
}

/* cycles(parameter = value, ...); first(column, column == value, ...) */
static const Figure *read_function(Reading *reading)
{
	Lexer *lexer = reading->lexer;
	const int run = find(form_statistics, &lexer->token);
	const int rows = find(rows_names, &lexer->token);
	Figure *figure;

	if (find(max_names, &lexer->token) >= 0)
		return read_max(reading);
	if (rows < 0 && (run < 0 || !reading->may_run)) {
		g_autofree char *all = g_strjoinv(", ", (char **)form_statistics);
		g_autofree char *allowed =
			g_strconcat("a number, $column, (, max, first, mean, median",
				    reading->may_run ? ", or of a run: " : "",
				    reading->may_run ? all : "", NULL);

		lexer_fail_found(lexer, allowed);
		return NULL;
	}
	figure = figure_new(reading, rows >= 0 ? FIGURE_ROWS : FIGURE_RUN);
	figure->row = (guint)(rows >= 0 ? rows : run);
	lexer_next(lexer);
	if (!lexer_need_sign(lexer, "("))
		return NULL;
	if (rows >= 0) {
		if (lexer->token.kind != TOKEN_NAME && lexer->token.kind != TOKEN_VARIABLE) {
			lexer_fail_found(lexer, "a column");
			return NULL;
		}
		figure->name = text_scope_copy(reading->scope, lexer->token.start,
					       lexer->token.length);
		lexer_next(lexer);
		if (!lexer_need_sign(lexer, ","))
			return NULL;
	}
	if (!lexer_at_sign(lexer, ")") &&
	    !form_cells_read(lexer, reading->scope, rows < 0, &figure->cells))
		return NULL;
	return lexer_need_sign(lexer, ")") ? figure : NULL;
}

static const Figure *read_primary(Reading *reading)
{
	Lexer *lexer = reading->lexer;
	const Token token = lexer->token;
	Figure *figure;

	if (token.kind == TOKEN_NUMBER || token.kind == TOKEN_VARIABLE) {
		figure = figure_new(reading, token.kind == TOKEN_NUMBER ? FIGURE_NUMBER
									: FIGURE_VARIABLE);
		figure->number = (double)token.number;
		figure->name = text_scope_copy(reading->scope, token.start, token.length);
		lexer_next(lexer);
		return figure;
	}
	if (lexer_take_sign(lexer, "(")) {
		const Figure *inside = read_sum(reading);

		return inside && lexer_need_sign(lexer, ")") ? inside : NULL;
	}
	return read_function(reading);
}

/* Figures with signs of one rank between them: sums of products. */
static const Figure *read_chain(Reading *reading, const char *const signs[2],
				const FigureKind kinds[2],
				const Figure *(*part)(Reading *reading))
{
	const Figure *left = part(reading);

	while (left != NULL) {
		const gboolean second = lexer_at_sign(reading->lexer, signs[1]);
		Figure *both;

		if (!second && !lexer_at_sign(reading->lexer, signs[0]))
			return left;
		both = figure_new(reading, kinds[second]);
		lexer_next(reading->lexer);
		lexer_skip_lines(reading->lexer);
		both->a = left;
		both->b = part(reading);
		left = both->b ? both : NULL;
	}
	return NULL;
}

static const Figure *read_product(Reading *reading)
{
	static const char *const signs[] = {"*", "/"};
	static const FigureKind kinds[] = {FIGURE_TIMES, FIGURE_OVER};

	return read_chain(reading, signs, kinds, read_primary);
}

static const Figure *read_sum(Reading *reading)
{
	static const char *const signs[] = {"+", "-"};
	static const FigureKind kinds[] = {FIGURE_PLUS, FIGURE_MINUS};

	/* Each level of nesting comes by here: the parts bound the depth, too. */
	figure_new(reading, FIGURE_NUMBER);
	return read_chain(reading, signs, kinds, read_product);
}

const Figure *figure_read(Lexer *lexer, TextScope *scope, gboolean may_run)
{
	Reading reading = {.lexer = lexer, .scope = scope, .may_run = may_run};

	return read_sum(&reading);
}

/* --- Values --- */

static int compare(gconstpointer a, gconstpointer b)
{
	return (*(const double *)a > *(const double *)b) -
	       (*(const double *)a < *(const double *)b);
}

/* The first, the mean or the upper median of a column in those rows; of none of them an error. */
static gboolean rows_value(const Figure *figure, const FormRow *row, double *value,
			   GError **error)
{
	g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(double));
	g_auto(FormMatch) match = {0};
	guint column = 0;

	*value = 0;
	if (!csv_require(row->table, figure->name, &column, error) ||
	    !form_match_init(&match, row, row->table, figure->cells, error))
		return FALSE;
	for (guint i = 0; i < csv_rows(row->table); i++) {
		double cell;

		if (!form_match_has(&match, i))
			continue;
		if (!csv_number(row->table, i, column, VALIDATE_LEAST_CYCLES, &cell, error))
			return FALSE;
		g_array_append_val(cells, cell);
		*value += cell;
		if (figure->row == ROWS_FIRST)
			return TRUE;
	}
	if (cells->len == 0)
		return text_fail(error, row->state.name, figure->place,
				 "no row with these cells; allowed: a file that has one");
	if (figure->row == ROWS_MEAN)
		*value /= cells->len;
	g_array_sort(cells, compare);
	if (figure->row == ROWS_MEDIAN)
		*value = g_array_index(cells, double, cells->len / 2);
	return TRUE;
}

/* A whole number that the text has under this name, or the row's cell. */
static gboolean variable_value(const Figure *figure, const FormRow *row, double *value,
			       GError **error)
{
	const int variable = trace_text_variable(row->form->text, figure->name);
	guint column = 0;

	if (variable >= 0 && row->state.values[variable].text == NULL) {
		*value = (double)row->state.values[variable].number;
		return TRUE;
	}
	return csv_require(row->table, figure->name, &column, error) &&
	       csv_number(row->table, row->row, column, 0, value, error);
}

gboolean figure_value(const Figure *figure, const FormRow *row, double *value,
		      const char **skipped, GError **error)
{
	double a = 0, b = 0;

	switch (figure->kind) {
	case FIGURE_NUMBER:
		*value = figure->number;
		return TRUE;
	case FIGURE_VARIABLE:
		return variable_value(figure, row, value, error);
	case FIGURE_ROWS:
		return rows_value(figure, row, value, error);
	case FIGURE_RUN:
		return form_run(row, figure->cells, figure->row, value, skipped, error);
	default:
		break;
	}
	if (!figure_value(figure->a, row, &a, skipped, error) ||
	    !figure_value(figure->b, row, &b, skipped, error))
		return FALSE;
	if (figure->kind == FIGURE_OVER && b == 0)
		return text_fail(error, row->state.name, figure->place, "a division by 0");
	*value = figure->kind == FIGURE_PLUS	? a + b
		 : figure->kind == FIGURE_MINUS ? a - b
		 : figure->kind == FIGURE_TIMES ? a * b
		 : figure->kind == FIGURE_OVER	? a / b
						: MAX(a, b);
	return TRUE;
}
