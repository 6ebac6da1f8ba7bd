/* SPDX-License-Identifier: MIT */
/*
 * Configs: JSON files whose keys are the table in keys.c. Who may include it: cli, explore, report.
 */
#ifndef ATOMSIM_CONFIG_CONFIG_H
#define ATOMSIM_CONFIG_CONFIG_H

#include <glib.h>
#include <stdio.h>

#include "sim/run/machine.h"
#include "base/json-shape.h"

typedef struct Config Config; /* a machine and where each of its values came from */

/*
 * Loads a config: a path, else a name in the installed configs (`fermi.json`; ATOMSIM_CONFIG_PATH,
 * a colon-separated list of folders, is searched first). `settings` is a NULL-terminated array of "key=value"
 * from --set, or NULL. On failure *error is ATOMSIM_ERROR_CONFIG (or _IO), its message holding ALL
 * problems, one a line, each "file:line:column: /key/path: found; allowed".
 */
Config *config_load(const char *path_or_name, const char *const *settings, GError **error);

/* The same for a text in memory of any bytes. `name` is what errors call it and where "extends"
   starts to look. */
Config *config_load_text(const char *name, const char *text, gsize length,
			 const char *const *settings, GError **error);

/*
 * Says that atomics will name mechanisms of their own (NULL-terminated) beside the machine's. Errors:
 * ATOMSIM_ERROR_USAGE for an unknown one, _CONFIG where the machine's keys do not suit it.
 */
gboolean config_use_mechanisms(Config *config, const char *const *names, GError **error);

/* A copy with further settings applied and checked; for sweeps. */
Config *config_with(const Config *config, const char *const *settings, GError **error);

void config_free(Config *config);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Config, config_free)

/* The machine; owned by the config, constant. */
const Machine *config_machine(const Config *config);

/* Puts a value as --set takes it into what a launch finds, by its key's path. FALSE, and nothing changed: there is no such key, or it
   cannot have that; *allowed says what is (g_free). */
gboolean config_set_launch(LaunchState *launch, const char *path, const char *value,
			   char **allowed);

/* A key whose value is a whole number. */
typedef struct {
	const char *path; /* constant */
	guint64 value, min, max;
	guint64 multiple; /* that the value must be of; 1: any */
	const char *unit; /* constant; NULL: none */
} ConfigNumber;

/* The key of that dotted path. ATOMSIM_ERROR_CONFIG if there is none, or its value is no number. */
gboolean config_number(const Config *config, const char *path, ConfigNumber *number,
		       GError **error);

/* The effective config, whole, as a JSON object (every key, in table order; hashes as a name or an
   object), formatted. g_free. */
char *config_to_json(const Config *config);
/* As a cJSON object, for embedding in a report. cJSON_Delete. */
struct cJSON *config_to_cjson(const Config *config);

/* Keys the literature does not fix (assumption = true in the table) with their effective values, of those
   that act on what a run has had (`acted`: KEY_ACTS_* of base/key.h): NULL-terminated "key = value"
   strings. g_strfreev. */
char **config_assumptions(const Config *config, uint64_t acted);

/*
 * A hash as the value of a config's key: a name such as xor or, as JSON, {"matrix": [...]}; of a file
 * always JSON. `place` is what errors call it. Whether it can have a size: hash_problem. Errors:
 * ATOMSIM_ERROR_CONFIG.
 */
gboolean config_parse_hash(const char *place, gboolean is_file, const char *text, gsize length,
			   HashSpec *spec, GError **error);
/* The same back: what a config would hold. cJSON_Delete. */
struct cJSON *config_hash_to_cjson(const HashSpec *spec);

/* The table, for people: `--help-config`. */
void config_print_help(FILE *stream);
/* The same as tables for docs/reference/configs.md. g_free. */
char *config_markdown(void);

/* A file of that name beside a config, which a path or name means, if that is a machine's folder. NULL: none. g_free. */
char *config_beside(const char *path_or_name, const char *name);

/* The names of the configs in those folders, "fermi.json", of a machine that is a folder too; sorted. g_ptr_array_unref. */
GPtrArray *config_names(void);
/* The names in those folders that a pattern means, as of a shell, with "*" and "?"; without ".json", sorted.
   g_ptr_array_unref. */
GPtrArray *config_matching(const char *pattern);
/* The file that a name means; NULL: none. g_free. */
char *config_find_installed(const char *name);

/* --- A config with the provenance of each value, for people and as a config file again (explain.c) --- */

/* How many values come from where, then a line for each value. g_free. */
char *config_explain(const Config *config);

/* The effective config, whole, with a "provenance" in each section: a file with the same values and the same provenance. g_free. */
char *config_explain_json(const Config *config);

/* --- The table of keys as a JSON Schema, for editors and other tools (schema.c) --- */

/* A config's file, and the config that `atomsim config` prints. */
extern const Shape config_shape;

#endif
