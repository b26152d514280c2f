#!/usr/bin/env python3
"""PolyBench-ACC's CUDA programs on a GPU: as they are, and as `hone opt --reassociate` leaves them.

    bench/gpu/polybench.py bundle CHECKOUT FOLDER [--only NAME]... [--also FILE] [--target h200]
    FOLDER/go.sh                                   # on the machine with the GPU; leaves results.tar.gz (in $OUT where that is set)
    bench/gpu/polybench.py report FOLDER           # docs/results/polybench-h200.md, and a table on standard output

`bundle` lets hone choose a recipe for every kernel at the standard data set, with no flags for any of them, and gathers what the other machine needs: it has
nvcc and neither Clang nor hone. `go.sh` runs each program three times: original, what hone made, original again. launch_timer.cu times the
kernels, between events; a run of its own, at the same sizes, does the program's own comparison with what the host computes. FILE names further
recipes to be timed beside hone's choice, one a line: program, kernel, recipe.
"""
import argparse
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FLAGS = ["-DSTANDARD_DATASET", "-DPOLYBENCH_TIME"]

GO = r"""#!/bin/bash
# Builds and times all programs; about three minutes. Results: results.tar.gz, in $OUT where that is set.
cd "$(dirname "$0")"; set -u
mkdir -p bin out
export WRAP=--wrap=__cudaGetKernel,--wrap=__cudaLaunchKernel,--wrap=cudaLaunchKernel,--wrap=cudaLaunchCooperativeKernel,--wrap=cudaMalloc,--wrap=cudaFree
export NVCC="timeout 120 nvcc -O3 -std=c++17 -arch=native -Iinc -Isrc FLAGS -DcudaThreadSynchronize=cudaDeviceSynchronize"
nvidia-smi --query-gpu=name,driver_version,clocks.max.sm --format=csv,noheader > out/machine.txt
nvcc --version | tail -2 | head -1 >> out/machine.txt
$NVCC -c -o bin/timer.o launch_timer.cu || exit 1
build() {
  $NVCC -Xlinker $WRAP -o bin/$1 src/$1.cu bin/timer.o > out/$1.build 2>&1
  case $1 in *.also*) ;; *) $NVCC -o bin/$1.check src/$1.cu >> out/$1.build 2>&1 ;; esac
}
export -f build
ls src/*.cu | sed 's,.*/,,;s,\.cu$,,' | xargs -P 16 -I{} bash -c 'build {}'
# Comparisons: work of the host for a minute or two, once the kernels have run, so that they may go on beside what is timed.
check() { [ -x bin/$1.check ] && timeout LIMIT bin/$1.check > out/$1.check 2>&1; }
for program in PROGRAMS; do check $program.hone & check $program & done
sleep 15
timed() { [ -x bin/$1 ] && LAUNCH_TIMES=out/$1.$2 LAUNCH_TIMES_ONLY=1 timeout 60 bin/$1 > out/$1.$2.said 2>&1; }
for program in PROGRAMS; do
  timed $program first
  timed $program.hone first
  for also in src/$program.also*.cu; do [ -f $also ] && timed $(basename $also .cu) first; done
  timed $program second
done
tar czf ${OUT:-.}/results.tar.gz out
wait
tar czf ${OUT:-.}/results.tar.gz out
"""


def sources(checkout, only):
    found = sorted((checkout / "CUDA").glob("**/*.cu"), key=lambda p: p.stem.lower())
    return [p for p in found if not only or p.stem in only]


def opt(options, source, out, extra):
    report = out.with_suffix(".json")
    if report.exists() and out.exists():
        return json.loads(report.read_text())["kernels"]
    command = [options.hone, "opt", str(source), "--reassociate", "--target", options.target, *extra, "-o", str(out), "--json",
               str(report), "--", "-I", str(options.checkout / "CUDA/utilities"), "-I", str(options.checkout / "common"), "-I",
               str(source.parent), *FLAGS]
    with open(out.with_suffix(".log"), "w") as log:
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=900)
    return json.loads(report.read_text())["kernels"] if report.exists() else []


