#!/usr/bin/env python3
"""Optimizes the CUDA programs of a PolyBench-ACC checkout with hone and runs what comes out under `hone run`.

    bench/polybench.py PATH [--only NAME]... [--sizes mini,odd] [-o TABLE.md]

At MINI `hone opt --reassociate` chooses recipes, with no flags for any kernel; at odd sizes the same recipes are applied. Each time the
original and the patched program run on the embedded device, and the program's own check must find no difference. One row per kernel: what was
done or why nothing was, the estimated speed-up, and whether the new kernel really ran in the patched program. Exit status 1 when a check
fails that the original passes, or when more is found wrong than in the original.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

# Sizes that are multiples of nothing, as far as each host's grid allows; the number of time steps is cut, as no kernel depends on it.
ODD = {
    "correlation": "M=256 N=256",  # its grids are rounded down, M to 256 and N to 8, and its host takes M and N for equal
    "covariance": "M=256 N=256",  # likewise
    "gramschmidt": "NI=53 NJ=61",
    "lu": "N=77",
    "gemm": "NI=39 NJ=37 NK=45",
    "syrk": "NI=51 NJ=43",
    "syr2k": "NI=51 NJ=43",
    "gemver": "N=256",  # its grids are rounded down to 256
    "2mm": "NI=37 NJ=45 NK=51 NL=45",  # C is as wide as NL on one side and as NJ on the other
    "3mm": "NI=37 NJ=45 NK=45 NL=45 NM=45",  # its host declares all of them as wide
    "bicg": "NX=173 NY=141",
    "atax": "NX=173 NY=173",  # its host writes beyond an array where they differ
    "mvt": "N=173",
    "gesummv": "N=173",
    "doitgen": "NQ=21 NR=21 NP=21",  # its host takes them for equal
    "adi": "TSTEPS=1 N=77",
    "jacobi2D": "TSTEPS=3 N=77",
    "jacobi1D": "TSTEPS=5 N=777",
    "fdtd2d": "TMAX=5 NX=77 NY=61",
    "2DConvolution": "NI=71 NJ=69",
    "3DConvolution": "NI=21 NJ=27 NK=35",
}
MINI = {"fdtd2d": "TMAX=20 NX=512 NY=512", "jacobi1D": "TSTEPS=100 N=1024"}  # MINI but for the number of time steps


def sizes_of(name, size):
    given = (ODD if size == "odd" else MINI).get(name)
    flags = ["-D" + s for s in given.split()] if given else []
    return flags if size == "odd" else ["-DMINI_DATASET"] + flags


class Program:
    def __init__(self, root, source, hone, work, timeout):
        self.root, self.source, self.hone, self.timeout = root, source, hone, timeout
        self.name = source.stem
        self.work = work / self.name
        self.work.mkdir(parents=True, exist_ok=True)

    def includes(self):
        return ["-I", str(self.root / "CUDA/utilities"), "-I", str(self.root / "common"), "-I", str(self.source.parent)]

    def call(self, command, log):
        """Status, seconds; what it printed is in work/log.out and .err."""
        started = time.time()
        with open(self.work / (log + ".out"), "w") as out, open(self.work / (log + ".err"), "w") as err:
            try:
                status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, timeout=self.timeout).returncode
            except subprocess.TimeoutExpired:
                status = 124
        return status, time.time() - started

    def run(self, source, flags, log):
        """What the program's own check says, what hone found, and how often each kernel was launched."""
        report = self.work / (log + ".json")
        report.unlink(missing_ok=True)
        status, seconds = self.call(
            [self.hone, "run", str(source), "--json", str(report), *self.includes(), "-DPOLYBENCH_TIME", "-DRUN_ON_CPU", *flags], log)
        text = (self.work / (log + ".out")).read_text(errors="replace")
        said = re.search(r"(?:Non-Matching|[Mm]isses).*?:\s*(\d+)\s*$", text, re.M)
        result = {"status": status, "seconds": seconds, "differ": int(said[1]) if said else None, "findings": [], "launches": {}}
        if report.exists():
            told = json.loads(report.read_text())
            result["findings"] = [f for f in told["findings"] if f.get("class") != "same-value"]
            result["launches"] = {k["kernel"]: k["launches"] for k in told["kernels"]}
        return result

    def opt(self, source, out, flags, log, words):
        """One call of `hone opt` and what it says of each kernel."""
        report = self.work / (log + ".json")
        report.unlink(missing_ok=True)
        out.parent.mkdir(exist_ok=True)
        out.unlink(missing_ok=True)
        status, seconds = self.call(
            [self.hone, "opt", str(source), "--reassociate", *words, "-o", str(out), "--json", str(report), "--",
             *self.includes(), "-DPOLYBENCH_TIME", "-DRUN_ON_CPU", *flags], log)
        kernels = json.loads(report.read_text())["kernels"] if report.exists() else []
        for k in kernels:
            k.pop("remarks", None)  # long; they are in the report
        return {"status": status, "seconds": seconds, "kernels": kernels, "out": str(out) if out.exists() else None}

    def choose(self, flags, log):
        return self.opt(self.source, self.work / log / self.source.name, flags, log, [])

    def repeat(self, chosen, flags, log):
        """The recipes that were chosen, one kernel after the other, each on what the one before left."""
        source, done = self.source, {"status": 0, "seconds": 0.0, "kernels": [], "out": None}
        for number, kernel in enumerate(chosen):
            if not kernel.get("changed"):
                done["kernels"].append({"name": kernel["name"], "changed": False, "reason": "as at MINI"})
                continue
            step = f"{log}-{number}"
            one = self.opt(source, self.work / step / self.source.name, flags, step,
                           ["--kernel", kernel["name"], "--recipe", kernel["recipe"]])
            done["status"] = max(done["status"], one["status"])
            done["seconds"] += one["seconds"]
            done["kernels"] += [k for k in one["kernels"] if k["name"] == kernel["name"]]
            if one["out"]:
                source, done["out"] = one["out"], one["out"]
        return done


