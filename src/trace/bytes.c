/* SPDX-License-Identifier: MIT */
/* The bytes of a trace's file, and what is wrong with them. */
#include <errno.h>
#include <unistd.h>

#include "base/error.h"
#include "trace/internal.h"

const uint8_t *reader_bytes(TraceReader *reader, uint64_t offset, size_t length, void *buffer,
			    GError **error)
{
	size_t done = 0;

	if (reader->memory)
		return reader->memory + offset;
	while (done < length) {
		ssize_t n = pread(reader->fd, (uint8_t *)buffer + done, length - done,
				  (off_t)(offset + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			atomsim_fail(error, ATOMSIM_ERROR_IO,
				     "%s: byte %" G_GUINT64_FORMAT ": cannot read: %s",
				     reader->name, offset + done,
				     n < 0 ? g_strerror(errno) : "the file became shorter");
			return NULL;
		}
		done += (size_t)n;
	}
	return buffer;
}

bool reader_refuse(GError **error, const char *name, uint64_t offset, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	return atomsim_fail(error, ATOMSIM_ERROR_TRACE, "%s: byte %" G_GUINT64_FORMAT ": %s",
			    name, offset, text);
}

void reader_fail(TraceReader *reader, uint64_t block, uint32_t warp, GError *error)
{
	g_mutex_lock(&reader->lock);
	if (!reader->failure || block < reader->failure_block ||
	    (block == reader->failure_block && warp < reader->failure_warp)) {
		g_clear_error(&reader->failure);
		reader->failure = error;
		reader->failure_block = block;
		reader->failure_warp = warp;
		error = NULL;
	}
	g_mutex_unlock(&reader->lock);
	g_clear_error(&error);
}

const GError *trace_failure(TraceReader *reader)
{
	g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&reader->lock);

	return reader->failure;
}
