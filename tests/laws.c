/* SPDX-License-Identifier: MIT */
#include "laws.h"

#include <string.h>

#include "report/fields.h"

#define N "%" G_GUINT64_FORMAT

/* --- The laws of the table: texts, parsed once --- */

typedef struct {
	uint64_t number;
	GArray *offsets;   /* of size_t: counters in Statistics to be added */
	gboolean of_sites; /* the sum over all instructions of their counter at: */
	size_t site_offset;
} Term;

typedef struct {
	const char *text;
	Term left;
	gboolean at_least, of_sites;
	GArray *right; /* of Term */
} Law;

static const uint64_t *counter_at(const Statistics *statistics, size_t offset)
{
	return (const uint64_t *)(const void *)((const char *)statistics + offset);
}

/* Whether a field is a counter that the term means: its path, or one below "group.". */
static gboolean is_meant(const Field *field, const char *term)
{
	const size_t n = strlen(term);

	if (!report_field_is_counter(field))
		return FALSE;
	if (g_str_has_suffix(term, ".*"))
		return strncmp(field->path, term, n - 1) == 0;
	return strcmp(field->path, term) == 0;
}

#define SITES "hot_spots.sites[]."

static size_t site_counter(const char *key)
{
	static const struct {
		const char *key;
		size_t offset;
	} counters[] = {
		{"cycles", G_STRUCT_OFFSET(HotSpot, cycles)},
		{"failures", G_STRUCT_OFFSET(HotSpot, failures)},
		{"passes", G_STRUCT_OFFSET(HotSpot, passes)},
		{"lane_operations", G_STRUCT_OFFSET(HotSpot, lane_operations)},
		{"local_segments", G_STRUCT_OFFSET(HotSpot, local_segments)},
		{"buffered_lanes", G_STRUCT_OFFSET(HotSpot, combined.buffered)},
		{"merged_lanes", G_STRUCT_OFFSET(HotSpot, combined.merged)},
		{"bank_merged_lanes", G_STRUCT_OFFSET(HotSpot, combined.bank_merged)},
		{"slice_merged_lanes", G_STRUCT_OFFSET(HotSpot, combined.slice_merged)},
	};

	for (guint i = 0; i < G_N_ELEMENTS(counters); i++)
		if (strcmp(key, counters[i].key) == 0)
			return counters[i].offset;
	g_error("a law names " SITES "%s, which is no counter", key);
}

static Term parse_term(const char *text)
{
	Term term = {.offsets = g_array_new(FALSE, FALSE, sizeof(size_t))};

	if (g_str_has_prefix(text, SITES)) {
		term.of_sites = TRUE;
		term.site_offset = site_counter(text + strlen(SITES));
		return term;
	}
	if (g_ascii_isdigit(*text)) {
		term.number = g_ascii_strtoull(text, NULL, 10);
		return term;
	}
	for (guint i = 0; i < n_report_fields; i++)
		if (is_meant(&report_fields[i], text))
			g_array_append_val(term.offsets, report_fields[i].offset);
	if (term.offsets->len == 0)
		g_error("a law names %s, which is no counter", text);
	return term;
}

static Law parse_law(const char *text)
{
	const gboolean at_least = strstr(text, " >= ") != NULL;
	g_auto(GStrv) sides = g_strsplit(text, at_least ? " >= " : " = ", 2);
	g_auto(GStrv) terms = g_strsplit(sides[1], " + ", -1);
	Law law = {.text = text,
		   .left = parse_term(sides[0]),
		   .at_least = at_least,
		   .right = g_array_new(FALSE, FALSE, sizeof(Term))};

	law.of_sites = law.left.of_sites;
	for (guint i = 0; terms[i] != NULL; i++) {
		Term term = parse_term(terms[i]);

		law.of_sites |= term.of_sites;
		g_array_append_val(law.right, term);
	}
	return law;
}

static void clear_law(Law *law)
{
	g_array_unref(law->left.offsets);
	for (guint i = 0; i < law->right->len; i++)
		g_array_unref(g_array_index(law->right, Term, i).offsets);
	g_array_unref(law->right);
}

static uint64_t term_value(const Term *term, const Statistics *statistics, const GArray *sites)
{
	uint64_t sum = term->number;

	for (guint i = 0; term->of_sites && i < sites->len; i++)
		sum += *(const uint64_t *)(const void *)((const char *)&g_array_index(
								 sites, HotSpot, i) +
							 term->site_offset);
	for (guint i = 0; i < term->offsets->len; i++)
		sum += *counter_at(statistics, g_array_index(term->offsets, size_t, i));
	return sum;
}

static gboolean law_holds(const Law *law, const Statistics *statistics, const GArray *sites,
			  uint64_t sides[2])
{
	sides[0] = term_value(&law->left, statistics, sites);
	sides[1] = 0;
	for (guint i = 0; i < law->right->len; i++)
		sides[1] += term_value(&g_array_index(law->right, Term, i), statistics, sites);
	return law->at_least ? sides[0] >= sides[1] : sides[0] == sides[1];
}

