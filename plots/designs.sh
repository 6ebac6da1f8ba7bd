#!/bin/bash
# SPDX-License-Identifier: MIT
# Each shipped design on each shipped trace, and what its hardware costs (docs/designs.md).
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

ATOMSIM_TRACE_PATH="$SOURCE/traces" "$ATOMSIM" table --config 'designs/*' --format csv
