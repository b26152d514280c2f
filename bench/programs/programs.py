#!/usr/bin/env python3
"""Public programs under `hone run`, one after another: which end, and by their own check.

    programs.py run    --root HECBENCH/src --list hecbench.txt     --hone HONE --work DIR [--seconds 3000]
    programs.py run    --root CUDA-SAMPLES --list cuda-samples.txt --hone HONE --work DIR
    programs.py report --work DIR [--table]

A list has a line `program<TAB>arguments[<TAB>what the output must match[<TAB>further words for the build]]` for each; `-` for the match says that
the program has no check of its own, `status` that it tells by its status alone. Without a match, it must say something like PASS and nothing like FAIL. Sources are
never changed: sizes are cut by arguments alone. Each program is built in a copy of its folder, with its Makefile
(`make CC='hone build'`) or, where it has none, from all of its source files, and run there with all checks on. Where its
CMakeLists.txt makes a file of kernels that the program loads, that file is made first; headers of the toolkit that it copies are hone's. `$DATA` in arguments is --data, a folder that data.py filled.

`run` appends a row for each program to DIR/ran.jsonl and goes on where it stopped; --only NAMES runs the named ones again.
--limit is the processor time of a run in seconds, all threads together, so that a busy machine finds the same; a run that
takes five times as long by the clock is ended too. --build-limit is by the clock. One process runs at a time, at low priority. The
outcomes are:

    passes    it ended by itself and its own check held; findings of hone, if any, are listed beside
    ends      it ended with status 0 and has no check
    wrong     its check failed, or it ended with an error of its own
    limit     no end within the limit
    build     it could not be built; the reason is hone's
    refused   it launched a kernel that cannot run; the reason is hone's
    file      a file that it reads is not there
"""
import argparse
import collections
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

SAID_GOOD = re.compile(r"\bpass(ed)?\b|\bsuccess(ful|fully)?\b|\bcorrect\b|\bverified\b|\bmatch(es)?\b|\btest ok\b", re.I)
SAID_BAD = re.compile(r"\bfail(ed|ure|s)?\b|\bmismatch|\bincorrect\b|\bwrong\b|\bdiffer(s|ent)?\b|(?<!absolute )(?<!relative )\berror:", re.I)
NOT_BAD = re.compile(r"\b(0|no|zero) (errors?|fail(ed|ures?)|mismatch(es)?)|(failed|failures|mismatche?s?|errors?)\s*[:=]\s*0\b(?!\.\d*[1-9])", re.I)
NO_FILE = re.compile(r"(cannot|can't|could not|couldn't|unable to|failed to|error|fail\w*)[^\n]{0,40}(open|find|load|read)|no such file|not found", re.I)
HEADERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "runtime", "include", "cuda_stub")
SOURCES = (".cu", ".cpp", ".cc", ".c")


def rows(path):
    """The last row of each program."""
    return {row["program"]: row for row in map(json.loads, open(path))} if os.path.exists(path) else {}


def listed(path):
    out = {}
    for line in open(path):
        parts = line.rstrip("\n").split("\t")
        if line.strip() and not line.startswith("#"):
            out[parts[0]] = (parts + ["", "", ""])[1:4]
    return out


