#!/usr/bin/env python3
"""format.py ROOT: every C++ file of the project is as clang-format 22 writes it (`make format` mends it)."""

import os
import subprocess
import sys

# Texts that tests compare byte for byte, and headers that stand in for other people's.
LEFT_OUT = ("test/corpus/", "test/lit/", "test/golden/", "test/golden-ml/", "examples/", "runtime/include/")


def files_of(root):
    """Tracked files where there is a repository, else all that lie there."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "*.cpp", "*.h"], capture_output=True, text=True)
    if listed.returncode == 0:
        found = listed.stdout.split("\n")
    else:
        found = [os.path.relpath(os.path.join(folder, name), root)
                 for top in ("src", "test", "bench", "runtime")
                 for folder, _, names in os.walk(os.path.join(root, top))
                 for name in names if name.endswith((".cpp", ".h"))]
    return [f for f in found
            if f and not f.startswith(LEFT_OUT) and os.path.exists(os.path.join(root, f))]


def main():
    root = sys.argv[1]
    files = files_of(root)
    if not files:
        sys.exit("no C++ files found under " + root)
    done = subprocess.run(["clang-format-22", "--dry-run", "--Werror", "-ferror-limit=1", *files],
                          cwd=root, capture_output=True, text=True)
    wrong = sorted({line.split(":")[0] for line in done.stderr.split("\n") if ": error:" in line})
    for path in wrong:
        print(path + ": not as clang-format 22 writes it; run `make format`")
    print("%d files, %d to format" % (len(files), len(wrong)))
    sys.exit(1 if wrong or done.returncode else 0)


main()
