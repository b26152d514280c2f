#!/usr/bin/env bash
# Times a tiled matrix product on the embedded device with all checks on, and under Oclgrind with race checking where it is
# installed; start-up, parsing and building are left out on both sides. Then small launches of many kinds (sim/classes.cu), as
# seconds on the clock and seconds of all cores, with checks and without. Usage: bench/device.sh BUILD_FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?usage: bench/device.sh BUILD_FOLDER}
ninja -C "$build" time_device >/dev/null
ours=$("$build/bin/time_device" "$here/sim/matmul.cl" matmul 64 20)
large=$("$build/bin/time_device" "$here/sim/matmul.cl" matmul 512 1)
unchecked=$("$build/bin/time_device" "$here/sim/matmul.cl" matmul 512 1 fast)
echo "embedded device, 64x64x64, all checks:     $ours"
echo "embedded device, 512x512x512, all checks:  $large"
echo "embedded device, 512x512x512, no checks:   $unchecked"
ninja -C "$build" hone hone_cudart >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/bin/hone" build "$here/sim/classes.cu" -o "$work/classes"
"$work/classes" >"$work/checked"
HONE_RUN_FAST=1 "$work/classes" >"$work/fast"
echo "kind of work      all checks        no checks"
paste "$work/checked" "$work/fast" | awk '{ printf "%-12s %8.3f %8.3f %8.3f %8.3f\n", $1, $2, $3, $5, $6 }'
if ! command -v oclgrind >/dev/null || ! ninja -C "$build" time_opencl >/dev/null 2>&1; then
  echo "Oclgrind: not installed, no comparison"
  exit 0
fi
times=()
for _ in 1 2 3; do times+=("$(oclgrind --data-races "$build/bin/time_opencl" "$here/sim/matmul.cl" matmul 64 | awk '/seconds/{print $1}')"); done
median=$(printf '%s\n' "${times[@]}" | sort -n | sed -n 2p)
echo "Oclgrind --data-races, 64x64x64:           $median seconds (median of 3)"
awk -v a="$median" -v b="${ours%% *}" 'BEGIN { printf "ratio:                                     %.0f times as fast\n", a / b }'
