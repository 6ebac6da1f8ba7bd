/* SPDX-License-Identifier: MIT */
/* atomsim derive: values of keys from a folder of measurements, and a machine of them. */
#include "cli/cli.h"
#include "cli/option.h"

#include <string.h>

#include "base/error.h"
#include "cli/derive/derive.h"
#include "config/provenance.h"
#include "config/search.h"

#define LIST   "underived.csv" /* beside a machine's config */
#define CONFIG "config.json"
#define MAP    "map.json"

typedef struct {
	gboolean check;
	char *config, *table, *output, *name, *compare;
	char **settings, **folders;
} Options;

static const OutputKind config_kind = {"a config", {"{", NULL}};

/* The config whose keys a GPU inherits if nobody names one: that of the nearest GPU that somebody measured. */
static const struct {
	guint capability;
	const char *config;
} bases[] = {{90, "h200"}, {80, "a100"}, {61, "gtx1080"}, {0, "nvidia"}};

static gboolean check_options(const Options *options, GError **error)
{
	const char *problem = NULL;

	if (options->folders == NULL || options->folders[1] != NULL)
		problem = "derive: allowed: one folder of measurements";
	else if (options->check && options->output)
		problem = "derive: allowed: --check or --output";
	else if (options->settings && options->output)
		problem = "derive: allowed: --set or --output: what is written extends the "
			  "config without settings";
	if (problem != NULL)
		atomsim_fail(error, ATOMSIM_ERROR_USAGE, "%s", problem);
	return problem == NULL;
}

/* The config to compare with and to extend: that of --config, or else by compute capability. */
static gboolean choose_config(Options *options, GError **error)
{
	g_autofree char *gpu = NULL;
	guint capability, i = 0;

	if (options->config)
		return TRUE;
	if (!derive_gpu(options->folders[0], &gpu, &capability, error))
		return FALSE;
	if (capability == 0)
		return atomsim_fail(
			error, ATOMSIM_ERROR_USAGE,
			"derive: %s has no gpu.json with a compute capability; allowed: "
			"with one, or --config; for example: --config h200",
			options->folders[0]);
	while (bases[i].capability != 0 && bases[i].capability != capability)
		i++;
	options->config = g_strdup(bases[i].config);
	g_printerr("%s: compute capability %u.%u, so what is not derived is inherited from %s"
		   "%s\n",
		   gpu ? gpu : options->folders[0], capability / 10, capability % 10,
		   options->config,
		   bases[i].capability ? ", a GPU of the same"
				       : ", as no GPU of the same was measured");
	return TRUE;
}

static gboolean find_table(Options *options, GError **error)
{
	if (!options->table)
		options->table = config_find_installed(DERIVE_TABLE);
	return options->table || atomsim_fail(error, ATOMSIM_ERROR_USAGE,
					      "derive: no " DERIVE_TABLE
					      " among the installed configs; allowed: with "
					      "one, or --table");
}

/* --- A machine's folder --- */

static gboolean write_beside(const char *folder, const char *name, const char *text,
			     GError **error)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);

	return overwrite_plan(path, &config_kind, error) &&
	       output_write_file(path, &config_kind, text, strlen(text), error);
}

/* What the written config extends: an installed one by its name, another by its whole path, as it is not in the folder. g_free. */
static char *base_of(const char *config)
{
	g_autofree char *installed = config_find_installed(config);
	g_autofree char *found = config_find(config, NULL);

	return g_strcmp0(installed, found) == 0 ? g_strdup(config)
						: g_canonicalize_filename(found, NULL);
}

/* Whether the machine can be loaded, before a good one is overwritten by it. */
static gboolean check_machine(const char *path, const Derived *derived, const char *base,
			      const char *name, GError **error)
{
	g_autofree char *text = derived_config(derived, base, name, NULL);
	g_autofree char *map = derived->map ? g_strconcat("l2.map=", derived->map, NULL) : NULL;
	const char *const settings[] = {map, NULL};
	g_autoptr(Config) config = config_load_text(path, text, strlen(text), settings, error);

	return config != NULL;
}

