/* SPDX-License-Identifier: MIT */
#include "explore/sweep/emit.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"

/* What a shell takes as it is. */
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

/* What the jobs have in common. */
typedef struct {
	const char *options; /* of 'atomsim sweep', quoted */
	const char
		*traces; /* with a blank in front, and "--" if one of them begins with a dash */
	const char *folder;
	guint n_shards, n_jobs;
} Job;

/* " a 'b c'". g_free. */
static char *quote_all(const char *const *words)
{
	GString *line = g_string_new(NULL);

	for (guint i = 0; words != NULL && words[i] != NULL; i++) {
		g_autofree char *word = quote(words[i]);

		g_string_append_printf(line, " %s", word);
	}
	return g_string_free(line, FALSE);
}

/* g_free. */
static char *quote_operands(const char *const *operands)
{
	g_autofree char *line = quote_all(operands);
	gboolean dash = FALSE;

	for (guint i = 0; operands != NULL && operands[i] != NULL; i++)
		dash = dash || operands[i][0] == '-';
	return g_strconcat(dash ? " --" : "", line, NULL);
}

static void append_merge(GString *text, const Job *job)
{
	g_string_append_printf(text, "atomsim sweep merge --output %s/merged %s%s/shard-*\n",
			       job->folder, *job->folder == '-' ? "-- " : "", job->folder);
}

static char *emit_slurm(const Job *job)
{
	GString *text = g_string_new(NULL);

	g_string_append_printf(text,
			       "#!/bin/bash\n"
			       "#SBATCH --job-name=atomsim-sweep\n"
			       "#SBATCH --array=1-%u\n"
			       "#SBATCH --requeue\n"
			       "#SBATCH --open-mode=append\n",
			       job->n_shards);
	if (job->n_jobs > 0)
		g_string_append_printf(text, "#SBATCH --cpus-per-task=%u\n", job->n_jobs);
	g_string_append(text, "# Submit it where the paths below lead to the same files on all "
			      "nodes: sbatch FILE\n"
			      "# When all tasks are done:\n"
			      "#   ");
	append_merge(text, job);
	g_string_append_printf(text,
			       "exec \"${ATOMSIM:-atomsim}\" sweep%s \\\n"
			       "\t--resume --shard \"$SLURM_ARRAY_TASK_ID/%u\" \\\n"
			       "\t--output %s/shard-\"$SLURM_ARRAY_TASK_ID\"%s\n",
			       job->options, job->n_shards, job->folder, job->traces);
	return g_string_free(text, FALSE);
}

static char *emit_parallel(const Job *job)
{
	GString *text =
		g_string_new("# One shard a line: parallel < FILE, or sh FILE. When all "
			     "are done:\n"
			     "# ");

	append_merge(text, job);
	for (guint i = 1; i <= job->n_shards; i++)
		g_string_append_printf(
			text,
			"\"${ATOMSIM:-atomsim}\" sweep%s --resume --shard %u/%u --output "
			"%s/shard-%u%s\n",
			job->options, i, job->n_shards, job->folder, i, job->traces);
	return g_string_free(text, FALSE);
}

static const struct {
	const char *name;
	char *(*emit)(const Job *job);
} kinds[] = {{"slurm", emit_slurm}, {"parallel", emit_parallel}};

gboolean sweep_emit_find(const char *kind, GError **error)
{
	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (strcmp(kinds[i].name, kind) == 0)
			return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "--emit %s; allowed: slurm, parallel",
			    kind);
}

/* A line's end within quotes is good for a shell; but the lines of these files are comments, and jobs
   of GNU parallel. */
static gboolean check_words(const char *const *words, GError **error)
{
	for (guint i = 0; words != NULL && words[i] != NULL; i++)
		if (strpbrk(words[i], "\n\r") != NULL) {
			g_autofree char *shown = text_printable(words[i]);

			return atomsim_fail(
				error, ATOMSIM_ERROR_USAGE,
				"--emit: the end of a line found in '%s'; allowed: words "
				"of one line",
				shown);
		}
	return TRUE;
}

char *sweep_emit(const char *kind, const SweepEmit *emit, GError **error)
{
	const char *const folder[] = {emit->folder, NULL};
	g_autofree char *options = quote_all(emit->options);
	g_autofree char *traces = quote_operands(emit->traces);
	g_autofree char *place = quote(emit->folder);
	const Job job = {options, traces, place, emit->n_shards, emit->n_jobs};

	if (!check_words(emit->options, error) || !check_words(emit->traces, error) ||
	    !check_words(folder, error))
		return NULL;
	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (strcmp(kinds[i].name, kind) == 0)
			return kinds[i].emit(&job);
	g_assert_not_reached();
}
