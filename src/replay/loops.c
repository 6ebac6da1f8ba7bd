/* SPDX-License-Identifier: MIT */
/* The source that leaves records out, and what is known of the run on the way. */
#include "replay/loops.h"

#include <math.h>

#include "replay/loops-internal.h"

struct Loops {
	RecordSource source; /* first */
	SimRequest request;
	RecordSource *below;
	double within;
	Contents *contents;
	BlockLog *log;
	bool together; /* SMs share a memory: all leave out the same batches; else each for itself */
	Group *groups;
	uint32_t n_groups;
	Progress *sms;
	uint32_t n_sms;
};

typedef struct {
	WarpStream stream;
	WarpStream *below;
	Loops *loops;
	Group *group;
	Progress *sm;
	WarpProgress *warp;
} LoopStream;

/* So many records of the SM have been asked for. */
static void mark(LoopStream *self)
{
	Progress *sm = self->sm;
	const uint32_t m = sm->n_marks++;

	g_assert(m < G_N_ELEMENTS(sm->mark_at));
	sm->mark_at[m] = MAX(self->stream.asked_at, m > 0 ? sm->mark_at[m - 1] : 0);
	sm->mark_batch[m] = N_BATCHES;
	sm->mark_index[m] = g_new(uint64_t, sm->n_warps);
	for (uint32_t w = 0; w < sm->n_warps; w++) {
		sm->mark_index[m][w] = sm->warps[w].index;
		if (!sm->warps[w].ended)
			sm->mark_batch[m] = MIN(sm->mark_batch[m], sm->warps[w].batch);
	}
	if (!self->loops->together)
		steady_look(self->group, self->loops->contents, self->loops->within);
}

/* Leaves out the records up to the batch `to`. */
static StreamStatus leave_out(LoopStream *self, Record *record)
{
	WarpProgress *warp = self->warp;
	const uint64_t end = warp->batches->begin[warp->to];
	StreamStatus status = STREAM_RECORD;

	self->sm->skipped_records += end - warp->index;
	for (; warp->index < end && status == STREAM_RECORD; warp->index++)
		status = self->below->next(self->below, record);
	warp->batch = warp->to;
	warp->from = warp->to = N_BATCHES;
	if (--self->sm->n_to_skip == 0) /* from the next mark on */
		self->sm->phase = self->sm->n_marks;
	return status;
}

static StreamStatus next(WarpStream *stream, Record *record)
{
	LoopStream *self = (LoopStream *)stream;
	WarpProgress *warp = self->warp;
	Progress *sm = self->sm;
	StreamStatus status;

	if (G_UNLIKELY(warp->index == warp->batches->begin[warp->batch + 1]) &&
	    ++warp->batch == warp->from) {
		status = leave_out(self, record);
		if (status != STREAM_RECORD)
			return status;
	}
	if (G_UNLIKELY(sm->n_records == sm->n_marks * sm->mark_records))
		mark(self);
	sm->n_records++;
	warp->index++;
	status = self->below->next(self->below, record);
	if (G_UNLIKELY(status == STREAM_RECORD && record->kind == RECORD_EXIT)) {
		warp->ended = true;
		sm->n_left--;
		sm->phase = MAX(sm->phase, sm->n_marks); /* the others will be faster */
		sm->n_looked = 0;
	}
	return status;
}

static void close_stream(WarpStream *stream)
{
	LoopStream *self = (LoopStream *)stream;

	self->below->close(self->below);
	g_free(self);
}

/* What the blocks of an SM are that is about to begin. */
static void begin_sm(Loops *loops, Progress *sm, const GArray *blocks)
{
	const uint32_t n = loops->contents->n_warps;
	uint64_t n_records = 0;

	sm->n_warps = sm->n_left = blocks->len * n;
	sm->warps = g_new0(WarpProgress, sm->n_warps);
	for (guint i = 0; i < blocks->len; i++) {
		const BlockContent *content =
			content_of(loops->contents, g_array_index(blocks, uint64_t, i));

		for (uint32_t q = 0; q < N_BATCHES; q++)
			for (uint32_t k = 0; k < N_CONTENTS; k++)
				sm->batches[q][k] += content->batches[q][k];
		for (uint32_t w = 0; w < n; w++) {
			n_records += content->warps[w].begin[N_BATCHES];
			sm->warps[i * n + w] = (WarpProgress){.batches = &content->warps[w],
							      .block = i,
							      .from = N_BATCHES,
							      .to = N_BATCHES};
		}
	}
	sm->mark_records = (n_records + N_BATCHES - 1) / N_BATCHES;
}

