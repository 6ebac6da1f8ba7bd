/* SPDX-License-Identifier: MIT */
/*
 * What an instruction reads and writes, from the registers that a line lists. The tracer lists general
 * registers alone, the first of each operand, the address before the others; it names no predicate, no
 * constant and no uniform register, and counts a register as written if it is the first operand. How many registers an operand means follows from the opcode. Where
 * that depends on an operand that is not listed, one is taken: a dependence less, never one that is not
 * there.
 */
#include <string.h>

#include "base/sass-class.h"
#include "base/sass-suffix.h"
#include "trace/accelsim/accelsim.h"

/* Registers that hold nothing: URZ is UR63, or UR255 from compute capability 10.0 on; PT and UPT are 7. */
static gboolean is_nothing(int name)
{
	switch (name) {
	case REGISTER_UNREADABLE:
	case REGISTER_NOTHING:
	case REGISTER_UNIFORM + 63:
	case REGISTER_UNIFORM + 255:
	case REGISTER_PREDICATE + 7:
	case REGISTER_UNIFORM_PREDICATE + 7:
		return TRUE;
	default:
		return FALSE;
	}
}

static void add_value(ValueNumbers *values, int name, uint8_t *list, uint8_t *n, guint max)
{
	uint8_t number;

	if (is_nothing(name))
		return;
	if (!values->numbers[name] && values->n < DATAFLOW_MAX_VALUES)
		values->numbers[name] = (uint8_t)++values->n;
	if (!values->numbers[name] || *n == max) {
		values->n_dropped++;
		return;
	}
	number = (uint8_t)(values->numbers[name] - 1);
	if (!memchr(list, number, *n))
		list[(*n)++] = number;
}

/* A register and those behind it that it means; a predicate is always one. */
static void add_registers(ValueNumbers *values, int name, guint width, uint8_t *list,
			  uint8_t *n, guint max)
{
	if (is_nothing(name))
		return;
	for (guint i = 0; i < (name < REGISTER_PREDICATE ? width : 1); i++) {
		if ((name + (int)i) % REGISTER_UNIFORM == REGISTER_NOTHING)
			return; /* R254 is the last */
		add_value(values, name + (int)i, list, n, max);
	}
}

static gboolean is_memory_access(const Opcode *opcode)
{
	return opcode->kind == OPCODE_LOAD || opcode->kind == OPCODE_STORE ||
	       opcode->kind == OPCODE_ATOMIC;
}

static guint destination_width(const char *name, const LineRegisters *registers)
{
	if (registers->n_destinations > 1) /* then each is listed */
		return 1;
	return sass_is_access(name) ? sass_access_registers(name)
				    : sass_operand_registers(name, 0, 1);
}

/* Whether the first source makes the address: it has none where a uniform register or a constant does. */
static gboolean has_address(const Opcode *opcode, const LineRegisters *registers)
{
	guint n_data = 1;

	if (!is_memory_access(opcode))
		return FALSE;
	if (opcode->kind == OPCODE_LOAD || sass_has_suffix(opcode->name, "POPC"))
		n_data = 0;
	else if (opcode->kind == OPCODE_ATOMIC && opcode->operation == OPERATION_CAS)
		n_data = 2;
	return registers->n_sources > n_data;
}

/* Of source `i`, from 0. ".E" is an address of 64 bits. */
static guint source_width(const Opcode *opcode, const LineRegisters *registers, guint i)
{
	const char *name = opcode->name;

	if (i == 0 && has_address(opcode, registers))
		return sass_has_suffix(name, "E") ? 2 : 1;
	if (opcode->kind == OPCODE_BARRIER)
		return 1;
	if (sass_is_access(name))
		return sass_access_registers(name);
	/* Of a product of 64 bits the third is its addend, if nothing else was left out. */
	if (sass_has_suffix(name, "WIDE") && registers->n_sources < 3)
		return 1;
	return sass_operand_registers(name, i + 1, 1);
}

/* Whether the text of the instruction begins with a predicate, and the register that it writes is behind
   it: SHFL.IDX PT, R0, R2, 0x1, 0x1f. */
static gboolean result_is_second(const char *name)
{
	static const char *const words[] = {"SHFL", "ATOM", "ATOMG", "LOP3", NULL};
	static const char *const match[] = {"MATCH", NULL};

	return sass_is_one_of(name, words) ||
	       (sass_is_one_of(name, match) && sass_has_suffix(name, "ALL"));
}

/* Moves the first of one list to the front of another, which has room for one more. */
static void move_first(int *from, guint *n_from, int *to, guint *n_to)
{
	memmove(to + 1, to, *n_to * sizeof(*to));
	to[0] = from[0];
	(*n_to)++;
	(*n_from)--;
	memmove(from, from + 1, *n_from * sizeof(*from));
}

void import_order(const Opcode *opcode, LineRegisters *registers)
{
	guint *n_destinations = &registers->n_destinations, *n_sources = &registers->n_sources;

	if (*n_destinations == 1 && sass_writes_none(opcode->name))
		move_first(registers->destinations, n_destinations, registers->sources,
			   n_sources);
	else if (*n_destinations == 0 && *n_sources > 1 && result_is_second(opcode->name))
		move_first(registers->sources, n_sources, registers->destinations,
			   n_destinations);
}

void import_flow(ValueNumbers *values, const Opcode *opcode, const LineRegisters *registers,
		 ImportFlow *flow)
{
	guint width = destination_width(opcode->name, registers);

	*flow = (ImportFlow){.class = (uint8_t)sass_class(opcode->name)};
	flow->no_result = registers->n_destinations == 0 && code_has_result(flow->class);
	for (guint i = 0; i < registers->n_destinations; i++)
		add_registers(values, registers->destinations[i], width, flow->writes,
			      &flow->n_writes, DATAFLOW_MAX_WRITES);
	for (guint i = 0; i < registers->n_sources; i++) {
		add_registers(values, registers->sources[i], source_width(opcode, registers, i),
			      flow->reads, &flow->n_reads, DATAFLOW_MAX_READS);
		if (i == 0 && has_address(opcode, registers))
			flow->n_address = flow->n_reads;
	}
}
