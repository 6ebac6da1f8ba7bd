/* SPDX-License-Identifier: MIT */
/* Runs of a form's program: one for each figure that is made of a run. */

#include "replay/expected-error.h"
#include "replay/launch-time.h"
#include "replay/replay.h"
#include "validate/frame/form.h"
#include "validate/frame/validate-rows.h"
#include "workloads/workload.h"

const char *const form_statistics[] = {
	"cycles", "blocks_end_cycles", "busy_cycles", "watched_cycles",
	"passes", "conflict_passes",   "sm_cycles",   NULL};

typedef enum {
	RUN_CYCLES,
	RUN_BLOCKS_END,
	RUN_BUSY,
	RUN_WATCHED,
	RUN_PASSES,
	RUN_CONFLICTS,
	RUN_SM
} RunStatistic;

/* --- What is watched: from an access's issue to that of its warp's next instruction --- */

typedef struct {
	Observer observer; /* first */
	uint32_t site, warp;
	gboolean began, ended;
	Cycle begin, end;
} Watch;

static void observe(Observer *observer, const Instruction *instruction)
{
	Watch *watch = (Watch *)observer;

	if (instruction->record->site == watch->site &&
	    instruction->record->kind != RECORD_CODE && !watch->began) {
		watch->began = TRUE;
		watch->warp = instruction->warp;
		watch->begin = instruction->issue;
	} else if (watch->began && !watch->ended && instruction->warp == watch->warp) {
		watch->ended = TRUE;
		watch->end = instruction->issue;
	}
}

/* --- The trace --- */

/* The row's settings, and these parameters behind them. */
typedef struct {
	GPtrArray *names,
		*values; /* NULL at their ends; the values behind the row's are g_free'd */
	TextSettings settings;
} Changed;

static gboolean change(const FormRow *row, const FormCell *parameters, Changed *changed,
		       GError **error)
{
	g_autofree const char **known = trace_text_parameters(row->form->text, FALSE);

	changed->names = g_ptr_array_new();
	changed->values = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; row->names[i] != NULL; i++) {
		g_ptr_array_add(changed->names, (gpointer)row->names[i]);
		g_ptr_array_add(changed->values, g_strdup(row->values[i]));
	}
	for (const FormCell *cell = parameters; cell != NULL; cell = cell->next) {
		TextValue value;

		if (!g_strv_contains(known, cell->column))
			return text_fail(error, row->state.name, cell->value->place,
					 "no parameter '%s'; allowed: those that the text "
					 "declares",
					 cell->column);
		if (!expression_value(cell->value, &row->state, &value, error))
			return FALSE;
		g_ptr_array_add(changed->names, (gpointer)cell->column);
		g_ptr_array_add(changed->values, text_value_print(&value));
	}
	g_ptr_array_add(changed->names, NULL);
	g_ptr_array_add(changed->values, NULL);
	changed->settings = (TextSettings){(const char *const *)changed->names->pdata,
					   (const char *const *)changed->values->pdata};
	return TRUE;
}

static void changed_clear(Changed *changed)
{
	g_clear_pointer(&changed->names, g_ptr_array_unref);
	g_clear_pointer(&changed->values, g_ptr_array_unref);
}

/* The trace of the workload that the form names; settings without a value keep their defaults. */
static GBytes *generate(const FormRow *row, const Changed *changed, GError **error)
{
	g_autofree TextValue *values =
		trace_text_values(row->form->text, &changed->settings, NULL, error);
	const TextState state = {.name = row->state.name, .values = values};
	g_autoptr(GPtrArray) settings = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *name = NULL;
	const Workload *workload;
	TextValue value;

	if (values == NULL || !expression_value(row->point->workload, &state, &value, error))
		return NULL;
	name = text_value_print(&value);
	workload = workload_find(name, error);
	if (workload == NULL)
		return NULL;
	for (const FormCell *cell = row->point->settings; cell != NULL; cell = cell->next) {
		g_autofree char *text = NULL;

		if (!expression_value(cell->value, &state, &value, error))
			return NULL;
		text = text_value_print(&value);
		if (*text == '\0')
			continue;
		g_ptr_array_add(settings, g_strconcat(cell->column, "=", text, NULL));
	}
	g_ptr_array_add(settings, NULL);
	return workload_generate_bytes(workload, (const char *const *)settings->pdata, error);
}

