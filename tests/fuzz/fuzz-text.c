/* SPDX-License-Identifier: MIT */
/* Any bytes as a trace text, which becomes a trace, and as the form of measurements. */
#include "fuzz-tools.h"

#include "trace/text/text.h"
#include "validate/frame/form.h"

#define MAX_STEPS 1000

/* All parameters that must be given are 1. */
static void try_text(const uint8_t *data, size_t size)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(TraceText) text =
		trace_text_parse("fuzz", (const char *)data, size, NULL, NULL, &error);
	g_autoptr(TraceWriter) writer = NULL;
	g_autoptr(GBytes) bytes = NULL;
	g_autofree char *metadata = NULL;
	g_autofree const char **names = NULL, **values = NULL;
	TextOutcome outcome = {0};
	guint n;

	fuzz_check_error(text != NULL, error);
	if (text == NULL)
		return;
	names = trace_text_parameters(text, TRUE);
	n = g_strv_length((char **)names);
	values = g_new0(const char *, n + 1);
	for (guint i = 0; i < n; i++)
		values[i] = "1";
	writer = trace_writer_new_memory();
	metadata = trace_text_write(text, &(TextSettings){names, values}, MAX_STEPS, writer,
				    &outcome, &error);
	g_free(outcome.skipped);
	fuzz_check_error(metadata != NULL, error);
	if (metadata == NULL)
		return;
	bytes = trace_writer_finish_bytes(g_steal_pointer(&writer), metadata);
	fuzz_check_trace(bytes);
}

static void try_form(const uint8_t *data, size_t size)
{
	int file;
	g_autofree char *path = fuzz_file(data, size, &file);
	g_autoptr(GError) error = NULL;
	g_autoptr(Form) form = form_read("fuzz", path, &error);

	close(file);
	fuzz_check_error(form != NULL, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_text(data, size);
	try_form(data, size);
	return 0;
}
