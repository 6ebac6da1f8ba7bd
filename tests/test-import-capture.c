/* SPDX-License-Identifier: MIT */
/*
 * One execution, told twice: real raw captures (tests/capture) are written as Accel-Sim's tracer would have
 * written them, which names general registers alone, and imported. The import must tell what the capture's
 * own conversion tells: the same records, between them the same operations, and of each the same general
 * registers.
 */
#include <glib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "gpu/convert/convert.h"
#include "gpu/convert/walk.h"
#include "gpu/sass/flow.h"
#include "config/config.h"
#include "replay/replay.h"
#include "trace/importer.h"
#include "trace/reader.h"

#define SHARED_WINDOW UINT64_C(0x7f2600000000)

/* --- As the tracer writes it --- */

/* The events and the way of one warp. */
typedef struct {
	uint64_t block;
	uint32_t number, entered;
	GPtrArray *events;
	GArray *steps; /* WalkStep */
} WarpWay;

static void warp_way_free(gpointer data)
{
	WarpWay *way = data;

	g_ptr_array_unref(way->events);
	g_array_unref(way->steps);
	g_free(way);
}

/* Text of an operand without its sign. */
static const char *bare(const char *text)
{
	return text + strspn(text, "-~|! ");
}

/* The number of the general register that a text begins with; 255 for RZ, -1 if it is none. */
static int register_of(const char *text)
{
	if (text[0] != 'R' || (text[1] != 'Z' && !g_ascii_isdigit(text[1])))
		return -1;
	return text[1] == 'Z' ? 255 : (int)g_ascii_strtoull(text + 1, NULL, 10);
}

/* The one that an address begins with. */
static int address_register(const char *operand)
{
	const char *at = strrchr(operand, '[');

	for (; *at; at++)
		if (*at == 'R' && at[-1] != 'U')
			return register_of(at);
	return -1;
}

/* "1 R0 ATOMS.ADD 2 R2 R4", and whether an operand is an address. *immediate: the last constant. */
static bool append_instruction(GString *line, const SassInstruction *instruction,
			       guint64 *immediate)
{
	g_auto(GStrv) operands = g_strsplit(instruction->operands, ", ", -1);
	g_autoptr(GString) sources = g_string_new(NULL);
	int destination = -1, n_sources = 0;
	bool has_address = false;

	for (int i = 0; operands[i]; i++) {
		const char *operand = bare(operands[i]);
		bool is_address = operand[0] == '[' || g_str_has_prefix(operand, "desc[");
		int number = is_address ? address_register(operand) : register_of(operand);

		has_address |= is_address;
		if (g_str_has_prefix(operand, "0x"))
			*immediate = g_ascii_strtoull(operand, NULL, 16);
		if (number >= 0 && i == 0 && !is_address)
			destination = number;
		else if (number >= 0 && ++n_sources)
			g_string_append_printf(sources, " R%d", number);
	}
	if (destination >= 0)
		g_string_append_printf(line, "1 R%d", destination);
	else
		g_string_append_c(line, '0');
	g_string_append_printf(line, " %s %d%s", instruction->opcode, n_sources, sources->str);
	return has_address;
}

static void append_step(GString *text, const SassFunction *function, const WalkStep *step)
{
	const SassInstruction *instruction = sass_instruction(function, step->index);
	const RawEvent *event = step->event;
	bool is_generic = instruction->opcode[0] == 'L' && instruction->opcode[1] == 'D' &&
			  instruction->opcode[2] == '.';
	uint32_t mask = event ? event->mask : instruction->recorded ? 0 : step->mask;
	guint64 immediate = 0;
	bool has_address;

	if (instruction->flow == SASS_BRANCH && !step->taken)
		mask = 0; /* a mask has those that pass the guard */
	is_generic |= g_str_has_prefix(instruction->opcode, "ST.") ||
		      g_str_has_prefix(instruction->opcode, "ATOM.");
	g_string_append_printf(text, "%04x %08x ", instruction->offset, mask);
	has_address = append_instruction(text, instruction, &immediate);
	if (!has_address || !event || RAW_ADDRESS_BYTES(event->kind) == 0) {
		g_string_append_printf(text, " 0 %d \n", (int)immediate);
		return;
	}
	g_string_append_printf(text, " %u 0", event->bytes);
	for (guint i = 0; i < (guint)__builtin_popcount(event->mask); i++)
		g_string_append_printf(
			text, " 0x%016" G_GINT64_MODIFIER "x",
			raw_address(event, event + 1, i) +
				(is_generic && event->kind == RAW_SHARED ? SHARED_WINDOW : 0));
	g_string_append_printf(text, " %d \n", (int)immediate);
}

