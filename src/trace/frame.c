/* SPDX-License-Identifier: MIT */
#include "trace/writer-internal.h"

#include <glib.h>
#include <string.h>

#include "base/little.h"
#include "trace/format.h"

/* Level 3 takes half as long again to write, and addresses that look random become no smaller. */
#define ZSTD_LEVEL 1

ZSTD_CCtx *frame_context_new(void)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();

	if (!context)
		g_error("no memory to compress segments");
	ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, ZSTD_LEVEL);
	return context;
}

/* A zstd frame of one block that is not compressed (RFC 8878, 3.1.1): magic number, descriptor
   "single segment, content size in two bytes", that size less 256, block header "last, raw". */
static size_t raw_frame(uint8_t *frame, const uint8_t *bytes, uint32_t length)
{
	uint32_t magic = little_32(ZSTD_MAGICNUMBER), block = little_32(1 | length << 3);
	uint16_t size = little_16((uint16_t)(length - 256));

	memcpy(frame, &magic, 4);
	frame[4] = 0x60;
	memcpy(frame + 5, &size, 2);
	memcpy(frame + 7, &block, 3);
	memcpy(frame + 10, bytes, length);
	return 10 + length;
}

size_t frame_compress(ZSTD_CCtx *context, const uint8_t *bytes, uint32_t length,
		      uint8_t *stored)
{
	size_t n = ZSTD_compress2(context, stored, TRACE_MAX_STORED_BYTES, bytes, length);

	if (ZSTD_isError(n)) /* it has room, so that what it lacks is memory of its own */
		g_error("segments are not compressed: %s", ZSTD_getErrorName(n));
	/* Less than a quarter off the size is not worth an entropy decoder's time at each replay,
	   which is more than that of the records themselves. */
	if (length >= 1024 && n > length - length / 4)
		n = raw_frame(stored, bytes, length);
	return n;
}
