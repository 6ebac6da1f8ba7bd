/* SPDX-License-Identifier: MIT */
/* Folders as capture.sh makes them: which files they become, what their facts say, and what is left out. */
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/little.h"
#include "capture-tools.h"
#include "gpu/convert/raw-file.h"

#define CODE                                                                                   \
	".target sm_90\n.text.k:\n"                                                            \
	"/*0000*/ S2R R0, SR_TID.X ;\n"                                                        \
	"//## File \"/home/me/src/k.cu\", line 17\n"                                           \
	"/*0010*/ LDG.E R1, [R2.64] ;\n"                                                       \
	"//## File \"/home/menu/k.cuh\", line 4\n"                                             \
	"/*0020*/ LDS R1, [R0] ;\n"                                                            \
	"/*0030*/ UTMALDG.2D [UR4], [UR6] ;\n"                                                 \
	"/*0040*/ EXIT ;\n"

/* A folder to work in, and the captures in it. */
static char *work, *before;

static void set_up(void)
{
	before = g_get_current_dir();
	work = g_dir_make_tmp("atomsim-folder-XXXXXX", NULL);
	g_assert_cmpint(g_chdir(work), ==, 0);
	g_assert_cmpint(g_mkdir("in", 0700), ==, 0);
	g_assert_cmpint(g_mkdir("d.d", 0700), ==, 0);
}

static void clean(const char *folder)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);

		g_unlink(path);
	}
	g_rmdir(folder);
}

static void tear_down(void)
{
	clean("in");
	clean("d.d");
	g_assert_cmpint(g_chdir(before), ==, 0);
	clean(work);
	g_clear_pointer(&work, g_free);
	g_clear_pointer(&before, g_free);
}

