#!/usr/bin/env bash
# All benchmarks; exit status 1 when a figure is over its limit.
set -euo pipefail
exec python3 "$(dirname "$0")/interactive.py" "$@"
