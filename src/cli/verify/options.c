/* SPDX-License-Identifier: MIT */
/* What of the command line of atomsim verify can be done. */
#include "base/error.h"
#include "cli/cli.h"
#include "cli/option.h"
#include "cli/verify/verify.h"

const OutputKind verify_kind = {"a verification", {"Measured   ", "\"not_in_the_report\""}};
const OutputKind verify_table_kind = {"a table of ncu", {"\"ID\""}};

static const char *const tools[] = {"ncu", "nsys"};

static gboolean usage(GError **error, const char *problem)
{
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "verify: %s", problem);
}

static gboolean take_limit(VerifyOptions *options, GError **error)
{
	options->limit_is_expected = g_strcmp0(options->fail_above, "expected") == 0;
	return cli_limit("verify", options->limit_is_expected ? NULL : options->fail_above,
			 ", or expected", &options->limit, error);
}

gboolean verify_check_options(VerifyOptions *options, GError **error)
{
	g_autoptr(GRegex) regex =
		options->kernel ? g_regex_new(options->kernel, 0, 0, NULL) : NULL;

	if (options->reports == NULL || options->reports[1] != NULL)
		return usage(error, "one report of --format json is needed before --");
	if (options->program == NULL || *options->program == NULL)
		return usage(error, "no program to run: give it after --");
	if (options->kernel != NULL && regex == NULL)
		return usage(error, "--kernel is no regular expression");
	if (options->launch < 0)
		return usage(error, "--launch; allowed: a number from 1");
	return take_limit(options, error) &&
	       cli_choice("with", options->with, tools, G_N_ELEMENTS(tools), NULL, error) &&
	       cli_choice("format", options->format, cli_text_or_json, N_TEXT_OR_JSON, NULL,
			  error) &&
	       (options->keep == NULL ||
		overwrite_plan(options->keep, &verify_table_kind, error)) &&
	       cli_check_output(options->output, &verify_kind, NULL, options->reports, error);
}
