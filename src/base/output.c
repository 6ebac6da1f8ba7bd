/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/input.h"
#include "base/unfinished.h"

#define NAME_ATTEMPTS 100

struct Output {
	char *path;	 /* as given, for messages */
	char *target;	 /* the same without links */
	char *temporary; /* where it is written until then; NULL: into a device */
	const OutputKind *kind;
	FILE *file;
	GError *error; /* the first */
};

static gboolean guarded, forced;

void output_guard(void)
{
	guarded = TRUE;
	input_remember_all();
}

void output_force(void)
{
	forced = TRUE;
}

static gboolean io_error(GError **error, const char *path, const char *what, int reason)
{
	g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_IO, "%s: %s: %s", path, what,
		    g_strerror(reason));
	return FALSE;
}

/* --- What may be overwritten --- */

static gboolean has_mark(const char *path, const OutputKind *kind)
{
	char start[OUTPUT_MARK_BYTES];
	/* A file that may not be read may still be replaced; what it is nobody knows then. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd >= 0 ? read(fd, start, sizeof(start)) : -1;

	if (fd >= 0)
		close(fd);
	for (guint i = 0; n > 0 && kind != NULL && kind->marks[i] != NULL; i++)
		if (memmem(start, (size_t)n, kind->marks[i], strlen(kind->marks[i])) != NULL)
			return TRUE;
	return FALSE;
}

static gboolean check_rule(const char *path, const OutputKind *kind, GError **error)
{
	g_autofree char *input = NULL;
	struct stat status;

	if (!guarded || forced || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return TRUE;
	input = input_find(&status);
	if (input != NULL) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "%s: the same file as %s, which is read; allowed: another file, or "
			    "--force",
			    path, input);
		return FALSE;
	}
	if (status.st_size == 0 || has_mark(path, kind))
		return TRUE;
	g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
		    "%s: is there, and is not %s; allowed: another file, or --force", path,
		    kind != NULL ? kind->name : "empty");
	return FALSE;
}

/* --- Before the work --- */

static GPtrArray *planned; /* files, by paths without links */

/* The file that the path leads to, which need not be there. NULL and errno if that cannot be said. */
static char *without_links(const char *path)
{
	g_autofree char *name = g_path_get_basename(path);
	g_autofree char *folder = g_path_get_dirname(path);
	char *file = realpath(path, NULL);
	char *place = file == NULL ? realpath(folder, NULL) : NULL;
	char *whole = NULL;

	if (file != NULL)
		whole = g_strdup(file);
	else if (place != NULL)
		whole = g_build_filename(place, name, NULL);
	free(file);
	free(place);
	return whole;
}

/* That a file may be made beside the one to write, and that one written. */
static gboolean check_leave(const char *path, const char *file, GError **error)
{
	g_autofree char *folder = g_path_get_dirname(file);

	if (access(file, F_OK) == 0 && access(file, W_OK) != 0)
		return io_error(error, path, "cannot write", errno);
	return access(folder, W_OK | X_OK) == 0 ||
	       io_error(error, path, "cannot create", errno);
}

gboolean output_plan(const char *path, const OutputKind *kind, GError **error)
{
	g_autofree char *file = without_links(path);
	struct stat status;

	if (file == NULL)
		return io_error(error, path, "cannot create", errno);
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
		return !S_ISDIR(status.st_mode) ||
		       io_error(error, path, "cannot open for writing", EISDIR);
	if (!check_leave(path, file, error) || !check_rule(path, kind, error))
		return FALSE;
	if (planned == NULL)
		planned = g_ptr_array_new_with_free_func(g_free);
	if (g_ptr_array_find_with_equal_func(planned, file, g_str_equal, NULL)) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "%s: two outputs would be this file; allowed: a name for each",
			    path);
		return FALSE;
	}
	g_ptr_array_add(planned, g_steal_pointer(&file));
	return TRUE;
}

/* --- Writing --- */

void output_abandon(Output *output)
{
	if (output == NULL)
		return;
	if (output->file != NULL)
		fclose(output->file);
	if (output->temporary != NULL) {
		unlink(output->temporary);
		unfinished_forget(output->temporary);
	}
	g_clear_error(&output->error);
	g_free(output->temporary);
	g_free(output->target);
	g_free(output->path);
	g_free(output);
}

