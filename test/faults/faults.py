#!/usr/bin/env python3
"""Runs `hone check` on the planted faults of this folder: each is found at its line, and the repaired twins are silent.

faults.py check LANGUAGE --hone HONE           the faults and their twins
faults.py oclgrind --hone HONE --oclgrind TOOL   what Oclgrind reports on the OpenCL kernels, hone reports too
"""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KERNEL = re.compile(r"(?:__global__|__kernel)\s+void\s+((?:bad|good|clean)_\w+)\s*\(([^)]*)\)")


class Kernel:
    def __init__(self, path, name, parameters, options):
        self.path, self.name, self.parameters, self.options = path, name, parameters, options
        self.faults = {}      # line -> (kinds, class)
        self.also = set()
        self.oclgrind = True

    @property
    def label(self):
        return f"{os.path.basename(self.path)}:{self.name}"


def kernels_of(path):
    found, options, oclgrind = [], [], True
    with open(path) as source:
        for number, text in enumerate(source, 1):
            if m := re.match(r"// run: (.*)", text):
                options = shlex.split(m[1])
            if text.startswith("// oclgrind: no"):
                oclgrind = False
            if m := KERNEL.search(text):
                found.append(Kernel(path, m[1], m[2], options))
                found[-1].oclgrind, oclgrind = oclgrind, True
            if m := re.search(r"// fault: ([\w -]+?)(?: \(([\w-]+)\))?\s*$", text):
                found[-1].faults[number] = (m[1].split(" or "), m[2])
            elif re.search(r"// fault-also", text):
                found[-1].also.add(number)
    return found


def check(hone, kernel, folder):
    """The findings of `hone check` on one kernel, its exit status and its output."""
    out = os.path.join(folder, kernel.name + os.path.basename(kernel.path) + ".json")
    if os.path.exists(out):
        os.remove(out)
    command = [hone, "check", kernel.path, "--kernel", kernel.name, "--json", out] + kernel.options
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    findings = None
    if os.path.exists(out):
        with open(out) as f:
            findings = json.load(f)["findings"]
    return findings, run.returncode, shlex.join(command) + "\n" + run.stdout + run.stderr


def lines(finding):
    return {finding.get("line"), finding.get("other_line")} - {None, 0}


def problems(kernel, findings, status):
    if findings is None:
        return ["no JSON was written"]
    if status not in (0, 1):
        return [f"exit status {status}"]
    if not kernel.name.startswith("bad_"):
        return [f"reported: {f['kind']} line {f['line']}" for f in findings] or (["exit status 1"] if status else [])
    wrong = []
    if not kernel.faults:
        wrong.append("no line is marked as the fault")
    for line, (kinds, cls) in kernel.faults.items():
        if not any(f["kind"] in kinds and line in lines(f) and (cls is None or f["class"] == cls) for f in findings):
            wrong.append(f"not found: {' or '.join(kinds)} in line {line}")
    for f in findings:
        if not lines(f) & (set(kernel.faults) | kernel.also):
            wrong.append(f"not planted: {f['kind']} in line {f['line']}")
    return wrong


