/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as the folders of a sweep: its manifest, an unfinished journal, results to be merged. The
 * parts are separated by a line "--". The first byte says whether lines get their sweep's identity and
 * their checksums here, for a fuzzer does not guess them.
 */
#include "fuzz-tools.h"

#include <string.h>

#include "base/output.h"
#include "explore/sweep/folder.h"
#include "explore/sweep/merge.h"
#include "explore/sweep/seal.h"
#include "report/report.h"

static void row(GString *text, cJSON *line, gboolean with_header)
{
	report_csv_append(text, line, with_header);
}

/* Of a journal's line: the line without its counts. */
static cJSON *whole(gpointer data, guint point, const cJSON *brief, GError **error)
{
	cJSON *line = cJSON_Duplicate(brief, TRUE);

	(void)data;
	(void)point;
	(void)error;
	cJSON_DeleteItemFromObjectCaseSensitive(line, SWEEP_COUNTS);
	return line;
}

static const SweepWriter writer = {whole, NULL, row};

/* Every line that ends in a brace, sealed as of the manifest's sweep. */
static char *seal_lines(const char *text, const char *manifest, gsize n)
{
	cJSON *parsed = cJSON_ParseWithLength(manifest, n);
	cJSON *json = parsed != NULL ? parsed : cJSON_CreateObject();
	g_autofree char *identity = sweep_manifest_identity(json);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GString *sealed = g_string_new(NULL);

	for (guint i = 0; lines[i] != NULL; i++) {
		char *line = g_strconcat(lines[i], "\n", NULL);

		if (g_str_has_suffix(line, "}\n"))
			line = seal_line(line, identity);
		g_string_append(sealed, line);
		g_free(line);
	}
	cJSON_Delete(json);
	return g_string_free(sealed, FALSE);
}

static void put(const char *folder, const char *name, const char *text, gsize length)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);

	g_assert(g_file_set_contents_full(path, text, (gssize)length, G_FILE_SET_CONTENTS_NONE,
					  0600, NULL));
}

static char *folder_new(void)
{
	g_autoptr(GError) error = NULL;
	/* Where a disk would be waited for at each fsync. */
	gboolean in_memory = access("/dev/shm", W_OK) == 0 &&
			     g_setenv("TMPDIR", "/dev/shm", g_getenv("TMPDIR") == NULL);
	char *folder = output_folder_new("fuzz", &error);

	(void)in_memory;

	g_assert_no_error(error);
	return folder;
}

static void try_merge(const char *manifest, gsize n, const char *lines, gsize length)
{
	char *shard = folder_new(), *merged = folder_new();
	const char *const shards[] = {shard, NULL};
	g_autoptr(GError) error = NULL;
	SweepMerged counts;

	put(shard, SWEEP_MANIFEST, manifest, n);
	put(shard, SWEEP_RESULTS, lines, length);
	fuzz_check_error(sweep_merge_folders(merged, shards, &writer, &counts, &error), error);
	output_folder_remove(shard);
	output_folder_remove(merged);
}

#define JOURNAL_MANIFEST "{\"version\": \"1\", \"counts\": []}"

/* A journal is taken over and can be written to, or refused. */
static void try_journal(const char *lines, gsize length)
{
	static const SweepShard whole = {1, 1};
	char *path = folder_new();
	cJSON *manifest = cJSON_Parse(JOURNAL_MANIFEST);
	g_autoptr(GError) error = NULL;
	g_autoptr(SweepFolder) folder = NULL;
	guint n_missing = 0;

	put(path, SWEEP_MANIFEST, JOURNAL_MANIFEST, strlen(JOURNAL_MANIFEST));
	put(path, SWEEP_JOURNAL, lines, length);
	folder = sweep_folder_open(path, manifest, &whole, 4, TRUE, &error);
	fuzz_check_error(folder != NULL, error);
	for (guint i = 0; folder != NULL && i < 4; i++) {
		char *line = g_strdup_printf("{\"point\":%u,\"status\":\"complete\",\"x\":1}\n",
					     i + 1);

		line = seal_line(line, sweep_folder_identity(folder));
		if (!sweep_folder_has(folder, i)) {
			n_missing++;
			g_assert(sweep_folder_append(folder, line, strlen(line), NULL));
		}
		g_free(line);
	}
	/* Lines with a right checksum that are no JSON are an error here and no crash. */
	if (folder != NULL && !sweep_folder_finish(folder, &writer, NULL))
		g_assert_cmpuint(n_missing, <, 4);
	cJSON_Delete(manifest);
	g_clear_pointer(&folder, sweep_folder_close);
	output_folder_remove(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *end = text + size, *part;
	g_autofree char *lines = NULL, *results = NULL, *journal = NULL;
	gboolean seal = size > 0 && (*data & 1) != 0;

	if (size == 0)
		return 0;
	text++;
	part = g_strstr_len(text, end - text, "\n--\n");
	lines = g_strndup(part != NULL ? part + 4 : text,
			  (gsize)(end - (part != NULL ? part + 4 : text)));
	if (part != NULL) {
		results =
			seal ? seal_lines(lines, text, (gsize)(part - text)) : g_strdup(lines);
		try_merge(text, (gsize)(part - text), results, strlen(results));
	}
	journal = seal ? seal_lines(lines, JOURNAL_MANIFEST, strlen(JOURNAL_MANIFEST))
		       : g_strdup(lines);
	try_journal(journal, strlen(journal));
	return 0;
}
