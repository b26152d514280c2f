#!/usr/bin/env python3
"""The OpenACC validation suite (OpenACCV-V) with a compiler, as a table.

validation.py SUITE [--compiler "hone acc"] [--language c|cpp|both] [-j N] [--only WORD] [--json FILE] [--markdown FILE]

SUITE is a git folder of the suite, bare or not, or its checked-out text; it is not part of this repository. As the suite itself does
it, a file's tests are compiled together to one program whose exit status has a bit for each test that failed. Files with failures are
also compiled with each of their tests alone (--each), so that one that does not compile hides no other.

Outcomes: pass; wrong (the program says so itself); compile error; run error (the program ended otherwise); findings (right, but checks
reported something); crash (of the compiler); timeout. `mistakes.txt` beside this file names tests that the suite has wrong, with the
reason; they are counted as they come out and marked.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import time

ORDER = ["pass", "wrong", "findings", "run error", "compile error", "timeout", "crash"]


def run(words, seconds, folder):
    began = time.time()
    try:
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=seconds, cwd=folder)
        return done.returncode, done.stdout + done.stderr, done.stderr, time.time() - began
    except subprocess.TimeoutExpired:
        return None, "", "", time.time() - began


def text_of(suite, scratch):
    """The folder with the suite's tests."""
    if os.path.isdir(os.path.join(suite, "Tests")):
        return os.path.join(suite, "Tests")
    packed = subprocess.run(["git", "-C", suite, "archive", "HEAD", "Tests"], capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", scratch], input=packed, check=True)
    return os.path.join(scratch, "Tests")


def tests_of(path):
    with open(path, errors="replace") as file:
        return sorted({int(m) for m in re.findall(r"^#ifndef T(\d+)", file.read(), re.M)})


def first_message(text):
    """The line that says what is wrong."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    for pattern in (r"\b(fatal )?error\b", r"internal|assert|Stack dump", r"\bundefined\b", r"\bnote\b|\bwarning\b"):
        for line in lines:
            if re.search(pattern, line):
                return line[:300]
    return lines[0][:300] if lines else ""


def findings_in(errors):
    """What a program says on stderr, but for how long a kernel has been running."""
    return "\n".join(line for line in errors.split("\n") if not re.match(r"hone: kernel `.*` has been running for ", line)).strip()


def attempt(options, path, scratch, without=()):
    name = os.path.basename(path)
    made = os.path.join(scratch, name + "".join(f".{t}" for t in without) + ".out")
    words = options.compiler.split() + [f"-DSEED={options.seed}", *[f"-DT{t}" for t in without], "-I", os.path.dirname(path), path, "-o", made, "-lm"]
    status, said, _, compiling = run(words, options.compile_seconds, scratch)
    result = {"compile seconds": round(compiling, 2)}
    if status is None:
        return {**result, "outcome": "timeout", "message": f"compiler not done after {options.compile_seconds} s"}
    if status < 0 or status >= 128 or re.search(r"Stack dump|PLEASE submit a bug report|Assertion .* failed", said):
        return {**result, "outcome": "crash", "message": first_message(said) or f"status {status}"}
    if status or not os.path.exists(made):
        return {**result, "outcome": "compile error", "message": first_message(said) or f"status {status}"}
    if said.strip():
        result["said"] = first_message(said)
    status, said, errors, running = run([made], options.run_seconds, scratch)
    os.remove(made)
    errors = findings_in(errors)
    result["run seconds"] = round(running, 2)
    if status is None:
        return {**result, "outcome": "timeout", "message": f"program not done after {options.run_seconds} s"}
    if status < 0:
        return {**result, "outcome": "run error", "message": f"signal {-status}: {first_message(errors)}"}
    if status == 0:
        return {**result, "outcome": "findings", "message": first_message(errors)} if errors else {**result, "outcome": "pass", "message": ""}
    tests = [t for t in tests_of(path) if t not in without]
    failing = [t for t in tests if t <= 8 and status >> (t - 1) & 1] or tests
    if errors:
        return {**result, "outcome": "run error", "failing": failing, "message": first_message(errors)}
    return {**result, "outcome": "wrong", "failing": failing, "message": "tests " + ", ".join(map(str, failing))}


def whole(options, path, scratch):
    result = attempt(options, path, scratch)
    tests = tests_of(path)
    if options.each and len(tests) > 1 and result["outcome"] != "pass":
        result["each"] = {t: attempt(options, path, scratch, [o for o in tests if o != t])["outcome"] for t in tests}
    result["tests"] = len(tests)
    return result


def mistakes():
    found = {}
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mistakes.txt")
    if os.path.exists(path):
        with open(path) as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    name, reason = line.split(None, 1)
                    found[name] = reason.strip()
    return found


def mistake_in(known, name):
    """Why the suite has a test wrong, if it has. Those in C++ are the same as in C, where they are not named themselves."""
    return known.get(name) or known.get(os.path.splitext(name)[0] + ".c", "")


def table(results, known):
    lines = []
    for language in ("c", "cpp"):
        names = [n for n in results if n.endswith("." + language)]
        if not names:
            continue
        count = collections.Counter(results[n]["outcome"] for n in names)
        lines.append(f"{'C' if language == 'c' else 'C++'}: {len(names)} files, " + ", ".join(f"{count[o]} {o}" for o in ORDER if count[o]))
        onHost = sum("said" in results[n] for n in names)
        if onHost:
            lines.append(f"  of {onHost} the compiler said something")
    for outcome in ORDER[1:]:
        names = sorted(n for n in results if results[n]["outcome"] == outcome)
        if names:
            lines.append(f"\n{outcome}:")
        for n in names:
            each = results[n].get("each")
            rest = f" (alone: {', '.join(f'T{t} {o}' for t, o in each.items() if o != 'pass') or 'all pass'})" if each else ""
            lines.append(f"  {n}: {results[n]['message']}{rest}" + (f" [the suite's: {mistake_in(known, n)}]" if mistake_in(known, n) else ""))
    return "\n".join(lines)


def markdown(results, known, options):
    count = {g: collections.Counter(r["outcome"] for n, r in results.items() if n.endswith(g)) for g in (".c", ".cpp")}
    lines = ["| outcome | C | C++ |", "|---|---|---|"]
    lines += [f"| {o} | {count['.c'][o]} | {count['.cpp'][o]} |" for o in ORDER if count[".c"][o] or count[".cpp"][o]]
    lines += ["", "| file | outcome | message | the suite's own |", "|---|---|---|---|"]
    for n in sorted(results):
        if results[n]["outcome"] != "pass":
            message = results[n]["message"].replace("|", "\\|")
            lines.append(f"| {n} | {results[n]['outcome']} | {message} | {mistake_in(known, n)} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite")
    parser.add_argument("--compiler", default="hone acc", help='command and flags ("hone acc -O0", "gcc -fopenacc")')
    parser.add_argument("--cpp-compiler", default="", help="command for C++, if another")
    parser.add_argument("--language", choices=["c", "cpp", "both"], default="c")
    parser.add_argument("-j", type=int, default=1)
    parser.add_argument("--only", default="", help="files whose names match this pattern")
    parser.add_argument("--each", action="store_true", help="compile tests of failing files one by one too")
    parser.add_argument("--seed", default="20", help="the suite takes the time; a number repeats")
    parser.add_argument("--compile-seconds", type=float, default=60)
    parser.add_argument("--run-seconds", type=float, default=60)
    parser.add_argument("--json", default="", help="results, written as they come")
    parser.add_argument("--resume", action="store_true", help="keep what --json has already")
    parser.add_argument("--markdown", default="")
    options = parser.parse_args()
    known = mistakes()
    results = {}
    if options.resume and os.path.exists(options.json):
        with open(options.json) as file:
            results = json.load(file)
    with tempfile.TemporaryDirectory() as scratch:
        folder = text_of(options.suite, scratch)
        names = sorted(n for n in os.listdir(folder) if re.search(options.only, n))
        kinds = {"c": (".c",), "cpp": (".cpp",), "both": (".c", ".cpp")}[options.language]
        names = [n for n in names if n.endswith(kinds) and n not in results]
        c, cpp = options.compiler, options.cpp_compiler or options.compiler

        def one(name):
            mine = argparse.Namespace(**{**vars(options), "compiler": cpp if name.endswith(".cpp") else c})
            return whole(mine, os.path.join(folder, name), scratch)

        with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
            for number, (name, result) in enumerate(zip(names, pool.map(one, names)), 1):
                results[name] = result
                if options.json and (number % 10 == 0 or number == len(names)):
                    with open(options.json, "w") as file:
                        json.dump(results, file, indent=1)
                if sys.stderr.isatty():
                    print(f"\r{number}/{len(names)}", end="", file=sys.stderr)
    print(table(results, known))
    if options.markdown:
        with open(options.markdown, "w") as file:
            file.write(markdown(results, known, options))
    return 0


if __name__ == "__main__":
    sys.exit(main())
