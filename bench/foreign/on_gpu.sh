#!/usr/bin/env bash
# on_gpu.sh OUT SECONDS [RUNS BREAKS] [PROJECTS]: on the machine with the GPU, what was prepared elsewhere, most telling first; nothing is begun
# after SECONDS. RUNS: what `builds.py stage` laid out; BREAKS: of `lines.py --breaks`; PROJECTS: what `projects.py stage` wrote.
# Builds run beside each other on all cores before anything is timed; kernels are timed one program at a time.
set -u
out=$(realpath "$1") limit=$2 runs=${3:-} breaks=${4:-} projects=${5:-}
here=$(cd "$(dirname "$0")" && pwd) cuda=${CUDA_HOME:-/usr/local/cuda}
left() { echo $((limit - SECONDS)); }
say() { echo "== $* after $SECONDS s"; }

g++ -O1 -fPIC -shared -I"$cuda/include" "$here/ktime.cpp" -o "$out/ktime.so" -L"$cuda/lib64" -lcupti || exit 1
if [ -n "$breaks" ]; then
  cut -f1 "$breaks" | xargs -P "$(nproc)" -I{} sh -c "cd '$runs'/{}/changed/{} &&
    nvcc -g -G -std=c++17 -arch=native --expt-relaxed-constexpr -I../include *.cu -o with-lines >with-lines.log 2>&1"
fi
if [ -n "$projects" ]; then
  say projects
  timeout "$(left)" python3 "$projects/run_projects.py" "$projects" 4
fi
if [ -n "$runs" ]; then
  say kernels
  python3 "$here/foreign.py" run --work "$runs" --ktime "$out/ktime.so" --runs 3 --run-limit 20 --program-limit 6 --seconds $(($(left) - 60))
  cp "$runs/ran.jsonl" "$out/"
fi
if [ -n "$breaks" ] && [ "$(left)" -gt 10 ]; then
  say breakpoints
  timeout "$(left)" "$here/breaks.sh" "$runs" "$breaks"
fi
say end
