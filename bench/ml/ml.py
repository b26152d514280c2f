#!/usr/bin/env python3
"""The kernels of examples/ml before and after `hone opt --reassociate`, timed on a GPU beside what they can be measured against.

    ml.py make   --hone HONE --work DIR [--compile]     here: original and changed programs; --compile: nvcc builds all of them
    ml.py run    --work DIR [--seconds 540]             on the GPU machine: builds, runs each seven times in turns
    ml.py report --work DIR                             a table

DIR holds all that `run` needs, this script among it: `DIR/ml.py run --work DIR`. Kernel times are CUPTI's (ktime.cpp), all kernels of a program
together, the median of its runs; beside them stand a copy of the bytes that must move, each input once and each output once, and CUB's reductions of rows
where one does as much of the work.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
RUNS = 7
MILLION = 1 << 20
# Arguments, bytes that must move, and a reduction of CUB that reads as much.
CASES = {
    "adamw": ([64 * MILLION], 7 * 4 * 64 * MILLION, None),
    "argmax": ([8192, 8192], 4 * 8192 * 8192 + 4 * 8192, ["argmax", 8192, 8192]),
    "bf16": ([128 * MILLION], 3 * 2 * 128 * MILLION, None),
    "bias_gradient": ([32768, 3072], 4 * 32768 * 3072 + 4 * 3072, None),
    "cross_entropy": ([8192, 50257], 4 * 8192 * 50257 + 8 * 8192, ["sum", 8192, 50257]),
    "dequantize": ([8192, 16384], 5 * 8192 * 16384 + 4 * 8192, None),
    "encoder": ([64, 1024, 768], 4 * 64 * 1024 * 768 + 4 * 64 * 1024 + 4 * (1024 + 211) * 768, None),
    "gather_rows": ([65536, 1024], 2 * 4 * 65536 * 1024 + 4 * 65536, None),
    "gelu": ([64 * MILLION], 2 * 4 * 64 * MILLION, None),
    "layernorm": ([32768, 1024], 2 * 4 * 32768 * 1024 + 8 * (32768 + 1024), ["sum", 32768, 1024]),
    "permute": ([16, 1024, 16, 64], 2 * 3 * 4 * 16 * 1024 * 16 * 64, None),
    "residual": ([64 * MILLION], 3 * 4 * 64 * MILLION, None),
    "softmax": ([16384, 4096], 2 * 4 * 16384 * 4096, ["max", 16384, 4096]),
}


def nvcc(options, source, out, *more):
    tool = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    words = [tool, "-O3", "-std=c++17", f"-arch={options.arch}", source, "-o", out, *more]
    done = subprocess.run(words, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def sides(work, name):
    """(what it is called, source) of the programs of a case that are there."""
    found = [(side, os.path.join(work, side, name + ".cu")) for side in ("original", "changed")]
    return [one for one in found if os.path.exists(one[1])]


def build(options):
    problems = []
    for name in CASES:
        for side, source in sides(options.work, name):
            said = nvcc(options, source, source[:-3])
            problems += [f"{side} {name}: {said}"] if said else []
    said = nvcc(options, os.path.join(options.work, "yardstick.cu"), os.path.join(options.work, "yardstick"))
    return problems + ([f"yardstick: {said}"] if said else [])


def do_make(options):
    examples = os.path.join(HERE, "..", "..", "examples", "ml")
    if sorted(CASES) != sorted(f[:-3] for f in os.listdir(examples) if f.endswith(".cu")):
        sys.exit("the table of cases does not name each program of examples/ml")
    for side in ("original", "changed"):
        os.makedirs(os.path.join(options.work, side), exist_ok=True)
    for file in ("ml.py", "yardstick.cu", os.path.join("..", "foreign", "ktime.cpp")):
        shutil.copy(os.path.join(HERE, file), options.work)
    made = {}
    for name in CASES:
        source = os.path.join(examples, name + ".cu")
        shutil.copy(source, os.path.join(options.work, "original"))
        changed = os.path.join(options.work, "changed", name + ".cu")
        report = os.path.join(options.work, "changed", name + ".json")
        done = subprocess.run([options.hone, "opt", source, "--reassociate", "-o", changed, "--json", report], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{name}: hone opt ends with status {done.returncode}: {done.stderr}")
        with open(report) as file:
            kernel = json.load(file)["kernels"][0]
        made[name] = {"recipe": kernel["recipe"] if kernel["changed"] else "", "reason": kernel["reason"]}
        if kernel["changed"]:
            made[name]["estimated"] = kernel["estimated_speedup"]
        elif os.path.exists(changed):
            os.remove(changed)
        print(f"{name}: {made[name]['recipe'] or made[name]['reason']}")
    with open(os.path.join(options.work, "made.json"), "w") as file:
        json.dump(made, file, indent=1)
    problems = build(options) if options.compile else []
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


def kernel_time(options, words):
    """Microseconds a launch, all kernels together; none and what was printed where it failed. Kernels that fill arrays do not count."""
    times = os.path.join(options.work, "times.txt")
    environment = dict(os.environ, CUDA_INJECTION64_PATH=os.path.join(options.work, "ktime.so"), KTIME_OUT=times)
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=environment, timeout=120)
    if done.returncode or "ok" not in done.stdout:
        return None, (done.stdout + done.stderr).strip()
    total = 0
    with open(times) as file:
        for line in file:
            nanoseconds, _, kernel = line.rstrip("\n").split("\t", 2)
            total += 0 if "fill" in kernel or "offsetsOf" in kernel else float(nanoseconds)
    return total / 1000, ""


def do_run(options):
    begin = time.monotonic()
    options.work = os.path.abspath(options.work)
    cuda = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    subprocess.run(["g++", "-O1", "-fPIC", "-shared", f"-I{cuda}/include", os.path.join(options.work, "ktime.cpp"), "-o",
                    os.path.join(options.work, "ktime.so"), f"-L{cuda}/lib64", "-lcupti"], check=True)
    problems = build(options)
    rows = {}
    for name, (arguments, size, reduction) in CASES.items():
        commands = {side: [source[:-3], *arguments] for side, source in sides(options.work, name)}
        commands["copy"] = [os.path.join(options.work, "yardstick"), "copy", size, 1]
        if reduction:
            commands["cub"] = [os.path.join(options.work, "yardstick"), *reduction, 1]
        found = {what: [] for what in commands}
        for _ in range(RUNS):
            for what, words in commands.items():
                if time.monotonic() - begin > options.seconds:
                    continue
                microseconds, said = kernel_time(options, words)
                if microseconds is None:
                    problems.append(f"{name}: {what}: {said}")
                else:
                    found[what].append(microseconds)
        rows[name] = {what: statistics.median(times) for what, times in found.items() if times}
        print(name, json.dumps(rows[name]), flush=True)
        with open(os.path.join(options.work, "ran.json"), "w") as file:
            json.dump({"rows": rows, "problems": problems}, file, indent=1)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


def do_report(options):
    with open(os.path.join(options.work, "made.json")) as file:
        made = json.load(file)
    with open(os.path.join(options.work, "ran.json")) as file:
        ran = json.load(file)
    print("| kernel | sizes | original, us | hone, us | times as fast (estimated) | of the copy's speed | copy, us | CUB, us | recipe |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, row in ran["rows"].items():
        original, changed, copy = row.get("original"), row.get("changed"), row.get("copy")
        best = changed or original
        gain = f"{original / changed:.2f} ({made[name]['estimated']:.2f})" if original and changed else ""
        cells = [name, " x ".join(map(str, CASES[name][0])), f"{original:.1f}" if original else "?", f"{changed:.1f}" if changed else "left", gain,
                 f"{100 * copy / best:.0f} %" if copy and best else "", f"{copy:.1f}" if copy else "", f"{row['cub']:.1f}" if "cub" in row else "",
                 f"`{made[name]['recipe']}`" if made[name]["recipe"] else made[name]["reason"].split(";")[0]]
        print("| " + " | ".join(cells) + " |")
    for problem in ran["problems"]:
        print(f"\n{problem}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["make", "run", "report"])
    parser.add_argument("--work", required=True)
    parser.add_argument("--hone")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--arch", default="")
    parser.add_argument("--seconds", type=float, default=540)
    options = parser.parse_args()
    # A machine without a GPU has no architecture of its own.
    options.arch = options.arch or ("sm_90" if options.what == "make" else "native")
    if options.what == "make" and not options.hone:
        parser.error("make wants --hone")
    {"make": do_make, "run": do_run, "report": do_report}[options.what](options)


main()
