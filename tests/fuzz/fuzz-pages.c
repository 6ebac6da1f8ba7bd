/* SPDX-License-Identifier: MIT */
/*
 * What is written of a run of anybody's trace: reports in every format, the page, timelines. The head's own bytes (trace-input.h)
 *   0  INPUT_OWN_BITS: index into machines
 * and the first part is what the metadata says: an object of JSON, to which sites and buffers are added; or texts, a line each, of
 * which every text of the metadata is one.
 */
#include "fuzz-tools.h"

#include <string.h>

#include <cjson/cJSON.h>
#include <xxhash.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/output.h"
#include "config/config.h"
#include "report/html/html.h"
#include "report/report.h"
#include "report/timeline/timeline.h"
#include "trace-input.h"

#define MAX_INSTRUCTIONS 400

/* One input in so many has a page, and timelines, written, drawn by its hash; as a test each has. */
#ifdef ATOMSIM_FUZZING
#define PAGES	  4
#define TIMELINES 16
#else
#define PAGES	  1
#define TIMELINES 1
#endif

static const char *const machines[] = {"fermi.json", "h200.json", "hd5870.json"};

/* --- The metadata --- */

typedef struct {
	char **texts;
	guint n, next;
} Texts;

static const char *next_text(Texts *texts)
{
	return texts->texts[texts->next++ % texts->n];
}

static void add_texts(cJSON *metadata, Texts *texts)
{
	static const char *const names[] = {"kernel",  "source", "gpu",	 "tool",
					    "command", "date",	 "grid", "capture_level"};

	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		cJSON_AddStringToObject(metadata, names[i], next_text(texts));
	cJSON_AddNumberToObject(cJSON_AddObjectToObject(metadata, "dropped"), next_text(texts),
				1);
}

static cJSON *site_object(guint k, Texts *texts)
{
	cJSON *site = cJSON_CreateObject();

	cJSON_AddNumberToObject(site, "line", k % 4);
	cJSON_AddStringToObject(site, "file", next_text(texts));
	cJSON_AddStringToObject(site, "function", next_text(texts));
	cJSON_AddStringToObject(site, "pc", next_text(texts));
	return site;
}

/* Sites and buffers as all inputs have them; sites that are there stay. */
static void complete(cJSON *metadata, Texts *texts)
{
	cJSON *sites = cJSON_GetObjectItemCaseSensitive(metadata, "sites");
	cJSON *buffers = cJSON_CreateArray();

	if (!cJSON_IsArray(sites)) {
		cJSON_DeleteItemFromObjectCaseSensitive(metadata, "sites");
		sites = cJSON_AddArrayToObject(metadata, "sites");
	}
	for (guint k = (guint)cJSON_GetArraySize(sites); k < INPUT_SITES; k++)
		cJSON_AddItemToArray(sites, site_object(k, texts));
	for (guint i = 0; i < INPUT_BUFFERS; i++) {
		cJSON *buffer = cJSON_CreateObject();

		cJSON_AddNumberToObject(buffer, "bytes", (double)input_buffer_bytes[i]);
		cJSON_AddStringToObject(buffer, "name", next_text(texts));
		cJSON_AddItemToArray(buffers, buffer);
	}
	cJSON_DeleteItemFromObjectCaseSensitive(metadata, "buffers");
	cJSON_AddItemToObject(metadata, "buffers", buffers);
}

/* g_free. */
static char *metadata_of(const uint8_t *data, size_t size)
{
	g_autofree char *bytes = g_strndup((const char *)data, size);
	g_autofree char *text = g_utf8_make_valid(bytes, -1);
	g_auto(GStrv) lines = g_strsplit(text, "\n", 64);
	Texts texts = {.texts = lines, .n = g_strv_length(lines)};
	cJSON *metadata = *text == '{' ? cJSON_Parse(text) : NULL;
	char *printed, *copy;

	if (texts.n == 0)
		return g_strdup(input_metadata);
	if (!cJSON_IsObject(metadata)) {
		cJSON_Delete(metadata);
		metadata = cJSON_CreateObject();
		add_texts(metadata, &texts);
	}
	complete(metadata, &texts);
	printed = cJSON_PrintUnformatted(metadata);
	copy = g_strdup(printed);
	cJSON_free(printed);
	cJSON_Delete(metadata);
	return copy;
}

