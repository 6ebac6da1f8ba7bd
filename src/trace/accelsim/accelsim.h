/* SPDX-License-Identifier: MIT */
/*
 * What the files of the Accel-Sim importer share: accelsim.c finds the kernels of a folder, kernel.c
 * reads one, header.c its header, line.c a line, instruction.c keeps the instructions that lines name,
 * opcode.c their names, flow.c what they read and write, record.c makes records, gap.c those of what lies
 * between accesses, global.c those of global memory, metadata.c says what was read.
 * Nobody else may include it.
 *
 * The format: text, a header of "-name = value" lines, then for each thread block its warps and for
 * each warp its instructions in program order (docs/guide/import.md).
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
	OPCODE_UNRECORDED, /* uses shared memory in a way that no record can say: counted by name */
	OPCODE_LOAD,
	OPCODE_STORE,
	OPCODE_ATOMIC,
	OPCODE_BARRIER,
	OPCODE_FENCE,
	OPCODE_EXIT,
} OpcodeKind;

typedef enum { SPACE_SHARED, SPACE_GLOBAL, SPACE_GENERIC } Space;

typedef struct {
	OpcodeKind kind;
	Space space;	     /* load, store, atomic */
	uint8_t width;	     /* bytes a lane */
	Operation operation; /* atomic */
	ValueType type;	     /* atomic */
	CacheHint cache;     /* load, store */
	gboolean reduction;  /* atomic: never gives the old value */
	gboolean untyped;    /* atomic: operation or type is none that a record has */
	uint64_t n_lines;    /* that name it, once all are read */
	char name[];
} Opcode;

/* The opcodes that a trace names. g_hash_table_unref. */
GHashTable *opcodes_new(void);
/* The opcode of that name, new if need be: "ATOMS.ADD.S32". NULL if the trace names too many. */
Opcode *opcodes_get(GHashTable *opcodes, const char *name);

/* --- Instructions of the program --- */

/* What one reads and writes, as values of the trace's data flow (base/dataflow.h). */
typedef struct {
	uint8_t class; /* CodeClass */
	uint8_t n_writes, n_reads;
	uint8_t n_address; /* of an access: so many of the first reads make its addresses */
	uint8_t writes[DATAFLOW_MAX_WRITES], reads[DATAFLOW_MAX_READS];
	gboolean no_result; /* its result is in no register that the trace names */
} ImportFlow;

/* One at a place of the program; lines say how often it was executed, and by which lanes. */
typedef struct StaticInstruction StaticInstruction;
struct StaticInstruction {
	guint64 pc;
	char *text; /* of the line: from its destinations to its width */
	gsize length;
	StaticInstruction *next; /* another one at this PC: PCs count from a function's start */
	guint32 number;		 /* from 0 */
	guint32 site;		 /* 0: no record has named it yet */
	guint32 source_line;	 /* 0: not given */
	guint32 width;		 /* that the line says; 0: no addresses follow */
	guint32 last_buffer;	 /* place of the buffer that it accessed last */
	guint64 n_lines;
	Opcode *opcode;
	gboolean has_result; /* a destination register that is not the zero register */
	ImportFlow flow;
};

/* Registers that a line names: R from 0, UR, P and UP from these. */
enum { REGISTER_UNIFORM = 256, REGISTER_PREDICATE = 512, REGISTER_UNIFORM_PREDICATE = 768 };
#define N_REGISTERS	    1024
#define REGISTER_NOTHING    255 /* RZ: reads as zero, and what is written there is gone */
#define MAX_LINE_REGISTERS  64	/* of each of its two lists */
#define REGISTER_UNREADABLE -1	/* a word that is no register's name */

typedef struct {
	guint n_destinations, n_sources;
	int destinations[MAX_LINE_REGISTERS + 1], sources[MAX_LINE_REGISTERS + 1];
} LineRegisters;

/* Registers as values of the data flow, numbered as they are met. */
typedef struct {
	uint8_t numbers[N_REGISTERS]; /* number + 1; 0: none yet */
	guint n;
	guint64 n_dropped; /* times that a register had no number left */
} ValueNumbers;

/* flow.c: moves the first operand's register where the tracer takes a source for a result, or a result for
   a source. */
void import_order(const Opcode *opcode, LineRegisters *registers);
/* What an instruction of that name with these registers reads and writes. */
void import_flow(ValueNumbers *values, const Opcode *opcode, const LineRegisters *registers,
		 ImportFlow *flow);

typedef struct StaticInstructions StaticInstructions;

StaticInstructions *instructions_new(void);
void instructions_free(StaticInstructions *instructions);
/* The one at a PC whose text a line's rest begins with, or NULL. */
StaticInstruction *instructions_find(StaticInstructions *instructions, guint64 pc,
				     const char *rest);
/* A new one, with this text; the caller fills in the rest. NULL if there are more than any program has. */
StaticInstruction *instructions_add(StaticInstructions *instructions, guint64 pc,
				    const char *text, gsize length);
guint instructions_count(const StaticInstructions *instructions);
StaticInstruction *instructions_get(const StaticInstructions *instructions, guint32 number);
/* Fills in `flow` and `has_result`; opcode and width are set. */
void instructions_set_flow(StaticInstructions *instructions, StaticInstruction *instruction,
			   LineRegisters *registers);
/* Registers, of all, that a trace has no numbers left for. */
guint64 instructions_n_dropped_values(const StaticInstructions *instructions);

/* --- Lines --- */

typedef struct {
	guint32 grid[3], block[3];
	guint32 shared_bytes;
	guint32 registers;	 /* of a thread; 0: not said */
	guint32 binary_version;	 /* 70 for compute capability 7.0; 0: not given */
	guint32 tracer_version;	 /* 0: not given */
	guint32 has_source_line; /* 0 or 1 */
	guint64 shared_base;	 /* of the shared window in generic addresses; 0: not given */
	char *kernel;
} AccelSimHeader;

typedef struct {
	guint32 block[3], warp; /* versions 0 to 2 */
	guint32 mask;
	StaticInstruction *code;
	gboolean has_immediate; /* version 5: the last of its constants */
	gint64 immediate;
	gboolean has_addresses;
	guint64 address[TRACE_MAX_LANES]; /* of the i-th active lane */
} Instruction;

/* Reads an instruction. FALSE, with an error that names file and line, if it is none. */
gboolean accelsim_parse_line(LineReader *lines, char *text, const AccelSimHeader *header,
			     GHashTable *opcodes, StaticInstructions *instructions,
			     Instruction *instruction, GError **error);

/* --- A kernel --- */

/* What no record says. The first four became unknown records. */
typedef enum {
	DROPPED_OUT_OF_RANGE,
	DROPPED_NO_ADDRESS,
	DROPPED_MIXED,
	DROPPED_BARRIERS, /* of a number, or of a part of the block, that a line does not say: unknown */
	DROPPED_UNPLACED, /* global accesses, recorded without addresses */
	DROPPED_GAPS,	  /* instructions between accesses, recorded without data flow */
	N_DROPPED
} Dropped;

/* gap.c: the instructions between two records, by what they read and write. */
typedef struct ImportGaps ImportGaps;

/* A run of pages of global memory, which the trace numbers. */
typedef struct {
	guint64 begin, end; /* addresses */
	guint64 used;	    /* end of what was accessed */
	guint16 number;	    /* from 1 */
} ImportBuffer;

typedef struct {
	LineReader *lines;
	AccelSimHeader header;
	guint32 n_warps; /* of each block */
	TraceWriter *writer;
	GHashTable *opcodes;
	StaticInstructions *instructions;
	GPtrArray *sites; /* StaticInstruction */
	GArray *buffers;  /* ImportBuffer, by address */
	ImportGaps *gaps;
	GHashTable *blocks; /* numbers of those seen */
	guint64 block_id;   /* of the one that is read */
	guint64 warps_seen; /* of it: a bit each */
	guint64 dropped[N_DROPPED];
	ImportCounts *counts;
	const ImportProgress *progress;
} AccelSimKernel;

/* The warp that is read. */
typedef struct {
	guint32 number;
	guint32 entered, exited, arrived; /* lanes: seen, ended, waiting at a barrier */
	guint8 barrier;			  /* that they wait at */
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
/* A record of its own, with its site, behind the gap that was collected. */
void accelsim_append_record(AccelSimKernel *kernel, AccelSimWarp *warp,
			    const Instruction *instruction, Record *record);
/* A load, store or atomic of global memory. */
void accelsim_append_global(AccelSimKernel *kernel, AccelSimWarp *warp,
			    const Instruction *instruction);

ImportGaps *import_gaps_new(void);
void import_gaps_free(ImportGaps *gaps);
/* Before an instruction of the warp becomes anything: where the one before it led. */
void import_gaps_go_on(AccelSimKernel *kernel, AccelSimWarp *warp,
		       const StaticInstruction *code);
/* Collects an instruction that is no record, executed by the lanes of `mask`. */
void import_gaps_collect(AccelSimKernel *kernel, AccelSimWarp *warp,
			 const StaticInstruction *code, guint32 mask);
/* The same of one that is a record, but here only takes the time to be issued. */
void import_gaps_skip(AccelSimKernel *kernel, AccelSimWarp *warp,
		      const StaticInstruction *code);
/* Records what was collected. It belongs to no site. */
void import_gaps_flush(AccelSimKernel *kernel, AccelSimWarp *warp);

/* Reads a kernel file into a writer. Its metadata, or NULL and *error. */
char *accelsim_import(const char *path, TraceWriter *writer, ImportCounts *counts,
		      const ImportProgress *progress, GError **error);

char *accelsim_metadata(const char *path, const AccelSimKernel *kernel);

#endif
