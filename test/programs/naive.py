#!/usr/bin/env python3
"""Runs the programs of examples/naive at the sizes of naive.txt and compares what they print.

naive.py EXAMPLES cuda HONE          each NAME.cu under `hone run`
naive.py EXAMPLES pairs HONE         each NAME.cu against NAME.cl under `hone verify`
naive.py EXAMPLES optimized HONE     each NAME.cu as `hone opt` leaves it, under `hone run`; shows recipe and estimated speed-up of every kernel
naive.py EXAMPLES opencl FOLDER      each NAME.cl under FOLDER/naive_NAME, the host program NAME_host.cpp; status 77 where there is no OpenCL
"""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def run(words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=120, **more)


def table():
    """(program, arguments, what it prints) of each line."""
    with open(os.path.join(HERE, "naive.txt")) as file:
        for line in file:
            if "=>" in line:
                words, printed = line.split("=>")
                yield words.split()[0], words.split()[1:], printed.strip()


def programs(folder):
    return sorted(f[:-3] for f in os.listdir(folder) if f.endswith(".cu"))


def compare(what, out, expected):
    if out.returncode == 0 and out.stdout.strip() == expected and not out.stderr:
        return []
    return [f"{what}: status {out.returncode}, printed {out.stdout!r}, expected {expected!r}; {out.stderr.strip()}"]


def optimize(hone, source, result):
    """Runs `hone opt` with no more than permission to reorder sums; returns what is wrong with what it says."""
    report = result + ".json"
    out = run([hone, "opt", source, "--reassociate", "-o", result, "--json", report])
    if out.returncode:
        return [f"{source}: hone opt ends with status {out.returncode}: {out.stderr}"]
    problems = ["internal: " + line for line in out.stderr.split("\n") if "internal:" in line]
    with open(report) as file:
        for kernel in json.load(file)["kernels"]:
            left = kernel["reason"] or "no reason"
            speedup = kernel["estimated_speedup"]
            print(f"{kernel['name']}: " + (f"{speedup:.2f} by {kernel['recipe']}" if kernel["changed"] else f"left: {left}"))
            if kernel["changed"] and not (kernel["verified"] and speedup > 1):
                problems.append(f"{source}: {kernel['name']}: changed, and not verified or not faster")
            if not kernel["changed"] and not kernel["reason"]:
                problems.append(f"{source}: {kernel['name']}: left as it is without a reason")
    return problems


def main():
    folder, what, tool = sys.argv[1:4]
    names = programs(folder)
    problems, count = [], 0
    if what == "pairs":
        for name in names:
            out = run([tool, "verify", os.path.join(folder, name + ".cu"), os.path.join(folder, name + ".cl")])
            with open(os.path.join(folder, name + ".cl")) as file:
                kernels = file.read().count("__kernel void")
            # Every kernel, and at more than one size.
            good = out.returncode == 0 and out.stdout.count(": equal in ") == kernels and "equal in 1 " not in out.stdout
            problems += [] if good else [f"{name}: {out.stdout}{out.stderr}"]
            count += 1
    else:
        lines = list(table())
        if sorted({line[0] for line in lines}) != names:
            problems.append("naive.txt does not name each program of the folder")
        patched = os.environ["XDG_CACHE_HOME"] if what == "optimized" else ""
        for name in names if patched else []:
            problems += optimize(tool, os.path.join(folder, name + ".cu"), os.path.join(patched, name + ".cu"))
        for name, arguments, expected in lines:
            if what == "optimized":
                out = run([tool, "run", os.path.join(patched, name + ".cu"), "--", *arguments])
            elif what == "cuda":
                out = run([tool, "run", os.path.join(folder, name + ".cu"), "--", *arguments])
            else:
                include = os.path.join(folder, "..", "..", "runtime", "include")
                host = os.path.join(tool, "naive_" + name)
                if not os.path.exists(host):
                    print("no OpenCL library was found when the tests were built")
                    sys.exit(77)
                out = run([host, "-k", os.path.join(folder, name + ".cl"), "-I", include, *arguments])
                if out.returncode == 77:
                    print(out.stderr.strip())
                    sys.exit(77)
            problems += compare(" ".join([name, *arguments]), out, expected)
            count += 1
    for problem in problems:
        print(problem)
    print(f"{count} runs, {len(problems)} problems")
    sys.exit(1 if problems or not count else 0)


with tempfile.TemporaryDirectory() as cache:
    os.environ["XDG_CACHE_HOME"] = cache
    main()
