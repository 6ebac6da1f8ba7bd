/* SPDX-License-Identifier: MIT */
/* What can be named in a config or on the command line, table by table. */
#include "cli/list/list.h"

#include "base/installed.h"
#include "base/json.h"
#include "cli/schemas.h"
#include "config/config.h"
#include "config/provenance.h"
#include "model/shared/hash.h"
#include "model/atomic/mechanism.h"
#include "model/atomic/winner.h"
#include "model/issue/scheduler.h"
#include "report/fields.h"
#include "trace/importer.h"
#include "trace/find.h"
#include "trace/reader.h"
#include "workloads/workload.h"

static void add_row(cJSON *table, const char *name, const char *summary)
{
	cJSON *row = cJSON_CreateObject();

	cJSON_AddStringToObject(row, "name", name);
	if (summary)
		cJSON_AddStringToObject(row, "summary", summary);
	cJSON_AddItemToArray(table, row);
}

static void list_hashes(cJSON *table)
{
	for (const HashKind *kind = hash_kinds; kind->name; kind++) {
		add_row(table, kind->name, kind->summary);
		cJSON *row = cJSON_GetArrayItem(table, cJSON_GetArraySize(table) - 1);
		cJSON_AddStringToObject(row, "sizes", kind->any_size ? "any" : "powers of two");
		cJSON_AddStringToObject(row, "source", kind->source);
	}
}

static void list_schedulers(cJSON *table)
{
	for (guint i = 0; schedulers[i]; i++)
		add_row(table, schedulers[i]->name, schedulers[i]->summary);
}

static void list_mechanisms(cJSON *table)
{
	for (guint i = 0; mechanisms[i]; i++)
		add_row(table, mechanisms[i]->name, mechanisms[i]->summary);
}

static void list_global_mechanisms(cJSON *table)
{
	for (guint i = 0; global_mechanisms[i]; i++)
		add_row(table, global_mechanisms[i]->name, global_mechanisms[i]->summary);
}

static void list_winners(cJSON *table)
{
	for (guint i = 0; i < N_WINNER_RULES; i++)
		add_row(table, winner_names[i], NULL);
}

static void list_workloads(cJSON *table)
{
	for (guint i = 0; workloads[i]; i++)
		add_row(table, workloads[i]->name, workloads[i]->summary);
}

static void list_importers(cJSON *table)
{
	for (guint i = 0; importers[i]; i++)
		add_row(table, importers[i]->name, importers[i]->summary);
}

/* A config's own words about itself; NULL: it has none, or does not load. g_free. */
static char *describe_config(const char *name)
{
	g_autoptr(Config) config = config_load(name, NULL, NULL);
	g_auto(ProvenanceCounts) counts = {0};
	g_autofree char *sums = NULL;

	if (config == NULL)
		return NULL;
	provenance_count(config, &counts);
	sums = provenance_counts_text(&counts);
	return g_strdup_printf("%s: %s", config_machine(config)->name, sums);
}

static char *describe_trace(const char *name)
{
	g_autoptr(TraceReader) reader = trace_open(name, NULL);
	const cJSON *metadata = reader ? trace_metadata_json(reader) : NULL;
	const char *kernel =
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(metadata, "kernel"));
	const char *gpu =
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(metadata, "gpu"));
	char *text = NULL;

	if (kernel != NULL)
		text = g_strdup_printf("%s%s%s, %" G_GUINT64_FORMAT " blocks", kernel,
				       gpu ? " on " : "", gpu ? gpu : "",
				       trace_source(reader)->n_blocks);
	return text;
}

/* Whether a config's file says that its values were found on a GPU which it does not describe: what others extend, and no machine. */
static gboolean is_base(const char *path)
{
	g_autofree char *text = NULL;
	const char *gpu, *name;
	g_autoptr(cJSON) root = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return FALSE;
	root = json_parse(text);
	gpu = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "gpu"));
	name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "name"));
	return gpu != NULL && g_strcmp0(gpu, name) != 0;
}

static void list_configs(cJSON *table)
{
	g_autoptr(GPtrArray) names = config_names();

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = config_find_installed(names->pdata[i]);
		g_autofree char *summary = NULL;

		if (path != NULL && is_base(path))
			continue;
		summary = describe_config(path);
		add_row(table, names->pdata[i], summary);
	}
}

static void list_designs(cJSON *table)
{
	g_autoptr(GPtrArray) names = config_matching("designs/*");

	for (guint i = 0; i < names->len; i++) {
		g_autoptr(Config) config = config_load(names->pdata[i], NULL, NULL);

		add_row(table, names->pdata[i], config ? config_machine(config)->name : NULL);
	}
}

static void list_traces(cJSON *table)
{
	g_auto(GStrv) folders = trace_search_path();
	g_autoptr(GPtrArray) names = installed_names(folders, ".bin");

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = installed_find(folders, names->pdata[i], "");
		g_autofree char *summary = describe_trace(path);

		add_row(table, names->pdata[i], summary);
	}
}

static void list_statistics(cJSON *table)
{
	for (guint i = 0; i < n_report_fields; i++) {
		const Field *field = &report_fields[i];
		g_autofree char *type = report_field_type(field);
		cJSON *row = cJSON_CreateObject();

		cJSON_AddStringToObject(row, "name", field->path);
		cJSON_AddStringToObject(row, "is", type);
		cJSON_AddStringToObject(row, "unit", field->unit ? field->unit : "");
		cJSON_AddStringToObject(row, "summary", field->doc);
		cJSON_AddStringToObject(row, "within",
					field->of_row == NULL ? report_field_within_words(field)
							      : "");
		cJSON_AddStringToObject(row, "counter", field->counter ? field->counter : "");
		cJSON_AddStringToObject(row, "law", field->law ? field->law : "");
		cJSON_AddItemToArray(table, row);
	}
}

static void list_commands(cJSON *table)
{
	for (guint i = 0; commands[i]; i++)
		add_row(table, commands[i]->name, commands[i]->summary);
}

static void list_schemas(cJSON *table)
{
	for (guint i = 0; schemas[i]; i++)
		add_row(table, schemas[i]->name, schemas[i]->title);
}

const ListTable list_tables[] = {
	{"hashes", "Hashes (shared.bank_hash, atomic.lock_hash)", list_hashes},
	{"schedulers", "Schedulers (sm.scheduler)", list_schedulers},
	{"mechanisms", "Mechanisms of shared-memory atomics (atomic.mechanism)",
	 list_mechanisms},
	{"global-mechanisms", "Mechanisms of global-memory atomics (global.atomic.mechanism)",
	 list_global_mechanisms},
	{"winners", "Rules for who wins a free lock (atomic.lock_bits.winner)", list_winners},
	{"workloads", "Workloads (atomsim gen)", list_workloads},
	{"importers", "Importers (atomsim trace import)", list_importers},
	{"configs", "Configs, found by name (--config)", list_configs},
	{"designs", "Designs, found by name (--config)", list_designs},
	{"traces", "Traces, found by name", list_traces},
	{"statistics", "Statistics (atomsim run --format json)", list_statistics},
	{"commands", "Commands", list_commands},
	{"schemas", "JSON Schemas (atomsim list --schema)", list_schemas},
	{NULL, NULL, NULL},
};
