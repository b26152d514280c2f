#!/usr/bin/env bash
# compile.sh ROOT COMPILER ARGUMENT...: runs the compiler through ccache, so that checkouts of hone share what it keeps.
root=$1
shift
# Paths into the build folder, which is the current one, are made relative: they are part of what ccache compares.
arguments=("${@//"$PWD/"/}")

# A precompiled header names absolute paths, so it is made anew in each checkout; files compiled with it are told apart by the
# content of the headers that went into it.
if [[ " $* " == *" -emit-pch "* ]]; then
  "$@" || exit
  for ((i = 1; i < $#; i++)); do
    [ "${!i}" = -MF ] && next=$((i + 1)) && depfile=${!next}
    [ "${!i}" = -o ] && next=$((i + 1)) && output=${!next}
  done
  sed -e 's/^[^ ]*:[ \\]*//' -e 's/ *\\$//' "$depfile" | tr -s ' ' '\n' | grep . | xargs cat | sha256sum >"$output.sum"
  exit
fi

export CCACHE_NOHASHDIR=1 CCACHE_BASEDIR=$root CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1
# Depend mode: a file that is not in the cache is read once, not preprocessed first.
export CCACHE_DEPEND=1
exec ccache "${arguments[@]}"
