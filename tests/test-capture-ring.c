/* SPDX-License-Identifier: MIT */
/* The way of events from the GPU to the file, with threads in the place of warps; what a launch that failed leaves. */
#include <glib.h>
#include <stdarg.h>
#include <string.h>

#include "gpu/capture/inject.h"

#define RING_BYTES     8192
#define WARPS	       4
#define EVENTS_OF_WARP 20000

/* What the library calls. */
static guint64 n_events, n_bad;
static GString *said;

SanitizerResult sanitizerAllocHost(CUcontext context, void **memory, size_t bytes)
{
	(void)context;
	*memory = g_malloc(bytes);
	return SANITIZER_SUCCESS;
}

int inject_good(SanitizerResult result, const char *what)
{
	(void)what;
	return result == SANITIZER_SUCCESS;
}

void inject_say(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_string_append_vprintf(said, format, arguments);
	va_end(arguments);
}

void inject_write_chunk(uint32_t kind, uint32_t launch, const void *bytes, uint64_t n)
{
	g_assert_cmpuint(kind, ==, RAW_CHUNK_EVENTS);
	g_assert_cmpuint(launch, ==, 7);
	for (uint64_t at = 0; at < n; n_events++) {
		const RawEvent *event =
			(const RawEvent *)(gconstpointer)((const char *)bytes + at);
		guint n_lanes = (guint)__builtin_popcount(event->mask);

		n_bad += event->kind != RAW_GLOBAL || event->pc != 64 + event->detail ||
			 ((const uint64_t *)(event + 1))[n_lanes - 1] != event->detail;
		at += RAW_EVENT_BYTES(event->kind, event->flags, event->bytes, n_lanes);
	}
}

static RawDevice device;

static volatile uint64_t *unit(uint64_t number)
{
	return (volatile uint64_t *)(uintptr_t)device.ring + (number & (device.capacity - 1));
}

/* Writes all of an event but its first unit, as a warp does before it makes its accesses. Returns where it begins. */
static uint64_t write_event(uint32_t mask, uint8_t bytes, uint32_t flags, uint64_t address,
			    uint32_t detail)
{
	RawEvent event = {.mask = mask,
			  .kind = RAW_GLOBAL,
			  .bytes = bytes,
			  .flags = flags,
			  .detail = detail};
	guint n_lanes = (guint)__builtin_popcount(mask);
	uint64_t units = RAW_EVENT_BYTES(event.kind, flags, bytes, n_lanes) / 8;
	uint64_t at = __atomic_fetch_add(&device.cursor, units, __ATOMIC_SEQ_CST), words[4];

	while (at + units - *(volatile uint64_t *)(uintptr_t)device.consumed > device.capacity)
		g_usleep(10);
	memcpy(words, &event, sizeof(event));
	for (guint i = 1; i < 4; i++)
		*unit(at + i) = words[i];
	for (guint i = 0; i < n_lanes; i++)
		*unit(at + 4 + i) = address;
	for (uint64_t i = 4 + n_lanes; i < units; i++)
		*unit(at + i) = UINT64_MAX;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	return at;
}

static gpointer run_warp(gpointer data)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed((guint32)GPOINTER_TO_UINT(data));

	for (uint32_t i = 0; i < EVENTS_OF_WARP; i++) {
		uint32_t mask = g_rand_boolean(rand) ? UINT32_MAX : 1u << i % 32;
		uint8_t bytes = i % 5 == 4 ? 12 : (uint8_t)(1u << i % 5);
		uint64_t at = write_event(mask, bytes, RAW_READ | RAW_VALUES, i, i);

		*unit(at) = 64 + i;
	}
	return NULL;
}

static Ring *start(void)
{
	Ring *ring = ring_take(NULL, 7, RING_BYTES);

	memset(&device, 0, sizeof(device));
	ring_describe(ring, &device);
	g_assert_true(ring_start(ring));
	return ring;
}

/* Each event comes whole, however often the ring has gone round. */
static void all_events_come_whole(void)
{
	Ring *ring = start();
	GThread *warps[WARPS];

	n_events = n_bad = 0;
	for (guint i = 0; i < WARPS; i++)
		warps[i] = g_thread_new("warp", run_warp, GUINT_TO_POINTER(i + 1));
	for (guint i = 0; i < WARPS; i++)
		g_thread_join(warps[i]);
	ring_finish(ring, device.cursor, 0);
	g_assert_cmpuint(n_events, ==, WARPS * EVENTS_OF_WARP);
	g_assert_cmpuint(n_bad, ==, 0);
}

/* A launch that fails leaves the access that it failed at; the next one finds the ring empty. */
static void a_launch_that_fails_leaves_its_last_access(void)
{
	static const struct {
		uint64_t address;
		uint32_t flags;
		const char *words;
	} rows[] = {
		{0x1ffc, RAW_READ, "alone may still access memory out of bounds"},
		{0x1ffd, RAW_READ,
		 "kernel k: block 0, warp 0 reads 4 bytes at 0x1ffd, which no allocation "
		 "holds: it is 4093 bytes after the start of one of 4096"},
		{0x5000, RAW_WRITE, "writes 4 bytes at 0x5000"},
		{0x20, RAW_READ, "before all allocations"},
	};
	const RawMemory memory[] = {{0x8000, 64}, {0x1000, 4096}};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		Ring *ring = start();

		said = g_string_new(NULL);
		*unit(write_event(1, 4, RAW_READ, 0, 0)) = 64;
		write_event(0xf, 4, RAW_READ | RAW_VALUES, 0x1000, 0);
		write_event(1, 4, rows[i].flags, rows[i].address, 0);
		while (*(volatile uint64_t *)(uintptr_t)device.consumed < 5)
			g_usleep(10);
		ring_finish(ring, 0, 1);
		stray_say(ring, memory, G_N_ELEMENTS(memory), "k");
		g_assert_nonnull(strstr(said->str, rows[i].words));
		g_string_free(said, TRUE);
	}
	all_events_come_whole();
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/capture/ring/all events come whole", all_events_come_whole);
	g_test_add_func("/capture/ring/a launch that fails leaves its last access",
			a_launch_that_fails_leaves_its_last_access);
	return g_test_run();
}
