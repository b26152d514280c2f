#!/bin/sh
# FileCheck on what a command printed, without the lines of the test file itself that say what to expect: output that holds the source would otherwise
# match its own expectations.
filecheck=$1
shift
grep -a -v -E '^[[:space:]]*//[[:space:]]*[A-Z][A-Z0-9_]*(-(NEXT|NOT|SAME|DAG|LABEL|EMPTY|COUNT-[0-9]+))?:' | "$filecheck" "$@"