def told(run):
    if run is None:
        return "not changed"
    if run["status"] == 124:
        return "too long"
    if run["differ"] is None:
        return f"no check (status {run['status']})"
    return f"{run['differ']} differ" + (f", {len(run['findings'])} findings" if run["findings"] else "")


def done_to(kernel):
    return "`" + kernel["recipe"] + "`" if kernel.get("changed") else kernel.get("reason") or "unchanged"


def ran(kernel, run):
    """Whether the new code ran in the patched program: of a kernel beside the original by its launches, which the runtime counts."""
    if not kernel.get("changed") or run is None:
        return ""
    if kernel.get("form") != "beside":
        return kernel.get("form", "?")
    space = re.escape(kernel["launch_function"].rsplit("::", 1)[-1].removesuffix("_launch")) + r"_hone\b"
    new = sum(n for k, n in run["launches"].items() if re.search(space, k))
    old = run["launches"].get(kernel["name"], 0)
    return "yes" if new and not old else f"in {new} of {new + old} launches" if new else "NO"


def is_worse(original, patched):
    if patched is None:
        return False
    return (patched["differ"] != 0 and original["differ"] == 0) or len(patched["findings"]) > len(original["findings"])


def table(results, sizes):
    lines = ["| program | " + " | ".join(f"{s}: original | {s}: patched" for s in sizes) + " |", "|" + " --- |" * (1 + 2 * len(sizes))]
    for name, by_size in results.items():
        cells = [f"{told(by_size[s]['original'])} | {told(by_size[s]['patched'])}" for s in sizes]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    lines += ["", "| program | kernel | " + " | ".join(f"{s}: what was done, or why nothing | estimate | ran" for s in sizes) + " |",
              "|" + " --- |" * (2 + 3 * len(sizes))]
    for name, by_size in results.items():
        names = list(dict.fromkeys(k["name"] for s in sizes for k in by_size[s]["kernels"]))
        for kernel in names:
            cells = []
            for s in sizes:
                k = next((k for k in by_size[s]["kernels"] if k["name"] == kernel), None)
                estimate = f"{k['estimated_speedup']:.1f}" if k and k.get("changed") and k.get("estimated_speedup") else ""
                cells += [done_to(k).replace("|", "\\|"), estimate, ran(k, by_size[s]["patched"])] if k else ["-", "", ""]
            lines.append(f"| {name} | {kernel} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=pathlib.Path, help="root of a PolyBench-ACC checkout")
    parser.add_argument("--only", action="append", help="a program's name, e.g. gemm; repeat for several")
    parser.add_argument("--sizes", default="mini,odd")
    parser.add_argument("--hone", default=str(pathlib.Path(__file__).resolve().parents[1] / "build/release/bin/hone"))
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("build/polybench"), help="where patched programs and logs go")
    parser.add_argument("--timeout", type=int, default=600, help="seconds for one command")
    parser.add_argument("--again", action="store_true", help="also what an earlier call with the same --work has finished")
    parser.add_argument("-o", dest="table", type=pathlib.Path, help="write the table there too")
    options = parser.parse_args()

    sizes, results, failed = options.sizes.split(","), {}, []
    for source in sorted(options.path.glob("CUDA/**/*.cu"), key=lambda p: p.stem.lower()):
        if options.only and source.stem not in options.only:
            continue
        program = Program(options.path, source, options.hone, options.work, options.timeout)
        for size in sizes:
            kept = program.work / f"result-{size}.json"
            if kept.exists() and not options.again:
                result = json.loads(kept.read_text())
            else:
                flags = sizes_of(program.name, size)
                original = program.run(source, flags, f"original-{size}")
                chosen = results.get(program.name, {}).get("mini")
                opt = program.repeat(chosen["kernels"], flags, f"opt-{size}") if chosen else program.choose(flags, f"opt-{size}")
                patched = program.run(opt["out"], flags, f"patched-{size}") if opt["out"] else None
                result = {"flags": flags, "original": original, "patched": patched, "kernels": opt["kernels"],
                          "seconds": opt["seconds"], "status": opt["status"]}
                kept.write_text(json.dumps(result))
            results.setdefault(program.name, {})[size] = result
            print(f"{program.name} {size} ({' '.join(result['flags'])}): original {told(result['original'])}, "
                  f"opt {result['seconds']:.1f} s, patched {told(result['patched'])}", flush=True)
            for k in result["kernels"]:
                print(f"   {k['name']}: {done_to(k)} | {k.get('estimated_speedup')} | verified: {k.get('verified')} | "
                      f"ran: {ran(k, result['patched'])}", flush=True)
            if is_worse(result["original"], result["patched"]) or not result["kernels"]:
                failed.append(f"{program.name} {size}")
    text = table(results, sizes)
    if options.table:
        options.table.write_text(text)
    else:
        print(text)
    if failed:
        print("FAILED: " + ", ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