/* All warps of a launch, by block. */
static GPtrArray *walk_launch(const RawRecording *recording, SassFunction *function,
			      uint32_t *shared_bytes)
{
	GPtrArray *ways = g_ptr_array_new_with_free_func(warp_way_free);
	RawCursor cursor = {.recording = recording};
	const RawLaunch *launch = recording->launch;
	ComputeLaunch shape = {0};
	g_autoptr(ComputeCode) code = NULL;
	g_autoptr(WalkMap) map = walk_map_new(function, recording->file->version >= 2);
	g_autofree bool *open = NULL;
	const RawEvent *event;
	const void *addresses;

	memcpy(shape.grid, launch->grid, sizeof(shape.grid));
	memcpy(shape.block, launch->block, sizeof(shape.block));
	memcpy(shape.cluster, launch->cluster, sizeof(shape.cluster));
	if (recording->parameters) {
		shape.parameters = (const unsigned char *)(recording->parameters + 1);
		shape.parameters_offset = recording->parameters->offset;
		shape.parameters_bytes = recording->parameters->bytes;
	}
	open = walk_open_branches(map);
	code = compute_code_new(function, &shape, open);
	while (raw_next_event(&cursor, &event, &addresses, NULL)) {
		WarpWay *way = NULL;

		for (guint i = 0; i < ways->len && !way; i++) {
			WarpWay *other = g_ptr_array_index(ways, i);

			if (other->block == event->block_id && other->number == event->warp)
				way = other;
		}
		if (!way) {
			way = g_new0(WarpWay, 1);
			way->block = event->block_id;
			way->number = event->warp;
			way->events = g_ptr_array_new();
			way->steps = g_array_new(FALSE, FALSE, sizeof(WalkStep));
			g_ptr_array_add(ways, way);
		}
		if (event->kind == RAW_ENTER) {
			way->entered |= event->mask;
			*shared_bytes = event->detail;
		} else {
			g_ptr_array_add(way->events, (gpointer)event);
		}
	}
	for (guint i = 0; i < ways->len; i++) {
		WarpWay *way = g_ptr_array_index(ways, i);
		g_autoptr(ComputeWarp) values = compute_warp_new(code, way->block, way->number);
		WalkCounts counts = {0};

		walk_warp(map, way->events, way->entered, launch->function_pc, values,
			  way->steps, &counts);
	}
	return ways;
}

static GString *tracer_text(const RawRecording *recording, const SassFunction *function,
			    const GPtrArray *ways, uint32_t shared_bytes)
{
	const uint32_t *grid = recording->launch->grid, *block = recording->launch->block;
	GString *text = g_string_new("-kernel name = k\n");

	g_string_append_printf(text,
			       "-grid dim = (%u,%u,%u)\n-block dim = (%u,%u,%u)\n-shmem = %u\n"
			       "-binary version = 90\n-shmem base_addr = 0x%" G_GINT64_MODIFIER
			       "x\n-accelsim tracer version = 5\n",
			       grid[0], grid[1], grid[2], block[0], block[1], block[2],
			       shared_bytes, SHARED_WINDOW);
	for (uint64_t b = 0; b < (uint64_t)grid[0] * grid[1] * grid[2]; b++) {
		g_string_append_printf(
			text, "#BEGIN_TB\nthread block = %u,%u,%u\n", (unsigned)(b % grid[0]),
			(unsigned)(b / grid[0] % grid[1]), (unsigned)(b / grid[0] / grid[1]));
		for (guint i = 0; i < ways->len; i++) {
			const WarpWay *way = g_ptr_array_index(ways, i);

			if (way->block != b)
				continue;
			g_string_append_printf(text, "warp = %u\ninsts = %u\n", way->number,
					       way->steps->len);
			for (guint s = 0; s < way->steps->len; s++)
				append_step(text, function,
					    &g_array_index(way->steps, WalkStep, s));
		}
		g_string_append(text, "#END_TB\n");
	}
	return text;
}

