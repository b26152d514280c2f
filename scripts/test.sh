#!/usr/bin/env bash
# Runs all tests of a build folder, then says what was skipped and why. Exit status: that of ctest.
set -uo pipefail
build=$1
rm -f "$build"/test/lit/*.json
ctest --test-dir "$build" --output-on-failure -j"${HONE_TEST_JOBS:-2}" 2>&1 | tee "$build/test.log"
status=${PIPESTATUS[0]}
python3 "$(dirname "$0")/test-summary.py" "$build" || status=1
exit "$status"
