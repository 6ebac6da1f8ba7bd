/* SPDX-License-Identifier: MIT */
#include "explore/sweep/results.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <glib/gstdio.h>

#include "base/error.h"

#define START "{\"point\":"

gboolean sweep_io_error(GError **error, const char *path, const char *what, int reason)
{
	g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_IO, "%s: %s: %s", path, what,
		    g_strerror(reason));
	return FALSE;
}

guint sweep_line_point(const char *line)
{
	guint64 point;

	if (!g_str_has_prefix(line, START))
		return 0;
	point = g_ascii_strtoull(line + strlen(START), NULL, 10);
	return point <= SWEEP_MAX_POINTS ? (guint)point : 0;
}

gboolean sweep_line_failed(const char *line)
{
	const char *comma = strchr(line, ',');

	return comma == NULL || !g_str_has_prefix(comma, ",\"status\":\"" SWEEP_COMPLETE "\",");
}

static gboolean is_whole(const char *line, gsize length)
{
	cJSON *item = NULL;
	gboolean whole;

	if (line[length - 1] != '\n')
		return FALSE;
	item = cJSON_ParseWithLength(line, length);
	whole = cJSON_IsObject(item);
	cJSON_Delete(item);
	return whole;
}

gboolean sweep_lines_find(const char *path, int fd, const SweepShard *shard, guint n_points,
			  SweepLine *lines, goffset *good, GError **error)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	int reason;

	*good = 0;
	if (file == NULL)
		return sweep_io_error(error, path, "cannot read", errno);
	errno = 0;
	while ((length = getline(&line, &room, file)) > 0) {
		guint point = sweep_line_point(line);

		if (point < 1 || point > n_points || !sweep_shard_has(shard, point - 1) ||
		    lines[point - 1].length > 0 || !is_whole(line, (gsize)length))
			break;
		lines[point - 1] =
			(SweepLine){fd, *good, (gsize)length, sweep_line_failed(line)};
		*good += length;
	}
	reason = ferror(file) ? errno : 0;
	free(line);
	fclose(file);
	return reason == 0 || sweep_io_error(error, path, "cannot read", reason);
}

/* The text of a line, NUL-terminated. NULL and errno if it cannot be read. g_free. */
static char *read_line(const SweepLine *line)
{
	g_autofree char *text = g_malloc(line->length + 1);
	gsize done = 0;

	while (done < line->length) {
		ssize_t n = pread(line->fd, text + done, line->length - done,
				  line->offset + (goffset)done);

		if (n <= 0) {
			errno = n == 0 ? EIO : errno;
			return NULL;
		}
		done += (gsize)n;
	}
	text[line->length] = '\0';
	return g_steal_pointer(&text);
}

static gboolean write_lines(FILE *json, FILE *table, const SweepLine *lines, guint n_points,
			    SweepRow row)
{
	g_autoptr(GString) text = g_string_new(NULL);
	gboolean first = TRUE;

	for (guint i = 0; i < n_points; i++) {
		g_autofree char *line = NULL;
		cJSON *object = NULL;

		if (lines[i].length == 0)
			continue;
		line = read_line(&lines[i]);
		if (line == NULL || fputs(line, json) == EOF)
			return FALSE;
		object = cJSON_Parse(line);
		g_string_truncate(text, 0);
		row(text, object, first);
		cJSON_Delete(object);
		if (fputs(text->str, table) == EOF)
			return FALSE;
		first = FALSE;
	}
	return TRUE;
}

/* On the disk, not only on its way there. */
static gboolean close_safely(FILE *file)
{
	gboolean good = fflush(file) == 0 && fsync(fileno(file)) == 0;
	int reason = errno;

	if (fclose(file) != 0)
		return FALSE;
	errno = reason;
	return good;
}

gboolean sweep_write_text(const char *path, const char *text, GError **error)
{
	g_autofree char *part = g_strconcat(path, ".part", NULL);
	FILE *file = fopen(part, "w");
	int reason = file != NULL && fputs(text, file) != EOF ? 0 : errno;

	if (file != NULL && !close_safely(file) && reason == 0)
		reason = errno;
	if (reason == 0 && rename(part, path) != 0)
		reason = errno;
	if (reason == 0)
		return TRUE;
	g_unlink(part);
	return sweep_io_error(error, path, "cannot write", reason);
}

gboolean sweep_results_write(const char *folder, const SweepLine *lines, guint n_points,
			     SweepRow row, GError **error)
{
	g_autofree char *json_path = g_build_filename(folder, SWEEP_RESULTS, NULL);
	g_autofree char *table_path = g_build_filename(folder, SWEEP_TABLE, NULL);
	g_autofree char *json_part = g_strconcat(json_path, ".part", NULL);
	g_autofree char *table_part = g_strconcat(table_path, ".part", NULL);
	FILE *json = fopen(json_part, "w");
	FILE *table = fopen(table_part, "w");
	gboolean good =
		json != NULL && table != NULL && write_lines(json, table, lines, n_points, row);
	int reason = good ? 0 : errno;

	if (json != NULL && !close_safely(json) && reason == 0)
		reason = errno;
	if (table != NULL && !close_safely(table) && reason == 0)
		reason = errno;
	if (reason == 0 &&
	    (rename(table_part, table_path) != 0 || rename(json_part, json_path) != 0))
		reason = errno;
	if (reason == 0)
		return TRUE;
	g_unlink(json_part);
	g_unlink(table_part);
	return sweep_io_error(error, json_path, "cannot write", reason);
}