# What Oclgrind says, and how hone calls it.
SAYS = [
    (re.compile(r"^Invalid (read|write) of size"), {"out-of-bounds", "wild-pointer", "null-pointer"}),
    (re.compile(r"^(Read-write|Write-write) data race"), {"race"}),
    (re.compile(r"^(Uninitialized|Controlflow depends on uninitialized)"), {"uninitialized"}),
    (re.compile(r"^Work-group divergence"), {"divergent-barrier", "deadlock"}),
]
SIZES = {"char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "float": 4, "long": 8, "ulong": 8, "double": 8}


def simulation(kernel):
    """The kernel's launch in the form that oclgrind-kernel reads."""
    values, lengths, grid, block = {}, {}, [1, 1, 1], [1, 1, 1]
    options = iter(kernel.options)
    for option in options:
        value = next(options)
        if option in ("--grid", "--block"):
            extent = [int(x) for x in value.split("x")] + [1, 1]
            grid, block = (extent[:3], block) if option == "--grid" else (grid, extent[:3])
        elif option == "--set":
            name, number = value.split("=")
            values[name] = int(number)
        elif option == "--length":
            name, length = value.split("=", 1)
            lengths[name] = length
    text = [os.path.basename(kernel.path), kernel.name, " ".join(str(g * b) for g, b in zip(grid, block)),
            " ".join(map(str, block))]
    for parameter in kernel.parameters.split(","):
        pieces = parameter.replace("*", " * ").split()
        name, element = pieces[-1], next(p for p in pieces if p in SIZES)
        if "*" not in pieces:
            text.append(f"<{element} size={SIZES[element]} fill={values[name]}>")
            continue
        count = eval(lengths[name], {}, values)
        size = count * SIZES[element]
        if "__local" in pieces:
            text.append(f"<size={size}>")
        elif name == "in":
            text.append(f"<{element} size={size} range=0:1:{count - 1}>" if count > 1 else f"<{element} size={size} fill=3>")
        else:
            text.append(f"<{element} size={size} fill=0>")
    return "\n".join(text) + "\n"


def oclgrind(tool, kernel, folder):
    """[(kinds hone may call it, line)] of what Oclgrind reports."""
    name = os.path.join(folder, kernel.name + ".sim")
    with open(name, "w") as f:
        f.write(simulation(kernel))
    run = subprocess.run([tool, "--data-races", "--uninitialized", "--max-errors", "2000", name], capture_output=True,
                         text=True, timeout=120, cwd=os.path.dirname(kernel.path))
    reports, kinds = set(), None
    for text in (run.stdout + run.stderr).splitlines():
        for pattern, names in SAYS:
            if pattern.match(text):
                kinds = frozenset(names)
        if kinds and (m := re.match(r"\s*(?:At )?line (\d+)", text, re.I)):
            reports.add((kinds, int(m[1])))
    # What an invalid read gives counts as uninitialised there; that is the same report again.
    invalid = {line for kinds, line in reports if "out-of-bounds" in kinds}
    reports = {(kinds, line) for kinds, line in reports if not ("uninitialized" in kinds and line in invalid)}
    return reports, run.stdout + run.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", choices=["check", "oclgrind"])
    parser.add_argument("language", nargs="?", choices=["cuda", "opencl"], default="opencl")
    parser.add_argument("--hone", required=True)
    parser.add_argument("--oclgrind", default="")
    parser.add_argument("--only", default="", help="kernels whose name contains this")
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args()
    if args.mode == "oclgrind" and not os.path.exists(args.oclgrind):
        print("HONE-SKIP: faults.oclgrind: Oclgrind is not installed")
        return 77

    folder = os.path.join(HERE, args.language)
    kernels = [k for name in sorted(os.listdir(folder)) for k in kernels_of(os.path.join(folder, name))
               if args.only in k.label]
    failed = 0
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def one(kernel):
            try:
                findings, status, output = check(args.hone, kernel, work)
                if args.mode == "check":
                    return problems(kernel, findings, status), output, 0
                if not kernel.oclgrind:
                    return [], "", 0
                reports, theirs = oclgrind(args.oclgrind, kernel, work)
                missed = [f"Oclgrind reports {'/'.join(sorted(kinds))} in line {line}" for kinds, line in sorted(reports, key=str)
                          if not any(f["kind"] in kinds and line in lines(f) for f in findings or [])]
                return missed, output + theirs, len(reports)
            except subprocess.TimeoutExpired as error:
                return [f"took more than {error.timeout} s"], "", 0
        total = 0
        for kernel, (wrong, output, reports) in zip(kernels, pool.map(one, kernels)):
            total += reports
            if wrong:
                failed += 1
                print(f"{kernel.label}: " + "; ".join(wrong))
                if args.verbose:
                    print(output)
    bad = sum(k.name.startswith("bad_") for k in kernels)
    told = f", {total} reports of Oclgrind compared" if args.mode == "oclgrind" else ""
    print(f"{len(kernels)} kernels, {bad} with a planted fault{told}: {failed} not as expected")
    if args.mode == "oclgrind" and not args.only and total < 20:
        print("Oclgrind reported less than expected: is its output read right?")
        return 1
    return 1 if failed or not kernels else 0


if __name__ == "__main__":
    sys.exit(main())
