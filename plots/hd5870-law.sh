#!/bin/bash
# SPDX-License-Identifier: MIT
# Equations 1 to 4 of Elteir, Lin and Feng (IEEE Cluster 2011): 64 lanes, x = 96/18, an update in local memory at 1/14
# and at 1 of a transaction.
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

law() {
	"$ATOMSIM" model --law elteir --groups 1,8,32,128 --format csv --t-fast 14 --t-complete 74.6666666666666667 "$@"
}
law --t-local 1
law --t-local 14 | tail -n +2
