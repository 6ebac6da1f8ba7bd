/* SPDX-License-Identifier: MIT */
/* Loading: a file, the files that it extends, the settings, and the checks, in this order. */
#include "config/config.h"

#include <stdlib.h>

#include "config/keys.h"
#include "config/layers.h"
#include "config/search.h"
#include "config/value.h"
#include "base/error.h"

#define MAX_CHAIN 16 /* files that extend one another */

typedef struct {
	Config *config;
	Problems *problems;
	GPtrArray *chain; /* names of the files being loaded, outermost first */
	GPtrArray *real;  /* the same without links and dots: a cycle is seen by these */
} Loader;

static void load_text(Loader *loader, const char *path, const char *text, gsize length);

static char *real_path(const char *path)
{
	char *resolved = realpath(path, NULL);
	char *copy = g_strdup(resolved ? resolved : path);

	free(resolved);
	return copy;
}

static char *chain_text(const Loader *loader, const char *next)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < loader->chain->len; i++)
		g_string_append_printf(text, "%s -> ",
				       (const char *)g_ptr_array_index(loader->chain, i));
	return g_string_free(g_string_append(text, next), FALSE);
}

static void load_base(Loader *loader, const char *place, const char *name)
{
	const char *path = g_ptr_array_index(loader->chain, loader->chain->len - 1);
	g_autofree char *folder = g_path_get_dirname(path);
	g_autofree char *base = config_find(name, folder);
	g_autofree char *real = base ? real_path(base) : NULL;
	g_autofree char *chain = chain_text(loader, base ? base : name);
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;
	gsize length = 0;

	if (!base) {
		g_autofree char *why = config_not_found(name);

		problems_add(loader->problems, place, "/extends", "%s", why);
	} else if (g_ptr_array_find_with_equal_func(loader->real, real, g_str_equal, NULL)) {
		problems_add(loader->problems, place, "/extends", "a cycle: %s", chain);
	} else if (loader->chain->len >= MAX_CHAIN) {
		problems_add(loader->problems, place, "/extends", "more than %d files deep: %s",
			     MAX_CHAIN, chain);
	} else if (!config_read(base, &text, &length, &error)) {
		problems_add(loader->problems, place, "/extends", "%s", error->message);
	} else {
		load_text(loader, base, text, length);
	}
}

/* What is beside the file of the errors of some config: maybe of this one. */
static void add_expected(Loader *loader, const char *path)
{
	ExpectedErrors *errors = expected_errors_beside(path, loader->problems);

	if (errors)
		g_ptr_array_add(loader->config->expected, errors);
}

static void load_text(Loader *loader, const char *path, const char *text, gsize length)
{
	g_autoptr(Document) document =
		document_parse(path, TRUE, text, length, loader->problems);
	const cJSON *extends = NULL;

	if (!document->root)
		return;
	if (!cJSON_IsObject(document->root)) {
		g_autofree char *found = document_quote(document, document->root);
		g_autofree char *place =
			document_place(document, document_span(document, document->root));

		problems_add(loader->problems, place, NULL,
			     "found %s; allowed: an object of keys", found);
		return;
	}
	extends = cJSON_GetObjectItemCaseSensitive(document->root, "extends");
	if (cJSON_IsString(extends)) {
		g_autofree char *place =
			document_place(document, document_span(document, extends));

		g_ptr_array_add(loader->chain, g_strdup(path));
		g_ptr_array_add(loader->real, real_path(path));
		load_base(loader, place, extends->valuestring);
	}
	config_lay_object(loader->config, document, loader->problems);
	add_expected(loader, path);
}

static void match_expected(Config *config)
{
	Machine *machine = &config->machine;
	g_autofree char *checksum =
		config->expected->len > 0 ? expected_checksum(machine) : NULL;

	machine->expected = NULL;
	machine->changed = checksum != NULL;
	for (guint i = 0; i < config->expected->len && !machine->expected; i++) {
		const ExpectedErrors *errors = config->expected->pdata[i];

		if (g_str_equal(errors->checksum, checksum)) {
			machine->expected = errors;
			machine->changed = FALSE;
		}
	}
}

/* Which of the expected errors are of this machine. `from`: the config that it was copied from, which has chosen; NULL: none. A
   sweep copies a hundred thousand times. */
