/* SPDX-License-Identifier: MIT */
/* What a capture says happened to each allocation before a launch. */
#include <glib.h>
#include <stdarg.h>
#include <string.h>

#include "gpu/capture/inject.h"

/* What the library calls, and what it wrote last. */
static RawMemory memory[8];
static struct {
	RawHistory head;
	unsigned char before[8];
} history;
static RawCode code;
static guint n_memory;

SanitizerResult sanitizerEnableDomain(uint32_t enable, Sanitizer_SubscriberHandle subscriber,
				      Sanitizer_CallbackDomain domain)
{
	(void)enable, (void)subscriber, (void)domain;
	return SANITIZER_SUCCESS;
}

int inject_good(SanitizerResult result, const char *what)
{
	(void)what;
	return result == SANITIZER_SUCCESS;
}

void inject_write_chunk(uint32_t kind, uint32_t launch, const void *bytes, uint64_t n)
{
	g_assert_cmpuint(launch, ==, 3);
	g_assert_cmpuint(n % 8, ==, 0);
	if (kind == RAW_CHUNK_MEMORY) {
		g_assert_cmpuint(n, <=, sizeof(memory));
		memcpy(memory, bytes, n);
		n_memory = (guint)(n / sizeof(*memory));
	} else if (kind == RAW_CHUNK_CODE) {
		g_assert_cmpuint(n, ==, sizeof(code));
		memcpy(&code, bytes, n);
	} else {
		g_assert_cmpuint(kind, ==, RAW_CHUNK_HISTORY);
		g_assert_cmpuint(n, <=, sizeof(history));
		memcpy(&history, bytes, n);
	}
}

/* What the allocation at an address has met. */
static guint before(uint64_t address)
{
	history_write(3, (Earlier){0, 0}, 40);
	g_assert_cmpuint(history.head.n_memory, ==, n_memory);
	for (guint i = 0; i < n_memory; i++)
		if (memory[i].address == address)
			return history.before[i];
	g_assert_not_reached();
}

static void allocate(uint64_t address, uint64_t bytes, uint32_t flags)
{
	const Sanitizer_ResourceMemoryData data = {address, bytes, flags};

	history_allocated(&data);
}

static void release(uint64_t address)
{
	const Sanitizer_ResourceMemoryData data = {address, 0, 0};

	history_freed(&data);
}

static void copy(uint64_t address, uint64_t bytes, Sanitizer_MemcpyDirection direction)
{
	const Sanitizer_MemcpyData data = {address, bytes, direction};

	history_copied(&data);
}

static void set(uint64_t address, uint64_t width, uint64_t height)
{
	const Sanitizer_MemsetData data = {address, width, height, 4};

	history_set(&data);
}

static void use(uint64_t address)
{
	const uint64_t parameters[] = {17, address, 0};

	history_used(parameters, sizeof(parameters));
}

static void test_last(void)
{
	g_assert_true(history_subscribe(NULL));
	allocate(0x1000, 0x1000, 0);
	allocate(0x8000, 0x1000, SANITIZER_MEMORY_FLAG_MANAGED);
	g_assert_cmpuint(before(0x1000), ==, RAW_BEFORE_FRESH);
	g_assert_cmpuint(before(0x8000), ==, RAW_BEFORE_FRESH | RAW_BEFORE_MANAGED);

	copy(0x1000, 0x1000, SANITIZER_MEMCPY_DIRECTION_HOST_TO_DEVICE);
	copy(0x1000, 0x1000, SANITIZER_MEMCPY_DIRECTION_HOST_TO_DEVICE);
	g_assert_cmpuint(before(0x1000), ==, RAW_BEFORE_COPIED);
	set(0x1000, 0x100, 4);
	g_assert_cmpuint(before(0x1000), ==, RAW_BEFORE_SET);
	use(0x1fff);
	g_assert_cmpuint(before(0x1000), ==, RAW_BEFORE_USED);
	copy(0x1000, 0x1000, SANITIZER_MEMCPY_DIRECTION_DEVICE_TO_HOST);
	g_assert_cmpuint(before(0x1000), ==, RAW_BEFORE_USED);
	copy(0x1800, 0x800, SANITIZER_MEMCPY_DIRECTION_DEVICE_TO_DEVICE);
	g_assert_cmpuint(before(0x1000), ==, RAW_BEFORE_SET);
	g_assert_cmpuint(before(0x8000), ==, RAW_BEFORE_FRESH | RAW_BEFORE_MANAGED);
	use(0x8000);
	g_assert_cmpuint(before(0x8000), ==, RAW_BEFORE_USED | RAW_BEFORE_MANAGED);
	release(0x1000);
	release(0x8000);
}

