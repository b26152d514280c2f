#!/bin/sh
# Stands for nvcc where there is none: programs for the embedded device (hone build), PTX by Clang, dependencies
# by Clang's preprocessor, and what tests want to know or to go wrong.
#   STANDIN_HONE, STANDIN_CLANG, STANDIN_INCLUDE  hone, clang, and the folder of hone_cuda.h
#   STANDIN_RECORD                                file that takes a line for each call
#   STANDIN_REFUSE                                text in the command line that makes it fail; it names words that hold it
for word in "$@"; do
  case $word in
    --version | -V) echo "nvcc: stand-in, release 13.0"; exit 0 ;;
    --help | -h) echo "stand-in: no help"; exit 0 ;;
  esac
done
[ -z "$STANDIN_RECORD" ] || echo "nvcc $*" >> "$STANDIN_RECORD"
echo "stand-in: to stdout"
if [ -n "$STANDIN_REFUSE" ]; then
  case "$*" in
    *"$STANDIN_REFUSE"*)
      echo "stand-in: error: refused $STANDIN_REFUSE" >&2
      for word in "$@"; do case $word in *"$STANDIN_REFUSE"*) echo "$word: error: refused" >&2 ;; esac; done
      exit 3 ;;
  esac
fi
[ -z "$STANDIN_STATUS" ] || { echo "stand-in: error of the user's" >&2; exit "$STANDIN_STATUS"; }
[ -z "$STANDIN_SIGNAL" ] || kill "-$STANDIN_SIGNAL" $$

case " $* " in
  *" -E "* | *" -M "* | *" -MM "* | *" -dryrun "* | *" -lib "* | *" -dlink "*) exit 0 ;;
esac

# nvcc's words as those of Clang's preprocessor.
output= source= folders= depends= dependencies= target= ptx= expect=
for word in "$@"; do
  case $expect in
    output) output=$word; expect=; continue ;;
    file) dependencies=$word; expect=; continue ;;
    target) target=$word; expect=; continue ;;
    host) folders="$folders $(echo "$word" | tr , ' ')"; expect=; continue ;;
  esac
  case $word in
    -o) expect=output ;;
    -MF) expect=file ;;
    -MT) expect=target ;;
    -Xcompiler) expect=host ;;
    -MD | -MMD) depends=1 ;;
    -ptx) ptx=1 ;;
    -I* | -D*) folders="$folders $word" ;;
    *.cu | *.cpp) source=$word ;;
  esac
done
base=$(basename "$source" .cu)
if [ -n "$depends" ]; then
  [ -n "$dependencies" ] || dependencies=${output:+${output%.*}.d}
  "$STANDIN_CLANG" -x c++ -M -MT "${target:-${output:-$base.o}}" $folders "$source" > "${dependencies:-$base.d}" || exit 1
fi
if [ -n "$ptx" ]; then
  exec "$STANDIN_CLANG" -x cuda -nocudainc -nocudalib --cuda-device-only --cuda-gpu-arch=sm_90 \
    --cuda-feature=+ptx85 -gline-tables-only -S -I "$STANDIN_INCLUDE" -I "$STANDIN_INCLUDE/cuda_stub" -include "$STANDIN_INCLUDE/hone_cuda.h" \
    $folders "$source" -o "${output:-$base.ptx}"
fi
HONE_OFF= exec "$STANDIN_HONE" build "$@"
