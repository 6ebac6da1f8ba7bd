/* SPDX-License-Identifier: MIT */
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"

typedef struct {
	dev_t device;
	ino_t number;
	char *path;
} Remembered;

/* Traces are opened by several threads of a sweep. */
static GMutex lock;
static GArray *remembered; /* NULL: nobody asked */

void input_remember_all(void)
{
	if (remembered == NULL)
		remembered = g_array_new(FALSE, FALSE, sizeof(Remembered));
}

static const Remembered *find(const struct stat *status)
{
	for (guint i = 0; remembered != NULL && i < remembered->len; i++) {
		const Remembered *file = &g_array_index(remembered, Remembered, i);

		if (file->device == status->st_dev && file->number == status->st_ino)
			return file;
	}
	return NULL;
}

void input_remember(int fd, const char *path)
{
	g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
	struct stat status;
	Remembered file;

	if (remembered == NULL || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ||
	    find(&status) != NULL)
		return;
	file = (Remembered){status.st_dev, status.st_ino, g_strdup(path)};
	g_array_append_val(remembered, file);
}

char *input_find(const struct stat *status)
{
	g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
	const Remembered *file = find(status);

	return file != NULL ? g_strdup(file->path) : NULL;
}

/* Up to one byte more than the limit. 0 or what the system said. */
static int read_bytes(int fd, gsize limit, GByteArray *bytes)
{
	enum { STEP = 65536 };

	while (bytes->len <= limit) {
		guint old = bytes->len, step = (guint)MIN(STEP, limit + 1 - old);
		ssize_t n;

		g_byte_array_set_size(bytes, old + step);
		do
			n = read(fd, bytes->data + old, step);
		while (n < 0 && errno == EINTR);
		g_byte_array_set_size(bytes, old + (guint)MAX(n, 0));
		if (n < 0)
			return errno;
		if (n == 0)
			return 0;
	}
	return 0;
}

gboolean input_read_open(int fd, const char *path, gsize limit, const char *what, char **text,
			 gsize *length, GError **error)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	int reason;

	g_assert(limit < G_MAXUINT - 1);
	reason = read_bytes(fd, limit, bytes);
	if (reason != 0)
		return atomsim_fail(error, ATOMSIM_ERROR_IO, "%s: cannot read: %s", path,
				    g_strerror(reason));
	if (bytes->len > limit)
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "%s: more than %" G_GSIZE_FORMAT " MiB found; allowed: %s",
				    path, limit >> 20, what);
	if (length != NULL)
		*length = bytes->len;
	g_byte_array_append(bytes, (const guint8 *)"", 1);
	*text = (char *)g_byte_array_free(g_steal_pointer(&bytes), FALSE);
	return TRUE;
}

static gboolean is_device(const struct stat *status, int fd)
{
	return S_ISBLK(status->st_mode) || (S_ISCHR(status->st_mode) && !isatty(fd));
}

/* Opens it, waiting for nobody if only a regular file will do. */
static int open_checked(const char *path, const char *what, gboolean regular, GError **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | (regular ? O_NONBLOCK : 0));
	const char *found = NULL;
	struct stat status;

	if (fd < 0 || fstat(fd, &status) != 0) {
		atomsim_fail(error, ATOMSIM_ERROR_IO, "%s: cannot read: %s", path,
			     g_strerror(errno));
	} else if (regular && !S_ISREG(status.st_mode)) {
		found = "not a regular file";
	} else if (is_device(&status, fd)) {
		found = "a device";
	} else {
		input_remember(fd, path);
		return fd;
	}
	if (found != NULL)
		atomsim_fail(error, ATOMSIM_ERROR_IO, "%s: %s; allowed: %s%s", path, found,
			     what, regular ? "" : ", from a file or a pipe");
	if (fd >= 0)
		close(fd);
	return -1;
}

int input_open(const char *path, const char *what, GError **error)
{
	return open_checked(path, what, FALSE, error);
}

int input_open_file(const char *path, const char *what, GError **error)
{
	return open_checked(path, what, TRUE, error);
}

/* Reads what is open, if it is, and closes it. */
static gboolean read_and_close(int fd, const char *path, gsize limit, const char *what,
			       char **text, gsize *length, GError **error)
{
	gboolean good = fd >= 0 && input_read_open(fd, path, limit, what, text, length, error);

	if (fd >= 0)
		close(fd);
	return good;
}

gboolean input_read(const char *path, gsize limit, const char *what, char **text, gsize *length,
		    GError **error)
{
	return read_and_close(input_open(path, what, error), path, limit, what, text, length,
			      error);
}

gboolean input_read_file(const char *path, gsize limit, const char *what, char **text,
			 gsize *length, GError **error)
{
	return read_and_close(input_open_file(path, what, error), path, limit, what, text,
			      length, error);
}