/* A small part says nothing of the rest, unless that is new. */
static void test_parts(void)
{
	allocate(0x31000, 0x1000, 0);
	copy(0x31000, 8, SANITIZER_MEMCPY_DIRECTION_HOST_TO_DEVICE);
	g_assert_cmpuint(before(0x31000), ==, RAW_BEFORE_COPIED);
	use(0x31000);
	copy(0x31000, 0x7ff, SANITIZER_MEMCPY_DIRECTION_HOST_TO_DEVICE);
	g_assert_cmpuint(before(0x31000), ==, RAW_BEFORE_USED);
	copy(0x31000, 0x800, SANITIZER_MEMCPY_DIRECTION_HOST_TO_DEVICE);
	g_assert_cmpuint(before(0x31000), ==, RAW_BEFORE_REUSED);
	copy(0x31000, 0x1000, SANITIZER_MEMCPY_DIRECTION_HOST_TO_DEVICE);
	g_assert_cmpuint(before(0x31000), ==, RAW_BEFORE_REUSED);
	/* Outside of all. */
	use(0x32000);
	use(0x30fff);
	set(0x32000, 0x1000, 0);
	g_assert_cmpuint(before(0x31000), ==, RAW_BEFORE_REUSED);
	release(0x31000);
}

static void test_freed(void)
{
	guint n;

	allocate(0x51000, 0x1000, 0);
	allocate(0x54000, 0x1000, 0);
	use(0x54000);
	release(0x51800); /* where none begins */
	history_memory(&n);
	g_assert_cmpuint(n, ==, 2);
	release(0x51000);
	history_memory(&n);
	g_assert_cmpuint(n, ==, 1);
	g_assert_cmpuint(before(0x54000), ==, RAW_BEFORE_USED);
	release(0x54000);
	/* Memory that was used is handed out again; what was not is as new. */
	allocate(0x54800, 0x1000, 0);
	g_assert_cmpuint(before(0x54800), ==, RAW_BEFORE_REUSED);
	copy(0x54800, 0x1000, SANITIZER_MEMCPY_DIRECTION_HOST_TO_DEVICE);
	g_assert_cmpuint(before(0x54800), ==, RAW_BEFORE_REUSED);
	allocate(0x60000, 0x1000, 0);
	release(0x60000);
	allocate(0x60000, 0x1000, 0);
	g_assert_cmpuint(before(0x60000), ==, RAW_BEFORE_FRESH);
	release(0x54800);
	release(0x60000);
}

/* How many functions are new since the last launch of one. */
static void test_new_kernels(void)
{
	static const struct {
		guint function, launches, new_kernels;
	} rows[] = {
		{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {2, 0, 0}, {0, 2, 2}, {0, 3, 0},
		{1, 1, 1}, {2, 1, 0}, {3, 0, 0}, {2, 2, 1}, {1, 2, 1}, {0, 4, 1},
	};
	static const char others[4 * 16];

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		const Earlier earlier = history_launched(others + rows[i].function * 16);

		g_assert_cmpuint(earlier.launches, ==, rows[i].launches);
		g_assert_cmpuint(earlier.new_kernels, ==, rows[i].new_kernels);
		history_write(3, earlier, 10 + i);
		g_assert_cmpuint(code.registers, ==, 10 + i);
		g_assert_cmpuint(code.new_kernels, ==, rows[i].new_kernels);
	}
}

#define N_FREE (16384 - 4) /* places that test_new_kernels leaves */

static void test_launches(void)
{
	static char functions[20000 * 16];

	for (guint round = 0; round < 3; round++)
		for (guint i = 0; i < N_FREE; i++)
			g_assert_cmpuint(history_launched(functions + i * 16).launches, ==,
					 round);
	/* There is no room for another. */
	g_assert_cmpuint(history_launched(functions + N_FREE * 16).launches, ==,
			 RAW_LAUNCHES_UNKNOWN);
	g_assert_cmpuint(history_launched(functions).launches, ==, 3);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/capture/history/the-last-counts", test_last);
	g_test_add_func("/capture/history/parts", test_parts);
	g_test_add_func("/capture/history/freed", test_freed);
	g_test_add_func("/capture/history/new-kernels", test_new_kernels);
	g_test_add_func("/capture/history/launches", test_launches);
	return g_test_run();
}
