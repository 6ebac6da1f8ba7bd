/* SPDX-License-Identifier: MIT */
/* Collects gaps and sites as the bytes that they will be. */

#include "trace/dataflow.h"
#include "trace/format.h"

struct DataflowBuilder {
	GPtrArray *gaps;     /* GBytes */
	GHashTable *numbers; /* of gaps: GBytes -> number + 1 */
	GPtrArray *sites;    /* GBytes, NULL where nothing was said */
	uint32_t n_values, n_lines;
};

static void bytes_free(gpointer bytes)
{
	if (bytes)
		g_bytes_unref(bytes);
}

DataflowBuilder *dataflow_builder_new(void)
{
	DataflowBuilder *builder = g_new0(DataflowBuilder, 1);

	builder->gaps = g_ptr_array_new_with_free_func(bytes_free);
	builder->sites = g_ptr_array_new_with_free_func(bytes_free);
	builder->numbers = g_hash_table_new(g_bytes_hash, g_bytes_equal);
	return builder;
}

void dataflow_builder_free(DataflowBuilder *builder)
{
	if (!builder)
		return;
	g_hash_table_unref(builder->numbers);
	g_ptr_array_unref(builder->gaps);
	g_ptr_array_unref(builder->sites);
	g_free(builder);
}

static void put_byte(GByteArray *bytes, unsigned byte)
{
	uint8_t value = (uint8_t)byte;

	g_byte_array_append(bytes, &value, 1);
}

static void put_varint(GByteArray *bytes, uint32_t value)
{
	for (; value >= 0x80; value >>= 7)
		put_byte(bytes, value | 0x80);
	put_byte(bytes, value);
}

static void put_values(DataflowBuilder *builder, GByteArray *bytes, const uint8_t *values,
		       uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		g_assert(values[i] < DATAFLOW_MAX_VALUES);
		builder->n_values = MAX(builder->n_values, values[i] + 1u);
		put_byte(bytes, values[i]);
	}
}

static void put_guard(DataflowBuilder *builder, GByteArray *bytes, uint8_t guard)
{
	if (guard != DATAFLOW_NO_VALUE)
		put_values(builder, bytes, &guard, 1);
}

/* before: the instruction of the operation before it in its gap. */
static void put_operation(DataflowBuilder *builder, GByteArray *bytes,
			  const CodeOperation *operation, uint32_t before)
{
	const bool has_guard = operation->guard != DATAFLOW_NO_VALUE;
	const bool has_instruction = operation->instruction != format_next_instruction(before);

	g_assert(operation->class < N_CODE_CLASSES);
	g_assert(operation->n_writes <= DATAFLOW_MAX_WRITES);
	g_assert(operation->n_reads <= DATAFLOW_MAX_READS);
	g_assert(operation->line <= DATAFLOW_MAX_LINES);
	g_assert(operation->instruction <= DATAFLOW_MAX_INSTRUCTIONS);
	put_byte(bytes, operation->class | (has_guard ? CODE_GUARD : 0u) |
				(operation->line ? CODE_LINE : 0u) |
				(has_instruction ? CODE_INSTRUCTION : 0u));
	put_byte(bytes, operation->n_writes | (unsigned)operation->n_reads << 4);
	put_guard(builder, bytes, operation->guard);
	if (operation->line) {
		builder->n_lines = MAX(builder->n_lines, operation->line);
		put_varint(bytes, operation->line - 1u);
	}
	if (has_instruction)
		put_varint(bytes, operation->instruction);
	put_values(builder, bytes, operation->writes, operation->n_writes);
	put_values(builder, bytes, operation->reads, operation->n_reads);
}

static GBytes *gap_bytes(DataflowBuilder *builder, const CodeOperation *operations, uint32_t n)
{
	GByteArray *bytes = g_byte_array_new();

	g_assert(n > 0);
	put_varint(bytes, n);
	for (uint32_t i = 0; i < n; i++)
		put_operation(builder, bytes, &operations[i],
			      i > 0 ? operations[i - 1].instruction : 0);
	return g_byte_array_free_to_bytes(bytes);
}

