#!/usr/bin/env python3
"""Random OpenACC programs through `hone acc`, compared with what they print when Clang compiles them with pragmas ignored.

random_acc.py HONE CLANG --seed S --count N [--per-file 10] [-j N] [--flags=-O0] [--keep FOLDER] [--print]

Programs are valid by construction (see random_text.py), the same for the same seed. Several stand in one file, so that compilers start
less often. A program that differs is written to --keep alone, with its seed in its name; `--seed ITS_SEED --count 1` makes it again.
--print writes the text instead of running it.
"""
import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import random_text

LIMIT = 120


def run(words):
    try:
        return subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 124, "", f"not done after {LIMIT} s")


def groups(text):
    """What each program printed, by its seed."""
    found = {}
    for line in text.split("\n"):
        if line:
            found.setdefault(line.split()[0], []).append(line)
    return found


def difference(options, seeds, scratch):
    """None where the file with these programs does what the sequential one does; else what differs."""
    path = os.path.join(scratch, f"random_{seeds[0]}_{len(seeds)}.c")
    with open(path, "w") as file:
        file.write(random_text.file_text(seeds))
    made = run([options.clang, "-w", "-O1", path, "-o", path + ".seq", "-lm"])
    if made.returncode:
        return "the sequential program: " + made.stderr[:400]
    wanted = run([path + ".seq"])
    made = run([options.hone, "acc", *options.flags.split(), "-w", path, "-o", path + ".acc", "-lm"])
    if made.returncode:
        return "build: " + (made.stdout + made.stderr)[:600]
    said = made.stdout + made.stderr
    got = run([path + ".acc"])
    for name in (path + ".seq", path + ".acc"):
        os.remove(name)
    if wanted.returncode:
        return f"the sequential program: status {wanted.returncode}"
    if said.strip():
        return "build says: " + said[:600]
    if got.stderr.strip():
        return "run says: " + got.stderr[:600]
    if got.stdout != wanted.stdout:
        a, b = wanted.stdout.split("\n"), got.stdout.split("\n")
        at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
        return f"printed '{(b + [''])[at]}' instead of '{(a + [''])[at]}'"
    return f"status {got.returncode}" if got.returncode else None


def check(options, seeds, scratch):
    """(seed, what differs) of each program of a file that is wrong."""
    if not difference(options, seeds, scratch):
        return []
    found = [(s, d) for s in seeds for d in [difference(options, [s], scratch)] if d]
    return found or [(seeds[0], f"only together with the {len(seeds) - 1} behind it: {difference(options, seeds, scratch)}")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hone")
    parser.add_argument("clang")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--per-file", type=int, default=10)
    parser.add_argument("-j", type=int, default=1)
    parser.add_argument("--flags", default="-O0")
    parser.add_argument("--keep", default="")
    parser.add_argument("--print", action="store_true")
    options = parser.parse_args()
    seeds = list(range(options.seed, options.seed + options.count))
    if options.print:
        print(random_text.file_text(seeds), end="")
        return 0
    files = [seeds[i:i + options.per_file] for i in range(0, len(seeds), options.per_file)]
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        for found in pool.map(lambda s: check(options, s, scratch), files):
            for seed, what in found:
                wrong += 1
                print(f"seed {seed}: {what}", flush=True)
                if options.keep:
                    os.makedirs(options.keep, exist_ok=True)
                    with open(os.path.join(options.keep, f"random_{seed}.c"), "w") as file:
                        file.write(random_text.file_text([seed]))
    print(f"{options.count - wrong} of {options.count} random programs right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
