/* SPDX-License-Identifier: MIT */
/* A trace of some waves of a launch's blocks: that it has what an estimate needs. */
#include "base/error.h"
#include "base/json.h"
#include "trace/reader.h"

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
	g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_TRACE, "%s: \"sample\": %s",
		    trace_path(reader), what);
	return FALSE;
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
	*sample = (TraceSample){blocks, wave_blocks};
	return TRUE;
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
