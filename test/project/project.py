#!/usr/bin/env python3
"""project.py HONE: a repository of 20 files under `hone opt --check`, as a CI job runs it.

The first run writes a baseline; the second finds nothing new; then a race and a gain are put in, which must be reported once each,
at their lines; then lines are inserted above everything, which must change nothing but the lines. Two runs over the same files say
the same. SARIF is looked at by sarif.py."""
import json
import os
import re
import subprocess
import sys
import tempfile

import sarif

KEPT = """// Adds {k} to each element.
#pragma hone keep
__global__ void add{k}(float* x, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += {k}.0f;
}}

void launchAdd{k}(float* x) {{ add{k}<<<4, 256>>>(x, 1000); }}
"""
# A block reverses its elements through shared memory.
REVERSE = """#pragma hone keep
__global__ void reverse{k}(const float* in, float* out) {{
  __shared__ float tile[128];
  int first = blockIdx.x * 128;
  tile[threadIdx.x] = in[first + threadIdx.x];
  __syncthreads();
  float other = tile[127 - threadIdx.x];
{barrier}  tile[threadIdx.x] = other;
  __syncthreads();
  out[first + threadIdx.x] = tile[threadIdx.x];
}}

void launchReverse{k}(const float* in, float* out) {{ reverse{k}<<<8, 128>>>(in, out); }}
"""
BARRIER = "  __syncthreads();\n"
RACE_LINE = "tile[127 - threadIdx.x]"
# Neighbouring threads read what lies far apart.
TRANSPOSE = """__global__ void transpose{k}(const float* in, float* out, int w, int h) {{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}}

void launchTranspose{k}(const float* in, float* out) {{
  transpose{k}<<<dim3(32, 128), dim3(32, 8)>>>(in, out, 1024, 1024);
}}
"""
HEADER = """#pragma once
#pragma hone keep
template <class T>
__global__ void fill(T* x, int n, T value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}
"""
USER = """#include "fill.cuh"

void launchFill{k}({type}* x) {{ fill<<<4, 256>>>(x, 1000, {type}(1)); }}
"""
# A kernel in one file, its launch in another.
APART = """#pragma hone keep
__global__ void apart(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
"""
LAUNCHER = """__global__ void apart(int* x, int n);

void launchApart(int* x) { apart<<<4, 256>>>(x, 1000); }
"""
OPENCL = """#pragma hone keep
__kernel void twice(__global float* x, int n) {
  int i = get_global_id(0);
  if (i < n) x[i] = 2 * x[i];
}
"""
TOML = """target = "h200"
database = "build"

[leave]
files = ["old/**"]

[check]
baseline = "hone-baseline.json"
sarif = "build/hone.sarif"
"""
CI = """#!/bin/sh
# What a CI job runs, after the build has written compile_commands.json.
cd "$(dirname "$0")" && exec "$HONE" opt --check --annotations github "$@"
"""


class Repository:
    def __init__(self, root, hone):
        self.root, self.hone = root, hone
        self.files = {}
        for k in range(10):
            self.files[f"src/add{k}.cu"] = KEPT.format(k=k)
        self.files["src/reverse1.cu"] = REVERSE.format(k=1, barrier="")  # a race that is there from the beginning
        self.files["src/reverse2.cu"] = REVERSE.format(k=2, barrier=BARRIER)
        self.files["src/transpose1.cu"] = TRANSPOSE.format(k=1)
        self.files["src/fill.cuh"] = HEADER
        for k, kind in enumerate(["float", "int"]):
            self.files[f"src/fill{k}.cu"] = USER.format(k=k, type=kind)
        self.files["src/apart.cu"] = APART
        self.files["src/launcher.cu"] = LAUNCHER
        self.files["src/twice.cl"] = OPENCL
        self.files["old/reverse3.cu"] = REVERSE.format(k=3, barrier="")  # left alone, whatever is wrong with it
        assert len(self.files) == 20
        self.write("hone.toml", TOML)
        self.write("ci.sh", CI)
        for name, text in self.files.items():
            self.write(name, text)
        self.write("build/compile_commands.json", json.dumps([
            {"directory": os.path.join(root, "build"), "file": os.path.join(root, name),
             "command": f"nvcc -O2 -c {os.path.join(root, name)} -o {i}.o"}
            for i, name in enumerate(self.files) if not name.endswith(".cuh")]))

    def write(self, name, text):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        if name in self.files:
            self.files[name] = text

    def line(self, name, text):
        """The line of the file that holds this text."""
        return next(i for i, line in enumerate(self.files[name].split("\n"), 1) if text in line)

    def run(self, *options):
        done = subprocess.run(["sh", os.path.join(self.root, "ci.sh"), *options], capture_output=True, text=True,
                              env={**os.environ, "HONE": self.hone}, timeout=500, check=False)
        problems = sarif.check(os.path.join(self.root, "build/hone.sarif"))
        assert not problems, problems
        for name, text in self.files.items():
            with open(os.path.join(self.root, name), encoding="utf-8") as file:
                assert file.read() == text, f"{name} was changed"
        return done

    def results(self):
        with open(os.path.join(self.root, "build/hone.sarif"), encoding="utf-8") as file:
            found = json.load(file)["runs"][0]["results"]
        places = [one["locations"][0]["physicalLocation"] for one in found]
        return {(one["ruleId"], at["artifactLocation"]["uri"], at["region"]["startLine"]): one["partialFingerprints"]["hone/v1"]
                for one, at in zip(found, places)}


