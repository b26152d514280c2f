#!/usr/bin/env python3
"""Runs whole programs under `hone run`.

programs.py HONE FOLDER clean    each FOLDER/clean/*.cu prints what its .expected file holds and nothing is found, as it is and after the
                                 identity recipe has written its kernels anew
programs.py HONE FOLDER faults   each FOLDER/faults/*.cu: a finding of the kind and at the line of its `// FAULT: kind`; with -DFIX none
programs.py HONE FOLDER patched  each program of PATCHED, optimized by its recipe so that its launches call launch functions, prints the same; with nvcc
                                 on the path its text also compiles there
programs.py HONE EXAMPLES examples   each folder below EXAMPLES with a main.cu: hone verify finds the program and its rewritten copy equal
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile


def run(words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=120, **more)


def clean(hone, path, scratch):
    with open(path[:-3] + ".expected") as file:
        expected = file.read()
    problems = []
    patched = os.path.join(scratch, os.path.basename(path))
    made = run([hone, "opt", path, "--recipe", "", "-o", patched])
    if made.returncode or not os.path.exists(patched):
        return [f"hone opt: {made.stderr.strip()}"]
    for what, file in (("as it is", path), ("rewritten", patched)):
        out = run([hone, "run", file])
        if out.stdout != expected:
            problems.append(f"{what}: printed {out.stdout!r}, expected {expected!r}")
        if out.stderr or out.returncode:
            problems.append(f"{what}: status {out.returncode}, {out.stderr.strip()}")
    return problems


def faulty(hone, path, scratch):
    with open(path) as file:
        lines = file.read().split("\n")
    wanted = [(n + 1, m.group(1)) for n, line in enumerate(lines) for m in [re.search(r"// FAULT: ([\w-]+)", line)] if m]
    if len(wanted) != 1:
        return ["needs exactly one FAULT"]
    line, kind = wanted[0]
    report = os.path.join(scratch, "findings.json")
    out = run([hone, "run", path, "--json", report])
    with open(report) as file:
        findings = json.load(file)["findings"]
    problems = []
    if not any(f["kind"] == kind and f["line"] == line for f in findings):
        problems.append(f"no {kind} at line {line}; found {[(f['kind'], f['line']) for f in findings]}")
    if out.returncode == 0:
        problems.append("exit status 0 in spite of a finding")
    fixed = run([hone, "run", path, "-DFIX"])
    if fixed.returncode or fixed.stderr:
        problems.append(f"repaired: status {fixed.returncode}, {fixed.stderr.strip()}")
    return problems


def example(hone, path, scratch):
    folder = os.path.dirname(path)
    copy = os.path.join(scratch, os.path.basename(folder))
    shutil.copytree(folder, copy)
    sources = sorted(os.path.join(copy, f) for f in os.listdir(copy) if f.endswith(".cu"))
    made = run([hone, "opt", *sources, "--recipe", "", "--in-place"])
    if made.returncode:
        return [f"hone opt: {made.stderr.strip()}"]
    out = run([hone, "verify", "--program", folder, copy])
    return [] if out.returncode == 0 and "equal" in out.stdout else [out.stdout + out.stderr]


# Programs (below clean/, or a folder of examples/) with a recipe that changes the geometry of some kernels, and how many launches then call a launch function.
# Textures cannot be set up for a kernel alone, so that only --no-verify writes what is made of it; here the program itself is run.
PATCHED = [
    ("vector_add.cu", "block(x=64)", 1),
    ("managed_list.cu", "block(x=64)", 0),
    ("graph_replay.cu", "block(x=96)", 2),
    ("texture_blur.cu", "block(x=32, y=2)", 1, "--no-verify"),
    ("../../../examples/naive/mm.cu", "block(x=16, y=8)", 1),
    ("../../../examples/naive/tp.cu", "block(x=8, y=8)", 1),
    ("multifile", "block(x=32, y=2)", 1),
]


def patched(hone, folder, name, row, scratch):
    recipe, least, *options = row
    copy = os.path.join(scratch, os.path.basename(name))
    if name.endswith(".cu"):
        shutil.copy(os.path.join(folder, "clean", name), copy)
        sources = [copy]
        expected = run([hone, "run", os.path.join(folder, "clean", name)]).stdout
    else:
        home = os.path.join(folder, "..", "..", "examples", name)
        shutil.copytree(home, copy)
        sources = sorted(os.path.join(copy, f) for f in os.listdir(copy) if f.endswith(".cu"))
        expected = run([hone, "run", *sources]).stdout
    report = copy + ".json"
    made = run([hone, "opt", *sources, "--recipe", recipe, *options, "--in-place", "--json", report])
    if made.returncode:
        return [f"hone opt: {made.stderr.strip()}"]
    problems = []
    with open(report) as file:
        kernels = json.load(file)["kernels"]
    internal = [k["reason"] for k in kernels if "internal" in k["reason"]]
    if internal:
        problems.append(f"{internal}")
    calls = sum(launch["patched"] for k in kernels for launch in k.get("launches", []))
    if calls < least:
        problems.append(f"{calls} launches call a launch function, {least} should")
    out = run([hone, "run", *sources])
    if out.stdout != expected or out.returncode or out.stderr:
        problems.append(f"printed {out.stdout!r}, expected {expected!r}; status {out.returncode}, {out.stderr.strip()}")
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if not nvcc:
        print(f"HONE-SKIP: programs.patched {name} with nvcc: there is no nvcc")
    for source in sources if nvcc else []:
        compiled = run([nvcc, "-arch=sm_90", "-std=c++17", "--expt-extended-lambda", "-ptx", source, "-o", os.devnull])
        if compiled.returncode:
            problems.append(f"nvcc: {compiled.stderr.strip()}")
    return problems


def main():
    hone, folder, what = sys.argv[1:4]
    if what == "examples":
        below = sorted(os.path.join(folder, d, "main.cu") for d in os.listdir(folder))
        check([p for p in below if os.path.exists(p)], lambda path, scratch: example(hone, path, scratch))
    if what == "patched":
        rows = {name: row for name, *row in PATCHED}
        check(list(rows), lambda name, scratch: patched(hone, folder, name, rows[name], scratch))
    paths = sorted(os.path.join(folder, what, f) for f in os.listdir(os.path.join(folder, what)) if f.endswith(".cu"))
    check(paths, lambda path, scratch: (clean if what == "clean" else faulty)(hone, path, scratch))


def check(paths, one):
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["XDG_CACHE_HOME"] = os.path.join(scratch, "cache")
        for path in paths:
            problems = one(path, scratch)
            for p in problems:
                print(f"{path}: {p}")
            failed += bool(problems)
    print(f"{len(paths) - failed} of {len(paths)} programs as expected")
    sys.exit(1 if failed or not paths else 0)


main()
