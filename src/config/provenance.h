/* SPDX-License-Identifier: MIT */
/*
 * Where a config's values come from, as data: what a section's "provenance" says of each key, or else the key's row of a default.
 * docs/reference/configs.md has the form. Who may include it: config, validate, report, cli.
 */
#ifndef ATOMSIM_CONFIG_PROVENANCE_H
#define ATOMSIM_CONFIG_PROVENANCE_H

#include "config/config.h"

#define PROVENANCE "provenance" /* the member of a section */

typedef enum {
	PROVENANCE_MEASURED,  /* on the GPU itself */
	PROVENANCE_PUBLISHED, /* of it */
	PROVENANCE_FITTED,    /* to published or measured times */
	PROVENANCE_ASSUMED,   /* no source fixes it */
	PROVENANCE_NEUTRAL,   /* nothing is known, so it costs nothing and is in nobody's way */
	PROVENANCE_SET,	      /* by a user: no file says where it comes from */
	N_PROVENANCES
} ProvenanceKind;

/* "measured", ... */
extern const char *const provenance_names[N_PROVENANCES];

typedef struct {
	ProvenanceKind kind;
	const char
		*source; /* file, paper, reason; of PROVENANCE_SET the place where it was set */
	/* NULL, each: not said. */
	const char *on;	       /* the GPU that it was found on; NULL: the config's own */
	const char *rows;      /* of the source */
	const char *statistic; /* of the rows */
	const char *spread;    /* of what the rows say, and of other starts of the GPU */
	const char *error;     /* of a fit */
} Provenance;

/* Of the key of that number. `entry` is filled; its texts are the config's. FALSE: the key is no property of a GPU (its name, what a
   launch finds, the simulator's own), and has none. */
gboolean config_provenance(const Config *config, guint i, Provenance *entry);

/* Whether such a value was found on another GPU than that of the config: entry->on. What is assumed or neutral is nobody's. */
gboolean provenance_is_inherited(const Config *config, const Provenance *entry);

/* Whether the machine has a use for the key: keys of other mechanisms have none. */
gboolean provenance_counts_key(const Config *config, guint i);

/* How many values that the machine makes use of come from where. */
typedef struct {
	guint n[N_PROVENANCES]; /* the config's own */
	GPtrArray *
		gpus; /* names of those that it inherits from, in the order of the keys; owned by the config */
	GArray *n_inherited; /* guint, of each */
} ProvenanceCounts;

void provenance_count(const Config *config, ProvenanceCounts *counts);
void provenance_counts_clear(ProvenanceCounts *counts);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ProvenanceCounts, provenance_counts_clear)

/* "31 published, 2 fitted, 196 from NVIDIA H200, 12 assumed"; what there is none of is left out. g_free. */
char *provenance_counts_text(const ProvenanceCounts *counts);
/* Of a GPU that nobody measured, most of whose values were found on others: their number, of *all. 0: it is none. */
guint provenance_borrowed(const ProvenanceCounts *counts, guint *all);
/* {"measured": 0, ..., "not_measured": false, "inherited": [{"gpu": ..., "values": 196}]}. cJSON_Delete. */
struct cJSON *provenance_counts_json(const ProvenanceCounts *counts);

/* One entry as the member that a config may have: {"measured": "touch.csv", "on": "NVIDIA H200"}. cJSON_Delete. */
struct cJSON *provenance_entry_json(const Provenance *entry);

/* Sets on, rows, statistic, spread or error; FALSE: it is none of them. The text is the caller's. */
gboolean provenance_set_detail(Provenance *entry, const char *name, const char *text);

struct Texts;
/* The entry, kept with its texts by `texts`; NULL of NULL. */
const Provenance *provenance_keep(struct Texts *texts, const Provenance *entry);

#endif
