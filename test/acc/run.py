#!/usr/bin/env python3
"""Programs with OpenACC through `hone acc` on the embedded device.

run.py HONE CLANG FOLDER [-j N] [--shard K/N] [--only WORD] [--flags=FLAGS] [--list]
    Each program of FOLDER, built by `hone acc FLAGS` (-O0 where none are given) and run with all checks, prints and returns what
    it does when Clang compiles it with its pragmas ignored. Neither the build nor the run says anything else.
    `// WITH: other.c` names files that belong to it, `// PART` marks these, `// ARGS: …` what it is run with,
    `// SAYS: words` what the build has to say, `// FLAGS: …` more flags for both.
run.py HONE CLANG FOLDER --errors
    Each file of FOLDER with mistakes: `// EXPECT: words` stands in the line that the message names, words are a pattern, and
    the build fails; `// NOTE: words` likewise, where the build succeeds and leaves the region to the host.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

LIMIT = 120


def run(words, **more):
    try:
        return subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=LIMIT, **more)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 124, "", f"not done after {LIMIT} s")


def marks(path):
    """Words of `// KEY: rest`, by key."""
    found = {}
    with open(path) as file:
        for line in file:
            m = re.match(r"// (WITH|ARGS|SAYS|FLAGS|PART)\b:?\s*(.*)", line)
            if m:
                found.setdefault(m.group(1), []).append(m.group(2).strip())
    return found


def first_lines(text, count=4):
    return " | ".join(text.strip().split("\n")[:count])


def program(options, path, scratch):
    told = marks(path)
    folder = os.path.dirname(path)
    sources = [path] + [os.path.join(folder, name) for line in told.get("WITH", []) for name in line.split()]
    flags = " ".join(told.get("FLAGS", [])).split()
    args = " ".join(told.get("ARGS", [])).split()
    name = os.path.join(scratch, os.path.basename(path))
    isCpp = any(s.endswith(".cpp") for s in sources)
    compiler = [options.clang, "--driver-mode=g++", "-std=c++17"] if isCpp else [options.clang]
    made = run(compiler + ["-w", "-O0", *flags, *sources, "-o", name + ".seq", "-lm"])
    if made.returncode:
        return [f"the sequential program: {first_lines(made.stderr)}"]
    wanted = run([name + ".seq", *args])
    made = run([options.hone, "acc", *options.flags, *(["-std=c++17"] if isCpp else []), *flags, *sources, "-o", name + ".acc", "-lm"])
    problems = []
    said = made.stdout + made.stderr
    if made.returncode:
        return [f"hone acc: status {made.returncode}: {first_lines(said)}"]
    if "SAYS" in told:
        problems += [f"the build should say '{words}', says: {first_lines(said)}" for words in told["SAYS"] if not re.search(words, said)]
    elif said.strip():
        problems.append(f"the build says: {first_lines(said)}")
    got = run([name + ".acc", *args])
    if got.stdout != wanted.stdout:
        a, b = wanted.stdout.split("\n"), got.stdout.split("\n")
        at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
        problems.append(f"line {at + 1} of the output: '{(b + [''])[min(at, len(b))]}' instead of '{(a + [''])[min(at, len(a))]}'")
    if got.returncode != wanted.returncode:
        problems.append(f"status {got.returncode} instead of {wanted.returncode}")
    if got.stderr.strip() != wanted.stderr.strip():
        problems.append(f"the run says: {first_lines(got.stderr)}")
    for made in (name + ".seq", name + ".acc"):
        os.remove(made)
    return problems


def mistake(options, path, scratch):
    wanted = []
    with open(path) as file:
        for number, line in enumerate(file, 1):
            m = re.search(r"// (EXPECT|NOTE): (.*?)\s*$", line)
            if m:
                wanted.append((m.group(1), number, m.group(2)))
    if not wanted:
        return ["needs an EXPECT or a NOTE"]
    made = run([options.hone, "acc", *options.flags, "-c", path, "-o", os.path.join(scratch, os.path.basename(path) + ".o")])
    said = (made.stdout + made.stderr).split("\n")
    problems = []
    for kind, number, words in wanted:
        place = f"{os.path.basename(path)}:{number}:"
        sort = "error" if kind == "EXPECT" else r"(note|warning|remark)"
        if not any(place in line and re.search(sort, line) and re.search(words, line) for line in said):
            problems.append(f"no {kind.lower()} '{words}' at line {number}; said: {first_lines(chr(10).join(said))}")
    fails = any(kind == "EXPECT" for kind, _, _ in wanted)
    if fails != (made.returncode != 0) or made.returncode not in (0, 1):
        problems.append(f"status {made.returncode}")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hone")
    parser.add_argument("clang")
    parser.add_argument("folder")
    parser.add_argument("-j", type=int, default=1)
    parser.add_argument("--shard", default="1/1")
    parser.add_argument("--only", default="")
    parser.add_argument("--flags", default="-O0")
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--list", action="store_true", help="names of what fails, alone")
    options = parser.parse_args()
    options.flags = options.flags.split()
    options.hone = os.path.abspath(options.hone) if os.path.exists(options.hone) else options.hone
    shard, shards = map(int, options.shard.split("/"))
    names = sorted(n for n in os.listdir(options.folder) if n.endswith((".c", ".cpp")) and options.only in n)
    paths = [os.path.join(os.path.abspath(options.folder), n) for n in names]
    if not options.errors:
        paths = [p for p in paths if "PART" not in marks(p)]
    paths = paths[shard - 1::shards]
    if not paths:
        sys.exit("no files")
    test = mistake if options.errors else program
    failed = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        for path, problems in zip(paths, pool.map(lambda p: test(options, p, scratch), paths)):
            if problems:
                failed += 1
                print(os.path.basename(path) if options.list else f"{os.path.basename(path)}: " + "\n    ".join(problems), flush=True)
    print(f"{len(paths) - failed} of {len(paths)} passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
