/* SPDX-License-Identifier: MIT */
#include "explore/sweep/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/error.h"
#include "base/json.h"
#include "base/output.h"

struct SweepFolder {
	char *path, *journal_path, *results_path, *identity;
	int lock_fd, lines_fd; /* the second of the journal, or of the results */
	gboolean finished;     /* the results are there */
	SweepShard shard;
	guint n_points;
	SweepLine *lines;
	goffset journal_bytes;
};

void sweep_folder_close(SweepFolder *folder)
{
	if (folder == NULL)
		return;
	if (folder->lines_fd >= 0)
		close(folder->lines_fd);
	if (folder->lock_fd >= 0)
		close(folder->lock_fd);
	g_free(folder->path);
	g_free(folder->journal_path);
	g_free(folder->results_path);
	g_free(folder->identity);
	g_free(folder->lines);
	g_free(folder);
}

static gboolean take_lock(SweepFolder *folder, GError **error)
{
	g_autofree char *path = g_build_filename(folder->path, SWEEP_LOCK, NULL);

	if (g_mkdir_with_parents(folder->path, 0777) != 0)
		return atomsim_fail_io(error, folder->path, "cannot make the folder", errno);
	folder->lock_fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (folder->lock_fd < 0)
		return atomsim_fail_io(error, path, "cannot open", errno);
	if (flock(folder->lock_fd, LOCK_EX | LOCK_NB) == 0)
		return TRUE;
	if (errno != EWOULDBLOCK)
		return atomsim_fail_io(error, path, "cannot lock", errno);
	return atomsim_fail(
		error, ATOMSIM_ERROR_INPUT,
		"%s: another sweep is writing there; each shard needs a folder of its own",
		folder->path);
}

static const OutputKind manifest_kind = {SWEEP_MANIFEST, {"\"version\""}};

/* What a kill has left of outputs: with the lock held, nobody is writing them any more. */
static void remove_unfinished(const SweepFolder *folder)
{
	g_autoptr(GDir) names = g_dir_open(folder->path, 0, NULL);
	const char *name;

	while (names != NULL && (name = g_dir_read_name(names)) != NULL) {
		g_autofree char *path = g_build_filename(folder->path, name, NULL);

		if (g_str_has_prefix(name, OUTPUT_TEMPORARY))
			g_unlink(path);
	}
}

static gboolean write_manifest(const char *path, const cJSON *manifest, GError **error)
{
	g_autofree char *text = json_page(cJSON_Duplicate(manifest, TRUE));

	return output_write_file(path, &manifest_kind, text, strlen(text), error);
}

static gboolean check_same(const SweepFolder *folder, const cJSON *wanted, GError **error)
{
	cJSON *found = sweep_manifest_read(folder->path, error);
	g_autofree char *difference = NULL;

	if (found == NULL)
		return FALSE;
	if (cJSON_GetObjectItemCaseSensitive(found, SWEEP_COUNTS) == NULL)
		difference =
			g_strdup("lines of an older atomsim, which this one does not read");
	else
		difference = sweep_manifest_difference(found, wanted);
	cJSON_Delete(found);
	return difference == NULL ||
	       atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			    "%s: holds results of something else: %s; allowed: another folder",
			    folder->path, difference);
}

/* Claims the folder for what is asked for, or finds that it already is for it. */
static gboolean claim(const SweepFolder *folder, const cJSON *manifest, gboolean resume,
		      GError **error)
{
	g_autofree char *path = g_build_filename(folder->path, SWEEP_MANIFEST, NULL);
	gboolean claimed = g_file_test(path, G_FILE_TEST_EXISTS);

	if (!claimed && (g_file_test(folder->results_path, G_FILE_TEST_EXISTS) ||
			 g_file_test(folder->journal_path, G_FILE_TEST_EXISTS)))
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "%s: holds results, but no " SWEEP_MANIFEST
				    " that says of what; allowed: another folder",
				    folder->path);
	if (!claimed)
		return write_manifest(path, manifest, error);
	if (!check_same(folder, manifest, error))
		return FALSE;
	if (!resume)
		atomsim_fail(
			error, ATOMSIM_ERROR_INPUT,
			"%s: this sweep has been begun there; allowed: --resume, or another "
			"folder",
			folder->path);
	return resume;
}

static guint n_missing(const SweepFolder *folder)
{
	guint n = 0;

	for (guint i = 0; i < folder->n_points; i++)
		n += sweep_shard_has(&folder->shard, i) && folder->lines[i].length == 0;
	return n;
}

