/* SPDX-License-Identifier: MIT */
/* A segment as the file has it: one zstd frame. For the writer. */
#ifndef ATOMSIM_TRACE_FRAME_H
#define ATOMSIM_TRACE_FRAME_H

#include <stdint.h>
#include <zstd.h>

/* ZSTD_freeCCtx. */
ZSTD_CCtx *frame_context_new(void);
/* Compresses a segment, or leaves it as it is where that saves little, into `stored` of TRACE_MAX_STORED_BYTES. The frame's bytes. */
size_t frame_compress(ZSTD_CCtx *context, const uint8_t *bytes, uint32_t length,
		      uint8_t *stored);

#endif
