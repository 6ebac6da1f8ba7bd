/* SPDX-License-Identifier: MIT */
#include "explore/sweep/results.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/input.h"
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
	const char *identity;
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

/* That a whole line is as this sweep wrote it. */
static gboolean check_line(const Finding *finding, const GString *line, GError **error)
{
	if (!seal_is_right(line->str, line->len))
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "%s:%u: not as a sweep wrote it: it does not have its "
				    "checksum, the \"" SEAL_MEMBER
				    "\" at its end; allowed: the line as it was, or none from "
				    "here on",
				    finding->path, finding->n_good + 1);
	if (!seal_is_of(line->str, line->len, finding->identity))
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "%s:%u: of another sweep than the folder's sweep.json, "
				    "or of an older atomsim; allowed: lines with \"" SEAL_SWEEP
				    "\":\"%s\"",
				    finding->path, finding->n_good + 1, finding->identity);
	return TRUE;
}

static gboolean find_lines(Finding *finding, FILE *file, GError **error)
{
	g_autoptr(GString) line = g_string_new(NULL);
	LineStatus status;

	while ((status = next_line(file, line)) == LINE_WHOLE) {
		if (!check_line(finding, line, error))
			return FALSE;
		if (!take_line(finding, line))
			break;
	}
	finding->ended = status == LINE_NONE;
	return status != LINE_UNREADABLE ||
	       sweep_io_error(error, finding->path, "cannot read", errno);
}

static gboolean find_in_file(Finding *finding, GError **error)
{
	int fd = input_open_file(finding->path, "lines of a sweep", error);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	gboolean found;

	if (fd < 0)
		return FALSE;
	if (file == NULL) {
		sweep_io_error(error, finding->path, "cannot read", errno);
		close(fd);
		return FALSE;
	}
	found = find_lines(finding, file, error);
	fclose(file);
	return found;
}

gboolean sweep_lines_find(const char *path, int fd, const SweepShard *shard, guint n_points,
			  const char *identity, SweepLine *lines, goffset *good, GError **error)
{
	Finding finding = {path, fd, shard, n_points, identity, lines, 0, 0, FALSE};
	gboolean found = find_in_file(&finding, error);

	*good = finding.good;
	return found;
}

gboolean sweep_lines_find_all(const char *path, int fd, const SweepShard *shard, guint n_points,
			      const char *identity, SweepLine *lines, GError **error)
{
	Finding finding = {path, fd, shard, n_points, identity, lines, 0, 0, FALSE};

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

/* An object as a line of the sweep. g_free. */
static char *seal_object(const cJSON *object, const char *identity)
{
	char *printed = cJSON_PrintUnformatted(object);
	char *line = g_strconcat(printed, "\n", NULL);

	cJSON_free(printed);
	return seal_line(line, identity);
}

/* What is written, and how. */
typedef struct {
	Output *results, *table; /* the first NULL: they are there */
	const SweepLines *lines;
	const SweepWriter *writer;
	gboolean begun; /* the table has its header */
} Writing;

/* The line as JSON; NULL and *error if it cannot be read. cJSON_Delete. */
static cJSON *parse_line(const char *bytes, GError **error)
{
	cJSON *object = bytes != NULL ? json_parse(bytes) : NULL;

	if (cJSON_IsObject(object))
		return object;
	cJSON_Delete(object);
	sweep_io_error(error, "a line of results", "cannot read",
		       bytes != NULL ? EBADMSG : errno);
	return NULL;
}

/* Makes the whole line of a brief one: as JSON, and as bytes. Takes `brief`. NULL and *error if that cannot be. */
static cJSON *complete_line(const Writing *writing, guint point, cJSON *brief, char **bytes,
			    GError **error)
{
	const SweepWriter *writer = writing->writer;
	cJSON *whole = NULL;

	if (writer->whole == NULL || writing->results == NULL)
		atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			     "point %u: a line of a journal found; allowed: one of results",
			     point + 1);
	else
		whole = writer->whole(writer->data, point, brief, error);
	cJSON_Delete(brief);
	if (whole == NULL)
		return NULL;
	g_free(*bytes);
	*bytes = seal_object(whole, writing->lines->identity);
	return whole;
}

/* Writes the point's result, if results are to be written, and returns it. cJSON_Delete. */
static cJSON *write_result(const Writing *writing, guint point, GError **error)
{
	g_autofree char *bytes = read_line(&writing->lines->lines[point]);
	cJSON *object = parse_line(bytes, error);

	if (cJSON_GetObjectItemCaseSensitive(object, SWEEP_COUNTS) != NULL)
		object = complete_line(writing, point, object, &bytes, error);
	if (object != NULL && writing->results != NULL)
		output_write(writing->results, bytes, strlen(bytes));
	return object;
}

/* Appends the line to the results, if there are any to write, and as a row to the table. */
static gboolean write_line(Writing *writing, guint point, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	cJSON *object = write_result(writing, point, error);

	if (object == NULL)
		return FALSE;
	cJSON_DeleteItemFromObjectCaseSensitive(object, SEAL_SWEEP);
	cJSON_DeleteItemFromObjectCaseSensitive(object, SEAL_MEMBER);
	writing->writer->row(text, object, !writing->begun);
	writing->begun = TRUE;
	cJSON_Delete(object);
	output_write(writing->table, text->str, text->len);
	return TRUE;
}

static gboolean write_lines(Writing *writing, GError **error)
{
	for (guint i = 0; i < writing->lines->n_points; i++)
		if (writing->lines->lines[i].length > 0 && !write_line(writing, i, error))
			return FALSE;
	return TRUE;
}

gboolean sweep_table_write(const char *folder, const SweepLines *lines,
			   const SweepWriter *writer, GError **error)
{
	g_autofree char *path = g_build_filename(folder, SWEEP_TABLE, NULL);
	g_autoptr(Output) table = output_open(path, &table_kind, error);
	Writing writing = {NULL, table, lines, writer, FALSE};

	return table != NULL && write_lines(&writing, error) &&
	       output_commit(g_steal_pointer(&table), error);
}

gboolean sweep_results_write(const char *folder, const SweepLines *lines,
			     const SweepWriter *writer, GError **error)
{
	g_autofree char *results_path = g_build_filename(folder, SWEEP_RESULTS, NULL);
	g_autofree char *table_path = g_build_filename(folder, SWEEP_TABLE, NULL);
	g_autoptr(Output) results = output_open(results_path, &results_kind, error);
	g_autoptr(Output) table =
		results != NULL ? output_open(table_path, &table_kind, error) : NULL;
	Writing writing = {results, table, lines, writer, FALSE};

	return table != NULL && write_lines(&writing, error) &&
	       output_commit(g_steal_pointer(&table), error) &&
	       output_commit(g_steal_pointer(&results), error);
}
