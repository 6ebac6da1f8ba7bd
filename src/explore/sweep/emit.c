/* SPDX-License-Identifier: MIT */
#include "explore/sweep/emit.h"

#include <string.h>

#include "base/error.h"

/* What a shell takes as it stands. */
static gboolean is_plain(const char *word)
{
	for (const char *c = word; *c != '\0'; c++)
		if (!g_ascii_isalnum(*c) && strchr("_-./=:,+@%", *c) == NULL)
			return FALSE;
	return *word != '\0';
}

static char *quote(const char *word)
{
	return is_plain(word) ? g_strdup(word) : g_shell_quote(word);
}

static char *command_line(const char *const *arguments)
{
	GString *line = g_string_new("sweep");

	for (guint i = 0; arguments[i] != NULL; i++) {
		g_autofree char *word = quote(arguments[i]);

		g_string_append_printf(line, " %s", word);
	}
	return g_string_free(line, FALSE);
}

static char *emit_slurm(const char *line, const char *folder, guint n_shards, guint n_jobs)
{
	g_autofree char *place = quote(folder);
	GString *text = g_string_new(NULL);

	g_string_append_printf(text,
			       "#!/bin/bash\n"
			       "#SBATCH --job-name=atomsim-sweep\n"
			       "#SBATCH --array=1-%u\n"
			       "#SBATCH --requeue\n"
			       "#SBATCH --open-mode=append\n",
			       n_shards);
	if (n_jobs > 0)
		g_string_append_printf(text, "#SBATCH --cpus-per-task=%u\n", n_jobs);
	g_string_append_printf(text,
			       "# Submit it where the paths below lead to the same files on "
			       "all nodes: sbatch FILE\n"
			       "# When all tasks are done:\n"
			       "#   atomsim sweep merge --output %s/merged %s/shard-*\n"
			       "exec \"${ATOMSIM:-atomsim}\" %s \\\n"
			       "\t--resume --shard \"$SLURM_ARRAY_TASK_ID/%u\" \\\n"
			       "\t--output %s/shard-\"$SLURM_ARRAY_TASK_ID\"\n",
			       place, place, line, n_shards, place);
	return g_string_free(text, FALSE);
}

static char *emit_parallel(const char *line, const char *folder, guint n_shards, guint n_jobs)
{
	g_autofree char *place = quote(folder);
	GString *text = g_string_new(NULL);

	(void)n_jobs; /* is in the line */
	g_string_append_printf(
		text,
		"# One shard a line: parallel < FILE, or sh FILE. When all are done:\n"
		"# atomsim sweep merge --output %s/merged %s/shard-*\n",
		place, place);
	for (guint i = 1; i <= n_shards; i++)
		g_string_append_printf(
			text,
			"\"${ATOMSIM:-atomsim}\" %s --resume --shard %u/%u --output "
			"%s/shard-%u\n",
			line, i, n_shards, place, i);
	return g_string_free(text, FALSE);
}

static const struct {
	const char *name;
	char *(*emit)(const char *line, const char *folder, guint n_shards, guint n_jobs);
} kinds[] = {{"slurm", emit_slurm}, {"parallel", emit_parallel}};

gboolean sweep_emit_find(const char *kind, GError **error)
{
	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (strcmp(kinds[i].name, kind) == 0)
			return TRUE;
	g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
		    "--emit %s; allowed: slurm, parallel", kind);
	return FALSE;
}

char *sweep_emit(const char *kind, const char *const *arguments, const char *folder,
		 guint n_shards, guint n_jobs)
{
	g_autofree char *line = command_line(arguments);

	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (strcmp(kinds[i].name, kind) == 0)
			return kinds[i].emit(line, folder, n_shards, n_jobs);
	g_assert_not_reached();
}