/* Loads what was written, and says what it has of what. */
static gboolean say_counts(const Options *options, const char *path, GError **error)
{
	g_autoptr(Config) config = config_load(path, NULL, error);
	g_auto(ProvenanceCounts) counts = {0};
	g_autofree char *text = NULL;

	if (!config)
		return FALSE;
	provenance_count(config, &counts);
	text = provenance_counts_text(&counts);
	g_printerr("%s: %s\n", options->output, text);
	return TRUE;
}

static gboolean write_folder(const Options *options, const Derived *derived, GError **error)
{
	const char *name = options->name  ? options->name
			   : derived->gpu ? derived->gpu
					  : "my GPU";
	g_autofree char *base = base_of(options->config);
	g_autofree char *path = g_build_filename(options->output, CONFIG, NULL);
	g_autofree char *text = derived_config(derived, base, name, derived->map ? MAP : NULL);

	if (!check_machine(path, derived, base, name, error))
		return FALSE;
	if (g_mkdir_with_parents(options->output, 0777) != 0)
		return atomsim_fail(error, ATOMSIM_ERROR_IO, "%s: cannot make the folder",
				    options->output);
	return (!derived->map || write_beside(options->output, MAP, derived->map, error)) &&
	       write_beside(options->output, CONFIG, text, error) &&
	       say_counts(options, path, error);
}

/* --- */

static gboolean write_result(const Options *options, const Derived *derived, GError **error)
{
	g_autofree char *text = NULL;

	if (options->output)
		return write_folder(options, derived, error);
	text = derive_to_csv(derived);
	return cli_write_output(NULL, NULL, text, strlen(text), error);
}

static gboolean derive_all(Options *options, guint *n_wrong, GError **error)
{
	g_autoptr(Config) config = NULL;
	g_autoptr(Derived) derived = NULL, other = NULL;
	g_autofree char *list = NULL;

	if (!check_options(options, error) || !choose_config(options, error) ||
	    !find_table(options, error))
		return FALSE;
	config = config_load(options->config, (const char *const *)options->settings, error);
	derived = config ? derive(config, options->table, options->folders[0], error) : NULL;
	if (derived && options->compare) {
		other = derive(config, options->table, options->compare, error);
		if (!other)
			return FALSE;
		derived_compare(derived, other);
	}
	if (!derived || !write_result(options, derived, error))
		return FALSE;
	derive_report(derived);
	list = config_beside(options->config, LIST);
	return !options->check || derive_check(derived, config, list, n_wrong, error);
}

/* What the user gave. */
static Options given;

static const GOptionEntry entries[] = {
	{"config", 0, 0, G_OPTION_ARG_FILENAME, &given.config,
	 "Inherit values that are not derived from CONFIG (default: by compute "
	 "capability)",
	 "CONFIG"},
	{"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &given.settings,
	 "Change a key of the config first", "KEY=VALUE"},
	{"table", 0, 0, G_OPTION_ARG_FILENAME, &given.table,
	 "Derive by the formulas of this table", "FILE.csv"},
	{"compare", 0, 0, G_OPTION_ARG_FILENAME, &given.compare,
	 "Also show the values of another run, or of another GPU of that model", "FOLDER"},
	{"check", 0, 0, G_OPTION_ARG_NONE, &given.check,
	 "Exit with status 1 if the config has another value", NULL},
	{"name", 0, 0, G_OPTION_ARG_STRING, &given.name,
	 "Name of the machine (default: the name in gpu.json)", "NAME"},
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &given.output,
	 "Write a machine to FOLDER: config.json, which extends CONFIG, and map.json",
	 "FOLDER"},
	OPTION_OPERANDS(&given.folders),
	OPTION_END,
};

static CliStatus run(GError **error)
{
	guint n_wrong = 0;

	if (!derive_all(&given, &n_wrong, error))
		return CLI_FAILED;
	return n_wrong > 0 ? CLI_FAILED : CLI_GOOD;
}

const Command command_derive = {
	.name = "derive",
	.synopsis = "[OPTION]... FOLDER",
	.summary = "Derive the config of a GPU from its measurements",
	.examples = "atomsim derive -o my-gpu my-gpu-measurements\n"
		    "atomsim derive --check --config my-gpu my-gpu-measurements",
	.failure = "(--check) a config with another value",
	.options = entries,
	.run = run,
};