/* --- What must hold --- */

#define DELETE "\x7f" /* JSON may have it as it is */

/* Lines of UTF-8 without control characters but `also`. */
static void check_lines(const char *text, size_t length, const char *also)
{
	g_assert(g_utf8_validate(text, (gssize)length, NULL));
	for (const char *c = text; c < text + length; c++)
		g_assert(((guchar)*c >= 0x20 && *c != 0x7f) || strchr(also, *c) != NULL);
}

static cJSON *check_json(const char *text, size_t length)
{
	g_autofree char *copy = g_strndup(text, length);
	cJSON *json = cJSON_ParseWithOpts(copy, NULL, TRUE);

	g_assert(json != NULL);
	return json;
}

/* What a spreadsheet takes for a formula begins so; a number does not. */
static void check_cell(const char *cell)
{
	char *end;

	if (*cell == '\0' || cell[1] == '\0' || strchr("=+-@\t\r\n", *cell) == NULL)
		return;
	g_ascii_strtod(cell, &end);
	g_assert(*end == '\0');
}

static void check_csv(const char *text)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(CsvTable) table = csv_parse("run", text, strlen(text), &error);
	gboolean quoted = FALSE, first = TRUE;

	g_assert_no_error(error);
	g_assert(csv_rows(table) == 1);
	/* As it stands in the file, without what csv_parse takes away. */
	for (const char *c = text; *c != '\0'; c++) {
		if (first && *c != '"') {
			g_autofree char *cell = g_strndup(c, strcspn(c, ",\"\n"));

			check_cell(cell);
		} else if (first && c[1] != '"') {
			g_autofree char *cell = g_strndup(c + 1, strcspn(c + 1, "\""));

			check_cell(cell);
		}
		quoted ^= *c == '"';
		first = !quoted && (*c == ',' || *c == '\n');
	}
}

static guint count(const char *text, char what)
{
	guint n = 0;

	for (; *text != '\0'; text++)
		n += *text == what;
	return n;
}

/* Data end no script and begin no tag: the page has as many as one whose trace says nothing. */
static void check_page(const char *text)
{
	static const char begin[] = "<script type=\"application/json\" id=\"data\">";
	static guint n_tags;
	const char *at = strstr(text, begin), *end;

	g_assert(at != NULL && strstr(at + 1, begin) == NULL);
	at += strlen(begin);
	end = strchr(at, '<');
	g_assert(g_str_has_prefix(end, "</script>"));
	cJSON_Delete(check_json(at, (size_t)(end - at)));
	check_lines(at, (size_t)(end - at), DELETE);
	if (n_tags == 0)
		n_tags = count(text, '<');
	g_assert(count(text, '<') == n_tags);
}

/* The first load-and-lock of an atomic is of all its lanes; a round has no more winners than tries. */
static void check_events(const cJSON *timeline)
{
	const cJSON *events = cJSON_GetObjectItemCaseSensitive(timeline, "traceEvents");
	const cJSON *event;

	g_assert(cJSON_IsArray(events));
	cJSON_ArrayForEach(event, events)
	{
		const cJSON *args = cJSON_GetObjectItemCaseSensitive(event, "args");
		const cJSON *tried = cJSON_GetObjectItemCaseSensitive(args, "tried");
		const cJSON *round = cJSON_GetObjectItemCaseSensitive(args, "round");
		const cJSON *lanes = cJSON_GetObjectItemCaseSensitive(args, "lanes");

		const char *name =
			cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(event, "name"));

		g_assert(name != NULL);
		if (tried == NULL)
			continue;
		g_assert(tried->valueint <= lanes->valueint);
		g_assert(cJSON_GetObjectItemCaseSensitive(args, "won")->valueint <=
			 tried->valueint);
		if (round->valueint == 1 && g_strcmp0(name, "LK") == 0)
			g_assert(tried->valueint == lanes->valueint);
	}
}

