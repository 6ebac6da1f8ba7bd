/* SPDX-License-Identifier: MIT */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/overwrite.h"
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
	const int reason = exists ? 0 : errno;
	int fd;

	if (exists && !S_ISREG(status.st_mode)) {
		output->file = fopen(output->target, "wbe");
		return output->file != NULL ||
		       atomsim_fail_io(error, output->path, "cannot open for writing", errno);
	}
	/* It would take the link's place: of /dev/stdout's, where stdout is closed. */
	if (!exists && lstat(output->target, &status) == 0 && S_ISLNK(status.st_mode))
		return atomsim_fail_io(error, output->path, "cannot follow the link", reason);
	/* A new file takes the old one's place, which asks the folder alone for leave. */
	if (exists && access(output->target, W_OK) != 0)
		return atomsim_fail_io(error, output->path, "cannot write", errno);
	fd = create(output);
	if (fd < 0)
		return atomsim_fail_io(error, output->path, "cannot create", errno);
	if (exists)
		/* Where the mode cannot be kept, as on FAT, the file is still good. */
		(void)!fchmod(fd, status.st_mode & 0777);
	output->file = fdopen(fd, "wb");
	if (output->file != NULL)
		return TRUE;
	atomsim_fail_io(error, output->path, "cannot create", errno);
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
	if (!overwrite_check(path, kind, error) || !open_output(output, error))
		return NULL;
	return g_steal_pointer(&output);
}

void output_write(Output *output, const void *bytes, gsize length)
{
	if (output->error == NULL && fwrite(bytes, 1, length, output->file) != length)
		atomsim_fail_io(&output->error, output->path, "cannot write", errno);
}

gboolean output_can_write_at(const Output *output)
{
	return output->temporary != NULL;
}

void output_write_at(Output *output, gsize offset, const void *bytes, gsize length)
{
	g_assert(output_can_write_at(output));
	if (output->error == NULL && fseeko(output->file, (off_t)offset, SEEK_SET) != 0)
		atomsim_fail_io(&output->error, output->path, "cannot write", errno);
	output_write(output, bytes, length);
	if (output->error == NULL && fseeko(output->file, 0, SEEK_END) != 0)
		atomsim_fail_io(&output->error, output->path, "cannot write", errno);
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

	if (!overwrite_check(output->path, output->kind, error))
		return FALSE;
	if (rename(output->temporary, output->target) != 0)
		return atomsim_fail_io(error, output->path, "cannot write", errno);
	unfinished_forget(output->temporary);
	g_clear_pointer(&output->temporary, g_free);
	reason = sync_folder(output->target);
	return reason == 0 || atomsim_fail_io(error, output->path, "cannot write", reason);
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
		return atomsim_fail_io(error, output->path, "cannot write", reason);
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
	atomsim_fail_io(error, folder, "cannot make a folder", errno);
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
