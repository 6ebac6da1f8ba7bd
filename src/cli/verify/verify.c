/* SPDX-License-Identifier: MIT */
/* atomsim verify: a program measured on this machine's GPU beside what its report predicts. */
#include <string.h>

#include "base/error.h"
#include "base/input.h"
#include "base/json.h"
#include "cli/cli.h"
#include "cli/diff-reports.h"
#include "cli/option.h"
#include "cli/tool.h"
#include "cli/verify/verify.h"
#include "report/diff.h"
#include "report/ncu.h"
#include "report/report.h"

#define MAX_BYTES (UINT64_C(1) << 30)

/* The one report of the file. */
static GPtrArray *read_report(const VerifyOptions *options, GError **error)
{
	g_autoptr(GPtrArray) reports = diff_reports_read(options->reports[0], error);

	if (reports == NULL)
		return NULL;
	if (reports->len != 1) {
		atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			     "%s: found %u reports; allowed: one, of the kernel to measure",
			     options->reports[0], reports->len);
		return NULL;
	}
	if (options->kernel == NULL &&
	    cJSON_GetStringValue(diff_item(reports->pdata[0], "trace.kernel")) == NULL) {
		atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			     "%s: the report names no kernel; allowed: --kernel",
			     options->reports[0]);
		return NULL;
	}
	return g_steal_pointer(&reports);
}

/* --- Measuring --- */

/* By the tool asked for; else by ncu, and where that is not to be had or may not read counters, by nsys. */
static char *measure(const VerifyOptions *options, const Measuring *measuring, GError **error)
{
	const gboolean only_ncu = g_strcmp0(options->with, "ncu") == 0;
	const gboolean only_nsys = g_strcmp0(options->with, "nsys") == 0;
	g_autofree char *ncu = only_nsys ? NULL : cli_find_tool("ncu", "NCU");
	g_autofree char *nsys = only_ncu ? NULL : cli_find_tool("nsys", "NSYS");
	g_autoptr(GError) why = NULL;
	gboolean refused = FALSE;
	char *text = ncu ? measure_by_ncu(ncu, measuring, &refused, &why) : NULL;

	if (text != NULL)
		return text;
	if (nsys != NULL && (ncu == NULL || refused)) {
		if (!only_nsys)
			g_printerr("atomsim: %s; nsys measures times alone\n",
				   ncu ? why->message : "verify: there is no ncu");
		return measure_by_nsys(nsys, measuring, error);
	}
	if (why != NULL)
		g_propagate_error(error, g_steal_pointer(&why));
	else
		atomsim_fail(error, ATOMSIM_ERROR_IO,
			     "verify: found no %s, in PATH or in $CUDA_HOME/bin; allowed: "
			     "Nsight Compute or Nsight Systems of the CUDA toolkit, or NCU or "
			     "NSYS set to where it is",
			     options->with ? options->with : "ncu and no nsys");
	return NULL;
}

/* That the launch is the report's: a part of a grid, or another, takes another time. */
static gboolean check_grid(const cJSON *report, const NcuKernel *kernel, GError **error)
{
	const double *grid = g_hash_table_lookup(kernel->counts, "launch__grid_size");
	const double blocks = diff_number(report, "trace.blocks");

	return grid == NULL || *grid == blocks ||
	       atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			    "verify: found a grid of %.0f blocks; allowed: that of the "
			    "report's trace, %.0f: the same arguments, and the launch that "
			    "was captured (--launch)",
			    *grid, blocks);
}