static void check_konata(const char *text)
{
	static const char begin[] = "Kanata\t0004\n";

	g_assert(g_str_has_prefix(text, begin));
	for (const char *line = text + strlen(begin); *line != '\0';
	     line = strchr(line, '\n') + 1) {
		g_assert(strchr("CILSREW", *line) != NULL);
		g_assert(line[line[1] == '=' ? 2 : 1] == '\t');
	}
}

/* --- Writing --- */

static void write_report(const RunReport *report)
{
	for (guint i = 0; i < N_REPORT_FORMATS; i++) {
		const ReportFormat *format = report_formats[i];
		GString *text = g_string_new(NULL);

		format->append(text, report, TRUE);
		if (format == &report_json) {
			check_lines(text->str, text->len, "\n" DELETE);
			cJSON_Delete(check_json(text->str, text->len));
		} else if (format == &report_csv) {
			check_csv(text->str);
		} else {
			check_lines(text->str, text->len, "\n");
		}
		g_string_free(text, TRUE);
	}
}

static void write_page(const RunReport *report, const HtmlWatch *watch)
{
	g_autoptr(GPtrArray) left_out = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *page =
		report_html(report, watch, cJSON_CreateArray(), NULL, "/nonexistent", left_out);

	check_page(page);
}

static gboolean run(Replay *request, Observer *observer, ReplayResult *result)
{
	g_autoptr(GError) error = NULL;
	gboolean good;

	request->observer = observer;
	good = replay_run(request, result, &error);
	fuzz_check_error(good, error);
	return good;
}

static void write_timeline(Replay *request, const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	g_autofree char *text = NULL;
	g_auto(ReplayResult) result = {0};
	g_autoptr(GError) error = NULL;
	TimelineWindow window;
	Timeline *timeline;
	guint64 left_out;
	gsize length;

	g_assert(timeline_window_parse(NULL, &window, NULL));
	timeline = timeline_open(path, request->machine, trace_metadata_json(request->reader),
				 &window, &error);
	g_assert_no_error(error);
	run(request, timeline_observer(timeline), &result);
	g_assert(timeline_close(timeline, &left_out, &error));
	g_assert(g_file_get_contents(path, &text, &length, &error));
	check_lines(text, length, "\n\t");
	if (g_str_has_suffix(name, ".json")) {
		cJSON *json = check_json(text, length);

		check_events(json);
		cJSON_Delete(json);
	} else {
		check_konata(text);
	}
}

static void write_timelines(Replay *request)
{
	char *folder = output_folder_new("fuzz", NULL);

	g_assert(folder != NULL);
	write_timeline(request, folder, "t.json");
	write_timeline(request, folder, "t.kanata");
	output_folder_remove(folder);
}

static const Config *config_of(guint i)
{
	static Config *configs[G_N_ELEMENTS(machines)];
	static const char *const settings[] = {"sm.count=2", "sim.watchdog_cycles=20000", NULL};

	if (configs[i] == NULL)
		configs[i] = config_load(machines[i], settings, NULL);
	g_assert(configs[i] != NULL);
	return configs[i];
}

static void write_all(const uint8_t *head, TraceReader *reader, uint64_t hash)
{
	const Config *config = config_of((head[0] & INPUT_OWN_BITS) % G_N_ELEMENTS(machines));
	Replay request = {.reader = reader,
			  .machine = config_machine(config),
			  .n_threads = 1,
			  .sites = true};
	HtmlWatch *watch = html_watch_new(request.machine);
	g_auto(ReplayResult) result = {0};
	g_autoptr(RunReport) report = NULL;
	g_autoptr(GError) error = NULL;

	if (run(&request, html_watch_observer(watch), &result)) {
		report = report_new(config, "fuzz.json", &request, &result, &error);
		g_assert_no_error(error);
		report->config = NULL; /* most of the text, and the same for all traces */
		write_report(report);
		if ((hash >> 16) % PAGES == 0)
			write_page(report, watch);
		if (hash % TIMELINES == 0)
			write_timelines(&request);
	}
	html_watch_free(watch);
}

