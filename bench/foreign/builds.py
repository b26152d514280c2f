#!/usr/bin/env python3
"""Programs that nobody here wrote, built by nvcc and by `hone nvcc`: what is rewritten, what nvcc refuses, what it costs.

    builds.py make   --git GITDIR --list FILE --hone HONE --work DIR [--nvcc NVCC] [--seconds 540] [--first-only] [--jobs N]
    builds.py report --work DIR
    builds.py stage  --git GITDIR --list FILE --work DIR --into RUNS

GITDIR and FILE as for foreign.py; where there is no git, --originals has what `foreign.py copy` wrote. Each program is built three times by its own
Makefile, one job at a time (N programs at once), with a link `nvcc` in PATH: plain, with an empty cache of copies, with what is then in it. `make` appends a row for each program to DIR/builds.jsonl and goes
on where it stopped; with --first-only the program is built with the empty cache alone. What hone made stands in DIR/copies/PROGRAM, and DIR/rewritten.txt has the lines of the list for `foreign.py run`.
`stage` lays the programs with rewritten files out in RUNS, with the copies in place of the sources, as `foreign.py run --work RUNS`
takes them: there the outputs are compared and the kernels timed.
CPU seconds are those of make and all that it ran; they say more than wall time where others use the machine.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time

from foreign import Suite, listed, rows

REFUSED = "nvcc does not take what hone made of it"


class Originals:
    """What `foreign.py copy` wrote, in the place of a git directory."""

    def __init__(self, folder):
        self.folder = folder

    def extract(self, program, into):
        shutil.copytree(os.path.join(self.folder, program, "original"), into, dirs_exist_ok=True)


def suite_of(options):
    return Suite(options.git) if options.git else Originals(options.originals)


def place_of(program, options):
    """Sources, cache and log of one program."""
    return os.path.join(options.work, "at", program)


def linked(folder, hone):
    """A folder for PATH in which hone is called nvcc."""
    os.makedirs(folder, exist_ok=True)
    link = os.path.join(folder, "nvcc")
    if os.path.islink(link):
        os.remove(link)
    os.symlink(hone, link)
    return folder


def timed(command, folder, environment, limit):
    """Status, wall and CPU seconds, and what was said."""
    said, begin = os.path.join(folder, ".said"), time.monotonic()
    with open(said, "wb") as out:
        child = subprocess.Popen(["timeout", str(limit), *command], cwd=folder, env=environment, stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = 0
    text = open(said, errors="replace").read()
    os.remove(said)
    return {"status": os.waitstatus_to_exitcode(status), "wall": time.monotonic() - begin,
            "cpu": usage.ru_utime + usage.ru_stime}, text


def build(program, options):
    """Plain, first and second build of a program."""
    place = place_of(program, options)
    folder, cache, log = (os.path.join(place, *names) for names in (("sources", program), ("cache",), ("log",)))
    row = {"program": program, "load": os.getloadavg()[0]}
    plain = os.path.dirname(options.nvcc)
    honed = linked(os.path.join(place, "bin"), options.hone) + ":" + plain
    for name, places in (("plain", plain), ("first", honed), ("second", honed)):
        if options.first_only and name != "first":
            continue
        if os.path.exists(log):
            os.remove(log)
        environment = dict(os.environ, PATH=places + ":" + os.environ["PATH"], HONE_CACHE=cache, HONE_LOG=log)
        row[name], said = timed(["make", "-B", "-j1", f"ARCH={options.arch}"], folder, environment, options.build_limit)
        if row[name]["status"] != 0 and options.first_only:  # would nvcc alone?
            row["plain"], said = timed(["make", "-B", "-j1", f"ARCH={options.arch}"], folder,
                                       dict(environment, HONE_OFF="1"), options.build_limit)
        if row[name]["status"] != 0:
            row[name]["said"] = said[-600:]
            if name == "plain":
                return row
        if name == "first" and os.path.exists(log):
            text = open(log, errors="replace").read()
            lines = re.findall(r"^hone: (.*)$", text, re.M)
            row["rewritten"] = [line for line in lines if re.search(r": \d+ of \d+ kernels? rewritten", line)]
            row["refused"] = [line for line in lines if REFUSED in line and "status" in line]
            row["as_it_is"] = [line for line in lines if "compiled as it is" in line and REFUSED not in line]
            with open(os.path.join(options.work, "logs", program), "w") as out:
                out.write(text)
    kept = os.path.join(options.work, "copies", program)
    shutil.rmtree(kept, ignore_errors=True)
    if row.get("rewritten"):
        shutil.copytree(os.path.join(cache, "nvcc"), kept)
    return row


def do_make(options):
    suite = suite_of(options)
    record = os.path.join(options.work, "builds.jsonl")
    done, begin, one = rows(record), time.monotonic(), threading.Lock()
    os.makedirs(os.path.join(options.work, "logs"), exist_ok=True)

    def make(program, command):
        if time.monotonic() - begin > options.seconds:
            return
        shutil.rmtree(place_of(program, options), ignore_errors=True)
        suite.extract(program, os.path.join(place_of(program, options), "sources"))
        row = build(program, options)
        row["command"] = command
        shutil.rmtree(place_of(program, options))
        with one:
            with open(record, "a") as log:
                log.write(json.dumps(row) + "\n")
            if row.get("rewritten"):
                with open(os.path.join(options.work, "rewritten.txt"), "a") as out:
                    out.write(f"{program}\t{command}\n")
            print(line_of(row), flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda row: make(*row), [row for row in listed(options.list).items() if row[0] not in done]))


def do_stage(options):
    suite = suite_of(options)
    for program, command in listed(options.list).items():
        kept = os.path.join(options.work, "copies", program)
        if not os.path.isdir(kept):
            continue
        for side in ("original", "changed"):
            suite.extract(program, os.path.join(options.into, program, side))
        sources = os.path.join(place_of(program, options), "sources") + os.sep
        for entry in sorted(os.listdir(kept)):
            folder = os.path.join(kept, entry)
            if not os.path.exists(os.path.join(folder, ".hone-entry")):
                continue
            for file in json.load(open(os.path.join(folder, ".hone-entry")))["files"]:
                user = os.path.normpath(os.path.join(sources, program, file["user"]))  # make runs in the program's folder
                if user.startswith(sources):
                    shutil.copyfile(os.path.join(folder, file["place"]), os.path.join(options.into, program, "changed", user[len(sources):]))
        with open(os.path.join(options.into, "made.jsonl"), "a") as out:
            out.write(json.dumps({"program": program, "command": command, "changed": True}) + "\n")


def ratio(row, name, kind):
    return row[name][kind] / max(row["plain"][kind], 0.01)


def is_built(row):
    """By plain nvcc, as far as that was asked."""
    return "plain" not in row or row["plain"]["status"] == 0


def line_of(row):
    if not is_built(row):
        return f"| {row['program']} | | | plain nvcc does not build it | | | |"
    broken = [name for name in ("first", "second") if name in row and row[name]["status"] != 0]
    notes = [*(f"{name} BUILD FAILS" for name in broken), *(f"{len(row['refused'])} REFUSED" for _ in row.get("refused", [])[:1])]
    counts = f"| {row['program']} | {len(row.get('rewritten', []))} | {len(row.get('as_it_is', []))} | {', '.join(notes)} | "
    if "second" not in row or "plain" not in row:
        return counts + f"| {row['first']['cpu']:.1f} / {row['first']['wall']:.1f} s | |"
    return (counts + f"{row['plain']['cpu']:.1f} / {row['plain']['wall']:.1f} | {ratio(row, 'first', 'cpu'):.2f} / {ratio(row, 'first', 'wall'):.2f} | "
            f"{ratio(row, 'second', 'cpu'):.2f} / {ratio(row, 'second', 'wall'):.2f} |")


def do_report(options):
    all_rows = list(rows(os.path.join(options.work, "builds.jsonl")).values())
    print("| program | files rewritten | not read | faults | plain, s CPU / wall | first, times plain | second, times plain |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for row in all_rows:
        print(line_of(row))
    built = [row for row in all_rows if is_built(row)]
    fails = [row["program"] for row in built if any(row[name]["status"] != 0 for name in ("first", "second") if name in row)]
    refused = [row["program"] for row in built if row.get("refused")]
    print(f"\n{len(all_rows)} programs, {len(built)} built by plain nvcc; {sum(bool(row.get('rewritten')) for row in built)} with "
          f"{sum(len(row.get('rewritten', [])) for row in built)} files rewritten; builds that fail with hone: {len(fails)} {' '.join(fails)}; "
          f"copies refused: {len(refused)} {' '.join(refused)}")
    for name in ("first", "second"):
        for kind in ("cpu", "wall"):
            timed_rows = [row for row in built if "plain" in row and name in row]
            ratios = sorted(ratio(row, name, kind) for row in timed_rows)
            if ratios:
                print(f"{name} build, {kind} through that of plain nvcc: median {statistics.median(ratios):.2f}, most {ratios[-1]:.2f}, in all "
                      f"{sum(row[name][kind] for row in timed_rows) / sum(row['plain'][kind] for row in timed_rows):.2f}")
    sys.exit(bool(fails or refused))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=["make", "report", "stage"])
    parser.add_argument("--git")
    parser.add_argument("--originals")
    parser.add_argument("--jobs", type=int, default=1, help="programs at once")
    parser.add_argument("--list")
    parser.add_argument("--hone")
    parser.add_argument("--nvcc", default="/usr/local/cuda/bin/nvcc")
    parser.add_argument("--work", default="builds-work")
    parser.add_argument("--into")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--build-limit", type=int, default=600, help="seconds of one build")
    parser.add_argument("--first-only", action="store_true")
    parser.add_argument("--seconds", type=int, default=540, help="begin no program after so many seconds")
    options = parser.parse_args()
    options.work = os.path.abspath(options.work)
    for name in ("hone", "nvcc", "originals"):
        if getattr(options, name):
            setattr(options, name, os.path.abspath(getattr(options, name)))
    os.makedirs(options.work, exist_ok=True)
    {"make": do_make, "report": do_report, "stage": do_stage}[options.do](options)


if __name__ == "__main__":
    main()