/* --- Both traces, instruction by instruction --- */

typedef struct {
	Record record;			/* of an operation: kind code */
	const CodeOperation *operation; /* NULL: a record of its own */
	const SiteFlow *site;		/* of a record that has one */
} Item;

static GArray *items_of(TraceReader *reader, uint64_t block, uint32_t warp)
{
	RecordSource *source = trace_source(reader);
	const Dataflow *dataflow = source->kernel.dataflow;
	WarpStream *stream = source->open_warp(source, block, warp);
	GArray *items = g_array_new(FALSE, FALSE, sizeof(Item));
	Item item = {0};

	while (stream->next(stream, &item.record) == STREAM_RECORD) {
		const Record *record = &item.record;

		item.operation = NULL;
		item.site = record->site > 0 && record->site <= dataflow->n_sites
				    ? &dataflow->sites[record->site - 1]
				    : NULL;
		if (record->kind != RECORD_CODE) {
			g_array_append_val(items, item);
			continue;
		}
		for (uint32_t i = 0; i < dataflow->gaps[record->gap].n_operations; i++) {
			item.operation = &dataflow->gaps[record->gap].operations[i];
			g_array_append_val(items, item);
		}
	}
	stream->close(stream);
	g_assert_null(trace_failure(reader));
	return items;
}

/* Which value of a trace a general register is; they are numbered as they are met. */
typedef struct {
	int value_of[255]; /* + 1; 0: not met */
	int register_of[255];
} Names;

/* Whether the values are these registers, in this order. */
static bool same_registers(Names *names, const uint8_t *values, unsigned n,
			   const SassValues *wanted)
{
	unsigned k = 0;

	for (unsigned i = 0; i < wanted->n; i++) {
		int reg = wanted->values[i];

		if (reg >= SASS_UNIFORM)
			continue;
		if (k == n)
			return false;
		if (!names->value_of[reg] && !names->register_of[values[k]]) {
			names->value_of[reg] = values[k] + 1;
			names->register_of[values[k]] = reg + 1;
		}
		if (names->value_of[reg] != values[k] + 1 ||
		    names->register_of[values[k]] != reg + 1)
			return false;
		k++;
	}
	return k == n;
}

static void append_values(SassValues *list, const SassValues *more)
{
	for (uint8_t i = 0; i < more->n; i++)
		list->values[list->n++] = more->values[i];
}

static bool has_value(const SassValues *list, uint16_t value)
{
	for (uint8_t i = 0; i < list->n; i++)
		if (list->values[i] == value)
			return true;
	return false;
}

/* The data of an access that its address is not made of, too. */
static void drop_addresses(SassFlowUse *use)
{
	SassValues data = use->data;

	use->data.n = 0;
	for (uint8_t i = 0; i < data.n; i++)
		if (!has_value(&use->address, data.values[i]))
			use->data.values[use->data.n++] = data.values[i];
}

/* What the instruction uses, without what its guard adds. */
static void plain_use(const SassInstruction *instruction, SassFlowUse *use)
{
	SassInstruction plain = *instruction;

	plain.guard = -1;
	sass_use(&plain, use);
}

typedef struct {
	guint operations, in_part, records; /* compared */
	double ratio[2];		    /* of cycles, the least and the greatest */
	double sum;			    /* of their logarithms, */
	guint n;			    /* of so many launches */
} Compared;

/* Of a product of 64 bits the tracer's list does not tell which operand its registers are, and it names
   none that a constant's place is made of. */
