/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as the two files of reports that atomsim diff compares, separated by a line "--". What is taken compares: with
 * itself as the same, in all formats, and with the other only if both are such as a run writes.
 */
#include "fuzz-tools.h"

#include <math.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/csv.h"
#include "cli/diff-reports.h"
#include "report/diff.h"

static const char separator[] = "\n--\n";

/* A whole number of 1 or more: what a run that came to its end has as its cycles. Large ones are kept as their digits. */
static gboolean is_cycles(const cJSON *item)
{
	if (cJSON_IsRaw(item))
		return strspn(item->valuestring, "0") < strlen(item->valuestring) &&
		       strspn(item->valuestring, "0123456789") == strlen(item->valuestring);
	return cJSON_IsNumber(item) && item->valuedouble >= 1 &&
	       floor(item->valuedouble) == item->valuedouble;
}

/* A gate must not be green for what is no result. */
static void check_report(const cJSON *report)
{
	const cJSON *status = diff_item(report, "status");
	const cJSON *time = diff_item(report, "time_us");

	g_assert(g_strcmp0(cJSON_GetStringValue(status), "complete") == 0);
	g_assert(is_cycles(diff_item(report, "cycles")));
	g_assert(cJSON_IsNumber(time) && time->valuedouble > 0 && isfinite(time->valuedouble));
}

/* Lines of text for a terminal. */
static void check_text(const char *text)
{
	g_assert(g_utf8_validate(text, -1, NULL));
	for (const char *c = text; *c != '\0'; c++)
		g_assert((guchar)*c >= 0x20 || *c == '\n');
}

static void check_csv(const char *text, guint n_rows)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(CsvTable) table = csv_parse("diff", text, strlen(text), &error);

	g_assert_no_error(error);
	g_assert(csv_rows(table) == n_rows);
}

static void check_json(const char *text, guint n_lines)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	g_assert(g_strv_length(lines) == n_lines + 1 && *lines[n_lines] == '\0');
	for (guint i = 0; i < n_lines; i++) {
		cJSON *json = cJSON_ParseWithOpts(lines[i], NULL, TRUE);

		g_assert(cJSON_IsObject(json));
		cJSON_Delete(json);
	}
}

static void check_pairs(const GPtrArray *pairs, const DiffLeftOut *left_out)
{
	static const char *const names[2] = {"a", "b"};
	g_autofree char *text = diff_text(pairs, names, left_out);
	g_autofree char *csv = diff_csv(pairs);
	g_autofree char *json = diff_json(pairs);

	g_assert(pairs->len > 0);
	for (guint i = 0; i < pairs->len; i++) {
		const DiffPair *pair = g_ptr_array_index(pairs, i);

		check_report(pair->before);
		check_report(pair->after);
		g_assert(diff_percent(pair) >= -100); /* not NaN either */
	}
	check_text(text);
	check_csv(csv, pairs->len);
	check_json(json, pairs->len);
}

static void compare(const GPtrArray *before, const GPtrArray *after)
{
	DiffLeftOut left_out;
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) pairs = diff_pairs(before, after, &left_out, &error);

	fuzz_check_error(pairs != NULL, error);
	if (pairs == NULL)
		return;
	g_assert(2 * pairs->len + left_out.unpaired + 2 * left_out.incomplete ==
		 before->len + after->len);
	check_pairs(pairs, &left_out);
	if (before == after)
		g_assert(diff_worst(pairs) == 0 && left_out.unpaired == 0);
}

/* NULL: refused, with a place in one of its lines. */
static GPtrArray *parse(const char *text, size_t size)
{
	g_autofree char *copy = g_strndup(text, size);
	g_autoptr(GError) error = NULL;
	GPtrArray *reports = diff_reports_parse("file", copy, size, &error);

	fuzz_check_error(reports != NULL, error);
	g_assert(error == NULL || g_str_has_prefix(error->message, "file:"));
	return reports;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	const char *part = size > 0 ? g_strstr_len(text, (gssize)size, separator) : NULL;
	const size_t first = part != NULL ? (size_t)(part - text) : size;
	g_autoptr(GPtrArray) before = parse(text, first);
	g_autoptr(GPtrArray) after = NULL;

	if (part != NULL)
		after = parse(part + strlen(separator), size - first - strlen(separator));
	if (before != NULL)
		compare(before, before);
	if (before != NULL && after != NULL)
		compare(before, after);
	return 0;
}

#ifdef ATOMSIM_FUZZING
static const char *const values[] = {"0",
				     "1",
				     "-1",
				     "0.5",
				     "1e308",
				     "1e3",
				     "9007199254740993",
				     "18446744073709551615",
				     "18446744073709551616",
				     "null",
				     "true",
				     "\"x\"",
				     "\"complete\"",
				     "\"interrupted\"",
				     "[]",
				     "{}",
				     "[{}]",
				     "\"\\u0001<\\n,=\""};

/* Puts another value in the place of one behind a colon, up to what ends it. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	const char *value = values[seed / 2 % G_N_ELEMENTS(values)];
	size_t n = strlen(value), at, end;

	if (seed % 2 == 0 || size < 8)
		return LLVMFuzzerMutate(data, size, max_size);
	at = seed / 64 % size;
	while (at < size && data[at] != ':')
		at++;
	end = ++at;
	while (end < size && strchr(",}\n", data[end]) == NULL)
		end++;
	if (end >= size || size - (end - at) + n > max_size)
		return LLVMFuzzerMutate(data, size, max_size);
	memmove(data + at + n, data + end, size - end);
	memcpy(data + at, value, n);
	return size - (end - at) + n;
}
#endif
