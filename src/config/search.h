/* SPDX-License-Identifier: MIT */
/* Config files on disk: finding and reading them. Who may include it: config. */
#ifndef ATOMSIM_CONFIG_SEARCH_H
#define ATOMSIM_CONFIG_SEARCH_H

#include <glib.h>

/*
 * The file that a name or path means: as it is (from `folder`, or the current one for NULL),
 * else, if it begins with neither '/' nor '.', in the folders that are searched; then, place by place again, with ".json" added, or
 * config.json in the folder of that name, with ".json" or without. NULL if there is none. g_free.
 */
char *config_find(const char *name, const char *folder);

/* Says that config_find found nothing, where it looked, and what is there. g_free. */
char *config_not_found(const char *name);

/* Reads no more than a document may have and a byte. *text gets a NUL at the end; g_free. */
gboolean config_read(const char *path, char **text, gsize *length, GError **error);

#endif
