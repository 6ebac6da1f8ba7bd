/* SPDX-License-Identifier: MIT */
/* The data flow of a trace as text: a line for each operation of each gap, then one for each site. */
#include <stdio.h>

#include "cli/trace/trace.h"
#include "base/names.h"

static void print_values(const char *name, const uint8_t *values, unsigned n)
{
	if (n == 0)
		return;
	printf(" %s=", name);
	for (unsigned i = 0; i < n; i++)
		printf("%s%u", i ? "," : "", values[i]);
}

static void print_guard(uint8_t guard)
{
	if (guard != DATAFLOW_NO_VALUE)
		printf(" guard=%u", guard);
}

static void print_instruction(uint32_t instruction)
{
	if (instruction)
		printf(" instruction=%u", instruction - 1);
}

static void print_operation(const CodeOperation *operation)
{
	printf("%s", code_class_names[operation->class]);
	print_guard(operation->guard);
	if (operation->line)
		printf(" line=%u", operation->line - 1u);
	print_instruction(operation->instruction);
	print_values("writes", operation->writes, operation->n_writes);
	print_values("reads", operation->reads, operation->n_reads);
	putchar('\n');
}

void dump_dataflow(const Dataflow *dataflow)
{
	printf("values=%u lines=%u gaps=%u sites=%u\n", dataflow->n_values, dataflow->n_lines,
	       dataflow->n_gaps, dataflow->n_sites);
	for (uint32_t g = 0; g < dataflow->n_gaps; g++) {
		const Gap *gap = &dataflow->gaps[g];

		for (uint32_t i = 0; i < gap->n_operations; i++) {
			printf("gap=%u operation=%u ", g, i);
			print_operation(&gap->operations[i]);
		}
	}
	for (uint32_t s = 0; s < dataflow->n_sites; s++) {
		const SiteFlow *site = &dataflow->sites[s];

		printf("site=%u", s + 1);
		print_guard(site->guard);
		print_instruction(site->instruction);
		print_values("address", site->address, site->n_address);
		print_values("data", site->data, site->n_data);
		print_values("writes", site->writes, site->n_writes);
		putchar('\n');
	}
}
