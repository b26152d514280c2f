#!/usr/bin/env python3
"""Programs that nobody here wrote, before and after `hone opt`: same outputs, kernel times on a GPU.

    foreign.py list   --git GITDIR --listed FILE --more 60 > more.txt      further programs of the suite, drawn by lot
    foreign.py make   --git GITDIR --list FILE --hone HONE --work DIR      here: original and changed copies
    foreign.py run    --work DIR --ktime KTIME.SO [--seconds 540]          on the GPU machine: builds, runs, compares
    foreign.py report --work DIR
    foreign.py copy    --git GITDIR --list FILE --work DIR                 here: originals alone
    foreign.py capture --work DIR --worker HONE-WORKER [--seconds 540]     on the GPU machine: launches of the originals
    foreign.py left   --work DIR --captures DIR      here: kernels that are launched and left for want of sizes, launch or data
    foreign.py agree   --captures DIR --others DIR                         here: launches recorded in two places are the same
    foreign.py twice  --work DIR --hone HONE        here: a second run changes nothing, and revert brings back every byte

GITDIR is a git directory of HeCBench (nothing of it is committed here). A list has a line `program<TAB>command[<TAB>…]` for
each: the folder in src/ and what its Makefile runs. `make` and `run` append a row for each program to DIR/made.jsonl and
DIR/ran.jsonl and go on where they stopped, so both can be done in pieces. KTIME.SO takes kernel times by CUPTI (a library for
CUDA_INJECTION64_PATH that writes `nanoseconds<TAB>count<TAB>kernel` lines to $KTIME_OUT at exit).

A program's speed is the kernel time of the original through that of the changed copy, by five runs of each in turns. It loses
where the whole 95 % interval of the ratio of the medians (bootstrap) lies below 0.97.
"""
import argparse
import concurrent.futures
import json
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time

SOURCES = (".cu", ".cuh", ".h", ".hpp", ".cpp", ".cc", ".c", ".inc", ".inl")


def rows(path):
    return {row["program"]: row for row in map(json.loads, open(path))} if os.path.exists(path) else {}


def listed(path):
    out = {}
    for line in open(path):
        parts = line.rstrip("\n").split("\t")
        if len(parts) > 1 and not line.startswith("#"):
            out[parts[0]] = parts[1]
    return out


class Suite:
    """Files of a stored repository; those that it lacks are left out."""

    def __init__(self, git):
        self.git = ["git", "--git-dir", git]
        names = subprocess.run([*self.git, "ls-tree", "-r", "-l", "HEAD", "src/"], capture_output=True, text=True, check=True)
        self.files = {}
        for line in names.stdout.splitlines():
            head, path = line.split("\t", 1)
            _, kind, blob, size = head.split()
            if kind == "blob" and size.isdigit():
                self.files[path] = (blob, int(size))

    def under(self, folder):
        return [path for path in self.files if path.startswith(f"src/{folder}/")]

    def text(self, path):
        found = subprocess.run([*self.git, "cat-file", "blob", self.files[path][0]], capture_output=True)
        return found.stdout if found.returncode == 0 else None

    def extract(self, folder, into):
        """The folder, and what it includes of its neighbours."""
        done, todo = set(), {folder, "include"}
        while todo:
            one = todo.pop()
            done.add(one)
            for path in self.under(one):
                content = self.text(path) if self.files[path][1] < (4 << 20) else None
                if content is None:
                    continue
                place = os.path.join(into, path[len("src/"):])
                os.makedirs(os.path.dirname(place), exist_ok=True)
                with open(place, "wb") as out:
                    out.write(content)
                if place.endswith(SOURCES) or os.path.basename(place).startswith("Makefile"):
                    for other in re.findall(rb"\.\./([A-Za-z0-9_-]+)/", content):
                        name = other.decode()
                        if name not in done and self.under(name):
                            todo.add(name)


def command_of(makefile):
    """What `make run` runs."""
    found = re.search(r"^run:.*\n((?:\t.*\n?)+)", makefile, re.M)
    line = found.group(1).strip().splitlines()[-1].strip() if found else ""
    program = re.search(r"^program\s*[:?]?=\s*(\S+)", makefile, re.M)
    line = line.replace("$(LAUNCHER)", "").replace("$(program)", program.group(1) if program else "main")
    return line.strip().lstrip("@").strip()


