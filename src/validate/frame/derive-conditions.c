/* SPDX-License-Identifier: MIT */
/* Which rows of a table of measurements a line means. */
#include "validate/frame/derive-internal.h"

#include <string.h>

typedef enum { IS, IS_NOT, BELOW, AT_MOST, ABOVE, AT_LEAST } Relation;

typedef struct {
	guint column;
	Relation relation;
	char **values; /* one of them; the last four relations know one number */
	double number;
} Condition;

static void condition_clear(gpointer condition)
{
	g_strfreev(((Condition *)condition)->values);
}

/* A cell that is a number, all of it. */
static gboolean number_of(const char *cell, double *number)
{
	char *end = NULL;

	*number = g_ascii_strtod(cell, &end);
	return end != cell && *end == '\0';
}

static Relation relation_of(const char *at, gsize *length)
{
	static const struct {
		const char *sign;
		Relation relation;
	} signs[] = {{"!=", IS_NOT}, {"<=", AT_MOST}, {">=", AT_LEAST},
		     {"<", BELOW},   {">", ABOVE},    {"=", IS}};
	guint i = 0;

	while (!g_str_has_prefix(at, signs[i].sign) && i + 1 < G_N_ELEMENTS(signs))
		i++;
	*length = strlen(signs[i].sign);
	return signs[i].relation;
}

static RowFault read_condition(const CsvTable *table, const char *text, Condition *condition)
{
	const gsize name = strcspn(text, "!<>=");
	g_autofree char *column = g_strstrip(g_strndup(text, name));
	int found = csv_column(table, column);
	gsize length;

	if (text[name] == '\0')
		return (RowFault){
			g_strdup_printf("'%s' has no relation; allowed: = != < <= > >=", text),
			FALSE};
	if (found < 0)
		return (RowFault){
			g_strdup_printf("%s has no column '%s'", csv_path(table), column),
			TRUE};
	condition->column = (guint)found;
	condition->relation = relation_of(text + name, &length);
	condition->values = g_strsplit(text + name + length, "|", -1);
	if (condition->relation >= BELOW &&
	    (!condition->values[0] || !number_of(condition->values[0], &condition->number)))
		return (RowFault){g_strdup_printf("'%s' does not compare with a number", text),
				  FALSE};
	return (RowFault){NULL, FALSE};
}

static RowFault read_conditions(const CsvTable *table, const char *rows, GArray *conditions)
{
	g_auto(GStrv) texts = g_strsplit(rows, " & ", -1);
	RowFault fault = {NULL, FALSE};

	for (guint i = 0; texts[i] && !fault.why; i++) {
		Condition condition = {0};

		fault = read_condition(table, texts[i], &condition);
		g_array_append_val(conditions, condition);
	}
	return fault;
}

static gboolean meets(const Condition *condition, const char *cell)
{
	const gboolean named = g_strv_contains((const char *const *)condition->values, cell);
	double number = 0;

	if (condition->relation == IS || condition->relation == IS_NOT)
		return named == (condition->relation == IS);
	if (!number_of(cell, &number))
		return FALSE;
	switch (condition->relation) {
	case BELOW:
		return number < condition->number;
	case AT_MOST:
		return number <= condition->number;
	case ABOVE:
		return number > condition->number;
	default:
		return number >= condition->number;
	}
}

static gboolean meets_all(const GArray *conditions, const CsvTable *table, guint row)
{
	for (guint i = 0; i < conditions->len; i++) {
		const Condition *condition = &g_array_index(conditions, Condition, i);

		if (!meets(condition, csv_cell(table, row, condition->column)))
			return FALSE;
	}
	return TRUE;
}

RowFault rows_that_meet(const CsvTable *table, const char *rows, GArray **met)
{
	g_autoptr(GArray) conditions = g_array_new(FALSE, FALSE, sizeof(Condition));
	RowFault fault;

	g_array_set_clear_func(conditions, condition_clear);
	*met = g_array_new(FALSE, FALSE, sizeof(guint));
	fault = read_conditions(table, rows, conditions);
	for (guint row = 0; !fault.why && row < csv_rows(table); row++)
		if (meets_all(conditions, table, row))
			g_array_append_val(*met, row);
	if (!fault.why && (*met)->len == 0)
		fault = (RowFault){
			g_strdup_printf("%s has no row with %s", csv_path(table), rows), TRUE};
	return fault;
}
