/* SPDX-License-Identifier: MIT */
/* The workloads pattern and voting: what their kernels do. */
#include <glib/gstdio.h>

#include "base/error.h"
#include "gen-trace.h"
#include "workloads/votespace.h"
#include "workloads/workload.h"

/* --- Replication: the mappings, by hand --- */

static uint32_t copy_of(Mapping mapping, uint32_t n_threads, uint32_t copies, uint32_t thread)
{
	VoteSpace space = {.words = 100,
			   .copies = copies,
			   .padding = 1,
			   .n_threads = n_threads,
			   .mapping = mapping,
			   .width = 4};
	uint32_t base = vote_space_base(&space, thread);

	g_assert_cmpuint(base % (101 * 4), ==, 0);
	return base / (101 * 4);
}

static void test_cyclic(void)
{
	const uint32_t expected[] = {0, 1, 2, 0, 1, 2, 0};

	for (uint32_t thread = 0; thread < G_N_ELEMENTS(expected); thread++)
		g_assert_cmpuint(copy_of(MAPPING_CYCLIC, 64, 3, thread), ==, expected[thread]);
	g_assert_cmpuint(copy_of(MAPPING_CYCLIC, 64, 3, 63), ==, 0);
}

static void test_block(void)
{
	/* floor(64 / 4) = 16 threads share a copy. */
	g_assert_cmpuint(copy_of(MAPPING_BLOCK, 64, 4, 0), ==, 0);
	g_assert_cmpuint(copy_of(MAPPING_BLOCK, 64, 4, 15), ==, 0);
	g_assert_cmpuint(copy_of(MAPPING_BLOCK, 64, 4, 16), ==, 1);
	g_assert_cmpuint(copy_of(MAPPING_BLOCK, 64, 4, 63), ==, 3);
	/* floor(96 / 5) = 19: thread 95 would be of copy 5 and starts again. */
	g_assert_cmpuint(copy_of(MAPPING_BLOCK, 96, 5, 18), ==, 0);
	g_assert_cmpuint(copy_of(MAPPING_BLOCK, 96, 5, 19), ==, 1);
	g_assert_cmpuint(copy_of(MAPPING_BLOCK, 96, 5, 94), ==, 4);
	g_assert_cmpuint(copy_of(MAPPING_BLOCK, 96, 5, 95), ==, 0);
	/* A copy a thread. */
	g_assert_cmpuint(copy_of(MAPPING_BLOCK, 32, 32, 31), ==, 31);
}

static void test_voting_follows_mapping(void)
{
	/* 2 warps, 4 copies of 32 words and 1 of padding, each lane on its own word. */
	g_autoptr(TraceReader) reader = gen_trace("voting distribution=lanes words=32 warps=2 "
						  "blocks=1 steps=1 replicas=4 padding=1 "
						  "mapping=block");
	g_autofree uint64_t *votes = count_votes(reader, 4 * 33 - 1);

	for (uint32_t word = 0; word < 4 * 33 - 1; word++) {
		uint32_t copy = word / 33, lane = word % 33;
		/* Threads 0-15 use copy 0, 16-31 copy 1, 32-47 copy 2, 48-63 copy 3. */
		gboolean voted = lane < 32 && copy % 2 == lane / 16;
		g_assert_cmpuint(votes[word], ==, voted ? 1 : 0);
	}
}

/* --- The whole kernel --- */

typedef struct {
	uint32_t n_words; /* of shared memory */
	uint32_t *stored;
	uint32_t *loaded;
	uint32_t n_summed; /* lanes of global atomics */
	uint32_t n_read;   /* lanes of global loads */
	uint32_t n_voted;
	uint32_t n_bars;
	uint32_t phase; /* barriers of the warp so far */
	uint32_t warp;
} Kernel;

