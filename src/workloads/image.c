/* SPDX-License-Identifier: MIT */
#include "workloads/image.h"

#include <stdarg.h>

#include "base/error.h"
#include "base/input.h"

#define MAX_FILE_BYTES (1u << 30)

/* https://doi.org/10.1098/rspb.1998.0303 and the database's own description. */
#define IML_WIDTH  1536
#define IML_HEIGHT 1024
#define IML_LEVELS 4096

typedef struct {
	const char *name;
	const uint8_t *bytes;
	gsize n_bytes;
	gsize position;
} Input;

G_GNUC_PRINTF(4, 5)
static void set_error(const Input *input, gsize position, GError **error, const char *format,
		      ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_autofree char *text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	atomsim_fail(error, ATOMSIM_ERROR_INPUT, "%s: byte %" G_GSIZE_FORMAT ": %s",
		     input->name, position, text);
}

/* White space and comments, which run to the end of their line. */
static void skip_space(Input *input)
{
	gboolean comment = FALSE;

	for (; input->position < input->n_bytes; input->position++) {
		uint8_t byte = input->bytes[input->position];
		if (byte == '#')
			comment = TRUE;
		else if (byte == '\n' || byte == '\r')
			comment = FALSE;
		else if (!comment && !g_ascii_isspace((char)byte))
			return;
	}
}

/* A decimal number of lowest .. highest; highest below 10^9. */
static gboolean read_number(Input *input, const char *what, uint32_t lowest, uint32_t highest,
			    uint32_t *number, GError **error)
{
	skip_space(input);

	gsize start = input->position;
	uint64_t value = 0;
	while (input->position < input->n_bytes &&
	       g_ascii_isdigit((char)input->bytes[input->position]) && value <= highest)
		value = value * 10 + (uint64_t)(input->bytes[input->position++] - '0');

	if (input->position == start) {
		set_error(input, start, error, "%s found instead of the %s; allowed: %u to %u",
			  start == input->n_bytes ? "end of the file" : "no number", what,
			  lowest, highest);
		return FALSE;
	}
	if (value < lowest || value > highest) {
		set_error(input, start, error,
			  "%s %" G_GUINT64_FORMAT "%s found; allowed: %u to %u", what, value,
			  value > highest ? " or more" : "", lowest, highest);
		return FALSE;
	}
	*number = (uint32_t)value;
	return TRUE;
}

static gboolean read_plain(Input *input, Image *image, GError **error)
{
	for (uint64_t i = 0; i < image_size(image); i++) {
		uint32_t pixel;
		if (!read_number(input, "pixel", 0, image->n_levels - 1, &pixel, error))
			return FALSE;
		image->pixels[i] = (uint16_t)pixel;
	}
	return TRUE;
}

static uint16_t big_endian(const uint8_t *bytes)
{
	return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static gboolean read_binary(Input *input, Image *image, GError **error)
{
	for (uint64_t i = 0; i < image_size(image); i++) {
		const uint8_t *bytes = input->bytes + input->position;
		uint16_t pixel = image->pixel_bytes == 1 ? bytes[0] : big_endian(bytes);

		if (pixel >= image->n_levels) {
			set_error(input, input->position, error,
				  "pixel %u found; allowed: 0 to %u, as the header says", pixel,
				  image->n_levels - 1);
			return FALSE;
		}
		image->pixels[i] = pixel;
		input->position += image->pixel_bytes;
	}
	return TRUE;
}

static gboolean read_pgm(Input *input, Image *image, GError **error)
{
	gboolean plain = input->bytes[1] == '2';
	uint32_t highest;

	input->position = 2;
	if (!read_number(input, "width", 1, 1u << 20, &image->width, error) ||
	    !read_number(input, "height", 1, 1u << 20, &image->height, error) ||
	    !read_number(input, "maximum", 1, 65535, &highest, error))
		return FALSE;
	image->n_levels = highest + 1;
	image->pixel_bytes = highest < 256 ? 1 : 2;

	/* One white space, then the pixels. A plain pixel takes a digit and what parts it. */
	gsize start = input->position;
	if (start == input->n_bytes || !g_ascii_isspace((char)input->bytes[start])) {
		set_error(input, start, error, "no white space found after the maximum");
		return FALSE;
	}
	input->position = ++start;
	uint64_t needed =
		image_size(image) * (plain ? 2 : image->pixel_bytes) - (plain ? 1 : 0);
	if (needed > input->n_bytes - start) {
		set_error(input, start, error,
			  "%" G_GSIZE_FORMAT
			  " bytes of pixels found; a %u x %u image has at least "
			  "%" G_GUINT64_FORMAT,
			  input->n_bytes - start, image->width, image->height, needed);
		return FALSE;
	}

	image->pixels = g_new(uint16_t, image_size(image));
	return plain ? read_plain(input, image, error) : read_binary(input, image, error);
}

static gboolean read_iml(Input *input, Image *image, GError **error)
{
	image->width = IML_WIDTH;
	image->height = IML_HEIGHT;
	image->n_levels = IML_LEVELS;
	image->clamped = TRUE;
	image->pixel_bytes = 2;

	uint64_t needed = image_size(image) * image->pixel_bytes;
	if (input->n_bytes != needed) {
		set_error(input, MIN(input->n_bytes, needed), error,
			  "a file of %" G_GSIZE_FORMAT " bytes found; allowed for .iml: "
			  "%" G_GUINT64_FORMAT " (%d x %d pixels of 16 bit)",
			  input->n_bytes, needed, IML_WIDTH, IML_HEIGHT);
		return FALSE;
	}
	image->pixels = g_new(uint16_t, image_size(image));
	for (uint64_t i = 0; i < image_size(image); i++)
		image->pixels[i] = MIN(big_endian(input->bytes + 2 * i), IML_LEVELS - 1);
	return TRUE;
}

Image *image_parse(const char *name, const uint8_t *bytes, gsize n_bytes, GError **error)
{
	g_autoptr(Image) image = g_new0(Image, 1);
	Input input = {.name = name, .bytes = bytes, .n_bytes = n_bytes};
	gboolean good;

	if (g_str_has_suffix(name, ".iml")) {
		good = read_iml(&input, image, error);
	} else if (n_bytes >= 2 && bytes[0] == 'P' && (bytes[1] == '5' || bytes[1] == '2')) {
		good = read_pgm(&input, image, error);
	} else {
		set_error(&input, 0, error,
			  "no grey image found; allowed: PGM (P5 or P2), or a name in .iml");
		good = FALSE;
	}
	if (!good)
		return NULL;
	image->sha256 = g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes, n_bytes);
	return g_steal_pointer(&image);
}

Image *image_read(const char *path, GError **error)
{
	g_autofree char *bytes = NULL;
	gsize length;

	if (!input_read(path, MAX_FILE_BYTES, "an image of up to 1 GiB", &bytes, &length,
			error))
		return NULL;
	return image_parse(path, (const uint8_t *)bytes, length, error);
}

void image_free(Image *image)
{
	if (!image)
		return;
	g_free(image->pixels);
	g_free(image->sha256);
	g_free(image);
}
