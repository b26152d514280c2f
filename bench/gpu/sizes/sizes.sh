#!/bin/sh
# Tuning over several sizes, and the dispatch that comes of it against the original at sizes that were not tuned for (docs/results/sizes.md).
#   sizes.sh bundle HONE DIR       here: a bundle for each kernel; then DIR/KERNEL/run on the machine with the GPU
#   sizes.sh ingest HONE DIR       here: KERNEL_tuned.cu of what came back
#   sizes.sh time DIR              there, with nvcc: lines "kernel,size,original,original again,tuned,spread,spread of tuned,error,verdict,launches"
set -e
here=$(cd "$(dirname "$0")" && pwd)
include=$here/../../../runtime/include

tune() {  # HONE KERNEL OPTIONS...
  hone=$1 kernel=$2
  shift 2
  case $kernel in
    mm) set -- --sizes 'm=128..2048; n=m; k=m' --sizes 'm=4096; n=256; k=256' --sizes 'm=64; n=64; k=8192' "$@" ;;
    mv) set -- --sizes 'w=256,1024,2048,4096; h=w' --sizes 'w=16384; h=128' --sizes 'w=128; h=65536' --reassociate "$@" ;;
    tp) set -- --sizes 'w=512,1024,2048,4096,8192; h=w' --sizes 'w=16384; h=256' "$@" ;;
    rd) set -- --sizes 'n=4096,65536,1048576,4194304,16777216' --reassociate "$@" ;;
  esac
  "$hone" tune "$here/$kernel.cu" --no-store --budget 28 "$@" -- -DENTRY=run -I "$include"
}

case $1 in
  bundle)
    mkdir -p "$3"
    for kernel in mm mv tp rd; do tune "$2" $kernel --bundle "$3/$kernel"; done
    ;;
  ingest)
    for kernel in mm mv tp rd; do tune "$2" $kernel --ingest "$3/$kernel" -o "$3/${kernel}_tuned.cu"; done
    ;;
  time)
    cd "$2"
    for kernel in mm mv tp rd; do
      nvcc -O3 -arch=native -I "$include" -DENTRY=run_original -c "$here/$kernel.cu" -o ${kernel}_original.o
      nvcc -O3 -arch=native -I "$include" -DENTRY=run_tuned -c ${kernel}_tuned.cu -o ${kernel}_tuned.o
      nvcc -O3 -arch=native -o bench_$kernel "$here/bench.cu" ${kernel}_original.o ${kernel}_tuned.o
    done
    for round in 1 2; do
      ./bench_mm mm 100x100x100 200x200x200 333x333x333 640x640x640 700x900x500 1000x1000x1000 1536x1536x1536 1999x2001x2000 3000x3000x3000 96x96x4000
      ./bench_mv mv 100x100 500x500 777x777 1500x1500 3000x3000 6000x6000 10000x1000 1000x10000 300x20000 200x100000
      ./bench_tp tp 256x256 300x300 700x700 1000x1000 1536x1536 3000x3000 5000x5000 6144x6144 10000x333 640x12000
      ./bench_rd rd 1000 10000 16000 17000 40000 100000 500000 2000000 10000000 50000000
    done
    ;;
  *)
    sed -n '2,5s/^# //p' "$0" >&2
    exit 2
    ;;
esac