uint32_t dataflow_builder_gap(DataflowBuilder *builder, const CodeOperation *operations,
			      uint32_t n)
{
	g_autoptr(GBytes) bytes = gap_bytes(builder, operations, n);
	uint32_t number = GPOINTER_TO_UINT(g_hash_table_lookup(builder->numbers, bytes));

	if (number == 0) {
		g_ptr_array_add(builder->gaps, g_bytes_ref(bytes));
		number = builder->gaps->len;
		g_hash_table_insert(builder->numbers, bytes, GUINT_TO_POINTER(number));
	}
	return number - 1;
}

void dataflow_builder_site(DataflowBuilder *builder, uint32_t site, const SiteFlow *flow)
{
	GByteArray *bytes = g_byte_array_new();

	g_assert(site > 0);
	g_assert(flow->n_address <= 15 && flow->n_data <= 15 && flow->n_writes <= 15);
	put_byte(bytes, flow->n_address | (unsigned)flow->n_data << 4);
	put_byte(bytes, flow->n_writes | (flow->guard != DATAFLOW_NO_VALUE ? SITE_GUARD : 0u) |
				(flow->instruction ? SITE_INSTRUCTION : 0u));
	put_guard(builder, bytes, flow->guard);
	if (flow->instruction)
		put_varint(bytes, flow->instruction);
	put_values(builder, bytes, flow->address, flow->n_address);
	put_values(builder, bytes, flow->data, flow->n_data);
	put_values(builder, bytes, flow->writes, flow->n_writes);
	if (builder->sites->len < site)
		g_ptr_array_set_size(builder->sites, (int)site);
	bytes_free(builder->sites->pdata[site - 1]);
	builder->sites->pdata[site - 1] = g_byte_array_free_to_bytes(bytes);
}

void dataflow_builder_copy(DataflowBuilder *builder, const Dataflow *dataflow)
{
	g_assert(builder->gaps->len == 0);
	for (uint32_t g = 0; g < dataflow->n_gaps; g++) {
		const Gap *gap = &dataflow->gaps[g];
		GBytes *bytes = gap_bytes(builder, gap->operations, gap->n_operations);

		/* Not looked up: a gap that is there twice keeps both its numbers. */
		g_ptr_array_add(builder->gaps, bytes);
		g_hash_table_insert(builder->numbers, bytes, GUINT_TO_POINTER(g + 1));
	}
	for (uint32_t s = 0; s < dataflow->n_sites; s++)
		dataflow_builder_site(builder, s + 1, &dataflow->sites[s]);
	builder->n_values = MAX(builder->n_values, dataflow->n_values);
	builder->n_lines = MAX(builder->n_lines, dataflow->n_lines);
}

uint32_t dataflow_builder_n_gaps(const DataflowBuilder *builder)
{
	return builder->gaps->len;
}

uint32_t dataflow_builder_n_sites(const DataflowBuilder *builder)
{
	return builder->sites->len;
}

static void append(GByteArray *bytes, GBytes *more)
{
	gsize length;
	const guint8 *data = g_bytes_get_data(more, &length);

	g_byte_array_append(bytes, data, (guint)length);
}

GByteArray *dataflow_builder_bytes(const DataflowBuilder *builder)
{
	GByteArray *bytes = g_byte_array_new();

	if (builder->gaps->len == 0 && builder->sites->len == 0)
		return bytes;
	put_varint(bytes, builder->n_values);
	put_varint(bytes, builder->n_lines);
	put_varint(bytes, builder->gaps->len);
	for (guint g = 0; g < builder->gaps->len; g++)
		append(bytes, builder->gaps->pdata[g]);
	put_varint(bytes, builder->sites->len);
	for (guint s = 0; s < builder->sites->len; s++) {
		if (builder->sites->pdata[s])
			append(bytes, builder->sites->pdata[s]);
		else
			g_byte_array_append(bytes, (const guint8 *)"\0", 2);
	}
	return bytes;
}
