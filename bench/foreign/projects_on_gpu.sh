#!/usr/bin/env bash
# projects_on_gpu.sh HONE SOURCES OUT SECONDS [PROJECT…]: on the machine with the GPU, the projects of projects.toml built there, plain, first and
# second, all beside each other, each followed by its own tests. SOURCES is what `projects.py export` wrote. OUT gets a folder of each project's
# results: the row of the builds, hone's logs, and what the tests said. What is not done after SECONDS is ended.
set -u
hone=$(realpath "$1") sources=$(realpath "$2") out=$(realpath "$3") limit=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
export TORCH_CUDA_ARCH_LIST=${TORCH_CUDA_ARCH_LIST:-9.0}
work=$(mktemp -d)
one() {  # PROJECT BUILD…
  local at=$work/$1.$2 project=$1
  shift
  timeout $((limit - SECONDS)) python3 "$here/projects.py" make --hone "$hone" --sources "$sources" --work "$at" --only "$project" --builds "$@" >"$at.log" 2>&1
}
all() {  # A PyTorch extension's builds take minutes, so plain and first are made at once.
  local project=$1
  if [ -e "$sources/$project/setup.py" ]; then
    one "$project" plain &
    one "$project" first second
    wait
    mkdir -p "$work/$project.first/programs/$project"
    cp -r "$work/$project.plain/programs/$project/plain" "$work/$project.first/programs/$project/"
    python3 - "$work" "$project" <<'END'
import json, sys
work, project = sys.argv[1:]
whole = json.load(open(f"{work}/{project}.first/{project}.json"))
whole["plain"] = json.load(open(f"{work}/{project}.plain/{project}.json"))["plain"]
json.dump(whole, open(f"{work}/{project}.first/{project}.json", "w"), indent=1)
END
    cat "$work/$project.plain.log" >>"$work/$project.first.log"
  else
    one "$project" plain first second
    mv "$work/$project.plain" "$work/$project.first"
    mv "$work/$project.plain.log" "$work/$project.first.log"
  fi
  python3 "$here/projects.py" stage --work "$work/$project.first" --into "$work/$project.tests" --only "$project"
  python3 "$work/$project.tests/run_projects.py" "$work/$project.tests" 4 $((limit - SECONDS)) >"$work/$project.first/tests.txt" 2>&1
  mkdir -p "$out/$project"
  cp -r "$work/$project.first/logs" "$work/$project.first/tests.txt" "$work/$project.first.log" "$out/$project/"
  cp "$work/$project.first/$project.json" "$out/$project/" 2>/dev/null
  python3 "$here/projects.py" report --work "$work/$project.first" --only "$project" | grep -v '^| ---' | tail -n +2
  tail -n 30 "$work/$project.first/tests.txt"
}
for project; do
  all "$project" &
done
wait