def do_list(options):
    suite, known = Suite(options.git), listed(options.listed)
    folders = sorted({path.split("/")[1] for path in suite.files if path.split("/")[1].endswith("-cuda")})
    random.Random(options.seed).shuffle(folders)
    count = 0
    for folder in folders:
        if folder in known or f"src/{folder}/Makefile" not in suite.files or count == options.more:
            continue
        makefile = (suite.text(f"src/{folder}/Makefile") or b"").decode(errors="replace")
        command = command_of(makefile)
        uses_library = re.search(r"-l(?!m\b|cudart\b|stdc)[a-z]", makefile)
        if uses_library or not command.startswith("./") or re.search(r"\.\./|data|[<>|;&]|\s\S*\.[A-Za-z]", command):
            continue
        print(f"{folder}\t{command}")
        count += 1


def sources_and_flags(root, program):
    """What hone is given: the .cu files of the program, and what `make` defines and includes."""
    folder = os.path.join(root, program)
    files = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".cu"))
    flags = ["-I" + os.path.join(root, "include")]
    if os.path.exists(os.path.join(folder, "Makefile")):
        said = subprocess.run(["make", "-n", "-B"], cwd=folder, capture_output=True, text=True, errors="replace")
        flags += dict.fromkeys(re.findall(r"(?<!\S)-[DI]\S+", said.stdout))
    flags = [flag if not flag.startswith("-I") or flag.startswith("-I/") else "-I" + os.path.join(folder, flag[2:])
             for flag in flags if "$" not in flag]
    return files, flags


def same_folders(first, second):
    return subprocess.run(["diff", "-rq", first, second], capture_output=True).returncode == 0


def do_make(options):
    suite, done = Suite(options.git), rows(os.path.join(options.work, "made.jsonl"))
    begin = time.monotonic()
    for program, command in listed(options.list).items():
        if program in done or time.monotonic() - begin > options.seconds:
            continue
        root = os.path.join(options.work, program)
        shutil.rmtree(root, ignore_errors=True)
        suite.extract(program, os.path.join(root, "original"))
        shutil.copytree(os.path.join(root, "original"), os.path.join(root, "changed"))
        record = os.path.join(root, "record.json")
        files, flags = sources_and_flags(os.path.join(root, "changed"), program)
        start, row = time.monotonic(), {"program": program, "command": command}
        capture = os.path.join(options.captures or "", program + ".capture")
        captured = ["--capture", capture] if options.captures and os.path.exists(capture) else []
        try:
            child = subprocess.Popen([options.hone, "opt", *files, "--in-place", "--json", record, *captured,
                                      *options.options.split(), "--", *flags], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                     errors="replace",
                                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (options.limit, options.limit + 5)))
            said = child.stdout.read()
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = 0
            row.update(status=os.waitstatus_to_exitcode(status), wall=time.monotonic() - start,
                       cpu=usage.ru_utime + usage.ru_stime, megabytes=usage.ru_maxrss / 1024)
        except OSError as error:
            sys.exit(str(error))
        if os.path.exists(record):
            row["kernels"] = [{key: kernel[key] for key in ("name", "changed", "recipe", "reason", "estimated_speedup")}
                              for kernel in json.load(open(record))["kernels"]]
        row["changed"] = not same_folders(os.path.join(root, "original"), os.path.join(root, "changed"))
        row["internal"] = said.count("internal")
        with open(os.path.join(root, "said.txt"), "w") as out:
            out.write(said)
        if not row["changed"]:
            shutil.rmtree(os.path.join(root, "original"))
            shutil.rmtree(os.path.join(root, "changed"))
        with open(os.path.join(options.work, "made.jsonl"), "a") as log:
            log.write(json.dumps(row) + "\n")
        print(f"{program}: status {row['status']}, {row['cpu']:.1f} s, {row['megabytes']:.0f} MB, "
              f"{'changed' if row['changed'] else 'not changed'}", flush=True)