static void put(const char *name, const char *text)
{
	g_autofree char *path = g_build_filename("in", name, NULL);

	g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

typedef struct {
	const char *name;
	uint32_t number, module;
	gboolean sampled; /* of waves of one block */
} Launch;

static void add_chunk(GByteArray *raw, uint32_t kind, uint32_t launch, const void *bytes,
		      guint n)
{
	const RawChunkHeader header = {kind, launch, n};

	g_byte_array_append(raw, (const guint8 *)&header, sizeof(header));
	g_byte_array_append(raw, bytes, n);
}

/* A launch whose lanes load from the second of two allocations. */
static void add_launch(GByteArray *raw, const Launch *launch)
{
	static const RawMemory memory[] = {{0x1000, 0x100}, {0x9000, 0x200}};
	static const struct {
		RawHistory head;
		guint8 before[8];
	} history = {{5, 2}, {RAW_BEFORE_FRESH, RAW_BEFORE_SET | RAW_BEFORE_MANAGED}};
	static const RawCode code = {.new_kernels = 3, .registers = 96};
	struct {
		RawSample head;
		RawWave waves[10];
	} sample = {{1, 5}, {[3] = {9, 9, 9}}};
	static const struct {
		RawParameters head;
		guint8 bytes[40];
	} parameters = {{0x210, 40}, {0}};
	static const RawEnd end = {.n_events = 4, .buffer_bytes = 4096};
	struct {
		RawLaunch launch;
		char name[16];
	} head = {.launch = {.function_pc = CAPTURE_BASE,
			     .grid = {launch->sampled ? 10 : 1, 1, 1},
			     .block = {8, 4, 1},
			     .module = launch->module,
			     .name_bytes = (uint32_t)strlen(launch->name) + 1}};
	GByteArray *events = g_byte_array_new();
	const RawEvent enter = {
		.pc = CAPTURE_BASE, .mask = UINT32_MAX, .kind = RAW_ENTER, .detail = 640};

	memcpy(head.name, launch->name, strlen(launch->name));
	capture_put_event(events, &enter, NULL);
	capture_add_event(events, 0x10, RAW_GLOBAL, UINT32_MAX, RAW_READ, 0, 0x9000, 4);
	capture_add_event(events, 0x20, RAW_SHARED, UINT32_MAX, RAW_READ, 0, 0x400, 4);
	capture_add_event(events, 0x40, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);
	add_chunk(raw, RAW_CHUNK_LAUNCH, launch->number, &head, sizeof(head));
	add_chunk(raw, RAW_CHUNK_MEMORY, launch->number, memory, sizeof(memory));
	add_chunk(raw, RAW_CHUNK_HISTORY, launch->number, &history, sizeof(history));
	add_chunk(raw, RAW_CHUNK_CODE, launch->number, &code, sizeof(code));
	add_chunk(raw, RAW_CHUNK_PARAMETERS, launch->number, &parameters, sizeof(parameters));
	if (launch->sampled)
		add_chunk(raw, RAW_CHUNK_SAMPLE, launch->number, &sample, sizeof(sample));
	add_chunk(raw, RAW_CHUNK_EVENTS, launch->number, events->data, events->len);
	add_chunk(raw, RAW_CHUNK_END, launch->number, &end, sizeof(end));
	g_byte_array_unref(events);
}

static void put_launches(const char *name, const Launch *launches, guint n)
{
	g_autofree char *path = g_build_filename("in", name, NULL);
	const RawFileHeader header = {.magic = RAW_MAGIC, .version = RAW_VERSION};
	g_autoptr(GByteArray) raw = g_byte_array_new();

	g_byte_array_append(raw, (const guint8 *)&header, sizeof(header));
	for (guint i = 0; i < n; i++)
		add_launch(raw, &launches[i]);
	if (!LITTLE_IS_NATIVE)
		raw_turn(raw->data, raw->len, true);
	g_assert_true(g_file_set_contents(path, (const char *)raw->data, raw->len, NULL));
}

/* The name of the n-th trace; NULL if there is none. */
static const ConvertedTrace *trace_of(const GPtrArray *traces, guint n)
{
	return g_ptr_array_index(traces, n);
}

/* ---- Files */

static void a_trace_is_named_as_the_output_and_several_are_numbered(void)
{
	static const Launch launches[] = {
		{"k", 0, 0, FALSE}, {"k", 1, 0, FALSE}, {"k", 4, 0, FALSE}};
	static const struct {
		const char *output, *second;
	} rows[] = {
		{"t.bin", "t.2.bin"},	  {"t", "t.2"},
		{"d.d/t", "d.d/t.2"},	  {".t", ".t.2"},
		{"d.d/t.x", "d.d/t.2.x"}, {"t.a.b", "t.a.2.b"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		for (guint n = 1; n <= G_N_ELEMENTS(launches); n++) {
			g_autoptr(GPtrArray) traces = NULL;
			g_autoptr(GError) error = NULL;

			set_up();
			put("facts", "");
			put("module-1-0.sass", CODE);
			put_launches("events-1.raw", launches, n);
			put("events-1.raw.old", "");
			put("xevents-1.raw", "");
			traces = convert_folder("in", rows[i].output, FALSE, &error);
			g_assert_no_error(error);
			g_assert_cmpuint(traces->len, ==, n);
			for (guint k = 0; k < n; k++) {
				g_assert_null(trace_of(traces, k)->problem);
				g_assert_cmpuint(trace_of(traces, k)->launch, ==,
						 launches[k].number + 1);
				g_assert_true(g_file_test(trace_of(traces, k)->path,
							  G_FILE_TEST_IS_REGULAR));
			}
			g_assert_cmpstr(trace_of(traces, n == 1 ? 0 : 1)->path, ==,
					n == 1 ? rows[i].output : rows[i].second);
			tear_down();
		}
}

/* Processes in the order of their names, each with its own modules. */
static void each_process_has_its_modules(void)
{
	static const Launch first[] = {{"k", 0, 0, FALSE}, {"k", 1, 7, FALSE}},
			    second[] = {{"k", 2, 0, FALSE}};
	g_autoptr(GPtrArray) traces = NULL;
	g_autoptr(GError) error = NULL;

	set_up();
	put("facts", "");
	put("module-31-0.sass", CODE);
	put("module-31-7.sass", ".target sm_90\n.text.other:\n/*0000*/ EXIT ;\n");
	put("module-4-0.sass", CODE);
	put_launches("events-4.raw", second, 1);
	put_launches("events-31.raw", first, 2);
	traces = convert_folder("in", "t.bin", FALSE, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(traces->len, ==, 3);
	g_assert_cmpstr(trace_of(traces, 0)->path, ==, "t.1.bin");
	g_assert_cmpstr(trace_of(traces, 0)->kernel, ==, "k");
	g_assert_cmpuint(trace_of(traces, 0)->launch, ==, 1);
	g_assert_cmpuint(trace_of(traces, 0)->counts.bulk_instructions, ==, 1);
	g_assert_cmpstr(trace_of(traces, 0)->bulk, ==, "1 of tensor copies (TMA)");
	g_assert_false(trace_of(traces, 0)->marked);
	g_assert_null(trace_of(traces, 1)->path);
	g_assert_nonnull(strstr(trace_of(traces, 1)->problem,
				"the machine code of kernel 'k' is not in its module"));
	g_assert_cmpuint(trace_of(traces, 1)->launch, ==, 2);
	g_assert_cmpstr(trace_of(traces, 2)->path, ==, "t.3.bin");
	g_assert_cmpuint(trace_of(traces, 2)->launch, ==, 3);
	tear_down();
}

/* Removes or replaces one file of a good folder. */
static void folders_that_give_nothing_say_why(void)
{
	static const struct {
		const char *file, *text; /* NULL: it is not there */
		AtomsimErrorCode code;
		const char *words;
	} rows[] = {
		{"facts", NULL, ATOMSIM_ERROR_IO,
		 "in/facts: cannot be read; is its folder one that capture.sh made?"},
		{"events-1.raw", NULL, ATOMSIM_ERROR_TRACE, "in: no launch was recorded"},
		{"events-1.raw", "junk", ATOMSIM_ERROR_TRACE, "in/events-1.raw: byte 0"},
		{"module-1-0.sass", NULL, ATOMSIM_ERROR_IO,
		 "in/module-1-0.sass: cannot be read"},
		{"module-1-0.sass", ".target sm_90\n", ATOMSIM_ERROR_TRACE,
		 "the machine code of kernel 'k' is not in its module"},
		{"module-1-0.sass", ".text.k:\n/*0000*/ EXIT ;\n", ATOMSIM_ERROR_TRACE,
		 "does not say for which GPU it is"},
	};
	static const Launch launch = {"k", 0, 0, FALSE};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_build_filename("in", rows[i].file, NULL);
		g_autoptr(GError) error = NULL;

		set_up();
		put("facts", "");
		put("module-1-0.sass", CODE);
		put_launches("events-1.raw", &launch, 1);
		if (rows[i].text)
			put(rows[i].file, rows[i].text);
		else
			g_unlink(path);
		g_assert_null(convert_folder("in", "t.bin", FALSE, &error));
		g_assert_error(error, ATOMSIM_ERROR, (gint)rows[i].code);
		g_assert_nonnull(strstr(error->message, rows[i].words));
		g_assert_false(g_file_test("t.bin", G_FILE_TEST_EXISTS));
		tear_down();
	}
}

static void kernels_that_were_not_recorded_have_names(void)
{
	char **names;

	set_up();
	names = convert_other_kernels("in");
	g_assert_cmpuint(g_strv_length(names), ==, 0);
	g_strfreev(names);
	put("others", "_Z4fillPf\n\n\nplain\n_ZN2ns4kernEi\nb\xff");
	names = convert_other_kernels("in");
	g_assert_cmpuint(g_strv_length(names), ==, 4);
	g_assert_cmpstr(names[0], ==, "fill");
	g_assert_cmpstr(names[1], ==, "plain");
	g_assert_cmpstr(names[2], ==, "ns::kern");
	g_assert_true(g_utf8_validate(names[3], -1, NULL));
	g_strfreev(names);
	tear_down();
}

static void names_are_those_that_people_know(void)
{
	static const char *const rows[][2] = {
		{"_Z1kv", "k"},		  {"_Z4longi", "long"},	      {"_Z5longi", "longi"},
		{"_Z6longi", "_Z6longi"}, {"_ZN1a1b1cEv", "a::b::c"}, {"_ZN1a2bbE", "a::bb"},
		{"_ZN3ab", "_ZN3ab"},	  {"_ZN1aL1bE", "a"},	      {"_Z0k", "_Z0k"},
		{"_Zk", "_Zk"},		  {"_Y1k", "_Y1k"},	      {"", ""},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *name = convert_kernel_name(rows[i][0]);

		g_assert_cmpstr(name, ==, rows[i][1]);
	}
}

/* ---- Metadata */

/* "a.b.0.c" in the metadata: its text, number, or whether it is there at all. */
static char *said(const cJSON *at, const char *path)
{
	g_auto(GStrv) words = g_strsplit(path, ".", -1);

	for (char **word = words; at && *word; word++)
		at = cJSON_IsArray(at) ? cJSON_GetArrayItem(at, atoi(*word))
				       : cJSON_GetObjectItem(at, *word);
	if (!at)
		return g_strdup("none");
	if (cJSON_IsString(at))
		return g_strdup(at->valuestring);
	if (cJSON_IsNumber(at))
		return g_strdup_printf("%g", at->valuedouble);
	return g_strdup_printf("%s of %d", cJSON_IsTrue(at) ? "true" : "list",
			       cJSON_GetArraySize(at));
}

typedef struct {
	const char *path, *text;
} Said;

static void check_metadata(const char *facts, gboolean raw, const Said *rows, guint n)
{
	static const Launch launch = {"_Z1ki", 6, 0, TRUE};
	g_autoptr(GString) code = g_string_new(CODE);
	g_autoptr(GPtrArray) traces = NULL;
	g_autoptr(TraceReader) reader = NULL;
	g_autoptr(GError) error = NULL;

	g_string_replace(code, ".text.k:", ".text._Z1ki:", 1);
	set_up();
	put("facts", facts);
	put("module-1-0.sass", code->str);
	put_launches("events-1.raw", &launch, 1);
	traces = convert_folder("in", "t.bin", raw, &error);
	g_assert_no_error(error);
	reader = trace_open(trace_of(traces, 0)->path, &error);
	g_assert_no_error(error);
	for (guint i = 0; i < n; i++) {
		g_autofree char *text = said(trace_metadata_json(reader), rows[i].path);

		g_test_message("%s", rows[i].path);
		g_assert_cmpstr(text, ==, rows[i].text);
	}
	tear_down();
}

static void traces_say_what_was_captured(void)
{
	static const Said rows[] = {
		{"format", "2"},
		{"kernel", "k"},
		{"kernel_symbol", "_Z1ki"},
		{"launch", "7"},
		{"earlier_launches", "5"},
		{"new_kernels", "3"},
		{"registers", "96"},
		{"parameters.offset", "528"},
		{"parameters.bytes", "40"},
		{"parameters.lines", "list of 1"},
		{"sample.blocks", "10"},
		{"sample.wave_blocks", "1"},
		{"sample.work", "list of 10"},
		{"sample.work.3", "list of 3"},
		{"sample.work.3.2", "9"},
		{"grid", "list of 3"},
		{"block.0", "8"},
		{"block.1", "4"},
		{"block.2", "1"},
		{"shared_bytes", "640"},
		{"source", "capture"},
		{"tool", "atomsim"},
		{"tool_version", PACKAGE_VERSION},
		{"gpu", "none"},
		{"command", "none"},
		{"files", "list of 0"},
		{"capture.level", "logical"},
		{"capture.kernel_selection", "none"},
		{"capture.recorder", "none"},
		{"capture.unmarked_gaps", "none"},
		{"capture.events", "4"},
		{"capture.instructions", "5"},
		{"capture.graph_launches", "0"},
		{"capture.bulk_instructions", "1"},
		{"capture.dropped_values", "0"},
		{"sites", "list of 2"},
		{"sites.0.pc", "0x10"},
		{"sites.0.function", "k"},
		{"sites.0.instruction", "LDG.E"},
		{"sites.0.file", "/home/me/src/k.cu"},
		{"sites.0.line", "17"},
		{"sites.1.pc", "0x20"},
		{"buffers", "list of 1"},
		{"buffers.0.bytes", "512"},
		{"buffers.0.before", "set"},
		{"buffers.0.managed", "true of 0"},
	};

	check_metadata("", FALSE, rows, G_N_ELEMENTS(rows));
}

static void facts_are_told_as_they_are(void)
{
	static const char facts[] =
		"gpu\tH200\ngpu\tanother\ndriver\t580\ncuda\t\ndate\ttoday\n"
		"no tab\n\ncommand\t./run 1\tx\nfile\tabc ./run me\n"
		"file\tnospace\nfolder\t/home/me\nkernel_selection\tk\n"
		"launch_selection\t2\nblock_selection\t0-3\ngraph_launches\t4\nrecorder\tby "
		"itself";
	static const Said rows[] = {
		{"gpu", "H200"},
		{"driver", "580"},
		{"cuda", "none"},
		{"date", "today"},
		{"command", "./run 1\tx"},
		{"files", "list of 2"},
		{"files.0.name", "./run me"},
		{"files.0.sha256", "abc"},
		{"files.1.name", "nospace"},
		{"files.1.sha256", ""},
		{"capture.level", "raw"},
		{"capture.kernel_selection", "k"},
		{"capture.launch_selection", "2"},
		{"capture.block_selection", "0-3"},
		{"capture.graph_launches", "4"},
		{"capture.recorder", "by itself"},
		{"capture.unmarked_gaps", "0"},
		/* In the program's folder, and beside it. */
		{"sites.0.file", "src/k.cu"},
		{"sites.1.file", "/home/menu/k.cuh"},
		{"sites.1.line", "4"},
	};

	check_metadata(facts, TRUE, rows, G_N_ELEMENTS(rows));
}

/* Each count has a key of its own. */
static void counts_have_their_keys(void)
{
	static const struct {
		const char *key;
		gsize at;
	} rows[] = {
#define ROW(key, field) {key, G_STRUCT_OFFSET(ConvertCounts, field)}
		ROW("events", n_events),
		ROW("folded_atomics", folded_atomics),
		ROW("folded_events", folded_events),
		ROW("folded_locks", folded_locks),
		ROW("nested_locks", nested_locks),
		ROW("matrix_accesses", matrix_accesses),
		ROW("async_copies", async_copies),
		ROW("remote_accesses", remote_accesses),
		ROW("partial_barriers", partial_barriers),
		ROW("unknown_operations", unknown_operations),
		ROW("out_of_range", out_of_range),
		ROW("bulk_instructions", bulk_instructions),
		ROW("graph_launches", graph_launches),
		ROW("unresolved_paths", unresolved_paths),
		ROW("instructions", n_instructions),
		ROW("guessed_branches", guessed_branches),
		ROW("refuted_branches", refuted_branches),
		ROW("outside_calls", outside_calls),
		ROW("unplaced_accesses", unplaced_accesses),
		ROW("local_accesses", local_accesses),
		ROW("texture_accesses", texture_accesses),
		ROW("dropped_values", dropped_values),
		ROW("unmarked_gaps", unmarked_gaps),
#undef ROW
	};
	static const RawLaunch launch = {.grid = {2, 3, 4}, .block = {5, 6, 7}};
	const RawHistory unknown = {.earlier_launches = RAW_LAUNCHES_UNKNOWN};
	const RawRecording recording = {.name = "k", .launch = &launch, .history = &unknown};
	g_autoptr(GArray) sites = g_array_new(FALSE, FALSE, sizeof(ConvertSite));
	g_auto(ConvertLists) lists = {0};
	g_autoptr(GHashTable) facts = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) recorder = g_ptr_array_new();
	const ConvertBuffer buffer = {.bytes = 9, .before = BUFFER_UNKNOWN};
	ConvertCounts counts;

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		*(uint64_t *)(gpointer)((char *)&counts + rows[i].at) = 100 + i;
	g_ptr_array_add(recorder, (gpointer) "itself");
	g_hash_table_insert(facts, (gpointer) "recorder", recorder);
	convert_lists_init(&lists);
	g_array_append_val(lists.buffers, buffer);

	g_autofree char *text = convert_metadata(&recording, facts, &lists, 0, FALSE, &counts);
	cJSON *object = cJSON_Parse(text);
	const cJSON *capture = cJSON_GetObjectItem(object, "capture");

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		g_assert_cmpint(cJSON_GetObjectItem(capture, rows[i].key)->valueint, ==,
				(int)(100 + i));
	g_assert_null(cJSON_GetObjectItem(object, "earlier_launches"));
	g_assert_null(cJSON_GetObjectItem(object, "new_kernels"));

	const cJSON *only = cJSON_GetArrayItem(cJSON_GetObjectItem(object, "buffers"), 0);

	g_assert_null(cJSON_GetObjectItem(only, "before"));
	g_assert_null(cJSON_GetObjectItem(only, "managed"));
	for (int i = 0; i < 3; i++)
		g_assert_cmpint(
			cJSON_GetArrayItem(cJSON_GetObjectItem(object, "grid"), i)->valueint,
			==, 2 + i);
	cJSON_Delete(object);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/capture/folder/" #name, name)
	TEST(a_trace_is_named_as_the_output_and_several_are_numbered);
	TEST(each_process_has_its_modules);
	TEST(folders_that_give_nothing_say_why);
	TEST(kernels_that_were_not_recorded_have_names);
	TEST(names_are_those_that_people_know);
	TEST(traces_say_what_was_captured);
	TEST(facts_are_told_as_they_are);
	TEST(counts_have_their_keys);
#undef TEST
	return g_test_run();
}
