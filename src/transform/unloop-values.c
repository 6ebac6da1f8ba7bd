/* SPDX-License-Identifier: MIT */
/*
 * What the warps of the first block say of the loops that atomics were.
 *
 * Code that comes twice in a row behind an atomic is that of a try that failed; other code is met once, with a branch back at its end.
 *
 * Values of loads that are made before the atomics which they were behind. A compiler gives each a register of its own, while the
 * captured program used one again and again; with those a load would wait for the one before.
 *
 * An atomic waits for the loads since the last one. A load whose value other
 * code reads, too, but that right before the atomic, keeps its register.
 */
#include "transform/unloop.h"

#include <string.h>

struct UnloopValues {
	Dataflow whole;
	bool *tries; /* by gap: of tries that failed */
	SiteFlow *sites;
	uint8_t *writes; /* by site: the load's value; what it had where that stays */
	uint8_t (*reads)[DATAFLOW_MAX_READS]; /* by site, of an atomic */
};

/* What looking at warps has found. */
typedef struct {
	const Dataflow *below;
	bool *tries;
	bool *moves; /* by site: a load that an atomic waits for */
	bool *stays; /* whose value other code reads */
	GArray **
		waits; /* by site, of an atomic: of uint32_t, the loads' sites; NULL: none was seen */
	GArray *loads; /* of uint32_t: sites since the last atomic */
	uint32_t *
		writer; /* by value: the load's site that wrote it last; 0: something else did */
} Look;

static const SiteFlow *flow_of(const Dataflow *dataflow, uint32_t site)
{
	return site > 0 && site <= dataflow->n_sites ? &dataflow->sites[site - 1] : NULL;
}

/* Code that is no part of an atomic's: what it reads of loads must have come. */
static void see_code(Look *look, uint32_t gap)
{
	const Gap *code = &look->below->gaps[gap];

	for (uint32_t i = 0; i < code->n_operations; i++) {
		const CodeOperation *operation = &code->operations[i];

		for (uint32_t k = 0; k < operation->n_reads; k++)
			look->stays[look->writer[operation->reads[k]]] = true;
		for (uint32_t k = 0; k < operation->n_writes; k++)
			look->writer[operation->writes[k]] = 0;
	}
}

static void see_load(Look *look, uint32_t site)
{
	const SiteFlow *flow = flow_of(look->below, site);

	if (flow == NULL)
		return;
	for (uint32_t k = 0; k < flow->n_address; k++)
		look->stays[look->writer[flow->address[k]]] = true;
	for (uint32_t k = 0; k < flow->n_writes; k++)
		look->writer[flow->writes[k]] = site;
	look->stays[site] = look->stays[site] || flow->n_writes != 1;
	g_array_append_val(look->loads, site);
}

static void see_atomic(Look *look, uint32_t site)
{
	if (flow_of(look->below, site) != NULL && look->waits[site] == NULL) {
		look->waits[site] = look->loads;
		for (guint i = 0; i < look->loads->len; i++)
			look->moves[g_array_index(look->loads, uint32_t, i)] = true;
	} else {
		g_array_unref(look->loads);
	}
	look->loads = g_array_new(FALSE, FALSE, sizeof(uint32_t));
}

static void look_at(Look *look, const Change *change, WarpStream *stream)
{
	uint32_t gap = UINT32_MAX; /* of code that is not placed yet */
	bool after_atom = false;
	Record record;

	memset(look->writer, 0, DATAFLOW_MAX_VALUES * sizeof *look->writer);
	while (stream->next(stream, &record) == STREAM_RECORD) {
		const bool atom = record.kind == RECORD_ATOM && change_reaches(change, &record);

		if (gap != UINT32_MAX && !atom)
			see_code(look, gap);
		if (after_atom && record.kind == RECORD_CODE && record.gap == gap)
			look->tries[gap] = true;
		after_atom = atom || (after_atom && record.kind == RECORD_CODE);
		gap = record.kind == RECORD_CODE ? record.gap : UINT32_MAX;
		if (record.kind == RECORD_LDG)
			see_load(look, record.site);
		if (atom)
			see_atomic(look, record.site);
	}
	stream->close(stream);
}

