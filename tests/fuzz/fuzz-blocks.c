/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as the records of a block, in a trace file whose lengths and checksums are right; what is
 * a good trace is replayed, on one thread and on two, with the same result. The bytes:
 *   0  index into the mechanisms; 0x80: version 2 of the format; of that 0x40: 64 lanes, 0x20: the
 *      first part is the data flow's
 *   1  KiB of shared memory, modulo 49
 *   then for each part, a warp: a length of two bytes, and its records
 * The mutator works on whole records.
 */
#include "fuzz-tools.h"

#include <string.h>

#include <xxhash.h>
#include <zstd.h>

#include "config/config.h"
#include "model/mechanism.h"
#include "replay/replay.h"
#include "trace/codec.h"

#define HEAD_BYTES 2
#define MAX_WARPS  6
#define METADATA                                                                               \
	"{\"sites\":[{},{},{}],\"buffers\":[{\"bytes\":4096},{\"bytes\":1099511627776}]}"

#define VERSION_2 0x80
#define LANES_64  0x40
#define DATAFLOW  0x20

typedef struct {
	GByteArray *bytes;
	TraceWarpEntry warps[MAX_WARPS];
	TraceSegmentEntry segments[MAX_WARPS];
	uint32_t n_warps;
} Builder;

static void put(Builder *builder, const void *bytes, size_t length)
{
	g_byte_array_append(builder->bytes, bytes, (guint)length);
}

/* How many records; at least 1, so that the count of a bad segment is bad as well. */
static uint64_t count_records(const uint8_t *bytes, size_t size, const TraceRules *rules)
{
	uint64_t n = 0;
	size_t at = 0;

	while (at < size) {
		const char *problem;
		Record record;
		size_t used = trace_decode_padded(rules, bytes + at, &record, &problem);

		if (used == 0)
			break;
		at += used;
		n++;
	}
	return MAX(n, 1);
}

static void put_warp(Builder *builder, const uint8_t *data, size_t size,
		     const TraceRules *rules)
{
	g_autofree uint8_t *padded = g_malloc0(size + TRACE_MAX_RECORD_BYTES);
	uint8_t stored[TRACE_MAX_STORED_BYTES];
	TraceSegmentEntry *segment = &builder->segments[builder->n_warps];
	TraceWarpEntry *warp = &builder->warps[builder->n_warps++];
	size_t n = ZSTD_compress(stored, sizeof(stored), data, size, -5);

	g_assert(!ZSTD_isError(n));
	memcpy(padded, data, size);
	*warp = (TraceWarpEntry){.n_records = count_records(padded, size, rules),
				 .n_segments = 1};
	*segment = (TraceSegmentEntry){.offset = builder->bytes->len,
				       .stored_bytes = (uint32_t)n,
				       .raw_bytes = (uint32_t)size,
				       .xxh64 = XXH64(stored, n, 0)};
	put(builder, stored, n);
}

