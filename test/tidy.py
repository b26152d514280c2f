#!/usr/bin/env python3
"""tidy.py ROOT BUILD (--all | --changed): clang-tidy over src/, all of it or what the last commit and the working
tree changed. A header is checked through the source file of its name."""

import concurrent.futures
import os
import subprocess
import sys

# A test has a minute or so; a commit that changes more files is checked by `make tidy`.
MOST_IN_A_TEST = 40


def git(root, *arguments):
    done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True)
    return done.stdout.split("\n") if done.returncode == 0 else None


def sources(root):
    return sorted(os.path.relpath(os.path.join(folder, name), root)
                  for folder, _, names in os.walk(os.path.join(root, "src"))
                  for name in names if name.endswith(".cpp"))


def changed(root):
    listed = git(root, "diff", "--name-only", "HEAD~1", "--", "src")
    if listed is None:
        print("no earlier commit to compare with")
        sys.exit(77)
    wanted = set()
    for path in listed:
        stem, ending = os.path.splitext(path)
        if ending in (".cpp", ".h") and os.path.exists(os.path.join(root, stem + ".cpp")):
            wanted.add(stem + ".cpp")
    return sorted(wanted)


def main():
    root, build, which = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
    files = sources(root) if which == "--all" else changed(root)
    if which == "--all" and not files:
        sys.exit("no sources found under " + root)
    if which != "--all" and len(files) > MOST_IN_A_TEST:
        print("%d files changed, the first %d are looked at; `make tidy` looks at all" % (len(files), MOST_IN_A_TEST))
        files = files[:MOST_IN_A_TEST]
    llvm = subprocess.run(["llvm-config-22", "--includedir"], capture_output=True, text=True).stdout.strip()
    flags = ["-std=c++20", "-I" + os.path.join(root, "src"), "-I" + os.path.join(build, "include"), "-isystem", llvm,
             "-D_GNU_SOURCE", "-D__STDC_CONSTANT_MACROS", "-D__STDC_FORMAT_MACROS", "-D__STDC_LIMIT_MACROS"]

    def check(path):
        done = subprocess.run(["clang-tidy-22", "-quiet", path, "--", *flags], cwd=root, capture_output=True, text=True)
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
