/* SPDX-License-Identifier: MIT */
/*
 * Values of keys that formulas read off a folder of measurements: the table derive.csv, lines of a key (docs/guide/derive.md).
 * Who may include it: cli.
 */
#ifndef ATOMSIM_VALIDATE_FRAME_DERIVE_H
#define ATOMSIM_VALIDATE_FRAME_DERIVE_H

#include "config/config.h"

#define DERIVE_GPU    "gpu.json"   /* in a folder: what the GPU says of itself */
#define DERIVE_TABLE  "derive.csv" /* among the installed configs: how it is derived */
#define DERIVE_OF_MAP "map of "	   /* how statistics of the L2's map begin */

typedef struct {
	/* As the line has them; statistic with what it is of. Of several lines of a key the one that gave a value, or else the last. */
	char *key, *file, *rows, *statistic;
	const char *unit;     /* of the key; constant */
	char *why;	      /* it stays inherited; NULL: it is derived */
	guint n_rows;	      /* that it is of */
	double least, most;   /* of them, in the key's unit, before anything is taken off */
	double exact;	      /* before it is rounded */
	guint64 derived, has; /* and what the config has */
	gboolean is_compared; /* a second folder says compared */
	guint64 compared;
} Derivation;

/* What a folder says. */
typedef struct {
	GArray *values;	  /* Derivation, in the order of the table, a key once */
	char *map;	  /* the L2's, as JSON; NULL: the folder has none */
	char *map_why;	  /* or why it stays inherited */
	char *gpu;	  /* its name; NULL: the folder does not say */
	guint capability; /* compute capability, 90 for 9.0; 0: the folder does not say */
} Derived;

/*
 * By the lines of the table, which names files of `folder`. What the folder does not have, has too little of, or says in two ways is
 * inherited, and says why. Errors: IO, INPUT with file and line, of the table itself.
 */
Derived *derive(const Config *config, const char *table, const char *folder, GError **error);
/* What a second folder says of the values: another start of the GPU, or another GPU of its kind. */
void derived_compare(Derived *derived, const Derived *other);
void derived_free(Derived *derived);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Derived, derived_free)

/* Which GPU the folder is of, by its gpu.json: *name (g_free) and *capability, NULL and 0 without the file. Errors: IO, INPUT. */
gboolean derive_gpu(const char *folder, char **name, guint *capability, GError **error);

/* A config that extends that one and has all derived values, each with its provenance, under the name of the GPU; `map`: of the map's
   file, if there is one. g_free. */
char *derived_config(const Derived *derived, const char *extends, const char *name,
		     const char *map);

#endif
