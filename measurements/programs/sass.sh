#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Looks whether the assembler kept every link of the chains of `latency`: prints those whose
# opcode stands there less often than it was written, 128 times. Two adds or minima make one
# instruction, and HFMA2 takes turns with HFMA2.MMA; those are expected at 64.
#
#   sass.sh LATENCY

set -eu
table="imad:IMAD lop3:LOP3 shf:SHF prmt:PRMT fadd:FADD fmul:FMUL ffma:FFMA dadd:DADD dfma:DFMA
mufu_ex2:MUFU mufu_rsq:MUFU mufu_sin:MUFU f2i:F2I i2f:I2F popc:POPC flo:FLO brev:BREV
isetp_sel:ISETP fsetp_fsel:FSETP shfl_idx:SHFL shfl_bfly:SHFL shfl_down:SHFL match_any:MATCH
redux_add:REDUX ldc_reg:LDC lds32:LDS lds64:LDS.64 lds128:LDS.128 sts_lds32:STS atoms_add:ATOMS
atoms_exch:ATOMS atoms_cas:ATOMS atoms_min:ATOMS atoms_and:ATOMS ldg64_l1:LDG ldg64_l2:LDG
atomg_add64:ATOMG atomg_cas64:ATOMG iadd3_of_two:IADD3 vimnmx_of_two:VIMNMX hfma2:HFMA2"
dump=$(cuobjdump --dump-sass "$1")
status=0
for pair in $table; do
	count=$(echo "$dump" | awk -v op="${pair%%:*}" -v code="${pair##*:}" '
		/Function/ { inside = $0 ~ "N2op" length(op) op "E" || $0 ~ "IN2op" length(op) op }
		inside && index($0, " " code) && /^[[:space:]]*\/\*[0-9a-f]+\*\// { n++ }
		END { print n + 0 }')
	case ${pair%%:*} in iadd3_of_two | vimnmx_of_two | hfma2) least=64 ;; *) least=128 ;; esac
	if [ "$count" -lt "$least" ]; then
		echo "${pair%%:*}: $count x ${pair##*:} found, $least written" >&2
		status=1
	fi
done
exit $status