gboolean laws_hold(const char *text, const Statistics *statistics)
{
	Law law = parse_law(text);
	uint64_t sides[2];
	const gboolean holds = law_holds(&law, statistics, NULL, sides);

	clear_law(&law);
	return holds;
}

/* Of Law; for the rest of the program. */
static const GArray *all_laws(void)
{
	static GArray *laws;

	if (laws != NULL)
		return laws;
	laws = g_array_new(FALSE, FALSE, sizeof(Law));
	for (guint i = 0; i < n_report_fields; i++)
		if (report_fields[i].law != NULL) {
			Law law = parse_law(report_fields[i].law);

			g_array_append_val(laws, law);
		}
	return laws;
}

/* --- Laws of lists --- */

static char *sum_broken(const char *what, uint64_t found, uint64_t wanted)
{
	return found == wanted ? NULL
			       : g_strdup_printf("%s: " N ", not " N, what, found, wanted);
}

static uint64_t sum_of_bins(const uint64_t *bins)
{
	uint64_t sum = 0;

	for (guint i = 0; i < DEGREE_BINS; i++)
		sum += bins[i];
	return sum;
}

/* A table that is not full has all spots that cost anything: the sum of one of their counters, which lies `offset`
   within each, is that of the run. One that is full has a part of it. */
static char *spots_broken(const char *what, const HotSpot *spots, uint32_t n, size_t offset,
			  uint64_t all)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += *(const uint64_t *)(const void *)((const char *)&spots[i] + offset);
	if (n == HOT_SPOTS && sum <= all)
		return NULL;
	return sum_broken(what, sum, all);
}

#define SPOTS(table, counter, all)                                                             \
	spots_broken("hot_spots." #table "[]." #counter, result->table, result->n_##table,     \
		     G_STRUCT_OFFSET(HotSpot, counter), all)

static char *lists_broken(const SimResult *result)
{
	const Statistics *s = &result->statistics;
	const uint64_t failures = s->atomics.retries + s->spin_locks.retries;
	char *problem = sum_broken("shared.degree[].count", sum_of_bins(s->shared.degree),
				   s->shared.accesses);

	if (problem == NULL)
		problem = sum_broken("atomics.lock_degree[].count",
				     sum_of_bins(s->atomics.lock_degree),
				     s->atomics.warp_instructions);
	if (problem == NULL)
		problem = SPOTS(addresses, failures, failures);
	if (problem == NULL && result->n_locks > 0)
		problem = SPOTS(locks, failures, failures);
	if (problem == NULL)
		problem = SPOTS(banks, passes, s->shared.conflict_passes);
	return problem;
}

char *laws_broken(const SimResult *result, const GArray *sites)
{
	const GArray *laws = all_laws();

	for (guint i = 0; i < laws->len; i++) {
		const Law *law = &g_array_index(laws, Law, i);
		uint64_t sides[2];

		if (law->of_sites && sites == NULL)
			continue;
		if (!law_holds(law, &result->statistics, sites, sides))
			return g_strdup_printf("%s: " N " and " N, law->text, sides[0],
					       sides[1]);
	}
	return lists_broken(result);
}

/* --- Laws between a result and something else --- */

/* A load that is made again until other blocks have stored its words stands for those behind it that do the same, and for what
   is between them (sim/memory/wait-loops.h): in a trace that says what waits for what. */
static gboolean may_be_left_out(const SimResult *result, const TraceSummary *summary,
				guint kind, gboolean has_dataflow)
{
	return has_dataflow &&
	       result->statistics.records[RECORD_LDG] < summary->records[RECORD_LDG] &&
	       result->statistics.records[kind] < summary->records[kind] &&
	       (kind == RECORD_LDG || kind == RECORD_CODE || kind == RECORD_FENCE);
}

char *laws_not_of_trace(const SimResult *result, const TraceSummary *summary,
			gboolean has_dataflow)
{
	const Statistics *s = &result->statistics;
	gboolean all = TRUE;
	char *problem = NULL;

	for (guint kind = 0; problem == NULL && kind < N_RECORD_KINDS; kind++) {
		if (may_be_left_out(result, summary, kind, has_dataflow))
			all = FALSE;
		else
			problem = sum_broken("records of one kind", s->records[kind],
					     summary->records[kind]);
	}
	if (problem == NULL && all)
		problem = sum_broken("trace.records", s->trace_records, summary->n_records);
	if (problem == NULL && all)
		problem = sum_broken("trace.warp_instructions", s->trace_warp_instructions,
				     summary->instructions);
	if (problem == NULL)
		problem = sum_broken("atomics.lane_operations", s->atomics.lane_operations,
				     summary->lane_operations[RECORD_ATOM]);
	if (problem == NULL)
		problem = sum_broken("warps", s->warps, summary->n_warps);
	if (problem == NULL)
		problem = sum_broken("blocks", s->blocks, summary->n_blocks);
	return problem;
}

