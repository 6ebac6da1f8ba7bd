/* SPDX-License-Identifier: MIT */
#include "transform/change.h"

#include <glib.h>

#include "base/words.h"

struct Code {
	const Dataflow *below;
	Dataflow whole;
	GArray *operations; /* of CodeOperation: those of `below` and what was added, in one piece */
	GArray *gaps;	    /* of Gap; what was added names operations once all are there */
	GArray *values; /* of uint8_t*: what operations read and write */
};

Code *code_new(const Dataflow *below)
{
	Code *code = g_new0(Code, 1);

	code->below = below;
	code->operations = g_array_new(FALSE, FALSE, sizeof(CodeOperation));
	code->gaps = g_array_new(FALSE, FALSE, sizeof(Gap));
	code->values = g_array_new(FALSE, FALSE, sizeof(uint8_t *));
	for (uint32_t i = 0; i < below->n_gaps; i++) {
		g_array_append_val(code->gaps, below->gaps[i]);
		g_array_append_vals(code->operations, below->gaps[i].operations,
				    below->gaps[i].n_operations);
	}
	return code;
}

void code_free(Code *code)
{
	if (code == NULL)
		return;
	for (guint i = 0; i < code->values->len; i++)
		g_free(g_array_index(code->values, uint8_t *, i));
	g_array_unref(code->values);
	g_array_unref(code->gaps);
	g_array_unref(code->operations);
	g_free(code);
}

/* The value that stands for the site's operands, or for its result. */
static uint8_t value_of(const Dataflow *dataflow, uint32_t site, CodePlace place)
{
	const SiteFlow *flow =
		site > 0 && site <= dataflow->n_sites ? &dataflow->sites[site - 1] : NULL;

	if (flow == NULL)
		return DATAFLOW_NO_VALUE;
	if (place == CODE_BEHIND)
		return flow->n_writes > 0 ? flow->writes[0] : DATAFLOW_NO_VALUE;
	if (flow->n_data > 0 && place != CODE_ADDRESS)
		return flow->data[0];
	return flow->n_address > 0 ? flow->address[0] : DATAFLOW_NO_VALUE;
}

static void add_operation(Code *code, uint8_t *value, CodePlace place, uint8_t class,
			  uint32_t distinct)
{
	bool known = *value != DATAFLOW_NO_VALUE;
	const CodeOperation operation = {
		.class = class,
		.guard = DATAFLOW_NO_VALUE,
		/* The masks of a sync were there before. */
		.n_reads = known && class != CODE_SYNC,
		.n_writes = known && place != CODE_APART && code_has_result((CodeClass) class),
		.line = code_has_distinct((CodeClass) class) ? (uint16_t)distinct : 0,
		.reads = value,
		.writes = value,
	};

	g_array_append_val(code->operations, operation);
}

static uint8_t *new_value(Code *code, uint32_t site, CodePlace place)
{
	uint8_t *value = g_new(uint8_t, 1);

	*value = value_of(code->below, site, place);
	g_array_append_val(code->values, value);
	return value;
}

uint32_t code_add(Code *code, uint32_t site, CodePlace place, const uint8_t *classes,
		  uint32_t n, uint32_t distinct)
{
	const Gap gap = {NULL, n};
	uint8_t *value = new_value(code, site, place);

	for (uint32_t i = 0; i < n; i++)
		add_operation(code, value, place, classes[i], distinct);
	g_array_append_val(code->gaps, gap);
	return code->gaps->len - 1;
}

uint32_t code_add_for(Code *code, const uint32_t *sites, uint32_t n_sites, CodePlace place,
		      const uint8_t *classes, uint32_t n)
{
	const Gap gap = {NULL, n * n_sites};
	const guint first = code->values->len;

	for (uint32_t k = 0; k < n_sites; k++)
		new_value(code, sites[k], place);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < n_sites; k++)
			add_operation(code, g_array_index(code->values, uint8_t *, first + k),
				      place, classes[i], 0);
	g_array_append_val(code->gaps, gap);
	return code->gaps->len - 1;
}

uint8_t code_class_of(uint32_t types)
{
	if (types & 1u << TYPE_F64)
		return CODE_DOUBLE;
	return types & 1u << TYPE_F32 ? CODE_FLOAT : CODE_INT;
}

const Dataflow *code_dataflow(Code *code)
{
	const CodeOperation *operations = (const CodeOperation *)(void *)code->operations->data;

	for (guint i = 0; i < code->gaps->len; i++) {
		Gap *gap = &g_array_index(code->gaps, Gap, i);

		gap->operations = operations;
		operations += gap->n_operations;
	}
	code->whole = *code->below;
	code->whole.n_gaps = code->gaps->len;
	code->whole.gaps = (const Gap *)(void *)code->gaps->data;
	return &code->whole;
}
