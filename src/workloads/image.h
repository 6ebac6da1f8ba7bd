/* SPDX-License-Identifier: MIT */
/*
 * Reads grey images: PGM (binary P5 and plain P2, 8 and 16 bit) and the headerless .iml of the van
 * Hateren natural image database. Only workloads and their tests include it.
 */
#ifndef ATOMSIM_WORKLOADS_IMAGE_H
#define ATOMSIM_WORKLOADS_IMAGE_H

#include <glib.h>
#include <stdint.h>

typedef struct {
	uint32_t width, height;
	uint32_t n_levels;    /* 2 .. 65536; every pixel is below */
	uint32_t pixel_bytes; /* in the program's global memory: 1 or 2 */
	gboolean clamped;     /* the program must clamp what it reads to n_levels - 1 */
	uint16_t *pixels;     /* row by row */
	char *sha256;	      /* of the file, lower-case hexadecimal */
} Image;

/* Reads a file; a name in .iml is 1536 x 1024 pixels of 16 bit, big-endian, clamped to 12 bit as
   the Chai and PrIM suites do. What follows the pixels of a PGM is ignored. Errors:
   ATOMSIM_ERROR_IO when it cannot be read, ATOMSIM_ERROR_INPUT for its contents: file, byte offset,
   found and allowed. Memory follows the file's size and never a number in it. */
Image *image_read(const char *path, GError **error);

/* The same from bytes; `name` stands for the path. */
Image *image_parse(const char *name, const uint8_t *bytes, gsize n_bytes, GError **error);

void image_free(Image *image);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Image, image_free)

/* Pixels in all. */
static inline uint64_t image_size(const Image *image)
{
	return (uint64_t)image->width * image->height;
}

#endif
