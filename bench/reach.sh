#!/usr/bin/env bash
# The tables for kernels as people write them: one step here, one on the machine with the GPU (which needs nvcc, CUPTI and python3, no hone), one here again.
#   reach.sh make WORK HONE LLMC.git HECBENCH.git LIST [CAPTURES]   here: everything that the GPU machine needs, in WORK
#   WORK/reach.sh run [SECONDS [PART…]]                              there: all parts, or some: ladder ml untuned foreign; again goes on where it stopped
#   reach.sh report WORK HONE                                        here, with what came back in WORK: the tables
# LIST: programs of HeCBench (bench/foreign/foreign.py). CAPTURES: folder with a capture of each of them, by foreign.py capture.
# Parts: llm.c's dev/cuda against its versions by hand (foreign/ladder.py), examples/ml (ml/ml.py), the naive examples untuned and tuned (gpu/bench.py), programs of others (foreign/foreign.py).
set -u
here=$(cd "$(dirname "$0")" && pwd)
case ${1:-} in
  make)
    work=$(realpath -m "$2") hone=$(realpath "$3") llmc=$4 hecbench=$5 list=$6 captures=${7:-}
    mkdir -p "$work/foreign"
    cp "$here/reach.sh" "$here/foreign/foreign.py" "$here/foreign/ktime.cpp" "$work/"
    "$here/ml/ml.py" make --hone "$hone" --work "$work/ml" || echo "ml: not all was made"
    "$here/gpu/bench.py" untuned "$work/untuned" --hone "$hone" &&
      "$here/gpu/bench.py" bundles "$work/untuned" --first --also "$work/untuned/untuned" --hone "$hone" || echo "untuned: not all was made"
    "$here/foreign/ladder.py" copy --git "$llmc" --work "$work/ladder" &&
      "$here/foreign/ladder.py" make --hone "$hone" --work "$work/ladder" || echo "ladder: not all was made"
    "$here/foreign/foreign.py" make --git "$hecbench" --list "$list" --hone "$hone" --work "$work/foreign" ${captures:+--captures "$captures"} ||
      echo "foreign: not all was made"
    ;;
  run)
    seconds=${2:-540}
    shift $(($# < 2 ? $# : 2))
    cd "$here" || exit 1
    parts=${*:-ladder ml untuned foreign}
    cuda=${CUDA_HOME:-/usr/local/cuda}
    left() { echo $((seconds - SECONDS)); }
    g++ -O1 -fPIC -shared -I"$cuda/include" ktime.cpp -o ktime.so -L"$cuda/lib64" -lcupti || exit 1
    count=$(echo $parts | wc -w)
    for part in $parts; do
      # Each part gets its share of what is left.
      share=$(($(left) / count)) count=$((count - 1))
      [ "$share" -gt 10 ] || { echo "no time for $part"; continue; }
      echo "== $part, $share s"
      case $part in
        ladder) python3 ladder/ladder.py run --work ladder --seconds "$share" ;;
        ml) python3 ml/ml.py run --work ml --seconds "$share" ;;
        untuned) OUT=$here/untuned WORK=$here/untuned/work untuned/go.sh "$share" ;;
        foreign) python3 foreign.py run --work foreign --ktime "$here/ktime.so" --runs 3 --run-limit 20 --program-limit 6 --seconds "$share" ;;
        *) echo "no part is called $part" ;;
      esac
    done
    # What `report` wants, small enough to be sent back.
    tar czf "${OUT:-$here}/reach-results.tar.gz" $(ls -d ladder/ran.json ml/ran.json untuned/results.tar foreign/ran.jsonl 2>/dev/null)
    ;;
  report)
    work=$(realpath "$2") hone=$(realpath "$3")
    [ ! -f "$work/reach-results.tar.gz" ] || tar xzf "$work/reach-results.tar.gz" -C "$work"
    [ ! -f "$work/ladder/ran.json" ] || { echo "## llm.c"; "$here/foreign/ladder.py" report --work "$work/ladder"; }
    [ ! -f "$work/ml/ran.json" ] || { echo "## examples/ml"; "$here/ml/ml.py" report --work "$work/ml"; }
    [ ! -f "$work/untuned/results.tar" ] || { echo "## untuned and tuned"; "$here/gpu/bench.py" untuned "$work/untuned" --hone "$hone"; }
    [ ! -f "$work/foreign/ran.jsonl" ] || { echo "## programs of others"; "$here/foreign/foreign.py" report --work "$work/foreign"; }
    ;;
  *) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
