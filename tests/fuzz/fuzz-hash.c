/* SPDX-License-Identifier: MIT */
/* Any bytes as a hash. What is taken must be one, and come back from its JSON. */
#include "fuzz-tools.h"

#include <string.h>

#include <cjson/cJSON.h>

#include "config/config.h"
#include "model/shared/hash.h"

static void try_size(const HashSpec *spec, uint32_t size)
{
	Hash hash;

	if (hash_problem(spec, size) != NULL)
		return;
	hash_build(spec, size, &hash);
	for (uint32_t bit = 0; bit < 32; bit++)
		g_assert(hash_apply(&hash, UINT32_C(1) << bit) < size);
}

static void try_hash(gboolean is_file, const char *text, size_t size)
{
	HashSpec spec, again;
	g_autoptr(GError) error = NULL;
	gboolean good = config_parse_hash("fuzz", is_file, text, size, &spec, &error);
	cJSON *object;
	char *printed;

	fuzz_check_error(good, error);
	if (!good)
		return;
	for (uint32_t n = 0; n <= HASH_MAX_BITS; n++)
		try_size(&spec, UINT32_C(1) << n);
	try_size(&spec, 48);
	object = config_hash_to_cjson(&spec);
	printed = cJSON_PrintUnformatted(object);
	g_assert(config_parse_hash("again", TRUE, printed, strlen(printed), &again, NULL));
	g_assert(strcmp(spec.name, again.name) == 0 && spec.n_rows == again.n_rows &&
		 spec.n_shifts == again.n_shifts);
	cJSON_free(printed);
	cJSON_Delete(object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *text = g_strndup((const char *)data, size);

	try_hash(FALSE, text, strlen(text));
	try_hash(TRUE, (const char *)data, size);
	return 0;
}
