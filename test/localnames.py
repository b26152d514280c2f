#!/usr/bin/env python3
"""localnames.py FOLDER...: names that are local to a file differ from those of the other files in and below its folder.

`make` compiles several files of a folder at once, in batches that change with every new file; equal names would clash in some of
them. Looked at are types, constants and functions in unnamed namespaces; functions may share a name when their parameters differ.
"""
import pathlib
import re
import sys

# A definition starts in the first column; what is inside of another is indented.
TYPE = re.compile(r"^(?:class|struct|union|enum(?: class)?) (\w+)\b[^;]*\{|^using (\w+) =", re.M)
CONSTANT = re.compile(r"^(?:constexpr|const|static)\b[^;({]*?\b(\w+)(?:\[\d*\])? ?(?:=|\{)", re.M)
FUNCTION = re.compile(r"^(template <[^\n]*>\s)?(?:inline )?[A-Za-z_][\w:<>,&* ]*[\w>&*] ?\b(\w+)\(([^;{}]*?)\)(?: const)?(?: noexcept)? \{", re.M)


def unnamed(text):
    """The text of a file's unnamed namespaces."""
    parts = re.split(r"^namespace \{$|^\}  // namespace$", text, flags=re.M)
    return "\n".join(parts[1::2])


def types_of(parameters):
    """Parameters without names and defaults."""
    words = re.sub(r"\s+", " ", re.sub(r" = [^,]*", "", parameters))
    depth, one, out = 0, "", []
    for c in words + ",":
        depth += (c in "<(") - (c in ">)")
        if c == "," and depth == 0:
            out.append(re.sub(r"(?<=[\w>&*]) \w+$|(?<=[&*])\w+$", "", one.strip()))
            one = ""
        else:
            one += c
    return ", ".join(out)


def local_names(path):
    text = path.read_text()
    space = re.search(r"^namespace ([\w:]+) \{", text, re.M)
    space = space.group(1) + "::" if space else ""
    text = re.sub(r"//[^\n]*", "", unnamed(text))
    for m in TYPE.finditer(text):
        # Two files may call the same thing by a short name.
        if m.group(1):
            yield f"type {space}{m.group(1)}"
    for m in CONSTANT.finditer(text):
        yield f"constant {space}{m.group(1)}"
    for m in FUNCTION.finditer(text):
        parameters = types_of((m.group(1) or "template <>").strip()[10:-1])
        yield f"{space}{m.group(2)}<{parameters}>({types_of(m.group(3))})"


def main():
    clashes, files = [], 0
    for folder in map(pathlib.Path, sys.argv[1:]):
        first = {}
        for path in sorted(folder.rglob("*.cpp")):
            files += 1
            for name in set(local_names(path)):
                if first.setdefault(name, path) != path:
                    clashes.append(f"{name}: in {first[name]} and {path}")
    for clash in clashes:
        print(clash)
    if not files:
        print("no files")
    print(f"{files} files, {len(clashes)} names twice")
    return 1 if clashes or not files else 0


sys.exit(main())