static void put_end(Builder *builder, const TraceRules *rules, const uint8_t *flow,
		    size_t flow_bytes)
{
	TraceIndexEntry entry = {.directory_offset = builder->bytes->len,
				 .n_warps = builder->n_warps,
				 .shared_bytes = rules->shared_bytes};
	TraceDirectoryHeader header = {.n_warps = builder->n_warps,
				       .n_segments = builder->n_warps};
	TraceExtension extension = {.warp_lanes = rules->lanes,
				    .dataflow_bytes = flow_bytes,
				    .dataflow_xxh64 = XXH64(flow, flow_bytes, 0)};
	TraceFooter footer = {.n_blocks = 1,
			      .metadata_bytes = strlen(METADATA),
			      .metadata_xxh64 = XXH64(METADATA, strlen(METADATA), 0)};
	struct {
		TraceExtension extension;
		TraceFooter footer;
	} end;

	put(builder, &header, sizeof(header));
	put(builder, builder->warps, builder->n_warps * sizeof(*builder->warps));
	put(builder, builder->segments, builder->n_warps * sizeof(*builder->segments));
	for (uint32_t i = 0; i < builder->n_warps; i++)
		entry.n_records += builder->warps[i].n_records;
	entry.directory_bytes = builder->bytes->len - (uint32_t)entry.directory_offset;
	entry.directory_xxh64 =
		XXH64(builder->bytes->data + entry.directory_offset, entry.directory_bytes, 0);
	extension.dataflow_offset = builder->bytes->len;
	put(builder, flow, flow_bytes);
	footer.metadata_offset = builder->bytes->len;
	put(builder, METADATA, strlen(METADATA));
	footer.index_offset = builder->bytes->len;
	put(builder, &entry, sizeof(entry));
	footer.index_xxh64 = XXH64(&entry, sizeof(entry), 0);
	end.extension = extension;
	end.footer = footer;
	end.footer.footer_xxh64 =
		rules->version == 1
			? XXH64(&footer, G_STRUCT_OFFSET(TraceFooter, footer_xxh64), 0)
			: XXH64(&end,
				sizeof(extension) + G_STRUCT_OFFSET(TraceFooter, footer_xxh64),
				0);
	memcpy(end.footer.magic, TRACE_FOOTER_MAGIC, sizeof(footer.magic));
	if (rules->version == 1)
		put(builder, &end.footer, sizeof(footer));
	else
		put(builder, &end, sizeof(end));
}

/* The next part's bytes; *at moves behind it. NULL at the end. */
static const uint8_t *next_part(const uint8_t *data, size_t size, size_t *at, size_t *n)
{
	const uint8_t *part;

	if (*at + 2 >= size)
		return NULL;
	*n = (size_t)data[*at] | (size_t)data[*at + 1] << 8;
	*n = CLAMP(*n, 1, MIN(size - *at - 2, TRACE_MAX_SEGMENT_BYTES));
	part = data + *at + 2;
	*at += 2 + *n;
	return part;
}

/* A file of one block, or NULL if the bytes have no warp. */
static GBytes *build(const uint8_t *data, size_t size)
{
	static const uint64_t buffer_bytes[] = {4096, UINT64_C(1) << 40};
	Builder builder = {.bytes = g_byte_array_new()};
	TraceRules rules = {
		.version = (data[0] & VERSION_2) != 0 ? 2 : 1,
		.lanes = (data[0] & VERSION_2) != 0 && (data[0] & LANES_64) != 0 ? 64 : 32,
		.shared_bytes = data[1] % 49 * 1024u,
		.n_buffers = 2,
		.buffer_bytes = buffer_bytes};
	TraceFileHeader header = {.version = rules.version};
	const uint8_t *part, *flow = NULL;
	size_t at = HEAD_BYTES, n, flow_bytes = 0;

	memcpy(header.magic, TRACE_MAGIC, sizeof(header.magic));
	put(&builder, &header, sizeof(header));
	if (rules.version == 2 && (data[0] & DATAFLOW) != 0)
		flow = next_part(data, size, &at, &flow_bytes);
	if (flow == NULL)
		flow_bytes = 0;
	while (builder.n_warps < MAX_WARPS && (part = next_part(data, size, &at, &n)) != NULL)
		put_warp(&builder, part, n, &rules);
	if (builder.n_warps == 0) {
		g_byte_array_unref(builder.bytes);
		return NULL;
	}
	put_end(&builder, &rules, flow != NULL ? flow : (const uint8_t *)"", flow_bytes);
	return g_byte_array_free_to_bytes(builder.bytes);
}

/* For each mechanism; made once, for configs take longer than replays. */
static const Machine *machine_of(unsigned i)
{
	static Config *configs[32];
	guint n = 0;

	while (n < G_N_ELEMENTS(configs) && mechanisms[n] != NULL)
		n++;
	i %= n;
	if (configs[i] == NULL) {
		g_autofree char *mechanism =
			g_strconcat("atomic.mechanism=", mechanisms[i]->name, NULL);
		const char *const settings[] = {mechanism, "sm.count=1",
						"sim.watchdog_cycles=20000", NULL};

		configs[i] =
			config_load_text("/nonexistent/fuzz.json", "{}", 2, settings, NULL);
	}
	return configs[i] != NULL ? config_machine(configs[i]) : NULL;
}

