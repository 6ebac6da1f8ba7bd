/* SPDX-License-Identifier: MIT */
#include "explore/sweep/seal.h"

#include <string.h>

#include <xxhash.h>

#define SWEEP_START ",\"" SEAL_SWEEP "\":\""
#define SWEEP_END   "\""
#define SWEEP_BYTES (sizeof(SWEEP_START) - 1 + SEAL_DIGITS + sizeof(SWEEP_END) - 1)
#define SEAL_START  ",\"" SEAL_MEMBER "\":\""
#define SEAL_END    "\"}\n"
#define SEAL_BYTES  (sizeof(SEAL_START) - 1 + SEAL_DIGITS + sizeof(SEAL_END) - 1)

void seal_digits(char digits[SEAL_DIGITS + 1], const char *bytes, gsize length)
{
	g_snprintf(digits, SEAL_DIGITS + 1, "%016" G_GINT64_MODIFIER "x",
		   (guint64)XXH64(bytes, length, 0));
}

/* The seal of a line whose part before it has `length` bytes. */
static void make_seal(char seal[SEAL_BYTES + 1], const char *line, gsize length)
{
	char digits[SEAL_DIGITS + 1];

	seal_digits(digits, line, length);
	g_snprintf(seal, SEAL_BYTES + 1, SEAL_START "%s" SEAL_END, digits);
}

char *seal_line(char *line, const char *identity)
{
	GString *sealed = g_string_new_len(line, (gssize)(strlen(line) - strlen("}\n")));
	char seal[SEAL_BYTES + 1];

	g_assert(g_str_has_suffix(line, "}\n") && strlen(identity) == SEAL_DIGITS);
	g_string_append_printf(sealed, SWEEP_START "%s" SWEEP_END, identity);
	make_seal(seal, sealed->str, sealed->len);
	g_string_append(sealed, seal);
	g_free(line);
	return g_string_free(sealed, FALSE);
}

gboolean seal_is_right(const char *line, gsize length)
{
	char seal[SEAL_BYTES + 1];

	if (length <= SEAL_BYTES || memchr(line, '\0', length) != NULL)
		return FALSE;
	make_seal(seal, line, length - SEAL_BYTES);
	return memcmp(line + length - SEAL_BYTES, seal, SEAL_BYTES) == 0;
}

gboolean seal_is_of(const char *line, gsize length, const char *identity)
{
	char member[SWEEP_BYTES + 1];

	if (length <= SWEEP_BYTES + SEAL_BYTES)
		return FALSE;
	g_snprintf(member, sizeof(member), SWEEP_START "%s" SWEEP_END, identity);
	return memcmp(line + length - SEAL_BYTES - SWEEP_BYTES, member, SWEEP_BYTES) == 0;
}
