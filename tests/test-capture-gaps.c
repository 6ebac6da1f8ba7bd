/* SPDX-License-Identifier: MIT */
/* What lies between records, and what sites say: as the instructions read and write, in programs made at random. */
#include <glib.h>
#include <string.h>

#include "capture-tools.h"
#include "gpu/sass/flow.h"

#define N_PROGRAMS 120
#define MAX_GAP	   256
#define LINE_BYTES 64

/* What a program is made of; letters in braces become registers: r of 8, w of those with an even number, u and p. */
static const char *const plain[] = {
	"IADD3 R{r}, R{r}, R{r}, RZ",
	"IMAD.WIDE R{w}, R{r}, 0x4, R{w}",
	"@P{p} FADD R{r}, R{r}, R{r}",
	"@!P{p} DFMA R{w}, R{w}, R{w}, R{w}",
	"ISETP.GE.AND P{p}, PT, R{r}, R{r}, PT",
	"LDC R{r}, c[0x0][0x{c}]",
	"LDC R{r}, c[0x3][0x{c}]",
	"ULDC.64 UR{w}, c[0x0][0x{c}]",
	"IMAD R{r}, R{r}, c[0x0][0x{c}], R{r}",
	"MUFU.RCP R{r}, R{r}",
	"VOTE.ANY R{r}, PT, P{p}",
	"P2R R{r}, PR, RZ, 0x7f",
	"S2R R{r}, SR_TID.X",
	"MOV R{r}, UR{w}",
	"HMMA.16816.F32 R{w}, R{w}, R{w}, R{w}",
	"NOP",
};

static const struct {
	const char *text;
	RawEventKind kind;
	uint32_t flags;
	uint8_t bytes;
} accesses[] = {
	{"LDS R{r}, [R{r}]", RAW_SHARED, RAW_READ, 4},
	{"LDS.128 R{w}, [R{r}+UR{w}]", RAW_SHARED, RAW_READ, 16},
	{"@P{p} LDS.64 R{w}, [R{r}]", RAW_SHARED, RAW_READ, 8},
	{"@!P{p} STS [R{r}+0x10], R{r}", RAW_SHARED, RAW_WRITE, 4},
	{"STS.64 [R{r}], R{w}", RAW_SHARED, RAW_WRITE, 8},
	{"ATOMS.ADD R{r}, [R{r}], R{r}", RAW_SHARED, RAW_READ | RAW_WRITE, 4},
	{"@P{p} ATOMS.ADD R{r}, [R{r}], R{r}", RAW_SHARED, RAW_READ | RAW_WRITE, 4},
	{"ATOMS.CAS.64 R{w}, [R{r}], R{w}, R{w}", RAW_SHARED, RAW_READ | RAW_WRITE, 8},
	{"@P{p} LDG.E R{r}, desc[UR{w}][R{w}.64]", RAW_GLOBAL, RAW_READ, 4},
	{"STG.E.128 [R{w}.64], R{w}", RAW_GLOBAL, RAW_WRITE, 16},
};

typedef struct {
	GRand *rand;
	GString *code;
	GByteArray *events;
	guint n, n_events;
	GArray *has_event; /* bool, by instruction */
} Program;

static void put(Program *program, const char *text)
{
	g_string_append_printf(program->code, "/*%04x*/ ", 16 * program->n++);
	for (; *text; text++) {
		if (*text != '{') {
			g_string_append_c(program->code, *text);
			continue;
		}
		if (text[1] == 'r')
			g_string_append_printf(program->code, "%d",
					       g_rand_int_range(program->rand, 0, 8));
		else if (text[1] == 'w')
			g_string_append_printf(program->code, "%d",
					       4 * g_rand_int_range(program->rand, 0, 3));
		else if (text[1] == 'c')
			g_string_append_printf(program->code, "%x",
					       4 * g_rand_int_range(program->rand, 0, 100));
		else
			g_string_append_printf(program->code, "%d",
					       g_rand_int_range(program->rand, 0, 4));
		text += 2;
	}
	g_string_append(program->code, " ;\n");
}

