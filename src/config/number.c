/* SPDX-License-Identifier: MIT */
/* Keys as numbers, for those who vary them. */
#include "config/layers.h"
#include "config/value.h"
#include "base/error.h"

/* In the words of --set: it suggests what was meant. */
static void set_unknown_key(const Config *config, const char *path, GError **error)
{
	g_autofree char *setting = g_strconcat(path, "=0", NULL);
	const char *const settings[] = {setting, NULL};
	g_autoptr(Config) none = config_with(config, settings, error);

	g_assert(!none);
}

gboolean config_number(const Config *config, const char *path, ConfigNumber *number,
		       GError **error)
{
	const Key *key = key_find(path);

	if (!key) {
		set_unknown_key(config, path, error);
		return FALSE;
	}
	if (key->type != KEY_UINT32 && key->type != KEY_UINT64) {
		g_autofree char *allowed = value_allowed(key);

		return atomsim_fail(error, ATOMSIM_ERROR_CONFIG,
				    "%s is no number: its values are %s", path, allowed);
	}
	*number = (ConfigNumber){.path = key->path,
				 .value = value_number(&config->machine, key),
				 .min = key->min,
				 .max = key->max,
				 .multiple = key->multiple ? key->multiple : 1,
				 .unit = key->unit};
	return TRUE;
}