def do_twice(options):
    wrong = count = 0
    for program, row in rows(os.path.join(options.work, "made.jsonl")).items():
        if not row["changed"]:
            continue
        root = os.path.join(options.work, program)
        again = os.path.join(root, "again")
        shutil.rmtree(again, ignore_errors=True)
        shutil.copytree(os.path.join(root, "changed"), again)
        files, flags = sources_and_flags(again, program)
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([options.hone, "opt", *files, "--in-place", *options.options.split(), "--", *flags], **quiet)
        is_once = same_folders(os.path.join(root, "changed"), again)
        marked = [os.path.join(at, name) for at, _, names in os.walk(again) for name in names if name.endswith(SOURCES)]
        subprocess.run([options.hone, "revert", *marked], **quiet)
        is_back = same_folders(os.path.join(root, "original"), again)
        shutil.rmtree(again)
        count += 1
        wrong += not (is_once and is_back)
        print(f"{program}: {'twice is once' if is_once else 'A SECOND RUN CHANGES IT'}, "
              f"{'reverted' if is_back else 'REVERT LEAVES A DIFFERENCE'}", flush=True)
    print(f"{count - wrong} of {count} programs: twice is once, and revert restores")
    sys.exit(wrong > 0)


def build(root, program, side, options):
    folder = os.path.join(root, side, program)
    made = subprocess.run(["make", "-C", folder, f"ARCH={options.arch}"], capture_output=True, text=True, errors="replace",
                          timeout=options.build_limit)
    return "" if made.returncode == 0 else (made.stdout + made.stderr)[-600:]


def plain(output):
    """Without lines that hold times, and numbers rounded."""
    lines = [line for line in output.splitlines()
             if not re.search(r"time|second|\b[mun]?s\b|GB/s|FLOP|bandwidth|throughput|rate|perf", line, re.I)]
    return [re.sub(r"-?\d+\.\d+(e[-+]?\d+)?", lambda n: f"{float(n.group()):.3g}", line) for line in lines]


def once(root, program, side, command, options):
    times = os.path.join(root, f"{side}.times")
    if os.path.exists(times):
        os.remove(times)
    environment = dict(os.environ, CUDA_INJECTION64_PATH=options.ktime, KTIME_OUT=times)
    try:
        ran = subprocess.run(["bash", "-c", command], cwd=os.path.join(root, side, program), capture_output=True, text=True,
                             errors="replace", timeout=options.run_limit, env=environment)
    except subprocess.TimeoutExpired:
        return None
    kernels = {}
    if os.path.exists(times):
        for line in open(times):
            nanoseconds, count, name = line.rstrip("\n").split("\t", 2)
            kernels[name] = [float(nanoseconds), int(count)]
    return {"status": ran.returncode, "output": ran.stdout + ran.stderr, "kernels": kernels,
            "total": sum(value[0] for value in kernels.values())}


def do_run(options):
    begin = time.monotonic()
    made, done = rows(os.path.join(options.work, "made.jsonl")), rows(os.path.join(options.work, "ran.jsonl"))
    left = [row for row in made.values() if row["changed"] and row["program"] not in done]
    problems = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {pool.submit(build, os.path.join(options.work, row["program"]), row["program"], side, options): (row["program"], side)
                for row in left for side in ("original", "changed")}
        for job in concurrent.futures.as_completed(jobs):
            try:
                problems[jobs[job]] = job.result()
            except subprocess.TimeoutExpired:
                problems[jobs[job]] = "the build takes too long"
    for row in left:
        program, root = row["program"], os.path.join(options.work, row["program"])
        if time.monotonic() - begin > options.seconds:
            break
        out = {"program": program}
        for side in ("original", "changed"):
            if problems[program, side]:
                out["problem"] = f"{side}: {problems[program, side]}"
        runs = {"original": [], "changed": []}
        if "problem" not in out:
            program_begin = time.monotonic()
            for turn in range(options.runs):
                for side in ("original", "changed") if turn % 2 == 0 else ("changed", "original"):
                    runs[side].append(once(root, program, side, row["command"], options))
                if None in runs["original"] + runs["changed"] or time.monotonic() - program_begin > options.program_limit:
                    break
            if None in runs["original"] + runs["changed"]:
                out["problem"] = "a run takes too long"
            else:
                first, second = runs["original"][0], runs["changed"][0]
                out.update(status=[first["status"], second["status"]],
                           original=[run["total"] for run in runs["original"]], changed=[run["total"] for run in runs["changed"]],
                           same=plain(first["output"]) == plain(second["output"]),
                           steady=plain(first["output"]) == plain(runs["original"][-1]["output"]),
                           kernels=[first["kernels"], second["kernels"]],
                           tails=[run["output"][-500:] for run in (first, second)])
        with open(os.path.join(options.work, "ran.jsonl"), "a") as log:
            log.write(json.dumps(out) + "\n")
        print(program, out.get("problem", "")[-300:] or ratio_text(out), flush=True)