/* Gives loads that move values of their own; returns how many values there are then. */
static uint32_t give_values(UnloopValues *values, const Look *look)
{
	const Dataflow *below = look->below;
	uint32_t n = below->n_values;

	for (uint32_t site = 1; site <= below->n_sites; site++) {
		if (!look->moves[site] || look->stays[site] || n >= DATAFLOW_MAX_VALUES)
			continue;
		values->writes[site] = (uint8_t)n++;
		values->sites[site - 1].writes = &values->writes[site];
	}
	return n;
}

/* Has the atomics wait for them: as operands, where they have any. */
static void wait_for_values(UnloopValues *values, const Look *look)
{
	for (uint32_t site = 1; site <= look->below->n_sites; site++) {
		SiteFlow *flow = &values->sites[site - 1];
		const uint8_t **reads = flow->n_data > 0 ? &flow->data : &flow->address;
		uint8_t *n_reads = flow->n_data > 0 ? &flow->n_data : &flow->n_address;
		uint8_t n = 0;

		if (look->waits[site] == NULL)
			continue;
		for (guint i = 0; i < look->waits[site]->len; i++) {
			const uint32_t load = g_array_index(look->waits[site], uint32_t, i);

			if (values->writes[load] != DATAFLOW_NO_VALUE && n < DATAFLOW_MAX_READS)
				values->reads[site][n++] = values->writes[load];
		}
		for (uint32_t k = 0; k < *n_reads && n < DATAFLOW_MAX_READS; k++)
			values->reads[site][n++] = (*reads)[k];
		*reads = values->reads[site];
		*n_reads = n;
	}
}

UnloopValues *unloop_values_new(const Change *change, bool loads_first, RecordSource *source)
{
	const Dataflow *below = source->kernel.dataflow;
	const size_t n = (size_t)below->n_sites + 1;
	UnloopValues *values = g_new0(UnloopValues, 1);
	Look look = {.below = below,
		     .tries = g_new0(bool, MAX(below->n_gaps, 1)),
		     .moves = g_new0(bool, n),
		     .stays = g_new0(bool, n),
		     .waits = g_new0(GArray *, n),
		     .writer = g_new0(uint32_t, DATAFLOW_MAX_VALUES),
		     .loads = g_array_new(FALSE, FALSE, sizeof(uint32_t))};
	BlockInfo info = {0};

	if (source->n_blocks > 0)
		source->block_info(source, 0, &info);
	for (uint32_t warp = 0; warp < info.n_warps; warp++) {
		WarpStream *stream = source->open_warp(source, 0, warp);

		if (stream != NULL)
			look_at(&look, change, stream);
	}
	values->sites = g_memdup2(below->sites, below->n_sites * sizeof *below->sites);
	values->writes = g_malloc(n);
	memset(values->writes, DATAFLOW_NO_VALUE, n);
	values->reads = g_malloc0_n(n, sizeof *values->reads);
	values->whole = *below;
	values->tries = look.tries;
	if (loads_first) {
		values->whole.n_values = give_values(values, &look);
		wait_for_values(values, &look);
	}
	values->whole.sites = values->sites;
	for (uint32_t site = 1; site < n; site++)
		g_clear_pointer(&look.waits[site], g_array_unref);
	g_array_unref(look.loads);
	g_free(look.waits);
	g_free(look.writer);
	g_free(look.stays);
	g_free(look.moves);
	return values;
}

const Dataflow *unloop_values_dataflow(const UnloopValues *values)
{
	return &values->whole;
}

bool unloop_values_failed(const UnloopValues *values, uint32_t gap)
{
	return values->tries[gap];
}

void unloop_values_free(UnloopValues *values)
{
	if (values == NULL)
		return;
	g_free(values->tries);
	g_free(values->sites);
	g_free(values->writes);
	g_free(values->reads);
	g_free(values);
}
