#!/usr/bin/env python3
"""Runs the programs of examples/naive at the sizes of naive.txt and compares what they print.

naive.py EXAMPLES cuda HONE          each NAME.cu under `hone run`
naive.py EXAMPLES pairs HONE         each NAME.cu against NAME.cl under `hone verify`
naive.py EXAMPLES optimized HONE     each NAME.cu as `hone opt` leaves it, under `hone run`; shows recipe and estimated speed-up of every kernel
naive.py EXAMPLES opencl HOSTS       each NAME.cl under the program HOSTS, which has all of NAME_host.cpp in it; status 77 where there is no OpenCL
naive.py EXAMPLES enqueued HONE HOSTS.cpp COMPILER
                                     the same with kernels and headers that `hone opt` makes
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


# Of each program, the kernel that is optimized for `enqueued`, and how.
RECIPES = {
    "conv": ("conv", "block(x=32, y=8) stage(depth=16) merge-threads(x=4)"),
    "crd": ("crd", "grid-sync block(x=32)"),
    "demosaic": ("demosaic", "block(x=32, y=8) stage merge-threads(x=2)"),
    "fft": ("fft_step", "block(x=64) vectorize"),
    "mm": ("mm", "block(x=32, y=8) stage(depth=32) merge-threads(x=4, y=4)"),
    "mv": ("mv", "split-reduction(over=grid)"),
    "rd": ("rd", "grid-sync"),
    "regionmax": ("regionmax", "block(x=32, y=32) merge-threads(x=4)"),
    "strsm": ("strsm_update", "block(x=32, y=8) stage(depth=16) merge-threads(x=4, y=4)"),
    "strsm_plain": ("strsm_plain", "block(x=32) unroll(by=4)"),
    "tmv": ("tmv", "promote split-reduction(over=warp) unroll(by=8)"),
    "tp": ("tp", "block(x=32, y=32) stage(depth=16) vectorize(threads=4)"),
    "vv": ("vv", "block(x=32, y=32) merge-threads(y=8)"),
}


def enqueued(folder, hone, hosts, compiler, made):
    """Makes kernels, headers and the program made/hosts; returns problems, and the kernel by which one sees that the new one ran."""
    problems, kernels = [], {}
    include = os.path.join(folder, "..", "..", "runtime", "include")
    for name in programs(folder):
        kernel, recipe = RECIPES[name]
        result, report = os.path.join(made, name + ".cl"), os.path.join(made, name + ".json")
        out = run([hone, "opt", os.path.join(folder, name + ".cl"), "--kernel", kernel, "--recipe", recipe, "--reassociate", "--no-verify",
                   "-o", result, "--json", report, "--", "-I", include])
        if out.returncode:
            problems.append(f"{name}: hone opt ends with status {out.returncode}: {out.stderr}")
            continue
        with open(report) as file:
            one = [k for k in json.load(file)["kernels"] if k["name"] == kernel][0]
        print(f"{kernel}: {recipe}: {one['reason'] or one['form']}")
        if not one["changed"]:
            problems.append(f"{name}: {kernel} by {recipe}: {one['reason']}")
        kernels[name] = kernel + ("_hone" if one.get("form") == "beside" else "")
    if not problems:
        out = run([compiler, "-std=c++17", "-O0", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-DHONE", "-DHONE_OPENCL_TRACE", "-I", made, hosts,
                   "-lOpenCL", "-o", os.path.join(made, "hosts")])
        problems += [out.stderr] if out.returncode else []
    return problems, kernels


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
        kernels = {}
        if what == "enqueued":
            if not os.path.exists(sys.argv[4]):
                print("no OpenCL library was found when the tests were built")
                sys.exit(77)
            patched = os.environ["XDG_CACHE_HOME"]
            found, kernels = enqueued(folder, tool, *sys.argv[4:6], patched)
            problems += found
            # Of the three sizes the first and the last, which is odd.
            lines = [] if found else [line for i, line in enumerate(lines) if i % 3 != 1]
        for name, arguments, expected in lines:
            if what == "optimized":
                out = run([tool, "run", os.path.join(patched, name + ".cu"), "--", *arguments])
            elif what == "cuda":
                out = run([tool, "run", os.path.join(folder, name + ".cu"), "--", *arguments])
            else:
                include = os.path.join(folder, "..", "..", "runtime", "include")
                host = os.path.join(patched, "hosts") if patched else tool
                if not os.path.exists(host):
                    print("no OpenCL library was found when the tests were built")
                    sys.exit(77)
                out = run([host, name + "_host", "-k", os.path.join(patched or folder, name + ".cl"), "-I", include, *arguments])
                if out.returncode == 77:
                    print(out.stderr.strip())
                    sys.exit(77)
                if what == "enqueued":
                    ran = out.stderr.split("hone: enqueued ")[1:]
                    # The kernel of this name, or one of several that are numbered.
                    if not any(kernel.strip() == kernels[name] or kernel.startswith(kernels[name] + "_") for kernel in ran):
                        problems.append(f"{name} {arguments}: {kernels[name]} did not run")
                    out.stderr = "".join(line for line in out.stderr.splitlines(True) if not line.startswith("hone: enqueued "))
            problems += compare(" ".join([name, *arguments]), out, expected)
            count += 1
    for problem in problems:
        print(problem)
    print(f"{count} runs, {len(problems)} problems")
    sys.exit(1 if problems or not count else 0)


with tempfile.TemporaryDirectory() as cache:
    os.environ["XDG_CACHE_HOME"] = cache
    main()
