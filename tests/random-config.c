/* SPDX-License-Identifier: MIT */
#include "random-config.h"

#include "config/keys.h"

/* The ends of the range, values near the lower one, and any. */
static guint64 random_number(GRand *rand, const Key *key)
{
	guint64 step = key->multiple ? key->multiple : 1, span = (key->max - key->min) / step;
	guint64 n;

	switch (g_rand_int_range(rand, 0, 8)) {
	case 0:
		n = 0;
		break;
	case 1:
		n = span;
		break;
	case 2:
		n = (guint64)(g_rand_double(rand) * (double)span);
		break;
	default:
		n = g_rand_int(rand) % (MIN(span, 60) + 1);
	}
	return key->min + MIN(n, span) * step;
}

static char *random_value(GRand *rand, const Key *key)
{
	guint n = 0;

	switch (key->type) {
	case KEY_UINT32:
	case KEY_UINT64:
		return g_strdup_printf("%" G_GUINT64_FORMAT, random_number(rand, key));
	case KEY_CHOICE:
	case KEY_PLUGIN:
		while (key_name(key->names, n))
			n++;
		return g_strdup(key_name(key->names, g_rand_int(rand) % n));
	case KEY_HASH:
		while (hash_kinds[n].name)
			n++;
		return g_strdup(hash_kinds[g_rand_int(rand) % n].name);
	case KEY_MAP:
		return g_strdup(g_rand_boolean(rand)
					? "walk"
					: "{\"line_bits\":[1],\"pages\":[[0,1],[1,0]],"
					  "\"group_sms\":[3,5]}");
	default:
		return g_strdup("any");
	}
}

Config *random_config(GRand *rand, const char *base, gboolean (*may_change)(const char *path),
		      char **text)
{
	g_autoptr(GPtrArray) settings = g_ptr_array_new_with_free_func(g_free);
	Config *config;

	for (int n = g_rand_int_range(rand, 1, 9); n > 0; n--) {
		const Key *key = key_at(g_rand_int(rand) % key_count());
		g_autofree char *value = random_value(rand, key);

		if (may_change && !may_change(key->path)) {
			n++;
			continue;
		}
		g_ptr_array_add(settings, g_strdup_printf("%s=%s", key->path, value));
	}
	g_ptr_array_add(settings, NULL);
	*text = g_strjoinv(" --set ", (char **)settings->pdata);
	config = config_load(base, (const char *const *)settings->pdata, NULL);
	return config;
}
