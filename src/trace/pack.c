/* SPDX-License-Identifier: MIT */
#include "trace/pack.h"

#include "base/json.h"

static gboolean pack_warp(TraceReader *reader, TraceWriter *writer, guint64 block,
			  guint64 block_id, guint32 warp, GError **error)
{
	RecordSource *source = trace_source(reader);
	WarpStream *stream = source->open_warp(source, block, warp);
	StreamStatus status = STREAM_FAILED;
	Record record;

	while (stream && (status = stream->next(stream, &record)) == STREAM_RECORD)
		trace_writer_append(writer, block_id, warp, &record);
	if (stream)
		stream->close(stream);
	if (status == STREAM_END)
		return TRUE;
	g_propagate_error(error, g_error_copy(trace_failure(reader)));
	return FALSE;
}

gboolean trace_pack_block(TraceReader *reader, TraceWriter *writer, guint64 block,
			  guint64 block_id, GError **error)
{
	RecordSource *source = trace_source(reader);
	BlockInfo info;

	source->block_info(source, block, &info);
	trace_writer_begin_block(writer, block_id, info.n_warps, info.shared_bytes);
	for (guint32 warp = 0; warp < info.n_warps; warp++)
		if (!pack_warp(reader, writer, block, block_id, warp, error))
			return FALSE;
	trace_writer_end_block(writer, block_id);
	return TRUE;
}

char *trace_pack_metadata(TraceReader *reader, const char *blocks, gboolean renumbered,
			  const TraceSample *sample, GError **error)
{
	g_autofree char *name = g_path_get_basename(trace_path(reader));
	g_autofree char *valid = g_utf8_make_valid(name, -1);
	const char *sha256 = trace_sha256(reader, error);
	g_autoptr(cJSON) metadata = NULL;
	cJSON *packed;

	if (!sha256)
		return NULL;
	metadata = json_parse(trace_metadata(reader));
	/* Of a trace that was packed before, its own origin is kept within. */
	packed = cJSON_CreateObject();
	cJSON_AddStringToObject(packed, "trace", valid);
	cJSON_AddStringToObject(packed, "sha256", sha256);
	if (blocks)
		cJSON_AddStringToObject(packed, "blocks", blocks);
	if (renumbered)
		cJSON_AddTrueToObject(packed, "renumbered");
	if (cJSON_HasObjectItem(metadata, "packed"))
		cJSON_AddItemToObject(
			packed, "packed",
			cJSON_DetachItemFromObjectCaseSensitive(metadata, "packed"));
	cJSON_AddItemToObject(metadata, "packed", packed);
	if (sample)
		trace_sample_write(sample, metadata);
	return json_line(metadata);
}
