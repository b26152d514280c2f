#!/usr/bin/env python3
"""Mistakes seeded in OpenACC's part of hone, each of which the programs with OpenACC must find.

mistakes.py HONE CLANG [-j N] [--only NAME] [--random N]
    HONE is built of the sources with their mistakes (target acc_seeded), and HONE_MISTAKE switches one on, in it and in the programs that
    it builds. The names are those of HONE_SEED in src/acc and runtime/acc. For each the programs of test/acc/programs run until one does
    not what it does without pragmas, or says something, and then random ones (random_acc.py). Without a mistake nothing may be found.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import random_acc
import run as programs

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LEAST = 10


def seeds():
    """Where each mistake stands, by its name."""
    found = {}
    for folder in ("src/acc", "runtime/acc"):
        for name in sorted(os.listdir(os.path.join(ROOT, folder))):
            if not name.endswith(".cpp"):
                continue
            with open(os.path.join(ROOT, folder, name), encoding="utf-8") as file:
                for mistake in re.findall(r"\bHONE_SEED\(\s*(\w+),", file.read()):
                    found.setdefault(mistake, f"{folder}/{name}")
    return found


def firstWords(text):
    return text.strip().split("\n")[0][:110]


def finder(options, paths, scratch):
    """What finds something wrong first: (name, how many were tried, what it says); None: nothing does."""
    tried = 0
    for at in range(0, len(paths), options.j):
        some = paths[at:at + options.j]
        with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
            for path, problems in zip(some, pool.map(lambda p: programs.program(options, p, scratch), some)):
                tried += 1
                if problems:
                    return os.path.basename(path), tried, firstWords(problems[-1])
    options.flags = "-O0"
    for seed in range(1, options.random + 1, 10):
        wrong = random_acc.difference(options, list(range(seed, seed + 10)), scratch)
        if wrong:
            return f"random programs {seed} to {seed + 9}", tried + seed, firstWords(wrong)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hone")
    parser.add_argument("clang")
    parser.add_argument("-j", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--random", type=int, default=200)
    options = parser.parse_args()
    options.hone = os.path.abspath(options.hone)
    folder = os.path.join(HERE, "programs")
    paths = [os.path.join(folder, n) for n in sorted(os.listdir(folder)) if n.endswith((".c", ".cpp"))]
    paths = [p for p in paths if "PART" not in programs.marks(p)]
    known = seeds()
    found, finders = 0, set()
    with tempfile.TemporaryDirectory() as scratch:
        for name in sorted(known):
            if options.only not in name:
                continue
            os.environ["HONE_MISTAKE"] = name
            options.flags = ["-O0"]
            by = finder(options, paths, scratch)
            del os.environ["HONE_MISTAKE"]
            found += by is not None
            if by:
                finders.add(by[0])
            print(f"{name} ({known[name]}): " + (f"{by[0]}, after {by[1]} programs: {by[2]}" if by else "NOT FOUND"), flush=True)
        # What finds mistakes is silent where there are none.
        options.flags, options.random = ["-O0"], 0
        sound = finder(options, [p for p in paths if os.path.basename(p) in finders], scratch) if not options.only else None
        if sound:
            print(f"without a mistake: {sound[0]}: {sound[2]}")
    print(f"{found} of {len(known)} mistakes found, each is wanted")
    return 1 if sound or (not options.only and (found < len(known) or len(known) < LEAST)) else 0


if __name__ == "__main__":
    sys.exit(main())
