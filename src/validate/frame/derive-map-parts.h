/* SPDX-License-Identifier: MIT */
/* Parts of the map of the L2. Who may include it: derive-map*.c. */
#ifndef ATOMSIM_VALIDATE_FRAME_DERIVE_MAP_PARTS_H
#define ATOMSIM_VALIDATE_FRAME_DERIVE_MAP_PARTS_H

#include "validate/frame/derive-map.h"

/* Its parts: false, with map->why, where the files do not say one thing. */
gboolean l2_map_slices(L2Map *map, const DeriveFiles *files, guint *side_of_first);
gboolean l2_map_groups(L2Map *map, const DeriveFiles *files, guint side_of_first);

/* For them: the columns of a file as numbers, column by column; NULL, with map->why. g_free. */
double *l2_map_read(L2Map *map, const DeriveFiles *files, const char *name,
		    const char *const *columns, guint *n);
gboolean l2_map_fail(L2Map *map, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif
