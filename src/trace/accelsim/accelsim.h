/* SPDX-License-Identifier: MIT */
/*
 * What the files of the Accel-Sim importer share: import-accelsim.c finds the kernels of a folder,
 * -kernel.c reads one, -header.c its header, -line.c an instruction, -opcode.c its name, -record.c
 * makes records, -metadata.c tells what was read.
 * Nobody else may include it.
 *
 * The format: text, a header of "-name = value" lines, then for each thread block its warps and for
 * each warp its instructions in program order (docs/import.md).
 */
#ifndef ATOMSIM_TRACE_ACCELSIM_ACCELSIM_H
#define ATOMSIM_TRACE_ACCELSIM_ACCELSIM_H

#include <glib.h>

#include "base/record.h"
#include "trace/importer.h"
#include "trace/lines.h"

#define ACCELSIM_LAST_VERSION 5

/* --- Opcodes --- */

typedef enum {
	OPCODE_ARITHMETIC,
	OPCODE_UNKNOWN, /* not in the tables: counted as arithmetic, and by name */
	OPCODE_UNTOLD,	/* uses shared memory in a way that no record tells: counted by name */
	OPCODE_LOAD,
	OPCODE_STORE,
	OPCODE_ATOMIC,
	OPCODE_BARRIER,
	OPCODE_EXIT,
} OpcodeKind;

typedef enum { SPACE_SHARED, SPACE_GLOBAL, SPACE_GENERIC } Space;

typedef struct {
	OpcodeKind kind;
	Space space;	     /* load, store, atomic */
	uint8_t width;	     /* bytes a lane */
	Operation operation; /* atomic */
	ValueType type;	     /* atomic */
	gboolean reduction;  /* atomic: never gives the old value */
	gboolean untyped;    /* atomic: operation or type is none that a record has */
	uint64_t n_lines;    /* that name it */
	char name[];
} Opcode;

/* The opcodes that a trace names. g_hash_table_unref. */
GHashTable *opcodes_new(void);
/* The opcode of that name, new if need be: "ATOMS.ADD.S32". NULL if the trace names too many. */
Opcode *opcodes_get(GHashTable *opcodes, const char *name);

/* --- Lines --- */

typedef struct {
	guint32 grid[3], block[3];
	guint32 shared_bytes;
	guint32 binary_version;	 /* 70 for compute capability 7.0; 0: not given */
	guint32 tracer_version;	 /* 0: not given */
	guint32 has_source_line; /* 0 or 1 */
	guint64 shared_base;	 /* of the shared window in generic addresses; 0: not given */
	char *kernel;
} AccelSimHeader;

typedef struct {
	guint32 block[3], warp; /* versions 0 to 2 */
	guint32 source_line;	/* 0: not given */
	guint64 pc;
	guint32 mask;
	gboolean has_result; /* a destination register that is not the zero register */
	Opcode *opcode;
	gboolean has_addresses;
	guint64 address[TRACE_MAX_LANES]; /* of the i-th active lane */
} Instruction;

/* Reads an instruction. FALSE, with an error that names file and line, if it is none. */
gboolean accelsim_parse_line(LineReader *lines, char *text, const AccelSimHeader *header,
			     GHashTable *opcodes, Instruction *instruction, GError **error);

/* --- A kernel --- */

/* Instructions that touch memory in a way that no record can hold; recorded as unknown. */
typedef enum { DROPPED_OUT_OF_RANGE, DROPPED_NO_ADDRESS, DROPPED_MIXED, N_DROPPED } Dropped;

typedef struct {
	guint64 pc;
	guint32 source_line;
	const Opcode *opcode;
} ImportSite;

typedef struct {
	LineReader *lines;
	AccelSimHeader header;
	guint32 n_warps; /* of each block */
	TraceWriter *writer;
	GHashTable *opcodes;
	GHashTable *site_of; /* PC to number of the site */
	GArray *sites;	     /* ImportSite */
	GHashTable *blocks;  /* numbers of those seen */
	guint64 block_id;    /* of the one that is read */
	guint64 warps_seen;  /* of it: a bit each */
	guint64 dropped[N_DROPPED];
	ImportCounts *counts;
	const ImportProgress *progress;
} AccelSimKernel;

/* The warp that is read. */
typedef struct {
	guint32 number;
	guint32 n_alu;			  /* arithmetic that no record tells yet */
	guint32 entered, exited, arrived; /* lanes: seen, ended, waiting at a barrier */
} AccelSimWarp;

/* "-name = value". FALSE, with an error that names file and line, if the value cannot be. */
gboolean accelsim_parse_field(AccelSimKernel *kernel, char *line, GError **error);
/* At the first block: what must be there is, and in range. Sets n_warps. */
gboolean accelsim_check_header(AccelSimKernel *kernel, GError **error);
/* "(x,y,z)", each from min to max. */
gboolean accelsim_parse_dimensions(const char *text, guint64 min, guint64 max, guint32 *values);

/* Appends what an instruction becomes to the warp. */
void accelsim_append(AccelSimKernel *kernel, AccelSimWarp *warp,
		     const Instruction *instruction);
/* Tells the arithmetic that no record tells yet; it belongs to no site. */
void accelsim_flush(AccelSimKernel *kernel, AccelSimWarp *warp);

/* Reads a kernel file into a writer. Its metadata, or NULL and *error. */
char *accelsim_import(const char *path, TraceWriter *writer, ImportCounts *counts,
		      const ImportProgress *progress, GError **error);

char *accelsim_metadata(const char *path, const AccelSimHeader *header, GHashTable *opcodes,
			const GArray *sites, const guint64 dropped[N_DROPPED]);

#endif
