#!/usr/bin/env python3
"""How hone feels at the keyboard: start-up, import and emission of small files, memory. Medians against limits.

    bench/interactive.py build/release/bin/hone [--runs 15]

Exit status 1 when a median is over its limit, 2 when a command fails.
"""
import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("hone")
parser.add_argument("--runs", type=int, default=15)
options = parser.parse_args()

inputs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "inputs")
work = tempfile.mkdtemp(prefix="hone-bench-")
# A header cache of its own, so that the first run makes it and no other program's cache helps.
environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(work, "cache"))
os.makedirs(environment["XDG_CACHE_HOME"])


def run(arguments):
    """One run: seconds, seconds of CPU, and the peak resident memory in MB."""
    log = os.path.join(work, "log")
    quiet = [(os.POSIX_SPAWN_OPEN, 1, log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
             (os.POSIX_SPAWN_DUP2, 1, 2)]
    start = time.perf_counter()
    child = os.posix_spawn(options.hone, [options.hone, *arguments], environment, file_actions=quiet)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - start
    if status:
        print(open(log, errors="replace").read(), file=sys.stderr)
        print(f"failed: hone {' '.join(arguments)}", file=sys.stderr)
        sys.exit(2)
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def opt(name):
    return ["opt", os.path.join(inputs, name), "--recipe", "", "-o", os.path.join(work, "out-" + name)]


toolkit = next((place for place in (os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME"), "/usr/local/cuda")
                if place and os.path.exists(os.path.join(place, "include", "cuda_runtime.h"))), None)

MEMORY_LIMIT = 200
cases = [
    ("start-up (--version)", ["--version"], 30, None),
    ("50 lines of CUDA", opt("kernels.cu"), 100, None),
    ("50 lines of OpenCL", opt("kernels.cl"), 100, None),
    ("with the CUDA runtime's headers", opt("runtime.cu"), 300, None if toolkit else "no CUDA toolkit here"),
]

over = False
print(f"{'':34}{'median':>10}{'limit':>10}{'best':>10}{'first':>10}{'CPU':>10}{'memory':>10}{'limit':>10}")
for title, arguments, limit, skip in cases:
    if skip:
        print(f"{title:34}skipped: {skip}")
        continue
    first = run(arguments)
    runs = [run(arguments) for _ in range(options.runs)]
    median = 1000 * statistics.median(seconds for seconds, _, _ in runs)
    best = 1000 * min(seconds for seconds, _, _ in runs)
    cpu = 1000 * statistics.median(seconds for _, seconds, _ in runs)
    memory = max(peak for _, _, peak in [first, *runs])
    bad = median > limit or memory > MEMORY_LIMIT
    over |= bad
    print(f"{title:34}{median:7.1f} ms{limit:7} ms{best:7.1f} ms{1000 * first[0]:7.1f} ms{cpu:7.1f} ms"
          f"{memory:7.0f} MB{MEMORY_LIMIT:7} MB" + ("   OVER" if bad else ""))
if os.getloadavg()[0] > os.cpu_count() + 0.5:
    print(f"The machine is busy (load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores): look at the CPU times.")
shutil.rmtree(work)
sys.exit(1 if over else 0)
