/* SPDX-License-Identifier: MIT */
/* The table of keys as a JSON Schema, for editors and other tools. Who may include it: cli. */
#ifndef ATOMSIM_CONFIG_SCHEMA_H
#define ATOMSIM_CONFIG_SCHEMA_H

#include "base/json-shape.h"

/* A config's file, and the config that `atomsim config` prints. */
extern const Shape config_shape;

#endif
