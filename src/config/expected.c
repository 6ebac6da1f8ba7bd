/* SPDX-License-Identifier: MIT */
#include "config/expected.h"

#include "config/layers.h"
#include "config/value.h"

static gboolean matters(const Key *key)
{
	return !g_str_equal(key->path, "name") && !g_str_has_prefix(key->path, "sim.") &&
	       key->acts_on != KEY_ACTS_NEVER;
}

static gpointer load_defaults(gpointer unused)
{
	(void)unused;
	return config_new();
}

char *expected_checksum(const Machine *machine)
{
	static GOnce once = G_ONCE_INIT;
	const Config *defaults = g_once(&once, load_defaults, NULL);
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < key_count(); i++) {
		const Key *key = key_at(i);
		g_autofree char *value = NULL;

		if (!matters(key) || value_same(machine, &defaults->machine, key))
			continue;
		value = value_text(machine, key);
		g_string_append_printf(text, "%s=%s\n", key->path, value);
	}
	return g_compute_checksum_for_string(G_CHECKSUM_SHA256, text->str, (gssize)text->len);
}

gboolean expected_same(const Machine *a, const Machine *b)
{
	for (guint i = 0; i < key_count(); i++)
		if (matters(key_at(i)) && !value_same(a, b, key_at(i)))
			return FALSE;
	return TRUE;
}