/* Makes the temporary file, beside the target so that it can take its place. */
static int create(Output *output)
{
	g_autofree char *folder = g_path_get_dirname(output->target);
	int fd = -1;

	for (guint i = 0; fd < 0 && i < NAME_ATTEMPTS; i++) {
		g_free(output->temporary);
		output->temporary = g_strdup_printf("%s/" OUTPUT_TEMPORARY "%08x%08x", folder,
						    g_random_int(), g_random_int());
		/* O_EXCL also refuses a link that somebody put there. */
		fd = unfinished_create(output->temporary);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd < 0)
		g_clear_pointer(&output->temporary, g_free);
	return fd;
}

static gboolean open_output(Output *output, GError **error)
{
	struct stat status;
	gboolean exists = stat(output->target, &status) == 0;
	int fd;

	if (exists && !S_ISREG(status.st_mode)) {
		output->file = fopen(output->target, "wbe");
		return output->file != NULL ||
		       io_error(error, output->path, "cannot open for writing", errno);
	}
	/* A new file takes the old one's place, which asks the folder alone for leave. */
	if (exists && access(output->target, W_OK) != 0)
		return io_error(error, output->path, "cannot write", errno);
	fd = create(output);
	if (fd < 0)
		return io_error(error, output->path, "cannot create", errno);
	if (exists)
		/* Where the mode cannot be kept, as on FAT, the file is still good. */
		(void)!fchmod(fd, status.st_mode & 0777);
	output->file = fdopen(fd, "wb");
	if (output->file != NULL)
		return TRUE;
	io_error(error, output->path, "cannot create", errno);
	close(fd);
	return FALSE;
}

Output *output_open(const char *path, const OutputKind *kind, GError **error)
{
	g_autoptr(Output) output = g_new0(Output, 1);
	char *target = realpath(path, NULL);

	output->path = g_strdup(path);
	output->target = g_strdup(target != NULL ? target : path);
	output->kind = kind;
	free(target);
	if (!check_rule(path, kind, error) || !open_output(output, error))
		return NULL;
	return g_steal_pointer(&output);
}

void output_write(Output *output, const void *bytes, gsize length)
{
	if (output->error == NULL && fwrite(bytes, 1, length, output->file) != length)
		io_error(&output->error, output->path, "cannot write", errno);
}

/* That the folder knows the new name is on the disk, too. */
static int sync_folder(const char *path)
{
	g_autofree char *folder = g_path_get_dirname(path);
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int reason = fd < 0 || fsync(fd) == 0 ? 0 : errno;

	if (fd >= 0)
		close(fd);
	/* Some file systems have no such thing; a folder may be written to and not read. */
	return reason == EINVAL || reason == EROFS ? 0 : reason;
}

/* To the disk. 0 or what the system said. */
static int close_file(Output *output)
{
	int reason = fflush(output->file) == 0 ? 0 : errno;

	if (reason == 0 && output->temporary != NULL && fsync(fileno(output->file)) != 0)
		reason = errno;
	if (fclose(g_steal_pointer(&output->file)) != 0 && reason == 0)
		reason = errno;
	return reason;
}

/* Under its name, unless the file there has become one that must stay. */
static gboolean name_file(Output *output, GError **error)
{
	int reason;

	if (!check_rule(output->path, output->kind, error))
		return FALSE;
	if (rename(output->temporary, output->target) != 0)
		return io_error(error, output->path, "cannot write", errno);
	unfinished_forget(output->temporary);
	g_clear_pointer(&output->temporary, g_free);
	reason = sync_folder(output->target);
	return reason == 0 || io_error(error, output->path, "cannot write", reason);
}

gboolean output_commit(Output *owned, GError **error)
{
	g_autoptr(Output) output = owned;
	int reason = close_file(output);

	if (output->error != NULL) {
		g_propagate_error(error, g_steal_pointer(&output->error));
		return FALSE;
	}
	if (reason != 0)
		return io_error(error, output->path, "cannot write", reason);
	return output->temporary == NULL || name_file(output, error);
}

gboolean output_write_file(const char *path, const OutputKind *kind, const char *text,
			   gsize length, GError **error)
{
	Output *output = output_open(path, kind, error);

	if (output == NULL)
		return FALSE;
	output_write(output, text, length);
	return output_commit(output, error);
}

/* --- Private folders --- */

char *output_folder_new(const char *purpose, GError **error)
{
	g_autofree char *name = g_strdup_printf("atomsim-%s-XXXXXX", purpose);
	char *folder = g_build_filename(g_get_tmp_dir(), name, NULL);

	if (unfinished_make_folder(folder))
		return folder;
	io_error(error, folder, "cannot make a folder", errno);
	g_free(folder);
	return NULL;
}

void output_folder_remove(char *folder)
{
	if (folder != NULL)
		unfinished_remove_folder(folder);
	g_free(folder);
}

void output_clean_up(void)
{
	unfinished_remove_all();
}