/* Some accesses with a guard make no event. */
static void put_access(Program *program)
{
	const gint32 i = g_rand_int_range(program->rand, 0, G_N_ELEMENTS(accesses));
	const bool event =
		program->n == 0 || accesses[i].text[0] != '@' || g_rand_boolean(program->rand);
	const RawEvent raw = {.pc = CAPTURE_BASE + 16 * (uint64_t)program->n,
			      .mask = UINT32_MAX,
			      .kind = (uint8_t)accesses[i].kind,
			      .bytes = accesses[i].bytes,
			      .flags = accesses[i].flags};
	uint64_t addresses[TRACE_MAX_LANES];

	for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
		addresses[lane] = 0x400 + 16 * (lane % 8);
	put(program, accesses[i].text);
	g_array_append_val(program->has_event, event);
	if (!event)
		return;
	capture_put_event(program->events, &raw, addresses);
	program->n_events++;
}

/* Stretches of instructions, a few longer than a gap can be. */
static Program make_program(GRand *rand)
{
	Program program = {.rand = rand,
			   .code = g_string_new(".target sm_90\n.text.k:\n"),
			   .events = capture_start(),
			   .has_event = g_array_new(FALSE, FALSE, sizeof(bool))};
	const bool no = false, yes = true;
	const gint32 longest = g_rand_int_range(rand, 0, 6) ? 12 : 3 * MAX_GAP;

	for (guint i = 0; i < 12; i++) {
		for (gint32 n = g_rand_int_range(rand, 0, longest); n > 0; n--) {
			put(&program, plain[g_rand_int_range(rand, 0, G_N_ELEMENTS(plain))]);
			g_array_append_val(program.has_event, no);
		}
		put_access(&program);
	}
	put(&program, "EXIT");
	g_array_append_val(program.has_event, yes);
	capture_add_event(program.events, 16 * (program.n - 1), RAW_EXIT, UINT32_MAX, 0, 0, 0,
			  0);
	program.n_events += 2;
	return program;
}

/* ---- Against the instructions */

/* Numbers of a trace stand for values or lines of the code, each for one. */
typedef struct {
	GHashTable *of_number, *of_value;
} Names;

static void check_name(Names *names, guint number, guint value)
{
	gpointer other_value =
		g_hash_table_lookup(names->of_number, GUINT_TO_POINTER(number + 1));
	gpointer other = g_hash_table_lookup(names->of_value, GUINT_TO_POINTER(value + 1));

	if (!other_value)
		g_hash_table_insert(names->of_number, GUINT_TO_POINTER(number + 1),
				    GUINT_TO_POINTER(value + 1));
	else
		g_assert_cmpuint(GPOINTER_TO_UINT(other_value), ==, value + 1);
	if (!other)
		g_hash_table_insert(names->of_value, GUINT_TO_POINTER(value + 1),
				    GUINT_TO_POINTER(number + 1));
	else
		g_assert_cmpuint(GPOINTER_TO_UINT(other), ==, number + 1);
}

static void check_guard(Names *values, guint number, int guard)
{
	if (guard < 0)
		g_assert_cmpuint(number, ==, DATAFLOW_NO_VALUE);
	else
		check_name(values, number, (guint)guard);
}

/* Numbers are those of the lists, one behind the other. */
static void check_values(Names *values, const uint8_t *numbers, guint n, const SassValues *one,
			 const SassValues *two, const SassValues *three)
{
	const SassValues *const lists[] = {one, two, three};
	guint at = 0;

	for (guint list = 0; list < G_N_ELEMENTS(lists); list++)
		for (guint i = 0; lists[list] && i < lists[list]->n && at < DATAFLOW_MAX_READS;
		     i++) {
			g_assert_cmpuint(at, <, n);
			check_name(values, numbers[at++], lists[list]->values[i]);
		}
	g_assert_cmpuint(at, ==, n);
}

static void check_operation(Names *values, Names *lines, const CodeOperation *operation,
			    const SassInstruction *instruction)
{
	SassFlowUse use;

	sass_use(instruction, &use);
	g_assert_cmpint(operation->class, ==, use.class);
	check_guard(values, operation->guard, use.guard);
	if (instruction->recorded) { /* and without an event: nobody took part */
		g_assert_cmpuint(operation->n_reads + operation->n_writes + operation->line, ==,
				 0);
		return;
	}
	check_values(values, operation->writes, operation->n_writes, &use.writes, NULL, NULL);
	check_values(values, operation->reads, operation->n_reads, &use.reads, &use.address,
		     &use.data);
	if (use.constant_bank >= 0)
		check_name(lines, operation->line - 1u,
			   (guint)use.constant_bank << 16 | use.constant_offset / LINE_BYTES);
	else
		g_assert_cmpuint(operation->line, ==, 0);
}

