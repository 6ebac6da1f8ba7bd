/* SPDX-License-Identifier: MIT */
/* The parts of `atomsim validate`. Who may include it: cli/validate. */
#ifndef ATOMSIM_CLI_VALIDATE_VALIDATE_H
#define ATOMSIM_CLI_VALIDATE_VALIDATE_H

#include <cjson/cJSON.h>

#include "config/config.h"
#include "validate/frame/validate.h"

/* A folder of atomsim measure, and what there is to say of it. */
typedef struct {
	char *gpu;	  /* its name */
	GPtrArray *notes; /* texts: what was left out, or marked */
	GPtrArray *read;  /* names of files that atomsim derive reads */
} ValidatedFolder;

void validated_folder_clear(ValidatedFolder *folder);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ValidatedFolder, validated_folder_clear)
gboolean validate_is_folder(const char *path);
/* Adds the points of files (NULL-terminated), and shows progress. Errors: those of validate_add_file. */
gboolean validate_add_files(Validation *validation, const Machine *machine, char **files,
			    GError **error);
/* Adds the points of its tables that have forms; of large ones all or a sample (sample.h). Errors: ATOMSIM_ERROR_INPUT, it is no folder of
   measure, and those of validate_add_file. */
gboolean validate_add_folder(Validation *validation, const Machine *machine, const char *path,
			     gboolean all, ValidatedFolder *folder, GError **error);
/* Of what class a file of such a folder is: one of these. */
extern const char *const validate_class_names[]; /* NULL-terminated */
const char *validate_class(const char *path);
/* Whether atomsim derive reads rows of it. */
gboolean validate_is_read(const ValidatedFolder *folder, const char *path);
/* Its page. g_free. */
char *validate_folder_text(const Validation *validation, const Machine *machine,
			   const ValidatedFolder *folder);
char *validate_folder_json(const Validation *validation, const Machine *machine,
			   const ValidatedFolder *folder);

/* The same as one page of HTML, with a picture of each class's points. g_free. */
char *validate_folder_page(const Validation *validation, const Machine *machine,
			   const ValidatedFolder *folder);
/* The points of a class, which stay the validation's; how many of them derive does not read; whether their errors let one trust it. */
GPtrArray *validate_class_points(const Validation *validation, const char *class_name);
guint validate_not_read(const ValidatedFolder *folder, const GPtrArray *points);
gboolean validate_is_trusted(const ErrorSummary *errors);

#define VALIDATE_COLUMNS                                                                       \
	"file,line,operation,pattern,measured_cycles,simulated_cycles,error,unit,held_back,"   \
	"verdict"
/* The whole report in each format. g_free. */
char *validate_text(const Validation *validation, const Machine *machine,
		    const ValidatedFolder *folder);
char *validate_json(const Validation *validation, const Machine *machine,
		    const ValidatedFolder *folder);
char *validate_csv(const Validation *validation, const Machine *machine,
		   const ValidatedFolder *folder);

/* How far off the launches among the points are, by the class that reports name, as a file beside the machine's config.json
   (config/expected.h). Errors: ATOMSIM_ERROR_INPUT, no class has five launches. g_free. */
char *validate_expected(const GPtrArray *points, const Machine *machine, GError **error);

/* A line for each value of the config that was fitted to a file of which some points are not held back; "" for none. g_free. */
char *validate_fitted_warning(const Config *config, const GPtrArray *points);

/* Draws the points to `svg`, whose name ends in .svg; script and data stay beside it. table: the points
   as CSV. Errors: ATOMSIM_ERROR_IO. */
gboolean validate_plot(const GPtrArray *points, const Machine *machine, const char *table,
		       const char *svg, GError **error);

/* A line for each file and reason of rows that are passed over; an array "passed_over". */
void validate_append_passed(GString *text, const GPtrArray *passed);
void validate_add_passed(cJSON *root, const GPtrArray *passed);

/* A line for each published figure, and how many hold; nothing if there are none. */
void validate_append_published(GString *text, const GPtrArray *points);
/* The same as an array "published"; nothing if there are none. */
void validate_add_published(cJSON *root, const GPtrArray *points);
/* "holds", "misses", or "shown" where nothing is allowed. */
const char *validate_verdict_name(Verdict verdict);

#endif
