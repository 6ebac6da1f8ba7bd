/* SPDX-License-Identifier: MIT */
/* Expressions of lanes: an operator works on all of them before the next one does; what does not name the lane is worked out once. */
#include <string.h>

#include "trace/text/operators.h"

#define EACH_LANE(i, lanes)                                                                    \
	for (LaneMask left_ = (lanes); left_ != 0; left_ &= left_ - 1)                         \
		for (guint i = (guint)__builtin_ctzll(left_), once_ = 1; once_; once_ = 0)

static gboolean same(const Expression *e, const TextState *state, LaneMask lanes,
		     gint64 *numbers, GError **error)
{
	gint64 number;

	if (!expression_number(e, state, &number, error))
		return FALSE;
	EACH_LANE(i, lanes)
	numbers[i] = number;
	return TRUE;
}

/* Of those lanes the ones whose number is not 0. */
static gboolean true_lanes(const Expression *e, const TextState *state, LaneMask lanes,
			   LaneMask *are, GError **error)
{
	gint64 numbers[MAX_LANES];

	*are = 0;
	if (!expression_lanes(e, state, lanes, numbers, error))
		return FALSE;
	EACH_LANE(i, lanes)
	*are |= (LaneMask)(numbers[i] != 0) << i;
	return TRUE;
}

/* The right side counts where the left one does not decide. */
static gboolean both(const Expression *e, const TextState *state, LaneMask lanes,
		     gint64 *numbers, GError **error)
{
	LaneMask left, right = 0, open;

	if (!true_lanes(e->operand[0], state, lanes, &left, error))
		return FALSE;
	open = e->number == OPERATOR_AND ? left : lanes & ~left;
	if (open != 0 && !true_lanes(e->operand[1], state, open, &right, error))
		return FALSE;
	EACH_LANE(i, lanes)
	numbers[i] = ((open >> i & 1 ? right : left) >> i & 1) != 0;
	return TRUE;
}

static gboolean choice(const Expression *e, const TextState *state, LaneMask lanes,
		       gint64 *numbers, GError **error)
{
	LaneMask are;

	return true_lanes(e->operand[0], state, lanes, &are, error) &&
	       (are == 0 || expression_lanes(e->operand[1], state, are, numbers, error)) &&
	       (are == lanes ||
		expression_lanes(e->operand[2], state, lanes & ~are, numbers, error));
}

static gboolean binary(const Expression *e, const TextState *state, LaneMask lanes,
		       gint64 *numbers, GError **error)
{
	gint64 right[MAX_LANES];

	if (!expression_lanes(e->operand[0], state, lanes, numbers, error) ||
	    !expression_lanes(e->operand[1], state, lanes, right, error))
		return FALSE;
	EACH_LANE(i, lanes)
	if (!operator_compute(e->number, numbers[i], right[i], &numbers[i]))
		return operator_fail(e, state, numbers[i], right[i], error);
	return TRUE;
}

static gboolean is_in(const Expression *e, const TextState *state, LaneMask lanes,
		      gint64 *numbers, GError **error)
{
	gint64 sought[MAX_LANES], item[MAX_LANES];

	if (!expression_lanes(e->operand[0], state, lanes, sought, error))
		return FALSE;
	memset(numbers, 0, MAX_LANES * sizeof(*numbers));
	for (const Expression *of = e->operand[1]; of != NULL; of = of->next) {
		if (!expression_lanes(of, state, lanes, item, error))
			return FALSE;
		EACH_LANE(i, lanes)
		numbers[i] |= item[i] == sought[i];
	}
	return TRUE;
}

/* Operands that do not name the lane may be texts. */
static gboolean function(const Expression *e, const TextState *state, LaneMask lanes,
			 gint64 *numbers, GError **error)
{
	const OperatorFunction *row = &operator_functions[e->number];
	gint64 operand[G_N_ELEMENTS(e->operand)][MAX_LANES];
	TextValue operands[G_N_ELEMENTS(e->operand)] = {{0}};
	g_autoptr(GArray) list = NULL;

	for (guint k = 0; k < row->n_operands; k++)
		if (e->operand[k]->by_lane
			    ? !expression_lanes(e->operand[k], state, lanes, operand[k], error)
			    : !expression_value(e->operand[k], state, &operands[k], error))
			return FALSE;
	/* A lane's own number is a list of one item. */
	if (!e->operand[0]->by_lane)
		list = operator_list(e, state, operands);
	EACH_LANE(i, lanes)
	{
		TextValue value = {0};

		for (guint k = 0; k < row->n_operands; k++)
			if (e->operand[k]->by_lane)
				operands[k].number = operand[k][i];
		if (e->operand[0]->by_lane) {
			g_clear_pointer(&list, g_array_unref);
			list = operator_list(e, state, operands);
		}
		if (!operator_call(e, state, list, operands, &value, error) ||
		    !operator_number(e, state, &value, &numbers[i], error))
			return FALSE;
	}
	return TRUE;
}

gboolean expression_lanes(const Expression *e, const TextState *state, LaneMask lanes,
			  gint64 numbers[MAX_LANES], GError **error)
{
	if (!e->by_lane)
		return same(e, state, lanes, numbers, error);
	switch (e->kind) {
	case EXPRESSION_VARIABLE:
		EACH_LANE(i, lanes)
		numbers[i] = i;
		return TRUE;
	case EXPRESSION_CHOICE:
		return choice(e, state, lanes, numbers, error);
	case EXPRESSION_BINARY:
		return (e->number <= OPERATOR_AND ? both : binary)(e, state, lanes, numbers,
								   error);
	case EXPRESSION_IN:
		return is_in(e, state, lanes, numbers, error);
	default:
		return function(e, state, lanes, numbers, error);
	}
}
