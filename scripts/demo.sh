#!/usr/bin/env bash
# Shows hone on the examples: what it sees in a kernel, kernels made faster and patched into their file, and kernels and a whole
# program on the embedded device.
set -euo pipefail
hone=$1
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"

bold='' plain=''
[ -t 1 ] && bold=$'\033[1m' plain=$'\033[0m'
say() { printf '\n%s$ hone %s%s\n' "$bold" "$*" "$plain"; }
show() {
  say "$@"
  "$hone" "${@//\'\'/}"
}

show explain examples/matmul.cu
show opt examples/matmul.cu --diff
show opt examples/naive/mv.cu --reassociate --diff
show survey examples
show verify examples/transpose.cu examples/transpose_tiled.cu
show profile examples/matmul.cu --set w=256
show run test/programs/clean/heat_solver.cu
printf '\nBuilt: %s. More: hone --help, examples/, README.md.\n' "$hone"