/* A folder that is done: its results are all there, or somebody was at them. */
static gboolean read_results(SweepFolder *folder, GError **error)
{
	folder->finished = TRUE;
	folder->lines_fd = open(folder->results_path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (folder->lines_fd < 0)
		return atomsim_fail_io(error, folder->results_path, "cannot open", errno);
	return sweep_lines_find_all(folder->results_path, folder->lines_fd, &folder->shard,
				    folder->n_points, folder->identity, folder->lines, error);
}

/* What a kill has cut off goes, so that the next line starts at the beginning of one. */
static gboolean open_journal(SweepFolder *folder, GError **error)
{
	const char *path = folder->journal_path;

	folder->lines_fd =
		open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (folder->lines_fd < 0)
		return atomsim_fail_io(error, path, "cannot open", errno);
	if (!sweep_lines_find(path, folder->lines_fd, &folder->shard, folder->n_points,
			      folder->identity, folder->lines, &folder->journal_bytes, error))
		return FALSE;
	if (ftruncate(folder->lines_fd, folder->journal_bytes) != 0)
		return atomsim_fail_io(error, path, "cannot cut", errno);
	return TRUE;
}

SweepFolder *sweep_folder_open(const char *path, const cJSON *manifest, const SweepShard *shard,
			       guint n_points, gboolean resume, GError **error)
{
	g_autoptr(SweepFolder) folder = g_new0(SweepFolder, 1);

	folder->path = g_strdup(path);
	folder->journal_path = g_build_filename(path, SWEEP_JOURNAL, NULL);
	folder->results_path = g_build_filename(path, SWEEP_RESULTS, NULL);
	folder->lock_fd = folder->lines_fd = -1;
	folder->shard = *shard;
	folder->n_points = n_points;
	folder->lines = g_new0(SweepLine, n_points);
	folder->identity = sweep_manifest_identity(manifest);
	if (!take_lock(folder, error))
		return NULL;
	remove_unfinished(folder);
	if (!claim(folder, manifest, resume, error))
		return NULL;
	if (g_file_test(folder->results_path, G_FILE_TEST_EXISTS)
		    ? !read_results(folder, error)
		    : !open_journal(folder, error))
		return NULL;
	return g_steal_pointer(&folder);
}

gboolean sweep_folder_is_of(const char *path, const cJSON *manifest)
{
	g_autoptr(cJSON) found = sweep_manifest_read(path, NULL);

	return found != NULL && cJSON_Compare(found, manifest, TRUE);
}

const char *sweep_folder_identity(const SweepFolder *folder)
{
	return folder->identity;
}

gboolean sweep_folder_has(const SweepFolder *folder, guint point)
{
	return folder->lines[point].length > 0;
}

guint sweep_folder_n_failed(const SweepFolder *folder)
{
	guint n = 0;

	for (guint i = 0; i < folder->n_points; i++)
		n += folder->lines[i].length > 0 && folder->lines[i].failed;
	return n;
}

/* The bytes that could be written: all of them, or errno says why not. */
static gsize write_most(int fd, const char *text, gsize length)
{
	gsize done = 0;

	while (done < length) {
		ssize_t n = write(fd, text + done, length - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		done += (gsize)n;
	}
	return done;
}

/* The length of those lines of `text` that are whole within its first `length` bytes. */
static gsize whole_lines(const char *text, gsize length)
{
	const char *last = g_strrstr_len(text, (gssize)length, "\n");

	return last != NULL ? (gsize)(last + 1 - text) : 0;
}

/* `lines`, all whole, are at the journal's end. */
static void note_lines(SweepFolder *folder, const char *lines, gsize length)
{
	for (gsize start = 0; start < length;) {
		gsize n = (gsize)(strchr(lines + start, '\n') + 1 - (lines + start));
		guint point = sweep_line_point(lines + start);

		g_assert(point >= 1 && point <= folder->n_points);
		folder->lines[point - 1] = (SweepLine){folder->lines_fd, folder->journal_bytes,
						       n, sweep_line_failed(lines + start)};
		folder->journal_bytes += (goffset)n;
		start += n;
	}
}

gboolean sweep_folder_append(SweepFolder *folder, const char *lines, gsize length,
			     GError **error)
{
	gsize done;
	int reason;

	g_assert(!folder->finished);
	done = write_most(folder->lines_fd, lines, length);
	reason = done < length ? errno : 0;
	/* Of lines for which there is no room those before the end of it are kept. */
	note_lines(folder, lines, whole_lines(lines, done));
	if (fdatasync(folder->lines_fd) != 0 && reason == 0)
		reason = errno;
	/* Best effort: a reader finds the last whole line all the same. */
	if (done < length && ftruncate(folder->lines_fd, folder->journal_bytes) != 0)
		reason = errno;
	return reason == 0 ||
	       atomsim_fail_io(error, folder->journal_path, "cannot write", reason);
}

void sweep_folder_adopt(SweepFolder *folder, const SweepLine *lines)
{
	if (!folder->finished)
		memcpy(folder->lines, lines, folder->n_points * sizeof(*lines));
}

gboolean sweep_folder_finish(SweepFolder *folder, const SweepWriter *writer, GError **error)
{
	const SweepLines lines = {folder->lines, folder->n_points, folder->identity};

	g_assert(n_missing(folder) == 0);
	/* A table that somebody removed or changed is made again from the lines, which have checksums. */
	if (folder->finished ? !sweep_table_write(folder->path, &lines, writer, error)
			     : !sweep_results_write(folder->path, &lines, writer, error))
		return FALSE;
	/* Also when it was left behind by a kill right here. */
	if (g_unlink(folder->journal_path) != 0 && errno != ENOENT)
		return atomsim_fail_io(error, folder->journal_path, "cannot remove", errno);
	return TRUE;
}
