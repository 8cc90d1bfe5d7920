#!/usr/bin/env bash
# Stop what up.sh started: down.sh FOLDER. Does nothing where nothing runs.
folder=$(realpath -m "$1")
standard=/etc/slurm/slurm.conf
[ "$(readlink "$standard")" = "$folder/slurm.conf" ] || exit 0
scancel --user "$(id -un)" 2>/dev/null
for name in slurmd slurmctld munged; do
  pid=$(cat "$folder/$name.pid" 2>/dev/null) || continue
  kill "$pid" 2>/dev/null
  for _ in $(seq 100); do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  kill -9 "$pid" 2>/dev/null
done
rm "$standard"
rm -r "$(cat "$folder/sockets")"
