/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem */
#include "base/overwrite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/input.h"

static gboolean guarded, forced;
static GPtrArray *planned; /* files, by paths without links */
static GPtrArray *allowed; /* paths */

void overwrite_guard(void)
{
	guarded = TRUE;
	input_remember_all();
}

void overwrite_force(void)
{
	forced = TRUE;
}

void overwrite_allow(const char *path)
{
	if (allowed == NULL)
		allowed = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(allowed, g_strdup(path));
}

static gboolean is_allowed(const char *path)
{
	return allowed != NULL &&
	       g_ptr_array_find_with_equal_func(allowed, path, g_str_equal, NULL);
}

static gboolean has_mark(const char *path, const OutputKind *kind)
{
	char start[OVERWRITE_MARK_BYTES];
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

gboolean overwrite_check(const char *path, const OutputKind *kind, GError **error)
{
	g_autofree char *input = NULL;
	struct stat status;

	if (!guarded || forced || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return TRUE;
	input = input_find(&status);
	if (input != NULL)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "%s: the same file as %s, which is read; allowed: another "
				    "file, or --force",
				    path, input);
	if (status.st_size == 0 || has_mark(path, kind) || is_allowed(path))
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			    "%s: is there, and is not %s; allowed: another file, or --force",
			    path, kind != NULL ? kind->name : "empty");
}

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
		return atomsim_fail_io(error, path, "cannot write", errno);
	return access(folder, W_OK | X_OK) == 0 ||
	       atomsim_fail_io(error, path, "cannot create", errno);
}

gboolean overwrite_plan(const char *path, const OutputKind *kind, GError **error)
{
	g_autofree char *file = without_links(path);
	struct stat status;

	if (file == NULL)
		return atomsim_fail_io(error, path, "cannot create", errno);
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
		return !S_ISDIR(status.st_mode) ||
		       atomsim_fail_io(error, path, "cannot open for writing", EISDIR);
	if (!check_leave(path, file, error) || !overwrite_check(path, kind, error))
		return FALSE;
	if (planned == NULL)
		planned = g_ptr_array_new_with_free_func(g_free);
	if (g_ptr_array_find_with_equal_func(planned, file, g_str_equal, NULL))
		return atomsim_fail(
			error, ATOMSIM_ERROR_USAGE,
			"%s: two outputs would be this file; allowed: a name for each", path);
	g_ptr_array_add(planned, g_steal_pointer(&file));
	return TRUE;
}
