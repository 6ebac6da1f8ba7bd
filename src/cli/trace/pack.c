/* SPDX-License-Identifier: MIT */
/* atomsim trace pack: some blocks of a trace, or all in full segments. */
#include "cli/option.h"
#include "cli/trace/trace.h"
#include "base/error.h"
#include "config/config.h"
#include "gpu/capture/sample.h"
#include "sim/run/run.h"
#include "trace/pack.h"

typedef struct {
	const char *text; /* as given; NULL: all */
	guint64 first, last;
	gboolean renumber;
	guint64 waves;	    /* of a sample; 0: none is taken */
	TraceSample sample; /* then */
} Blocks;

static void blocks_clear(Blocks *blocks)
{
	trace_sample_clear(&blocks->sample);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Blocks, blocks_clear)

static gboolean usage(GError **error, const char *format, const char *value)
{
	g_autofree char *what = g_strdup_printf(format, value);

	return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "trace pack: %s", what);
}

static gboolean parse_blocks(Blocks *blocks, GError **error)
{
	g_auto(GStrv) ends = g_strsplit(blocks->text ? blocks->text : "", "-", 2);

	blocks->first = 0;
	blocks->last = G_MAXUINT64;
	if (!blocks->text)
		return TRUE;
	if (!ends[0] ||
	    !g_ascii_string_to_unsigned(ends[0], 10, 0, G_MAXINT64, &blocks->first, NULL) ||
	    !g_ascii_string_to_unsigned(ends[1] ? ends[1] : ends[0], 10, blocks->first,
					G_MAXINT64, &blocks->last, NULL))
		return usage(error, "--blocks: '%s' found; allowed: A or A-B, A not above B",
			     blocks->text);
	return TRUE;
}

static gboolean check_usage(char **files, const char *output, const Blocks *blocks,
			    const char *config, GError **error)
{
	if ((blocks->waves > 0) != (config != NULL))
		return usage(error,
			     "--sample and --config go together; for example: --sample "
			     "8 --config %s",
			     "h200");
	if (blocks->waves > 0 && (blocks->text || blocks->renumber))
		return usage(error,
			     "--sample chooses the blocks and keeps their numbers; it does not "
			     "go with %s",
			     blocks->text ? "--blocks" : "--renumber");
	if (!files || files[1])
		return usage(error, "%s; one trace is needed",
			     files ? "several traces given" : "no trace given");
	return output || usage(error, "no output; allowed: -o %s", "FILE");
}

/* What goes with a sample, the trace's own or one that is taken. */
static gboolean check_sample(TraceReader *reader, const Blocks *blocks, GError **error)
{
	g_auto(TraceSample) sample = {0};

	if (!trace_sample(reader, &sample, error))
		return FALSE;
	if (sample.blocks == 0 || (blocks->waves == 0 && !blocks->text && !blocks->renumber))
		return TRUE;
	return atomsim_fail(
		error, ATOMSIM_ERROR_TRACE,
		"%s: a sample of a launch's blocks; no part of it is one, so --blocks, "
		"--renumber and --sample are not allowed",
		trace_path(reader));
}

/* What each wave of the whole launch has. */
static gboolean read_work(TraceReader *reader, TraceSample *sample, GError **error)
{
	const guint64 n_waves = sample->blocks / sample->wave_blocks;

	sample->work = g_new0(TraceWork, n_waves);
	for (guint64 block = 0; block < n_waves * sample->wave_blocks; block++) {
		TraceWork *work = &sample->work[block / sample->wave_blocks];
		guint64 n, bytes;

		if (!trace_block_size(reader, block, &n, &bytes))
			return atomsim_fail(error, ATOMSIM_ERROR_TRACE,
					    "%s: block %" G_GUINT64_FORMAT
					    " cannot be read; 'atomsim trace check' says why",
					    trace_path(reader), block);
		work->sum += n;
		work->least = block % sample->wave_blocks == 0 ? n : MIN(work->least, n);
		work->most = MAX(work->most, n);
	}
	return TRUE;
}

