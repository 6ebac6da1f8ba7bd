/* SPDX-License-Identifier: MIT */
/* Files of a folder of measurements as tables. Who may include it: derive*.c. */
#ifndef ATOMSIM_VALIDATE_FRAME_DERIVE_FACTS_H
#define ATOMSIM_VALIDATE_FRAME_DERIVE_FACTS_H

#include "base/csv.h"

typedef struct {
	const char *folder;
	GHashTable *tables; /* CsvTable by name */
} DeriveFiles;

void derive_files_open(DeriveFiles *files, const char *folder);
void derive_files_clear(DeriveFiles *files);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DeriveFiles, derive_files_clear)

/* The file's table, read once. A file of JSON is a row, a column each number and text of it, "clock_mhz.most" within objects. */
const CsvTable *derive_table(const DeriveFiles *files, const char *name, GError **error);

#endif
