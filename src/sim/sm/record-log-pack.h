/* SPDX-License-Identifier: MIT */
/* A record as bytes: what differs from another one. Who may include it: sim/sm/record-log.c. */
#ifndef ATOMSIM_SIM_SM_RECORD_LOG_PACK_H
#define ATOMSIM_SIM_SM_RECORD_LOG_PACK_H

#include <glib.h>

#include "base/record.h"

/* Appends what `record` has that `other` has not. */
void record_log_pack(GByteArray *out, const Record *record, const Record *other);
/* Fills the record of which *in, which moves on behind it, was packed with the same `other`. */
void record_log_unpack(const uint8_t **in, Record *record, const Record *other);

#endif
