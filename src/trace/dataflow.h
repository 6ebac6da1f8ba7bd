/* SPDX-License-Identifier: MIT */
/*
 * The part of a trace that says what waits for what (base/dataflow.h): read, checked and written.
 * docs/reference/trace-format.md specifies its bytes. Who may include it: src/trace and its tests; others
 * write through writer.h and read a source's kernel.dataflow.
 */
#ifndef ATOMSIM_TRACE_DATAFLOW_H
#define ATOMSIM_TRACE_DATAFLOW_H

#include <glib.h>
#include <stdbool.h>

#include "base/dataflow.h"

/* Takes a reference to the bytes, into which the lists point. NULL and *problem, a constant string,
   with *at where it is (bytes from the start), if they are no data flow. n_sites: of the metadata. */
Dataflow *dataflow_read(GBytes *bytes, uint32_t n_sites, const char **problem, size_t *at);
void dataflow_free(Dataflow *dataflow); /* of dataflow_read; NULL: nothing */

/* Collects gaps and sites and gives their bytes. */
typedef struct DataflowBuilder DataflowBuilder;

DataflowBuilder *dataflow_builder_new(void);
void dataflow_builder_free(DataflowBuilder *builder);

/* The number of a gap of these operations (n is 1 or more), the same for the same operations. */
uint32_t dataflow_builder_gap(DataflowBuilder *builder, const CodeOperation *operations,
			      uint32_t n);
/* What the instruction of a site (1 or more) reads and writes; said again, it is replaced. */
void dataflow_builder_site(DataflowBuilder *builder, uint32_t site, const SiteFlow *flow);
/* Copies a whole data flow into an empty builder: gaps keep their numbers. */
void dataflow_builder_copy(DataflowBuilder *builder, const Dataflow *dataflow);

uint32_t dataflow_builder_n_gaps(const DataflowBuilder *builder);
uint32_t dataflow_builder_n_sites(const DataflowBuilder *builder); /* the highest one said */
GByteArray *
dataflow_builder_bytes(const DataflowBuilder *builder); /* empty: nothing was said */

#endif
