/* SPDX-License-Identifier: MIT */
/*
 * What an SM has sent to the memory side, by the fences of the device between: a fence waits for all that any warp of
 * its SM has sent before it. Each fence behind something opens an epoch, unless N_EPOCHS are open. Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_MEMORY_OUTSTANDING_H
#define ATOMSIM_SIM_MEMORY_OUTSTANDING_H

#include <stdbool.h>
#include <stdint.h>

#define EPOCH_BITS 7
#define N_EPOCHS   (1u << EPOCH_BITS)

typedef struct {
	uint32_t first, now; /* of the first something is under way, or it is the last */
	uint32_t n_pending[N_EPOCHS]; /* of number e: [e % N_EPOCHS] */
} Outstanding;

/* Something is sent; returns what its answer has to bring. */
static inline uint32_t outstanding_send(Outstanding *epochs)
{
	epochs->n_pending[epochs->now % N_EPOCHS]++;
	return epochs->now % N_EPOCHS;
}

/* Whether all is answered that was sent in the epoch and before. */
static inline bool outstanding_over(const Outstanding *epochs, uint32_t epoch)
{
	uint32_t ahead = epochs->first - epoch;

	/* Numbers go round. */
	return ahead == 0 ? epochs->n_pending[epoch % N_EPOCHS] == 0 : ahead < UINT32_MAX / 2;
}

/* An answer has come. */
static inline void outstanding_answer(Outstanding *epochs, uint32_t sent)
{
	epochs->n_pending[sent]--;
	while (epochs->first != epochs->now && epochs->n_pending[epochs->first % N_EPOCHS] == 0)
		epochs->first++;
}

/* A fence: returns the epoch that has to be over for it. If that is over at once, it is not to be asked for later: others may
   send in it. */
static inline uint32_t outstanding_fence(Outstanding *epochs)
{
	uint32_t epoch = epochs->now;

	if (!outstanding_over(epochs, epoch) && epoch - epochs->first < N_EPOCHS - 1)
		epochs->now++;
	return epoch;
}

#endif