static void replay(TraceReader *reader, const Machine *machine)
{
	g_auto(ReplayResult) one = {0};
	g_auto(ReplayResult) two = {0};
	g_autoptr(GError) error = NULL;
	g_autoptr(GError) other = NULL;
	Replay request = {.reader = reader, .machine = machine, .n_threads = 1};
	gboolean good = replay_run(&request, &one, &error);

	fuzz_check_error(good, error);
	request.n_threads = 2;
	g_assert(replay_run(&request, &two, &other) == good);
	g_assert(one.run.statistics.cycles == two.run.statistics.cycles);
	if (!good)
		return;
	const AtomicCounters *atomics = &one.run.statistics.atomics;
	const SharedCounters *shared = &one.run.statistics.shared;

	g_assert_cmpuint(atomics->attempts, ==, atomics->lane_operations + atomics->retries);
	g_assert_cmpuint(shared->passes, ==, shared->accesses + shared->conflict_passes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(GBytes) bytes = size > HEAD_BYTES ? build(data, size) : NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(TraceReader) reader = NULL;
	g_autoptr(TraceCheck) check = NULL;
	const Machine *machine;
	TraceSummary summary = {0};

	if (bytes == NULL)
		return 0;
	reader = trace_open_bytes("fuzz", bytes, &error);
	fuzz_check_error(reader != NULL, error);
	if (reader == NULL)
		return 0;
	check = trace_check_new(reader, 10);
	trace_check_block(check, 0);
	trace_check_end(check);
	machine = machine_of(data[0] & 0x1f);
	/* A record can stand for 2^32 instructions, each of which is simulated. */
	if (trace_check_n_problems(check) == 0 && machine != NULL &&
	    trace_summary_add(&summary, reader, 0, NULL) && summary.instructions < 100000)
		replay(reader, machine);
	return 0;
}

#ifdef ATOMSIM_FUZZING
/* The record's end in a warp whose records begin at `at`; at the least one byte on. */
static size_t skip_record(const uint8_t *data, size_t at, size_t end)
{
	TraceRules rules = {.version = (data[0] & VERSION_2) != 0 ? 2 : 1,
			    .lanes = (data[0] & LANES_64) != 0 ? 64 : 32,
			    .shared_bytes = TRACE_MAX_SHARED_BYTES,
			    .n_buffers = 2};
	uint8_t padded[TRACE_MAX_RECORD_BYTES] = {0};
	const char *problem;
	Record record;
	size_t used;

	memcpy(padded, data + at, MIN(end - at, sizeof(padded)));
	used = trace_decode_padded(&rules, padded, &record, &problem);
	return MIN(at + MAX(used, 1), end);
}

/* Copies, drops or changes one record of the first warps, and keeps the lengths right. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	size_t start, at = HEAD_BYTES, end, next, n;

	if (size < HEAD_BYTES + 4 || seed % 4 == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	for (unsigned warp = seed / 4 % MAX_WARPS;; warp--) {
		n = (size_t)data[at] | (size_t)data[at + 1] << 8;
		start = at;
		at += 2;
		end = MIN(at + MAX(n, 1), size);
		if (warp == 0 || end + 3 > size)
			break;
		at = end;
	}
	for (unsigned skip = seed / 32 % 64; skip > 0; skip--) {
		next = skip_record(data, at, end);
		if (next >= end)
			break;
		at = next;
	}
	next = skip_record(data, at, end);
	n = next - at;
	if (seed % 4 == 1 && size + n <= max_size) {
		memmove(data + next, data + at, size - at);
		size += n;
		end += n;
	} else if (seed % 4 == 2 && end - start > n + 3) {
		memmove(data + at, data + next, size - next);
		size -= n;
		end -= n;
	} else {
		LLVMFuzzerMutate(data + at, n, n);
	}
	n = end - start - 2;
	data[start] = (uint8_t)n;
	data[start + 1] = (uint8_t)(n >> 8);
	return size;
}
#endif