static bool is_told_in_part(const SassInstruction *instruction)
{
	return strstr(instruction->opcode, ".WIDE") || strstr(instruction->operands, "][R");
}

static void compare_operation(const Item *own, const Item *imported,
			      const SassInstruction *instruction, Names *names,
			      Compared *compared)
{
	const CodeOperation *operation = imported->operation;
	SassFlowUse use;

	/* The tracer's list does not name special registers, of which some come as constants do. */
	if (strcmp(instruction->opcode, "S2R") == 0 && own->operation->class == CODE_CONSTANT)
		g_assert_cmpint(operation->class, ==, CODE_SYSTEM);
	else
		g_assert_cmpint(operation->class, ==, own->operation->class);
	if (own->operation->n_writes + own->operation->n_reads == 0) {
		/* An access that no lane does: its registers are not waited for. */
		if (instruction->recorded)
			g_assert_cmpint(operation->n_writes + operation->n_reads, ==, 0);
		return;
	}
	plain_use(instruction, &use);
	g_assert_true(
		same_registers(names, operation->writes, operation->n_writes, &use.writes));
	if (is_told_in_part(instruction)) {
		compared->in_part++;
		return;
	}
	/* Of thread-local memory. */
	append_values(&use.reads, &use.address);
	append_values(&use.reads, &use.data);
	g_assert_true(same_registers(names, operation->reads, operation->n_reads, &use.reads));
	compared->operations++;
}

static void compare_record(const Item *own, const Item *imported,
			   const SassInstruction *instruction, Names *names, Compared *compared)
{
	const Record *a = &own->record, *b = &imported->record;
	SassFlowUse use;

	/* The tracer tells one constant of a barrier's two. */
	if (a->kind == RECORD_BAR && strchr(instruction->operands, ',')) {
		g_assert_cmpint(b->kind, ==, RECORD_UNKNOWN);
		return;
	}
	g_assert_cmpint(a->kind, ==, b->kind);
	if (a->kind == RECORD_BAR)
		g_assert_cmpint(a->barrier, ==, b->barrier);
	if (a->n_lanes > 0) {
		g_assert_cmphex(a->mask, ==, b->mask);
		if (a->kind == RECORD_LDS || a->kind == RECORD_STS || a->kind == RECORD_ATOM)
			g_assert_cmpmem(a->address, a->n_lanes * sizeof(a->address[0]),
					b->address, b->n_lanes * sizeof(b->address[0]));
	}
	if (record_in_buffer(a) && record_in_buffer(b)) {
		g_assert_cmpint(a->width, ==, b->width);
		g_assert_cmpint(a->count, ==, b->count);
		for (unsigned i = 1; i < a->n_lanes; i++)
			g_assert_cmpint(a->address[i] - a->address[0], ==,
					b->address[i] - b->address[0]);
	}
	if (a->kind == RECORD_ATOM || (a->kind == RECORD_ATOMG && record_in_buffer(a))) {
		g_assert_cmpint(a->operation, ==, b->operation);
		g_assert_cmpint(a->type, ==, b->type);
		g_assert_cmpint(a->result, ==, b->result);
	}
	if (a->kind == RECORD_FENCE)
		g_assert_cmpint(a->scope, ==, b->scope);
	if (a->kind == RECORD_EXIT)
		return;
	g_assert_nonnull(imported->site);
	plain_use(instruction, &use);
	drop_addresses(&use);
	/* The text of a swap in global memory names one register of two. */
	if (!strstr(instruction->opcode, ".E.CAS"))
		g_assert_true(same_registers(names, imported->site->address,
					     imported->site->n_address, &use.address));
	g_assert_true(
		same_registers(names, imported->site->data, imported->site->n_data, &use.data));
	g_assert_true(same_registers(names, imported->site->writes, imported->site->n_writes,
				     &use.writes));
	compared->records++;
}

