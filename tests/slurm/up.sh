#!/usr/bin/env bash
# Start a Slurm of one node, this machine, for the test alone: up.sh FOLDER. Needs root.
# It listens on the loopback, keeps its files in FOLDER, and ends with down.sh FOLDER.
set -euo pipefail
"$(dirname "$0")/possible.sh"
PATH="$PATH:/usr/sbin"

folder=$(realpath -m "$1")
host=$(hostname -s)
cpus=$(nproc)
memory=$(awk '/MemTotal/ {print int($2 / 1024) - 1024}' /proc/meminfo)
mkdir -p "$folder"/{munge,state,spool,log} /etc/slurm
# munged insists that nobody else can write to any folder above its socket and key.
chmod 755 "$folder"
chmod 700 "$folder/munge"
sockets=$(mktemp -d /run/munge-test-XXXX)
chmod 755 "$sockets"
echo "$sockets" >"$folder/sockets"
(umask 077; head -c 1024 /dev/urandom >"$folder/munge/munge.key")

cat >"$folder/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$sockets/munge.sock
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPort=16817
SlurmdPort=16818
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.log
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=5
MinJobAge=86400
ReturnToService=2
MpiDefault=none
MailProg=/bin/true
SwitchType=switch/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus Sockets=1 CoresPerSocket=$cpus ThreadsPerCore=1 RealMemory=$memory State=UNKNOWN
PartitionName=test Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
# At the standard place, because the executor hides SLURM_CONF from the jobs.
ln -s "$folder/slurm.conf" /etc/slurm/slurm.conf

munged --key-file="$folder/munge/munge.key" --socket="$sockets/munge.sock" \
  --pid-file="$folder/munged.pid" --log-file="$folder/munge/munged.log" \
  --seed-file="$folder/munge/munged.seed"
slurmctld -c
slurmd -c
for _ in $(seq 100); do
  if sinfo --noheader --format=%T 2>/dev/null | grep -q idle; then exit 0; fi
  sleep 0.1
done
echo "Slurm did not start; the ends of its logs:" >&2
tail -n 20 "$folder"/log/*.log >&2
exit 1
