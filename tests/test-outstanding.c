/* SPDX-License-Identifier: MIT */
/* Outstanding between fences (sim/memory/outstanding.h), against a list of all that was sent. */
#include <glib.h>

#include "sim/memory/outstanding.h"

#define MAX_SENT 4096
#define N_STEPS	 20000
#define MAX_OPEN 400 /* fences that are waited for */

typedef struct {
	uint32_t epoch;
	guint n_before; /* sent before it */
} Fence;

typedef struct {
	Outstanding epochs;
	uint32_t token[MAX_SENT];
	gboolean answered[MAX_SENT];
	guint n_sent, n_answered;
	Fence fences[MAX_OPEN];
	guint n_fences;
} Model;

static void begin(Model *model, uint32_t number)
{
	*model = (Model){.epochs = {.first = number, .now = number}};
}

static void send(Model *model)
{
	model->token[model->n_sent++] = outstanding_send(&model->epochs);
}

static void answer(Model *model, guint sent)
{
	model->answered[sent] = TRUE;
	model->n_answered++;
	outstanding_answer(&model->epochs, model->token[sent]);
}

/* Whether all is answered that was sent before the fence. */
static gboolean is_over(const Model *model, const Fence *f)
{
	for (guint i = 0; i < f->n_before; i++)
		if (!model->answered[i])
			return FALSE;
	return TRUE;
}

/* A fence, which is looked at later if it is not over at once. */
static void fence(Model *model)
{
	Fence f = {outstanding_fence(&model->epochs), model->n_sent};

	g_assert_cmpint(outstanding_over(&model->epochs, f.epoch), ==, is_over(model, &f));
	if (!outstanding_over(&model->epochs, f.epoch))
		model->fences[model->n_fences++] = f;
}

static void test_a_fence_waits_for_what_was_sent_before_it(void)
{
	Model *model = g_new(Model, 1);

	begin(model, 0);
	fence(model);
	g_assert_cmpuint(model->n_fences, ==, 0);
	send(model);
	send(model);
	fence(model);
	send(model);
	answer(model, 1);
	answer(model, 2); /* behind the fence */
	g_assert_false(outstanding_over(&model->epochs, model->fences[0].epoch));
	answer(model, 0);
	g_assert_true(outstanding_over(&model->epochs, model->fences[0].epoch));
	g_free(model);
}

/* With fewer fences than N_EPOCHS under way, exactly. */
static void test_random_fences_end_when_they_may(gconstpointer data)
{
	GRand *random = g_rand_new_with_seed(7);
	Model *model = g_new(Model, 1);
	guint n_rounds = 0;

	begin(model, GPOINTER_TO_UINT(data));
	for (guint step = 0; step < N_STEPS; step++) {
		guint what = (guint)g_rand_int_range(random, 0, 10);
		gboolean full = model->n_sent == MAX_SENT || model->n_fences == N_EPOCHS - 2;

		if (what < 4 && !full) {
			send(model);
		} else if (what < 5 && !full) {
			fence(model);
		} else if (model->n_answered < model->n_sent) {
			guint sent = (guint)g_rand_int_range(random, 0, (gint)model->n_sent);

			while (model->answered[sent])
				sent = (sent + 1) % model->n_sent;
			answer(model, sent);
		} else if (full) {
			/* A new round, with numbers that go on. */
			begin(model, model->epochs.now);
			n_rounds++;
		}
		for (guint f = 0; f < model->n_fences; f++)
			g_assert_cmpint(
				is_over(model, &model->fences[f]), ==,
				outstanding_over(&model->epochs, model->fences[f].epoch));
	}
	g_assert_cmpuint(n_rounds, >, 5);
	g_free(model);
	g_rand_free(random);
}

/* More fences than there is room for share an epoch: they wait for more, and never for less. */
static void test_too_many_fences_never_end_too_early(void)
{
	Model *model = g_new(Model, 1);

	begin(model, UINT32_MAX - N_EPOCHS);
	for (guint i = 0; i < MAX_OPEN; i++) {
		send(model);
		fence(model);
	}
	g_assert_cmpuint(model->n_fences, ==, MAX_OPEN);
	for (guint i = 0; i < MAX_OPEN; i++) {
		g_assert_false(
			outstanding_over(&model->epochs, model->fences[MAX_OPEN - 1].epoch));
		answer(model, i);
		for (guint f = 0; f < MAX_OPEN; f++)
			if (outstanding_over(&model->epochs, model->fences[f].epoch))
				g_assert_true(is_over(model, &model->fences[f]));
	}
	for (guint f = 0; f < MAX_OPEN; f++)
		g_assert_true(outstanding_over(&model->epochs, model->fences[f].epoch));
	g_free(model);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/outstanding/a fence waits for what was sent before it",
			test_a_fence_waits_for_what_was_sent_before_it);
	g_test_add_data_func("/outstanding/random fences end when they may",
			     GUINT_TO_POINTER(0), test_random_fences_end_when_they_may);
	g_test_add_data_func("/outstanding/the same where numbers go round",
			     GUINT_TO_POINTER(UINT32_MAX - 5),
			     test_random_fences_end_when_they_may);
	g_test_add_func("/outstanding/too many fences never end too early",
			test_too_many_fences_never_end_too_early);
	return g_test_run();
}
