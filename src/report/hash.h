/* SPDX-License-Identifier: MIT */
/*
 * A hash for people and for other tools: its equations, what they cost in hardware, and the function
 * as C, Verilog or JSON. Who may include it: report and cli.
 */
#ifndef ATOMSIM_REPORT_HASH_H
#define ATOMSIM_REPORT_HASH_H

#include <cjson/cJSON.h>
#include <glib.h>

#include "base/json-shape.h"
#include "model/shared/hash.h"

/* A hash at its place. */
typedef struct {
	const char *name;  /* as the user gave it */
	const char *entry; /* what it chooses: "bank" or "lock" */
	uint32_t n_inputs; /* bits of a word's index that exist: 1 .. 32 */
	Hash hash;
} HashDesign;

/* What the equations say; linear hashes only. Input bits from n_inputs on do not exist. */
typedef struct {
	gboolean linear;
	uint32_t n_outputs;
	uint32_t rows[HASH_MAX_BITS]; /* cut to n_inputs */
	uint32_t max_inputs;	      /* of one output: the fan-in */
	uint32_t n_gates;	      /* XORs of two inputs, none shared */
	uint32_t depth;		      /* of them one after the other */
	uint32_t rank;		      /* 2^rank entries are used */
	uint32_t low_rank;	      /* of the n_outputs lowest input bits */
	gboolean singular;	      /* some entry is never used, whatever the word */
	gboolean bijection;	      /* word <-> (entry, word / size) */
} HashFacts;

void hash_facts(const HashDesign *design, HashFacts *facts);

/* Equations and facts for people. g_free. */
char *hash_text(const HashDesign *design);
extern const Shape hash_shape;
/* The same as an object. cJSON_Delete. */
cJSON *hash_object(const HashDesign *design);

/* A language that a hash can be had in: one row of the table that --export chooses from. */
typedef struct {
	const char *name;
	/* The whole file. g_free. */
	char *(*write)(const HashDesign *design);
} HashExport;

extern const HashExport hash_exports[]; /* ends with a row without name */

#endif
