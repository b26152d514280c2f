#!/usr/bin/env python3
"""What a change of hone does to what it writes: `hone opt` of two builds over the same files, one after the other.

    bench/before_after.py OLD/bin/hone NEW/bin/hone FILE... [--list FILES.txt] [--names MAP.txt] [--rows ROWS.jsonl]
                          [--limit 60] [--jobs 1] [--options '--reassociate']

Compares for each kernel whether it is changed, the recipe and the estimated gain, for each file the text that is written and (apart) what is said on
stderr. MAP.txt holds a line `new<TAB>old` for each name that was changed on purpose: a regular expression and what the old
build says instead. White space is not compared, since the breaking of lines follows the lengths of names.

Rows are appended to ROWS.jsonl and files that have one are not run again, so a long list can be done in pieces. The closing
lines give the counts and the CPU time of both builds over the files where neither met the limit. Exit status 1 when a
recipe or a text differs.
"""
import argparse
import concurrent.futures
import difflib
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("old")
parser.add_argument("new")
parser.add_argument("files", nargs="*")
parser.add_argument("--list", help="a file with a path on each line")
parser.add_argument("--names", help="names that were changed: new<TAB>old on each line")
parser.add_argument("--rows", default="before-after.jsonl")
parser.add_argument("--limit", type=int, default=60, help="seconds of CPU for one run (default 60)")
parser.add_argument("--jobs", type=int, default=1)
parser.add_argument("--options", default="", help="further options of hone opt")
parser.add_argument("--show", type=int, default=3, help="how many differences to print in full (default 3)")
parser.add_argument("--seconds", type=int, default=0, help="begin no file after so many seconds (default: no end)")
options = parser.parse_args()

names = []
if options.names:
    names = [line.rstrip("\n").split("\t") for line in open(options.names) if "\t" in line]


def mapped(text):
    for new, old in names:
        text = re.sub(new, old, text)
    return text


def plain(text):
    """Without what differs from run to run: times, places of temporary files, the breaking of lines."""
    text = re.sub(r"\b\d+(\.\d+)? m?s\b", "T s", text)
    return re.sub(r"\s+", " ", text)


def run(hone, file):
    """One run of `hone opt`: status, text, verdicts and recipes of its kernels, words, CPU seconds."""
    folder = os.path.dirname(file)
    with tempfile.TemporaryDirectory(prefix="hone-before-after-") as work:
        record = os.path.join(work, "record.json")
        command = [hone, "opt", file, "-j", "1", "--json", record, "-o", os.path.join(work, "out" + os.path.splitext(file)[1]),
                   *options.options.split(), "--", "-I" + folder, "-I" + os.path.join(folder, "..", "include")]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (options.limit, options.limit + 5)))
        words = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = 0
        seconds = usage.ru_utime + usage.ru_stime
        result = {"status": os.waitstatus_to_exitcode(status), "seconds": seconds, "words": words.replace(work, "WORK"),
                  "text": "", "kernels": {}}
        for name in os.listdir(work):
            content = open(os.path.join(work, name), errors="replace").read()
            if name != "record.json":
                result["text"] += content
                continue
            for kernel in json.loads(content).get("kernels", []):
                key = f"{kernel['file']}:{kernel['line']} {kernel['name']} {kernel['template_args']}"
                result["kernels"][key] = [kernel[what] for what in ("done", "changed", "recipe", "estimated_speedup")]
        return result


def compared(file):
    old, new = run(options.old, file), run(options.new, file)
    row = {"file": file, "kernels": len(old["kernels"]), "old": old["seconds"], "new": new["seconds"], "differs": []}
    if min(old["status"], new["status"]) < 0:
        row["limit"] = [old["status"], new["status"]]
        return row, old, new
    for what in ("status", "kernels", "text", "words"):
        before, after = (json.dumps(side[what]) if what != "text" else side[what] for side in (old, new))
        if plain(mapped(before)) != plain(mapped(after)):  # a user may have such names too
            row["differs"].append(what)
    if row["differs"]:
        row["old_side"], row["new_side"] = old, new
    return row, old, new


def show(row):
    for what in row["differs"]:
        if what == "status":
            continue
        before, after = (row[side][what] if isinstance(row[side][what], str) else json.dumps(row[side][what], indent=1)
                         for side in ("old_side", "new_side"))
        lines = difflib.unified_diff(mapped(before).splitlines(), mapped(after).splitlines(), "old " + what, "new " + what,
                                     lineterm="", n=1)
        print("\n".join(list(lines)[:40]))


files = [os.path.abspath(file) for file in options.files]
if options.list:
    files += [line.strip() for line in open(options.list) if line.strip()]
rows = {}
if os.path.exists(options.rows):
    for line in open(options.rows):
        row = json.loads(line)
        rows[row["file"]] = row
left = [file for file in files if file not in rows]

begin = time.monotonic()


def piece(file):
    if options.seconds and time.monotonic() - begin > options.seconds:
        return None
    return compared(file)


shown = 0
with open(options.rows, "a") as log, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
    for answer in pool.map(piece, left):
        if not answer:
            continue
        row = answer[0]
        rows[row["file"]] = row
        log.write(json.dumps(row) + "\n")
        log.flush()
        if row["differs"]:
            print(f"{row['file']}: differs in {', '.join(row['differs'])}")
            if shown < options.show and row["differs"] != ["words"]:
                shown += 1
                show(row)

done = [rows[file] for file in files if file in rows]
whole = [row for row in done if "limit" not in row]
count = {what: sum(what in row["differs"] for row in done) for what in ("status", "kernels", "text", "words")}
print(f"{len(done)} of {len(files)} files, {sum(row['kernels'] for row in whole)} kernels; "
      f"{len(done) - len(whole)} met the limit of {options.limit} s and were not compared")
print("files that differ: " + ", ".join(f"{what} {number}" for what, number in count.items()))
if whole:
    ratios = [row["new"] / row["old"] for row in whole if row["old"] > 0]
    old, new = sum(row["old"] for row in whole), sum(row["new"] for row in whole)
    print(f"CPU seconds: {old:.1f} before, {new:.1f} after, ratio {new / old:.3f}; median of the files' ratios "
          f"{statistics.median(ratios):.3f}")
sys.exit(1 if count["status"] or count["kernels"] or count["text"] else 0)
