#!/usr/bin/env python3
"""Compiles what hone makes of the naive kernels, for sm_80 and sm_90, and wants no warning.

    compile.py HONE EXAMPLES GOLDEN --clang CLANG --include RUNTIME_INCLUDE [--nvcc NVCC]

The recipes are those of the golden files. The device parts of all patched programs, each in a namespace of its own, go into one file, which Clang
compiles to PTX with hone's own header and, where there is one, nvcc with its host compiler as well.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("hone")
parser.add_argument("examples")
parser.add_argument("golden")
parser.add_argument("--clang", required=True)
parser.add_argument("--include", required=True)
parser.add_argument("--nvcc", default="")
given = parser.parse_args()

HEAD = "// recipe: "
ARCHITECTURES = ["sm_80", "sm_90"]


def device_part(text):
    """What stands between the includes and the first function of the host."""
    lines = text.split("\n")
    first = max(i for i, line in enumerate(lines) if line.startswith("#include <")) + 1
    last = next(i for i, line in enumerate(lines) if line.startswith("static void check("))
    return "\n".join(lines[first:last])


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


parts, calls, includes = [], [], {"#include <cuda_runtime.h>"}
with tempfile.TemporaryDirectory() as folder:
    for file in sorted(os.listdir(given.golden)):
        name, kernel, _ = file.split(".")
        recipe = open(os.path.join(given.golden, file)).readline().rstrip("\n")
        if not recipe.startswith(HEAD):
            continue
        source, patched = os.path.join(given.examples, name + ".cu"), os.path.join(folder, "patched.cu")
        status, said = run(given.hone, "opt", source, "--kernel", kernel, "--recipe", recipe[len(HEAD):], "--reassociate", "--no-verify", "-o", patched)
        if status:
            sys.exit(f"{file}: status {status}\n{said}")
        text = open(patched).read()
        includes |= {line for line in text.split("\n") if re.match("#include <(cuda|cooperative|hone)", line)}
        parts.append(f"namespace {name}_{kernel} {{\n{device_part(text)}}}\n")
        calls += [f"(void*){name}_{kernel}::{found}" for found in re.findall(r"^static inline \w+ (\w+_launch)\(", text, re.M)]
    if len(parts) < 8:
        sys.exit(f"only {len(parts)} kernels were optimized")
    whole = os.path.join(folder, "whole.cu")
    with open(whole, "w") as out:
        out.write("\n".join(sorted(includes)) + "\n\n" + "\n".join(parts))
        out.write("\nvoid* used[] = {" + ", ".join(calls) + "};\n")

    wrong = 0
    for architecture in ARCHITECTURES:
        # Launches that share the work of one kernel keep its parameters, used or not.
        # Clang says where it cannot unroll a strip as asked (from an unknown start on, which nvcc does): that is no fault of the kernel's.
        commands = {"clang": [given.clang, "-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-device-only", f"--cuda-gpu-arch={architecture}", "--cuda-feature=+ptx85", "-O1",
                              "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-unknown-cuda-version", "-Wno-unused-parameter", "-Wno-pass-failed", "-S", "-o", os.path.join(folder, "whole.ptx"),
                              "-I", given.include, "-I", os.path.join(given.include, "cuda_stub"), "-include", os.path.join(given.include, "hone_cuda.h"), whole]}
        if given.nvcc and os.path.exists(given.nvcc):
            commands["nvcc"] = [given.nvcc, f"-arch={architecture}", "-Xcompiler", "-Wall,-Wextra,-Wno-unknown-pragmas", "-Werror", "all-warnings", "-I", given.include, "-c", "-o", os.path.join(folder, "whole.o"), whole]
        for compiler, command in commands.items():
            status, said = run(*command)
            print(f"{compiler} {architecture}: {len(parts)} kernels, " + (f"status {status}\n{said}" if status or said.strip() else "no warning"))
            wrong += bool(status or said.strip())
if not (given.nvcc and os.path.exists(given.nvcc)):
    print("HONE-SKIP: programs.compile.nvcc: there is no nvcc")
sys.exit(1 if wrong else 0)
