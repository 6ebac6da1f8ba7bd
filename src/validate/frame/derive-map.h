/* SPDX-License-Identifier: MIT */
/* The map of the L2, found in files of l2-slices, l2-map and placement (measurements/programs). Who may include it: derive*.c. */
#ifndef ATOMSIM_VALIDATE_FRAME_DERIVE_MAP_H
#define ATOMSIM_VALIDATE_FRAME_DERIVE_MAP_H

#include "config/config.h"
#include "validate/frame/derive-facts.h"

#define L2_MAP_NUMBERS "slices, partitions, partition_mask, page_slices, channels, group_sms"

typedef struct {
	char *why;    /* there is none; NULL: there is */
	guint n_rows; /* of lines that it is of */
	guint n_pages, page_lines;
	guint n_line_bits, line_bits[16];
	guint *numbers;		  /* of each page and pick, the slice's */
	guint slices, partitions; /* of a partition; 1 or 2 */
	guint64 partition_mask;	  /* 0 with one partition */
	GArray *groups;		  /* L2Group, the first that gets first_sms */
	guint first_sms, tpc_sms;
} L2Map;

typedef struct {
	guint name, side, sms;
} L2Group;

/* Never NULL. */
L2Map *l2_map_derive(const DeriveFiles *files);
void l2_map_free(L2Map *map);

/* One of L2_MAP_NUMBERS; FALSE: it is none. */
gboolean l2_map_number(const L2Map *map, const char *name, double *number);

/* As l2.map has it, a page a line; what these files do not say, the ways of a group to the network, as the config has it. NULL: there is none. g_free. */
char *l2_map_json(const L2Map *map, const Config *config);

/* --- Its parts, for derive-map*.c --- */

/* FALSE, with map->why, where the files do not say one thing. */
gboolean l2_map_slices(L2Map *map, const DeriveFiles *files, guint *side_of_first);
gboolean l2_map_groups(L2Map *map, const DeriveFiles *files, guint side_of_first);

/* For them: the columns of a file as numbers, column by column; NULL, with map->why. g_free. */
double *l2_map_read(L2Map *map, const DeriveFiles *files, const char *name,
		    const char *const *columns, guint *n);
gboolean l2_map_fail(L2Map *map, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif
