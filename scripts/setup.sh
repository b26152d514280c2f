#!/usr/bin/env bash
# Installs the packages hone is built and tested with; quick when nothing is missing.
#   setup.sh           install what is missing, or say what to install
#   setup.sh --check   install nothing; exit 1 where something is missing that the build needs
set -euo pipefail

build=(cmake ninja-build clang-22 lld-22 llvm-22-dev llvm-22-tools libclang-22-dev
       libfmt-dev nlohmann-json3-dev libcli11-dev libtomlplusplus-dev
       libzstd-dev libxml2-dev zlib1g-dev libisl-dev libgmp-dev libsqlite3-dev)
tests=(libgtest-dev libbenchmark-dev libclang-rt-22-dev clang-format-22 clang-tidy-22 python3 patch ccache
       pocl-opencl-icd ocl-icd-opencl-dev opencl-headers)

# Nice to have: the tests that want these are skipped, counted and named without them.
optional=(oclgrind)

mode=${1:-install}
wanted=("${build[@]}")
[ "$mode" = --check ] || wanted+=("${tests[@]}")
if [ "$mode" != --check ] && command -v apt-cache >/dev/null; then
  for name in "${optional[@]}"; do
    if apt-cache show --no-all-versions "$name" >/dev/null 2>&1; then wanted+=("$name"); fi
  done
fi

# Prints those of the arguments that are not installed.
missing() {
  local installed
  installed=" $(dpkg-query -W -f='${db:Status-Status}:${Package} ' "$@" 2>/dev/null || true)"
  local name
  for name; do
    case "$installed" in *" installed:$name "*) ;; *) echo "$name" ;; esac
  done
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  absent=()
  for tool in cmake ninja clang++-22 ld.lld-22 llvm-config-22 lit-22 FileCheck-22 python3; do
    command -v "$tool" >/dev/null || absent+=("$tool")
  done
  [ ${#absent[@]} -eq 0 ] && exit 0
  echo "hone: not found: ${absent[*]}" >&2
  echo "hone: this system has no apt; install what it calls these Debian packages:" >&2
  printf '  %s\n' "${build[@]}" "${tests[@]}" >&2
  exit 1
fi

mapfile -t absent < <(missing "${wanted[@]}")
[ ${#absent[@]} -eq 0 ] && exit 0

if [ "$mode" = --check ]; then
  echo "hone: not installed: ${absent[*]}" >&2
  echo "hone: run 'make setup'" >&2
  exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "hone: neither root nor sudo; as root run" >&2
    echo "  apt-get install --no-install-recommends ${absent[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "hone: installing ${absent[*]}"
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! "${apt[@]}" update >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  echo "hone: apt-get update failed; trying with the package lists at hand" >&2
fi
unknown=()
for name in "${absent[@]}"; do
  apt-cache show --no-all-versions "$name" >/dev/null 2>&1 || unknown+=("$name")
done
if [ ${#unknown[@]} -gt 0 ]; then
  echo "hone: apt does not know: ${unknown[*]}" >&2
  echo "hone: on Debian 12, LLVM 22 comes with the suite bookworm-security; elsewhere see https://apt.llvm.org" >&2
  exit 1
fi
if ! "${apt[@]}" install --no-install-recommends "${absent[@]}" >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  echo "hone: installation failed; the packages are: ${absent[*]}" >&2
  exit 1
fi
echo "hone: installed ${#absent[@]} packages"
