#!/usr/bin/env python3
"""tidy.py ROOT BUILD (--all | --changed): clang-tidy over src/, all of it or what the last commit and the working
tree changed: findings in lines that were changed since then. A header is checked through the source file of its name."""

import concurrent.futures
import json
import os
import re
import subprocess
import sys

# A test has a minute or so; a commit that changes more files is checked by `make tidy`.
MOST_IN_A_TEST = 40


# Needs headers of a GPU's vendor, which the other sources do without.
ELSEWHERE = {"src/capture/CudaInjection.cpp", "src/capture/CudaCalls.cpp", "src/capture/OpenclLayer.cpp"}


def git(root, *arguments):
    done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True)
    return done.stdout.split("\n") if done.returncode == 0 else None


def sources(root):
    return sorted(os.path.relpath(os.path.join(folder, name), root)
                  for folder, _, names in os.walk(os.path.join(root, "src"))
                  for name in names if name.endswith(".cpp")
                  and os.path.relpath(os.path.join(folder, name), root) not in ELSEWHERE)


def changed(root):
    """Source files to look at, and clang-tidy's filter for the lines of all changed files."""
    listed = git(root, "diff", "-U0", "HEAD~1", "--", "src")
    if listed is None:
        print("no earlier commit to compare with")
        sys.exit(77)
    lines, path = {}, None
    for line in listed:
        if line.startswith("+++ "):
            path = line[6:] if line.startswith("+++ b/") else None
        hunk = re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line)
        if hunk and path and path.endswith((".cpp", ".h")) and hunk.group(2) != "0":
            first = int(hunk.group(1))
            lines.setdefault(path, []).append([first, first + int(hunk.group(2) or 1) - 1])
    wanted = {os.path.splitext(path)[0] + ".cpp" for path in lines}
    files = sorted(path for path in wanted - ELSEWHERE if os.path.exists(os.path.join(root, path)))
    return files, json.dumps([{"name": path, "lines": ranges} for path, ranges in sorted(lines.items())])


def main():
    root, build, which = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
    files, only = (sources(root), None) if which == "--all" else changed(root)
    if which == "--all" and not files:
        sys.exit("no sources found under " + root)
    if which != "--all" and len(files) > MOST_IN_A_TEST:
        print("%d files changed, the first %d are looked at; `make tidy` looks at all" % (len(files), MOST_IN_A_TEST))
        files = files[:MOST_IN_A_TEST]
    llvm = subprocess.run(["llvm-config-22", "--includedir"], capture_output=True, text=True).stdout.strip()
    flags = ["-std=c++20", "-I" + os.path.join(root, "src"), "-I" + os.path.join(build, "include"), "-isystem", llvm,
             "-D_GNU_SOURCE", "-D__STDC_CONSTANT_MACROS", "-D__STDC_FORMAT_MACROS", "-D__STDC_LIMIT_MACROS"]

    def check(path):
        some = ["-line-filter=" + only] if only else []
        done = subprocess.run(["clang-tidy-22", "-quiet", *some, path, "--", *flags], cwd=root, capture_output=True, text=True)
        return path, done.returncode, done.stdout

    wrong = 0
    workers = os.cpu_count() if which == "--all" else 1
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for path, status, said in pool.map(check, files):
            if status:
                wrong += 1
                print(said or path + ": clang-tidy failed")
    print("%d files, %d with findings" % (len(files), wrong))
    sys.exit(1 if wrong else 0)


main()
