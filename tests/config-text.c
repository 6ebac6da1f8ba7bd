/* SPDX-License-Identifier: MIT */
#include "config-text.h"

#include <string.h>

#include "base/error.h"

Config *load_text(const char *text, const char *const *settings)
{
	g_autoptr(GError) error = NULL;
	Config *config = config_load_text("t.json", text, strlen(text), settings, &error);

	g_assert_no_error(error);
	return config;
}

char *failure_of_text(const char *text, gsize length, const char *const *settings)
{
	g_autoptr(GError) error = NULL;

	g_assert_null(config_load_text("t.json", text, length, settings, &error));
	g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_CONFIG);
	return g_strdup(error->message);
}
