/* SPDX-License-Identifier: MIT */
/* Images are read as their formats say, and bad ones are refused with their place. */
#include <string.h>

#include "base/error.h"
#include "workloads/image.h"

static Image *parse(const char *name, const char *bytes, gsize n_bytes)
{
	g_autoptr(GError) error = NULL;
	Image *image = image_parse(name, (const uint8_t *)bytes, n_bytes, &error);

	g_assert_no_error(error);
	return image;
}

static void refused(const char *name, const char *bytes, gsize n_bytes, const char *pattern)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Image) image = image_parse(name, (const uint8_t *)bytes, n_bytes, &error);

	g_assert_null(image);
	g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT);
	if (!g_pattern_match_simple(pattern, error->message))
		g_error("'%s' does not match '%s'", error->message, pattern);
}

/* String literals that hold NUL bytes. */
#define PARSE(literal)		  parse("x.pgm", literal, sizeof(literal) - 1)
#define REFUSED(literal, pattern) refused("x.pgm", literal, sizeof(literal) - 1, pattern)

static void test_binary(void)
{
	g_autoptr(Image) image = PARSE("P5 # a comment\n3 2\n200\n\x00\x01\x02\x03\x04\xc8");
	const uint16_t expected[] = {0, 1, 2, 3, 4, 200};

	g_assert_cmpuint(image->width, ==, 3);
	g_assert_cmpuint(image->height, ==, 2);
	g_assert_cmpuint(image->n_levels, ==, 201);
	g_assert_cmpuint(image->pixel_bytes, ==, 1);
	g_assert_cmpmem(image->pixels, sizeof(expected), expected, sizeof(expected));
	g_assert_cmpuint(strlen(image->sha256), ==, 64);
}

static void test_binary_wide(void)
{
	g_autoptr(Image) image = PARSE("P5\n2 1\n4095\n\x01\x02\x0f\xff");

	g_assert_cmpuint(image->n_levels, ==, 4096);
	g_assert_cmpuint(image->pixel_bytes, ==, 2);
	g_assert_cmpuint(image->pixels[0], ==, 0x102);
	g_assert_cmpuint(image->pixels[1], ==, 4095);
}

static void test_pixel_like_space(void)
{
	/* One white space ends the header: the next byte is a pixel, though it is a line feed. */
	g_autoptr(Image) image = PARSE("P5 2 1 255 \n#");

	g_assert_cmpuint(image->pixels[0], ==, '\n');
	g_assert_cmpuint(image->pixels[1], ==, '#');
}

static void test_plain(void)
{
	g_autoptr(Image) image = PARSE("P2\n2 2 # size\n1000\n0 1\n# row\n999\t1000");
	const uint16_t expected[] = {0, 1, 999, 1000};

	g_assert_cmpuint(image->pixel_bytes, ==, 2);
	g_assert_cmpmem(image->pixels, sizeof(expected), expected, sizeof(expected));
}

static void test_iml(void)
{
	gsize n_bytes = 1536 * 1024 * 2;
	g_autofree char *bytes = g_malloc0(n_bytes);

	memcpy(bytes, "\x01\x02\x0f\xff\x10\x00\xff\xff", 8);
	g_autoptr(Image) image = parse("y.iml", bytes, n_bytes);
	g_assert_cmpuint(image->width, ==, 1536);
	g_assert_cmpuint(image->height, ==, 1024);
	g_assert_cmpuint(image->n_levels, ==, 4096);
	g_assert_true(image->clamped);
	g_assert_cmpuint(image->pixels[0], ==, 0x102);
	g_assert_cmpuint(image->pixels[1], ==, 4095);
	g_assert_cmpuint(image->pixels[2], ==, 4095);
	g_assert_cmpuint(image->pixels[3], ==, 4095);
	g_assert_cmpuint(image->pixels[4], ==, 0);

	refused("y.iml", bytes, n_bytes - 1, "y.iml: byte 3145727: *3145727 bytes*3145728*");
}

static void test_refused(void)
{
	REFUSED("", "x.pgm: byte 0: *allowed: PGM*");
	REFUSED("P6 1 1 255 abc", "x.pgm: byte 0: *");
	REFUSED("P5", "x.pgm: byte 2: end of the file*width*");
	REFUSED("P5 0 1 255 a", "x.pgm: byte 3: width 0 found; allowed: 1 to *");
	REFUSED("P5 1 x 255 a", "x.pgm: byte 5: no number*height*");
	REFUSED("P5 1 -1 255 a", "x.pgm: byte 5: no number*height*");
	REFUSED("P5 1 1 0 a", "x.pgm: byte 7: maximum 0 found; allowed: 1 to 65535");
	REFUSED("P5 1 1 65536 aa", "x.pgm: byte 7: maximum 65536 *");
	REFUSED("P5 1 1 255a", "x.pgm: byte 10: no white space*");
	REFUSED("P5 2 1 100 de", "x.pgm: byte 12: pixel 101 found; allowed: 0 to 100*");
	REFUSED("P2 2 1 100 7 101", "x.pgm: byte 13: pixel 101 *found; allowed: 0 to 100");
	REFUSED("P2 2 1 100 7 x", "x.pgm: byte 13: no number*pixel*");
}

static void test_bombs(void)
{
	/* None of these may allocate what it claims: 2 TiB. */
	REFUSED("P5 1048576 1048576 65535 a", "*1 bytes of pixels found*2199023255552*");
	REFUSED("P2 1048576 1048576 255 1", "*1 bytes of pixels found*");
	REFUSED("P5 99999999999999999999999 1 255 a", "*width *or more found*");
}

static void test_cut(void)
{
	static const char bytes[] = "P5 #c\n3 2 999\n\0\0\1\0\1\0\1\0\1\0\1\7 and more";
	gsize whole = sizeof(bytes) - 1 - strlen(" and more");

	for (gsize n = 0; n < whole; n++)
		refused("x.pgm", bytes, n, "x.pgm: byte *");
	for (gsize n = whole; n < sizeof(bytes); n++) {
		g_autoptr(Image) image = parse("x.pgm", bytes, n);
		g_assert_cmpuint(image->pixels[5], ==, 0x107);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/image/binary pgm of 8 bit is read", test_binary);
	g_test_add_func("/image/binary pgm of 16 bit is big-endian", test_binary_wide);
	g_test_add_func("/image/a first pixel that looks like white space is a pixel",
			test_pixel_like_space);
	g_test_add_func("/image/plain pgm is read", test_plain);
	g_test_add_func("/image/iml is clamped to 12 bit", test_iml);
	g_test_add_func("/image/bad images are refused with byte, found and allowed",
			test_refused);
	g_test_add_func("/image/a header larger than the file allocates nothing", test_bombs);
	g_test_add_func(
		"/image/every cut of an image is refused, and more than an image ignored",
		test_cut);
	return g_test_run();
}
