/* SPDX-License-Identifier: MIT */
/*
 * Reads raw captures (raw.h): finds the launches, hands out their events, believes nothing
 * that it has not checked. For capture/ and its tests.
 */
#ifndef ATOMSIM_GPU_CONVERT_RAW_FILE_H
#define ATOMSIM_GPU_CONVERT_RAW_FILE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/capture/raw.h"

typedef struct {
	char *path;
	GBytes *bytes;
	uint32_t version;    /* of raw.h */
	GPtrArray *launches; /* RawRecording, in order of their begin */
} RawFile;

/* One launch. Pointers go into the file's bytes. */
typedef struct {
	const RawFile *file;
	uint32_t number; /* of the program's launches, from 0 */
	const RawLaunch *launch;
	const char *name;  /* mangled */
	const RawEnd *end; /* NULL: the program did not live to see it */
	GArray *chunks;	   /* RawSpan */
	const RawMemory *memory;
	guint n_memory;
	const RawHistory *
		history; /* NULL: not recorded; behind it a RawBefore, a byte, for each memory */
	const RawParameters *parameters; /* NULL: not recorded */
	const RawCode *code;		 /* NULL: not recorded */
	const RawSample *sample; /* NULL: no part of the launch was left out by sample.h */
} RawRecording;

typedef struct {
	gsize begin, end; /* bytes of the file */
} RawSpan;

/* Where the reading of a recording is; begins as {recording}. */
typedef struct {
	const RawRecording *recording;
	guint chunk;
	gsize done; /* bytes of the chunk */
} RawCursor;

/* Opens a file and checks its chunks. Errors: ATOMSIM_ERROR_IO, ATOMSIM_ERROR_TRACE with the
   byte offset. */
RawFile *raw_file_open(const char *path, GError **error);

/* The same on bytes in memory, of which it takes a reference. */
RawFile *raw_file_open_bytes(const char *name, GBytes *bytes, GError **error);

void raw_file_free(RawFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RawFile, raw_file_free)

/* The next event and the addresses behind it. False at the end, then without an error, or where
   the bytes are no event. */
gboolean raw_next_event(RawCursor *cursor, const RawEvent **event, const void **addresses,
			GError **error);

/* Address of the i-th active lane. */
uint64_t raw_address(const RawEvent *event, const void *addresses, guint i);

/* What a load got, RAW_VALUE_BYTES of each active lane; NULL if that was not recorded. */
const uint32_t *raw_values(const RawEvent *event);

/* --- Raw captures on machines whose numbers are not little-endian (raw-order.c) --- */

/* Turns the numbers of a raw capture's `n` bytes around, in place; `bytes` lie at a multiple of 8, and `native`: the numbers are
   this machine's, else they become so. It goes as far as chunks and events are whole and their kinds known: who reads them refuses what follows.
   The bytes of kernel parameters stay as they are. */
void raw_turn(uint8_t *bytes, size_t n, bool native);

#endif
