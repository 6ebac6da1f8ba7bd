/* SPDX-License-Identifier: MIT */
/* Any bytes as an image. */
#include "fuzz-tools.h"

#include "workloads/image.h"

static void try_image(const char *name, const uint8_t *data, size_t size)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Image) image = image_parse(name, data, size, &error);

	fuzz_check_error(image != NULL, error);
	if (image == NULL)
		return;
	g_assert(image->n_levels >= 2 && image->n_levels <= 65536);
	for (uint64_t i = 0; i < image_size(image); i++)
		g_assert(image->pixels[i] < image->n_levels);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_image("fuzz.pgm", data, size);
	try_image("fuzz.iml", data, size);
	return 0;
}