static void compare_warp(TraceReader *own, TraceReader *imported, const WarpWay *way,
			 const SassFunction *function, Names *names, Compared *compared)
{
	g_autoptr(GArray) a = items_of(own, way->block, way->number);
	g_autoptr(GArray) b = items_of(imported, way->block, way->number);

	g_assert_cmpuint(a->len, ==, way->steps->len);
	g_assert_cmpuint(b->len, ==, a->len);
	for (guint i = 0; i < a->len; i++) {
		const Item *x = &g_array_index(a, Item, i), *y = &g_array_index(b, Item, i);
		int index = g_array_index(way->steps, WalkStep, i).index;
		const SassInstruction *instruction = sass_instruction(function, index);

		if (!x->operation != !y->operation || g_test_verbose())
			g_test_message("warp %u step %u: %s %s", way->number, i,
				       instruction->opcode, instruction->operands);
		g_assert_true(!x->operation == !y->operation);
		if (x->operation)
			compare_operation(x, y, instruction, names, compared);
		else
			compare_record(x, y, instruction, names, compared);
	}
}

/* --- A folder of captures --- */

static TraceReader *import_text(const char *folder, const GString *text)
{
	g_autofree char *input = g_build_filename(folder, "k.traceg", NULL);
	g_autofree char *output = g_build_filename(folder, "k.bin", NULL);
	g_autofree char *bytes = NULL;
	g_autoptr(GPtrArray) traces = NULL;
	g_autoptr(GBytes) kept = NULL;
	g_autoptr(GError) error = NULL;
	TraceReader *reader;
	gsize length;

	g_assert_true(g_file_set_contents(input, text->str, (gssize)text->len, NULL));
	traces = import_traces(input, output, NULL, NULL, &error);
	g_assert_no_error(error);
	g_assert_true(g_file_get_contents(output, &bytes, &length, NULL));
	kept = g_bytes_new(bytes, length);
	reader = trace_open_bytes("imported", kept, &error);
	g_assert_no_error(error);
	g_unlink(input);
	g_unlink(output);
	return reader;
}

/* The capture's own conversion, retry loops as they were seen. */
static TraceReader *convert(const RawRecording *recording, SassFunction *function)
{
	g_autoptr(TraceWriter) writer = trace_writer_new_memory();
	g_auto(ConvertLists) lists = {0};
	g_autoptr(GHashTable) facts = g_hash_table_new(g_str_hash, g_str_equal);
	g_autofree char *metadata = NULL;
	g_autoptr(GBytes) bytes = NULL;
	g_autoptr(GError) error = NULL;
	ConvertCounts counts = {0};
	TraceReader *reader;

	convert_lists_init(&lists);
	g_assert_true(
		convert_launch(recording, function, 90, TRUE, writer, &lists, &counts, &error));
	metadata = convert_metadata(recording, facts, &lists, 0, TRUE, &counts);
	bytes = trace_writer_finish_bytes(g_steal_pointer(&writer), metadata);
	reader = trace_open_bytes("captured", bytes, &error);
	g_assert_no_error(error);
	return reader;
}

static double cycles_of(const Config *config, TraceReader *reader)
{
	const Replay replay = {
		.machine = config_machine(config), .reader = reader, .n_threads = 1};
	g_auto(ReplayResult) result = {0};
	g_autoptr(GError) error = NULL;

	g_assert_true(replay_run(&replay, &result, &error));
	return (double)result.run.statistics.cycles;
}

/* What predicates, constants and uniform registers, which the tracer does not name, are worth. */
static void compare_cycles(TraceReader *own, TraceReader *imported, Compared *compared)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = config_load("h200.json", NULL, &error);
	double ratio;

	g_assert_no_error(error);
	ratio = cycles_of(config, imported) / cycles_of(config, own);
	compared->ratio[0] = compared->n ? MIN(compared->ratio[0], ratio) : ratio;
	compared->ratio[1] = MAX(compared->ratio[1], ratio);
	compared->sum += log(ratio);
	compared->n++;
}

