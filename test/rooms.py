#!/usr/bin/env python3
"""Checks that includes between the rooms of src/ point one way, that Clang and isl stay where they belong, and that
no compiler's output lies among the sources."""
import os
import re
import sys

# Each room, and the rooms it may include. What is below those comes with them.
USES = {
    "ir": [],
    "target": ["ir"],
    "affine": ["ir"],
    "analysis": ["affine", "target"],
    "emit": ["analysis"],
    "frontend": ["ir"],
    "sim": ["analysis"],
    "passes": ["sim", "emit"],
    "worker": [],
    "device": ["worker", "sim", "emit"],
    "tune": ["device", "passes"],
    "report": ["tune"],
    "cli": ["report", "frontend"],
}
CLANG = re.compile(r"(clang|clang-c|llvm|llvm-c)/")
ISL = re.compile(r"isl/")


def below(room):
    found = {room}
    for lower in USES[room]:
        found |= below(lower)
    return found


def problems(src):
    format_files = set()
    for room in sorted(os.listdir(src)):
        folder = os.path.join(src, room)
        if not os.path.isdir(folder):
            continue
        if room not in USES:
            yield f"src/{room}: a room that test/rooms.py does not know"
            continue
        for where, _, names in os.walk(folder):
            for name in sorted(names):
                path = os.path.join(where, name)
                if name.endswith((".o", ".a", ".d", ".gcno", ".ptx", ".cubin")):
                    yield f"{path}: a compiler's output, not a source"
                if not name.endswith((".h", ".cpp")):
                    continue
                for number, line in enumerate(open(path, encoding="utf-8"), 1):
                    match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
                    if not match:
                        continue
                    include, place = match[1], f"{path}:{number}"
                    first = include.split("/")[0]
                    if first in USES and "/" in include and first not in below(room):
                        yield f"{place}: {room} may not include {include}"
                    if CLANG.match(include) and room == "emit":
                        format_files.add(path)
                        if not include.startswith(("clang/Format/", "clang/Tooling/Core/", "llvm/")):
                            yield f"{place}: only src/frontend includes {include}"
                    elif CLANG.match(include) and room != "frontend":
                        yield f"{place}: only src/frontend includes {include}"
                    if room == "worker" and "/" in include and first not in ("worker", "nlohmann", "sys"):
                        yield f"{place}: a bundle does not carry {include}"
                    if ISL.match(include) and (room != "affine" and not (room == "analysis" and name.endswith(".cpp"))):
                        yield f"{place}: {include} belongs to src/affine"
    if len(format_files) > 1:
        yield "src/emit: one file includes clang/Format, not " + ", ".join(sorted(format_files))


found = list(problems(sys.argv[1]))
print("\n".join(found) if found else "includes point one way")
sys.exit(1 if found else 0)
