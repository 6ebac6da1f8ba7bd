/* SPDX-License-Identifier: MIT */
/* The GPU, and the tools that measure it. */
#include "cli/verify/verify.h"

#include <string.h>

#include "base/error.h"
#include "cli/tool.h"

/* --- The GPU --- */

/* "NVIDIA GeForce GTX 1080" -> "GTX 1080": the rest is written now so, now otherwise. */
static const char *plain_name(const char *name)
{
	static const char *const makers[] = {"NVIDIA ", "GeForce "};

	for (guint i = 0; i < G_N_ELEMENTS(makers); i++)
		if (g_str_has_prefix(name, makers[i]))
			name += strlen(makers[i]);
	return name;
}

/* Whether a card of this name is that machine: "NVIDIA A100-SXM4-80GB" is an A100, an H200 is no H20. */
static gboolean is_machine(const char *card, const char *machine)
{
	const char *name = plain_name(machine), *at = plain_name(card);

	return *name != '\0' && g_str_has_prefix(at, name) &&
	       !g_ascii_isalnum(at[strlen(name)]);
}

/* The names of the machine's GPUs, a line each. g_free. */
static char *gpu_names(GError **error)
{
	g_autofree char *tool = cli_find_tool("nvidia-smi", "NVIDIA_SMI");
	g_autoptr(GPtrArray) arguments = g_ptr_array_new();
	char *names = NULL;
	int status = 0;

	g_ptr_array_add(arguments, tool);
	g_ptr_array_add(arguments, (char *)"--query-gpu=name");
	g_ptr_array_add(arguments, (char *)"--format=csv,noheader");
	g_ptr_array_add(arguments, NULL);
	if (tool == NULL || !cli_run_program(arguments, TRUE, &names, &status, NULL) ||
	    status != 0) {
		atomsim_fail(error, ATOMSIM_ERROR_IO,
			     "verify: this machine has no NVIDIA GPU, or its driver is not "
			     "loaded: %s",
			     tool ? "nvidia-smi fails" : "there is no nvidia-smi");
		g_clear_pointer(&names, g_free);
	}
	return names;
}

gboolean measure_check_gpu(const char *machine, GError **error)
{
	g_autofree char *text = gpu_names(error);
	g_auto(GStrv) cards = text ? g_strsplit(g_strstrip(text), "\n", -1) : NULL;
	g_autofree char *all = NULL;

	if (cards == NULL)
		return FALSE;
	for (guint i = 0; cards[i] != NULL; i++)
		if (is_machine(g_strstrip(cards[i]), machine))
			return TRUE;
	all = g_strjoinv(", ", cards);
	return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			    "verify: found the GPU %s; allowed: that of the report's config, "
			    "%s, or --any-gpu",
			    all, machine);
}