static bool has(const SassValues *list, uint16_t value)
{
	for (guint i = 0; i < list->n; i++)
		if (list->values[i] == value)
			return true;
	return false;
}

/* What it stores is there before, and so is what it may leave as it was; no address is both. */
static void check_site(Names *values, const SiteFlow *site, const SassInstruction *instruction)
{
	SassValues data = {0};
	SassFlowUse use;

	sass_use(instruction, &use);
	for (guint i = 0; i < use.data.n + use.reads.n; i++) {
		uint16_t value =
			i < use.data.n ? use.data.values[i] : use.reads.values[i - use.data.n];

		if (!has(&use.address, value) && !has(&data, value))
			data.values[data.n++] = value;
	}
	check_guard(values, site->guard, use.guard);
	check_values(values, site->address, site->n_address, &use.address, NULL, NULL);
	check_values(values, site->data, site->n_data, &data, NULL, NULL);
	check_values(values, site->writes, site->n_writes, &use.writes, NULL, NULL);
}

static Names names_new(void)
{
	return (Names){g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL)};
}

static void names_clear(Names *names)
{
	g_hash_table_unref(names->of_number);
	g_hash_table_unref(names->of_value);
}

static void check_trace(const Program *program, TraceReader *reader)
{
	g_autoptr(Sass) sass = sass_parse(program->code->str);
	const SassFunction *function = g_ptr_array_index(sass->functions, 0);
	RecordSource *source = trace_source(reader);
	const Dataflow *flow = source->kernel.dataflow;
	WarpStream *stream = source->open_warp(source, 0, 0);
	Names values = names_new(), lines = names_new();
	Record record;
	int at = 0;
	guint n_sites = 0;

	while (stream->next(stream, &record) == STREAM_RECORD) {
		const Gap *gap = record.kind == RECORD_CODE ? &flow->gaps[record.gap] : NULL;

		for (guint i = 0; gap && i < gap->n_operations; i++, at++) {
			g_assert_false(g_array_index(program->has_event, bool, at));
			check_operation(&values, &lines, &gap->operations[i],
					sass_instruction(function, at));
		}
		if (gap) {
			g_assert_cmpuint(gap->n_operations, <=, MAX_GAP);
			/* It ends with what is full, or with a record. */
			g_assert_true(gap->n_operations == MAX_GAP ||
				      g_array_index(program->has_event, bool, at));
			continue;
		}
		g_assert_true(g_array_index(program->has_event, bool, at));
		if (record.kind != RECORD_EXIT) {
			g_assert_cmpuint(record.site, ==, ++n_sites);
			check_site(&values, &flow->sites[record.site - 1],
				   sass_instruction(function, at));
		}
		at++;
	}
	g_assert_cmpint(at, ==, (int)program->n);
	g_assert_cmpuint(flow->n_values, ==, g_hash_table_size(values.of_number));
	g_assert_cmpuint(flow->n_lines, ==, g_hash_table_size(lines.of_number));
	stream->close(stream);
	names_clear(&values);
	names_clear(&lines);
}

static void gaps_and_sites_are_what_instructions_read_and_write(void)
{
	static const RawMemory memory = {0x400, 0x1000};

	for (guint32 seed = 0; seed < N_PROGRAMS; seed++) {
		g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
		g_autoptr(GError) error = NULL;
		Program program = make_program(rand);
		g_autoptr(GBytes) raw =
			capture_raw_memory(program.events, program.n_events, 0, &memory, 1);
		ConvertCounts counts;
		g_autoptr(TraceReader) reader =
			capture_convert(raw, program.code->str, &counts, &error);

		g_assert_no_error(error);
		g_assert_cmpuint(counts.n_instructions, ==, program.n);
		check_trace(&program, reader);
		g_string_free(program.code, TRUE);
		g_array_unref(program.has_event);
	}
}

/* ---- Cases */