/* What ncu_diff_object says of the report and the program. */
static cJSON *compare(const VerifyOptions *options, const cJSON *report, char **words,
		      GError **error)
{
	const Measuring measuring = {cJSON_GetStringValue(diff_item(report, "trace.kernel")),
				     options->kernel, (guint)options->launch, options->program};
	g_autofree char *text = measure(options, &measuring, error);
	g_autoptr(NcuTable) table =
		text ? ncu_parse("what was measured", text, strlen(text), error) : NULL;
	g_autoptr(NcuKernel) kernel = NULL;

	if (table == NULL ||
	    (options->keep != NULL &&
	     !output_write_file(options->keep, &verify_table_kind, text, strlen(text), error)))
		return NULL;
	/* The launch that was asked for is the only one. */
	kernel = ncu_kernel(table, options->kernel ? NULL : measuring.name, 0, error);
	if (kernel == NULL || !check_grid(report, kernel, error))
		return NULL;
	*words = ncu_diff_text(report, kernel);
	return ncu_diff_object(report, kernel);
}

/* --- Before a change --- */

static cJSON *read_before(const char *path, GError **error)
{
	g_autofree char *text = NULL;
	gsize length;
	cJSON *object = NULL;

	if (!input_read(path, MAX_BYTES, "a verification", &text, &length, error))
		return NULL;
	object = strlen(text) == length ? json_parse(text) : NULL;
	if (cJSON_IsArray(diff_item(object, "counters")))
		return object;
	cJSON_Delete(object);
	atomsim_fail(error, ATOMSIM_ERROR_INPUT,
		     "%s: no verification; allowed: what verify --format json wrote", path);
	return NULL;
}

/* before: NULL: there is none. */
static gboolean add_change(const char *path, const cJSON *before, cJSON *object, GString *text,
			   GError **error)
{
	if (before == NULL)
		return TRUE;
	if (!ncu_add_change(object, before))
		return atomsim_fail(
			error, ATOMSIM_ERROR_INPUT,
			"%s: has neither cycles nor time that were measured and "
			"simulated now, too; allowed: a verification by the same tool",
			path);
	ncu_append_change(text, object);
	return TRUE;
}

/* --- The command --- */

/* The same against the expected error. */
static CliStatus judge_expected(const cJSON *object, const char *counter, double percent)
{
	g_autofree char *why = NULL;
	const cJSON *within = ncu_within(object, &why);

	if (within == NULL)
		g_printerr("atomsim: verify: --fail-above expected: no error is known: %s\n",
			   why);
	else if (!cJSON_IsTrue(within))
		g_printerr("atomsim: verify: %s is off by %.2f %%; allowed by --fail-above "
			   "expected: %.0f %%, the 90th percentile\n",
			   counter, percent,
			   100 * cJSON_GetNumberValue(diff_item(object, "expected_error.p90")));
	return cJSON_IsTrue(within) ? CLI_GOOD : CLI_FAILED;
}

/* CLI_FAILED, and says so, if the simulation is further off than allowed, or if nothing says how far. */
static CliStatus judge(const VerifyOptions *options, const cJSON *object)
{
	const char *counter = NULL;
	double percent = 0;

	if (options->limit < 0 && !options->limit_is_expected)
		return CLI_GOOD;
	ncu_off(object, &counter, &percent);
	if (options->limit_is_expected)
		return judge_expected(object, counter, percent);
	if (percent > options->limit)
		g_printerr("atomsim: verify: %s is off by %.2f %%; allowed by --fail-above: "
			   "%g %%\n",
			   counter, percent, options->limit);
	return percent > options->limit ? CLI_FAILED : CLI_GOOD;
}

/* Of a config that knows no cost of a launch there is no time to compare. */
static gboolean check_compared(const cJSON *object, GError **error)
{
	const char *counter;
	double percent;

	return ncu_off(object, &counter, &percent) ||
	       atomsim_fail(
		       error, ATOMSIM_ERROR_INPUT,
		       "verify: nothing that was measured is in the report; allowed: a "
		       "report whose config has sm.launch_cycles (for cycles) or launch_ns "
		       "(for times), as by --set launch_ns=N");
}

