/* SPDX-License-Identifier: MIT */
/*
 * GLib's locks, for the thread sanitizer. GLib waits with the kernel's futexes itself and is not
 * instrumented, so the sanitizer does not see that a GMutex, a GCond or a GAsyncQueue orders anything,
 * and would report each use as a race. These take the place of GLib's functions in a program that is
 * built with it: they call them, and say what they order. What GLib does within is not looked at.
 */
#define _GNU_SOURCE
#include <dlfcn.h>

#include <glib.h>
#include <sanitizer/tsan_interface.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

void(g_mutex_lock)(GMutex *mutex)
{
	REAL(g_mutex_lock)(mutex);
	__tsan_acquire(mutex);
}

gboolean(g_mutex_trylock)(GMutex *mutex)
{
	gboolean taken = REAL(g_mutex_trylock)(mutex);

	if (taken)
		__tsan_acquire(mutex);
	return taken;
}

void(g_mutex_unlock)(GMutex *mutex)
{
	__tsan_release(mutex);
	REAL(g_mutex_unlock)(mutex);
}

void(g_cond_wait)(GCond *cond, GMutex *mutex)
{
	__tsan_release(mutex);
	REAL(g_cond_wait)(cond, mutex);
	__tsan_acquire(mutex);
}

void(g_async_queue_push)(GAsyncQueue *queue, gpointer data)
{
	__tsan_release(queue);
	REAL(g_async_queue_push)(queue, data);
}

gpointer(g_async_queue_pop)(GAsyncQueue *queue)
{
	gpointer data = REAL(g_async_queue_pop)(queue);

	__tsan_acquire(queue);
	return data;
}

gpointer(g_async_queue_try_pop)(GAsyncQueue *queue)
{
	gpointer data = REAL(g_async_queue_try_pop)(queue);

	__tsan_acquire(queue);
	return data;
}

gpointer(g_async_queue_timeout_pop)(GAsyncQueue *queue, guint64 timeout)
{
	gpointer data = REAL(g_async_queue_timeout_pop)(queue, timeout);

	__tsan_acquire(queue);
	return data;
}
