#!/usr/bin/env bash
# Tunes an example on PoCL through workers that a one-node Slurm starts: one worker, two at once, and one that the scheduler takes away. Everything lives in
# a temporary folder (munge's key and socket too) and listens on loopback; whatever was started is ended.
#   test-slurm.sh BUILD
set -euo pipefail
build=$(cd "${1:-build/release}" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
hone=$build/bin/hone
worker=$build/bin/hone-worker

missing=()
for package in munge:munged slurmctld:slurmctld slurmd:slurmd slurm-client:srun; do
  PATH=$PATH:/usr/sbin command -v "${package#*:}" >/dev/null || missing+=("${package%%:*}")
done
if [ ${#missing[@]} -gt 0 ]; then
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "test-slurm: not installed: ${missing[*]}; as root: apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
if [ "$(id -u)" -ne 0 ]; then
  echo "test-slurm: Slurm's node daemon starts jobs as root; run this as root" >&2
  exit 1
fi
PATH=$PATH:/usr/sbin:/sbin

work=$(mktemp -d /tmp/hone-slurm.XXXXXX)
chmod 755 "$work"
daemons=()
finish() {
  status=$?
  trap - EXIT
  [ ! -e "$work/slurm.conf" ] || scancel --user=root >/dev/null 2>&1 || true
  for ((i = ${#daemons[@]} - 1; i >= 0; --i)); do
    kill "${daemons[i]}" 2>/dev/null || true
    wait "${daemons[i]}" 2>/dev/null || true
  done
  if [ "$status" -ne 0 ]; then
    tail -n 20 "$work"/*.log >&2 || true
  fi
  rm -rf "$work"
  exit "$status"
}
trap finish EXIT

# Two ports that nobody has.
read -r port_control port_node < <(python3 -c '
import socket
held = [socket.socket() for _ in range(2)]
for one in held: one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in held))')
cores=$(nproc)
[ "$cores" -ge 2 ] || cores=2
mkdir -p "$work"/{munge,state,spool}
chmod 711 "$work/munge"
head -c 1024 /dev/urandom >"$work/munge/key"
chmod 600 "$work/munge/key"
host=$(hostname -s)
cat >"$work/slurm.conf" <<CONF
ClusterName=hone
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
SlurmctldPort=$port_control
SlurmdPort=$port_node
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
KillWait=2
NodeName=node1 NodeHostname=$host NodeAddr=127.0.0.1 CPUs=$cores State=UNKNOWN
PartitionName=all Nodes=node1 Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$work/slurm.conf

munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
  --log-file="$work/munge.log" --seed-file="$work/munge/seed" >"$work/munged.log" 2>&1 &
daemons+=($!)
for _ in $(seq 100); do [ -S "$work/munge/socket" ] && break || sleep 0.1; done
slurmctld -D -c >"$work/slurmctld.log" 2>&1 &
daemons+=($!)
slurmd -D -N node1 >"$work/slurmd.log" 2>&1 &
daemons+=($!)
for _ in $(seq 300); do
  [ "$(sinfo -h -o %T 2>/dev/null)" = idle ] && break
  sleep 0.2
done
sinfo -h -o 'test-slurm: %n with %c cores is %T'
[ "$(sinfo -h -o %T)" = idle ]

# tune NAME OPTION...: the time of the example's variants, through workers that count their jobs in $work/NAME.*.jobs
tune() {
  local name=$1
  shift
  "$hone" tune "$root/examples/naive/vv.cl" --kernel vv --set w=256 --set h=256 --strategy random --no-store -o "$work/$name.cl" "$@" \
    2>&1 | tee "$work/$name.log"
}
counted() { grep -c '"do":"measure"' "$1"; }
count="tee -a"

echo "== one worker"
tune one --budget 2 --device "worker:srun -n1 sh -c '$count $work/one.a.jobs | $worker'"
grep -q '2 variants measured' "$work/one.log"
[ "$(counted "$work/one.a.jobs")" -eq 3 ]

echo "== two workers at once"
tune two --budget 8 --device "worker:srun -n1 sh -c '$count $work/two.a.jobs | $worker'" \
  --device "worker:srun -n1 sh -c '$count $work/two.b.jobs | $worker'"
grep -q '8 variants measured' "$work/two.log"
a=$(counted "$work/two.a.jobs") b=$(counted "$work/two.b.jobs")
echo "test-slurm: the first worker got $a variants, the second $b (the original on both)"
[ "$a" -gt 1 ] && [ "$b" -gt 1 ] && [ $((a + b)) -eq 10 ]

echo "== a worker whose job is cancelled"
(
  while [ ! -e "$work/gone.a.jobs" ] || [ "$(counted "$work/gone.a.jobs")" -lt 3 ]; do sleep 0.1; done
  scancel --user=root
) &
tune gone --budget 6 --device "worker:srun -n1 sh -c '$count $work/gone.a.jobs | $worker'"
wait $!
grep -q 'it is started again' "$work/gone.log"
grep -q '6 variants measured' "$work/gone.log"
[ -z "$(squeue -h)" ] || { sleep 3; [ -z "$(squeue -h)" ]; }
echo "test-slurm: passed"
