/* SPDX-License-Identifier: MIT */
/* Parameters that come from elsewhere than a row: from its machine, its place and other tables. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/memory/slice-map.h"
#include "validate/frame/form.h"

/* --- What is known of any row --- */

#define MAX_LINE 256 /* that is looked at for one of a side */
#define BUFFER_LINES                                                                           \
	(UINT64_C(1) << 14) /* from one buffer's begin to the next one's: sim/run/run.c */

/* The first line of a buffer that lies in the partition of the L2 that the SM of a single block is near to, or in another; 0 where the
   machine has no two. */
static guint line_of(const Machine *machine, guint buffer, gboolean far)
{
	const uint32_t sm =
		slice_sm_place(machine->l2, machine->network->group_sms, 1, 0).partition;

	for (guint line = 0; line < MAX_LINE; line++)
		if ((slice_place(machine->l2, (buffer - 1) * BUFFER_LINES + line).partition !=
		     sm) == far)
			return line;
	return 0;
}

/* What a parameter is that no column has: of the machine, and of the row. NULL: its default. g_free. */
char *form_known_value(const FormRow *row, const char *name)
{
	static const struct {
		const char *name;
		guint buffer;
		gboolean far;
	} lines[] = {{"near_line_1", 1, FALSE},
		     {"far_line_1", 1, TRUE},
		     {"near_line_2", 2, FALSE},
		     {"far_line_2", 2, TRUE}};
	const SmParameters *sm = &row->machine->sm;
	const struct {
		const char *name;
		guint number;
	} numbers[] = {{"row_line", csv_line(row->table, row->row)},
		       {"memory_side", row->machine->global.model != GLOBAL_FLAT},
		       {"sm_count", sm->count},
		       {"issue_cycles", sm->issue_cycles},
		       {"alu_cycles", MAX(sm->alu_latency_cycles, 1)}};

	for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
		if (strcmp(name, numbers[i].name) == 0)
			return g_strdup_printf("%u", numbers[i].number);
	for (guint i = 0; i < G_N_ELEMENTS(lines); i++)
		if (strcmp(name, lines[i].name) == 0)
			return g_strdup_printf(
				"%u", line_of(row->machine, lines[i].buffer, lines[i].far));
	return NULL;
}

/* --- Joined cells --- */

/* The column of that name in all rows that have these cells, / between them. */
static const char *join(const FormRow *row, const FormGiven *given, GError **error)
{
	const CsvTable *table = form_table_beside(row->forms, given->file);
	g_autoptr(GString) joined = g_string_new(NULL);
	g_auto(FormMatch) match = {0};
	guint column = 0;

	if (!csv_require(table, given->parameter, &column, error) ||
	    !form_match_init(&match, row, table, given->cells, error))
		return NULL;
	for (guint i = 0; i < csv_rows(table); i++)
		if (form_match_has(&match, i))
			g_string_append_printf(joined, "%s%s", joined->len > 0 ? "/" : "",
					       csv_cell(table, i, column));
	return g_string_chunk_insert_const(row->texts, joined->str);
}

/* --- Chosen SMs --- */

#define MAX_SMS 1024

static SmPlace place_of(const Machine *machine, guint sm)
{
	return slice_sm_place(machine->l2, machine->network->group_sms, machine->sm.count, sm);
}

/* The SM of the model, in the order in which SMs get blocks, that stands for each of the GPU: one of the same GPC and the same cluster of TPCs. */
static void model_sms(const Machine *machine, guint model[MAX_SMS])
{
	gboolean taken[MAX_SMS] = {FALSE};

	for (guint sm = 0; sm < machine->sm.count; sm++) {
		uint32_t group, cluster, i = 0;

		slice_map_gpu_sm(&machine->l2->map, sm, &group, &cluster);
		for (; i < machine->sm.count; i++) {
			SmPlace place = place_of(machine, i);

			if (!taken[i] && place.group == group && place.cluster == cluster)
				break;
		}
		g_assert(i < machine->sm.count);
		taken[i] = TRUE;
		model[sm] = i;
	}
}

static gboolean choose_numbers(const char *list, guint n_sms, gboolean works[MAX_SMS])
{
	for (const char *at = list; *at != '\0';) {
		char *end;
		gulong sm = strtoul(at, &end, 10);

		if (end == at || sm >= n_sms || works[sm] || (*end != '.' && *end != '\0') ||
		    (*end == '.' && end[1] == '\0'))
			return FALSE;
		works[sm] = TRUE;
		at = end + (*end == '.');
	}
	return TRUE;
}

/* Numbers with dots between them, `all`, or `same` and `other`: those whose partition of the L2 has page 0, or not; `all:66`: the
   first 66 of them. */
static gboolean choose(const Machine *machine, const guint *model, const char *list,
		       gboolean works[MAX_SMS])
{
	const uint32_t partition = slice_place(machine->l2, 0).partition;
	const char *most = strchr(list, ':');
	g_autofree char *word = most ? g_strndup(list, (gsize)(most - list)) : g_strdup(list);
	const gboolean all = strcmp(word, "all") == 0, other = strcmp(word, "other") == 0;
	guint64 left = machine->sm.count;

	if (g_ascii_isdigit(*list))
		return choose_numbers(list, machine->sm.count, works);
	if ((!all && !other && strcmp(word, "same") != 0) ||
	    (most &&
	     !g_ascii_string_to_unsigned(most + 1, 10, 1, machine->sm.count, &left, NULL)))
		return FALSE;
	for (guint sm = 0; sm < machine->sm.count && left > 0; sm++) {
		works[sm] =
			all || (place_of(machine, model[sm]).partition == partition) != other;
		left -= (guint64)works[sm];
	}
	return TRUE;
}

/* Of each block of a launch of one for each SM, block i on the model's SM i: which of the chosen SMs its own is, - if none. */
static const char *ranks(const FormRow *row, const FormGiven *given, GError **error)
{
	const Machine *machine = row->machine;
	gboolean works[MAX_SMS] = {FALSE};
	guint model[MAX_SMS], n = 0;
	int rank[MAX_SMS];
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *list = NULL;
	TextValue value;

	if (!expression_value(given->from, &row->state, &value, error))
		return NULL;
	if (machine->sm.count > MAX_SMS ||
	    slice_map_sms(&machine->l2->map) != machine->sm.count) {
		atomsim_fail(error, ATOMSIM_ERROR_CONFIG,
			     "%s: names SMs by their numbers; allowed: a config whose l2.map "
			     "is a map of all sm.count",
			     csv_path(row->table));
		return NULL;
	}
	list = text_value_print(&value);
	model_sms(machine, model);
	if (!choose(machine, model, list, works)) {
		text_fail(error, row->state.name, given->place,
			  "'%.40s' found; allowed: numbers from 0 to %u, each once, with dots "
			  "between them, or all, same, other, or same:4",
			  list, machine->sm.count - 1);
		return NULL;
	}
	for (guint sm = 0; sm < machine->sm.count; sm++)
		rank[model[sm]] = works[sm] ? (int)n++ : -1;
	for (guint block = 0; block < machine->sm.count; block++)
		if (rank[block] < 0)
			g_string_append(text, block > 0 ? ".-" : "-");
		else
			g_string_append_printf(text, "%s%d", block > 0 ? "." : "", rank[block]);
	return g_string_chunk_insert_const(row->texts, text->str);
}

const char *form_given_value(const FormRow *row, const FormGiven *given, GError **error)
{
	return (given->kind == GIVEN_JOIN ? join : ranks)(row, given, error);
}
