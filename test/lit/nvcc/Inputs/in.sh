#!/bin/sh
# in.sh HONE CLANG RUNTIME_INCLUDE FOLDER COMMAND…: runs the command there, with a cache of the folder's own and the
# stand-in for nvcc.
export STANDIN_HONE="$1" STANDIN_CLANG="$2" STANDIN_INCLUDE="$3"
mkdir -p "$4" && cd "$4" || exit 1
shift 4
: "${HONE_CACHE=$PWD/cache}" "${STANDIN_RECORD=$PWD/record}" "${HONE_NVCC=$(dirname "$0")/nvcc.sh}"
export HONE_CACHE STANDIN_RECORD HONE_NVCC
exec "$@"
