#!/usr/bin/env python3
"""A compilation database of programs that are built with make, from what `make -n` would run.

    database.py PROGRAM... [--set ARCH=sm_90]... > compile_commands.json

Each PROGRAM is a folder with a Makefile (or GNUmakefile); nothing is built and no file is written. Commands that compile CUDA
(nvcc, or any file of CUDA) are taken, each with the folder that make was in. What make cannot say is told on stderr.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys

SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".c", ".C")
ENTERING = re.compile(r"make(?:\[\d+\])?: (Entering|Leaving) directory '(.*)'")


def commands_of(text):
    """Lines of a shell as they are run, joined where they go on, apart where several stand in one."""
    for line in text.replace("\\\n", " ").splitlines():
        if ENTERING.match(line):
            yield line
        else:
            yield from re.split(r"&&|\|\||;", line)


def entries_of(folder, settings):
    made = subprocess.run(["make", "-n", "-B", "-w", "-k", *settings], cwd=folder, capture_output=True, text=True, errors="replace",
                          timeout=120)
    folders, out = [folder], []
    for command in commands_of(made.stdout):
        turn = ENTERING.match(command)
        if turn:
            folders = folders + [turn.group(2)] if turn.group(1) == "Entering" else folders[:-1] or [folder]
            continue
        try:
            words = shlex.split(command)
        except ValueError:
            continue
        if words[:1] == ["cd"] and len(words) == 2:
            folders[-1] = os.path.normpath(os.path.join(folders[-1], words[1]))
            continue
        files = [word for word in words[1:] if word.endswith(SOURCES) and not word.startswith("-")]
        is_nvcc = bool(words) and os.path.basename(words[0]) == "nvcc"
        for file in files:
            if is_nvcc or file.endswith(".cu"):
                others = [word for word in words if word not in files]
                out.append({"directory": folders[-1], "file": os.path.normpath(os.path.join(folders[-1], file)),
                            "arguments": others + [file]})
    if not out:
        print(f"{folder}: make names no command that compiles CUDA: {made.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda one: entries_of(os.path.abspath(one), options.set), options.programs)
    unique = {entry["file"]: entry for entries in found for entry in entries}
    json.dump(list(unique.values()), sys.stdout, indent=1)
    print()


main()
