/* SPDX-License-Identifier: MIT */
#include "explore/sweep/lines.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/input.h"
#include "explore/sweep/seal.h"

#define LINE_MAX_BYTES (16u << 20) /* a thousand times what a line has */

guint sweep_line_point(const char *line)
{
	guint64 point;

	if (!g_str_has_prefix(line, SWEEP_LINE_START))
		return 0;
	point = g_ascii_strtoull(line + strlen(SWEEP_LINE_START), NULL, 10);
	return point <= SWEEP_MAX_POINTS ? (guint)point : 0;
}

gboolean sweep_line_failed(const char *line)
{
	const char *comma = strchr(line, ',');

	return comma == NULL || !g_str_has_prefix(comma, ",\"status\":\"" SWEEP_COMPLETE "\",");
}

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
	       atomsim_fail_io(error, finding->path, "cannot read", errno);
}

static gboolean find_in_file(Finding *finding, GError **error)
{
	int fd = input_open_file(finding->path, "lines of a sweep", error);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	gboolean found;

	if (fd < 0)
		return FALSE;
	if (file == NULL) {
		atomsim_fail_io(error, finding->path, "cannot read", errno);
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
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "%s:%u: point %u is missing from here on", path,
				    finding.n_good + 1, i + 1);
	}
	if (finding.ended)
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			    "%s:%u: more than the lines of all points; allowed: these", path,
			    finding.n_good + 1);
}
