/* SPDX-License-Identifier: MIT */
/* The GPU that is measured: what the runtime and nvidia-smi say of it. */
#include "cli/measure/measure.h"

#include <string.h>

#include "base/error.h"
#include "cli/tool.h"

#define LOOK_SECONDS 30.0
#define USE_PERCENT  10 /* a GPU that is used more than that has other load */
#define REASON_IDLE                                                                            \
	0x1u /* bits of nvidia-smi's reasons for a clock: NVML's nvmlClocksEventReasons */
#define REASONS_SLOWED                                                                         \
	(0x4u | 0x8u | 0x20u | 0x40u | 0x80u) /* power cap, hardware, heat, heat, brake */

/* --- What the runtime says --- */

gboolean measure_gpu_read(MeasureGpu *gpu, const char *text, GError **error)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	const char *const needed[] = {"name", "uuid", "compute_capability", "sms"};

	gpu->facts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	for (guint i = 0; lines[i] != NULL; i++) {
		char *comma = strchr(lines[i], ',');

		if (comma != NULL)
			g_hash_table_insert(gpu->facts, g_strndup(lines[i], comma - lines[i]),
					    g_strdup(comma + 1));
	}
	for (guint i = 0; i < G_N_ELEMENTS(needed); i++)
		if (!g_hash_table_contains(gpu->facts, needed[i]))
			return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
					    "measure: the program gpu does not say the GPU's "
					    "%s",
					    needed[i]);
	gpu->uuid = g_strdup(g_hash_table_lookup(gpu->facts, "uuid"));
	return TRUE;
}

void measure_gpu_clear(MeasureGpu *gpu)
{
	g_clear_pointer(&gpu->facts, g_hash_table_unref);
	g_free(gpu->uuid);
	g_free(gpu->driver);
	g_free(gpu->toolkit);
	g_free(gpu->arch);
	g_free(gpu->load);
}

double measure_gpu_number(const MeasureGpu *gpu, const char *name)
{
	const char *value = g_hash_table_lookup(gpu->facts, name);

	return value ? g_ascii_strtod(value, NULL) : 0;
}

char *measure_gpu_lacks(const MeasureGpu *gpu, const char *needs)
{
	g_auto(GStrv) list = g_strsplit(needs, " ", -1);

	for (guint i = 0; list[i] != NULL; i++) {
		g_auto(GStrv) need = g_strsplit(list[i], ">=", 2);
		const double has = measure_gpu_number(gpu, need[0]);

		if (has < g_ascii_strtod(need[1], NULL))
			return g_strdup_printf("the GPU has %s %.0f; needed: %s", need[0], has,
					       need[1]);
	}
	return NULL;
}

/* --- What nvidia-smi says --- */

/* The cells of its first line, or NULL. g_strfreev. */
static char **ask(const MeasureGpu *gpu, const char *folder, const char *query)
{
	g_autofree char *tool = cli_find_tool("nvidia-smi", "NVIDIA_SMI");
	g_autofree char *which = g_strdup_printf("--id=%s", gpu->uuid);
	g_autofree char *out = g_build_filename(folder, "nvidia-smi.txt", NULL);
	g_autofree char *text = NULL;
	const char *words[] = {tool, which, query, "--format=csv,noheader,nounits", NULL};
	const Child child = {words, NULL, out, NULL};
	ChildEnd end;

	if (tool == NULL)
		return NULL;
	children_run(&child, 1, LOOK_SECONDS, NULL, NULL, &end);
	if (end != CHILD_GOOD || !g_file_get_contents(out, &text, NULL, NULL))
		return NULL;
	return g_strsplit(g_strstrip(text), query[strlen("--query-")] == 'g' ? ", " : "\n", -1);
}

GpuSample measure_gpu_look(const MeasureGpu *gpu, const char *folder)
{
	static const char *const names[] = {"clocks_event_reasons", "clocks_throttle_reasons"};
	GpuSample sample = {0};

	/* Drivers up to 535 know the second name alone. */
	for (guint i = 0; i < G_N_ELEMENTS(names) && !sample.known; i++) {
		g_autofree char *query = g_strdup_printf(
			"--query-gpu=clocks.sm,clocks.max.sm,utilization.gpu,%s.active",
			names[i]);
		g_auto(GStrv) cells = ask(gpu, folder, query);
		guint64 reasons;

		if (cells == NULL || g_strv_length(cells) != 4)
			continue;
		reasons = g_ascii_strtoull(cells[3], NULL, 0);
		sample.known = TRUE;
		sample.clock_mhz = (guint)g_ascii_strtoull(cells[0], NULL, 10);
		sample.most_mhz = (guint)g_ascii_strtoull(cells[1], NULL, 10);
		sample.use_percent = (guint)g_ascii_strtoull(cells[2], NULL, 10);
		sample.idle = (reasons & REASON_IDLE) != 0;
		sample.throttled = (reasons & REASONS_SLOWED) != 0;
	}
	return sample;
}

/* Other processes, and what else uses it; NULL: nvidia-smi does not say all, and nothing of what it says. g_free. */
static char *find_load(const MeasureGpu *gpu, const char *folder, const GpuSample *sample)
{
	g_auto(GStrv) others = ask(gpu, folder, "--query-compute-apps=pid,process_name");
	GString *text = g_string_new(NULL);

	for (guint i = 0; others != NULL && others[i] != NULL; i++)
		if (g_ascii_isdigit(*others[i]))
			g_string_append_printf(text, "%sprocess %s", text->len ? "; " : "",
					       others[i]);
	if (sample->use_percent > USE_PERCENT)
		g_string_append_printf(text, "%s%u %% of the time in use",
				       text->len ? "; " : "", sample->use_percent);
	if (sample->throttled)
		g_string_append_printf(text, "%sits clock is throttled", text->len ? "; " : "");
	if (text->len == 0 && (others == NULL || !sample->known)) {
		g_string_free(text, TRUE);
		return NULL;
	}
	return g_string_free(text, FALSE);
}

void measure_gpu_describe(MeasureGpu *gpu, const char *folder)
{
	const GpuSample sample = measure_gpu_look(gpu, folder);
	g_auto(GStrv) driver = ask(gpu, folder, "--query-gpu=driver_version");

	gpu->driver = g_strdup(driver && *driver ? *driver : "");
	gpu->load = find_load(gpu, folder, &sample);
	if (gpu->load == NULL)
		g_printerr("atomsim: measure: nvidia-smi does not say whether others use the "
			   "GPU, or whether its clock is throttled\n");
	gpu->most_mhz = sample.most_mhz;
}
