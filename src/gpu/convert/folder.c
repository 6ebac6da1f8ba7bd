/* SPDX-License-Identifier: MIT */
/* The folder that capture.sh makes: facts, events-PROCESS.raw, module-PROCESS-N.sass. */
#include "gpu/convert/convert.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/input.h"

#define MAX_TEXT_BYTES (1u << 30)

typedef struct {
	const char *folder;
	const char *output;
	gboolean raw;
	ConvertFacts *facts;
	GPtrArray *files;     /* RawFile */
	GHashTable *modules;  /* path of the .sass -> Sass */
	GPtrArray *converted; /* ConvertedTrace */
	guint n_launches, n_traces;
} Conversion;

static void converted_free(gpointer data)
{
	ConvertedTrace *trace = data;

	g_free(trace->path);
	g_free(trace->problem);
	g_free(trace->kernel);
	g_free(trace->bulk);
	g_free(trace);
}

static char *read_text(const char *path, GError **error)
{
	char *text;

	if (input_read_file(path, MAX_TEXT_BYTES, "a text", &text, NULL, NULL))
		return text;
	atomsim_fail(error, ATOMSIM_ERROR_IO,
		     "%s: cannot be read; is its folder one that capture.sh made?", path);
	return NULL;
}

/* Lines KEY tab VALUE; a key may come more than once. */
static ConvertFacts *read_facts(const char *folder, GError **error)
{
	g_autofree char *path = g_build_filename(folder, "facts", NULL);
	g_autofree char *text = read_text(path, error);
	ConvertFacts *facts;

	if (!text)
		return NULL;
	facts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
				      (GDestroyNotify)g_ptr_array_unref);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		char *tab = strchr(*line, '\t');
		GPtrArray *values;

		if (!tab)
			continue;
		*tab = '\0';
		values = g_hash_table_lookup(facts, *line);
		if (!values) {
			values = g_ptr_array_new_with_free_func(g_free);
			g_hash_table_insert(facts, g_strdup(*line), values);
		}
		g_ptr_array_add(values, g_utf8_make_valid(tab + 1, -1));
	}
	return facts;
}

static int compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Opens every events-*.raw, in order of their names. */
static gboolean open_files(Conversion *conversion, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) folder = g_dir_open(conversion->folder, 0, NULL);
	const char *name;

	while (folder && (name = g_dir_read_name(folder)))
		if (g_str_has_prefix(name, "events-") && g_str_has_suffix(name, ".raw"))
			g_ptr_array_add(names, g_strdup(name));
	g_ptr_array_sort(names, compare_names);
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path =
			g_build_filename(conversion->folder, g_ptr_array_index(names, i), NULL);
		RawFile *file = raw_file_open(path, error);

		if (!file)
			return FALSE;
		g_ptr_array_add(conversion->files, file);
		conversion->n_launches += file->launches->len;
	}
	if (conversion->n_launches > 0)
		return TRUE;
	return atomsim_fail(
		error, ATOMSIM_ERROR_TRACE,
		"%s: no launch was recorded: the program launched no kernel, or none that was "
		"selected",
		conversion->folder);
}

/* The machine code of the launch's module. */
static Sass *find_module(Conversion *conversion, const RawRecording *recording, GError **error)
{
	g_autofree char *base = g_path_get_basename(recording->file->path);
	int process = 0;

	sscanf(base, "events-%d.raw", &process);

	g_autofree char *name =
		g_strdup_printf("module-%d-%u.sass", process, recording->launch->module);
	g_autofree char *path = g_build_filename(conversion->folder, name, NULL);
	Sass *sass = g_hash_table_lookup(conversion->modules, path);

	if (!sass) {
		g_autofree char *text = read_text(path, error);

		if (!text)
			return NULL;
		sass = sass_parse(text);
		g_hash_table_insert(conversion->modules, g_steal_pointer(&path), sass);
	}
	return sass;
}

/* OUTPUT for a single launch; OUTPUT with .1, .2, ... before its suffix for several. */
static char *trace_path_of(const Conversion *conversion)
{
	const char *output = conversion->output;
	const char *dot = strrchr(output, '.');
	gsize n = strlen(output);

	if (conversion->n_launches == 1)
		return g_strdup(output);
	if (dot && dot > output && !strchr(dot, '/'))
		n = dot - output;
	return g_strdup_printf("%.*s.%u%s", (int)n, output, conversion->converted->len + 1,
			       output + n);
}

static uint32_t shared_bytes_of(const RawRecording *recording)
{
	RawCursor cursor = {.recording = recording};
	const RawEvent *event;
	const void *addresses;

	while (raw_next_event(&cursor, &event, &addresses, NULL))
		if (event->kind == RAW_ENTER)
			return event->detail;
	return 0;
}