static void compare_launch(const RawRecording *recording, SassFunction *function, void *data)
{
	Compared *compared = data;
	uint32_t shared_bytes = 0;
	g_autoptr(GPtrArray) ways = walk_launch(recording, function, &shared_bytes);
	g_autofree char *temporary = g_dir_make_tmp("atomsim-test-XXXXXX", NULL);
	GString *text = tracer_text(recording, function, ways, shared_bytes);
	g_autoptr(TraceReader) own = convert(recording, function);
	g_autoptr(TraceReader) imported = import_text(temporary, text);
	Names names = {{0}, {0}};

	for (guint i = 0; i < ways->len; i++)
		compare_warp(own, imported, g_ptr_array_index(ways, i), function, &names,
			     compared);
	compare_cycles(own, imported, compared);
	g_string_free(text, TRUE);
	g_rmdir(temporary);
}

static void check_parameters(const RawRecording *recording, SassFunction *function, void *data)
{
	g_autoptr(TraceReader) own = convert(recording, function);
	const KernelInfo *kernel = &trace_source(own)->kernel;
	const KernelParameters *parameters = &kernel->parameters;
	uint32_t n_read = 0;

	g_assert_nonnull(recording->parameters);
	g_assert_cmpuint(parameters->offset, ==, recording->parameters->offset);
	g_assert_cmpuint(parameters->bytes, ==, recording->parameters->bytes);
	for (uint32_t i = 0; i < parameters->n_lines; i++) {
		n_read += parameters->lines[i] > 0;
		g_assert_cmpuint(parameters->lines[i], <=, kernel->dataflow->n_lines);
	}
	g_assert_cmpuint(n_read, >, 0);
	++*(guint *)data;
}

typedef void (*LaunchCheck)(const RawRecording *recording, SassFunction *function, void *data);

static void each_launch(const char *name, const char *process, LaunchCheck check, void *data)
{
	const char *source = g_getenv("SOURCE");
	g_autofree char *folder =
		g_build_filename(source ? source : ".", "tests/capture", name, NULL);
	g_autofree char *raw = g_strdup_printf("%s/events-%s.raw", folder, process);
	g_autofree char *module = g_strdup_printf("%s/module-%s-0.sass", folder, process);
	g_autofree char *code = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(RawFile) file = raw_file_open(raw, &error);
	g_autoptr(Sass) sass = NULL;

	g_assert_no_error(error);
	g_assert_true(g_file_get_contents(module, &code, NULL, NULL));
	sass = sass_parse(code);
	for (guint k = 0; k < file->launches->len; k++) {
		const RawRecording *recording = g_ptr_array_index(file->launches, k);

		g_test_message("%s", recording->name);
		check(recording, sass_function(sass, recording->name), data);
	}
}

static void an_import_tells_what_a_capture_of_the_same_execution_does(void)
{
	Compared compared = {0};

	each_launch("ways", "0", compare_launch, &compared);
	each_launch("sync", "0", compare_launch, &compared);
	each_launch("forms", "594", compare_launch, &compared);
	each_launch("locks", "0", compare_launch, &compared);
	g_test_message("%u operations, %u more in part, %u records", compared.operations,
		       compared.in_part, compared.records);
	g_test_message("of %u launches on an H200 %.2f to %.2f of the cycles, %.2f in the mean",
		       compared.n, compared.ratio[0], compared.ratio[1],
		       exp(compared.sum / compared.n));
	g_assert_cmpfloat(exp(compared.sum / compared.n), >, 0.7);
	g_assert_cmpfloat(exp(compared.sum / compared.n), <, 1.05);
	g_assert_cmpuint(compared.operations, >, 10000);
	g_assert_cmpuint(compared.records, >, 2000);
	g_assert_cmpuint(compared.in_part, <, compared.operations / 20);
}

static void a_trace_says_where_the_parameters_are(void)
{
	guint n = 0;

	each_launch("pointers", "543", check_parameters, &n);
	g_assert_cmpuint(n, >=, 4);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/import/an import tells what a capture of the same execution does",
			an_import_tells_what_a_capture_of_the_same_execution_does);
	g_test_add_func("/import/a trace says where the parameters are",
			a_trace_says_where_the_parameters_are);
	return g_test_run();
}
