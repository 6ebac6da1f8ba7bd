/* SPDX-License-Identifier: MIT */
#include "trace/lines.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/input.h"
#include "trace/unxz.h"

struct LineReader {
	char *path;
	FILE *file;
	guint64 n_bytes, n_read; /* of the file as stored */
	guint64 number;
	gboolean ended; /* no more text comes */
	Unxz *unxz;	/* NULL: the text is not compressed */
	const UnxzPiece *piece;
	size_t taken;	/* of the piece */
	char *at, *end; /* of the text that is still to be given */
	char text[2 * LINES_MAX_BYTES + 1];
};

void lines_free(LineReader *lines)
{
	if (!lines)
		return;
	unxz_free(lines->unxz);
	if (lines->file)
		fclose(lines->file);
	g_free(lines->path);
	g_free(lines);
}

/* Reads stored bytes. 0 at the end or, with *error, on failure. */
static size_t read_stored(LineReader *lines, void *bytes, size_t room, GError **error)
{
	size_t n = fread(bytes, 1, room, lines->file);

	if (n == 0 && ferror(lines->file))
		atomsim_fail(error, ATOMSIM_ERROR_IO, "%s: cannot read: %s", lines->path,
			     g_strerror(errno));
	lines->n_read += n;
	return n;
}

LineReader *lines_open(const char *path, GError **error)
{
	static const uint8_t xz_magic[] = {0xfd, '7', 'z', 'X', 'Z', 0};
	g_autoptr(LineReader) lines = g_new0(LineReader, 1);
	g_autoptr(GError) problem = NULL;
	int fd = input_open(path, "lines of text", error);
	struct stat status;
	size_t n;

	lines->path = g_strdup(path);
	lines->at = lines->end = lines->text;
	lines->file = fd >= 0 ? fdopen(fd, "rb") : NULL;
	if (fd < 0)
		return NULL;
	if (!lines->file || fstat(fd, &status) != 0 ||
	    (S_ISDIR(status.st_mode) && (errno = EISDIR))) {
		atomsim_fail(error, ATOMSIM_ERROR_IO, "%s: cannot open: %s", path,
			     g_strerror(errno));
		if (!lines->file)
			close(fd);
		return NULL;
	}
	lines->n_bytes = S_ISREG(status.st_mode) ? (guint64)status.st_size : 0;
	n = read_stored(lines, lines->text, LINES_MAX_BYTES, &problem);
	if (problem) {
		g_propagate_error(error, g_steal_pointer(&problem));
		return NULL;
	}
	if (n < sizeof(xz_magic) || memcmp(lines->text, xz_magic, sizeof(xz_magic)) != 0) {
		lines->end += n;
		return g_steal_pointer(&lines);
	}
	/* A thread that waits for a pipe could not be stopped; a file that has been read needs none. */
	lines->unxz = unxz_new(lines->file, (uint8_t *)lines->text, n, lines->n_bytes > n);
	if (lines->unxz)
		return g_steal_pointer(&lines);
	atomsim_fail(error, ATOMSIM_ERROR_IO, "%s: no memory to decompress it", path);
	return NULL;
}

/* Gets decompressed text. What comes before an error is given first, so that the error has its line. */
static gboolean fill_from_xz(LineReader *lines, size_t room, GError **error)
{
	const UnxzPiece *piece = lines->piece;
	size_t n;

	if (!piece || (lines->taken == piece->n && !piece->last)) {
		lines->piece = piece = unxz_next(lines->unxz);
		lines->n_read = piece->n_read;
		lines->taken = 0;
	}
	n = MIN(room, piece->n - lines->taken);
	memcpy(lines->end, piece->text + lines->taken, n);
	lines->end += n;
	lines->taken += n;
	if (n > 0 || !piece->last)
		return TRUE;
	lines->ended = TRUE;
	if (piece->reason)
		atomsim_fail(error, ATOMSIM_ERROR_IO, "%s: cannot read: %s", lines->path,
			     g_strerror(piece->reason));
	return !piece->reason &&
	       (!piece->problem || lines_fail(lines, error, "%s", piece->problem));
}

/* Gets more text behind what is there, which moves to the front. */
static gboolean fill(LineReader *lines, GError **error)
{
	g_autoptr(GError) problem = NULL;
	size_t left = (size_t)(lines->end - lines->at), room, n;

	memmove(lines->text, lines->at, left);
	lines->at = lines->text;
	lines->end = lines->text + left;
	room = sizeof(lines->text) - 1 - left;
	if (lines->unxz)
		return fill_from_xz(lines, room, error);
	n = read_stored(lines, lines->end, room, &problem);
	lines->end += n;
	lines->ended = n == 0;
	if (!problem)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&problem));
	return FALSE;
}

char *lines_next(LineReader *lines, GError **error)
{
	char *start, *newline;

	while (!(newline = memchr(lines->at, '\n', (size_t)(lines->end - lines->at))) &&
	       !lines->ended && lines->end - lines->at < LINES_MAX_BYTES)
		if (!fill(lines, error))
			return NULL;
	if (!newline && lines->at == lines->end)
		return NULL;
	lines->number++;
	start = lines->at;
	if (!newline)
		newline =
			lines->end; /* the last line has no end, or the room behind it is free */
	if (newline - start >= LINES_MAX_BYTES) {
		lines_fail(lines, error, "a line of %d bytes or more", LINES_MAX_BYTES);
		return NULL;
	}
	if (memchr(start, '\0', (size_t)(newline - start))) {
		lines_fail(lines, error, "a NUL byte; allowed: text");
		return NULL;
	}
	lines->at = MIN(newline + 1, lines->end);
	*newline = '\0';
	if (newline > start && newline[-1] == '\r')
		newline[-1] = '\0';
	return start;
}

const char *lines_path(const LineReader *lines)
{
	return lines->path;
}

guint64 lines_number(const LineReader *lines)
{
	return lines->number;
}

guint64 lines_bytes_read(const LineReader *lines)
{
	return lines->n_read;
}

guint64 lines_bytes(const LineReader *lines)
{
	return lines->n_bytes;
}

gboolean lines_fail(const LineReader *lines, GError **error, const char *format, ...)
{
	g_autofree char *what = NULL;
	va_list arguments;

	va_start(arguments, format);
	what = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	return atomsim_fail(error, ATOMSIM_ERROR_INPUT, "%s:%" G_GUINT64_FORMAT ": %s",
			    lines->path, lines->number, what);
}