static WarpStream *open_warp(RecordSource *source, uint64_t block, uint32_t warp)
{
	Loops *loops = (Loops *)source;
	WarpStream *below = loops->below->open_warp(loops->below, block, warp);
	const BlockTimes *times = &loops->log->blocks[block];
	LoopStream *self;
	Progress *sm;

	if (!below ||
	    loops->log->of_sms->len == 0) /* whoever looks at records before the run */
		return below;
	sm = &loops->sms[times->sm];
	if (sm->n_warps == 0)
		begin_sm(loops, sm, g_ptr_array_index(loops->log->of_sms, times->sm));
	self = g_new(LoopStream, 1);
	*self = (LoopStream){
		.stream = {.next = next, .close = close_stream},
		.below = below,
		.loops = loops,
		.group = &loops->groups[loops->together ? 0 : times->sm],
		.sm = sm,
		.warp = &sm->warps[times->place * loops->contents->n_warps + warp],
	};
	return &self->stream;
}

static void block_info(RecordSource *source, uint64_t block, BlockInfo *info)
{
	RecordSource *below = ((Loops *)source)->below;

	below->block_info(below, block, info);
}

/* Blocks that are equal leave out the same if they run at the same time: their SM's warps do. */
static uint64_t same_block(RecordSource *source, uint64_t block, BlockEquality equality)
{
	RecordSource *below = ((Loops *)source)->below;

	return below->same_block(below, block, equality);
}

static void look(void *data)
{
	Loops *loops = data;

	steady_look(&loops->groups[0], loops->contents, loops->within);
}

Loops *loops_new(const SimRequest *request, TraceReader *reader, double within,
		 const char **why)
{
	Contents *contents = contents_new(request, reader, why);
	Loops *loops;

	if (!contents)
		return NULL;
	loops = g_new0(Loops, 1);
	loops->below = request->source;
	loops->source = *request->source;
	loops->source.open_warp = open_warp;
	loops->source.block_info = block_info;
	if (loops->below->same_block)
		loops->source.same_block = same_block;
	loops->within = within;
	loops->contents = contents;
	loops->log = block_log_new(request->source->n_blocks);
	loops->together = sim_shares_memory(request->machine, request->source);
	loops->n_sms = machine_launch_sms(request->machine);
	loops->sms = g_new0(Progress, loops->n_sms);
	loops->n_groups = loops->together ? 1 : loops->n_sms;
	loops->groups = g_new0(Group, loops->n_groups);
	for (uint32_t i = 0; i < loops->n_groups; i++)
		loops->groups[i] = (Group){
			.sms = &loops->sms[i],
			.n_sms = loops->together ? loops->n_sms : 1,
		};
	loops->request = *request;
	loops->request.source = &loops->source;
	loops->request.block_log = loops->log;
	if (loops->together) {
		loops->request.between_windows = look;
		loops->request.between_windows_data = loops;
	}
	return loops;
}

void loops_free(Loops *loops)
{
	contents_free(loops->contents);
	block_log_free(loops->log);
	for (uint32_t i = 0; i < loops->n_sms; i++) {
		for (uint32_t m = 0; m < loops->sms[i].n_marks; m++)
			g_free(loops->sms[i].mark_index[m]);
		g_free(loops->sms[i].warps);
	}
	g_free(loops->groups);
	g_free(loops->sms);
	g_free(loops);
}

/* The launch ends with its slowest SM. */
static void fill_in(const Loops *loops, double cycles, Skipped *skipped)
{
	double end = 0, without = 0;

	for (guint i = 0; i < loops->log->of_sms->len; i++) {
		const GArray *blocks = g_ptr_array_index(loops->log->of_sms, i);
		const Progress *sm = &loops->sms[i];
		Cycle last = 0;

		for (guint k = 0; k < blocks->len; k++)
			last = MAX(last,
				   loops->log->blocks[g_array_index(blocks, uint64_t, k)].end);
		without = MAX(without, (double)last);
		end = MAX(end, (double)last + sm->skipped_cycles);
		skipped->records += sm->skipped_records;
		skipped->half_width = MAX(skipped->half_width, sqrt(sm->squared));
	}
	skipped->cycles = end - without;
	skipped->half_width = hypot(skipped->half_width, LOOPS_METHOD_ERROR * loops->within *
								 (cycles + skipped->cycles));
}

SimStatus loops_run(Loops *loops, SimResult *result, Skipped *skipped)
{
	const SimStatus status = sim_run(&loops->request, result);

	*skipped = (Skipped){0};
	if (status == SIM_OK)
		fill_in(loops, (double)result->statistics.cycles, skipped);
	return status;
}
