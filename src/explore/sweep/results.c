/* SPDX-License-Identifier: MIT */
#include "explore/sweep/results.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/json.h"
#include "base/output.h"
#include "explore/sweep/seal.h"

static const OutputKind results_kind = {"the results of a sweep", {SWEEP_LINE_START}};
static const OutputKind table_kind = {"the table of a sweep", {"point,status,"}};

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
	atomsim_fail_io(error, "a line of results", "cannot read",
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
