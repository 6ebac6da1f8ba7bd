/* SPDX-License-Identifier: MIT */
/*
 * type=u32|s32|f32: other types in place of those of an array's atomics. mechanism=NAME: another way of the machine to do them.
 *
 * Modelled: u32 and s32 in place of 32-bit floats (fixed point) or of 64-bit integers, f32 in place of doubles; words of half the width lie
 * half as far apart, and loads and stores of the array are as narrow.
 * Charged: for fixed point a multiplication and a conversion before each atomic, and adds of 1 are counts no more. What the
 * trace has because its atomics were loops is left out (transform/unloop.c).
 * Not modelled: sums that overflow, and what is lost by rounding.
 */
#include "base/error.h"
#include "transform/change.h"

#define CONVERT_INSTRUCTIONS 2
#define FIXED_ONE	     65536 /* 1.0 with as many bits behind the point as before it */

/* --- type --- */

static gboolean read_type(Change *change, const char *value, GError **error)
{
	static const char *const words[] = {"u32", "s32", "f32"};
	static const uint8_t types[] = {TYPE_U32, TYPE_S32, TYPE_F32};
	uint32_t place;

	if (!change_read_word("type", value, words, G_N_ELEMENTS(words), &place, error))
		return FALSE;
	change->type = types[place];
	return TRUE;
}

/* Whether atomics of a type can become those of the change's. */
static bool can_become(const Change *change, uint8_t type)
{
	if (change->type == TYPE_F32)
		return type == TYPE_F64;
	return type == TYPE_F32 || type == TYPE_U64 || type == TYPE_S64;
}

static gboolean plan_type(Change *change, const SharedArray *array, RecordSource *source,
			  GError **error)
{
	const uint32_t wide = 1u << TYPE_U64 | 1u << TYPE_S64 | 1u << TYPE_F64;
	uint32_t good = 0;

	(void)source;
	for (uint8_t type = 0; type < N_VALUE_TYPES; type++)
		good |= can_become(change, type) ? 1u << type : 0;
	change->still_loops = change->type == TYPE_F32;
	change->stride_bytes = array->types & wide ? 8 : 4;
	/* Words of several widths do not move together. */
	if ((array->operations & ~(1u << OPERATION_ADD)) == 0 && (array->types & good) != 0 &&
	    (change->stride_bytes == 4 ||
	     ((array->types & ~(good & wide)) == 0 && array->widest == 8)))
		return TRUE;
	return atomsim_fail(
		error, ATOMSIM_ERROR_INPUT,
		"only adds of %s can become such, and it has other atomics or accesses",
		change->type == TYPE_F32 ? "doubles" : "floats or of 64-bit integers");
}

/* Words of 8 bytes become words of 4. */
static void halve(const Change *change, Record *record)
{
	record->width = 4;
	for (uint32_t i = 0; i < record->n_lanes; i++)
		record->address[i] = change->first + (record->address[i] - change->first) / 2;
}

/* A count stays one; a fixed-point number is none, whatever it is: lanes of a word that add such wait for each other. */
static void convert_values(const Record *in, Record *out)
{
	out->has_values = in->type == TYPE_F32 || (in->type != TYPE_F64 && in->has_values);
	for (uint32_t i = 0; out->has_values && i < in->n_lanes; i++)
		out->value[i] = in->type == TYPE_F32 ? FIXED_ONE : in->value[i] & UINT32_MAX;
}

static bool expand_type(const Change *change, const Place *place, const Record *in, uint32_t i,
			Record *out)
{
	const bool changes = in->kind == RECORD_ATOM && can_become(change, in->type);
	const bool converts = changes && in->type == TYPE_F32;

	(void)place;
	if (converts && i == 0) {
		change_code(change, 0, CONVERT_INSTRUCTIONS, in, out);
		return true;
	}
	*out = *in;
	if (change->stride_bytes == 8)
		halve(change, out);
	if (changes) {
		out->type = change->type;
		convert_values(in, out);
	}
	return i == (converts ? 1 : 0);
}

static void add_type_code(Change *change, const SharedArray *array, Code *code)
{
	static const uint8_t classes[CONVERT_INSTRUCTIONS] = {CODE_FLOAT, CODE_CONVERT};

	(void)array;
	change->n_codes = 1;
	change->gaps = g_new(uint32_t, MAX(change->n_sites, 1));
	for (uint32_t site = 1; site <= change->n_sites; site++)
		change->gaps[site - 1] =
			code_add(code, site, CODE_BEFORE, classes, CONVERT_INSTRUCTIONS, 0);
}

const ChangeKind change_type = {
	.name = "type",
	.of_atomics = true,
	.drops_tries = true,
	.ends_loops = true,
	.read = read_type,
	.plan = plan_type,
	.add_code = add_type_code,
	.expand = expand_type,
};

/* --- mechanism --- */

static gboolean read_mechanism(Change *change, const char *value, GError **error)
{
	if (*value == '\0')
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "mechanism=; allowed: the name of a mechanism");
	change->mechanism = g_strdup(value);
	return TRUE;
}

static gboolean plan_mechanism(Change *change, const SharedArray *array, RecordSource *source,
			       GError **error)
{
	(void)change;
	(void)source;
	if (array->atomics > 0)
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_INPUT, "no atomic touches that array");
}

static bool expand_mechanism(const Change *change, const Place *place, const Record *in,
			     uint32_t i, Record *out)
{
	(void)place;
	*out = *in;
	out->mechanism = change->mechanism_number;
	return i == 0;
}

const ChangeKind change_mechanism = {
	.name = "mechanism",
	.of_atomics = true,
	.keeps_values = true,
	.of_machine = true,
	.read = read_mechanism,
	.plan = plan_mechanism,
	.expand = expand_mechanism,
};