static void follow(const Record *record, uint64_t block, uint32_t warp, gpointer data)
{
	Kernel *kernel = data;

	g_assert_cmpuint(block, ==, 0);
	if (warp != kernel->warp)
		kernel->phase = 0;
	kernel->warp = warp;
	switch (record->kind) {
	case RECORD_BAR:
		kernel->n_bars++;
		kernel->phase++;
		break;
	case RECORD_STS:
		g_assert_cmpuint(kernel->phase, ==, 0);
		for (unsigned i = 0; i < record->n_lanes; i++)
			kernel->stored[record->address[i] / 4]++;
		break;
	case RECORD_LDG:
		g_assert_cmpuint(kernel->phase, ==, 1);
		kernel->n_read += record->n_lanes;
		break;
	case RECORD_ATOM:
		g_assert_cmpuint(kernel->phase, ==, 1);
		kernel->n_voted += record->n_lanes;
		break;
	case RECORD_LDS:
		g_assert_cmpuint(kernel->phase, ==, 2);
		for (unsigned i = 0; i < record->n_lanes; i++)
			kernel->loaded[record->address[i] / 4]++;
		break;
	case RECORD_ATOMG:
		g_assert_cmpuint(kernel->phase, ==, 2);
		g_assert_cmpuint(record->bytes, ==, 4u * record->n_lanes);
		kernel->n_summed += record->n_lanes;
		break;
	default:
		break;
	}
}

static void test_full_kernel(void)
{
	/* 3 copies of 99 words at a stride of 111; 2 warps. The last word is a row of its own. */
	g_autoptr(TraceReader) reader = gen_trace("voting kernel=full words=99 replicas=3 "
						  "padding=12 blocks=1 warps=2 steps=5");
	Kernel kernel = {.n_words = 3 * 111 - 12, .warp = UINT32_MAX};
	kernel.stored = g_new0(uint32_t, kernel.n_words);
	kernel.loaded = g_new0(uint32_t, kernel.n_words);

	visit_records(reader, follow, &kernel);
	for (uint32_t word = 0; word < kernel.n_words; word++) {
		g_assert_cmpuint(kernel.stored[word], ==, 1);
		g_assert_cmpuint(kernel.loaded[word], ==, word % 111 < 99 ? 1 : 0);
	}
	g_assert_cmpuint(kernel.n_bars, ==, 2 * 2);
	g_assert_cmpuint(kernel.n_read, ==, 2 * 32 * 5);
	g_assert_cmpuint(kernel.n_voted, ==, 2 * 32 * 5);
	g_assert_cmpuint(kernel.n_summed, ==, 99);
	g_free(kernel.stored);
	g_free(kernel.loaded);
}

static void only_votes(const Record *record, uint64_t block, uint32_t warp, gpointer data)
{
	uint32_t *n = data;

	(void)block;
	(void)warp;
	g_assert_true(record->kind == RECORD_ATOM || record->kind == RECORD_EXIT);
	if (record->kind == RECORD_ATOM) {
		g_assert_cmpuint(record->operation, ==, OPERATION_MAX);
		g_assert_cmpuint(record->type, ==, TYPE_S64);
		g_assert_cmpuint(record->width, ==, 8);
		g_assert_true(record->result);
		g_assert_true(record->has_values);
		g_assert_cmpuint(record->value[31], ==, 1);
		for (unsigned lane = 0; lane < 32; lane++)
			g_assert_cmpuint(record->address[lane], <, 50 * 8);
		(*n)++;
	}
}

static void test_votes_alone(void)
{
	g_autoptr(TraceReader) reader =
		gen_trace("voting words=50 blocks=2 warps=3 steps=4 op=max "
			  "type=s64 result=yes values=one");
	uint32_t n = 0;

	visit_records(reader, only_votes, &n);
	g_assert_cmpuint(n, ==, 2 * 3 * 4);
}

/* --- Patterns --- */

static void assert_pattern(const char *setting, const char *more, const char *expected)
{
	const char *settings[] = {setting, more, NULL};
	g_autoptr(GError) error = NULL;
	g_autoptr(GBytes) bytes =
		workload_generate_bytes(workload_find("pattern", NULL), settings, &error);
	g_assert_no_error(error);
	g_autoptr(TraceReader) reader = trace_open_bytes("pattern", bytes, &error);
	g_assert_no_error(error);
	g_autofree char *text = records_text(reader);

	g_assert_cmpstr(text, ==, expected);
}