static void choose_expected(Config *config, const Config *from)
{
	Machine *machine = &config->machine;

	if (from && expected_same(machine, &from->machine))
		return; /* the copy has what it has */
	if (!from || !from->machine.expected) {
		match_expected(config);
		return;
	}
	machine->expected = NULL;
	machine->changed = TRUE;
}

/* Takes the config. Returns it with the settings laid over it, or NULL and *error. */
static Config *finish(Config *config, const Config *from, const char *const *settings,
		      Problems *problems, GError **error)
{
	g_autofree char *text = NULL;

	for (guint i = 0; settings && settings[i]; i++)
		config_lay_setting(config, settings[i], problems);
	config_check(config, problems);
	choose_expected(config, from);
	text = problems_text(problems);
	problems_clear(problems);
	if (!text)
		return config;
	atomsim_fail(error, problems->is_usage ? ATOMSIM_ERROR_USAGE : ATOMSIM_ERROR_CONFIG,
		     "%s", text);
	config_free(config);
	return NULL;
}

Config *config_load_text(const char *name, const char *text, gsize length,
			 const char *const *settings, GError **error)
{
	g_autoptr(GPtrArray) chain = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) real = g_ptr_array_new_with_free_func(g_free);
	Problems problems;
	Loader loader = {config_new(), &problems, chain, real};

	problems_init(&problems);
	load_text(&loader, name, text, length);
	return finish(loader.config, NULL, settings, &problems, error);
}

Config *config_load(const char *path_or_name, const char *const *settings, GError **error)
{
	g_autofree char *path = config_find(path_or_name, NULL);
	g_autofree char *text = NULL;
	gsize length = 0;

	if (!path) {
		g_autofree char *why = config_not_found(path_or_name);

		atomsim_fail(error, ATOMSIM_ERROR_IO, "%s", why);
		return NULL;
	}
	if (!config_read(path, &text, &length, error))
		return NULL;
	return config_load_text(path, text, length, settings, error);
}

Config *config_with(const Config *config, const char *const *settings, GError **error)
{
	Problems problems;

	problems_init(&problems);
	return finish(config_copy(config), config, settings, &problems, error);
}

/* Those that config knows, for a message. g_free. */
static char *mechanism_list(void)
{
	g_autoptr(GString) list = g_string_new(NULL);

	for (guint m = 0; mechanisms[m] != NULL; m++)
		g_string_append_printf(list, "%s%s", m > 0 ? ", " : "", mechanisms[m]->name);
	return g_string_free(g_steal_pointer(&list), FALSE);
}

gboolean config_use_mechanisms(Config *config, const char *const *names, GError **error)
{
	g_autofree char *text = NULL;
	Problems problems;

	for (guint i = 0; names[i] != NULL; i++) {
		const Mechanism *mechanism = mechanism_find(names[i]);

		if (mechanism == NULL) {
			g_autofree char *allowed = mechanism_list();

			return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
					    "mechanism '%s' found; allowed: %s", names[i],
					    allowed);
		}
		config->machine.atomic.named |= 1u << mechanism_place(mechanism);
	}
	problems_init(&problems);
	config_check(config, &problems);
	text = problems_text(&problems);
	problems_clear(&problems);
	if (text != NULL)
		atomsim_fail(error, ATOMSIM_ERROR_CONFIG, "%s", text);
	return text == NULL;
}

gboolean config_set_launch(LaunchState *launch, const char *path, const char *value,
			   char **allowed)
{
	const Key *key = g_str_has_prefix(path, "launch.") ? key_find(path) : NULL;
	Machine machine = {.launch = *launch};
	g_autofree char *why = NULL;
	const cJSON *at = NULL;
	cJSON *item;
	gboolean good;

	if (key == NULL) {
		*allowed = g_strdup("columns launch.l2, launch.place, launch.sms and "
				    "launch.warps");
		return FALSE;
	}
	item = key->names != NULL ? cJSON_CreateString(value) : cJSON_Parse(value);
	good = value_set(&machine, key, item, NULL, &why, &at);
	cJSON_Delete(item);
	if (good)
		*launch = machine.launch;
	else
		*allowed = value_allowed(key);
	return good;
}

const Machine *config_machine(const Config *config)
{
	return &config->machine;
}
