/* SPDX-License-Identifier: MIT */
/* A trace of some waves of a launch's blocks: that it has what an estimate needs. */
#include "base/error.h"
#include "base/json.h"
#include "trace/sample.h"

#define MOST_EVENTS (UINT64_C(1) << 52) /* of a wave: whole as a double */
#define LEAST_BETWEEN                                                                          \
	3 /* waves between the first and the last one, to say how much they differ */

static gboolean refuse(const TraceReader *reader, GError **error, const char *format, ...)
	G_GNUC_PRINTF(3, 4);
static gboolean refuse(const TraceReader *reader, GError **error, const char *format, ...)
{
	g_autofree char *what = NULL;
	va_list arguments;

	va_start(arguments, format);
	what = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	return atomsim_fail(error, ATOMSIM_ERROR_TRACE, "%s: \"sample\": %s",
			    trace_path(reader), what);
}

bool trace_work_is_of(const TraceWork *work, uint64_t n_blocks)
{
	const uint64_t others = n_blocks - 1;
	uint64_t rest;

	if (work->least > work->most || work->most > work->sum)
		return false;
	if (others == 0)
		return work->least == work->sum;
	/* One block has the least and one the most: without products and sums, which may overflow. */
	rest = work->sum - work->least;
	return work->least <= (work->sum - work->most) / others &&
	       work->most >= rest / others + (rest % others != 0);
}

static gboolean read_work(const cJSON *list, guint64 n_blocks, TraceWork *work)
{
	return cJSON_IsArray(list) && cJSON_GetArraySize(list) == 3 &&
	       json_whole(cJSON_GetArrayItem(list, 0), 0, MOST_EVENTS, &work->sum) &&
	       json_whole(cJSON_GetArrayItem(list, 1), 0, MOST_EVENTS, &work->least) &&
	       json_whole(cJSON_GetArrayItem(list, 2), 0, MOST_EVENTS, &work->most) &&
	       trace_work_is_of(work, n_blocks);
}

static gboolean read_works(const TraceReader *reader, const cJSON *lists, TraceSample *sample,
			   GError **error)
{
	const guint64 n_waves = sample->blocks / sample->wave_blocks;
	const guint64 n_lists = cJSON_IsArray(lists) ? (guint64)cJSON_GetArraySize(lists) : 0;
	const cJSON *list;
	guint64 n = 0;

	if (!lists)
		return TRUE;
	if (n_lists != n_waves || n_waves > TRACE_MOST_WORK)
		return refuse(reader, error,
			      "\"work\" has %" G_GUINT64_FORMAT
			      " lists; it must have one for each of %" G_GUINT64_FORMAT
			      " waves, %d at most",
			      n_lists, n_waves, TRACE_MOST_WORK);
	sample->work = g_new0(TraceWork, n_waves);
	cJSON_ArrayForEach(list, lists)
	{
		g_autofree char *found = NULL;

		if (read_work(list, sample->wave_blocks, &sample->work[n++]))
			continue;
		found = json_line(list);
		return refuse(
			reader, error,
			"\"work\" of wave %" G_GUINT64_FORMAT
			" is %.60s; it must be three whole numbers: the sum, the least and the "
			"most of %" G_GUINT64_FORMAT " blocks",
			n - 1, found, sample->wave_blocks);
	}
	return TRUE;
}

static gboolean read_sizes(const TraceReader *reader, TraceSample *sample, GError **error)
{
	const cJSON *object =
		cJSON_GetObjectItemCaseSensitive(trace_metadata_json(reader), "sample");
	guint64 blocks, wave_blocks;

	*sample = (TraceSample){0};
	if (!object)
		return TRUE;
	if (!json_whole(cJSON_GetObjectItemCaseSensitive(object, "blocks"), 1,
			TRACE_MOST_SAMPLED_BLOCKS, &blocks) ||
	    !json_whole(cJSON_GetObjectItemCaseSensitive(object, "wave_blocks"), 1, blocks,
			&wave_blocks))
		return refuse(reader, error,
			      "\"blocks\" must be a whole number of 1 to %" G_GUINT64_FORMAT
			      ", \"wave_blocks\" one of 1 to that",
			      TRACE_MOST_SAMPLED_BLOCKS);
	*sample = (TraceSample){.blocks = blocks, .wave_blocks = wave_blocks};
	return read_works(reader, cJSON_GetObjectItemCaseSensitive(object, "work"), sample,
			  error);
}

gboolean trace_sample(TraceReader *reader, TraceSample *sample, GError **error)
{
	RecordSource *source = trace_source(reader);
	uint64_t n_between = 0, last;
	BlockInfo info = {0};

	if (!read_sizes(reader, sample, error))
		return FALSE;
	if (sample->blocks == 0)
		return TRUE;
	last = sample->blocks / sample->wave_blocks - 1;
	for (uint64_t i = 0, expected = 0; i < source->n_blocks; i++, expected++) {
		source->block_info(source, i, &info);
		/* A wave may be left out, but for the first and the last; a part of one may not. */
		if (info.block_id != expected &&
		    (i == 0 || expected % sample->wave_blocks != 0 ||
		     info.block_id % sample->wave_blocks != 0 ||
		     expected / sample->wave_blocks > last ||
		     info.block_id / sample->wave_blocks > last))
			return refuse(reader, error,
				      "the trace has block %" G_GUINT64_FORMAT
				      " where block %" G_GUINT64_FORMAT
				      " was expected; only whole waves of %" G_GUINT64_FORMAT
				      " blocks may be missing, not the first or the last",
				      info.block_id, expected, sample->wave_blocks);
		expected = info.block_id;
		n_between += expected % sample->wave_blocks == 0 && expected > 0 &&
			     expected / sample->wave_blocks < last;
	}
	if (info.block_id != sample->blocks - 1 || n_between < LEAST_BETWEEN)
		return refuse(reader, error,
			      "the trace has %" G_GUINT64_FORMAT
			      " waves between the first and the last and ends with block "
			      "%" G_GUINT64_FORMAT "; at least %d, and block %" G_GUINT64_FORMAT
			      ", are needed",
			      n_between, info.block_id, LEAST_BETWEEN, sample->blocks - 1);
	return TRUE;
}

void trace_sample_write(const TraceSample *sample, cJSON *metadata)
{
	const guint64 n_waves = sample->blocks / sample->wave_blocks;
	cJSON *object = cJSON_AddObjectToObject(metadata, "sample"), *lists;

	cJSON_AddNumberToObject(object, "blocks", (double)sample->blocks);
	cJSON_AddNumberToObject(object, "wave_blocks", (double)sample->wave_blocks);
	if (!sample->work || n_waves > TRACE_MOST_WORK)
		return;
	lists = cJSON_AddArrayToObject(object, "work");
	for (guint64 i = 0; i < n_waves; i++) {
		const TraceWork *work = &sample->work[i];
		const double numbers[] = {(double)work->sum, (double)work->least,
					  (double)work->most};

		cJSON_AddItemToArray(lists, cJSON_CreateDoubleArray(numbers, 3));
	}
}

void trace_sample_clear(TraceSample *sample)
{
	g_clear_pointer(&sample->work, g_free);
}
