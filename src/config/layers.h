/* SPDX-License-Identifier: MIT */
/*
 * A config in the making: defaults, then a file's base, the file, and each --set, one over the other.
 * Who may include it: config.
 */
#ifndef ATOMSIM_CONFIG_LAYERS_H
#define ATOMSIM_CONFIG_LAYERS_H

#include "config/config.h"
#include "config/document.h"
#include "config/expected.h"
#include "config/keys.h"
#include "config/problems.h"
#include "config/provenance.h"

/* Where a key's value came from. */
typedef struct {
	const char *place; /* in the config's texts */
	guint layer;	   /* 0: the default; higher is later */
	gboolean bad;	   /* what was given there is no value; already reported */
	const Provenance *
		provenance; /* of the config's texts; NULL: the row of the key, or, of a later layer, nothing says */
} Origin;

/* Names and places that configs point to. A copy of a config points to those of the original, too, and keeps
   them: there are some hundred, and a sweep copies configs a hundred thousand times. Counted, by any
   thread; only the config that made it puts something in. */
typedef struct Texts {
	GStringChunk *chunk;
	GPtrArray *provenance; /* Provenance, whose texts are in chunks */
	struct Texts *older;   /* NULL: none */
	guint n_older;	       /* with those that they keep; MAX_OLDER_TEXTS at most */
} Texts;

struct Config {
	Machine machine;
	Texts *texts;
	Origin *origins; /* n_keys */
	guint n_layers;
	GPtrArray *
		expected; /* ExpectedErrors, of this config or one that it began as; copies share it */
};

/* All keys at their defaults. config_free. */
Config *config_new(void);
Config *config_copy(const Config *config);

/* Lays a file's object over the config. What is wrong in it goes to `problems`. */
void config_lay_object(Config *config, const Document *document, Problems *problems);

/*
 * Lays a section's "provenance" over what the values of the same file have left: entries, each named as a key or by a pattern of keys.
 * `root` is the file, `section` dotted, "" for the file itself.
 */
void config_lay_provenance(Config *config, const Document *document, const cJSON *entries,
			   const char *section, Problems *problems);

/* Lays a "key=value" over the config; the value is JSON, or a bare word for a text. */
void config_lay_setting(Config *config, const char *setting, Problems *problems);

/* What must hold between keys. Those whose own value is bad are left out. */
void config_check(const Config *config, Problems *problems);

/* --- The words of --set (setting.c) --- */

/* The value of a "key=value", JSON or a bare word for a text, and the key's path (g_free). NULL if it is no such
   thing; without root if the value is bad: `problems` has why. document_free. */
Document *setting_parse(const char *setting, char **path, Problems *problems);

/* The longest section that the path's parts before its last name; "" if none does. g_free. */
char *setting_section(const char *path);

/* --- expected-errors.json (expected-file.c) --- */

/* The file beside a config.json; NULL: it has none, or a bad one, of which `problems` hears. expected_errors_free. */
ExpectedErrors *expected_errors_beside(const char *config_path, Problems *problems);
void expected_errors_free(gpointer errors);

#endif