static void test_pattern(void)
{
	assert_pattern("addresses=0 1024 2", "repeat=2", "0.0:7 0 4096 8\n0.0:7 0 4096 8\n");
	assert_pattern("addresses=7, -, 7 -", "warps=2", "0.0:5 28 28\n0.1:5 28 28\n");
	assert_pattern("addresses=0;1;2", "warps=2", "0.0:1 0\n0.1:1 4\n1.0:1 8\n1.1:1 0\n");
	assert_pattern("addresses=0;1;2", NULL, "0.0:1 0\n1.0:1 4\n2.0:1 8\n");
	assert_pattern("addresses=3 1", "type=u64", "0.0:3 24 8\n");
	assert_pattern("addresses=3", "blocks=2", "0.0:1 12\n1.0:1 12\n");
}

static void test_pattern_memory(void)
{
	const char *settings[] = {"addresses=0 1024;2", NULL};
	g_autoptr(GBytes) bytes =
		workload_generate_bytes(workload_find("pattern", NULL), settings, NULL);
	g_autoptr(TraceReader) reader = trace_open_bytes("pattern", bytes, NULL);
	BlockInfo info;

	for (uint64_t block = 0; block < 2; block++) {
		trace_source(reader)->block_info(trace_source(reader), block, &info);
		g_assert_cmpuint(info.shared_bytes, ==, 1025 * 4);
	}
}

static void test_pattern_file(void)
{
	g_autofree char *path =
		g_build_filename(g_get_tmp_dir(), "atomsim-pattern-XXXXXX", NULL);
	int descriptor = g_mkstemp(path);
	g_assert_cmpint(descriptor, >=, 0);
	g_assert_true(g_close(descriptor, NULL));
	g_assert_true(g_file_set_contents(path, "name,addresses\na,0 1\nb,5 - 5\n", -1, NULL));

	g_autofree char *setting = g_strconcat("file=", path, NULL);
	assert_pattern(setting, NULL, "0.0:3 0 4\n1.0:5 20 20\n");

	g_autofree char *command = g_strconcat("pattern ", setting, NULL);
	g_assert_true(g_file_set_contents(path, "name,addresses\na,0 x\n", -1, NULL));
	gen_refused(command, ATOMSIM_ERROR_INPUT, "*:2:*lane 1: 'x' found; allowed: 0 to *");
	g_assert_true(g_file_set_contents(path, "addresses\n", -1, NULL));
	gen_refused(command, ATOMSIM_ERROR_INPUT, "*");
	g_assert_cmpint(g_unlink(path), ==, 0);
	gen_refused(command, ATOMSIM_ERROR_IO, "*No such file*");
}

static void test_pattern_refused(void)
{
	gen_refused("pattern", ATOMSIM_ERROR_USAGE, "neither --addresses nor --file*");
	gen_refused("pattern addresses=0 file=x", ATOMSIM_ERROR_USAGE,
		    "both --addresses and *");
	gen_refused("pattern addresses=-", ATOMSIM_ERROR_USAGE, "*no address found*");
	gen_refused("pattern addresses=262143;262144", ATOMSIM_ERROR_USAGE,
		    "*pattern 2: lane 0: '262144' found; allowed: 0 to 262143,*");
	gen_refused("pattern addresses="
		    "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0",
		    ATOMSIM_ERROR_USAGE, "*more than 32 lanes*");
}

/* --- Data flow --- */

typedef struct {
	GArray *accesses; /* Record, of what has lanes and of barriers and fences */
	uint64_t n_instructions, n_plain;
	const Dataflow *dataflow;
} Program;

static void add_record(const Record *record, uint64_t block, uint32_t warp, gpointer data)
{
	Program *program = data;

	(void)block;
	(void)warp;
	program->n_instructions += record_instructions(record, program->dataflow);
	switch (record->kind) {
	case RECORD_ALU:
	case RECORD_SHFL:
	case RECORD_VOTE:
		program->n_plain++;
		break;
	case RECORD_CODE:
		break;
	default:
		g_array_append_vals(program->accesses, record, 1);
	}
}

static Program read_program(TraceReader *reader)
{
	Program program = {.accesses = g_array_new(FALSE, FALSE, sizeof(Record)),
			   .dataflow = trace_source(reader)->kernel.dataflow};

	visit_records(reader, add_record, &program);
	return program;
}

