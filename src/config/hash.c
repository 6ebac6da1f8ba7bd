/* SPDX-License-Identifier: MIT */
/* A hash on its own, as a config would have it. */
#include "base/json.h"
#include "config/config.h"

#include <string.h>

#include "config/layers.h"
#include "config/value.h"
#include "base/error.h"

/* A name or a JSON text, as `--set atomic.lock_hash=` takes it. */
static Document *parse(const char *place, gboolean is_file, const char *text, gsize length,
		       Problems *problems)
{
	g_autoptr(cJSON) item = NULL;
	g_autofree char *quoted = NULL;

	if (is_file || strchr("{[\"", *text))
		return document_parse(place, is_file, text, length, problems);
	item = cJSON_CreateString(text);
	quoted = json_line(item);
	return document_parse(place, FALSE, quoted, strlen(quoted), problems);
}

gboolean config_parse_hash(const char *place, gboolean is_file, const char *text, gsize length,
			   HashSpec *spec, GError **error)
{
	const Key *key = key_find("atomic.lock_hash");
	g_autoptr(GStringChunk) texts = g_string_chunk_new(64);
	g_autoptr(Document) document = NULL;
	const cJSON *at = NULL;
	g_autofree char *why = NULL;
	g_autofree char *said = NULL;
	Problems problems;
	Machine machine = {0};

	problems_init(&problems);
	document = parse(place, is_file, text, length, &problems);
	if (document->root && !value_set(&machine, key, document->root, texts, &why, &at)) {
		const Span *span = document_span(document, document->root);
		g_autofree char *where = document_place(document, span);
		g_autofree char *allowed = value_allowed(key);

		if (why)
			problems_add(&problems, where, NULL, "%s", why);
		else
			document_refuse(document, document->root, NULL, allowed, &problems);
	}
	said = problems_text(&problems);
	problems_clear(&problems);
	if (said)
		return atomsim_fail(error, ATOMSIM_ERROR_CONFIG, "%s", said);
	*spec = machine.atomic.lock_hash;
	return TRUE;
}

cJSON *config_hash_to_cjson(const HashSpec *spec)
{
	Machine machine = {.atomic.lock_hash = *spec};

	return value_get(&machine, key_find("atomic.lock_hash"));
}
