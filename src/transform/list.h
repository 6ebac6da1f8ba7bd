/* SPDX-License-Identifier: MIT */
/* The list of changes from within. Only files of transform include it. */
#ifndef ATOMSIM_TRANSFORM_LIST_H
#define ATOMSIM_TRANSFORM_LIST_H

#include "transform/change.h"

struct WhatIf {
	GPtrArray *changes;    /* of Change */
	GPtrArray *settings;   /* of the changes that are of the machine; ends in NULL */
	GPtrArray *mechanisms; /* names that changes give to arrays; ends in NULL */
};

#endif
