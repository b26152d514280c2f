#!/usr/bin/env bash
# breaks.sh RUNS BREAKS: programs that `builds.py stage` laid out, rewritten, with cuda-gdb (a GPU is needed). A breakpoint at a
# line of the user's must be hit in the kernel that hone wrote, and be shown at that file and line. BREAKS is from `lines.py --breaks`.
set -u
runs=$(realpath "$1") breaks=$(realpath "$2") hits=0 all=0
while IFS=$'\t' read -r program place kernel; do
  command=$(python3 -c 'import json, sys
for line in open(sys.argv[1]):
    row = json.loads(line)
    if row["program"] == sys.argv[2]: print(row["command"].removeprefix("./main"))' "$runs/made.jsonl" "$program")
  cd "$runs/$program/changed/$program" || continue
  all=$((all + 1))
  [ -x with-lines ] || nvcc -g -G -std=c++17 -arch=native --expt-relaxed-constexpr -I../include ./*.cu -o with-lines >with-lines.log 2>&1 ||
    { echo "$program: does not build"; continue; }
  # shellcheck disable=SC2086
  timeout 25 cuda-gdb -batch -ex "set pagination off" -ex "set breakpoint pending on" -ex "break $place" -ex run -ex "bt 1" -ex "info line" \
    -ex kill --args ./with-lines $command >gdb.txt 2>&1 </dev/null
  shown=$(grep -m1 -E '^#0 ' gdb.txt)
  if grep -q 'hit Breakpoint' gdb.txt && [[ $shown == *"${place%%:*}:"* ]]; then
    hits=$((hits + 1)); echo "$program: $place is hit: $shown"
  else
    echo "$program: $place is NOT hit in $kernel: $(tail -n 2 gdb.txt | tr '\n' ' ')"
  fi
done <"$breaks"
echo "$hits of $all breakpoints are hit in the user's text"
[ "$hits" = "$all" ]
