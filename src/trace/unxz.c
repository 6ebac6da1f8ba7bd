/* SPDX-License-Identifier: MIT */
#include "trace/unxz.h"

#include <errno.h>
#include <lzma.h>
#include <string.h>

/* What xz -9 needs to decompress is 65 MiB; more is refused. */
#define MEMORY_BYTES (UINT64_C(128) << 20)
#define STORED_BYTES 65536
#define N_PIECES     3 /* one is read, one is written, one is ready */

struct Unxz {
	FILE *file;
	guint64 n_read;
	lzma_stream decoder;
	uint8_t stored[STORED_BYTES];
	UnxzPiece *given; /* to the reader; NULL: none yet */
	UnxzPiece pieces[N_PIECES];
	GAsyncQueue *empty, *full; /* of UnxzPiece */
	GThread *thread;	   /* NULL: the reader's own does it */
	gint stop;		   /* atomically */
};

static const char *problem_of(lzma_ret status)
{
	switch (status) {
	case LZMA_BUF_ERROR:
		return "the xz file is cut off";
	case LZMA_MEMLIMIT_ERROR:
	case LZMA_MEM_ERROR:
		return "decompressing it needs more than 128 MiB of memory; compress with xz "
		       "-9 or "
		       "less";
	default:
		return "the xz file is damaged";
	}
}

/* Fills a piece, or as much of it as there is. */
static void fill(Unxz *unxz, UnxzPiece *piece)
{
	lzma_stream *decoder = &unxz->decoder;
	lzma_ret status = LZMA_OK;

	decoder->next_out = (uint8_t *)piece->text;
	decoder->avail_out = sizeof piece->text;
	piece->reason = 0;
	while (decoder->avail_out > 0 && status == LZMA_OK) {
		if (decoder->avail_in == 0) {
			decoder->next_in = unxz->stored;
			decoder->avail_in =
				fread(unxz->stored, 1, sizeof unxz->stored, unxz->file);
			unxz->n_read += decoder->avail_in;
			if (decoder->avail_in == 0 && ferror(unxz->file)) {
				piece->reason = errno;
				break;
			}
		}
		status = lzma_code(decoder, decoder->avail_in == 0 ? LZMA_FINISH : LZMA_RUN);
	}
	piece->n = sizeof piece->text - decoder->avail_out;
	piece->n_read = unxz->n_read;
	piece->last = status != LZMA_OK || piece->reason != 0;
	piece->problem =
		status == LZMA_OK || status == LZMA_STREAM_END ? NULL : problem_of(status);
}

static gpointer work(gpointer data)
{
	Unxz *unxz = data;
	gboolean last = FALSE;
	UnxzPiece *piece;

	while (!last) {
		piece = g_async_queue_pop(unxz->empty);
		if (g_atomic_int_get(&unxz->stop))
			break;
		fill(unxz, piece);
		last = piece->last; /* before it is the reader's */
		g_async_queue_push(unxz->full, piece);
	}
	return NULL;
}

Unxz *unxz_new(FILE *file, const uint8_t *begun, size_t n, gboolean ahead)
{
	Unxz *unxz = g_new(Unxz, 1);

	unxz->file = file;
	unxz->n_read = n;
	unxz->given = NULL;
	unxz->thread = NULL;
	unxz->stop = FALSE;
	unxz->decoder = (lzma_stream)LZMA_STREAM_INIT;
	if (lzma_stream_decoder(&unxz->decoder, MEMORY_BYTES, LZMA_CONCATENATED) != LZMA_OK) {
		g_free(unxz);
		return NULL;
	}
	g_assert(n <= sizeof unxz->stored);
	memcpy(unxz->stored, begun, n);
	unxz->decoder.next_in = unxz->stored;
	unxz->decoder.avail_in = n;
	unxz->empty = g_async_queue_new();
	unxz->full = g_async_queue_new();
	for (guint i = 0; i < N_PIECES; i++)
		g_async_queue_push(unxz->empty, &unxz->pieces[i]);
	if (ahead)
		unxz->thread = g_thread_try_new("unxz", work, unxz, NULL);
	return unxz;
}

const UnxzPiece *unxz_next(Unxz *unxz)
{
	if (unxz->given != NULL)
		g_async_queue_push(unxz->empty, unxz->given);
	if (unxz->thread != NULL) {
		unxz->given = g_async_queue_pop(unxz->full);
	} else {
		unxz->given = g_async_queue_pop(unxz->empty);
		fill(unxz, unxz->given);
	}
	return unxz->given;
}

void unxz_free(Unxz *unxz)
{
	if (unxz == NULL)
		return;
	g_atomic_int_set(&unxz->stop, TRUE);
	g_async_queue_push(unxz->empty, &unxz->pieces[0]); /* the thread may wait for one */
	if (unxz->thread != NULL)
		g_thread_join(unxz->thread);
	g_async_queue_unref(unxz->empty);
	g_async_queue_unref(unxz->full);
	lzma_end(&unxz->decoder);
	g_free(unxz);
}
