/* SPDX-License-Identifier: MIT */
#include "cli/option.h"

#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "gpu/capture/sample.h"
#include "model/atomic/mechanism.h"

const char *const cli_text_or_json[N_TEXT_OR_JSON] = {"text", "json"};

gboolean cli_choice(const char *option, const char *word, const char *const *names, guint n,
		    guint *place, GError **error)
{
	g_autoptr(GString) allowed = g_string_new(NULL);

	for (guint i = 0; i < n; i++) {
		if (word == NULL || strcmp(word, names[i]) == 0) {
			if (place != NULL)
				*place = i;
			return TRUE;
		}
		g_string_append_printf(allowed, "%s%s", i > 0 ? ", " : "", names[i]);
	}
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "--%s %s; allowed: %s", option, word,
			    allowed->str);
}

gboolean cli_read_atomic(const AtomicOptions *options, Operation *operation, ValueType *type,
			 GError **error)
{
	guint o, t;

	if (!cli_choice("operation", options->operation, operation_names, N_OPERATIONS, &o,
			error) ||
	    !cli_choice("type", options->type, value_type_names, N_SCALAR_TYPES, &t, error))
		return FALSE;
	*operation = (Operation)o;
	*type = (ValueType)t;
	return TRUE;
}

char *cli_atomic_words(Operation operation, ValueType type, gboolean result)
{
	return g_strdup_printf("%s.%s%s %s", operation_names[operation], value_type_names[type],
			       atomic_may_increment(operation, result) ? " of 1" : "",
			       result ? "with its result" : "without result");
}

gboolean cli_check_numbers(gint64 seed, int jobs, GError **error)
{
	const char *problem = NULL;

	if (seed < 0)
		problem = "--seed must not be negative";
	else if (jobs < 0)
		problem = "--jobs must not be negative; 0 is one for each processor";
	else
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "%s", problem);
}

gboolean cli_limit(const char *command, const char *text, const char *besides, double *limit,
		   GError **error)
{
	char *end = NULL;

	*limit = text != NULL ? g_ascii_strtod(text, &end) : -1;
	if (text == NULL || (*text != '\0' && *end == '\0' && *limit >= 0 && *limit <= 1e6))
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			    "%s: --fail-above %s; allowed: percent, 0 to 1000000%s", command,
			    text, besides);
}

gboolean cli_read_sample(const char *text, guint64 *waves, GError **error)
{
	if (waves)
		*waves = 0;
	if (!text || g_ascii_string_to_unsigned(text, 10, SAMPLE_LEAST_WAVES, SAMPLE_MOST_WAVES,
						waves, NULL))
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			    "--sample must be %d to %d waves, not '%s'", SAMPLE_LEAST_WAVES,
			    SAMPLE_MOST_WAVES, text);
}

guint64 cli_size(const char *text)
{
	char *end;
	guint64 bytes = g_ascii_strtoull(text, &end, 10);
	const char *units = "KMG", *unit = *end ? strchr(units, g_ascii_toupper(*end)) : NULL;

	if (end == text || (*end && (!unit || end[1])) || bytes > 1u << 20)
		return unit || *end ? 0 : bytes;
	for (; unit && unit >= units; unit--)
		bytes *= 1024;
	return bytes;
}
