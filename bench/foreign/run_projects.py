#!/usr/bin/env python3
"""Runs the tests of projects.toml with the programs of each build, on the machine with the GPU: run_projects.py [DIR [JOBS [SECONDS]]]

DIR is what `projects.py stage` wrote. A test is right where it ends with 0, says what the table wants and nothing that it calls wrong.
Outputs are compared with those of the plain build, decimals and times left out. Builds whose programs are byte by byte those of an
earlier one are not run again; what has not begun after SECONDS is not run. One line a test, as they end; the status is 1 where a build is
wrong and the plain one is right.
"""
import concurrent.futures
import glob
import hashlib
import os
import re
import subprocess
import sys
import threading
import time

BUILDS = ("plain", "first", "second", "whole")


def libraries():
    """Where cuBLAS may be, which some projects link."""
    places = ["/usr/local/cuda/lib64", "/usr/local/cuda/targets/x86_64-linux/lib"]
    places += sorted({os.path.dirname(path) for root in sys.path + glob.glob("/opt/*/.venv/lib/python3*/site-packages")
                      for path in glob.glob(os.path.join(root, "nvidia", "*", "lib", "libcublas*"))})
    return ":".join(places)


def digest(folder):
    whole = hashlib.sha256()
    for path in sorted(glob.glob(os.path.join(folder, "**", "*"), recursive=True)):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                whole.update(os.path.relpath(path, folder).encode() + file.read())
    return whole.hexdigest()


def told(text):
    """What may be compared: numbers that are times, rates or rounded are not."""
    return re.sub(r"[-+]?\d+\.\d+(e[-+]?\d+)?|\d+ *(ms|us|s\b)|executed \d+", "#", text)


def run(folder, command, right, wrong, until_right, end):
    """Ends at the first sign that it is right, where that is enough."""
    begin = time.monotonic()
    if begin > end:
        return None
    environment = dict(os.environ, LD_LIBRARY_PATH=libraries() + ":" + os.environ.get("LD_LIBRARY_PATH", ""))
    is_one = "&&" not in command and not re.match(r"\w+=", command)
    child = subprocess.Popen(["sh", "-c", "exec " + command if is_one else command], cwd=folder, env=environment,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    timer = threading.Timer(min(120, max(5, end - begin)), child.kill)
    timer.start()
    said, status = b"", None
    for line in child.stdout:
        said += line
        if until_right and re.search(right, line.decode(errors="replace")):
            child.kill()
            status = 0
            break
    child.wait()
    timer.cancel()
    text, status = said.decode(errors="replace"), child.returncode if status is None else status
    good = status == 0 and re.search(right, text) is not None and not (wrong and re.search(wrong, text))
    return {"good": good, "status": status, "text": text, "seconds": time.monotonic() - begin}


def main():
    root = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(__file__))
    tests = [line.rstrip("\n").split("\t") for line in open(os.path.join(root, "tests.txt"))]
    jobs, end = {}, time.monotonic() + (float(sys.argv[3]) if len(sys.argv) > 3 else 1e9)
    pool = concurrent.futures.ThreadPoolExecutor(int(sys.argv[2]) if len(sys.argv) > 2 else 8)
    for project, command, right, wrong, until in tests:
        seen = {}
        for build in BUILDS:
            folder = os.path.join(root, project, build)
            if os.path.isdir(folder):
                same = seen.setdefault(digest(folder), build)
                jobs[project, command, build] = same if same != build else pool.submit(run, folder, command, right, wrong, until, end)
    print("| project | test | " + " | ".join(BUILDS) + " | output |")
    print("| --- | --- |" + " --- |" * (len(BUILDS) + 1))
    faults = 0
    for project, command, *_ in tests:
        cells, others, plain = [], [], None
        for build in BUILDS:
            job = jobs.get((project, command, build))
            if job is None or isinstance(job, str):
                cells.append(f"as {job}" if job else "")
                continue
            got = job.result()
            if got is None:
                cells.append("not run")
                continue
            plain = plain or got
            cells.append(f"right, {got['seconds']:.1f} s" if got["good"] else f"WRONG ({got['status']})")
            if told(got["text"]) != told(plain["text"]):
                others.append(build)
            if not got["good"] and plain["good"]:
                faults += 1
                print(f"--- {project} {build}: {command}\n{got['text'][-1500:]}", file=sys.stderr)
            elif not got["good"]:
                print(f"--- {project} {build}: {command}\n{got['text'][-300:]}", file=sys.stderr)
        print(f"| {project} | `{command}` | " + " | ".join(cells) + f" | {'other in ' + ', '.join(others) if others else 'same'} |", flush=True)
    print(f"{len(tests)} tests, {faults} wrong where the plain build is right")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
