/* SPDX-License-Identifier: MIT */
/*
 * The program's source, where the trace names it and it lies beside the trace. A trace is anybody's, and a
 * page is passed on: whatever name is in the trace, no file gets into the page that is not a
 * program's source.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "report/html/html.h"
#include "report/lines.h"

#define CONTEXT	   12 /* lines about the costly ones */
#define MOST_LINES 400
#define MOST_BYTES (1u << 20)

static const char *const suffixes[] = {".c",   ".cc", ".cl",  ".cpp", ".cu",  ".cuh", ".cxx",
				       ".h",   ".hh", ".hip", ".hpp", ".hxx", ".inc", ".inl",
				       ".ipp", ".py", ".tcc", ".tpp", NULL};

static gboolean has_suffix(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot != NULL && g_strv_contains(suffixes, dot);
}

/* Why a file is not to be quoted that has such a name; NULL if it may be. */
static const char *problem_of(const char *name, const struct stat *status)
{
	if (*name == '.')
		return "a name that begins with a dot; allowed: one of a source";
	if (!has_suffix(name))
		return "not the name of a source; allowed: one that ends in .c, .cc, .cl, "
		       ".cpp, .cu, .cuh, .cxx, .h, .hh, .hip, .hpp, .hxx, .inc, .inl, .ipp, "
		       ".py, .tcc or .tpp";
	if (S_ISLNK(status->st_mode))
		return "a symbolic link; allowed: the file itself";
	return S_ISREG(status->st_mode) ? NULL : "not a regular file; allowed: a source";
}

/* Opens `name` in `folder`, or in the folder `inner` of that; -1: it is not there, or *problem says why
   it is not to be quoted. */
static int open_in(int folder, const char *inner, const char *name, const char **problem)
{
	g_autofree char *path = inner ? g_build_filename(inner, name, NULL) : g_strdup(name);
	struct stat status;
	int fd = -1, within;

	if (fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) != 0 || S_ISDIR(status.st_mode))
		return -1;
	*problem = problem_of(name, &status);
	if (*problem != NULL)
		return -1;
	within = openat(folder, inner ? inner : ".",
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (within >= 0) {
		fd = openat(within, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		close(within);
	}
	if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		return fd;
	if (fd >= 0)
		close(fd);
	*problem = within < 0 ? "in a folder that cannot be opened, or is a symbolic link"
			      : "cannot be opened";
	return -1;
}

/* A source is looked for beside the trace, and there in kernels/. */
static int open_source(const char *folder, const char *name, const char **problem)
{
	int beside = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd = -1;

	if (beside < 0)
		return -1;
	fd = open_in(beside, NULL, name, problem);
	if (fd < 0)
		fd = open_in(beside, "kernels", name, problem);
	close(beside);
	return fd;
}

/* The first and last line of a file that cost anything; false if there is none. */
static bool range_of(const GPtrArray *costly, const char *name, guint *first, guint *last)
{
	*first = G_MAXUINT;
	*last = 0;
	for (guint i = 0; i < costly->len; i++) {
		const ReportLine *line = costly->pdata[i];

		if (line->line == 0 || line->line > 1000000 || strcmp(line->file, name) != 0)
			continue;
		*first = MIN(*first, line->line);
		*last = MAX(*last, line->line);
	}
	return *last > 0;
}

/* The lines from `first` to `last` with some about them; NULL if the text has fewer. */
static cJSON *lines_of(const char *text, guint first, guint last, const char *name)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	guint n = g_strv_length(lines);
	cJSON *source, *list;

	if (last > n)
		return NULL;
	first = first > CONTEXT ? first - CONTEXT : 1;
	last = MIN(MIN(last + CONTEXT, n), first + MOST_LINES);
	source = cJSON_CreateObject();
	cJSON_AddStringToObject(source, "name", name);
	cJSON_AddNumberToObject(source, "first", first);
	list = cJSON_AddArrayToObject(source, "lines");
	for (guint i = first; i <= last; i++)
		cJSON_AddItemToArray(list, cJSON_CreateString(lines[i - 1]));
	return source;
}

/* Adds the file, or why it is not quoted, if it is there. */
static void add_source(cJSON *sources, const GPtrArray *costly, const char *name,
		       const char *folder, GPtrArray *left_out)
{
	g_autofree char *base = g_path_get_basename(name);
	g_autofree char *text = NULL;
	const char *problem = NULL;
	guint first, last;
	gsize length;
	cJSON *source = NULL;
	int fd;

	if (!range_of(costly, name, &first, &last))
		return;
	fd = open_source(folder, base, &problem);
	if (fd >= 0)
		input_remember(fd, base);
	if (fd >= 0 && !input_read_open(fd, base, MOST_BYTES, "a source", &text, &length, NULL))
		problem = "cannot be read, or has more than 1 MiB";
	else if (fd >= 0 && !g_utf8_validate(text, (gssize)length, NULL))
		problem = "not UTF-8 text";
	else if (fd >= 0 && (source = lines_of(text, first, last, name)) == NULL)
		problem = "another version: it has fewer lines than the trace names";
	if (fd >= 0)
		close(fd);
	if (source != NULL)
		cJSON_AddItemToArray(sources, source);
	else if (problem != NULL)
		g_ptr_array_add(left_out, g_strdup_printf("%s: %s", base, problem));
}

cJSON *html_sources(const RunReport *report, const GPtrArray *costly, const char *folder,
		    GPtrArray *left_out)
{
	const cJSON *sites = cJSON_GetObjectItemCaseSensitive(report->metadata, "sites");
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	cJSON *sources = cJSON_CreateArray();
	const cJSON *site;

	cJSON_ArrayForEach(site, sites)
	{
		char *name =
			cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(site, "file"));

		if (name && g_hash_table_add(seen, name))
			add_source(sources, costly, name, folder, left_out);
	}
	return sources;
}