static gboolean is_good(TraceReader *reader)
{
	const uint64_t n_blocks = trace_source(reader)->n_blocks;
	g_autoptr(TraceCheck) check = trace_check_new(reader, 10);
	TraceSummary summary = {0};

	for (uint64_t block = 0; block < n_blocks; block++)
		trace_check_block(check, block);
	if (trace_check_n_problems(check) > 0)
		return FALSE;
	for (uint64_t block = 0; block < n_blocks; block++)
		g_assert(trace_summary_add(&summary, reader, block, NULL));
	return summary.instructions <= MAX_INSTRUCTIONS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	InputPart first;
	size_t n = 0, behind;
	g_autofree char *metadata = NULL;
	g_autofree uint8_t *input = NULL;
	g_autoptr(GBytes) bytes = NULL;
	g_autoptr(TraceReader) reader = NULL;
	g_autoptr(GError) error = NULL;

	if (size > TRACE_INPUT_HEAD)
		trace_input_parts(data, size, &first, 1, &n);
	if (n == 0)
		return 0;
	metadata = metadata_of(data + first.at, first.n);
	behind = first.at + first.n;
	input = g_malloc(TRACE_INPUT_HEAD + size - behind);
	memcpy(input, data, TRACE_INPUT_HEAD);
	memcpy(input + TRACE_INPUT_HEAD, data + behind, size - behind);
	bytes = trace_input_file(input, TRACE_INPUT_HEAD + size - behind, metadata);
	if (bytes == NULL)
		return 0;
	reader = trace_open_bytes("fuzz.bin", bytes, &error);
	fuzz_check_error(reader != NULL, error);
	if (reader != NULL && is_good(reader))
		write_all(data, reader, XXH64(data, size, 0));
	return 0;
}

#ifdef ATOMSIM_FUZZING
/* Puts `text` in the place of the first part, and `rest` behind it: as long as there is room. */
static size_t put_together(uint8_t *data, size_t size, size_t max_size, const uint8_t *text,
			   size_t n, const uint8_t *rest, size_t n_rest)
{
	if (n == 0 || TRACE_INPUT_HEAD + 2 + n + n_rest > max_size)
		return size;
	memmove(data + TRACE_INPUT_HEAD + 2, text, n);
	memcpy(data + TRACE_INPUT_HEAD + 2 + n, rest, n_rest);
	data[TRACE_INPUT_HEAD] = (uint8_t)n;
	data[TRACE_INPUT_HEAD + 1] = (uint8_t)(n >> 8);
	return TRACE_INPUT_HEAD + 2 + n + n_rest;
}

/* Changes what the metadata says, or the trace behind it. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	static uint8_t text[1 << 16], input[1 << 16];
	InputPart first;
	size_t n = 0, n_rest;

	if (size > TRACE_INPUT_HEAD && size < sizeof(input) / 2)
		trace_input_parts(data, size, &first, 1, &n);
	if (n == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	memcpy(text, data + first.at, first.n);
	memcpy(input, data, TRACE_INPUT_HEAD);
	n_rest = size - first.at - first.n;
	memcpy(input + TRACE_INPUT_HEAD, data + first.at + first.n, n_rest);
	n = first.n;
	if (seed % 2 == 0)
		n = LLVMFuzzerMutate(text, n, MIN(n + 64, 4096));
	else
		n_rest = trace_input_mutate(input, TRACE_INPUT_HEAD + n_rest, sizeof(input) / 2,
					    seed, LLVMFuzzerMutate) -
			 TRACE_INPUT_HEAD;
	memcpy(data, input, TRACE_INPUT_HEAD);
	return put_together(data, size, max_size, text, n, input + TRACE_INPUT_HEAD, n_rest);
}
#endif
