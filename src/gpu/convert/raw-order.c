/* SPDX-License-Identifier: MIT */
#include "gpu/convert/raw-file.h"

#include <string.h>

#include "base/little.h"
#include "gpu/capture/raw.h"

#define FILE_HEADER_LAYOUT  "1111111144"
#define CHUNK_HEADER_LAYOUT "448"
#define LAUNCH_LAYOUT	    "88444444444444"
#define PARAMETERS_LAYOUT   "44"
#define HISTORY_LAYOUT	    "44"
#define CODE_LAYOUT	    "44"
#define SAMPLE_LAYOUT	    "88"
#define WAVE_LAYOUT	    "844"
#define END_LAYOUT	    "88844"
#define EVENT_LAYOUT	    "88442114"

/* Turns a struct around, and gives it as this machine has it. */
#define TURN(at, native, layout, object)                                                       \
	do {                                                                                   \
		if (native)                                                                    \
			memcpy(&(object), at, sizeof(object));                                 \
		little_turn(at, layout);                                                       \
		if (!(native))                                                                 \
			memcpy(&(object), at, sizeof(object));                                 \
	} while (0)

static void turn_numbers(uint8_t *at, size_t n, uint32_t each)
{
	const char layout[] = {(char)('0' + each), '\0'};

	for (size_t i = 0; i < n; i++)
		little_turn(at + i * each, layout);
}

static void turn_events(uint8_t *at, size_t n, bool native)
{
	RawEvent event;

	for (size_t bytes = 0; n >= sizeof(event); at += bytes, n -= bytes) {
		uint32_t n_lanes, each;

		TURN(at, native, EVENT_LAYOUT, event);
		n_lanes = (uint32_t)__builtin_popcount(event.mask);
		each = RAW_ADDRESS_BYTES(event.kind);
		bytes = RAW_EVENT_BYTES(event.kind, event.flags, event.bytes, n_lanes);
		if (event.kind < RAW_ENTER || event.kind > RAW_LOCAL_AT || bytes > n)
			return;
		if (each)
			turn_numbers(at + sizeof(event), n_lanes, each);
		if (event.flags & RAW_VALUES)
			turn_numbers(at + sizeof(event) +
					     RAW_ADDRESSES_BYTES(event.kind, n_lanes),
				     RAW_VALUE_BYTES(event.bytes) / 4 * n_lanes, 4);
	}
}

static void turn_sample(uint8_t *at, size_t n)
{
	little_turn(at, SAMPLE_LAYOUT);
	for (size_t i = sizeof(RawSample); n - i >= sizeof(RawWave); i += sizeof(RawWave))
		little_turn(at + i, WAVE_LAYOUT);
}

static void turn_payload(uint8_t *at, const RawChunkHeader *chunk, bool native)
{
	const size_t n = (size_t)chunk->bytes;

	if (chunk->kind == RAW_CHUNK_LAUNCH && n >= sizeof(RawLaunch))
		little_turn(at, LAUNCH_LAYOUT);
	else if (chunk->kind == RAW_CHUNK_EVENTS)
		turn_events(at, n, native);
	else if (chunk->kind == RAW_CHUNK_END && n >= sizeof(RawEnd))
		little_turn(at, END_LAYOUT);
	else if (chunk->kind == RAW_CHUNK_MEMORY)
		turn_numbers(at, n / 8, 8);
	else if (chunk->kind == RAW_CHUNK_HISTORY && n >= sizeof(RawHistory))
		little_turn(at, HISTORY_LAYOUT);
	else if (chunk->kind == RAW_CHUNK_CODE && n >= sizeof(RawCode))
		little_turn(at, CODE_LAYOUT);
	else if (chunk->kind == RAW_CHUNK_SAMPLE && n >= sizeof(RawSample))
		turn_sample(at, n);
	else if (chunk->kind == RAW_CHUNK_PARAMETERS && n >= sizeof(RawParameters))
		little_turn(at, PARAMETERS_LAYOUT);
}

void raw_turn(uint8_t *bytes, size_t n, bool native)
{
	RawChunkHeader chunk;

	if (n < sizeof(RawFileHeader))
		return;
	little_turn(bytes, FILE_HEADER_LAYOUT);
	for (size_t at = sizeof(RawFileHeader); n - at >= sizeof(chunk);) {
		TURN(bytes + at, native, CHUNK_HEADER_LAYOUT, chunk);
		at += sizeof(chunk);
		if (chunk.bytes > n - at)
			return;
		turn_payload(bytes + at, &chunk, native);
		at += (size_t)chunk.bytes;
	}
}