/* `busy` cycles of all units together, of which there are n. */
static char *unit_too_short(const char *what, uint64_t busy, uint64_t n, uint64_t cycles)
{
	if (busy <= cycles * n)
		return NULL;
	return g_strdup_printf("%s of " N " units were busy for " N " of " N " cycles", what, n,
			       busy, cycles);
}

char *laws_too_short(const Machine *machine, const SimResult *result)
{
	const Statistics *s = &result->statistics;
	char *problem =
		unit_too_short("banks", s->shared.bank_busy_cycles, result->n_sms, s->cycles);

	if (problem == NULL && !machine->ideal.issue)
		problem = unit_too_short("warp schedulers", s->warp_cycles[STATE_ISSUE],
					 (uint64_t)result->n_sms * machine->sm.schedulers,
					 s->cycles);
	if (problem == NULL)
		problem = unit_too_short("warp slots", s->resident_warp_cycles,
					 (uint64_t)result->n_sms * machine->sm.max_warps,
					 s->cycles);
	return problem;
}

static char *time_broken(const char *name, const UtilizedTime *time)
{
	const double least = time->of > 0 ? 100.0 * (double)time->busy / (double)time->of : 0;

	if (time->busy > time->of || time->mean > time->busiest || time->busiest > 100.0001 ||
	    time->mean < 0.9999 * least || time->mean > 1.0001 * least)
		return g_strdup_printf("%s: busy %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
				       ", mean %g %%, busiest %g %%",
				       name, time->busy, time->of, time->mean, time->busiest);
	return NULL;
}

char *laws_not_utilized(const Utilization *utilization, const SimResult *result)
{
	const Statistics *s = &result->statistics;
	const UtilizedTime *times = utilization->times;
	const uint64_t banks = s->shared.bank_busy_cycles;
	const uint64_t issue = s->warp_cycles[STATE_ISSUE];

	for (guint i = 0; i < N_UTILIZED; i++) {
		char *broken = time_broken(utilized_names[i], &times[i]);

		if (broken != NULL)
			return broken;
	}
	if (times[UTILIZED_BANKS].busy != banks)
		return sum_broken("utilization.banks", times[UTILIZED_BANKS].busy, banks);
	if (times[UTILIZED_ATOMICS].busy != s->atomic_busy_cycles)
		return sum_broken("utilization.atomics", times[UTILIZED_ATOMICS].busy,
				  s->atomic_busy_cycles);
	if (times[UTILIZED_LOCKS].of > 0 && times[UTILIZED_LOCKS].busy != s->lock_busy_cycles)
		return sum_broken("utilization.locks", times[UTILIZED_LOCKS].busy,
				  s->lock_busy_cycles);
	if (times[UTILIZED_L2_ATOMICS].busy > times[UTILIZED_L2].busy)
		return sum_broken("utilization.l2_atomics", times[UTILIZED_L2_ATOMICS].busy,
				  times[UTILIZED_L2].busy);
	/* What loops that wait repeat meanwhile is counted at once. */
	if (s->memory.wait_loop_accesses == 0 && times[UTILIZED_ISSUE].busy != issue)
		return sum_broken("utilization.issue", times[UTILIZED_ISSUE].busy, issue);
	return NULL;
}

char *laws_faster_with_contention(const SimResult *result, const SimResult *free)
{
	if (result->statistics.cycles >= free->statistics.cycles)
		return NULL;
	return g_strdup_printf("cycles " N ", without contention " N, result->statistics.cycles,
			       free->statistics.cycles);
}

static gboolean same_spots(const HotSpot *one, uint32_t n_one, const HotSpot *other,
			   uint32_t n_other)
{
	return n_one == n_other && memcmp(one, other, n_one * sizeof(*one)) == 0;
}

char *laws_differ(const SimResult *one, const SimResult *other)
{
	const size_t n_counters = sizeof(Statistics) / sizeof(uint64_t);

	for (size_t i = 0; i < n_counters; i++) {
		const size_t at = i * sizeof(uint64_t);
		const uint64_t a = *counter_at(&one->statistics, at);
		const uint64_t b = *counter_at(&other->statistics, at);

		if (a != b)
			return g_strdup_printf("byte %zu of the statistics: " N " and " N, at,
					       a, b);
	}
	if (!same_spots(one->addresses, one->n_addresses, other->addresses,
			other->n_addresses) ||
	    !same_spots(one->locks, one->n_locks, other->locks, other->n_locks) ||
	    !same_spots(one->banks, one->n_banks, other->banks, other->n_banks))
		return g_strdup("tables of hot spots");
	return NULL;
}