static void assert_same_access(const Record *a, const Record *b)
{
	gboolean is_shared =
		a->kind == RECORD_LDS || a->kind == RECORD_STS || a->kind == RECORD_ATOM;
	gboolean is_global =
		a->kind == RECORD_LDG || a->kind == RECORD_STG || a->kind == RECORD_ATOMG;

	g_assert_cmpint(a->kind, ==, b->kind);
	g_assert_cmpuint(a->n_lanes, ==, b->n_lanes);
	if (a->n_lanes > 0)
		g_assert_cmphex(a->mask, ==, b->mask);
	if (is_shared || (is_global && a->buffer && b->buffer))
		g_assert_cmpmem(a->address, a->n_lanes * sizeof(a->address[0]), b->address,
				b->n_lanes * sizeof(b->address[0]));
	if (is_shared)
		g_assert_cmpuint(a->width, ==, b->width);
	if (a->kind == RECORD_ATOM || (a->kind == RECORD_ATOMG && a->buffer && b->buffer)) {
		g_assert_cmpuint(a->operation, ==, b->operation);
		g_assert_cmpuint(a->type, ==, b->type);
		g_assert_cmpuint(a->result, ==, b->result);
	}
	if (is_global) {
		g_assert_cmpuint(a->bytes, ==, b->bytes);
		g_assert_cmpuint(a->count, ==, b->count);
	}
}

/* Products of more than one pair (apps, matmul) are not here: with data flow pairs are loaded ahead; test-global-workloads
   holds what they add. */
/* With data flow: the same accesses and instructions; every access says what it waits for, and where it is. */
static void test_data_flow_changes_no_access(gconstpointer data)
{
	g_autoptr(GString) command = g_string_new(data);

	g_string_replace(command, "IMAGE", "traces/images/camera-128.pgm", 0);

	g_autofree char *with = g_strdup_printf("%s dataflow=yes", command->str);
	g_autofree char *without = g_strdup_printf("%s dataflow=no", command->str);
	g_autoptr(TraceReader) flow = gen_trace(with);
	g_autoptr(TraceReader) plain = gen_trace(without);
	Program a = read_program(flow), b = read_program(plain);

	g_assert_nonnull(a.dataflow);
	g_assert_cmpuint(a.n_plain, ==, 0);
	/* Those of these are written anew with data flow, closer to what a compiler makes. */
	if (!g_str_has_prefix(command->str, "transpose") &&
	    !g_str_has_prefix(command->str, "kmeans-update") &&
	    !g_str_has_prefix(command->str, "apps") &&
	    !g_str_has_prefix(command->str, "reduction"))
		g_assert_cmpuint(a.n_instructions, ==, b.n_instructions);
	g_assert_cmpuint(a.accesses->len, ==, b.accesses->len);
	for (guint i = 0; i < a.accesses->len; i++) {
		const Record *told = &g_array_index(a.accesses, Record, i);

		assert_same_access(told, &g_array_index(b.accesses, Record, i));
		if (told->n_lanes > 0) {
			g_assert_cmpuint(told->site, >, 0);
			g_assert_cmpuint(told->site, <=, a.dataflow->n_sites);
		}
		if (told->kind == RECORD_LDG || told->kind == RECORD_STG ||
		    told->kind == RECORD_ATOMG)
			g_assert_cmpuint(told->buffer, >, 0);
	}
	g_array_unref(a.accesses);
	g_array_unref(b.accesses);
}

