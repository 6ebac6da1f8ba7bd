/* SPDX-License-Identifier: MIT */
/* What a config keeps: the machine, the parameters of its parts, where each value came from, and all texts. */
#include "config/layers.h"

#include "config/value.h"

/* A copy of a copy of a copy keeps the texts of all of them, up to so many. */
#define MAX_OLDER_TEXTS 8

static void set_default(Config *config, guint i)
{
	g_autofree char *why = NULL;
	const cJSON *at = NULL;
	const char *default_value = key_at(i)->default_value;
	/* Numbers and names are all that defaults need. */
	cJSON *item = g_ascii_isdigit(*default_value)
			      ? cJSON_CreateNumber(g_ascii_strtod(default_value, NULL))
			      : cJSON_CreateString(default_value);
	gboolean good =
		value_set(&config->machine, key_at(i), item, config->texts->chunk, &why, &at);

	g_assert(good);
	cJSON_Delete(item);
	config->origins[i].place = "default";
}

/* Where the machine points to the part's own parameters; they are the config's. */
static void **own_struct(Machine *machine, const KeyOwner *owner)
{
	return (void **)((char *)machine + owner->block);
}

static Texts *texts_new(Texts *older)
{
	Texts *texts = g_atomic_rc_box_new0(Texts);

	texts->chunk = g_string_chunk_new(256);
	texts->provenance = g_ptr_array_new_with_free_func(g_free);
	texts->older = older != NULL ? g_atomic_rc_box_acquire(older) : NULL;
	texts->n_older = older != NULL ? older->n_older + 1 : 0;
	return texts;
}

static void texts_unref(Texts *texts);

static void texts_clear(gpointer data)
{
	Texts *texts = data;

	g_string_chunk_free(texts->chunk);
	g_ptr_array_unref(texts->provenance);
	if (texts->older != NULL)
		texts_unref(texts->older);
}

static void texts_unref(Texts *texts)
{
	g_atomic_rc_box_release_full(texts, texts_clear);
}

Config *config_new(void)
{
	Config *config = g_new0(Config, 1);

	config->texts = texts_new(NULL);
	config->expected = g_ptr_array_new_with_free_func(expected_errors_free);
	config->origins = g_new0(Origin, key_count());
	for (guint i = 0; i < key_owner_count(); i++)
		*own_struct(&config->machine, key_owner_at(i)) =
			g_malloc0(key_owner_at(i)->table->size);
	for (guint i = 0; i < key_count(); i++)
		set_default(config, i);
	return config;
}

/* Puts all texts that the config points to into its own. */
static void copy_texts(Config *config)
{
	GStringChunk *chunk = config->texts->chunk;

	for (guint i = 0; i < key_count(); i++) {
		Origin *origin = &config->origins[i];

		origin->place = g_string_chunk_insert_const(chunk, origin->place);
		origin->provenance = provenance_keep(config->texts, origin->provenance);
	}
	config->machine.name = g_string_chunk_insert_const(chunk, config->machine.name);
}

Config *config_copy(const Config *config)
{
	Config *copy = g_new0(Config, 1);

	copy->machine = config->machine;
	for (guint i = 0; i < key_owner_count(); i++) {
		void **own = own_struct(&copy->machine, key_owner_at(i));

		*own = g_memdup2(*own, key_owner_at(i)->table->size);
	}
	copy->n_layers = config->n_layers;
	copy->expected = g_ptr_array_ref(config->expected);
	copy->origins = g_memdup2(config->origins, key_count() * sizeof(*config->origins));
	if (config->texts->n_older < MAX_OLDER_TEXTS) {
		copy->texts = texts_new(config->texts);
	} else {
		copy->texts = texts_new(NULL);
		copy_texts(copy);
	}
	return copy;
}

void config_free(Config *config)
{
	if (!config)
		return;
	for (guint i = 0; i < key_owner_count(); i++)
		g_free(*own_struct(&config->machine, key_owner_at(i)));
	texts_unref(config->texts);
	g_ptr_array_unref(config->expected);
	g_free(config->origins);
	g_free(config);
}
