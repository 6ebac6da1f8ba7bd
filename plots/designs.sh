#!/bin/bash
# SPDX-License-Identifier: MIT
# Each shipped design on each shipped trace, and what its hardware costs (docs/papers/designs.md).
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

# Those of one GPU: times of another one's clock are not to be compared.
export ATOMSIM_TRACE_PATH="$SOURCE/traces"
"$ATOMSIM" list designs | awk '/GTX 580/ { print "--config"; print $1 }' |
	xargs "$ATOMSIM" table --format csv
