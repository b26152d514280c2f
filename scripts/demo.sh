#!/usr/bin/env bash
# Shows hone on the examples: a program built with it and no edit, what it sees in a kernel, kernels made faster and patched into their file, kernels and a whole program on
# the embedded device, and a kernel tuned by measuring.
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

out=build/demo
mkdir -p "$out"
devices=$("$hone" devices 2>/dev/null || true)

# hone in a build, with nothing changed in it. Without a GPU `hone build` takes nvcc's place behind hone-nvcc: the program is for the
# embedded device then.
drop_in() (
  project=$out/multifile bin=$(cd "$(dirname "$hone")" && pwd)
  rm -rf "$project"
  cp -r examples/multifile "$project"
  export PATH="$bin:$PATH" HONE_TIME_LIMIT=60
  case $devices in
    *cuda:*) ;;
    *)
      printf '#!/bin/sh\nexec "%s" build "$@"\n' "$bin/hone" > "$out/nvcc-stand-in"
      chmod +x "$out/nvcc-stand-in"
      export HONE_NVCC=$root/$out/nvcc-stand-in
      ;;
  esac
  printf '\n%s$ HONE_TIME_LIMIT=60 make -C %s NVCC=hone-nvcc%s\n' "$bold" "$project" "$plain"
  make --no-print-directory -C "$project" NVCC=hone-nvcc
  "$project/particles" > "$out/with.txt"
  HONE_OFF=1 "$project/particles" > "$out/without.txt"
  cmp "$out/with.txt" "$out/without.txt" && echo 'The program prints the same with the kernels that hone wrote and with its own.'
)

drop_in
show explain examples/matmul.cu
show opt examples/matmul.cu --diff
show opt examples/naive/mv.cu --reassociate --diff
show survey examples
show verify examples/transpose.cu examples/transpose_tiled.cu
show profile examples/matmul.cu --set w=256
show run test/programs/clean/heat_solver.cu

# An example tuned on what is there: a GPU, else the CPU through OpenCL. Where nothing is faster there, as may well be on a CPU, and where
# there is neither, on the embedded device by its model.
tune_on() {
  device=$1 file=$2
  shift 2
  tuned=$out/${file##*/}
  show tune "$file" --device "$device" "$@" --reassociate --assume-noalias --budget 8 --minutes 0.5 --no-store \
    -o "$tuned" --report "$out/report.html" 2> >(tee "$out/tune.log" >&2)
  wait $!  # for what the log gets
  grep -q '^chosen: ' "$out/tune.log"
}
case $devices in
  *cuda:*) tune_on cuda examples/naive/mm.cu --set m=1024 --set n=1024 --set k=1024 || found=none ;;
  *opencl:*) tune_on opencl examples/naive/mm.cl --set m=256 --set n=256 --set k=256 || found=none ;;
  *) found=none ;;
esac
if [ "${found:-}" = none ]; then
  printf '\nBy the model of the embedded device, for an H200:\n'
  tune_on embedded examples/naive/mm.cu --target h200 --set m=256 --set n=256 --set k=256 || true
fi
say "… writes $tuned:"
diff -u "$file" "$tuned" | sed -n '3,$p' | sed -n '/^+/s/^.//p' || true
printf '\nBuilt: %s. More: hone --help, examples/, README.md.\n' "$hone"
printf 'Tuned: %s, %s.\nWhat was changed, why, and what it brought: file://%s\n' "$tuned" \
  "$(sed -n 's/^chosen: //p' "$out/tune.log" | grep . || echo 'nothing is faster than the original')" "$root/$out/report.html"
