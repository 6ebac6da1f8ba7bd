/* SPDX-License-Identifier: MIT */
/* What waits for what: values get numbers, operations gaps, accesses sites. */
#include <string.h>

#include "trace/text/flow.h"

#define MAX_INDEX G_MAXUINT16

gboolean flow_fail(Assembly *assembly, TextPlace place, const char *what, gint64 found,
		   const char *allowed)
{
	return text_fail(assembly->error, assembly->state.name, place,
			 "%s: %" G_GINT64_FORMAT " found; allowed: %s", what, found, allowed);
}

/* --- Values --- */

/* The number of a value. */
static gboolean number_of(Assembly *assembly, const ValueName *value, uint8_t *number)
{
	gint64 index = 0;
	gpointer key, known;

	if (value->index && !expression_range(value->index, &assembly->state, "index", 0,
					      MAX_INDEX, &index, assembly->error))
		return FALSE;
	if (value->name > G_MAXINT16)
		return flow_fail(assembly, value->place, "names of values", value->name,
				 "32767");
	key = GUINT_TO_POINTER(value->name << 16 | (guint)index);
	if (!g_hash_table_lookup_extended(assembly->numbers, key, NULL, &known)) {
		known = GUINT_TO_POINTER(g_hash_table_size(assembly->numbers));
		if (g_hash_table_size(assembly->numbers) == DATAFLOW_MAX_VALUES)
			return flow_fail(assembly, value->place, "values",
					 DATAFLOW_MAX_VALUES + 1, "255 different ones");
		g_hash_table_insert(assembly->numbers, key, known);
	}
	*number = (uint8_t)GPOINTER_TO_UINT(known);
	return TRUE;
}

/* A list of values, up to 15. */
static gboolean numbers_of(Assembly *assembly, const ValueName *list, uint8_t *numbers,
			   uint8_t *n)
{
	for (*n = 0; list != NULL; list = list->next, (*n)++) {
		if (*n == DATAFLOW_MAX_READS)
			return flow_fail(assembly, list->place, "values of one list", *n + 1,
					 "15");
		if (!number_of(assembly, list, &numbers[*n]))
			return FALSE;
	}
	return TRUE;
}

gboolean flow_of(Assembly *assembly, const Statement *statement, Flow *flow)
{
	memset(flow, 0, sizeof(*flow));
	flow->statement = statement;
	flow->guard = DATAFLOW_NO_VALUE;
	return (statement->guard == NULL ||
		number_of(assembly, statement->guard, &flow->guard)) &&
	       numbers_of(assembly, statement->address, flow->address, &flow->n_address) &&
	       numbers_of(assembly, statement->reads, flow->reads, &flow->n_reads) &&
	       numbers_of(assembly, statement->writes, flow->writes, &flow->n_writes);
}

/* --- Sites --- */

static guint hash_flow(gconstpointer data)
{
	const Flow *flow = data;
	guint hash = GPOINTER_TO_UINT(flow->statement);

	for (guint i = 0; i < flow->n_writes; i++)
		hash = hash * 31 + flow->writes[i];
	for (guint i = 0; i < flow->n_reads; i++)
		hash = hash * 31 + flow->reads[i];
	return hash;
}

/* Bytes are compared: flow_of leaves none as it was. */
static gboolean equal_flows(gconstpointer a, gconstpointer b)
{
	return memcmp(a, b, sizeof(Flow)) == 0;
}

GHashTable *assembly_flows_new(void)
{
	return g_hash_table_new_full(hash_flow, equal_flows, g_free, NULL);
}

/* The site of a statement with that flow: from 1, in the order of their first records. */
gboolean site_of(Assembly *assembly, const Flow *flow, uint32_t *site)
{
	const SiteFlow site_flow = {.guard = flow->guard,
				    .n_address = flow->n_address,
				    .address = flow->address,
				    .n_data = flow->n_reads,
				    .data = flow->reads,
				    .n_writes = flow->n_writes,
				    .writes = flow->writes};
	gpointer known = g_hash_table_lookup(assembly->sites, flow);

	if (known == NULL) {
		if (assembly->lines->len == TRACE_MAX_SITES)
			return flow_fail(assembly, flow->statement->place, "instructions",
					 TRACE_MAX_SITES + 1, "65535 different ones");
		g_array_append_val(assembly->lines, flow->statement->place.line);
		known = GUINT_TO_POINTER(assembly->lines->len);
		g_hash_table_insert(assembly->sites, g_memdup2(flow, sizeof(*flow)), known);
		if (assembly->text->has_code)
			trace_writer_site_flow(assembly->writer, GPOINTER_TO_UINT(known),
					       &site_flow);
	}
	*site = GPOINTER_TO_UINT(known);
	return TRUE;
}

/* --- Gaps --- */

bool open_gap_add(OpenGap *open, const Flow *flow)
{
	open->flows[open->n++] = *flow;
	return open->n == OPEN_GAP_OPERATIONS;
}

bool open_gap_take(OpenGap *open, TraceWriter *writer, uint32_t *gap)
{
	CodeOperation operations[OPEN_GAP_OPERATIONS];

	if (open->n == 0)
		return false;
	for (guint i = 0; i < open->n; i++) {
		const Flow *flow = &open->flows[i];

		operations[i] = (CodeOperation){.class = (uint8_t)flow->statement->class,
						.guard = flow->guard,
						.n_reads = flow->n_reads,
						.n_writes = flow->n_writes,
						.line = flow->number,
						.reads = flow->reads,
						.writes = flow->writes};
	}
	*gap = trace_writer_gap(writer, operations, open->n);
	open->n = 0;
	return true;
}
