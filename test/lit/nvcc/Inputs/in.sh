#!/bin/sh
# in.sh HONE CLANG RUNTIME_INCLUDE FOLDER COMMAND…: runs the command there, with a cache of the folder's own and the
# stand-in for nvcc. Without a time of its own a build has as long as it needs: what is rewritten in the usual time hangs on
# the machine.
export STANDIN_HONE="$1" STANDIN_CLANG="$2" STANDIN_INCLUDE="$3"
mkdir -p "$4" && cd "$4" || exit 1
shift 4
: "${HONE_TIME_LIMIT=300}" "${HONE_CACHE=$PWD/cache}" "${STANDIN_RECORD=$PWD/record}" "${HONE_NVCC=$(dirname "$0")/nvcc.sh}"
export HONE_TIME_LIMIT HONE_CACHE STANDIN_RECORD HONE_NVCC
exec "$@"
