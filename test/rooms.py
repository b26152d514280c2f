#!/usr/bin/env python3
"""Checks that includes between the rooms of src/ point one way, and those between the folders within a room, that Clang and
isl stay where they belong, and that no compiler's output lies among the sources."""
import os
import re
import sys

# Each room, and the rooms it may include. What is below those comes with them.
USES = {
    "ir": [],
    "target": ["ir"],
    "affine": ["ir"],
    "analysis": ["affine", "target"],
    "emit": ["ir"],
    "frontend": ["ir"],
    "acc": ["frontend", "passes"],
    "sim": ["target"],
    "passes": ["analysis", "emit"],
    "worker": [],
    "capture": ["ir", "worker"],
    "device": ["capture", "worker", "sim"],
    "tune": ["device", "passes"],
    "report": ["tune"],
    "cli": ["report", "acc", "frontend"],
}
# Folders within a room: each may include itself and those before it. Files that stand in the room's own folder may include all of them.
FOLDERS = {
    "ir": ["intrinsics"],
    "sim": ["bytecode", "functions", "memory", "check", "count", "compile", "execute", "model"],
    "passes": ["recipe", "edit", "host", "launch", "calls", "guards", "merge", "shared", "registers", "reduce", "spread", "loops", "vector", "sequence", "propose"],
    "cli": ["inputs", "programs", "rewrite", "choose", "nvcc", "acc", "commands"],
}
# What stands in the own folder of a room that is divided: all other files have a folder within it.
OWN = {"sim": [], "passes": ["ApplyRecipe.cpp", "Registry.cpp"], "cli": ["main.cpp"]}
# Headers in a room's own folder that the folders within it may include; of the room they include each other alone.
BELOW_FOLDERS = {"ir": ["ConstantRole.h", "Expr.h", "Kernel.h", "SourceLoc.h", "Stmt.h", "Type.h", "Walk.h"]}
CLANG = re.compile(r"(clang|clang-c|llvm|llvm-c)/")
ISL = re.compile(r"isl/")


def below(room):
    found = {room}
    for lower in USES[room]:
        found |= below(lower)
    return found


def within(room, folder, name, include):
    """What is wrong with a file of a room including another of the same room; "" where nothing is."""
    order, base = FOLDERS.get(room, []), BELOW_FOLDERS.get(room, [])
    parts = include.split("/")
    to, header = (parts[1] if len(parts) > 2 else ""), parts[-1]
    if len(parts) > 2 and to not in order:
        return f"test/rooms.py does not know src/{room}/{to}"
    if folder == "":
        return f"{name} is below the folders of {room}" if name in base and header not in base else ""
    if to == "":
        return "" if header in base else f"{room}/{folder} may not include what stands above it"
    return "" if order.index(to) <= order.index(folder) else f"{room}/{folder} may not include {room}/{to}"


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
            inner = os.path.relpath(where, folder).replace(".", "")
            if inner and inner not in FOLDERS.get(room, []):
                yield f"{where}: a folder that test/rooms.py does not know"
                continue
            for name in sorted(names):
                path = os.path.join(where, name)
                if name.endswith((".o", ".a", ".d", ".gcno", ".ptx", ".cubin")):
                    yield f"{path}: a compiler's output, not a source"
                if not name.endswith((".h", ".cpp")):
                    continue
                if not inner and name not in OWN.get(room, [name]):
                    yield f"{path}: belongs into a folder of {room}: {', '.join(FOLDERS[room])}"
                for number, line in enumerate(open(path, encoding="utf-8"), 1):
                    match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
                    if not match:
                        continue
                    include, place = match[1], f"{path}:{number}"
                    first = include.split("/")[0]
                    if first in USES and "/" in include and first not in below(room):
                        yield f"{place}: {room} may not include {include}"
                    elif first == room and "/" in include and (wrong := within(room, inner, name, include)):
                        yield f"{place}: {include}: {wrong}"
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
