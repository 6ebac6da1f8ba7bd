#!/bin/bash
# SPDX-License-Identifier: MIT
# The reference paper's worked examples: one warp, given words, one atomic.
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

# rest N: the other lanes, on words N to 31
rest() {
	seq -s ' ' "$1" 31
}

cases() {
	local word
	echo "long: pattern --addresses \"0 1024 $(rest 2)\""
	echo "short: pattern --addresses \"0 32 $(rest 2)\""
	echo "long-long-extra: pattern --addresses \"0 1024 2048 $(rest 3)\""
	echo "long-long-extra-short: pattern --addresses \"0 1024 2048 32 $(rest 4)\""
	echo "long-long-extra-short-short-extra: pattern --addresses \"0 1024 2048 32 1056 $(rest 5)\""
	echo "2 and 3 and 5 lanes: pattern --addresses \"0 0 2 2 2 5 5 5 5 5 $(rest 10)\""
	for word in 0 1 31 500 1023 1024 5000; do
		echo "4 lanes on word $word: pattern --addresses \"$word $word $word $word - - - -\""
	done
}

echo example,cycles
cases | measure cycles | awk -F, -v OFS=, '{ $2 -= 2; print }'
