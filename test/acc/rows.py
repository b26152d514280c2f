#!/usr/bin/env python3
"""What the programs with OpenACC have to show between them.

rows.py FOLDER LIT [--list]
    Each row of the list of capabilities that OpenACC's part has to have (A1 to A12, A14, A15) is named in a test that shows it, under
    FOLDER (test/acc) or LIT (its text tests): "Row A5: …". At least 120 programs go through sizes 0, 1, odd and large: by FOR_SIZES of
    acctest.h, or by a table of their own that has an empty, a single, an odd and a large one.
"""
import math
import os
import re
import sys

ROWS = [f"A{n}" for n in (*range(1, 13), 14, 15)]
PROGRAMS = 120


def isThrough(sizes):
    """Whether these are all four kinds; a large one has 128 elements or more."""
    return 0 in sizes and 1 in sizes and any(s > 1 and s % 2 for s in sizes) and max(sizes) >= 128


def tables(text):
    """Sizes in each table of a program; of one with several dimensions, how many elements they make."""
    for m in re.finditer(r"\bint \w+\[\](?:\[\d+\])? = \{([^;]*)\};", text):
        if "{" in m[1]:
            yield [math.prod(int(n) for n in re.findall(r"\d+", row)) for row in re.findall(r"\{([^{}]*)\}", m[1])]
        else:
            yield [int(n) for n in re.findall(r"\d+", m[1])]


def main(folder, lit, listing):
    named, through, known = {}, [], 0
    with open(os.path.join(folder, "programs", "acctest.h"), encoding="utf-8") as file:
        usual = any(isThrough(sizes) for sizes in tables(file.read()))
    for top in (folder, lit):
        for where, _, names in sorted(os.walk(top)):
            for name in sorted(names):
                if not name.endswith((".c", ".cpp", ".cu", ".test", ".h")):
                    continue
                path = os.path.join(where, name)
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                for row in re.findall(r"\bRow (A\d+):", text):
                    named.setdefault(row, []).append(os.path.relpath(path, folder))
                if os.path.basename(where) == "programs" and name.endswith((".c", ".cpp")) and "// PART" not in text:
                    known += 1
                    if (usual and "FOR_SIZES(" in text) or any(isThrough(sizes) for sizes in tables(text) if sizes):
                        through.append(name)
    if listing:
        for row in ROWS:
            print(f"{row}: {' '.join(named.get(row, []))}")
    missing = [row for row in ROWS if row not in named]
    for row in missing:
        print(f"no test says that it shows row {row}")
    print(f"{len(ROWS) - len(missing)} of {len(ROWS)} rows named; {len(through)} of {known} programs go through all sizes, {PROGRAMS} are wanted")
    return 1 if missing or len(through) < PROGRAMS else 0


if __name__ == "__main__":
    arguments = [a for a in sys.argv[1:] if a != "--list"]
    sys.exit(main(arguments[0], arguments[1], "--list" in sys.argv))
