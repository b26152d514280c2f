#!/usr/bin/env python3
"""Where debuggers, profilers and warnings point in what hone made of programs that nobody here wrote.

    lines.py --work RUNS [--nvcc NVCC] [--arch sm_90] [--breaks FILE] [PROGRAM …]

RUNS is what `builds.py stage` laid out. Each source that differs is compiled to PTX with -lineinfo, once as it was and once rewritten.
Every `.loc` of the rewritten one must name a file of the user's that the original's name too, or one of the toolkit's, and a line that this file has;
warnings of the rewritten one must be at such places too; the ones that the original has and the rewritten one lacks are counted.
--breaks appends a line for each program: its name, a place in the user's text that a new kernel has code for, and the kernel's name, for
a debugger where there is a GPU (breaks.sh).
"""
import argparse
import collections
import os
import re
import subprocess
import sys

WARNING = re.compile(r"^([^\s(:]+)[(:](\d+)[):,].*?warning(?: #([\w-]+))?[: ](.*)$")


def compiled(folder, source, options):
    ptx = os.path.join(folder, ".lines.ptx")
    if os.path.exists(ptx):
        os.remove(ptx)
    made = subprocess.run([options.nvcc, "-std=c++17", "-lineinfo", "-ptx", f"-arch={options.arch}", "-Xcompiler", "-Wall", source, "-o", ptx],
                          cwd=folder, capture_output=True, text=True, errors="replace")
    if made.returncode != 0:
        return None, made.stderr[-400:]
    text = open(ptx, errors="replace").read()
    os.remove(ptx)
    return text, made.stdout + made.stderr


def places(ptx, folder):
    """(file, line) of every .loc, files as they are on disk."""
    files = {number: name for number, name in re.findall(r'^\s*\.file\s+(\d+)\s+"([^"]+)"', ptx, re.M)}
    out = collections.Counter()
    for number, line in re.findall(r"^\s*\.loc\s+(\d+)\s+(\d+)", ptx, re.M):
        out[os.path.normpath(os.path.join(folder, files[number])), int(line)] += 1
    return out


def place_to_break(ptx, folder):
    """A line that a kernel of hone's begins with, as a debugger is told it, and the kernel."""
    files = {number: name for number, name in re.findall(r'^\s*\.file\s+(\d+)\s+"([^"]+)"', ptx, re.M)}
    for name, body in re.findall(r"\.entry\s+(\w*_hone\w*)\s*\((.*?)^\}", ptx, re.M | re.S):
        for number, line in re.findall(r"^\s*\.loc\s+(\d+)\s+(\d+)", body, re.M):
            if os.path.normpath(os.path.join(folder, files[number])).startswith(folder + os.sep):
                return f"{os.path.basename(files[number])}:{line}", name
    return None


def lines_of(path, known={}):
    if path not in known:
        known[path] = len(open(path, errors="replace").read().splitlines()) if os.path.exists(path) else 0
    return known[path]


def warnings(said, folder):
    return {(os.path.normpath(os.path.join(folder, m.group(1))), int(m.group(2)), m.group(3) or m.group(4)[:60])
            for m in map(WARNING.match, said.splitlines()) if m}


def try_one(program, options):
    root = os.path.join(options.work, program)
    original, changed = (os.path.join(root, side, program) for side in ("original", "changed"))
    sources = [name for name in sorted(os.listdir(original)) if name.endswith(".cu") and
               open(os.path.join(original, name), "rb").read() != open(os.path.join(changed, name), "rb").read()]
    bad, options.is_broken = [], False
    for source in sources:
        (before, said_before), (after, said_after) = compiled(original, source, options), compiled(changed, source, options)
        if before is None or after is None:
            bad.append(f"{source} does not compile: {said_before if before is None else said_after}")
            continue
        place = place_to_break(after, changed) if options.breaks and not options.is_broken else None
        if place:
            options.is_broken = True
            with open(options.breaks, "a") as out:
                out.write("\t".join((program, *place)) + "\n")
        # A path of the rewritten tree stands for the user's file: `.loc` must fit the original's text.
        user = lambda path: os.path.join(os.path.join(root, "original"), os.path.relpath(path, os.path.join(root, "changed"))) \
            if path.startswith(os.path.join(root, "changed") + os.sep) else path
        old, new = set(places(before, original)), {(user(path), line) for path, line in places(after, changed)}
        own = {path for path, _ in old}
        for path, line in sorted(new):
            if path.startswith(options.work + os.sep) and path not in own or line > lines_of(path):  # beyond: functions of the toolkit's
                bad.append(f"{source}: .loc {path}:{line}")
        old_said, new_said = warnings(said_before, original), {(user(p), l, t) for p, l, t in warnings(said_after, changed)}
        for path, line, text in sorted(new_said):
            if lines_of(path) == 0 or line > lines_of(path):
                bad.append(f"{source}: warning at {path}:{line}: {text}")
        print(f"{program}/{source}: {len(new)} lines in {len({p for p, _ in new})} files ({len(new - old)} that the original has no code for), "
              f"{len(new_said)} warnings ({len(old_said - new_said)} of the original's are missing, {len(new_said - old_said)} are new)", flush=True)
        for path, line, text in sorted(new_said - old_said):
            print(f"    new warning: {os.path.basename(path)}:{line}: {text}")
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--work", required=True)
    parser.add_argument("--nvcc", default="/usr/local/cuda/bin/nvcc")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--breaks")
    options = parser.parse_args()
    options.work = os.path.abspath(options.work)
    names = options.programs or sorted(name for name in os.listdir(options.work) if os.path.isdir(os.path.join(options.work, name)))
    bad = {name: found for name in names if (found := try_one(name, options))}
    for name, found in bad.items():
        print(f"{name}: {len(found)} places that are not the user's, the first: {found[0]}")
    print(f"{len(names)} programs, {len(bad)} with places that are not the user's")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
