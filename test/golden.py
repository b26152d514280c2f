#!/usr/bin/env python3
"""Compares what hone makes of kernels with golden files, one for each kernel.

    golden.py HONE EXAMPLES GOLDEN [PROGRAM...]      of all programs of EXAMPLES, or of those named

A golden file begins with the recipe; what follows is what it adds to the program: the new kernel with its launch function and the launch, or the kernel's
new body. Applying a recipe is checked here, choosing it elsewhere: the recipe is a guess of the time model, which may change. With HONE_UPDATE_GOLDEN=1
in the environment recipes are chosen anew and the files written.
"""
import difflib
import json
import os
import subprocess
import sys
import tempfile

hone, examples, golden = map(os.path.abspath, sys.argv[1:4])
programs = sys.argv[4:]
HEAD = "// recipe: "
LEFT = "// left as it is: "
# Kernels that must stay as short as one would write them.
FEWER_LINES = {"mm.mm.cu": 70, "softmax.softmax.cu": 80, "layernorm.layernorm.cu": 80}


def run(*words):
    return subprocess.run([hone, "opt", *words], capture_output=True, text=True, timeout=300)


def emitted(source, kernel, recipe):
    with tempfile.TemporaryDirectory() as folder:
        patched = os.path.join(folder, "patched.cu")
        out = run(source, "--kernel", kernel, "--recipe", recipe, "--reassociate", "--no-verify", "-o", patched)
        if out.returncode:
            sys.exit(f"{source}: {recipe}: status {out.returncode}\n{out.stderr}")
        lines = open(patched).read().split("\n")
    heading = f"// {kernel}, optimized by hone"
    first = next((i for i, line in enumerate(lines) if line.startswith(heading)), None)
    if first is None:  # its body was replaced
        first = next(i for i, line in enumerate(lines) if line.startswith("__global__") and f" {kernel}(" in line)
        return "\n".join(lines[first:lines.index("}", first) + 1]) + "\n"
    launch = next(i for i, line in enumerate(lines) if line.startswith("static inline ") and f" {kernel}_launch(" in line)
    end = lines.index("}", launch) + 1
    calls = [line for line in lines[end:] if f"{kernel}_launch(" in line]
    return "\n".join(lines[first:end] + [""] + calls) + "\n"


def update():
    texts = {}
    for file in sorted(f for f in os.listdir(examples) if f.endswith(".cu") and (not programs or f[:-3] in programs)):
        source = os.path.join(examples, file)
        with tempfile.TemporaryDirectory() as folder:
            report = os.path.join(folder, "report.json")
            run(source, "--reassociate", "-o", os.path.join(folder, file), "--json", report)
            kernels = json.load(open(report))["kernels"]
        for kernel in kernels:
            text = f"{LEFT}{kernel['reason']}\n"
            if kernel["changed"]:
                text = f"{HEAD}{kernel['recipe']}\n" + emitted(source, kernel["name"], kernel["recipe"])
            texts[f"{file[:-3]}.{kernel['name']}.cu"] = text
    os.makedirs(golden, exist_ok=True)
    for old in os.listdir(golden):
        os.remove(os.path.join(golden, old))
    for name, text in texts.items():
        with open(os.path.join(golden, name), "w") as out:
            out.write(text)


def kernel_lines(text):
    lines = text.split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith("__global__"))
    return lines.index("}", first) - first + 1


def check():
    wrong = 0
    files = sorted(os.listdir(golden))
    for file in files:
        name, kernel, _ = file.split(".")
        expected = open(os.path.join(golden, file)).read()
        if expected.startswith(LEFT):
            continue
        recipe = expected.split("\n")[0][len(HEAD):]
        printed = expected.split("\n")[0] + "\n" + emitted(os.path.join(examples, name + ".cu"), kernel, recipe)
        if printed != expected:
            wrong += 1
            print("\n".join(difflib.unified_diff(expected.split("\n"), printed.split("\n"), file, "now", lineterm="")))
        if kernel_lines(printed) >= FEWER_LINES.get(file, 1 << 30):
            wrong += 1
            print(f"{file}: the kernel has {kernel_lines(printed)} lines; it should stay under {FEWER_LINES[file]}")
    print(f"{len(files)} golden files, {wrong} differ" + ("; `make update-golden` renews them, look at the diff" if wrong else ""))
    sys.exit(1 if wrong or not files else 0)


if os.environ.get("HONE_UPDATE_GOLDEN") == "1":
    update()
else:
    check()