static GBytes *make_trace(const FormRow *row, const Changed *changed, TextOutcome *outcome,
			  const char **skipped, GError **error)
{
	GBytes *bytes;

	if (row->point->workload != NULL)
		return generate(row, changed, error);
	bytes = trace_text_assemble(row->form->text, &changed->settings, outcome, error);
	*skipped = outcome->skipped ? g_intern_string(outcome->skipped) : NULL;
	return bytes;
}

/* The trace's source, in which sparse buffers are as large as what of them takes room. *bytes: g_free behind the run. */
static const RecordSource *source_of(TraceReader *reader, const TextOutcome *outcome,
				     uint64_t **bytes)
{
	RecordSource *source = trace_source(reader);
	KernelInfo *kernel = &source->kernel;

	*bytes = g_memdup2(kernel->buffer_bytes, kernel->n_buffers * sizeof(**bytes));
	for (guint i = 0; i < kernel->n_buffers; i++)
		if (i < TRACE_TEXT_MAX_BUFFERS && outcome->room_bytes[i] > 0)
			(*bytes)[i] = outcome->room_bytes[i];
	kernel->buffer_bytes = *bytes;
	return source;
}

/* --- The run --- */

/* What the row's launch finds: its blocks on so many SMs, its warps begun together. */
static gboolean launch_of(const FormRow *row, LaunchState *state, GError **error)
{
	gint64 n_sms = row->machine->launch.sms;

	if (row->point->sms && !expression_range(row->point->sms, &row->state, "sms", 1,
						 row->machine->sm.count, &n_sms, error))
		return FALSE;
	*state = row->point->together ? launch_together(row->machine) : row->machine->launch;
	state->sms = (uint32_t)n_sms;
	return TRUE;
}

static gboolean run_trace(const FormRow *row, GBytes *bytes, const TextOutcome *outcome,
			  guint statistic, double *value, GError **error)
{
	g_autofree char *place =
		g_strdup_printf("%s:%u", csv_path(row->table), csv_line(row->table, row->row));
	g_autoptr(TraceReader) reader = trace_open_bytes(place, bytes, error);
	Watch watch = {.observer.instruction = observe, .site = outcome->watched_site};
	g_auto(ReplayResult) result = {0};
	const Statistics *statistics = &result.run.statistics;
	LaunchState state;

	if (reader == NULL || !launch_of(row, &state, error))
		return FALSE;
	const Machine machine = machine_in_state(row->machine, &state);
	g_autofree uint64_t *room_bytes = NULL;
	const RecordSource *source = source_of(reader, outcome, &room_bytes);
	g_autoptr(SmClocks) clocks = sm_clocks_new(&machine, (guint)source->n_blocks);
	const Replay replay = {.machine = &machine,
			       .reader = reader,
			       .name = place,
			       .n_threads = 1,
			       .observer = statistic == RUN_WATCHED ? &watch.observer
					   : statistic == RUN_SM    ? sm_clocks_observer(clocks)
								    : NULL};

	if (!replay_run(&replay, &result, error))
		return FALSE;
	const double values[] = {
		[RUN_CYCLES] = (double)statistics->cycles,
		[RUN_BLOCKS_END] = (double)statistics->busy_cycles,
		[RUN_BUSY] = (double)launch_busy_cycles(&machine, statistics),
		[RUN_WATCHED] = (double)(watch.end - watch.begin),
		[RUN_PASSES] = (double)statistics->shared.passes,
		[RUN_CONFLICTS] = (double)statistics->shared.conflict_passes,
		[RUN_SM] = (double)sm_clocks_read(clocks),
	};

	*value = values[statistic];
	if (row->launch_class != NULL)
		*row->launch_class = expected_class(&machine, statistics);
	return TRUE;
}

gboolean form_run(const FormRow *row, const FormCell *parameters, guint statistic,
		  double *value, const char **skipped, GError **error)
{
	g_autoptr(GBytes) bytes = NULL;
	Changed changed = {0};
	TextOutcome outcome = {0};
	gboolean good = change(row, parameters, &changed, error);

	if (good)
		bytes = make_trace(row, &changed, &outcome, skipped, error);
	good = bytes != NULL && run_trace(row, bytes, &outcome, statistic, value, error);
	g_free(outcome.skipped);
	changed_clear(&changed);
	return good;
}
