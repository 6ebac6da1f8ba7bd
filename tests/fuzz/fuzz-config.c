/* SPDX-License-Identifier: MIT */
/* Fuzz target: any bytes as a config file, and as a --set. What loads must come back from its JSON. */
#include <stdint.h>
#include <string.h>

#include "config/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Nowhere: "extends" must find no file of this machine. */
#define NAME "/nonexistent/fuzz.json"

static void check_round_trip(const Config *config)
{
	g_autofree char *json = config_to_json(config);
	g_autofree char *again = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) copy = config_load_text(NAME, json, strlen(json), NULL, &error);

	g_assert_no_error(error);
	again = config_to_json(copy);
	g_assert_cmpstr(json, ==, again);
}

/* An error is lines of UTF-8 without control characters. */
static void check_error(const GError *error)
{
	g_assert_true(g_utf8_validate(error->message, -1, NULL));
	for (const char *c = error->message; *c; c++)
		g_assert_true((guchar)*c >= 0x20 || *c == '\n');
}

static void try_text(const char *text, gsize length, const char *const *settings)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = config_load_text(NAME, text, length, settings, &error);

	g_assert_true((config == NULL) == (error != NULL));
	if (config)
		check_round_trip(config);
	else
		check_error(error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *setting = g_strndup((const char *)data, size);
	const char *const settings[] = {setting, NULL};

	try_text((const char *)data, size, NULL);
	try_text("{}", 2, settings);
	return 0;
}