/* The wave on the machine, of which the launch must have enough, and all blocks, which must be alike. */
static gboolean choose_sample(TraceReader *reader, const char *config, char **settings,
			      Blocks *blocks, GError **error)
{
	RecordSource *source = trace_source(reader);
	g_autoptr(Config) machine = config_load(config, (const char *const *)settings, error);
	guint64 wave, n_waves;
	BlockInfo first = {0}, info;

	if (!machine)
		return FALSE;
	wave = MAX(sim_wave_blocks(config_machine(machine), source), 1);
	n_waves = source->n_blocks / wave;
	if (!sample_is_part(source->n_blocks, wave, blocks->waves))
		return atomsim_fail(error, ATOMSIM_ERROR_TRACE,
				    "%s: --sample: the launch has %" G_GUINT64_FORMAT
				    " waves of %" G_GUINT64_FORMAT
				    " blocks on this machine; a sample may have half of them",
				    trace_path(reader), n_waves, wave);
	source->block_info(source, 0, &first);
	for (guint64 block = 0; block < source->n_blocks; block++) {
		source->block_info(source, block, &info);
		if (info.block_id == block && info.n_warps == first.n_warps &&
		    info.shared_bytes == first.shared_bytes)
			continue;
		return atomsim_fail(
			error, ATOMSIM_ERROR_TRACE,
			"%s: --sample: block %" G_GUINT64_FORMAT
			" is missing, or differs from block 0 in warps or shared memory",
			trace_path(reader), block);
	}
	blocks->sample = (TraceSample){.blocks = source->n_blocks, .wave_blocks = wave};
	return read_work(reader, &blocks->sample, error);
}

static gboolean is_chosen(const Blocks *blocks, guint64 id)
{
	if (blocks->waves > 0)
		return sample_has(id, blocks->sample.blocks, blocks->sample.wave_blocks,
				  blocks->waves);
	return id >= blocks->first && id <= blocks->last;
}

static gboolean pack(TraceReader *reader, TraceWriter *writer, const Blocks *blocks,
		     GError **error)
{
	RecordSource *source = trace_source(reader);
	guint64 n = 0;

	for (guint64 block = 0; block < source->n_blocks; block++) {
		BlockInfo info;

		if (!cli_progress("blocks", block, source->n_blocks))
			return atomsim_fail(error, ATOMSIM_ERROR_RUN, "%s: interrupted",
					    trace_path(reader));
		source->block_info(source, block, &info);
		if (!is_chosen(blocks, info.block_id))
			continue;
		if (!trace_pack_block(reader, writer, block,
				      blocks->renumber ? n : info.block_id, error))
			return FALSE;
		n++;
	}
	cli_progress("blocks", source->n_blocks, source->n_blocks);
	if (n > 0 || !blocks->text)
		return TRUE;
	return atomsim_fail(
		error, ATOMSIM_ERROR_TRACE,
		"%s: no block has a number of %s; 'atomsim trace info' says what there is",
		trace_path(reader), blocks->text);
}

/* What the user gave. */
static struct {
	char *output, *range, *sample, *config;
	char **settings, **files;
	gboolean renumber;
} given;

static const GOptionEntry entries[] = {
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &given.output, "Write the trace to FILE",
	 "FILE"},
	{"blocks", 0, 0, G_OPTION_ARG_STRING, &given.range,
	 "Only thread blocks with these numbers, counted from 0", "A[-B]"},
	{"renumber", 0, 0, G_OPTION_ARG_NONE, &given.renumber, "Number the blocks from 0 on",
	 NULL},
	OPTION_SAMPLE(&given.sample),
	OPTION_CONFIG(&given.config),
	OPTION_SET(&given.settings),
	OPTION_OPERANDS(&given.files),
	OPTION_END,
};

static CliStatus run(GError **error)
{
	g_autofree char *metadata = NULL;
	g_auto(Blocks) blocks = {.text = given.range, .renumber = given.renumber};
	g_autoptr(TraceReader) reader = NULL;
	g_autoptr(TraceWriter) writer = NULL;

	if (!cli_read_sample(given.sample, &blocks.waves, error) ||
	    !check_usage(given.files, given.output, &blocks, given.config, error) ||
	    !parse_blocks(&blocks, error))
		return CLI_FAILED;
	reader = trace_open(given.files[0], error);
	if (!reader || !check_sample(reader, &blocks, error) ||
	    (given.config &&
	     !choose_sample(reader, given.config, given.settings, &blocks, error)))
		return CLI_FAILED;
	metadata = trace_pack_metadata(reader, given.range, blocks.renumber,
				       given.config ? &blocks.sample : NULL, error);
	writer = metadata ? trace_writer_new(given.output, error) : NULL;
	if (writer)
		trace_writer_copy_kernel(writer, trace_records_version(reader),
					 &trace_source(reader)->kernel);
	if (!writer || !pack(reader, writer, &blocks, error) ||
	    !trace_writer_finish(g_steal_pointer(&writer), metadata, error))
		return CLI_FAILED;
	return CLI_GOOD;
}

const Command command_trace_pack = {
	.name = "trace pack",
	.synopsis = "[OPTION]... -o FILE TRACE",
	.summary = "Select or renumber blocks, and pack segments full",
	.examples = "atomsim trace pack --blocks 0-1 -o two.bin weighted\n"
		    "atomsim trace pack --blocks 2 --renumber -o one.bin weighted",
	.options = entries,
	.run = run,
};
