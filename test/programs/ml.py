#!/usr/bin/env python3
"""Runs the programs of examples/ml at the sizes of ml.txt, as they are and as `hone opt --reassociate` leaves them.

ml.py EXAMPLES HONE          both under `hone run`: each finds its results to be right, and the checksums of both agree
"""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# Of checksums, which are sums of thousands of rounded results.
TOLERANCE = 1e-4


def run(words):
    return subprocess.run(words, capture_output=True, text=True, timeout=120)


def listed():
    """(program, arguments of each run) of each line."""
    with open(os.path.join(HERE, "ml.txt")) as file:
        for line in file:
            name, runs = line.split(":")
            yield name, [one.split() for one in runs.split(";")]


def checksum(hone, source, arguments):
    """What the program prints of its results; None and why where that is not as it should be."""
    out = run([hone, "run", source, "--", *arguments])
    lines = out.stdout.splitlines()
    if out.returncode or out.stderr or len(lines) != 2 or not lines[0].endswith(", ok") or not lines[1].startswith("kernel time "):
        return None, f"{source} {arguments}: status {out.returncode}, printed {out.stdout!r}; {out.stderr.strip()}"
    return float(lines[0].split("checksum ")[1].split(",")[0]), ""


def main():
    folder, hone = sys.argv[1:3]
    programs = list(listed())
    problems, count = [], 0
    if [name for name, _ in programs] != sorted(f[:-3] for f in os.listdir(folder) if f.endswith(".cu")):
        problems.append("ml.txt does not name each program of the folder")
    made = os.environ["XDG_CACHE_HOME"]
    for name, runs in programs:
        source, result = os.path.join(folder, name + ".cu"), os.path.join(made, name + ".cu")
        out = run([hone, "opt", source, "--reassociate", "-o", result, "--json", result + ".json"])
        if out.returncode or "internal:" in out.stderr:
            problems.append(f"{name}: hone opt ends with status {out.returncode}: {out.stderr}")
            continue
        with open(result + ".json") as file:
            for kernel in json.load(file)["kernels"]:
                if kernel["changed"]:
                    print(f"{kernel['name']}: {kernel['estimated_speedup']:.2f} by {kernel['recipe']}")
                else:
                    print(f"{kernel['name']}: left: {kernel['reason']}")
                if kernel["changed"] and not kernel["verified"]:
                    problems.append(f"{name}: changed, and not verified")
                if not kernel["changed"] and not kernel["reason"]:
                    problems.append(f"{name}: left as it is without a reason")
        for arguments in runs:
            before, problem = checksum(hone, source, arguments)
            after, other = checksum(hone, result, arguments)
            count += 2
            problems += [one for one in (problem, other) if one]
            if before is not None and after is not None and not abs(before - after) <= TOLERANCE * max(1, abs(before)):
                problems.append(f"{name} {arguments}: checksum {before} before, {after} after")
    for problem in problems:
        print(problem)
    print(f"{count} runs, {len(problems)} problems")
    sys.exit(1 if problems or not count else 0)


with tempfile.TemporaryDirectory() as cache:
    os.environ["XDG_CACHE_HOME"] = cache
    main()
