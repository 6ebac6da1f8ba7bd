#!/bin/bash
# SPDX-License-Identifier: MIT
# How many lock bits, with which hash: histograms that need more locks than words, and some that do not.
# shellcheck source=plots/study/designs.sh
. "$(dirname "$0")/designs.sh"

photograph
make_traces <<END
256,1: histogram --image $image --bins 256 --replicas 1
256,32: histogram --image $image --bins 256 --replicas 32
1024,8: histogram --image $image --bins 1024 --replicas 8
4096,2: histogram --image $image --bins 4096 --replicas 2
END
echo "locks,lock_hash,bank_hash,bins,replicas,$METRIC_NAMES"
for locks in 32 64 128 256 512 1024 2048 4096 8192; do
	for lock_hash in mod xor ipoly; do
		for bank_hash in mod ipoly; do
			replay "$METRICS" --set atomic.lock_bits.ports=0 --set "atomic.locks=$locks" --set "atomic.lock_hash=$lock_hash" \
				--set "shared.bank_hash=$bank_hash" | sed "s/^/$locks,$lock_hash,$bank_hash,/"
		done
	done
done
