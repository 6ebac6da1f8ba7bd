/* SPDX-License-Identifier: MIT */
/* atomsim list --hash: one hash, its equations, its cost, and the function in other languages. */
#include "cli/list/list.h"

#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "base/error.h"
#include "base/input.h"
#include "base/json.h"
#include "config/document.h"
#include "report/hash.h"

#define FERMI_BANKS  32
#define FERMI_LOCKS  1024
#define FERMI_INPUTS 14 /* 48 KB are 12,288 words */

/* A file of that name wins over a hash's name only if no hash has it. */
static gboolean read_spec(const char *hash, HashSpec *spec, GError **error)
{
	g_autofree char *place = g_strconcat("--hash ", hash, NULL);
	g_autofree char *text = NULL;
	gsize length = 0;

	if (hash_find(hash) || !g_file_test(hash, G_FILE_TEST_IS_REGULAR))
		return config_parse_hash(place, FALSE, hash, strlen(hash), spec, error);
	if (!input_read(hash, DOCUMENT_MAX_BYTES, "a hash of up to 1 MiB", &text, &length,
			error))
		return FALSE;
	return config_parse_hash(hash, TRUE, text, length, spec, error);
}

static gboolean find_export(const char *name, const HashExport **found, GError **error)
{
	for (*found = hash_exports; (*found)->name; ++*found) {
		if (strcmp((*found)->name, name) == 0)
			return TRUE;
	}
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			    "list: --export %s; allowed: c, verilog, json", name);
}

static gboolean read_design(const HashQuestion *question, HashSpec *spec, HashDesign *design,
			    GError **error)
{
	gboolean bank = g_strcmp0(question->target, "bank") == 0;
	gint64 size = question->size ? question->size : bank ? FERMI_BANKS : FERMI_LOCKS;
	gint64 inputs = question->inputs ? question->inputs : FERMI_INPUTS;
	const char *problem = NULL;

	if (question->target && !bank && strcmp(question->target, "lock") != 0)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "list: --for %s; allowed: bank, lock", question->target);
	if (inputs < 1 || inputs > 32)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "list: --inputs %" G_GINT64_FORMAT "; allowed: 1 to 32",
				    inputs);
	if (!read_spec(question->hash, spec, error))
		return FALSE;
	/* A matrix knows its size. */
	if (spec->n_rows && !question->size)
		size = INT64_C(1) << spec->n_rows;
	problem = size < 1 || size > HASH_MAX_SIZE ? "the size is not from 1 to 65536"
						   : hash_problem(spec, (uint32_t)size);
	if (problem)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "list: --hash %s --size %" G_GINT64_FORMAT ": %s",
				    question->hash, size, problem);
	design->name = question->hash;
	design->entry = bank ? "bank" : "lock";
	design->n_inputs = (uint32_t)inputs;
	hash_build(spec, (uint32_t)size, &design->hash);
	if (!design->hash.linear && !hash_is_modulo(&design->hash))
		return atomsim_fail(
			error, ATOMSIM_ERROR_USAGE,
			"list: --hash %s is not linear over GF(2): it has no equations",
			question->hash);
	return TRUE;
}

static void warn(const HashDesign *design)
{
	HashFacts facts;

	hash_facts(design, &facts);
	if (facts.singular)
		g_printerr("atomsim: warning: --hash %s: the matrix is singular: some %ss are "
			   "never used\n",
			   design->name, design->entry);
}

gboolean list_hash(const HashQuestion *question, GError **error)
{
	const HashExport *export = NULL;
	g_autofree char *text = NULL;
	HashSpec spec = {0};
	HashDesign design;

	if (question->format && !find_export(question->format, &export, error))
		return FALSE;
	if (!read_design(question, &spec, &design, error))
		return FALSE;
	warn(&design);
	if (export) {
		text = export->write(&design);
	} else if (question->json) {
		text = json_page(hash_object(&design));
	} else {
		text = hash_text(&design);
	}
	fputs(text, stdout);
	return TRUE;
}