static const char *const flow_commands[] = {
	"voting words=64 steps=5 blocks=2 warps=3 kernel=full replicas=3 padding=1 alu=300",
	"voting words=64 steps=5 blocks=2 warps=3 result=yes alu=600",
	"kmeans objects=333 clusters=7 components=3 blocks=2 threads=80 alu=2 replicas=2",
	"pattern addresses=0,5,9 repeat=3 access=load alu=5",
	"pattern addresses=0,5,9 repeat=3 access=store",
	"pattern addresses=0,5,9 repeat=3 alu=257",
	"histogram image=IMAGE threads=96 blocks=2 replicas=5 result=yes",
	"hough image=IMAGE warps=2 thetas=4 block-thetas=2 rhos=64",
	"hough image=IMAGE warps=2 thetas=40 block-thetas=40 rhos=64 lanes=angles",
	"scan elements=300 method=hillis threads=64",
	"scan elements=300 method=blelloch threads=64",
	"scan elements=300 method=warp threads=128",
	"scan elements=300 method=warp threads=128 phase=add",
	"shuffle-reduction elements=1000 level=warp threads=96",
	"shuffle-reduction elements=1000 level=block threads=96 exchange=shared",
	"shuffle-reduction elements=1000 level=grid threads=96",
	"shuffle-reduction elements=1000 level=partial threads=96",
	"private-histogram elements=500 bins=40 threads=96 blocks=2 private=block",
	("private-histogram elements=500 bins=40 threads=96 blocks=2 private=warp "
	 "aggregated=yes"),
	"private-histogram elements=500 bins=40 threads=96 blocks=2 private=global",
	"global-atomics words=9 threads=200 alu=5",
	"global-atomics words=9 threads=200 aggregated=yes",
	"scatter file=tests/indices.csv block-threads=96",
	"scatter file=tests/indices.csv space=shared type=f32 result=yes",
	"transpose size=64",
	"reduction elements=1024",
	"kmeans-update algorithm=gm-cl points=70 dimensions=2 clusters=5 threads=64",
	"kmeans-update algorithm=gm-dl points=70 dimensions=3 clusters=5 threads=64 "
	"fences=device",
	"kmeans-update algorithm=sm-dl points=70 dimensions=3 clusters=5 threads=64 "
	"write-back=all",
	"kmeans-update algorithm=sm-cl points=70 dimensions=20 clusters=5 threads=64",
	"kmeans-update algorithm=gm-atomic points=70 dimensions=2 clusters=5 threads=64",
	"apps application=copy groups=3 group-threads=70 lanes=32",
	"apps application=micro1 groups=3 group-threads=70 aggregated=yes end=fence",
	"apps application=micro2 groups=3 group-threads=70 lanes=32 aggregated=yes",
	"apps application=scalar groups=3 group-threads=70",
	"apps application=kmeans groups=3 group-threads=70 size=3 reserve=wavefront",
	"apps application=match groups=3 text=4096 matches=87 aggregated=yes",
	"apps application=matmul groups=3 size=1",
};

static gboolean has_data_flow(const Workload *workload)
{
	for (const WorkloadOption *option = workload->options; option->name; option++)
		if (strcmp(option->name, "dataflow") == 0)
			return TRUE;
	return FALSE;
}

static void test_every_workload_with_data_flow_is_compared(void)
{
	for (guint i = 0; workloads[i]; i++) {
		g_autofree char *begin = g_strconcat(workloads[i]->name, " ", NULL);
		gboolean found = FALSE;

		for (guint k = 0; k < G_N_ELEMENTS(flow_commands); k++)
			found |= g_str_has_prefix(flow_commands[k], begin);
		g_assert_cmpint(found, ==, has_data_flow(workloads[i]));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	/* Commands name files from there: spaces part their words. */
	g_assert_cmpint(g_chdir(g_getenv("SOURCE")), ==, 0);
#define TEST(name, function) g_test_add_func("/workloads/" name, function)
	for (guint i = 0; i < G_N_ELEMENTS(flow_commands); i++) {
		g_autofree char *name = g_strdup_printf(
			"/workloads/data flow changes no access: %s", flow_commands[i]);

		g_test_add_data_func(name, flow_commands[i], test_data_flow_changes_no_access);
	}
	TEST("every workload with data flow is compared",
	     test_every_workload_with_data_flow_is_compared);
	TEST("cyclic mapping deals threads out to the copies in turn", test_cyclic);
	TEST("block mapping gives runs of threads one copy", test_block);
	TEST("voting uses the copy that the mapping says", test_voting_follows_mapping);
	TEST("the full kernel zeroes, votes and sums each word once", test_full_kernel);
	TEST("the votes kernel is nothing but votes of the operation asked for",
	     test_votes_alone);
	TEST("pattern repeats what it is given and deals it out to warps", test_pattern);
	TEST("pattern needs shared memory up to its highest word", test_pattern_memory);
	TEST("pattern reads a CSV and names the line that is wrong", test_pattern_file);
	TEST("pattern refuses lanes and addresses that no warp has", test_pattern_refused);
	return g_test_run();
}