def call(words, folder, limit, environment, processor=0):
    """Status (None after a limit) and both streams; the whole group of processes ends with it."""
    def bound():
        if processor:
            resource.setrlimit(resource.RLIMIT_CPU, (int(processor), int(processor)))
    child = subprocess.Popen(["nice", "-n", "15", *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             stdin=subprocess.DEVNULL, env=environment, start_new_session=True, preexec_fn=bound)
    try:
        said = child.communicate(timeout=limit)[0]
        ended_by_limit = processor and child.returncode in (-signal.SIGKILL, -signal.SIGXCPU, 128 + signal.SIGKILL)
        return None if ended_by_limit else child.returncode, said.decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        return None, child.communicate()[0].decode(errors="replace")


def find_folder(root, program):
    for name in (program, program + "-cuda"):
        if os.path.isdir(os.path.join(root, name)):
            return os.path.join(root, name)
    samples = os.path.join(root, "Samples")
    for group in sorted(os.listdir(samples)) if os.path.isdir(samples) else []:
        if os.path.isdir(os.path.join(samples, group, program)):
            return os.path.join(samples, group, program)
    sys.exit(f"programs.py: {root} has no program {program}")


def copy_beside(folder, work):
    """A copy of the folder; its neighbours are links, so that paths like ../other/data lead where they led."""
    around = os.path.join(work, "tree")
    shutil.rmtree(around, ignore_errors=True)
    os.makedirs(around)
    parent = os.path.dirname(folder)
    for name in os.listdir(parent):
        if name != os.path.basename(folder):
            os.symlink(os.path.join(parent, name), os.path.join(around, name))
    copy = os.path.join(around, os.path.basename(folder))
    shutil.copytree(folder, copy)
    return copy


def build_bundle(folder, options, environment):
    """The file of kernels that a program loads at run time, where its CMakeLists.txt makes one; what was said where that failed."""
    lists = os.path.join(folder, "CMakeLists.txt")
    text = open(lists).read() if os.path.exists(lists) else ""
    named = re.search(r'CUDA_FATBIN_FILE "[^"]*/([^"/]+)"', text), re.search(r'CUDA_KERNEL_SOURCE "[^"]*/([^"/]+)"', text)
    if not all(named):
        return ""
    words = [options.hone, "build", "-fatbin", named[1].group(1), "-o", named[0].group(1), "-I" + os.path.join(options.root, "Common")]
    status, said = call(words, folder, options.build_limit, environment)
    return "" if status == 0 else said


def copy_headers(folder):
    """Headers of the toolkit that CMakeLists.txt copies beside a program, for kernels that it compiles itself: hone's own."""
    lists = os.path.join(folder, "CMakeLists.txt")
    for name in re.findall(r"\$\{CUDA_INCLUDE_DIR\}/(\w+\.h)", open(lists).read() if os.path.exists(lists) else ""):
        if os.path.exists(os.path.join(HEADERS, name)):
            shutil.copy(os.path.join(HEADERS, name), folder)


def build(folder, root, options, more):
    """The program's path, or None, and what was said."""
    environment = {**os.environ, "CUDACXX": "false"}
    if os.path.exists(os.path.join(folder, "Makefile")):
        words = ["make", f"CC={options.hone} build", f"NVCC={options.hone} build", *more.split()]
        status, said = call(words, folder, options.build_limit, environment)
        newest = [e.path for e in os.scandir(folder) if e.is_file() and os.access(e.path, os.X_OK) and
                  open(e.path, "rb").read(4) == b"\x7fELF"]
        return (max(newest, key=os.path.getmtime) if status == 0 and newest else None), status, said
    copy_headers(folder)
    said = build_bundle(folder, options, environment)
    if said:
        return None, 1, said
    files = sorted(os.path.join(part, name) for part in ("", "src") if os.path.isdir(os.path.join(folder, part))
                   for name in os.listdir(os.path.join(folder, part)) if name.endswith(SOURCES))
    words = [options.hone, "build", *files, "-o", "program", "-I.", "-Iinc", "-I" + os.path.join(root, "Common"), *more.split()]
    status, said = call(words, folder, options.build_limit, environment)
    return (os.path.join(folder, "program") if status == 0 else None), status, said


def one_line(said):
    """What says why, of many lines."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    for pattern in (r"which hone does not provide", r"uses (functions|what)", r"\berror:", r"cannot|undefined|No rule"):
        for k, line in enumerate(lines):
            if re.search(pattern, line):
                return " ".join(lines[k:k + 3] if line.endswith(":") else [line])[:300]
    return lines[-1][:300] if lines else ""


def outcome(status, said, check, own):
    """`own` is the text without what hone says."""
    refused = re.search(r"(?:kernel .* cannot run|cannot launch)[^\n]*", said)
    if status is None:
        return "limit", ""
    good = status == 0 if check == "status" else re.search(check, own) if check and check != "-" else SAID_GOOD.search(own) and not SAID_BAD.search(NOT_BAD.sub("", own))
    if good and check != "-" and status in (0, 1):
        return "passes", ""
    if refused:
        return "refused", refused.group(0)[:300]
    if NO_FILE.search(own):
        return "file", NO_FILE.search(own).group(0)
    if status < 0:
        return "wrong", f"ended by signal {-status}"
    return ("ends", "") if status in (0, 1) and not SAID_BAD.search(NOT_BAD.sub("", own)) else ("wrong", f"status {status}")


def try_one(program, arguments, check, more, options):
    row = {"program": program, "arguments": arguments}
    folder = find_folder(options.root, program)
    copy = copy_beside(folder, options.work)
    begin = time.monotonic()
    path, status, said = build(copy, options.root, options, more)
    row["build_s"] = round(time.monotonic() - begin, 1)
    if not path:
        row["outcome"], row["reason"] = ("build", "no end of the build" if status is None else one_line(said))
        return row
    report = os.path.join(options.work, "findings.json")
    if os.path.exists(report):
        os.remove(report)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status, said = call(["bash", "-c", f"exec {path} {arguments}"], copy, 5 * options.limit, {**os.environ, "HONE_RUN_JSON": report, "DATA": options.data},
                        options.limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    row["run_s"] = round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1)
    row["status"] = status
    found = json.load(open(report))["findings"] if os.path.exists(report) else []
    row["findings"] = dict(collections.Counter(f["kind"] for f in found))
    own = said
    for finding in found:
        own = own.replace(finding["message"], "")
    own = "\n".join(line for line in own.splitlines() if not line.startswith("hone:") and not re.search(r": (error|warning|note): ", line))
    row["outcome"], row["reason"] = outcome(status, said, check, own)
    row["said"] = said[-1500:]
    return row


def do_run(options):
    os.makedirs(options.work, exist_ok=True)
    path = os.path.join(options.work, "ran.jsonl")
    done, only = rows(path), options.only.split(",") if options.only else []
    begin = time.monotonic()
    for program, (arguments, check, more) in listed(options.list).items():
        if (program not in only if only else program in done) or time.monotonic() - begin > options.seconds:
            continue
        row = try_one(program, arguments, check, more, options)
        with open(path, "a") as out:
            out.write(json.dumps(row) + "\n")
        print(program, row["outcome"], row.get("run_s", ""), row["reason"], row.get("findings") or "", flush=True)


def do_report(options):
    done = sorted(rows(os.path.join(options.work, "ran.jsonl")).values(), key=lambda row: row["program"].lower())
    counts = collections.Counter(row["outcome"] for row in done)
    clean = sum(row["outcome"] == "passes" and not row["findings"] for row in done)
    print(f"{len(done)} programs: {counts['passes']} pass by their own check ({clean} without a finding), " +
          ", ".join(f"{count} {name}" for name, count in sorted(counts.items()) if name != "passes"))
    if options.table:
        print("\n| program | arguments | outcome | seconds |\n| --- | --- | --- | --- |")
        for row in done:
            what = row["outcome"] + (f": {row['reason']}" if row["reason"] else "")
            found = ", ".join(row.get("findings") or {})
            shown = f"`{row['arguments']}`" if row["arguments"] else ""
            print(f"| {row['program']} | {shown} | {what}{'; reported: ' + found if found else ''} | {row.get('run_s', '')} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    run = steps.add_parser("run")
    run.add_argument("--root", required=True)
    run.add_argument("--list", required=True)
    run.add_argument("--hone", required=True)
    run.add_argument("--only", default="")
    run.add_argument("--data", default="")
    run.add_argument("--limit", type=float, default=120)
    run.add_argument("--build-limit", type=float, default=120)
    run.add_argument("--seconds", type=float, default=1e9)
    report = steps.add_parser("report")
    report.add_argument("--table", action="store_true")
    for step in (run, report):
        step.add_argument("--work", required=True)
    options = parser.parse_args()
    for name in ("root", "work", "hone", "data"):
        if getattr(options, name, None):
            setattr(options, name, os.path.abspath(getattr(options, name)))
    {"run": do_run, "report": do_report}[options.step](options)


main()