/* A warp's records that run through the code once; its last line is EXIT. */
static TraceReader *convert_code(const char *text)
{
	g_autoptr(GString) code = g_string_new(".target sm_90\n.text.k:\n");
	g_auto(GStrv) lines = g_strsplit(text, "; ", -1);
	GByteArray *events = capture_start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;
	guint at = 0;
	TraceReader *reader;

	for (guint i = 0; lines[i]; i++)
		if (lines[i][0] == '.')
			g_string_append_printf(code, "%s\n", lines[i]);
		else
			g_string_append_printf(code, "/*%04x*/ %s ;\n", 16 * at++, lines[i]);
	capture_add_event(events, 16 * (at - 1), RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw(events, 2, 0);

	reader = capture_convert(raw, code->str, &counts, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(counts.guessed_branches + counts.unresolved_paths, ==, 0);
	return reader;
}

/* Lookups of constants at many addresses are told to a few numbers, searches to each. */
static void different_values_of_lanes_are_told(void)
{
	static const guint about[] = {0,  0,  2,  3,  4,  5,  5,  8,  8,  8,  11,
				      11, 11, 11, 16, 16, 16, 16, 16, 16, 23, 23,
				      23, 23, 23, 23, 23, 30, 30, 30, 30, 30, 30};

	for (guint n = 1; n <= TRACE_MAX_LANES; n++) {
		g_autofree char *code =
			g_strdup_printf("S2R R0, SR_LANEID; IMNMX.U32 R2, R0, 0x%x, PT; "
					"LDC R3, c[0x3][R2+0x10]; MATCH.ANY R4, R2; EXIT",
					n - 1);
		g_autoptr(TraceReader) reader = convert_code(code);
		const Gap *gap = &trace_source(reader)->kernel.dataflow->gaps[0];

		g_assert_cmpuint(gap->n_operations, ==, 4);
		g_assert_cmpint(gap->operations[2].class, ==,
				n > 1 ? CODE_LOOKUP : CODE_CONSTANT);
		/* One address is a line, more are a number. */
		g_assert_cmpuint(gap->operations[2].line, ==, n > 1 ? about[n] : 1);
		g_assert_cmpint(gap->operations[3].class, ==, CODE_MATCH);
		g_assert_cmpuint(gap->operations[3].line, ==, n);
	}
}

/* A load of constants at an address in a register names its line where all lanes have one address that is known; each line its own gap. */
static void constants_at_an_address_name_their_line(void)
{
	g_autoptr(TraceReader) reader = convert_code(
		"MOV R1, RZ; .L_1:; LDC R2, c[0x3][R1+0x10]; IADD3 R1, R1, 0x20, RZ; "
		"ISETP.LT.AND P0, PT, R1, 0x80, PT; @P0 BRA `(.L_1); LDC R3, c[0x3][R4]; EXIT");
	const KernelInfo *kernel = &trace_source(reader)->kernel;
	const Dataflow *flow = kernel->dataflow;
	static const uint32_t lines[] = {1, 1, 2, 2};

	/* Bytes 16, 48, 80 and 112 of the bank. */
	g_assert_cmpuint(flow->n_lines, ==, 2);
	g_assert_cmpuint(kernel->n_constants, ==, 2);
	for (guint i = 0; i < 2; i++) {
		g_assert_cmpuint(kernel->constants[i].bank, ==, 3);
		g_assert_cmpuint(kernel->constants[i].offset, ==, i * LINE_BYTES);
	}
	g_assert_cmpuint(flow->n_gaps, ==, 4);
	for (guint round = 0; round < 4; round++) {
		const Gap *gap = &flow->gaps[round];
		const CodeOperation *load = &gap->operations[round == 0 ? 1 : 0];

		g_assert_cmpint(load->class, ==, CODE_CONSTANT);
		g_assert_cmpuint(load->line, ==, lines[round]);
		g_assert_cmpuint(load->n_reads, ==, 1);
	}
	/* What nothing was put into is not known. */
	g_assert_cmpuint(flow->gaps[3].n_operations, ==, 5);
	g_assert_cmpint(flow->gaps[3].operations[4].class, ==, CODE_CONSTANT);
	g_assert_cmpuint(flow->gaps[3].operations[4].line, ==, 0);
}

/* Each access to textures or surfaces says how many passes it takes; the capture counts them. */
static void accesses_to_textures_say_their_passes(void)
{
	g_autoptr(TraceReader) reader =
		convert_code("TEX.LL RZ, R4, R2, R7, UR4, 0x0, 2D, 0x1; TEX.LL R6, R4, R2, R7, "
			     "UR4, 0x0, 2D; "
			     "TLD.LZ RZ, R4, R2, UR4, 0x0, 1D, 0x1; "
			     "SUST.D.BA.2D.128.STRONG.SM.TRAP [R2], R8, UR4, 0x0; EXIT");
	const KernelInfo *kernel = &trace_source(reader)->kernel;
	const cJSON *capture =
		cJSON_GetObjectItemCaseSensitive(trace_metadata_json(reader), "capture");
	static const uint16_t passes[] = {2, 4, 1, 8};

	for (guint i = 0; i < G_N_ELEMENTS(passes); i++)
		g_assert_cmpuint(kernel->dataflow->gaps[0].operations[i].line, ==, passes[i]);
	g_assert_cmpfloat(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(
				  capture, "texture_accesses")),
			  ==, 4);
}

/* Loads at many places do not fill the trace's data flow: those behind a bound name no line. */
static void too_many_lines_are_not_named(void)
{
	g_autoptr(GString) code = g_string_new("MOV R1, RZ; .L_1:; LDC R2, c[0x3][R1]; ");

	for (guint i = 0; i < 250; i++)
		g_string_append(code, "MOV R3, R2; ");
	g_string_append(code, "IADD3 R1, R1, 0x40, RZ; ISETP.LT.AND P0, PT, R1, 0x10000, PT; "
			      "@P0 BRA `(.L_1); EXIT");

	g_autoptr(TraceReader) reader = convert_code(code->str);
	const Dataflow *flow = trace_source(reader)->kernel.dataflow;

	/* Of 1,024 rounds of 254 operations those that make 131,072 together, and one more. */
	g_assert_cmpuint(flow->n_lines, ==, 131072 / 254 + 1);
	g_assert_cmpuint(flow->gaps[flow->n_gaps - 1].operations[0].line, ==, 0);
}

/* Operations and sites have the number of their instruction. */
static void operations_have_their_instruction(void)
{
	g_autoptr(TraceReader) reader = convert_code(
		"MOV R1, RZ; ISETP.EQ.AND P0, PT, RZ, RZ, PT; @P0 BRA `(.L_1); MOV R1, R2; "
		"MOV R1, R3; .L_1:; MOV R2, RZ; EXIT");
	const Gap *gap = &trace_source(reader)->kernel.dataflow->gaps[0];
	static const uint32_t instructions[] = {1, 2, 3, 6};

	g_assert_cmpuint(gap->n_operations, ==, G_N_ELEMENTS(instructions));
	for (guint i = 0; i < G_N_ELEMENTS(instructions); i++)
		g_assert_cmpuint(gap->operations[i].instruction, ==, instructions[i]);
}

/* A branch back that is taken ends a gap: each round of a loop has its own, and the same ones the same number. */
static void rounds_of_a_loop_have_a_gap_each(void)
{
	static const struct {
		const char *code, *told;
	} rows[] = {
		{"MOV R1, RZ; .L_1:; IADD3 R1, R1, 0x1, RZ; ISETP.LT.AND P0, PT, R1, 0x4, PT; "
		 "@P0 BRA `(.L_1); EXIT",
		 "code 4 0 jump, code 3 1 jump, code 3 1 jump, code 3 2 branch, exit"},
		/* A loop of one instruction is one, too. */
		{"ISETP.NE.AND P0, PT, RZ, RZ, PT; .L_1:; @P0 BRA `(.L_1); EXIT",
		 "code 2 0 branch, exit"},
		/* Forward it goes on. */
		{"ISETP.EQ.AND P0, PT, RZ, RZ, PT; @P0 BRA `(.L_1); MOV R1, RZ; .L_1:; "
		 "MOV R2, RZ; EXIT",
		 "code 3 0 int, exit"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(TraceReader) reader = convert_code(rows[i].code);
		RecordSource *source = trace_source(reader);
		const Dataflow *flow = source->kernel.dataflow;
		WarpStream *stream = source->open_warp(source, 0, 0);
		g_autoptr(GString) told = g_string_new(NULL);
		Record record;

		while (stream->next(stream, &record) == STREAM_RECORD) {
			const Gap *gap = &flow->gaps[record.gap];

			if (record.kind != RECORD_CODE) {
				g_string_append(told, "exit");
				continue;
			}
			CodeClass class = gap->operations[gap->n_operations - 1].class;

			g_string_append_printf(told, "code %u %u %s, ", gap->n_operations,
					       record.gap,
					       class == CODE_JUMP     ? "jump"
					       : class == CODE_BRANCH ? "branch"
								      : "int");
		}
		stream->close(stream);
		g_assert_cmpstr(told->str, ==, rows[i].told);
	}
}

/* A loop of load, addition and swap is one atomic: its data is what the loop reads and has not written. */
static void a_retry_loop_has_the_operands_of_its_atomic(void)
{
	static const struct {
		const char *add, *behind;
		guint n_address, n_data, n_writes;
	} rows[] = {
		{"FADD R2, R1, R4", "MOV R5, RZ", 1, 1, 0},
		{"FADD R2, R4, R1", "MOV R5, RZ", 1, 1, 0},
		{"FADD R2, R1, 1", "MOV R5, RZ", 1, 0, 0},
		{"FADD R2, R1, R4", "MOV R5, R1", 1, 1, 1},
		{"FADD R2, R1, R0", "MOV R5, RZ", 1, 0, 0},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *code =
			g_strdup_printf(".target sm_90\n.text.k:\n.L_again:\n"
					"/*0000*/ LDS R1, [R0] ;\n"
					"/*0010*/ %s ;\n"
					"/*0020*/ ATOMS.CAST.SPIN R2, [R0], R1, R2 ;\n"
					"/*0030*/ ISETP.EQ.U32.AND P0, PT, R2, 0x1, PT ;\n"
					"/*0040*/ @!P0 BRA `(.L_again) ;\n"
					"/*0050*/ %s ;\n"
					"/*0060*/ EXIT ;\n",
					rows[i].add, rows[i].behind);
		GByteArray *events = capture_start();
		g_autoptr(GError) error = NULL;
		ConvertCounts counts;

		capture_add_event(events, 0, RAW_SHARED, UINT32_MAX, RAW_READ, 0, 0x400, 4);
		capture_add_event(events, 0x20, RAW_SHARED, UINT32_MAX, RAW_READ | RAW_WRITE, 0,
				  0x400, 4);
		capture_add_event(events, 0x60, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

		g_autoptr(GBytes) raw = capture_raw(events, 4, 0);
		g_autoptr(TraceReader) reader = capture_convert(raw, code, &counts, &error);

		g_assert_no_error(error);

		const Dataflow *flow = trace_source(reader)->kernel.dataflow;

		g_test_message("%s", rows[i].add);
		g_assert_cmpuint(flow->n_sites, ==, 2);
		g_assert_cmpuint(flow->sites[0].n_address, ==, rows[i].n_address);
		g_assert_cmpuint(flow->sites[0].n_data, ==, rows[i].n_data);
		g_assert_cmpuint(flow->sites[0].n_writes, ==, rows[i].n_writes);
		g_assert_cmpuint(flow->sites[0].guard, ==, DATAFLOW_NO_VALUE);
		if (rows[i].n_data)
			g_assert_cmpuint(flow->sites[0].data[0], !=, flow->sites[0].address[0]);
	}
}

/* What an instruction waits for by its scoreboard is read by it in the trace; of an access without data it is among what its addresses are made of, as an
   atomic without data adds 1. A load of a constant that reads nothing stays one. */
static void waits_by_scoreboards_are_read(void)
{
	static const char code[] =
		".target sm_90\n.text.k:\n"
		"/*0000*/ LDS R1, [R0] ; /* 0x0000000000000000 */\n/* 0x000e220000000000 */\n"
		"/*0010*/ LDS R2, [R0] ; /* 0x0000000000000000 */\n/* 0x000e220000000000 */\n"
		"/*0020*/ FADD R3, R1, R1 ; /* 0x0000000000000000 */\n/* 0x001fe20000000000 "
		"*/\n"
		"/*0030*/ MUFU.RCP R4, R3 ; /* 0x0000000000000000 */\n/* 0x000e620000000000 "
		"*/\n"
		"/*0040*/ ATOMS.POPC.INC.32 RZ, [R0] ; /* 0x0000000000000000 */\n"
		"/* 0x002fe20000000000 */\n"
		"/*0050*/ MUFU.RCP R5, R3 ; /* 0x0000000000000000 */\n"
		"/* 0x000e620000000000 */\n"
		"/*0060*/ STS [R0], R1 ; /* 0x0000000000000000 */\n/* 0x002fe20000000000 */\n"
		"/*0070*/ MUFU.RCP R7, R3 ; /* 0x0000000000000000 */\n"
		"/* 0x000e620000000000 */\n"
		"/*0080*/ LDC R6, c[0x0][0x210] ; /* 0x0000000000000000 */\n"
		"/* 0x002fe20000000000 */\n"
		"/*0090*/ EXIT ; /* 0x0000000000000000 */\n/* 0x000fe20000000000 */\n";
	GByteArray *events = capture_start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	capture_add_event(events, 0, RAW_SHARED, UINT32_MAX, RAW_READ, 0, 0x400, 4);
	capture_add_event(events, 0x10, RAW_SHARED, UINT32_MAX, RAW_READ, 0, 0x400, 4);
	capture_add_event(events, 0x40, RAW_SHARED, UINT32_MAX, RAW_READ | RAW_WRITE, 0, 0x400,
			  4);
	capture_add_event(events, 0x60, RAW_SHARED, UINT32_MAX, RAW_WRITE, 0, 0x400, 4);
	capture_add_event(events, 0x90, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw(events, 6, 0);
	g_autoptr(TraceReader) reader = capture_convert(raw, code, &counts, &error);

	g_assert_no_error(error);

	const Dataflow *flow = trace_source(reader)->kernel.dataflow;
	const CodeOperation *sum = &flow->gaps[0].operations[0];

	g_assert_cmpuint(flow->n_sites, ==, 4);
	g_assert_cmpuint(sum->n_reads, ==, 2);
	g_assert_cmpuint(sum->reads[0], ==, flow->sites[0].writes[0]);
	g_assert_cmpuint(sum->reads[1], ==, flow->sites[1].writes[0]);
	g_assert_cmpuint(flow->sites[2].n_data, ==, 0);
	g_assert_cmpuint(flow->sites[2].n_address, ==, 2);
	g_assert_cmpuint(flow->sites[2].address[1], ==, flow->gaps[0].operations[1].writes[0]);
	g_assert_cmpuint(flow->sites[3].n_address, ==, 1);
	g_assert_cmpuint(flow->sites[3].n_data, ==, 2);
	g_assert_cmpuint(flow->sites[3].data[1], ==, flow->gaps[1].operations[0].writes[0]);
	g_assert_cmpint(flow->gaps[2].operations[1].class, ==, CODE_CONSTANT);
	g_assert_cmpuint(flow->gaps[2].operations[1].n_reads, ==, 0);
}

/* As many lines of constants as a trace can number; the others have none. */
static void lines_past_the_last_number_have_none(void)
{
	g_autoptr(GString) code = g_string_new("");

	for (guint i = 0; i < DATAFLOW_MAX_LINES + 2; i++)
		g_string_append_printf(code, "LDC R0, c[0x%x][0x%x]; ", i / 1024,
				       i % 1024 * LINE_BYTES);
	g_string_append(code, "EXIT");

	g_autoptr(TraceReader) reader = convert_code(code->str);
	const Dataflow *flow = trace_source(reader)->kernel.dataflow;

	g_assert_cmpuint(flow->n_lines, ==, DATAFLOW_MAX_LINES);
	for (guint i = 0; i < DATAFLOW_MAX_LINES + 2; i++)
		g_assert_cmpuint(flow->gaps[i / MAX_GAP].operations[i % MAX_GAP].line, ==,
				 i < DATAFLOW_MAX_LINES ? i + 1 : 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/capture/gaps/" #name, name)
	TEST(gaps_and_sites_are_what_instructions_read_and_write);
	TEST(different_values_of_lanes_are_told);
	TEST(constants_at_an_address_name_their_line);
	TEST(accesses_to_textures_say_their_passes);
	TEST(too_many_lines_are_not_named);
	TEST(operations_have_their_instruction);
	TEST(rounds_of_a_loop_have_a_gap_each);
	TEST(a_retry_loop_has_the_operands_of_its_atomic);
	TEST(waits_by_scoreboards_are_read);
	TEST(lines_past_the_last_number_have_none);
#undef TEST
	return g_test_run();
}
