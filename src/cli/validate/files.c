/* SPDX-License-Identifier: MIT */
/* Files of measurements one after the other, with progress over the rows of all. */
#include "cli/validate/validate.h"

#include "cli/cli.h"

typedef struct {
	guint64 before, now, all; /* rows: of files that are done, of this one, of all */
} Progress;

static gboolean show_progress(gpointer data, guint done, guint n)
{
	const Progress *progress = data;

	return cli_progress("rows", progress->before + progress->now * done / MAX(n, 1),
			    progress->all);
}

gboolean validate_add_files(Validation *validation, const Machine *machine, char **files,
			    GError **error)
{
	g_autoptr(GPtrArray) read =
		g_ptr_array_new_with_free_func((GDestroyNotify)measured_file_free);
	Progress progress = {0};
	gboolean good = TRUE;

	for (guint i = 0; good && files[i] != NULL; i++) {
		MeasuredFile *file = measured_file_read(files[i], error);

		good = file != NULL;
		if (good) {
			g_ptr_array_add(read, file);
			progress.all += measured_file_rows(file, validation->sampled);
		}
	}
	validation->progress = show_progress;
	validation->progress_data = &progress;
	for (guint i = 0; good && i < read->len; i++) {
		const MeasuredFile *file = g_ptr_array_index(read, i);

		progress.now = measured_file_rows(file, validation->sampled);
		good = validate_add(validation, machine, file, error);
		progress.before += progress.now;
	}
	validation->progress = NULL;
	validation->progress_data = NULL;
	/* Clears the line. */
	cli_progress("rows", progress.all, progress.all);
	return good;
}
