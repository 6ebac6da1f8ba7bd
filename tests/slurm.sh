#!/bin/bash
# SPDX-License-Identifier: MIT
# A sweep on a real Slurm: one node on this machine, an array of 16 tasks from --emit slurm. One task
# is killed with kill -9 and requeued; merged, the shards must be the bytes of one process.
# Everything runs in a folder of its own, on ports of its own, and goes away at the end. Needs root,
# slurm-wlm and munge; without them it says so and exits with 77.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
cd "$work" || exit 99

lacking() {
	echo "$*"
	exit 77
}
[ "$(id -u)" -eq 0 ] || lacking "a Slurm of one's own needs root"
PATH=$PATH:/usr/sbin
for program in munged slurmctld slurmd sbatch; do
	command -v $program >/dev/null || lacking "no $program: install slurm-wlm and munge"
done

# --- Slurm on one node ---

daemons=()
stop_daemons() {
	[ -z "${job:-}" ] || scancel "$job" 2>/dev/null
	for ((i = ${#daemons[@]} - 1; i >= 0; i--)); do
		kill "${daemons[i]}" 2>/dev/null
	done
	wait
	rm -rf "$work"
}
trap stop_daemons EXIT

# daemon NAME COMMAND...: started in the background, its talk in NAME.log
daemon() {
	local name=$1
	shift
	"$@" >"$work/$name.log" 2>&1 &
	daemons+=($!)
}

# give_up WHAT: the daemons' last words, and out
give_up() {
	not_ok "$1" <(tail -n 15 "$work"/*.log)
	done_testing
	exit 1
}

# within SECONDS COMMAND...: until it succeeds
within() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.1
	done
}

chmod 755 "$work"
mkdir state spool results
dd if=/dev/urandom of=munge.key bs=1 count=1024 status=none
chmod 600 munge.key
export SLURM_CONF=$work/slurm.conf
# Ports that nobody else has by chance: Slurm's own are 6817 and 6818.
port=$((20000 + $$ % 20000))
cat >slurm.conf <<END
ClusterName=atomsim
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
ReturnToService=2
KillWait=1
SchedulerParameters=sched_interval=1,bf_interval=1
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc)
PartitionName=all Nodes=$(hostname -s) Default=YES State=UP
END

daemon munged munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge.socket" \
	--pid-file="$work/munged.pid" --log-file="$work/munged-own.log" --seed-file="$work/munge.seed"
within 10 test -S munge.socket || give_up "munged starts"
daemon slurmctld slurmctld -D -c
daemon slurmd slurmd -D
is_idle() {
	sinfo -h -o %T 2>/dev/null | grep -qx idle
}
within 30 is_idle || give_up "Slurm starts"
ok "Slurm starts"

# --- The sweep, whole and in an array ---

"$ATOMSIM" gen voting --words 64 --blocks 32 --warps 16 --steps 8 -o trace.bin
sweep=("$ATOMSIM" sweep --config "$SOURCE/configs/fermi.json" --vary "atomic.locks=32..1024:*2"
	--vary "atomic.lock_hash=mod,xor" --vary "sm.max_warps=16..44:+4" --jobs 1 trace.bin)
"${sweep[@]}" -o whole 2>said || give_up "the sweep runs in one process"
"${sweep[@]}" -o results --emit slurm --shards 16 >job.sh

# The program that the job file starts. Task 5 is stopped at its first point, to be killed there.
cat >stopped-atomsim <<'END'
#!/bin/bash
[ "$SLURM_ARRAY_TASK_ID" = 5 ] || exec "$REAL_ATOMSIM" "$@"
echo started >>starts
[ "$(wc -l <starts)" -eq 1 ] || exec "$REAL_ATOMSIM" "$@"
"$REAL_ATOMSIM" "$@" &
until [ -s results/shard-5/journal.jsonl ]; do sleep 0.002; done
kill -STOP $!
echo $! >stopped
wait $!
END
chmod +x stopped-atomsim
export ATOMSIM_CONFIG_PATH REAL_ATOMSIM=$ATOMSIM ATOMSIM=$work/stopped-atomsim
job=$(sbatch --parsable --output=slurm-%a.log job.sh 2>sbatch.log) || give_up "the job file is accepted"
ok "the job file is accepted"

# Task 5 dies in the middle of its work.
within 60 test -s stopped || give_up "task 5 begins to work"
kill -9 "$(cat stopped)"
has_failed() {
	scontrol show job "${job}_5" 2>/dev/null | grep -q JobState=FAILED
}
within 30 has_failed || give_up "the killed task has failed"
check "a task that was killed leaves an unfinished shard" test ! -e results/shard-5/results.jsonl
n_safe=$(wc -l <results/shard-5/journal.jsonl)
refuses_to_merge() {
	! "$REAL_ATOMSIM" sweep merge -o early results/shard-*
}
check "the unfinished shard cannot be merged" refuses_to_merge
scontrol requeue "${job}_5" || give_up "the killed task can be requeued"

all_done() {
	# It may sit out a while in which its node could recover: not here.
	scontrol update jobid="${job}_5" starttime=now 2>/dev/null
	[ -z "$(squeue -h -j "$job" 2>/dev/null)" ]
}
within 120 all_done || give_up "all tasks end"
check "the requeued task went on" grep -q "($n_safe more found)" slurm-5.log
check "it was started twice" test "$(wc -l <starts)" -eq 2
check "16 shards merge" "$REAL_ATOMSIM" sweep merge -o merged results/shard-*
check "merged, they are the bytes of one process" diff -r whole merged
job=
done_testing
