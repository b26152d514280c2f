#!/usr/bin/env python3
"""Kernels that nobody here wrote and that `hone opt` leaves as they are, drawn by lot, with the reason that it gives.

    reasons.py --suites DIR --hone HONE --work DIR > reasons.tsv

The folder of suites holds checkouts of HeCBench, gpu-rodinia, PolyBench-ACC and llm.c (nothing of them is committed here). The
programs of each, those that use libraries left out, come in an order drawn by lot; of each one kernel is taken, by lot among
those that are left, until there are enough of the suite. A line is suite, program, kernel and reason; all that hone said lies in
the work folder, and what lies there already is not run again. docs/results/reasons.md has the kernels with the true reason.
"""
import argparse
import json
import os
import random
import re
import subprocess

from foreign import sources_and_flags

WANTED = {"PolyBench": 3, "llm.c": 6, "Rodinia": 7, "HeCBench": 34}
SEED = 22
LIBRARIES = re.compile(
    r'#\s*include\s*[<"](cub/|thrust/|cublas|cusparse|cufft|curand|cusolver|cudnn|nccl|mpi|cutlass|cute/|mma|opencv|omp\.h|boost|'
    r"cooperative_groups/reduce|cuda/std|cuda/atomic|cuda/barrier|GL/)")


def read(path):
    return open(path, errors="replace").read()


def files_in(folder, endings, is_deep=False):
    out = []
    for at, _, names in os.walk(folder):
        out += [os.path.join(at, name) for name in names if name.endswith(endings)]
        if not is_deep:
            break
    return sorted(out)


def needs_no_library(folder, is_deep=False):
    texts = [read(path) for path in files_in(folder, (".cu", ".cuh", ".h", ".hpp"), is_deep)]
    return any("__global__" in text for text in texts) and not any(map(LIBRARIES.search, texts))


def without_included(files):
    """Files that another one includes come with it."""
    included = {os.path.normpath(os.path.join(os.path.dirname(path), name)) for path in files
                for name in re.findall(r'#\s*include\s*"([^"]+\.cu)"', read(path))}
    return [path for path in files if path not in included]


def programs_of(suites):
    """By suite: the names of its programs, and what gives the files and flags of one."""
    root = {"HeCBench": suites + "/HeCBench/src", "Rodinia": suites + "/gpu-rodinia/cuda",
            "PolyBench": suites + "/PolyBench-ACC/CUDA", "llm.c": suites + "/llm.c/dev/cuda"}

    def links_nothing(name):
        makefile = os.path.join(root["HeCBench"], name, "Makefile")
        return os.path.exists(makefile) and not re.search(r"-l(?!m\b|cudart\b|stdc)[a-z]", read(makefile))

    hecbench = [name for name in os.listdir(root["HeCBench"]) if name.endswith("-cuda") and links_nothing(name)
                and needs_no_library(os.path.join(root["HeCBench"], name))]
    rodinia = [name for name in os.listdir(root["Rodinia"]) if name != "util" and os.path.isdir(os.path.join(root["Rodinia"], name))
               and needs_no_library(os.path.join(root["Rodinia"], name), True)]
    polybench = [os.path.relpath(os.path.dirname(path), root["PolyBench"])
                 for path in files_in(root["PolyBench"], (".cu",), True)]
    llm = [os.path.basename(path) for path in files_in(root["llm.c"], (".cu",)) if not path.endswith("nccl_all_reduce.cu")]

    def of_hecbench(name):
        files, flags = sources_and_flags(root["HeCBench"], name)
        return without_included(files), flags

    def of_rodinia(name):
        folder = os.path.join(root["Rodinia"], name)
        return without_included(files_in(folder, (".cu",), True)), ["-I" + suites + "/gpu-rodinia/common", "-I" + folder]

    def of_polybench(name):
        folder = os.path.join(root["PolyBench"], name)
        return files_in(folder, (".cu",)), ["-I" + folder, "-I" + root["PolyBench"] + "/utilities",
                                            "-I" + suites + "/PolyBench-ACC/common"]

    def of_llm(name):
        return [os.path.join(root["llm.c"], name)], ["-I" + root["llm.c"], "-I" + suites + "/llm.c"]

    return {"PolyBench": (polybench, of_polybench), "llm.c": (llm, of_llm), "Rodinia": (rodinia, of_rodinia),
            "HeCBench": (hecbench, of_hecbench)}


def left_by(hone, files, flags, place):
    """Kernels that hone leaves, as its record has them."""
    if not os.path.exists(place + ".txt"):
        made = subprocess.run(["timeout", "-k", "5", "300", hone, "opt", *files, "--target", "h200", "--reassociate", "-v", "--diff",
                               "--keep-going", "--json", place + ".json", "--", *flags],
                              capture_output=True, text=True, errors="replace")
        with open(place + ".txt", "w") as out:
            out.write(f"{made.stderr}\n{made.stdout}\nstatus {made.returncode}\n")
    kernels = json.load(open(place + ".json"))["kernels"] if os.path.exists(place + ".json") else []
    return sorted((kernel for kernel in kernels if not kernel["changed"]), key=lambda kernel: kernel["name"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suites", required=True)
    parser.add_argument("--hone", required=True)
    parser.add_argument("--work", required=True)
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    for suite, (names, files_of) in programs_of(os.path.abspath(options.suites)).items():
        order, count = sorted(names), 0
        random.Random(SEED).shuffle(order)
        for program in order:
            if count == WANTED[suite]:
                break
            left = left_by(options.hone, *files_of(program), os.path.join(options.work, f"{suite}_{program}".replace("/", "_")))
            if left:
                count += 1
                kernel = random.Random(program).choice(left)
                print(f"{suite}\t{program}\t{kernel['name']}\t{kernel['reason']}", flush=True)


main()
