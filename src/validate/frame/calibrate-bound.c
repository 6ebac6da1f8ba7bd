/* SPDX-License-Identifier: MIT */
/* What holds a fitted value where it is: the config's rules, asked for one step further. */
#include <string.h>

#include "config/keys.h"
#include "validate/frame/calibrate-internal.h"

#define KEYS_NAMED 3

/* Whether there can be a config with the fitted values, key `i` one step up or down, and another key at `setting` (NULL: none). */
static gboolean allows(const Fit *fit, const Values fitted, guint i, gboolean up,
		       const char *setting)
{
	const char *const settings[] = {setting, NULL};
	g_autoptr(Config) one = NULL;
	g_autoptr(Config) base = config_with(fit->config, settings, NULL);
	Fit other = *fit;
	Values values;

	memcpy(values, fitted, sizeof(values));
	values[i] += up ? 1 : -(guint64)1;
	other.config = base;
	if (base != NULL)
		one = fit_config(&other, values, NULL);
	return one != NULL;
}

/* Whether a step of a key that is not fitted lets the other one go on. */
static gboolean relieves(const Fit *fit, const Values fitted, guint i, gboolean up,
			 const ConfigNumber *key)
{
	const guint64 steps[] = {key->value + key->multiple, key->value - key->multiple};
	const gboolean can[] = {key->value + key->multiple <= key->max,
				key->value >= key->min + key->multiple};

	for (guint s = 0; s < G_N_ELEMENTS(steps); s++) {
		g_autofree char *setting =
			g_strdup_printf("%s=%" G_GUINT64_FORMAT, key->path, steps[s]);

		if (can[s] && allows(fit, fitted, i, up, setting))
			return TRUE;
	}
	return FALSE;
}

/* The same of one that is fitted as well. */
static gboolean relieves_fitted(const Fit *fit, const Values fitted, guint i, gboolean up,
				guint k)
{
	Values values;
	gboolean good = FALSE;

	for (gint step = -1; step <= 1 && !good; step += 2) {
		memcpy(values, fitted, sizeof(values));
		values[k] += (guint64)step;
		good = allows(fit, values, i, up, NULL);
	}
	return good;
}

static guint place_of(const Fit *fit, const char *path)
{
	guint k = 0;

	while (k < fit->n && strcmp(fit->keys[k].path, path) != 0)
		k++;
	return k;
}

/* Keys by which it is bound: a key of the same value alone, "<= atomic.lock_bits.t_position_cycles", else the value and all
   of them. g_free. */
static char *name_keys(const Fit *fit, const Values fitted, guint i, gboolean up)
{
	const guint64 value = fitted[i] * fit->keys[i].multiple;
	const char *than = up ? "<=" : ">=";
	GString *text = g_string_new(NULL);
	guint n = 0;

	g_string_printf(text, "%s %" G_GUINT64_FORMAT, than, value);
	for (guint row = 0; row < key_count() && n < KEYS_NAMED; row++) {
		const guint k = place_of(fit, key_at(row)->path);
		ConfigNumber key;

		if (k == i || !config_number(fit->config, key_at(row)->path, &key, NULL))
			continue;
		if (k < fit->n)
			key.value = fitted[k] * key.multiple;
		if (k < fit->n ? !relieves_fitted(fit, fitted, i, up, k)
			       : !relieves(fit, fitted, i, up, &key))
			continue;
		if (key.value == value) {
			g_string_printf(text, "%s %s", than, key.path);
			break;
		}
		g_string_append_printf(text, "%s %s", n++ > 0 ? "," : " by", key.path);
	}
	return g_string_free(text, FALSE);
}

char *fit_bound(const Fit *fit, const Values fitted, guint i)
{
	const ConfigNumber *key = &fit->keys[i];
	const guint64 value = fitted[i] * key->multiple;

	if (value + key->multiple > key->max)
		return g_strdup_printf("<= %" G_GUINT64_FORMAT, key->max);
	if (value < key->min + key->multiple)
		return g_strdup_printf(">= %" G_GUINT64_FORMAT, key->min);
	for (gint up = 1; up >= 0; up--)
		if (!allows(fit, fitted, i, up, NULL))
			return name_keys(fit, fitted, i, up);
	return NULL;
}