def do_copy(options):
    suite, done = Suite(options.git), rows(os.path.join(options.work, "copied.jsonl"))
    os.makedirs(options.work, exist_ok=True)
    for program, command in listed(options.list).items():
        if program not in done:
            suite.extract(program, os.path.join(options.work, program, "original"))
            with open(os.path.join(options.work, "copied.jsonl"), "a") as log:
                log.write(json.dumps({"program": program, "command": command}) + "\n")


def wall(root, program, command, options):
    """Seconds of a run of the original and its status; none where it takes too long."""
    begin = time.monotonic()
    try:
        ran = subprocess.run(command, cwd=os.path.join(root, "original", program), capture_output=True, text=True,
                             errors="replace", timeout=options.run_limit)
    except subprocess.TimeoutExpired:
        return None
    return [time.monotonic() - begin, ran.returncode, (ran.stdout + ran.stderr)[-300:]]


def do_capture(options):
    """DIR/captures has a capture of each program, DIR/captured.jsonl the wall times with and without one, by turns."""
    begin, worker = time.monotonic(), os.path.abspath(options.worker)
    copied, done = rows(os.path.join(options.work, "copied.jsonl")), rows(os.path.join(options.work, "captured.jsonl"))
    left = [row for row in copied.values() if row["program"] not in done]
    captures = os.path.abspath(os.path.join(options.work, "captures"))
    os.makedirs(captures, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {row["program"]: pool.submit(build, os.path.join(options.work, row["program"]), row["program"], "original", options)
                for row in left}
        concurrent.futures.wait(jobs.values())
        for row in left:
            program, root = row["program"], os.path.join(options.work, row["program"])
            if time.monotonic() - begin > options.seconds:
                break
            out = {"program": program, "plain": [], "captured": []}
            try:
                out["problem"] = jobs[program].result()
            except subprocess.TimeoutExpired:
                out["problem"] = "the build takes too long"
            file = os.path.join(captures, program + ".capture")
            for turn in range(options.runs if not out["problem"] else 0):
                sides = ("plain", "captured") if turn % 2 == 0 else ("captured", "plain")
                for side in sides:
                    words = ["bash", "-c", row["command"]]
                    if side == "captured":
                        words = [worker, "capture", "-o", file, "--", *words]
                    ran = wall(root, program, words, options)
                    if ran is None:
                        out["problem"] = f"a run takes too long ({side})"
                        break
                    out[side].append(ran)
                if out["problem"] or sum(run[0] for run in out["plain"]) > options.program_limit:
                    break
            if not out["problem"] and not os.path.exists(file):
                out["problem"] = "no capture: " + out["captured"][-1][2]
            with open(os.path.join(options.work, "captured.jsonl"), "a") as log:
                log.write(json.dumps(out) + "\n")
            print(program, out["problem"][-200:] or f"{overhead(out):+.1%}", flush=True)


def overhead(row):
    return statistics.median(run[0] for run in row["captured"]) / statistics.median(run[0] for run in row["plain"]) - 1


def launches(path):
    """How often a capture has each launch: kernel, grid, block, shared bytes, arguments, where a pointer is an offset into so many bytes."""
    shapes, counts = {}, {}
    for line in open(path):
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            break
        if "launch" in row:
            values = bytearray.fromhex(row.get("bytes", ""))
            for pointer in row.get("pointers", []):
                values[pointer["at"]:pointer["at"] + 8] = bytes(8)
            words = [bytes(values[at:at + size]).hex() for at, size in row.get("parameters", [])]
            behind = sorted((pointer["at"], pointer["bytes"], pointer["offset"]) for pointer in row.get("pointers", []))
            shapes[row["process"], row["launch"]] = (row["kernel"], tuple(row["grid"]), tuple(row["block"]), row["shared"], tuple(words),
                                                     tuple(behind))
        for count in row.get("counts", []):
            counts[row["process"], count[0]] = count[1]  # the last line is the last word
    out = {}
    for key, shape in shapes.items():
        out[shape] = out.get(shape, 0) + counts.get(key, 0)
    return out


def do_agree(options):
    """For each program with two captures: what only one of them has."""
    same = total = 0
    for name in sorted(set(os.listdir(options.captures)) & set(os.listdir(options.others))):
        if not name.endswith(".capture"):
            continue
        first, second = launches(os.path.join(options.captures, name)), launches(os.path.join(options.others, name))
        differ = [shape for shape in {**first, **second} if first.get(shape) != second.get(shape)]
        total, same = total + 1, same + (not differ)
        kernels = len({shape[0] for shape in first} | {shape[0] for shape in second})
        print(f"{name[:-len('.capture')]}: {kernels} kernels, {len(first)} different launches, "
              + (f"{len(differ)} DIFFER" if differ else "the same"))
        for shape in differ[:options.show]:
            print("   ", first.get(shape, 0), second.get(shape, 0), *shape)
    print(f"{same} of {total} agree")


# What reasons say where the kernel was judged, at whatever sizes.
JUDGED = re.compile(r"slow, and nothing|bound by its|good already|% of the speed|too short to be faster|counted with arrays|"
                    r"estimates of such are off|no more than estimates are off|not worth|compilers do of|over all captured|"
                    r"none is estimated to be faster|its loops subscript|in the first turn of|is not at others")
# Where hone lacks what the program would have told it.
WANTING = re.compile(r"guess|made up|--(?:set|grid|block|length|input|trust-sizes)\b|cannot be estimated|no end in sight|"
                     r"not seen to follow|could not be run", re.I)
# Where what it has is more than the embedded device runs, or its first blocks do nothing.
TOO_LONG = re.compile(r"runs? for too long|no block that was looked at touches|findings? in captured launches")


def do_left(options):
    """Kernels by name that captures have launches of, and of these the ones that are left for want of sizes, launch or data."""
    made, count, left, long = rows(os.path.join(options.work, "made.jsonl")), 0, [], []
    for program, row in made.items():
        path = os.path.join(options.captures, program + ".capture")
        if not os.path.exists(path):
            continue
        names = {launch[0] for launch in launches(path)}
        plain_names = subprocess.run(["c++filt", *names], capture_output=True, text=True).stdout.splitlines() if names else []
        launched = {re.sub(r"^void ", "", re.sub(r"[<(].*", "", name.replace("(anonymous namespace)::", ""))).split("::")[-1]
                    for name in plain_names}
        reasons = {}
        for kernel in row.get("kernels", []):
            name = re.sub(r"<.*", "", kernel["name"]).split("::")[-1]
            if name in launched:
                reasons.setdefault(name, []).append("" if kernel["changed"] else kernel["reason"])
        for name, said in reasons.items():
            count += 1
            # Of instantiations the one of which most is known counts.
            if all(WANTING.search(reason) and not JUDGED.search(reason) for reason in said):
                (long if all(TOO_LONG.search(reason) for reason in said) else left).append((program, name, said[0]))
    for word, some in (("left", left), ("not run", long)):
        for program, name, reason in some:
            print(f"{word}\t{program}\t{name}\t{reason}")
    print(f"{len(left)} of {count} kernels ({len(left) / max(1, count):.1%}); {len(long)} more run for too long here, do nothing in "
          f"their first blocks, or have findings in captured launches")


def interval(a, b):
    """The ratio of the medians, and where 95 of 100 draws put it."""
    draw = random.Random(1)
    ratios = sorted(statistics.median(draw.choices(a, k=len(a))) / statistics.median(draw.choices(b, k=len(b)))
                    for _ in range(2000))
    return statistics.median(a) / statistics.median(b), ratios[50], ratios[-51]


def ratio_text(row):
    if not min(row["original"] + row["changed"]) > 0:
        return "no kernel times"
    ratio, low, high = interval(row["original"], row["changed"])
    same = "same output" if row["same"] else "OTHER OUTPUT" if row["steady"] else "output changes from run to run"
    return f"{ratio:.3f} [{low:.3f}, {high:.3f}]{' LOSES' if high < 0.97 else ''} {same} status {row['status']}"


def do_report(options):
    made, ran = rows(os.path.join(options.work, "made.jsonl")), rows(os.path.join(options.work, "ran.jsonl"))
    if made and all("cpu" in row for row in made.values()):  # `builds.py stage` lays out what it made without it
        report_making(made)
    report_speeds(made, ran)


def report_making(made):
    cpu = sorted(row["cpu"] for row in made.values())
    kernels = sum(max(1, len(row.get("kernels", []))) for row in made.values())
    print(f"{len(made)} programs, {sum(row['changed'] for row in made.values())} changed; hone opt: median {statistics.median(cpu):.1f} s "
          f"of CPU, most {cpu[-1]:.1f} s, {sum(cpu) / kernels:.1f} s a kernel; most memory "
          f"{max(row['megabytes'] for row in made.values()):.0f} MB; statuses {sorted(set(row['status'] for row in made.values()))}; "
          f"'internal' {sum(row['internal'] for row in made.values())} times")


def report_speeds(made, ran):
    print("\n| program | speed | 95 % | estimated | outcome |\n| --- | --- | --- | --- | --- |")
    ratios = []
    for program, row in sorted(ran.items()):
        if "problem" in row:
            print(f"| {program} | | | | {row['problem'].splitlines()[-1][:100] if row['problem'] else ''} |")
            continue
        if not min(row["original"] + row["changed"]) > 0:
            print(f"| {program} | | | | no kernel times, statuses {row['status']} |")
            continue
        ratio, low, high = interval(row["original"], row["changed"])
        ratios.append(ratio)
        guess = [kernel["estimated_speedup"] for kernel in made.get(program, {}).get("kernels", []) if kernel["changed"]]
        outcome = "same" if row["same"] else "differs" if row["steady"] else "not steady"
        print(f"| {program} | {ratio:.3f} | {low:.3f} to {high:.3f} | {', '.join(f'{one:.1f}' for one in guess)} | "
              f"{outcome}{', LOSES' if high < 0.97 else ''} |")
    if ratios:
        print(f"\n{len(ratios)} measured, geometric mean {statistics.geometric_mean(ratios):.3f}, least {min(ratios):.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=["list", "make", "run", "report", "twice", "copy", "capture", "agree", "left"])
    parser.add_argument("--git")
    parser.add_argument("--list")
    parser.add_argument("--listed")
    parser.add_argument("--more", type=int, default=60)
    parser.add_argument("--seed", type=int, default=20261116, help="of the lot that `list` draws by")
    parser.add_argument("--hone")
    parser.add_argument("--options", default="--reassociate --target h200", help="of hone opt")
    parser.add_argument("--work", default="foreign-work")
    parser.add_argument("--limit", type=int, default=150, help="seconds of CPU for one program under hone opt")
    parser.add_argument("--ktime")
    parser.add_argument("--captures", help="folder of captures: to choose by (make), to compare (agree), of launches (left)")
    parser.add_argument("--others", help="folder of captures to compare them with")
    parser.add_argument("--show", type=int, default=4, help="launches shown of a program whose captures differ")
    parser.add_argument("--worker", help="hone-worker, with libhone_capture.so beside it")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--build-limit", type=int, default=120)
    parser.add_argument("--run-limit", type=int, default=20, help="seconds of one run")
    parser.add_argument("--program-limit", type=int, default=20, help="seconds after which a program gets no further turn")
    parser.add_argument("--seconds", type=int, default=540, help="begin no program after so many seconds")
    options = parser.parse_args()
    if options.work and options.do in ("make", "run", "copy", "capture"):
        os.makedirs(options.work, exist_ok=True)
        options.work = os.path.abspath(options.work)
    if options.ktime:
        options.ktime = os.path.abspath(options.ktime)
    {"list": do_list, "make": do_make, "run": do_run, "report": do_report, "twice": do_twice, "copy": do_copy,
     "capture": do_capture, "agree": do_agree, "left": do_left}[options.do](options)


if __name__ == "__main__":
    main()
