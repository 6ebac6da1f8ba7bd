/* SPDX-License-Identifier: MIT */
#include "explore/sweep/results.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/json.h"
#include "base/output.h"
#include "explore/sweep/seal.h"

#define START "{\"point\":"

static const OutputKind results_kind = {"the results of a sweep", {START}};
static const OutputKind table_kind = {"the table of a sweep", {"point,status,"}};

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

/* --- Finding lines --- */

#define LINE_MAX_BYTES (16u << 20) /* a thousand times what a line has */

typedef enum { LINE_WHOLE, LINE_TORN, LINE_NONE, LINE_UNREADABLE } LineStatus;

typedef struct {
	const char *path;
	int fd;
	const SweepShard *shard;
	guint n_points;
	SweepLine *lines;
	goffset good;	/* bytes of good lines, from the file's beginning */
	guint n_good;	/* those lines */
	gboolean ended; /* by the file's end and nothing else */
} Finding;

/* Reads a line with its newline. What a kill or a power cut leaves is torn: a last line without its
   newline, and the NULs of blocks that were never written. */
static LineStatus next_line(FILE *file, GString *line)
{
	int c;

	g_string_truncate(line, 0);
	while ((c = getc_unlocked(file)) != EOF) {
		if (c == '\0' || line->len == LINE_MAX_BYTES)
			return LINE_TORN;
		g_string_append_c(line, (char)c);
		if (c == '\n')
			return LINE_WHOLE;
	}
	if (ferror(file))
		return LINE_UNREADABLE;
	return line->len > 0 ? LINE_TORN : LINE_NONE;
}

static gboolean take_line(Finding *finding, const GString *line)
{
	guint point = sweep_line_point(line->str);

	if (point < 1 || point > finding->n_points ||
	    !sweep_shard_has(finding->shard, point - 1) || finding->lines[point - 1].length > 0)
		return FALSE;
	finding->lines[point - 1] = (SweepLine){finding->fd, finding->good, line->len,
						sweep_line_failed(line->str)};
	finding->good += (goffset)line->len;
	finding->n_good++;
	return TRUE;
}

static gboolean find_lines(Finding *finding, FILE *file, GError **error)
{
	g_autoptr(GString) line = g_string_new(NULL);
	LineStatus status;

	while ((status = next_line(file, line)) == LINE_WHOLE) {
		if (!seal_is_right(line->str, line->len)) {
			g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT,
				    "%s:%u: not as a sweep wrote it: it does not have its "
				    "checksum, the \"" SEAL_MEMBER
				    "\" at its end; allowed: the "
				    "line as it was, or none from here on",
				    finding->path, finding->n_good + 1);
			return FALSE;
		}
		if (!take_line(finding, line))
			break;
	}
	finding->ended = status == LINE_NONE;
	return status != LINE_UNREADABLE ||
	       sweep_io_error(error, finding->path, "cannot read", errno);
}

static gboolean find_in_file(Finding *finding, GError **error)
{
	FILE *file = fopen(finding->path, "re");
	struct stat status;
	gboolean found;

	if (file == NULL)
		return sweep_io_error(error, finding->path, "cannot read", errno);
	if (fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode))
		found = find_lines(finding, file, error);
	else
		found = sweep_io_error(error, finding->path, "not a regular file", EINVAL);
	fclose(file);
	return found;
}

gboolean sweep_lines_find(const char *path, int fd, const SweepShard *shard, guint n_points,
			  SweepLine *lines, goffset *good, GError **error)
{
	Finding finding = {path, fd, shard, n_points, lines, 0, 0, FALSE};
	gboolean found = find_in_file(&finding, error);

	*good = finding.good;
	return found;
}

gboolean sweep_lines_find_all(const char *path, int fd, const SweepShard *shard, guint n_points,
			      SweepLine *lines, GError **error)
{
	Finding finding = {path, fd, shard, n_points, lines, 0, 0, FALSE};

	if (!find_in_file(&finding, error))
		return FALSE;
	for (guint i = 0; i < n_points; i++) {
		if (!sweep_shard_has(shard, i) || lines[i].length > 0)
			continue;
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT,
			    "%s:%u: point %u is missing from here on", path, finding.n_good + 1,
			    i + 1);
		return FALSE;
	}
	if (finding.ended)
		return TRUE;
	g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT,
		    "%s:%u: more than the lines of all points; allowed: these", path,
		    finding.n_good + 1);
	return FALSE;
}

/* --- Writing them --- */

/* The text of a line, NUL-terminated. NULL and errno if it cannot be read. g_free. */
static char *read_line(const SweepLine *line)
{
	g_autofree char *text = g_malloc(line->length + 1);
	gsize done = 0;

	while (done < line->length) {
		ssize_t n = pread(line->fd, text + done, line->length - done,
				  line->offset + (goffset)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n == 0 ? EIO : errno;
			return NULL;
		}
		done += (gsize)n;
	}
	text[line->length] = '\0';
	return g_steal_pointer(&text);
}

/* Appends the line to the results, if there are any to write, and as a row to the table. */
static gboolean write_line(Output *results, Output *table, const SweepLine *line, SweepRow row,
			   gboolean first, GError **error)
{
	g_autofree char *bytes = read_line(line);
	g_autoptr(GString) text = g_string_new(NULL);
	cJSON *object = bytes != NULL ? json_parse(bytes) : NULL;

	if (!cJSON_IsObject(object)) {
		cJSON_Delete(object);
		return sweep_io_error(error, "a line of results", "cannot read",
				      bytes != NULL ? EBADMSG : errno);
	}
	if (results != NULL)
		output_write(results, bytes, line->length);
	cJSON_DeleteItemFromObjectCaseSensitive(object, SEAL_MEMBER);
	row(text, object, first);
	cJSON_Delete(object);
	output_write(table, text->str, text->len);
	return TRUE;
}

static gboolean write_lines(Output *results, Output *table, const SweepLine *lines,
			    guint n_points, SweepRow row, GError **error)
{
	gboolean first = TRUE;

	for (guint i = 0; i < n_points; i++) {
		if (lines[i].length == 0)
			continue;
		if (!write_line(results, table, &lines[i], row, first, error))
			return FALSE;
		first = FALSE;
	}
	return TRUE;
}

gboolean sweep_table_write(const char *folder, const SweepLine *lines, guint n_points,
			   SweepRow row, GError **error)
{
	g_autofree char *path = g_build_filename(folder, SWEEP_TABLE, NULL);
	g_autoptr(Output) table = output_open(path, &table_kind, error);

	return table != NULL && write_lines(NULL, table, lines, n_points, row, error) &&
	       output_commit(g_steal_pointer(&table), error);
}

gboolean sweep_results_write(const char *folder, const SweepLine *lines, guint n_points,
			     SweepRow row, GError **error)
{
	g_autofree char *results_path = g_build_filename(folder, SWEEP_RESULTS, NULL);
	g_autofree char *table_path = g_build_filename(folder, SWEEP_TABLE, NULL);
	g_autoptr(Output) results = output_open(results_path, &results_kind, error);
	g_autoptr(Output) table =
		results != NULL ? output_open(table_path, &table_kind, error) : NULL;

	return table != NULL && write_lines(results, table, lines, n_points, row, error) &&
	       output_commit(g_steal_pointer(&table), error) &&
	       output_commit(g_steal_pointer(&results), error);
}
