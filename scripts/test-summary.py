#!/usr/bin/env python3
"""Closing lines of a test run: counts of unit tests and text tests, and every skipped check by name."""
import glob
import json
import os
import re
import sys

build = sys.argv[1]
skipped = []
counts = {"passed": 0, "failed": 0, "skipped": 0}

log = open(os.path.join(build, "test.log"), errors="replace").read()
for line in log.splitlines():
    match = re.match(r"\s*\d+/\d+ Test\s+#\d+: (\S+) \.*\s*(\*\*\*)?(\w+)", line)
    if match and not match[1].startswith("lit."):
        name, result = match[1], match[3]
        if result in ("Skipped", "Not"):
            counts["skipped"] += 1
            skipped.append(name)
        else:
            counts["passed" if result == "Passed" else "failed"] += 1

text = {"passed": 0, "failed": 0, "skipped": 0}
for report in sorted(glob.glob(os.path.join(build, "test", "lit", "*.json"))):
    for test in json.load(open(report))["tests"]:
        name, code = test["name"].replace(" :: ", "/"), test["code"]
        if code in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
            text["skipped"] += 1
            reason = test.get("output", "").strip().splitlines()
            skipped.append(name + (": " + reason[0] if reason else ""))
        else:
            text["passed" if code in ("PASS", "XFAIL", "FLAKYPASS") else "failed"] += 1

# Checks inside a passing test that had to be left out say so on a line of their own.
every = os.path.join(build, "Testing", "Temporary", "LastTest.log")
if os.path.exists(every):
    skipped += sorted(set(re.findall(r"^HONE-SKIP: (.*)$", open(every, errors="replace").read(), re.M)))

print()
for title, found in (("ctest entries besides lit", counts), ("text tests", text)):
    print(f"{title}: {found['passed']} passed, {found['failed']} failed, {found['skipped']} skipped")
print(f"skipped checks: {len(skipped)}")
for name in skipped:
    print(f"  {name}")