/* The table, and what --fail-above makes of it. */
static gboolean measure_and_write(const VerifyOptions *options, const cJSON *report,
				  const cJSON *before, CliStatus *status, GError **error)
{
	g_autofree char *words = NULL;
	g_autofree char *json = NULL;
	g_autoptr(cJSON) object = compare(options, report, &words, error);
	g_autoptr(GString) text = g_string_new(words);

	if (object == NULL || !check_compared(object, error) ||
	    !add_change(options->before, before, object, text, error))
		return FALSE;
	json = report_json_text(object);
	if (g_strcmp0(options->format, "json") == 0)
		g_string_assign(text, json);
	if (!cli_write_output(options->output, &verify_kind, text->str, text->len, error))
		return FALSE;
	*status = judge(options, object);
	return TRUE;
}

static gboolean verify(const VerifyOptions *options, CliStatus *status, GError **error)
{
	g_autoptr(GPtrArray) reports = read_report(options, error);
	const cJSON *report = reports ? reports->pdata[0] : NULL;
	const char *machine = cJSON_GetStringValue(diff_item(report, "config.name"));
	g_autoptr(cJSON) before = NULL;

	if (report == NULL)
		return FALSE;
	if (options->before != NULL && (before = read_before(options->before, error)) == NULL)
		return FALSE;
	return (options->any_gpu || measure_check_gpu(machine ? machine : "", error)) &&
	       measure_and_write(options, report, before, status, error);
}

/* What the user gave. */
static VerifyOptions given;

static const GOptionEntry entries[] = {
	{"before", 0, 0, G_OPTION_ARG_FILENAME, &given.before,
	 "Output of verify --format json before a change: also report the speedup",
	 "FILE.json"},
	{"kernel", 0, 0, G_OPTION_ARG_STRING, &given.kernel,
	 "Measure kernels whose (mangled) name matches this regular expression "
	 "(default: the report's kernel)",
	 "REGEX"},
	{"launch", 0, 0, G_OPTION_ARG_INT, &given.launch,
	 "Measure the N-th of the matching launches (default: the median of all)", "N"},
	{"with", 0, 0, G_OPTION_ARG_STRING, &given.with,
	 "Tool: ncu (counters) or nsys (times, needs no permission); default: ncu if "
	 "permitted",
	 "TOOL"},
	{"any-gpu", 0, 0, G_OPTION_ARG_NONE, &given.any_gpu,
	 "Accept another GPU than that of the report's config", NULL},
	{"fail-above", 0, 0, G_OPTION_ARG_STRING, &given.fail_above,
	 "Exit with status 1 if the error exceeds PERCENT, or (expected) the 90th "
	 "percentile of the expected error",
	 "PERCENT"},
	{"keep", 0, 0, G_OPTION_ARG_FILENAME, &given.keep,
	 "Keep the measurements, for atomsim diff", "FILE.csv"},
	OPTION_FORMAT(&given.format, "text (default) or json"),
	OPTION_OUTPUT(&given.output),
	OPTION_OPERANDS(&given.reports),
	OPTION_END,
};

static CliStatus run(GError **error)
{
	CliStatus status = CLI_GOOD;

	return verify_check_options(&given, error) && verify(&given, &status, error)
		       ? status
		       : CLI_FAILED;
}

/* What stands behind "--" is the program's; before it, the command's. */
static CliStatus run_words(int argc, char **argv)
{
	int n = 1;

	while (n < argc && strcmp(argv[n], "--") != 0)
		n++;
	given.program = n < argc ? &argv[n + 1] : NULL;
	argv[n] = NULL;
	return cli_run_options(&command_verify, n, argv);
}

const Command command_verify = {
	.name = "verify",
	.synopsis = "[OPTION]... REPORT -- PROGRAM [ARGUMENT]...",
	.summary = "Measure a program on this GPU and compare it with its report",
	.examples = VERIFY_EXAMPLES,
	.failure = "(--fail-above) a prediction with a larger error",
	.options = entries,
	.run = run,
	.run_words = run_words,
};