def expect(done, status, *texts):
    output = done.stdout + done.stderr
    assert done.returncode == status, f"status {done.returncode}, not {status}:\n{output}"
    for text in texts:
        assert text in output, f"not said: {text}\n{output}"


def main(hone):
    with tempfile.TemporaryDirectory(prefix="hone-project-") as folder:
        repository = Repository(os.path.realpath(folder), hone)
        expect(repository.run("--write-baseline"), 0, "left alone by hone.toml (leave.files \"old/**\"): 1 file (old/reverse3.cu)",
               "1 finding and 1 missed gain are in hone-baseline.json now")
        with open(os.path.join(folder, "hone-baseline.json"), encoding="utf-8") as file:
            baseline = json.load(file)
        assert {(one["file"], one["rule"]) for one in baseline["findings"]} == {
            ("src/reverse1.cu", "race"), ("src/transpose1.cu", "missed-gain")}, baseline
        clean = repository.run()
        expect(clean, 0, "0 findings and 0 missed gains that are new, 2 in hone-baseline.json")
        assert clean.stdout == "", clean.stdout

        repository.write("src/reverse2.cu", REVERSE.format(k=2, barrier=""))
        repository.write("src/add7.cu", KEPT.format(k=7) + "\n" + TRANSPOSE.format(k=2))
        first = check_new(repository)
        assert check_new(repository)[1] == first[1], "two runs over the same files say different things"

        for name, text in repository.files.items():
            repository.write(name, "// A line.\n\n// And another.\n" + text)
        moved = check_new(repository)
        assert moved[0] == first[0], "fingerprints changed with lines above"
        expect(repository.run("--write-baseline"), 0, "2 findings and 2 missed gains are in hone-baseline.json now")
        repository.write("src/reverse1.cu", REVERSE.format(k=1, barrier=BARRIER))
        expect(repository.run(), 0, "an entry of it is gone (--write-baseline)")


def check_new(repository):
    """One race and one gain are new, at their lines; gives their fingerprints, and what was printed."""
    done = repository.run()
    expect(done, 1, "1 finding and 1 missed gain that are new, 2 in hone-baseline.json")
    race, gain = repository.line("src/reverse2.cu", RACE_LINE), repository.line("src/add7.cu", "__global__ void transpose2")
    found = repository.results()
    assert sorted(found) == [("missed-gain", "src/add7.cu", gain), ("race", "src/reverse2.cu", race)], found
    annotations = re.findall(r"^::(\w+) file=([^,]*),line=(\d+),title=hone%3A ([\w-]+)::.", done.stdout, re.M)
    assert sorted(annotations) == [("error", "src/reverse2.cu", str(race), "race"),
                                   ("warning", "src/add7.cu", str(gain), "missed-gain")], done.stdout
    lines = [line for line in done.stdout.split("\n") if line and not line.startswith(("::", "    "))]
    assert len(lines) == 2, done.stdout
    return sorted(found.values()), done.stdout


if __name__ == "__main__":
    main(sys.argv[1])
    print("as expected")
