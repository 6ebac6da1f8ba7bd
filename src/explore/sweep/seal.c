/* SPDX-License-Identifier: MIT */
#include "explore/sweep/seal.h"

#include <string.h>

#include <xxhash.h>

#define SEAL_START ",\"" SEAL_MEMBER "\":\""
#define SEAL_END   "\"}\n"
#define DIGITS	   16
#define SEAL_BYTES (sizeof(SEAL_START) - 1 + DIGITS + sizeof(SEAL_END) - 1)

/* The seal of a line whose part before it has `length` bytes. */
static void make_seal(char seal[SEAL_BYTES + 1], const char *line, gsize length)
{
	g_snprintf(seal, SEAL_BYTES + 1, "%s%016" G_GINT64_MODIFIER "x%s", SEAL_START,
		   (guint64)XXH64(line, length, 0), SEAL_END);
}

char *seal_line(char *line)
{
	gsize length = strlen(line) - strlen("}\n");
	char seal[SEAL_BYTES + 1];
	GString *sealed;

	g_assert(g_str_has_suffix(line, "}\n"));
	make_seal(seal, line, length);
	sealed = g_string_new_len(line, (gssize)length);
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
