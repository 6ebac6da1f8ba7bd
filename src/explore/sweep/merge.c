/* SPDX-License-Identifier: MIT */
#include "explore/sweep/merge.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"
#include "explore/sweep/folder.h"

typedef struct {
	cJSON *manifest; /* that of the whole sweep */
	char *identity;	 /* of that */
	guint n_points;
	SweepShard shard;	/* of the folder at hand */
	const char **folder_of; /* [shard.index - 1]: NULL: not seen */
	SweepLine *lines;
	GArray *fds; /* of int, closed at the end */
} Merge;

static void merge_clear(Merge *merge)
{
	cJSON_Delete(merge->manifest);
	g_free(merge->identity);
	g_free(merge->folder_of);
	g_free(merge->lines);
	for (guint i = 0; i < merge->fds->len; i++)
		close(g_array_index(merge->fds, int, i));
	g_array_unref(merge->fds);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Merge, merge_clear)

static gboolean bad_folder(GError **error, const char *folder, const char *why)
{
	return atomsim_fail(error, ATOMSIM_ERROR_INPUT, "%s: %s", folder, why);
}

/* Takes the shard out of a folder's manifest, and leaves that of the whole sweep. */
static gboolean take_shard(Merge *merge, cJSON *manifest, const char *folder, GError **error)
{
	const cJSON *points = cJSON_GetObjectItemCaseSensitive(manifest, SWEEP_MANIFEST_POINTS);
	const cJSON *shard = cJSON_GetObjectItemCaseSensitive(manifest, SWEEP_MANIFEST_SHARD);

	if (!cJSON_IsString(shard) ||
	    !sweep_shard_parse(shard->valuestring, &merge->shard, NULL) ||
	    merge->shard.index < 1 || !cJSON_IsNumber(points) || points->valuedouble < 1 ||
	    points->valuedouble > SWEEP_MAX_POINTS)
		return bad_folder(error, folder,
				  SWEEP_MANIFEST
				  " does not say which shard it is of how many points");
	merge->n_points = (guint)points->valuedouble;
	cJSON_ReplaceItemInObjectCaseSensitive(manifest, SWEEP_MANIFEST_SHARD,
					       cJSON_CreateString("1/1"));
	return TRUE;
}

/* Takes the manifest. The first one is what the others must be. */
static gboolean take_manifest(Merge *merge, cJSON *manifest, const char *folder,
			      const char *first, GError **error)
{
	g_autofree char *difference = NULL;

	if (merge->manifest == NULL) {
		merge->manifest = manifest;
		merge->identity = sweep_manifest_identity(manifest);
		merge->folder_of = g_new0(const char *, merge->shard.count);
		merge->lines = g_new0(SweepLine, merge->n_points);
		return TRUE;
	}
	difference = sweep_manifest_difference(manifest, merge->manifest);
	cJSON_Delete(manifest);
	if (difference == NULL)
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_INPUT, "%s: of another sweep than %s: %s",
			    folder, first, difference);
}

static gboolean take_lines(Merge *merge, const char *folder, GError **error)
{
	g_autofree char *path = g_build_filename(folder, SWEEP_RESULTS, NULL);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 && errno == ENOENT)
		return bad_folder(error, folder,
				  "not finished: no " SWEEP_RESULTS
				  "; run this shard with --resume");
	if (fd < 0)
		return atomsim_fail_io(error, path, "cannot open", errno);
	g_array_append_val(merge->fds, fd);
	return sweep_lines_find_all(path, fd, &merge->shard, merge->n_points, merge->identity,
				    merge->lines, error);
}

static gboolean take_folder(Merge *merge, const char *folder, const char *first, guint *count,
			    GError **error)
{
	cJSON *manifest = sweep_manifest_read(folder, error);
	const char **seen;

	if (manifest == NULL)
		return FALSE;
	if (!take_shard(merge, manifest, folder, error)) {
		cJSON_Delete(manifest);
		return FALSE;
	}
	if (!take_manifest(merge, manifest, folder, first, error))
		return FALSE;
	if (*count == 0)
		*count = merge->shard.count;
	if (merge->shard.count != *count)
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "%s: one of %u shards; %s is one of %u", folder,
				    merge->shard.count, first, *count);
	seen = &merge->folder_of[merge->shard.index - 1];
	if (*seen != NULL)
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "%s: shard %u/%u, which %s is already", folder,
				    merge->shard.index, *count, *seen);
	*seen = folder;
	return take_lines(merge, folder, error);
}

static gboolean check_complete(const Merge *merge, guint count, GError **error)
{
	g_autoptr(GString) missing = g_string_new(NULL);

	for (guint i = 0; i < count; i++)
		if (merge->folder_of[i] == NULL)
			g_string_append_printf(missing, "%s%u/%u", missing->len > 0 ? ", " : "",
					       i + 1, count);
	if (missing->len == 0)
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_INPUT, "shards are missing: %s", missing->str);
}

gboolean sweep_merge_folders(const char *output, const char *const *folders,
			     const SweepWriter *writer, SweepMerged *merged, GError **error)
{
	g_auto(Merge) merge = {.fds = g_array_new(FALSE, FALSE, sizeof(int))};
	const SweepShard whole = {1, 1};
	g_autoptr(SweepFolder) folder = NULL;
	guint count = 0;

	for (guint i = 0; folders[i] != NULL; i++)
		if (!take_folder(&merge, folders[i], folders[0], &count, error))
			return FALSE;
	if (!check_complete(&merge, count, error))
		return FALSE;
	/* To merge the same again does no harm. */
	folder = sweep_folder_open(output, merge.manifest, &whole, merge.n_points, TRUE, error);
	if (folder == NULL)
		return FALSE;
	sweep_folder_adopt(folder, merge.lines);
	merged->n_points = merge.n_points;
	merged->n_failed = sweep_folder_n_failed(folder);
	return sweep_folder_finish(folder, writer, error);
}
