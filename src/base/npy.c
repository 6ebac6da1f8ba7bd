/* SPDX-License-Identifier: MIT */
#include "base/npy.h"

#include <string.h>

#include "base/error.h"
#include "base/input.h"

#define MAGIC	     "\x93NUMPY"
#define MAGIC_BYTES  6
#define FIXED_BYTES  10 /* magic, version, and the header's length of version 1 */
#define HEADER_BYTES 65536

typedef struct {
	const char *path;
	const char *data; /* behind the header */
	gsize n_bytes;	  /* of the data */
	char *header;	  /* ends in NUL; g_free */
	guint width;	  /* of a value */
} Npy;

gboolean npy_has_name(const char *path)
{
	return g_str_has_suffix(path, ".npy");
}

static gboolean fail(const Npy *npy, GError **error, const char *found, const char *allowed)
{
	atomsim_fail(error, ATOMSIM_ERROR_INPUT, "%s: %s found; allowed: %s", npy->path, found,
		     allowed);
	return FALSE;
}

/* Little endian, wherever it lies. */
static guint64 number_at(const char *bytes, guint n)
{
	guint64 number = 0;

	for (guint i = n; i-- > 0;)
		number = number << 8 | (guint8)bytes[i];
	return number;
}

static gboolean find_header(Npy *npy, const char *text, gsize length, GError **error)
{
	const guint version = length > MAGIC_BYTES ? (guint8)text[MAGIC_BYTES] : 0;
	const guint width = version == 1 ? 2 : 4;
	const gsize begin = FIXED_BYTES - 2 + width;
	guint64 bytes;

	if (length < FIXED_BYTES || memcmp(text, MAGIC, MAGIC_BYTES) != 0)
		return fail(npy, error, "no array of NumPy", "what numpy.save writes");
	if (version < 1 || version > 3)
		return fail(npy, error, "another version of .npy", "1 to 3");
	bytes = length < begin ? 0 : number_at(text + FIXED_BYTES - 2, width);
	if (bytes == 0 || bytes > HEADER_BYTES || bytes > length - begin)
		return fail(npy, error, "a header that is cut off", "what numpy.save writes");
	npy->header = g_strndup(text + begin, bytes);
	npy->data = text + begin + bytes;
	npy->n_bytes = length - begin - bytes;
	return TRUE;
}

/* What follows 'KEY': in the header; NULL: it has none. */
static const char *value_of(const Npy *npy, const char *key)
{
	g_autofree char *quoted = g_strdup_printf("'%s':", key);
	const char *at = strstr(npy->header, quoted);

	if (at == NULL)
		return NULL;
	at += strlen(quoted);
	return at + strspn(at, " ");
}

static gboolean read_type(Npy *npy, GError **error)
{
	const char *type = value_of(npy, "descr"), *order = value_of(npy, "fortran_order");
	g_autofree char *found = NULL;

	npy->width = type == NULL		       ? 0
		     : g_str_has_prefix(type, "'<i4'") ? 4
		     : g_str_has_prefix(type, "'<i8'") ? 8
						       : 0;
	if (npy->width == 0) {
		found = type ? g_strdup_printf("the type %.*s", (int)strcspn(type, ","), type)
			     : g_strdup("no type");
		return fail(npy, error, found,
			    "'<i4' or '<i8', as of .astype(numpy.int32) or numpy.int64");
	}
	if (order == NULL || !g_str_has_prefix(order, "False"))
		return fail(npy, error, "columns one after the other",
			    "rows, as of numpy.ascontiguousarray");
	return TRUE;
}

static gboolean read_shape(const Npy *npy, NpyIndices *indices, GError **error)
{
	const char *shape = value_of(npy, "shape");
	guint64 sizes[2] = {0, 1};
	guint n = 0;

	if (shape == NULL || *shape++ != '(')
		return fail(npy, error, "no shape", "what numpy.save writes");
	while (g_ascii_isdigit(*shape)) {
		char *end = NULL;
		const guint64 size = g_ascii_strtoull(shape, &end, 10);

		if (n < 2)
			sizes[n] = size;
		n++;
		shape = end + strspn(end, ", ");
	}
	if (n < 1 || n > 2 || *shape != ')')
		return fail(npy, error, "another shape", "one or two dimensions");
	if (sizes[0] == 0 || sizes[1] == 0)
		return fail(npy, error, "no value", "one or more");
	if (sizes[0] > NPY_MAX_BYTES || sizes[1] > NPY_MAX_BYTES ||
	    sizes[0] * sizes[1] * npy->width != npy->n_bytes)
		return fail(npy, error, "another number of bytes than its shape has",
			    "a whole file");
	indices->rows = sizes[0];
	indices->columns = sizes[1];
	return TRUE;
}

static gboolean read_values(const Npy *npy, gint64 least, gint64 most, NpyIndices *indices,
			    GError **error)
{
	const gsize n = indices->rows * indices->columns;
	g_autofree gint64 *values = g_new(gint64, n);

	for (gsize i = 0; i < n; i++) {
		const guint64 bits = number_at(npy->data + i * npy->width, npy->width);

		values[i] = npy->width == 4 ? (gint32)bits : (gint64)bits;
		if (values[i] < least || values[i] > most)
			return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
					    "%s: row %" G_GSIZE_FORMAT
					    ", column %" G_GSIZE_FORMAT ": %" G_GINT64_FORMAT
					    " found; allowed: 0 to %" G_GINT64_FORMAT
					    ", or -1 for an inactive lane",
					    npy->path, i / indices->columns,
					    i % indices->columns, values[i], most);
	}
	indices->values = g_steal_pointer(&values);
	return TRUE;
}

gboolean npy_read(const char *path, gint64 least, gint64 most, NpyIndices *indices,
		  GError **error)
{
	Npy npy = {.path = path};
	g_autofree char *text = NULL;
	gsize length;
	gboolean good;

	*indices = (NpyIndices){0};
	if (!input_read(path, NPY_MAX_BYTES, "an array of NumPy", &text, &length, error))
		return FALSE;
	good = find_header(&npy, text, length, error) && read_type(&npy, error) &&
	       read_shape(&npy, indices, error) &&
	       read_values(&npy, least, most, indices, error);
	g_free(npy.header);
	return good;
}