def bundle(options):
    folder = options.folder
    for name in ("src", "inc", "made"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for header in (options.checkout / "CUDA/utilities").glob("*"):
        shutil.copy(header, folder / "inc")
    shutil.copy(HERE / "launch_timer.cu", folder)
    also = [line.split(None, 2) for line in options.also.read_text().splitlines() if line.strip()] if options.also else []
    names, number = [], {}
    for source in sources(options.checkout, options.only):
        names.append(source.stem)
        shutil.copy(source, folder / "src")
        for header in source.parent.glob("*.cuh"):
            shutil.copy(header, folder / "src")
        made = folder / "made" / (source.stem + ".hone.cu")
        kernels = opt(options, source, made, [])
        if made.exists():
            shutil.copy(made, folder / "src")
        print(source.stem)
        for k in kernels:
            print(f"  {k['name']}: {k.get('recipe') or k.get('reason') or ''} {k.get('estimated_speedup') or ''}", flush=True)
        for program, kernel, recipe in also:
            if program != source.stem:
                continue
            n = number[program] = number.get(program, 0) + 1
            made = folder / "made" / f"{program}.also{n}.cu"
            done = opt(options, source, made, ["--kernel", kernel, "--recipe", recipe, "--no-verify"])
            if made.exists():
                shutil.copy(made, folder / "src")
            told = next((k for k in done if k["name"] == kernel), {})
            print(f"  also {n}, {kernel}: {recipe}{'' if made.exists() else ': ' + str(told.get('reason'))}", flush=True)
            (folder / "made" / f"{program}.also{n}.txt").write_text(f"{kernel}\n{recipe}\n")
    script = GO.replace("FLAGS", " ".join(FLAGS)).replace("PROGRAMS", " ".join(names)).replace("LIMIT", str(options.limit))
    (folder / "go.sh").write_text(script)
    (folder / "go.sh").chmod(0o755)


def identifiers(mangled):
    """Of `_ZN3one3twoE…` or `_Z3onei`: the names that make up the function's."""
    at, out = (3 if mangled.startswith("_ZN") else 2), []
    while found := re.match(r"\d+", mangled[at:]):
        begin = at + len(found[0])
        at = begin + int(found[0])
        out.append(mangled[begin:at])
        if not mangled.startswith("_ZN"):
            break
    return out


def compared(path):
    said = path.read_text(errors="replace") if path.exists() else ""
    check = re.search(r"(?:Non-Matching|[Mm]isses).*?:\s*(\d+)\s*$", said, re.M)
    return f"{check[1]} differ" if check else "no answer in time"


def times_of(path, kernels):
    """Microseconds and launches of each of the program's kernels; those of launches that stand for one are added up."""
    if not path.exists():
        return {}
    lines = path.read_text().splitlines()
    # A program may launch an empty grid at its end, which is an error that changes nothing: lu does.
    if not lines or lines[-1] not in ("end no error", "end invalid argument"):
        return {}
    out = {}
    for line in lines[:-1]:
        launches, total, name = line.split(None, 2)
        words = identifiers(name)
        isNew = any(word.endswith("_hone") for word in words)
        owner = next((word.removesuffix("_hone") for word in words if word.removesuffix("_hone") in kernels), name)
        one = out.setdefault(owner, {"us": 0.0, "launches": 0, "new": False})
        one["us"] += float(total)
        one["launches"] = max(one["launches"], int(launches))
        one["new"] |= isNew
    return out


def report(options):
    folder = options.folder
    for found in (folder / "results.tar.gz", folder / "out" / "results.tar.gz"):
        if found.exists():
            with tarfile.open(found) as tar:
                tar.extractall(folder / "results", filter="data")
            break
    results = folder / "results" / "out"
    rows, ratios, totals, notes = [], [], [], []
    for made in sorted((folder / "made").glob("*.hone.json"), key=lambda p: p.name.lower()):
        program = made.name[:-len(".hone.json")]
        told = json.loads(made.read_text())["kernels"]
        names = [k["name"] for k in told]
        first, second = (times_of(results / f"{program}.{which}", names) for which in ("first", "second"))
        best = times_of(results / f"{program}.hone.first", names)
        differ, before = (compared(results / f"{program}{which}.check") for which in (".hone", ""))
        if differ == before and differ.endswith(" differ") and differ != "0 differ":
            differ += ", as the original"
        isChanged = (folder / "src" / f"{program}.hone.cu").exists()
        sums = [0.0, 0.0]
        for k in told:
            name = k["name"]
            if name not in first or name not in second:
                rows.append((program, name, None, None, None, None, None, "not timed", differ))
                continue
            one, two = first[name]["us"], second[name]["us"]
            was = (one + two) / 2
            spread = abs(one - two) / was
            now = best[name]["us"] if isChanged and name in best else None
            what = f"`{k['recipe']}`" if k.get("recipe") and now is not None and best[name]["new"] else "as it is"
            ratio = was / now if now and what != "as it is" else 1.0
            n = first[name]["launches"]
            ratios.append(ratio)
            sums[0] += was
            sums[1] += was / ratio
            rows.append((program, name, was / n, (now or was) / n, ratio, n, spread, what, differ if isChanged else "unchanged"))
        if sums[1]:
            totals.append(sums[0] / sums[1])
        for text in sorted((folder / "made").glob(f"{program}.also*.txt")):
            kernel, recipe = text.read_text().splitlines()[:2]
            stem = text.name[:-4]
            time = times_of(results / f"{stem}.first", names).get(kernel)
            if time and kernel in first:
                notes.append((program, kernel, recipe, time["us"] / time["launches"],
                              (first[kernel]["us"] + second[kernel]["us"]) / 2 / time["us"]))
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 0
    means = math.exp(sum(map(math.log, totals)) / len(totals)) if totals else 0
    machine = (results / "machine.txt").read_text().split("\n") if (results / "machine.txt").exists() else ["", ""]
    lines = [
        "# PolyBench-ACC, CUDA, on a GPU", "",
        "Written by `bench/gpu/polybench.py report` (it says how to make this table anew). The CUDA programs of PolyBench-ACC at the standard data set, patched by plain `hone opt --reassociate`, built by `nvcc -O3 "
        "-DcudaThreadSynchronize=cudaDeviceSynchronize`. Microseconds of a launch by events around it (the first six launches of a kernel: the median of up to nine, memory put back in between; of further launches the time of each counts once); "
        "what several launches take that stand for one is added up. The original is timed before and after; the spread is what these two differ by. "
        "The last column is the program's own comparison with the host, as patched.", "",
        f"GPU: {machine[0]}; {machine[1]}.", "",
        f"**Geometric mean over {len(ratios)} kernels: {mean:.2f}; over {len(totals)} programs, all their kernels together: {means:.2f}.** "
        f"Kernels below 0.97: {sum(r < 0.97 for r in ratios)}.", "",
        "| program | kernel | launches | original | spread | hone | times | recipe | check |", "|---|---|---|---|---|---|---|---|---|"]
    for program, name, was, now, ratio, n, spread, what, differ in rows:
        if was is None:
            lines.append(f"| {program} | {name} | | | | | | {what} | {differ} |")
        else:
            lines.append(f"| {program} | {name} | {n} | {was:.1f} | {100 * spread:.1f} % | {now:.1f} | {ratio:.2f} | {what} | {differ} |")
    if notes:
        lines += ["", "Further recipes, timed in the same run:", "", "| program | kernel | recipe | time | times |", "|---|---|---|---|---|"]
        lines += [f"| {p} | {k} | `{r}` | {t:.1f} | {x:.2f} |" for p, k, r, t, x in notes]
    text = "\n".join(lines) + "\n"
    options.page.write_text(text)
    print(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("bundle")
    one.add_argument("checkout", type=pathlib.Path)
    one.add_argument("folder", type=pathlib.Path)
    one.add_argument("--only", action="append")
    one.add_argument("--also", type=pathlib.Path)
    one.add_argument("--target", default="h200")
    one.add_argument("--limit", type=int, default=150, help="seconds for a program's own comparison")
    one.add_argument("--hone", default=str(ROOT / "build/release/bin/hone"))
    two = commands.add_parser("report")
    two.add_argument("folder", type=pathlib.Path)
    two.add_argument("--page", type=pathlib.Path, default=ROOT / "docs/results/polybench-h200.md")
    options = parser.parse_args()
    return bundle(options) if options.command == "bundle" else report(options)


if __name__ == "__main__":
    sys.exit(main())