/* The kernel's machine code, with what it does without events. *linked: to be freed, NULL if nothing was linked to it. */
static SassFunction *find_code(Conversion *conversion, const RawRecording *recording,
			       unsigned *target, SassFunction **linked, ConvertedTrace *trace,
			       GError **error)
{
	Sass *sass = find_module(conversion, recording, error);
	SassFunction *function = sass ? sass_function(sass, recording->name) : NULL;
	GString *bulk;

	if (!sass)
		return NULL;
	if (!function || sass->target == 0) {
		atomsim_fail(error, ATOMSIM_ERROR_TRACE,
			     function ? "%s: the machine code of kernel '%s' does not say for "
					"which GPU it is"
				      : "%s: the machine code of kernel '%s' is not in its "
					"module; record other kernels with --kernel",
			     conversion->folder, recording->name);
		return NULL;
	}
	*target = sass->target;
	*linked = convert_link(sass, function, recording);
	if (*linked)
		function = *linked;
	bulk = g_string_new(NULL);
	trace->counts.bulk_instructions = sass_count_bulk(function, bulk);
	trace->bulk = g_string_free(bulk, bulk->len == 0);
	return function;
}

static gboolean convert_one(Conversion *conversion, const RawRecording *recording,
			    ConvertedTrace *trace, GError **error)
{
	GPtrArray *graphs = g_hash_table_lookup(conversion->facts, "graph_launches");
	g_autofree char *path = trace_path_of(conversion);
	g_autofree char *metadata = NULL;
	g_auto(ConvertLists) lists = {0};
	g_autoptr(TraceWriter) writer = NULL;
	unsigned target = 0;
	g_autoptr(SassFunction) linked = NULL;
	SassFunction *function =
		find_code(conversion, recording, &target, &linked, trace, error);

	convert_lists_init(&lists);
	trace->marked = function && function->marked;
	if (graphs)
		trace->counts.graph_launches =
			g_ascii_strtoull(g_ptr_array_index(graphs, 0), NULL, 10);
	writer = function ? trace_writer_new(path, error) : NULL;
	if (!writer || !convert_launch(recording, function, target, conversion->raw, writer,
				       &lists, &trace->counts, error))
		return FALSE;
	metadata =
		convert_metadata(recording, conversion->facts, &lists,
				 shared_bytes_of(recording), conversion->raw, &trace->counts);
	if (!trace_writer_finish(g_steal_pointer(&writer), metadata, error))
		return FALSE;
	trace->path = g_steal_pointer(&path);
	conversion->n_traces++;
	return TRUE;
}

/* A launch without a trace is kept with why; where nothing can be written, no other can either. */
static gboolean convert_or_note(Conversion *conversion, const RawRecording *recording,
				GError **error)
{
	ConvertedTrace *trace = g_new0(ConvertedTrace, 1);
	g_autoptr(GError) problem = NULL;

	trace->kernel = convert_kernel_name(recording->name);
	trace->launch = recording->number + 1;
	if (!convert_one(conversion, recording, trace, &problem))
		trace->problem = g_strdup(problem->message);
	g_ptr_array_add(conversion->converted, trace);
	if (!problem || g_error_matches(problem, ATOMSIM_ERROR, ATOMSIM_ERROR_TRACE))
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&problem));
	return FALSE;
}

static gboolean convert_all(Conversion *conversion, GError **error)
{
	const ConvertedTrace *first;

	for (guint i = 0; i < conversion->files->len; i++) {
		const RawFile *file = g_ptr_array_index(conversion->files, i);

		for (guint k = 0; k < file->launches->len; k++)
			if (!convert_or_note(conversion, g_ptr_array_index(file->launches, k),
					     error))
				return FALSE;
	}
	first = g_ptr_array_index(conversion->converted, 0);
	if (conversion->n_traces == 0)
		atomsim_fail(error, ATOMSIM_ERROR_TRACE, "%s", first->problem);
	return conversion->n_traces > 0;
}

char **convert_other_kernels(const char *folder)
{
	g_autofree char *path = g_build_filename(folder, "others", NULL);
	g_autofree char *text = NULL;
	GPtrArray *names = g_ptr_array_new();

	if (input_read_file(path, MAX_TEXT_BYTES, "names of kernels", &text, NULL, NULL)) {
		g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

		for (char **line = lines; *line; line++)
			if (**line) {
				g_autofree char *name = g_utf8_make_valid(*line, -1);

				g_ptr_array_add(names, convert_kernel_name(name));
			}
	}
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

GPtrArray *convert_folder(const char *folder, const char *output, gboolean raw, GError **error)
{
	Conversion conversion = {.folder = folder, .output = output, .raw = raw};
	gboolean ok;

	conversion.facts = read_facts(folder, error);
	if (!conversion.facts)
		return NULL;
	conversion.files = g_ptr_array_new_with_free_func((GDestroyNotify)raw_file_free);
	conversion.modules = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						   (GDestroyNotify)sass_free);
	conversion.converted = g_ptr_array_new_with_free_func(converted_free);
	ok = open_files(&conversion, error) && convert_all(&conversion, error);
	g_hash_table_unref(conversion.facts);
	g_ptr_array_unref(conversion.files);
	g_hash_table_unref(conversion.modules);
	if (ok)
		return conversion.converted;
	g_ptr_array_unref(conversion.converted);
	return NULL;
}
