#!/usr/bin/env python3
"""What plain `hone opt` takes of the processor for each file of the examples, which hold one kernel, strsm two.

    bench/choosing/seconds.py build/release/bin/hone [--before OTHER_HONE] [--runs 1] [--target h200] [FILE.cu ...]

Seconds of the processor, of the user and of the system together, over all threads: other programs on the machine make
them longer, by shared caches and cores, but by less than what a clock on the wall shows. The least of the runs counts.
With --before the two binaries take turns, and what they write must be the same, byte for byte; exit status 1 where it
is not.
"""
import argparse
import glob
import os
import statistics
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("hone")
parser.add_argument("files", nargs="*")
parser.add_argument("--before")
parser.add_argument("--runs", type=int, default=1)
parser.add_argument("--target", default="h200")
options = parser.parse_intermixed_args()

examples = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")
files = options.files or sorted(file for folder in ("", "naive", "ml")
                                for file in glob.glob(os.path.join(examples, folder, "*.cu")))
work = tempfile.mkdtemp(prefix="hone-seconds-")


def run(hone, file):
    """Seconds of the processor, and what was written."""
    out = os.path.join(work, "out.cu")
    if os.path.exists(out):
        os.remove(out)
    command = [hone, "opt", "--quiet", "--reassociate", "--target", options.target, file, "-o", out]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if os.WIFSIGNALED(status):
        sys.exit(f"failed: {' '.join(command)}")
    text = open(out, "rb").read() if os.path.exists(out) else b""
    return usage.ru_utime + usage.ru_stime, text


binaries = [options.before, options.hone] if options.before else [options.hone]
all_of = [[] for _ in binaries]
differs = []
print("| file | " + ("before, s | after, s | ratio |" if options.before else "s |"))
print("|---|" + "---|" * (3 if options.before else 1))
for file in files:
    least, texts = [float("inf")] * len(binaries), [None] * len(binaries)
    for _ in range(options.runs):
        for k, binary in enumerate(binaries):
            seconds, texts[k] = run(binary, file)
            least[k] = min(least[k], seconds)
    for k, seconds in enumerate(least):
        all_of[k].append(seconds)
    if options.before and texts[0] != texts[1]:
        differs.append(file)
    name = os.path.relpath(file, examples)
    ratio = f" {least[0] / least[1]:.2f} |" if options.before else ""
    print(f"| `{name}` | " + " | ".join(f"{seconds:.2f}" for seconds in least) + " |" + ratio, flush=True)
medians = [statistics.median(seconds) for seconds in all_of]
sums = [sum(seconds) for seconds in all_of]
for title, values in (("median", medians), ("sum", sums)):
    ratio = f" {values[0] / values[1]:.2f} |" if options.before else ""
    print(f"| {title} | " + " | ".join(f"{value:.2f}" for value in values) + " |" + ratio)
for file in differs:
    print(f"differs: {file}", file=sys.stderr)
sys.exit(1 if differs else 0)
